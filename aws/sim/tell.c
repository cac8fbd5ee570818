#include "aws/sim/tell.h"

#include <string.h>

#include "aws/sim/control.h"
#include "aws/sim/fields.h"
#include "aws/sim/validate.h"
#include "model/base/mem.h"

#define WORD_SIZE 64
#define TEXT_SIZE 1025 /* FailureReason has 1,024 characters at most */

/* What is to be said; "" = nothing is said of it. */
struct told {
	char kind[WORD_SIZE], name[SIM_NAME_SIZE];
	char status[WORD_SIZE], secondary[WORD_SIZE];
	char message[TEXT_SIZE], reason[TEXT_SIZE], exit_message[TEXT_SIZE];
};

static bool read_told(const struct json_doc *doc, struct told *told, struct err *err)
{
	return sim_field_need(doc, "name", err) &&
	       sim_field_text(doc, "name", told->name, sizeof(told->name), err) &&
	       sim_field_text(doc, "kind", told->kind, sizeof(told->kind), err) &&
	       sim_field_text(doc, "status", told->status, sizeof(told->status), err) &&
	       sim_field_text(doc, "secondary_status", told->secondary, sizeof(told->secondary),
			      err) &&
	       sim_field_text(doc, "status_message", told->message, sizeof(told->message), err) &&
	       sim_field_text(doc, "failure_reason", told->reason, sizeof(told->reason), err) &&
	       sim_field_text(doc, "exit_message", told->exit_message, sizeof(told->exit_message),
			      err);
}

/* Jobs borrow their texts: these live as long as the world. */
static const char *keep(struct sim_world *world, const char *text)
{
	world->texts = mem_grow(world->texts, &world->text_capacity, world->text_count + 1,
				sizeof(char *));
	return world->texts[world->text_count++] = mem_copy_text(text);
}

static const char *keep_or(struct sim_world *world, const char *text, const char *otherwise)
{
	return text[0] ? keep(world, text) : otherwise;
}

static bool is_end(const char *word, enum sim_status *status)
{
	for (int i = SIM_IN_PROGRESS; i <= SIM_STOPPED; i++) {
		*status = (enum sim_status)i;
		if (strcmp(sim_status_word(*status), word) == 0)
			return sim_status_has_ended(*status);
	}
	return false;
}

static void end(struct sim_world *world, struct sim_job *job, const struct told *told,
		enum sim_status status)
{
	if (job->waiting)
		sim_queue_remove(world, job);
	job->odd_status = NULL;
	sim_life_end(world, job, status, keep_or(world, told->secondary, sim_status_word(status)),
		     keep_or(world, told->message, ""));
}

/* It goes on, and stays as it is told: what its life had planned does not come. */
static void go_on(struct sim_world *world, struct sim_job *job, const struct told *told)
{
	if (told->secondary[0])
		sim_job_enter(job, keep(world, told->secondary), keep_or(world, told->message, ""),
			      world->now_ms);
	else if (told->message[0] && job->transition_count > 0)
		job->transitions[job->transition_count - 1].message = keep(world, told->message);
	if (strcmp(told->status, sim_status_word(SIM_STOPPING)) == 0) {
		if (job->waiting)
			sim_queue_remove(world, job);
		job->status = SIM_STOPPING;
	} else if (told->status[0]) {
		job->odd_status = keep(world, told->status);
	}
	if (!job->waiting)
		sim_life_plan(world, job, SIM_STEP_NONE, 0);
	job->modified_ms = world->now_ms;
}

bool sim_tell_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err)
{
	struct sim_world *world = &region->world;
	struct told told = { .kind = "training" };
	enum sim_status status;
	if (!read_told(doc, &told, err))
		return false;
	bool training = strcmp(told.kind, "training") == 0;
	struct sim_job *job =
		sim_job_find(world, training ? SIM_TRAINING : SIM_PROCESSING, told.name);
	if (!job)
		return sim_refuse(err, 400, "BadRequest", "there is no %s job %s", told.kind,
				  told.name);
	if (sim_status_has_ended(job->status))
		return sim_refuse(err, 400, "BadRequest", "%s has ended", told.name);
	job->failure_reason = keep_or(world, told.reason, job->failure_reason);
	job->exit_message = keep_or(world, told.exit_message, job->exit_message);
	if (is_end(told.status, &status))
		end(world, job, &told, status);
	else
		go_on(world, job, &told);
	return sim_control_done(region, out);
}

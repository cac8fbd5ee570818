#include "views/text/kept_draft.h"

#include <stdio.h>

#include "model/base/process.h"
#include "model/draft_keep.h"

#define WRITER_SIZE 128

/* A name that was made for it is made anew when it is sent. */
static struct draft *make(const struct command_run *run, const struct requeue_told *told,
			  struct err *err)
{
	const struct request request = { told->kind, (char *)told->text };
	const struct job *job = store_find_name(run->store, told->old_name);
	const char *made = run->options->name ? NULL : told->new_name;
	char id[DRAFT_ID_SIZE];
	draft_make_id(clock_wall_ms(run->clock), 0, id);
	if (!job || job->kind != told->kind || !job->request_json)
		return draft_of_request(id, &request, NULL, err);
	struct draft *draft = draft_of_job(id, job);
	if (draft_set_text(draft, &request, made, err))
		return draft;
	draft_free(draft);
	return NULL;
}

bool kept_draft_of_requeue(const struct command_run *run, const struct requeue_told *told,
			   struct err *err)
{
	struct process self;
	char writer[WRITER_SIZE];
	struct draft *draft = NULL;
	if (!run->state_folder)
		return err_set(err, ERR_IO, "there is no folder for it");
	if (!told->text)
		return err_set(err, ERR_NOT_FOUND, "its text is not known");
	process_self(&self);
	(void)snprintf(writer, sizeof(writer), "gpuq requeue, process %lld on %s",
		       (long long)self.pid, self.host);
	draft = make(run, told, err);
	bool ok = draft && draft_keep(draft, run->state_folder, writer, err);
	draft_free(draft);
	return ok;
}

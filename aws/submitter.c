#include "aws/submitter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/submitter_parts.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

#define SAY_MAX 256

struct opt_ms submitter_skew(const struct submitter *submitter)
{
	const struct submitter_options *options = &submitter->options;

	return options->skew ? options->skew(options->ctx) : aws_client_skew(options->client);
}

struct journal_now submitter_now(const struct submitter *submitter)
{
	int64_t wall_ms = clock_wall_ms(submitter->options.clock);
	struct opt_ms skew = submitter_skew(submitter);

	return (struct journal_now){ wall_ms + (skew.set ? skew.ms : 0), wall_ms, !skew.set };
}

void submitter_say(const struct course *course, const char *format)
{
	const struct submitter_options *options = &course->submitter->options;
	const char *name = course->record.name, *at = strstr(format, "%s");
	char text[SAY_MAX];

	if (!options->progress)
		return;
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - format), format, name, at + 2);
	options->progress(options->ctx, name, text);
}

void submitter_arm(struct submitter *submitter)
{
	int64_t now_ms = clock_mono_ms(submitter->options.clock), due_ms = INT64_MAX;
	struct wait_hooks hooks = submitter->options.hooks;

	for (const struct course *course = submitter->courses; course; course = course->next)
		if (course->due_ms < due_ms)
			due_ms = course->due_ms;
	if (due_ms == INT64_MAX)
		hooks.wake_in(hooks.host, -1);
	else
		hooks.wake_in(hooks.host, due_ms > now_ms ? due_ms - now_ms : 0);
}

struct course *course_new(struct submitter *submitter)
{
	struct course *course = mem_new(1, sizeof(*course));
	struct course **end = &submitter->courses;

	while (*end)
		end = &(*end)->next;
	*end = course;
	course->submitter = submitter;
	course->due_ms = INT64_MAX;
	return course;
}

static void release(struct course *course)
{
	const struct submitter *submitter = course->submitter;

	course_cancel(course);
	if (course->disk_id)
		disk_forget(submitter->options.disk, course->disk_id);
	journal_record_release(&course->record);
	err_clear(&course->error);
	free(course->found_arn);
	free(course->spent_arn);
	free(course);
}

void course_free(struct course *course)
{
	struct course **link = &course->submitter->courses;

	while (*link != course)
		link = &(*link)->next;
	*link = course->next;
	release(course);
}

/* All that was found at the start has been told. */
void submitter_note_settled(struct submitter *submitter)
{
	if (!submitter->settling || submitter->list_id)
		return;
	for (const struct course *course = submitter->courses; course; course = course->next)
		if (course->late && !course->told_open)
			return;
	submitter->settling = false;
	if (submitter->options.settled)
		submitter->options.settled(submitter->options.ctx);
}

static void tell(const struct course *course, enum submit_outcome outcome)
{
	const struct submitter_options *options = &course->submitter->options;
	const struct journal_record *record = &course->record;
	struct journal_now now = submitter_now(course->submitter);
	const struct submit_answer answer = {
		.outcome = outcome,
		.kind = record->kind,
		.name = record->name,
		.draft = record->draft,
		.arn = course->found_arn,
		.err = outcome == SUBMIT_DONE ? NULL : &course->error,
		.late = course->late || course->told_open,
		.agreed_ms = journal_aws_ms(&record->agreed, &now),
	};

	options->answered(options->ctx, &answer);
}

/* The last answer; it may start the next course. */
void course_finish(struct course *course, enum submit_outcome outcome)
{
	struct submitter *submitter = course->submitter;

	tell(course, outcome);
	course_free(course);
	submitter_arm(submitter);
	submitter_note_settled(submitter);
}

void course_tell_open(struct course *course)
{
	tell(course, SUBMIT_OPEN);
	course->told_open = true;
	submitter_note_settled(course->submitter);
}

void submitter_settle(struct submitter *submitter, const char *but)
{
	submitter->settling = true;
	mem_set_text(&submitter->but, but);
	if (submitter->place.folder)
		submitter_read_list(submitter);
	else
		submitter->settle_wanted = true;
}

/* --- the owner's side --- */

struct submitter *submitter_new(const struct submitter_options *options)
{
	struct submitter *submitter = mem_new(1, sizeof(*submitter));

	submitter->options = *options;
	process_self(&submitter->self);
	return submitter;
}

static void release_place(struct submitter_place *place)
{
	free((char *)place->folder);
	free((char *)place->account);
	free((char *)place->region);
	free((char *)place->endpoint);
}

void submitter_free(struct submitter *submitter)
{
	if (!submitter)
		return;
	for (struct course *course = submitter->courses, *next; course; course = next) {
		next = course->next;
		release(course);
	}
	if (submitter->list_id)
		disk_forget(submitter->options.disk, submitter->list_id);
	release_place(&submitter->place);
	free(submitter->but);
	free(submitter);
}

void submitter_open(struct submitter *submitter, const struct submitter_place *place)
{
	struct course *course, *next;

	if (submitter->place.folder && !submitter_is_idle(submitter))
		return;
	release_place(&submitter->place);
	submitter->place = (struct submitter_place){
		.folder = mem_copy_text(place->folder),
		.account = mem_copy_text(place->account),
		.region = mem_copy_text(place->region),
		.endpoint = mem_copy_text(place->endpoint),
	};
	if (place->access_key[0])
		snprintf(submitter->key, sizeof(submitter->key), "%016" PRIx64,
			 hash_text(place->access_key));
	if (submitter->settle_wanted)
		submitter_read_list(submitter);
	for (course = submitter->courses; course; course = next) {
		next = course->next;
		if (course->step == COURSE_HELD && !course->unwanted)
			course_claim(course);
	}
}

void submitter_send(struct submitter *submitter, const struct order *order)
{
	struct course *course = course_new(submitter);
	struct journal_record *record = &course->record;
	const struct clock *clock = submitter->options.clock;
	struct journal_now now = submitter_now(submitter);
	bool measured = submitter_skew(submitter).set;

	record->kind = order->kind;
	snprintf(record->name, sizeof(record->name), "%s", order->name);
	snprintf(record->draft, sizeof(record->draft), "%s", order->draft ? order->draft : "");
	record->request = mem_copy_text(order->text);
	record->agreed = (struct journal_time){ now.aws_ms, now.wall_ms, measured };
	record->first = record->agreed;
	if (order->tried.set) {
		int64_t ago_ms = clock_mono_ms(clock) - order->tried.ms;

		record->first.aws_ms -= ago_ms;
		record->first.wall_ms -= ago_ms;
		course->arrived_perhaps = true;
	}
	if (submitter->place.folder)
		course_claim(course);
}

void submitter_take_back(struct submitter *submitter)
{
	for (struct course *course = submitter->courses; course; course = course->next)
		if (!course->late && course->step != COURSE_HELD && course->step != COURSE_SETTLE)
			course_take_back(course);
}

static struct course *find_named(const struct submitter *submitter, enum job_kind kind,
				 const char *name)
{
	struct course *course = submitter ? submitter->courses : NULL;

	while (course && (course->record.kind != kind || strcmp(course->record.name, name) != 0))
		course = course->next;
	return course;
}

enum withdrawal submitter_withdraw(struct submitter *submitter, enum job_kind kind,
				   const char *name)
{
	struct course *course = find_named(submitter, kind, name);

	if (!course)
		return WITHDRAWN_NONE;
	if (course->step == COURSE_SETTLE)
		return WITHDRAWN_NOT;
	if (course->step != COURSE_HELD && course->step != COURSE_CLAIM) {
		course_take_back(course);
		return WITHDRAWN_LATE;
	}
	course->unwanted = true;
	if (course->step == COURSE_HELD)
		course->due_ms = clock_mono_ms(submitter->options.clock);
	submitter_arm(submitter);
	return course->arrived_perhaps ? WITHDRAWN_LATE : WITHDRAWN;
}

bool submitter_is_idle(const struct submitter *submitter)
{
	return !submitter->courses && !submitter->list_id;
}

unsigned submitter_under_way(const struct submitter *submitter)
{
	unsigned count = 0;

	for (const struct course *course = submitter->courses; course; course = course->next)
		count += !course->late && !course->told_open;
	return count;
}

static struct course *find_due(const struct submitter *submitter, int64_t now_ms)
{
	struct course *course = submitter->courses;

	while (course && course->due_ms > now_ms)
		course = course->next;
	return course;
}

void submitter_wake(struct submitter *submitter)
{
	int64_t now_ms = clock_mono_ms(submitter->options.clock);

	for (struct course *course; (course = find_due(submitter, now_ms)) != NULL;) {
		if (course->step == COURSE_HELD)
			course_end_unsent(course);
		else if (course->step == COURSE_CLAIM)
			course_give_up_claim(course);
		else if (course->step == COURSE_SETTLE)
			course_give_up_settling(course);
		else
			course_wake(course, now_ms);
	}
	submitter_arm(submitter);
}

/* What the submitter has the disk's thread do: intents claimed, records settled, the journal read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/journal_files.h"
#include "aws/submitter_parts.h"
#include "model/base/mem.h"

#define DISK_MS INT64_C(10000) /* that a record may take to be written */

/* --- work on the disk's thread: it owns what it works on --- */

enum claim_stage { CLAIM_UNDER_WAY, CLAIM_WRITTEN, CLAIM_GIVEN_UP };

struct claim_work {
	char *folder;
	struct journal_record record;
	struct journal_found found;
	atomic_bool cancelled;
	atomic_int stage;
};

/* Nobody may believe that nothing was sent while there is an intent: given up, it goes again. */
static void run_claim(void *self, struct err *err)
{
	struct claim_work *work = self;
	int stage = CLAIM_UNDER_WAY;
	struct err ignored = { 0 };
	bool ok = journal_files_claim(work->folder, &work->record, &work->cancelled, &work->found,
				      err);
	bool is_ours = ok && (work->found.claim == CLAIM_FREE || work->found.claim == CLAIM_OWN ||
			      work->found.claim == CLAIM_LEFT);

	if (!atomic_compare_exchange_strong(&work->stage, &stage, CLAIM_WRITTEN) && is_ours &&
	    !journal_files_remove(work->folder, &work->record, &ignored))
		err_clear(&ignored);
}

static void free_claim(void *self)
{
	struct claim_work *work = self;

	journal_record_release(&work->record);
	journal_found_release(&work->found);
	free(work->folder);
	free(work);
}

struct record_work {
	char *folder;
	struct journal_record record;
	bool remove;
};

static void run_record(void *self, struct err *err)
{
	const struct record_work *work = self;
	bool ok = work->remove ? journal_files_remove(work->folder, &work->record, err)
			       : journal_files_write(work->folder, &work->record, err);

	(void)ok; /* err says the same */
}

static void free_record(void *self)
{
	struct record_work *work = self;

	journal_record_release(&work->record);
	free(work->folder);
	free(work);
}

struct list_work {
	char *folder, *but, *key;
	int64_t wall_ms;
	struct journal_list list;
};

static void run_list(void *self, struct err *err)
{
	struct list_work *work = self;
	const struct journal_query query = { work->but, work->key, work->wall_ms };
	bool ok = journal_files_list(work->folder, &query, &work->list, err);

	(void)ok; /* err says the same */
}

static void free_list(void *self)
{
	struct list_work *work = self;

	journal_list_release(&work->list);
	free(work->folder);
	free(work->but);
	free(work->key);
	free(work);
}

/* --- settling --- */

static uint64_t write_record(struct submitter *submitter, const struct journal_record *record,
			     bool remove, disk_done_fn *done, void *ctx)
{
	struct record_work *work = mem_new(1, sizeof(*work));
	const struct disk_work job = { run_record, free_record, work };

	work->folder = mem_copy_text(submitter->place.folder);
	journal_record_copy(&work->record, record);
	work->remove = remove;
	return disk_run(submitter->options.disk, &job, done, ctx);
}

/* That it could not be written down is no reason to keep the answer back: it is settled again. */
static void on_settled(void *ctx, const struct disk_result *result)
{
	struct course *course = ctx;
	const struct submitter_options *options = &course->submitter->options;

	course->disk_id = 0;
	if (result->err && options->trouble)
		options->trouble(options->ctx, result->err);
	course_finish(course, course->outcome);
}

static void note_why(struct journal_record *record, const struct err *why)
{
	mem_set_text(&record->why, err_text(why));
	memcpy(record->code, why->aws_code, sizeof(record->code));
	memcpy(record->request_id, why->request_id, sizeof(record->request_id));
	record->no_lists = why->hint == HINT_NO_LISTS;
}

/* A draft holds what was refused; of what has none it stays written why. */
void course_settle(struct course *course, enum submit_outcome outcome)
{
	static const enum journal_state states[] = {
		[SUBMIT_DONE] = JOURNAL_SUBMITTED,
		[SUBMIT_REFUSED] = JOURNAL_REFUSED,
		[SUBMIT_TAKEN] = JOURNAL_TAKEN,
		[SUBMIT_STALE] = JOURNAL_WITHDRAWN,
	};
	struct submitter *submitter = course->submitter;
	struct journal_record *record = &course->record;
	struct journal_now now = submitter_now(submitter);

	course->step = COURSE_SETTLE;
	course->outcome = outcome;
	course->due_ms = clock_mono_ms(submitter->options.clock) + DISK_MS;
	record->state = states[outcome];
	record->settled = (struct opt_ms){ true, now.aws_ms };
	mem_set_text(&record->arn, course->found_arn);
	if (outcome == SUBMIT_TAKEN &&
	    course->spent_arn) /* by the yes before: that stays written */
		record->state = JOURNAL_SUBMITTED;
	/* It may hold secrets; a draft or a file has it where it is wanted again. */
	journal_drop_request(record);
	if (outcome != SUBMIT_DONE)
		note_why(record, &course->error);
	course->disk_id =
		write_record(submitter, record, outcome != SUBMIT_DONE && record->draft[0],
			     on_settled, course);
	submitter_arm(submitter);
}

/* --- the intent --- */

/* Nothing was sent, and nothing is written. */
static void finish_unsent(struct course *course, enum submit_outcome outcome, const char *what,
			  const struct err *err)
{
	struct err why = { 0 };

	err_set(&why, err->code == ERR_NONE ? ERR_CONFLICT : err->code, "%s%s", what,
		err_text(err));
	err_subject(&why, "%s", err->subject[0] ? err->subject : course->record.name);
	err_move(&course->error, &why);
	course_finish(course, outcome);
}

static void add_holder(struct buf *out, const struct journal_record *record)
{
	char since[TIME_TEXT_SIZE];

	time_format_iso(record->agreed.wall_ms, since);
	buf_addf(out, "process %" PRId64 " on %s, since %s", record->holder.pid,
		 record->holder.host, since);
}

/* Why another one has it. */
static void finish_held(struct course *course, const struct journal_found *found)
{
	const struct journal_record *other = &found->record;
	struct err why = { 0 };
	struct buf text;

	buf_init(&text, ERR_TEXT_MAX);
	buf_addf(&text, "%s was not sent: ", course->record.name);
	if (found->claim == CLAIM_SPENT) {
		char at[TIME_TEXT_SIZE];

		time_format_iso(other->settled.ms, at);
		buf_addf(&text, "this draft has been submitted as %s at %s", other->name, at);
		mem_set_text(&course->found_arn, other->arn);
	} else if (found->claim == CLAIM_ELSEWHERE) {
		buf_addf(&text, "gpuq on another machine is submitting it as %s (", other->name);
		add_holder(&text, other);
		buf_addf(&text,
			 "). If that one is gone for good, see whether %s exists, then "
			 "remove %s",
			 other->name, found->path);
	} else if (strcmp(other->name, course->record.name) != 0) {
		buf_addf(&text, "this draft is being submitted as %s already (", other->name);
		add_holder(&text, other);
		buf_add_char(&text, ')');
	} else {
		buf_add_text(&text, "another gpuq is submitting it (");
		add_holder(&text, other);
		buf_add_char(&text, ')');
	}
	err_set(&why, ERR_CONFLICT, "%s", buf_text(&text));
	buf_release(&text);
	finish_unsent(course, SUBMIT_HELD, "", &why);
	err_clear(&why);
}

/* Another key, or one before it: a course that has been told as open gives way. */
static bool is_under_way(const struct course *course)
{
	for (struct course *other = course->submitter->courses; other; other = other->next) {
		if (other == course || other->record.kind != course->record.kind ||
		    strcmp(other->record.name, course->record.name) != 0)
			continue;
		if (!other->told_open)
			return true;
		course_free(other);
		return false;
	}
	return false;
}

static void set_unsent(struct course *course)
{
	err_set(&course->error, ERR_CONFLICT, "%s was taken back before it was sent",
		course->record.name);
}

void course_end_unsent(struct course *course)
{
	set_unsent(course);
	course_finish(course, SUBMIT_STALE);
}

/* Its intent is on disk, and goes. */
static void settle_unsent(struct course *course)
{
	set_unsent(course);
	course_settle(course, SUBMIT_STALE);
}

static void on_claimed(void *ctx, const struct disk_result *result)
{
	struct course *course = ctx;
	struct claim_work *work = result->work;

	course->disk_id = 0;
	course->work = NULL;
	if (result->err) {
		if (course->unwanted)
			course_end_unsent(course);
		else
			finish_unsent(
				course, SUBMIT_REFUSED,
				"nothing was sent, since the intent cannot be written down first: ",
				result->err);
		return;
	}
	switch (work->found.claim) {
	case CLAIM_OWN:
	case CLAIM_LEFT:
		if (is_under_way(course)) {
			finish_held(course, &work->found);
			return;
		}
		course->arrived_perhaps = true;
		course->record.first = work->record.first;
		break;
	case CLAIM_FREE:
		if (work->found.record.state == JOURNAL_SUBMITTED)
			mem_set_text(&course->spent_arn, work->found.record.arn);
		break;
	case CLAIM_HELD:
	case CLAIM_ELSEWHERE:
	case CLAIM_SPENT:
		finish_held(course, &work->found);
		return;
	}
	if (course->unwanted && !course->arrived_perhaps) {
		settle_unsent(course);
		return;
	}
	if (course->unwanted)
		course_take_back(course);
	course_begin(course);
}

void course_claim(struct course *course)
{
	struct submitter *submitter = course->submitter;
	struct claim_work *work = mem_new(1, sizeof(*work));
	const struct disk_work job = { run_claim, free_claim, work };
	struct journal_record *record = &course->record;

	course->step = COURSE_CLAIM;
	course->work = work;
	course->due_ms = clock_mono_ms(submitter->options.clock) + DISK_MS;
	snprintf(record->account, sizeof(record->account), "%s", submitter->place.account);
	snprintf(record->region, sizeof(record->region), "%s", submitter->place.region);
	mem_set_text(&record->endpoint, submitter->place.endpoint);
	memcpy(record->key, submitter->key, sizeof(record->key));
	record->holder = submitter->self;
	work->folder = mem_copy_text(submitter->place.folder);
	journal_record_copy(&work->record, record);
	course->disk_id = disk_run(submitter->options.disk, &job, on_claimed, course);
	submitter_arm(submitter);
}

void course_give_up_claim(struct course *course)
{
	int stage = CLAIM_UNDER_WAY;
	struct err err = { 0 };

	course->due_ms = INT64_MAX;
	atomic_store(&course->work->cancelled, true);
	if (!atomic_compare_exchange_strong(&course->work->stage, &stage, CLAIM_GIVEN_UP))
		return;
	err_set(&err, ERR_IO,
		"the disk does not answer: see to it, or name another folder by "
		"XDG_STATE_HOME");
	err_subject(&err, "%s", course->submitter->place.folder);
	finish_unsent(course, SUBMIT_REFUSED,
		      "nothing was sent, since the intent cannot be written down first: ", &err);
	err_clear(&err);
}

/* --- what earlier runs left --- */

static bool is_known(const struct submitter *submitter, const struct journal_record *record)
{
	for (const struct course *course = submitter->courses; course; course = course->next)
		if (course->record.kind == record->kind &&
		    strcmp(course->record.name, record->name) == 0)
			return true;
	return false;
}

static void take_up(struct submitter *submitter, struct journal_item *item)
{
	struct course *course;

	if (is_known(submitter, &item->record))
		return;
	course = course_new(submitter);

	course->late = course->arrived_perhaps = true;
	journal_record_copy(&course->record, &item->record);
	course_begin(course);
}

/* Whoever has it settles it; that it is there is said. */
static void tell_of_other(struct submitter *submitter, const struct journal_record *record)
{
	struct err err = { 0 };
	struct buf text;

	buf_init(&text, ERR_TEXT_MAX);
	buf_addf(&text, "%s is left to the gpuq that submits it: ", record->name);
	add_holder(&text, record);
	err_set(&err, ERR_CONFLICT, "%s", buf_text(&text));
	buf_release(&text);
	if (submitter->options.trouble)
		submitter->options.trouble(submitter->options.ctx, &err);
	err_clear(&err);
}

static void on_listed(void *ctx, const struct disk_result *result)
{
	struct submitter *submitter = ctx;
	const struct submitter_options *options = &submitter->options;
	struct list_work *work = result->work;
	struct journal_list *list = &work->list;

	submitter->list_id = 0;
	if (result->err && options->trouble)
		options->trouble(options->ctx, result->err);
	for (size_t i = 0; i < list->trouble_count && options->trouble; i++)
		options->trouble(options->ctx, &list->troubles[i]);
	for (size_t i = 0; i < list->count; i++) {
		struct journal_item *item = &list->items[i];

		if (item->claim == CLAIM_ELSEWHERE)
			tell_of_other(submitter, &item->record);
		else if (item->claim == CLAIM_LEFT || item->claim == CLAIM_OWN)
			take_up(submitter, item);
	}
	submitter_note_settled(submitter);
}

void submitter_read_list(struct submitter *submitter)
{
	struct list_work *work = mem_new(1, sizeof(*work));
	const struct disk_work job = { run_list, free_list, work };

	submitter->settle_wanted = false;
	work->folder = mem_copy_text(submitter->place.folder);
	work->but = submitter->but;
	submitter->but = NULL;
	/* Whose records they are, only the key tells where the account is not known. */
	work->key = submitter->place.account[0] ? NULL : mem_copy_text(submitter->key);
	work->wall_ms = submitter_now(submitter).aws_ms;
	submitter->list_id = disk_run(submitter->options.disk, &job, on_listed, submitter);
}

void course_take_back(struct course *course)
{
	struct journal_record *record = &course->record;
	bool unsent = course->sends == 0 && !course->arrived_perhaps;

	if (course->work)
		atomic_store(&course->work->cancelled, true);
	record->agreed = (struct journal_time){ .measured = true }; /* too long ago for anything */
	write_record(course->submitter, record, unsent, NULL, NULL);
}

void course_give_up_settling(struct course *course)
{
	disk_forget(course->submitter->options.disk, course->disk_id);
	course->disk_id = 0;
	course_finish(course, course->outcome);
}

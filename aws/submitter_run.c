/* The course of one submission at AWS: sends, looks, and goes by what the journal's table says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "aws/submitter_parts.h"
#include "model/base/mem.h"
#include "model/request_compare.h"

#define PAUSE_MS      INT64_C(2000) /* doubled while there is no answer */
#define PAUSE_MAX_MS  INT64_C(60000)
#define PATIENCE_MS   INT64_C(60000) /* that somebody waits for an answer */
#define WHY_MAX_BYTES 1024

static int64_t mono_ms(const struct course *course)
{
	return clock_mono_ms(course->submitter->options.clock);
}

static struct aws_client *client_of(const struct course *course)
{
	return course->submitter->options.client;
}

static int64_t doubled(unsigned times)
{
	int64_t pause_ms = PAUSE_MS;

	for (unsigned i = 0; i < times && pause_ms < PAUSE_MAX_MS; i++)
		pause_ms *= 2;
	return pause_ms < PAUSE_MAX_MS ? pause_ms : PAUSE_MAX_MS;
}

/* Not past the time at which somebody wants to be told. */
static void pause_for(struct course *course, int64_t pause_ms, bool send_next)
{
	int64_t left_ms = course->started_ms + PATIENCE_MS - mono_ms(course);

	if (!course->told_open && pause_ms > left_ms)
		pause_ms = left_ms > 0 ? left_ms : 0;
	course->step = COURSE_PAUSE;
	course->send_next = send_next;
	course->due_ms = mono_ms(course) + pause_ms;
	submitter_arm(course->submitter);
}

static void add_subject(const struct course *course, struct err *err)
{
	err_subject(err, "%s in %s", jobs_create_op(course->record.kind)->name,
		    aws_client_region(client_of(course)));
}

/* Everything of an error but its code, text and subject. */
static void copy_details(struct err *to, const struct err *from)
{
	to->hint = from->hint;
	to->http_status = from->http_status;
	memcpy(to->aws_code, from->aws_code, sizeof(to->aws_code));
	memcpy(to->request_id, from->request_id, sizeof(to->request_id));
}

/* --- what is told --- */

static void add_time_of_look(const struct course *course, char at[TIME_TEXT_SIZE])
{
	struct journal_now now = submitter_now(course->submitter);

	time_format_iso(now.aws_ms, at);
}

/* The error of the send, followed by what the looks have shown. */
static void add_looks(struct course *course, const char *shown)
{
	struct err before = { 0 };

	err_move(&before, &course->error);
	err_set(&course->error, before.code, "%s%s%s", err_text(&before),
		err_text(&before)[0] ? " " : "", shown);
	add_subject(course, &course->error);
	copy_details(&course->error, &before);
	err_clear(&before);
}

static void set_not_created(struct course *course)
{
	char at[TIME_TEXT_SIZE], shown[160];

	add_time_of_look(course, at);
	snprintf(shown, sizeof(shown), "(looked up: there is no job named %s as of %s)",
		 course->record.name, at);
	add_looks(course, shown);
}

static void set_stale(struct course *course)
{
	char at[TIME_TEXT_SIZE], agreed[TIME_TEXT_SIZE];
	struct journal_now now = submitter_now(course->submitter);

	add_time_of_look(course, at);
	time_format_iso(journal_aws_ms(&course->record.agreed, &now), agreed);
	if (course->record.agreed.aws_ms == 0)
		err_set(&course->error, ERR_TIMEOUT,
			"%s was not created (as of %s), and it was taken back", course->record.name,
			at);
	else
		err_set(&course->error, ERR_TIMEOUT,
			"%s was not created (as of %s); it was agreed to at %s, which is too long "
			"ago to send it without asking again",
			course->record.name, at, agreed);
	add_subject(course, &course->error);
}

static void set_taken(struct course *course, const struct job *job, const char *why)
{
	const struct journal_record *record = &course->record;
	struct journal_now now = submitter_now(course->submitter);
	bool since = journal_is_since(record, &now, job->created);
	bool again = record->first.aws_ms != record->agreed.aws_ms;
	char at[TIME_TEXT_SIZE] = "";
	struct err before = { 0 };

	err_move(&before, &course->error);
	if (job->created.set)
		time_format_iso(job->created.ms, at);
	err_set(&course->error, ERR_CONFLICT, "a job named %s exists%s%s, and it is %s (%s): %s",
		record->name, at[0] ? " since " : "", at,
		again && since ? "another request than this: the try before has arrived"
			       : "another one",
		why, job->arn);
	add_subject(course, &course->error);
	copy_details(&course->error, &before);
	course->error.hint = HINT_OTHER_NAME;
	err_clear(&before);
}

static void set_open(struct course *course, const struct err *looked)
{
	char at[TIME_TEXT_SIZE];
	struct buf shown;

	buf_init(&shown, ERR_TEXT_MAX);
	add_time_of_look(course, at);
	if (looked)
		buf_addf(&shown, "(whether %s was created is not known: looking it up failed: %s)",
			 course->record.name, err_text(looked));
	else
		buf_addf(&shown, "(as of %s there is no job named %s, but it may come yet)", at,
			 course->record.name);
	if (looked && course->error.code == ERR_NONE)
		err_copy(&course->error, looked);
	add_looks(course, buf_text(&shown));
	if (course->error.code == ERR_CONFLICT) /* by a job that nobody sees: perhaps this one */
		course->error.code = ERR_TIMEOUT;
	course->error.outcome_open = true;
	buf_release(&shown);
}

/* --- looking --- */

static void look(struct course *course);
static void send_request(struct course *course);

/* Nobody waits for longer: what is known is told, and it goes on for whoever stays. */
static bool is_out_of_patience(const struct course *course)
{
	return !course->told_open && mono_ms(course) - course->started_ms >= PATIENCE_MS;
}

static enum journal_sight judge(struct course *course, const struct job *job, struct buf *why)
{
	struct request asked = { course->record.kind, course->record.request };
	struct journal_now now = submitter_now(course->submitter);

	if (course->spent_arn && job->arn && strcmp(course->spent_arn, job->arn) == 0) {
		buf_add_text(why, "gpuq has submitted it before");
		return SIGHT_OTHER;
	}
	switch (request_compare(&asked, job, journal_aws_ms(&course->record.first, &now), why)) {
	case REQUEST_SAME:
		return SIGHT_OURS;
	case REQUEST_DIFFERENT:
		return SIGHT_OTHER;
	case REQUEST_UNTOLD:
		break;
	}
	return SIGHT_UNKNOWN;
}

/* Throttled all along, and nothing has come of it: then nothing will. */
static bool is_nothing(const struct course *course, enum journal_sight sight)
{
	return sight == SIGHT_NONE && !course->arrived_perhaps &&
	       course->not_found >= JOURNAL_LOOKS;
}

static void wait_or_tell(struct course *course, enum journal_sight sight, const struct err *err)
{
	bool is_denied = err && err->code == ERR_DENIED;
	bool is_half_seen = sight == SIGHT_NONE && course->not_found < JOURNAL_LOOKS;

	if (!course->told_open && !is_half_seen && (is_out_of_patience(course) || is_denied)) {
		if (is_nothing(course, sight)) {
			set_not_created(course);
			course_settle(course, SUBMIT_REFUSED);
			return;
		}
		set_open(course, sight == SIGHT_UNKNOWN ? err : NULL);
		course_tell_open(course);
	}
	pause_for(course, sight == SIGHT_NONE ? JOURNAL_LOOKS_MS : doubled(course->looks), false);
}

/* Somebody watches, and is told how long it takes (case 039). */
static void pause_before_send(struct course *course)
{
	char text[96];

	pause_for(course, doubled(course->sends - 2), true);
	(void)snprintf(text, sizeof(text), "%%s is sent again in %lld s, under the same name",
		       (long long)(course->due_ms - mono_ms(course) + 500) / 1000);
	submitter_say(course, text);
}

/* A send after a send waits longer each time; the first one after a look need not. */
static void send_again(struct course *course, const struct err *err)
{
	if (is_out_of_patience(course))
		wait_or_tell(course, SIGHT_NONE, err);
	else if (course->sends <= 1)
		send_request(course);
	else
		pause_before_send(course);
}

/* It stays in the journal for a gpuq that may send it. */
static void leave_unsent(struct course *course)
{
	char at[TIME_TEXT_SIZE];

	add_time_of_look(course, at);
	err_set(&course->error, ERR_TIMEOUT,
		"as of %s there is no job named %s, and it is not sent again, since this is "
		"read-only: the next gpuq that is not settles it",
		at, course->record.name);
	add_subject(course, &course->error);
	course->error.outcome_open = true;
	course_finish(course, SUBMIT_OPEN);
}

static void follow(struct course *course, enum journal_sight sight, const struct err *err)
{
	struct journal_now now = submitter_now(course->submitter);
	const struct journal_look seen = {
		.sight = sight,
		.age = journal_age(&course->record, &now),
		.not_found = course->not_found,
		.quiet_ms = mono_ms(course) - course->quiet_ms,
		.refused = course->refused,
	};

	switch (journal_next(&seen)) {
	case NEXT_SUBMITTED:
		err_clear(&course->error);
		course_settle(course, SUBMIT_DONE);
		break;
	case NEXT_TAKEN:
		course_settle(course, SUBMIT_TAKEN);
		break;
	case NEXT_REFUSED:
		set_not_created(course);
		course_settle(course, SUBMIT_REFUSED);
		break;
	case NEXT_ASK:
		set_stale(course);
		course_settle(course, SUBMIT_STALE);
		break;
	case NEXT_SEND:
		if (course->submitter->options.looks_only)
			leave_unsent(course);
		else
			send_again(course, err);
		break;
	case NEXT_LOOK:
		wait_or_tell(course, sight, err);
		break;
	}
}

/* The name was taken before anything of ours could have arrived, and nobody may say by whom. */
static bool is_taken_unseen(const struct course *course, const struct err *err)
{
	return err && err->code == ERR_DENIED && course->error.code == ERR_CONFLICT &&
	       !course->arrived_perhaps && course->sends == 1;
}

/* "... already exists: arn:aws:sagemaker:..." */
static void take_arn(struct course *course, const char *text)
{
	const char *arn = strstr(text, "arn:");

	if (!arn)
		return;
	free(course->found_arn);
	course->found_arn = mem_copy_bytes(arn, strcspn(arn, " \t\r\n\"',;()"));
}

static void looked(void *ctx, struct job *job, const struct err *err)
{
	struct course *course = ctx;
	enum journal_sight sight = SIGHT_UNKNOWN;
	struct buf why;

	course->call = 0;
	course->looks++;
	buf_init(&why, WHY_MAX_BYTES);
	if (job)
		sight = judge(course, job, &why);
	else if (err->code == ERR_NOT_FOUND)
		sight = SIGHT_NONE;
	course->not_found = sight == SIGHT_NONE ? course->not_found + 1 : 0;
	if (job && (sight == SIGHT_OURS || sight == SIGHT_OTHER))
		mem_set_text(&course->found_arn, job->arn);
	if (sight == SIGHT_OTHER)
		set_taken(course, job, buf_text(&why));
	buf_release(&why);
	if (is_taken_unseen(course, err)) {
		take_arn(course, err_text(&course->error));
		course_settle(course, SUBMIT_TAKEN);
	} else {
		follow(course, sight, err);
	}
}

static void look(struct course *course)
{
	course->step = COURSE_LOOK;
	course->due_ms = course->told_open ? INT64_MAX : mono_ms(course) + PATIENCE_MS;
	submitter_say(course, course->sends ? "no certain answer: looking whether %s has arrived"
					    : "looking whether %s has arrived before");
	course->call = jobs_describe(client_of(course), course->record.kind, course->record.name,
				     looked, course);
	submitter_arm(course->submitter);
}

/* --- sending --- */

/* Not the end of it: it may have arrived, or will when AWS is less busy. */
static bool is_open(const struct err *err)
{
	return err->outcome_open || err->code == ERR_CONFLICT || err->code == ERR_THROTTLED ||
	       err->code == ERR_PARSE;
}

static void sent(void *ctx, const char *arn, const struct err *err)
{
	struct course *course = ctx;

	course->call = 0;
	course->quiet_ms = mono_ms(course);
	course->not_found = course->looks = 0;
	if (arn) {
		mem_set_text(&course->found_arn, arn);
		err_clear(&course->error);
		course_settle(course, SUBMIT_DONE);
		return;
	}
	bool before = course->arrived_perhaps;
	err_copy(&course->error, err);
	course->arrived_perhaps |= err->outcome_open || err->code == ERR_PARSE;
	course->refused = !is_open(err);
	if (course->refused && !before)
		course_settle(course, SUBMIT_REFUSED);
	else
		look(course);
}

static void send_request(struct course *course)
{
	course->step = COURSE_SEND;
	course->sends++;
	course->refused = false;
	err_clear(&course->error);
	course->due_ms = course->told_open ? INT64_MAX : mono_ms(course) + PATIENCE_MS;
	if (course->sends > 1 || course->arrived_perhaps)
		submitter_say(course, "sending %s again, under the same name");
	course->call = jobs_create(client_of(course), course->record.kind, course->record.request,
				   sent, course);
	submitter_arm(course->submitter);
}

/* --- from outside --- */

void course_begin(struct course *course)
{
	course->started_ms = course->quiet_ms = mono_ms(course);
	if (course->arrived_perhaps)
		look(course);
	else
		send_request(course);
}

void course_wake(struct course *course, int64_t now_ms)
{
	if (course->due_ms > now_ms)
		return;
	course->due_ms = INT64_MAX;
	if (course->step == COURSE_PAUSE && course->send_next) {
		send_request(course);
	} else if (course->step == COURSE_PAUSE) {
		look(course);
	} else if (!course->told_open) { /* a call that does not come back */
		struct err err = { 0 };

		err_set(&err, ERR_TIMEOUT, "there is no answer yet");
		set_open(course, &err);
		course_tell_open(course);
		err_clear(&err);
	}
}

void course_cancel(struct course *course)
{
	if (course->call)
		aws_client_cancel(client_of(course), course->call);
	course->call = 0;
}

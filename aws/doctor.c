#include "aws/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/access.h"
#include "aws/diagnose.h"
#include "aws/permission.h"
#include "aws/settings.h"
#include "aws/sts.h"
#include "model/base/mem.h"

#define BODY_MAX    4096u
#define CALLER_SIZE 256
#define WHY_MAX     256u
#define IDENTITY    "sts:GetCallerIdentity"
#define LATE        "the time for all of this is over"

enum step {
	STEP_CONNECT,     /* files, region */
	STEP_CREDENTIALS, /* are being looked for */
	STEP_IDENTITY,
	STEP_PERMISSIONS,
	STEP_OVER,
};

struct doctor {
	struct doctor_options options;
	struct waiter waiter;
	struct wait_hooks hooks;
	int64_t end_ms, call_end_ms; /* monotonic */
	enum step step;
	struct err trouble;        /* why there is no connection */
	struct aws_client *sts;    /* NULL until it is asked */
	struct aws_client *client; /* of the call in flight */
	uint64_t call;             /* 0 = none */
	char arn[CALLER_SIZE];     /* of who signs; "" = not known */
	size_t permission;         /* the next one, or the one in flight */
	bool is_late;              /* the time for everything is over */
	struct buf why;            /* the others are not tried; empty = they are */
};

static int64_t now_ms(const struct doctor *doctor)
{
	return clock_mono_ms(session_options(doctor->options.session)->clock);
}

static void arm(struct doctor *doctor)
{
	int64_t due_ms = doctor->call && doctor->call_end_ms < doctor->end_ms ? doctor->call_end_ms
									      : doctor->end_ms;
	int64_t in_ms = due_ms - now_ms(doctor);
	doctor->hooks.wake_in(doctor->hooks.host, in_ms > 0 ? in_ms : 0);
}

static void note_call(struct doctor *doctor, struct aws_client *client, uint64_t call)
{
	doctor->client = client;
	doctor->call = call;
	doctor->call_end_ms = now_ms(doctor) + DOCTOR_CALL_MS;
	arm(doctor);
}

/* --- what needs no answer --- */

static struct opt_ms measured_skew(const struct doctor *doctor)
{
	const struct aws_client *client = session_client(doctor->options.session);
	struct opt_ms skew = client ? aws_client_skew(client) : (struct opt_ms){ 0 };
	return skew.set || !doctor->sts ? skew : aws_client_skew(doctor->sts);
}

static void add_demo(struct doctor *doctor)
{
	struct diagnosis *diagnosis = doctor->options.diagnosis;
	const char *region = session_region(doctor->options.session);
	struct diagnosis_row *row = diagnosis_add(
		diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "",
		"a simulated region of gpuq's own (--demo): no file and no variable of AWS counts");
	if (region[0])
		diagnosis_add(diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_OK, "", "%s (--demo)", region);
	if (!doctor->trouble.code)
		return;
	row->result = DIAGNOSIS_FAILURE;
	row->code = doctor->trouble.code;
	diagnosis_say_more(row, "; %s", err_text(&doctor->trouble));
	diagnosis_add_fix(row, err_hint_text(doctor->trouble.hint));
}

static void add_shared_pace(struct diagnosis_row *row, const struct shared_pace_status *shared)
{
	if (shared->trouble && !shared->working) {
		row->result = DIAGNOSIS_WARNING;
		diagnosis_say_more(row, "; without regard to other gpuq processes: %s: %s",
				   shared->trouble->subject, err_text(shared->trouble));
	} else if (shared->path[0]) {
		diagnosis_say_more(row,
				   "; %u lists of all gpuq processes in the last 10 s, and %lld s "
				   "of turns ahead (%s)",
				   shared->started, (long long)(shared->ahead_ms + 999) / 1000,
				   shared->path);
	}
}

/* As it is after the calls. */
static void add_pace(struct doctor *doctor)
{
	const struct aws_client *client = session_client(doctor->options.session);
	double pace = session_options(doctor->options.session)->pace;
	struct diagnosis_row *row;
	if (pace > 0)
		row = diagnosis_add(doctor->options.diagnosis, DIAGNOSIS_PACE, DIAGNOSIS_OK, "",
				    "at most %g a second of each list, and 2 of all Describe",
				    pace);
	else
		row = diagnosis_add(doctor->options.diagnosis, DIAGNOSIS_PACE, DIAGNOSIS_WARNING,
				    "", "no limit (--pace 0)");
	if (!client)
		return;
	struct pace_status status = pace_status(aws_client_pace(client), now_ms(doctor));
	if (status.until.set && status.permille < SLOWDOWN_FULL) {
		char time[TIME_TEXT_SIZE];
		duration_format((status.until.ms - now_ms(doctor)) / 1000, time);
		row->result = DIAGNOSIS_WARNING;
		diagnosis_say_more(row, "; throttled: %lld %% of it, and all again in %s",
				   (long long)status.permille / 10, time);
	}
	if (status.is_shared)
		add_shared_pace(row, &status.shared);
}

static struct diagnose_facts facts_of(const struct doctor *doctor)
{
	struct session *session = doctor->options.session;
	const struct access *access = session_access(session);
	struct diagnose_facts facts = {
		.setup = access_setup(access),
		.trouble = doctor->trouble.code ? &doctor->trouble : NULL,
		.region = "",
		.wall_ms = session_wall_ms(session),
		.skew = measured_skew(doctor),
		.keeps_clock = aws_keeps_clock(),
	};
	facts.is_searched = access_status(access, &facts.status);
	if (access_region(access)) {
		facts.region = access_region(access);
		facts.region_origin = access_region_origin(access);
	}
	return facts;
}

/* A reason that no row has told. */
static void add_left_over(struct doctor *doctor)
{
	if (doctor->trouble.code && !diagnosis_has_failure(doctor->options.diagnosis))
		diagnosis_add_err(doctor->options.diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_FAILURE,
				  "", &doctor->trouble);
}

static void add_what_is_known(struct doctor *doctor)
{
	struct diagnosis *diagnosis = doctor->options.diagnosis;
	add_pace(doctor);
	if (!session_access(doctor->options.session)) {
		add_demo(doctor);
		return;
	}
	const struct diagnose_facts facts = facts_of(doctor);
	diagnose_files(diagnosis, &facts);
	diagnose_settings(diagnosis, &facts);
	diagnose_credentials(diagnosis, &facts);
	diagnose_clock(diagnosis, &facts);
	diagnose_ways(diagnosis, &facts);
	add_left_over(doctor);
}

static void finish(struct doctor *doctor)
{
	doctor->step = STEP_OVER;
	doctor->hooks.wake_in(doctor->hooks.host, -1);
	add_what_is_known(doctor);
	doctor->options.done(doctor->options.ctx);
}

/* --- permissions --- */

static void try_next(struct doctor *doctor);

/* How a call ended, for the row of its permission; then the next one. */
static void take_outcome(struct doctor *doctor, const struct err *err)
{
	size_t count;
	const struct permission *permission = &permission_rows(&count)[doctor->permission++];
	permission_add_row(doctor->options.diagnosis, permission, err);
	/* The login or the network, not the operation: every other call would end alike. */
	if (err && (err->code == ERR_NET || err->code == ERR_AUTH || err->code == ERR_CONFIG))
		buf_addf(&doctor->why, "as %s has failed, so would this", permission->action);
	try_next(doctor);
}

static void on_tried(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct doctor *doctor = ctx;
	(void)reply;
	doctor->call = 0;
	take_outcome(doctor, err);
}

/* Why one is not tried; NULL: it is. */
static const char *reason_against(const struct doctor *doctor, const struct permission *permission)
{
	if (!permission->op)
		return session_options(doctor->options.session)->read_only
			       ? "not needed while read-only"
			       : "no call that needs it is harmless";
	if (doctor->why.len > 0)
		return buf_text(&doctor->why);
	if (doctor->is_late)
		return LATE;
	return permission->body || doctor->arn[0] ? NULL : "it takes the account, which is unknown";
}

static struct aws_client *client_for(const struct doctor *doctor,
				     const struct permission *permission, struct err *err)
{
	struct session *session = doctor->options.session;
	return permission->op->service == SERVICE_SAGEMAKER
		       ? session_client(session)
		       : session_client_for(session, permission->op->service, err);
}

static void call_permission(struct doctor *doctor, const struct permission *permission)
{
	struct err err = { 0 };
	struct aws_client *client = client_for(doctor, permission, &err);
	struct buf body;
	if (!client) {
		take_outcome(doctor, &err);
		err_clear(&err);
		return;
	}
	buf_init(&body, BODY_MAX);
	if (permission->body)
		buf_add_text(&body, permission->body);
	else if (!permission_add_tags_body(&body, doctor->arn, aws_client_region(client)))
		buf_add_text(&body, "{}");
	note_call(doctor, client,
		  aws_client_call(client, permission->op, buf_text(&body), on_tried, doctor));
	buf_release(&body);
}

/* That there was no time left is a failure, since nothing else has said one. */
static void add_untried(struct doctor *doctor, const struct permission *permission, const char *why)
{
	struct err late = { 0 };
	if (strcmp(why, LATE) == 0) {
		err_set(&late, ERR_TIMEOUT, "not checked: %s", why);
		permission_add_row(doctor->options.diagnosis, permission, &late);
	} else {
		permission_add_untried(doctor->options.diagnosis, permission, why);
	}
	err_clear(&late);
}

static void try_next(struct doctor *doctor)
{
	size_t count;
	const struct permission *rows = permission_rows(&count);
	for (; doctor->permission < count; doctor->permission++) {
		const struct permission *permission = &rows[doctor->permission];
		const char *why = reason_against(doctor, permission);
		if (!why) {
			call_permission(doctor, permission);
			return;
		}
		add_untried(doctor, permission, why);
	}
	finish(doctor);
}

/* --- who signs --- */

static void add_identity_failure(struct doctor *doctor, const struct err *err)
{
	bool is_of_login = err->code == ERR_AUTH || err->code == ERR_CONFIG;
	struct diagnosis_row *row =
		diagnosis_add_err(doctor->options.diagnosis, DIAGNOSIS_IDENTITY,
				  is_of_login ? DIAGNOSIS_FAILURE : DIAGNOSIS_WARNING, IDENTITY,
				  err);
	if (!is_of_login)
		diagnosis_say_more(row, "; without it the account is not shown");
}

static void skip_identity(struct doctor *doctor, const char *why)
{
	diagnosis_add(doctor->options.diagnosis, DIAGNOSIS_IDENTITY, DIAGNOSIS_UNKNOWN, IDENTITY,
		      "not asked: %s", why);
}

static void try_permissions(struct doctor *doctor)
{
	doctor->step = STEP_PERMISSIONS;
	if (!session_client(doctor->options.session) && doctor->why.len == 0)
		buf_add_text(&doctor->why, doctor->trouble.hint == HINT_SET_REGION
						   ? "there is no region"
						   : "there is no endpoint to ask");
	try_next(doctor);
}

/* Nothing can be asked any more. */
static void give_up(struct doctor *doctor, const char *why)
{
	buf_clear(&doctor->why);
	buf_add_text(&doctor->why, why);
	if (doctor->step < STEP_PERMISSIONS)
		skip_identity(doctor, why);
	try_permissions(doctor);
}

/* arn NULL: err says why. */
static void take_identity(struct doctor *doctor, const char *arn, const struct err *err)
{
	if (arn) {
		snprintf(doctor->arn, sizeof(doctor->arn), "%s", arn);
		diagnosis_add(doctor->options.diagnosis, DIAGNOSIS_IDENTITY, DIAGNOSIS_OK, IDENTITY,
			      "%s", arn);
	} else {
		add_identity_failure(doctor, err);
	}
	try_permissions(doctor);
}

static void on_identity(void *ctx, const struct sts_identity *identity, const struct err *err)
{
	struct doctor *doctor = ctx;
	doctor->call = 0;
	take_identity(doctor, identity ? identity->arn : NULL, err);
}

static void ask_identity(struct doctor *doctor)
{
	struct err err = { 0 };
	doctor->step = STEP_IDENTITY;
	doctor->sts = session_sts(doctor->options.session, &err);
	if (doctor->sts)
		note_call(doctor, doctor->sts,
			  sts_get_caller_identity(doctor->sts, on_identity, doctor));
	else
		skip_identity(doctor, "there is no endpoint to ask");
	if (!doctor->sts)
		try_permissions(doctor);
	err_clear(&err);
}

/* --- what the session finds out --- */

static void look_for_credentials(struct doctor *doctor)
{
	struct access *access = session_access(doctor->options.session);
	struct auth_status status;
	if (!access && doctor->trouble.code)
		give_up(doctor, "there is no simulated region");
	else if (!access)
		ask_identity(doctor);
	else if (!access_status(access, &status))
		give_up(doctor, "the settings above are wrong");
	else if (status.has_credentials)
		ask_identity(doctor);
	else if (status.err && !status.searching)
		give_up(doctor, "there are no credentials");
}

void doctor_connected(struct doctor *doctor, const struct err *err)
{
	if (doctor->step != STEP_CONNECT)
		return;
	doctor->step = STEP_CREDENTIALS;
	if (err)
		err_copy(&doctor->trouble, err);
	look_for_credentials(doctor);
}

void doctor_changed(struct doctor *doctor)
{
	if (doctor->step == STEP_CREDENTIALS)
		look_for_credentials(doctor);
}

/* --- the end of patience --- */

static void end_call(struct doctor *doctor)
{
	struct err err = { 0 };
	err_set(&err, ERR_TIMEOUT, "no answer in time");
	err.hint = HINT_CHECK_NETWORK;
	aws_client_cancel(doctor->client, doctor->call);
	doctor->call = 0;
	if (doctor->step == STEP_IDENTITY)
		take_identity(doctor, NULL, &err);
	else
		take_outcome(doctor, &err);
	err_clear(&err);
}

static void on_due(void *ctx)
{
	struct doctor *doctor = ctx;
	bool is_over = now_ms(doctor) >= doctor->end_ms;
	if (doctor->step == STEP_OVER)
		return;
	doctor->is_late = is_over;
	if (doctor->call && (is_over || now_ms(doctor) >= doctor->call_end_ms))
		end_call(doctor);
	else if (is_over)
		give_up(doctor, doctor->step == STEP_CONNECT ? "settings were not read in time"
							     : "no credentials came in time");
	else
		arm(doctor);
}

struct doctor *doctor_new(const struct doctor_options *options)
{
	struct doctor *doctor = mem_new(1, sizeof(*doctor));
	doctor->options = *options;
	buf_init(&doctor->why, WHY_MAX);
	doctor->waiter = (struct waiter){ .wake = on_due, .ctx = doctor };
	doctor->hooks = session_hooks(options->session, &doctor->waiter);
	doctor->end_ms = now_ms(doctor) + DOCTOR_WHOLE_MS;
	arm(doctor);
	return doctor;
}

void doctor_free(struct doctor *doctor)
{
	if (!doctor)
		return;
	if (doctor->call)
		aws_client_cancel(doctor->client, doctor->call);
	waits_remove(&doctor->waiter);
	err_clear(&doctor->trouble);
	buf_release(&doctor->why);
	free(doctor);
}

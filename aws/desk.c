#include "aws/desk.h"

#include <stdio.h>
#include <string.h>

#include "aws/acts.h"
#include "aws/notices.h"
#include "aws/state_home.h"
#include "model/store_prices.h"

#define TEXT_MAX 2048

static void say(const struct desk *desk, enum desk_tone tone, const char *text)
{
	desk->said(desk->ctx, tone, text);
}

/* Gives the text back. */
static void say_text(const struct desk *desk, enum desk_tone tone, struct buf *text)
{
	say(desk, tone, buf_text(text));
	buf_release(text);
}

static struct buf new_text(void)
{
	struct buf text;
	buf_init(&text, TEXT_MAX);
	return text;
}

static void intent_select(void *host, const char *arn)
{
	struct desk *desk = host;
	session_select(desk->session, arn);
}

static void intent_refresh(void *host)
{
	struct desk *desk = host;
	if (!session_client(desk->session))
		say(desk, DESK_WAITS,
		    "there is no connection to AWS yet: looking for settings and credentials "
		    "again");
	session_refresh(desk->session);
}

static void intent_look_at_name(void *host, enum job_kind kind, const char *name)
{
	struct desk *desk = host;
	names_look(&desk->names, desk->session, kind, name);
}

static void intent_submit(void *host, const struct order *order)
{
	struct desk *desk = host;
	changes_submit(&desk->changes, desk->session, order);
}

static void intent_stop(void *host, const struct stop_wish *wishes, size_t count)
{
	struct desk *desk = host;
	if (!stops_send(&desk->stops, desk->session, wishes, count))
		say(desk, DESK_FAILED, "not stopped: there is no connection to AWS yet");
}

static void intent_raise_quota(void *host, const struct quota_raise *raise)
{
	struct desk *desk = host;
	if (session_client(desk->session))
		raises_ask(&desk->raises, desk->session, raise);
	else
		say(desk, DESK_FAILED, "nothing was sent: there is no connection to AWS yet");
}

static void intent_requeue(void *host, const struct requeue_wish *wish)
{
	struct desk *desk = host;
	struct err err = { 0 };
	const struct requeue_told told = { .kind = wish->kind,
					   .old_name = wish->old_name,
					   .old_arn = wish->old_arn,
					   .new_name = wish->new_name,
					   .step = REQUEUE_UNSTOPPED,
					   .stop_first = wish->stop_first,
					   .err = &err,
					   .text = wish->text };
	if (!changes_requeue(&desk->changes, wish, &err))
		desk->changes.requeued(desk->changes.ctx, &told);
	err_clear(&err);
}

static void intent_keep_note(void *host, enum job_kind kind, const char *name, const char *text)
{
	struct desk *desk = host;
	session_keep_note(desk->session, kind, name, text);
}

static enum withdrawal intent_withdraw(void *host, enum job_kind kind, const char *old_name,
				       const char *name)
{
	struct desk *desk = host;
	return changes_withdraw(&desk->changes, kind, old_name, name);
}

static void on_act(void *ctx, const struct aws_op *op, const char *body,
		   const struct aws_reply *reply, const struct err *err)
{
	struct desk *desk = ctx;
	acts_called(&desk->actions, op, body, reply, err);
}

/* What is done on it is taken down. */
static struct session *new_session(struct desk *desk)
{
	desk->options.acted = on_act;
	desk->options.act_ctx = desk;
	desk->changes.actions = desk->stops.actions = &desk->actions;
	return session_new(&desk->options);
}

/* What lives on the session goes before it. */
static void leave_session(struct desk *desk)
{
	changes_leave(&desk->changes);
	stops_leave(&desk->stops);
	names_leave(&desk->names);
	action_log_leave(&desk->actions);
	session_free(desk->session);
	desk->session = NULL;
}

/* --- places --- */

static void intent_code(void *host, const char *code)
{
	struct desk *desk = host;
	desk->code_is_sent = code != NULL;
	session_code(desk->session, code);
}

static const char *intent_name_at(void *host, enum place_part part, size_t i)
{
	struct desk *desk = host;
	return part == PLACE_REGION ? place_region_at(desk->session, i)
				    : place_profile_at(desk->session, i);
}

/* As if the program had been started with these options. */
static void settle(struct desk *desk)
{
	const struct place *place = &desk->places.now;
	const char *by =
		place->region_is_kept ? "the place before (the profile has none)" : ":region";
	desk->go(desk->ctx, place->profile, place->region, by);
}

const char *desk_expected_region(struct desk *desk)
{
	return place_expected_region(desk->session, desk->options.region, desk->options.profile);
}

/* What is told by the profile alone is shown; the first credentials tell it for certain, before
 * any answer to them has come. */
static void open_past(struct desk *desk, const struct state_home *home, bool passing)
{
	struct state_home past = *home;
	struct err err = { 0 };
	struct buf path;
	if (passing && (!desk->shows_past || !state_home_expect(desk->session, &past)))
		return;
	if (desk->past_account[0] && past.is_told && strcmp(desk->past_account, past.account) != 0)
		desk->is_astray = true;
	if (session_keeps_history(desk->session))
		return;
	buf_init(&path, TEXT_MAX);
	bool found = state_home_add_folder(desk->session, &past, &path, &err);
	session_open_history(desk->session, found ? buf_text(&path) : NULL);
	if (past.is_told)
		memcpy(desk->past_account, past.account, sizeof(desk->past_account));
	buf_release(&path);
	err_clear(&err);
}

static void tell_folder(struct desk *desk)
{
	struct state_home home;
	struct err err = { 0 };
	struct buf path;
	bool passing = !state_home_find(desk->session, &home);
	const char *of_demo = desk->options.demo ? session_state_home(desk->session) : NULL;
	if (desk->options.demo && !(of_demo && of_demo[0]))
		return; /* the demo's own is made with its region */
	if (!home.region[0])
		snprintf(home.region, sizeof(home.region), "%s", desk->at.region);
	buf_init(&path, TEXT_MAX);
	bool found = state_home_add_folder(desk->session, &home, &path, &err);
	open_past(desk, &home, passing);
	if (found && session_disk(desk->session))
		action_log_open(&desk->actions, session_disk(desk->session), buf_text(&path),
				passing);
	desk->folder(desk->ctx, found ? buf_text(&path) : NULL, passing, &err);
	buf_release(&path);
	err_clear(&err);
}

/* The old session goes with all that it has under way, and what it has found. */
static void reconnect(struct desk *desk)
{
	whereabouts_expect(&desk->at, desk_expected_region(desk), desk->options.profile);
	leave_session(desk);
	store_release(desk->store);
	store_set_region(desk->store, desk->at.region);
	desk->session = new_session(desk);
	desk->has_moved = true;
	desk->code_is_sent = false;
	desk->past_account[0] = '\0';
	desk->moved(desk->ctx);
	tell_folder(desk);
	session_connect(desk->session);
}

static void intent_switch_to(void *host, const char *profile, const char *region)
{
	struct desk *desk = host;
	char old_region[REGION_SIZE];
	if (changes_requeues(&desk->changes) > 0) {
		say(desk, DESK_WARNS,
		    "not left: a requeue is under way, and nobody would go on with it meanwhile");
		return;
	}
	if (changes_under_way(&desk->changes) > 0 || desk->raises.under_way > 0 ||
	    stops_left(&desk->stops) > 0) {
		say(desk, DESK_WARNS,
		    "not left: a change is under way, and its answer would be lost");
		return;
	}
	if (!profile && !region && !desk->places.has_before) {
		say(desk, DESK_CALM, "there is no place before this one");
		return;
	}
	memcpy(old_region, desk->at.region, sizeof(old_region));
	if (profile || region)
		places_go(&desk->places, profile, region);
	else
		places_go_back(&desk->places);
	settle(desk);
	if ((profile || region) && !desk_expected_region(desk) && old_region[0]) {
		places_keep_region(&desk->places, old_region);
		settle(desk);
	}
	reconnect(desk);
}

void desk_turn(struct desk *desk)
{
	if (!desk->shows_past || !desk->is_astray || changes_requeues(&desk->changes) > 0 ||
	    changes_under_way(&desk->changes) > 0 || desk->raises.under_way > 0 ||
	    stops_left(&desk->stops) > 0)
		return;
	desk->is_astray = false;
	reconnect(desk);
	desk->has_moved = false; /* the place is the same: its region would hide what is said */
	say(desk, DESK_WARNS,
	    "another account signs now: what was shown of the one before is gone");
}

struct cloud_intents desk_intents(struct desk *desk)
{
	return (struct cloud_intents){
		.select = intent_select,
		.refresh = intent_refresh,
		.look_at_name = intent_look_at_name,
		.submit = intent_submit,
		.stop = intent_stop,
		.raise_quota = intent_raise_quota,
		.requeue = intent_requeue,
		.withdraw = intent_withdraw,
		.keep_note = intent_keep_note,
		.switch_to = intent_switch_to,
		.name_at = intent_name_at,
		.code = intent_code,
		.host = desk,
	};
}

void desk_start(struct desk *desk, const char *profile, const char *region)
{
	places_start(&desk->places, profile, region);
	desk->session = new_session(desk);
}

void desk_release(struct desk *desk)
{
	leave_session(desk);
	places_release(&desk->places);
}

void desk_note(struct desk *desk)
{
	whereabouts_note(&desk->at, desk->session, desk->store);
	store_set_region(desk->store, desk->at.region);
	changes_note(&desk->changes);
	tell_folder(desk);
}

void desk_connected(struct desk *desk)
{
	struct buf text = new_text();
	if (desk->has_moved && place_has_other_region(&desk->places.now, desk->session, &text))
		say_text(desk, DESK_WARNS, &text);
	else
		buf_release(&text);
	desk->has_moved = false;
	changes_connect(&desk->changes, desk->session, NULL);
	session_start_jobs(desk->session);
	session_start_plans(desk->session);
	session_start_tags(desk->session);
	session_start_prices(desk->session);
}

/* What STS says to a code is said at once; that there are no credentials, the lists tell too. */
void desk_credentials(struct desk *desk, const struct err *err)
{
	if (!desk->code_is_sent)
		return;
	desk->code_is_sent = false;
	struct buf text = new_text();
	notice_code(&text, err);
	say_text(desk, err ? DESK_FAILED : DESK_GOOD, &text);
}

void desk_set_read_only(struct desk *desk, bool read_only)
{
	if (read_only && changes_under_way(&desk->changes) == 0 &&
	    changes_requeues(&desk->changes) == 0)
		session_forbid_changes(desk->session);
}

#include "app.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/changes.h"
#include "aws/demo.h"
#include "aws/gather.h"
#include "aws/notices.h"
#include "aws/place.h"
#include "aws/session.h"
#include "tui/ask_line.h"
#include "tui/facts.h"
#include "views/painter.h"
#include "views/text/runner.h"

#define MESSAGES_MAX     (1u << 20)
#define OUTPUT_MAX       (64u << 20)
#define TEXT_MAX         2048
#define EXIT_INTERRUPTED 130

struct app {
	struct options *options;
	struct config *config;
	struct log *log;
	struct clock clock;
	struct loop *loop;
	struct places places;
	struct whereabouts at;
	struct store store;
	struct session *session;
	struct timer session_timer;
	int exit_status;
	struct err failure;
	bool code_is_sent; /* of an MFA device, and nothing has come of it yet */
	/* the dashboard */
	struct painter painter;
	bool moved; /* to a place that has not answered yet */
	struct changes changes;
	/* one command; command NULL: the dashboard */
	struct runner runner;
	struct gathering gathering;
	struct diagnosis diagnosis;
	struct request request;
	struct ask_line ask_line;
};

static bool is_command(const struct app *app)
{
	return app->runner.command != NULL;
}

/* To the status line, or to the messages of a command; gives text back. */
static void say(struct app *app, enum style style, struct buf *text)
{
	if (is_command(app)) {
		buf_addf(app->runner.run.messages, "gpuq: %s\n", buf_text(text));
	} else {
		screen_say(app->painter.screen, style, buf_text(text));
		painter_want(&app->painter, false);
	}
	buf_release(text);
}

static struct buf new_text(void)
{
	struct buf text;
	buf_init(&text, MESSAGES_MAX);
	return text;
}

/* --- binding AWS to the loop --- */

static void on_aws_ready(int fd, short events, void *ctx)
{
	struct app *app = ctx;
	session_ready(app->session, fd, events);
}

static void watch_fd(void *host, int fd, short events)
{
	struct app *app = host;
	loop_watch(app->loop, fd, events, on_aws_ready, app);
}

static void wake_session_in(void *host, int64_t ms)
{
	struct app *app = host;
	loop_arm(app->loop, &app->session_timer, ms);
}

static void on_session_due(void *ctx)
{
	struct app *app = ctx;
	session_wake(app->session);
}

static void make_session(struct app *app);

/* Connects, and turns the loop until somebody stops it. */
static void run_loop(struct app *app)
{
	session_connect(app->session);
	while (loop_turn(app->loop, -1))
		continue;
}

/* --- the dashboard --- */

/* What is in sight is kept fresh. */
static void on_painted(void *ctx)
{
	struct app *app = ctx;
	session_want_plans(app->session, screen_wants_plans(app->painter.screen));
	session_want_tags(app->session, screen_wants_tags(app->painter.screen));
}

static void refresh_screen(struct app *app)
{
	whereabouts_note(&app->at, app->session, &app->store);
	screen_refresh(app->painter.screen);
	painter_want(&app->painter, false);
}

static void on_gone(void *ctx)
{
	struct app *app = ctx;
	loop_stop(app->loop);
}

static void on_signal(int signo, void *ctx)
{
	struct app *app = ctx;
	if (signo == SIGTSTP && app->painter.term) {
		painter_suspend(&app->painter);
		return;
	}
	if (signo == SIGINT)
		app->exit_status = EXIT_INTERRUPTED;
	loop_stop(app->loop);
}

static void intent_select(void *host, const char *arn)
{
	struct app *app = host;
	session_select(app->session, arn);
}

static void intent_refresh(void *host)
{
	struct app *app = host;
	if (!session_client(app->session))
		screen_say(app->painter.screen, STYLE_PENDING,
			   "there is no connection to AWS yet: looking for settings and "
			   "credentials again");
	session_refresh(app->session);
}

static void on_submitted(void *ctx, const char *name, const char *arn, const struct err *err)
{
	struct app *app = ctx;
	screen_submitted(app->painter.screen, name, arn, err);
	painter_want(&app->painter, true);
}

static void on_stopped(void *ctx, const char *name, bool was_over, const struct err *err)
{
	struct app *app = ctx;
	screen_stopped(app->painter.screen, name, was_over, err);
	painter_want(&app->painter, true);
}

static void intent_submit(void *host, const struct order *order)
{
	struct app *app = host;
	changes_submit(&app->changes, app->session, order);
}

static void intent_stop(void *host, enum job_kind kind, const char *name)
{
	struct app *app = host;
	if (session_client(app->session))
		changes_stop(&app->changes, app->session, kind, name);
	else
		screen_say(app->painter.screen, STYLE_ERROR,
			   "not stopped: there is no connection to AWS yet");
}

static void intent_quit(void *host)
{
	struct app *app = host;
	loop_stop(app->loop);
}

static void intent_discard_input(void *host)
{
	struct app *app = host;
	term_discard_input(app->painter.term);
}

static void intent_wake_in(void *host, int64_t ms)
{
	struct app *app = host;
	painter_wake_in(&app->painter, ms);
}

static void intent_code(void *host, const char *code)
{
	struct app *app = host;
	app->code_is_sent = code != NULL;
	session_code(app->session, code);
}

/* --- going elsewhere: another profile or region is another session --- */

static const char *intent_name_at(void *host, enum place_part part, size_t i)
{
	struct app *app = host;
	return part == PLACE_REGION ? place_region_at(app->session, i)
				    : place_profile_at(app->session, i);
}

static struct view_env view_env(struct app *app);

/* As if gpuq had been started with these options. */
static void settle(struct app *app)
{
	const struct place *place = &app->places.now;
	const char *by =
		place->region_is_kept ? "the place before (the profile has none)" : ":region";
	options_go(app->options, app->config, place->profile, place->region, by);
}

static const char *expected_region(const struct app *app)
{
	return place_expected_region(app->session, app->options->region, app->options->profile);
}

/* The old session goes with all that it has under way, and what it has found. */
static void reconnect(struct app *app)
{
	whereabouts_expect(&app->at, expected_region(app), app->options->profile);
	changes_leave(&app->changes);
	session_free(app->session);
	store_release(&app->store);
	make_session(app);
	const struct view_env env = view_env(app);
	screen_move(app->painter.screen, &env);
	app->moved = true;
	app->code_is_sent = false;
	session_connect(app->session);
	painter_want(&app->painter, true);
}

static void intent_switch_to(void *host, const char *profile, const char *region)
{
	struct app *app = host;
	char old_region[REGION_SIZE];
	if (app->changes.under_way > 0) {
		screen_say(app->painter.screen, STYLE_WARNING,
			   "not left: a submission or a stop is under way, and its answer would be "
			   "lost");
		return;
	}
	if (!profile && !region && !app->places.has_before) {
		screen_say(app->painter.screen, STYLE_DIM, "there is no place before this one");
		return;
	}
	memcpy(old_region, app->at.region, sizeof(old_region));
	if (profile || region)
		places_go(&app->places, profile, region);
	else
		places_go_back(&app->places);
	settle(app);
	if ((profile || region) && !expected_region(app) && old_region[0]) {
		places_keep_region(&app->places, old_region);
		settle(app);
	}
	reconnect(app);
}

/* --- the screen --- */

static struct view_env view_env(struct app *app)
{
	return (struct view_env){
		.store = &app->store,
		.clock = &app->clock,
		.region = app->at.region,
		.account = app->at.account,
		.profile = app->at.profile,
		.role = app->at.role,
		.endpoint = app->at.endpoint,
		.fixed = app->options->demo ? "the demo has one region" : NULL,
		.read_only = app->options->read_only,
		.utc = app->options->utc,
		.confirm_above_micro = app->options->confirm_above_micro,
		.intents = { .select = intent_select,
			     .refresh = intent_refresh,
			     .submit = intent_submit,
			     .stop = intent_stop,
			     .quit = intent_quit,
			     .discard_input = intent_discard_input,
			     .wake_in = intent_wake_in,
			     .switch_to = intent_switch_to,
			     .name_at = intent_name_at,
			     .code = intent_code,
			     .host = app },
	};
}

static void say_warnings(struct app *app)
{
	struct buf text = new_text();
	command_add_first_warning(&text, app->options->config);
	if (text.len > 0)
		say(app, STYLE_WARNING, &text);
	buf_release(&text);
}

static void run_screen(struct app *app)
{
	const struct painter_options options = { .env = view_env(app),
						 .ascii = app->options->ascii,
						 .no_color = app->options->no_color };
	if (!painter_open(&app->painter, &options, &app->failure)) {
		app->exit_status = err_exit_status(&app->failure);
		return;
	}
	say_warnings(app);
	painter_start(&app->painter); /* the first frame comes before any network */
	run_loop(app);
}

/* --- one command --- */

static void on_gathered(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	runner_gathered(&app->runner, err);
}

static void host_gather(void *host, enum need need)
{
	struct app *app = host;
	app->gathering = (struct gathering){ .session = app->session,
					     .store = &app->store,
					     .need = need,
					     .name = app->options->args[0],
					     .diagnosis = &app->diagnosis,
					     .done = on_gathered,
					     .ctx = app };
	gather_start(&app->gathering);
}

static void on_command_created(void *ctx, const char *arn, const struct err *err)
{
	struct app *app = ctx;
	runner_created(&app->runner, arn, err);
}

static void host_create(void *host, const struct order *order)
{
	struct app *app = host;
	jobs_create(session_client(app->session), order, on_command_created, app);
}

static void host_end(void *host, int status)
{
	struct app *app = host;
	app->exit_status = status;
	loop_stop(app->loop);
}

static void on_code(void *ctx, const char *line)
{
	struct app *app = ctx;
	session_code(app->session, line);
}

static void run_command(struct app *app)
{
	app->ask_line = (struct ask_line){ .loop = app->loop, .answer = on_code, .ctx = app };
	app->runner.host = (struct runner_host){
		.gather = host_gather, .create = host_create, .end = host_end, .host = app
	};
	term_facts(&app->runner.run.terminal);
	if (runner_start(&app->runner))
		run_loop(app);
	else
		app->exit_status = app->runner.status;
	err_move(&app->failure, &app->runner.failure);
}

/* --- both --- */

/* An MFA device's code: on the screen, or for a command on the terminal. */
static void on_code_wanted(void *ctx, const char *profile, const char *serial)
{
	struct app *app = ctx;
	struct buf question;
	if (!is_command(app)) {
		screen_ask_code(app->painter.screen, profile, serial);
		painter_want(&app->painter, true);
		return;
	}
	if (!profile) {
		ask_line_stop(&app->ask_line);
		return;
	}
	buf_init(&question, TEXT_MAX);
	buf_addf(&question, "profile %s, code of the MFA device %s: ", profile, serial);
	ask_line_start(&app->ask_line, buf_text(&question));
	buf_release(&question);
}

/* What STS says to a code is said at once; that there are no credentials, the lists tell too. */
static void on_credentials(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	if (!app->code_is_sent)
		return;
	app->code_is_sent = false;
	struct buf text = new_text();
	notice_code(&text, err);
	say(app, err ? STYLE_ERROR : STYLE_GOOD, &text);
}

static void say_region(struct app *app)
{
	struct buf text = new_text();
	if (app->moved && place_has_other_region(&app->places.now, app->session, &text))
		say(app, STYLE_WARNING, &text);
	buf_release(&text);
	app->moved = false;
}

static void on_connected(void *ctx)
{
	struct app *app = ctx;
	whereabouts_note(&app->at, app->session, &app->store);
	app->runner.run.region = app->at.region;
	if (!is_command(app)) {
		say_region(app);
		session_start_jobs(app->session);
		session_start_plans(app->session);
		session_start_tags(app->session);
	} else if (!gather_connected(&app->gathering, NULL)) {
		runner_connected(&app->runner);
	}
}

static void on_not_connected(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	if (is_command(app)) {
		if (!gather_connected(&app->gathering, err))
			runner_failed(&app->runner, err);
		return;
	}
	if (session_client(app->session)) {
		struct buf text = new_text();
		notice_settings(&text, err);
		say(app, STYLE_WARNING, &text);
		return;
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_failed(&app->store, (enum source_id)i, err, INT64_MAX);
	screen_refresh(app->painter.screen);
	painter_want(&app->painter, true);
}

static void on_store_change(void *ctx)
{
	struct app *app = ctx;
	if (!is_command(app))
		refresh_screen(app);
	else if (app->gathering.session)
		gather_changed(&app->gathering);
}

static void on_skew(void *ctx, int64_t skew_ms)
{
	struct buf text = new_text();
	notice_skew(&text, skew_ms);
	say(ctx, STYLE_PENDING, &text);
}

static void on_pace_trouble(void *ctx, const struct err *err)
{
	struct buf text = new_text();
	notice_pace(&text, err);
	say(ctx, STYLE_WARNING, &text);
}

/* A command lists ended jobs without their details: a Describe each would take minutes. */
static bool command_wants(void *ctx, const struct job *job)
{
	const struct options *options = ((struct app *)ctx)->options;
	return job_is_live(job) && (!options->has_kind || job->kind == options->kind);
}

static const char *origin_of(const char *text)
{
	return text[0] ? text : NULL;
}

static void make_session(struct app *app)
{
	const struct session_options options = {
		.profile = app->options->profile,
		.region = app->options->region,
		.profile_origin = origin_of(app->options->profile_origin),
		.region_origin = origin_of(app->options->region_origin),
		.allow_http = app->options->allow_http,
		.endpoint_url = app->options->endpoint_url,
		.demo = app->options->demo,
		.wants_identity = !is_command(app),
		.read_only = app->options->read_only,
		.pace = app->options->pace,
		.pace_dir = app->options->pace_dir,
		/* Who asks what is wrong shall not wait for those with whom it is. */
		.lists_at_once = is_command(app) && app->runner.command->need == NEED_DIAGNOSIS,
		.refresh_ms = app->options->refresh_ms,
		.since_ms = app->options->since_ms,
		.store = &app->store,
		.clock = &app->clock,
		.hooks = { .watch = watch_fd, .wake_in = wake_session_in, .host = app },
		.log = app->log,
		.want = is_command(app) ? command_wants : NULL,
		.connected = on_connected,
		.failed = on_not_connected,
		.on_change = on_store_change,
		.on_skew = on_skew,
		.on_pace_trouble = on_pace_trouble,
		.credentials = on_credentials,
		.ask_code = !is_command(app) || ask_line_is_possible() ? on_code_wanted : NULL,
		.ctx = app,
	};
	app->session = session_new(&options);
}

static void app_release(struct app *app)
{
	painter_stop(&app->painter);
	ask_line_stop(&app->ask_line);
	gather_release(&app->gathering);
	diagnosis_release(&app->diagnosis);
	changes_leave(&app->changes);
	session_free(app->session);
	painter_close(&app->painter);
	store_release(&app->store);
	request_release(&app->request);
	places_release(&app->places);
	loop_free(app->loop);
}

static void start_loop(struct app *app)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP };
	app->clock = clock_system();
	app->loop = loop_new(&app->clock);
	loop_take_signals(app->loop);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		loop_on_signal(app->loop, signals[i], on_signal, app);
	app->session_timer = (struct timer){ .fire = on_session_due, .ctx = app };
	app->changes =
		(struct changes){ .submitted = on_submitted, .stopped = on_stopped, .ctx = app };
	app->painter = (struct painter){ .loop = app->loop,
					 .clock = &app->clock,
					 .painted = on_painted,
					 .gone = on_gone,
					 .ctx = app };
}

/* For the first frame; files and metadata may say another thing or more. */
static void start_place(struct app *app)
{
	const struct options *options = app->options;
	const char *region = options->demo ? DEMO_REGION : expected_region(app);
	whereabouts_expect(&app->at, region, options->profile);
	if (options->demo)
		snprintf(app->at.profile, sizeof(app->at.profile), "demo");
	app->runner.run.region = region ? app->at.region : NULL;
	places_start(&app->places, options->given[SETTING_PROFILE], options->given[SETTING_REGION]);
}

int app_run(struct options *options, struct config *config, struct log *log)
{
	struct app app = { .options = options, .config = config, .log = log };
	struct buf out, messages;
	buf_init(&out, OUTPUT_MAX);
	buf_init(&messages, MESSAGES_MAX);
	app.runner.command = options->command ? command_find(options->command) : NULL;
	start_loop(&app);
	app.runner.run = (struct command_run){ .options = options,
					       .store = &app.store,
					       .clock = &app.clock,
					       .out = &out,
					       .messages = &messages,
					       .diagnosis = &app.diagnosis,
					       .request = &app.request };
	start_place(&app);
	make_session(&app);
	if (is_command(&app))
		run_command(&app);
	else
		run_screen(&app);
	app_release(&app);
	if (app.failure.code)
		command_message(&messages, &app.failure);
	app.exit_status = command_finish(&out, &messages, app.exit_status);
	buf_release(&out);
	buf_release(&messages);
	err_clear(&app.failure);
	return app.exit_status;
}

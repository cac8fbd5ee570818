#include "app_parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/sagemaker_jobs.h"
#include "aws/demo.h"
#include "aws/gather.h"
#include "aws/session.h"
#include "aws/settings.h"
#include "aws/skew.h"
#include "model/arn.h"
#include "model/base/mem.h"
#include "tui/loop.h"
#include "tui/term.h"
#include "views/screen.h"
#include "views/text/command.h"

#define MESSAGES_MAX     (1u << 20)
#define EXIT_INTERRUPTED 130

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

/* Called once the client stands, or when there is none, and at each change of the store. */
static void on_connected(void *ctx);
static void on_not_connected(void *ctx, const struct err *err);
static void on_store_change(void *ctx);
static void on_skew(void *ctx, int64_t skew_ms);
static void on_pace_trouble(void *ctx, const struct err *err);

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
		.wants_identity = !app->command,
		.read_only = app->options->read_only,
		.pace = app->options->pace,
		.pace_dir = app->options->pace_dir,
		/* Who asks what is wrong shall not wait for those with whom it is. */
		.lists_at_once = app->command && app->command->gather == GATHER_DIAGNOSIS,
		.refresh_ms = app->options->refresh_ms,
		.since_ms = app->options->since_ms,
		.store = &app->store,
		.clock = &app->clock,
		.hooks = { .watch = watch_fd, .wake_in = wake_session_in, .host = app },
		.log = app->log,
		.want = app->command ? command_wants : NULL,
		.connected = on_connected,
		.failed = on_not_connected,
		.on_change = on_store_change,
		.on_skew = on_skew,
		.on_pace_trouble = on_pace_trouble,
		.ctx = app,
	};
	app->session = session_new(&options);
}

void app_run_loop(struct app *app)
{
	session_connect(app->session);
	while (loop_turn(app->loop, -1))
		continue;
}

/* --- the dashboard --- */

static void paint(struct app *app)
{
	struct surface *surface = term_frame(app->term);
	if (!surface)
		return; /* still writing: on_ready paints */
	screen_draw(app->screen, surface);
	term_show(app->term);
	repaint_done(&app->repaint, clock_mono_ms(&app->clock));
	session_want_plans(app->session, screen_wants_plans(app->screen));
	session_want_tags(app->session, screen_wants_tags(app->screen));
	loop_arm(app->loop, &app->paint_timer, -1);
	loop_arm(app->loop, &app->tick_timer, screen_tick_ms(app->screen));
}

static void arm_paint(struct app *app)
{
	int64_t now_ms = clock_mono_ms(&app->clock);
	loop_arm(app->loop, &app->paint_timer, repaint_wait_ms(&app->repaint, now_ms));
}

/* A key's answer is painted at the end of the turn; data waits its turn. */
static void want_paint(struct app *app, bool at_once)
{
	repaint_want(&app->repaint, at_once);
	arm_paint(app);
}

static void on_paint_due(void *ctx)
{
	paint(ctx);
}

static void on_tick_due(void *ctx)
{
	want_paint(ctx, false);
}

/* Where we are: by STS, else by the ARN of any job. */
static void note_identity(struct app *app)
{
	const struct session_identity *identity = session_identity(app->session);
	snprintf(app->region, sizeof(app->region), "%s", session_region(app->session));
	if (!app->options->demo)
		snprintf(app->profile, sizeof(app->profile), "%s", identity->profile);
	if (identity->account[0])
		snprintf(app->account, sizeof(app->account), "%s", identity->account);
	else if (!app->account[0] && app->store.count > 0)
		arn_account(store_at(&app->store, 0)->arn, app->account);
}

static void refresh_screen(struct app *app)
{
	note_identity(app);
	screen_refresh(app->screen);
	want_paint(app, false);
}

static void on_key(void *ctx, struct key key, const char *paste)
{
	struct app *app = ctx;
	screen_key(app->screen, key, paste);
	want_paint(app, true);
}

static void on_resize(void *ctx)
{
	want_paint(ctx, true);
}

static void on_gone(void *ctx)
{
	struct app *app = ctx;
	loop_stop(app->loop);
}

static void on_ready(void *ctx)
{
	arm_paint(ctx);
}

static void on_signal(int signo, void *ctx)
{
	struct app *app = ctx;
	if (signo == SIGTSTP && app->term) {
		term_suspend(app->term);
		want_paint(app, true);
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
		screen_say(app->screen, STYLE_PENDING,
			   "there is no connection to AWS yet: looking for settings and "
			   "credentials again");
	session_refresh(app->session);
}

/* Names travel with the call, so that the answer can say what it is about. */
struct sent {
	struct app *app;
	char name[JOB_NAME_SIZE];
};

static struct sent *sent_new(struct app *app, const char *name)
{
	struct sent *sent = mem_new(1, sizeof(*sent));
	sent->app = app;
	snprintf(sent->name, sizeof(sent->name), "%.63s", name);
	return sent;
}

static void on_created(void *ctx, const char *arn, const struct err *err)
{
	struct sent *sent = ctx;
	struct app *app = sent->app;
	screen_submitted(app->screen, sent->name, arn, err);
	if (!err)
		session_refresh(app->session);
	want_paint(app, true);
	free(sent);
}

static void on_stopped(void *ctx, bool was_over, const struct err *err)
{
	struct sent *sent = ctx;
	struct app *app = sent->app;
	screen_stopped(app->screen, sent->name, was_over, err);
	if (!err || err->outcome_open)
		session_refresh(app->session);
	want_paint(app, true);
	free(sent);
}

/* Answers of an intent never come from inside it, so a refusal before the wire waits a turn. */
static void on_refuse_due(void *ctx)
{
	struct app *app = ctx;
	screen_submitted(app->screen, app->refused_name, NULL, &app->refused);
	want_paint(app, true);
}

static void intent_submit(void *host, const struct order *order)
{
	struct app *app = host;
	struct aws_client *client = session_client(app->session);
	if (client) {
		jobs_create(client, order, on_created, sent_new(app, order->name));
		return;
	}
	err_set(&app->refused, ERR_NET, "nothing was sent: there is no connection to AWS yet");
	err_subject(&app->refused, "%s", order->name);
	snprintf(app->refused_name, sizeof(app->refused_name), "%.63s", order->name);
	loop_arm(app->loop, &app->refuse_timer, 0);
}

static void intent_stop(void *host, enum job_kind kind, const char *name)
{
	struct app *app = host;
	struct aws_client *client = session_client(app->session);
	if (client)
		jobs_stop(client, kind, name, on_stopped, sent_new(app, name));
	else
		screen_say(app->screen, STYLE_ERROR,
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
	term_discard_input(app->term);
}

static void intent_wake_in(void *host, int64_t ms)
{
	struct app *app = host;
	loop_arm(app->loop, &app->wake_timer, ms);
}

static bool start_screen(struct app *app, struct err *err)
{
	const struct view_env env = {
		.store = &app->store,
		.clock = &app->clock,
		.region = app->region,
		.account = app->account,
		.profile = app->profile,
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
			     .host = app },
	};
	const char *no_color = getenv("NO_COLOR");
	const struct term_options options = {
		.in_fd = STDIN_FILENO,
		.out_fd = STDOUT_FILENO,
		.loop = app->loop,
		.clock = &app->clock,
		.ascii = app->options->ascii || !term_locale_is_utf8(),
		.no_color = app->options->no_color || (no_color && no_color[0]),
		.on_key = on_key,
		.on_resize = on_resize,
		.on_gone = on_gone,
		.on_ready = on_ready,
		.ctx = app,
	};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "the dashboard needs a terminal; for a script: gpuq jobs");
		err->hint = HINT_SEE_HELP;
		return err_subject(err, "standard input or output");
	}
	app->screen = screen_new(&env);
	app->term = term_start(&options, err);
	return app->term != NULL;
}

static void say_warnings(struct app *app)
{
	struct buf text;
	buf_init(&text, MESSAGES_MAX);
	command_add_first_warning(&text, app->options->config);
	if (text.len > 0)
		screen_say(app->screen, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

static void run_screen(struct app *app)
{
	struct err err = { 0 };
	if (!start_screen(app, &err)) {
		err_move(&app->failure, &err);
		app->exit_status = err_exit_status(&app->failure);
		return;
	}
	say_warnings(app);
	paint(app); /* the first frame comes before any network */
	app_run_loop(app);
}

/* --- both --- */

static void on_connected(void *ctx)
{
	struct app *app = ctx;
	note_identity(app);
	app->run.region = app->region;
	if (app->command) {
		app_command_connected(app);
	} else {
		session_start_jobs(app->session);
		session_start_plans(app->session);
		session_start_tags(app->session);
	}
}

/* A file was edited badly while the program runs. */
static void say_old_settings(struct app *app, const struct err *err)
{
	struct buf text;
	buf_init(&text, MESSAGES_MAX);
	buf_addf(&text, "settings stay as they were: %s%s%s", err->subject,
		 err->subject[0] ? ": " : "", err_text(err));
	screen_say(app->screen, STYLE_WARNING, buf_text(&text));
	want_paint(app, false);
	buf_release(&text);
}

static void on_not_connected(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	if (app->command) {
		app_command_failed(app, err);
		return;
	}
	if (session_client(app->session)) {
		say_old_settings(app, err);
		return;
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_failed(&app->store, (enum source_id)i, err, INT64_MAX);
	screen_refresh(app->screen);
	want_paint(app, true);
}

static void on_store_change(void *ctx)
{
	struct app *app = ctx;
	if (!app->command)
		refresh_screen(app);
	else if (app->gathering.session)
		gather_changed(&app->gathering);
}

static void on_skew(void *ctx, int64_t skew_ms)
{
	struct app *app = ctx;
	struct buf text;
	buf_init(&text, 128);
	buf_add_text(&text, "this machine's clock is ");
	skew_add_words(&text, skew_ms);
	buf_add_text(&text, "; gpuq goes by AWS's");
	if (app->command)
		buf_addf(app->run.messages, "gpuq: %s\n", buf_text(&text));
	else
		screen_say(app->screen, STYLE_PENDING, buf_text(&text));
	buf_release(&text);
}

static void on_pace_trouble(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	struct buf text;
	buf_init(&text, MESSAGES_MAX);
	buf_addf(&text, "%s: %s", err->subject, err_text(err));
	if (err->code != ERR_PARSE)
		buf_add_text(&text, "; lists are asked without regard to other gpuq programs");
	if (app->command)
		buf_addf(app->run.messages, "gpuq: %s\n", buf_text(&text));
	else
		screen_say(app->screen, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

static void app_release(struct app *app)
{
	term_stop(app->term);
	gather_release(&app->gathering);
	diagnosis_release(&app->diagnosis);
	session_free(app->session);
	screen_free(app->screen);
	store_release(&app->store);
	request_release(&app->request);
	err_clear(&app->refused);
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
	app->paint_timer = (struct timer){ .fire = on_paint_due, .ctx = app };
	app->tick_timer = (struct timer){ .fire = on_tick_due, .ctx = app };
	app->wake_timer = (struct timer){ .fire = on_tick_due, .ctx = app };
	app->refuse_timer = (struct timer){ .fire = on_refuse_due, .ctx = app };
}

int app_run(const struct options *options, struct log *log)
{
	struct app app = { .options = options, .log = log };
	struct err none = { 0 };
	struct buf out, messages;
	buf_init(&out, OUTPUT_MAX);
	buf_init(&messages, MESSAGES_MAX);
	app.command = options->command ? command_find(options->command) : NULL;
	start_loop(&app);
	app.run = (struct command_run){ .options = options,
					.store = &app.store,
					.clock = &app.clock,
					.out = &out,
					.messages = &messages,
					.diagnosis = &app.diagnosis,
					.request = &app.request };
	/* For the first frame; files and metadata may say another thing or more. */
	const char *region = options->demo ? DEMO_REGION : aws_region(options->region, &none);
	snprintf(app.region, sizeof(app.region), "%s", region ? region : "");
	snprintf(app.profile, sizeof(app.profile), "%s", options->demo ? "demo" : "");
	app.run.region = region ? app.region : NULL;
	make_session(&app);
	if (app.command)
		app_command_run(&app);
	else
		run_screen(&app);
	app_release(&app);
	if (app.failure.code)
		command_message(&messages, &app.failure);
	app.exit_status = command_finish(&out, &messages, app.exit_status);
	buf_release(&out);
	buf_release(&messages);
	err_clear(&app.failure);
	err_clear(&none);
	return app.exit_status;
}

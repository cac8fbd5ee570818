#include "app_state.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/sagemaker_jobs.h"
#include "aws/settings.h"
#include "model/base/io.h"
#include "model/base/mem.h"

#define PAINT_MIN_MS     100 /* data alone repaints at most ten times a second (product.md) */
#define MESSAGES_MAX     (1u << 20)
#define CONFIRM_STANDARD (INT64_C(1000) * 1000000) /* confirm_above, micro units */
#define EXIT_INTERRUPTED 130

/* --- binding AWS to the loop --- */

static void on_aws_ready(int fd, short events, void *ctx)
{
	struct app *app = ctx;
	aws_client_ready(app->client, fd, events);
}

static void watch_fd(void *host, int fd, short events)
{
	struct app *app = host;
	loop_watch(app->loop, fd, events, on_aws_ready, app);
}

static void wake_client_in(void *host, int64_t ms)
{
	struct app *app = host;
	loop_arm(app->loop, &app->client_timer, ms);
}

static void wake_sync_in(void *host, int64_t ms)
{
	struct app *app = host;
	loop_arm(app->loop, &app->sync_timer, ms);
}

static void wake_plans_in(void *host, int64_t ms)
{
	struct app *app = host;
	loop_arm(app->loop, &app->plans_timer, ms);
}

static void on_client_due(void *ctx)
{
	struct app *app = ctx;
	aws_client_wake(app->client);
}

static void on_sync_due(void *ctx)
{
	struct app *app = ctx;
	sync_wake(app->sync);
}

static void on_plans_due(void *ctx)
{
	struct app *app = ctx;
	plans_feed_wake(app->plans);
}

static void on_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	struct app *app = ctx;
	store_note_date(&app->store, date_ms, mono_ms);
}

static bool take_credentials(const struct app *app, struct aws_credentials *credentials,
			     struct err *err)
{
	if (!app->options->demo)
		return aws_credentials_from_env(credentials, err);
	*credentials = (struct aws_credentials){ .access_key = mem_copy_text(DEMO_ACCESS_KEY),
						 .secret_key = mem_copy_text(DEMO_SECRET_KEY) };
	return true;
}

/* The client for the endpoint (NULL: the region's own). */
static bool start_client(struct app *app, const char *endpoint_url, struct err *err)
{
	struct aws_credentials credentials = { 0 };
	const struct aws_options options = {
		.region = app->region,
		.endpoint_url = endpoint_url,
		.read_only = app->options->read_only,
		.pace = app->options->pace,
		.clock = &app->clock,
		.hooks = { .watch = watch_fd, .wake_in = wake_client_in, .host = app },
		.on_date = on_date,
		.ctx = app,
	};
	if (take_credentials(app, &credentials, err))
		app->client = aws_client_new(&options, &credentials, err);
	aws_credentials_release(&credentials);
	return app->client != NULL;
}

/* Called once the client stands: in the dashboard or for the command. */
static void on_connected(struct app *app);
static void on_not_connected(struct app *app, const struct err *err);

static void on_demo_output(int fd, short events, void *ctx)
{
	(void)events;
	struct app *app = ctx;
	struct err err = { 0 };
	bool ok = demo_read(&app->demo, &err);
	bool ready = ok && app->demo.url[0] && !app->client;
	if (ready)
		ok = start_client(app, app->demo.url, &err);
	if (!ok) {
		loop_watch(app->loop, fd, 0, NULL, NULL);
		on_not_connected(app, &err);
	} else if (ready) {
		on_connected(app);
	}
	err_clear(&err);
}

void app_connect(struct app *app)
{
	struct err err = { 0 };
	bool ok = true;
	if (app->options->demo) {
		ok = demo_start(&app->demo, &err);
		if (ok)
			loop_watch(app->loop, app->demo.fd, POLLIN, on_demo_output, app);
	} else {
		ok = start_client(app, aws_endpoint_url(app->options->endpoint_url), &err);
		if (ok)
			on_connected(app);
	}
	if (!ok)
		on_not_connected(app, &err);
	err_clear(&err);
}

void app_start_sync(struct app *app, void (*on_change)(void *ctx))
{
	const struct sync_options options = {
		.client = app->client,
		.store = &app->store,
		.clock = &app->clock,
		.hooks = { .wake_in = wake_sync_in, .host = app },
		.region = app->region,
		.refresh_ms = app->options->refresh_ms,
		.since_ms = app->options->since_ms,
		.unpaced = app->options->pace == 0,
		.list_gap_ms = app->options->pace > 0 ? (int64_t)(1000 / app->options->pace) : 0,
		.want = app->command ? app_command_wants : NULL,
		.on_change = on_change,
		.ctx = app,
	};
	app->sync = sync_new(&options);
}

void app_start_plans(struct app *app, void (*on_change)(void *ctx))
{
	const struct plans_feed_options options = {
		.client = app->client,
		.store = &app->store,
		.clock = &app->clock,
		.hooks = { .wake_in = wake_plans_in, .host = app },
		.on_change = on_change,
		.ctx = app,
	};
	app->plans = plans_feed_new(&options);
}

/* --- the dashboard --- */

static void paint(struct app *app)
{
	struct surface *surface = term_frame(app->term);
	if (!surface)
		return; /* still writing: on_ready paints */
	app->dirty = false;
	screen_draw(app->screen, surface);
	term_show(app->term);
	app->painted_ms = clock_mono_ms(&app->clock);
	plans_feed_want(app->plans, screen_wants_plans(app->screen));
	loop_arm(app->loop, &app->paint_timer, -1);
	loop_arm(app->loop, &app->tick_timer, screen_tick_ms(app->screen));
}

/* A key's answer is painted at the end of the turn; data waits its turn. */
static void want_paint(struct app *app, bool at_once)
{
	app->dirty = true;
	int64_t since = clock_mono_ms(&app->clock) - app->painted_ms;
	int64_t wait = at_once || since >= PAINT_MIN_MS ? 0 : PAINT_MIN_MS - since;
	loop_arm(app->loop, &app->paint_timer, wait);
}

static void on_paint_due(void *ctx)
{
	paint(ctx);
}

static void on_tick_due(void *ctx)
{
	want_paint(ctx, false);
}

static void on_store_change(void *ctx)
{
	struct app *app = ctx;
	if (!app->account[0] && app->store.count > 0)
		arn_account(store_at(&app->store, 0)->arn, app->account);
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
	struct app *app = ctx;
	if (app->dirty)
		want_paint(app, false);
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
	if (app->sync)
		sync_select(app->sync, arn);
}

static void intent_refresh(void *host)
{
	struct app *app = host;
	if (app->sync)
		sync_refresh(app->sync);
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
	if (!err && app->sync)
		sync_refresh(app->sync);
	want_paint(app, true);
	free(sent);
}

static void on_stopped(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	(void)reply;
	struct sent *sent = ctx;
	struct app *app = sent->app;
	screen_stopped(app->screen, sent->name, err);
	if (!err && app->sync)
		sync_refresh(app->sync);
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

static void intent_submit(void *host, enum job_kind kind, const char *name, const char *text)
{
	struct app *app = host;
	if (app->client) {
		jobs_create(app->client, kind, name, text, on_created, sent_new(app, name));
		return;
	}
	err_set(&app->refused, ERR_NET, "nothing was sent: there is no connection to AWS yet");
	err_subject(&app->refused, "%s", name);
	snprintf(app->refused_name, sizeof(app->refused_name), "%.63s", name);
	loop_arm(app->loop, &app->refuse_timer, 0);
}

static void intent_stop(void *host, enum job_kind kind, const char *name)
{
	struct app *app = host;
	if (app->client)
		jobs_stop(app->client, kind, name, on_stopped, sent_new(app, name));
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
		.profile = app->options->demo ? "demo" : "",
		.read_only = app->options->read_only,
		.confirm_above_micro = CONFIRM_STANDARD,
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

static void run_screen(struct app *app)
{
	struct err err = { 0 };
	if (!start_screen(app, &err)) {
		err_move(&app->failure, &err);
		app->exit_status = err_exit_status(&app->failure);
		return;
	}
	paint(app); /* the first frame comes before any network */
	app_connect(app);
	while (loop_turn(app->loop, -1))
		continue;
}

static void on_connected(struct app *app)
{
	if (app->command) {
		app_command_connected(app);
		return;
	}
	app_start_sync(app, on_store_change);
	app_start_plans(app, on_store_change);
}

static void on_not_connected(struct app *app, const struct err *err)
{
	if (app->command) {
		app_command_failed(app, err);
		return;
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_failed(&app->store, (enum source_id)i, err, INT64_MAX);
	screen_refresh(app->screen);
	want_paint(app, true);
}

/* --- both --- */

static void app_release(struct app *app)
{
	term_stop(app->term);
	sync_free(app->sync);
	plans_feed_free(app->plans);
	aws_client_free(app->client);
	screen_free(app->screen);
	demo_stop(&app->demo);
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
	app->client_timer = (struct timer){ .fire = on_client_due, .ctx = app };
	app->sync_timer = (struct timer){ .fire = on_sync_due, .ctx = app };
	app->plans_timer = (struct timer){ .fire = on_plans_due, .ctx = app };
	app->paint_timer = (struct timer){ .fire = on_paint_due, .ctx = app };
	app->tick_timer = (struct timer){ .fire = on_tick_due, .ctx = app };
	app->wake_timer = (struct timer){ .fire = on_tick_due, .ctx = app };
	app->refuse_timer = (struct timer){ .fire = on_refuse_due, .ctx = app };
}

int app_run(const struct options *options)
{
	struct app app = { .options = options };
	struct err region_error = { 0 };
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
					.request = &app.request };
	bool offline = app.command && app.command->gather == GATHER_NOTHING && options->dry_run;
	app.region = options->demo ? DEMO_REGION : aws_region(options->region, &region_error);
	app.run.region = app.region;
	if (!app.region && !offline) {
		err_move(&app.failure, &region_error);
		app.exit_status = err_exit_status(&app.failure);
	} else if (app.command) {
		app_command_run(&app);
	} else {
		run_screen(&app);
	}
	app_release(&app);
	if (app.failure.code)
		command_message(&messages, &app.failure);
	if (out.failed || !io_write_all(STDOUT_FILENO, &out))
		app.exit_status = app.exit_status ? app.exit_status : 1;
	(void)!io_write_all(STDERR_FILENO, &messages);
	buf_release(&out);
	buf_release(&messages);
	err_clear(&app.failure);
	err_clear(&region_error);
	return app.exit_status;
}

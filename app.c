#include "app.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/demo.h"
#include "aws/desk.h"
#include "aws/gather.h"
#include "aws/notices.h"
#include "aws/permission.h"
#include "aws/yaml.h"
#include "model/store_prices.h"
#include "tui/facts.h"
#include "views/front.h"
#include "views/key_list.h"

#define OUTPUT_MAX       (64u << 20)
#define EXIT_INTERRUPTED 130

struct app {
	struct options *options;
	struct config *config;
	struct log *log;
	struct clock clock;
	struct loop *loop;
	struct store store;
	struct desk desk;
	struct timer session_timer;
	int exit_status;
	bool is_interrupted; /* by C-c */
	struct err failure;
	char by[ACTION_BY_SIZE]; /* who asks for what is done */
	struct front front;
	/* of a command */
	struct gathering gathering;
	struct diagnosis diagnosis;
	struct request request;
	struct command_sources sources;
};

static bool is_command(const struct app *app)
{
	return front_is_command(&app->front);
}

static struct buf new_text(void)
{
	struct buf text;
	buf_init(&text, FRONT_TEXT_MAX);
	return text;
}

/* --- binding AWS to the loop --- */

static void on_aws_ready(int fd, short events, void *ctx)
{
	struct app *app = ctx;
	session_ready(app->desk.session, fd, events);
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
	session_wake(app->desk.session);
}

/* Connects, and turns the loop until somebody stops it. */
static void run_loop(struct app *app)
{
	session_connect(app->desk.session);
	while (loop_turn(app->loop, -1))
		desk_turn(&app->desk);
}

/* --- the dashboard --- */

/* What is in sight is kept fresh. */
static void on_painted(void *ctx)
{
	struct app *app = ctx;
	struct wants wants;
	screen_wants(app->front.painter.screen, &wants);
	herald_want(&app->front.herald, &wants);
	session_want(app->desk.session, &wants);
	if (wants.actions)
		action_log_look(&app->desk.actions);
}

static void on_folder(void *ctx, const char *path, bool passing, const struct err *err)
{
	front_keep(&((struct app *)ctx)->front, path, passing, err);
}

static void refresh_screen(struct app *app)
{
	desk_note(&app->desk);
	front_refresh(&app->front);
}

static void on_gone(void *ctx)
{
	struct app *app = ctx;
	loop_stop(app->loop);
}

/* C-c at a command means that it is not wanted any more; a lost terminal does not. True: what is
 * being taken back is waited for. */
static bool take_back(struct app *app)
{
	bool again = app->is_interrupted;
	app->is_interrupted = true;
	if (is_command(app) && !again && changes_withdraw_requeues(&app->desk.changes) > 0) {
		runner_progress("taking it back; C-c again ends at once");
		return true;
	}
	if (changes_under_way(&app->desk.changes) + changes_requeues(&app->desk.changes) == 0)
		return false;
	changes_take_back(&app->desk.changes);
	if (is_command(app))
		runner_interrupted(&app->front.runner);
	return false;
}

static void on_signal(int signo, void *ctx)
{
	struct app *app = ctx;
	if (signo == SIGTSTP && app->front.painter.term) {
		painter_suspend(&app->front.painter);
		return;
	}
	if (signo == SIGINT && painter_is_lent(&app->front.painter))
		return; /* typed at an editor */
	if (signo == SIGINT && take_back(app))
		return;
	if (signo == SIGINT || (is_command(app) && !app->front.runner.command->endless))
		app->exit_status = EXIT_INTERRUPTED;
	loop_stop(app->loop);
}

/* What an earlier run left is told in one line, and moves nothing. */
static void on_answered(void *ctx, const struct submit_answer *answer)
{
	struct app *app = ctx;
	struct buf text = new_text();
	if (answer->late)
		notice_settled(&text, answer);
	if (answer->late && answer->draft[0] && !is_command(app))
		screen_draft_settled(app->front.painter.screen, answer->draft, answer->name,
				     answer->err);
	if (!answer->late)
		front_submitted(&app->front, answer->name, answer->arn, answer->err);
	front_say(&app->front, answer->err ? STYLE_WARNING : STYLE_GOOD, &text);
}

static void on_journal(void *ctx, const struct err *err)
{
	front_warn(&((struct app *)ctx)->front, err);
}

static void on_progress(void *ctx, const char *text)
{
	front_progress(&((struct app *)ctx)->front, text);
}

static void on_journal_settled(void *ctx)
{
	front_settled(&((struct app *)ctx)->front);
}

static void on_stopped(void *ctx, const struct stop_result *result)
{
	front_stopped(&((struct app *)ctx)->front, result);
}

static void on_quota_raised(void *ctx, const struct quota_raise *raise,
			    const struct quota_raised *raised, const struct err *err)
{
	front_quota_raised(&((struct app *)ctx)->front, raise, raised, err);
}

static void on_requeued(void *ctx, const struct requeue_told *told)
{
	struct app *app = ctx;
	app->front.runner.run.state_folder = app->desk.changes.folder;
	front_requeued(&app->front, told);
}

static struct view_env view_env(struct app *app)
{
	return (struct view_env){
		.store = &app->store,
		.clock = &app->clock,
		.region = app->desk.at.region,
		.account = app->desk.at.account,
		.profile = app->desk.at.profile,
		.role = app->desk.at.role,
		.endpoint = app->desk.at.endpoint,
		.endpoint_url = app->options->endpoint_url,
		.config = app->config,
		.fixed = app->options->demo ? "the demo has one region" : NULL,
		.read_only = app->options->read_only,
		.utc = app->options->utc,
		.mouse = app->options->mouse,
		.keys = app->options->keys,
		.confirm_above_micro = app->options->confirm_above_micro,
		.tag_notes = config_is_on(app->config, SETTING_TAG_JOBS),
		.cloud = desk_intents(&app->desk),
	};
}

static void fill_session_options(struct app *app);
/* As if gpuq had been started with these options. */
static void on_go(void *ctx, const char *profile, const char *region, const char *by)
{
	struct app *app = ctx;
	options_go(app->options, app->config, profile, region, by);
	fill_session_options(app);
}

static void on_moved(void *ctx)
{
	struct app *app = ctx;
	const struct view_env env = view_env(app);
	front_move(&app->front, &env);
}

static void on_said(void *ctx, enum desk_tone tone, const char *text)
{
	static const enum style styles[] = {
		[DESK_CALM] = STYLE_DIM,      [DESK_GOOD] = STYLE_GOOD,
		[DESK_WAITS] = STYLE_PENDING, [DESK_WARNS] = STYLE_WARNING,
		[DESK_FAILED] = STYLE_ERROR,
	};
	struct buf line = new_text();
	buf_add_text(&line, text);
	front_say(&((struct app *)ctx)->front, styles[tone], &line);
}

static void on_config_taken(void *ctx, const struct config *before)
{
	struct app *app = ctx;
	struct buf said = new_text();
	desk_set_read_only(&app->desk, options_anew(app->options, app->config, before, &said));
	painter_reload(&app->front.painter, view_env(app), app->options->theme, &said);
}

/* Those of the standard file are about AWS, and not for the demo's jobs. */
static void start_herald(struct app *app)
{
	const struct view_env env = view_env(app);
	if (!app->options->demo || app->options->config_file)
		front_start_herald(&app->front, app->loop, &env);
}

static void run_screen(struct app *app)
{
	const struct painter_options options = { .env = view_env(app),
						 .ascii = app->options->ascii,
						 .no_color = app->options->no_color,
						 .theme = app->options->theme };
	if (!painter_open(&app->front.painter, &options, &app->failure)) {
		app->exit_status = err_exit_status(&app->failure);
		return;
	}
	desk_note(&app->desk);
	front_say_warnings(&app->front, app->options->config);
	start_herald(app);
	painter_start(&app->front.painter); /* the first frame comes before any network */
	run_loop(app);
}

/* --- one command --- */

static void on_gathered(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	runner_gathered(&app->front.runner, err);
}

static void host_gather(void *host, enum need need)
{
	struct app *app = host;
	app->gathering = (struct gathering){
		.session = app->desk.session,
		.store = &app->store,
		.need = need,
		.names = app->options->args,
		.name_count = app->options->arg_count,
		.kind = app->options->has_kind ? &app->options->kind : NULL,
		.owners = app->front.runner.run.owners,
		.refusals = app->front.runner.run.refusals,
		.diagnosis = &app->diagnosis,
		.request = &app->request,
		.look = &app->front.runner.run.look,
		/* Of a requeue the second look is at what it costs, and
		 * a stop that does not ask tells nothing of it. */
		.shows_no_money = need == NEED_WAIT ||
				  (need == NEED_OWNED &&
				   (app->front.runner.command->submits || app->options->yes)),
		.waits = on_progress,
		.done = on_gathered,
		.ctx = app
	};
	gather_start(&app->gathering);
}

static void host_follow(void *host)
{
	struct app *app = host;
	struct wants wants = { 0 };
	herald_want(&app->front.herald, &wants);
	session_want(app->desk.session, &wants);
	app->front.follower = (struct follower){ .loop = app->loop, .runner = &app->front.runner };
	follower_start(&app->front.follower);
}

static void host_end(void *host, int status)
{
	struct app *app = host;
	app->exit_status = app->is_interrupted ? EXIT_INTERRUPTED : status;
	loop_stop(app->loop);
}

static void on_code(void *ctx, const char *line)
{
	struct app *app = ctx;
	session_code(app->desk.session, line);
}

static void run_command(struct app *app)
{
	app->sources.action_count = permission_policy(app->sources.actions, POLICY_ACTIONS_MAX);
	app->sources.keys = key_list;
	app->sources.read_yaml = yaml_read;
	app->front.runner.run.sources = &app->sources;
	app->front.ask_line = (struct ask_line){ .loop = app->loop, .answer = on_code, .ctx = app };
	app->front.runner.host = (struct runner_host){ .gather = host_gather,
						       .follow = host_follow,
						       .cloud = desk_intents(&app->desk),
						       .end = host_end,
						       .host = app };
	term_facts(&app->front.runner.run.terminal);
	if (app->front.runner.command->endless)
		start_herald(app);
	if (runner_start(&app->front.runner))
		run_loop(app);
	else
		app->exit_status = app->front.runner.status;
	err_move(&app->failure, &app->front.runner.failure);
}

/* --- both --- */

static void on_code_wanted(void *ctx, const char *profile, const char *serial)
{
	front_ask_code(&((struct app *)ctx)->front, profile, serial);
}

/* One that submits settles the journal first; its own record is left for it to go on with. */
static void begin_command(struct app *app)
{
	char key[JOURNAL_KEY_SIZE];
	bool submits = runner_submits(&app->front.runner, key);
	bool settles = submits || (app->front.runner.command->submits &&
				   app->front.runner.command->changes && !app->options->dry_run);
	if (!settles || app->options->read_only ||
	    !changes_connect(&app->desk.changes, app->desk.session, submits ? key : NULL))
		runner_connected(&app->front.runner);
}

static void on_connected(void *ctx)
{
	struct app *app = ctx;
	desk_note(&app->desk);
	app->front.runner.run.region = app->desk.at.region;
	if (!is_command(app)) {
		desk_connected(&app->desk);
	} else if (!gather_connected(&app->gathering, NULL)) {
		begin_command(app);
	}
}

static void on_not_connected(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	if (is_command(app)) {
		if (!gather_connected(&app->gathering, err))
			runner_failed(&app->front.runner, err);
		return;
	}
	if (session_client(app->desk.session)) {
		struct buf text = new_text();
		notice_settings(&text, err);
		front_say(&app->front, STYLE_WARNING, &text);
		return;
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		store_note_failed(&app->store, (enum source_id)i, err, INT64_MAX);
	screen_refresh(app->front.painter.screen);
	painter_want(&app->front.painter, true);
}

static void on_store_change(void *ctx)
{
	struct app *app = ctx;
	if (!is_command(app))
		refresh_screen(app);
	else
		desk_note(&app->desk); /* who signs is known by now */
	if (is_command(app) && app->gathering.session)
		gather_changed(&app->gathering);
	follower_changed(&app->front.follower);
	herald_changed(&app->front.herald);
}

static void on_skew(void *ctx, int64_t skew_ms)
{
	struct buf text = new_text();
	notice_skew(&text, skew_ms);
	front_say(&((struct app *)ctx)->front, STYLE_PENDING, &text);
}

static void on_pace_trouble(void *ctx, const struct err *err)
{
	struct buf text = new_text();
	notice_pace(&text, err);
	front_say(&((struct app *)ctx)->front, STYLE_WARNING, &text);
}

/* A command lists ended jobs without their details: a Describe each would take minutes. */
static bool command_wants(void *ctx, const struct job *job)
{
	return runner_wants(&((struct app *)ctx)->front.runner, job);
}

static const char *origin_of(const char *text)
{
	return text[0] ? text : NULL;
}

static void on_credentials(void *ctx, const struct err *err)
{
	struct app *app = ctx;
	desk_credentials(&app->desk, err);
}

static void fill_session_options(struct app *app)
{
	app->desk.options = (struct session_options){
		.profile = app->options->profile,
		.region = app->options->region,
		.profile_origin = origin_of(app->options->profile_origin),
		.region_origin = origin_of(app->options->region_origin),
		.allow_http = app->options->allow_http,
		.endpoint_url = app->options->endpoint_url,
		.demo = app->options->demo,
		.wants_identity = runner_wants_identity(&app->front.runner),
		.read_only = app->options->read_only,
		.pace = app->options->pace,
		.pace_dir = app->options->pace_dir,
		/* Who asks what is wrong shall not wait for those with whom it is. */
		.lists_at_once =
			is_command(app) && app->front.runner.command->need == NEED_DIAGNOSIS,
		.refresh_ms = app->options->refresh_ms,
		.since_ms = app->options->since_ms,
		.keeps_history = runner_reads_history(&app->front.runner),
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
		.history_said = runner_tells_history(&app->front.runner) ? NULL : on_progress,
		.credentials = on_credentials,
		.ask_code = !is_command(app) || ask_line_is_possible() ? on_code_wanted : NULL,
		.ctx = app,
	};
}

static void app_release(struct app *app)
{
	painter_stop(&app->front.painter);
	ask_line_stop(&app->front.ask_line);
	follower_stop(&app->front.follower);
	herald_end(&app->front.herald);
	gather_release(&app->gathering);
	diagnosis_release(&app->diagnosis);
	runner_release(&app->front.runner);
	desk_release(&app->desk);
	painter_close(&app->front.painter);
	store_release(&app->store);
	request_release(&app->request);
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
	snprintf(app->by, sizeof(app->by), "%s%s", is_command(app) ? "gpuq " : "dashboard",
		 is_command(app) ? app->front.runner.command->name : "");
	app->session_timer = (struct timer){ .fire = on_session_due, .ctx = app };
	app->desk = (struct desk){
		.store = &app->store,
		.go = on_go,
		.moved = on_moved,
		.said = on_said,
		.folder = on_folder,
		.ctx = app,
		.changes = { .answered = on_answered,
			     .told = on_journal,
			     .progress = on_progress,
			     .settled = on_journal_settled,
			     .requeued = on_requeued,
			     .stops = &app->desk.stops,
			     .ctx = app },
		.raises = { .raised = on_quota_raised, .ctx = app },
		.actions = { .store = &app->store,
			     .clock = &app->clock,
			     .by = app->by,
			     .told = on_journal,
			     .changed = on_store_change,
			     .ctx = app },
		.stops = { .store = &app->store,
			   .changed = on_store_change,
			   .stopped = on_stopped,
			   .ctx = app },
	};
	app->front.painter = (struct painter){ .loop = app->loop,
					       .clock = &app->clock,
					       .painted = on_painted,
					       .gone = on_gone,
					       .ctx = app };
	reload_init(&app->front.painter.reload, app->config, app->options->keys, on_config_taken);
}

/* For the first frame; files and metadata may say another thing or more. */
static void start_desk(struct app *app)
{
	const struct options *options = app->options;
	struct desk *desk = &app->desk;
	desk->shows_past = !is_command(app);
	fill_session_options(app);
	const char *region = options->demo ? DEMO_REGION : desk_expected_region(desk);
	whereabouts_expect(&desk->at, region, options->profile);
	if (options->demo)
		snprintf(desk->at.profile, sizeof(desk->at.profile), "demo");
	store_set_region(&app->store, desk->at.region);
	app->front.runner.run.region = region ? desk->at.region : NULL;
	desk_start(desk, options->given[SETTING_PROFILE], options->given[SETTING_REGION]);
}

/* Without a screen the dashboard would show nothing: the jobs are printed instead (case 111). */
static void list_without_screen(struct options *options, struct buf *messages)
{
	struct terminal_facts facts;
	if (options->command)
		return;
	term_facts(&facts);
	bool placed = !facts.is_known || facts.has_cursor;
	if (facts.in_is_tty && facts.out_is_tty && placed)
		return;
	options->command = "jobs";
	buf_addf(messages, "gpuq: no dashboard here (%s): these are the jobs, as of gpuq jobs\n",
		 placed ? "it needs a terminal" : "this terminal's cursor cannot be placed");
}

int app_run(struct options *options, struct config *config, struct log *log)
{
	struct app app = { .options = options, .config = config, .log = log };
	struct buf out, messages;
	buf_init(&out, OUTPUT_MAX);
	buf_init(&messages, FRONT_TEXT_MAX);
	list_without_screen(options, &messages);
	app.front.runner.command = options->command ? command_find(options->command) : NULL;
	start_loop(&app);
	app.front.runner.run = (struct command_run){ .options = options,
						     .store = &app.store,
						     .clock = &app.clock,
						     .out = &out,
						     .messages = &messages,
						     .diagnosis = &app.diagnosis,
						     .request = &app.request };
	start_desk(&app);
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

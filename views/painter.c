#include "views/painter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "tui/theme.h"
#include "views/keeper.h"
#include "views/words.h"

static void arm(struct painter *painter)
{
	int64_t now_ms = clock_mono_ms(painter->clock);
	loop_arm(painter->loop, &painter->paint_timer, repaint_wait_ms(&painter->repaint, now_ms));
}

/* The list alone, while keys come faster than anybody reads the panes beside it. */
static void paint_list(struct painter *painter)
{
	struct surface *surface = term_frame_over(painter->term);
	if (!surface)
		return;
	screen_draw_list(painter->screen, surface);
	term_show(painter->term);
	repaint_hurried(&painter->repaint, clock_mono_ms(painter->clock));
	arm(painter);
}

static void paint(struct painter *painter)
{
	if (repaint_may_hurry(&painter->repaint, clock_mono_ms(painter->clock)) &&
	    screen_list_will_do(painter->screen)) {
		paint_list(painter);
		return;
	}
	struct surface *surface = term_frame(painter->term);
	if (!surface)
		return; /* still writing: on_ready goes on */
	screen_draw(painter->screen, surface);
	term_show(painter->term);
	repaint_done(&painter->repaint, clock_mono_ms(painter->clock));
	painter->painted(painter->ctx);
	loop_arm(painter->loop, &painter->paint_timer, -1);
	loop_arm(painter->loop, &painter->tick_timer, screen_tick_ms(painter->screen));
	loop_arm(painter->loop, &painter->idle_timer, 0);
}

void painter_want(struct painter *painter, bool urgent)
{
	repaint_want(&painter->repaint, urgent);
	arm(painter);
}

static void on_paint_due(void *ctx)
{
	paint(ctx);
}

/* One step a turn: keys come between. What was learned is shown once it is all. */
static void on_idle(void *ctx)
{
	struct painter *painter = ctx;
	bool learned = painter->learns;
	painter->learns = screen_idle(painter->screen);
	if (painter->learns)
		loop_arm(painter->loop, &painter->idle_timer, 0);
	else if (learned)
		painter_want(painter, false);
}

static void on_tick_due(void *ctx)
{
	painter_want(ctx, false);
}

void painter_wake_in(struct painter *painter, int64_t ms)
{
	loop_arm(painter->loop, &painter->wake_timer, ms);
}

static void set_mouse(struct painter *painter)
{
	if (!term_set_mouse(painter->term, screen_wants_mouse(painter->screen)))
		screen_refuse_mouse(painter->screen, term_name(painter->term));
}

static void on_key(void *ctx, struct key key, const char *paste)
{
	struct painter *painter = ctx;
	screen_key(painter->screen, key, paste);
	set_mouse(painter);
	painter_want(painter, true);
}

static void on_mouse(void *ctx, const struct mouse *mouse)
{
	struct painter *painter = ctx;
	screen_mouse(painter->screen, mouse);
	painter_want(painter, true);
}

static void on_resize(void *ctx)
{
	painter_want(ctx, true);
}

static void on_gone(void *ctx)
{
	struct painter *painter = ctx;
	painter->gone(painter->ctx);
}

static void on_ready(void *ctx)
{
	arm(ctx);
}

static void intent_quit(void *host)
{
	on_gone(host);
}

static void intent_discard_input(void *host)
{
	term_discard_input(((struct painter *)host)->term);
}

static void intent_wake_in(void *host, int64_t ms)
{
	painter_wake_in(host, ms);
}

static void say_copied(struct painter *painter, bool ok, const char *text)
{
	struct buf line;
	buf_init(&line, WORDS_MAX);
	buf_addf(&line, "%s: %s", painter->copied, text);
	screen_say(painter->screen, ok ? STYLE_GOOD : STYLE_WARNING, buf_text(&line));
	painter_want(painter, true);
	buf_release(&line);
}

static void on_copied(void *ctx, bool ok, const char *text)
{
	say_copied(ctx, ok, text);
}

static void intent_reload(void *host)
{
	struct painter *painter = host;
	reload_start(&painter->reload);
}

static void intent_copy(void *host, const char *what, const char *text)
{
	struct painter *painter = host;
	struct err err = { 0 };
	painter->clipboard.loop = painter->loop;
	painter->clipboard.term = painter->term;
	painter->clipboard.told = on_copied;
	painter->clipboard.ctx = painter;
	painter->copied = what;
	if (!clipboard_copy(&painter->clipboard, text, strlen(text), &err))
		say_copied(painter, false, err_text(&err));
	err_clear(&err);
}

/* What is asked of a terminal, a loop and a disk is answered here. */
static struct view_env complete(struct painter *painter, const struct view_env *of)
{
	struct view_env env = *of;
	env.drafts = keeper_intents(painter->keeper);
	env.intents = (struct intents){ .quit = intent_quit,
					.discard_input = intent_discard_input,
					.wake_in = intent_wake_in,
					.copy = intent_copy,
					.reload = intent_reload,
					.host = painter };
	return env;
}

/* A TERM that this host does not know is no reason to end (case 111), but to be told. */
static void say_other_name(struct painter *painter)
{
	const char *wanted = getenv("TERM"), *used = term_name(painter->term);
	struct buf line;
	if (!wanted || strcmp(wanted, used) == 0)
		return;
	buf_init(&line, WORDS_MAX);
	buf_addf(&line, "TERM=%s is not known here: gpuq speaks %s to it", wanted, used);
	screen_say(painter->screen, STYLE_WARNING, buf_text(&line));
	buf_release(&line);
}

/* "auto" goes by what the terminal says of its background, if it does. */
static enum theme theme_of(const struct painter *painter, const char *setting)
{
	const char *no_color = getenv("NO_COLOR");
	enum theme theme = THEME_DARK;
	if (painter->no_color || (no_color && no_color[0]))
		return THEME_MONO;
	if (setting && !theme_find(setting, &theme))
		return theme_guess(getenv("COLORFGBG"));
	return theme;
}

static void on_config_refused(void *ctx, const char *why)
{
	struct painter *painter = ctx;
	screen_say(painter->screen, STYLE_WARNING, why);
	painter_want(painter, true);
}

bool painter_open(struct painter *painter, const struct painter_options *options, struct err *err)
{
	painter->no_color = options->no_color;
	painter->reload.loop = painter->loop;
	painter->reload.refused = on_config_refused;
	painter->reload.refused_ctx = painter;
	painter->reload.ctx = painter->ctx;
	const struct term_options term = {
		.in_fd = STDIN_FILENO,
		.out_fd = STDOUT_FILENO,
		.loop = painter->loop,
		.clock = painter->clock,
		.ascii = options->ascii || !term_locale_is_utf8(),
		.theme = theme_of(painter, options->theme),
		.on_key = on_key,
		.on_mouse = on_mouse,
		.on_resize = on_resize,
		.on_gone = on_gone,
		.on_ready = on_ready,
		.ctx = painter,
	};
	painter->paint_timer = (struct timer){ .fire = on_paint_due, .ctx = painter };
	painter->tick_timer = (struct timer){ .fire = on_tick_due, .ctx = painter };
	painter->wake_timer = (struct timer){ .fire = on_tick_due, .ctx = painter };
	painter->idle_timer = (struct timer){ .fire = on_idle, .ctx = painter };
	painter->keeper = mem_new(1, sizeof(*painter->keeper));
	*painter->keeper = (struct keeper){ .loop = painter->loop,
					    .clock = painter->clock,
					    .painter = painter };
	const struct view_env env = complete(painter, &options->env);
	painter->screen = screen_new(&env);
	painter->term = term_start(&term, err);
	if (painter->term) {
		keeper_start(painter->keeper);
		say_other_name(painter);
	}
	return painter->term != NULL;
}

void painter_move(struct painter *painter, const struct view_env *env)
{
	const struct view_env whole = complete(painter, env);
	screen_move(painter->screen, &whole);
	painter_want(painter, true);
}

void painter_reload(struct painter *painter, struct view_env env, const char *theme,
		    struct buf *said)
{
	const struct view_env whole = complete(painter, &env);
	screen_reload(painter->screen, &whole);
	if (painter->term)
		term_set_theme(painter->term, theme_of(painter, theme));
	screen_say(painter->screen, STYLE_GOOD, buf_text(said));
	buf_release(said);
	painter_want(painter, true);
}

void painter_keep(struct painter *painter, const char *folder, bool passing, const struct err *err)
{
	if (painter->keeper)
		keeper_open(painter->keeper, folder, passing, err);
}

bool painter_is_lent(const struct painter *painter)
{
	return painter->keeper && keeper_has_lent(painter->keeper);
}

void painter_start(struct painter *painter)
{
	set_mouse(painter);
	paint(painter);
}

void painter_suspend(struct painter *painter)
{
	if (!painter->term)
		return;
	term_suspend(painter->term);
	painter_want(painter, true);
}

void painter_stop(struct painter *painter)
{
	clipboard_release(&painter->clipboard);
	term_stop(painter->term);
	painter->term = NULL;
}

void painter_close(struct painter *painter)
{
	painter_stop(painter);
	if (painter->keeper)
		keeper_stop(painter->keeper);
	screen_free(painter->screen);
	reload_stop(&painter->reload);
	free(painter->keeper);
	painter->keeper = NULL;
	painter->screen = NULL;
}

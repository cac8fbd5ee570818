/*
 * Puts the screen on the terminal: the answer to a key at once, data in its turn (tui/repaint.h),
 * clocks when they change. A terminal that takes no frame holds nothing up: the next one is painted
 * when it is ready.
 */
#ifndef GPUQ_PAINTER_H
#define GPUQ_PAINTER_H

#include "tui/clipboard.h"
#include "tui/loop.h"
#include "tui/repaint.h"
#include "tui/term.h"
#include "views/reload.h"
#include "views/screen.h"

/* The first five are the owner's; set before painter_open. */
struct painter {
	struct loop *loop;          /* borrowed */
	struct reload reload;       /* begun with reload_init by the owner */
	const struct clock *clock;  /* borrowed */
	void (*painted)(void *ctx); /* after each frame: what is in sight may have changed */
	void (*gone)(void *ctx);    /* the terminal is */
	void *ctx;
	struct term *term;
	struct screen *screen;
	struct keeper *keeper; /* owned; of the drafts */
	struct repaint repaint;
	struct timer paint_timer, tick_timer, wake_timer, idle_timer;
	bool learns; /* in idle turns, since the last frame */
	struct clipboard clipboard;
	const char *copied; /* what is on its way there; static */
	bool no_color;      /* whatever the theme */
};

struct painter_options {
	struct view_env env;  /* without intents and drafts, which are the painter's */
	bool ascii, no_color; /* beside what the locale and NO_COLOR say */
	const char *theme;    /* the setting; NULL: what stands for none */
};

/* Opens screen and terminal; nothing is painted yet. False with err: there is no terminal. Close
 * it either way. */
bool painter_open(struct painter *painter, const struct painter_options *options,
		  struct err *err) MUST_CHECK;
/* The first frame. */
void painter_start(struct painter *painter);
/* Something on the screen has changed; urgent where somebody waits for it. */
void painter_want(struct painter *painter, bool urgent);
/* A clock changes something in ms; negative: no longer. */
void painter_wake_in(struct painter *painter, int64_t ms);
/* The program is in another place now: screen_move. */
void painter_move(struct painter *painter, const struct view_env *env);
/* The config was read anew: screen_reload, and perhaps another theme. Takes what is said of it. */
void painter_reload(struct painter *painter, struct view_env env, const char *theme,
		    struct buf *said);
/* Where state lies there, as of keeper_open. */
void painter_keep(struct painter *painter, const char *folder, bool passing, const struct err *err);
/* The terminal is an editor's: what its keys send is not meant for the program. */
bool painter_is_lent(const struct painter *painter);
/* The shell wants its terminal back for a while. */
void painter_suspend(struct painter *painter);
/* Puts the terminal right; the screen goes with painter_close. Both accept one that is not open. */
void painter_stop(struct painter *painter);
void painter_close(struct painter *painter);

#endif

/* The screen's own state, for its three files: screen.c, screen_keys.c and screen_paint.c. */
#ifndef GPUQ_SCREEN_STATE_H
#define GPUQ_SCREEN_STATE_H

#include "views/home.h"
#include "views/pane.h"
#include "views/screen.h"

#define NOTICE_SIZE 1024

struct modal {
	const struct pane_ops *ops;
	void *state; /* owned */
	struct modal *below;
};

/* The last press of the mouse: a second one on the spot opens. */
struct press {
	bool second; /* of two on the spot: a third is the first of the next */
	bool opens;  /* when it is let go of there */
	int x, y;
	const struct modal *top; /* what was open: compared, not followed */
	int64_t at_ms;           /* monotonic; 0: there was none */
};

/* The size of the last frame: keys need it to know what is in sight. And what it showed where. */
struct frame {
	int columns, lines;
	bool of_home; /* nothing lay over the panes */
	enum home_pane focus, detail;
	bool zoomed;
};

struct screen {
	struct view_env env;
	struct ui ui;
	void *panes[HOME_PANES]; /* owned states */
	struct modal *top;       /* owned, the uppermost first */
	struct modal *dead;      /* owned; closed, but the key that did it is still being handled */
	enum home_pane focus, detail;
	bool zoomed;
	struct key pressed;  /* being handled */
	struct key key;      /* as the table has it that is asked */
	struct frame *frame; /* owned; drawing may write it through a const screen */
	struct press press;
	enum home_pane held; /* the pane that the button was pressed in; HOME_PANES: none */
	struct {
		enum style style;
		char text[NOTICE_SIZE];
		int64_t since_ms, until_ms; /* monotonic */
		bool of_key;                /* it answers a key: the next one takes it away */
	} notice;
	bool handling; /* a key */
	/* The last key of somebody who types on after a No that was a letter; 0: nobody does. */
	int64_t stray_ms; /* monotonic */
	bool asking;      /* the notice says that AWS is being asked, and nothing has come since: */
	uint64_t answers; /* screen_answers then */
	bool interrupted; /* the last key was C-c, at: */
	int64_t interrupted_ms;
	struct {
		char *profile, *serial; /* owned; NULL: no code is wanted */
	} code;
};

extern const struct pane_ops *const screen_home[HOME_PANES];

/* Where everything stands in the last frame's size. */
struct home_layout screen_layout(const struct screen *screen);
/* The pane that has the keys while no modal is open. */
enum home_pane screen_focus(const struct screen *screen);
/* As ui.act. */
void screen_act(struct ui *ui, const struct key_scope *scope, const struct key_binding *row,
		char number);
/* Says that no key of a read-only dashboard does this. */
void screen_say_read_only(struct screen *screen, const struct key_binding *row);
/* Gives a pane the focus, and puts it in sight. */
void screen_go_to(struct screen *screen, enum home_pane pane);
/* Where a modal is drawn. */
struct rect screen_modal_place(const struct home_layout *layout, const struct pane_ops *ops);
/* A key or the mouse has been handled: what it closed goes, what waits for it opens. */
void screen_after_input(struct screen *screen);
/* A number that changes with each answer to the lists, a failure too. */
uint64_t screen_answers(const struct screen *screen);
/* What the footer names first, while it has something to do; NULL = nothing. */
const struct key_scope *screen_urgent_scope(const struct ui *ui);
/* The notice, or "" when there is none any more. Borrowed. */
const char *screen_notice(const struct screen *screen);

#endif

/*
 * Where the panes of home stand: pure arithmetic over the terminal's size, with no curses and no
 * state. product.md, Screens.
 */
#ifndef GPUQ_HOME_H
#define GPUQ_HOME_H

#include <stdbool.h>

#include "tui/layout.h"

enum home_pane {
	HOME_JOBS,
	HOME_PREFERENCES,
	HOME_QUEUE,
	HOME_SELECTED,
	HOME_WAIT,
	HOME_COST,
	HOME_PANES
};

/* Sizes at which the screen changes its shape. */
#define HOME_FULL_COLUMNS    120
#define HOME_FULL_LINES      36
#define HOME_STACKED_COLUMNS 60
#define HOME_STACKED_LINES   16
#define HOME_LEAST_COLUMNS   20
#define HOME_LEAST_LINES     5

enum home_shape {
	HOME_TOO_SMALL, /* the words alone */
	HOME_ALONE,     /* the job list, or the zoomed pane, alone */
	HOME_STACKED,   /* Jobs above, one detail pane below */
	HOME_FULL,      /* all six */
};

struct home_wish {
	int columns, lines;    /* of the terminal */
	enum home_pane focus;  /* shown alone when zoomed */
	enum home_pane detail; /* the pane below Jobs when stacked; never HOME_JOBS */
	bool zoomed;
};

struct home_layout {
	enum home_shape shape;
	struct rect header, body, status,
		footer;                /* status has no lines where it shares the footer */
	struct rect panes[HOME_PANES]; /* outer edges; w = 0: not shown */
	bool framed;                   /* there is room for frames */
};

struct home_layout home_arrange(const struct home_wish *wish);

/* The pane that the keys go to: what has the focus, if it is shown at that size, else Jobs. */
enum home_pane home_focus(const struct home_layout *layout, enum home_pane focus);

#endif

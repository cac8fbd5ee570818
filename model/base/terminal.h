/* What is known of the terminal before a screen is opened on it, for whoever says so. */
#ifndef GPUQ_BASE_TERMINAL_H
#define GPUQ_BASE_TERMINAL_H

#include <stdbool.h>

struct terminal_facts {
	const char *name;   /* TERM; borrowed; "" = not set */
	bool is_known;      /* to terminfo */
	bool has_cursor;    /* that can be placed: else there is no screen */
	int colours;        /* by terminfo; 0 = none */
	int columns, lines; /* of the window; 0 = not known */
	bool is_utf8;       /* the character set of the locale */
	bool in_is_tty, out_is_tty;
	bool no_color; /* NO_COLOR is set */
};

#endif

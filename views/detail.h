/*
 * What the detail panes (Queue, Selected, Wait, Cost) have in common: one state, one key table,
 * and a sheet on which lines are written from the top, scrolled when there are more than fit.
 */
#ifndef GPUQ_DETAIL_H
#define GPUQ_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "views/fresh.h"
#include "views/pane.h"
#include "views/words.h"

/* What the last frame learnt: a memory of the picture, not a state that a key depends on. */
struct scroll {
	int top;    /* lines above the pane */
	int used;   /* lines written */
	int height; /* lines shown */
};

struct detail {
	struct ui *ui;
	struct scroll *scroll; /* owned; drawing may write it through a const state */
	char *arn;             /* owned; the job shown: another one starts at the top */
};

void detail_open(void *state, struct ui *ui, const void *argument);
void detail_close(void *state);
void detail_refresh(void *state);

struct sheet {
	struct surface *out;
	struct rect at;
	struct scroll *scroll;
	int line; /* next line, from the first one written */
	struct fresh fresh;
	struct fresh_pane pane;
};

/* shown: what is written while the job's details are missing. */
struct sheet sheet_begin(const struct detail *detail, struct surface *out, struct rect at,
			 enum fresh_shown shown);
/* Says how many lines did not fit, and in the last lines how fresh the details are where they are
 * not; remembers for the keys. */
void sheet_end(struct sheet *sheet);

void sheet_text(struct sheet *sheet, enum style style, const char *text);
void sheet_textf(struct sheet *sheet, enum style style, const char *format, ...) PRINTF_LIKE(3, 4);
/* A dim label of SHEET_LABEL columns, then text. */
#define SHEET_LABEL 10
void sheet_pair(struct sheet *sheet, const char *label, enum style style, const char *text);
/* Text, a bar of permille, text. */
#define SHEET_BAR_LEAST 4 /* columns of the bar */
void sheet_bar(struct sheet *sheet, enum style style, const char *before, int permille,
	       const char *after);
/* As many lines as it needs. */
void sheet_wrapped(struct sheet *sheet, enum style style, const char *text);
/* A dim label, then values as chart_sparkline draws them. */
void sheet_sparkline(struct sheet *sheet, const char *label, const int16_t *permille, int count);

#endif

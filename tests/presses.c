#include "tests/presses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define ROWS      15 /* of the list, from the first */
#define MARGIN    2  /* rows below the first where the way is down */
#define MARK      "\u25b8"
#define MARK_AT   1  /* column */
#define FIRST     3  /* line of the first row: below the header, the pane's rule and the titles */
#define LAST      24 /* no pane below has its marks above this line */
#define POLL_MS   1
#define FOCUS_MS  300
#define NAME_SIZE 128

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6;
}

/* The line with the list's mark, which is the highest of its kind. */
static int marked_line(struct pty *pty)
{
	int y = FIRST;

	while (y < LAST && strcmp(pty_cell(pty, MARK_AT, y).text, MARK) != 0)
		y++;
	return y;
}

void presses_begin(struct presses *presses, struct pty *pty, int within_ms)
{
	double began = now_ms();

	*presses = (struct presses){ .count = 0 };
	while (!pty_wait_text(pty, "*Jobs", FOCUS_MS)) {
		assert_true(now_ms() - began < within_ms);
		pty_type(pty, "\t"); /* a digit is a rank in Preferences */
	}
	pty_type(pty, "ag");
	while (marked_line(pty) != FIRST) {
		assert_true(now_ms() - began < within_ms);
		pty_run(pty, POLL_MS);
	}
}

/* The marked row's first word; "" while a frame is half drawn. */
static void marked_name(struct pty *pty, char *name, size_t size)
{
	const char *mark = strstr(pty_line(pty, marked_line(pty)), MARK " ");

	snprintf(name, size, "%s", mark ? mark + strlen(MARK " ") : "");
	name[strcspn(name, " ")] = '\0';
}

/* Rows may change places meanwhile: the answer is another name, and the way back is by where the
 * mark stands. */
bool presses_next(struct presses *presses, struct pty *pty, int within_ms)
{
	char before[NAME_SIZE], after[NAME_SIZE];
	int line = marked_line(pty);
	double began = now_ms();

	assert_true(presses->count < PRESSES_MAX);
	if (line <= FIRST + MARGIN || line >= FIRST + ROWS)
		presses->up = line >= FIRST + ROWS;
	marked_name(pty, before, sizeof(before));
	pty_type(pty, presses->up ? "k" : "j");
	do {
		if (now_ms() - began > within_ms)
			return false;
		pty_run(pty, POLL_MS);
		marked_name(pty, after, sizeof(after));
	} while (!after[0] || strcmp(after, before) == 0);
	presses->ms[presses->count++] = now_ms() - began;
	return true;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double presses_percentile(struct presses *presses, unsigned percent)
{
	size_t at = presses->count * percent / 100;

	assert_true(presses->count > 0);
	qsort(presses->ms, presses->count, sizeof(presses->ms[0]), compare);
	return presses->ms[at < presses->count ? at : presses->count - 1];
}

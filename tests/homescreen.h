/* The whole screen over a sample store, off screen: keys in, text out. */
#ifndef GPUQ_TESTS_HOMESCREEN_H
#define GPUQ_TESTS_HOMESCREEN_H

#include "tests/offscreen.h"
#include "tests/sample.h"
#include "views/screen.h"

struct homescreen {
	struct sample sample;
	struct offscreen *offscreen;
	struct screen *screen;
};

/* With jobs (sample_fill), drawn once. prepare may change what the screen will find; NULL = none.
 */
void homescreen_start(struct homescreen *home, int columns, int lines,
		      void (*prepare)(struct sample *sample));
/* The same on a terminal of one's own choice. */
void homescreen_start_on(struct homescreen *home, const struct offscreen_options *terminal,
			 void (*prepare)(struct sample *sample));
void homescreen_stop(struct homescreen *home);

/* The same on the heap, with nothing prepared, as the state of a test; and its end. */
int homescreen_setup(void **state, int columns, int lines);
int homescreen_teardown(void **state);

/* Blank-separated names of keys ("j C-d Enter"), a frame after each. */
void homescreen_keys(struct homescreen *home, const char *names);
/* Each byte of an ASCII text is a key, with a frame after it. */
void homescreen_type(struct homescreen *home, const char *text);
/* Moves the cursor down from the first row to the job of that name; it must be in the list. */
void homescreen_go_to(struct homescreen *home, const char *name);
/* Time passes, the store tells the screen, and it is drawn. */
void homescreen_pass(struct homescreen *home, int64_t ms);
/* As idle turns do. */
void homescreen_learn(struct homescreen *home);
void homescreen_draw(struct homescreen *home);
/* What the last frame has in sight. */
struct wants homescreen_wants(const struct homescreen *home);

/* Draws, and tells whether the text stands somewhere. */
bool homescreen_shows(struct homescreen *home, const char *text);
/* Fails the test, with what is shown, unless the text stands there, or does not. */
void homescreen_want(struct homescreen *home, const char *text);
void homescreen_want_not(struct homescreen *home, const char *text);
const char *homescreen_line(struct homescreen *home, int y);

/*
 * Compares the screen with tests/golden/NAME.screen and fails the test where they differ. With
 * GPUQ_GOLDEN=write in the environment the file is written instead: look at the diff.
 */
void homescreen_golden(struct homescreen *home, const char *name);
/* The same with the look of each cell (offscreen_looks) below the text. */
void homescreen_golden_looks(struct homescreen *home, const char *name);

#endif

/*
 * Somebody whose keyboard has gone wild: keys, broken sequences, pastes, resizes, suspends and the
 * mouse by lot, on the real program. It goes on answering, leaves the terminal as it found it, and
 * nothing changes at AWS: no y is ever typed at a question, and neither a paste nor what was typed
 * ahead of one answers it. Four seeds of ten seconds; the long form (GPUQ_SOAK_SECONDS) takes
 * twenty of two minutes. GPUQ_SEED= takes a seed again.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/mem.h"
#include "tests/anytext.h"
#include "tests/gpuq.h"
#include "tests/soak.h"
#include "views/pane.h"

#define SOON_MS       30000 /* generous: a sanitizer build on a busy machine */
#define STEP_MS       12    /* between two acts on one terminal */
#define ALIVE_MS      2000  /* how often it is looked whether the program answers */
#define AT_ONCE       4
#define SHORT_SECONDS 10
#define LONG_SECONDS  120
#define LONG_ROUNDS   5
#define STANDARD      1
#define LEAVES_MOST   40
#define BYTES_MAX     8192
#define TAIL_BYTES    20000

/* What all have in common; by the config a y is enough, whatever something costs. */
struct bench {
	struct region region;
	char folder[64]; /* where they run: they write files, too */
	char config[96];
};

/* One terminal and its lot. */
struct wild {
	const struct bench *bench;
	struct pty *pty;
	uint32_t seed;
	int columns, lines;
	bool mouse, held;
	int64_t alive_ms; /* when it has answered last */
	unsigned long acts, starts;
};

static uint32_t lot(struct wild *wild, uint32_t below)
{
	return anytext_random(&wild->seed) % below;
}

static void complain(struct wild *wild, const char *what)
{
	const struct buf *raw = pty_raw(wild->pty);
	size_t tail = raw->len > TAIL_BYTES ? raw->len - TAIL_BYTES : 0;

	(void)fprintf(stderr, "its last words:\n%s\n", buf_text(raw) + tail);
	fail_msg("seed %u, act %lu: %s", wild->seed, wild->acts, what);
}

/* --- coming and going --- */

/* A question that y would answer is asked, is no longer deaf, and gets a paste. */
static void tempt(struct wild *wild)
{
	pty_type(wild->pty, "S");
	if (!pty_wait_text(wild->pty, "Stop the job?", SOON_MS))
		complain(wild, "no question comes");
	pty_run(wild->pty, 2 * QUESTION_DEAF_MS);
	pty_type(wild->pty, "\x1b[200~y\x1b[201~\x1b[200~y\ny\n\x1b[201~");
}

/* Typed ahead of a question, in one write with the key that asks it. */
static void type_ahead(struct wild *wild)
{
	static const char *const hasty[] = { "Syyy", "Xyyy", "Syy\ryy", "Xyy\ryy" };

	pty_type(wild->pty, hasty[lot(wild, ARRAY_LEN(hasty))]);
}

static void begin(struct wild *wild)
{
	const char *argv[] = { "env",
			       "-C",
			       wild->bench->folder,
			       region_program("gpuq"),
			       "--endpoint-url",
			       wild->bench->region.url,
			       "--config",
			       wild->bench->config,
			       "--pace",
			       "0",
			       wild->mouse ? "--mouse" : NULL,
			       NULL };
	const char *env[] = { gpuq_env[0], gpuq_env[1], gpuq_env[2], "EDITOR=true", NULL };

	wild->columns = 80;
	wild->lines = 24;
	wild->pty = pty_start(&(struct pty_options){ .argv = argv, .env = env });
	wild->starts++;
	wild->held = false;
}

static void want_begun(struct wild *wild)
{
	if (!pty_wait_text(wild->pty, "live", SOON_MS))
		complain(wild, "it does not begin");
}

/* Where the last of these stands in what was written; NULL: nowhere. */
static const char *last_of(const struct wild *wild, const char *text)
{
	const char *last = NULL;

	for (const char *at = buf_text(pty_raw(wild->pty)); (at = strstr(at, text)); at++)
		last = at;
	return last;
}

/* A C-s among the bytes has stopped the output: it is the terminal's own, as product.md has it. */
static void let_go(struct wild *wild)
{
	wild->held = false;
	pty_hold(wild->pty, false);
	pty_signal(wild->pty, SIGCONT);
	pty_type(wild->pty, "\x11");
}

/* The program has ended, and has put everything right. */
static void want_restored(struct wild *wild, int status)
{
	static const char *const modes[][2] = { { "\x1b[?2004h", "\x1b[?2004l" },
						{ "\x1b[?1006h", "\x1b[?1006l" },
						{ "\x1b[?1h", "\x1b[?1l" },
						{ "\x1b[?1049h", "\x1b[?1049l" },
						{ "\x1b[?25l", "\x1b[?25h" } };

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		complain(wild, "it has not ended well");
	for (size_t i = 0; i < ARRAY_LEN(modes); i++)
		if (last_of(wild, modes[i][0]) > last_of(wild, modes[i][1]))
			complain(wild, "a mode is left on");
}

/* By its own C-c, out of whatever is open; a paste that hangs is ended first. */
static void leave(struct wild *wild)
{
	int status = -1;

	let_go(wild);
	pty_type(wild->pty, "\x1b[201~");
	for (int i = 0; i < LEAVES_MOST; i++) {
		pty_type(wild->pty, "\x03\x03");
		if (pty_wait_exit(wild->pty, i < LEAVES_MOST - 1 ? 500 : SOON_MS, &status))
			break;
	}
	want_restored(wild, status);
	pty_stop(wild->pty);
	wild->pty = NULL;
}

/* A lot has told it to quit: another one begins. */
static void go_on(struct wild *wild)
{
	int status = -1;

	if (!pty_wait_exit(wild->pty, 0, &status))
		return;
	let_go(wild);
	(void)pty_wait_exit(wild->pty, 0, &status); /* with what was held back */
	want_restored(wild, status);
	pty_stop(wild->pty);
	begin(wild);
	want_begun(wild);
	pty_blind(wild->pty);
}

/* --- acts --- */

/* Never a y: see above. */
static void type_keys(struct wild *wild)
{
	static const char *const keys[] = {
		"j",         "j",          "j",
		"k",         "g",          "G",
		"\r",        "\r",         "\x1b",
		"\x1b",      "\x1b",       "\t",
		"\x1b[Z",    "1",          "2",
		"3",         "4",          "5",
		"6",         "z",          "p",
		"a",         "r",          "d",
		"t",         "x",          "L",
		"M",         "H",          "B",
		"%",         "$",          "?",
		"f",         ":",          "/",
		"K",         "A",          "E",
		"=",         " ",          " ",
		"U",         "P",          "P",
		"X",         "X",          "S",
		"S",         "R",          "R",
		"W",         "O",          "D",
		"T",         "o",          "w",
		"v",         "b",          "l",
		"i",         "+",          "-",
		"J",         "e",          "u",
		"n",         "N",          "c",
		"F",         "h",          "s",
		"m",         "Y",          "V",
		"\x04",      "\x15",       "\x12",
		"\x07",      "\x0b",       "\x01",
		"\x05",      "\x17",       "\x7f",
		"\x08",      "\x0c",       "\x1a",
		"\x1c",      "\x1b[A",     "\x1b[B",
		"\x1b[C",    "\x1b[D",     "\x1bOA",
		"\x1bOB",    "\x1b[H",     "\x1b[F",
		"\x1b[5~",   "\x1b[6~",    "\x1b[2~",
		"\x1b[3~",   "\x1b[1;3A",  "\x1b[1;3B",
		"\x1b[1;5C", "\x1bOP",     "\x1bOQ",
		"\x1bOR",    "\x1bOS",     "\x1b[15~",
		"\x1b[17~",  "\x1b[18~",   "\x1b[19~",
		"\x1b[20~",  "\x1b[21~",   "\x1b[23~",
		"\x1b[24~",  "\x1b[15;2~", ":region us-west-2\r",
		":back\r",   ":mouse\r",   ":help\r",
		"K\r",       "Pi\r",       "Pb\r",
		"X\t",       "q",          "\x03",
	};

	for (uint32_t left = 1 + lot(wild, 4); left > 0; left--)
		pty_type(wild->pty, keys[lot(wild, ARRAY_LEN(keys))]);
}

/* Letters, digits and marks as for a prompt. */
static void type_words(struct wild *wild)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxz0123456789-.!: ml.p5";
	char text[24];
	size_t len = 1 + lot(wild, sizeof(text) - 2);

	for (size_t i = 0; i < len; i++)
		text[i] = letters[lot(wild, sizeof(letters) - 1)];
	pty_type_bytes(wild->pty, text, len);
}

static void type_anything(struct wild *wild)
{
	char bytes[32];
	size_t len = anytext_fill(&wild->seed, bytes, sizeof(bytes));

	for (size_t i = 0; i < len; i++)
		bytes[i] = bytes[i] == 'y' ? 'z' : bytes[i];
	pty_type_bytes(wild->pty, bytes, len);
}

static void type_broken(struct wild *wild)
{
	static const char *const broken[] = { "\x1b[",       "\x1bO",       "\x1b[1;",  "\x1b[<0;1",
					      "\x1b[<0;5;5", "\x1b[200",    "\x1b]0;t", "\x1bP",
					      "\x1b[M!!",    "\x1b[?1;2c",  "\x1b\x1b", "\xe2\x82",
					      "\xf0\x9f",    "\x1b[1;1;1R", "\xc0",     "\233A",
					      "\x1b[201~" };

	pty_type(wild->pty, broken[lot(wild, ARRAY_LEN(broken))]);
}

/* With what would be an answer, if a paste could give one. */
static void paste(struct wild *wild)
{
	static const char *const parts[] = { "y\n",
					     "y",
					     "Xy\ny\n",
					     "Sy",
					     "yes",
					     "\r\r\r",
					     "\x1b[A\x03",
					     "llm-ft-0930\n",
					     "\t",
					     "q",
					     "{\"TrainingJobName\":",
					     "训练",
					     "%s%n" };
	char text[BYTES_MAX] = "\x1b[200~";
	size_t len = strlen(text), left = lot(wild, 20) == 0 ? 400 : 1 + lot(wild, 5);

	for (; left > 0 && len + 32 < sizeof(text); left--) {
		const char *part = parts[lot(wild, ARRAY_LEN(parts))];
		int more = snprintf(text + len, sizeof(text) - len, "%s", part);
		assert_true(more > 0);
		len += (size_t)more;
	}
	pty_type_bytes(wild->pty, text, len);
	if (lot(wild, 8) >
	    0) /* else the link is slow: it ends with another act, or when it is left */
		pty_type(wild->pty, "\x1b[201~");
}

static void use_mouse(struct wild *wild)
{
	static const int buttons[] = { 0, 0, 0, 1, 2, 32, 32, 35, 64, 65, 65, 4, 16, 128 };
	char bytes[64];

	for (uint32_t left = 1 + lot(wild, 4); left > 0; left--) {
		int len = snprintf(bytes, sizeof(bytes), "\x1b[<%d;%u;%u%c",
				   buttons[lot(wild, ARRAY_LEN(buttons))],
				   lot(wild, (uint32_t)wild->columns + 3),
				   lot(wild, (uint32_t)wild->lines + 3), lot(wild, 2) ? 'M' : 'm');
		assert_true(len > 0);
		pty_type(wild->pty, bytes);
	}
}

static void resize(struct wild *wild)
{
	static const int sizes[][2] = { { 80, 24 },  { 1, 1 },   { 120, 40 }, { 40, 12 },
					{ 200, 50 }, { 20, 5 },  { 500, 2 },  { 2, 200 },
					{ 79, 23 },  { 160, 48 } };

	for (uint32_t left = 1 + lot(wild, 3); left > 0; left--) {
		const int *size = sizes[lot(wild, ARRAY_LEN(sizes))];
		wild->columns = size[0];
		wild->lines = size[1];
		pty_resize(wild->pty, size[0], size[1]);
	}
}

/* Stopped by what nobody can handle, and by what the program does itself; woken in another size. */
static void suspend(struct wild *wild)
{
	static const int signals[] = { SIGSTOP, SIGTSTP, SIGWINCH, SIGCONT };

	pty_signal(wild->pty, signals[lot(wild, ARRAY_LEN(signals))]);
	if (lot(wild, 2))
		type_words(wild);
	if (lot(wild, 2))
		resize(wild);
	pty_run(wild->pty, STEP_MS);
	pty_signal(wild->pty, SIGCONT);
}

/* A link that stands still for some acts. */
static void hold(struct wild *wild)
{
	wild->held = !wild->held;
	pty_hold(wild->pty, wild->held);
}

static void act(struct wild *wild)
{
	uint32_t which = lot(wild, 100);

	wild->acts++;
	if (wild->acts == 1)
		type_ahead(wild);
	else if (which < 50)
		type_keys(wild);
	else if (which < 60)
		type_words(wild);
	else if (which < 66)
		type_anything(wild);
	else if (which < 74)
		type_broken(wild);
	else if (which < 82)
		paste(wild);
	else if (which < 91)
		use_mouse(wild);
	else if (which < 96)
		resize(wild);
	else if (which < 98)
		suspend(wild);
	else
		hold(wild);
	pty_run(wild->pty, STEP_MS);
}

/* --- what must hold --- */

/* A window of another size is drawn anew, whatever is open. */
static void want_alive(struct wild *wild, int64_t now_ms)
{
	if (now_ms - wild->alive_ms < ALIVE_MS)
		return;
	let_go(wild);
	uint64_t bytes = pty_bytes(wild->pty);
	wild->columns = wild->columns == 90 ? 91 : 90;
	pty_resize(wild->pty, wild->columns, wild->lines);
	for (int waited = 0; pty_bytes(wild->pty) == bytes; waited += STEP_MS) {
		int status;
		pty_run(wild->pty, STEP_MS);
		if (pty_bytes(wild->pty) == bytes && pty_wait_exit(wild->pty, 0, &status))
			return; /* go_on looks at it */
		if (waited > SOON_MS)
			complain(wild, "it hangs");
	}
	wild->alive_ms = now_ms;
}

static void want_nothing_changed(const struct region *region)
{
	static const char *const changes[] = { "Create", "Stop",   "Request", "Delete",
					       "Update", "AddTag", "Put" };

	for (size_t i = 0; i < ARRAY_LEN(changes); i++)
		if (region_calls(region, changes[i]) != 0)
			fail_msg("%ld calls of %s...", region_calls(region, changes[i]),
				 changes[i]);
}

static void run_round(const struct bench *bench, int seed, int64_t seconds)
{
	struct wild wilds[AT_ONCE] = { { 0 } };
	const struct clock clock = clock_system();
	unsigned long acts = 0, starts = 0;

	for (int i = 0; i < AT_ONCE; i++) {
		wilds[i].bench = bench;
		wilds[i].seed = (uint32_t)(seed + i);
		wilds[i].mouse = i % 2;
		begin(&wilds[i]);
	}
	for (int i = 0; i < AT_ONCE; i++) {
		want_begun(&wilds[i]);
		wilds[i].alive_ms = clock_mono_ms(&clock);
	}
	tempt(&wilds[0]);
	for (int i = 0; i < AT_ONCE; i++)
		pty_blind(wilds[i].pty);
	int64_t end_ms = clock_mono_ms(&clock) + seconds * 1000;
	while (clock_mono_ms(&clock) < end_ms) {
		for (int i = 0; i < AT_ONCE; i++) {
			act(&wilds[i]);
			want_alive(&wilds[i], clock_mono_ms(&clock));
			go_on(&wilds[i]);
		}
	}
	for (int i = 0; i < AT_ONCE; i++) {
		leave(&wilds[i]);
		acts += wilds[i].acts;
		starts += wilds[i].starts;
	}
	print_message("seeds %d to %d: %lu acts in %lu starts\n", seed, seed + AT_ONCE - 1, acts,
		      starts);
	want_nothing_changed(&bench->region);
}

static int start(void **state)
{
	static const char *const options[] = { "--scenario", "still", "--rate", "0", NULL };
	struct bench *bench = mem_new(1, sizeof(*bench));

	(void)snprintf(bench->folder, sizeof(bench->folder), "/tmp/gpuq-wild-XXXXXX");
	assert_non_null(mkdtemp(bench->folder));
	(void)snprintf(bench->config, sizeof(bench->config), "%s/config", bench->folder);
	FILE *file = fopen(bench->config, "w");
	assert_non_null(file);
	assert_int_equal(fchmod(fileno(file), 0600), 0);
	assert_true(fputs("confirm_above = 1000000000\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	region_start(&bench->region, options);
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;

	const char *const argv[] = { "/bin/rm", "-rf", bench->folder, NULL };
	const char *const env[] = { NULL };
	struct process_result result;

	region_stop(&bench->region);
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 0);
	process_release(&result);
	free(bench);
	return 0;
}

static void anything__changes_nothing_and_leaves_all_right__without_an_answer(void **state)
{
	bool is_long = soak_seconds(0) > 0;
	int seed = soak_seed(STANDARD);

	for (int round = 0; round < (is_long ? LONG_ROUNDS : 1); round++)
		run_round(*state, seed + round * AT_ONCE, is_long ? LONG_SECONDS : SHORT_SECONDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			anything__changes_nothing_and_leaves_all_right__without_an_answer, start,
			stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

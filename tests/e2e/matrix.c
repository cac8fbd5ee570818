/*
 * The dashboard on every kind of terminal that people have, in three locales and three sizes, and
 * inside tmux: it starts, shows the queue and leaves the terminal as it was. One that cannot place
 * its cursor gets the plain list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS 60000        /* many start at once */
#define JOB     "llm-pretra" /* waits longest: the first row; cut where there is no room */
#define DUMB    "dumb"

static const char *const terms[] = { "xterm-256color",  "tmux-256color", "screen",
				     "linux",           "vt100",         DUMB,
				     "no-such-terminal" };
static const char *const locales[] = { "C", "C.UTF-8", "en_US.UTF-8" };
static const struct {
	int columns, lines;
} sizes[] = { { 80, 24 }, { 40, 12 }, { 200, 50 } };

static struct region region;
static char locale_folder[] = "/tmp/gpuq-locale-XXXXXX", locale_variable[64];
static bool has_english; /* else its place is C.UTF-8's again, and that is said */

static bool shell(const char *script, const char *argument)
{
	struct process_result result;
	char path[1024];

	(void)snprintf(path, sizeof(path), "PATH=%s", getenv("PATH"));
	process_run(&result, (const char *const[]){ "/bin/sh", "-c", script, "sh", argument, NULL },
		    (const char *const[]){ path, NULL }, NULL);
	bool well = result.status == 0;
	process_release(&result);
	return well;
}

static int set_up(void **state)
{
	(void)state;
	region_start(&region, (const char *const[]){ "--scenario", "still", "--rate", "0", NULL });
	assert_non_null(mkdtemp(locale_folder));
	(void)snprintf(locale_variable, sizeof(locale_variable), "LOCPATH=%s", locale_folder);
	/* The two that glibc brings along stand beside it: LOCPATH replaces the system's folder. */
	has_english = shell("localedef -i en_US -f UTF-8 \"$1/en_US.UTF-8\"", locale_folder);
	if (!has_english)
		printf("matrix: en_US.UTF-8 skipped (package locales)\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	region_stop(&region);
	return shell("rm -r \"$1\"", locale_folder) ? 0 : -1;
}

struct place {
	const char *term, *locale;
	int columns, lines;
	struct pty *pty;
};

static void start(struct place *place, const char *const *argv)
{
	char term[64], lang[64];
	bool english = strcmp(place->locale, "en_US.UTF-8") == 0;
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1",
			      term,
			      lang,
			      english && has_english ? locale_variable : NULL,
			      NULL };
	const char *plain[] = { region_program("gpuq"), "--pace",   "0",
				"--endpoint-url",       region.url, NULL };

	(void)snprintf(term, sizeof(term), "TERM=%s", place->term);
	(void)snprintf(lang, sizeof(lang), "LANG=%s",
		       english && !has_english ? "C.UTF-8" : place->locale);
	place->pty = pty_start(&(struct pty_options){ .argv = argv ? argv : plain,
						      .env = env,
						      .columns = place->columns,
						      .lines = place->lines });
}

#define WANT(place, holds)                                                                \
	do {                                                                              \
		if (!(holds))                                                             \
			fail_msg("%s: TERM=%s LANG=%s %dx%d:\n%s", #holds, (place)->term, \
				 (place)->locale, (place)->columns, (place)->lines,       \
				 pty_text((place)->pty));                                 \
	} while (0)

static bool is_ascii(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text >= 0x80)
			return false;
	return true;
}

static void look(struct place *place)
{
	bool dumb = strcmp(place->term, DUMB) == 0;
	int status = 0;

	if (!dumb) {
		WANT(place, pty_wait_text(place->pty, JOB, SOON_MS));
		WANT(place, pty_wait_text(place->pty, "live", SOON_MS));
		WANT(place, pty_is_alternate(place->pty) || strcmp(place->term, "vt100") == 0 ||
				    strcmp(place->term, "linux") == 0);
		pty_type(place->pty, "jQ");
	}
	WANT(place, pty_wait_exit(place->pty, SOON_MS, &status));
	WANT(place, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	WANT(place, strstr(buf_text(pty_raw(place->pty)), JOB)); /* the list may be longer */
	WANT(place, !pty_is_alternate(place->pty));
	/* The region's names are ASCII, so all else is ours. */
	if (strcmp(place->locale, "C") == 0)
		WANT(place, is_ascii(buf_text(pty_raw(place->pty))));
	else if (!dumb)
		WANT(place, !is_ascii(buf_text(pty_raw(place->pty))));
	pty_stop(place->pty);
}

/* Those of one terminal start side by side. */
static void every_terminal__shows_the_queue__and_is_left_as_it_was(void **state)
{
	(void)state;
	for (size_t t = 0; t < ARRAY_LEN(terms); t++) {
		struct place places[ARRAY_LEN(locales) * ARRAY_LEN(sizes)];
		for (size_t i = 0; i < ARRAY_LEN(places); i++) {
			places[i] = (struct place){
				.term = terms[t],
				.locale = locales[i / ARRAY_LEN(sizes)],
				.columns = sizes[i % ARRAY_LEN(sizes)].columns,
				.lines = sizes[i % ARRAY_LEN(sizes)].lines,
			};
			start(&places[i], NULL);
		}
		for (size_t i = 0; i < ARRAY_LEN(places); i++)
			look(&places[i]);
	}
}

/* tmux has the terminal, and gpuq one of tmux's. The server is its own and goes with its window. */
static void tmux__shows_the_queue__too(void **state)
{
	char socket[64], command[4200];
	struct place places[ARRAY_LEN(sizes)];

	(void)state;
	(void)snprintf(command, sizeof(command), "exec '%s' --pace 0 --endpoint-url %s",
		       region_program("gpuq"), region.url);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		(void)snprintf(socket, sizeof(socket), "gpuq-matrix-%ld-%zu", (long)getpid(), i);
		const char *argv[] = { "tmux",      "-L",          socket,  "-f",
				       "/dev/null", "new-session", command, NULL };
		places[i] = (struct place){ .term = "xterm-256color",
					    .locale = "C.UTF-8",
					    .columns = sizes[i].columns,
					    .lines = sizes[i].lines };
		start(&places[i], argv);
	}
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		look(&places[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_terminal__shows_the_queue__and_is_left_as_it_was),
		cmocka_unit_test(tmux__shows_the_queue__too),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

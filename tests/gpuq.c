#include "tests/gpuq.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"

#define ARGS_MAX 64
#define SOON_MS  30000 /* generous: a sanitizer build on a busy machine */

const char *const gpuq_env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
				 "AWS_SECRET_ACCESS_KEY=simsecret",
				 "AWS_REGION=us-east-1",
				 "LANG=C.UTF-8",
				 "TZ=UTC",
				 NULL };

int gpuq_start_region(void **state, const char *const *options)
{
	struct region *region = mem_new(1, sizeof(*region));
	region_start(region, options);
	*state = region;
	return 0;
}

int gpuq_stop_region(void **state)
{
	region_stop(*state);
	free(*state);
	return 0;
}

/* The words after the program, its region and, if it is given one, its pace; argv[0] is static. */
static void fill(const char *argv[ARGS_MAX + 1], const struct region *region, const char *pace,
		 const char *const *words)
{
	static char program[512];
	size_t count = 3;
	(void)snprintf(program, sizeof(program), "%s", region_program("gpuq"));
	argv[0] = program;
	argv[1] = "--endpoint-url";
	argv[2] = region->url;
	if (pace) {
		argv[count++] = "--pace";
		argv[count++] = pace;
	}
	while (*words && count < ARGS_MAX)
		argv[count++] = *words++;
	assert_null(*words);
	argv[count] = NULL;
}

void gpuq_run(struct process_result *result, const struct region *region, const char *input,
	      const char *const *words)
{
	const char *argv[ARGS_MAX + 1];
	fill(argv, region, "0", words);
	process_run(result, argv, gpuq_env, input);
}

struct pty *gpuq_open(const struct region *region, const char *const *words)
{
	const char *argv[ARGS_MAX + 1];
	fill(argv, region, NULL, words);
	return pty_start(&(struct pty_options){ .argv = argv, .env = gpuq_env });
}

void gpuq_want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		fail_msg("\"%s\" does not come:\n%s", text, pty_text(pty));
}

void gpuq_want_exit(struct pty *pty, int status)
{
	int ended = -1;
	assert_true(pty_wait_exit(pty, SOON_MS, &ended));
	if (ended >> 8 != status)
		fail_msg("exit %d, not %d:\n%s", ended >> 8, status, pty_text(pty));
	pty_stop(pty);
}

void gpuq_want_text(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not there: %s\n%s", part, text);
}

void gpuq_want_status(const struct region *region, const char *name, const char *status)
{
	struct region_state state;
	region_state(region, &state);
	size_t node = region_state_job(&state, name);
	assert_true(node != JSON_NONE);
	assert_string_equal(region_text(&state, node, "status"), status);
	region_state_release(&state);
}

/* Handing over: the card's way to the clipboard inside tmux and outside, and W to a real file. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/io.h"
#include "model/base/mem.h"
#include "tests/gpuq.h"
#include "tests/statehome.h"

#define FILE_MAX (1u << 20)
#define SOON_MS  30000

struct scene {
	struct region region;
	char folder[64];
};

static int start(void **state)
{
	static const char *const options[] = { "--scenario", "still", "--seed", "3",
					       "--rate",     "0",     NULL };
	struct scene *scene = mem_new(1, sizeof(*scene));
	(void)snprintf(scene->folder, sizeof(scene->folder), "/tmp/gpuq-hand-XXXXXX");
	if (!mkdtemp(scene->folder))
		return -1;
	region_start(&scene->region, options);
	*state = scene;
	return 0;
}

static int stop(void **state)
{
	struct scene *scene = *state;
	region_stop(&scene->region);
	statehome_remove(scene->folder);
	free(scene);
	return 0;
}

static const char *path_of(const struct scene *scene, const char *name)
{
	static char path[128];
	(void)snprintf(path, sizeof(path), "%s/%s", scene->folder, name);
	return path;
}

static void read_file(const struct scene *scene, const char *name, struct buf *out)
{
	struct err err = { 0 };
	buf_init(out, FILE_MAX);
	if (!io_read_file(path_of(scene, name), out, &err))
		fail_msg("%s: %s", name, err_text(&err));
}

/* The dashboard in the scene's folder; in tmux: a server of that name is said to be around. */
static struct pty *open_screen(const struct scene *scene, bool in_tmux)
{
	char path[256];
	const char *argv[] = { "sh",
			       "-c",
			       "cd \"$1\" && exec \"$0\" --pace 0 --endpoint-url \"$2\"",
			       region_program("gpuq"),
			       scene->folder,
			       scene->region.url,
			       NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1",
			      "LANG=C.UTF-8",
			      "TZ=UTC",
			      path,
			      in_tmux ? "TMUX=/tmp/tmux-0/default,1,0" : NULL,
			      NULL };
	(void)snprintf(path, sizeof(path), "PATH=%s:/usr/local/bin:/usr/bin:/bin", scene->folder);
	struct pty *pty = pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 120, .lines = 40 });
	gpuq_want(pty, "pending 12");
	return pty;
}

/* Stands in for tmux: what it is asked and given is written down. */
static void put_tmux(const struct scene *scene, const char *script)
{
	int fd = open(path_of(scene, "tmux"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, script, strlen(script)), (ssize_t)strlen(script));
	assert_int_equal(close(fd), 0);
}

static void card__goes_to_tmux__and_reads_right_as_a_file(void **state)
{
	struct scene *scene = *state;
	struct buf asked, card;
	put_tmux(scene, "#!/bin/sh\necho \"$*\" >asked.part\ncat >card.md\nmv asked.part asked\n");
	struct pty *pty = open_screen(scene, true);
	pty_type(pty, "Y");
	gpuq_want(pty, "the card: in tmux's buffer (prefix ] pastes it), and handed on");
	read_file(scene, "asked", &asked);
	assert_string_equal(buf_text(&asked), "load-buffer -w -\n");
	read_file(scene, "card.md", &card);
	gpuq_want_text(buf_text(&card), ": training job, Pending\n");
	gpuq_want_text(buf_text(&card), "\n## Preference list\n");
	gpuq_want_text(buf_text(&card), "\n## Why\n\ncapacity (certain): ");
	gpuq_want_text(buf_text(&card), "\n## Tried\n\nNothing by gpuq on this machine.\n");
	gpuq_want_text(buf_text(&card), "/sagemaker/home?region=us-east-1#/jobs/");
	for (size_t i = 0; i < card.len; i++)
		assert_true((unsigned char)card.data[i] >= ' ' || card.data[i] == '\n');
	assert_null(strstr(buf_text(pty_raw(pty)), "\x1b]52"));
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
	buf_release(&asked);
	buf_release(&card);
}

static void tmux_that_refuses__is_told(void **state)
{
	struct scene *scene = *state;
	put_tmux(scene, "#!/bin/sh\nexit 1\n");
	struct pty *pty = open_screen(scene, true);
	pty_type(pty, "Cn");
	gpuq_want(pty, "the name: tmux did not take it");
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

/* Of the terminal nobody knows whether it took it: that is said. */
static void outside_of_tmux__it_is_one_osc_52__in_its_limit(void **state)
{
	struct scene *scene = *state;
	struct pty *pty = open_screen(scene, false);
	pty_type(pty, "Y");
	gpuq_want(pty, "the card: sent to the terminal (OSC 52); whether it took it, none tells");
	const char *raw = buf_text(pty_raw(pty));
	const char *begin = strstr(raw, "\x1b]52;c;IyB"); /* "# " in Base64 */
	assert_non_null(begin);
	size_t len = strspn(begin + 7, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				       "0123456789+/=");
	assert_true(len > 400 && len < 100000);
	assert_memory_equal(begin + 7 + len, "\x1b\\", 2);
	assert_null(strstr(begin + 7, "\x1b]52"));
	pty_type(pty, "Q");
	gpuq_want_exit(pty, 0);
}

/* Several in one turn of the loop: the newest is told of, and keys are answered as before. */
static void copies__that_come_at_once__hold_nothing_up(void **state)
{
	struct scene *scene = *state;
	struct pty *pty = open_screen(scene, false);
	pty_type(pty, "CnCnYCn");
	gpuq_want(pty, "the name: sent to the terminal (OSC 52)");
	pty_type(pty, "?");
	gpuq_want(pty, "Help");
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

static void view__is_written_to_a_file__that_is_ours_alone(void **state)
{
	struct scene *scene = *state;
	struct stat status;
	struct buf text;
	struct pty *pty = open_screen(scene, false);
	pty_type(pty, "p");
	pty_type(pty, "W\x15jobs.csv\r");
	gpuq_want(pty, "written: ");
	gpuq_want(pty, "/jobs.csv (");
	assert_int_equal(stat(path_of(scene, "jobs.csv"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	read_file(scene, "jobs.csv", &text);
	size_t rows = 0;
	for (const char *at = buf_text(&text); (at = strstr(at, ",InProgress,")); at++)
		rows++;
	assert_int_equal(rows, 12);
	buf_release(&text);
	pty_type(pty, "x");
	gpuq_want(pty, "WHAT TO DO");
	pty_type(pty, "W\x15jobs.csv\r");
	gpuq_want(pty, "Write over it?");
	gpuq_want(pty, "y = yes, anything else = No");
	pty_type(pty, "n");
	gpuq_want(pty, "stays as it was");
	pty_type(pty, "W\x15nowhere/why.md\r");
	gpuq_want(pty, "nowhere/why.md cannot be made: No such file or directory");
	pty_type(pty, "W\x15why.md\r");
	gpuq_want(pty, "/why.md (");
	read_file(scene, "why.md", &text);
	gpuq_want_text(buf_text(&text), "# gpuq: Explain\n");
	buf_release(&text);
	pty_type(pty, "qQ");
	gpuq_want_exit(pty, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(card__goes_to_tmux__and_reads_right_as_a_file),
		TEST(tmux_that_refuses__is_told),
		TEST(outside_of_tmux__it_is_one_osc_52__in_its_limit),
		TEST(copies__that_come_at_once__hold_nothing_up),
		TEST(view__is_written_to_a_file__that_is_ours_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The README's pictures: the real program on the real region, driven by keys into three scenes,
 * each written as an SVG file. `make screenshots` runs it; its argument is the folder to write to.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/io.h"
#include "tests/region.h"
#include "tests/screen.h"
#include "tests/svg.h"

#define SOON_MS        20000
#define DESCRIBED_MS   180000 /* until the ended jobs are known, which the waits come from */
#define QUIET_MS       150
#define QUIET_AT_MOST  1500 /* a clock on the screen may never be quiet */
#define PICTURE_MAX    (60u << 10)
#define ROWS_MAX       60
#define JOB            "llm-ft-70b-0930"
#define WAITED_SECONDS 6120 /* 1h42m */

static const char *const still[] = { "--scenario", "still",  "--seed", "7", "--jobs",
				     "240",        "--rate", "0",      NULL };

struct shoot {
	const char *folder;
	struct region region;
	struct pty *pty;
	int columns, lines;
};

static void die(struct shoot *shoot, const char *what)
{
	fprintf(stderr, "shoot: %s\n%s", what, shoot->pty ? pty_text(shoot->pty) : "");
	pty_stop(shoot->pty);
	region_stop(&shoot->region);
	exit(1);
}

static void want(struct shoot *shoot, const char *text, int within_ms)
{
	char what[128];

	if (pty_wait_text(shoot->pty, text, within_ms))
		return;
	(void)snprintf(what, sizeof(what), "'%s' never came", text);
	die(shoot, what);
}

static struct pty *start(const struct shoot *shoot, const char *const *argv, int columns, int lines)
{
	static const char *const env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
					   "AWS_SECRET_ACCESS_KEY=simsecret",
					   "AWS_REGION=us-east-1", NULL };
	const char *whole[12] = { region_program("gpuq"), "--endpoint-url", shoot->region.url };
	size_t count = 3;

	for (; *argv && count + 1 < sizeof(whole) / sizeof(whole[0]); argv++)
		whole[count++] = *argv;
	return pty_start(&(struct pty_options){
		.argv = whole, .env = env, .columns = columns, .lines = lines });
}

/* The job that the pictures are about: a full list that has waited for a while. */
static void submit_job(struct shoot *shoot)
{
	char path[512];
	const char *const argv[] = { "submit", path, "--yes", NULL };
	int status = 0;

	(void)snprintf(path, sizeof(path), "%s/job.json", shoot->folder);
	shoot->pty = start(shoot, argv, 120, 40);
	if (!pty_wait_exit(shoot->pty, SOON_MS, &status) || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 0)
		die(shoot, "the job was not taken");
	pty_stop(shoot->pty);
	shoot->pty = NULL;
	region_control(&shoot->region, "advance", "{\"seconds\":%d}", WAITED_SECONDS);
}

static void open_dashboard(struct shoot *shoot, int columns, int lines)
{
	static const char *const argv[] = { NULL };

	shoot->columns = columns;
	shoot->lines = lines;
	shoot->pty = start(shoot, argv, columns, lines);
	want(shoot, "live", SOON_MS);
	want(shoot, JOB, SOON_MS);
}

static void resize(struct shoot *shoot, int columns, int lines)
{
	shoot->columns = columns;
	shoot->lines = lines;
	pty_resize(shoot->pty, columns, lines);
}

static void select_job(struct shoot *shoot)
{
	pty_type(shoot->pty, "g");
	for (int i = 0; i < ROWS_MAX; i++) {
		if (pty_wait_text(shoot->pty, "▸ " JOB, 300))
			return;
		pty_type(shoot->pty, "j");
	}
	die(shoot, "the job could not be selected");
}

static void take_picture(struct shoot *shoot, const char *name, const char *title)
{
	char path[512];
	struct buf svg;
	int fd;

	(void)pty_wait_quiet(shoot->pty, QUIET_MS, QUIET_AT_MOST);
	buf_init(&svg, PICTURE_MAX);
	svg_write_terminal(shoot->pty, shoot->columns, shoot->lines, title, &svg);
	if (svg.failed)
		die(shoot, "the picture is too big");
	(void)snprintf(path, sizeof(path), "%s/%s.svg", shoot->folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || !io_write_all(fd, &svg) || close(fd) != 0)
		die(shoot, "the picture could not be written");
	printf("%s: %dx%d, %zu bytes\n", path, shoot->columns, shoot->lines, svg.len);
	buf_release(&svg);
}

static void take_home(struct shoot *shoot)
{
	open_dashboard(shoot, 140, 40);
	select_job(shoot);
	want(shoot, "#5 ml.g5.48xlarge", SOON_MS);
	want(shoot, "lately not free", DESCRIBED_MS);
	pty_type(shoot->pty, "\x1b"); /* what was said of the clock, which was turned here */
	if (!pty_wait_no_text(shoot->pty, "clock is", SOON_MS))
		die(shoot, "the notice stays");
	take_picture(shoot, "home", "gpuq: the queue, and why and how long one job waits");
}

/* p4de first, three p5 behind it, and the last entry made a second p4d: that is refused. */
static void take_preferences(struct shoot *shoot)
{
	resize(shoot, 120, 36);
	pty_type(shoot->pty, "P");
	want(shoot, "*Preferences", SOON_MS);
	want(shoot, "8+", DESCRIBED_MS); /* the limit of the last entry is read last */
	pty_type(shoot->pty, "J+");
	want(shoot, "#2 ml.p5.48xlarge", SOON_MS);
	want(shoot, "draft", SOON_MS);
	pty_type(shoot->pty, "jjj\r");
	want(shoot, "Type of #5", SOON_MS);
	pty_type(shoot->pty, "p4d.24");
	want(shoot, "type: p4d.24", SOON_MS);
	pty_type(shoot->pty, "\r");
	want(shoot, "#5 ml.p4d.24xlarge", SOON_MS);
	pty_type(shoot->pty, "j"); /* to the finding: there it says how it is mended */
	want(shoot, "Enter: ", SOON_MS);
	take_picture(shoot, "preferences", "gpuq: a list reordered, with a finding and its fix");
}

static void take_submit(struct shoot *shoot)
{
	pty_type(shoot->pty, "\r"); /* the fix */
	if (!pty_wait_no_text(shoot->pty, "#5 ml.p4d.24xlarge", SOON_MS))
		die(shoot, "the fix did nothing");
	resize(shoot, 100, 32);
	pty_type(shoot->pty, "X");
	want(shoot, "name:", SOON_MS);
	take_picture(shoot, "submit", "gpuq: what would be sent, whole, and the question");
}

static void quit(struct shoot *shoot)
{
	int status;

	pty_type(shoot->pty, "\x03\x03");
	if (!pty_wait_exit(shoot->pty, SOON_MS, &status))
		die(shoot, "the program did not end");
	pty_stop(shoot->pty);
	region_stop(&shoot->region);
}

int main(int argc, char **argv)
{
	struct shoot shoot = { .folder = argc > 1 ? argv[1] : "tests/pictures" };

	region_start(&shoot.region, still);
	submit_job(&shoot);
	take_home(&shoot);
	take_preferences(&shoot);
	take_submit(&shoot);
	quit(&shoot);
	return 0;
}

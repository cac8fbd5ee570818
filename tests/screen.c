#include "tests/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vterm.h>

#include "model/base/clock.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/input.h"
#include "tests/statehome.h"

#define RAW_MAX  (16u << 20)
#define TEXT_MAX (8u << 20)
#define ENV_MAX  64
#define STEP_MS  10   /* how often a wait looks again at what it waits for */
#define KILL_MS  2000 /* from hanging up to SIGKILL */

struct pty {
	int fd; /* -1 once hung up */
	pid_t pid;
	bool held, ended, blind;
	int status;
	int columns, lines;
	VTerm *vt;
	VTermScreen *screen;
	int cursor_x, cursor_y;
	bool cursor_visible, alternate;
	uint64_t bytes;
	struct buf raw, text;
	struct clock clock;
};

static void die(const char *what)
{
	(void)fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* the program's side */

/* Whether a "NAME" or "NAME=VALUE" names the variable that b assigns. */
static bool same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len) == 0 && b[len] == '=';
}

static void set_variable(const char **env, size_t *count, const char *assignment)
{
	for (size_t i = 0; i < *count; i++) {
		if (same_name(env[i], assignment)) {
			env[i] = assignment;
			return;
		}
	}
	if (*count + 1 < ENV_MAX)
		env[(*count)++] = assignment;
}

extern char **environ;

static void make_environment(const struct pty_options *options, const char **env)
{
	static const char *const kept[] = { "PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
					    "LSAN_OPTIONS" };
	static const char *const clean[] = { "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
					     "HOME=/nonexistent" };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		for (char **each = environ; *each; each++)
			if (same_name(kept[i], *each))
				set_variable(env, &count, *each);
	for (size_t i = 0; i < ARRAY_LEN(clean); i++)
		set_variable(env, &count, clean[i]);
	set_variable(env, &count, statehome_variable());
	for (size_t i = 0; options->env && options->env[i]; i++)
		set_variable(env, &count, options->env[i]);
	env[count] = NULL;
}

static void run_program(const struct pty_options *options)
{
	const char *env[ENV_MAX];
	sigset_t none;

	make_environment(options, env);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	environ = (char **)(uintptr_t)env;
	(void)execvp(options->argv[0], (char *const *)(uintptr_t)options->argv);
	(void)fprintf(stderr, "cannot run %s: %s\n", options->argv[0], strerror(errno));
	_exit(127);
}

/* our side */

static int on_move(VTermPos pos, VTermPos old, int visible, void *user)
{
	struct pty *pty = user;

	(void)old;
	(void)visible;
	pty->cursor_x = pos.col;
	pty->cursor_y = pos.row;
	return 1;
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *pty = user;

	if (property == VTERM_PROP_CURSORVISIBLE)
		pty->cursor_visible = value->boolean;
	else if (property == VTERM_PROP_ALTSCREEN)
		pty->alternate = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .movecursor = on_move, .settermprop = on_property };

static void make_screen(struct pty *pty)
{
	pty->vt = vterm_new(pty->lines, pty->columns);
	vterm_set_utf8(pty->vt, 1);
	pty->screen = vterm_obtain_screen(pty->vt);
	vterm_screen_enable_altscreen(pty->screen, 1);
	vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
	pty->cursor_visible = true;
	vterm_screen_reset(pty->screen, 1);
}

struct pty *pty_start(const struct pty_options *options)
{
	struct pty *pty = mem_new(1, sizeof(*pty));
	struct winsize size = { 0 };

	pty->clock = clock_system();
	pty->columns = options->columns ? options->columns : 80;
	pty->lines = options->lines ? options->lines : 24;
	buf_init(&pty->raw, RAW_MAX);
	buf_init(&pty->text, TEXT_MAX);
	make_screen(pty);
	if (!options->no_size) {
		size.ws_col = (unsigned short)pty->columns;
		size.ws_row = (unsigned short)pty->lines;
	}
	(void)fflush(NULL);
	(void)statehome_variable(); /* made here, and removed here */
	pty->pid = forkpty(&pty->fd, NULL, NULL, &size);
	if (pty->pid < 0)
		die("forkpty");
	if (pty->pid == 0)
		run_program(options);
	if (fcntl(pty->fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(pty->fd, F_SETFL, O_NONBLOCK) != 0)
		die("fcntl");
	return pty;
}

static void reap(struct pty *pty)
{
	int status;

	if (pty->ended || waitpid(pty->pid, &status, WNOHANG) != pty->pid)
		return;
	pty->ended = true;
	pty->status = status;
}

void pty_stop(struct pty *pty)
{
	int status;

	if (!pty)
		return;
	pty_hang_up(pty);
	if (!pty_wait_exit(pty, KILL_MS, &status)) {
		(void)kill(pty->pid, SIGKILL);
		(void)waitpid(pty->pid, &status, 0);
	}
	vterm_free(pty->vt);
	buf_release(&pty->raw);
	buf_release(&pty->text);
	free(pty);
}

/* reading */

/* Takes what has come; false if nothing has. */
static bool take_output(struct pty *pty)
{
	char bytes[65536];
	ssize_t got = pty->fd < 0 || pty->held ? -1 : read(pty->fd, bytes, sizeof(bytes));

	if (got <= 0)
		return false;
	pty->bytes += (uint64_t)got;
	(void)buf_add(&pty->raw, bytes, (size_t)got);
	if (!pty->blind)
		(void)vterm_input_write(pty->vt, bytes, (size_t)got);
	else if (pty->raw.len > RAW_MAX / 2)
		buf_drop(&pty->raw, pty->raw.len - RAW_MAX / 4);
	return true;
}

/* Waits for output, at most ms; reads it. */
static bool step(struct pty *pty, int64_t ms)
{
	struct pollfd polled = { .fd = pty->held ? -1 : pty->fd, .events = POLLIN };
	int ready = poll(&polled, 1, (int)ms);

	/* The program's side is closed: a hang-up is there at once, and always. */
	if (ready > 0 && !take_output(pty))
		(void)poll(NULL, 0, (int)ms);
	return ready > 0;
}

static int64_t now_ms(const struct pty *pty)
{
	return clock_mono_ms(&pty->clock);
}

typedef bool condition_fn(struct pty *pty, const void *argument);

/* step_ms: how often to look at what may change without output; 0 = nothing does. */
static bool wait_for(struct pty *pty, condition_fn *holds, const void *argument, int step_ms,
		     int within_ms)
{
	int64_t end = now_ms(pty) + within_ms;
	bool is_fresh = true;

	for (;;) {
		while (take_output(pty))
			is_fresh = true;
		if ((is_fresh || step_ms > 0) && holds(pty, argument))
			return true;
		is_fresh = false;
		int64_t left = end - now_ms(pty);
		if (left <= 0)
			return false;
		/* What step() reads is looked at, too. */
		is_fresh = step(pty, step_ms > 0 && left > step_ms ? step_ms : left);
	}
}

static bool never(struct pty *pty, const void *argument)
{
	(void)pty;
	(void)argument;
	return false;
}

static bool has_text(struct pty *pty, const void *argument)
{
	return strstr(pty_text(pty), argument) != NULL;
}

static bool has_no_text(struct pty *pty, const void *argument)
{
	return !has_text(pty, argument);
}

static bool has_ended(struct pty *pty, const void *argument)
{
	(void)argument;
	reap(pty);
	return pty->ended;
}

static bool has_more_bytes(struct pty *pty, const void *argument)
{
	const uint64_t *before = argument;
	return pty_bytes(pty) > *before;
}

void pty_run(struct pty *pty, int ms)
{
	(void)wait_for(pty, never, NULL, 0, ms);
}

bool pty_wait_text(struct pty *pty, const char *text, int within_ms)
{
	return wait_for(pty, has_text, text, 0, within_ms);
}

bool pty_wait_bytes(struct pty *pty, uint64_t before, int within_ms)
{
	return wait_for(pty, has_more_bytes, &before, 0, within_ms);
}

bool pty_wait_no_text(struct pty *pty, const char *text, int within_ms)
{
	return wait_for(pty, has_no_text, text, 0, within_ms);
}

static int index_of(struct pty *pty, const char *const *texts)
{
	const char *screen = pty_text(pty);

	for (int i = 0; texts[i]; i++)
		if (strstr(screen, texts[i]))
			return i;
	return -1;
}

static bool has_any(struct pty *pty, const void *argument)
{
	return index_of(pty, argument) >= 0;
}

int pty_wait_any(struct pty *pty, const char *const *texts, int within_ms)
{
	return wait_for(pty, has_any, texts, 0, within_ms) ? index_of(pty, texts) : -1;
}

bool pty_wait_quiet(struct pty *pty, int quiet_ms, int within_ms)
{
	int64_t end = now_ms(pty) + within_ms, last = now_ms(pty);
	uint64_t bytes = pty->bytes;

	while (now_ms(pty) < end) {
		(void)step(pty, STEP_MS);
		if (pty->bytes != bytes) {
			bytes = pty->bytes;
			last = now_ms(pty);
		} else if (now_ms(pty) - last >= quiet_ms) {
			return true;
		}
	}
	return false;
}

bool pty_wait_exit(struct pty *pty, int within_ms, int *status)
{
	bool ended = wait_for(pty, has_ended, NULL, STEP_MS, within_ms);

	while (take_output(pty)) /* its last words */
		continue;
	*status = pty->status;
	return ended;
}

/* typing */

void pty_type_bytes(struct pty *pty, const char *bytes, size_t len)
{
	while (len > 0 && pty->fd >= 0) {
		ssize_t done = write(pty->fd, bytes, len);
		if (done > 0) {
			bytes += done;
			len -= (size_t)done;
			continue;
		}
		if (errno != EAGAIN)
			return; /* the program has gone: what is waited for tells */
		struct pollfd polled = { .fd = pty->fd, .events = POLLOUT };
		(void)poll(&polled, 1, STEP_MS);
		(void)take_output(pty);
	}
}

void pty_type(struct pty *pty, const char *bytes)
{
	pty_type_bytes(pty, bytes, strlen(bytes));
}

void pty_type_cut(struct pty *pty, const char *bytes, size_t cut, int gap_ms)
{
	pty_type_bytes(pty, bytes, cut);
	pty_run(pty, gap_ms);
	pty_type(pty, bytes + cut);
}

/* the picture */

static VTermScreenCell cell_at(const struct pty *pty, int x, int y)
{
	VTermScreenCell cell = { .width = 1 };
	VTermPos pos = { .row = y, .col = x };

	(void)vterm_screen_get_cell(pty->screen, pos, &cell);
	return cell;
}

static int colour_of(const VTermColor *colour)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(colour) || VTERM_COLOR_IS_DEFAULT_BG(colour) ||
	    !VTERM_COLOR_IS_INDEXED(colour))
		return PTY_PLAIN;
	return colour->indexed.idx;
}

struct pty_cell pty_cell(const struct pty *pty, int x, int y)
{
	VTermScreenCell cell = cell_at(pty, x, y);
	struct pty_cell out = { .columns = cell.width > 1 ? cell.width : 1,
				.front = colour_of(&cell.fg),
				.back = colour_of(&cell.bg),
				.bold = cell.attrs.bold,
				.underline = cell.attrs.underline != 0,
				.reverse = cell.attrs.reverse };
	size_t len = 0;

	/* The second half of a wide character that was cut has a mark in the place of one. */
	for (size_t i = 0;
	     i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] && cell.chars[i] < KEY_CODE_FIRST; i++)
		len += key_encode(cell.chars[i], out.text + len);
	return out;
}

static void add_line(struct pty *pty, int y)
{
	size_t start = pty->text.len;

	for (int x = 0; x < pty->columns;) {
		struct pty_cell cell = pty_cell(pty, x, y);
		(void)buf_add_text(&pty->text, cell.text[0] ? cell.text : " ");
		x += cell.columns;
	}
	while (pty->text.len > start && pty->text.data[pty->text.len - 1] == ' ')
		pty->text.data[--pty->text.len] = '\0';
}

const char *pty_line(struct pty *pty, int y)
{
	buf_clear(&pty->text);
	add_line(pty, y);
	return buf_text(&pty->text);
}

const char *pty_text(struct pty *pty)
{
	buf_clear(&pty->text);
	for (int y = 0; y < pty->lines; y++) {
		add_line(pty, y);
		(void)buf_add_char(&pty->text, '\n');
	}
	return buf_text(&pty->text);
}

bool pty_find(struct pty *pty, const char *text, int *x, int *y)
{
	for (int line = 0; line < pty->lines; line++) {
		const char *all = pty_line(pty, line);
		const char *found = strstr(all, text);
		if (!found)
			continue;
		char *front = mem_copy_bytes(all, (size_t)(found - all));
		*x = text_width(front);
		*y = line;
		free(front);
		return true;
	}
	return false;
}

bool pty_is_bold(const struct pty *pty, int x, int y)
{
	return cell_at(pty, x, y).attrs.bold;
}

bool pty_is_reverse(const struct pty *pty, int x, int y)
{
	return cell_at(pty, x, y).attrs.reverse;
}

bool pty_cursor(const struct pty *pty, int *x, int *y)
{
	*x = pty->cursor_x;
	*y = pty->cursor_y;
	return pty->cursor_visible;
}

bool pty_is_alternate(const struct pty *pty)
{
	return pty->alternate;
}

/* what happens to terminals */

void pty_resize(struct pty *pty, int columns, int lines)
{
	struct winsize size = { .ws_col = (unsigned short)columns,
				.ws_row = (unsigned short)lines };

	pty->columns = columns;
	pty->lines = lines;
	if (!pty->blind)
		vterm_set_size(pty->vt, lines, columns);
	(void)ioctl(pty->fd, TIOCSWINSZ, &size);
}

void pty_blind(struct pty *pty)
{
	pty->blind = true;
}

void pty_hold(struct pty *pty, bool held)
{
	pty->held = held;
}

void pty_hang_up(struct pty *pty)
{
	if (pty->fd >= 0)
		(void)close(pty->fd);
	pty->fd = -1;
}

void pty_signal(struct pty *pty, int signo)
{
	if (!pty->ended)
		(void)kill(pty->pid, signo);
}

pid_t pty_pid(const struct pty *pty)
{
	return pty->pid;
}

uint64_t pty_bytes(const struct pty *pty)
{
	return pty->bytes;
}

const struct buf *pty_raw(const struct pty *pty)
{
	return &pty->raw;
}

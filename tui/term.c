#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tui/capability.h"
#include "tui/pump.h"
#include "tui/rescue.h"
#include "tui/tty.h"

#define READ_BYTES   4096
#define READS_A_TURN 16  /* then the other descriptors have their turn */
#define RETRY_MS     20  /* a terminal that says it is ready and takes nothing must not spin us */
#define LEAVE_MS     200 /* for the last frame to get out; C-c twice ends within a second */
#define OWN_BYTES    (256u << 10)
#define CELL_BYTES   64 /* at most: a character, four marks, its colours, a move of the cursor */

struct term {
	struct term_options options;
	struct tty tty;
	struct pump pump;
	struct input *input;
	FILE *nothing; /* what newterm wants to read from */
	SCREEN *screen;
	struct surface *surface;
	struct timer key_timer, retry_timer;
	int columns, lines;
	const char *name; /* terminfo's entry; static or of the environment */
	bool leftover;    /* the last pump_run could not write all */
	bool entered, gone, cursor_shown;
	bool moved;    /* the window is new or has changed: its scroll region too */
	bool mouse_on; /* the terminal has been asked to tell of it, or will be with the next frame
			*/
	bool mouse_asked;
	bool lent;      /* to another program */
	struct buf own; /* of term_send */
};

bool term_locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* the end of the terminal */

static void lose(struct term *term)
{
	if (term->gone)
		return;
	term->gone = true;
	loop_watch(term->options.loop, term->tty.in_fd, 0, NULL, NULL);
	loop_watch(term->options.loop, term->tty.out_fd, 0, NULL, NULL);
	loop_arm(term->options.loop, &term->key_timer, -1);
	loop_arm(term->options.loop, &term->retry_timer, -1);
	if (term->options.on_gone)
		term->options.on_gone(term->options.ctx);
}

/* output */

static void on_writable(int fd, short events, void *ctx);

static void run_pump(struct term *term, bool was_ready)
{
	uint64_t before = term->pump.written;
	enum tty_result result = term->gone ? TTY_GONE : pump_run(&term->pump, &term->tty);
	bool had_leftover = term->leftover;
	struct loop *loop = term->options.loop;

	term->leftover = result == TTY_LATER;
	if (result == TTY_GONE) {
		lose(term);
	} else if (result == TTY_SOME) {
		loop_watch(loop, term->tty.out_fd, 0, NULL, NULL);
		if (had_leftover && term->options.on_ready)
			term->options.on_ready(term->options.ctx);
	} else if (was_ready && term->pump.written == before) {
		loop_watch(loop, term->tty.out_fd, 0, NULL, NULL);
		loop_arm(loop, &term->retry_timer, RETRY_MS);
	} else {
		loop_watch(loop, term->tty.out_fd, POLLOUT, on_writable, term);
	}
}

static void on_writable(int fd, short events, void *ctx)
{
	(void)fd;
	(void)events;
	run_pump(ctx, true);
}

static void retry(void *ctx)
{
	run_pump(ctx, false);
}

static void reset_window(struct term *term)
{
	struct buf text;

	buf_init(&text, RESCUE_BYTES);
	capability_whole_window(&text, term->lines);
	pump_add(&term->pump, buf_text(&text), text.len);
	buf_release(&text);
	/* And all is drawn anew: terminals move what they show, each in its own way. */
	(void)clearok(curscr, TRUE);
	term->moved = false;
}

static void arm_rescue(struct term *term)
{
	struct buf leave;

	buf_init(&leave, RESCUE_BYTES);
	if (term->mouse_asked)
		(void)buf_add_text(&leave, MOUSE_OFF);
	capability_leave(&leave, term->lines);
	rescue_arm(&term->tty, buf_text(&leave), leave.len);
	buf_release(&leave);
}

/* Between frames: what curses writes of one must not be cut. */
static void ask_for_mouse(struct term *term)
{
	const char *text = term->mouse_on ? MOUSE_ON : MOUSE_OFF;

	pump_add(&term->pump, text, strlen(text));
	term->mouse_asked = term->mouse_on;
	arm_rescue(term);
}

void term_send(struct term *term, const char *bytes, size_t len)
{
	if (!term->own.max)
		buf_init(&term->own, OWN_BYTES);
	(void)buf_add(&term->own, bytes, len);
}

static void send_own(struct term *term)
{
	pump_add(&term->pump, buf_text(&term->own), term->own.len);
	buf_clear(&term->own);
}

struct surface *term_frame_over(struct term *term)
{
	if (term->leftover || term->gone || term->lent)
		return NULL;
	pump_reserve(&term->pump,
		     (size_t)term->columns * (size_t)term->lines * CELL_BYTES + term->own.len);
	if (term->own.len > 0)
		send_own(term);
	if (term->moved)
		reset_window(term);
	if (term->mouse_asked != term->mouse_on)
		ask_for_mouse(term);
	draw_cursor_forget(term->surface);
	return term->surface;
}

struct surface *term_frame(struct term *term)
{
	struct surface *surface = term_frame_over(term);

	if (surface)
		(void)werase(stdscr);
	return surface;
}

static void show_cursor(struct term *term, bool shown)
{
	if (term->cursor_shown == shown)
		return;
	(void)curs_set(shown ? 1 : 0);
	term->cursor_shown = shown;
}

void term_show(struct term *term)
{
	int x, y;
	bool has_cursor = draw_cursor_at(term->surface, &x, &y);

	if (term->leftover || term->gone || term->lent)
		return;
	(void)leaveok(stdscr, !has_cursor);
	if (has_cursor)
		(void)wmove(stdscr, y, x);
	(void)wnoutrefresh(stdscr);
	(void)doupdate();
	show_cursor(term, has_cursor);
	run_pump(term, false);
}

bool term_set_mouse(struct term *term, bool on)
{
	if (on && !capability_has_mouse())
		return false;
	term->mouse_on = on;
	input_mouse_on(term->input, on);
	return true;
}

void term_set_theme(struct term *term, enum theme theme)
{
	term->options.theme = theme;
	draw_set_theme(term->surface, style_start(theme));
	term_redraw(term);
}

void term_redraw(struct term *term)
{
	(void)term;
	(void)clearok(curscr, TRUE);
}

uint64_t term_bytes(const struct term *term)
{
	return term->pump.written;
}

/* input */

static void hand_out(struct term *term);

static void on_key_timer(void *ctx)
{
	hand_out(ctx);
}

static void hand_out(struct term *term)
{
	const struct clock *clock = term->options.clock;
	struct key key;

	while (!term->gone && input_next(term->input, clock_mono_ms(clock), &key)) {
		const struct mouse mouse = input_mouse(term->input);
		if (key.code != KEY_CODE_MOUSE)
			term->options.on_key(term->options.ctx, key,
					     key.code == KEY_CODE_PASTE ? input_paste(term->input)
									: NULL);
		else if (term->options.on_mouse)
			term->options.on_mouse(term->options.ctx, &mouse);
	}
	if (!term->gone)
		loop_arm(term->options.loop, &term->key_timer,
			 input_wait_ms(term->input, clock_mono_ms(clock)));
}

/* Takes what has come; false if the terminal is gone. */
static bool read_keys(struct term *term, bool *some)
{
	char bytes[READ_BYTES];
	size_t done;

	*some = false;
	for (int i = 0; i < READS_A_TURN; i++) {
		enum tty_result result = tty_read(&term->tty, bytes, sizeof(bytes), &done);
		if (result != TTY_SOME)
			return result == TTY_LATER;
		*some = true;
		input_feed(term->input, bytes, done, clock_mono_ms(term->options.clock));
	}
	return true;
}

static void on_readable(int fd, short events, void *ctx)
{
	struct term *term = ctx;
	bool some;
	bool alive = read_keys(term, &some);

	(void)fd;
	hand_out(term);
	/* A hang-up without anything to read would be reported for ever. */
	if (!alive || (!some && (events & (POLLHUP | POLLERR | POLLNVAL))))
		lose(term);
}

void term_discard_input(struct term *term)
{
	bool some;

	if (term->lent)
		return;
	/* What the kernel holds goes through the decoder: thrown away there, it might end within
	 * a sequence. */
	if (!term->gone && !read_keys(term, &some))
		return; /* the loop will see it too */
	input_discard(term->input);
}

/* size */

static void read_size(struct term *term)
{
	if (!tty_size(&term->tty, &term->columns, &term->lines))
		capability_size(&term->columns, &term->lines);
}

static void take_size(struct term *term)
{
	read_size(term);
	(void)resize_term(term->lines, term->columns);
	draw_surface_resize(term->surface, term->columns, term->lines);
	term->moved = true;
}

void term_size(const struct term *term, int *columns, int *lines)
{
	*columns = term->columns;
	*lines = term->lines;
}

const char *term_name(const struct term *term)
{
	return term->name;
}

/* coming and going */

static bool enter(struct term *term, bool alternate_screen)
{
	struct buf text;

	if (!tty_raw(&term->tty))
		return false;
	term->entered = true;
	term->mouse_asked = false; /* with the first frame */
	arm_rescue(term);
	/* Curses lets go of what it has written so far, which comes first. */
	(void)curs_set(1);
	(void)curs_set(0);
	term->cursor_shown = false;
	buf_init(&text, RESCUE_BYTES);
	capability_enter(&text, alternate_screen);
	pump_add(&term->pump, buf_text(&text), text.len);
	buf_release(&text);
	term->moved = true;
	return true;
}

/* Waits a bounded time for the terminal to take what is left; false if it did not. */
static bool drain(struct term *term)
{
	const struct clock *clock = term->options.clock;
	int64_t end = clock_mono_ms(clock) + LEAVE_MS;
	enum tty_result result;

	while ((result = pump_run(&term->pump, &term->tty)) == TTY_LATER) {
		struct pollfd polled = { .fd = term->tty.out_fd, .events = POLLOUT };
		if (clock_mono_ms(clock) >= end || poll(&polled, 1, RETRY_MS) < 0)
			break;
	}
	return result == TTY_SOME;
}

/* Puts the terminal right. Where the reader has stopped, what it has not taken is thrown away. */
static void leave(struct term *term)
{
	if (!term->gone && !drain(term))
		(void)tcflush(term->tty.out_fd, TCOFLUSH);
	rescue_now();
	pump_discard(&term->pump);
	term->leftover = term->entered = false;
}

static void come_back(struct term *term, bool alternate_screen)
{
	pump_discard(&term->pump);
	term->leftover = false;
	if (!enter(term, alternate_screen)) {
		lose(term);
		return;
	}
	take_size(term);
	run_pump(term, false);
	if (term->options.on_resize)
		term->options.on_resize(term->options.ctx);
}

/* Stopped for real: by the signal's own action, which the system leaves out where nobody could
 * ever continue us (a session without a shell). */
static void stop_process(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, old;
	sigset_t stop, cont, mask;
	struct timespec at_once = { 0 };

	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTSTP);
	(void)sigemptyset(&cont);
	(void)sigaddset(&cont, SIGCONT);
	(void)sigaction(SIGTSTP, &action, &old);
	(void)raise(SIGTSTP);
	(void)pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
	(void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
	(void)sigaction(SIGTSTP, &old, NULL);
	/* The caller comes back by itself: this one needs no handler. */
	(void)sigtimedwait(&cont, NULL, &at_once);
}

void term_suspend(struct term *term)
{
	if (term->gone)
		return;
	leave(term);
	stop_process();
	come_back(term, true);
}

bool term_is_lent(const struct term *term)
{
	return term->lent;
}

void term_lend(struct term *term)
{
	struct loop *loop = term->options.loop;

	if (term->gone || term->lent)
		return;
	leave(term);
	term->lent = true;
	loop_watch(loop, term->tty.in_fd, 0, NULL, NULL);
	loop_watch(loop, term->tty.out_fd, 0, NULL, NULL);
	loop_arm(loop, &term->key_timer, -1);
	loop_arm(loop, &term->retry_timer, -1);
}

void term_take_back(struct term *term)
{
	if (term->gone || !term->lent)
		return;
	term->lent = false;
	input_discard(term->input);
	loop_watch(term->options.loop, term->tty.in_fd, POLLIN, on_readable, term);
	come_back(term, true);
}

/* signals */

/* What the keys of another program's terminal send to the two of us. */
static void on_signal_lent(struct term *term, int signo)
{
	if (signo == SIGTSTP)
		stop_process();
	else if (signo == SIGHUP)
		lose(term);
}

static void on_signal(int signo, void *ctx)
{
	struct term *term = ctx;

	if (term->gone)
		return;
	if (term->lent) {
		on_signal_lent(term, signo);
		return;
	}
	switch (signo) {
	case SIGWINCH:
		take_size(term);
		arm_rescue(term);
		if (term->options.on_resize)
			term->options.on_resize(term->options.ctx);
		break;
	case SIGTSTP:
		term_suspend(term);
		break;
	case SIGCONT: /* after a stop that could not be handled, or with the shell's modes */
		come_back(term, false);
		break;
	default: /* SIGHUP */
		lose(term);
		break;
	}
}

static const int term_signals[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGHUP };

/* start and stop */

static SCREEN *open_screen(struct term *term)
{
	const char *names[] = { getenv("TERM"), "xterm-256color", "xterm", "ansi", "vt100" };
	SCREEN *screen = NULL;

	use_env(FALSE); /* COLUMNS and LINES may be those of another window */
	use_tioctl(TRUE);
	for (size_t i = 0; i < ARRAY_LEN(names) && !screen; i++) {
		if (!names[i] || names[i][0] == '\0' ||
		    !capability_known(names[i], term->pump.sink))
			continue;
		term->name = names[i];
		screen = newterm(names[i], term->pump.out, term->nothing);
	}
	return screen;
}

/* Where the locale is not UTF-8 curses repeats characters by a sequence (REP) that mosh and others
 * that are called xterm do not know (mosh issue 1064). So it may take it for one: ASCII, which is
 * all that is drawn then, is the same in both. */
static SCREEN *open_screen_in_utf8(struct term *term)
{
	locale_t utf8 = term_locale_is_utf8() ? (locale_t)0
					      : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!utf8)
		return open_screen(term);
	locale_t own = uselocale(utf8);
	SCREEN *screen = open_screen(term);
	(void)uselocale(own);
	freelocale(utf8);
	return screen;
}

static bool start_curses(struct term *term, struct err *err)
{
	term->nothing = fopen("/dev/null", "re");
	if (!term->nothing)
		return err_set(err, ERR_IO, "cannot open /dev/null: %s", strerror(errno));
	term->screen = open_screen_in_utf8(term);
	if (!term->screen)
		return err_set(err, ERR_IO, "no terminal description found, not even of xterm");
	if (!capability_has_screen())
		return err_set(err, ERR_IO, "terminal %s cannot place its cursor", term->name);
	(void)typeahead(-1); /* nothing is ever read through curses */
	return true;
}

static void start_loop(struct term *term)
{
	struct loop *loop = term->options.loop;

	term->key_timer = (struct timer){ .fire = on_key_timer, .ctx = term };
	term->retry_timer = (struct timer){ .fire = retry, .ctx = term };
	for (size_t i = 0; i < ARRAY_LEN(term_signals); i++)
		loop_on_signal(loop, term_signals[i], on_signal, term);
	loop_watch(loop, term->tty.in_fd, POLLIN, on_readable, term);
	mem_on_exhausted(rescue_now);
}

static bool start(struct term *term, struct err *err)
{
	/* Before curses looks: where a handler stands, it installs none of its own. */
	loop_take_signals(term->options.loop);
	if (!tty_open(&term->tty, term->options.in_fd, term->options.out_fd, err) ||
	    !pump_init(&term->pump, err) || !start_curses(term, err))
		return false;
	capability_keys(term->input);
	read_size(term);
	(void)resize_term(term->lines, term->columns);
	term->surface = draw_surface_new(stdscr, term->options.ascii);
	draw_set_theme(term->surface, style_start(term->options.theme));
	if (!enter(term, false))
		return err_set(err, ERR_IO, "cannot set the terminal's modes: %s", strerror(errno));
	start_loop(term);
	/* Now, so that leaving always leaves the screen that was entered. */
	if (term_frame(term))
		term_show(term);
	return true;
}

struct term *term_start(const struct term_options *options, struct err *err)
{
	struct term *term = mem_new(1, sizeof(*term));

	term->options = *options;
	term->input = input_new();
	term->tty.in_fd = term->tty.out_fd = -1;
	if (start(term, err))
		return term;
	term_stop(term);
	return NULL;
}

static void stop_loop(struct term *term)
{
	struct loop *loop = term->options.loop;

	mem_on_exhausted(NULL);
	loop_watch(loop, term->tty.in_fd, 0, NULL, NULL);
	loop_watch(loop, term->tty.out_fd, 0, NULL, NULL);
	loop_arm(loop, &term->key_timer, -1);
	loop_arm(loop, &term->retry_timer, -1);
	for (size_t i = 0; i < ARRAY_LEN(term_signals); i++)
		loop_on_signal(loop, term_signals[i], NULL, NULL);
}

void term_stop(struct term *term)
{
	if (!term)
		return;
	if (term->entered)
		leave(term);
	stop_loop(term);
	rescue_disarm();
	draw_surface_free(term->surface);
	if (term->screen)
		delscreen(term->screen);
	if (term->nothing)
		(void)fclose(term->nothing);
	pump_release(&term->pump);
	buf_release(&term->own);
	tty_close(&term->tty);
	input_free(term->input);
	free(term);
}

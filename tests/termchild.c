#include "tests/termchild.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "tui/prompt.h"
#include "tui/term.h"

#define KEYS_BYTES 256

struct child {
	struct clock clock;
	struct loop *loop;
	struct term *term;
	struct timer tick;
	long ticks, frames;
	bool busy, deaf, ended;
	int ticks_fd; /* where the test reads the ticks; -1 = nowhere */
	char keys[KEYS_BYTES];
	struct key last;
	struct prompt prompt;
	bool asking;
};

static void paint_busy(const struct child *child, struct surface *out)
{
	struct rect all = draw_bounds(out);

	/* Every cell changes with every frame, with all the marks that a cell can hold. */
	for (int y = 1; y < all.h; y++)
		for (int x = 0; x < all.w; x++)
			draw_text(out, (struct rect){ x, y, 1, 1 },
				  (enum style)((x + y + child->frames) % STYLE_COUNT),
				  (x + child->frames) % 2 ? "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84"
							  : "o\xcc\x84\xcc\x83\xcc\x82\xcc\x81");
}

static void paint(struct child *child)
{
	struct surface *out = term_frame(child->term);
	int columns, lines;

	if (!out)
		return;
	term_size(child->term, &columns, &lines);
	if (child->busy)
		paint_busy(child, out);
	else
		draw_frame(out, draw_bounds(out), "Child", "note", true);
	draw_textf(out, (struct rect){ 2, 1, columns - 4, 1 }, STYLE_TEXT, "size %dx%d term %s",
		   columns, lines, term_name(child->term));
	draw_textf(out, (struct rect){ 2, 2, columns - 4, 1 }, STYLE_RUNNING, "keys%s.",
		   child->keys);
	if (child->asking)
		prompt_draw(&child->prompt, out, (struct rect){ 2, 3, columns - 4, 1 });
	child->frames++;
	term_show(child->term);
}

static void on_tick(void *ctx)
{
	struct child *child = ctx;
	char text[32];

	child->ticks++;
	loop_arm(child->loop, &child->tick, TERMCHILD_TICK_MS);
	int len = snprintf(text, sizeof(text), "%20ld\n", child->ticks);
	if (child->ticks_fd >= 0 && len > 0)
		(void)!pwrite(child->ticks_fd, text, (size_t)len, 0);
	if (child->busy)
		paint(child);
}

static int overflow(volatile char *from)
{
	volatile char bytes[4096] = { 0 };

	return from[0] + (bytes[0] == 0 ? overflow(bytes) : 0) + bytes[1];
}

static void crash_by(uint32_t code)
{
	static const char start[] = "";

	if (code == KEY_CODE_F1)
		(void)raise(SIGSEGV);
	else if (code == KEY_CODE_F1 + 1)
		abort();
	else if (code == KEY_CODE_F1 + 2)
		(void)overflow((volatile char *)(uintptr_t)start);
	else if (code == KEY_CODE_F1 + 3)
		free(mem_new(SIZE_MAX / 2, 1)); /* out of memory */
}

static void on_key(void *ctx, struct key key, const char *paste)
{
	struct child *child = ctx;
	char name[KEY_NAME_SIZE];
	size_t len = strlen(child->keys);

	if (child->asking) {
		child->asking = prompt_feed(&child->prompt, key, paste) == PROMPT_MORE;
		paint(child);
		return;
	}
	key_format(key, name);
	if (snprintf(child->keys + len, sizeof(child->keys) - len, " %s%s%s%s", name,
		     paste ? "(" : "", paste ? paste : "", paste ? ")" : "") < 0)
		child->keys[len] = '\0';
	struct key interrupt = { 'c', KEY_CTRL };
	if (key_equal(key, interrupt) && key_equal(child->last, interrupt))
		loop_stop(child->loop);
	child->last = key;
	if (key.code == 'C')
		child->keys[0] = '\0';
	if (key.code == 'B')
		child->busy = !child->busy;
	if (key.code == 'P') {
		child->asking = true;
		prompt_start(&child->prompt, "prompt: ", "");
	}
	crash_by(key.code);
	paint(child);
}

static void on_change(void *ctx)
{
	paint(ctx);
}

static void on_gone(void *ctx)
{
	struct child *child = ctx;

	child->ended = true;
	loop_stop(child->loop);
}

static bool has_word(char **words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

int termchild_run(char **words)
{
	struct child child = { .clock = clock_system(), .ticks_fd = -1 };
	struct err err = { 0 };
	const char *ticks = getenv("TICKS");

	(void)setlocale(LC_CTYPE, "");
	child.loop = loop_new(&child.clock);
	child.busy = has_word(words, "busy");
	if (ticks)
		child.ticks_fd = open(ticks, O_WRONLY | O_CLOEXEC);
	child.term = term_start(&(struct term_options){ .in_fd = 0,
							.out_fd = 1,
							.loop = child.loop,
							.clock = &child.clock,
							.ascii = !term_locale_is_utf8(),
							.on_key = on_key,
							.on_resize = on_change,
							.on_gone = on_gone,
							.on_ready = on_change,
							.ctx = &child },
				&err);
	if (!child.term) {
		(void)printf("no screen: %s\n", err_text(&err));
		err_clear(&err);
		loop_free(child.loop);
		return 7;
	}
	if (has_word(words, "deaf")) { /* only the descriptor tells that the terminal is gone */
		loop_on_signal(child.loop, SIGHUP, NULL, NULL);
		loop_on_signal(child.loop, SIGCONT, NULL, NULL);
	}
	child.tick = (struct timer){ .fire = on_tick, .ctx = &child };
	loop_arm(child.loop, &child.tick, TERMCHILD_TICK_MS);
	paint(&child);
	while (loop_turn(child.loop, -1))
		continue;
	loop_arm(child.loop, &child.tick, -1);
	term_stop(child.term);
	loop_free(child.loop);
	(void)printf("left after %ld ticks\n", child.ticks);
	return child.ended ? 9 : 0;
}

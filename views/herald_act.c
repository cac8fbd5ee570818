/* What a rule does: on the terminal, by tmux, by a program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/osc.h"
#include "views/herald.h"
#include "views/words.h"

#define BYTES_MAX 4096
#define TMUX_MS   "10000" /* that tmux shows it, as its -d takes it */

static void say_failed(struct herald *herald, const char *what, const char *failure)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s: %s", what, failure);
	herald->say(herald->ctx, STYLE_ERROR, buf_text(&text));
	buf_release(&text);
}

/* --- on the terminal --- */

static void act_on_screen(struct herald *herald, const struct herald_item *item)
{
	struct buf bytes;
	if (!(item->acts & RULE_OF_SCREEN))
		return;
	buf_init(&bytes, BYTES_MAX);
	if (item->acts & RULE_OSC9)
		osc_add_9(&bytes, item->text);
	if (item->acts & RULE_OSC777)
		osc_add_777(&bytes, "gpuq", item->text);
	if (item->acts & RULE_BELL)
		buf_add_char(&bytes, '\a');
	herald->send(herald->ctx, buf_text(&bytes), bytes.len);
	herald->say(herald->ctx, STYLE_PENDING, item->text);
	buf_release(&bytes);
}

/* --- by a program --- */

static void on_ended(void *ctx, const char *failure)
{
	struct herald_child *slot = ctx;
	struct herald *herald = slot->herald;
	if (failure)
		say_failed(herald, slot->what, failure);
	herald_act(herald);
}

static struct herald_child *find_free(struct herald *herald)
{
	for (size_t i = 0; i < HERALD_CHILDREN; i++)
		if (!child_runs(&herald->children[i].child))
			return &herald->children[i];
	return NULL;
}

static void start(struct herald *herald, struct herald_child *slot, const struct rule *rule,
		  char *const argv[], const char *text)
{
	struct err err = { 0 };
	slot->herald = herald;
	slot->child.loop = herald->loop;
	slot->child.ended = on_ended;
	slot->child.ctx = slot;
	(void)snprintf(slot->what, sizeof(slot->what), "rule %s: %s", rule->name,
		       argv[0]); /* cut is good enough */
	if (!child_start(&slot->child, argv, text, strlen(text), &err))
		say_failed(herald, slot->what, err_text(&err));
	err_clear(&err);
}

/* tmux expands #{...}, #(...) and %H in what it shows; in a text of ours nothing is meant so. */
static void add_plain(struct buf *out, const char *text)
{
	struct buf clean;
	buf_init(&clean, WORDS_MAX);
	text_sanitise(&clean, text, strlen(text), TEXT_CELL, false);
	for (const char *c = buf_text(&clean); *c; c++)
		buf_addf(out, *c == '#' || *c == '%' ? "%c%c" : "%c", *c, *c);
	buf_release(&clean);
}

static void show_in_tmux(struct herald *herald, struct herald_child *slot,
			 const struct herald_item *item)
{
	static char program[] = "tmux", show[] = "display-message", delay[] = "-d", ms[] = TMUX_MS;
	const char *tmux = getenv("TMUX");
	struct buf text;
	if (!tmux || !tmux[0]) {
		say_failed(herald, item->rule->name, "tmux is to show it, and this is not in tmux");
		return;
	}
	buf_init(&text, BYTES_MAX);
	buf_add_text(&text, "gpuq: ");
	add_plain(&text, item->text);
	char *message = buf_take(&text);
	char *const argv[] = { program, show, delay, ms, message, NULL };
	start(herald, slot, item->rule, argv, "");
	free(message);
}

static void run(struct herald *herald, struct herald_child *slot, const struct herald_item *item)
{
	const struct shellwords *command = &item->rule->command;
	const char *home = getenv("HOME");
	char **argv = mem_new(command->count + 1, sizeof(*argv));
	struct buf path;
	buf_init(&path, WORDS_MAX);
	memcpy(argv, command->items, command->count * sizeof(*argv));
	if (strncmp(argv[0], "~/", 2) == 0)
		buf_addf(&path, "%s%s", home ? home : "", argv[0] + 1);
	else
		buf_add_text(&path, argv[0]);
	char *program = buf_take(&path);
	argv[0] = program;
	start(herald, slot, item->rule, argv, item->json);
	free(program);
	free(argv);
}

/* --- in their order --- */

/* False: something of it is left, for want of a place. */
static bool act(struct herald *herald, struct herald_item *item)
{
	static const unsigned programs[] = { RULE_TMUX, RULE_RUN };
	act_on_screen(herald, item);
	item->acts &= ~(unsigned)RULE_OF_SCREEN;
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		struct herald_child *slot = item->acts & programs[i] ? find_free(herald) : NULL;
		if (!slot)
			continue;
		item->acts &= ~programs[i];
		if (programs[i] == RULE_TMUX)
			show_in_tmux(herald, slot, item);
		else
			run(herald, slot, item);
	}
	return item->acts == 0;
}

void herald_act(struct herald *herald)
{
	for (size_t i = 0; i < herald->item_count;) {
		struct herald_item *item = &herald->items[i];
		if (!item->is_claimed || !act(herald, item)) {
			i++;
			continue;
		}
		free(item->text);
		free(item->json);
		herald->item_count--;
		memmove(item, item + 1, (herald->item_count - i) * sizeof(*item));
	}
}

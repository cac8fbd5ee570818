#include "views/ask.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/pane.h"

#define NARROW_COLUMNS 54 /* the longest of the sentences below */

void ask_start(struct ask *ask, const struct view_env *env, bool changes_cloud,
	       const char *type_name)
{
	const struct intents *intents = &env->intents;

	ask->env = env;
	mem_set_text(&ask->type_name, type_name);
	prompt_start(&ask->prompt, "name: ", "");
	if (!changes_cloud)
		return;
	ask->deaf_until_ms = clock_mono_ms(env->clock) + QUESTION_DEAF_MS;
	intents->discard_input(intents->host);
	intents->wake_in(intents->host, QUESTION_DEAF_MS);
}

bool ask_is_deaf(const struct ask *ask)
{
	return ask->deaf_until_ms > 0 && clock_mono_ms(ask->env->clock) < ask->deaf_until_ms;
}

enum answer ask_feed(struct ask *ask, struct key key, const char *paste)
{
	const struct key yes = { .code = 'y' };

	if (paste || key.code == KEY_CODE_PASTE || ask_is_deaf(ask))
		return ANSWER_NONE;
	if (!ask->type_name)
		return key_equal(key, yes) ? ANSWER_YES : ANSWER_NO;
	switch (prompt_feed(&ask->prompt, key, NULL)) {
	case PROMPT_DONE:
		if (strcmp(ask->prompt.text, ask->type_name) == 0)
			return ANSWER_YES;
		ask->is_mistyped = ask->prompt.text[0] != '\0';
		return ANSWER_NO;
	case PROMPT_CANCEL:
		return ANSWER_NO;
	case PROMPT_MORE:
		break;
	}
	return ANSWER_NONE;
}

static const char *how_to_answer(const struct ask *ask, int columns)
{
	bool narrow = columns < NARROW_COLUMNS;

	if (ask_is_deaf(ask))
		return narrow ? "(one moment)" : "(one moment: keys are ignored)";
	if (ask->type_name)
		return narrow ? "type the name: yes"
			      : "Type the name and Enter for yes; anything else is No.";
	return narrow ? "y = yes, else No" : "y = yes, anything else = No";
}

/* The sentence wrapped; with no lines to paint in, only counted. */
static int sentence_lines(struct surface *out, struct rect at, const char *sentence)
{
	return sentence[0] ? draw_wrapped(out, at, STYLE_QUESTION, sentence) : 0;
}

int ask_lines(const struct ask *ask, struct surface *out, int columns, const char *sentence)
{
	const struct rect nowhere = { .w = columns };

	return sentence_lines(out, nowhere, sentence) + (ask->type_name ? 2 : 1);
}

void ask_draw(const struct ask *ask, struct surface *out, struct rect at, const char *sentence)
{
	int own = ask->type_name ? 2 : 1;
	struct rect above = { at.x, at.y, at.w, at.h - own };
	struct rect line = { at.x, at.y + (above.h > 0 ? above.h : 0), at.w, 1 };

	if (at.h < 1 || at.w < 1)
		return;
	if (above.h > 0)
		sentence_lines(out, above, sentence);
	draw_text(out, line, STYLE_QUESTION, how_to_answer(ask, at.w));
	if (!ask->type_name || ask_is_deaf(ask))
		return;
	if (at.h > 1)
		line.y++;
	prompt_draw(&ask->prompt, out, line);
}

void ask_release(struct ask *ask)
{
	if (!ask)
		return;
	free(ask->type_name);
	*ask = (struct ask){ 0 };
}

struct rect ask_box(struct rect at, int columns, int lines)
{
	int w = columns < at.w ? columns : at.w;
	int h = lines < at.h ? lines : at.h;

	return (struct rect){ at.x + (at.w - w) / 2, at.y + (at.h - h) / 2, w, h };
}

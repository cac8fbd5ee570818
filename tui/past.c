#include "tui/past.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void past_begin(struct past *past)
{
	past->at = past->count;
	mem_set_text(&past->typed, NULL);
}

static void drop(struct past *past, size_t i)
{
	free(past->lines[i]);
	memmove(&past->lines[i], &past->lines[i + 1],
		(past->count - i - 1) * sizeof(past->lines[0]));
	past->count--;
}

void past_add(struct past *past, const char *line)
{
	if (!line[0])
		return;
	for (size_t i = 0; i < past->count; i++) {
		if (strcmp(past->lines[i], line) != 0)
			continue;
		drop(past, i);
		break;
	}
	if (past->count == PAST_MAX)
		drop(past, 0);
	past->lines[past->count++] = mem_copy_text(line);
	past_begin(past);
}

static bool is_key(struct key key, uint32_t special, uint32_t letter)
{
	return (key.code == special && key.mods == 0) ||
	       (key.code == letter && key.mods == KEY_CTRL);
}

bool past_feed(struct past *past, struct prompt *prompt, struct key key)
{
	bool older = is_key(key, KEY_CODE_UP, 'p'), newer = is_key(key, KEY_CODE_DOWN, 'n');
	if (!older && !newer)
		return false;
	if ((older && past->at == 0) || (newer && past->at >= past->count))
		return true;
	if (past->at == past->count)
		mem_set_text(&past->typed, prompt->text);
	past->at += older ? (size_t)-1 : 1;
	prompt_set(prompt, past->at == past->count ? past->typed : past->lines[past->at]);
	return true;
}

void past_release(struct past *past)
{
	for (size_t i = 0; i < past->count; i++)
		free(past->lines[i]);
	free(past->typed);
	*past = (struct past){ 0 };
}

/* The tags of the job whose page is open, or why they are not known. */
#include <string.h>

#include "model/base/text.h"
#include "views/fresh.h"
#include "views/sections.h"
#include "views/words.h"

#define KEY_LEAST 18
#define KEY_MOST  40

static int key_columns(const struct job_tags *tags)
{
	int most = KEY_LEAST;
	for (size_t i = 0; i < tags->count; i++) {
		int columns = text_width(tags->items[i].key);
		most = columns > most ? columns : most;
	}
	return most < KEY_MOST ? most : KEY_MOST;
}

static void write_tag(const struct writer *writer, const struct tag *tag, int columns)
{
	buf_add_text(writer->out, "  ");
	words_first_line(writer->out, tag->key);
	for (int used = text_width(tag->key); used < columns; used++)
		buf_add_char(writer->out, ' ');
	buf_add_text(writer->out, "  ");
	words_first_line(writer->out, tag->value);
	buf_add_char(writer->out, '\n');
}

/* The page wraps: the words need not fit anything. */
static void write_state(const struct writer *writer, const struct fresh *fresh)
{
	const struct fresh_room room = { WORDS_MAX, 1, FRESH_SHOWS_NOTHING };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	fresh_words(&text, fresh, &room);
	if (text.len > 0)
		buf_addf(writer->out, "  %s\n", buf_text(&text));
	buf_release(&text);
}

void section_tags(const struct writer *writer)
{
	const struct job_tags *tags = &writer->ui->env->store->tags;
	struct fresh fresh = fresh_of_tags(writer->ui);
	section_begin(writer, "TAGS");
	if (!tags->arn || strcmp(tags->arn, writer->job->arn) != 0)
		fresh = (struct fresh){ .state = FRESH_LOADING, .resource = "" };
	else if (tags->fresh.loaded && tags->count == 0)
		buf_add_text(writer->out, "  none\n");
	for (size_t i = 0; fresh.state != FRESH_LOADING && i < tags->count; i++)
		write_tag(writer, &tags->items[i], key_columns(tags));
	write_state(writer, &fresh);
}

#include "views/log_match.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

void log_match_init(struct log_match *match)
{
	*match = (struct log_match){ .stream = LOG_NONE };
	match->facts = mem_new(LOG_LINES_SLOTS, sizeof(*match->facts));
}

void log_match_release(struct log_match *match)
{
	free(match->facts);
	*match = (struct log_match){ .stream = LOG_NONE };
}

static void set_words(struct log_match *match, char words[LOG_WORDS_SIZE], const char *text)
{
	text_copy_cut(words, LOG_WORDS_SIZE, text);
	for (size_t i = 0; i < LOG_LINES_SLOTS; i++)
		match->facts[i].judged = false;
}

void log_match_filter(struct log_match *match, const char *words)
{
	set_words(match, match->filter, words);
}

void log_match_find(struct log_match *match, const char *text)
{
	set_words(match, match->find, text);
}

/* --- words --- */

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static char capital(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c & ~0x20) : c;
}

static bool has_capitals(const char *text)
{
	while (*text && small(*text) == *text)
		text++;
	return *text != '\0';
}

/* Where one letter stands next: looked for again only once it has been passed. */
struct letter {
	char c;
	const char *at; /* NULL: nowhere any more */
};

static void pass_letter(struct letter *letter, const char *text, size_t room)
{
	if (letter->at && letter->at < text)
		letter->at = memchr(text, letter->c, room);
}

static const char *nearer(const char *a, const char *b)
{
	return !a || (b && b < a) ? b : a;
}

static const char *find_word(const char *text, size_t len, const char *word, size_t wanted,
			     bool exact)
{
	const char *end = text + len;
	if (len < wanted)
		return NULL;
	struct letter one = { word[0], memchr(text, word[0], len) };
	struct letter other = { capital(word[0]), NULL };
	if (!exact && other.c != one.c)
		other.at = memchr(text, other.c, len);
	while ((size_t)(end - text) >= wanted && (text = nearer(one.at, other.at)) &&
	       (size_t)(end - text) >= wanted) {
		size_t same = 0;
		while (same < wanted && word[same] == (exact ? text[same] : small(text[same])))
			same++;
		if (same == wanted)
			return text;
		text++;
		pass_letter(&one, text, (size_t)(end - text));
		pass_letter(&other, text, (size_t)(end - text));
	}
	return NULL;
}

const char *log_match_next(const struct log_match *match, const char *text, size_t len)
{
	return find_word(text, len, match->find, strlen(match->find), has_capitals(match->find));
}

/* All words of the filter, and none of those with a '!'. */
static bool passes(const char *filter, const char *text, size_t len)
{
	while (*(filter += strspn(filter, " "))) {
		char word[LOG_WORDS_SIZE];
		size_t size = strcspn(filter, " ");
		bool not = filter[0] == '!' && size > 1;

		memcpy(word, filter + not, size - not );
		word[size - not ] = '\0';
		if ((find_word(text, len, word, size - not, has_capitals(word)) != NULL) == not )
			return false;
		filter += size;
	}
	return true;
}

/* --- lines --- */

struct log_fact *log_match_fact(const struct log_match *match, const struct log_lines *lines,
				size_t at)
{
	struct log_fact *fact = &match->facts[log_lines_slot(lines, at)];
	const struct log_line *line = log_lines_at(lines, at);

	if (fact->version != line->version)
		*fact = (struct log_fact){ .version = line->version };
	return fact;
}

/* A gap belongs to whatever is shown. */
static const struct log_fact *judge(const struct log_match *match, const struct log_lines *lines,
				    size_t at)
{
	struct log_fact *fact = log_match_fact(match, lines, at);
	const struct log_line *line = log_lines_at(lines, at);

	if (fact->judged)
		return fact;
	fact->judged = true;
	fact->shown = (line->flags & LOG_LINE_GAP) || passes(match->filter, line->text, line->len);
	fact->found = match->find[0] && log_match_next(match, line->text, line->len);
	return fact;
}

bool log_match_shows(const struct log_match *match, const struct log_lines *lines, size_t at)
{
	if (match->stream != LOG_NONE && log_lines_at(lines, at)->stream != match->stream)
		return false;
	return match->filter[0] == '\0' || judge(match, lines, at)->shown;
}

bool log_match_finds(const struct log_match *match, const struct log_lines *lines, size_t at)
{
	return match->find[0] && log_match_shows(match, lines, at) &&
	       judge(match, lines, at)->found;
}

size_t log_match_down(const struct log_match *match, const struct log_lines *lines, size_t at)
{
	while (at < lines->count && !log_match_shows(match, lines, at))
		at++;
	return at < lines->count ? at : LOG_NONE;
}

size_t log_match_up(const struct log_match *match, const struct log_lines *lines, size_t at)
{
	while (at < lines->count && !log_match_shows(match, lines, at))
		at--; /* under 0: past the count */
	return at < lines->count ? at : LOG_NONE;
}

#include "model/type_match.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

#define WORD_SIZE 64

/* How far a text lies from a name; the order of the list. */
enum rank { RANK_EXACT, RANK_BEGINS, RANK_HOLDS, RANK_NONE };

static bool row_holds(const struct instance_type *row, const char *word)
{
	return text_contains(row->name, word) || text_contains(row->accelerator, word) ||
	       text_contains(row->arch, word);
}

bool type_holds(const struct instance_type *type, const char *words)
{
	char word[WORD_SIZE];

	for (;;) {
		words += strspn(words, " ");
		size_t len = strcspn(words, " ");
		if (len == 0)
			return true;
		if (len >= sizeof(word))
			return false;
		memcpy(word, words, len);
		word[len] = '\0';
		if (!row_holds(type, word))
			return false;
		words += len;
	}
}

static bool begins(const char *name, const char *text)
{
	return text[0] && strncmp(name, text, strlen(text)) == 0;
}

static enum rank rank_of(const struct instance_type *row, const char *text)
{
	if (strcmp(row->name, text) == 0)
		return RANK_EXACT;
	/* Nobody types the prefix that all names have. */
	if (begins(row->name, text) || begins(row->name + strlen("ml."), text))
		return RANK_BEGINS;
	return type_holds(row, text) ? RANK_HOLDS : RANK_NONE;
}

static void add(struct type_matches *matches, const char *name, enum type_doubt doubt)
{
	matches->items = mem_grow(matches->items, &matches->capacity, matches->count + 1,
				  sizeof(*matches->items));
	matches->items[matches->count++] = (struct type_choice){ name, doubt };
}

static bool allows(const struct instance_type *type, enum job_kind kind)
{
	return kind == JOB_TRAINING ? type->training : type->processing;
}

/* In the order of ranks, and within one of the catalog. */
static void add_holding(struct type_matches *matches, enum job_kind kind, const char *text)
{
	size_t rows;
	const struct instance_type *all = catalog_all(&rows);

	for (int rank = RANK_EXACT; rank < RANK_NONE; rank++)
		for (size_t i = 0; i < rows; i++)
			if (allows(&all[i], kind) && (int)rank_of(&all[i], text) == rank)
				add(matches, all[i].name, TYPE_FITS);
}

/* Mistakes that a text of that length may hold. */
static unsigned most_mistakes(size_t len)
{
	return len < 4 ? 1 : len < 8 ? 2 : 4;
}

/* From a text to the nearest beginning of a name: what is typed need not be at its end. */
static unsigned distance(const char *text, const char *name)
{
	char start[TYPE_NAME_SIZE];
	size_t len = strlen(text), most = most_mistakes(len), full = strlen(name);
	unsigned best = (unsigned)most + 1;

	for (size_t cut = len > most ? len - most : 1; cut <= len + most && cut <= full; cut++) {
		memcpy(start, name, cut);
		start[cut] = '\0';
		unsigned here = text_distance(text, start, best);
		best = here < best ? here : best;
	}
	return best;
}

static void add_near(struct type_matches *matches, enum job_kind kind, const char *text)
{
	size_t rows, prefix = begins(text, "ml.") ? 0 : strlen("ml.");
	const struct instance_type *all = catalog_all(&rows);
	unsigned most = most_mistakes(strlen(text)), *mistakes = mem_new(rows, sizeof(*mistakes));

	for (size_t i = 0; i < rows; i++)
		mistakes[i] =
			allows(&all[i], kind) ? distance(text, all[i].name + prefix) : most + 1;
	for (unsigned far = 0; far <= most; far++)
		for (size_t i = 0; i < rows && matches->count < TYPE_NEAR_MAX; i++)
			if (mistakes[i] == far)
				add(matches, all[i].name, TYPE_FITS);
	free(mistakes);
}

/* Without the blanks around it, in lower case as all names are. */
static void trim(const char *text, char out[WORD_SIZE])
{
	size_t len;

	text += strspn(text, " ");
	len = strlen(text);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	len = len < WORD_SIZE ? len : WORD_SIZE - 1;
	for (size_t i = 0; i < len; i++)
		out[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
	out[len] = '\0';
}

static void read_typed(struct type_matches *matches, const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-");

	matches->typed[0] = '\0';
	if (len < strlen("ml.") + 1 || len >= TYPE_NAME_SIZE || !begins(text, "ml.") || text[len])
		return;
	memcpy(matches->typed, text, len + 1);
}

void type_matches_find(struct type_matches *matches, enum job_kind kind, const char *text)
{
	char word[WORD_SIZE];

	trim(text, word);
	matches->count = 0;
	read_typed(matches, word);
	add_holding(matches, kind, word);
	matches->near = matches->count == 0;
	if (matches->typed[0] && !catalog_allows(matches->typed, kind))
		add(matches, matches->typed,
		    catalog_find(matches->typed) ? TYPE_NOT_FOR_KIND : TYPE_NOT_KNOWN);
	if (matches->near && word[0])
		add_near(matches, kind, word);
}

void type_matches_release(struct type_matches *matches)
{
	free(matches->items);
	*matches = (struct type_matches){ 0 };
}

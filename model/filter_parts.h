/* Shared by the files of model/filter: reading (filter_read.c), fields (filter_fields.c) and what
 * holds (filter.c). */
#ifndef GPUQ_FILTER_PARTS_H
#define GPUQ_FILTER_PARTS_H

#include "model/filter.h"
#include "model/pattern.h"

/* Texts of one field: the selected type and those of the list are the most. */
#define FILTER_TEXTS_MAX (PREFS_KEEP_MAX + 2)

enum field_unit { UNIT_TEXT, UNIT_TAG, UNIT_DURATION, UNIT_MONEY, UNIT_COUNT };

struct field {
	struct filter_field_row row;
	enum field_unit unit;
	/* Of UNIT_TEXT: what is known, at most FILTER_TEXTS_MAX; borrowed. */
	size_t (*texts)(const struct job *job, const char *out[FILTER_TEXTS_MAX]);
	/* Of figures: ms, micro units or a number; false = not known. */
	filter_figure_fn *figure;
};
extern const struct field filter_fields[];
extern const size_t filter_field_count;

/* An ASCII capital made small. */
static inline char filter_small(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

enum term_kind { TERM_WORD, TERM_REGEX, TERM_FIELD };
enum term_operator { OP_IS, OP_IS_NOT, OP_HOLDS, OP_ABOVE, OP_FROM, OP_BELOW, OP_UP_TO };

struct term {
	enum term_kind kind;
	bool exclude;
	const struct field *field;
	enum term_operator op;
	const char *text; /* in the filter's own; NUL-terminated; of TERM_WORD in small letters */
	int64_t figure;
	struct pattern *pattern; /* owned; of TERM_REGEX */
};

struct filter {
	char texts[FILTER_SIZE + FILTER_TERMS_MAX]; /* of the terms, one after the other */
	size_t texts_len;
	struct term terms[FILTER_TERMS_MAX];
	size_t count;
	bool is_wrong;
	struct filter_wrong wrong;
};

#endif

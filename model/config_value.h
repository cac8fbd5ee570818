/*
 * One value of the program's config file or of an option that has a setting: what it may be, read
 * and said. Rules are parts of table rows (config.c, config_check.c).
 */
#ifndef GPUQ_CONFIG_VALUE_H
#define GPUQ_CONFIG_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"

enum value_kind {
	VALUE_BOOL,     /* yes or no, and the words that other programs have for them; 1 or 0 */
	VALUE_SECONDS,  /* 5, 1.5 or a duration; in milliseconds */
	VALUE_DURATION, /* in milliseconds */
	VALUE_MONEY,    /* micro units of the price's currency */
	VALUE_COUNT,
	VALUE_WORD,   /* one of rule.words; its index */
	VALUE_WORDS,  /* names, parted by commas */
	VALUE_REGION, /* from here on there is no number */
	VALUE_FOLDER,
	VALUE_TYPE,  /* an instance type */
	VALUE_PREFS, /* LIST of interface.md */
	VALUE_TEXT,
};

struct value_rule {
	enum value_kind kind;
	int64_t least, most;      /* seconds, whole units of money, or a count */
	const char *const *words; /* NULL at the end */
};

/* False: wrong (may be NULL) gets "takes yes or no, not 'x'". number is 0 where the kind has none.
 */
bool value_read(const struct value_rule *rule, const char *text, int64_t *number,
		struct buf *wrong) MUST_CHECK;

/* Appends what a value may be: "yes or no". */
void value_add_allowed(const struct value_rule *rule, struct buf *out);

/* Appends ", not 'TEXT'": cut where it is long, hidden where it looks like a secret. */
void value_add_refused(struct buf *out, const char *text);

#endif

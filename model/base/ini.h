/*
 * The ini grammar of the AWS files, as the AWS CLI reads it (facts/aws.md section 5): pure, over a
 * text in memory. Keys are lower-cased and cut at the first '=' or ':'; blanks around both sides
 * go; quotes and what looks like a comment behind a value belong to the value; a whole line that
 * begins with '#' or ';' is a comment; a line indented deeper than its key's goes on with the
 * value, and under a key without a value is a nested `name = value`. Names of sections keep case.
 *
 * Where the CLI refuses a whole file, one slip damages one section here: the section is marked, the
 * others are good. A byte order mark is skipped; a section or a key that stands twice is merged,
 * the last value holds. No value is ever part of a problem's text.
 */
#ifndef GPUQ_BASE_INI_H
#define GPUQ_BASE_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define INI_TEXT_MAX     (1u << 20) /* bytes; five thousand profiles */
#define INI_LINES_MAX    100000
#define INI_SECTIONS_MAX 4096
#define INI_KEYS_MAX     512 /* of one section; the AWS CLI knows about 60 */
#define INI_PROBLEMS_MAX 64  /* of each severity; the rest is counted */
#define INI_WORD_MAX     36  /* bytes of a stray's word; a secret on a line of its own is longer */

enum ini_severity {
	INI_NOTE,   /* read, but perhaps not as it was meant, or not by every AWS tool */
	INI_DAMAGE, /* a line that could not be read */
};

struct ini_problem {
	enum ini_severity severity;
	size_t line;         /* from 1 */
	const char *section; /* "" = before the first one */
	const char *key;     /* "" = none, or one that may be no key's name */
	const char *text;    /* static; goes on from "LINE, SECTION KEY: " */
};

/* Strings are NUL-terminated and borrowed from the struct ini, here and below. */
struct ini_key {
	const char *name;  /* lower case; of a nested line as written */
	const char *value; /* lines of a continued one are joined by '\n'; "" above nested lines */
	size_t line;
	size_t nested, nested_count; /* its lines in ini.nested */
};

struct ini_section {
	const char *name;
	size_t line, last_line; /* of its first and its last header */
	struct ini_key *keys;   /* in the order of the file */
	size_t count, capacity;
	struct ini_problem damage; /* the first; line 0 = sound */
};

/* A line that set nothing: no `key = value`, or taken for a part of the value or the slip above. */
struct ini_stray {
	size_t section, line;
	char word[INI_WORD_MAX + 1]; /* its first, in lower case: what it may have meant to set */
};

struct ini {
	char *name;  /* owned; what messages call the file */
	char *bytes; /* owned; all the strings: wiped on release, since they hold secrets */
	size_t used, size;
	struct ini_section *sections; /* in the order of the file */
	size_t count, capacity;
	struct ini_key *nested;
	size_t nested_count, nested_capacity;
	struct ini_problem problems[2 * INI_PROBLEMS_MAX]; /* in the order found */
	size_t problem_count;
	size_t found[INI_DAMAGE + 1]; /* by severity; those left out too */
	struct ini_stray *strays;     /* with INI_KEYS_FIRST; in the order of the file */
	size_t stray_count, stray_capacity;
};

/* The program's own file: keys above the first header are in a section "" (else each such line is a
 * problem), strays are kept, and notes say nothing of AWS tools. */
#define INI_KEYS_FIRST 1u

/*
 * Reads text[0..len); no text is an empty file. False with err (ERR_CONFIG, subject = name) only
 * for what is no such file at all: UTF-16, a NUL byte, or over a ceiling; then there are no
 * sections. Release either way. {0} is valid and releasable.
 */
bool ini_parse(struct ini *ini, const char *name, const char *text, size_t len, unsigned flags,
	       struct err *err) MUST_CHECK;
void ini_release(struct ini *ini);

/* NULL when there is none. A NULL section has no keys. */
struct ini_section *ini_find_section(const struct ini *ini, const char *name);
const struct ini_key *ini_find_key(const struct ini_section *section, const char *name);
/* The nested line of that name under a key (exact case, the last one); NULL when there is none. */
const struct ini_key *ini_find_nested(const struct ini *ini, const struct ini_key *key,
				      const char *name);

/* A key's name as messages may have it: "" for what may be no name, but a secret on a line of its
 * own. */
const char *ini_shown_key(const char *name);

/*
 * Adds what a reader of the sections found: a setting nobody knows, a header of no meaning. Damage
 * marks the section. section NULL: none; key "": none; text is static.
 */
void ini_add_problem(struct ini *ini, enum ini_severity severity, struct ini_section *section,
		     size_t line, const char *key, const char *text);

/* Appends "FILE, line 7, [profile dev] region: TEXT". */
void ini_describe_problem(const struct ini *ini, const struct ini_problem *problem,
			  struct buf *out);

#endif

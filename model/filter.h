/*
 * The filter of the job list (product.md, Keys, Find): terms parted by blanks, all of which must
 * hold.
 *
 *     llm        stands in the name, kind, phase, status, types, message or reason
 *     "two words"
 *     /re/       the same by a regular expression (pattern.h)
 *     wait>2h    a field, an operator and a value: filter_field_row has the fields
 *     !TERM      the term does not hold
 *
 * Case is ignored. Texts are compared by : or = (is), != (is not) and ~ (holds), figures by those
 * but ~ and by > >= < <=. What is not known of a job is neither above nor below anything.
 */
#ifndef GPUQ_FILTER_H
#define GPUQ_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "model/job.h"
#include "model/price_book.h"

#define FILTER_SIZE       256 /* with its NUL; what is longer is wrong from there on */
#define FILTER_TERMS_MAX  32
#define FILTER_WRONG_SIZE 96

/* Where a filter is no filter, in bytes, and why; the first place. */
struct filter_wrong {
	size_t at, len;
	char text[FILTER_WRONG_SIZE];
};

#define FILTER_MEMO_TEXTS 256

/* What stands in texts and lists that jobs of a store share, a bit for each term: of 100,000 jobs
 * it is looked for once. Good for one walk over a store that does not change; {0} knows nothing. */
struct filter_memo {
	struct {
		const void *of;
		uint32_t asked, stands;
	} known[FILTER_MEMO_TEXTS];
};

/* What figures are worked out with. */
struct filter_ask {
	int64_t now_ms;                  /* by AWS's clock */
	const struct price_book *prices; /* NULL: no cost is known */
	struct filter_memo *memo;        /* NULL: nothing is remembered */
};

struct filter; /* a text read once for many jobs; NULL = empty, which holds for all */

/* Never NULL. Terms that are wrong are left out: the others hold while one is being typed. */
struct filter *filter_new(const char *text);
void filter_free(struct filter *filter);
/* NULL = nothing is wrong. Borrowed. */
const struct filter_wrong *filter_wrong(const struct filter *filter);
bool filter_matches(const struct filter *filter, const struct job *job,
		    const struct filter_ask *ask);

/* It names jobs by a text that they have: not all, and not those alone that lack something. */
bool filter_names_jobs(const struct filter *filter);

/* A figure of a job by its field ("wait": ms; "cost": micro units; else a number); false = it is
 * not known. NULL where the field is a text, or none. */
typedef bool filter_figure_fn(const struct job *job, const struct filter_ask *ask, int64_t *out);
filter_figure_fn *filter_figure(const char *field);

/* The fields in their order, with a word of help and how it is mostly used ("wait>2h"); NULL behind
 * the last. */
struct filter_field_row {
	const char *name, *example, *help;
};
const struct filter_field_row *filter_field_row(size_t i);

#endif

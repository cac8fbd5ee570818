/*
 * Which instance types a typed text means, the likeliest first: those that hold every word of it
 * (name, accelerator or architecture), those whose name begins so before the others; where there
 * are none, the names that are nearest to it. Pure: over the catalog.
 */
#ifndef GPUQ_TYPE_MATCH_H
#define GPUQ_TYPE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/catalog.h"

#define TYPE_NEAR_MAX 12 /* names offered for a text that no type holds */

enum type_doubt {
	TYPE_FITS,
	TYPE_NOT_FOR_KIND, /* the catalog has it, for the other kind of job */
	TYPE_NOT_KNOWN,    /* not in the catalog: AWS decides */
};

struct type_choice {
	const char *name; /* borrowed from the catalog, or of the matches' own `typed` */
	enum type_doubt doubt;
};

/* {0} is valid; release it. */
struct type_matches {
	struct type_choice *items; /* owned */
	size_t count, capacity;
	char typed[TYPE_NAME_SIZE]; /* the text as a full name (ml.something); "" = it is none */
	bool near;                  /* nothing holds the text: what stands here is near to it */
};

/* Every blank-separated word stands in the type's name, its accelerator or its architecture, in any
 * case; "" holds for all. */
bool type_holds(const struct instance_type *type, const char *words);

/* Types that the kind cannot use are left out, but for one that is typed in full: it is the
 * operator's to decide, and is marked. matches is overwritten. */
void type_matches_find(struct type_matches *matches, enum job_kind kind, const char *text);
void type_matches_release(struct type_matches *matches);

#endif

/*
 * What check says of a request and what the region answers to it, laid side by side: counted by
 * rule, with the disagreements told one by one.
 */
#ifndef GPUQ_TESTS_VERDICTS_H
#define GPUQ_TESTS_VERDICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/check.h"

#define VERDICT_RULES 20 /* errors of interface.md */

struct verdicts {
	unsigned long compared, ok, doubtful; /* doubtful: left to AWS, either answer is right */
	/* By rule: named by check; named alone; refused for it by the region where named alone. */
	unsigned long named[VERDICT_RULES], alone[VERDICT_RULES], refused[VERDICT_RULES];
	unsigned long ok_refused, error_accepted; /* the disagreements */
	unsigned long other_reason;               /* refused by both, each for something else */
	unsigned told;                            /* disagreements written out */
};

/* One request: what check found, and the region's status and body. from says which one it is, for
 * the writing out. */
void verdicts_take(struct verdicts *verdicts, const struct findings *findings, int status,
		   const char *body, const char *text, const char *from);

/* The table on stdout. */
void verdicts_print(const struct verdicts *verdicts);
/* The rule that was named or refused less often than that on its side; NULL = all have their share.
 */
const char *verdicts_rare(const struct verdicts *verdicts, unsigned long wanted);

#endif

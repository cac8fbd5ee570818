/*
 * The difference between the service's clock and this machine's: measured from the Date of
 * answers, used for signatures and ages, and seen behind refusals. Source: facts/aws.md section 3.
 */
#ifndef GPUQ_SKEW_H
#define GPUQ_SKEW_H

#include "aws/transport.h"
#include "model/base/buf.h"

#define SKEW_SEEN_MS INT64_C(240000) /* a clock this far off counts as wrong; AWS takes 300000 */

struct skew {
	bool known;
	int64_t ms;     /* the service's clock minus ours; negative: ours is ahead */
	bool unsettled; /* signatures keep to this machine's clock: the user wants it so */
};

/* Takes the Date of an answer that has one and was not long under way (all in ms; wall_ms is this
 * machine's clock now). False if it says nothing. */
bool skew_learn(struct skew *skew, const struct http_reply *reply, int64_t round_trip_ms,
		int64_t wall_ms);

/* The time to sign with, for this machine's time. */
int64_t skew_signing_ms(const struct skew *skew, int64_t wall_ms);

enum skew_doubt {
	SKEW_NONE,  /* the refusal has another cause */
	SKEW_STALE, /* the signature was old when it arrived: a new one may pass */
	SKEW_CLOCK, /* the same, and the clock may be why */
};

/* What a refusal of a request signed for signed_ms says of the clock. */
enum skew_doubt skew_doubt_of(const struct err *err, const struct http_reply *reply,
			      int64_t signed_ms);

/*
 * Puts the truth into an error that has HINT_CHECK_CLOCK: a clock that is measured to be right is
 * not to be set; of one that is wrong, the text begins with how much.
 */
void skew_explain(const struct skew *skew, struct err *err);

/* "15 min 24 s behind", "1 h 2 min ahead": this machine's clock. */
void skew_add_words(struct buf *out, int64_t ms);

#endif

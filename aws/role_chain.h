/*
 * Which roles a profile assumes one after the other, and where the first keys come from: the rules
 * of source_profile and credential_source (facts/aws.md 4.2). Pure; nothing is fetched.
 */
#ifndef GPUQ_ROLE_CHAIN_H
#define GPUQ_ROLE_CHAIN_H

#include "aws/profiles.h"

struct role_chain {
	/* Owned array of borrowed profiles with a role_arn, the chosen profile's first: roles[0] is
	 * assumed last, with the keys of roles[1], and so on. */
	const struct profile **roles;
	size_t count, capacity;
	/* Whose other sources (facts/aws.md section 4, steps 3 to 8) give the keys that assume the
	 * last of roles. NULL: those of its credential_source do. */
	const struct profile *base;
	const char *credential_source; /* borrowed; NULL where base is set */
};

/*
 * A profile without a role_arn is its own base. The credentials of a web identity are among the
 * base's sources. False with err (ERR_AUTH): a source that is not there or damaged, both kinds of
 * source or none, an unknown credential_source, or a circle, which is shown whole. NULL for top
 * gives an empty chain. Release either way.
 */
bool role_chain_follow(struct role_chain *chain, const struct profiles *profiles,
		       const struct profile *top, struct err *err) MUST_CHECK;
void role_chain_release(struct role_chain *chain);

#endif

/*
 * Where the program is in AWS, as far as it is known, and where it has been sent: a profile and a
 * region. Going elsewhere is a new session; this keeps what both have in common.
 */
#ifndef GPUQ_PLACE_H
#define GPUQ_PLACE_H

#include "aws/session.h"
#include "model/arn.h"

/* Where the user wants to be; NULL: what environment and files say. {0} is valid. */
struct place {
	char *profile, *region; /* owned */
	bool region_is_kept;    /* from the place before, where the profile has none */
};

/* The place in use and the one before it, which stays while an old session borrows from it. */
struct places {
	struct place now, before;
	bool has_before;
};
/* Takes copies. */
void places_start(struct places *places, const char *profile, const char *region);
/* To another profile (NULL: the same) and region (NULL: its own). */
void places_go(struct places *places, const char *profile, const char *region);
/* The profile has no region of its own: the one that is in use stays. */
void places_keep_region(struct places *places, const char *region);
void places_go_back(struct places *places);
void places_release(struct places *places);

/* What is shown of a place; "" = not known. */
struct whereabouts {
	char region[REGION_SIZE];
	char account[ACCOUNT_SIZE], profile[128], role[PRINCIPAL_SIZE];
	char endpoint[ENDPOINT_HOST_SIZE];
};
/* Before anything has answered. profile: of an option, NULL: the environment's. */
void whereabouts_expect(struct whereabouts *at, const char *region, const char *profile);
/* What the session has found out; the account else by the ARN of any job. */
void whereabouts_note(struct whereabouts *at, const struct session *session,
		      const struct store *store);

/* Names that can be gone to: the i-th profile of the AWS files in their order / region, those of
 * the profiles first. NULL at the end, and while the files have not been read. Borrowed. */
const char *place_profile_at(struct session *session, size_t i);
const char *place_region_at(struct session *session, size_t i);

/* The region of a new session, as far as it is known before it has read the files: option, else
 * environment, else the profile's (NULL: the environment's profile). NULL: nobody says it. */
const char *place_expected_region(struct session *session, const char *region, const char *profile);

/* After going to another profile: its session's region is another than one would think. Says so in
 * text; false: it is not. */
bool place_has_other_region(const struct place *place, struct session *session, struct buf *text);

#endif

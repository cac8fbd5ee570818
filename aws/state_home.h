/*
 * Where the state of a session lies, and whose it is: the account as the source of the credentials
 * tells it, or the access key id itself, or STS; `unknown` stands for one that nobody tells. That
 * of the demo goes with it.
 */
#ifndef GPUQ_STATE_HOME_H
#define GPUQ_STATE_HOME_H

#include "aws/session.h"

struct state_home {
	char account[ACCOUNT_ID_SIZE]; /* "" = nobody tells */
	bool is_told; /* in so many words, not by the access key id, which need not be AWS's */
	char region[REGION_SIZE];
	char endpoint[ENDPOINT_URL_SIZE]; /* of one that is not AWS's; "" = AWS's */
	char access_key[64];              /* cut: it is compared, not signed with; "" = not known */
};

/* False while it may yet be told who signs. */
bool state_home_find(struct session *session, struct state_home *home);

/*
 * Nobody can sign, since the search for credentials has failed: the account that the profile states
 * (setup_account), for what is only to be shown. False where it states none, or somebody can sign
 * or may soon.
 */
bool state_home_expect(struct session *session, struct state_home *home);

/* Appends the folder's path (model/state_folder.h). False with err: there is no place for one. */
bool state_home_add_folder(struct session *session, const struct state_home *home, struct buf *out,
			   struct err *err) MUST_CHECK;

#endif

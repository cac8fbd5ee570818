/*
 * What every view gets: the store to read, the state shared by the panes, and the intents that
 * the app carries out. Views never talk to AWS.
 */
#ifndef GPUQ_VIEW_H
#define GPUQ_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/clock.h"
#include "model/config.h"
#include "model/intents.h"
#include "model/store.h"
#include "tui/draw.h"
#include "tui/input.h"
#include "tui/keymap.h"

/* What the program does for a view beside what is asked of AWS. None blocks. */
struct intents {
	void (*quit)(void *host);
	/* Typed keys not yet handed out are thrown away (a question that changes AWS opens). */
	void (*discard_input)(void *host);
	/* Something changed that a clock must repaint in ms (deaf time over). */
	void (*wake_in)(void *host, int64_t ms);
	/* Gives text to whoever sits at the terminal, and says what was done with `what`. */
	void (*copy)(void *host, const char *what, const char *text);
	/* Reads the config anew; what came of it is said. */
	void (*reload)(void *host);
	void *host;
};

struct view_env {
	const struct store *store;
	const struct clock *clock;
	const char *region;
	const char *account;  /* 12 digits, or "" while unknown */
	const char *profile;  /* "" = none; "demo" on the simulated region */
	const char *role;     /* or user, that signs; "" while unknown. May be NULL, as the next */
	const char *endpoint; /* the host of one that is not AWS's; "" = AWS's */
	const char *endpoint_url; /* of --endpoint-url; NULL = none */
	const char *fixed;        /* why there is no other profile or region; NULL = there may be */
	bool read_only;
	bool utc;
	bool mouse;                  /* at the start */
	const struct keymap *keys;   /* NULL = those of the tables */
	const struct config *config; /* NULL = none */
	int64_t confirm_above_micro; /* above it (or unknown) the job's name is typed */
	bool tag_notes;              /* of drafts: they go with the request (tag_jobs) */
	struct cloud_intents cloud;
	struct draft_intents drafts;
	struct intents intents;
};

#endif

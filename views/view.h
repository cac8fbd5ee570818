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
#include "model/request.h"
#include "model/store.h"
#include "tui/draw.h"
#include "tui/input.h"
#include "tui/keys.h"

/* What `:profile` and `:region` choose among. */
enum place_part { PLACE_PROFILE, PLACE_REGION };

/* What the app does for a view. None blocks; results come back through the screen_* calls. */
struct intents {
	/* The selected job changed (NULL = none): describe it first. */
	void (*select)(void *host, const char *arn);
	void (*refresh)(void *host);
	/* Sends it. The answer comes by screen_submitted. */
	void (*submit)(void *host, const struct order *order);
	/* Stops a job. The answer comes by screen_stopped. */
	void (*stop)(void *host, enum job_kind kind, const char *name);
	void (*quit)(void *host);
	/*
	 * To another profile (in the region that goes with it) or another region (NULL: as they
	 * are); with neither, back to where the program was before. The screen is moved with it
	 * (screen_move), or told by screen_say why not.
	 */
	void (*switch_to)(void *host, const char *profile, const char *region);
	/* The profiles of the AWS files in their order; the regions that these name, then all. NULL
	 * beyond the last. Borrowed for the turn. */
	const char *(*name_at)(void *host, enum place_part part, size_t i);
	/* The answer to screen_ask_code: six digits; NULL gives up. */
	void (*code)(void *host, const char *code);
	/* Typed keys not yet handed out are thrown away (a question that changes AWS opens). */
	void (*discard_input)(void *host);
	/* Something changed that a clock must repaint in ms (deaf time over). */
	void (*wake_in)(void *host, int64_t ms);
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
	const char *fixed;    /* why there is no other profile or region; NULL = there may be */
	bool read_only;
	bool utc;
	int64_t confirm_above_micro; /* above it (or unknown) the job's name is typed */
	struct intents intents;
};

#endif

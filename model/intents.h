/*
 * What a user interface asks of whoever talks to AWS. None of it blocks; what comes of it is told
 * by the outcomes that the other side was given.
 */
#ifndef GPUQ_INTENTS_H
#define GPUQ_INTENTS_H

#include <stddef.h>

#include "model/draft.h"
#include "model/journal.h"
#include "model/quota.h"
#include "model/requeue.h"
#include "model/stop.h"

/* What `:profile` and `:region` choose among. */
enum place_part { PLACE_PROFILE, PLACE_REGION };

struct cloud_intents {
	/* The selected job changed (NULL = none): describe it first. */
	void (*select)(void *host, const char *arn);
	void (*refresh)(void *host);
	/* Asks whether the name is free; the answer comes to lie in the store. May be NULL. */
	void (*look_at_name)(void *host, enum job_kind kind, const char *name);
	/* Sends it. The answer comes by screen_submitted. */
	void (*submit)(void *host, const struct order *order);
	/* Asks AWS for more of a quota. The answer comes by screen_quota_raised. */
	void (*raise_quota)(void *host, const struct quota_raise *raise);
	/* Stops jobs one after the other; copied. Each answer comes by screen_stopped. */
	void (*stop)(void *host, const struct stop_wish *wishes, size_t count);
	/* Requeues; copied. Each step comes by screen_requeued, or screen_say says why not. */
	void (*requeue)(void *host, const struct requeue_wish *wish);
	/* Takes back the requeue of that old job, or the submission of that name (old_name NULL).
	 * What comes of it is told as ever. */
	enum withdrawal (*withdraw)(void *host, enum job_kind kind, const char *old_name,
				    const char *name);
	/* Keeps a draft's note with the job that has come of it. May be NULL. */
	void (*keep_note)(void *host, enum job_kind kind, const char *name, const char *text);
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
	void *host;
};

/* What is asked about drafts and files, of whoever has a disk and a terminal. Each may be NULL. */
struct draft_intents {
	/* It has changed: it is to be on disk soon. */
	void (*changed)(void *host, struct draft *draft);
	/* It goes, and its file with it; freed after the call. */
	void (*dropped)(void *host, const struct draft *draft);
	/* It is of the place where the program is. */
	bool (*is_here)(void *host, const struct draft *draft);
	/* Reads the file of a request. The answer comes by screen_file_read. */
	void (*read_file)(void *host, const char *path);
	/* Gives a request's text into the hands of $EDITOR. The answer comes by screen_edited. */
	void (*edit_text)(void *host, const char *text);
	/* Writes a file, copied; replace: over one that is there. The answer comes by
	 * screen_file_written: ERR_CONFLICT where there is one. */
	void (*write_file)(void *host, const char *path, const char *text, size_t len,
			   bool replace);
	void *host;
};

#endif

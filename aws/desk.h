/*
 * What a dashboard asks of AWS is answered here: one session at a time with what is under way on
 * it, and the way from one place (profile, region) to another.
 */
#ifndef GPUQ_DESK_H
#define GPUQ_DESK_H

#include "aws/changes.h"
#include "aws/names.h"
#include "aws/place.h"
#include "aws/raises.h"
#include "aws/session.h"
#include "aws/stops.h"
#include "model/action_log.h"
#include "model/intents.h"

/* How what is said is meant. */
enum desk_tone { DESK_CALM, DESK_GOOD, DESK_WAITS, DESK_WARNS, DESK_FAILED };

/* {0} with the owner's part set. */
struct desk {
	/* the owner's */
	struct store *store;
	/* Makes `options` those of another place; by: what has led there. */
	void (*go)(void *ctx, const char *profile, const char *region, const char *by);
	/* The session is another one, on its way to be connected: what was shown is of no place. */
	void (*moved)(void *ctx);
	void (*said)(void *ctx, enum desk_tone tone, const char *text);
	/* The folder for the state of where the session is, with each note. passing: it may yet be
	 * told who signs, and then it is another one. NULL: there is none, and err says why. */
	void (*folder)(void *ctx, const char *path, bool passing, const struct err *err);
	void *ctx;
	struct session_options options; /* of the next session */
	/* Of a dashboard: while nobody can sign it shows the past of the account that the profile
	 * states. */
	bool shows_past;
	struct changes changes;    /* with its call backs */
	struct raises raises;      /* with its call back */
	struct stops stops;        /* with its call backs */
	struct action_log actions; /* with its owner's part: what is done here is kept in it */
	/* of desk.c */
	struct session *session;
	struct places places;
	struct whereabouts at;
	struct names names;
	char past_account[ACCOUNT_ID_SIZE]; /* whose history is open; "" = none, or not told */
	bool is_astray;                     /* who signs is of another account than that */
	bool has_moved;                     /* to a place that has not answered yet */
	bool code_is_sent;                  /* of an MFA device, and nothing has come of it yet */
};

/* profile, region: of the options that the user gave, NULL: none. */
void desk_start(struct desk *desk, const char *profile, const char *region);
void desk_release(struct desk *desk);

/* What it answers. */
struct cloud_intents desk_intents(struct desk *desk);

/* Read-only from now on, but for what is under way; false: as it is. */
void desk_set_read_only(struct desk *desk, bool read_only);

/* From the session: it stands / a search for credentials has ended, err NULL: with some. */
void desk_connected(struct desk *desk);
void desk_credentials(struct desk *desk, const struct err *err);

/* Between two turns of the loop: what a dashboard shows of another account than signs now goes, as
 * at a switch of place. */
void desk_turn(struct desk *desk);

/* Takes down anew what is known of where the session is. */
void desk_note(struct desk *desk);
/* The region before anything has answered, or NULL. */
const char *desk_expected_region(struct desk *desk);

#endif

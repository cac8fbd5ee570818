/*
 * Carries out the rules of the operator's config, with a screen or without one: looks what has
 * happened whenever the store has changed, has it written down that it was told (once a day for
 * each rule, event and job), and rings, notifies, runs or stops.
 */
#ifndef GPUQ_HERALD_H
#define GPUQ_HERALD_H

#include "model/base/disk.h"
#include "model/config_rules.h"
#include "model/intents.h"
#include "model/news.h"
#include "model/outlook.h"
#include "model/stop.h"
#include "model/wants.h"
#include "tui/child.h"
#include "tui/style.h"

#define HERALD_GAP_MS   INT64_C(1000)  /* between two looks */
#define HERALD_PLACE_MS INT64_C(10000) /* that the state folder is waited for */
#define HERALD_CHILDREN 4              /* programs at once */
#define HERALD_QUEUE    256            /* events that wait for theirs; more are dropped, and said */
#define HERALD_STOPS    256            /* jobs whose stop is named at once */

/* What is told, on its way. */
struct herald_item {
	const struct rule *rule; /* borrowed */
	unsigned acts;           /* those that are left */
	bool is_claimed;         /* it is ours to tell */
	uint64_t key;
	char *text, *json; /* owned */
};

struct herald_stop {
	uint64_t key; /* of rule and job */
	struct opt_ms named;
	int64_t said_ms; /* when that was said last: it is said again every few minutes */
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	/* The stop is on its way, or was; it has ended; the job waits as of this look. */
	bool is_sent, is_answered, is_seen;
};

struct herald_child {
	struct child child;
	struct herald *herald;
	char what[160]; /* "rule slack: /home/me/bin/to-slack" */
};

/* {0} with the first part set. */
struct herald {
	struct loop *loop; /* borrowed, as all but ctx */
	const struct clock *clock;
	const struct store *store;
	const struct config *config;
	const char *account, *region; /* of where the program is; "" = not known */
	bool utc, read_only;
	/* In a line for a person. */
	void (*say)(void *ctx, enum style style, const char *text);
	/* Bytes for the terminal; NULL: there is no screen. */
	void (*send)(void *ctx, const char *bytes, size_t len);
	/* What waits are usual; NULL: not known yet. A NULL function: the herald learns itself. */
	const struct stuck_past *(*past)(void *ctx);
	void (*stop)(void *ctx, const struct stop_wish *wish);
	void *ctx;
	/* of the herald's files */
	struct rules rules;
	bool is_on;
	struct phases phases;
	struct outlook outlook;
	struct disk *disk;
	char *folder;   /* owned; of the state; NULL: not known, or there is none */
	bool has_place; /* known, or known to be none */
	bool has_begun, has_looked;
	int64_t begun_ms,
		looked_ms; /* monotonic: since when there is something to see; the last look */
	bool is_claiming;
	bool had_trouble; /* what was told cannot be written down, which was said */
	size_t dropped;   /* events, since that was last said */
	struct timer timer;
	uint64_t *seen; /* owned table of keys; a power of two, or none */
	size_t seen_size, seen_count;
	struct herald_item items[HERALD_QUEUE]; /* in their order */
	size_t item_count;
	struct herald_stop stops[HERALD_STOPS];
	size_t stop_count;
	struct herald_child children[HERALD_CHILDREN];
};

/* Takes the rules; nothing to do where there are none. */
void herald_start(struct herald *herald);
void herald_end(struct herald *herald);

/* Where state lies; NULL: nowhere. passing: it may be another place yet. */
void herald_keep(struct herald *herald, const char *folder, bool passing);
/* The program is in another place, with the settings of that: what was seen was of the old one. */
void herald_move(struct herald *herald, bool utc, bool read_only);
/* The store has changed. */
void herald_changed(struct herald *herald);
/* Adds what the rules need of AWS beside what is in sight. */
void herald_want(const struct herald *herald, struct wants *wants);
/* A stop has ended: true where it was a rule's, which is told. */
bool herald_stopped(struct herald *herald, const struct stop_result *result);

/* --- shared by the herald's files only --- */

/* Adds an event for a rule; one that was told is left out. */
void herald_add(struct herald *herald, const struct rule *rule, const struct news *news,
		const struct news_ask *ask);
/* What is ours to tell goes out as far as it can. */
void herald_act(struct herald *herald);
/* A processing job waits, for which the rule has a stop. */
void herald_look_at_stop(struct herald *herald, const struct rule *rule, const struct news *news,
			 int64_t now_ms);
/* Forgets the stops of jobs that wait no more. */
void herald_settle_stops(struct herald *herald, bool begins);
uint64_t herald_key(const struct rule *rule, enum rule_event event, uint64_t subject);

#endif

/*
 * One region's connection with all that lives on it: the client, the feeds that keep the store
 * fresh, and for --demo the simulated region. The loop's side is one set of wait_hooks.
 */
#ifndef GPUQ_SESSION_H
#define GPUQ_SESSION_H

#include "aws/client.h"
#include "aws/waits.h"
#include "model/base/disk.h"
#include "model/store.h"
#include "model/wants.h"

struct session_options {
	/* From the command line; borrowed; NULL: what environment and files say. */
	const char *profile, *region, *endpoint_url;
	const char *profile_origin, *region_origin; /* as in struct setup_options */
	bool allow_http;                            /* to hosts that are not this machine */
	bool demo;           /* starts a simulated region; nothing of the above counts */
	bool wants_identity; /* STS is asked who signs */
	bool read_only;
	double pace; /* list starts a second of one operation; 0 = no limit */
	/* Folder of a pace in common with other users of this machine; borrowed. NULL: with other
	 * programs of this user alone. */
	const char *pace_dir;
	bool lists_at_once; /* as at_once of struct aws_options */
	int64_t refresh_ms; /* of the lists and of the selected job */
	int64_t since_ms;   /* how far back ended jobs are listed */
	bool keeps_history; /* in the state folder, once that is known */
	struct store *store;
	const struct clock *clock;
	struct wait_hooks hooks;
	struct log *log; /* borrowed; NULL: none */
	/* The jobs that are described; NULL: all. */
	bool (*want)(void *ctx, const struct job *job);
	/* The client stands, or there is none and why; may come from inside session_connect. */
	void (*connected)(void *ctx);
	void (*failed)(void *ctx, const struct err *err);
	/* The store has changed, who signs, or what with. */
	void (*on_change)(void *ctx);
	/* Once: AWS refused a signature because this machine's clock is so far off, and from now on
	 * AWS's is used. */
	void (*on_skew)(void *ctx, int64_t skew_ms);
	/* As trouble of struct shared_pace_options. */
	void (*on_pace_trouble)(void *ctx, const struct err *err);
	/* As said of struct history_feed_options. */
	void (*history_said)(void *ctx, const char *text);
	/* A search for credentials has ended; err NULL: with some. May be NULL. */
	void (*credentials)(void *ctx, const struct err *err);
	/* As in struct auth_options. */
	void (*ask_code)(void *ctx, const char *profile, const char *serial);
	void *ctx;
	/* As on_change of struct aws_options, with a context of its own; NULL: none is told. */
	aws_change_fn *acted;
	void *act_ctx;
};

/* Where the session is, as far as it is known: "" = not. */
struct session_identity {
	char account[ACCOUNT_ID_SIZE];
	char arn[256];     /* of who signs */
	char profile[128]; /* that signs: "" = none does; "demo" on the demo's region */
	char endpoint[ENDPOINT_HOST_SIZE]; /* the host of one that is not AWS's; "" = AWS's */
	bool asked;                        /* STS has answered, or given no answer */
};

struct session;

/* Copies the options but for what is borrowed. Connects to nothing yet. */
struct session *session_new(const struct session_options *options);
/* Drops what is under way and ends the simulated region. NULL is accepted. */
void session_free(struct session *session);

void session_connect(struct session *session);

const struct session_identity *session_identity(const struct session *session);
/* "" until connected. Borrowed. */
const char *session_region(const struct session *session);

/* How AWS is reached; NULL for the demo. Borrowed. */
struct access *session_access(struct session *session);
/* The answer to ask_code; NULL gives up. */
void session_code(struct session *session, const char *code);

/* Its disk's thread; once session_connect has been called. Borrowed. */
struct disk *session_disk(struct session *session);
/* The folder that stands for XDG_STATE_HOME in the demo; NULL: the environment's. Borrowed. */
const char *session_state_home(const struct session *session);

/* NULL until connected. Borrowed. */
struct aws_client *session_client(struct session *session);
/* As options.read_only from now on. */
void session_forbid_changes(struct session *session);
/* A client of STS, made when it is first asked for; without a region it is the global endpoint's.
 * NULL with err where there can be none (yet). Borrowed. */
struct aws_client *session_sts(struct session *session, struct err *err);
/* The same of another service. */
struct aws_client *session_client_for(struct session *session, enum aws_service service,
				      struct err *err);

/* The wall time of AWS, as far as it is known; its clock minus this machine's, unset before any
 * answer has told it. */
int64_t session_wall_ms(const struct session *session);
struct opt_ms session_skew(const struct session *session);
const struct session_options *session_options(const struct session *session);

/* Hooks of one more user of the loop, until waits_remove. */
struct wait_hooks session_hooks(struct session *session, struct waiter *waiter);

/* Keep jobs, training plans, or the tags of a job in the store. Once connected. */
void session_start_jobs(struct session *session);
/* The same, of the selected job alone. */
void session_start_job(struct session *session);
void session_start_plans(struct session *session);
void session_start_tags(struct session *session);
/* The price list of its region, of which the store must know the name. The second time nothing. */
void session_start_prices(struct session *session);

/* The folder for the state of this place is known: what was kept of it comes into the store, where
 * the session keeps a history. NULL: there is none, and it is kept in memory alone. The first call
 * counts. */
void session_open_history(struct session *session, const char *folder);
/* As their namesakes of history_feed.h; never settled where there is no history. */
void session_flush_history(struct session *session);
bool session_history_is_settled(const struct session *session);
void session_keep_note(struct session *session, enum job_kind kind, const char *name,
		       const char *text);
/* It has been opened. */
bool session_keeps_history(const struct session *session);

/* What is in sight, to each feed that goes by it. */
void session_want(struct session *session, const struct wants *wants);
/* As their namesakes of sync.h and plans_feed.h; nothing while there is no such feed.
 * A refresh looks for settings and credentials too, where there are none. */
void session_select(struct session *session, const char *arn);
void session_refresh(struct session *session);
void session_want_plans(struct session *session, bool wanted);
bool session_is_settled(const struct session *session);

/* As their namesakes of quotas_feed.h; the feed begins with the first limit that is wanted. */
void session_want_quotas(struct session *session, const struct quota_key *keys, size_t count);
void session_refresh_quotas(struct session *session);
bool session_quotas_are_settled(const struct session *session);
/* As its namesake of prices_feed.h; true where nothing was started. */
bool session_prices_are_settled(const struct session *session);

/* From the loop: a watched descriptor is ready / the wanted time has come. */
void session_ready(struct session *session, int fd, short events);
void session_wake(struct session *session);

#endif

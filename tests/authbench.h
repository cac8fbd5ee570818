/*
 * A world for the credential providers: a home folder of its own, an environment with nothing in it
 * but what a test sets, a network that answers from a list in its order, and a clock that stands at
 * a given wall time when it starts.
 */
#ifndef GPUQ_TESTS_AUTHBENCH_H
#define GPUQ_TESTS_AUTHBENCH_H

#include <poll.h>

#include "aws/auth/chain.h"
#include "aws/config_files.h"

#define AUTHBENCH_ANSWERS_MAX 64
#define AUTHBENCH_FLIGHTS_MAX 8 /* requests that wait for their answers */
#define AUTHBENCH_WATCHES_MAX 16

/* What the network answers, and what it was asked. */
struct authbench_answer {
	int status;              /* 0: no answer at all */
	char *body, *error_type; /* owned; NULL = none */
	int64_t date_ms;         /* of its Date header; 0 = it has none */
};
struct authbench_flight {
	reply_fn *reply;
	void *ctx;
	uint64_t id;
};
struct authbench_asked {
	char method[8], url[2048];
	char *body; /* owned */
	char authorization[512], token[2048], bearer[512], accept[64], content_type[64],
		proof[4096], amz_date[32];
	char metadata_token[256], metadata_ttl[32];
	bool no_proxy;
};

struct authbench {
	char root[64]; /* everything lies below; HOME is root/home */
	struct clock clock;
	int64_t start_mono_ms, start_wall_ms;
	int64_t passed_ms; /* beside what passes by itself */
	struct waits waits;
	struct disk *disk;
	struct waiter disk_waiter;
	struct transport transport;
	struct config_files files;
	struct setup setup;
	struct auth_world world;
	struct authbench_answer answers[AUTHBENCH_ANSWERS_MAX];
	size_t answer_count, answered;
	struct authbench_asked asked[AUTHBENCH_ANSWERS_MAX];
	size_t asked_count;
	/* the loop's side */
	struct pollfd watches[AUTHBENCH_WATCHES_MAX];
	size_t watch_count;
	bool armed;
	int64_t due_ms;
	struct authbench_flight flights[AUTHBENCH_FLIGHTS_MAX];
	size_t flight_count;
	uint64_t last_id;
	bool holds; /* no request is answered */
	/* the result of a search */
	bool done;
	struct aws_credentials found;
	char provider[64], origin[ORIGIN_SIZE];
	struct err err;
};

/* Makes the folder and empties the environment (PATH stays). */
void authbench_init(struct authbench *bench, int64_t wall_ms);
void authbench_release(struct authbench *bench);

/* A file below root; path begins with "/". */
void authbench_write(struct authbench *bench, const char *path, const char *text);
/* Its text, NULL when there is none; the caller frees it. */
char *authbench_read(const struct authbench *bench, const char *path);

void authbench_answer(struct authbench *bench, int status, const char *body,
		      const char *error_type);

/* The same, with a Date header. */
void authbench_answer_at(struct authbench *bench, int64_t date_ms, int status, const char *body);

/* Lets time pass at once. */
void authbench_pass(struct authbench *bench, int64_t ms);

/* Reads the files and decides; false with bench->err. */
bool authbench_set_up(struct authbench *bench, const char *profile);
/* One search to its end; the result stands in bench. */
void authbench_search(struct authbench *bench, enum chain_part part);
/* One turn of the loop: it waits for the next thing that happens. */
void authbench_turn(struct authbench *bench);

#endif

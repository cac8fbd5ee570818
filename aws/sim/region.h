/*
 * The simulated region as a server sees it: one HTTP request in, one answer out, without any
 * network. Owns the world, the clock that runs it, the limits, the faults and the counts.
 */
#ifndef GPUQ_SIM_REGION_H
#define GPUQ_SIM_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/sim/auth.h"
#include "aws/sim/keys.h"
#include "aws/sim/logins.h"
#include "aws/sim/logs.h"
#include "aws/sim/metadata.h"
#include "aws/sim/prices.h"
#include "aws/sim/quotas.h"
#include "aws/sim/world.h"
#include "model/base/buf.h"
#include "model/base/clock.h"

#define SIM_BODY_MAX        (1u << 20)   /* bytes of a request; AWS's own limit for Create */
#define SIM_ANSWER_MAX      (512u << 20) /* bytes of an answer: the state of very many jobs */
#define SIM_OPERATIONS_MAX  40
#define SIM_FAULTS_MAX      64
#define SIM_DELAY_MAX_MS    60000
#define SIM_RATE_MAX        1000
#define SIM_REQUEST_ID_SIZE 37
#define SIM_DATE_SIZE       32

enum sim_scenario_kind {
	SIM_SCENARIO_BUSY,
	SIM_SCENARIO_STILL,
	SIM_SCENARIO_EMPTY,
	SIM_SCENARIO_SCARCE
};

struct sim_options {
	uint16_t port; /* 0 = any free one */
	uint64_t seed;
	double speed; /* simulated seconds a second, at least 1 */
	size_t jobs;  /* of the opening picture; 0 = the scenario's own number */
	enum sim_scenario_kind scenario;
	const char *region, *account;
	int rate; /* calls a second of one list operation; 0 = no limit */
	bool no_auth;
	int64_t latency_ms;
};

/* What one operation answered so far, and the times (monotonic) of its last answers. */
struct sim_calls {
	uint64_t ok, throttled, failed;
	int64_t starts_ms[SIM_RATE_MAX]; /* a ring, for list operations */
	size_t next_start;
};

struct sim_fault {
	char operation[64]; /* "" = a free row; "*" = every operation */
	int64_t count;      /* times left; negative = no limit */
	int percent;        /* of the calls that it could befall */
	uint64_t random;
	int status; /* 0 = answers as usual */
	char code[64];
	int64_t delay_ms, stall_ms;
	bool drop, after, has_cut, empty_page;
	size_t cut;
	char *message; /* owned: of the refusal; NULL = says that it is a fault */
	char *body;    /* owned: sent instead of the answer; NULL = the answer itself */
};

#define SIM_ANSWER_HEADERS_MAX 2

struct sim_answer_header {
	const char *name; /* a literal */
	char value[128];
};

struct sim_answer {
	int status;
	struct buf body;
	const char *content_type;
	char request_id[SIM_REQUEST_ID_SIZE];
	struct sim_answer_header headers[SIM_ANSWER_HEADERS_MAX]; /* further ones */
	size_t header_count;
	int64_t delay_ms; /* send it that much later */
	int64_t stall_ms; /* hold back the second half of the body that long */
	bool drop;        /* reset the connection instead */
	bool has_cut;     /* end the body after cut bytes */
	size_t cut;
};

/* Answers held back by a delay or in the middle of their bodies. */
struct sim_held {
	size_t now;        /* still waited for */
	size_t gone;       /* given up by the client, but not let go yet */
	uint64_t released; /* since the start */
};

struct sim_scenario;

struct sim_region {
	struct sim_options options;
	struct clock clock; /* the machine's */
	struct sim_world world;
	struct sim_scenario *scenario;
	int64_t start_wall_ms, start_mono_ms, advanced_ms;
	bool skewed;
	int64_t skew_ms;
	int64_t lag_ms;       /* of Search */
	struct sim_held held; /* kept by the server */
	struct sim_calls calls[SIM_OPERATIONS_MAX];
	struct sim_fault faults[SIM_FAULTS_MAX];
	uint64_t random; /* of the request ids */
	struct sim_raises raises;
	struct sim_price_changes prices;
	struct sim_log_rates logs;
	struct sim_keyring keys;
	struct sim_logins logins;
	struct sim_metadata metadata;
};

/* Builds the opening picture. The options' texts are borrowed for as long as the region lives. */
void sim_region_init(struct sim_region *region, const struct sim_options *options,
		     const struct clock *clock);
void sim_region_release(struct sim_region *region);

/* The simulated time; moves the world up to it. */
int64_t sim_region_catch_up(struct sim_region *region);

/* Answers one request. Release the answer with sim_answer_release. */
void sim_region_answer(struct sim_region *region, const struct sim_request *request,
		       struct sim_answer *answer);
void sim_answer_release(struct sim_answer *answer);

/* When a signature may have been made, to be accepted now. */
void sim_region_signing_times(const struct sim_region *region, int64_t *from_ms, int64_t *until_ms);

/* The simulated time as a Date header. */
void sim_region_date(struct sim_region *region, char out[SIM_DATE_SIZE]);

#endif

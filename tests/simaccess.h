/*
 * The simulated region's services that hand out credentials, asked without a network: requests with
 * headers of one's own, signed or not, and what to read in the answers.
 */
#ifndef GPUQ_TESTS_SIMACCESS_H
#define GPUQ_TESTS_SIMACCESS_H

#include "tests/simworld.h"

struct simkeys {
	char access_key[64], secret_key[64];
	char session_token[1024]; /* "" = none */
};

/* A region that checks signatures, and its own keys. */
struct simregion *simaccess_new(void);
struct simkeys simaccess_own_keys(void);

/* One request; returns the status. headers end with a NULL name. body may be NULL. */
int simaccess_send(struct simregion *sim, const char *method, const char *target,
		   const struct sigv4_header *headers, const char *body);

/* POST / of a form; signed where there are keys. */
int simaccess_sts(struct simregion *sim, const struct simkeys *keys, const char *form);
/* DescribeTrainingJob of no job, signed: "ResourceNotFound" is who is let in. Returns the code. */
const char *simaccess_code(struct simregion *sim, const struct simkeys *keys);

/* The text between two texts of the answer; fails the test where there is none. */
void simaccess_between(const struct simregion *sim, const char *before, const char *after,
		       char *out, size_t size);
/* The keys in the answer: STS's in XML, the others' in JSON by their names. */
struct simkeys simaccess_xml_keys(const struct simregion *sim);
struct simkeys simaccess_json_keys(const struct simregion *sim, const char *access_key,
				   const char *secret_key, const char *session_token);

/* Fails the test unless the status is that one and the answer holds the texts that '*' parts, in
 * that order. */
void simaccess_wants(const struct simregion *sim, int status, const char *texts);
/* Posts to a control; wants 200. */
void simaccess_control(struct simregion *sim, const char *path, const char *body);

#endif

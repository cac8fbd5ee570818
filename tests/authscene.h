/*
 * The manager of credentials (aws/auth/auth.h) in the world of authbench: what it tells, and how
 * its searches end. A failure ends the test.
 */
#ifndef GPUQ_TESTS_AUTHSCENE_H
#define GPUQ_TESTS_AUTHSCENE_H

#include "aws/auth/auth.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000) /* when a scene begins */
#define MINUTE_MS        INT64_C(60000)
#define TURNS_MAX        100000

struct authscene {
	struct authbench bench;
	struct auth *auth;
	unsigned changes;
	char asked_profile[64], asked_serial[64]; /* for a code; "" = nobody asks */
	unsigned questions;
	int64_t before_ms; /* the newest search ended after it, by the monotonic clock */
};

/* Nothing is set but a region, and that this machine is no instance. */
struct authscene *authscene_new(void);
/* The same in a container, whose endpoint is asked once a search, and what it answers next. */
struct authscene *authscene_container(void);
void authscene_answer_keys(struct authscene *scene, const char *access_key, int64_t life_ms);
void authscene_free(struct authscene *scene);
/* Begins the first search, for a profile (NULL: none is named). */
void authscene_begin(struct authscene *scene, const char *profile);

struct auth_status authscene_status(const struct authscene *scene);
/* Turns until as many searches have ended. */
void authscene_end_searches(struct authscene *scene, unsigned changes);
/* The loop is to be woken that much later than the newest search ended. */
void authscene_is_due_in(const struct authscene *scene, int64_t ms);

/* As a client does. */
const struct aws_credentials *authscene_get(struct authscene *scene, struct err *err);
bool authscene_refuse(struct authscene *scene, const char *access_key);
/* There are keys, those; or there are none, and why. */
void authscene_serves(struct authscene *scene, const char *access_key);
void authscene_fails(struct authscene *scene, enum err_code code, const char *text);

/* An answer of STS. */
#define STS_ANSWER(access_key, expires)                                               \
	"<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>" access_key \
	"</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t"           \
	"</SessionToken><Expiration>" expires "</Expiration></Credentials>"           \
	"</AssumeRoleResult></AssumeRoleResponse>"

#endif

/*
 * The role of an EC2 instance, from its metadata service: a token first (version 2), then the
 * role's name, then its keys. Where a service refuses to hand out tokens, version 1 without one is
 * tried as the AWS CLI does, unless that is switched off. Source: facts/aws.md 4.9.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <openssl/crypto.h>

#include "aws/auth/document.h"
#include "aws/auth/imds.h"
#include "model/base/mem.h"

#define TOKEN_TTL       "21600"
#define TOKEN_SIZE      1024
#define ROLE_SIZE       256
#define ROLES_PATH      "latest/meta-data/iam/security-credentials/"
#define PATH_SIZE       512
#define TIMEOUT_S       1  /* standard of metadata_service_timeout */
#define NUMBER_MAX      60 /* seconds, attempts: what a setting may say */
#define ROLE_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+=,.@_-"
#define STABLE_LEAD_MS  (15 * 60000)
#define STABLE_ADD_MS   (10 * 60000)

struct imds_call {
	const struct auth_world *world;
	const struct profile *profile;
	char base[ENDPOINT_URL_SIZE], token[TOKEN_SIZE], path[PATH_SIZE];
	struct fetch *fetch;
	imds_done_fn *done;
	void *ctx;
};

/* The environment first, then the profile. */
static const char *setting(const struct profile *profile, const char *env, const char *key)
{
	const char *value = setup_env(env);
	const char *text = profile_value(profile, key).text;
	if (!value && text && text[0])
		value = text;
	return value;
}

static bool is_on(const char *value)
{
	return value && strcasecmp(value, "true") == 0;
}

static int64_t number_of(const char *value, int64_t standard)
{
	char *end;
	long number = value ? strtol(value, &end, 10) : 0;
	return value && *end == '\0' && number > 0 && number <= NUMBER_MAX ? number : standard;
}

bool imds_is_disabled(void)
{
	return is_on(setup_env("AWS_EC2_METADATA_DISABLED"));
}

static bool find_base(struct imds_call *call, struct err *err)
{
	struct endpoint endpoint;
	const char *base = setting(call->profile, "AWS_EC2_METADATA_SERVICE_ENDPOINT",
				   "ec2_metadata_service_endpoint");
	const char *mode = setting(call->profile, "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE",
				   "ec2_metadata_service_endpoint_mode");
	bool is_6 = mode && strcasecmp(mode, "ipv6") == 0;
	if (mode && !is_6 && strcasecmp(mode, "ipv4") != 0) {
		err_set(err, ERR_AUTH, "must be IPv4 or IPv6");
		return err_subject(err, "ec2_metadata_service_endpoint_mode");
	}
	if (!base)
		base = is_6 ? "http://[fd00:ec2::254]/" : "http://169.254.169.254/";
	if (!endpoint_of_url(&endpoint, base, err)) {
		err->code = ERR_AUTH;
		return err_subject(err, "ec2_metadata_service_endpoint");
	}
	snprintf(call->base, sizeof(call->base), "%s", endpoint.url);
	return true;
}

/* --- the two requests of a call: token, document --- */

static bool is_no_token(const struct http_reply *reply)
{
	return reply->status >= 500;
}

static bool is_no_document(const struct http_reply *reply)
{
	return reply->status != 200 || reply->body_len == 0;
}

static void on_document(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct imds_call *call = ctx;
	call->done(call->ctx, reply, err);
}

static void ask(struct imds_call *call, const char *method, const char *path,
		struct http_header header, bool (*again)(const struct http_reply *),
		fetch_done_fn *done)
{
	char url[ENDPOINT_URL_SIZE + PATH_SIZE];
	const char *timeout =
		setting(call->profile, "AWS_METADATA_SERVICE_TIMEOUT", "metadata_service_timeout");
	const char *tries = setting(call->profile, "AWS_METADATA_SERVICE_NUM_ATTEMPTS",
				    "metadata_service_num_attempts");
	const struct fetch_options options = {
		.method = method,
		.url = url,
		.headers = { header },
		.header_count = header.value[0] != '\0',
		.timeout_ms = 1000 * number_of(timeout, TIMEOUT_S),
		.tries = (unsigned)number_of(tries, 1),
		.again = again,
	};
	snprintf(url, sizeof(url), "%s%s", call->base, path);
	fetch_free(call->fetch);
	call->fetch = fetch_start(call->world, &options, done, call);
}

static void get_document(struct imds_call *call)
{
	ask(call, "GET", call->path,
	    (struct http_header){ "x-aws-ec2-metadata-token", call->token }, is_no_document,
	    on_document);
}

static void fail(struct imds_call *call, enum err_code code, const char *text)
{
	struct err err = { 0 };
	err_set(&err, code, "%s", text);
	err_subject(&err, "the instance metadata service");
	call->done(call->ctx, NULL, &err);
	err_clear(&err);
}

/* 400: nobody answers like this but a service that will not. 403, 404, 405 and silence: perhaps an
 * old one that knows no tokens. */
static void on_token(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct imds_call *call = ctx;
	bool has = reply && reply->status == 200 && reply->body_len > 0 &&
		   reply->body_len < sizeof(call->token) && !strpbrk(reply->body, "\r\n");
	bool old = reply ? reply->status == 403 || reply->status == 404 || reply->status == 405
			 : err->code == ERR_TIMEOUT;
	if (has) {
		snprintf(call->token, sizeof(call->token), "%s", reply->body);
		get_document(call);
	} else if (old && is_on(setting(call->profile, "AWS_EC2_METADATA_V1_DISABLED",
					"ec2_metadata_v1_disabled"))) {
		fail(call, ERR_AUTH, "gave no token, and asking without one is switched off");
	} else if (old) {
		get_document(call);
	} else if (reply && reply->status == 200) {
		fail(call, ERR_PARSE, "gave a token that is none"); /* no document either */
	} else {
		call->done(call->ctx, reply, err);
	}
}

struct imds_call *imds_start(const struct auth_world *world, const struct profile *profile,
			     const char *path, imds_done_fn *done, void *ctx, struct err *err)
{
	struct imds_call *call = mem_new(1, sizeof(*call));
	call->world = world;
	call->profile = profile;
	call->done = done;
	call->ctx = ctx;
	snprintf(call->path, sizeof(call->path), "%s", path);
	if (!find_base(call, err)) {
		imds_free(call);
		return NULL;
	}
	ask(call, "PUT", "latest/api/token",
	    (struct http_header){ "x-aws-ec2-metadata-token-ttl-seconds", TOKEN_TTL }, is_no_token,
	    on_token);
	return call;
}

void imds_next(struct imds_call *call, const char *path, imds_done_fn *done)
{
	snprintf(call->path, sizeof(call->path), "%s", path);
	call->done = done;
	get_document(call);
}

void imds_free(struct imds_call *call)
{
	if (!call)
		return;
	fetch_free(call->fetch);
	OPENSSL_cleanse(call->token, sizeof(call->token));
	free(call);
}

/* --- the provider --- */

static void stop(struct provider_job *job)
{
	imds_free(job->state);
	job->state = NULL;
}

/* Keys that are about to expire, or have, serve on: the service hands out the same ones while it
 * cannot renew them, and AWS honours them (static stability). */
static void extend(struct provider_job *job)
{
	struct opt_ms *expires = &job->credentials.expires;
	int64_t now_ms = clock_wall_ms(job->world->clock);
	if (expires->set && expires->ms < now_ms + STABLE_LEAD_MS)
		expires->ms = now_ms + STABLE_LEAD_MS + STABLE_ADD_MS;
}

/* An answer without keys ("Code": "AssumeRoleUnauthorizedAccess") is an instance without a role
 * that can be used. */
static void on_keys(void *ctx, const struct http_reply *reply, const struct err *err)
{
	static const struct document_names names = { "AccessKeyId", "SecretAccessKey", "Token",
						     "Expiration", "AccountId" };
	struct provider_job *job = ctx;
	enum provider_step step = PROVIDER_SKIPS;
	struct err ignored = { 0 };
	struct json_value *json = reply && !is_no_document(reply)
					  ? json_parse(reply->body, reply->body_len, &ignored)
					  : NULL;
	(void)err;
	if (json_type(json) == JSON_TYPE_OBJECT &&
	    document_credentials(json, &names, &job->credentials, &ignored)) {
		extend(job);
		step = PROVIDER_GIVES;
	}
	json_free(json);
	err_clear(&ignored);
	job->done(job, step);
}

/* Part of the next path: nothing that would make it another. */
static bool is_role(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len < ROLE_SIZE && name[strspn(name, ROLE_CHARACTERS)] == '\0';
}

static void on_role(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct provider_job *job = ctx;
	char role[ROLE_SIZE] = "", path[PATH_SIZE];
	if (reply && !is_no_document(reply))
		snprintf(role, sizeof(role), "%.*s", (int)strcspn(reply->body, "\r\n"),
			 reply->body);
	if (err && err->code == ERR_AUTH) {
		err_copy(&job->err, err);
		job->done(job, PROVIDER_FAILS);
	} else if (!is_role(role)) {
		job->done(job, PROVIDER_SKIPS);
	} else {
		snprintf(path, sizeof(path), ROLES_PATH "%s", role);
		snprintf(job->origin, sizeof(job->origin), "instance role %.200s", role);
		imds_next(job->state, path, on_keys);
	}
}

static enum provider_step start(struct provider_job *job)
{
	if (imds_is_disabled())
		return PROVIDER_SKIPS;
	job->state = imds_start(job->world, job->profile, ROLES_PATH, on_role, job, &job->err);
	return job->state ? PROVIDER_WAITS : PROVIDER_FAILS;
}

const struct provider provider_imds = { .name = "instance metadata", .start = start, .stop = stop };

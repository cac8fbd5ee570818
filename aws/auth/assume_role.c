/*
 * Roles that a profile assumes, one after the other: the keys of its source profile or
 * credential_source open the first, each role's keys the next. Results are shared with the AWS CLI
 * through its cache. Source: facts/aws.md 4.2.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/call.h"
#include "aws/auth/chain.h"
#include "aws/role_chain.h"
#include "aws/sts.h"
#include "model/base/mem.h"

#define CACHE_LEAD_MS (15 * 60000)
#define CODE_DIGITS   6

struct assume {
	struct provider_job *job;
	struct role_chain roles;
	size_t at; /* the role that is being opened; roles.count: the base's keys are looked for */
	struct chain *base;
	struct auth_call *call;
	uint64_t reading;            /* of the cache; 0 = none */
	bool asks;                   /* for the code of a device */
	struct aws_credentials keys; /* of the step before */
	char session[64];            /* for roles that name none */
};

static void read_cache(struct assume *assume);
static void open_role(struct assume *assume, const char *code);

static void stop(struct provider_job *job)
{
	struct assume *assume = job->state;
	if (!assume)
		return;
	if (assume->asks)
		job->world->ask_code(job->world->ctx, NULL);
	if (assume->reading != 0)
		disk_forget(job->world->disk, assume->reading);
	chain_free(assume->base);
	call_free(assume->call);
	role_chain_release(&assume->roles);
	aws_credentials_release(&assume->keys);
	free(assume);
	job->state = NULL;
}

static void fail(struct assume *assume, const struct err *err)
{
	struct provider_job *job = assume->job;
	if (err != &job->err)
		err_copy(&job->err, err);
	job->done(job, PROVIDER_FAILS);
}

/* --- one role --- */

static const char *value(const struct profile *profile, const char *key)
{
	const char *text = profile_value(profile, key).text;
	return text && text[0] ? text : NULL;
}

static const struct profile *role_at(const struct assume *assume)
{
	return assume->roles.roles[assume->at];
}

static struct sts_role arguments(const struct assume *assume)
{
	const struct profile *profile = role_at(assume);
	const char *duration = value(profile, "duration_seconds");
	const char *session = value(profile, "role_session_name");
	struct sts_role role = {
		.role_arn = value(profile, "role_arn"),
		.session_name = session ? session : assume->session,
		.external_id = value(profile, "external_id"),
		.serial_number = value(profile, "mfa_serial"),
	};
	/* What is no number does not count, as in the AWS CLI. */
	if (duration && duration[strspn(duration, "0123456789")] == '\0' && strlen(duration) < 7)
		role.duration_seconds = duration;
	return role;
}

/* As Python writes the arguments with sorted keys; a session name only if the profile has one. */
static char *cache_path_of(const struct assume *assume)
{
	const struct sts_role role = arguments(assume);
	char hash[HASH_TEXT_SIZE];
	struct buf key;
	buf_init(&key, CACHE_FILE_MAX);
	buf_add_char(&key, '{');
	if (role.duration_seconds)
		buf_addf(&key, "\"DurationSeconds\": %s, ", role.duration_seconds);
	if (role.external_id) {
		cache_add_member(&key, "ExternalId", role.external_id);
		buf_add_text(&key, ", ");
	}
	cache_add_member(&key, "RoleArn", role.role_arn);
	if (role.session_name != assume->session) {
		buf_add_text(&key, ", ");
		cache_add_member(&key, "RoleSessionName", role.session_name);
	}
	if (role.serial_number) {
		buf_add_text(&key, ", ");
		cache_add_member(&key, "SerialNumber", role.serial_number);
	}
	buf_add_char(&key, '}');
	char *path = cache_sha1(buf_text(&key), hash) ? cache_path(CACHE_CLI, hash) : NULL;
	buf_release(&key);
	return path;
}

static void give(struct assume *assume)
{
	struct provider_job *job = assume->job;
	job->credentials = assume->keys;
	assume->keys = (struct aws_credentials){ 0 };
	snprintf(job->origin, sizeof(job->origin), "role %.200s",
		 value(assume->roles.roles[0], "role_arn"));
	job->done(job, PROVIDER_GIVES);
}

/* The keys of a role are at hand: for the next one, or for the program. */
static void use_keys(struct assume *assume)
{
	if (assume->at == 0) {
		give(assume);
		return;
	}
	assume->at--;
	open_role(assume, NULL);
}

static void keep(const struct assume *assume)
{
	char *path = cache_path_of(assume);
	struct buf text;
	buf_init(&text, CACHE_FILE_MAX);
	cache_write_credentials(&assume->keys, NULL, &text);
	if (path && !text.failed)
		disk_write(assume->job->world->disk, path, buf_text(&text), text.len, NULL, NULL);
	buf_wipe(&text);
	buf_release(&text);
	free(path);
}

/* STS's own words; what else is denied is about a permission. */
static bool is_about_code(const struct err *err)
{
	static const char words[] = "MultiFactorAuthentication failed";
	return err->code == ERR_DENIED && strncmp(err_text(err), words, sizeof(words) - 1) == 0;
}

/* A permission would not help: the code was wrong, or it has been used. */
static void fail_for_code(struct assume *assume, const struct err *err)
{
	struct err bad = { 0 };
	size_t len = strlen(err_text(err));
	while (len > 0 && err_text(err)[len - 1] == ' ')
		len--;
	err_set(&bad, ERR_AUTH, "%.*s", (int)len, err_text(err));
	err_subject(&bad, "profile %.100s", role_at(assume)->name);
	bad.hint = HINT_CODE_AGAIN;
	fail(assume, &bad);
	err_clear(&bad);
}

static void on_role(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct assume *assume = ctx;
	struct err bad = { 0 };
	call_free(assume->call);
	assume->call = NULL;
	if (err) {
		if (is_about_code(err))
			fail_for_code(assume, err);
		else
			fail(assume, err);
		return;
	}
	if (!sts_read_credentials(body, len, &assume->keys, &bad)) {
		err_subject(&bad, "AssumeRole of profile %.100s", role_at(assume)->name);
		fail(assume, &bad);
	} else {
		keep(assume);
		use_keys(assume);
	}
	err_clear(&bad);
}

static void on_code(struct provider_job *job, const char *code)
{
	struct assume *assume = job->state;
	assume->asks = false;
	if (code && strlen(code) == CODE_DIGITS && strspn(code, "0123456789") == CODE_DIGITS) {
		open_role(assume, code);
		return;
	}
	provider_fails(job, code ? "a code has six digits" : "no code was given");
	err_subject(&job->err, "MFA device of profile %.100s", role_at(assume)->name);
	job->err.hint = HINT_CODE_AGAIN;
	fail(assume, &job->err);
}

static void ask_code(struct assume *assume, const char *serial)
{
	struct provider_job *job = assume->job;
	const struct code_question question = {
		.profile = role_at(assume)->name,
		.serial = serial,
		.answer = on_code,
		.job = job,
	};
	if (job->world->ask_code) {
		assume->asks = true;
		job->world->ask_code(job->world->ctx, &question);
		return;
	}
	provider_fails(job, "wants a code of the MFA device %.200s, and nobody can be asked here",
		       serial);
	err_subject(&job->err, "profile %.100s", role_at(assume)->name);
	fail(assume, &job->err);
}

static void open_role(struct assume *assume, const char *code)
{
	struct sts_role role = arguments(assume);
	struct err err = { 0 };
	struct buf body;
	if (role.serial_number && !code) {
		ask_code(assume, role.serial_number);
		return;
	}
	role.token_code = code;
	buf_init(&body, CACHE_FILE_MAX);
	sts_write_assume_role(&body, &role);
	const struct call_options options = {
		.name = "AssumeRole",
		.service = SERVICE_STS,
		.method = "POST",
		.path = "",
		.body = buf_text(&body),
		.sign_with = &assume->keys,
	};
	assume->call = call_start(assume->job->world, &options, on_role, assume, &err);
	if (!assume->call)
		fail(assume, &err);
	buf_wipe(&body);
	buf_release(&body);
	err_clear(&err);
}

/* --- what is there already --- */

static void on_base(void *ctx, const struct chain_result *result)
{
	struct assume *assume = ctx;
	if (!result->credentials) {
		struct err err = { 0 };
		err_copy(&err, result->err);
		if (!result->provider)
			err_set(&err, ERR_AUTH, "it has no credentials of any kind");
		if (!err.subject[0])
			err_subject(&err, "%s %.100s",
				    assume->roles.base ? "source profile" : "credential_source",
				    assume->roles.base ? assume->roles.base->name
						       : assume->roles.credential_source);
		fail(assume, &err);
		err_clear(&err);
		return;
	}
	assume->keys = *result->credentials;
	*result->credentials = (struct aws_credentials){ 0 };
	chain_free(assume->base);
	assume->base = NULL;
	assume->at = assume->roles.count - 1;
	open_role(assume, NULL);
}

static enum chain_part part_of(const char *credential_source)
{
	if (strcmp(credential_source, "Environment") == 0)
		return CHAIN_ENVIRONMENT;
	return strcmp(credential_source, "EcsContainer") == 0 ? CHAIN_CONTAINER : CHAIN_IMDS;
}

static void find_base(struct assume *assume)
{
	const struct role_chain *roles = &assume->roles;
	const struct chain_options options = {
		.world = assume->job->world,
		.part = roles->base ? CHAIN_SOURCE : part_of(roles->credential_source),
		.profile = roles->base ? roles->base : assume->job->profile,
		.profile_is_named = roles->base != NULL,
		.fresh = assume->job->fresh,
	};
	assume->base = chain_start(&options, on_base, assume);
}

static void on_cached(void *ctx, const struct disk_result *result)
{
	struct assume *assume = ctx;
	const struct auth_world *world = assume->job->world;
	assume->reading = 0;
	if (!result->err &&
	    cache_read_credentials(result->bytes, result->len, clock_wall_ms(world->clock),
				   CACHE_LEAD_MS, &assume->keys)) {
		use_keys(assume);
	} else if (assume->at + 1 < assume->roles.count) {
		assume->at++;
		read_cache(assume);
	} else {
		find_base(assume);
	}
}

static void read_cache(struct assume *assume)
{
	char *path = cache_path_of(assume);
	if (path)
		assume->reading = disk_read(assume->job->world->disk, path, CACHE_FILE_MAX,
					    on_cached, assume);
	else
		find_base(assume);
	free(path);
}

static enum provider_step start(struct provider_job *job)
{
	struct assume *assume = mem_new(1, sizeof(*assume));
	const struct setup *setup = job->world->setup;
	job->state = assume;
	assume->job = job;
	if (!role_chain_follow(&assume->roles, &setup->profiles, job->profile, &job->err))
		return PROVIDER_FAILS;
	if (assume->roles.count == 0) {
		stop(job);
		return PROVIDER_SKIPS;
	}
	snprintf(assume->session, sizeof(assume->session), "gpuq-%lld",
		 (long long)(clock_wall_ms(job->world->clock) / 1000));
	if (job->fresh)
		find_base(assume);
	else
		read_cache(assume);
	return PROVIDER_WAITS;
}

const struct provider provider_assume_role = { .name = "assume role",
					       .start = start,
					       .stop = stop };

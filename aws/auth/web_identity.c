/*
 * A role opened by the token of an identity provider, as Kubernetes hands them out: the token's
 * file is read anew each time. Source: facts/aws.md 4.3.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/call.h"
#include "aws/sts.h"
#include "model/base/mem.h"

#define CACHE_LEAD_MS (15 * 60000)
#define TOKEN_MAX     20000 /* STS takes no more */

struct web_identity {
	struct provider_job *job;
	const char *token_file, *role_arn, *session_name;
	char session[64]; /* where none is set */
	char *cache;      /* path; NULL: none */
	uint64_t reading; /* 0 = nothing */
	struct auth_call *call;
};

static void stop(struct provider_job *job)
{
	struct web_identity *identity = job->state;
	if (!identity)
		return;
	if (identity->reading != 0)
		disk_forget(job->world->disk, identity->reading);
	call_free(identity->call);
	free(identity->cache);
	free(identity);
	job->state = NULL;
}

static void fail(struct provider_job *job, const struct err *err)
{
	err_copy(&job->err, err);
	job->done(job, PROVIDER_FAILS);
}

static void give(struct web_identity *identity)
{
	struct provider_job *job = identity->job;
	snprintf(job->origin, sizeof(job->origin), "web identity, role %.200s", identity->role_arn);
	job->done(job, PROVIDER_GIVES);
}

static void keep(const struct web_identity *identity)
{
	struct buf text;
	buf_init(&text, CACHE_FILE_MAX);
	cache_write_credentials(&identity->job->credentials, NULL, &text);
	if (identity->cache && !text.failed)
		disk_write(identity->job->world->disk, identity->cache, buf_text(&text), text.len,
			   NULL, NULL);
	buf_wipe(&text);
	buf_release(&text);
}

static void on_role(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct web_identity *identity = ctx;
	struct provider_job *job = identity->job;
	struct err bad = { 0 };
	if (err) {
		fail(job, err);
	} else if (!sts_read_credentials(body, len, &job->credentials, &bad)) {
		err_subject(&bad, "AssumeRoleWithWebIdentity");
		fail(job, &bad);
	} else {
		keep(identity);
		give(identity);
	}
	err_clear(&bad);
}

static void on_token(void *ctx, const struct disk_result *result)
{
	struct web_identity *identity = ctx;
	struct provider_job *job = identity->job;
	struct err err = { 0 };
	struct buf body;
	identity->reading = 0;
	if (result->err) {
		err_copy(&err, result->err);
		err.code = ERR_AUTH;
		fail(job, &err);
		err_clear(&err);
		return;
	}
	const struct sts_role role = {
		.role_arn = identity->role_arn,
		.session_name = identity->session_name,
		.web_identity_token = result->bytes,
	};
	buf_init(&body, CACHE_FILE_MAX);
	sts_write_assume_role(&body, &role);
	const struct call_options options = {
		.name = "AssumeRoleWithWebIdentity",
		.service = SERVICE_STS,
		.method = "POST",
		.path = "",
		.body = buf_text(&body),
	};
	identity->call = call_start(job->world, &options, on_role, identity, &err);
	if (!identity->call)
		fail(job, &err);
	buf_wipe(&body);
	buf_release(&body);
	err_clear(&err);
}

static void read_token(struct web_identity *identity)
{
	const struct auth_world *world = identity->job->world;
	world->note_file(world->ctx, identity->token_file);
	identity->reading =
		disk_read(world->disk, identity->token_file, TOKEN_MAX, on_token, identity);
}

static void on_cached(void *ctx, const struct disk_result *result)
{
	struct web_identity *identity = ctx;
	struct provider_job *job = identity->job;
	identity->reading = 0;
	if (!result->err &&
	    cache_read_credentials(result->bytes, result->len, clock_wall_ms(job->world->clock),
				   CACHE_LEAD_MS, &job->credentials))
		give(identity);
	else
		read_token(identity);
}

/* The name that the AWS CLI has for what this role gives. */
static char *cache_path_of(const struct web_identity *identity)
{
	char hash[HASH_TEXT_SIZE];
	struct buf key;
	buf_init(&key, CACHE_FILE_MAX);
	buf_add_char(&key, '{');
	cache_add_member(&key, "RoleArn", identity->role_arn);
	if (identity->session_name != identity->session) {
		buf_add_text(&key, ", ");
		cache_add_member(&key, "RoleSessionName", identity->session_name);
	}
	buf_add_char(&key, '}');
	char *path = cache_sha1(buf_text(&key), hash) ? cache_path(CACHE_CLI, hash) : NULL;
	buf_release(&key);
	return path;
}

/* The environment counts before the profile, but not where a profile was asked for by name. */
static const char *setting(const struct provider_job *job, const char *env, const char *key)
{
	const char *value = job->profile_is_named ? NULL : setup_env(env);
	return value ? value : provider_value(job, key);
}

static enum provider_step start(struct provider_job *job)
{
	const char *token_file =
		setting(job, "AWS_WEB_IDENTITY_TOKEN_FILE", "web_identity_token_file");
	const char *role_arn = setting(job, "AWS_ROLE_ARN", "role_arn");
	const char *session = setting(job, "AWS_ROLE_SESSION_NAME", "role_session_name");
	if (!token_file)
		return PROVIDER_SKIPS;
	if (!role_arn) {
		provider_fails(job, "the file of a web identity's token is set, but no role: "
				    "AWS_ROLE_ARN or role_arn");
		err_subject(&job->err, "profile %.100s", provider_profile(job));
		return PROVIDER_FAILS;
	}
	struct web_identity *identity = mem_new(1, sizeof(*identity));
	job->state = identity;
	identity->job = job;
	identity->token_file = token_file;
	identity->role_arn = role_arn;
	identity->session_name = session ? session : identity->session;
	snprintf(identity->session, sizeof(identity->session), "gpuq-%lld",
		 (long long)(clock_wall_ms(job->world->clock) / 1000));
	identity->cache = cache_path_of(identity);
	if (identity->cache && !job->fresh)
		identity->reading = disk_read(job->world->disk, identity->cache, CACHE_FILE_MAX,
					      on_cached, identity);
	else
		read_token(identity);
	return PROVIDER_WAITS;
}

const struct provider provider_web_identity = { .name = "web identity",
						.start = start,
						.stop = stop };

/*
 * IAM Identity Center: the token of a login opens a role of an account. The token is read from the
 * cache of `aws sso login` and refreshed there; logging in itself needs a browser and stays with
 * the AWS CLI. Source: facts/aws.md 4.4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/call.h"
#include "aws/auth/document.h"
#include "aws/auth/sso_token.h"
#include "model/base/mem.h"

#define CACHE_LEAD_MS (15 * 60000)

struct sso {
	struct provider_job *job;
	/* Borrowed from the profiles. */
	const char *session, *start_url, *region, *account, *role;
	char *cache;      /* of the role's credentials; NULL: none */
	uint64_t reading; /* 0 = nothing */
	struct sso_token *token;
	struct auth_call *call;
};

static void stop(struct provider_job *job)
{
	struct sso *sso = job->state;
	if (!sso)
		return;
	if (sso->reading != 0)
		disk_forget(job->world->disk, sso->reading);
	sso_token_free(sso->token);
	call_free(sso->call);
	free(sso->cache);
	free(sso);
	job->state = NULL;
}

static void fail(struct sso *sso, const struct err *err)
{
	struct provider_job *job = sso->job;
	if (err != &job->err)
		err_copy(&job->err, err);
	job->done(job, PROVIDER_FAILS);
}

static void give(struct sso *sso)
{
	struct provider_job *job = sso->job;
	snprintf(job->origin, sizeof(job->origin), "%s %.120s, role %.60s of %.20s",
		 sso->session ? "SSO session" : "SSO at",
		 sso->session ? sso->session : sso->start_url, sso->role, sso->account);
	job->done(job, PROVIDER_GIVES);
}

static void keep(const struct sso *sso)
{
	struct buf text;
	buf_init(&text, CACHE_FILE_MAX);
	cache_write_credentials(&sso->job->credentials, "sso", &text);
	if (sso->cache && !text.failed)
		disk_write(sso->job->world->disk, sso->cache, buf_text(&text), text.len, NULL,
			   NULL);
	buf_wipe(&text);
	buf_release(&text);
}

static bool read_role(struct sso *sso, const char *body, size_t len)
{
	static const struct document_names names = { "accessKeyId", "secretAccessKey",
						     "sessionToken", "expiration", NULL };
	struct provider_job *job = sso->job;
	struct err parse = { 0 };
	struct json_value *json = json_parse(body, len, &parse);
	bool ok = document_credentials(json_object(json, "roleCredentials"), &names,
				       &job->credentials, &job->err);
	if (ok && strlen(sso->account) == ACCOUNT_ID_SIZE - 1)
		snprintf(job->credentials.account, ACCOUNT_ID_SIZE, "%s", sso->account);
	if (!ok)
		err_subject(&job->err, "GetRoleCredentials");
	json_free(json);
	err_clear(&parse);
	return ok;
}

static void on_role(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct sso *sso = ctx;
	if (err && err->http_status == 401) {
		provider_wants_login(sso->job, "the login has ended or was revoked",
				     SSO_LOGIN_COMMAND);
		fail(sso, &sso->job->err);
	} else if (err) {
		fail(sso, err);
	} else if (!read_role(sso, body, len)) {
		fail(sso, &sso->job->err);
	} else {
		keep(sso);
		give(sso);
	}
}

static void add_parameter(struct buf *out, const char *name, const char *text)
{
	static const char hex[] = "0123456789ABCDEF";
	buf_addf(out, "%s=", name);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			     (c >= '0' && c <= '9') || strchr("-_.~", c);
		if (plain)
			buf_add_char(out, (char)c);
		else
			buf_addf(out, "%%%c%c", hex[c >> 4], hex[c & 15]);
	}
}

static void on_token(void *ctx, const char *token, const struct err *err)
{
	struct sso *sso = ctx;
	struct err bad = { 0 };
	struct buf path;
	if (err) {
		fail(sso, err);
		return;
	}
	buf_init(&path, 1024);
	buf_add_text(&path, "federation/credentials?");
	add_parameter(&path, "role_name", sso->role);
	buf_add_char(&path, '&');
	add_parameter(&path, "account_id", sso->account);
	const struct call_options options = {
		.name = "GetRoleCredentials",
		.service = SERVICE_SSO,
		.region = sso->region,
		.method = "GET",
		.path = buf_text(&path),
		.headers = { { "x-amz-sso_bearer_token", token } },
		.header_count = 1,
	};
	sso->call = call_start(sso->job->world, &options, on_role, sso, &bad);
	if (!sso->call)
		fail(sso, &bad);
	buf_release(&path);
	err_clear(&bad);
}

static void find_token(struct sso *sso)
{
	const struct sso_login login = { sso->session, sso->start_url, sso->region };
	sso->token = sso_token_start(sso->job, &login, on_token, sso);
}

static void on_cached(void *ctx, const struct disk_result *result)
{
	struct sso *sso = ctx;
	struct provider_job *job = sso->job;
	sso->reading = 0;
	if (!result->err &&
	    cache_read_credentials(result->bytes, result->len, clock_wall_ms(job->world->clock),
				   CACHE_LEAD_MS, &job->credentials))
		give(sso);
	else
		find_token(sso);
}

/* {"accountId":...,"roleName":...,"sessionName" or "startUrl":...}, without blanks. */
static char *cache_path_of(const struct sso *sso)
{
	char hash[HASH_TEXT_SIZE];
	struct buf key;
	buf_init(&key, CACHE_FILE_MAX);
	buf_add_text(&key, "{\"accountId\":");
	cache_add_text(&key, sso->account);
	buf_add_text(&key, ",\"roleName\":");
	cache_add_text(&key, sso->role);
	buf_addf(&key, ",\"%s\":", sso->session ? "sessionName" : "startUrl");
	cache_add_text(&key, sso->session ? sso->session : sso->start_url);
	buf_add_char(&key, '}');
	char *path = cache_sha1(buf_text(&key), hash) ? cache_path(CACHE_CLI, hash) : NULL;
	buf_release(&key);
	return path;
}

/* Of the profile, else of its [sso-session]. */
static const char *setting(const struct provider_job *job, const struct profile *session,
			   const char *key)
{
	const char *value = provider_value(job, key);
	const char *shared = profile_value(session, key).text;
	return value ? value : shared && shared[0] ? shared : NULL;
}

static bool find_settings(struct sso *sso)
{
	struct provider_job *job = sso->job;
	const struct profile *session;
	if (!profiles_sso_session(&job->world->setup->profiles, job->profile, &session, &job->err))
		return false;
	const struct {
		const char **slot, *key;
	} needed[] = {
		{ &sso->account, "sso_account_id" },
		{ &sso->role, "sso_role_name" },
		{ &sso->start_url, "sso_start_url" },
		{ &sso->region, "sso_region" },
	};
	sso->session = session ? session->name : NULL;
	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		*needed[i].slot = setting(job, session, needed[i].key);
		if (!*needed[i].slot) {
			provider_fails(job, "%s is missing for a login by SSO", needed[i].key);
			return err_subject(&job->err, "profile %.100s", provider_profile(job));
		}
	}
	return true;
}

static enum provider_step start(struct provider_job *job)
{
	if (!provider_value(job, "sso_account_id") && !provider_value(job, "sso_role_name"))
		return PROVIDER_SKIPS;
	struct sso *sso = mem_new(1, sizeof(*sso));
	job->state = sso;
	sso->job = job;
	if (!find_settings(sso))
		return PROVIDER_FAILS;
	sso->cache = cache_path_of(sso);
	if (sso->cache && !job->fresh)
		sso->reading =
			disk_read(job->world->disk, sso->cache, CACHE_FILE_MAX, on_cached, sso);
	else
		find_token(sso);
	return PROVIDER_WAITS;
}

const struct provider provider_sso = { .name = "SSO", .start = start, .stop = stop };

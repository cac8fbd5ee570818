/*
 * `aws login`: short-lived keys in the cache of the AWS CLI, renewed there with a token and a key
 * of the login. Another process may have renewed them meanwhile, so the file is read first each
 * time. Logging in itself needs a browser and stays with the AWS CLI. Source: facts/aws.md 4.6.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/call.h"
#include "aws/auth/document.h"
#include "aws/auth/dpop.h"
#include "aws/config_files.h"
#include "model/base/mem.h"

#define RENEW_LEAD_MS (5 * 60000)
#define LIFE_MAX_S    900 /* of renewed keys */
#define PROOF_MAX     4096
#define PATH          "v1/token"

struct login {
	struct provider_job *job;
	char *path;
	uint64_t reading; /* 0 = nothing */
	struct json_value *file;
	struct aws_credentials old; /* of the file */
	struct auth_call *call;
};

static void stop(struct provider_job *job)
{
	struct login *login = job->state;
	if (!login)
		return;
	if (login->reading != 0)
		disk_forget(job->world->disk, login->reading);
	call_free(login->call);
	json_free(login->file);
	aws_credentials_release(&login->old);
	free(login->path);
	free(login);
	job->state = NULL;
}

static int64_t now_ms(const struct login *login)
{
	return clock_wall_ms(login->job->world->clock);
}

static enum provider_step say_login(struct login *login, const char *what)
{
	return provider_wants_login(login->job, what, "aws login");
}

static enum provider_step give(struct login *login)
{
	struct provider_job *job = login->job;
	snprintf(job->origin, sizeof(job->origin), "aws login of %.200s",
		 provider_value(job, "login_session"));
	return PROVIDER_GIVES;
}

/* --- renewing --- */

static void add_kept(struct buf *out, const struct json_value *from, const char *name)
{
	const char *text = json_text(from, name);
	if (!text)
		return;
	buf_add_text(out, ", ");
	cache_add_member(out, name, text);
}

/* The file anew, with what else the AWS CLI keeps in it. */
static void write_file(const struct login *login, const struct json_value *answer)
{
	const struct aws_credentials *keys = &login->job->credentials;
	const char *kept[] = { "clientId", "idToken", "dpopKey", "signInRegion" };
	const char *refresh = json_text(answer, "refreshToken");
	char expires[TIME_TEXT_SIZE];
	struct buf text;
	time_format_iso(keys->expires.ms, expires);
	buf_init(&text, CACHE_FILE_MAX);
	buf_add_text(&text, "{\"accessToken\": {");
	cache_add_member(&text, "accessKeyId", keys->access_key);
	buf_add_text(&text, ", ");
	cache_add_member(&text, "secretAccessKey", keys->secret_key);
	if (keys->session_token) {
		buf_add_text(&text, ", ");
		cache_add_member(&text, "sessionToken", keys->session_token);
	}
	if (keys->account[0]) {
		buf_add_text(&text, ", ");
		cache_add_member(&text, "accountId", keys->account);
	}
	buf_add_text(&text, ", ");
	cache_add_member(&text, "expiresAt", expires);
	buf_add_text(&text, "}");
	add_kept(&text, json_text(answer, "tokenType") ? answer : login->file, "tokenType");
	add_kept(&text, refresh ? answer : login->file, "refreshToken");
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		add_kept(&text, login->file, kept[i]);
	buf_add_char(&text, '}');
	if (!text.failed)
		disk_write(login->job->world->disk, login->path, buf_text(&text), text.len, NULL,
			   NULL);
	buf_wipe(&text);
	buf_release(&text);
}

static bool take_answer(struct login *login, const char *body, size_t len)
{
	static const struct document_names names = { "accessKeyId", "secretAccessKey",
						     "sessionToken", NULL, NULL };
	struct aws_credentials *keys = &login->job->credentials;
	struct err ignored = { 0 };
	struct json_value *answer = json_parse(body, len, &ignored);
	int64_t seconds;
	bool ok =
		document_credentials(json_object(answer, "accessToken"), &names, keys, &ignored) &&
		json_integer(answer, "expiresIn", &seconds) && seconds > 0 && seconds <= LIFE_MAX_S;
	if (ok) {
		keys->expires = (struct opt_ms){ true, now_ms(login) + 1000 * seconds };
		snprintf(keys->account, sizeof(keys->account), "%s", login->old.account);
		write_file(login, answer);
	}
	json_free(answer);
	err_clear(&ignored);
	return ok;
}

/* Words of the service that only a new login mends, in "error" of its answer. */
static const char *end_of_login(const char *body, size_t len)
{
	static const struct {
		const char *word, *text;
	} ends[] = {
		{ "TOKEN_EXPIRED", "the login has expired" },
		{ "USER_CREDENTIALS_CHANGED", "the user's password or keys have changed" },
		{ "AUTHCODE_EXPIRED", "the login has expired" },
	};
	struct err ignored = { 0 };
	struct json_value *answer = json_parse(body, len, &ignored);
	const char *word = json_text(answer, "error"), *text = NULL;
	for (size_t i = 0; word && i < ARRAY_LEN(ends); i++)
		if (strcmp(word, ends[i].word) == 0)
			text = ends[i].text;
	json_free(answer);
	err_clear(&ignored);
	return text;
}

/* Old keys that still last serve on, whatever came, unless AWS has refused them. */
static void on_answer(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct login *login = ctx;
	struct provider_job *job = login->job;
	enum provider_step step;
	const char *ended = err ? end_of_login(body, len) : NULL;
	if (!err && take_answer(login, body, len)) {
		step = give(login);
	} else if (login->old.expires.ms > now_ms(login) && !job->fresh) {
		aws_credentials_copy(&job->credentials, &login->old);
		step = give(login);
	} else if (ended) {
		step = say_login(login, ended);
	} else if (err && err->code == ERR_AUTH && err->http_status == 0) {
		step = say_login(login, err_text(err)); /* its key is none */
	} else if (err) {
		err_copy(&job->err, err);
		step = PROVIDER_FAILS;
	} else {
		step = provider_fails(job, "the answer of sign-in holds no keys");
	}
	job->done(job, step);
}

/* A proof is taken once: a request that is tried again has another. */
static char *make_proof(void *ctx, struct err *err)
{
	struct login *login = ctx;
	struct endpoint endpoint;
	struct buf proof;
	char url[ENDPOINT_URL_SIZE + 16], id[DPOP_ID_SIZE];
	if (!setup_endpoint(login->job->world->setup, SERVICE_SIGNIN,
			    json_text(login->file, "signInRegion"), &endpoint, err) ||
	    !dpop_new_id(id, err))
		return NULL;
	snprintf(url, sizeof(url), "%s" PATH, endpoint.url);
	const struct dpop_request request = {
		.method = "POST",
		.url = url,
		.issued_s = now_ms(login) / 1000,
		.id = id,
	};
	buf_init(&proof, PROOF_MAX);
	bool ok = dpop_write(&proof, json_text(login->file, "dpopKey"), &request, err);
	char *value = ok ? mem_copy_text(buf_text(&proof)) : NULL;
	buf_release(&proof);
	return value;
}

static enum provider_step renew(struct login *login)
{
	struct provider_job *job = login->job;
	struct buf body;
	buf_init(&body, CACHE_FILE_MAX);
	buf_add_char(&body, '{');
	cache_add_member(&body, "clientId", json_text(login->file, "clientId"));
	buf_add_text(&body, ", \"grantType\": \"refresh_token\", ");
	cache_add_member(&body, "refreshToken", json_text(login->file, "refreshToken"));
	buf_add_char(&body, '}');
	const struct call_options options = {
		.name = "CreateOAuth2Token",
		.service = SERVICE_SIGNIN,
		.region = json_text(login->file, "signInRegion"),
		.method = "POST",
		.path = PATH,
		.headers = { { "DPoP", "" } },
		.header_count = 1,
		.stamp = make_proof,
		.body = buf_text(&body),
	};
	login->call = call_start(job->world, &options, on_answer, login, &job->err);
	buf_wipe(&body);
	buf_release(&body);
	return login->call ? PROVIDER_WAITS : PROVIDER_FAILS;
}

/* --- the file --- */

static bool is_whole(const struct login *login)
{
	static const char *const needed[] = { "clientId", "refreshToken", "dpopKey" };
	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (!json_text(login->file, needed[i]))
			return false;
	return true;
}

static enum provider_step judge(struct login *login)
{
	static const struct document_names names = { "accessKeyId", "secretAccessKey",
						     "sessionToken", "expiresAt", "accountId" };
	struct provider_job *job = login->job;
	struct err ignored = { 0 };
	bool ok = is_whole(login) &&
		  document_credentials(json_object(login->file, "accessToken"), &names, &login->old,
				       &ignored) &&
		  login->old.expires.set;
	err_clear(&ignored);
	if (!ok)
		return say_login(login, "the cache of the login is not whole");
	if (login->old.expires.ms > now_ms(login) + RENEW_LEAD_MS && !job->fresh) {
		aws_credentials_copy(&job->credentials, &login->old);
		return give(login);
	}
	return renew(login);
}

static void on_file(void *ctx, const struct disk_result *result)
{
	struct login *login = ctx;
	struct err ignored = { 0 };
	enum provider_step step;
	login->reading = 0;
	if (result->err) {
		step = say_login(login, result->err->code == ERR_NOT_FOUND
						? "there is no login"
						: "the cache of the login cannot be read");
	} else {
		login->file = json_parse(result->bytes, result->len, &ignored);
		step = judge(login);
	}
	err_clear(&ignored);
	if (step != PROVIDER_WAITS)
		login->job->done(login->job, step);
}

/* AWS_LOGIN_CACHE_DIRECTORY, else beside the other caches. */
static char *cache_file(const char *hash)
{
	const char *folder = setup_env("AWS_LOGIN_CACHE_DIRECTORY");
	if (!folder)
		return cache_path(CACHE_LOGIN, hash);
	char *expanded = config_path_expand(folder);
	size_t size = strlen(expanded) + strlen(hash) + 8;
	char *path = mem_new(size, 1);
	snprintf(path, size, "%s/%s.json", expanded, hash);
	free(expanded);
	return path;
}

static enum provider_step start(struct provider_job *job)
{
	const char *session = provider_value(job, "login_session");
	char hash[HASH_TEXT_SIZE];
	if (!session)
		return PROVIDER_SKIPS;
	struct login *login = mem_new(1, sizeof(*login));
	job->state = login;
	login->job = job;
	if (cache_sha256(session, hash))
		login->path = cache_file(hash);
	if (!login->path)
		return say_login(login, "there is no home folder with a login");
	job->world->note_file(job->world->ctx, login->path);
	login->reading = disk_read(job->world->disk, login->path, CACHE_FILE_MAX, on_file, login);
	return PROVIDER_WAITS;
}

const struct provider provider_login = { .name = "aws login", .start = start, .stop = stop };

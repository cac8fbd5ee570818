#include "aws/auth/sso_token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/call.h"
#include "aws/auth/document.h"
#include "model/base/mem.h"

#define REFRESH_LEAD_MS (15 * 60000)

struct sso_token {
	struct provider_job *job;
	struct sso_login login;
	char *path;
	uint64_t reading; /* 0 = nothing */
	struct json_value *file;
	struct opt_ms expires;
	struct auth_call *call;
	struct waiter waiter; /* tells a result that stands at once */
	struct wait_hooks hooks;
	sso_token_fn *done;
	void *ctx;
};

void sso_token_free(struct sso_token *token)
{
	if (!token)
		return;
	if (token->reading != 0)
		disk_forget(token->job->world->disk, token->reading);
	call_free(token->call);
	waits_remove(&token->waiter);
	json_free(token->file);
	free(token->path);
	free(token);
}

static void fail(struct sso_token *token, const char *what)
{
	provider_wants_login(token->job, what, SSO_LOGIN_COMMAND);
	token->done(token->ctx, NULL, &token->job->err);
}

static int64_t now_ms(const struct sso_token *token)
{
	return clock_wall_ms(token->job->world->clock);
}

static void fail_expired(struct sso_token *token)
{
	char when[TIME_TEXT_SIZE], what[96];
	time_format_iso(token->expires.ms, when);
	snprintf(what, sizeof(what), "the login expired at %s", when);
	fail(token, what);
}

static void give(struct sso_token *token)
{
	token->done(token->ctx, json_text(token->file, "accessToken"), NULL);
}

/* --- refreshing --- */

static void add_kept(struct buf *out, const struct json_value *file, const char *name)
{
	const char *text = json_text(file, name);
	if (!text)
		return;
	buf_add_text(out, ", ");
	cache_add_member(out, name, text);
}

/* The file with its new token; all else that the AWS CLI keeps in it stays. */
static void write_file(struct sso_token *token, const struct json_value *answer,
		       const char *expires)
{
	static const char *const kept[] = { "startUrl", "region", "clientId", "clientSecret",
					    "registrationExpiresAt" };
	const char *refresh = json_text(answer, "refreshToken");
	struct buf text;
	buf_init(&text, CACHE_FILE_MAX);
	buf_add_char(&text, '{');
	cache_add_member(&text, "accessToken", json_text(answer, "accessToken"));
	buf_add_text(&text, ", ");
	cache_add_member(&text, "expiresAt", expires);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		add_kept(&text, token->file, kept[i]);
	add_kept(&text, refresh ? answer : token->file, "refreshToken");
	buf_add_char(&text, '}');
	if (!text.failed)
		disk_write(token->job->world->disk, token->path, buf_text(&text), text.len, NULL,
			   NULL);
	buf_wipe(&text);
	buf_release(&text);
}

static bool take_answer(struct sso_token *token, const char *body, size_t len)
{
	struct err ignored = { 0 };
	struct json_value *answer = json_parse(body, len, &ignored);
	const char *access = json_text(answer, "accessToken");
	int64_t seconds;
	bool ok = access && access[0] &&
		  credentials_text_is_clean(access, "accessToken", &ignored) &&
		  json_integer(answer, "expiresIn", &seconds) && seconds > 0 && seconds < INT32_MAX;
	if (ok) {
		char expires[TIME_TEXT_SIZE];
		time_format_iso(now_ms(token) + 1000 * seconds, expires);
		write_file(token, answer, expires);
		json_free(token->file);
		token->file = answer;
	} else {
		json_free(answer);
	}
	err_clear(&ignored);
	return ok;
}

/* A refresh that fails leaves the old token, as long as it lasts. */
static void on_refresh(void *ctx, const char *body, size_t len, const struct err *err)
{
	struct sso_token *token = ctx;
	bool lasts = token->expires.ms > now_ms(token);
	if ((!err && take_answer(token, body, len)) || lasts)
		give(token);
	else if (err && err->code != ERR_REFUSED && err->code != ERR_AUTH &&
		 err->code != ERR_DENIED)
		token->done(token->ctx, NULL, err);
	else
		fail_expired(token);
}

static bool can_refresh(const struct sso_token *token)
{
	static const char *const needed[] = { "refreshToken", "clientId", "clientSecret" };
	const char *registration = json_text(token->file, "registrationExpiresAt");
	int64_t registered_ms;
	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (!json_text(token->file, needed[i]))
			return false;
	return token->login.session && registration &&
	       document_time(registration, &registered_ms) && registered_ms > now_ms(token);
}

static void refresh(struct sso_token *token)
{
	struct err err = { 0 };
	struct buf body;
	buf_init(&body, CACHE_FILE_MAX);
	buf_add_text(&body, "{\"grantType\": \"refresh_token\", ");
	cache_add_member(&body, "clientId", json_text(token->file, "clientId"));
	buf_add_text(&body, ", ");
	cache_add_member(&body, "clientSecret", json_text(token->file, "clientSecret"));
	buf_add_text(&body, ", ");
	cache_add_member(&body, "refreshToken", json_text(token->file, "refreshToken"));
	buf_add_char(&body, '}');
	const struct call_options options = {
		.name = "CreateToken",
		.service = SERVICE_SSO_OIDC,
		.region = token->login.region,
		.method = "POST",
		.path = "token",
		.body = buf_text(&body),
	};
	token->call = call_start(token->job->world, &options, on_refresh, token, &err);
	if (!token->call)
		token->done(token->ctx, NULL, &err);
	buf_wipe(&body);
	buf_release(&body);
	err_clear(&err);
}

/* --- the file --- */

static void judge(struct sso_token *token)
{
	const char *access = json_text(token->file, "accessToken");
	const char *expires = json_text(token->file, "expiresAt");
	struct err ignored = { 0 };
	if (!access || !expires || !document_time(expires, &token->expires.ms) ||
	    !credentials_text_is_clean(access, "accessToken", &ignored)) {
		err_clear(&ignored);
		fail(token, "the cache of the login cannot be read");
		return;
	}
	token->expires.set = true;
	if (token->login.session && token->expires.ms < now_ms(token) + REFRESH_LEAD_MS &&
	    can_refresh(token))
		refresh(token);
	else if (token->expires.ms <= now_ms(token))
		fail_expired(token);
	else
		give(token);
}

static void on_file(void *ctx, const struct disk_result *result)
{
	struct sso_token *token = ctx;
	struct err ignored = { 0 };
	token->reading = 0;
	if (result->err) {
		fail(token, result->err->code == ERR_NOT_FOUND
				    ? "there is no login"
				    : "the cache of the login cannot be read");
		return;
	}
	token->file = json_parse(result->bytes, result->len, &ignored);
	err_clear(&ignored);
	judge(token);
}

static void on_wake(void *ctx)
{
	fail(ctx, "there is no home folder with a login");
}

struct sso_token *sso_token_start(struct provider_job *job, const struct sso_login *login,
				  sso_token_fn *done, void *ctx)
{
	struct sso_token *token = mem_new(1, sizeof(*token));
	char hash[HASH_TEXT_SIZE];
	token->job = job;
	token->login = *login;
	token->done = done;
	token->ctx = ctx;
	token->waiter = (struct waiter){ .wake = on_wake, .ctx = token };
	token->hooks = waits_add(job->world->waits, &token->waiter);
	if (cache_sha1(login->session ? login->session : login->start_url, hash))
		token->path = cache_path(CACHE_SSO, hash);
	if (!token->path) {
		token->hooks.wake_in(token->hooks.host, 0);
		return token;
	}
	job->world->note_file(job->world->ctx, token->path);
	token->reading = disk_read(job->world->disk, token->path, CACHE_FILE_MAX, on_file, token);
	return token;
}

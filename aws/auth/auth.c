#include "aws/auth/auth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/chain.h"
#include "aws/file_watch.h"
#include "model/base/mem.h"

/* Ahead of expiry: the advisory window of the AWS CLI (facts/aws.md section 4), and a second in
 * which its caches have run out too: they count for all of it. */
#define LEAD_MS       (15 * 60000 - 1000)
#define SHORT_LIFE_MS 60000 /* of what is left: then half of it is waited */
#define RENEW_MIN_MS  5000  /* between two renewals */
#define AGAIN_MS      60000 /* after a renewal that failed, while the old ones serve */
#define NET_FIRST_MS  5000  /* after a search that found no network, doubling up to ... */
#define NET_LAST_MS   60000
#define SETTINGS_MS   300000 /* after one that failed for another reason */
#define REFUSED_MS    30000  /* between two searches because AWS refused */

struct auth {
	struct auth_options options;
	struct auth_world world;
	struct waiter waiter;
	struct wait_hooks hooks;
	struct file_watch *watch;
	struct chain *chain;
	struct aws_credentials credentials; /* no access key: none */
	const struct provider *provider;
	char origin[ORIGIN_SIZE];
	struct err err;
	unsigned failures; /* in a row */
	struct opt_ms retry;
	bool refused; /* those at hand were: they serve no more */
	struct opt_ms refused_ms;
	struct code_question question; /* job NULL: none */
	bool declined;                 /* no code was given to the newest search */
};

static int64_t mono(const struct auth *auth)
{
	return clock_mono_ms(auth->options.clock);
}

static bool has_valid(const struct auth *auth)
{
	const struct opt_ms *expires = &auth->credentials.expires;
	return auth->credentials.access_key && !auth->refused &&
	       (!expires->set || expires->ms > clock_wall_ms(auth->options.clock));
}

/* --- what a search asks for --- */

static void on_question(void *ctx, const struct code_question *question)
{
	struct auth *auth = ctx;
	bool had = auth->question.job != NULL;
	auth->question = question ? *question : (struct code_question){ 0 };
	if (question)
		auth->options.ask_code(auth->options.ctx, question->profile, question->serial);
	else if (had)
		auth->options.ask_code(auth->options.ctx, NULL, NULL);
}

static void on_file(void *ctx, const char *path)
{
	struct auth *auth = ctx;
	file_watch_add(auth->watch, path);
}

static void on_date(void *ctx, int64_t date_ms)
{
	struct auth *auth = ctx;
	auth->options.on_date(auth->options.ctx, date_ms);
}

void auth_code(struct auth *auth, const char *code)
{
	struct code_question question = auth->question;
	auth->question = (struct code_question){ 0 };
	auth->declined = question.job && !code;
	if (question.job)
		question.answer(question.job, code);
}

/* --- searching --- */

static void wake_in(struct auth *auth, int64_t ms)
{
	auth->hooks.wake_in(auth->hooks.host, ms);
}

static void plan_renewal(struct auth *auth)
{
	const struct opt_ms *expires = &auth->credentials.expires;
	if (!expires->set) {
		wake_in(auth, -1);
		return;
	}
	int64_t left_ms = expires->ms - clock_wall_ms(auth->options.clock);
	int64_t in_ms = left_ms - LEAD_MS < SHORT_LIFE_MS ? left_ms / 2 : left_ms - LEAD_MS;
	wake_in(auth, in_ms < RENEW_MIN_MS ? RENEW_MIN_MS : in_ms);
}

static bool is_of_network(const struct err *err)
{
	return err->code == ERR_NET || err->code == ERR_TIMEOUT || err->code == ERR_SERVER ||
	       err->code == ERR_THROTTLED;
}

/* Who gave no code is not asked over and over: once more when the old ones end, else on demand. */
static void plan_question(struct auth *auth)
{
	const struct opt_ms *expires = &auth->credentials.expires;
	bool again = has_valid(auth) && expires->set;
	int64_t left_ms = again ? expires->ms - clock_wall_ms(auth->options.clock) : -1;
	wake_in(auth, left_ms);
}

static void plan_retry(struct auth *auth)
{
	int64_t in_ms = SETTINGS_MS;
	if (auth->declined) {
		plan_question(auth);
		return;
	}
	if (has_valid(auth)) {
		in_ms = AGAIN_MS;
	} else if (is_of_network(&auth->err)) {
		unsigned doublings = auth->failures < 5 ? auth->failures - 1 : 4;
		in_ms = (int64_t)NET_FIRST_MS << doublings;
		in_ms = in_ms > NET_LAST_MS ? NET_LAST_MS : in_ms;
	}
	auth->retry = (struct opt_ms){ true, mono(auth) + in_ms };
	wake_in(auth, in_ms);
}

static void take_found(struct auth *auth, const struct chain_result *result)
{
	aws_credentials_release(&auth->credentials);
	auth->credentials = *result->credentials;
	*result->credentials = (struct aws_credentials){ 0 };
	auth->provider = result->provider;
	snprintf(auth->origin, sizeof(auth->origin), "%s", result->origin);
	err_clear(&auth->err);
	auth->failures = 0;
	auth->refused = false;
	auth->retry = (struct opt_ms){ 0 };
	plan_renewal(auth);
}

/* An instance's service that does not answer looks like a machine that is none. */
static void take_failure(struct auth *auth, const struct chain_result *result)
{
	auth->failures++;
	if (!result->provider && auth->provider) {
		err_set(&auth->err, ERR_NET, "gives no credentials any more");
		err_subject(&auth->err, "%s", auth->provider->name);
	} else {
		err_copy(&auth->err, result->err);
		if (!has_valid(auth))
			auth->provider = result->provider;
	}
	plan_retry(auth);
}

static void on_result(void *ctx, const struct chain_result *result)
{
	struct auth *auth = ctx;
	if (result->credentials) {
		take_found(auth, result);
	} else {
		take_failure(auth, result);
	}
	chain_free(auth->chain);
	auth->chain = NULL;
	auth->options.changed(auth->options.ctx);
}

static void start_search(struct auth *auth, bool fresh)
{
	const struct setup *setup = auth->options.setup;
	const struct chain_options options = {
		.world = &auth->world,
		.part = CHAIN_WHOLE,
		.profile = setup->profile,
		.profile_is_named = setup->options.profile != NULL,
		.fresh = fresh,
	};
	if (auth->chain)
		return;
	auth->retry = (struct opt_ms){ 0 };
	auth->declined = false;
	wake_in(auth, -1);
	auth->chain = chain_start(&options, on_result, auth);
}

static void stop_search(struct auth *auth)
{
	chain_free(auth->chain);
	auth->chain = NULL;
}

void auth_stop(struct auth *auth)
{
	stop_search(auth);
}

/* Refused keys may lie in a cache still. */
static void on_wake(void *ctx)
{
	struct auth *auth = ctx;
	start_search(auth, auth->refused);
}

/* A login in another window. A search under way has read the old file. While all is well the next
 * renewal is early enough: a file that it writes itself must not begin the next. */
static void on_change(void *ctx)
{
	struct auth *auth = ctx;
	if (has_valid(auth) && auth->err.code == ERR_NONE)
		return;
	stop_search(auth);
	start_search(auth, auth->refused);
}

void auth_search(struct auth *auth)
{
	stop_search(auth);
	file_watch_clear(auth->watch);
	aws_credentials_release(&auth->credentials);
	err_clear(&auth->err);
	auth->provider = NULL;
	auth->origin[0] = '\0';
	auth->failures = 0;
	auth->refused = false;
	auth->refused_ms = (struct opt_ms){ 0 };
	start_search(auth, false);
}

/* --- the client's side --- */

static const struct aws_credentials *get(void *self, struct err *err)
{
	struct auth *auth = self;
	if (has_valid(auth))
		return &auth->credentials;
	if (!auth->chain && auth->err.code == ERR_NONE)
		start_search(auth, auth->refused);
	if (!auth->chain)
		err_copy(err, &auth->err);
	return NULL;
}

static bool refused(void *self, const char *access_key)
{
	struct auth *auth = self;
	int64_t now_ms = mono(auth);
	if (!auth->credentials.access_key || strcmp(auth->credentials.access_key, access_key) != 0)
		return true; /* those were replaced meanwhile */
	if (auth->refused_ms.set && now_ms - auth->refused_ms.ms < REFUSED_MS)
		return auth->chain != NULL;
	auth->refused_ms = (struct opt_ms){ true, now_ms };
	auth->refused = true;
	stop_search(auth);
	start_search(auth, true);
	return true;
}

struct credentials_source auth_source(struct auth *auth)
{
	return (struct credentials_source){ .get = get, .refused = refused, .self = auth };
}

void auth_status(const struct auth *auth, struct auth_status *status)
{
	*status = (struct auth_status){
		.searching = auth->chain != NULL,
		.has_credentials = has_valid(auth),
		.provider = auth->provider ? auth->provider->name : "",
		.of_environment = auth->provider == &provider_environment,
		.origin = auth->origin,
		.expires = auth->credentials.expires,
		.account = auth->credentials.account,
		.err = auth->err.code == ERR_NONE ? NULL : &auth->err,
		.retry = auth->retry,
	};
}

struct auth *auth_new(const struct auth_options *options)
{
	struct auth *auth = mem_new(1, sizeof(*auth));
	auth->options = *options;
	auth->world = (struct auth_world){
		.clock = options->clock,
		.waits = options->waits,
		.disk = options->disk,
		.http = options->http,
		.setup = options->setup,
		.log = options->log,
		.ask_code = options->ask_code ? on_question : NULL,
		.note_date = options->on_date ? on_date : NULL,
		.note_file = on_file,
		.ctx = auth,
	};
	auth->waiter = (struct waiter){ .wake = on_wake, .ctx = auth };
	auth->hooks = waits_add(options->waits, &auth->waiter);
	auth->watch = file_watch_new(options->waits, options->disk, on_change, auth);
	start_search(auth, false);
	return auth;
}

void auth_free(struct auth *auth)
{
	if (!auth)
		return;
	stop_search(auth);
	file_watch_free(auth->watch);
	waits_remove(&auth->waiter);
	aws_credentials_release(&auth->credentials);
	err_clear(&auth->err);
	free(auth);
}

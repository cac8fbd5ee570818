#include "aws/auth/chain.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"

static const struct provider *const whole[] = {
	&provider_environment,
	&provider_assume_role,
	&provider_web_identity,
	&provider_sso,
	&provider_credentials_file,
	&provider_login,
	&provider_process,
	&provider_config_file,
	&provider_container,
	&provider_imds,
	NULL,
};
static const struct provider *const source[] = {
	&provider_web_identity,
	&provider_sso,
	&provider_credentials_file,
	&provider_login,
	&provider_process,
	&provider_config_file,
	NULL,
};
static const struct provider *const environment[] = { &provider_environment, NULL };
static const struct provider *const container[] = { &provider_container, NULL };
static const struct provider *const imds[] = { &provider_imds, NULL };

static const struct provider *const *const parts[] = {
	[CHAIN_WHOLE] = whole,         [CHAIN_SOURCE] = source, [CHAIN_ENVIRONMENT] = environment,
	[CHAIN_CONTAINER] = container, [CHAIN_IMDS] = imds,
};

struct chain {
	const struct provider *const *at; /* NULL there: none of them is set up */
	struct provider_job job;
	bool waits;
	enum provider_step step; /* how it ended, until it is told */
	struct waiter waiter;    /* tells it from the loop */
	struct wait_hooks hooks;
	chain_done_fn *done;
	void *ctx;
};

enum provider_step provider_fails(struct provider_job *job, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text, ERR_TEXT_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	err_set(&job->err, ERR_AUTH, "%s", buf_text(&text));
	buf_release(&text);
	return PROVIDER_FAILS;
}

/* As a word for a shell. */
static void add_word(struct buf *out, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";
	if (text[0] && strspn(text, plain) == strlen(text)) {
		buf_add_text(out, text);
		return;
	}
	buf_add_char(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_add_text(out, "'\\''");
		else
			buf_add_char(out, *text);
	buf_add_char(out, '\'');
}

enum provider_step provider_wants_login(struct provider_job *job, const char *what,
					const char *command)
{
	const char *name = provider_profile(job);
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	buf_addf(&text, "%s: run %s", what, command);
	if (strcmp(name, "default") != 0) {
		buf_add_text(&text, " --profile ");
		add_word(&text, name);
	}
	provider_fails(job, "%s", buf_text(&text));
	err_subject(&job->err, "profile %.100s", name);
	job->err.hint = HINT_LOGIN_AS_TOLD;
	buf_release(&text);
	return PROVIDER_FAILS;
}

const char *provider_profile(const struct provider_job *job)
{
	return job->profile ? job->profile->name : "default";
}

const char *provider_value(const struct provider_job *job, const char *key)
{
	const char *value = profile_value(job->profile, key).text;
	return value && value[0] ? value : NULL;
}

static void advance(struct chain *chain)
{
	enum provider_step step = PROVIDER_SKIPS;
	while (*chain->at && (step = (*chain->at)->start(&chain->job)) == PROVIDER_SKIPS)
		chain->at++;
	chain->waits = step == PROVIDER_WAITS;
	chain->step = step;
	if (!chain->waits)
		chain->hooks.wake_in(chain->hooks.host, 0);
}

/* From a provider that waited. */
static void on_step(struct provider_job *job, enum provider_step step)
{
	struct chain *chain = job->owner;
	chain->waits = false;
	chain->step = step;
	chain->hooks.wake_in(chain->hooks.host, 0);
}

static void stop_provider(struct chain *chain)
{
	if (*chain->at && (*chain->at)->stop)
		(*chain->at)->stop(&chain->job);
	chain->job.state = NULL;
}

static bool is_expired(const struct provider_job *job)
{
	const struct opt_ms *expires = &job->credentials.expires;
	return expires->set && expires->ms <= clock_wall_ms(job->world->clock);
}

static void on_wake(void *ctx)
{
	struct chain *chain = ctx;
	if (chain->step == PROVIDER_SKIPS && *chain->at) {
		stop_provider(chain);
		chain->at++;
		advance(chain);
		return;
	}
	if (chain->step == PROVIDER_GIVES && is_expired(&chain->job)) {
		chain->step =
			provider_fails(&chain->job, "%s: it gave credentials that have expired",
				       (*chain->at)->name);
		chain->job.err.hint = HINT_LOGIN_AGAIN;
	}
	if (!*chain->at) {
		provider_fails(&chain->job, "no credentials are set up");
		chain->job.err.hint = HINT_SET_CREDENTIALS;
	}
	const struct chain_result result = {
		.credentials = chain->step == PROVIDER_GIVES ? &chain->job.credentials : NULL,
		.provider = *chain->at,
		.origin = chain->job.origin,
		.err = chain->step == PROVIDER_GIVES ? NULL : &chain->job.err,
	};
	chain->done(chain->ctx, &result);
}

struct chain *chain_start(const struct chain_options *options, chain_done_fn *done, void *ctx)
{
	struct chain *chain = mem_new(1, sizeof(*chain));
	chain->at = parts[options->part];
	chain->job = (struct provider_job){
		.world = options->world,
		.profile = options->profile,
		.profile_is_named = options->profile_is_named,
		.fresh = options->fresh,
		.done = on_step,
		.owner = chain,
	};
	chain->done = done;
	chain->ctx = ctx;
	chain->waiter = (struct waiter){ .wake = on_wake, .ctx = chain };
	chain->hooks = waits_add(options->world->waits, &chain->waiter);
	advance(chain);
	return chain;
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	stop_provider(chain);
	waits_remove(&chain->waiter);
	aws_credentials_release(&chain->job.credentials);
	err_clear(&chain->job.err);
	free(chain);
}

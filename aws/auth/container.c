/*
 * The credentials endpoint of a container: of ECS (a path), or of EKS Pod Identity and the like (a
 * URL, with a token). Source: facts/aws.md 4.8.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/auth/document.h"
#include "aws/auth/fetch.h"
#include "model/base/mem.h"

#define TIMEOUT_MS 2000
#define PAUSE_MS   1000
#define TRIES      3
#define TOKEN_MAX  (16u << 10)

struct container {
	struct provider_job *job;
	char url[ENDPOINT_URL_SIZE];
	uint64_t reading; /* of the token's file; 0 = none */
	struct fetch *fetch;
};

static void stop(struct provider_job *job)
{
	struct container *container = job->state;
	if (!container)
		return;
	if (container->reading != 0)
		disk_forget(job->world->disk, container->reading);
	fetch_free(container->fetch);
	free(container);
	job->state = NULL;
}

static enum provider_step fails(struct provider_job *job, enum provider_step step)
{
	if (!job->err.subject[0])
		err_subject(&job->err, "the container's credentials endpoint");
	return step;
}

static enum provider_step read_document(struct provider_job *job, const struct http_reply *reply)
{
	static const struct document_names names = { "AccessKeyId", "SecretAccessKey", "Token",
						     "Expiration", "AccountId" };
	struct err parse = { 0 };
	struct json_value *json = json_parse(reply->body, reply->body_len, &parse);
	enum provider_step step = PROVIDER_GIVES;
	if (json_type(json) != JSON_TYPE_OBJECT)
		step = provider_fails(job, "its answer is no JSON object");
	else if (!document_credentials(json, &names, &job->credentials, &job->err))
		step = PROVIDER_FAILS;
	json_free(json);
	err_clear(&parse);
	return step;
}

/* Also what is no JSON: agents that are being replaced answer so. */
static bool is_no_document(const struct http_reply *reply)
{
	struct err ignored = { 0 };
	struct json_value *json = json_parse(reply->body, reply->body_len, &ignored);
	bool is_object = json_type(json) == JSON_TYPE_OBJECT;
	json_free(json);
	err_clear(&ignored);
	return reply->status != 200 || !is_object;
}

static void on_document(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct container *container = ctx;
	struct provider_job *job = container->job;
	enum provider_step step = PROVIDER_FAILS;
	if (!reply) {
		err_copy(&job->err, err);
	} else if (reply->status != 200) {
		provider_fails(job, "it answered with status %d", reply->status);
		job->err.code = reply->status >= 500 ? ERR_SERVER : ERR_AUTH;
	} else {
		step = read_document(job, reply);
	}
	snprintf(job->origin, sizeof(job->origin), "%.200s", container->url);
	job->done(job, step == PROVIDER_GIVES ? step : fails(job, step));
}

/* A token with a line's end would be a header of its own. One newline at the end of a file is no
 * part of it for the AWS CLI either: it refuses it, as here. */
static enum provider_step ask(struct container *container, const char *token)
{
	struct provider_job *job = container->job;
	struct fetch_options options = {
		.method = "GET",
		.url = container->url,
		.headers = { { "Accept", "application/json" }, { "Authorization", token } },
		.header_count = token ? 2 : 1,
		.timeout_ms = TIMEOUT_MS,
		.pause_ms = PAUSE_MS,
		.tries = TRIES,
		.again = is_no_document,
	};
	if (token && token[strcspn(token, "\r\n")])
		return fails(job,
			     provider_fails(job, "its authorization token holds a line's end"));
	container->fetch = fetch_start(job->world, &options, on_document, container);
	return PROVIDER_WAITS;
}

static void on_token(void *ctx, const struct disk_result *result)
{
	struct container *container = ctx;
	struct provider_job *job = container->job;
	enum provider_step step = PROVIDER_FAILS;
	container->reading = 0;
	if (result->err) {
		err_copy(&job->err, result->err);
		job->err.code = ERR_AUTH;
	} else {
		step = ask(container, result->bytes);
	}
	if (step == PROVIDER_FAILS)
		job->done(job, step);
}

/* http only to this machine and the addresses that the agents have. */
static bool is_allowed(struct provider_job *job, const char *url)
{
	struct endpoint endpoint;
	enum endpoint_place place;
	if (!endpoint_of_url(&endpoint, url, &job->err)) {
		err_subject(&job->err, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
		job->err.code = ERR_AUTH;
		return false;
	}
	place = endpoint_place(endpoint.host);
	if (strncmp(endpoint.url, "https:", 6) == 0 || place == PLACE_LOOPBACK ||
	    place == PLACE_CONTAINER)
		return true;
	provider_fails(job, "http is only for this machine and the agents' own addresses");
	return err_subject(&job->err, "AWS_CONTAINER_CREDENTIALS_FULL_URI %.80s", endpoint.host);
}

static enum provider_step start(struct provider_job *job)
{
	const char *relative = setup_env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *full = setup_env("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	const char *token_file = setup_env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
	if (!relative && !full)
		return PROVIDER_SKIPS;
	if (!relative && !is_allowed(job, full))
		return PROVIDER_FAILS;
	struct container *container = mem_new(1, sizeof(*container));
	job->state = container;
	container->job = job;
	int len = relative ? snprintf(container->url, sizeof(container->url),
				      "http://169.254.170.2%s%s", relative[0] == '/' ? "" : "/",
				      relative)
			   : snprintf(container->url, sizeof(container->url), "%s", full);
	if (len < 0 || (size_t)len >= sizeof(container->url))
		return fails(job, provider_fails(job, "its URL is too long"));
	if (!token_file)
		return ask(container, setup_env("AWS_CONTAINER_AUTHORIZATION_TOKEN"));
	job->world->note_file(job->world->ctx, token_file);
	container->reading =
		disk_read(job->world->disk, token_file, TOKEN_MAX, on_token, container);
	return PROVIDER_WAITS;
}

const struct provider provider_container = { .name = "container endpoint",
					     .start = start,
					     .stop = stop };

#include "tests/simaccess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define HEADERS_MAX 8
#define FORM_TYPE   "application/x-www-form-urlencoded; charset=utf-8"

struct simregion *simaccess_new(void)
{
	struct sim_options options = simregion_options();
	options.no_auth = false;
	return simregion_new(&options);
}

struct simkeys simaccess_own_keys(void)
{
	return (struct simkeys){ .access_key = "AKIDSIM", .secret_key = "simsecret" };
}

static int ask(struct simregion *sim, const struct sim_request *request)
{
	sim_answer_release(&sim->answer);
	sim_region_answer(&sim->region, request, &sim->answer);
	return sim->answer.status;
}

int simaccess_send(struct simregion *sim, const char *method, const char *target,
		   const struct sigv4_header *headers, const char *body)
{
	struct sim_request request = { .method = method,
				       .target = target,
				       .headers = headers,
				       .body = body ? body : "",
				       .body_len = body ? strlen(body) : 0 };
	while (headers && headers[request.header_count].name)
		request.header_count++;
	return ask(sim, &request);
}

/* Adds date, token and signature to a POST to "/"; headers has room for them. */
static int send_signed(struct simregion *sim, const struct simkeys *keys, const char *service,
		       struct sigv4_header headers[HEADERS_MAX], size_t count, const char *body)
{
	char date[TIME_TEXT_SIZE];
	struct sigv4 state = { 0 };
	struct err err = { 0 };
	time_format_amz(sim->wall_ms, date);
	headers[count++] = (struct sigv4_header){ "X-Amz-Date", date };
	if (keys->session_token[0])
		headers[count++] =
			(struct sigv4_header){ "X-Amz-Security-Token", keys->session_token };
	const struct sigv4_request request = { .method = "POST",
					       .target = "/",
					       .headers = headers,
					       .header_count = count,
					       .body = body,
					       .body_len = strlen(body),
					       .amz_date = date,
					       .region = "us-east-1",
					       .service = service };
	if (!sigv4_sign(&state, &request, keys->access_key, keys->secret_key, &err))
		fail_msg("signing: %s", err_text(&err));
	headers[count++] = (struct sigv4_header){ "Authorization", buf_text(&state.authorization) };
	assert_true(count < HEADERS_MAX);
	headers[count] = (struct sigv4_header){ 0 };
	int status = simaccess_send(sim, "POST", "/", headers, body);
	sigv4_release(&state);
	return status;
}

int simaccess_sts(struct simregion *sim, const struct simkeys *keys, const char *form)
{
	struct sigv4_header headers[HEADERS_MAX] = { { "Host", "127.0.0.1:1" },
						     { "Content-Type", FORM_TYPE } };
	if (!keys)
		return simaccess_send(sim, "POST", "/", headers, form);
	return send_signed(sim, keys, "sts", headers, 2, form);
}

const char *simaccess_code(struct simregion *sim, const struct simkeys *keys)
{
	static char code[96];
	struct sigv4_header headers[HEADERS_MAX] = {
		{ "Host", "127.0.0.1:1" },
		{ "Content-Type", "application/x-amz-json-1.1" },
		{ "X-Amz-Target", "SageMaker.DescribeTrainingJob" }
	};
	(void)send_signed(sim, keys, "sagemaker", headers, 3, "{\"TrainingJobName\":\"none\"}");
	simaccess_between(sim, "{\"__type\":\"", "\"", code, sizeof(code));
	return code;
}

void simaccess_between(const struct simregion *sim, const char *before, const char *after,
		       char *out, size_t size)
{
	const char *body = simregion_body(sim), *start = strstr(body, before);
	start = start ? start + strlen(before) : NULL;
	const char *end = start ? strstr(start, after) : NULL;
	if (!end || (size_t)(end - start) >= size) {
		fail_msg("no '%s' in %s", before, body);
		return;
	}
	memcpy(out, start, (size_t)(end - start));
	out[end - start] = '\0';
}

struct simkeys simaccess_xml_keys(const struct simregion *sim)
{
	struct simkeys keys = { 0 };
	simaccess_between(sim, "<AccessKeyId>", "<", keys.access_key, sizeof(keys.access_key));
	simaccess_between(sim, "<SecretAccessKey>", "<", keys.secret_key, sizeof(keys.secret_key));
	simaccess_between(sim, "<SessionToken>", "<", keys.session_token,
			  sizeof(keys.session_token));
	return keys;
}

static void read_member(const struct simregion *sim, const char *name, char *out, size_t size)
{
	char before[64];
	int len = snprintf(before, sizeof(before), "\"%s\":\"", name);
	assert_in_range(len, 1, (int)sizeof(before) - 1);
	simaccess_between(sim, before, "\"", out, size);
}

struct simkeys simaccess_json_keys(const struct simregion *sim, const char *access_key,
				   const char *secret_key, const char *session_token)
{
	struct simkeys keys = { 0 };
	read_member(sim, access_key, keys.access_key, sizeof(keys.access_key));
	read_member(sim, secret_key, keys.secret_key, sizeof(keys.secret_key));
	read_member(sim, session_token, keys.session_token, sizeof(keys.session_token));
	return keys;
}

void simaccess_wants(const struct simregion *sim, int status, const char *texts)
{
	const char *body = simregion_body(sim), *rest = body;
	if (sim->answer.status != status)
		fail_msg("status %d, not %d: %s", sim->answer.status, status, body);
	for (const char *at = texts; *at; at += *at == '*') {
		size_t len = strcspn(at, "*");
		while (*rest && strncmp(rest, at, len) != 0)
			rest++;
		if (strncmp(rest, at, len) != 0)
			fail_msg("no '%.*s' in its place in %s", (int)len, at, body);
		rest += len;
		at += len;
	}
}

void simaccess_control(struct simregion *sim, const char *path, const char *body)
{
	if (simregion_control(sim, path, body) != 200)
		fail_msg("%s %s: %s", path, body, simregion_body(sim));
}

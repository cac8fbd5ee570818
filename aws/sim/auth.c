#include "aws/sim/auth.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "aws/sim/validate.h"
#include "model/base/attr.h"
#include "model/base/clock.h"

#define LEEWAY_MS (5 * 60 * INT64_C(1000))

const char *sim_request_header(const struct sim_request *request, const char *name)
{
	for (size_t i = 0; i < request->header_count; i++) {
		if (strcasecmp(request->headers[i].name, name) == 0)
			return request->headers[i].value;
	}
	return NULL;
}

/* 20261130T204808Z */
static bool parse_amz_date(const char *text, int64_t *ms)
{
	char iso[TIME_TEXT_SIZE];
	if (strlen(text) != 16)
		return false;
	int len = snprintf(iso, sizeof(iso), "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", text, text + 4,
			   text + 6, text + 9, text + 11, text + 13);
	return text[8] == 'T' && text[15] == 'Z' && len == 20 && time_parse_iso(iso, ms);
}

static bool invalid_signature(struct err *err, const char *message)
{
	return sim_refuse(err, 400, "InvalidSignatureException", "%s", message);
}

static bool check_time(const struct sim_auth *auth, const char *amz_date, struct err *err)
{
	int64_t at_ms;
	char limit[TIME_TEXT_SIZE], now[TIME_TEXT_SIZE];
	if (!parse_amz_date(amz_date, &at_ms))
		return sim_refuse(err, 400, "IncompleteSignatureException",
				  "Date must be in ISO-8601 'basic format'. Got '%.64s'. See "
				  "http://en.wikipedia.org/wiki/ISO_8601",
				  amz_date);
	if (at_ms < auth->from_ms) {
		time_format_amz(auth->from_ms, limit);
		time_format_amz(auth->from_ms + LEEWAY_MS, now);
		return sim_refuse(err, 400, "InvalidSignatureException",
				  "Signature expired: %s is now earlier than %s (%s - 5 min.)",
				  amz_date, limit, now);
	}
	if (at_ms > auth->until_ms) {
		time_format_amz(auth->until_ms, limit);
		time_format_amz(auth->until_ms - LEEWAY_MS, now);
		return sim_refuse(err, 400, "InvalidSignatureException",
				  "Signature not yet current: %s is still later than %s (%s + 5 "
				  "min.)",
				  amz_date, limit, now);
	}
	return true;
}

static bool check_scope(const struct sim_auth *auth, const struct sigv4_credential *credential,
			const char *amz_date, struct err *err)
{
	if (strcmp(credential->access_key, auth->access_key) != 0)
		return sim_refuse(err, 400, "UnrecognizedClientException",
				  "The security token included in the request is invalid.");
	if (strncmp(credential->date, amz_date, 8) != 0)
		return invalid_signature(err, "Date in Credential scope does not match YYYYMMDD "
					      "from ISO-8601 version of date from HTTP");
	if (strcmp(credential->region, auth->region) != 0)
		return invalid_signature(err, "Credential should be scoped to a valid region.");
	if (strcmp(credential->service, auth->service) != 0)
		return sim_refuse(err, 400, "InvalidSignatureException",
				  "Credential should be scoped to correct service: '%s'.",
				  auth->service);
	return true;
}

static bool is_signed(const char *signed_headers, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = signed_headers; *at;) {
		size_t word = strcspn(at, ";");
		if (word == len && strncasecmp(at, name, len) == 0)
			return true;
		at += word + (at[word] == ';');
	}
	return false;
}

/* Host and everything that AWS reads must be signed, or it could be changed on the way. */
static bool check_covered(const struct sim_request *request, const char *signed_headers,
			  struct err *err)
{
	for (size_t i = 0; i < request->header_count; i++) {
		const char *name = request->headers[i].name;
		bool needed = strcasecmp(name, "host") == 0 || strncasecmp(name, "x-amz-", 6) == 0;
		if (needed && !is_signed(signed_headers, name))
			return sim_refuse(err, 400, "InvalidSignatureException",
					  "'%.64s' must be a 'SignedHeader' in the AWS "
					  "Authorization.",
					  name);
	}
	return true;
}

/* Temporary keys are worth nothing without their token, nor others with one. */
static bool check_token(const struct sim_auth *auth, const struct sim_request *request,
			struct err *err)
{
	const char *token = sim_request_header(request, "X-Amz-Security-Token");
	bool own = auth->session_token ? token && strcmp(token, auth->session_token) == 0 : !token;
	if (!own)
		return sim_refuse(err, 400, "UnrecognizedClientException",
				  "The security token included in the request is invalid.");
	return !auth->expired || sim_refuse(err, 400, "ExpiredTokenException",
					    "The security token included in the request is "
					    "expired");
}

static bool check_signature(const struct sim_auth *auth, const struct sim_request *request,
			    const struct sigv4_credential *credential, const char *amz_date,
			    struct err *err)
{
	struct sigv4 state = { 0 };
	struct err trouble = { 0 };
	const struct sigv4_request signed_request = {
		.method = request->method,
		.target = request->target,
		.headers = request->headers,
		.header_count = request->header_count,
		.signed_headers = credential->signed_headers,
		.body = request->body,
		.body_len = request->body_len,
		.amz_date = amz_date,
		.region = credential->region,
		.service = credential->service,
	};
	bool fine =
		sigv4_sign(&state, &signed_request, auth->access_key, auth->secret_key, &trouble);
	if (!fine)
		sim_refuse(err, 400, "IncompleteSignatureException", "%s", err_text(&trouble));
	else if (!sigv4_signature_equal(state.signature, credential->signature))
		fine = sim_refuse(err, 400, "InvalidSignatureException",
				  "The request signature we calculated does not match the "
				  "signature you provided. Check your AWS Secret Access Key and "
				  "signing method. Consult the service documentation for "
				  "details.\n\nThe Canonical String for this request should have "
				  "been\n'%.3000s'\n\nThe String-to-Sign should have "
				  "been\n'%.1000s'\n",
				  buf_text(&state.canonical_request),
				  buf_text(&state.string_to_sign));
	sigv4_release(&state);
	err_clear(&trouble);
	return fine;
}

static bool check(const struct sim_auth *auth, const struct sim_request *request, struct err *err)
{
	const char *authorization = sim_request_header(request, "Authorization");
	const char *amz_date = sim_request_header(request, "X-Amz-Date");
	struct sigv4_credential credential;
	if (!authorization)
		return sim_refuse(err, 400, "MissingAuthenticationTokenException",
				  "Missing Authentication Token");
	if (!sigv4_parse_authorization(authorization, &credential))
		return sim_refuse(err, 400, "IncompleteSignatureException",
				  "Authorization header requires 'Credential', 'SignedHeaders' and "
				  "'Signature' parameters.");
	if (!amz_date)
		return sim_refuse(err, 400, "IncompleteSignatureException",
				  "Authorization header requires existence of either a "
				  "'X-Amz-Date' or a 'Date' header.");
	return check_time(auth, amz_date, err) && check_scope(auth, &credential, amz_date, err) &&
	       check_covered(request, credential.signed_headers, err) &&
	       check_token(auth, request, err) &&
	       check_signature(auth, request, &credential, amz_date, err);
}

/* facts/aws.md 1.3: the same refusals have other names and another status there. */
static void put_in_query_words(struct err *err)
{
	static const struct {
		const char *json, *query;
		int status;
	} words[] = {
		{ "MissingAuthenticationTokenException", "MissingAuthenticationToken", 403 },
		{ "IncompleteSignatureException", "IncompleteSignature", 400 },
		{ "InvalidSignatureException", "SignatureDoesNotMatch", 403 },
		{ "UnrecognizedClientException", "InvalidClientTokenId", 403 },
		{ "ExpiredTokenException", "ExpiredToken", 403 },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(err->aws_code, words[i].json) != 0)
			continue;
		snprintf(err->aws_code, sizeof(err->aws_code), "%s", words[i].query);
		err->http_status = words[i].status;
		return;
	}
}

bool sim_auth_check(const struct sim_auth *auth, const struct sim_request *request, struct err *err)
{
	bool fine = check(auth, request, err);
	if (!fine && auth->query)
		put_in_query_words(err);
	return fine;
}

bool sim_auth_access_key(const struct sim_request *request, char out[SIM_AUTH_KEY_SIZE])
{
	const char *authorization = sim_request_header(request, "Authorization");
	struct sigv4_credential credential;
	if (!authorization || !sigv4_parse_authorization(authorization, &credential))
		return false;
	snprintf(out, SIM_AUTH_KEY_SIZE, "%s", credential.access_key);
	return true;
}

bool sim_auth_region(const struct sim_request *request, char out[SIM_AUTH_REGION_SIZE])
{
	const char *authorization = sim_request_header(request, "Authorization");
	struct sigv4_credential credential;
	if (!authorization || !sigv4_parse_authorization(authorization, &credential))
		return false;
	snprintf(out, SIM_AUTH_REGION_SIZE, "%s", credential.region);
	return true;
}

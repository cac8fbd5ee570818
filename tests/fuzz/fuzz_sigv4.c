/*
 * Any text as an Authorization header, and any request signed. The input's first line is the
 * header, the second the target, then headers up to an empty line, then the body. A header that is
 * taken apart can be put together again; a request that is signed is verified by its own signature;
 * its canonical form holds no byte that must be encoded.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/sigv4.h"
#include "tests/fuzz/fuzz.h"

#define HEADERS_MAX 20

static void join(const struct sigv4_credential *parts, struct buf *out)
{
	buf_addf(out,
		 "AWS4-HMAC-SHA256 Credential=%s/%s/%s/%s/aws4_request, SignedHeaders=%s, "
		 "Signature=%s",
		 parts->access_key, parts->date, parts->region, parts->service,
		 parts->signed_headers, parts->signature);
}

static void check_header(const char *value)
{
	struct sigv4_credential parts, again;
	struct buf text;

	if (!sigv4_parse_authorization(value, &parts))
		return;
	assert(parts.access_key[0] && parts.date[0] && parts.region[0] && parts.service[0]);
	assert(strlen(parts.signature) == SIGV4_HEX_SIZE - 1);
	buf_init(&text, 8192);
	join(&parts, &text);
	bool ok = sigv4_parse_authorization(buf_text(&text), &again);
	assert(ok && memcmp(&parts, &again, sizeof(parts)) == 0);
	buf_release(&text);
}

/* "name: value" in two; a name has letters, digits and '-' alone, as in HTTP. */
static void split(char *line, struct sigv4_header *header)
{
	static const char name_bytes[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	size_t len = strspn(line, name_bytes);

	header->name = len && line[len] == ':' ? line : "x-other";
	header->value = line[len] == ':' ? line + len + 1 : line;
	if (len && line[len] == ':')
		line[len] = '\0';
}

static void check_canonical(const struct sigv4 *state)
{
	const char *at = strchr(buf_text(&state->canonical_request), '\n') + 1;

	/* The path and the query. */
	for (int lines = 0; lines < 2; at++) {
		bool plain = (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
			     (*at >= 'a' && *at <= 'z');

		assert(plain || strchr("-._~/%&=\n", *at));
		assert(*at);
		lines += *at == '\n';
	}
}

static void check_signed(const struct sigv4_request *request)
{
	struct sigv4 state = { 0 }, verifier = { 0 };
	struct sigv4_request received = *request;
	struct sigv4_credential parts;
	struct err err = { 0 };

	if (sigv4_sign(&state, request, "AKID/EXAMPLE", "secret", &err)) {
		check_canonical(&state);
		bool ok = sigv4_parse_authorization(buf_text(&state.authorization), &parts);
		assert(ok && strcmp(parts.access_key, "AKID/EXAMPLE") == 0);
		received.signed_headers = parts.signed_headers;
		ok = sigv4_sign(&verifier, &received, "AKID/EXAMPLE", "secret", &err);
		assert(ok && sigv4_signature_equal(verifier.signature, parts.signature));
	} else {
		assert(err.code != ERR_NONE && err_text(&err)[0]);
	}
	sigv4_release(&state);
	sigv4_release(&verifier);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	char *value = fuzz_line(&bytes), *target = fuzz_line(&bytes), *lines[HEADERS_MAX];
	struct sigv4_header headers[HEADERS_MAX + 1] = { { "Host", "example.com" } };
	size_t count = 0;

	check_header(value);
	while (count < HEADERS_MAX && bytes.left && *bytes.at != '\n') {
		lines[count] = fuzz_line(&bytes);
		split(lines[count], &headers[count + 1]);
		count++;
	}
	check_signed(&(struct sigv4_request){ .method = "POST",
					      .target = target,
					      .headers = headers,
					      .header_count = count + 1,
					      .body = (const char *)bytes.at,
					      .body_len = bytes.left,
					      .raw_path = size % 2,
					      .amz_date = "20261130T204808Z",
					      .region = "us-east-1",
					      .service = "sagemaker" });
	while (count > 0)
		free(lines[--count]);
	free(target);
	free(value);
	return 0;
}

#include "aws/sigv4.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "model/base/text.h"

#define CANONICAL_MAX                                                                       \
	65536u          /* AWS takes 16 KiB of headers; paths and queries of ours are short \
			 */
#define PAIRS_MAX    64 /* query parameters */
#define SEGMENTS_MAX 64 /* of a path */
#define KEY_SIZE     32
#define DATE_DIGITS  8

/* Header names in the list to sign, lower case, sorted; points into the signed_headers text. */
struct name_list {
	char text[SIGV4_SIGNED_SIZE];
	size_t used;
	const char *names[SIGV4_HEADERS_MAX];
	size_t count;
};

struct pair {
	const char *key, *value;
};

static bool is_unreserved(unsigned char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '_' || c == '~';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void add_encoded(struct buf *out, const char *bytes, size_t len, bool keep_slash)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (is_unreserved(c) || (keep_slash && c == '/'))
			buf_add_char(out, (char)c);
		else
			buf_addf(out, "%%%02X", c);
	}
}

/* Decodes %XX, then encodes: a query may come encoded, half encoded or raw. */
static void add_query_part(struct buf *out, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '%' && i + 2 < len && text_hex_value(bytes[i + 1]) >= 0 &&
		    text_hex_value(bytes[i + 2]) >= 0) {
			char c = (char)(text_hex_value(bytes[i + 1]) * 16 +
					text_hex_value(bytes[i + 2]));

			add_encoded(out, &c, 1, false);
			i += 2;
		} else {
			add_encoded(out, bytes + i, 1, false);
		}
	}
}

/* Resolves ".", ".." and empty segments; a closing slash stays. */
static bool add_normal_path(struct buf *out, const char *path, size_t len)
{
	struct {
		const char *start;
		size_t len;
	} kept[SEGMENTS_MAX];
	size_t count = 0;

	for (size_t at = 0; at < len;) {
		const char *slash = memchr(path + at, '/', len - at);
		size_t end = slash ? (size_t)(slash - path) : len;
		size_t segment = end - at;
		const char *start = path + at;

		at = end + 1;
		if (segment == 0 || (segment == 1 && start[0] == '.'))
			continue;
		if (segment == 2 && start[0] == '.' && start[1] == '.') {
			count -= count > 0;
			continue;
		}
		if (count == SEGMENTS_MAX)
			return false;
		kept[count].start = start;
		kept[count++].len = segment;
	}
	for (size_t i = 0; i < count; i++) {
		buf_add_char(out, '/');
		add_encoded(out, kept[i].start, kept[i].len, false);
	}
	if (count == 0 || path[len - 1] == '/')
		buf_add_char(out, '/');
	return true;
}

static bool add_path(struct buf *out, const struct sigv4_request *request, struct err *err)
{
	size_t len = strcspn(request->target, "?");

	if (len == 0) {
		buf_add_char(out, '/');
		return true;
	}
	if (request->raw_path) {
		add_encoded(out, request->target, len, true);
		return true;
	}
	if (!add_normal_path(out, request->target, len))
		return err_set(err, ERR_TOO_BIG, "the path has more than %d segments",
			       SEGMENTS_MAX);
	return true;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : strcmp(x->value, y->value);
}

/* Appends the encoded parts, each with a NUL behind it, as key, value, key, value, ... */
static size_t split_query(struct buf *parts, const char *query)
{
	size_t count = 0;

	for (const char *at = query; *at;) {
		size_t len = strcspn(at, "&");
		const char *equals = memchr(at, '=', len);
		size_t key = equals ? (size_t)(equals - at) : len;

		if (len > 0) {
			add_query_part(parts, at, key);
			buf_add_char(parts, '\0');
			if (equals)
				add_query_part(parts, equals + 1, len - key - 1);
			buf_add_char(parts, '\0');
			count++;
		}
		at += len + (at[len] == '&');
	}
	return count;
}

static bool add_query(struct buf *out, const char *target, struct err *err)
{
	const char *mark = strchr(target, '?');
	struct buf parts;
	struct pair pairs[PAIRS_MAX];
	bool ok = true;

	if (!mark)
		return true;
	buf_init(&parts, CANONICAL_MAX);
	size_t count = split_query(&parts, mark + 1);

	if (count > PAIRS_MAX || parts.failed) {
		ok = err_set(err, ERR_TOO_BIG, "the query is too long to be signed");
	} else {
		const char *at = buf_text(&parts);

		for (size_t i = 0; i < count; i++) {
			pairs[i].key = at;
			pairs[i].value = at + strlen(at) + 1;
			at = pairs[i].value + strlen(pairs[i].value) + 1;
		}
		qsort(pairs, count, sizeof(pairs[0]), compare_pairs);
		for (size_t i = 0; i < count; i++)
			buf_addf(out, "%s%s=%s", i ? "&" : "", pairs[i].key, pairs[i].value);
	}
	buf_release(&parts);
	return ok;
}

/* Hop by hop, changed on the way, or written by the library below us (facts/aws.md section 3). */
static bool is_never_signed(const char *name)
{
	static const char *const names[] = {
		"authorization",
		"cache-control",
		"connection",
		"content-length",
		"expect",
		"from",
		"keep-alive",
		"max-forwards",
		"pragma",
		"referer",
		"te",
		"trailer",
		"user-agent",
		"transfer-encoding",
		"upgrade",
		"x-amzn-trace-id",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcasecmp(name, names[i]) == 0)
			return true;
	}
	return strncasecmp(name, "proxy-", 6) == 0 || strncasecmp(name, "sec-", 4) == 0;
}

static bool add_name(struct name_list *list, const char *name, size_t len, struct err *err)
{
	char *copy = list->text + list->used;

	if (list->used + len + 1 > sizeof(list->text) || list->count == SIGV4_HEADERS_MAX)
		return err_set(err, ERR_TOO_BIG, "too many headers to sign");
	for (size_t i = 0; i < len; i++)
		copy[i] = to_lower(name[i]);
	copy[len] = '\0';
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->names[i], copy) == 0)
			return true;
	}
	list->names[list->count++] = copy;
	list->used += len + 1;
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static bool choose_headers(struct name_list *list, const struct sigv4_request *request,
			   struct err *err)
{
	if (request->signed_headers) {
		for (const char *at = request->signed_headers; *at;) {
			size_t len = strcspn(at, ";");

			if (len > 0 && !add_name(list, at, len, err))
				return false;
			at += len + (at[len] == ';');
		}
	} else {
		for (size_t i = 0; i < request->header_count; i++) {
			const char *name = request->headers[i].name;

			if (!is_never_signed(name) && !add_name(list, name, strlen(name), err))
				return false;
		}
	}
	qsort(list->names, list->count, sizeof(list->names[0]), compare_names);
	return true;
}

/* Trimmed, with one blank for each run of white space inside. */
static void add_header_value(struct buf *out, const char *value)
{
	bool gap = false, any = false;

	for (; *value; value++) {
		if (is_blank(*value)) {
			gap = any;
			continue;
		}
		if (gap)
			buf_add_char(out, ' ');
		buf_add_char(out, *value);
		gap = false;
		any = true;
	}
}

static bool add_header(struct buf *out, const struct sigv4_request *request, const char *name,
		       struct err *err)
{
	bool found = false;

	buf_addf(out, "%s:", name);
	for (size_t i = 0; i < request->header_count; i++) {
		if (strcasecmp(request->headers[i].name, name) != 0)
			continue;
		if (found)
			buf_add_char(out, ',');
		add_header_value(out, request->headers[i].value);
		found = true;
	}
	buf_add_char(out, '\n');
	if (!found)
		return err_set(err, ERR_PARSE, "the signed header %s is not in the request", name);
	return true;
}

static bool add_headers(struct sigv4 *state, const struct sigv4_request *request, struct err *err)
{
	struct name_list list = { .used = 0 };
	struct buf *out = &state->canonical_request;
	bool host = false;
	size_t used = 0;

	if (!choose_headers(&list, request, err))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		if (!add_header(out, request, list.names[i], err))
			return false;
		host = host || strcmp(list.names[i], "host") == 0;
	}
	if (!host)
		return err_set(err, ERR_PARSE, "the Host header is not signed");
	for (size_t i = 0; i < list.count; i++) {
		int written = snprintf(state->signed_headers + used, SIGV4_SIGNED_SIZE - used,
				       "%s%s", i ? ";" : "", list.names[i]);

		if (written < 0 || (size_t)written >= SIGV4_SIGNED_SIZE - used)
			return err_set(err, ERR_TOO_BIG, "too many headers to sign");
		used += (size_t)written;
	}
	return true;
}

static void write_hex(const unsigned char bytes[KEY_SIZE], char out[SIGV4_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < KEY_SIZE; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 15];
	}
	out[2 * KEY_SIZE] = '\0';
}

bool sigv4_sha256_hex(const char *bytes, size_t len, char out[SIGV4_HEX_SIZE], struct err *err)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int size = 0;

	if (EVP_Digest(bytes ? bytes : "", len, digest, &size, EVP_sha256(), NULL) != 1 ||
	    size != KEY_SIZE)
		return err_set(err, ERR_AUTH, "the hash of the request cannot be computed");
	write_hex(digest, out);
	return true;
}

bool sigv4_canonical_request(struct sigv4 *state, const struct sigv4_request *request,
			     struct err *err)
{
	struct buf *out = &state->canonical_request;
	char hash[SIGV4_HEX_SIZE];

	buf_wipe(out);
	buf_init(out, CANONICAL_MAX);
	buf_addf(out, "%s\n", request->method);
	if (!add_path(out, request, err))
		return false;
	buf_add_char(out, '\n');
	if (!add_query(out, request->target, err))
		return false;
	buf_add_char(out, '\n');
	if (!add_headers(state, request, err) ||
	    !sigv4_sha256_hex(request->body, request->body_len, hash, err))
		return false;
	buf_addf(out, "\n%s\n%s", state->signed_headers, hash);
	if (out->failed)
		return err_set(err, ERR_TOO_BIG, "the request is too long to be signed");
	return true;
}

/* 20261130T204808Z */
static bool is_amz_date(const char *text)
{
	static const char shape[] = "00000000T000000Z";

	if (strlen(text) != sizeof(shape) - 1)
		return false;
	for (size_t i = 0; shape[i]; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (shape[i] == '0' ? !digit : text[i] != shape[i])
			return false;
	}
	return true;
}

bool sigv4_string_to_sign(struct sigv4 *state, const struct sigv4_request *request, struct err *err)
{
	struct buf *out = &state->string_to_sign;
	char hash[SIGV4_HEX_SIZE];

	if (!request->amz_date || !is_amz_date(request->amz_date))
		return err_set(err, ERR_PARSE, "the date is not of the form 20261130T204808Z");

	int written = snprintf(state->scope, SIGV4_SCOPE_SIZE, "%.8s/%s/%s/aws4_request",
			       request->amz_date, request->region, request->service);

	if (written < 0 || written >= SIGV4_SCOPE_SIZE)
		return err_set(err, ERR_TOO_BIG, "the region or service name is too long");
	if (!sigv4_sha256_hex(state->canonical_request.data, state->canonical_request.len, hash,
			      err))
		return false;
	buf_release(out);
	buf_init(out, CANONICAL_MAX);
	buf_addf(out, "AWS4-HMAC-SHA256\n%s\n%s\n%s", request->amz_date, state->scope, hash);
	return true;
}

static bool hmac(const void *key, size_t key_len, const char *text, size_t len,
		 unsigned char out[KEY_SIZE])
{
	size_t size = 0;

	return EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, key, key_len,
			 (const unsigned char *)text, len, out, KEY_SIZE, &size) &&
	       size == KEY_SIZE;
}

/* The key of one day, region and service. */
static bool derive_key(const struct sigv4_request *request, const char *secret_key,
		       unsigned char key[KEY_SIZE])
{
	struct buf first;
	unsigned char next[KEY_SIZE];
	bool ok;

	buf_init(&first, 1024);
	ok = buf_addf(&first, "AWS4%s", secret_key) &&
	     hmac(first.data, first.len, request->amz_date, DATE_DIGITS, key) &&
	     hmac(key, KEY_SIZE, request->region, strlen(request->region), next) &&
	     hmac(next, KEY_SIZE, request->service, strlen(request->service), key) &&
	     hmac(key, KEY_SIZE, "aws4_request", strlen("aws4_request"), next);
	if (ok)
		memcpy(key, next, KEY_SIZE);
	OPENSSL_cleanse(next, sizeof(next));
	buf_wipe(&first);
	return ok;
}

bool sigv4_signature(struct sigv4 *state, const struct sigv4_request *request,
		     const char *secret_key, struct err *err)
{
	unsigned char key[KEY_SIZE], digest[KEY_SIZE];
	bool ok =
		derive_key(request, secret_key, key) &&
		hmac(key, KEY_SIZE, state->string_to_sign.data, state->string_to_sign.len, digest);

	if (ok)
		write_hex(digest, state->signature);
	else
		ok = err_set(err, ERR_AUTH, "the signature cannot be computed");
	OPENSSL_cleanse(key, sizeof(key));
	OPENSSL_cleanse(digest, sizeof(digest));
	return ok;
}

bool sigv4_authorization(struct sigv4 *state, const char *access_key, struct err *err)
{
	struct buf *out = &state->authorization;

	buf_release(out);
	buf_init(out, CANONICAL_MAX);
	if (!buf_addf(out, "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s",
		      access_key, state->scope, state->signed_headers, state->signature))
		return err_set(err, ERR_TOO_BIG, "the access key is too long");
	return true;
}

bool sigv4_sign(struct sigv4 *state, const struct sigv4_request *request, const char *access_key,
		const char *secret_key, struct err *err)
{
	return sigv4_canonical_request(state, request, err) &&
	       sigv4_string_to_sign(state, request, err) &&
	       sigv4_signature(state, request, secret_key, err) &&
	       sigv4_authorization(state, access_key, err);
}

void sigv4_release(struct sigv4 *state)
{
	if (!state)
		return;
	buf_wipe(&state->canonical_request);
	buf_release(&state->string_to_sign);
	buf_release(&state->authorization);
	OPENSSL_cleanse(state, sizeof(*state));
}

/* Copies text[0..len) with a NUL; false if it is empty, does not fit or is told twice. */
static bool copy_part(char *out, size_t size, const char *text, size_t len)
{
	if (len == 0 || len >= size || out[0])
		return false;
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

/* AKID/20261130/us-east-1/sagemaker/aws4_request; an access key may hold slashes. */
static bool parse_scope(const char *text, size_t len, struct sigv4_credential *out)
{
	static const char end[] = "/aws4_request";
	size_t cut[3], end_len = sizeof(end) - 1;

	if (len <= end_len || memcmp(text + len - end_len, end, end_len) != 0)
		return false;
	len -= end_len;

	size_t stop = len;

	for (size_t part = 3; part-- > 0;) {
		while (stop > 0 && text[stop - 1] != '/')
			stop--;
		if (stop == 0)
			return false;
		cut[part] = stop--;
	}
	return copy_part(out->access_key, sizeof(out->access_key), text, cut[0] - 1) &&
	       copy_part(out->date, sizeof(out->date), text + cut[0], cut[1] - cut[0] - 1) &&
	       copy_part(out->region, sizeof(out->region), text + cut[1], cut[2] - cut[1] - 1) &&
	       copy_part(out->service, sizeof(out->service), text + cut[2], len - cut[2]);
}

static bool parse_part(const char *text, size_t len, struct sigv4_credential *out)
{
	static const char credential[] = "Credential=", headers[] = "SignedHeaders=",
			  signature[] = "Signature=";
	const size_t credential_len = sizeof(credential) - 1, headers_len = sizeof(headers) - 1,
		     signature_len = sizeof(signature) - 1;

	if (len > credential_len && memcmp(text, credential, credential_len) == 0)
		return parse_scope(text + credential_len, len - credential_len, out);
	if (len > headers_len && memcmp(text, headers, headers_len) == 0)
		return copy_part(out->signed_headers, sizeof(out->signed_headers),
				 text + headers_len, len - headers_len);
	if (len == signature_len + SIGV4_HEX_SIZE - 1 &&
	    memcmp(text, signature, signature_len) == 0)
		return copy_part(out->signature, sizeof(out->signature), text + signature_len,
				 len - signature_len);
	return false;
}

bool sigv4_parse_authorization(const char *value, struct sigv4_credential *out)
{
	static const char algorithm[] = "AWS4-HMAC-SHA256 ";

	memset(out, 0, sizeof(*out));
	if (strncmp(value, algorithm, sizeof(algorithm) - 1) != 0)
		return false;
	for (const char *at = value + sizeof(algorithm) - 1; *at;) {
		size_t len = strcspn(at, ", ");

		if (len > 0 && !parse_part(at, len, out))
			return false;
		at += len + (at[len] != '\0');
	}
	return out->access_key[0] && out->signed_headers[0] && out->signature[0];
}

bool sigv4_signature_equal(const char *a, const char *b)
{
	size_t len = strlen(a);

	return len == strlen(b) && CRYPTO_memcmp(a, b, len) == 0;
}

/* Where the container endpoint and the metadata service are asked, and the logins of `aws login`:
 * against the cases of other SDKs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cmocka.h>

#include "aws/auth/dpop.h"
#include "aws/json.h"
#include "model/base/mem.h"
#include "tests/authbench.h"
#include "tests/shared.h"

#define NOVEMBER_2025_MS INT64_C(1763510400000) /* 2025-11-19T00:00:00Z */

static struct json_value *open_vectors(const char *name)
{
	size_t len;
	char *text = shared_read(name, &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;
	assert_true(!text || json);
	free(text);
	return json;
}

static void set_variables(const struct authbench *bench, const struct json_value *env)
{
	for (const struct json_value *at = json_first(env); at; at = json_next(at)) {
		char path[512];
		const char *value = json_as_text(at);
		if (strcmp(json_name(at), "AWS_CONFIG_FILE") == 0) {
			snprintf(path, sizeof(path), "%s/%.400s", bench->root, value);
			value = path;
		}
		assert_int_equal(setenv(json_name(at), value, 1), 0);
	}
}

/* The URL that is asked first; "" = none. */
static void first_url(const struct json_value *test, enum chain_part part, char *url, size_t size)
{
	struct authbench *bench = mem_new(1, sizeof(*bench));
	authbench_init(bench, NOVEMBER_2025_MS);
	set_variables(bench, json_object(test, "env"));
	for (const struct json_value *at = json_first(json_object(test, "fs")); at;
	     at = json_next(at)) {
		char path[128];
		snprintf(path, sizeof(path), "/%.100s", json_name(at));
		authbench_write(bench, path, json_as_text(at));
	}
	assert_true(authbench_set_up(bench, NULL));
	/* Neither has keys, and neither is asked for again a second later. */
	if (part == CHAIN_CONTAINER)
		authbench_answer(bench, 200, "{}", NULL);
	else
		authbench_answer(bench, 403, "no", NULL);
	authbench_search(bench, part);
	assert_null(bench->found.access_key);
	snprintf(url, size, "%s", bench->asked_count > 0 ? bench->asked[0].url : "");
	assert_true(bench->asked_count == 0 || bench->asked[0].no_proxy);
	authbench_release(bench);
	free(bench);
}

static void run_places(const char *name, enum chain_part part, size_t whole, size_t left)
{
	struct json_value *file = open_vectors(name);
	size_t count = 0, right = 0, left_out = 0;
	if (!file)
		return;
	for (const struct json_value *at = json_first(json_array(file, "tests")); at;
	     at = json_next(at), count++) {
		const char *wanted = json_text(json_object(at, "result"), "Ok");
		char url[2048];
		/* Set in a program by its SDK: gpuq has no such options. */
		if (json_text(at, "endpoint_override") || json_text(at, "mode_override")) {
			left_out++;
			continue;
		}
		first_url(at, part, url, sizeof(url));
		if (strcmp(url, wanted ? wanted : "") == 0)
			right++;
		else
			printf("  %s: asked '%s', wanted '%s'\n", json_text(at, "docs"), url,
			       wanted ? wanted : "");
	}
	printf("%s: %zu of %zu right, %zu left out (options of an SDK)\n", name, right, count,
	       left_out);
	assert_int_equal(count, whole);
	assert_int_equal(left_out, left);
	assert_int_equal(right + left_out, count);
	json_free(file);
}

static void test_container_places(void **state)
{
	(void)state;
	run_places("vectors/credentials/smithy-rs/ecs-tests.json", CHAIN_CONTAINER, 11, 0);
}

static void test_metadata_places(void **state)
{
	(void)state;
	run_places("vectors/credentials/smithy-rs/imds-config/imds-endpoint-tests.json", CHAIN_IMDS,
		   14, 3);
}

/* --- aws login --- */

static EVP_PKEY *new_key(void)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	assert_non_null(key);
	return key;
}

/* As real caches have it: "EC PRIVATE KEY" or "PRIVATE KEY". */
static char *pem_of(EVP_PKEY *key, bool traditional)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *bytes;
	if (traditional)
		assert_int_equal(PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL, 0, NULL,
								      NULL),
				 1);
	else
		assert_int_equal(PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL),
				 1);
	long len = BIO_get_mem_data(bio, &bytes);
	char *pem = mem_copy_bytes(bytes, (size_t)len);
	BIO_free(bio);
	return pem;
}

/* A JSON value as text; enough for what the vectors hold. */
static void add_value(struct buf *out, const struct json_value *value, const char *pem)
{
	const char *text = json_as_text(value);
	bool first = true;
	if (json_type(value) == JSON_TYPE_OBJECT) {
		buf_add_char(out, '{');
		for (const struct json_value *at = json_first(value); at; at = json_next(at)) {
			buf_addf(out, "%s\"%s\":", first ? "" : ",", json_name(at));
			add_value(out, at, pem);
			first = false;
		}
		buf_add_char(out, '}');
		return;
	}
	buf_add_char(out, '"');
	for (const char *at = text[0] == '<' ? pem : text; *at; at++)
		if (*at == '\n')
			buf_add_text(out, "\\n");
		else
			buf_add_char(out, *at);
	buf_add_char(out, '"');
}

static void prepare_login(struct authbench *bench, const struct json_value *test, const char *pem)
{
	struct buf text;
	buf_init(&text, 65536);
	authbench_write(bench, "/home/.aws/config", json_text(test, "configContents"));
	for (const struct json_value *at = json_first(json_object(test, "cacheContents")); at;
	     at = json_next(at)) {
		char path[256];
		snprintf(path, sizeof(path), "/home/.aws/login/cache/%.200s", json_name(at));
		buf_clear(&text);
		add_value(&text, at, pem);
		authbench_write(bench, path, buf_text(&text));
	}
	for (const struct json_value *at = json_first(json_array(test, "mockApiCalls")); at;
	     at = json_next(at)) {
		int64_t status = 200, seconds;
		const struct json_value *output =
			json_object(json_object(at, "response"), "tokenOutput");
		(void)json_integer(at, "responseCode", &status);
		buf_clear(&text);
		if (output && json_integer(output, "expiresIn", &seconds)) {
			buf_add_text(&text, "{\"accessToken\":");
			add_value(&text, json_object(output, "accessToken"), pem);
			buf_addf(&text, ",\"refreshToken\":\"%s\",\"expiresIn\":%lld}",
				 json_text(output, "refreshToken"), (long long)seconds);
		}
		authbench_answer(bench, (int)status, buf_text(&text), NULL);
	}
	buf_release(&text);
}

static bool outcome_is_right(const struct authbench *bench, const struct json_value *outcome)
{
	const struct aws_credentials *found = &bench->found;
	int64_t expires_ms;
	if (strcmp(json_text(outcome, "result"), "error") == 0)
		return !found->access_key && err_text(&bench->err)[0];
	if (strcmp(json_text(outcome, "result"), "credentials") != 0)
		return true; /* what the cache holds: below */
	return found->access_key &&
	       strcmp(found->access_key, json_text(outcome, "accessKeyId")) == 0 &&
	       strcmp(found->secret_key, json_text(outcome, "secretAccessKey")) == 0 &&
	       strcmp(found->session_token, json_text(outcome, "sessionToken")) == 0 &&
	       strcmp(found->account, json_text(outcome, "accountId")) == 0 &&
	       time_parse_iso(json_text(outcome, "expiresAt"), &expires_ms) &&
	       found->expires.ms / 60000 == expires_ms / 60000;
}

static bool run_login(const struct json_value *test, bool traditional)
{
	struct authbench *bench = mem_new(1, sizeof(*bench));
	EVP_PKEY *key = new_key();
	char *pem = pem_of(key, traditional);
	bool right = true;
	authbench_init(bench, NOVEMBER_2025_MS);
	prepare_login(bench, test, pem);
	assert_true(authbench_set_up(bench, "signin"));
	assert_int_equal(setenv("AWS_REGION", "us-east-1", 1), 0);
	assert_true(setup_decide(&bench->setup, &bench->err));
	authbench_search(bench, CHAIN_WHOLE);
	for (const struct json_value *at = json_first(json_array(test, "outcomes")); at;
	     at = json_next(at))
		right = right && outcome_is_right(bench, at);
	if (bench->asked_count > 0)
		right = right &&
			strcmp(bench->asked[0].url,
			       "https://us-east-1.signin.aws.amazon.com/v1/token") == 0 &&
			bench->asked[0].proof[0] && !bench->asked[0].authorization[0];
	assert_null(strstr(err_text(&bench->err), "PRIVATE KEY"));
	authbench_release(bench);
	EVP_PKEY_free(key);
	free(pem);
	free(bench);
	return right;
}

static void test_logins(void **state)
{
	static const char *const names[] = {
		"vectors/credentials/botocore-login-provider-test-cases.json",
		"vectors/credentials/smithy-rs/login-provider-test-cases.json",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_value *file = open_vectors(names[i]);
		size_t count = 0, right = 0;
		for (const struct json_value *at = json_first(file); at; at = json_next(at)) {
			bool ok = run_login(at, true) && run_login(at, false);
			count++;
			right += ok;
			if (!ok)
				printf("  %s: wrong\n", json_text(at, "documentation"));
		}
		if (!file)
			continue;
		printf("%s: %zu of %zu right\n", names[i], right, count);
		assert_int_equal(count, 8);
		assert_int_equal(right, count);
		json_free(file);
	}
}

/* --- the proof --- */

static int letter_value(char c)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *at = strchr(letters, c);
	assert_true(c && at);
	return (int)(at - letters);
}

static size_t decode(const char *text, size_t len, unsigned char *out)
{
	size_t used = 0;
	unsigned bits = 0, held = 0;
	for (size_t i = 0; i < len; i++) {
		bits = bits << 6 | (unsigned)letter_value(text[i]);
		held += 6;
		if (held >= 8) {
			held -= 8;
			out[used++] = (unsigned char)(bits >> held);
		}
	}
	return used;
}

/* By OpenSSL's own verifier, with the public key alone. */
static bool verifies(EVP_PKEY *key, const char *text, size_t len, const unsigned char plain[64])
{
	ECDSA_SIG *pair = ECDSA_SIG_new();
	unsigned char *der = NULL;
	EVP_MD_CTX *state = EVP_MD_CTX_new();
	assert_int_equal(ECDSA_SIG_set0(pair, BN_bin2bn(plain, 32, NULL),
					BN_bin2bn(plain + 32, 32, NULL)),
			 1);
	int der_len = i2d_ECDSA_SIG(pair, &der);
	assert_int_equal(EVP_DigestVerifyInit(state, NULL, EVP_sha256(), NULL, key), 1);
	bool ok = EVP_DigestVerify(state, der, (size_t)der_len, (const unsigned char *)text, len) ==
		  1;
	EVP_MD_CTX_free(state);
	OPENSSL_free(der);
	ECDSA_SIG_free(pair);
	return ok;
}

static void test_proof_is_signed(void **state)
{
	const struct dpop_request request = {
		.method = "POST",
		.url = "https://us-east-1.signin.aws.amazon.com/v1/token",
		.issued_s = 1763510400,
		.id = "00000000-0000-4000-8000-000000000001",
	};
	(void)state;
	for (int traditional = 0; traditional < 2; traditional++) {
		EVP_PKEY *key = new_key();
		char *pem = pem_of(key, traditional);
		struct buf proof;
		struct err err = { 0 };
		unsigned char bytes[1024], signature[64], x[32];
		char text[1024];
		BIGNUM *number = NULL;
		buf_init(&proof, 4096);
		assert_true(dpop_write(&proof, pem, &request, &err));
		const char *first = strchr(buf_text(&proof), '.');
		const char *second = strrchr(buf_text(&proof), '.');
		assert_true(first && second > first);
		assert_int_equal(decode(second + 1, strlen(second + 1), signature), 64);
		assert_true(verifies(key, buf_text(&proof), (size_t)(second - buf_text(&proof)),
				     signature));
		/* The vectors' own payload. */
		size_t len = decode(first + 1, (size_t)(second - first - 1), bytes);
		snprintf(text, sizeof(text), "%.*s", (int)len, (const char *)bytes);
		assert_string_equal(text,
				    "{\"htm\":\"POST\",\"htu\":\"https://us-east-1.signin.aws."
				    "amazon.com/v1/token\",\"iat\":1763510400,\"jti\":\"00000000-"
				    "0000-4000-8000-000000000001\"}");
		len = decode(buf_text(&proof), (size_t)(first - buf_text(&proof)), bytes);
		snprintf(text, sizeof(text), "%.*s", (int)len, (const char *)bytes);
		static const char before[] = "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{"
					     "\"kty\":\"EC\",\"x\":\"";
		assert_memory_equal(text, before, sizeof(before) - 1);
		assert_int_equal(decode(text + sizeof(before) - 1, 43, x), 32);
		assert_int_equal(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_EC_PUB_X, &number), 1);
		unsigned char wanted[32];
		assert_int_equal(BN_bn2binpad(number, wanted, 32), 32);
		assert_memory_equal(x, wanted, 32);
		BN_free(number);
		buf_release(&proof);
		EVP_PKEY_free(key);
		free(pem);
	}
}

static void test_other_keys_are_refused(void **state)
{
	EVP_PKEY *other = EVP_EC_gen("P-384");
	char *pem = pem_of(other, true);
	const struct dpop_request request = { "POST", "https://x/", 1, "id" };
	const char *keys[] = {
		pem, "", "no key at all",
		"-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct buf proof;
		struct err err = { 0 };
		buf_init(&proof, 4096);
		assert_false(dpop_write(&proof, keys[i], &request, &err));
		assert_int_equal(err.code, ERR_AUTH);
		err_clear(&err);
		buf_release(&proof);
	}
	EVP_PKEY_free(other);
	free(pem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_container_places),
		cmocka_unit_test(test_metadata_places),
		cmocka_unit_test(test_logins),
		cmocka_unit_test(test_proof_is_signed),
		cmocka_unit_test(test_other_keys_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The region's sign-in: which proofs it takes, and the keys it renews for them. Proofs are made
 * here with OpenSSL, and two come from botocore's own code.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "aws/json.h"
#include "aws/sim/proof.h"
#include "model/base/attr.h"
#include "tests/shared.h"
#include "tests/simaccess.h"

#define HOST  "127.0.0.1:8700"
#define START (SIM_TEST_START_MS / 1000)

/* What a proof says. */
struct claims {
	const char *typ, *alg, *crv, *more; /* more: members of jwk, with a comma before */
	const char *htm, *htu;
	long long iat;
	const char *jti;
	EVP_PKEY *shown; /* whose jwk; NULL: the signer's */
};

static struct claims claims_of(const char *jti)
{
	return (struct claims){ .typ = "dpop+jwt",
				.alg = "ES256",
				.crv = "P-256",
				.more = "",
				.htm = "POST",
				.htu = "http://" HOST "/v1/token",
				.iat = START,
				.jti = jti };
}

static void add_base64url(char *out, size_t size, const void *bytes, size_t len)
{
	unsigned char text[2048];
	assert_true(len < sizeof(text) / 2);
	int text_len = EVP_EncodeBlock(text, bytes, (int)len);
	for (int i = 0; i < text_len; i++)
		text[i] = (unsigned char)(text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i]);
	while (text_len > 0 && text[text_len - 1] == '=')
		text_len--;
	size_t at = strlen(out);
	assert_true(at + (size_t)text_len < size);
	memcpy(out + at, text, (size_t)text_len);
	out[at + (size_t)text_len] = '\0';
}

static void add_dot(char *out, size_t size)
{
	size_t len = strlen(out);
	assert_true(len + 1 < size);
	memcpy(out + len, ".", 2);
}

static void coordinate(const EVP_PKEY *key, const char *name, char out[64])
{
	unsigned char bytes[32];
	BIGNUM *number = NULL;
	assert_int_equal(EVP_PKEY_get_bn_param(key, name, &number), 1);
	assert_int_equal(BN_bn2binpad(number, bytes, sizeof(bytes)), 32);
	BN_free(number);
	out[0] = '\0';
	add_base64url(out, 64, bytes, sizeof(bytes));
}

static void add_signature(char *out, size_t size, EVP_PKEY *key)
{
	unsigned char der[128], plain[64];
	const unsigned char *at = der;
	size_t len = sizeof(der);
	EVP_MD_CTX *state = EVP_MD_CTX_new();
	assert_int_equal(EVP_DigestSignInit(state, NULL, EVP_sha256(), NULL, key), 1);
	assert_int_equal(EVP_DigestSign(state, der, &len, (const unsigned char *)out, strlen(out)),
			 1);
	EVP_MD_CTX_free(state);
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)len);
	assert_non_null(pair);
	assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(pair), plain, 32), 32);
	assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(pair), plain + 32, 32), 32);
	ECDSA_SIG_free(pair);
	add_dot(out, size);
	add_base64url(out, size, plain, sizeof(plain));
}

/* A proof with these claims; static buffer. */
static char *prove(EVP_PKEY *key, const struct claims *claims)
{
	static char proof[2048];
	char json[1024], x[64], y[64];
	const EVP_PKEY *shown = claims->shown ? claims->shown : key;
	coordinate(shown, OSSL_PKEY_PARAM_EC_PUB_X, x);
	coordinate(shown, OSSL_PKEY_PARAM_EC_PUB_Y, y);
	int len = snprintf(json, sizeof(json),
			   "{\"typ\":\"%s\",\"alg\":\"%s\",\"jwk\":{\"kty\":\"EC\",\"x\":\"%s\","
			   "\"y\":\"%s\",\"crv\":\"%s\"%s}}",
			   claims->typ, claims->alg, x, y, claims->crv, claims->more);
	assert_in_range(len, 1, (int)sizeof(json) - 1);
	proof[0] = '\0';
	add_base64url(proof, sizeof(proof), json, (size_t)len);
	add_dot(proof, sizeof(proof));
	len = snprintf(json, sizeof(json),
		       "{\"htm\":\"%s\",\"htu\":\"%s\",\"iat\":%lld,\"jti\":\"%s\"}", claims->htm,
		       claims->htu, claims->iat, claims->jti);
	assert_in_range(len, 1, (int)sizeof(json) - 1);
	add_base64url(proof, sizeof(proof), json, (size_t)len);
	add_signature(proof, sizeof(proof), key);
	return proof;
}

/* A login, and the key that came with it. */
struct session {
	struct simregion *sim;
	EVP_PKEY *key;
	char refresh[256];
};

static void read_refresh(struct session *session)
{
	simaccess_between(session->sim, "\"refreshToken\":\"", "\"", session->refresh,
			  sizeof(session->refresh));
}

static void log_in(struct session *session, const char *body)
{
	struct err err = { 0 };
	simaccess_control(session->sim, "/_sim/login", body);
	read_refresh(session);
	struct json_value *file = json_parse(simregion_body(session->sim),
					     strlen(simregion_body(session->sim)), &err);
	const char *pem = json_text(file, "dpopKey");
	assert_non_null(pem);
	assert_int_equal(strncmp(pem, "-----BEGIN EC PRIVATE KEY-----\n", 31), 0);
	BIO *bio = BIO_new_mem_buf(pem, -1);
	session->key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
	assert_non_null(session->key);
	BIO_free(bio);
	json_free(file);
}

static void begin(struct session *session)
{
	*session = (struct session){ .sim = simaccess_new() };
	log_in(session, "{\"kind\":\"login\"}");
}

static void finish(struct session *session)
{
	EVP_PKEY_free(session->key);
	simregion_free(session->sim);
}

static int post(const struct session *session, const char *proof, const char *body)
{
	const struct sigv4_header headers[] = {
		{ "Host", HOST }, { "Content-Type", "application/json" }, { "DPoP", proof }, { 0 }
	};
	const struct sigv4_header without[] = { { "Host", HOST }, { 0 } };
	return simaccess_send(session->sim, "POST", "/v1/token", proof ? headers : without, body);
}

static int renew(const struct session *session, const char *proof)
{
	char body[512];
	int len = snprintf(body, sizeof(body),
			   "{\"clientId\":\"arn:aws:signin:::devtools/same-device\","
			   "\"grantType\":\"refresh_token\",\"refreshToken\":\"%s\"}",
			   session->refresh);
	assert_in_range(len, 1, (int)sizeof(body) - 1);
	return post(session, proof, body);
}

static int renew_as(const struct session *session, const char *jti)
{
	struct claims claims = claims_of(jti);
	claims.iat = session->sim->wall_ms / 1000;
	return renew(session, prove(session->key, &claims));
}

static void wants_error(const struct session *session, const char *type, const char *texts)
{
	simaccess_wants(session->sim, 400, texts);
	assert_int_equal(session->sim->answer.header_count, 1);
	assert_string_equal(session->sim->answer.headers[0].name, "x-amzn-ErrorType");
	assert_string_equal(session->sim->answer.headers[0].value, type);
}

static void login__is__a_cache_file(void **state)
{
	struct session session;
	(void)state;
	begin(&session);
	simaccess_wants(session.sim, 200,
			"{\"accessToken\":{\"accessKeyId\":\"ASIA*\"accountId\":\"111122223333\","
			"\"expiresAt\":\"2026-11-30T21:03:08Z\"},\"tokenType\":\"aws_sigv4\","
			"\"clientId\":\"arn:aws:signin:::devtools/same-device\","
			"\"refreshToken\":\"*\"dpopKey\":\"-----BEGIN EC PRIVATE KEY-----\\n*"
			"-----END EC PRIVATE KEY-----\\n\"}");
	struct simkeys keys =
		simaccess_json_keys(session.sim, "accessKeyId", "secretAccessKey", "sessionToken");
	assert_string_equal(simaccess_code(session.sim, &keys), "ResourceNotFound");
	simaccess_control(session.sim, "/_sim/login",
			  "{\"kind\":\"login\",\"seconds\":5,"
			  "\"login_session\":\"arn:aws:iam::999988887777:user/eve\"}");
	simaccess_wants(session.sim, 200,
			"\"accountId\":\"999988887777\",\"expiresAt\":\"2026-11-30T20:48:13Z\"");
	finish(&session);
}

static void proof__renews__keys_and_token(void **state)
{
	struct session session;
	char old[sizeof(session.refresh)];
	(void)state;
	begin(&session);
	memcpy(old, session.refresh, sizeof(old));
	assert_int_equal(renew_as(&session, "a"), 200);
	simaccess_wants(session.sim, 200,
			"{\"accessToken\":{\"accessKeyId\":\"ASIA*\"},\"tokenType\":\"aws_sigv4\","
			"\"expiresIn\":900,\"refreshToken\":\"");
	struct simkeys keys =
		simaccess_json_keys(session.sim, "accessKeyId", "secretAccessKey", "sessionToken");
	read_refresh(&session);
	assert_string_not_equal(session.refresh, old);
	assert_string_equal(simaccess_code(session.sim, &keys), "ResourceNotFound");
	simregion_pass(session.sim, 900000);
	assert_string_equal(simaccess_code(session.sim, &keys), "ExpiredTokenException");
	assert_int_equal(renew_as(&session, "b"), 200);
	memcpy(session.refresh, old, sizeof(old)); /* of the first of two renewals */
	assert_int_equal(renew_as(&session, "c"), 400);
	wants_error(&session, "AccessDeniedException", "{\"error\":\"TOKEN_EXPIRED\",\"message\":");
	finish(&session);
}

static void lifetime__of_renewed_keys__is_at_most_900(void **state)
{
	struct session session;
	(void)state;
	begin(&session);
	simaccess_control(session.sim, "/_sim/credentials", "{\"seconds\":7200}");
	assert_int_equal(renew_as(&session, "a"), 200);
	simaccess_wants(session.sim, 200, "\"expiresIn\":900,");
	read_refresh(&session);
	simaccess_control(session.sim, "/_sim/credentials", "{\"seconds\":7}");
	assert_int_equal(renew_as(&session, "b"), 200);
	simaccess_wants(session.sim, 200, "\"expiresIn\":7,");
	finish(&session);
}

static void refuses(const struct session *session, struct claims claims, const char *why)
{
	renew(session, prove(session->key, &claims));
	wants_error(session, "ValidationException", "{\"error\":\"INVALID_REQUEST\"*DPoP");
	simaccess_wants(session->sim, 400, why);
}

static void proof__is_refused__unless_it_goes_with_the_request(void **state)
{
	static const char *const urls[] = { "http://" HOST "/v1/authorize",
					    "http://127.0.0.1/v1/token", "ftp://" HOST "/v1/token",
					    "http://" HOST "/v1/token?x", HOST "/v1/token" };
	struct session session;
	struct claims fine = claims_of("once"), claims;
	EVP_PKEY *other = EVP_EC_gen("P-256");
	(void)state;
	begin(&session);
	claims = fine, claims.typ = "JWT";
	refuses(&session, claims, "typ");
	claims = fine, claims.alg = "none";
	refuses(&session, claims, "alg");
	claims = fine, claims.crv = "P-384";
	refuses(&session, claims, "P-256");
	claims = fine, claims.more = ",\"d\":\"AAAA\"";
	refuses(&session, claims, "private");
	claims = fine, claims.htm = "GET";
	refuses(&session, claims, "htm");
	claims = fine, claims.iat = START - 301;
	refuses(&session, claims, "iat");
	claims = fine, claims.iat = START + 301;
	refuses(&session, claims, "iat");
	claims = fine, claims.shown = other;
	refuses(&session, claims, "signature");
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		claims = fine, claims.htu = urls[i];
		refuses(&session, claims, "htu");
	}
	/* None of them has used the id up, and the bounds themselves are good. */
	fine.iat = START + 300;
	fine.htu = "https://" HOST "/v1/token";
	assert_int_equal(renew(&session, prove(session.key, &fine)), 200);
	EVP_PKEY_free(other);
	finish(&session);
}

static void proof__serves__once(void **state)
{
	struct session session;
	(void)state;
	begin(&session);
	assert_int_equal(renew_as(&session, "a"), 200);
	read_refresh(&session);
	assert_int_equal(renew_as(&session, "a"), 400);
	wants_error(&session, "ValidationException", "jti");
	assert_int_equal(renew_as(&session, "b"), 200);
	finish(&session);
}

static void login__is_bound__to_its_first_key(void **state)
{
	struct session session;
	EVP_PKEY *other = EVP_EC_gen("P-256");
	(void)state;
	begin(&session);
	struct claims claims = claims_of("x");
	assert_int_equal(renew_as(&session, "a"), 200);
	read_refresh(&session);
	assert_int_equal(renew(&session, prove(other, &claims)), 400);
	wants_error(&session, "ValidationException", "jwk");
	assert_int_equal(renew_as(&session, "b"), 200);
	EVP_PKEY_free(other);
	finish(&session);
}

static void garbage__is_no_proof(void **state)
{
	static const char *const garbage[] = { "",           "a",        "a.b",
					       "....",       "e30.e30.", "e30.e30.AAAA",
					       "\"{}.{}.x\"" };
	struct session session;
	(void)state;
	begin(&session);
	assert_int_equal(renew(&session, NULL), 400);
	for (size_t i = 0; i < ARRAY_LEN(garbage); i++) {
		assert_int_equal(renew(&session, garbage[i]), 400);
		simaccess_wants(session.sim, 400, "INVALID_REQUEST*DPoP");
	}
	/* One byte of the signature changed; and one bit beyond its end. */
	const struct claims claims = claims_of("x");
	char *proof = prove(session.key, &claims), *at = strrchr(proof, '.') + 5;
	*at = *at == 'A' ? 'B' : 'A';
	assert_int_equal(renew(&session, proof), 400);
	simaccess_wants(session.sim, 400, "signature");
	proof = prove(session.key, &claims);
	at = proof + strlen(proof) - 1;
	*at = (char)(*at + 1);
	assert_int_equal(renew(&session, proof), 400);
	post(&session, prove(session.key, &claims), "{\"grantType\":\"refresh_token\"}");
	wants_error(&session, "ValidationException", "clientId");
	post(&session, prove(session.key, &claims), "not JSON");
	wants_error(&session, "ValidationException", "{\"error\":\"INVALID_REQUEST\"");
	finish(&session);
}

static void logins__end__all_at_once(void **state)
{
	struct session session;
	(void)state;
	begin(&session);
	simaccess_control(session.sim, "/_sim/login", "{\"kind\":\"sso\",\"expire\":true}");
	assert_int_equal(renew_as(&session, "a"), 200); /* another kind */
	read_refresh(&session);
	simaccess_control(session.sim, "/_sim/login", "{\"kind\":\"login\",\"expire\":true}");
	assert_int_equal(renew_as(&session, "b"), 400);
	wants_error(&session, "AccessDeniedException", "{\"error\":\"TOKEN_EXPIRED\"");
	simaccess_control(session.sim, "/_sim/login", "{\"kind\":\"sso\"}");
	read_refresh(&session);
	assert_int_equal(renew_as(&session, "c"), 400); /* good elsewhere */
	EVP_PKEY_free(session.key);
	log_in(&session, "{\"kind\":\"login\"}");
	assert_int_equal(renew_as(&session, "d"), 200);
	finish(&session);
}

static void fault__has__its_word_and_its_type(void **state)
{
	struct session session;
	(void)state;
	begin(&session);
	simaccess_control(session.sim, "/_sim/fault",
			  "{\"operation\":\"CreateOAuth2Token\","
			  "\"code\":\"USER_CREDENTIALS_CHANGED\"}");
	renew_as(&session, "a");
	wants_error(&session, "AccessDeniedException", "{\"error\":\"USER_CREDENTIALS_CHANGED\"");
	simaccess_control(session.sim, "/_sim/fault",
			  "{\"operation\":\"CreateOAuth2Token\",\"status\":429,"
			  "\"code\":\"TooManyRequestsError\"}");
	assert_int_equal(renew_as(&session, "b"), 429);
	simaccess_wants(session.sim, 429, "{\"error\":\"INVALID_REQUEST\"");
	simregion_control(session.sim, "/_sim/state", NULL);
	simaccess_wants(session.sim, 200,
			"\"CreateOAuth2Token\":{\"ok\":0,\"throttled\":1,\"failed\":1}");
	finish(&session);
}

static void hex_of(const unsigned char *bytes, char out[65])
{
	for (int i = 0; i < 32; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

/* Proofs that botocore made: what stands in them, and that one digit changed is noticed. */
static void proofs_of_botocore__are_read(void **state)
{
	size_t len, count = 0;
	char *text = shared_read("vectors/credentials/dpop.json", &len), proof[2048], x[65], y[65];
	struct err err = { 0 };
	(void)state;
	if (!text)
		return;
	struct json_value *all = json_parse(text, len, &err);
	for (const struct json_value *one = json_first(all); one; one = json_next(one), count++) {
		struct sim_proof read;
		int64_t issued;
		int wrote = snprintf(proof, sizeof(proof), "%s.%s", json_text(one, "signing_input"),
				     json_text(one, "one_valid_signature"));
		assert_in_range(wrote, 1, (int)sizeof(proof) - 1);
		if (!sim_proof_read(proof, &read, &err))
			fail_msg("%s: %s", json_text(one, "name"), err_text(&err));
		hex_of(read.key, x);
		hex_of(read.key + 32, y);
		assert_string_equal(x, json_text(one, "public_x_hex"));
		assert_string_equal(y, json_text(one, "public_y_hex"));
		assert_string_equal(read.url, json_text(one, "uri"));
		assert_string_equal(read.id, json_text(one, "jti"));
		assert_string_equal(read.method, "POST");
		assert_true(json_integer(one, "iat", &issued) && issued == read.issued_s);
		proof[wrote - 5] = proof[wrote - 5] == 'A' ? 'B' : 'A';
		assert_false(sim_proof_read(proof, &read, &err));
		err_clear(&err);
	}
	assert_int_equal(count, 2);
	json_free(all);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(login__is__a_cache_file),
		cmocka_unit_test(proof__renews__keys_and_token),
		cmocka_unit_test(lifetime__of_renewed_keys__is_at_most_900),
		cmocka_unit_test(proof__is_refused__unless_it_goes_with_the_request),
		cmocka_unit_test(proof__serves__once),
		cmocka_unit_test(login__is_bound__to_its_first_key),
		cmocka_unit_test(garbage__is_no_proof),
		cmocka_unit_test(logins__end__all_at_once),
		cmocka_unit_test(fault__has__its_word_and_its_type),
		cmocka_unit_test(proofs_of_botocore__are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "aws/sim/proof.h"

#include <string.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>

#include "model/base/jsontext.h"

#define HALF     SIM_PROOF_HALF
#define PART_MAX 4096 /* bytes of a decoded part */
#define CURVE    "prime256v1"

static int value_of(char c)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *at = c ? strchr(letters, c) : NULL;
	return at ? (int)(at - letters) : -1;
}

/* base64url without padding; the bits that are left over must be 0. */
static bool decode(const char *text, size_t len, struct buf *out)
{
	unsigned bits = 0, count = 0;
	for (size_t i = 0; i < len; i++) {
		int value = value_of(text[i]);
		if (value < 0)
			return false;
		bits = bits << 6 | (unsigned)value;
		count += 6;
		if (count >= 8) {
			count -= 8;
			buf_add_char(out, (char)(bits >> count & 0xFF));
		}
	}
	return len % 4 != 1 && (bits & ((1U << count) - 1)) == 0 && !out->failed;
}

static bool bad(struct err *err, const char *what)
{
	return err_set(err, ERR_REFUSED, "%s", what);
}

/* --- the parts --- */

static bool is_text(const struct json_doc *doc, const char *path, const char *wanted)
{
	struct buf text;
	buf_init(&text, PART_MAX);
	bool same = json_doc_string(doc, json_doc_path(doc, path), &text) &&
		    strcmp(buf_text(&text), wanted) == 0;
	buf_release(&text);
	return same;
}

static bool read_text(const struct json_doc *doc, const char *name, char *out, size_t size)
{
	struct buf text;
	buf_init(&text, size - 1);
	bool fine = json_doc_string(doc, json_doc_member(doc, 0, name), &text) && text.len > 0 &&
		    !text.failed;
	if (fine)
		memcpy(out, text.data, text.len + 1);
	buf_release(&text);
	return fine;
}

static bool read_coordinate(const struct json_doc *doc, const char *path, unsigned char *out)
{
	struct buf text, bytes;
	buf_init(&text, PART_MAX);
	buf_init(&bytes, PART_MAX);
	bool fine = json_doc_string(doc, json_doc_path(doc, path), &text) &&
		    decode(buf_text(&text), text.len, &bytes) && bytes.len == HALF;
	if (fine)
		memcpy(out, bytes.data, HALF);
	buf_release(&text);
	buf_release(&bytes);
	return fine;
}

static bool read_header(const struct json_doc *doc, struct sim_proof *out, struct err *err)
{
	if (!is_text(doc, "typ", "dpop+jwt"))
		return bad(err, "typ is not dpop+jwt");
	if (!is_text(doc, "alg", "ES256"))
		return bad(err, "alg is not ES256");
	if (!is_text(doc, "jwk.kty", "EC") || !is_text(doc, "jwk.crv", "P-256"))
		return bad(err, "jwk is not a key of P-256");
	if (json_doc_path(doc, "jwk.d") != JSON_NONE)
		return bad(err, "jwk holds the private key");
	return (read_coordinate(doc, "jwk.x", out->key) &&
		read_coordinate(doc, "jwk.y", out->key + HALF)) ||
	       bad(err, "x and y of jwk are not 32 bytes each");
}

static bool read_claims(const struct json_doc *doc, struct sim_proof *out, struct err *err)
{
	return (read_text(doc, "htm", out->method, sizeof(out->method)) &&
		read_text(doc, "htu", out->url, sizeof(out->url)) &&
		read_text(doc, "jti", out->id, sizeof(out->id)) &&
		json_doc_integer(doc, json_doc_member(doc, 0, "iat"), &out->issued_s)) ||
	       bad(err, "htm, htu, iat or jti is missing");
}

static bool read_part(const char *text, size_t len,
		      bool (*read)(const struct json_doc *, struct sim_proof *, struct err *),
		      struct sim_proof *out, struct err *err)
{
	struct json_doc doc = { 0 };
	struct err trouble = { 0 };
	struct buf json;
	buf_init(&json, PART_MAX);
	bool fine = decode(text, len, &json) &&
		    json_doc_parse(&doc, buf_text(&json), json.len, &trouble);
	fine = fine ? read(&doc, out, err) : bad(err, "a part is no JSON in base64url");
	json_doc_release(&doc);
	err_clear(&trouble);
	buf_release(&json);
	return fine;
}

/* --- the signature --- */

static EVP_PKEY *make_key(const unsigned char *coordinates)
{
	unsigned char point[1 + 2 * HALF] = { POINT_CONVERSION_UNCOMPRESSED };
	char curve[] = CURVE;
	EVP_PKEY *key = NULL;
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	memcpy(point + 1, coordinates, 2 * HALF);
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve, 0),
		OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)),
		OSSL_PARAM_construct_end(),
	};
	if (!ctx || EVP_PKEY_fromdata_init(ctx) != 1 ||
	    EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
		key = NULL; /* not a point of the curve */
	EVP_PKEY_CTX_free(ctx);
	return key;
}

/* Two plain numbers, one by one, to the form that OpenSSL verifies. *der is freed by the caller. */
static int make_der(const unsigned char *plain, unsigned char **der)
{
	ECDSA_SIG *pair = ECDSA_SIG_new();
	BIGNUM *r = BN_bin2bn(plain, HALF, NULL), *s = BN_bin2bn(plain + HALF, HALF, NULL);
	int len = -1;
	if (pair && r && s && ECDSA_SIG_set0(pair, r, s) == 1) {
		r = s = NULL; /* the pair's now */
		len = i2d_ECDSA_SIG(pair, der);
	}
	BN_free(r);
	BN_free(s);
	ECDSA_SIG_free(pair);
	return len;
}

static bool verify(const struct sim_proof *proof, const char *text, size_t len,
		   const struct buf *signature)
{
	unsigned char *der = NULL;
	EVP_PKEY *key = make_key(proof->key);
	EVP_MD_CTX *state = EVP_MD_CTX_new();
	int der_len = make_der((const unsigned char *)signature->data, &der);
	bool fine = key && state && der_len > 0 &&
		    EVP_DigestVerifyInit(state, NULL, EVP_sha256(), NULL, key) == 1 &&
		    EVP_DigestVerify(state, der, (size_t)der_len, (const unsigned char *)text,
				     len) == 1;
	EVP_MD_CTX_free(state);
	EVP_PKEY_free(key);
	OPENSSL_free(der);
	return fine;
}

bool sim_proof_read(const char *value, struct sim_proof *out, struct err *err)
{
	const char *second = strchr(value, '.');
	const char *third = second ? strchr(second + 1, '.') : NULL;
	struct buf signature;
	memset(out, 0, sizeof(*out));
	if (!third)
		return bad(err, "it is not three parts");
	if (!read_part(value, (size_t)(second - value), read_header, out, err) ||
	    !read_part(second + 1, (size_t)(third - second - 1), read_claims, out, err))
		return false;
	buf_init(&signature, PART_MAX);
	bool fine = decode(third + 1, strlen(third + 1), &signature) && signature.len == 2 * HALF &&
		    verify(out, value, (size_t)(third - value), &signature);
	buf_release(&signature);
	return fine || bad(err, "its signature is not that of its key");
}

bool sim_proof_new_key(struct buf *out, struct err *err)
{
	EVP_PKEY *key = EVP_EC_gen(CURVE);
	BIO *bio = BIO_new(BIO_s_mem());
	char *pem = NULL;
	bool fine = key && bio &&
		    PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL, 0, NULL, NULL) == 1;
	long len = fine ? BIO_get_mem_data(bio, &pem) : 0;
	fine = fine && len > 0 && buf_add(out, pem, (size_t)len);
	BIO_free(bio);
	EVP_PKEY_free(key);
	return fine || err_set(err, ERR_IO, "OpenSSL makes no key");
}

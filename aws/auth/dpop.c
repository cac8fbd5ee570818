#include "aws/auth/dpop.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#define HALF      32 /* bytes of a coordinate, and of either half of a signature */
#define PROOF_MAX 4096
#define DER_MAX   128
#define CURVE     "prime256v1"

bool dpop_new_id(char out[DPOP_ID_SIZE], struct err *err)
{
	unsigned char b[16];
	if (getentropy(b, sizeof(b)) != 0)
		return err_set(err, ERR_AUTH, "the system gives no random bytes");
	b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
	snprintf(out, DPOP_ID_SIZE,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
		 b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
		 b[15]);
	return true;
}

/* base64url without padding. */
static void add_base64(struct buf *out, const void *bytes, size_t len)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const unsigned char *in = bytes;
	for (size_t i = 0; i < len; i += 3) {
		unsigned bits = (unsigned)in[i] << 16;
		bits |= i + 1 < len ? (unsigned)in[i + 1] << 8 : 0;
		bits |= i + 2 < len ? in[i + 2] : 0U;
		buf_add_char(out, letters[bits >> 18]);
		buf_add_char(out, letters[bits >> 12 & 63]);
		if (i + 1 < len)
			buf_add_char(out, letters[bits >> 6 & 63]);
		if (i + 2 < len)
			buf_add_char(out, letters[bits & 63]);
	}
}

/* A prompt for a password would block: a key that wants one is refused. */
static int no_password(char *buffer, int size, int writing, void *ctx)
{
	(void)buffer, (void)size, (void)writing, (void)ctx;
	return -1;
}

static EVP_PKEY *read_key(const char *pem)
{
	char curve[64] = "";
	size_t len = strlen(pem);
	BIO *bio = len < INT_MAX ? BIO_new_mem_buf(pem, (int)len) : NULL;
	EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_password, NULL) : NULL;
	BIO_free(bio);
	if (key &&
	    EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, curve, sizeof(curve),
					   NULL) == 1 &&
	    strcmp(curve, CURVE) == 0)
		return key;
	EVP_PKEY_free(key);
	return NULL;
}

static bool add_coordinate(struct buf *out, const EVP_PKEY *key, const char *name)
{
	unsigned char bytes[HALF];
	BIGNUM *number = NULL;
	bool ok = EVP_PKEY_get_bn_param(key, name, &number) == 1 &&
		  BN_bn2binpad(number, bytes, HALF) == HALF;
	if (ok)
		add_base64(out, bytes, HALF);
	BN_free(number);
	return ok;
}

static bool add_header(struct buf *out, const EVP_PKEY *key)
{
	struct buf header;
	buf_init(&header, PROOF_MAX);
	buf_add_text(&header,
		     "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"x\":\"");
	bool ok = add_coordinate(&header, key, OSSL_PKEY_PARAM_EC_PUB_X);
	buf_add_text(&header, "\",\"y\":\"");
	ok = ok && add_coordinate(&header, key, OSSL_PKEY_PARAM_EC_PUB_Y);
	buf_add_text(&header, "\",\"crv\":\"P-256\"}}");
	add_base64(out, buf_text(&header), header.len);
	ok = ok && !header.failed;
	buf_release(&header);
	return ok;
}

/* The URL is one of the program's own making: plain characters, no quotes. */
static void add_payload(struct buf *out, const struct dpop_request *request)
{
	struct buf payload;
	buf_init(&payload, PROOF_MAX);
	buf_addf(&payload, "{\"htm\":\"%s\",\"htu\":\"%s\",\"iat\":%lld,\"jti\":\"%s\"}",
		 request->method, request->url, (long long)request->issued_s, request->id);
	add_base64(out, buf_text(&payload), payload.len);
	buf_release(&payload);
}

/* OpenSSL writes the two numbers of a signature as DER; here they stand plain, one by one. */
static bool add_plain(struct buf *out, const unsigned char *der, size_t len)
{
	unsigned char plain[2 * HALF];
	ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, (long)len);
	bool ok = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), plain, HALF) == HALF &&
		  BN_bn2binpad(ECDSA_SIG_get0_s(pair), plain + HALF, HALF) == HALF;
	if (ok)
		add_base64(out, plain, sizeof(plain));
	ECDSA_SIG_free(pair);
	return ok;
}

static bool add_signature(struct buf *out, EVP_PKEY *key, const char *text, size_t text_len)
{
	unsigned char der[DER_MAX];
	size_t len = sizeof(der);
	EVP_MD_CTX *state = EVP_MD_CTX_new();
	bool ok = state && EVP_DigestSignInit(state, NULL, EVP_sha256(), NULL, key) == 1 &&
		  EVP_DigestSign(state, der, &len, (const unsigned char *)text, text_len) == 1 &&
		  add_plain(out, der, len);
	EVP_MD_CTX_free(state);
	return ok;
}

bool dpop_write(struct buf *out, const char *key_pem, const struct dpop_request *request,
		struct err *err)
{
	EVP_PKEY *key = read_key(key_pem);
	struct buf signed_part;
	if (!key)
		return err_set(err, ERR_AUTH, "the key of the login cannot be read");
	buf_init(&signed_part, PROOF_MAX);
	bool ok = add_header(&signed_part, key);
	buf_add_char(&signed_part, '.');
	add_payload(&signed_part, request);
	buf_add_text(out, buf_text(&signed_part));
	buf_add_char(out, '.');
	ok = ok && !signed_part.failed &&
	     add_signature(out, key, buf_text(&signed_part), signed_part.len) && !out->failed;
	buf_release(&signed_part);
	EVP_PKEY_free(key);
	return ok || err_set(err, ERR_AUTH, "the proof of the login's key cannot be made");
}

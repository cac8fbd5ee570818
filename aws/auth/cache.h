/*
 * The caches of the AWS CLI under ~/.aws: their names and forms, so that the two share them.
 * Source: facts/aws.md 4.2 to 4.6.
 */
#ifndef GPUQ_AUTH_CACHE_H
#define GPUQ_AUTH_CACHE_H

#include "aws/credentials.h"
#include "model/base/attr.h"
#include "model/base/buf.h"

#define CACHE_FILE_MAX (64u << 10)
#define HASH_TEXT_SIZE 65 /* hex of SHA-1 or SHA-256 */

bool cache_sha1(const char *text, char out[HASH_TEXT_SIZE]) MUST_CHECK;
bool cache_sha256(const char *text, char out[HASH_TEXT_SIZE]) MUST_CHECK;

/* ~/FOLDER/HASH.json, as the AWS CLI finds it; the caller frees it. NULL where there is no home. */
char *cache_path(const char *folder, const char *hash);
#define CACHE_CLI   ".aws/cli/cache"
#define CACHE_SSO   ".aws/sso/cache"
#define CACHE_LOGIN ".aws/login/cache"

/* Adds "text", escaped to ASCII as Python writes it. */
void cache_add_text(struct buf *out, const char *text);
/* Adds "name": "text". */
void cache_add_member(struct buf *out, const char *name, const char *text);

/*
 * A file of CACHE_CLI: credentials under "Credentials". Read: true if they last for another
 * lead_ms. Written: {"Credentials": {...}}, with "ProviderType": provider where that is not NULL.
 */
bool cache_read_credentials(const char *bytes, size_t len, int64_t now_ms, int64_t lead_ms,
			    struct aws_credentials *out) MUST_CHECK;
void cache_write_credentials(const struct aws_credentials *credentials, const char *provider,
			     struct buf *out);

#endif

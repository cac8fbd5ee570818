#include "aws/auth/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "aws/auth/document.h"
#include "aws/config_files.h"
#include "model/base/mem.h"
#include "model/base/text.h"

static bool hash(const char *text, const EVP_MD *kind, char out[HASH_TEXT_SIZE])
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int size = 0;
	if (EVP_Digest(text, strlen(text), digest, &size, kind, NULL) != 1 ||
	    2 * (size_t)size >= HASH_TEXT_SIZE)
		return false;
	for (unsigned int i = 0; i < size; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
	return true;
}

bool cache_sha1(const char *text, char out[HASH_TEXT_SIZE])
{
	return hash(text, EVP_sha1(), out);
}

bool cache_sha256(const char *text, char out[HASH_TEXT_SIZE])
{
	return hash(text, EVP_sha256(), out);
}

char *cache_path(const char *folder, const char *name)
{
	struct buf short_path;
	buf_init(&short_path, CACHE_FILE_MAX);
	buf_addf(&short_path, "~/%s/%s.json", folder, name);
	char *path = config_path_expand(buf_text(&short_path));
	buf_release(&short_path);
	if (path[0] == '/')
		return path;
	free(path);
	return NULL;
}

/* Beyond ASCII as UTF-16 in \u; what is no UTF-8 reads as U+FFFD. */
void cache_add_text(struct buf *out, const char *text)
{
	buf_add_char(out, '"');
	for (size_t len = strlen(text), used; len > 0; text += used, len -= used) {
		uint32_t code;
		used = text_decode(text, len, &code);
		if (code == '"' || code == '\\')
			buf_addf(out, "\\%c", (char)code);
		else if (code >= ' ' && code < 0x7F)
			buf_add_char(out, (char)code);
		else if (code < 0x10000)
			buf_addf(out, "\\u%04x", (unsigned)code);
		else
			buf_addf(out, "\\u%04x\\u%04x",
				 (unsigned)(0xD800 + ((code - 0x10000) >> 10)),
				 (unsigned)(0xDC00 + ((code - 0x10000) & 0x3FF)));
	}
	buf_add_char(out, '"');
}

void cache_add_member(struct buf *out, const char *name, const char *text)
{
	buf_addf(out, "\"%s\": ", name);
	cache_add_text(out, text);
}

bool cache_read_credentials(const char *bytes, size_t len, int64_t now_ms, int64_t lead_ms,
			    struct aws_credentials *out)
{
	static const struct document_names names = { "AccessKeyId", "SecretAccessKey",
						     "SessionToken", "Expiration", "AccountId" };
	struct err ignored = { 0 };
	struct aws_credentials found = { 0 };
	struct json_value *json = json_parse(bytes, len, &ignored);
	bool ok =
		json &&
		document_credentials(json_object(json, "Credentials"), &names, &found, &ignored) &&
		found.expires.set && found.expires.ms >= now_ms + lead_ms;
	if (ok)
		aws_credentials_copy(out, &found);
	aws_credentials_release(&found);
	json_free(json);
	err_clear(&ignored);
	return ok;
}

void cache_write_credentials(const struct aws_credentials *credentials, const char *provider,
			     struct buf *out)
{
	char expires[TIME_TEXT_SIZE];
	time_format_iso(credentials->expires.ms, expires);
	buf_add_char(out, '{');
	if (provider) {
		cache_add_member(out, "ProviderType", provider);
		buf_add_text(out, ", ");
	}
	buf_add_text(out, "\"Credentials\": {");
	cache_add_member(out, "AccessKeyId", credentials->access_key);
	buf_add_text(out, ", ");
	cache_add_member(out, "SecretAccessKey", credentials->secret_key);
	if (credentials->session_token) {
		buf_add_text(out, ", ");
		cache_add_member(out, "SessionToken", credentials->session_token);
	}
	buf_add_text(out, ", ");
	cache_add_member(out, "Expiration", expires);
	if (credentials->account[0]) {
		buf_add_text(out, ", ");
		cache_add_member(out, "AccountId", credentials->account);
	}
	buf_add_text(out, "}}");
}

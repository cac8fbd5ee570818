#include "model/secret.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/text.h"

#define BLOB_MIN 32 /* characters; an AWS secret key has 40 */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

bool secret_is_name(const char *name)
{
	static const char *const words[] = { "KEY",    "TOKEN",      "SECRET",    "PASSWORD",
					     "PASSWD", "PASSPHRASE", "CREDENTIAL" };
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (text_contains(name, words[i]))
			return true;
	}
	return false;
}

struct token_form {
	const char *prefix;
	size_t least; /* word characters behind the prefix */
};

static const struct token_form token_forms[] = {
	{ "AKIA", 8 }, { "ASIA", 8 },        { "ghp_", 8 },   { "gho_", 8 },
	{ "ghs_", 8 }, { "github_pat_", 8 }, { "glpat-", 8 }, { "hf_", 8 },
	{ "sk-", 8 },  { "xox", 8 },         { "eyJ", 24 },
};

static bool starts_token(const char *at, const struct token_form *form)
{
	size_t prefix = strlen(form->prefix), length = 0;
	if (strncmp(at, form->prefix, prefix) != 0)
		return false;
	while (is_word(at[prefix + length]))
		length++;
	return length >= form->least;
}

bool secret_is_token(const char *value)
{
	if (strstr(value, "-----BEGIN"))
		return true;
	for (const char *at = value; *at; at++) {
		/* Only where a word begins: "task-..." is no "sk-...". */
		if (at > value && is_word(at[-1]))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(token_forms); i++) {
			if (starts_token(at, &token_forms[i]))
				return true;
		}
	}
	return false;
}

bool secret_is_blob(const char *value)
{
	bool digit = false, upper = false, lower = false, joint = false;
	if (strlen(value) < BLOB_MIN || value[0] == '/')
		return false;
	for (const char *at = value; *at; at++) {
		if (!is_word(*at) && !strchr("+/=", *at))
			return false;
		digit = digit || isdigit((unsigned char)*at);
		upper = upper || isupper((unsigned char)*at);
		lower = lower || islower((unsigned char)*at);
		joint = joint || strchr("-_/+", *at);
	}
	/* A name made of words has joints and mostly one case; hex digits have neither. */
	return digit && ((upper && lower) || ((upper || lower) && !joint));
}

#include "aws/profiles.h"

#include <stdlib.h>
#include <string.h>

#include "aws/credentials.h"
#include "model/base/mem.h"
#include "model/base/shellwords.h"

/* --- headers --- */

enum kind { KIND_NONE, KIND_PROFILE, KIND_SSO_SESSION, KIND_SERVICES };

struct prefix {
	const char *word;
	enum kind kind;
	const char *slip; /* of a header that has no meaning */
	const char *odd;  /* of one whose first word only begins with it */
};

#define QUOTES ", with quotes around a name that holds blanks"

static const struct prefix prefixes[] = {
	{ "profile", KIND_PROFILE, "is no profile: write [profile NAME]" QUOTES,
	  "is read as a profile, as by the AWS CLI; other AWS tools want [profile NAME]" },
	{ "sso-session", KIND_SSO_SESSION, "is no sso-session: write [sso-session NAME]" QUOTES,
	  "is read as an sso-session, as by the AWS CLI; other AWS tools want [sso-session NAME]" },
	{ "services", KIND_SERVICES, "is no services section: write [services NAME]" QUOTES,
	  "is read as services, as by the AWS CLI; other AWS tools want [services NAME]" },
};

struct header {
	enum kind kind;
	char *name;       /* owned; NULL for KIND_NONE */
	const char *note; /* NULL = as it should be */
};

/* Two words; the AWS CLI compares no more of the first than its beginning. */
static struct header split_header(const char *text, const struct prefix *prefix)
{
	struct header header = { .note = prefix->slip };
	struct shellwords words;
	struct err err = { 0 };
	if (shellwords_split(&words, text, &err) && words.count == 2) {
		header.kind = prefix->kind;
		header.name = mem_copy_text(words.items[1]);
		header.note = strcmp(words.items[0], prefix->word) == 0 ? NULL : prefix->odd;
	}
	shellwords_release(&words);
	err_clear(&err);
	return header;
}

static struct header read_header(const char *text)
{
	if (strcmp(text, "default") == 0)
		return (struct header){ KIND_PROFILE, mem_copy_text(text), NULL };
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (strncmp(text, prefixes[i].word, strlen(prefixes[i].word)) == 0)
			return split_header(text, &prefixes[i]);
	/* Two sections of the AWS CLI's own. */
	bool is_other = strcmp(text, "plugins") == 0 || strcmp(text, "preview") == 0;
	return (struct header){ .note = is_other ? NULL : prefixes[0].slip };
}

/* --- the table --- */

static struct profile *find(const struct profile_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

static struct profile *place(struct profile_list *list, const char *name)
{
	struct profile *old = find(list, name);
	if (old)
		return old;
	list->items = mem_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count] = (struct profile){ .name = mem_copy_text(name) };
	return &list->items[list->count++];
}

/* One name may stand under two headers, as [default] and [profile default]: the later replaces. */
static void place_config(struct profiles *profiles, enum kind kind, const char *name,
			 struct ini_section *section)
{
	struct profile_list *lists[] = { [KIND_PROFILE] = &profiles->profiles,
					 [KIND_SSO_SESSION] = &profiles->sso_sessions,
					 [KIND_SERVICES] = &profiles->services };
	struct ini *config = &profiles->files[PROFILES_CONFIG];
	struct profile *profile = place(lists[kind], name);
	const struct ini_section *old = profile->parts[PROFILES_CONFIG];
	bool is_later = !old || section->last_line > old->last_line;
	const struct ini_section *gone = is_later ? old : section;
	if (is_later)
		profile->parts[PROFILES_CONFIG] = section;
	if (gone)
		ini_add_problem(config, INI_NOTE, ini_find_section(config, gone->name), gone->line,
				"", "a later section for the same name replaces this one");
}

static void place_all(struct profiles *profiles)
{
	struct ini *config = &profiles->files[PROFILES_CONFIG];
	struct ini *credentials = &profiles->files[PROFILES_CREDENTIALS];
	for (size_t i = 0; i < config->count; i++) {
		struct ini_section *section = &config->sections[i];
		struct header header = read_header(section->name);
		if (header.note)
			ini_add_problem(config, INI_NOTE, section, section->line, "", header.note);
		if (header.kind != KIND_NONE)
			place_config(profiles, header.kind, header.name, section);
		free(header.name);
	}
	for (size_t i = 0; i < credentials->count; i++) {
		struct ini_section *section = &credentials->sections[i];
		if (strncmp(section->name, "profile ", strlen("profile ")) == 0)
			ini_add_problem(credentials, INI_NOTE, section, section->line, "",
					"in this file a header is the profile's bare name, so "
					"`profile` is part of it");
		place(&profiles->profiles, section->name)->parts[PROFILES_CREDENTIALS] = section;
	}
}

/* Better said here than sent: AWS would only call the signature wrong. */
static void check_secrets(struct ini *file)
{
	static const char *const secrets[] = { "aws_access_key_id", "aws_secret_access_key",
					       "aws_session_token", "aws_security_token" };
	for (size_t i = 0; i < file->count * ARRAY_LEN(secrets); i++) {
		struct ini_section *section = &file->sections[i / ARRAY_LEN(secrets)];
		const struct ini_key *key = ini_find_key(section, secrets[i % ARRAY_LEN(secrets)]);
		struct err err = { 0 };
		if (key && !credentials_text_is_clean(key->value, key->name, &err))
			ini_add_problem(file, INI_DAMAGE, section, key->line, key->name,
					"holds a blank or a control character");
		err_clear(&err);
	}
}

static void read_file(struct ini *file, const struct profiles_text *text, struct err *err)
{
	const char *bytes = text->text ? text->text : "";
	bool ok = ini_parse(file, text->path, bytes, text->text ? text->len : 0, 0, err);
	if (ok && !text->text)
		err_copy(err, text->err);
	check_secrets(file);
}

void profiles_read(struct profiles *profiles, const struct profiles_text texts[PROFILES_FILES])
{
	*profiles = (struct profiles){ 0 };
	for (size_t i = 0; i < PROFILES_FILES; i++)
		read_file(&profiles->files[i], &texts[i], &profiles->errors[i]);
	place_all(profiles);
}

static void list_release(struct profile_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct profile_list){ 0 };
}

void profiles_release(struct profiles *profiles)
{
	if (!profiles)
		return;
	list_release(&profiles->profiles);
	list_release(&profiles->sso_sessions);
	list_release(&profiles->services);
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		ini_release(&profiles->files[i]);
		err_clear(&profiles->errors[i]);
	}
}

/* --- values --- */

const struct profile *profile_list_find(const struct profile_list *list, const char *name)
{
	return find(list, name);
}

struct profile_value profile_value_in(const struct profile *profile, enum profiles_file file,
				      const char *key)
{
	const struct ini_key *found = profile ? ini_find_key(profile->parts[file], key) : NULL;
	if (!found)
		return (struct profile_value){ 0 };
	return (struct profile_value){ found->value, file, found->line };
}

struct profile_value profile_value(const struct profile *profile, const char *key)
{
	struct profile_value value = profile_value_in(profile, PROFILES_CREDENTIALS, key);
	return value.text ? value : profile_value_in(profile, PROFILES_CONFIG, key);
}

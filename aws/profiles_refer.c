/* From a name to its section: what is chosen, and what a profile refers to. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "aws/profiles.h"
#include "model/base/text.h"
#include "model/base/shellwords.h"

#define NAME_SHOWN 120  /* bytes of a name in a message */
#define LISTED_MAX 40   /* names that a message lists */
#define LIST_SIZE  2048 /* bytes of them */
#define NEAR_LIMIT 3    /* letters that a mistyped name may differ in */

static const char *path_of(const struct profiles *profiles, size_t file)
{
	return profiles->files[file].name ? profiles->files[file].name : "";
}

static const char *fate_of(const struct err *err)
{
	switch (err->code) {
	case ERR_NONE:
		return "read";
	case ERR_NOT_FOUND:
		return "there is no such file";
	default:
		return err_text(err);
	}
}

void profiles_add_tried(const struct profiles *profiles, struct buf *out)
{
	for (size_t i = 0; i < PROFILES_FILES; i++)
		buf_addf(out, "%s%s (%s)", i ? " and " : "", path_of(profiles, i),
			 fate_of(&profiles->errors[i]));
}

/* --- what to say of a name that is not there --- */

/* A header with that name, but without the word that its file wants, or with one too many. */
static void add_wrong_header(const struct profiles *profiles, size_t file, const char *name,
			     struct buf *out)
{
	const struct ini *ini = &profiles->files[file];
	for (size_t i = 0; i < ini->count; i++) {
		const struct ini_section *section = &ini->sections[i];
		struct shellwords words;
		struct err err = { 0 };
		bool is_it = shellwords_split(&words, section->name, &err) && words.count > 0 &&
			     words.count <= 2 && strcmp(words.items[words.count - 1], name) == 0 &&
			     (words.count == 1 || strcmp(words.items[0], "profile") == 0);
		if (is_it)
			buf_addf(out, " Line %zu of %s has [%.*s], where [%s%s] is probably meant.",
				 section->line, ini->name, NAME_SHOWN, section->name,
				 file == PROFILES_CONFIG ? "profile " : "", name);
		shellwords_release(&words);
		err_clear(&err);
		if (is_it)
			return;
	}
}

static const char *nearest(const struct profile_list *list, const char *name)
{
	const char *best = NULL;
	/* A name of any length would be slow to compare. */
	size_t count = strlen(name) < NAME_SHOWN ? list->count : 0;
	unsigned least = NEAR_LIMIT + 1;
	for (size_t i = 0; i < count; i++) {
		const char *other = list->items[i].name;
		unsigned apart =
			strcasecmp(other, name) == 0 ? 0 : text_distance(other, name, NEAR_LIMIT);
		if (apart < least && apart <= strlen(name) / 3) {
			least = apart;
			best = other;
		}
	}
	return best;
}

static void add_found(const struct profile_list *list, const char *name, struct buf *out)
{
	const char *near = nearest(list, name);
	size_t start = out->len, shown = 0;
	if (near)
		buf_addf(out, " Perhaps \"%.*s\" is meant.", NAME_SHOWN, near);
	buf_add_text(out, list->count ? " Found: " : " Found: none");
	for (; shown < list->count && shown < LISTED_MAX && out->len - start < LIST_SIZE; shown++)
		buf_addf(out, "%s%.*s", shown ? ", " : "", NAME_SHOWN, list->items[shown].name);
	if (list->count > shown)
		buf_addf(out, " and %zu more", list->count - shown);
	buf_add_char(out, '.');
}

/* "LEAD is not there. ..." Hints that it is a profile's name where list is that of the profiles. */
static bool refuse_missing(const struct profiles *profiles, const struct profile_list *list,
			   const char *name, const char *lead, struct err *err)
{
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	buf_addf(&text, "%s is not there. Looked at ", lead);
	profiles_add_tried(profiles, &text);
	buf_add_char(&text, '.');
	for (size_t i = 0; list == &profiles->profiles && i < PROFILES_FILES; i++)
		add_wrong_header(profiles, i, name, &text);
	add_found(list, name, &text);
	err_set(err, ERR_AUTH, "%s", buf_text(&text));
	err->hint = HINT_CHOOSE_PROFILE;
	buf_release(&text);
	return false;
}

static bool check_sound(const struct profiles *profiles, const struct profile *profile,
			const char *what, struct err *err)
{
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		const struct ini_section *part = profile->parts[i];
		struct buf text;
		if (!part || part->damage.line == 0)
			continue;
		buf_init(&text, ERR_TEXT_MAX);
		ini_describe_problem(&profiles->files[i], &part->damage, &text);
		err_set(err, ERR_AUTH, "%s", buf_text(&text));
		err->hint = HINT_CORRECT_FILE;
		buf_release(&text);
		return err_subject(err, "%s %s", what, profile->name);
	}
	return true;
}

/* --- what is chosen --- */

static bool check_files(const struct profiles *profiles, struct err *err)
{
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		enum err_code code = profiles->errors[i].code;
		if (code == ERR_NONE || code == ERR_NOT_FOUND || code == ERR_IO)
			continue;
		err_copy(err, &profiles->errors[i]);
		err->code = ERR_AUTH;
		err->hint = HINT_CORRECT_FILE;
		return false;
	}
	return true;
}

bool profiles_choose(const struct profiles *profiles, const struct profile_choice *choice,
		     const struct profile **profile, struct err *err)
{
	*profile = NULL;
	if (!check_files(profiles, err))
		return false;
	const struct profile *found = profile_list_find(&profiles->profiles, choice->name);
	if (!found && choice->source[0]) {
		char lead[128];
		snprintf(lead, sizeof(lead), "it is named by %s, but", choice->source);
		refuse_missing(profiles, &profiles->profiles, choice->name, lead, err);
		return err_subject(err, "profile %s", choice->name);
	}
	if (found && !check_sound(profiles, found, "profile", err))
		return false;
	*profile = found;
	return true;
}

/* --- what a profile refers to --- */

struct reference {
	const struct profile_list *list;
	const char *key;  /* of the profile that refers */
	const char *what; /* kind of the section it names */
};

/* NULL without an error where the key is not set. */
static bool follow(const struct profiles *profiles, const struct profile *from,
		   const struct reference *reference, const struct profile **to, struct err *err)
{
	struct profile_value value = profile_value(from, reference->key);
	struct buf lead;
	*to = NULL;
	if (!value.text || !value.text[0])
		return true;
	*to = profile_list_find(reference->list, value.text);
	if (*to)
		return check_sound(profiles, *to, reference->what, err);
	buf_init(&lead, ERR_TEXT_MAX);
	buf_addf(&lead, "%s (%s, line %zu) names %s \"%.*s\", which", reference->key,
		 path_of(profiles, value.file), value.line, reference->what, NAME_SHOWN,
		 value.text);
	refuse_missing(profiles, reference->list, value.text, buf_text(&lead), err);
	buf_release(&lead);
	err->hint = HINT_CORRECT_FILE;
	return err_subject(err, "profile %s", from->name);
}

bool profiles_source(const struct profiles *profiles, const struct profile *from,
		     const struct profile **profile, struct err *err)
{
	const struct reference reference = { &profiles->profiles, "source_profile", "profile" };
	return follow(profiles, from, &reference, profile, err);
}

static bool check_same(const struct profiles *profiles, const struct profile *profile,
		       const struct profile *session, struct err *err)
{
	const struct ini_section *part = session->parts[PROFILES_CONFIG];
	for (size_t i = 0; i < part->count; i++) {
		struct profile_value value = profile_value(profile, part->keys[i].name);
		if (!value.text || strcmp(value.text, part->keys[i].value) == 0)
			continue;
		err_set(err, ERR_AUTH,
			"%s is not the same in the profile (%s, line %zu) and in its sso-session "
			"%s (%s, line %zu)",
			part->keys[i].name, path_of(profiles, value.file), value.line,
			session->name, path_of(profiles, PROFILES_CONFIG), part->keys[i].line);
		err->hint = HINT_CORRECT_FILE;
		return err_subject(err, "profile %s", profile->name);
	}
	return true;
}

bool profiles_sso_session(const struct profiles *profiles, const struct profile *profile,
			  const struct profile **session, struct err *err)
{
	const struct reference reference = { &profiles->sso_sessions, "sso_session",
					     "sso-session" };
	return follow(profiles, profile, &reference, session, err) &&
	       (!*session || check_same(profiles, profile, *session, err));
}

bool profiles_service_value(const struct profiles *profiles, const struct profile *profile,
			    const char *service, const char *key, struct profile_value *value,
			    struct err *err)
{
	const struct reference reference = { &profiles->services, "services", "services section" };
	const struct profile *services;
	*value = (struct profile_value){ 0 };
	if (!follow(profiles, profile, &reference, &services, err)) {
		err->code = ERR_CONFIG;
		return false;
	}
	if (services) {
		const struct ini *config = &profiles->files[PROFILES_CONFIG];
		const struct ini_key *found =
			ini_find_nested(config,
					ini_find_key(services->parts[PROFILES_CONFIG], service),
					key);
		if (found)
			*value = (struct profile_value){ found->value, PROFILES_CONFIG,
							 found->line };
	}
	return true;
}

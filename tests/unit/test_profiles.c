/*
 * The table of profiles against vectors/profiles: what the AWS CLI (botocore) makes of each text,
 * but for the slips that are forgiven as the SDKs do it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/json.h"
#include "aws/profiles.h"
#include "aws/setup.h"
#include "model/base/mem.h"
#include "tests/shared.h"

struct exception {
	size_t index; /* in profile-parser-tests.json */
	const char *reason;
};

/* Where the SDKs' reading holds and not the AWS CLI's, which refuses the whole file. */
static const struct exception exceptions[] = {
	{ 34, "a section that stands twice is merged" },
	{ 35, "a key that stands twice: the last one holds" },
	{ 36, "both of them" },
	{ 37, "both, in another case" },
	{ 51, "[profile default] stands twice, and is the later one" },
	{ 52, "the same, with keys from the credentials file" },
};

static const char *sdk_reason(size_t index)
{
	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
		if (exceptions[i].index == index)
			return exceptions[i].reason;
	return NULL;
}

static struct json_value *read_json(const char *name)
{
	struct err err = { 0 };
	size_t len;
	char *text = shared_read(name, &len);
	struct json_value *document = text ? json_parse(text, len, &err) : NULL;
	if (text && !document)
		fail_msg("%s: %s", name, err_text(&err));
	free(text);
	return document;
}

static void load(struct profiles *profiles, const char *config, const char *credentials)
{
	const struct err missing = { .code = ERR_NOT_FOUND };
	const struct profiles_text texts[PROFILES_FILES] = {
		{ "config", config, config ? strlen(config) : 0, &missing },
		{ "credentials", credentials, credentials ? strlen(credentials) : 0, &missing },
	};
	profiles_read(profiles, texts);
}

static bool is_damaged(const struct profiles *profiles)
{
	for (size_t i = 0; i < PROFILES_FILES; i++)
		if (profiles->errors[i].code == ERR_CONFIG || profiles->files[i].found[INI_DAMAGE])
			return true;
	return false;
}

/* --- what was expected, what was found --- */

static size_t count_keys(const struct profile *profile)
{
	const struct ini_section *config = profile->parts[PROFILES_CONFIG];
	const struct ini_section *over = profile->parts[PROFILES_CREDENTIALS];
	size_t count = over ? over->count : 0;
	for (size_t i = 0; config && i < config->count; i++)
		count += ini_find_key(over, config->keys[i].name) == NULL;
	return count;
}

static bool same_nested(const struct ini *ini, const struct ini_key *key,
			const struct json_value *expected)
{
	const struct json_value *line = json_first(expected);
	if (!key || key->nested_count != json_length(expected))
		return false;
	for (; line; line = json_next(line)) {
		const struct ini_key *found = ini_find_nested(ini, key, json_name(line));
		if (!found || strcmp(found->value, json_as_text(line)) != 0)
			return false;
	}
	return true;
}

static bool same_keys(const struct profiles *profiles, const struct profile *profile,
		      const struct json_value *expected)
{
	if (count_keys(profile) != json_length(expected))
		return false;
	for (const struct json_value *key = json_first(expected); key; key = json_next(key)) {
		struct profile_value value = profile_value(profile, json_name(key));
		if (!value.text)
			return false;
		if (json_type(key) == JSON_TYPE_TEXT
			    ? strcmp(value.text, json_as_text(key)) != 0
			    : !same_nested(&profiles->files[value.file],
					   ini_find_key(profile->parts[value.file], json_name(key)),
					   key))
			return false;
	}
	return true;
}

static bool same_list(const struct profiles *profiles, const struct profile_list *list,
		      const struct json_value *expected)
{
	if (list->count != json_length(expected))
		return false;
	for (const struct json_value *one = json_first(expected); one; one = json_next(one)) {
		const struct profile *profile = profile_list_find(list, json_name(one));
		if (!profile || !same_keys(profiles, profile, one))
			return false;
	}
	return true;
}

/* A member that is not there expects nothing. */
static bool same_table(const struct profiles *profiles, const struct json_value *expected)
{
	return same_list(profiles, &profiles->profiles, json_member(expected, "profiles")) &&
	       same_list(profiles, &profiles->sso_sessions,
			 json_member(expected, "sso_sessions")) &&
	       same_list(profiles, &profiles->services, json_member(expected, "services"));
}

/* Sections without a meaning are read all the same. */
static bool same_section(const struct profiles *profiles, const struct json_value *expected)
{
	const struct profile profile = {
		.parts[PROFILES_CONFIG] =
			ini_find_section(&profiles->files[PROFILES_CONFIG], json_name(expected)),
	};
	return profile.parts[PROFILES_CONFIG] && same_keys(profiles, &profile, expected);
}

/* --- the vectors --- */

static bool holds(const struct json_value *test, const struct json_value *result, bool as_sdk)
{
	const struct json_value *input = json_member(test, "input");
	const struct json_value *expected =
		as_sdk ? json_member(json_member(test, "output"), "config")
		       : json_member(result, "botocore");
	const struct json_value *others = json_member(expected, "other_sections");
	struct profiles profiles;
	load(&profiles, json_text(input, "configFile"), json_text(input, "credentialsFile"));
	bool held = json_member(expected, "error")
			    ? is_damaged(&profiles)
			    : !is_damaged(&profiles) && same_table(&profiles, expected);
	for (const struct json_value *one = json_first(others); one; one = json_next(one))
		held = held && same_section(&profiles, one);
	profiles_release(&profiles);
	return held;
}

static void vectors__are_read_as_by_the_cli(void **state)
{
	struct json_value *tests = read_json("vectors/profiles/profile-parser-tests.json");
	struct json_value *results = read_json("vectors/profiles/botocore-results.json");
	const struct json_value *test = json_first(json_member(tests, "tests"));
	const struct json_value *result = json_first(results);
	size_t count = 0, held = 0, as_sdk = 0;
	(void)state;
	for (; test && result; test = json_next(test), result = json_next(result), count++) {
		const char *reason = sdk_reason(count);
		/* An exception is one: the CLI itself refuses the file. */
		assert_true(!reason || json_member(json_member(result, "botocore"), "error"));
		if (holds(test, result, reason != NULL))
			held++;
		else
			print_error("%zu: %s\n", count, json_text(test, "name"));
		as_sdk += reason != NULL;
	}
	if (tests && results) {
		printf("profiles: %zu of %zu, %zu of them forgiven as the SDKs do\n", held, count,
		       as_sdk);
		assert_int_equal(held, count);
		assert_int_equal(count, 65);
	}
	json_free(tests);
	json_free(results);
}

static bool sample_holds(const struct json_value *expected)
{
	char name[256];
	size_t len;
	bool held;
	struct profiles profiles;
	const struct json_value *table = json_member(expected, "load_config");
	snprintf(name, sizeof(name), "vectors/profiles/botocore-cfg/%s", json_name(expected));
	char *text = shared_read(name, &len);
	assert_non_null(text);
	const struct err none = { 0 };
	const struct profiles_text texts[PROFILES_FILES] = { { "config", text, len, &none },
							     { "credentials", "", 0, &none } };
	profiles_read(&profiles, texts);
	if (table)
		held = same_table(&profiles, table) && !is_damaged(&profiles);
	else
		held = is_damaged(&profiles);
	for (const struct json_value *one = json_first(table); one; one = json_next(one))
		if (strcmp(json_name(one), "Credentials") == 0)
			held = held && same_section(&profiles, one);
	profiles_release(&profiles);
	free(text);
	return held;
}

static void samples_of_botocore__are_read_as_by_it(void **state)
{
	struct json_value *all = read_json("vectors/profiles/botocore-cfg-expected.json");
	size_t count = 0, held = 0;
	(void)state;
	for (const struct json_value *one = json_first(all); one; one = json_next(one), count++) {
		if (sample_holds(one))
			held++;
		else
			print_error("%s\n", json_name(one));
	}
	if (all) {
		printf("samples of botocore: %zu of %zu\n", held, count);
		assert_int_equal(held, count);
		assert_int_equal(count, 15);
	}
	json_free(all);
}

/* --- by hand --- */

static const char config[] = "[profile dev]\n"
			     "region = us-west-2\n"
			     "aws_access_key_id = AKIDCONFIG\n"
			     "[sso-session ops]\n"
			     "sso_region = eu-west-1\n"
			     "[profile \"a b\"]\n"
			     "[default]\n"
			     "output = json\n"
			     "[services local]\n";
static const char credentials[] = "[only]\n"
				  "aws_access_key_id = AKIDONLY\n"
				  "[dev]\n"
				  "region = us-east-1\n"
				  "[sso-session x]\n";

static void names__come_in_the_order_of_the_files(void **state)
{
	static const char *const names[] = { "dev", "a b", "default", "only", "sso-session x" };
	struct profiles profiles;
	(void)state;
	load(&profiles, config, credentials);
	assert_int_equal(profiles.profiles.count, ARRAY_LEN(names));
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_string_equal(profiles.profiles.items[i].name, names[i]);
	assert_int_equal(profiles.sso_sessions.count, 1);
	assert_int_equal(profiles.services.count, 1);
	profiles_release(&profiles);
	assert_int_equal(profiles.profiles.count, 0);
	profiles_release(&profiles);
	profiles_release(NULL);
}

static void value__says_where_it_stands__and_the_credentials_file_holds(void **state)
{
	struct profiles profiles;
	struct profile_value value;
	(void)state;
	load(&profiles, config, credentials);
	const struct profile *dev = profile_list_find(&profiles.profiles, "dev");
	value = profile_value(dev, "region");
	assert_string_equal(value.text, "us-east-1");
	assert_int_equal(value.file, PROFILES_CREDENTIALS);
	assert_int_equal(value.line, 4);
	value = profile_value_in(dev, PROFILES_CONFIG, "region");
	assert_string_equal(value.text, "us-west-2");
	assert_int_equal(value.line, 2);
	/* Keys of the config file and of the credentials file are two steps of the chain. */
	assert_null(profile_value_in(dev, PROFILES_CREDENTIALS, "aws_access_key_id").text);
	assert_string_equal(profile_value_in(dev, PROFILES_CONFIG, "aws_access_key_id").text,
			    "AKIDCONFIG");
	assert_int_equal(profile_value(dev, "aws_access_key_id").file, PROFILES_CONFIG);
	assert_null(profile_value(dev, "output").text);
	assert_null(profile_value(NULL, "region").text);
	assert_null(profile_list_find(&profiles.profiles, "Dev"));
	profiles_release(&profiles);
}

static bool has_note(const struct ini *ini, size_t line, const char *part)
{
	for (size_t i = 0; i < ini->problem_count; i++)
		if (ini->problems[i].line == line && strstr(ini->problems[i].text, part))
			return true;
	return false;
}

static void header__is_noted__when_it_is_not_what_it_seems(void **state)
{
	static const char odd[] = "[default]\n"
				  "[profile default]\n"
				  "[foo]\n"
				  "[profile a b]\n"
				  "[profile \"c]\n"
				  "[profiles d]\n"
				  "[sso-session]\n"
				  "[services a b]\n"
				  "[plugins]\n"
				  "[profile e]\n";
	struct profiles profiles;
	(void)state;
	load(&profiles, odd, "[profile e]\n[e]\n");
	const struct ini *file = &profiles.files[PROFILES_CONFIG];
	assert_int_equal(file->problem_count, 7);
	assert_true(has_note(file, 1, "a later section for the same name replaces this one"));
	assert_true(has_note(file, 3, "is no profile: write [profile NAME]"));
	assert_true(has_note(file, 4, "is no profile"));
	assert_true(has_note(file, 5, "is no profile"));
	assert_true(has_note(file, 6, "is read as a profile, as by the AWS CLI"));
	assert_true(has_note(file, 7, "is no sso-session"));
	assert_true(has_note(file, 8, "is no services section"));
	assert_int_equal(profiles.files[PROFILES_CREDENTIALS].problem_count, 1);
	assert_true(has_note(&profiles.files[PROFILES_CREDENTIALS], 1, "bare name"));
	/* The CLI reads this one. */
	assert_non_null(profile_list_find(&profiles.profiles, "d"));
	assert_false(is_damaged(&profiles));
	profiles_release(&profiles);
}

static void default__is_what_its_last_header_says(void **state)
{
	static const struct {
		const char *text, *region;
	} rows[] = {
		{ "[default]\nregion = a\n[profile default]\nregion = b\n", "b" },
		{ "[profile default]\nregion = b\n[default]\nregion = a\n", "a" },
		{ "[default]\nregion = a\n[profile default]\nregion = b\n[default]\nx = y\n", "a" },
		{ "[default]\nregion = a\n[profile default]\nx = y\n", NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct profiles profiles;
		load(&profiles, rows[i].text, NULL);
		const char *region =
			profile_value(profile_list_find(&profiles.profiles, "default"), "region")
				.text;
		assert_int_equal(profiles.profiles.count, 1);
		assert_true(rows[i].region ? region && strcmp(region, rows[i].region) == 0
					   : !region);
		profiles_release(&profiles);
	}
}

static void secret__damages_its_profile__when_it_holds_blanks(void **state)
{
	static const char *const bad[] = {
		"aws_access_key_id = AKID EXAMPLE",
		"aws_secret_access_key = abc # mine",
		"aws_session_token = a\tb",
		"aws_security_token = one\n  two",
		"aws_secret_access_key = caf\xC3\xA9",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct buf text, shown;
		struct profiles profiles;
		buf_init(&text, 4096);
		buf_init(&shown, 4096);
		buf_addf(&text, "[bad]\n%s\n[good]\naws_secret_access_key = a+b/c=\n", bad[i]);
		load(&profiles, NULL, buf_text(&text));
		const struct ini *file = &profiles.files[PROFILES_CREDENTIALS];
		assert_int_equal(file->sections[0].damage.line, 2);
		assert_int_equal(file->sections[1].damage.line, 0);
		ini_describe_problem(file, &file->sections[0].damage, &shown);
		assert_non_null(strstr(buf_text(&shown), "holds a blank or a control character"));
		assert_memory_equal(file->sections[0].damage.key, bad[i], strcspn(bad[i], " "));
		profiles_release(&profiles);
		buf_release(&text);
		buf_release(&shown);
	}
}

/* The CLI goes on without a file that it cannot open. */
static void file__is_named__when_it_could_not_be_read(void **state)
{
	struct err denied = { 0 };
	struct profiles profiles;
	struct buf text;
	(void)state;
	err_set(&denied, ERR_IO, "cannot be opened: Permission denied");
	const struct profiles_text texts[PROFILES_FILES] = {
		{ "/a/config", NULL, 7, &denied },
		{ "/a/credentials", "\xFF\xFE[\0", 4, NULL },
	};
	profiles_read(&profiles, texts);
	assert_int_equal(profiles.errors[PROFILES_CONFIG].code, ERR_IO);
	assert_int_equal(profiles.errors[PROFILES_CREDENTIALS].code, ERR_CONFIG);
	buf_init(&text, 4096);
	profiles_add_tried(&profiles, &text);
	assert_string_equal(buf_text(&text),
			    "/a/config (cannot be opened: Permission denied) and /a/credentials "
			    "(is saved as UTF-16; save it as UTF-8)");
	buf_release(&text);
	profiles_release(&profiles);
	err_clear(&denied);
}

/* What the profile's lines state of its account, for what is shown before anybody has signed. */
static void account__is_what_the_profile_states__or_none(void **state)
{
	static const char text[] =
		"[profile role]\nrole_arn = arn:aws:iam::222233334444:role/Dev\n"
		"sso_account_id = 123456789012\nsource_profile = keys\n"
		"[profile sso]\nsso_account_id = 123456789012\nsso_role_name = Admin\n"
		"[profile login]\nlogin_session = arn:aws:iam::333344445555:user/me\n"
		"[profile short]\nsso_account_id = 12345678901\n"
		"[profile word]\nsso_account_id = 12345678901x\n"
		"[profile keys]\naws_access_key_id = AKIDSIM\n";
	static const struct {
		const char *profile, *account;
	} rows[] = {
		{ "role", "222233334444" },
		{ "sso", "123456789012" },
		{ "login", "333344445555" },
		{ "short", "" },
		{ "word", "" },
		{ "keys", "" },
	};
	struct setup setup = { 0 };
	char account[ACCOUNT_SIZE];
	(void)state;
	load(&setup.profiles, text, NULL);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		setup.profile = profile_list_find(&setup.profiles.profiles, rows[i].profile);
		assert_non_null(setup.profile);
		assert_int_equal(setup_account(&setup, account), rows[i].account[0] != '\0');
		assert_string_equal(account, rows[i].account);
	}
	setup.profile = NULL; /* none is named, and there is no default */
	assert_false(setup_account(&setup, account));
	setup_release(&setup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(account__is_what_the_profile_states__or_none),
		cmocka_unit_test(vectors__are_read_as_by_the_cli),
		cmocka_unit_test(samples_of_botocore__are_read_as_by_it),
		cmocka_unit_test(names__come_in_the_order_of_the_files),
		cmocka_unit_test(value__says_where_it_stands__and_the_credentials_file_holds),
		cmocka_unit_test(header__is_noted__when_it_is_not_what_it_seems),
		cmocka_unit_test(default__is_what_its_last_header_says),
		cmocka_unit_test(secret__damages_its_profile__when_it_holds_blanks),
		cmocka_unit_test(file__is_named__when_it_could_not_be_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

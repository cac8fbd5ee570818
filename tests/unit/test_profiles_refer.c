/* What is chosen and referred to, and what is said where it is not there; cases 089 to 106. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/profiles.h"
#include "model/base/mem.h"
#include "tests/shared.h"

static void load(struct profiles *profiles, const char *config, const char *credentials)
{
	const struct err missing = { .code = ERR_NOT_FOUND };
	const struct profiles_text texts[PROFILES_FILES] = {
		{ "/h/config", config, config ? strlen(config) : 0, &missing },
		{ "/h/credentials", credentials, credentials ? strlen(credentials) : 0, &missing },
	};
	profiles_read(profiles, texts);
}

/* A case's input as one of the two files; false, having said so, where it is absent. */
static bool load_case(struct profiles *profiles, const char *name, enum profiles_file file)
{
	const struct err missing = { .code = ERR_NOT_FOUND };
	struct profiles_text texts[PROFILES_FILES] = { { "/h/config", NULL, 0, &missing },
						       { "/h/credentials", NULL, 0, &missing } };
	char *text = shared_read(name, &texts[file].len);
	texts[file].text = text;
	if (text)
		profiles_read(profiles, texts);
	free(text);
	return text != NULL;
}

static const struct profile *find(const struct profiles *profiles, const char *name)
{
	const struct profile *found = profile_list_find(&profiles->profiles, name);
	if (!found)
		fail_msg("no profile %s", name);
	return found;
}

static void assert_value(const struct profile *profile, const char *key, const char *expected)
{
	const char *value = profile_value(profile, key).text;
	if (!value)
		fail_msg("no %s", key);
	assert_string_equal(value, expected);
}

/* Chooses by --profile; NULL name: nobody named one. Expects the error text, or success. */
static const struct profile *choose(const struct profiles *profiles, const char *name,
				    const char *expected)
{
	const struct profile_choice choice = { name ? name : "default", name ? "--profile" : "" };
	const struct profile *profile;
	struct err err = { 0 };
	bool ok = profiles_choose(profiles, &choice, &profile, &err);
	assert_string_equal(err_text(&err), expected ? expected : "");
	assert_int_equal(ok, expected == NULL);
	if (!ok) {
		assert_null(profile);
		assert_int_equal(err_exit_status(&err), 4);
		assert_true(err.hint != HINT_NONE);
	}
	err_clear(&err);
	return profile;
}

/* --- choosing --- */

static void choice__is_empty__only_when_nobody_named_it(void **state)
{
	struct profiles profiles;
	(void)state;
	load(&profiles, NULL, NULL);
	assert_null(choose(&profiles, NULL, NULL));
	choose(&profiles, "default",
	       "it is named by --profile, but is not there. Looked at /h/config (there is no such "
	       "file) and /h/credentials (there is no such file). Found: none.");
	profiles_release(&profiles);
	load(&profiles, "[default]\nregion = r\n", NULL);
	assert_value(choose(&profiles, NULL, NULL), "region", "r");
	assert_value(choose(&profiles, "default", NULL), "region", "r");
	profiles_release(&profiles);
}

static void choice__lists_what_is_there__when_the_name_is_not(void **state)
{
	struct profiles profiles;
	(void)state;
	load(&profiles, "[profile production]\n[profile staging]\n[Dev]\n", "[dev]\n");
	choose(&profiles, "producton",
	       "it is named by --profile, but is not there. Looked at /h/config (read) and "
	       "/h/credentials (read). Perhaps \"production\" is meant. Found: production, "
	       "staging, dev.");
	choose(&profiles, "DEV",
	       "it is named by --profile, but is not there. Looked at /h/config (read) and "
	       "/h/credentials (read). Perhaps \"dev\" is meant. Found: production, staging, dev.");
	choose(&profiles, "zzzzzzzz",
	       "it is named by --profile, but is not there. Looked at /h/config (read) and "
	       "/h/credentials (read). Found: production, staging, dev.");
	profiles_release(&profiles);
}

static void list_of_names__is_bounded(void **state)
{
	const struct profile_choice choice = { "p-4000", "AWS_PROFILE" };
	const struct profile *profile;
	struct profiles profiles;
	struct err err = { 0 };
	struct buf text;
	(void)state;
	buf_init(&text, INI_TEXT_MAX);
	for (size_t i = 0; i < 4000; i++)
		buf_addf(&text, "[profile p-%zu]\n", i);
	load(&profiles, buf_text(&text), NULL);
	assert_false(profiles_choose(&profiles, &choice, &profile, &err));
	assert_string_equal(err.subject, "profile p-4000");
	assert_non_null(strstr(err_text(&err), "it is named by AWS_PROFILE, but is not there."));
	assert_non_null(strstr(err_text(&err), " p-38, p-39 and 3960 more."));
	assert_non_null(strstr(err_text(&err), "Perhaps \"p-400\" is meant."));
	err_clear(&err);
	profiles_release(&profiles);
	buf_clear(&text);
	for (size_t i = 0; i < 40; i++)
		buf_addf(&text, "[profile %zu-%0900d]\n", i, 0);
	load(&profiles, buf_text(&text), NULL);
	assert_false(profiles_choose(&profiles, &choice, &profile, &err));
	assert_true(strlen(err_text(&err)) < 3000);
	assert_non_null(strstr(err_text(&err), " more."));
	err_clear(&err);
	profiles_release(&profiles);
	buf_release(&text);
}

static void wrong_header__is_explained__in_either_file(void **state)
{
	struct profiles profiles;
	(void)state;
	load(&profiles, "[ profile blank ]\n", "[x]\n[profile worded]\n");
	choose(&profiles, "blank",
	       "it is named by --profile, but is not there. Looked at /h/config (read) and "
	       "/h/credentials (read). Line 1 of /h/config has [ profile blank ], where [profile "
	       "blank] is probably meant. Found: x, profile worded.");
	choose(&profiles, "worded",
	       "it is named by --profile, but is not there. Looked at /h/config (read) and "
	       "/h/credentials (read). Line 2 of /h/credentials has [profile worded], where "
	       "[worded] is probably meant. Found: x, profile worded.");
	profiles_release(&profiles);
}

static void damage__refuses_its_profile_alone(void **state)
{
	struct profiles profiles;
	(void)state;
	load(&profiles, "[profile bad]\nregion us-east-1\n[profile good]\nregion = r\n",
	     "[late]\nx = y\n[late]\n= z\n");
	choose(&profiles, "bad", "/h/config, line 2, [profile bad]: this line is no `key = value`");
	choose(&profiles, "late", "/h/credentials, line 4, [late]: this line has no key");
	assert_value(choose(&profiles, "good", NULL), "region", "r");
	assert_null(choose(&profiles, NULL, NULL));
	profiles_release(&profiles);
}

/* As the AWS CLI does: what the file would have said is not known. */
static void refused_file__refuses_every_choice(void **state)
{
	const struct err none = { 0 };
	const struct profiles_text texts[PROFILES_FILES] = {
		{ "/h/config", "\xFF\xFE[\0", 4, &none },
		{ "/h/credentials", "[dev]\n", 6, &none },
	};
	struct profiles profiles;
	(void)state;
	profiles_read(&profiles, texts);
	choose(&profiles, "dev", "is saved as UTF-16; save it as UTF-8");
	choose(&profiles, NULL, "is saved as UTF-16; save it as UTF-8");
	profiles_release(&profiles);
}

/* --- referring --- */

static void sso_session__must_agree_with_the_profile(void **state)
{
	static const char config[] = "[profile a]\nsso_session = ops\nsso_region = eu-west-1\n"
				     "[profile b]\nsso_session = ops\nsso_region = us-east-1\n"
				     "[profile c]\nsso_session = gone\n"
				     "[profile d]\n"
				     "[profile e]\nsso_session = bad\n"
				     "[sso-session ops]\nsso_region = eu-west-1\n"
				     "[sso-session bad]\nno mark\n";
	static const struct {
		const char *profile, *expected;
	} rows[] = {
		{ "b", "sso_region is not the same in the profile (/h/config, line 6) and in its "
		       "sso-session ops (/h/config, line 13)" },
		{ "c", "sso_session (/h/config, line 8) names sso-session \"gone\", which is not "
		       "there. Looked at /h/config (read) and /h/credentials (there is no such "
		       "file). Found: ops, bad." },
		{ "e", "/h/config, line 15, [sso-session bad]: this line is no `key = value`" },
	};
	const struct profile *session;
	struct profiles profiles;
	struct err err = { 0 };
	(void)state;
	load(&profiles, config, NULL);
	assert_true(profiles_sso_session(&profiles, find(&profiles, "a"), &session, &err));
	assert_string_equal(session->name, "ops");
	assert_true(profiles_sso_session(&profiles, find(&profiles, "d"), &session, &err));
	assert_null(session);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_false(profiles_sso_session(&profiles, find(&profiles, rows[i].profile),
						  &session, &err));
		assert_string_equal(err_text(&err), rows[i].expected);
		assert_int_equal(err_exit_status(&err), 4);
		err_clear(&err);
	}
	profiles_release(&profiles);
}

static void services__are_looked_up_by_service_and_key(void **state)
{
	static const char config[] = "[profile a]\nservices = dev\n"
				     "[services dev]\nSageMaker =\n  endpoint_url = http://x\n"
				     "[profile b]\nservices = bad\n"
				     "[services bad]\nsagemaker =\n  no mark\n";
	struct profile_value value;
	struct profiles profiles;
	struct err err = { 0 };
	(void)state;
	load(&profiles, config, NULL);
	assert_true(profiles_service_value(&profiles, find(&profiles, "a"), "sagemaker",
					   "endpoint_url", &value, &err));
	assert_string_equal(value.text, "http://x");
	assert_int_equal(value.line, 5);
	assert_true(profiles_service_value(&profiles, find(&profiles, "a"), "sts", "endpoint_url",
					   &value, &err));
	assert_null(value.text);
	assert_true(profiles_service_value(&profiles, NULL, "sts", "endpoint_url", &value, &err));
	assert_null(value.text);
	assert_false(profiles_service_value(&profiles, find(&profiles, "b"), "sts", "endpoint_url",
					    &value, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err_text(&err), "/h/config, line 10, [services bad] sagemaker: this "
					    "line under it is no `name = value`");
	err_clear(&err);
	profiles_release(&profiles);
}

/* --- the cases --- */

static void case_089__comments_stand_between_keys(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/089-comment-inside-section/input.txt", PROFILES_CONFIG))
		return;
	assert_value(choose(&profiles, "production-exampleRole", NULL), "role_arn",
		     "arn:aws:iam::111122223333:role/exampleRole");
	assert_value(choose(&profiles, "production", NULL), "region", "us-east-1");
	assert_int_equal(profiles.files[PROFILES_CONFIG].problem_count, 0);
	profiles_release(&profiles);
}

static void case_090__sso_session_is_followed(void **state)
{
	struct profiles profiles;
	const struct profile *session;
	struct err err = { 0 };
	(void)state;
	if (!load_case(&profiles, "cases/090-sso-session-indirection/input.txt", PROFILES_CONFIG))
		return;
	const struct profile *profile = choose(&profiles, "AdministratorAccess-111122223333", NULL);
	assert_true(profiles_sso_session(&profiles, profile, &session, &err));
	assert_string_equal(session->name, "xx-xyz");
	assert_value(session, "sso_start_url", "https://d-xxxxxxxxxx.awsapps.com/start");
	assert_value(session, "sso_region", "us-west-2");
	assert_int_equal(profiles.profiles.count, 1);
	profiles_release(&profiles);
}

static void case_092__a_hash_stays_in_the_url(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/092-hash-in-value/input.txt", PROFILES_CONFIG))
		return;
	assert_value(profile_list_find(&profiles.sso_sessions, "prd"), "sso_start_url",
		     "https://d-xxxxxxxxx.awsapps.com/start/#");
	assert_int_equal(profiles.files[PROFILES_CONFIG].problem_count, 0);
	profiles_release(&profiles);
}

static void case_093__odd_names_and_keys_are_taken(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/093-slash-in-profile-name/input.txt", PROFILES_CONFIG))
		return;
	const struct profile *profile = choose(&profiles, "Audit/AWSPowerUserAccess", NULL);
	assert_value(profile, "granted_sso_start_url", "`https://d-########f.awsapps.com/start`");
	assert_value(profile, "credential_process",
		     "granted credential-process --profile Audit/AWSPowerUserAccess");
	assert_int_equal(profiles.files[PROFILES_CONFIG].problem_count, 0);
	profiles_release(&profiles);
}

static void case_095__carriage_returns_are_no_part_of_a_secret(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/095-crlf-secret/input.txt", PROFILES_CREDENTIALS))
		return;
	const struct profile *profile = choose(&profiles, "default", NULL);
	assert_value(profile, "aws_access_key_id", "AKIAIOSFODNN7EXAMPLE");
	assert_value(profile, "aws_secret_access_key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
	assert_value(profile, "region", "us-east-1");
	profiles_release(&profiles);
}

static void case_097__utf16_is_named_and_a_bom_skipped(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/097-utf16-or-bom/input-utf16.bin", PROFILES_CREDENTIALS))
		return;
	choose(&profiles, "myprofile", "is saved as UTF-16; save it as UTF-8");
	assert_string_equal(profiles.errors[PROFILES_CREDENTIALS].subject, "/h/credentials");
	profiles_release(&profiles);
	if (!load_case(&profiles, "cases/097-utf16-or-bom/input-utf8bom.txt", PROFILES_CREDENTIALS))
		return;
	assert_value(choose(&profiles, "myprofile", NULL), "aws_access_key_id", "01234");
	profiles_release(&profiles);
}

static void case_100__a_missing_prefix_is_explained(void **state)
{
	struct profiles profiles;
	const struct profile *source;
	struct err err = { 0 };
	(void)state;
	if (!load_case(&profiles, "cases/100-source-profile-without-prefix/input.txt",
		       PROFILES_CONFIG))
		return;
	assert_false(profiles_source(&profiles, find(&profiles, "main_profile"), &source, &err));
	assert_string_equal(err.subject, "profile main_profile");
	assert_string_equal(
		err_text(&err),
		"source_profile (/h/config, line 2) names profile \"custom_role\", which is not "
		"there. Looked at /h/config (read) and /h/credentials (there is no such file). "
		"Line "
		"7 of /h/config has [custom_role], where [profile custom_role] is probably meant. "
		"Found: main_profile.");
	assert_int_equal(err_exit_status(&err), 4);
	err_clear(&err);
	profiles_release(&profiles);
}

static void case_103__services_are_no_profiles(void **state)
{
	struct profiles profiles;
	struct profile_value value;
	struct err err = { 0 };
	(void)state;
	if (!load_case(&profiles, "cases/103-services-section/input.txt", PROFILES_CONFIG))
		return;
	assert_int_equal(profiles.profiles.count, 2);
	assert_string_equal(profiles.profiles.items[0].name, "default");
	assert_true(profiles_service_value(&profiles, choose(&profiles, "play", NULL), "sagemaker",
					   "endpoint_url", &value, &err));
	assert_string_equal(value.text, "http://127.0.0.1:5000");
	assert_int_equal(value.line, 16);
	assert_true(profiles_service_value(&profiles, find(&profiles, "play"), "s3",
					   "signature_version", &value, &err));
	assert_string_equal(value.text, "s3v4");
	profiles_release(&profiles);
}

static void case_104__missing_services_are_an_error(void **state)
{
	struct profiles profiles;
	struct profile_value value;
	struct err err = { 0 };
	(void)state;
	if (!load_case(&profiles, "cases/104-services-dangling/input.txt", PROFILES_CONFIG))
		return;
	assert_false(profiles_service_value(&profiles, choose(&profiles, "dev", NULL), "sagemaker",
					    "endpoint_url", &value, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err_text(&err),
			    "services (/h/config, line 2) names services section "
			    "\"my-local-services\", which is not there. Looked at /h/config (read) "
			    "and /h/credentials (there is no such file). Found: none.");
	err_clear(&err);
	profiles_release(&profiles);
}

static void case_106__local_damage_stays_local(void **state)
{
	struct profiles profiles;
	(void)state;
	if (!load_case(&profiles, "cases/106-malformed-corpus/bad_profile.txt", PROFILES_CONFIG))
		return;
	assert_int_equal(profiles.profiles.count, 3);
	assert_value(choose(&profiles, "my profile", NULL), "aws_access_key_id", "default");
	assert_value(choose(&profiles, "personal1", NULL), "aws_access_key_id", "access_personal1");
	profiles_release(&profiles);

	assert_true(
		load_case(&profiles, "cases/106-malformed-corpus/no_section.txt", PROFILES_CONFIG));
	assert_value(choose(&profiles, "personal", NULL), "aws_access_key_id", "fie");
	assert_int_equal(profiles.profiles.count, 1);
	assert_int_equal(profiles.files[PROFILES_CONFIG].found[INI_DAMAGE], 2);
	profiles_release(&profiles);

	assert_true(
		load_case(&profiles, "cases/106-malformed-corpus/nested_bad.txt", PROFILES_CONFIG));
	choose(&profiles, "default",
	       "/h/config, line 5, [default] s3: this line under it is no `name = value`");
	profiles_release(&profiles);

	assert_true(
		load_case(&profiles, "cases/106-malformed-corpus/badbytes.bin", PROFILES_CONFIG));
	choose(&profiles, "default", "is no config file: it holds a NUL byte");
	profiles_release(&profiles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choice__is_empty__only_when_nobody_named_it),
		cmocka_unit_test(choice__lists_what_is_there__when_the_name_is_not),
		cmocka_unit_test(list_of_names__is_bounded),
		cmocka_unit_test(wrong_header__is_explained__in_either_file),
		cmocka_unit_test(damage__refuses_its_profile_alone),
		cmocka_unit_test(refused_file__refuses_every_choice),
		cmocka_unit_test(sso_session__must_agree_with_the_profile),
		cmocka_unit_test(services__are_looked_up_by_service_and_key),
		cmocka_unit_test(case_089__comments_stand_between_keys),
		cmocka_unit_test(case_090__sso_session_is_followed),
		cmocka_unit_test(case_092__a_hash_stays_in_the_url),
		cmocka_unit_test(case_093__odd_names_and_keys_are_taken),
		cmocka_unit_test(case_095__carriage_returns_are_no_part_of_a_secret),
		cmocka_unit_test(case_097__utf16_is_named_and_a_bom_skipped),
		cmocka_unit_test(case_100__a_missing_prefix_is_explained),
		cmocka_unit_test(case_103__services_are_no_profiles),
		cmocka_unit_test(case_104__missing_services_are_an_error),
		cmocka_unit_test(case_106__local_damage_stays_local),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

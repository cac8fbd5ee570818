/* Chains of roles: where they end, and where they cannot. Cases 100 and 101. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/role_chain.h"
#include "tests/shared.h"

static void load(struct profiles *profiles, const char *config, size_t len)
{
	const struct err missing = { .code = ERR_NOT_FOUND };
	const struct profiles_text texts[PROFILES_FILES] = { { "config", config, len, &missing },
							     { "credentials", NULL, 0, &missing } };
	profiles_read(profiles, texts);
}

static bool follow(struct role_chain *chain, const struct profiles *profiles, const char *name,
		   struct err *err)
{
	const struct profile *top = profile_list_find(&profiles->profiles, name);
	assert_non_null(top);
	return role_chain_follow(chain, profiles, top, err);
}

/* The chain as "outer > inner = base" or "outer > inner ! Source", or the error. */
static void assert_chain(const char *config, const char *name, const char *expected)
{
	struct profiles profiles;
	struct role_chain chain;
	struct err err = { 0 };
	struct buf text;
	load(&profiles, config, strlen(config));
	buf_init(&text, 16384);
	if (!follow(&chain, &profiles, name, &err)) {
		buf_addf(&text, "%s: %s", err.subject, err_text(&err));
		assert_int_equal(err_exit_status(&err), 4);
	} else {
		for (size_t i = 0; i < chain.count; i++)
			buf_addf(&text, "%s%s", i ? " > " : "", chain.roles[i]->name);
		if (chain.base)
			buf_addf(&text, " = %s", chain.base->name);
		if (chain.credential_source)
			buf_addf(&text, " ! %s", chain.credential_source);
	}
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
	err_clear(&err);
	role_chain_release(&chain);
	profiles_release(&profiles);
}

#define ROLE "role_arn = arn:aws:iam::111122223333:role/R\n"
#define KEYS "aws_access_key_id = AKID\n"

static void chain__ends_at_the_first_profile_that_is_no_role(void **state)
{
	(void)state;
	assert_chain("[default]\nregion = r\n", "default", " = default");
	assert_chain("[profile a]\n" ROLE "source_profile = b\n[profile b]\n" KEYS, "a", "a = b");
	assert_chain("[profile a]\n" ROLE "source_profile = b\n"
		     "[profile b]\n" ROLE "source_profile = c\n[profile c]\nsso_session = s\n",
		     "a", "a > b = c");
	/* A web identity is a source of its own. */
	assert_chain("[profile a]\n" ROLE "source_profile = b\n"
		     "[profile b]\n" ROLE "web_identity_token_file = /t\n",
		     "a", "a = b");
	assert_chain("[profile b]\n" ROLE "web_identity_token_file = /t\n", "b", " = b");
	/* At the top the role beats the keys; in a source the keys beat the role. */
	assert_chain("[profile a]\n" ROLE KEYS "source_profile = b\n"
		     "[profile b]\n" ROLE "aws_secret_access_key = s\nsource_profile = c\n",
		     "a", "a = b");
	assert_chain("[profile a]\n" ROLE "credential_source = EcsContainer\n", "a",
		     "a ! EcsContainer");
	assert_chain("[profile a]\n" ROLE "source_profile = b\n"
		     "[profile b]\n" ROLE "credential_source = Environment\n",
		     "a", "a > b ! Environment");
}

static void chain__is_empty__without_a_profile(void **state)
{
	struct profiles profiles;
	struct role_chain chain;
	struct err err = { 0 };
	(void)state;
	load(&profiles, "", 0);
	assert_true(role_chain_follow(&chain, &profiles, NULL, &err));
	assert_int_equal(chain.count, 0);
	assert_null(chain.base);
	role_chain_release(&chain);
	role_chain_release(NULL);
	profiles_release(&profiles);
}

static void source__must_be_one__and_known(void **state)
{
	(void)state;
	assert_chain("[profile a]\n" ROLE, "a",
		     "profile a: has a role_arn, but neither source_profile nor "
		     "credential_source");
	assert_chain("[profile a]\n" ROLE "source_profile = b\ncredential_source = Environment\n",
		     "a", "profile a: has both source_profile and credential_source");
	assert_chain("[profile a]\n" ROLE "credential_source = environment\n", "a",
		     "profile a: credential_source is none of Environment, Ec2InstanceMetadata "
		     "and EcsContainer");
	assert_chain("[profile a]\n" ROLE "source_profile =\n", "a",
		     "profile a: source_profile is empty");
	assert_chain("[profile a]\nrole_arn =\nsource_profile = b\n", "a",
		     "profile a: role_arn is empty");
	assert_chain("[profile a]\n" ROLE "source_profile = b\n[profile b]\nno mark\n", "a",
		     "profile b: config, line 5, [profile b]: this line is no `key = value`");
}

static void circle__is_shown_whole(void **state)
{
	(void)state;
	assert_chain("[profile a]\n" ROLE "source_profile = b\n"
		     "[profile b]\n" ROLE "source_profile = c\n"
		     "[profile c]\n" ROLE "source_profile = b\n",
		     "a", "profile a: source_profile leads in a circle: a > b > c > b");
	/* To itself: for its own keys, or else a circle. */
	assert_chain("[profile a]\n" ROLE KEYS "source_profile = a\n", "a", "a = a");
	assert_chain("[profile a]\n" ROLE "source_profile = a\n", "a",
		     "profile a: source_profile leads in a circle: a > a");
	/* Back to the top, which has keys: the AWS CLI refuses that too. */
	assert_chain("[profile a]\n" ROLE KEYS "source_profile = b\n"
		     "[profile b]\n" ROLE "source_profile = a\n",
		     "a", "profile a: source_profile leads in a circle: a > b > a");
}

/* p0 to p499, each with the next as its source. */
static void add_roles(struct buf *text)
{
	buf_init(text, INI_TEXT_MAX);
	for (size_t i = 0; i < 500; i++)
		buf_addf(text, "[profile p%zu]\n" ROLE "source_profile = p%zu\n", i, i + 1);
}

static void long_chain__is_followed__and_a_long_circle_cut(void **state)
{
	struct profiles profiles;
	struct role_chain chain;
	struct err err = { 0 };
	struct buf text;
	(void)state;
	add_roles(&text);
	buf_add_text(&text, "[profile p500]\n" KEYS);
	load(&profiles, buf_text(&text), text.len);
	assert_true(follow(&chain, &profiles, "p0", &err));
	assert_int_equal(chain.count, 500);
	assert_string_equal(chain.base->name, "p500");
	role_chain_release(&chain);
	profiles_release(&profiles);
	buf_release(&text);
	add_roles(&text);
	buf_add_text(&text, "[profile p500]\n" ROLE "source_profile = p0\n");
	load(&profiles, buf_text(&text), text.len);
	assert_false(follow(&chain, &profiles, "p0", &err));
	assert_non_null(strstr(err_text(&err), "p14 > p15 > (469 more) > p485 > p486 >"));
	assert_non_null(strstr(err_text(&err), "p499 > p500 > p0"));
	err_clear(&err);
	role_chain_release(&chain);
	profiles_release(&profiles);
	buf_release(&text);
}

static void case_100__the_missing_source_is_named(void **state)
{
	struct profiles profiles;
	struct role_chain chain;
	struct err err = { 0 };
	size_t len;
	(void)state;
	char *text = shared_read("cases/100-source-profile-without-prefix/input.txt", &len);
	if (!text)
		return;
	load(&profiles, text, len);
	assert_false(follow(&chain, &profiles, "main_profile", &err));
	assert_non_null(strstr(err_text(&err), "Line 7 of config has [custom_role], where "
					       "[profile custom_role] is probably meant."));
	err_clear(&err);
	role_chain_release(&chain);
	profiles_release(&profiles);
	free(text);
}

static void case_101__the_circle_is_named(void **state)
{
	size_t len;
	(void)state;
	char *text = shared_read("cases/101-role-chain-loop/input.txt", &len);
	if (!text)
		return;
	assert_chain(text, "alice",
		     "profile alice: source_profile leads in a circle: alice > prod > dev > alice");
	assert_chain(text, "default", " = default");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chain__ends_at_the_first_profile_that_is_no_role),
		cmocka_unit_test(chain__is_empty__without_a_profile),
		cmocka_unit_test(source__must_be_one__and_known),
		cmocka_unit_test(circle__is_shown_whole),
		cmocka_unit_test(long_chain__is_followed__and_a_long_circle_cut),
		cmocka_unit_test(case_100__the_missing_source_is_named),
		cmocka_unit_test(case_101__the_circle_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

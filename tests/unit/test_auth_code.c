/* The code of an MFA device, from the question to what becomes of the credentials. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/auth/auth.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NOW_MS INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */
#define SERIAL "arn:aws:iam::111122223333:mfa/me"

static const char config[] = "[profile secured]\n"
			     "role_arn = arn:aws:iam::111122223333:role/ops\n"
			     "source_profile = base\n"
			     "mfa_serial = " SERIAL "\n"
			     "region = us-east-1\n"
			     "[profile base]\n"
			     "aws_access_key_id = AKIDBASE\n"
			     "aws_secret_access_key = base-secret\n";

static const char granted[] =
	"<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult>"
	"<AssumedRoleUser><AssumedRoleId>AROA:me</AssumedRoleId>"
	"<Arn>arn:aws:sts::111122223333:assumed-role/ops/me</Arn></AssumedRoleUser>"
	"<Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-secret"
	"</SecretAccessKey><SessionToken>role-token</SessionToken>"
	"<Expiration>2026-11-30T21:48:08Z</Expiration></Credentials>"
	"</AssumeRoleResult></AssumeRoleResponse>";

#define REFUSED(message)                                                             \
	"<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error>" \
	"<Type>Sender</Type><Code>AccessDenied</Code><Message>" message              \
	"</Message></Error><RequestId>id-1</RequestId></ErrorResponse>"

struct world {
	struct authbench bench;
	struct auth *auth;
	unsigned asked, withdrawn, changes;
	char profile[64], serial[128];
};

static void on_change(void *ctx)
{
	((struct world *)ctx)->changes++;
}

static void on_question(void *ctx, const char *profile, const char *serial)
{
	struct world *world = ctx;
	if (!profile) {
		world->withdrawn++;
		return;
	}
	world->asked++;
	snprintf(world->profile, sizeof(world->profile), "%s", profile);
	snprintf(world->serial, sizeof(world->serial), "%s", serial);
}

static int start(void **state)
{
	struct world *world = mem_new(1, sizeof(*world));
	struct authbench *bench = &world->bench;
	authbench_init(bench, NOW_MS);
	authbench_write(bench, "/home/.aws/config", config);
	assert_true(authbench_set_up(bench, "secured"));
	const struct auth_options options = { .clock = &bench->clock,
					      .waits = &bench->waits,
					      .disk = bench->disk,
					      .http = &bench->transport,
					      .setup = &bench->setup,
					      .changed = on_change,
					      .ask_code = on_question,
					      .ctx = world };
	world->auth = auth_new(&options);
	*state = world;
	return 0;
}

static int stop(void **state)
{
	struct world *world = *state;
	auth_free(world->auth);
	authbench_release(&world->bench);
	free(world);
	return 0;
}

static void wait_for(struct world *world, const unsigned *count, unsigned wanted)
{
	while (*count < wanted)
		authbench_turn(&world->bench);
}

static struct auth_status status_of(const struct world *world)
{
	struct auth_status status;
	auth_status(world->auth, &status);
	return status;
}

static void code__is_sent_with_the_role__and_opens_it(void **state)
{
	struct world *world = *state;
	authbench_answer(&world->bench, 200, granted, NULL);
	wait_for(world, &world->asked, 1);
	assert_string_equal(world->profile, "secured");
	assert_string_equal(world->serial, SERIAL);
	assert_int_equal(world->bench.asked_count, 0);
	auth_code(world->auth, "012345");
	wait_for(world, &world->changes, 1);
	assert_non_null(strstr(world->bench.asked[0].body, "&TokenCode=012345"));
	assert_non_null(strstr(world->bench.asked[0].body, "&SerialNumber=arn%3Aaws%3Aiam"));
	assert_true(status_of(world).has_credentials);
	assert_false(status_of(world).of_environment);
	assert_null(status_of(world).err);
	assert_int_equal(world->asked, 1);
	assert_int_equal(world->withdrawn, 0);
}

static void wrong_code__is_said_in_the_words_of_sts__and_no_permission_is_asked_for(void **state)
{
	struct world *world = *state;
	static const char words[] = "MultiFactorAuthentication failed with invalid MFA one time "
				    "pass code.";
	authbench_answer(&world->bench, 403,
			 REFUSED("MultiFactorAuthentication failed with invalid MFA one time pass "
				 "code. "),
			 NULL);
	wait_for(world, &world->asked, 1);
	auth_code(world->auth, "111111");
	wait_for(world, &world->changes, 1);
	const struct err *err = status_of(world).err;
	assert_non_null(err);
	assert_string_equal(err_text(err), words);
	assert_string_equal(err->subject, "profile secured");
	assert_int_equal(err->code, ERR_AUTH);
	assert_int_equal(err->hint, HINT_CODE_AGAIN);
	assert_false(status_of(world).has_credentials);
}

static void other_denial__is_one_of_a_permission__with_a_right_code_too(void **state)
{
	struct world *world = *state;
	authbench_answer(&world->bench, 403,
			 REFUSED("User: arn:aws:iam::111122223333:user/me is not authorized to "
				 "perform: sts:AssumeRole on resource: "
				 "arn:aws:iam::111122223333:role/ops"),
			 NULL);
	wait_for(world, &world->asked, 1);
	auth_code(world->auth, "123456");
	wait_for(world, &world->changes, 1);
	assert_int_equal(status_of(world).err->code, ERR_DENIED);
	assert_int_equal(status_of(world).err->hint, HINT_ASK_PERMISSION);
}

/* Asked over and over, somebody who is busy elsewhere would lose the keys that he types. */
static void nobody__is_asked_again__who_gave_no_code(void **state)
{
	struct world *world = *state;
	wait_for(world, &world->asked, 1);
	auth_code(world->auth, NULL);
	wait_for(world, &world->changes, 1);
	assert_string_equal(err_text(status_of(world).err), "no code was given");
	assert_int_equal(status_of(world).err->hint, HINT_CODE_AGAIN);
	assert_false(status_of(world).searching);
	assert_false(status_of(world).retry.set);
	assert_int_equal(world->bench.asked_count, 0);
	/* Only when somebody wants it. */
	auth_search(world->auth);
	wait_for(world, &world->asked, 2);
	/* A code that is none is a slip, after which it is tried again by itself, too. */
	auth_code(world->auth, "12345");
	wait_for(world, &world->changes, 2);
	assert_string_equal(err_text(status_of(world).err), "a code has six digits");
	assert_true(status_of(world).retry.set);
}

static void question__is_taken_back__when_nobody_needs_the_answer(void **state)
{
	struct world *world = *state;
	wait_for(world, &world->asked, 1);
	auth_stop(world->auth);
	assert_int_equal(world->withdrawn, 1);
	/* Too late, and harmless. */
	auth_code(world->auth, "123456");
	assert_int_equal(world->bench.asked_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(code__is_sent_with_the_role__and_opens_it),
		TEST(wrong_code__is_said_in_the_words_of_sts__and_no_permission_is_asked_for),
		TEST(other_denial__is_one_of_a_permission__with_a_right_code_too),
		TEST(nobody__is_asked_again__who_gave_no_code),
		TEST(question__is_taken_back__when_nobody_needs_the_answer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

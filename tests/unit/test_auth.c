/* The manager of credentials: when it looks for them, how often, and what serves meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/authscene.h"

/* --- times --- */

static void answer_nothing(struct authscene *scene)
{
	authbench_answer(&scene->bench, 0, NULL, NULL);
}

static void search__begins_at_once__and_all_calls_wait_for_it(void **state)
{
	struct authscene *scene = authscene_container();
	struct err err = { 0 };
	(void)state;
	authscene_begin(scene, NULL);
	authscene_answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	for (int i = 0; i < 20; i++) {
		assert_null(authscene_get(scene, &err));
		assert_int_equal(err.code, ERR_NONE);
	}
	assert_true(authscene_status(scene).searching);
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKID1");
	assert_int_equal(scene->bench.asked_count, 1);
	assert_string_equal(authscene_status(scene).provider, "container endpoint");
	assert_string_equal(authscene_status(scene).origin, "http://127.0.0.1/keys");
	assert_null(authscene_status(scene).err);
	authscene_free(scene);
}

static void keys__are_renewed__a_quarter_of_an_hour_ahead(void **state)
{
	struct authscene *scene = authscene_container();
	(void)state;
	authscene_begin(scene, NULL);
	authscene_answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	authscene_end_searches(scene, 1);
	assert_int_equal(scene->bench.armed, true);
	/* Whole seconds in the answer; the caches of the AWS CLI count until a second before. */
	assert_in_range(scene->bench.due_ms - scene->before_ms, 45 * MINUTE_MS,
			45 * MINUTE_MS + 1000 + clock_mono_ms(&scene->bench.clock) -
				scene->before_ms);
	authbench_pass(&scene->bench, 45 * MINUTE_MS + 1000);
	scene->bench.holds = true;
	authbench_turn(&scene->bench);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_true(authscene_status(scene).searching);
	authscene_serves(scene, "AKID1"); /* meanwhile */
	scene->bench.holds = false;
	authscene_answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKID2");
	authscene_free(scene);
}

static void short_lives__are_renewed__halfway(void **state)
{
	static const struct {
		int64_t life_s, renew_s;
	} lives[] = {
		{ 30, 15 }, { 300, 150 }, { 900, 450 },  { 958, 479 },
		{ 8, 5 },   { 6, 5 },     { 1200, 301 }, { 43200, 42301 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lives); i++) {
		struct authscene *scene = authscene_container();
		authscene_begin(scene, NULL);
		authscene_answer_keys(scene, "AKID1", lives[i].life_s * 1000);
		authscene_end_searches(scene, 1);
		int64_t in_ms = scene->bench.due_ms - scene->before_ms;
		int64_t turn_ms = clock_mono_ms(&scene->bench.clock) - scene->before_ms;
		/* Up to a second of the life was cut from its answer, and some has passed. */
		assert_in_range(in_ms, lives[i].renew_s * 1000 - 1500,
				lives[i].renew_s * 1000 + turn_ms);
		authscene_free(scene);
	}
}

static void lasting_keys__are_never__looked_for_again(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "s", 1), 0);
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKIDENV");
	assert_false(scene->bench.armed);
	assert_false(authscene_status(scene).expires.set);
	authscene_free(scene);
}

/* The lid was closed over night: what is at hand is not used, and not complained about. */
static void suspend__is_noticed__by_the_first_call(void **state)
{
	struct authscene *scene = authscene_container();
	struct err err = { 0 };
	(void)state;
	authscene_begin(scene, NULL);
	authscene_answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	authscene_end_searches(scene, 1);
	scene->bench.start_wall_ms += 9 * 60 * MINUTE_MS;
	authscene_answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	for (int i = 0; i < 5; i++)
		assert_null(authscene_get(scene, &err));
	assert_int_equal(err.code, ERR_NONE);
	assert_true(authscene_status(scene).searching);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKID2");
	assert_int_equal(scene->bench.asked_count, 2);
	authscene_free(scene);
}

/* --- what fails --- */

/* A role of STS, which is asked once a search. */
static struct authscene *role_scene(void)
{
	struct authscene *scene = authscene_new();
	assert_int_equal(setenv("AWS_MAX_ATTEMPTS", "1", 1), 0);
	authbench_write(&scene->bench, "/home/.aws/config",
			"[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n"
			"[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
			"source_profile = base\n");
	return scene;
}

static void renewal__that_fails__leaves_the_old_keys(void **state)
{
	struct authscene *scene = role_scene();
	(void)state;
	authscene_begin(scene, NULL);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	authscene_end_searches(scene, 1);
	answer_nothing(scene);
	authbench_pass(&scene->bench, 46 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKID1");
	assert_non_null(authscene_status(scene).err);
	assert_true(authscene_status(scene).retry.set);
	authscene_is_due_in(scene, MINUTE_MS);
	answer_nothing(scene);
	authbench_pass(&scene->bench, MINUTE_MS);
	authscene_end_searches(scene, 3);
	authscene_serves(scene, "AKID1");
	/* Then they end, and it is said at once. */
	authbench_pass(&scene->bench, 14 * MINUTE_MS);
	authscene_fails(scene, ERR_NET, "nothing answers there");
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID2", "2026-01-01T03:00:00Z"), NULL);
	authscene_end_searches(scene, 4);
	authscene_serves(scene, "AKID2");
	assert_null(authscene_status(scene).err);
	assert_false(authscene_status(scene).retry.set);
	authscene_free(scene);
}

static void network__that_is_away__is_tried_less_and_less(void **state)
{
	static const int64_t pauses_s[] = { 5, 10, 20, 40, 60, 60, 60 };
	struct authscene *scene = role_scene();
	(void)state;
	authscene_begin(scene, NULL);
	for (unsigned i = 0; i < ARRAY_LEN(pauses_s); i++) {
		answer_nothing(scene);
		authscene_end_searches(scene, i + 1);
		authscene_is_due_in(scene, pauses_s[i] * 1000);
		assert_int_equal(authscene_status(scene).retry.ms, scene->bench.due_ms);
		authscene_fails(scene, ERR_NET, "nothing answers there");
		assert_string_equal(authscene_status(scene).provider, "assume role");
		authbench_pass(&scene->bench, pauses_s[i] * 1000);
	}
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	authscene_end_searches(scene, ARRAY_LEN(pauses_s) + 1);
	authscene_serves(scene, "AKID1");
	authscene_free(scene);
}

static void answer_instance(struct authscene *scene, const char *keys)
{
	authbench_answer(&scene->bench, 200, "metadatatoken", NULL);
	authbench_answer(&scene->bench, 200, "instance-role", NULL);
	authbench_answer(&scene->bench, 200, keys, NULL);
}

/* Elsewhere a metadata service that does not answer is none at all. */
static void instance__that_goes_silent__is_still_one(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "no", 1), 0);
	authscene_begin(scene, NULL);
	answer_instance(scene, "{\"AccessKeyId\":\"AKID1\",\"SecretAccessKey\":\"s\",\"Token\":"
			       "\"t\",\"Expiration\":\"2026-01-01T01:00:00Z\"}");
	authscene_end_searches(scene, 1);
	authscene_serves(scene, "AKID1");
	answer_nothing(scene);
	authbench_pass(&scene->bench, 46 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKID1");
	authscene_is_due_in(scene, MINUTE_MS);
	answer_nothing(scene);
	authbench_pass(&scene->bench, 30 * MINUTE_MS);
	authscene_end_searches(scene, 3);
	authscene_fails(scene, ERR_NET, "gives no credentials any more");
	assert_string_equal(authscene_status(scene).provider, "instance metadata");
	authscene_is_due_in(scene, 10000); /* the second failure in a row */
	answer_instance(scene, "{\"AccessKeyId\":\"AKID2\",\"SecretAccessKey\":\"s\",\"Token\":"
			       "\"t\",\"Expiration\":\"2026-01-01T03:00:00Z\"}");
	authbench_pass(&scene->bench, 10000);
	authscene_end_searches(scene, 4);
	authscene_serves(scene, "AKID2");
	authscene_free(scene);
}

static void settings__that_are_wrong__are_tried_each_five_minutes(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	authscene_fails(scene, ERR_AUTH,
			"AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not");
	authscene_is_due_in(scene, 5 * MINUTE_MS);
	authbench_pass(&scene->bench, 5 * MINUTE_MS);
	authscene_end_searches(scene, 2);
	authscene_is_due_in(scene, 5 * MINUTE_MS);
	authscene_free(scene);
}

static void nothing__is_set_up__and_nobody_is_blamed(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	authscene_fails(scene, ERR_AUTH, "no credentials are set up");
	assert_string_equal(authscene_status(scene).provider, "");
	authscene_free(scene);
}

static void keys__that_have_expired__are_not_given(void **state)
{
	struct authscene *scene = authscene_container();
	(void)state;
	authscene_begin(scene, NULL);
	authscene_answer_keys(scene, "AKID1", -1000);
	authscene_end_searches(scene, 1);
	authscene_fails(scene, ERR_AUTH,
			"container endpoint: it gave credentials that have expired");
	authscene_free(scene);
}

/* --- what AWS refuses --- */

static void lasting_keys__that_are_refused__have_one_more_try(void **state)
{
	struct authscene *scene = authscene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "s", 1), 0);
	authscene_begin(scene, NULL);
	authscene_end_searches(scene, 1);
	assert_true(authscene_refuse(scene, "AKIDENV"));
	assert_true(authscene_refuse(scene, "AKIDENV")); /* of another call, at the same time */
	authscene_end_searches(scene, 2);
	authscene_serves(scene, "AKIDENV");
	/* The same once more: nothing is looked for, and the call fails. */
	for (int i = 0; i < 10; i++)
		assert_false(authscene_refuse(scene, "AKIDENV"));
	authscene_serves(scene, "AKIDENV");
	assert_false(authscene_status(scene).searching);
	authbench_pass(&scene->bench, 30000);
	assert_true(authscene_refuse(scene, "AKIDENV"));
	authscene_end_searches(scene, 3);
	assert_int_equal(scene->changes, 3);
	authscene_free(scene);
}

static void keys__that_were_replaced__are_refused_in_vain(void **state)
{
	struct authscene *scene = authscene_container();
	(void)state;
	authscene_begin(scene, NULL);
	authscene_answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	authscene_end_searches(scene, 1);
	assert_true(authscene_refuse(scene, "AKID0"));
	authscene_serves(scene, "AKID1");
	assert_int_equal(scene->bench.asked_count, 1);
	authscene_free(scene);
}

/* Revoked ones serve no more, even if nothing better is found. */
static void keys__that_are_refused__do_not_serve_again(void **state)
{
	struct authscene *scene = role_scene();
	struct err err = { 0 };
	(void)state;
	authscene_begin(scene, NULL);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	authscene_end_searches(scene, 1);
	assert_true(authscene_refuse(scene, "AKID1"));
	assert_null(authscene_get(scene, &err));
	assert_int_equal(err.code, ERR_NONE);
	answer_nothing(scene);
	authscene_end_searches(scene, 2);
	authscene_fails(scene, ERR_NET, "nothing answers there");
	authscene_is_due_in(scene, 5000);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID2", "2026-01-01T03:00:00Z"), NULL);
	authbench_pass(&scene->bench, 5000);
	authscene_end_searches(scene, 3);
	authscene_serves(scene, "AKID2");
	authscene_free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search__begins_at_once__and_all_calls_wait_for_it),
		cmocka_unit_test(keys__are_renewed__a_quarter_of_an_hour_ahead),
		cmocka_unit_test(short_lives__are_renewed__halfway),
		cmocka_unit_test(lasting_keys__are_never__looked_for_again),
		cmocka_unit_test(suspend__is_noticed__by_the_first_call),
		cmocka_unit_test(renewal__that_fails__leaves_the_old_keys),
		cmocka_unit_test(network__that_is_away__is_tried_less_and_less),
		cmocka_unit_test(instance__that_goes_silent__is_still_one),
		cmocka_unit_test(settings__that_are_wrong__are_tried_each_five_minutes),
		cmocka_unit_test(nothing__is_set_up__and_nobody_is_blamed),
		cmocka_unit_test(keys__that_have_expired__are_not_given),
		cmocka_unit_test(lasting_keys__that_are_refused__have_one_more_try),
		cmocka_unit_test(keys__that_were_replaced__are_refused_in_vain),
		cmocka_unit_test(keys__that_are_refused__do_not_serve_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

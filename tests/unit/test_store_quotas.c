#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/jobs.h"

#define P4D "ml.p4d.24xlarge"
#define G5  "ml.g5.xlarge"

static struct quota_fact fact_of(const struct store *store, const char *type, enum quota_kind kind)
{
	struct quota_fact fact = { .instance_type = type, .kind = kind };
	store_quota_facts(store, &fact, 1);
	return fact;
}

static void fact__tells_nothing__before_anybody_has_asked(void **state)
{
	struct store store = { 0 };
	(void)state;
	struct quota_fact fact = fact_of(&store, P4D, QUOTA_TRAINING);
	assert_false(fact.told);
	assert_null(fact.error);
	assert_non_null(fact.code);
	assert_null(store_find_quota(&store, P4D, QUOTA_TRAINING));
	assert_int_equal(store_quota_fresh(&store, P4D, QUOTA_TRAINING, 0).state, FRESH_LOADING);
	store_release(&store);
}

static void fact__has_limit_time_and_use__after_an_answer(void **state)
{
	struct store store = { 0 };
	struct job job = described_job("one", 1000, "InProgress", "Training");
	(void)state;
	store_take_described(&store, &job);
	store_note_quota_asked(&store, P4D, QUOTA_TRAINING);
	uint64_t before = store.version;
	store_take_quota(&store, P4D, QUOTA_TRAINING, 16, true, 5000, 77);
	assert_true(store.version > before);
	struct quota_fact fact = fact_of(&store, P4D, QUOTA_TRAINING);
	assert_true(fact.told);
	assert_true(fact.is_default);
	assert_int_equal(fact.limit, 16);
	assert_int_equal(fact.read_at_ms, 5000);
	assert_int_equal(fact.used, 2);
	assert_int_equal(quota_left(&fact), 14);
	/* Another kind of the same type is another limit. */
	assert_false(fact_of(&store, P4D, QUOTA_SPOT).told);
	assert_int_equal(store_quota_fresh(&store, P4D, QUOTA_TRAINING, 78).state, FRESH_CURRENT);
	assert_int_equal(
		store_quota_fresh(&store, P4D, QUOTA_TRAINING, 78 + FRESH_QUOTAS_OLD_MS).state,
		FRESH_OLD);
	store_release(&store);
}

static void fact__keeps_what_was_told__when_the_next_try_fails(void **state)
{
	struct store store = { 0 };
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_THROTTLED, "Rate exceeded");
	store_take_quota(&store, P4D, QUOTA_TRAINING, 16, false, 5000, 77);
	store_note_quota_failed(&store, P4D, QUOTA_TRAINING, &err, 1077);
	struct quota_fact fact = fact_of(&store, P4D, QUOTA_TRAINING);
	assert_true(fact.told);
	assert_int_equal(fact.limit, 16);
	assert_int_equal(fact.error->code, ERR_THROTTLED);
	struct fresh fresh = store_quota_fresh(&store, P4D, QUOTA_TRAINING, 177);
	assert_int_equal(fresh.state, FRESH_STALE);
	assert_int_equal(fresh.age_ms, 100);
	assert_int_equal(fresh.retry_in_ms, 900);
	store_note_quota_failed(&store, G5, QUOTA_TRAINING, &err, 1077);
	assert_int_equal(store_quota_fresh(&store, G5, QUOTA_TRAINING, 177).state, FRESH_MISSING);
	store_take_quota(&store, P4D, QUOTA_TRAINING, 17, false, 6000, 1100);
	assert_null(fact_of(&store, P4D, QUOTA_TRAINING).error);
	err_clear(&err);
	store_release(&store);
}

static void raise__is_open__until_the_limit_has_it(void **state)
{
	struct store store = { 0 };
	(void)state;
	store_take_quota(&store, P4D, QUOTA_TRAINING, 2, false, 5000, 77);
	store_note_quota_raise(&store, P4D, QUOTA_TRAINING, 8);
	store_note_quota_raise(&store, P4D, QUOTA_TRAINING, 0); /* open already, AWS says */
	store_take_quota(&store, P4D, QUOTA_TRAINING, 2, false, 6000, 88);
	struct quota_fact fact = fact_of(&store, P4D, QUOTA_TRAINING);
	assert_true(fact.raise_open);
	assert_int_equal(fact.raise_to, 8);
	store_take_quota(&store, P4D, QUOTA_TRAINING, 8, false, 7000, 99);
	assert_false(fact_of(&store, P4D, QUOTA_TRAINING).raise_open);
	store_release(&store);
}

/* A list runs into the quota of every entry (case 080). */
static void list__has_a_fact_for_each_entry__in_its_order(void **state)
{
	struct store store = { 0 };
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	(void)state;
	assert_true(prefs_parse(&prefs, "ml.g5.xlarge:1,ml.p4d.24xlarge:2,ml.none:3", 0, &err));
	store_take_quota(&store, P4D, QUOTA_SPOT, 4, false, 5000, 77);
	struct quota_fact *facts = store_list_quotas(&store, &prefs, QUOTA_SPOT);
	assert_string_equal(facts[0].instance_type, G5);
	assert_false(facts[0].told);
	assert_string_equal(facts[1].instance_type, P4D);
	assert_int_equal(facts[1].limit, 4);
	assert_null(facts[2].code);
	free(facts);
	store_release(&store);
}

/* Case 082: what is kept alive needs the quota of warm pools too; spot keeps nothing. */
static void request__has_its_warm_pools_behind__where_it_keeps_any(void **state)
{
	struct store store = { 0 };
	struct preferences prefs = { 0 }, none = { 0 };
	struct err err = { 0 };
	size_t count = 0;
	(void)state;
	assert_true(prefs_parse(&prefs, "ml.g5.xlarge:1,ml.p4d.24xlarge:2", 0, &err));
	store_take_quota(&store, P4D, QUOTA_WARM_POOL, 0, true, 5000, 77);
	struct quota_fact *facts =
		store_request_quotas(&store, &prefs, QUOTA_TRAINING, true, &count);
	assert_int_equal(count, 4);
	assert_int_equal(facts[1].kind, QUOTA_TRAINING);
	assert_string_equal(facts[2].instance_type, G5);
	assert_int_equal(facts[2].kind, QUOTA_WARM_POOL);
	assert_true(facts[3].told);
	assert_int_equal(facts[3].limit, 0);
	free(facts);
	free(store_request_quotas(&store, &prefs, QUOTA_SPOT, true, &count));
	assert_int_equal(count, 2);
	free(store_request_quotas(&store, &none, QUOTA_TRAINING, true, &count));
	assert_int_equal(count, 0);
	store_release(&store);
}

static void store__keeps_no_more_than_its_ceiling(void **state)
{
	struct store store = { 0 };
	char name[32], longer[TYPE_NAME_SIZE + 1];
	(void)state;
	for (int i = 0; i < STORE_QUOTAS_MAX + 5; i++) {
		snprintf(name, sizeof(name), "ml.x%d.large", i);
		store_take_quota(&store, name, QUOTA_TRAINING, i, false, 1, 1);
	}
	assert_int_equal(store.quota_count, STORE_QUOTAS_MAX);
	assert_null(store_find_quota(&store, name, QUOTA_TRAINING));
	store_drop_quotas(&store);
	assert_int_equal(store.quota_count, 0);
	memset(longer, 'x', TYPE_NAME_SIZE);
	longer[TYPE_NAME_SIZE] = '\0';
	store_take_quota(&store, longer, QUOTA_TRAINING, 1, false, 1, 1);
	assert_int_equal(store.quota_count, 0);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fact__tells_nothing__before_anybody_has_asked),
		cmocka_unit_test(fact__has_limit_time_and_use__after_an_answer),
		cmocka_unit_test(fact__keeps_what_was_told__when_the_next_try_fails),
		cmocka_unit_test(raise__is_open__until_the_limit_has_it),
		cmocka_unit_test(list__has_a_fact_for_each_entry__in_its_order),
		cmocka_unit_test(request__has_its_warm_pools_behind__where_it_keeps_any),
		cmocka_unit_test(store__keeps_no_more_than_its_ceiling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/store.h"
#include "tests/jobs.h"

/* a and b have states, a role, a list and tags alike, c other ones. */
static void take_three(struct store *store)
{
	static const char *const names[] = { "a", "b", "c" };
	char team[] = "team", mine[] = "mine", yours[] = "yours";
	for (int i = 0; i < 3; i++) {
		struct job job = described_job(names[i], 1000 + i, "Completed",
					       i < 2 ? "Completed" : "MaxRuntimeExceeded");
		if (i == 2)
			add_entry(&job, "ml.g5.xlarge", 1);
		job.role_arn = mem_copy_text(i < 2 ? "arn:role/x" : "arn:role/y");
		job.tags = tag_list_new(&(struct tag){ team, i < 2 ? mine : yours }, 1);
		add_stretch(&job, "Training", 1, 2);
		store_take_described(store, &job);
	}
}

static void what_jobs_have_alike__is_kept_once(void **state)
{
	struct store store = { 0 };
	(void)state;
	take_three(&store);
	const struct job *a = store_find(&store, "a"), *b = store_find(&store, "b");
	const struct job *c = store_find(&store, "c");
	assert_ptr_equal(a->status, b->status);
	assert_ptr_equal(a->status, c->status);
	assert_ptr_equal(a->status, a->secondary_status);
	assert_ptr_equal(a->role_arn, b->role_arn);
	assert_ptr_equal(a->transitions[0].words, c->transitions[0].words);
	assert_ptr_equal(a->prefs, b->prefs);
	assert_ptr_equal(a->tags, b->tags);
	assert_int_equal(job_prefs(c)->length, 2);
	assert_string_equal(c->tags->items[0].value, "yours");
	assert_string_equal(c->secondary_status, "MaxRuntimeExceeded");
	/* Completed, MaxRuntimeExceeded, why, two roles. */
	assert_int_equal(store.shares.texts.used, 5);
	assert_int_equal(store.shares.words.used, 1);
	assert_int_equal(store.shares.lists.used, 2);
	assert_int_equal(store.shares.tags.used, 2);
	store_release(&store);
}

static void what_jobs_have_alike__stays_with_the_others__when_one_changes_or_goes(void **state)
{
	struct store store = { 0 };
	struct job other = listed_job("a", 1000, "Failed", "Failed"), copy = { 0 };
	(void)state;
	take_three(&store);
	store_take_summary(&store, &other);
	assert_string_equal(store_find(&store, "a")->status, "Failed");
	assert_string_equal(store_find(&store, "b")->status, "Completed");
	job_copy(&copy, store_find(&store, "b"));
	assert_ptr_not_equal(copy.prefs, store_find(&store, "b")->prefs);
	store_forget(&store, "b");
	assert_string_equal(copy.role_arn, "arn:role/x");
	assert_string_equal(store_find(&store, "a")->role_arn, "arn:role/x");
	assert_int_equal(job_prefs(store_find(&store, "a"))->length, 1);
	store_forget(&store, "a");
	store_forget(&store, "c");
	assert_int_equal(store.shares.texts.used, 0);
	assert_int_equal(store.shares.words.used, 0);
	assert_int_equal(store.shares.lists.used, 0);
	assert_int_equal(store.shares.tags.used, 0);
	job_release(&copy);
	store_release(&store);
}

/* A thousand texts come and go in an order of their own, and each is found as long as one has it.
 */
static void shares__are_found__when_many_come_and_go(void **state)
{
	struct store store = { 0 };
	char name[16], message[16];
	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "job-%d", i);
		snprintf(message, sizeof(message), "why-%d", i / 2);
		struct job job = listed_job(name, i, "Failed", "Failed");
		job.failure_reason = mem_copy_text(message);
		store_take_summary(&store, &job);
	}
	assert_int_equal(store.shares.texts.used, 501);
	for (int i = 0; i < 1000; i += 2) {
		snprintf(name, sizeof(name), "job-%d", i * 37 % 1000);
		store_forget(&store, name);
	}
	assert_int_equal(store.count, 500);
	for (size_t i = 0; i < store.count; i++) {
		snprintf(message, sizeof(message), "why-%d",
			 (int)strtol(store.jobs[i]->name + 4, NULL, 10) / 2);
		assert_string_equal(store.jobs[i]->failure_reason, message);
	}
	assert_int_equal(store.shares.texts.used, 501);
	while (store.count > 0)
		store_forget(&store, store.jobs[store.count - 1]->arn);
	assert_int_equal(store.shares.texts.used, 0);
	store_release(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_jobs_have_alike__is_kept_once),
		cmocka_unit_test(
			what_jobs_have_alike__stays_with_the_others__when_one_changes_or_goes),
		cmocka_unit_test(shares__are_found__when_many_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

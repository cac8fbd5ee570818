/* The tags of the job that is looked at, from the wire into the store: decoding, pages, who asks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/sagemaker_tags.h"
#include "aws/tags_feed.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define ARN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-job/" name

/* --- decoding --- */

static bool decode(const char *text, struct tag_page *page)
{
	struct err err = { 0 };
	bool ok = tags_decode_list(text, strlen(text), page, &err);
	assert_int_equal(ok, err.code == ERR_NONE);
	err_clear(&err);
	return ok;
}

static void decode__reads_keys_values_and_token(void **state)
{
	struct tag_page page;
	(void)state;
	assert_true(decode("{\"Tags\":[{\"Key\":\"team\",\"Value\":\"ml\"},{\"Key\":\"e\","
			   "\"Value\":\"\"}],\"NextToken\":\"two\"}",
			   &page));
	assert_int_equal(page.tags.count, 2);
	assert_string_equal(page.tags.items[0].key, "team");
	assert_string_equal(page.tags.items[0].value, "ml");
	assert_string_equal(page.tags.items[1].value, "");
	assert_string_equal(page.next_token, "two");
	tag_page_release(&page);
}

static void decode__leaves_out_strangers__and_refuses_what_is_no_list(void **state)
{
	static const char *const no_lists[] = { "[]",    "null", "\"Tags\"", "{\"Tags\":{}}",
						"{\"Ta", "" };
	struct tag_page page;
	(void)state;
	assert_true(decode("{\"Tags\":[null,7,{\"Key\":null,\"Value\":\"v\"},{\"Key\":\"\"},"
			   "{\"Key\":\"k\",\"Value\":null,\"New\":[1]}],\"NextToken\":null}",
			   &page));
	assert_int_equal(page.tags.count, 1);
	assert_string_equal(page.tags.items[0].key, "k");
	assert_string_equal(page.tags.items[0].value, "");
	assert_null(page.next_token);
	tag_page_release(&page);
	assert_true(decode("{}", &page));
	assert_int_equal(page.tags.count, 0);
	tag_page_release(&page);
	for (size_t i = 0; i < ARRAY_LEN(no_lists); i++)
		assert_false(decode(no_lists[i], &page));
}

static void tags__are_bounded__whatever_comes(void **state)
{
	struct job_tags tags = { 0 };
	(void)state;
	for (int i = 0; i < 3 * TAGS_MAX; i++)
		tags_add(&tags, "k", "v");
	assert_int_equal(tags.count, TAGS_MAX);
	tags_release(&tags);
}

/* --- the feed --- */

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct tags_feed *feed;
	bool deny, endless;
	unsigned changes;
};

/* Two pages: c and a, then b. */
static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct bench *bench = ctx;
	answer->latency_ms = 50;
	assert_string_equal(sent->op, "ListTags");
	if (bench->deny) {
		fake_error(answer, 400, "AccessDeniedException", "not you");
	} else if (bench->endless) {
		answer->body = mem_copy_text("{\"Tags\":[{\"Key\":\"k\",\"Value\":\"v\"}],"
					     "\"NextToken\":\"on\"}");
	} else if (strstr(sent->body, "\"NextToken\":\"two\"")) {
		answer->body = mem_copy_text("{\"Tags\":[{\"Key\":\"b\",\"Value\":\"2\"}]}");
	} else {
		answer->body = mem_copy_text("{\"Tags\":[{\"Key\":\"c\",\"Value\":\"3\"},{\"Key\":"
					     "\"a\",\"Value\":\"1\"}],\"NextToken\":\"two\"}");
	}
}

static void wake_feed(void *target)
{
	tags_feed_wake(((struct bench *)target)->feed);
}

static void note_change(void *ctx)
{
	((struct bench *)ctx)->changes++;
}

static void bench_start(struct bench *bench)
{
	*bench = (struct bench){ 0 };
	bench->world = fake_world_new(serve, bench);
	bench->client = fake_client(bench->world, SERVICE_SAGEMAKER, 1);
	bench->feed = tags_feed_new(&(struct tags_feed_options){
		.client = bench->client,
		.store = &bench->store,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_feed, bench),
		.on_change = note_change,
		.ctx = bench,
	});
}

static void bench_stop(struct bench *bench)
{
	tags_feed_free(bench->feed);
	aws_client_free(bench->client);
	store_release(&bench->store);
	fake_world_free(bench->world);
}

static size_t asked(const struct bench *bench)
{
	return fake_count(bench->world, "ListTags");
}

static void feed__reads_all_pages_of_the_job__that_is_looked_at(void **state)
{
	struct bench bench;
	const struct job_tags *tags = &bench.store.tags;
	(void)state;
	bench_start(&bench);
	fake_run(bench.world, 60000);
	assert_int_equal(asked(&bench), 0);
	tags_feed_want(bench.feed, NULL);
	tags_feed_want(NULL, ARN("j"));
	tags_feed_want(bench.feed, ARN("j"));
	fake_run(bench.world, 5000);
	assert_int_equal(asked(&bench), 2);
	assert_non_null(strstr(fake_nth(bench.world, "ListTags", 0)->body,
			       "\"ResourceArn\":\"" ARN("j") "\""));
	assert_string_equal(tags->arn, ARN("j"));
	assert_true(tags->fresh.loaded && !tags->fresh.failing);
	assert_int_equal(tags->count, 3);
	assert_string_equal(tags->items[0].key, "a"); /* by key, over the pages */
	assert_string_equal(tags->items[1].key, "b");
	assert_string_equal(tags->items[2].value, "3");
	assert_int_equal(bench.changes, 1);
	bench_stop(&bench);
}

static void feed__asks_again_in_minutes__while_looked_at_alone(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	tags_feed_want(bench.feed, ARN("j"));
	fake_run(bench.world, 290000);
	assert_int_equal(asked(&bench), 2);
	fake_run(bench.world, 20000);
	assert_int_equal(asked(&bench), 4);
	tags_feed_want(bench.feed, NULL);
	fake_run(bench.world, 1000000);
	assert_int_equal(asked(&bench), 4);
	assert_int_equal(bench.store.tags.count, 3); /* still known, should it be opened again */
	bench_stop(&bench);
}

static void feed__forgets_the_last_job__when_another_is_looked_at(void **state)
{
	struct bench bench;
	const struct job_tags *tags = &bench.store.tags;
	(void)state;
	bench_start(&bench);
	tags_feed_want(bench.feed, ARN("j"));
	fake_run(bench.world, 20); /* under way: its answer is nobody's */
	tags_feed_want(bench.feed, ARN("k"));
	assert_int_equal(tags->count, 0);
	assert_false(tags->fresh.loaded);
	assert_int_equal(bench.world->cancelled, 1);
	fake_run(bench.world, 5000);
	assert_string_equal(tags->arn, ARN("k"));
	assert_int_equal(tags->count, 3);
	assert_non_null(strstr(fake_nth(bench.world, "ListTags", 1)->body, ARN("k")));
	bench_stop(&bench);
}

static void feed__says_what_is_denied__and_tries_each_minute(void **state)
{
	struct bench bench;
	const struct job_tags *tags = &bench.store.tags;
	(void)state;
	bench_start(&bench);
	bench.deny = true;
	tags_feed_want(bench.feed, ARN("j"));
	fake_run(bench.world, 1000);
	assert_true(tags->fresh.failing && !tags->fresh.loaded);
	assert_int_equal(tags->fresh.error.code, ERR_DENIED);
	assert_string_equal(tags->fresh.error.subject, "ListTags in us-east-1");
	assert_int_equal(tags->fresh.retry_mono_ms,
			 fake_nth(bench.world, "ListTags", 0)->at_ms + 50 + 60000);
	fake_run(bench.world, 58000);
	assert_int_equal(asked(&bench), 1);
	bench.deny = false;
	fake_run(bench.world, 5000);
	assert_int_equal(asked(&bench), 3);
	assert_false(tags->fresh.failing);
	tags_feed_refresh(NULL);
	tags_feed_refresh(bench.feed); /* at once */
	fake_run(bench.world, 3000);
	assert_int_equal(asked(&bench), 5);
	tags_feed_want(bench.feed, NULL);
	tags_feed_refresh(bench.feed); /* nobody looks */
	fake_run(bench.world, 3000);
	assert_int_equal(asked(&bench), 5);
	assert_int_equal(tags->count, 3);
	bench_stop(&bench);
}

static void feed__ends_a_pass__that_never_ends(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.endless = true;
	tags_feed_want(bench.feed, ARN("j"));
	fake_run(bench.world, 60000);
	assert_int_equal(asked(&bench), TAGS_FEED_PAGES_MAX);
	assert_int_equal(bench.store.tags.count, TAGS_FEED_PAGES_MAX);
	tags_feed_want(bench.feed, ARN("k"));
	fake_run(bench.world, 1000);
	bench_stop(&bench); /* in the middle of a pass: the sanitizer counts */
}

static void op__only_reads(void **state)
{
	(void)state;
	assert_false(op_list_tags.changes);
	assert_true(op_list_tags.resend);
	assert_true(op_list_tags.list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode__reads_keys_values_and_token),
		cmocka_unit_test(decode__leaves_out_strangers__and_refuses_what_is_no_list),
		cmocka_unit_test(tags__are_bounded__whatever_comes),
		cmocka_unit_test(feed__reads_all_pages_of_the_job__that_is_looked_at),
		cmocka_unit_test(feed__asks_again_in_minutes__while_looked_at_alone),
		cmocka_unit_test(feed__forgets_the_last_job__when_another_is_looked_at),
		cmocka_unit_test(feed__says_what_is_denied__and_tries_each_minute),
		cmocka_unit_test(feed__ends_a_pass__that_never_ends),
		cmocka_unit_test(op__only_reads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

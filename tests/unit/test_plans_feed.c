/* Training plans from the wire into the store: decoding, pages, pace, and who asks for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/plans_feed.h"
#include "aws/sagemaker_plans.h"
#include "model/base/mem.h"
#include "tests/fakes.h"

#define ARN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-plan/" name

static const char whole[] = "{\"TrainingPlanArn\":\"" ARN(
	"tp-a") "\",\"TrainingPlanName\":\"tp-a\","
		"\"Status\":\"Active\",\"StatusMessage\":\"fine\",\"DurationHours\":168,"
		"\"StartTime\":1.7960472E9,\"EndTime\":1796652000.5,\"UpfrontFee\":\"41872.125\","
		"\"CurrencyCode\":\"USD\",\"TotalInstanceCount\":4,\"AvailableInstanceCount\":3,"
		"\"InUseInstanceCount\":1,\"TargetResources\":[\"training-job\",\"endpoint\"],"
		"\"ReservedCapacitySummaries\":[{\"ReservedCapacityArn\":\"arn:rc\","
		"\"InstanceType\":\"ml.p5.48xlarge\",\"TotalInstanceCount\":4,\"Status\":"
		"\"Active\","
		"\"AvailabilityZone\":\"us-east-1a\",\"StartTime\":1796047200,\"EndTime\":"
		"1796652000}]}";

static struct plan decode(const char *text)
{
	struct plan plan;
	struct err err = { 0 };
	if (!plans_decode_describe(text, strlen(text), &plan, &err))
		fail_msg("%s", err_text(&err));
	return plan;
}

static void decode__reads_every_member(void **state)
{
	struct plan plan = decode(whole);
	(void)state;
	assert_string_equal(plan.name, "tp-a");
	assert_string_equal(plan.arn, ARN("tp-a"));
	assert_string_equal(plan.status, "Active");
	assert_string_equal(plan.status_message, "fine");
	assert_string_equal(plan.instance_type, "ml.p5.48xlarge");
	assert_int_equal(plan.total.n, 4);
	assert_int_equal(plan.available.n, 3);
	assert_int_equal(plan.in_use.n, 1);
	assert_int_equal(plan.start.ms, INT64_C(1796047200000));
	assert_int_equal(plan.end.ms, INT64_C(1796652000500));
	assert_true(plan.fee.set);
	assert_int_equal(plan.fee.micro, INT64_C(41872125000));
	assert_string_equal(plan.currency, "USD");
	assert_true(plan.for_training);
	assert_string_equal(plan.targets, "training-job, endpoint");
	assert_int_equal(plan.window_count, 1);
	assert_int_equal(plan.windows[0].total.n, 4);
	assert_string_equal(plan.windows[0].zone, "us-east-1a");
	assert_string_equal(plan.windows[0].status, "Active");
	plan_release(&plan);
}

static void decode__takes_nulls_and_strangers__as_not_told(void **state)
{
	struct plan plan = decode(
		"{\"TrainingPlanArn\":\"arn:x\",\"TrainingPlanName\":\"x\",\"Status\":"
		"\"Extending\","
		"\"StatusMessage\":null,\"StartTime\":null,\"EndTime\":null,\"UpfrontFee\":null,"
		"\"TotalInstanceCount\":null,\"AvailableInstanceCount\":-1,"
		"\"InUseInstanceCount\":\"2\",\"TargetResources\":[null,\"moon-base\"],"
		"\"ReservedCapacitySummaries\":[null,7,{\"InstanceType\":null,\"StartTime\":null}],"
		"\"SomethingNew\":{\"a\":[1]}}");
	(void)state;
	assert_string_equal(plan.status, "Extending");
	assert_null(plan.status_message);
	assert_false(plan.start.set || plan.end.set || plan.fee.set);
	assert_false(plan.total.set || plan.available.set || plan.in_use.set);
	assert_true(plan.targets_known);
	assert_false(plan.for_training);
	assert_string_equal(plan.targets, "moon-base");
	assert_string_equal(plan.instance_type, "");
	assert_int_equal(plan.window_count, 1);
	assert_false(plan.windows[0].start.set);
	plan_release(&plan);
	plan = decode("{\"TrainingPlanArn\":\"arn:x\",\"TrainingPlanName\":\"x\","
		      "\"Status\":\"Active\",\"TargetResources\":null}");
	assert_false(plan.targets_known);
	assert_null(plan.windows);
	plan_release(&plan);
}

static void decode__reads_fees__or_leaves_them_out(void **state)
{
	static const struct {
		const char *text;
		bool set;
		int64_t micro;
	} rows[] = {
		{ "0", true, 0 },
		{ "12", true, 12000000 },
		{ "12.3456784", true, 12345678 },
		{ "12.3456785", true, 12345679 },
		{ ".5", true, 500000 },
		{ "9223372036854.775807", true, INT64_MAX },
		{ "9223372036855", false, 0 },
		{ "", false, 0 },
		{ ".", false, 0 },
		{ "-1", false, 0 },
		{ "1.2.3", false, 0 },
		{ "1e3", false, 0 },
		{ "41,872.00", false, 0 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[256];
		assert_true(snprintf(text, sizeof(text),
				     "{\"TrainingPlanArn\":\"arn:x\",\"TrainingPlanName\":\"x\","
				     "\"Status\":\"Active\",\"UpfrontFee\":\"%s\"}",
				     rows[i].text) < (int)sizeof(text));
		struct plan plan = decode(text);
		if (plan.fee.set != rows[i].set || (rows[i].set && plan.fee.micro != rows[i].micro))
			fail_msg("fee '%s': %lld", rows[i].text, (long long)plan.fee.micro);
		plan_release(&plan);
	}
}

static void decode__refuses__what_is_no_plan_and_no_list(void **state)
{
	static const char long_name[] =
		"{\"TrainingPlanArn\":\"a\",\"Status\":\"Active\",\"TrainingPlanName\":"
		"\"12345678901234567890123456789012345678901234567890123456789012345\"}";
	const char *const no_plans[] = {
		"{}",
		"[]",
		"null",
		"{\"TrainingPlanName\":\"x\"}",
		"{\"TrainingPlanArn\":\"\",\"TrainingPlanName\":\"x\",\"Status\":\"Active\"}",
		"{\"TrainingPlanArn\":\"a\",\"TrainingPlanName\":\"x\",\"Status\":null}",
		long_name,
	};
	(void)state;
	for (size_t i = 0; i < sizeof(no_plans) / sizeof(no_plans[0]); i++) {
		struct plan plan;
		struct err err = { 0 };
		assert_false(plans_decode_describe(no_plans[i], strlen(no_plans[i]), &plan, &err));
		assert_int_equal(err.code, ERR_PARSE);
		assert_null(plan.arn);
		err_clear(&err);
	}
	struct plan_page page;
	struct err err = { 0 };
	const char *text = "{\"TrainingPlanSummaries\":{}}";
	assert_false(plans_decode_list(text, strlen(text), &page, &err));
	err_clear(&err);
	text = "{\"TrainingPlanSummaries\":null,\"NextToken\":\"\"}";
	assert_true(plans_decode_list(text, strlen(text), &page, &err));
	assert_int_equal(page.count, 0);
	assert_null(page.next_token);
	plan_page_release(&page);
}

/* --- the feed --- */

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct plans_feed *feed;
	unsigned changes;
	const char *deny; /* an operation that is refused, or NULL */
};

/* Two pages of one plan each; tp-b's summary does not tell what it reserves. */
static void serve(void *ctx, const struct fake_sent *request, struct fake_answer *answer)
{
	struct bench *bench = ctx;
	if (bench->deny && strcmp(request->op, bench->deny) == 0) {
		fake_error(answer, 400, "AccessDeniedException", "no");
	} else if (strcmp(request->op, "DescribeTrainingPlan") == 0) {
		assert_string_equal(request->body, "{\"TrainingPlanName\":\"tp-b\"}");
		answer->body = mem_copy_text("{\"TrainingPlanArn\":\"" ARN(
			"tp-b") "\",\"TrainingPlanName\":\"tp-b\","
				"\"Status\":\"Scheduled\",\"ReservedCapacitySummaries\":"
				"[{\"InstanceType\":\"ml.p4d.24xlarge\"}]}");
	} else if (strstr(request->body, "\"NextToken\":\"two\"")) {
		answer->body =
			mem_copy_text("{\"TrainingPlanSummaries\":[{\"TrainingPlanArn\":\"" ARN(
				"tp-b") "\","
					"\"TrainingPlanName\":\"tp-b\",\"Status\":\"Scheduled\"},{}"
					"]}");
	} else {
		struct buf body;
		buf_init(&body, 1u << 20);
		buf_addf(&body, "{\"NextToken\":\"two\",\"TrainingPlanSummaries\":[%s]}", whole);
		answer->body = buf_take(&body);
	}
}

static void wake_feed(void *target)
{
	struct bench *bench = target;
	plans_feed_wake(bench->feed);
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
	bench->feed = plans_feed_new(&(struct plans_feed_options){
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
	plans_feed_free(bench->feed);
	aws_client_free(bench->client);
	store_release(&bench->store);
	fake_world_free(bench->world);
}

static size_t lists(const struct bench *bench)
{
	return fake_count(bench->world, "ListTrainingPlans");
}

static void feed__asks_nothing__until_somebody_looks(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	fake_run(bench.world, 300000);
	assert_int_equal(bench.world->sent_count, 0);
	assert_false(bench.store.sources[SOURCE_PLANS].asked);
	plans_feed_want(NULL, true);
	bench_stop(&bench);
}

static void feed__walks_the_pages__and_describes_what_is_not_told(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 10000);
	assert_int_equal(lists(&bench), 2);
	assert_int_equal(fake_count(bench.world, "DescribeTrainingPlan"), 1);
	/* Paced: the second page a second after the first. */
	assert_true(fake_nth(bench.world, "ListTrainingPlans", 1)->at_ms -
			    fake_nth(bench.world, "ListTrainingPlans", 0)->at_ms >=
		    1000);
	assert_int_equal(bench.store.plan_count, 2);
	assert_string_equal(bench.store.plans[0].name, "tp-a");
	assert_string_equal(store_find_plan(&bench.store, ARN("tp-b"))->instance_type,
			    "ml.p4d.24xlarge");
	assert_true(bench.store.sources[SOURCE_PLANS].loaded);
	assert_int_equal(bench.changes, 1);
	bench_stop(&bench);
}

static void feed__lists_once_a_minute__while_wanted_and_no_longer(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 59000);
	assert_int_equal(lists(&bench), 2);
	fake_run(bench.world, 10000);
	assert_int_equal(lists(&bench), 4);
	plans_feed_want(bench.feed, false);
	fake_run(bench.world, 600000);
	assert_int_equal(lists(&bench), 4);
	/* Looked at again: the list is old, so at once. */
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 3000);
	assert_int_equal(lists(&bench), 6);
	/* Hidden and shown within the minute: nothing. */
	plans_feed_want(bench.feed, false);
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 20000);
	assert_int_equal(lists(&bench), 6);
	bench_stop(&bench);
}

static void feed__keeps_the_last_list__and_says_what_is_denied(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	const struct freshness *source = &bench.store.sources[SOURCE_PLANS];
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 10000);
	bench.deny = "ListTrainingPlans";
	fake_run(bench.world, 60000);
	assert_true(source->failing);
	assert_int_equal(source->error.code, ERR_DENIED);
	assert_int_equal(bench.store.plan_count, 2);
	assert_int_equal(lists(&bench), 3); /* the next try a minute on */
	bench.deny = NULL;
	fake_run(bench.world, 65000);
	assert_false(source->failing);
	bench_stop(&bench);
}

static void feed__asks_at_once__when_refreshed(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	plans_feed_refresh(NULL);
	plans_feed_refresh(bench.feed); /* nobody looks */
	fake_run(bench.world, 10000);
	assert_int_equal(lists(&bench), 0);
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 200);
	plans_feed_refresh(bench.feed); /* one is under way */
	fake_run(bench.world, 10000);
	assert_int_equal(lists(&bench), 2);
	plans_feed_refresh(bench.feed);
	fake_run(bench.world, 3000);
	assert_int_equal(lists(&bench), 4);
	bench_stop(&bench);
}

static void feed__stands_without_the_describe__where_that_is_denied(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	bench.deny = "DescribeTrainingPlan";
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 10000);
	assert_int_equal(bench.store.plan_count, 2);
	assert_string_equal(bench.store.plans[1].instance_type, "");
	assert_false(bench.store.sources[SOURCE_PLANS].failing);
	bench_stop(&bench);
}

static void feed__can_end__in_the_middle_of_a_pass(void **state)
{
	struct bench bench;
	(void)state;
	bench_start(&bench);
	plans_feed_want(bench.feed, true);
	fake_run(bench.world, 200); /* the first page is there, the second is waited for */
	assert_int_equal(bench.store.plan_count, 0);
	bench_stop(&bench); /* the sanitizer counts */
}

static void ops__only_read(void **state)
{
	(void)state;
	for (size_t i = 0; sagemaker_plan_ops[i]; i++) {
		const struct aws_op *op = sagemaker_plan_ops[i];
		assert_false(op->changes);
		assert_true(op->resend);
		assert_true(op->list != op->describe);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode__reads_every_member),
		cmocka_unit_test(decode__takes_nulls_and_strangers__as_not_told),
		cmocka_unit_test(decode__reads_fees__or_leaves_them_out),
		cmocka_unit_test(decode__refuses__what_is_no_plan_and_no_list),
		cmocka_unit_test(feed__asks_nothing__until_somebody_looks),
		cmocka_unit_test(feed__walks_the_pages__and_describes_what_is_not_told),
		cmocka_unit_test(feed__lists_once_a_minute__while_wanted_and_no_longer),
		cmocka_unit_test(feed__keeps_the_last_list__and_says_what_is_denied),
		cmocka_unit_test(feed__asks_at_once__when_refreshed),
		cmocka_unit_test(feed__stands_without_the_describe__where_that_is_denied),
		cmocka_unit_test(feed__can_end__in_the_middle_of_a_pass),
		cmocka_unit_test(ops__only_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

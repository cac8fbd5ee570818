/* The price list from the wire and from its file into the store: pages, age, failure, damage. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "aws/price_cache.h"
#include "aws/prices_feed.h"
#include "aws/pricing.h"
#include "model/base/mem.h"
#include "model/price.h"
#include "tests/fakes.h"
#include "tests/statehome.h"

#define GET    "GetProducts"
#define P4D    "ml.p4d.24xlarge"
#define P5     "ml.p5.48xlarge"
#define M5     "ml.m5.xlarge"
#define DAY_MS INT64_C(86400000)
#define TRIES  200 /* of 10 ms, for the disk's thread */

/* Prices as AWS has them, other than the table's: 30, 60.5 and 0.25 by the hour. */
#define ROW(type, component, usd)                                                          \
	"\"{\\\"product\\\":{\\\"attributes\\\":{\\\"regionCode\\\":\\\"us-east-1\\\","    \
	"\\\"component\\\":\\\"" component "\\\",\\\"instanceName\\\":\\\"" type "\\\"}}," \
	"\\\"terms\\\":{\\\"OnDemand\\\":{\\\"t\\\":{\\\"priceDimensions\\\":{\\\"d\\\":{" \
	"\\\"unit\\\":\\\"Hrs\\\",\\\"pricePerUnit\\\":{\\\"USD\\\":\\\"" usd "\\\"}}}}}}}\""

struct bench {
	struct fake_world *world;
	struct aws_client *client;
	struct store store;
	struct disk *disk;
	struct prices_feed *feed;
	char folder[64], path[128];
	const char *refuses;   /* a code; NULL = it does not */
	bool endless, no_rows; /* the first page over and over; lists without a row */
	unsigned changes;
};

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct bench *bench = ctx;
	bool training = strstr(sent->body, "\"Value\":\"Training\"") != NULL;
	bool second = strstr(sent->body, "\"NextToken\":\"two\"") != NULL;

	answer->latency_ms = 50;
	assert_non_null(strstr(sent->body, "\"ServiceCode\":\"AmazonSageMaker\""));
	assert_non_null(strstr(sent->body, "\"Field\":\"regionCode\",\"Value\":\"us-east-1\""));
	assert_non_null(strstr(sent->body, "\"MaxResults\":100"));
	if (bench->refuses)
		fake_error(answer, 400, bench->refuses, "so it is");
	else if (bench->no_rows)
		answer->body = mem_copy_text("{\"PriceList\":[]}");
	else if (!training)
		answer->body = mem_copy_text("{\"PriceList\":[" ROW(M5, "Processing", "0.25") "]}");
	else if (!second || bench->endless)
		answer->body = mem_copy_text(
			"{\"PriceList\":[" ROW(P5, "Training", "60.5") "],"
								       "\"NextToken\":\"two\"}");
	else
		answer->body = mem_copy_text("{\"PriceList\":[" ROW(P4D, "Training", "30") "]}");
}

static void wake_feed(void *target)
{
	struct bench *bench = target;
	if (bench->feed)
		prices_feed_wake(bench->feed);
}

static void note_change(void *ctx)
{
	((struct bench *)ctx)->changes++;
}

static void start_feed(struct bench *bench)
{
	bench->feed = prices_feed_new(&(struct prices_feed_options){
		.client = bench->client,
		.store = &bench->store,
		.clock = &bench->world->clock,
		.hooks = fake_hooks(bench->world, wake_feed, bench),
		.disk = bench->disk,
		.path = bench->path,
		.gap_ms = PRICES_FEED_GAP_MS,
		.on_change = note_change,
		.ctx = bench,
	});
}

static void start_world(struct bench *bench)
{
	bench->world = fake_world_new(serve, bench);
	bench->client = fake_client(bench->world, SERVICE_PRICING, 1);
	bench->disk = disk_new();
	store_set_region(&bench->store, "us-east-1");
	start_feed(bench);
}

static int start(void **state)
{
	struct bench *bench = mem_new(1, sizeof(*bench));
	snprintf(bench->folder, sizeof(bench->folder), "/tmp/gpuq-prices-XXXXXX");
	assert_non_null(mkdtemp(bench->folder));
	snprintf(bench->path, sizeof(bench->path), "%s/in/prices.json", bench->folder);
	start_world(bench);
	*state = bench;
	return 0;
}

static void end_world(struct bench *bench)
{
	prices_feed_free(bench->feed);
	bench->feed = NULL;
	aws_client_free(bench->client);
	disk_free(bench->disk);
	store_release(&bench->store);
	fake_world_free(bench->world);
}

static int stop(void **state)
{
	struct bench *bench = *state;
	end_world(bench);
	statehome_remove(bench->folder);
	free(bench);
	return 0;
}

/* Until the disk has answered: the file has been read, or there is none. */
static void let_read(struct bench *bench)
{
	struct pollfd fd = { .fd = disk_fd(bench->disk), .events = POLLIN };
	for (int i = 0; i < TRIES && bench->changes == 0; i++) {
		if (poll(&fd, 1, 10) > 0)
			disk_ready(bench->disk);
	}
	assert_true(bench->changes > 0);
	bench->changes = 0;
}

/* The program ends, and is started again some time later with what it has kept. */
static void start_again(struct bench *bench, int64_t after_ms)
{
	end_world(bench);
	bench->changes = 0;
	bench->store = (struct store){ 0 };
	start_world(bench);
	bench->world->mono_ms += after_ms;
	bench->world->wall_ms += after_ms;
	let_read(bench);
}

static struct price training(const struct bench *bench, const char *type)
{
	return price_find(&bench->store.prices, JOB_TRAINING, type);
}

static void write_file(const struct bench *bench, const char *text)
{
	FILE *file = fopen(bench->path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void feed__reads_all_pages__and_the_list_decides_alone(void **state)
{
	struct bench *bench = *state;
	let_read(bench);
	assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
	assert_false(prices_feed_is_settled(bench->feed));
	fake_run(bench->world, 10000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(fake_count(bench->world, GET), 3);
	struct price price = training(bench, P4D);
	assert_int_equal(price.source, PRICE_LIST);
	assert_int_equal(price.per_hour_micro, 30000000);
	assert_string_equal(price.date, "2026-11-30");
	assert_string_equal(price.currency, "USD");
	assert_int_equal(training(bench, P5).per_hour_micro, 60500000);
	/* The table has a price for it, but AWS does not sell it here by the hour. */
	assert_int_equal(training(bench, M5).source, PRICE_NONE);
	assert_int_equal(price_find(&bench->store.prices, JOB_PROCESSING, M5).per_hour_micro,
			 250000);
	fake_run(bench->world, DAY_MS - 60000);
	assert_int_equal(fake_count(bench->world, GET), 3);
	fake_run(bench->world, 120000);
	assert_int_equal(fake_count(bench->world, GET), 6);
}

static void feed__asks_nothing__while_the_file_is_young(void **state)
{
	struct bench *bench = *state;
	struct stat status;
	let_read(bench);
	fake_run(bench->world, 10000);
	start_again(bench, 0);
	assert_int_equal(stat(bench->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_true(prices_feed_is_settled(bench->feed));
	fake_run(bench->world, 600000);
	assert_int_equal(fake_count(bench->world, GET), 0);
	assert_int_equal(training(bench, P5).per_hour_micro, 60500000);
	assert_int_equal(training(bench, P5).source, PRICE_LIST);
	assert_int_equal(training(bench, M5).source, PRICE_NONE);
}

/* Then it holds until another has come, and longer where none comes: it says its date. */
static void feed__asks_again__when_the_file_is_a_day_old(void **state)
{
	struct bench *bench = *state;
	let_read(bench);
	fake_run(bench->world, 10000);
	start_again(bench, DAY_MS + 20000);
	assert_int_equal(training(bench, P4D).source, PRICE_LIST);
	assert_false(prices_feed_is_settled(bench->feed));
	bench->refuses = "ThrottlingException";
	fake_run(bench->world, 200000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).per_hour_micro, 30000000);
	assert_string_equal(training(bench, P4D).date, "2026-11-30");
	assert_int_equal(store_prices_fresh(&bench->store, JOB_TRAINING,
					    clock_mono_ms(&bench->world->clock))
				 .state,
			 FRESH_STALE);
	bench->refuses = NULL;
	fake_run(bench->world, 400000);
	assert_string_equal(training(bench, P4D).date, "2026-12-01");
}

static void feed__reads_AWS__when_the_file_is_damaged(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{\"version\":1,\"region\":\"eu-west-1\",\"lists\":{}}",
		("{\"version\":1,\"region\":\"us-east-1\",\"lists\":{\"training\":{\"read_at_ms\":"
		 "1,"
		 "\"rows\":[[\"" P4D "\",0,\"USD\"]]}}}"),
		("{\"version\":1,\"region\":\"us-east-1\",\"lists\":{\"training\":{\"read_at_ms\":"
		 "99999999999999,\"rows\":[]}}}"),
		"{\"version\":2,\"region\":\"us-east-1\",\"lists\":{}}",
	};
	struct bench *bench = *state;
	let_read(bench);
	fake_run(bench->world, 10000);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		end_world(bench);
		write_file(bench, texts[i]);
		bench->changes = 0;
		bench->store = (struct store){ 0 };
		start_world(bench);
		let_read(bench);
		assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
		fake_run(bench->world, 10000);
		assert_int_equal(training(bench, P4D).per_hour_micro, 30000000);
	}
}

static void feed__keeps_to_the_table__and_says_why_when_it_is_denied(void **state)
{
	struct bench *bench = *state;
	bench->refuses = "AccessDeniedException";
	let_read(bench);
	fake_run(bench->world, DAY_MS);
	assert_int_equal(fake_count(bench->world, GET), 1);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
	struct fresh fresh = store_prices_fresh(&bench->store, JOB_PROCESSING, 0);
	assert_int_equal(fresh.state, FRESH_MISSING);
	assert_int_equal(fresh.error->code, ERR_DENIED);
	/* Once it may be, it is asked anew. */
	bench->refuses = NULL;
	prices_feed_refresh(bench->feed);
	fake_run(bench->world, 10000);
	assert_int_equal(training(bench, P4D).source, PRICE_LIST);
}

static void feed__believes_no_list__that_has_no_end(void **state)
{
	struct bench *bench = *state;
	bench->endless = true;
	let_read(bench);
	fake_run(bench->world, 60000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(fake_count(bench->world, GET), 2);
	assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
	assert_int_equal(bench->store.prices.lists[JOB_TRAINING].fresh.error.code, ERR_PARSE);
}

static void feed__says_that_there_is_no_price__in_a_region_without(void **state)
{
	struct bench *bench = *state;
	bench->no_rows = true;
	let_read(bench);
	fake_run(bench->world, 10000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).source, PRICE_NONE);
}

/* Of two rows of one type that differ neither is taken; of two that agree one is. */
static void book__has_no_price__where_rows_differ(void **state)
{
	static const struct listed_price rows[] = {
		{ P5, 2000000, "USD" },  { P4D, 1000000, "USD" }, { P5, 1000000, "USD" },
		{ P4D, 1000000, "USD" }, { M5, 1000000, "USD" },  { M5, 1000000, "CNY" },
	};
	struct price_book book = { .region = "us-east-1" };
	struct listed_price *copy = mem_new(ARRAY_LEN(rows), sizeof(*copy));
	(void)state;
	memcpy(copy, rows, sizeof(rows));
	price_book_take(&book, JOB_TRAINING, copy, ARRAY_LEN(rows), 0);
	assert_int_equal(book.lists[JOB_TRAINING].count, 1);
	assert_non_null(price_book_find(&book, JOB_TRAINING, P4D));
	assert_null(price_book_find(&book, JOB_TRAINING, P5));
	assert_null(price_book_find(&book, JOB_PROCESSING, P4D));
	assert_string_equal(book.lists[JOB_TRAINING].date, "1970-01-01");
	price_book_set_region(&book, "eu-west-1");
	assert_null(price_book_find(&book, JOB_TRAINING, P4D));
	price_book_release(&book);
}

int main(void)
{
#define FEED_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		FEED_TEST(feed__reads_all_pages__and_the_list_decides_alone),
		FEED_TEST(feed__asks_nothing__while_the_file_is_young),
		FEED_TEST(feed__asks_again__when_the_file_is_a_day_old),
		FEED_TEST(feed__reads_AWS__when_the_file_is_damaged),
		FEED_TEST(feed__keeps_to_the_table__and_says_why_when_it_is_denied),
		FEED_TEST(feed__believes_no_list__that_has_no_end),
		FEED_TEST(feed__says_that_there_is_no_price__in_a_region_without),
		cmocka_unit_test(book__has_no_price__where_rows_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The price list from the wire and from its file into the store: pages, age, failure, damage. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

static void note_stat(void *ctx, const struct disk_result *result)
{
	(void)result;
	*(bool *)ctx = true;
}

/* Until the disk has done all that was asked of it so far. */
static void let_write(struct bench *bench)
{
	struct pollfd fd = { .fd = disk_fd(bench->disk), .events = POLLIN };
	bool done = false;
	disk_stat(bench->disk, bench->folder, note_stat, &done);
	for (int i = 0; i < TRIES && !done; i++) {
		if (poll(&fd, 1, 10) > 0)
			disk_ready(bench->disk);
	}
	assert_true(done);
}

static void pass(struct bench *bench, int64_t ms)
{
	int64_t step_ms = ms > 40000 ? ms / 400 : 100;
	for (int64_t gone_ms = 0; gone_ms < ms; gone_ms += step_ms) {
		fake_run(bench->world, step_ms);
		let_write(bench);
	}
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
	pass(bench, 10000);
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
	pass(bench, DAY_MS - 60000);
	assert_int_equal(fake_count(bench->world, GET), 3);
	pass(bench, 120000);
	assert_int_equal(fake_count(bench->world, GET), 6);
}

static void feed__asks_nothing__while_the_file_is_young(void **state)
{
	struct bench *bench = *state;
	struct stat status;
	let_read(bench);
	pass(bench, 10000);
	start_again(bench, 0);
	assert_int_equal(stat(bench->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_true(prices_feed_is_settled(bench->feed));
	pass(bench, 600000);
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
	pass(bench, 10000);
	start_again(bench, DAY_MS + 20000);
	assert_int_equal(training(bench, P4D).source, PRICE_LIST);
	assert_false(prices_feed_is_settled(bench->feed));
	bench->refuses = "ThrottlingException";
	pass(bench, 200000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).per_hour_micro, 30000000);
	assert_string_equal(training(bench, P4D).date, "2026-11-30");
	assert_int_equal(store_prices_fresh(&bench->store, JOB_TRAINING,
					    clock_mono_ms(&bench->world->clock))
				 .state,
			 FRESH_STALE);
	bench->refuses = NULL;
	pass(bench, 400000);
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
	pass(bench, 10000);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		end_world(bench);
		write_file(bench, texts[i]);
		bench->changes = 0;
		bench->store = (struct store){ 0 };
		start_world(bench);
		let_read(bench);
		assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
		pass(bench, 10000);
		assert_int_equal(training(bench, P4D).per_hour_micro, 30000000);
	}
}

static void feed__keeps_to_the_table__and_says_why_when_it_is_denied(void **state)
{
	struct bench *bench = *state;
	bench->refuses = "AccessDeniedException";
	let_read(bench);
	pass(bench, DAY_MS);
	assert_int_equal(fake_count(bench->world, GET), 1);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
	struct fresh fresh = store_prices_fresh(&bench->store, JOB_PROCESSING, 0);
	assert_int_equal(fresh.state, FRESH_MISSING);
	assert_int_equal(fresh.error->code, ERR_DENIED);
	/* Once it may be, it is asked anew. */
	bench->refuses = NULL;
	prices_feed_refresh(bench->feed);
	pass(bench, 10000);
	assert_int_equal(training(bench, P4D).source, PRICE_LIST);
}

static void feed__believes_no_list__that_has_no_end(void **state)
{
	struct bench *bench = *state;
	bench->endless = true;
	let_read(bench);
	pass(bench, 60000);
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
	pass(bench, 10000);
	assert_true(prices_feed_is_settled(bench->feed));
	assert_int_equal(training(bench, P4D).source, PRICE_NONE);
}

/* Of two rows of one type that differ neither is taken; of two that agree one is. */
static int age_mark(const char *mark, int seconds)
{
	struct timespec times[2] = { { 0 } };
	if (clock_gettime(CLOCK_REALTIME, &times[0]) != 0)
		return -1;
	times[0].tv_sec -= seconds;
	times[1] = times[0];
	return utimensat(AT_FDCWD, mark, times, 0);
}

/* One program reads it and the others take its file; a mark of one that died holds for 15 s. */
static void feed__waits_for_the_file__of_a_program_that_is_at_it(void **state)
{
	struct bench *bench = *state;
	char mark[160], away[160];
	struct stat status;
	snprintf(mark, sizeof(mark), "%s.asking", bench->path);
	snprintf(away, sizeof(away), "%s.away", bench->path);
	let_read(bench);
	pass(bench, 10000);
	assert_int_not_equal(stat(mark, &status), 0);
	assert_int_equal(rename(bench->path, away), 0);
	int fd = open(mark, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	start_again(bench, 0);
	pass(bench, 5000);
	assert_int_equal(fake_count(bench->world, GET), 0);
	assert_int_equal(training(bench, P4D).source, PRICE_TABLE);
	assert_int_equal(rename(away, bench->path), 0);
	pass(bench, 2000);
	assert_int_equal(fake_count(bench->world, GET), 0);
	assert_int_equal(training(bench, P4D).source, PRICE_LIST);
	assert_int_equal(unlink(bench->path), 0);
	start_again(bench, 0);
	assert_int_equal(age_mark(mark, 14), 0);
	pass(bench, 300);
	assert_int_equal(fake_count(bench->world, GET), 0);
	assert_int_equal(age_mark(mark, 16), 0);
	pass(bench, 10000);
	assert_int_equal(fake_count(bench->world, GET), 3);
	assert_int_not_equal(stat(mark, &status), 0);
}

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
		FEED_TEST(feed__waits_for_the_file__of_a_program_that_is_at_it),
		cmocka_unit_test(book__has_no_price__where_rows_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Rows of the price list: which of them a job is billed by, and what is made of a whole page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/amount.h"
#include "aws/json.h"
#include "aws/pricing.h"
#include "model/base/attr.h"
#include "model/base/text.h"
#include "tests/shared.h"

#define REGION   "us-east-1"
#define TEXT_MAX (1u << 20)

#define ATTRIBUTES(name, component)                                                           \
	"\"servicecode\":\"AmazonSageMaker\",\"regionCode\":\"us-east-1\",\"instanceName\":"  \
	"\"" name "\",\"instanceType\":\"" name "-" component "\",\"component\":\"" component \
	"\",\"platoinstancetype\":\"" component "\",\"operation\":\"RunInstance\""
#define DIMENSION(unit, prices) \
	"{\"unit\":\"" unit     \
	"\",\"beginRange\":\"0\",\"endRange\":\"Inf\",\"pricePerUnit\":{" prices "}}"
#define TERM(date, dimensions) \
	"{\"effectiveDate\":\"" date "\",\"priceDimensions\":{" dimensions "}}"
#define AT(usd) TERM("2026-08-01T00:00:00Z", "\"d\":" DIMENSION("Hrs", "\"USD\":\"" usd "\""))
#define ROW(family, attributes, terms)                                                         \
	"{\"product\":{\"productFamily\":\"" family "\",\"attributes\":{" attributes           \
	"},\"sku\":\"S\"},\"serviceCode\":\"AmazonSageMaker\",\"terms\":{\"OnDemand\":{" terms \
	"}}}"
#define ML(attributes, terms) ROW("ML Instance", attributes, terms)
#define TRAIN                 ATTRIBUTES("ml.p4d.24xlarge", "Training")
#define PROCESSING            ATTRIBUTES("ml.m5.xlarge", "Processing")
#define USAGE(text)           ",\"usagetype\":\"" text "\""

/* A page of these rows, and what else stands beside them. */
static struct buf page_of(const char *const *rows, size_t count, const char *rest)
{
	struct buf body;
	buf_init(&body, TEXT_MAX);
	buf_add_text(&body, "{\"FormatVersion\":\"aws_v1\",\"PriceList\":[");
	for (size_t i = 0; i < count; i++) {
		buf_add_text(&body, i > 0 ? "," : "");
		text_add_json(&body, rows[i]);
	}
	buf_addf(&body, "]%s}", rest);
	return body;
}

static bool decode(const struct buf *body, enum job_kind kind, struct price_page *page)
{
	struct err err = { 0 };
	bool ok = pricing_decode_page(buf_text(body), body->len, REGION, kind, page, &err);
	assert_int_equal(ok, err.code == ERR_NONE);
	err_clear(&err);
	return ok;
}

/* The price of the only row; 0 where it is none that a job is billed by. */
static int64_t price_of(const char *row, enum job_kind kind)
{
	struct price_page page;
	struct buf body = page_of(&row, 1, "");
	assert_true(decode(&body, kind, &page));
	int64_t micro = page.count == 1 ? page.rows[0].per_hour_micro : 0;
	price_page_release(&page);
	buf_release(&body);
	return micro;
}

static void amount__is_read_to_the_nearest_millionth(void **state)
{
	static const struct {
		const char *text;
		bool set;
		int64_t micro;
	} rows[] = {
		{ "1.5150000000", true, 1515000 },
		{ "25.251", true, 25251000 },
		{ "0", true, 0 },
		{ "7", true, 7000000 },
		{ "0.0000004", true, 0 },
		{ "0.0000005", true, 1 },
		{ "0.99999949", true, 999999 },
		{ "9223372036854.775807", true, INT64_MAX },
		{ "9223372036854.7758075", false, 0 },
		{ "9223372036855", false, 0 },
		{ "", false, 0 },
		{ ".", false, 0 },
		{ "-1", false, 0 },
		{ "1e3", false, 0 },
		{ "1,000", false, 0 },
		{ "1.2.3", false, 0 },
		{ NULL, false, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct money money = amount_read(rows[i].text);
		assert_int_equal(money.set, rows[i].set);
		if (money.set)
			assert_int_equal(money.micro, rows[i].micro);
	}
}

static void row__is_a_price__by_the_hour_of_the_component(void **state)
{
	(void)state;
	assert_int_equal(price_of(ML(TRAIN USAGE("USE1-Train:ml.p4d.24xlarge"),
				     "\"t\":" AT("25.2510000000")),
				  JOB_TRAINING),
			 25251000);
	assert_int_equal(price_of(ML(PROCESSING USAGE("USE1-Processing:ml.m5.xlarge"),
				     "\"t\":" AT("0.2300000000")),
				  JOB_PROCESSING),
			 230000);
	/* What is not told is no reason against it; the suffix has been seen in either case. */
	assert_int_equal(price_of(ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\","
				     "\"instanceName\":\"ml.m5.large\",\"instanceType\":"
				     "\"ml.m5.large-training\"",
				     "\"t\":" AT("0.115")),
				  JOB_TRAINING),
			 115000);
	assert_int_equal(price_of(ML(TRAIN USAGE("Train:ml.p4d.24xlarge"), "\"t\":" AT("1")),
				  JOB_TRAINING),
			 1000000);
	/* Of another kind of job it is none. */
	assert_int_equal(price_of(ML(TRAIN, "\"t\":" AT("1")), JOB_PROCESSING), 0);
}

/* Each of these has been seen, or stands in the notes as a thing to skip. */
static void row__is_no_price__for_a_trap(void **state)
{
	static const char *const traps[] = {
		/* the fee of a plan: no component, another unit */
		ML("\"regionCode\":\"us-east-1\",\"instanceName\":\"ml.p4d.24xlarge\"" USAGE(
			   "USE1-TrainingPlanUpfrontFee:ml.p4d.24xlarge"),
		   "\"t\":" TERM("2026-08-01T00:00:00Z",
				 "\"d\":" DIMENSION("Quantity", "\"USD\":\"13.5700000000\""))),
		ML(TRAIN USAGE("USE1-TrainingPlanUpfrontFee:ml.p4d.24xlarge"),
		   "\"t\":" AT("13.57")),
		/* HyperPod, by each of its marks */
		ML(ATTRIBUTES("ml.p4d.24xlarge", "Cluster"), "\"t\":" AT("25.91")),
		ML(TRAIN USAGE("USE1-Cluster:ml.p4d.24xlarge"), "\"t\":" AT("25.91")),
		ML(TRAIN USAGE("USE1-ReservedCluster:ml.p4d.24xlarge"), "\"t\":" AT("25.91")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\",\"instanceName\":"
		   "\"ml.p4d.24xlarge\",\"instanceType\":\"ml.p4d.24xlarge-Cluster\"",
		   "\"t\":" AT("25.91")),
		/* spot has no list price; free hours are no price */
		ML(TRAIN USAGE("USE1-TrSpt:ml.p4d.24xlarge"), "\"t\":" AT("9")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\",\"instanceName\":"
		   "\"ml.p4d.24xlarge\",\"platoinstancetype\":\"SpotTraining\"",
		   "\"t\":" AT("9")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\",\"instanceName\":"
		   "\"ml.p4d.24xlarge\",\"platoinstancetype\":\"Training-Free\"",
		   "\"t\":" AT("9")),
		ML(TRAIN, "\"t\":" AT("0.0000000000")),
		/* units, steps, currencies and amounts that are none */
		ML(TRAIN, "\"t\":" TERM("2026-08-01T00:00:00Z",
					"\"d\":" DIMENSION("Seconds", "\"USD\":\"1\""))),
		ML(TRAIN, "\"t\":" TERM("2026-08-01T00:00:00Z",
					"\"d\":" DIMENSION("Hrs", "\"EUR\":\"1\""))),
		ML(TRAIN,
		   "\"t\":" TERM("2026-08-01T00:00:00Z",
				 "\"d\":" DIMENSION("Hrs", "\"USD\":\"1\"") ",\"e\":" DIMENSION(
					 "Hrs", "\"USD\":\"2\""))),
		ML(TRAIN, "\"t\":{\"priceDimensions\":{\"d\":{\"unit\":\"Hrs\",\"beginRange\":"
			  "\"100\",\"endRange\":\"Inf\",\"pricePerUnit\":{\"USD\":\"1\"}}}}"),
		ML(TRAIN, "\"t\":" AT("-1")),
		ML(TRAIN, "\"t\":" AT("1000000")),
		ML(TRAIN, ""),
		/* other products, operations, regions and names */
		ROW("ML Serverless", TRAIN, "\"t\":" AT("1")),
		ML("\"regionCode\":\"us-east-2\",\"component\":\"Training\",\"instanceName\":"
		   "\"ml.p4d.24xlarge\"",
		   "\"t\":" AT("1")),
		ML("\"component\":\"Training\",\"instanceName\":\"ml.p4d.24xlarge\"",
		   "\"t\":" AT("1")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\",\"instanceName\":"
		   "\"p4d.24xlarge\"",
		   "\"t\":" AT("1")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"ServerlessTraining:FineTuning\","
		   "\"instanceName\":\"ml.p4d.24xlarge\"",
		   "\"t\":" AT("1")),
		ML("\"regionCode\":\"us-east-1\",\"component\":\"Training\",\"instanceName\":"
		   "\"ml.p4d.24xlarge\",\"operation\":\"Reserve\"",
		   "\"t\":" AT("1")),
		"{}",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(traps); i++) {
		if (price_of(traps[i], JOB_TRAINING) != 0)
			fail_msg("taken: %s", traps[i]);
	}
}

static void row__has_the_newest_term__and_yuan_in_China(void **state)
{
	(void)state;
	assert_int_equal(
		price_of(ML(TRAIN,
			    "\"a\":" TERM("2025-06-01T00:00:00Z",
					  "\"d\":" DIMENSION(
						  "Hrs", "\"USD\":\"37.688\"")) ","
										"\"b\":" AT(
											"25.251")),
			 JOB_TRAINING),
		25251000);
	const char *row = ML(TRAIN, "\"t\":" TERM("2026-08-01T00:00:00Z",
						  "\"d\":" DIMENSION("Hrs", "\"CNY\":\"12.5\"")));
	struct price_page page;
	struct buf body = page_of(&row, 1, "");
	assert_true(decode(&body, JOB_TRAINING, &page));
	assert_int_equal(page.count, 1);
	assert_string_equal(page.rows[0].currency, "CNY");
	assert_int_equal(page.rows[0].per_hour_micro, 12500000);
	price_page_release(&page);
	buf_release(&body);
}

static void page__has_its_rows_and_token__or_is_none(void **state)
{
	static const char *const rows[] = { ML(TRAIN, "\"t\":" AT("25.251")),
					    ML(PROCESSING, "\"t\":" AT("0.23")) };
	static const char *const broken[] = { "{\"product\":", "[]", "7", "" };
	static const char *const bodies[] = {
		"{}", "{\"PriceList\":{}}", "{\"PriceList\":[7]}", "[]", "not JSON",
	};
	struct price_page page;
	(void)state;
	struct buf body = page_of(rows, 2, ",\"NextToken\":\"t1\"");
	assert_true(decode(&body, JOB_TRAINING, &page));
	assert_int_equal(page.count, 1);
	assert_string_equal(page.rows[0].instance_type, "ml.p4d.24xlarge");
	assert_string_equal(page.next_token, "t1");
	price_page_release(&page);
	buf_release(&body);
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		const char *const both[] = { rows[0], broken[i] };
		body = page_of(both, 2, "");
		assert_false(decode(&body, JOB_TRAINING, &page));
		assert_null(page.rows);
		buf_release(&body);
	}
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		buf_init(&body, TEXT_MAX);
		buf_add_text(&body, bodies[i]);
		assert_false(decode(&body, JOB_TRAINING, &page));
		buf_release(&body);
	}
}

/* The published example, as the string that the service sends: 0.115 a ml.m5.large hour. */
static void example__is_read__as_it_was_published(void **state)
{
	(void)state;
	size_t len;
	char *text = shared_read("data/pricelist_example.json", &len);
	if (!text) {
		return;
	}
	struct err err = { 0 };
	struct json_value *doc = json_parse(text, len, &err);
	const char *item = json_text(json_object(doc, "constructed_sagemaker_training"),
				     "PriceList_item_as_string");
	assert_non_null(item);
	assert_int_equal(price_of(item, JOB_TRAINING), 115000);
	assert_int_equal(price_of(item, JOB_PROCESSING), 0);
	json_free(doc);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amount__is_read_to_the_nearest_millionth),
		cmocka_unit_test(row__is_a_price__by_the_hour_of_the_component),
		cmocka_unit_test(row__is_no_price__for_a_trap),
		cmocka_unit_test(row__has_the_newest_term__and_yuan_in_China),
		cmocka_unit_test(page__has_its_rows_and_token__or_is_none),
		cmocka_unit_test(example__is_read__as_it_was_published),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The region's price list: filters, pages and tokens, traps, other regions, changes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "tests/simworld.h"

#define GET     "AWSPriceListService.GetProducts"
#define SERVICE "\"ServiceCode\":\"AmazonSageMaker\""
#define FILTER(field, value) \
	"{\"Type\":\"TERM_MATCH\",\"Field\":\"" field "\",\"Value\":\"" value "\"}"
#define TRAINING                                                                           \
	SERVICE ",\"Filters\":[" FILTER("regionCode", "us-east-1") "," FILTER("component", \
									      "Training") "]"
/* As a row says it inside its string. */
#define SAYS(name, value) "\\\"" name "\\\":\\\"" value "\\\""

static void has(const struct simregion *sim, const char *text, bool wanted)
{
	if ((strstr(simregion_body(sim), text) != NULL) != wanted)
		fail_msg("%s%s in %.2000s", wanted ? "no " : "", text, simregion_body(sim));
}

static void ask(struct simregion *sim, const char *body)
{
	if (simregion_call(sim, GET, body) != 200)
		fail_msg("%s: %s", body, simregion_body(sim));
}

static size_t rows_of(const struct simregion *sim)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	const char *body = simregion_body(sim);
	assert_true(json_doc_parse(&doc, body, strlen(body), &err));
	size_t count = json_doc_length(&doc, json_doc_path(&doc, "PriceList"));
	json_doc_release(&doc);
	return count;
}

static void list__has_the_row_of_a_type__as_AWS_writes_it(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	ask(sim, "{" SERVICE ",\"Filters\":[" FILTER("instanceName", "ml.p5.48xlarge") "," FILTER(
			 "component", "Training") "," FILTER("regionCode", "us-east-1") "]}");
	assert_int_equal(rows_of(sim), 1);
	has(sim, SAYS("usagetype", "USE1-Train:ml.p5.48xlarge"), true);
	has(sim, SAYS("instanceType", "ml.p5.48xlarge-Training"), true);
	has(sim, SAYS("USD", "63.2960000000"), true); /* prices.tsv */
	has(sim, SAYS("unit", "Hrs"), true);
	has(sim, "NextToken", false);
	simregion_free(sim);
}

static void list__comes_in_pages__each_row_once(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	char body[1024], token[128], *at;
	size_t rows = 0, pages = 0;
	(void)state;
	snprintf(body, sizeof(body), "{" TRAINING ",\"MaxResults\":50}");
	for (at = body; at; pages++) {
		ask(sim, body);
		assert_true(rows_of(sim) <= 50);
		rows += rows_of(sim);
		at = strstr(simregion_body(sim), "\"NextToken\":\"");
		if (!at)
			break;
		snprintf(token, sizeof(token), "%.*s", (int)strcspn(at + 13, "\""), at + 13);
		snprintf(body, sizeof(body),
			 "{" TRAINING ",\"MaxResults\":50,\"NextToken\":\"%s\"}", token);
	}
	ask(sim, "{" TRAINING ",\"MaxResults\":100}");
	assert_int_equal(rows_of(sim), 100);
	assert_int_equal(pages + 1, (rows + 49) / 50);
	assert_in_range(rows, 150, 210); /* 192 types of the enum, less those without a price */
	simregion_refuses(sim, GET, "{" TRAINING ",\"NextToken\":\"nonsense\"}",
			  "InvalidNextTokenException", "");
	simregion_free(sim);
}

static void list__holds_the_traps__that_are_not_filtered(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	ask(sim, "{" SERVICE ",\"Filters\":[" FILTER("instanceName", "ml.p4d.24xlarge") "," FILTER(
			 "regionCode", "us-east-1") "]}");
	has(sim, "TrainingPlanUpfrontFee:ml.p4d.24xlarge", true);
	has(sim, SAYS("unit", "Quantity"), true);
	has(sim, SAYS("platoinstancetype", "Cluster"), true);
	has(sim, "USE1-TrSpt:ml.p4d.24xlarge", true);
	has(sim, SAYS("USD", "0.0000000000"), true);
	has(sim, SAYS("component", "Hosting"), true);
	ask(sim, "{" TRAINING "}");
	has(sim, "TrainingPlanUpfrontFee", false); /* it has no component */
	has(sim, SAYS("component", "Hosting"), false);
	simregion_free(sim);
}

static void list__knows_regions__and_all_kinds_of_filters(void **state)
{
	static const struct {
		const char *filter;
		bool some;
	} rows[] = {
		{ FILTER("regionCode", "eu-west-1"), true },
		{ FILTER("regionCode", "sa-east-1"), false },
		{ FILTER("productFamily", "ML Instance"), true },
		{ FILTER("productFamily", "ML Serverless"), false },
		{ FILTER("noSuchField", "x"), false },
		{ "{\"Type\":\"CONTAINS\",\"Field\":\"usagetype\",\"Value\":\"Upfront\"}", true },
		{ "{\"Type\":\"ANY_OF\",\"Field\":\"instanceName\",\"Value\":\"a,ml.m5.xlarge\"}",
		  true },
		{ "{\"Type\":\"NONE_OF\",\"Field\":\"servicecode\",\"Value\":\"AmazonSageMaker\"}",
		  false },
	};
	struct simregion *sim = simregion_new(NULL);
	char body[512];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		snprintf(body, sizeof(body), "{" SERVICE ",\"Filters\":[%s]}", rows[i].filter);
		ask(sim, body);
		if ((rows_of(sim) > 0) != rows[i].some)
			fail_msg("%s: %zu rows", rows[i].filter, rows_of(sim));
	}
	simregion_free(sim);
}

static void list__refuses__what_the_service_refuses(void **state)
{
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	simregion_refuses(sim, GET, "{}", "ValidationException", "serviceCode");
	simregion_refuses(sim, GET, "{\"ServiceCode\":\"AmazonEC3\"}", "InvalidParameterException",
			  "service code");
	simregion_refuses(sim, GET, "{" SERVICE ",\"FormatVersion\":\"aws_v2\"}",
			  "InvalidParameterException", "aws_v1");
	simregion_refuses(sim, GET, "{" SERVICE ",\"MaxResults\":101}", "ValidationException",
			  "100");
	simregion_refuses(sim, GET,
			  "{" SERVICE ",\"Filters\":[{\"Type\":\"LIKE\",\"Field\":\"a\","
			  "\"Value\":\"b\"}]}",
			  "ValidationException", "TERM_MATCH");
	simregion_free(sim);
}

static void price__is_another__once_a_test_says_so(void **state)
{
	static const char query[] =
		"{" SERVICE ",\"Filters\":[" FILTER("instanceName", "ml.g5.xlarge") "," FILTER(
			"component", "Training") "," FILTER("regionCode", "us-east-1") "]}";
	struct simregion *sim = simregion_new(NULL);
	(void)state;
	assert_int_equal(simregion_control(sim, "/_sim/price",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"kind\":"
					   "\"training\",\"usd\":\"9.5000000000\"}"),
			 200);
	ask(sim, query);
	has(sim, SAYS("USD", "9.5000000000"), true);
	assert_int_equal(simregion_control(sim, "/_sim/price",
					   "{\"instance_type\":\"ml.g5.xlarge\",\"usd\":null}"),
			 200);
	ask(sim, query);
	assert_int_equal(rows_of(sim), 0);
	assert_int_equal(simregion_control(sim, "/_sim/price", "{\"usd\":\"1\"}"), 400);
	assert_int_equal(
		simregion_control(sim, "/_sim/price",
				  "{\"instance_type\":\"a\",\"kind\":\"x\",\"usd\":\"1\"}"),
		400);
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list__has_the_row_of_a_type__as_AWS_writes_it),
		cmocka_unit_test(list__comes_in_pages__each_row_once),
		cmocka_unit_test(list__holds_the_traps__that_are_not_filtered),
		cmocka_unit_test(list__knows_regions__and_all_kinds_of_filters),
		cmocka_unit_test(list__refuses__what_the_service_refuses),
		cmocka_unit_test(price__is_another__once_a_test_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "aws/search.h"
#include "tests/clientbench.h"

struct outcome {
	unsigned pages, errors;
	size_t jobs;
};

static void note(void *ctx, struct job_page *page, const struct err *err)
{
	struct outcome *outcome = ctx;

	outcome->pages += page != NULL;
	outcome->errors += err != NULL;
	outcome->jobs += page ? page->count : 0;
}

/* The bodies by the API's reference: Resource, SearchExpression, SortBy, SortOrder, MaxResults. */
static void search__asks_by_creation_or_change__joined_by_or(void **state)
{
	struct bench bench = { 0 };
	struct outcome outcome = { 0 };
	const struct search_query all = { .created_from = { .set = true, .ms = FAKE_WALL_MS },
					  .live = true };
	const struct search_query changed = { .modified_from = { .set = true, .ms = 1999 },
					      .next_token = "a\"b" };

	(void)state;
	bench_start(&bench, (struct aws_options){ 0 });
	jobs_search(bench.client, &all, note, &outcome);
	jobs_search(bench.client, &changed, note, &outcome);
	fake_run(bench.world, 5000);
	assert_int_equal(outcome.pages, 2);
	assert_string_equal(
		fake_nth(bench.world, "Search", 0)->body,
		"{\"Resource\":\"TrainingJob\",\"MaxResults\":100,\"SortBy\":\"CreationTime\","
		"\"SortOrder\":\"Descending\",\"SearchExpression\":{\"Operator\":\"Or\","
		"\"Filters\":[{\"Name\":\"CreationTime\",\"Operator\":\"GreaterThanOrEqualTo\","
		"\"Value\":\"2026-11-30T20:48:08Z\"},{\"Name\":\"TrainingJobStatus\",\"Operator\":"
		"\"Equals\",\"Value\":\"InProgress\"},{\"Name\":\"TrainingJobStatus\",\"Operator\":"
		"\"Equals\",\"Value\":\"Stopping\"}]}}");
	assert_string_equal(
		fake_nth(bench.world, "Search", 1)->body,
		"{\"Resource\":\"TrainingJob\",\"MaxResults\":100,\"SortBy\":\"LastModifiedTime\","
		"\"SortOrder\":\"Ascending\",\"SearchExpression\":{\"Operator\":\"Or\","
		"\"Filters\":[{\"Name\":\"LastModifiedTime\",\"Operator\":\"GreaterThanOrEqualTo\","
		"\"Value\":\"1970-01-01T00:00:01Z\"}]},\"NextToken\":\"a\\\"b\"}");
	bench_stop(&bench);
}

static void decode(const char *text, struct job_page *page)
{

	struct err err = { 0 };
	struct json_value *document = json_parse(text, strlen(text), &err);

	assert_non_null(document);
	assert_true(jobs_decode_search(document, page, &err));
	jobs_add_search_texts(text, strlen(text), page);
	json_free(document);
}

#define RECORD(name, more)                                                                  \
	"{\"TrainingJob\":{\"TrainingJobName\":\"" name "\",\"TrainingJobArn\":\"arn:" name \
	"\",\"TrainingJobStatus\":\"InProgress\"" more "}}"

static void record__is_a_description__where_it_has_all_of_one(void **state)
{
	struct job_page page;

	(void)state;
	decode("{\"Results\":[" RECORD(
		       "one",
		       ",\"SecondaryStatus\":\"Training\",\"TrainingStartTime\":5,"
		       "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.xlarge\","
		       "\"InstanceCount\":2},\"Tags\":[{\"Key\":\"a\",\"Value\":\"b\"}],"
		       "\"SecondaryStatusTransitions\":[{\"Status\":\"Starting\","
		       "\"StartTime\":4}]") "," RECORD("waits",
						       ",\"ResourceConfig\":{"
						       "\"InstancePreferences\":[{"
						       "\"InstanceType\":"
						       "\"ml.g5.xlarge\",\"InstanceCount\":"
						       "2}]}") "," RECORD("chosen",
									  ",\"TrainingStartT"
									  "ime\":5,"
									  "\"ResourceConfig"
									  "\":"
									  "{\"InstancePrefer"
									  "ences\":[{"
									  "\"InstanceType\":"
									  "\"ml.g5.xlarge\","
									  "\"InstanceCount\""
									  ":2}]}") "," RECORD("bar"
											      "e",
											      "") ",{\"Endpoint\":{}},{\"TrainingJob\":{}},7],"
												  "\"NextToken\":\"next\"}",
	       &page);
	assert_int_equal(page.count, 4);
	assert_string_equal(page.next_token, "next");
	assert_true(page.jobs[0].described);
	assert_string_equal(job_prefs(&page.jobs[0])->entries[0].instance_type, "ml.g5.xlarge");
	assert_int_equal(page.jobs[0].transition_count, 1);
	assert_true(page.jobs[0].indexed);
	assert_int_equal(page.jobs[0].tags->count, 1);
	assert_string_equal(page.jobs[0].tags->items[0].key, "a");
	assert_string_equal(page.jobs[0].tags->items[0].value, "b");
	assert_null(page.jobs[1].tags); /* not told */
	assert_true(page.jobs[0].text_is_of_search);
	/* As it came, but for the tags. */
	assert_string_equal(page.jobs[0].request_json,
			    "{\"TrainingJobName\":\"one\",\"TrainingJobArn\":\"arn:one\","
			    "\"TrainingJobStatus\":\"InProgress\",\"SecondaryStatus\":"
			    "\"Training\",\"TrainingStartTime\":5,\"ResourceConfig\":"
			    "{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":2},"
			    "\"SecondaryStatusTransitions\":[{\"Status\":\"Starting\","
			    "\"StartTime\":4}]}");
	assert_true(page.jobs[1].described);
	/* It runs, and what was chosen is not told; the other has no instances at all. */
	assert_false(page.jobs[2].described);
	assert_false(page.jobs[3].described);
	job_page_release(&page);
}

/* A key twice as long as the service allows, a tag without a key, a hundred of them, and values of
 * other kinds. */
static void tags__are_bounded__whatever_is_sent(void **state)
{
	struct job_page page;
	struct buf text;

	(void)state;
	buf_init(&text, 1 << 16);
	buf_add_text(&text, "{\"Results\":[{\"TrainingJob\":{\"TrainingJobName\":\"one\","
			    "\"TrainingJobArn\":\"arn:one\",\"TrainingJobStatus\":"
			    "\"Completed\",\"Tags\":[{\"Key\":\"");
	for (int i = 0; i < TAG_KEY_SIZE; i++)
		buf_add_char(&text, 'k');
	buf_add_text(&text, "\",\"Value\":\"long\"},{\"Value\":\"no key\"},7,null,"
			    "{\"Key\":\"b\"},{\"Key\":\"a\",\"Value\":\"1\"}");
	for (int i = 0; i < 100; i++)
		buf_addf(&text, ",{\"Key\":\"k%03d\",\"Value\":\"v\"}", i);
	buf_add_text(&text, "]}}]}");
	decode(buf_text(&text), &page);
	buf_release(&text);

	const struct tag_list *tags = page.jobs[0].tags;

	assert_true(tags->count <= TAG_LIST_MAX && tags->count > 40);
	assert_string_equal(tags->items[0].key, "a");
	assert_string_equal(tags->items[0].value, "1");
	assert_string_equal(tags->items[1].key, "b");
	assert_string_equal(tags->items[1].value, "");
	assert_string_equal(tags->items[2].key, "k000");
	job_page_release(&page);
}

static void reply__without_results__is_an_empty_page(void **state)
{
	struct job_page page;

	(void)state;
	decode("{\"TotalHits\":{\"Value\":0},\"NextToken\":\"\"}", &page);
	assert_int_equal(page.count, 0);
	assert_null(page.next_token);
	job_page_release(&page);
}

static void reply__of_another_shape__is_an_error(void **state)
{
	struct err err = { 0 };
	struct job_page page;
	const char *text = "{\"Results\":{}}";
	struct json_value *document = json_parse(text, strlen(text), &err);

	(void)state;
	assert_false(jobs_decode_search(document, &page, &err));
	assert_int_equal(err.code, ERR_PARSE);
	assert_int_equal(page.count, 0);
	json_free(document);
	err_clear(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search__asks_by_creation_or_change__joined_by_or),
		cmocka_unit_test(record__is_a_description__where_it_has_all_of_one),
		cmocka_unit_test(tags__are_bounded__whatever_is_sent),
		cmocka_unit_test(reply__without_results__is_an_empty_page),
		cmocka_unit_test(reply__of_another_shape__is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What sets a copy apart from its source. Cases: 068 (a plan lost on the way), 047 (a channel's
 * groups). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/request_diff.h"

#define TEXT_MAX (1u << 20)

/* The differences as text, to be freed. */
static char *differences(const char *before, const char *after)
{
	struct request_diff *diff = mem_new(1, sizeof(*diff));
	struct request a = { .kind = JOB_TRAINING, .text = mem_copy_text(before) };
	struct request b = { .kind = JOB_TRAINING, .text = mem_copy_text(after) };
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, TEXT_MAX);
	assert_true(request_diff_find(diff, &a, &b, &err));
	request_diff_add_text(diff, &text);
	request_release(&a);
	request_release(&b);
	free(diff);
	return buf_take(&text);
}

static void assert_diff(const char *before, const char *after, const char *expected)
{
	char *text = differences(before, after);
	assert_string_equal(text, expected);
	free(text);
}

#define FIFTY "12345678901234567890123456789012345678901234567890"

#define ZEROS                                                                                      \
	"\"M0\":0,\"M1\":0,\"M2\":0,\"M3\":0,\"M4\":0,\"M5\":0,\"M6\":0,\"M7\":0,\"M8\":0,\"M9\":" \
	"0,\"M10\":0,\"M11\":0,\"M12\":0"
#define ENTRY(type, more) "{\"InstanceType\":\"" type "\"" more "}"
#define PLAN(name)        "arn:aws:sagemaker:us-east-1:111122223333:training-plan/" name
#define CLUSTER(members)  "{\"ResourceConfig\":{" members "}}"
#define PREFS(list)       "\"InstancePreferences\":[" list "]"

static const struct {
	const char *before, *after, *expected;
} rows[] = {
	/* The name is another one in every copy; order, blanks, escapes, 1.0 and null say nothing.
	 */
	{ "{\"TrainingJobName\":\"a\",\"A\":1,\"B\":\"x\",\"C\":null}",
	  "{ \"B\" : \"\\u0078\", \"A\":1.0,\"TrainingJobName\":\"b\" }", "" },
	{ "{\"A\":{\"B\":1,\"C\":[1,2]},\"D\":true}", "{\"A\":{\"B\":2,\"C\":[1,3]},\"E\":\"x\"}",
	  "lost D: true\nchanged A.B: 1 -> 2\nchanged A.C: [1,2] -> [1,3]\nadded E: \"x\"\n" },
	{ "{\"A\":{\"B\":1}}", "{\"A\":[]}", "changed A: {\"B\":1} -> []\n" },
	{ "{\"A\":18446744073709551617}", "{\"A\":18446744073709551618}",
	  "changed A: 18446744073709551617 -> 18446744073709551618\n" },
	/* Channels are told by their names, outputs without one by their place. */
	{ "{\"InputDataConfig\":[{\"ChannelName\":\"train\",\"InstanceGroupNames\":[\"g\"]},"
	  "{\"ChannelName\":\"test\"}]}",
	  "{\"InputDataConfig\":[{\"ChannelName\":\"test\"},{\"ChannelName\":\"train\"}]}",
	  "lost InputDataConfig[train].InstanceGroupNames: [\"g\"]\n"
	  "changed InputDataConfig: train, test -> test, train\n" },
	{ "{\"A\":[{\"B\":1},{\"B\":2}]}", "{\"A\":[{\"B\":1},{\"B\":3},{\"B\":4}]}",
	  "changed A[1].B: 2 -> 3\nadded A[2]: {\"B\":4}\n" },
	/* Two of one name cannot be told apart by it. */
	{ "{\"A\":[{\"Name\":\"x\",\"B\":1},{\"Name\":\"x\",\"B\":2}]}",
	  "{\"A\":[{\"Name\":\"x\",\"B\":1}]}", "lost A[1]: {\"Name\":\"x\",\"B\":2}\n" },
	{ CLUSTER("\"InstanceCount\":2," PREFS(
		  ENTRY("ml.p5.48xlarge", "") "," ENTRY("ml.p4d.24xlarge", ""))),
	  CLUSTER(PREFS(ENTRY("ml.p4d.24xlarge", ",\"InstanceCount\":4") "," ENTRY(
		  "ml.p5.48xlarge", ",\"InstanceCount\":2"))),
	  "lost ResourceConfig.InstanceCount: 2\n"
	  "changed ResourceConfig.InstancePreferences: ml.p5.48xlarge, ml.p4d.24xlarge -> "
	  "ml.p4d.24xlarge, ml.p5.48xlarge\n"
	  "added ResourceConfig.InstancePreferences[ml.p5.48xlarge].InstanceCount: 2\n"
	  "added ResourceConfig.InstancePreferences[ml.p4d.24xlarge].InstanceCount: 4\n" },
	/* 068: a plan that goes is shouted; one that moves from the job to its entry is not. */
	{ CLUSTER("\"InstanceType\":\"ml.p5.48xlarge\",\"TrainingPlanArn\":\"" PLAN("tp-a") "\""),
	  CLUSTER("\"InstanceType\":\"ml.p5.48xlarge\""),
	  "PLAN LOST: tp-a was bound and is not any more.\n"
	  "lost ResourceConfig.TrainingPlanArn: \"" PLAN("tp-a") "\"\n" },
	{ CLUSTER(PREFS(ENTRY("ml.p5.48xlarge", ",\"TrainingPlanArns\":[\"" PLAN("tp-a") "\"]"))),
	  CLUSTER(PREFS(ENTRY("ml.p5.48xlarge", ""))),
	  "PLAN LOST: tp-a was bound and is not any more.\n"
	  "lost ResourceConfig.InstancePreferences[ml.p5.48xlarge].TrainingPlanArns: "
	  "[\"" PLAN("tp-a") "\"]\n" },
	{ CLUSTER("\"TrainingPlanArn\":\"tp\"," PREFS(ENTRY("ml.p5.48xlarge", ""))),
	  CLUSTER(PREFS(ENTRY("ml.p5.48xlarge", ",\"TrainingPlanArns\":[\"tp\"]"))),
	  "lost ResourceConfig.TrainingPlanArn: \"tp\"\n"
	  "added ResourceConfig.InstancePreferences[ml.p5.48xlarge].TrainingPlanArns: "
	  "[\"tp\"]\n" },
};

static void differences__are_told_one_a_line__lost_ones_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_diff(rows[i].before, rows[i].after, rows[i].expected);
}

/* By the member's whole name and by the value's form; a line break in a name begins no line. */
static void secrets__are_masked__wherever_they_stand(void **state)
{
	(void)state;
	assert_diff("{\"Environment\":{\"HF_TOKEN\":\"abc\",\"my.KEY.b\":\"abc\",\"A\":\"1\"}}",
		    "{\"Environment\":{\"HF_TOKEN\":\"abd\",\"my.KEY.b\":\"abd\",\"A\":\"2\"}}",
		    "changed Environment.HF_TOKEN: \"(hidden)\" -> \"(hidden)\"\n"
		    "changed Environment.my.KEY.b: \"(hidden)\" -> \"(hidden)\"\n"
		    "changed Environment.A: \"1\" -> \"2\"\n");
	assert_diff("{\"HyperParameters\":{\"api_key\":\"abc\",\"lr\":\"1\"}}", "{}",
		    "lost HyperParameters: {\"api_key\":\"(hidden)\",\"lr\":\"1\"}\n");
	assert_diff("{}", "{\"RoleArn\":\"AKIAIOSFODNN7EXAMPLE\"}",
		    "added RoleArn: \"(hidden)\"\n");
	assert_diff("{\"Environment\":{\"A\\nPLAN LOST\":\"1\"}}", "{\"Environment\":{}}",
		    "lost Environment.A?PLAN LOST: \"1\"\n");
}

/* One past what is kept, a value and a name one past what is shown. */
static void differences__are_bounded(void **state)
{
	struct buf before, expected;
	(void)state;
	buf_init(&before, TEXT_MAX);
	buf_init(&expected, TEXT_MAX);
	buf_add_char(&before, '{');
	for (int i = 0; i <= REQUEST_DIFF_MAX; i++) {
		buf_addf(&before, "%s\"M%d\":0", i ? "," : "", i);
		if (i < REQUEST_DIFF_MAX)
			buf_addf(&expected, "lost M%d: 0\n", i);
	}
	buf_add_char(&before, '}');
	buf_add_text(&expected, "(and more differences)\n");
	assert_diff(buf_text(&before), "{}", buf_text(&expected));
	/* The hundredth byte is the first of two: it goes with its other half. */
	assert_diff("{\"A\":\"" FIFTY "123456789012345678901234567890123456789012345678\xC3\xA9\"}",
		    "{}",
		    "lost A: \"" FIFTY "123456789012345678901234567890123456789012345678...\n");
	assert_diff("{\"1234567890123456789012345678901234567890123456789012345678901234+\":0}",
		    "{}",
		    "lost 1234567890123456789012345678901234567890123456789012345678901234...: "
		    "0\n");
	buf_release(&before);
	buf_release(&expected);
}

/* An object of more members than the service takes is one value, compared as it is written. */
static void size__costs_no_time__where_it_is_senseless(void **state)
{
	struct buf text;
	(void)state;
	buf_init(&text, TEXT_MAX);
	buf_add_text(&text, "{\"A\":{");
	for (int i = 0; i < 40000; i++)
		buf_addf(&text, "%s\"M%d\":0", i ? "," : "", i);
	buf_add_text(&text, "}}");
	assert_diff(buf_text(&text), buf_text(&text), "");
	char *changed = mem_copy_text(buf_text(&text));
	changed[strlen(changed) - 3] = '1';
	assert_diff(buf_text(&text), changed,
		    "changed A: {" ZEROS ",\"M13\"... -> {" ZEROS ",\"M13\"...\n");
	free(changed);
	buf_release(&text);
}

static void text__that_is_no_request__is_an_error(void **state)
{
	struct request_diff *diff = mem_new(1, sizeof(*diff));
	struct request good = { .text = mem_copy_text("{}") };
	struct request bad = { .text = mem_copy_text("[]") };
	struct err err = { 0 };
	(void)state;
	assert_false(request_diff_find(diff, &good, &bad, &err));
	assert_int_equal(err.code, ERR_PARSE);
	assert_int_equal(diff->count, 0);
	err_clear(&err);
	request_release(&good);
	request_release(&bad);
	free(diff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences__are_told_one_a_line__lost_ones_first),
		cmocka_unit_test(secrets__are_masked__wherever_they_stand),
		cmocka_unit_test(differences__are_bounded),
		cmocka_unit_test(size__costs_no_time__where_it_is_senseless),
		cmocka_unit_test(text__that_is_no_request__is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

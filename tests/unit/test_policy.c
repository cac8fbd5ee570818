/* The IAM policy: its text, and that each statement has what is its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "model/policy.h"

#define TEXT_MAX 65536

static const struct policy_action actions[] = {
	{ "a:Look", POLICY_LOOK },
	{ "logs:Get", POLICY_LOOK_AT_LOGS },
	{ "a:Create", POLICY_CHANGE },
	{ "a:LookMore", POLICY_LOOK },
	{ "iam:PassRole", POLICY_PASS_ROLE },
};

static void want(const char *partition, bool read_only, bool one_line, const char *expected)
{
	struct buf text;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	buf_init(&text, TEXT_MAX);
	policy_add(&text, actions, ARRAY_LEN(actions), partition, read_only, one_line);
	assert_string_equal(buf_text(&text), expected);
	assert_true(json_doc_parse(&doc, buf_text(&text), text.len, &err));
	json_doc_release(&doc);
	buf_release(&text);
}

static void policy__has_a_statement_for_each_part(void **state)
{
	(void)state;
	want("aws-cn", false, false,
	     "{\n  \"Version\": \"2012-10-17\",\n  \"Statement\": [\n    {\n"
	     "      \"Sid\": \"Look\",\n      \"Effect\": \"Allow\",\n"
	     "      \"Action\": [\n        \"a:Look\",\n        \"a:LookMore\"\n      ],\n"
	     "      \"Resource\": \"*\"\n    },\n    {\n"
	     "      \"Sid\": \"LookAtLogs\",\n      \"Effect\": \"Allow\",\n"
	     "      \"Action\": [\n        \"logs:Get\"\n      ],\n"
	     "      \"Resource\": \"arn:aws-cn:logs:*:*:log-group:/aws/sagemaker/*\"\n    },\n"
	     "    {\n      \"Sid\": \"Change\",\n      \"Effect\": \"Allow\",\n"
	     "      \"Action\": [\n        \"a:Create\"\n      ],\n"
	     "      \"Resource\": \"*\"\n    },\n    {\n"
	     "      \"Sid\": \"PassRolesOfJobs\",\n      \"Effect\": \"Allow\",\n"
	     "      \"Action\": [\n        \"iam:PassRole\"\n      ],\n"
	     "      \"Resource\": \"arn:aws-cn:iam::111122223333:role/your-job-role\",\n"
	     "      \"Condition\": { \"StringEquals\": { \"iam:PassedToService\": "
	     "\"sagemaker.amazonaws.com\" } }\n    }\n  ]\n}\n");
}

static void policy__of_who_only_looks__has_no_change(void **state)
{
	(void)state;
	want("aws", true, true,
	     "{\"Version\": \"2012-10-17\",\"Statement\": [{\"Sid\": \"Look\",\"Effect\": "
	     "\"Allow\",\"Action\": [\"a:Look\",\"a:LookMore\"],\"Resource\": \"*\"},"
	     "{\"Sid\": \"LookAtLogs\",\"Effect\": \"Allow\",\"Action\": [\"logs:Get\"],"
	     "\"Resource\": \"arn:aws:logs:*:*:log-group:/aws/sagemaker/*\"}]}\n");
}

static void partition__is_that_of_the_region(void **state)
{
	(void)state;
	assert_string_equal(policy_partition(NULL), "aws");
	assert_string_equal(policy_partition(""), "aws");
	assert_string_equal(policy_partition("eu-west-1"), "aws");
	assert_string_equal(policy_partition("cn-north-1"), "aws-cn");
	assert_string_equal(policy_partition("us-gov-west-1"), "aws-us-gov");
	assert_string_equal(policy_partition("us-isob-east-1"), "aws-iso-b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy__has_a_statement_for_each_part),
		cmocka_unit_test(policy__of_who_only_looks__has_no_change),
		cmocka_unit_test(partition__is_that_of_the_region),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

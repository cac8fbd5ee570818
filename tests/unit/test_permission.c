/* The actions that gpuq needs: that none is missing, here and in the README, and what an answer
 * says of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aws/logs.h"
#include "aws/metrics.h"
#include "aws/permission.h"
#include "aws/pricing.h"
#include "aws/quotas.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_plans.h"
#include "aws/sagemaker_tags.h"
#include "model/base/io.h"

#define README_MAX (256u << 10)

static const struct permission *find(const char *action)
{
	size_t count;
	const struct permission *rows = permission_rows(&count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].action, action) == 0)
			return &rows[i];
	fail_msg("no row for %s", action);
	return NULL;
}

static void want_row(const struct aws_op *op)
{
	char action[96];
	/* IAM names a service as it signs, but for this one. */
	const char *service = op->service == SERVICE_CLOUDWATCH
				      ? "cloudwatch"
				      : service_row(op->service)->signing_name;
	snprintf(action, sizeof(action), "%s:%s", service, op->name);
	const struct permission *row = find(action);
	assert_ptr_equal(row->op, op->changes ? NULL : op);
}

static void every_operation__has_a_row__and_is_called_only_if_it_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; sagemaker_job_ops[i]; i++)
		want_row(sagemaker_job_ops[i]);
	for (size_t i = 0; sagemaker_plan_ops[i]; i++)
		want_row(sagemaker_plan_ops[i]);
	for (size_t i = 0; quota_ops[i]; i++)
		want_row(quota_ops[i]);
	for (size_t i = 0; pricing_ops[i]; i++)
		want_row(pricing_ops[i]);
	for (size_t i = 0; logs_ops[i]; i++)
		want_row(logs_ops[i]);
	want_row(&op_get_metric_data);
	want_row(&op_list_tags);
}

static void every_action__stands_in_the_readmes_policy__and_no_other(void **state)
{
	struct buf readme;
	struct err err = { 0 };
	size_t count, listed = 0;
	const struct permission *rows = permission_rows(&count);
	(void)state;
	buf_init(&readme, README_MAX);
	assert_true(io_read_file("README.md", &readme, &err));
	const char *policy = strstr(buf_text(&readme), "\"Version\": \"2012-10-17\"");
	assert_non_null(policy);
	const char *end = strstr(policy, "```");
	assert_non_null(end);
	for (size_t i = 0; i < count; i++) {
		char quoted[96];
		snprintf(quoted, sizeof(quoted), "\"%s\"", rows[i].action);
		const char *at = strstr(policy, quoted);
		if (!at || at > end)
			fail_msg("not in the README's policy: %s", rows[i].action);
	}
	for (const char *at = policy; at < end; at++)
		listed += strncmp(at, "\"sagemaker:", 11) == 0 || strncmp(at, "\"iam:", 5) == 0 ||
			  strncmp(at, "\"servicequotas:", 15) == 0 ||
			  strncmp(at, "\"pricing:", 9) == 0 || strncmp(at, "\"logs:", 6) == 0 ||
			  strncmp(at, "\"cloudwatch:", 12) == 0;
	/* and the key "iam:PassedToService" of a condition */
	assert_int_equal(listed, count + 1);
	buf_release(&readme);
}

static void tags__are_asked_of_a_job_of_the_callers_account(void **state)
{
	static const char *const bad[] = { "", "arn", "arn:aws:sts::", "arn::iam::111122223333:x",
					   "arn:aws:iam:::user/x" };
	struct buf body;
	(void)state;
	buf_init(&body, 1024);
	assert_true(permission_add_tags_body(
		&body, "arn:aws-us-gov:sts::111122223333:assumed-role/Admin/ops", "us-gov-west-1"));
	assert_string_equal(
		buf_text(&body),
		"{\"ResourceArn\":\"arn:aws-us-gov:sagemaker:us-gov-west-1:"
		"111122223333:training-job/gpuq-doctor-no-such-job\",\"MaxResults\":50}");
	buf_clear(&body);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(permission_add_tags_body(&body, bad[i], "us-east-1"));
	assert_false(permission_add_tags_body(&body, "arn:aws:iam::111122223333:user/x", ""));
	assert_int_equal(body.len, 0);
	buf_release(&body);
}

struct outcome {
	const char *action;
	enum err_code code;
	const char *aws_code, *message;
	enum diagnosis_result result;
	const char *text, *fix; /* parts */
};

static const struct outcome outcomes[] = {
	{ "sagemaker:ListTrainingJobs", ERR_NONE, "", "", DIAGNOSIS_OK, "allowed", NULL },
	{ "sagemaker:DescribeTrainingJob", ERR_NOT_FOUND, "ValidationException",
	  "Requested resource not found.", DIAGNOSIS_OK, "allowed", NULL },
	{ "sagemaker:DescribeTrainingPlan", ERR_NOT_FOUND, "ResourceNotFound", "no", DIAGNOSIS_OK,
	  "allowed", NULL },
	/* As SageMaker answers for what is gone, without a word. */
	{ "sagemaker:ListTags", ERR_REFUSED, "ValidationException", "HTTP 400 without a reason",
	  DIAGNOSIS_OK, "allowed", NULL },
	/* Of a list it would mean that something else is wrong. */
	{ "sagemaker:ListTrainingJobs", ERR_REFUSED, "ValidationException", "odd",
	  DIAGNOSIS_FAILURE, "odd (ValidationException)", NULL },
	{ "sagemaker:ListTrainingJobs", ERR_DENIED, "AccessDeniedException",
	  "sagemaker:ListTrainingJobs is not allowed\nprincipal: me", DIAGNOSIS_FAILURE,
	  "not allowed; principal: me (AccessDeniedException); without it training jobs are not "
	  "seen",
	  "README" },
	/* An account without a value of its own may read it all the same. */
	{ "servicequotas:GetServiceQuota", ERR_NOT_FOUND, "NoSuchResourceException", "none",
	  DIAGNOSIS_OK, "allowed", NULL },
	{ "servicequotas:GetServiceQuota", ERR_DENIED, "AccessDeniedException",
	  "servicequotas:GetServiceQuota is not allowed", DIAGNOSIS_WARNING,
	  "without it a short quota is seen when a submission is refused, not before", "README" },
	/* gpuq goes on without these. */
	{ "sagemaker:Search", ERR_DENIED, "AccessDeniedException",
	  "sagemaker:Search is not allowed", DIAGNOSIS_WARNING,
	  "without it training jobs are found by lists alone", "README" },
	{ "sagemaker:ListTags", ERR_DENIED, "AccessDeniedException",
	  "sagemaker:ListTags is not allowed", DIAGNOSIS_WARNING, "without it tags",
	  "a policy by names may allow others" },
	{ "sagemaker:DescribeTrainingJob", ERR_DENIED, "AccessDeniedException", "no",
	  DIAGNOSIS_FAILURE, "no (Acc", "a policy by names may allow others" },
	{ "sagemaker:Search", ERR_TIMEOUT, "", "no answer in time", DIAGNOSIS_WARNING,
	  "no answer in time", NULL },
};

static void outcome__says_whether_it_is_allowed__and_what_is_lost(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(outcomes); i++) {
		const struct outcome *test = &outcomes[i];
		struct diagnosis diagnosis = { 0 };
		struct err err = { 0 };
		if (test->code)
			err_set(&err, test->code, "%s", test->message);
		snprintf(err.aws_code, sizeof(err.aws_code), "%s", test->aws_code);
		err.hint = test->code == ERR_DENIED    ? HINT_ASK_PERMISSION
			   : test->code == ERR_REFUSED ? HINT_FIX_REQUEST
						       : HINT_NONE;
		permission_add_row(&diagnosis, find(test->action), test->code ? &err : NULL);
		assert_int_equal(diagnosis.count, 1);
		const struct diagnosis_row *row = &diagnosis.rows[0];
		assert_string_equal(row->subject, test->action);
		assert_int_equal(row->result, test->result);
		if (!strstr(row->text, test->text))
			fail_msg("%s: %s", test->action, row->text);
		if (test->fix)
			assert_non_null(strstr(row->fix, test->fix));
		else
			assert_null(row->fix);
		if (row->result == DIAGNOSIS_FAILURE)
			assert_int_equal(row->code, test->code);
		err_clear(&err);
		diagnosis_release(&diagnosis);
	}
}

static void untried__says_why__and_is_neither_good_nor_bad(void **state)
{
	struct diagnosis diagnosis = { 0 };
	(void)state;
	permission_add_untried(&diagnosis, find("iam:PassRole"), "because");
	assert_int_equal(diagnosis.rows[0].result, DIAGNOSIS_UNKNOWN);
	assert_string_equal(diagnosis.rows[0].text, "not checked: because");
	assert_int_equal(diagnosis_exit_status(&diagnosis), 0);
	diagnosis_release(&diagnosis);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_operation__has_a_row__and_is_called_only_if_it_changes_nothing),
		cmocka_unit_test(every_action__stands_in_the_readmes_policy__and_no_other),
		cmocka_unit_test(tags__are_asked_of_a_job_of_the_callers_account),
		cmocka_unit_test(outcome__says_whether_it_is_allowed__and_what_is_lost),
		cmocka_unit_test(untried__says_why__and_is_neither_good_nor_bad),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The actions that gpuq needs: that none is missing, and what an answer says of one. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "aws/operations.h"
#include "aws/permission.h"
#include "aws/sts.h"
#include "model/base/io.h"

#define SOURCE_MAX (256u << 10)

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
	char action[OPERATION_ACTION_SIZE];
	if (operation_action(op, action))
		assert_ptr_equal(find(action)->op, op->changes ? NULL : op);
	else
		assert_string_equal(action, "sts:GetCallerIdentity");
}

static void every_operation__has_a_row__and_is_called_only_if_it_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; operations[i]; i++)
		want_row(operations[i]);
}

static bool is_an_operation(const char *action)
{
	char name[OPERATION_ACTION_SIZE];
	for (size_t i = 0; operations[i]; i++)
		if (operation_action(operations[i], name) && strcmp(name, action) == 0)
			return true;
	return false;
}

/* A call with tags, and one that names a role, need these beside their own. */
static void every_row__is_of_an_operation__but_for_two(void **state)
{
	size_t count;
	const struct permission *rows = permission_rows(&count);
	(void)state;
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].action, "sagemaker:AddTags") != 0 &&
		    strcmp(rows[i].action, "iam:PassRole") != 0 && !is_an_operation(rows[i].action))
			fail_msg("%s: no operation", rows[i].action);
}

static void want_listed(const char *source, const char *name, size_t len)
{
	char listed[80];
	snprintf(listed, sizeof(listed), "\t&%.*s,\n", (int)len, name);
	if (!strstr(source, listed))
		fail_msg("not in operations.c: %.*s", (int)len, name);
}

/* Read in the sources, so that a new operation cannot be forgotten. */
static void table__has_every_operation_of_the_sources(void **state)
{
	static const char begins[] = "const struct aws_op op_";
	struct buf table;
	struct err err = { 0 };
	glob_t files;
	size_t defined = 0, listed = 0;
	(void)state;
	buf_init(&table, SOURCE_MAX);
	assert_true(io_read_file("aws/operations.c", &table, &err));
	assert_int_equal(glob("aws/*.c", 0, NULL, &files), 0);
	assert_int_equal(glob("aws/auth/*.c", GLOB_APPEND, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct buf source;
		buf_init(&source, SOURCE_MAX);
		assert_true(io_read_file(files.gl_pathv[i], &source, &err));
		for (const char *at = buf_text(&source); (at = strstr(at, begins)); at++) {
			const char *name = at + strlen(begins) - strlen("op_");
			size_t len = strcspn(name, " ,;");
			if (strncmp(name + len, " =", 2) != 0 ||
			    (at > buf_text(&source) && at[-1] == ' '))
				continue; /* declared, or one of the same name for a waiting person
					   */
			want_listed(buf_text(&table), name, len);
			defined++;
		}
		buf_release(&source);
	}
	globfree(&files);
	while (operations[listed])
		listed++;
	assert_int_equal(defined, listed);
	buf_release(&table);
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
	  "gpuq iam-policy" },
	/* An account without a value of its own may read it all the same. */
	{ "servicequotas:GetServiceQuota", ERR_NOT_FOUND, "NoSuchResourceException", "none",
	  DIAGNOSIS_OK, "allowed", NULL },
	{ "servicequotas:GetServiceQuota", ERR_DENIED, "AccessDeniedException",
	  "servicequotas:GetServiceQuota is not allowed", DIAGNOSIS_WARNING,
	  "without it a short quota is seen when a submission is refused, not before",
	  "gpuq iam-policy" },
	/* gpuq goes on without these. */
	{ "sagemaker:Search", ERR_DENIED, "AccessDeniedException",
	  "sagemaker:Search is not allowed", DIAGNOSIS_WARNING,
	  "without it training jobs are found by lists alone", "gpuq iam-policy" },
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
		cmocka_unit_test(every_row__is_of_an_operation__but_for_two),
		cmocka_unit_test(table__has_every_operation_of_the_sources),
		cmocka_unit_test(tags__are_asked_of_a_job_of_the_callers_account),
		cmocka_unit_test(outcome__says_whether_it_is_allowed__and_what_is_lost),
		cmocka_unit_test(untried__says_why__and_is_neither_good_nor_bad),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

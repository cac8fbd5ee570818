#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/reason.h"
#include "tests/jobs.h"

/* Of a failed job with that reason and one entry, ml.p4d.24xlarge. */
static void expect_remark(const char *reason, const char *expected)
{
	struct job job = described_job("job", 0, "Failed", "Failed");
	struct buf out;

	mem_set_text(&job.failure_reason, reason);
	buf_init(&out, 1024);
	reason_add_remark(&out, &job);
	if (strcmp(buf_text(&out), expected) != 0)
		fail_msg("%s: \"%s\"", reason, buf_text(&out));
	buf_release(&out);
	job_release(&job);
}

/* Numbers of Linux, signal(7): 139 = 128 + 11, 137 = 128 + 9, 132 = 128 + 4. */
static void exit_code__names_its_signal__where_it_is_all_of_the_reason(void **state)
{
	(void)state;
	expect_remark("AlgorithmError: Exit Code: 139",
		      "exit code 139 is 128 + 11: usually an end by SIGSEGV");
	expect_remark("AlgorithmError: , exit code: 137",
		      "exit code 137 is 128 + 9: usually an end by SIGKILL");
	expect_remark("AlgorithmError: ExitCode 132\n",
		      "exit code 132 is 128 + 4: usually an end by SIGILL");
	expect_remark("Exit Code: 159", "exit code 159 is 128 + 31: usually an end by SIGSYS");
}

static void exit_code__says_nothing__where_it_is_no_signals_or_not_alone(void **state)
{
	static const char *const reasons[] = {
		"",
		"AlgorithmError: Exit Code: 1",
		"AlgorithmError: Exit Code: 128",
		"AlgorithmError: Exit Code: 150",
		"AlgorithmError: Exit Code: 255",
		"AlgorithmError: Exit Code: 99999999999999999999139",
		"AlgorithmError: Exit Code: ",
		"AlgorithmError: Exit Code: x139",
		"AlgorithmError: Exit Code",
		"AlgorithmError: Exit",
		"AlgorithmError: ExecuteUserScriptError:\nExitCode 139\nErrorMessage \"x",
		"AlgorithmError: Exit Code: 139 of 7",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		expect_remark(reasons[i], "");
}

static void capacity__is_told_by_its_prefix__with_the_types_that_were_asked_for(void **state)
{
	struct job job = described_job("job", 0, "Failed", "Failed");
	struct buf out;

	(void)state;
	expect_remark("CapacityError: quite another sentence.",
		      "no capacity for ml.p4d.24xlarge, no fault of its code: a copy with a longer "
		      "list may start");
	expect_remark("ClientError: CapacityError", "");
	expect_remark("capacityerror: x", "");
	buf_init(&out, 1024);
	mem_set_text(&job.failure_reason, "CapacityError");
	assert_true(reason_is_capacity(&job));
	add_entry(&job, "ml.p5.48xlarge", 1);
	reason_add_remark(&out, &job);
	assert_memory_equal(buf_text(&out), "no capacity for any of its 2 types,", 35);
	buf_clear(&out);
	job_edit_prefs(&job)->length = 0;
	reason_add_remark(&out, &job);
	assert_memory_equal(buf_text(&out), "no capacity for what it asked for,", 34);
	buf_release(&out);
	job_release(&job);
}

/* A reason that a job had before it went on is none of its state now. */
static void remark__is_of_failed_jobs_alone(void **state)
{
	struct job job = described_job("job", 0, "InProgress", "Pending");
	struct buf out;

	(void)state;
	buf_init(&out, 1024);
	mem_set_text(&job.failure_reason, "CapacityError: x");
	assert_false(reason_is_capacity(&job));
	reason_add_remark(&out, &job);
	mem_set_text(&job.failure_reason, NULL);
	mem_set_text(&job.status, "Failed");
	assert_false(reason_is_capacity(&job));
	reason_add_remark(&out, &job);
	assert_string_equal(buf_text(&out), "");
	buf_release(&out);
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_code__names_its_signal__where_it_is_all_of_the_reason),
		cmocka_unit_test(exit_code__says_nothing__where_it_is_no_signals_or_not_alone),
		cmocka_unit_test(
			capacity__is_told_by_its_prefix__with_the_types_that_were_asked_for),
		cmocka_unit_test(remark__is_of_failed_jobs_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

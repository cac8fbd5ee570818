#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/request.h"

/* What a fix makes of a training request; or that it refuses, where after is NULL. */
static void assert_fix(const char *before, const struct finding *finding, const char *after)
{
	struct request request = { .kind = JOB_TRAINING, .text = mem_copy_text(before) };
	struct err err = { 0 };
	if (after) {
		assert_true(request_apply_fix(&request, finding, &err));
		assert_string_equal(request.text, after);
	} else {
		assert_false(request_apply_fix(&request, finding, &err));
		assert_int_equal(err.code, ERR_USAGE);
		assert_string_equal(request.text, before);
	}
	err_clear(&err);
	request_release(&request);
}

static struct finding fix_of(enum fix_kind fix, const char *path, const char *value)
{
	struct finding finding = { .rule = "test", .fix = fix, .entry = CHECK_NO_ENTRY };
	(void)snprintf(finding.path, sizeof(finding.path), "%s", path);
	(void)snprintf(finding.fix_value, sizeof(finding.fix_value), "%s", value);
	return finding;
}

static void fix__takes_one_member_out__and_leaves_every_other_byte(void **state)
{
	struct finding finding = fix_of(FIX_DROP_MEMBER, "A.B", "");
	(void)state;
	assert_fix("{ \"A\" : {\"B\":1 , \"C\":2.0}, \"D\":\t[ ] }", &finding,
		   "{ \"A\" : { \"C\":2.0}, \"D\":\t[ ] }");
	assert_fix("{\"A\":{\"C\":1}}", &finding, NULL); /* it is gone already */
	finding = fix_of(FIX_DROP_MEMBER, "", "");
	assert_fix("{\"A\":1}", &finding, NULL); /* never the whole request */
	/* A key with a dot is no path: the place tells it. */
	finding = fix_of(FIX_DROP_MEMBER, "A.B", "");
	finding.line = 2;
	finding.column = 7;
	assert_fix("{\"X\":1,\n\"A.B\":2}", &finding, "{\"X\":1}");
}

static void fix__sets_one_member__where_it_is_or_is_not(void **state)
{
	struct finding finding = fix_of(FIX_SET_MEMBER, "A.B", "7200");
	(void)state;
	assert_fix("{\"A\": {\"B\": 1800, \"C\": 2}}", &finding,
		   "{\"A\": {\"B\": 7200, \"C\": 2}}");
	assert_fix("{\"A\": {\"C\": 2}}", &finding, "{\"A\": {\"C\": 2, \"B\": 7200}}");
	assert_fix("{\"C\":2}", &finding, "{\"C\":2,\"A\":{\"B\":7200}}");
}

static void fix__sets_the_name__that_it_is_given(void **state)
{
	struct finding finding = fix_of(FIX_SET_NAME, "TrainingJobName", "");
	(void)state;
	assert_fix("{\"TrainingJobName\":\"a@b\"}", &finding, NULL);
	finding = fix_of(FIX_SET_NAME, "TrainingJobName", "a-b");
	assert_fix("{\"TrainingJobName\":\"a@b\"}", &finding, "{\"TrainingJobName\":\"a-b\"}");
}

static void fix__takes_out_all_of_spot(void **state)
{
	struct finding finding = fix_of(FIX_DROP_SPOT, "EnableManagedSpotTraining", "");
	(void)state;
	assert_fix("{\"EnableManagedSpotTraining\":true,\"StoppingCondition\":{"
		   "\"MaxWaitTimeInSeconds\":7200,\"MaxRuntimeInSeconds\":3600},\"X\":null}",
		   &finding, "{\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},\"X\":null}");
	assert_fix("{\"X\":1,\"EnableManagedSpotTraining\":true}", &finding, "{\"X\":1}");
}

static void fix__cuts_the_list__also_behind_the_entries_that_are_kept(void **state)
{
	struct finding finding = fix_of(FIX_CUT_LIST, "", "");
	(void)state;
	assert_fix("{\"ResourceConfig\":{\"InstanceCount\":1,\"InstancePreferences\":["
		   "{\"InstanceType\":\"ml.a\"},{\"InstanceType\":\"ml.b\"},"
		   "{\"InstanceType\":\"ml.c\"},{\"InstanceType\":\"ml.d\"},"
		   "{\"InstanceType\":\"ml.e\"},{\"InstanceType\":\"ml.f\"},"
		   "{\"InstanceType\":\"ml.g\"},{\"InstanceType\":\"ml.h\"},"
		   "{\"InstanceType\":\"ml.i\"},{\"InstanceType\":\"ml.j\"}]}}",
		   &finding,
		   "{\"ResourceConfig\":{\"InstanceCount\":1,\"InstancePreferences\":["
		   "{\"InstanceType\":\"ml.a\"},{\"InstanceType\":\"ml.b\"},"
		   "{\"InstanceType\":\"ml.c\"},{\"InstanceType\":\"ml.d\"},"
		   "{\"InstanceType\":\"ml.e\"}]}}");
	assert_fix("{\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"ml.a\"}]}}",
		   &finding, NULL);
	finding = fix_of(FIX_NONE, "", "");
	assert_fix("{}", &finding, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fix__takes_one_member_out__and_leaves_every_other_byte),
		cmocka_unit_test(fix__sets_one_member__where_it_is_or_is_not),
		cmocka_unit_test(fix__sets_the_name__that_it_is_given),
		cmocka_unit_test(fix__takes_out_all_of_spot),
		cmocka_unit_test(fix__cuts_the_list__also_behind_the_entries_that_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

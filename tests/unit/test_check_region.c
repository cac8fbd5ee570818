/* The verdict of check against the region's, for every request of the rules table: what check calls
 * an error the region refuses, and what it lets pass the region takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/request.h"
#include "tests/rulerows.h"
#include "tests/simworld.h"

/* Doubts of check that the region settles by refusing. */
static bool is_open(const char *rule)
{
	static const char *const rules[] = { "max-pending-range", "unknown-type" };
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (strcmp(rules[i], rule) == 0)
			return true;
	return false;
}

enum verdict { VERDICT_PASSES, VERDICT_ERROR, VERDICT_OPEN };

/* Without anything known: quotas, plans and names are the region's. */
static enum verdict judge(const struct request *request, struct findings *findings)
{
	struct err err = { 0 };
	enum verdict verdict = VERDICT_PASSES;
	assert_true(request_check(request, NULL, findings, &err));
	for (size_t i = 0; i < findings->count; i++)
		if (is_open(findings->items[i].rule))
			verdict = VERDICT_OPEN;
	return findings_have_error(findings) ? VERDICT_ERROR : verdict;
}

/* What speaks of quotas and plans, which check was not told of. */
static bool is_of_the_account(const char *body)
{
	return strstr(body, "ResourceLimitExceeded") || strstr(body, "raining plan") ||
	       strstr(body, "TrainingPlan");
}

static void compare(const char *text, struct findings *findings)
{
	struct request request = { 0 };
	struct err err = { 0 };
	if (!request_read(&request, text, strlen(text), "job.json", NULL, findings, &err)) {
		err_clear(&err);
		return;
	}
	enum verdict verdict = judge(&request, findings);
	struct simregion *sim = simregion_new(NULL);
	int status = simregion_call(sim,
				    request.kind == JOB_TRAINING ? "CreateTrainingJob"
								 : "CreateProcessingJob",
				    text);
	if (verdict == VERDICT_ERROR && status == 200)
		fail_msg("%s, and the region takes it: %s", findings->items[0].message, text);
	if (verdict == VERDICT_PASSES && status != 200 && !is_of_the_account(simregion_body(sim)))
		fail_msg("the region refuses %s: %s", text, simregion_body(sim));
	simregion_free(sim);
	request_release(&request);
}

static void verdicts__agree__for_each_request_of_the_table(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	(void)state;
	for (size_t i = 0; i < rule_row_count; i++) {
		compare(rule_rows[i].bad, findings);
		if (rule_rows[i].good)
			compare(rule_rows[i].good, findings);
	}
	free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts__agree__for_each_request_of_the_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

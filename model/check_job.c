/* The rules of the job around the list: its name, members that only AWS writes, spot, and the limit
 * of its pending time. */
#include <inttypes.h>
#include <stdio.h>

#include "model/catalog.h"
#include "model/check_rules.h"

#define PENDING_MIN_S 7200    /* API reference of StoppingCondition; the guide shows 1,800 */
#define PENDING_MAX_S 2419200 /* 28 days */
#define PENDING_PATH  "StoppingCondition.MaxPendingTimeInSeconds"
#define WAIT_PATH     "StoppingCondition.MaxWaitTimeInSeconds"
#define RUN_PATH      "StoppingCondition.MaxRuntimeInSeconds"
#define SECOND_MS     1000

void check_read_only_member(const struct check_input *input, struct findings *findings)
{
	static const char *const members[] = { "SelectedInstanceType", "SelectedInstanceCount" };
	for (size_t i = 0; input->has_selected_members && i < ARRAY_LEN(members); i++) {
		char path[CHECK_PATH_SIZE];
		(void)snprintf(path, sizeof(path), "%s.%s", check_cluster_path(input->kind),
			       members[i]);
		if (input->doc && !check_is_present(input, path))
			continue;
		findings_add(findings, "read-only-member", path,
			     "%s is SageMaker's answer; a request cannot carry it.", members[i]);
	}
}

void check_name_invalid(const struct check_input *input, struct findings *findings)
{
	if (input->name && !job_name_is_valid(input->name))
		check_fix_name(input,
			       findings_add(findings, "name-invalid",
					    check_name_member(input->kind),
					    "A job's name has 1 to 63 letters, digits and hyphens, "
					    "and begins and ends with a letter or digit."));
}

/* --- spot --- */

static void fix_wait(struct finding *finding, int64_t seconds)
{
	char value[24], text[120];
	(void)snprintf(value, sizeof(value), "%" PRId64, seconds);
	(void)snprintf(text, sizeof(text),
		       "Set MaxWaitTimeInSeconds to %s, the run-time limit, or to more: it "
		       "counts waiting too.",
		       value);
	check_set_fix(finding, FIX_SET_MEMBER, value, text);
}

void check_spot_wait_missing(const struct check_input *input, struct findings *findings)
{
	int64_t run = CHECK_RUNTIME_DEFAULT_S;
	if (!input->doc || !input->has_spot || check_is_present(input, WAIT_PATH))
		return;
	/* What is no object is told as that (value-pattern). */
	size_t stop = json_doc_member(input->doc, 0, "StoppingCondition");
	if (stop != JSON_NONE && input->doc->nodes[stop].kind != JSON_OBJECT &&
	    input->doc->nodes[stop].kind != JSON_NULL)
		return;
	if (input->max_runtime.set)
		run = input->max_runtime.ms / SECOND_MS;
	fix_wait(findings_add(findings, "spot-wait-missing", WAIT_PATH,
			      "A managed spot job needs MaxWaitTimeInSeconds."),
		 run);
}

void check_spot_wait(const struct check_input *input, struct findings *findings)
{
	int64_t wait, run = input->max_runtime.ms / SECOND_MS;
	if (!input->doc || !input->has_spot || !input->max_runtime.set ||
	    !json_doc_integer(input->doc, json_doc_path(input->doc, WAIT_PATH), &wait) ||
	    wait >= run)
		return;
	fix_wait(findings_add(findings, "value-range", WAIT_PATH,
			      "MaxWaitTimeInSeconds is %" PRId64 ", shorter than the %" PRId64
			      " of MaxRuntimeInSeconds.",
			      wait, run),
		 run);
}

void check_spot_no_checkpoint(const struct check_input *input, struct findings *findings)
{
	if (input->doc && input->has_spot && !check_is_present(input, "CheckpointConfig"))
		findings_add(findings, "spot-no-checkpoint", "CheckpointConfig",
			     "A spot job can be interrupted at any time, and there is no "
			     "CheckpointConfig: it would begin again from nothing.");
}

/* --- the limit of the pending time --- */

void check_max_pending_range(const struct check_input *input, struct findings *findings)
{
	int64_t seconds = input->max_pending_seconds;
	bool low = seconds < PENDING_MIN_S;
	if (input->kind == JOB_TRAINING && input->has_max_pending &&
	    (seconds < PENDING_MIN_S || seconds > PENDING_MAX_S))
		check_set_fix(findings_add(findings, "max-pending-range", PENDING_PATH,
					   "MaxPendingTimeInSeconds is %" PRId64
					   "; the API reference says %d to %d.",
					   seconds, PENDING_MIN_S, PENDING_MAX_S),
			      FIX_SET_MEMBER, low ? "7200" : "2419200",
			      low ? "Set it to 7200 (2h)." : "Set it to 2419200 (28d).");
}

void check_max_pending_no_effect(const struct check_input *input, struct findings *findings)
{
	if (input->kind != JOB_TRAINING || !input->has_max_pending || input->prefs->length == 0)
		return;
	for (size_t i = 0; i < input->prefs->length; i++) {
		if (catalog_is_accelerated(input->prefs->entries[i].instance_type))
			return;
	}
	findings_add(findings, "max-pending-no-effect", PENDING_PATH,
		     "MaxPendingTimeInSeconds has no effect without an accelerated type (ml.p*, "
		     "ml.g*, ml.trn*).");
}

void check_max_pending_processing(const struct check_input *input, struct findings *findings)
{
	if (input->kind == JOB_PROCESSING && input->has_max_pending)
		findings_add(findings, "max-pending-processing", PENDING_PATH,
			     "A processing job has no MaxPendingTimeInSeconds; AWS ignores it.");
}

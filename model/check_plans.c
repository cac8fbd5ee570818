/* The doubts about training plans: whether they can serve an entry now. A plan that is not known
 * here is said to be not checked; that is never a pass (interface.md). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/check_rules.h"

#define TEXT_SIZE 320

/* One plan that the list names, and what it serves. */
struct plan_use {
	const char *arn;
	const struct plan_fact *fact; /* NULL = not known */
	size_t entry;                 /* CHECK_NO_ENTRY: the job names it */
	bool has_count;               /* what is asked of it */
	int64_t count;
};

typedef void plan_test(const struct check_input *input, const struct plan_use *use,
		       struct findings *findings);

const struct plan_fact *check_find_plan(const struct check_input *input, const char *arn)
{
	const struct check_known *known = input->known;
	for (size_t i = 0; known && known->plans && i < known->plan_count; i++)
		if (strcmp(known->plans[i].arn, arn) == 0)
			return &known->plans[i];
	return NULL;
}

static bool has_type(const struct plan_use *use, const struct preference *entry)
{
	return use->fact && use->fact->instance_type &&
	       strcmp(use->fact->instance_type, entry->instance_type) == 0;
}

/* Calls test for the job's plan and for each entry's. */
static void each_plan(const struct check_input *input, struct findings *findings, plan_test *test)
{
	const struct preferences *prefs = input->prefs;
	if (input->kind != JOB_TRAINING)
		return; /* plan-processing speaks */
	if (prefs->job_plan_arn[0]) {
		struct plan_use use = { .arn = prefs->job_plan_arn,
					.fact = check_find_plan(input, prefs->job_plan_arn),
					.entry = CHECK_NO_ENTRY };
		for (size_t i = 0; i < prefs->length && !use.has_count; i++)
			if (prefs->length == 1 || has_type(&use, &prefs->entries[i]))
				use.has_count = prefs_count(prefs, i, &use.count);
		test(input, &use, findings);
	}
	for (size_t i = 0; i < prefs->length; i++) {
		const char *arn = prefs->entries[i].plan_arn;
		struct plan_use use = { .arn = arn, .entry = i };
		if (!arn[0])
			continue;
		use.fact = check_find_plan(input, arn);
		use.has_count = prefs_count(prefs, i, &use.count);
		test(input, &use, findings);
	}
}

static const char *plan_name(const char *arn)
{
	const char *slash = strrchr(arn, '/');
	return slash && slash[1] ? slash + 1 : arn;
}

/* "#2: plan tp-a " or "Plan tp-a of the job ", then what is said of it. */
static struct finding *add(const struct check_input *input, struct findings *findings,
			   const char *rule, const struct plan_use *use, const char *text)
{
	char path[CHECK_PATH_SIZE];
	const char *cluster = check_cluster_path(input->kind);
	struct finding *finding;
	if (use->entry == CHECK_NO_ENTRY) {
		(void)snprintf(path, sizeof(path), "%s.TrainingPlanArn", cluster);
		return findings_add(findings, rule, path, "Plan %.64s of the job %s",
				    plan_name(use->arn), text);
	}
	(void)snprintf(path, sizeof(path), "%s.InstancePreferences[%zu].TrainingPlanArns", cluster,
		       use->entry);
	finding = findings_add(findings, rule, path, "#%zu: plan %.64s %s", use->entry + 1,
			       plan_name(use->arn), text);
	if (finding)
		finding->entry = use->entry;
	return finding;
}

/* A plan that is not active is not waited for when a later entry fits (facts/sagemaker.md). */
static void say_not_active(const struct plan_fact *fact, char out[TEXT_SIZE])
{
	char starts[TIME_TEXT_SIZE] = "a time not told";
	if (fact->starts.set)
		time_format_iso(fact->starts.ms, starts);
	switch (fact->state) {
	case PLAN_SCHEDULED:
		(void)snprintf(out, TEXT_SIZE,
			       "begins %s; it is not waited for when a later entry fits.", starts);
		break;
	case PLAN_BETWEEN:
		(void)snprintf(out, TEXT_SIZE,
			       "is between two windows, the next one begins %s; it is not waited "
			       "for when a later entry fits.",
			       starts);
		break;
	case PLAN_PENDING:
		(void)snprintf(out, TEXT_SIZE, "is pending: its capacity is not confirmed yet.");
		break;
	case PLAN_EXPIRED:
		(void)snprintf(out, TEXT_SIZE, "has expired.");
		break;
	case PLAN_FAILED:
		(void)snprintf(out, TEXT_SIZE, "has failed.");
		break;
	case PLAN_UNKNOWN:
	case PLAN_ACTIVE:
		(void)snprintf(out, TEXT_SIZE, "is in a state not known here: %.64s.",
			       fact->status ? fact->status : "none told");
		break;
	}
}

static void test_state(const struct check_input *input, const struct plan_use *use,
		       struct findings *findings)
{
	char text[TEXT_SIZE];
	struct finding *finding;
	if (!input->known || !input->known->plans) {
		const char *why = input->known ? input->known->plans_why : NULL;
		(void)snprintf(text, sizeof(text), "is not checked: %s.",
			       why ? why : "no list of plans was read");
		finding = add(input, findings, "plan-state", use, text);
		if (finding) {
			finding->severity = SEVERITY_NOTE;
			finding->fix = FIX_NONE;
			finding->fix_text[0] = '\0';
		}
	} else if (!use->fact) {
		add(input, findings, "plan-state", use, "is not among the plans of this region.");
	} else if (use->fact->told && use->fact->not_for_training) {
		add(input, findings, "plan-state", use, "is not for training jobs.");
	} else if (use->fact->told && use->fact->state != PLAN_ACTIVE) {
		say_not_active(use->fact, text);
		add(input, findings, "plan-state", use, text);
	}
}

/* A plan that could serve the type now. */
static const struct plan_fact *find_idle(const struct check_input *input, const char *type)
{
	const struct check_known *known = input->known;
	for (size_t i = 0; known && known->plans && i < known->plan_count; i++) {
		const struct plan_fact *fact = &known->plans[i];
		if (fact->told && fact->state == PLAN_ACTIVE && !fact->not_for_training &&
		    fact->available.set && fact->available.n > 0 && fact->instance_type &&
		    strcmp(fact->instance_type, type) == 0)
			return fact;
	}
	return NULL;
}

/* Capacity that is paid for and stands idle while the job runs on demand: case 068. */
static void note_idle(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	if (input->kind != JOB_TRAINING || input->has_spot || prefs->job_plan_arn[0])
		return;
	for (size_t i = 0; i < prefs->length; i++) {
		const struct preference *entry = &prefs->entries[i];
		const struct plan_fact *fact = entry->plan_arn[0] || entry->group[0]
						       ? NULL
						       : find_idle(input, entry->instance_type);
		const struct check_entry at = { i, "InstanceType" };
		if (!fact)
			continue;
		struct finding *finding =
			check_add_to_entry(input, findings, "plan-state", &at,
					   "on demand, while plan %.64s has %" PRId64
					   " of this type free.",
					   plan_name(fact->arn), fact->available.n);
		check_make_note(finding);
		check_set_fix(finding, FIX_NONE, "", "Bind the plan, if the job is to run on it.");
	}
}

void check_plan_state(const struct check_input *input, struct findings *findings)
{
	each_plan(input, findings, test_state);
	note_idle(input, findings);
}

static void test_capacity(const struct check_input *input, const struct plan_use *use,
			  struct findings *findings)
{
	const struct plan_fact *fact = use->fact;
	char text[TEXT_SIZE];
	if (!fact || !fact->told || !use->has_count)
		return;
	if (fact->total.set && use->count > fact->total.n) {
		(void)snprintf(text, sizeof(text),
			       "has %" PRId64 " instances in all and %" PRId64 " are asked for.",
			       fact->total.n, use->count);
		add(input, findings, "plan-capacity", use, text);
	} else if (fact->state == PLAN_ACTIVE && fact->available.set &&
		   use->count > fact->available.n) {
		(void)snprintf(text, sizeof(text),
			       "has %" PRId64 " free and %" PRId64
			       " are asked for; it is not waited for when a later entry fits.",
			       fact->available.n, use->count);
		add(input, findings, "plan-capacity", use, text);
	}
}

void check_plan_capacity(const struct check_input *input, struct findings *findings)
{
	each_plan(input, findings, test_capacity);
}

/* The rules of the list itself (facts of the service: instance preferences). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/catalog.h"
#include "model/check_rules.h"

#define COUNT_DOUBTFUL       100 /* above it AWS decides (count-range) */
#define PROCESSING_COUNT_MAX 100 /* service model, ProcessingInstanceCount */
#define NEAR_MAX             3

static struct finding *add_to_entry(const struct check_input *input, struct findings *findings,
				    const char *rule, size_t entry, const char *member,
				    const char *message)
{
	struct check_path path = check_entry_path(input, entry, member);
	struct finding *finding = findings_add(findings, rule, path.text, "%s", message);
	if (finding)
		finding->entry = entry;
	return finding;
}

static size_t list_length(const struct check_input *input)
{
	return input->list_length > input->prefs->length ? input->list_length
							 : input->prefs->length;
}

void check_list_length(const struct check_input *input, struct findings *findings)
{
	size_t length = list_length(input);
	if (!input->prefs->is_list || (length >= 1 && length <= PREFS_MAX))
		return;
	struct check_path path = check_cluster_member(input, "InstancePreferences");
	if (length == 0) {
		check_set_fix(
			findings_add(findings, "list-length", path.text,
				     "The preference list is empty; it takes 1 to %d entries.",
				     PREFS_MAX),
			FIX_NONE, "", "Insert an entry.");
		return;
	}
	findings_add(findings, "list-length", path.text,
		     "The preference list has %zu entries; it takes at most %d.", length,
		     PREFS_MAX);
}

void check_list_single(const struct check_input *input, struct findings *findings)
{
	if (input->prefs->is_list && list_length(input) == 1)
		(void)add_to_entry(input, findings, "list-single", 0, NULL,
				   "The preference list has one entry and so no fallback.");
}

void check_duplicate_type(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	for (size_t i = 1; prefs->is_list && i < prefs->length; i++) {
		const char *type = prefs->entries[i].instance_type;
		size_t first = 0;
		while (strcmp(prefs->entries[first].instance_type, type) != 0)
			first++;
		if (first == i || type[0] == '\0')
			continue;
		char message[200];
		(void)snprintf(message, sizeof(message),
			       "#%zu repeats %s of #%zu; a type can stand only once in the list.",
			       i + 1, type, first + 1);
		add_to_entry(input, findings, "duplicate-type", i, NULL, message);
	}
}

/* The first entry with (or without) a count of its own; the length if there is none. */
static size_t first_entry(const struct preferences *prefs, bool with_count)
{
	size_t i = 0;
	while (i < prefs->length && prefs->entries[i].has_count != with_count)
		i++;
	return i;
}

void check_count_mixed(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	size_t with = first_entry(prefs, true), without = first_entry(prefs, false);
	char message[200];
	if (!prefs->is_list || with == prefs->length)
		return;
	if (prefs->has_shared_count) {
		(void)snprintf(message, sizeof(message),
			       "#%zu has an InstanceCount and there is one beside the list too; "
			       "use one of the two ways.",
			       with + 1);
		add_to_entry(input, findings, "count-mixed", with, NULL, message);
	} else if (without < prefs->length) {
		(void)snprintf(message, sizeof(message),
			       "#%zu has no InstanceCount while #%zu has one; give one to every "
			       "entry or one for all.",
			       without + 1, with + 1);
		add_to_entry(input, findings, "count-mixed", without, NULL, message);
	}
}

void check_count_missing(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	if (!prefs->is_list || prefs->length == 0 || prefs->has_shared_count ||
	    first_entry(prefs, true) < prefs->length)
		return;
	struct check_path path = check_cluster_member(input, "InstancePreferences");
	findings_add(findings, "count-missing", path.text,
		     "No InstanceCount is given, neither beside the list nor on its entries.");
}

/* "InstanceType or InstanceCount cannot be specified with InstanceGroups": the service. */
static void check_beside_groups(const struct check_input *input, struct findings *findings)
{
	const struct {
		bool present;
		const char *member;
	} beside[] = {
		{ input->has_instance_type, "InstanceType" },
		{ input->prefs->has_shared_count, "InstanceCount" },
	};
	for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
		struct check_path path = check_cluster_member(input, beside[i].member);
		if (beside[i].present)
			findings_add(findings, "exclusive-member", path.text,
				     "%s cannot stand beside InstanceGroups.", beside[i].member);
	}
}

void check_exclusive_member(const struct check_input *input, struct findings *findings)
{
	const struct {
		bool present;
		const char *member;
	} beside[] = {
		{ input->has_instance_type, "InstanceType" },
		{ input->has_instance_groups, "InstanceGroups" },
		{ input->has_placement, "InstancePlacementConfig" },
	};
	for (size_t i = 0; input->prefs->is_list && i < ARRAY_LEN(beside); i++) {
		struct check_path path = check_cluster_member(input, beside[i].member);
		if (beside[i].present)
			findings_add(findings, "exclusive-member", path.text,
				     "%s cannot stand beside a preference list.", beside[i].member);
	}
	if (input->prefs->is_list && input->has_spot)
		check_set_fix(
			findings_add(findings, "exclusive-member", "EnableManagedSpotTraining",
				     "A job with a preference list cannot be a managed spot job."),
			FIX_DROP_SPOT, "",
			"Make it no spot job (without MaxWaitTimeInSeconds), or keep one entry as "
			"InstanceType.");
	if (!input->prefs->is_list && input->has_instance_groups)
		check_beside_groups(input, findings);
}

void check_plan_processing(const struct check_input *input, struct findings *findings)
{
	static const char message[] = "A processing job cannot use a training plan.";
	const struct preferences *prefs = input->prefs;
	bool found = false;
	if (input->kind != JOB_PROCESSING)
		return;
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].plan_arn[0] == '\0')
			continue;
		add_to_entry(input, findings, "plan-processing", i, "TrainingPlanArns", message);
		found = true;
	}
	struct check_path path = check_cluster_member(input, "TrainingPlanArn");
	if (prefs->job_plan_arn[0] != '\0' || (input->processing_has_plan && !found))
		findings_add(findings, "plan-processing", path.text, "%s", message);
}

void check_plan_level_mixed(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	if (!prefs->is_list || prefs->job_plan_arn[0] == '\0')
		return;
	struct check_path path = check_cluster_member(input, "TrainingPlanArn");
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].plan_arn[0] == '\0')
			continue;
		findings_add(findings, "plan-level-mixed", path.text,
			     "The job names a plan and so does #%zu; plans stand on the entries or "
			     "on the job.",
			     i + 1);
		return;
	}
}

void check_plan_too_many(const struct check_input *input, struct findings *findings)
{
	if (!input->has_plan_on_entry_twice || input->plan_twice_entry >= input->prefs->length)
		return;
	char message[200];
	(void)snprintf(message, sizeof(message),
		       "#%zu names more than one training plan; an entry takes one.",
		       input->plan_twice_entry + 1);
	add_to_entry(input, findings, "plan-too-many", input->plan_twice_entry, "TrainingPlanArns",
		     message);
}

static const char *plan_type(const struct check_input *input, const char *arn)
{
	const struct plan_fact *fact = arn[0] != '\0' ? check_find_plan(input, arn) : NULL;
	return fact ? fact->instance_type : NULL;
}

static bool lists_type(const struct preferences *prefs, const char *type)
{
	for (size_t i = 0; i < prefs->length; i++) {
		if (strcmp(prefs->entries[i].instance_type, type) == 0)
			return true;
	}
	return false;
}

void check_plan_type_mismatch(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	if (input->kind != JOB_TRAINING)
		return; /* plan-processing speaks */
	for (size_t i = 0; i < prefs->length; i++) {
		const struct preference *entry = &prefs->entries[i];
		const char *type = plan_type(input, entry->plan_arn);
		if (!type || strcmp(type, entry->instance_type) == 0)
			continue;
		char message[200];
		(void)snprintf(message, sizeof(message), "#%zu is %s but its plan reserves %s.",
			       i + 1, entry->instance_type, type);
		add_to_entry(input, findings, "plan-type-mismatch", i, "TrainingPlanArns", message);
	}
	const char *type = plan_type(input, prefs->job_plan_arn);
	struct check_path path = check_cluster_member(input, "TrainingPlanArn");
	if (type && !lists_type(prefs, type))
		findings_add(findings, "plan-type-mismatch", path.text,
			     "The plan of the job reserves %s, which no entry asks for.", type);
}

/* The limits of a count that SageMaker is known to refuse (service model). */
struct count_limits {
	int64_t min, max;
};

static struct count_limits limits_of(const struct check_input *input, size_t entry)
{
	bool shared = entry == CHECK_NO_ENTRY;
	bool processing = input->kind == JOB_PROCESSING;
	return (struct count_limits){
		.min = processing || (!shared && input->prefs->is_list) ? 1 : 0,
		.max = processing && (shared || !input->prefs->is_list) ? PROCESSING_COUNT_MAX
									: INT32_MAX,
	};
}

typedef void count_test(const struct check_input *input, struct findings *findings, size_t entry,
			int64_t count);

/* Calls test for the shared count (CHECK_NO_ENTRY) and for each entry's own. */
static void each_count(const struct check_input *input, struct findings *findings, count_test *test)
{
	const struct preferences *prefs = input->prefs;
	if (prefs->has_shared_count)
		test(input, findings, CHECK_NO_ENTRY, prefs->shared_count);
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].has_count)
			test(input, findings, i, prefs->entries[i].count);
	}
}

static struct finding *add_to_count(const struct check_input *input, struct findings *findings,
				    const char *rule, size_t entry, const char *message)
{
	if (entry != CHECK_NO_ENTRY)
		return add_to_entry(input, findings, rule, entry, "InstanceCount", message);
	struct check_path path = check_cluster_member(input, "InstanceCount");
	return findings_add(findings, rule, path.text, "%s", message);
}

/* "#2 asks for 0 instances" or "The job asks for 0 instances". */
static void say_count(char *out, size_t size, size_t entry, int64_t count, const char *rest)
{
	if (entry == CHECK_NO_ENTRY)
		(void)snprintf(out, size, "InstanceCount is %" PRId64 "; %s", count, rest);
	else
		(void)snprintf(out, size, "#%zu asks for %" PRId64 " instances; %s", entry + 1,
			       count, rest);
}

static void test_count_value(const struct check_input *input, struct findings *findings,
			     size_t entry, int64_t count)
{
	struct count_limits limits = limits_of(input, entry);
	if (count >= limits.min && count <= limits.max)
		return;
	char message[200], rest[100];
	(void)snprintf(rest, sizeof(rest), "SageMaker takes %" PRId64 " to %" PRId64 ".",
		       limits.min, limits.max);
	say_count(message, sizeof(message), entry, count, rest);
	struct finding *finding = add_to_count(input, findings, "value-range", entry, message);
	check_fix_count(input, finding, count < limits.min ? 1 : COUNT_DOUBTFUL);
}

void check_value_range(const struct check_input *input, struct findings *findings)
{
	each_count(input, findings, test_count_value);
	check_member_ranges(input, findings);
	check_spot_wait(input, findings);
}

static void test_count_doubt(const struct check_input *input, struct findings *findings,
			     size_t entry, int64_t count)
{
	struct count_limits limits = limits_of(input, entry);
	bool refused = count < limits.min || count > limits.max;
	if (refused || (count >= 1 && count <= COUNT_DOUBTFUL))
		return;
	char message[200];
	say_count(message, sizeof(message), entry, count,
		  count == 0 ? "a job needs at least one." : "that is over 100.");
	struct finding *finding = add_to_count(input, findings, "count-range", entry, message);
	check_fix_count(input, finding, count == 0 ? 1 : COUNT_DOUBTFUL);
}

void check_count_range(const struct check_input *input, struct findings *findings)
{
	each_count(input, findings, test_count_doubt);
	check_count_over_default(input, findings);
}

void check_type_not_for_kind(const struct check_input *input, struct findings *findings)
{
	const struct preferences *prefs = input->prefs;
	for (size_t i = 0; i < prefs->length; i++) {
		const char *type = prefs->entries[i].instance_type;
		if (!catalog_find(type) || catalog_allows(type, input->kind))
			continue;
		char message[200];
		(void)snprintf(message, sizeof(message), "%s%s cannot be used by a %s job.",
			       check_entry_label(prefs, i).text, type, job_kind_word(input->kind));
		check_fix_remove(input,
				 add_to_entry(input, findings, "type-not-for-kind", i,
					      "InstanceType", message),
				 "choose a type that this kind of job can use");
	}
}

/* The nearest name that the kind can use and that the list has not; NULL if there is none. */
static const char *pick_near(const struct check_input *input, const char *const *near, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (catalog_allows(near[i], input->kind) && !lists_type(input->prefs, near[i]))
			return near[i];
	}
	return NULL;
}

static void add_unknown_type(const struct check_input *input, struct findings *findings, size_t i)
{
	const char *near[NEAR_MAX];
	const char *type = input->prefs->entries[i].instance_type;
	size_t found = catalog_near(type, near, NEAR_MAX);
	char message[320];
	(void)snprintf(message, sizeof(message), "%sno type %s is known%s%s%s%s%s%s.",
		       check_entry_label(input->prefs, i).text, type,
		       found > 0 ? "; near it: " : "", found > 0 ? near[0] : "",
		       found > 1 ? ", " : "", found > 1 ? near[1] : "", found > 2 ? ", " : "",
		       found > 2 ? near[2] : "");
	struct finding *finding =
		add_to_entry(input, findings, "unknown-type", i, "InstanceType", message);
	const char *better = pick_near(input, near, found);
	if (!better || (!input->prefs->is_list && input->prefs->entries[0].group[0]))
		return;
	char fix[100];
	(void)snprintf(fix, sizeof(fix), "Change it to %s.", better);
	check_set_fix(finding, FIX_SET_TYPE, better, fix);
}

void check_unknown_type(const struct check_input *input, struct findings *findings)
{
	for (size_t i = 0; i < input->prefs->length; i++) {
		const char *type = input->prefs->entries[i].instance_type;
		if (type[0] != '\0' && !catalog_find(type))
			add_unknown_type(input, findings, i);
	}
}

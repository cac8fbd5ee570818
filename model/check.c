#include "model/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/check_rules.h"

struct rule {
	const char *id;
	check_test *test; /* NULL: told by whoever reads the document */
	const char *fix_text;
	enum severity severity;
	enum fix_kind fix;
};

/* Errors first; within them the list before its types, so that a missing type hides no list rule.
 * The fix of a row is the usual one; its test says where a finding has another, or none. */
static const struct rule rules[] = {
	{ .id = "not-json", .severity = SEVERITY_ERROR },
	{ .id = "not-a-request", .severity = SEVERITY_ERROR },
	{ .id = "list-length",
	  .severity = SEVERITY_ERROR,
	  .test = check_list_length,
	  .fix = FIX_CUT_LIST,
	  .fix_text = "Keep the first five entries." },
	{ .id = "duplicate-type",
	  .severity = SEVERITY_ERROR,
	  .test = check_duplicate_type,
	  .fix = FIX_REMOVE_ENTRY,
	  .fix_text = "Remove the second entry of the type." },
	{ .id = "count-mixed",
	  .severity = SEVERITY_ERROR,
	  .test = check_count_mixed,
	  .fix = FIX_SPREAD_COUNT,
	  .fix_text = "Give every entry a count and drop the one beside the list." },
	{ .id = "count-missing",
	  .severity = SEVERITY_ERROR,
	  .test = check_count_missing,
	  .fix = FIX_SHARE_COUNT,
	  .fix_text = "Set one InstanceCount for all entries." },
	{ .id = "exclusive-member",
	  .severity = SEVERITY_ERROR,
	  .test = check_exclusive_member,
	  .fix = FIX_DROP_MEMBER,
	  .fix_text = "Remove this member." },
	{ .id = "read-only-member",
	  .severity = SEVERITY_ERROR,
	  .test = check_read_only_member,
	  .fix = FIX_DROP_MEMBER,
	  .fix_text = "Remove this member." },
	{ .id = "plan-processing",
	  .severity = SEVERITY_ERROR,
	  .test = check_plan_processing,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plan." },
	{ .id = "plan-level-mixed",
	  .severity = SEVERITY_ERROR,
	  .test = check_plan_level_mixed,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plan of the job and keep those of the entries." },
	{ .id = "plan-too-many",
	  .severity = SEVERITY_ERROR,
	  .test = check_plan_too_many,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plans of the entry and bind one." },
	{ .id = "plan-type-mismatch",
	  .severity = SEVERITY_ERROR,
	  .test = check_plan_type_mismatch,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plan, or list the type that it reserves." },
	{ .id = "name-invalid",
	  .severity = SEVERITY_ERROR,
	  .test = check_name_invalid,
	  .fix_text = "Choose another name." },
	{ .id = "name-taken",
	  .severity = SEVERITY_ERROR,
	  .test = check_name_taken,
	  .fix_text = "Choose another name." },
	{ .id = "required-member",
	  .severity = SEVERITY_ERROR,
	  .test = check_required_member,
	  .fix_text = "Add this member." },
	{ .id = "spot-wait-missing",
	  .severity = SEVERITY_ERROR,
	  .test = check_spot_wait_missing,
	  .fix = FIX_SET_MEMBER },
	{ .id = "value-pattern",
	  .severity = SEVERITY_ERROR,
	  .test = check_value_pattern,
	  .fix_text = "Correct the value." },
	{ .id = "value-range",
	  .severity = SEVERITY_ERROR,
	  .test = check_value_range,
	  .fix_text = "Choose a value inside the range." },
	{ .id = "type-not-for-kind",
	  .severity = SEVERITY_ERROR,
	  .test = check_type_not_for_kind,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "quota-short",
	  .severity = SEVERITY_ERROR,
	  .test = check_quota_short,
	  .fix = FIX_SET_COUNT },
	{ .id = "list-single",
	  .severity = SEVERITY_WARNING,
	  .test = check_list_single,
	  .fix = FIX_KEEP_FIRST,
	  .fix_text = "Name the type without a list, or insert a second choice." },
	{ .id = "count-range",
	  .severity = SEVERITY_WARNING,
	  .test = check_count_range,
	  .fix = FIX_SET_COUNT },
	{ .id = "unknown-type",
	  .severity = SEVERITY_WARNING,
	  .test = check_unknown_type,
	  .fix_text = "Check the spelling; AWS decides." },
	{ .id = "type-not-in-region",
	  .severity = SEVERITY_WARNING,
	  .test = check_type_not_in_region,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "unknown-member",
	  .severity = SEVERITY_WARNING,
	  .test = check_unknown_member,
	  .fix = FIX_DROP_MEMBER,
	  .fix_text = "Remove it, or check the spelling." },
	{ .id = "max-pending-range",
	  .severity = SEVERITY_WARNING,
	  .test = check_max_pending_range,
	  .fix = FIX_SET_MEMBER },
	{ .id = "max-pending-no-effect",
	  .severity = SEVERITY_WARNING,
	  .test = check_max_pending_no_effect,
	  .fix = FIX_DROP_MEMBER,
	  .fix_text = "Leave the limit out, or add an accelerated type." },
	{ .id = "max-pending-processing",
	  .severity = SEVERITY_WARNING,
	  .test = check_max_pending_processing,
	  .fix = FIX_DROP_MEMBER,
	  .fix_text = "Remove this member." },
	{ .id = "quota-tight",
	  .severity = SEVERITY_WARNING,
	  .test = check_quota_tight,
	  .fix = FIX_SET_COUNT },
	{ .id = "quota-unknown",
	  .severity = SEVERITY_WARNING,
	  .test = check_quota_unknown,
	  .fix_text = "See that the limit allows it; AWS decides." },
	{ .id = "plan-state",
	  .severity = SEVERITY_WARNING,
	  .test = check_plan_state,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plan, or bind another one." },
	{ .id = "plan-capacity",
	  .severity = SEVERITY_WARNING,
	  .test = check_plan_capacity,
	  .fix = FIX_DROP_PLAN,
	  .fix_text = "Drop the plan, or ask for fewer instances." },
	{ .id = "gpu-memory-drop",
	  .severity = SEVERITY_WARNING,
	  .test = check_gpu_memory_drop,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "accelerator-change",
	  .severity = SEVERITY_WARNING,
	  .test = check_accelerator_change,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "architecture-change",
	  .severity = SEVERITY_WARNING,
	  .test = check_architecture_change,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "efa-missing",
	  .severity = SEVERITY_WARNING,
	  .test = check_efa_missing,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "cpu-fallback",
	  .severity = SEVERITY_WARNING,
	  .test = check_cpu_fallback,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "compute-change",
	  .severity = SEVERITY_WARNING,
	  .test = check_compute_change,
	  .fix = FIX_SET_COUNT },
	{ .id = "kms-local-storage",
	  .severity = SEVERITY_WARNING,
	  .test = check_kms_local_storage,
	  .fix = FIX_DROP_MEMBER },
	{ .id = "volume-missing",
	  .severity = SEVERITY_WARNING,
	  .test = check_volume_missing,
	  .fix = FIX_SET_MEMBER },
	{ .id = "local-storage-drop",
	  .severity = SEVERITY_WARNING,
	  .test = check_local_storage_drop,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "image-mismatch",
	  .severity = SEVERITY_WARNING,
	  .test = check_image_mismatch,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "builtin-algorithm",
	  .severity = SEVERITY_WARNING,
	  .test = check_builtin_algorithm,
	  .fix = FIX_KEEP_FIRST,
	  .fix_text = "Keep the first entry, without a list, or see that it supports each type." },
	{ .id = "recipe-list",
	  .severity = SEVERITY_WARNING,
	  .test = check_recipe_list,
	  .fix = FIX_KEEP_FIRST,
	  .fix_text = "Keep the first entry, without a list." },
	{ .id = "spot-no-checkpoint",
	  .severity = SEVERITY_WARNING,
	  .test = check_spot_no_checkpoint,
	  .fix_text = "Add CheckpointConfig with an S3Uri, and write checkpoints there." },
	{ .id = "placeholder",
	  .severity = SEVERITY_WARNING,
	  .test = check_placeholder,
	  .fix_text = "Fill in the value." },
	{ .id = "cost-above",
	  .severity = SEVERITY_WARNING,
	  .test = check_cost_above,
	  .fix = FIX_REMOVE_ENTRY },
	{ .id = "not-certified",
	  .severity = SEVERITY_WARNING,
	  .test = check_not_certified,
	  .fix = FIX_REMOVE_ENTRY },
};

const char *check_cluster_path(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "ResourceConfig" : "ProcessingResources.ClusterConfig";
}

const char *check_name_member(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
}

static const struct rule *find_rule(const char *id)
{
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		if (strcmp(rules[i].id, id) == 0)
			return &rules[i];
	}
	return NULL;
}

/* Where a text that was cut at end still ends as whole UTF-8. */
static size_t whole_end(const char *text, size_t end)
{
	size_t lead = end;
	while (lead > 0 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
		lead--;
	if (lead == 0)
		return end;
	unsigned char first = (unsigned char)text[lead - 1];
	size_t needed = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
	return end - (lead - 1) < needed ? lead - 1 : end;
}

static void fill(char *field, size_t size, const char *format, va_list args) PRINTF_LIKE(3, 0);
static void fill(char *field, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(field, size, format, args);
	if (length < 0)
		field[0] = '\0';
	else if ((size_t)length >= size)
		field[whole_end(field, size - 1)] = '\0';
}

struct finding *findings_add(struct findings *findings, const char *rule_id, const char *path,
			     const char *format, ...)
{
	const struct rule *rule = find_rule(rule_id);
	if (!rule)
		return NULL;
	if (findings->count == FINDINGS_MAX) {
		findings->cut = true;
		return NULL;
	}
	struct finding *finding = &findings->items[findings->count++];
	*finding = (struct finding){ .rule = rule->id,
				     .severity = rule->severity,
				     .entry = CHECK_NO_ENTRY,
				     .fix = rule->fix };
	(void)snprintf(finding->path, sizeof(finding->path), "%s", path);
	if (rule->fix_text)
		(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "%s", rule->fix_text);
	va_list args;
	va_start(args, format);
	fill(finding->message, sizeof(finding->message), format, args);
	va_end(args);
	return finding;
}

/* The node at path, or of the nearest parent that is there: a missing member is shown at the
 * object that lacks it. */
static size_t nearest_node(const struct json_doc *doc, const char *path)
{
	char at[CHECK_PATH_SIZE];
	(void)snprintf(at, sizeof(at), "%s", path);
	for (;;) {
		size_t node = at[0] ? json_doc_path(doc, at) : 0;
		if (node != JSON_NONE)
			return node;
		size_t length = strlen(at);
		do
			length--;
		while (length > 0 && at[length] != '.' && at[length] != '[');
		at[length] = '\0';
	}
}

static void locate(struct findings *findings, const struct json_doc *doc)
{
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->items[i];
		if (finding->line > 0)
			continue;
		const struct json_node *node = &doc->nodes[nearest_node(doc, finding->path)];
		finding->line = node->line;
		finding->column = node->column;
	}
}

/* What is not checked is no verdict: it stands behind what is one. */
static void put_notes_last(struct findings *findings)
{
	size_t kept = 0, count = 0;
	struct finding *notes = mem_new(findings->count + 1, sizeof(*notes));
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].severity == SEVERITY_NOTE)
			notes[count++] = findings->items[i];
		else if (kept++ != i)
			findings->items[kept - 1] = findings->items[i];
	}
	memcpy(&findings->items[kept], notes, count * sizeof(*notes));
	free(notes);
}

void check_preferences(const struct check_input *input, struct findings *findings)
{
	findings->count = 0;
	findings->cut = false;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		if (rules[i].test)
			rules[i].test(input, findings);
	}
	if (input->doc && input->doc->count > 0)
		locate(findings, input->doc);
	put_notes_last(findings);
}

size_t check_rule_count(void)
{
	return ARRAY_LEN(rules);
}

const char *check_rule_id(size_t i)
{
	return rules[i].id;
}

bool findings_have_error(const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		if (findings->items[i].severity == SEVERITY_ERROR)
			return true;
	}
	return false;
}

const char *severity_word(enum severity severity)
{
	static const char *const words[] = {
		[SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_NOTE] = "note"
	};
	return words[severity];
}

/* The number that a list without clear counts most likely means. */
static int64_t likely_count(const struct preferences *prefs)
{
	if (prefs->has_shared_count)
		return prefs->shared_count;
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].has_count)
			return prefs->entries[i].count;
	}
	return 1;
}

static void spread_count(struct preferences *prefs)
{
	int64_t count = likely_count(prefs);
	for (size_t i = 0; i < prefs->length; i++) {
		struct preference *entry = &prefs->entries[i];
		if (!entry->has_count)
			entry->count = count;
		entry->has_count = true;
	}
	prefs->has_shared_count = false;
	prefs->shared_count = 0;
}

static void share_count(struct preferences *prefs)
{
	prefs->shared_count = likely_count(prefs);
	prefs->has_shared_count = true;
	for (size_t i = 0; i < prefs->length; i++) {
		prefs->entries[i].has_count = false;
		prefs->entries[i].count = 0;
	}
}

/* One entry of a list gets a count of its own, and so does each other; a type without a list has
 * no other place than beside it. */
static bool set_count(struct preferences *prefs, size_t at, const char *value)
{
	int64_t count = strtoll(value, NULL, 10);
	if (at != CHECK_NO_ENTRY && (prefs->is_list || prefs->entries[at].has_count)) {
		if (!prefs->entries[at].has_count)
			spread_count(prefs);
		prefs->entries[at].count = count;
		return true;
	}
	if (!prefs->has_shared_count)
		return false;
	prefs->shared_count = count;
	return true;
}

static bool keep_first(struct preferences *prefs)
{
	if (!prefs->is_list || prefs->length == 0)
		return false;
	prefs_keep_first(prefs);
	return true;
}

bool finding_apply(const struct finding *finding, struct preferences *prefs)
{
	size_t at = finding->entry;
	if (at != CHECK_NO_ENTRY && at >= prefs->length)
		return false;
	switch (finding->fix) {
	case FIX_REMOVE_ENTRY:
		return at != CHECK_NO_ENTRY && prefs_remove(prefs, at);
	case FIX_CUT_LIST:
		if (prefs->length <= PREFS_MAX)
			return false;
		prefs->length = PREFS_MAX;
		return true;
	case FIX_KEEP_FIRST:
		return keep_first(prefs);
	case FIX_SPREAD_COUNT:
		spread_count(prefs);
		return true;
	case FIX_SHARE_COUNT:
		share_count(prefs);
		return true;
	case FIX_DROP_PLAN:
		(at == CHECK_NO_ENTRY ? prefs->job_plan_arn : prefs->entries[at].plan_arn)[0] =
			'\0';
		return true;
	case FIX_SET_COUNT:
		return set_count(prefs, at, finding->fix_value);
	case FIX_SET_TYPE:
		return at != CHECK_NO_ENTRY && prefs_set_type(prefs, at, finding->fix_value);
	case FIX_NONE:
	case FIX_SET_NAME:
	case FIX_DROP_MEMBER:
	case FIX_SET_MEMBER:
	case FIX_DROP_SPOT:
		break;
	}
	return false;
}

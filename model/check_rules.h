/*
 * The tests behind the rules table of check.c: each looks for breaches of one rule and adds
 * findings under that rule's id. A file for each thing that they look at: the list (check_list.c),
 * plans, quotas, hardware, storage, image, region, the operator's own limits, the job around the
 * list, every member of the request (check_members.c) and every text in it.
 */
#ifndef GPUQ_CHECK_RULES_H
#define GPUQ_CHECK_RULES_H

#include "model/check.h"
#include "model/quota.h"

#define CHECK_PATH_SIZE         160
#define CHECK_LONG_PATH         "A member with a long name" /* whose path has no room */
#define CHECK_RUNTIME_DEFAULT_S 86400 /* of MaxRuntimeInSeconds: a day, API reference */

typedef void check_test(const struct check_input *input, struct findings *findings);

/* "ResourceConfig" or "ProcessingResources.ClusterConfig": where the list of a kind stands. */
const char *check_cluster_path(enum job_kind kind);
/* The member that carries the job's name. */
const char *check_name_member(enum job_kind kind);

/* What is known of a plan, or NULL. */
const struct plan_fact *check_find_plan(const struct check_input *input, const char *arn);

/* --- places (check_places.c) --- */

struct check_path {
	char text[CHECK_PATH_SIZE];
};

/* "ResourceConfig.InstanceType". */
struct check_path check_cluster_member(const struct check_input *input, const char *member);
/* Where entry i stands: in the list, in the instance groups, or as the one type of the job; a
 * member of it, or NULL. */
struct check_path check_entry_path(const struct check_input *input, size_t i, const char *member);
/* "#2: ", or nothing for a job without a list. */
struct check_path check_entry_label(const struct preferences *prefs, size_t i);

struct check_entry {
	size_t index;
	const char *member;
};
/* A finding about an entry; the message begins with its label. */
struct finding *check_add_to_entry(const struct check_input *input, struct findings *findings,
				   const char *rule, const struct check_entry *at,
				   const char *format, ...) PRINTF_LIKE(5, 6);

/* The functions below take the NULL of a finding that found no place. */

void check_set_fix(struct finding *finding, enum fix_kind fix, const char *value, const char *text);
/* What is not checked is a note, and has no fix. */
void check_make_note(struct finding *finding);
/* Line and column of a node of the document; of JSON_NONE: those that the path tells. */
void check_point_at(struct finding *finding, const struct json_doc *doc, size_t node);

/* Whether an entry can go: others stay. */
bool check_can_remove(const struct check_input *input);
/* The entry goes, "or ELSE"; where it is the only one, "ELSE" alone is said. */
void check_fix_remove(const struct check_input *input, struct finding *finding,
		      const char *else_do);
/* Another name, near to the request's; finding may be NULL. */
void check_fix_name(const struct check_input *input, struct finding *finding);
/* The entry of the finding asks for count. */
void check_fix_count(const struct check_input *input, struct finding *finding, int64_t count);

/* A member of the request is there and not null. */
bool check_is_present(const struct check_input *input, const char *path);

/* --- quotas (check_quota.c) --- */

enum quota_kind check_quota_kind(const struct check_input *input);
/* What is known of a quota, or NULL. */
const struct quota_fact *check_find_quota(const struct check_input *input, const char *type,
					  enum quota_kind kind);

/* --- the tests --- */

check_test check_list_length, check_duplicate_type, check_count_mixed, check_count_missing;
check_test check_exclusive_member, check_plan_processing, check_plan_level_mixed;
check_test check_plan_type_mismatch, check_plan_too_many, check_list_single;
check_test check_count_range, check_value_range, check_type_not_for_kind, check_unknown_type;

check_test check_required_member, check_value_pattern, check_unknown_member;
check_test check_read_only_member, check_name_invalid, check_spot_wait_missing;
check_test check_spot_no_checkpoint, check_max_pending_range, check_max_pending_no_effect;
check_test check_max_pending_processing, check_placeholder;
check_test check_plan_state, check_plan_capacity;
check_test check_quota_short, check_quota_tight, check_quota_unknown;
check_test check_name_taken, check_type_not_in_region;
check_test check_gpu_memory_drop, check_accelerator_change, check_architecture_change;
check_test check_efa_missing, check_cpu_fallback, check_compute_change, check_local_storage_drop;
check_test check_kms_local_storage, check_volume_missing;
check_test check_image_mismatch, check_builtin_algorithm, check_recipe_list;
check_test check_cost_above, check_not_certified;

/* Parts of required-member and of value-pattern: what is wrong with members side by side. */
check_test check_channel_groups, check_own_tags;
/* Parts of value-range: every member of the request, and the wait of spot against its run. */
check_test check_member_ranges, check_spot_wait;
/* The part of count-range that goes by the quota's published default. */
check_test check_count_over_default;

#endif

/*
 * The tests behind the rules table of check.c: each looks for breaches of one rule and adds
 * findings under that rule's id. check_list.c looks at the list, check_members.c at every member
 * of the request.
 */
#ifndef GPUQ_CHECK_RULES_H
#define GPUQ_CHECK_RULES_H

#include "model/check.h"

#define CHECK_PATH_SIZE 160

typedef void check_test(const struct check_input *input, struct findings *findings);

/* "ResourceConfig" or "ProcessingResources.ClusterConfig": where the list of a kind stands. */
const char *check_cluster_path(enum job_kind kind);
/* The member that carries the job's name. */
const char *check_name_member(enum job_kind kind);

/* What is known of a plan, or NULL. */
const struct plan_fact *check_find_plan(const struct check_input *input, const char *arn);

check_test check_list_length, check_duplicate_type, check_count_mixed, check_count_missing;
check_test check_exclusive_member, check_plan_processing, check_plan_level_mixed;
check_test check_plan_type_mismatch, check_plan_too_many, check_list_single;

check_test check_count_range, check_value_range, check_type_not_for_kind, check_unknown_type;

check_test check_name_invalid, check_read_only_member, check_required_member, check_value_pattern;
check_test check_spot_wait_missing, check_unknown_member;
check_test check_plan_state, check_plan_capacity; /* check_plans.c */
check_test check_max_pending_range, check_max_pending_no_effect, check_max_pending_processing;

/* The part of value-range that looks at every member of the request (check_members.c). */
check_test check_member_ranges;

#endif

/*
 * Which test holds which of the cases in ../shared/cases: a table, and whether it is true. Each
 * case has a row; a row's test is there, is run, and names its case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/io.h"
#include "tests/rulerows.h"

#define SOURCE_MAX (256u << 10)
#define CASE_MAX   200

/* A case of a rule: the test goes through the rows of tests/rulerows.c, of which one has its
 * number. */
static const struct {
	unsigned number;
	const char *source, *test, *rule, *what; /* rule NULL: the test itself names the case */
} rows[] = {
	{ 1, "e2e/cases_describe", "case_001__completed__stays_as_it_is", NULL,
	  "a pool that another job took over ends nothing anew" },
	{ 3, "e2e/cases_describe", "case_003__stopping__is_no_pending_job", NULL,
	  "Stopping while it starts costs nothing" },
	{ 5, "e2e/cases_describe", "case_005__pool__is_not_reported_and_asked_for", NULL,
	  "a pool's state is not made up" },
	{ 7, "e2e/cases_describe", "case_007__processing__waits_without_a_reason", NULL,
	  "no start time is a wait, never negative" },
	{ 8, "e2e/cases_describe", "case_008__selection__is_pending_and_then_the_second", NULL,
	  "cost by the selected type and count" },
	{ 10, "e2e/cases_describe", "case_010__traceback__is_one_row_and_many_lines", NULL,
	  "a reason of many lines breaks no row" },
	{ 10, "unit/test_cases_triage", "case_010__reason_of_many_lines__is_one_row_of_evidence",
	  NULL, "in the evidence too" },
	{ 11, "e2e/cases_describe", "case_011__lone_quote__is_escaped_and_left_alone", NULL,
	  "a reason is opaque text" },
	{ 11, "unit/test_cases_triage", "case_011__lone_quote__is_escaped_in_json_and_csv", NULL,
	  "in the evidence too" },
	{ 13, "e2e/cases_errors", "case_013__exit_code__has_a_remark_of_gpuqs", NULL,
	  "128 + a signal, marked as a remark" },
	{ 13, "unit/test_cases_triage", "case_013__exit_code__is_a_remark_beside_the_reason", NULL,
	  "in the evidence too" },
	{ 14, "e2e/cases_errors", "case_014__python__is_named_with_its_place", NULL,
	  "Python's dict is no JSON" },
	{ 16, "e2e/cases_describe", "case_016__spot__waits_more_than_once", NULL,
	  "a wait is the sum of its stretches" },
	{ 17, "e2e/cases_describe", "case_017__ordinary_reply__is_read_whole", NULL,
	  "wait 42 s, billable 125 s" },
	{ 19, "e2e/cases_describe", "case_019__times__are_told_by_their_form", NULL,
	  "ms, s and ISO are told apart" },
	{ 20, "unit/test_request_read", "cases__of_strange_documents__are_recognised", NULL,
	  "line and column of the first #" },
	{ 20, "e2e/drafts", "file__is_a_draft__or_is_named_with_its_fault", NULL,
	  "nothing comes of it, the file stays" },
	{ 22, "unit/test_request_read", "cases__of_requests__have_the_findings_that_they_should",
	  NULL, "every bad path at once" },
	{ 24, "unit/test_request_read", "cases__of_requests__have_the_findings_that_they_should",
	  NULL, "accepted as it is" },
	{ 24, "unit/test_draft", "case_024__keeps_each_other_byte__when_its_list_is_edited", NULL,
	  "what is not edited stays" },
	{ 26, "unit/test_request_read", "cases__of_requests__have_the_findings_that_they_should",
	  NULL, "a warning for the entry, no error" },
	{ 26, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "image-mismatch", "image and type" },
	{ 27, "unit/test_request_read", "cases__of_strange_documents__are_recognised", NULL,
	  "a state machine is called one" },
	{ 29, "unit/test_request_read", "cases__of_strange_documents__are_recognised", NULL,
	  "a manifest is called one" },
	{ 29, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "name-invalid", "its name is an error" },
	{ 30, "unit/test_draft", "case_030__keeps_its_count_once__beside_a_list", NULL,
	  "the list goes into ClusterConfig" },
	{ 30, "e2e/check", "check__makes_no_call__and_dry_run_neither", NULL,
	  "a dry run makes no call" },
	{ 31, "unit/test_request_read", "case_031__accepts_four_lists__and_names_the_rule_of_eight",
	  NULL, "4 accepted, 8 refused" },
	{ 31, "unit/test_preferences", "toggle__moves_the_number_in_one_step__both_ways", NULL,
	  "no half-way state of the counts" },
	{ 33, "unit/test_request_read", "cases__of_requests__have_the_findings_that_they_should",
	  NULL, "the odd entry is pointed out" },
	{ 33, "unit/test_price_stakes", "stakes__go_from_the_cheapest_to_the_dearest_entry", NULL,
	  "the dearest entry for 24 h" },
	{ 34, "unit/test_request_read", "cases__of_requests__have_the_findings_that_they_should",
	  NULL, "blanks are refused with their place" },
	{ 34, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "unknown-type", "an unknown type has near ones" },
	{ 34, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "cpu-fallback", "a CPU type behind GPUs" },
	{ 36, "unit/test_refusal", "case_texts__are_told_whole__and_offer_nothing", NULL,
	  "the allowed set as it is given" },
	{ 36, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "recipe-list", "recipes take no list" },
	{ 37, "unit/test_quota_refusal", "parse__reads_every_line__of_the_case", NULL,
	  "both wordings" },
	{ 37, "unit/test_cases_triage", "case_037__quota__is_no_want_of_capacity_in_both_wordings",
	  NULL, "explained as a quota; no step waits" },
	{ 39, "unit/test_submitter", "submit__makes_one_job__however_answers_are_lost", NULL,
	  "a look before the same name again" },
	{ 39, "unit/test_submitter", "submit__is_not_created__when_it_was_throttled_to_the_end",
	  NULL, "the pause is said" },
	{ 41, "e2e/cases_errors", "case_041__capacity_error__is_no_fault_of_the_code", NULL,
	  "by its prefix; a longer list is offered" },
	{ 41, "unit/test_cases_triage",
	  "case_041__capacity_error__is_capacity_and_a_longer_list_is_offered", NULL,
	  "explained as capacity, by its prefix" },
	{ 43, "unit/test_refusal", "case_043__type_of_an_earlier_try__is_pointed_out", NULL,
	  "zone ids stay; another type than asked for" },
	{ 43, "unit/test_cases_triage", "case_043__zone_ids_stay__and_an_old_type_is_pointed_out",
	  NULL, "in the evidence too" },
	{ 44, "unit/test_refusal", "case_044__set_of_33__is_three_names", NULL,
	  "folded, the nearest first" },
	{ 46, "e2e/cases_errors", "case_046__groups__get_no_invented_members", NULL,
	  "what was left out stays out" },
	{ 46, "unit/test_request_copy", "emptiness__goes_where_create_wants_none_of_it", NULL,
	  "nor does a copy invent it" },
	{ 47, "unit/test_request_copy", "unknown_members__survive_byte_for_byte", NULL,
	  "the groups of channels stay" },
	{ 47, "unit/test_refusal", "case_texts__are_told_whole__and_offer_nothing", NULL,
	  "both sets are shown" },
	{ 48, "unit/test_submitter", "submit__tells_whose_the_name_is__where_it_is_taken", NULL,
	  "compared before it is said" },
	{ 48, "unit/test_views_first", "taken_name__leads_to_its_job__and_nothing_is_sent", NULL,
	  "its job is a key away" },
	{ 49, "e2e/cases_access", "case_049__explicit_deny__is_named_and_hides_nothing", NULL,
	  "permanent; what may be read is read" },
	{ 51, "e2e/cases_access", "case_051__clock_behind__is_said_in_words_and_corrected", NULL,
	  "skew stated and corrected" },
	{ 53, "e2e/cases_access", "case_053__equal_stamps__are_no_wrong_clock", NULL,
	  "each try is signed anew" },
	{ 54, "e2e/cases_access", "case_054__sso_expired__says_who_when_and_how", NULL,
	  "data stays, marked stale" },
	{ 57, "unit/test_stop", "case_057__texts_of_what_is_over__are_no_error", NULL,
	  "the three texts" },
	{ 57, "unit/test_stopper", "stop__is_not_sent__for_what_is_over_or_gone", NULL,
	  "no stop for what is over" },
	{ 57, "e2e/stops", "stop__tells_of_each__and_is_1_for_an_unknown_job", NULL,
	  "by the command" },
	{ 58, "e2e/cases_errors", "case_058__lists__are_not_known_everywhere", NULL,
	  "explained; both texts" },
	{ 58, "unit/test_views_first", "first_type__is_asked_about__and_sent_after_a_yes", NULL,
	  "only after asking" },
	{ 59, "unit/test_refusal", "case_texts__are_told_whole__and_offer_nothing", NULL,
	  "nothing is read into None" },
	{ 59, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "required-member", "an empty type is none" },
	{ 60, "unit/test_job_wait", "never_started__needs_no_start_and_no_bill__when_ended", NULL,
	  "never got a machine" },
	{ 60, "unit/test_cases_triage",
	  "case_060__never_started__is_apart_from_stopped_while_it_ran", NULL,
	  "its words, and the earlier tries" },
	{ 61, "e2e/cases_errors", "case_061__throttled_lists__are_asked_slowly_and_again", NULL,
	  "slower, and again" },
	{ 63, "unit/test_views_drafts", "submission__is_a_row__under_way_and_refused", NULL,
	  "refused is not failed" },
	{ 63, "e2e/drafts", "submission__is_no_job__before_aws_says_so", NULL,
	  "it may be tried again after a restart" },
	{ 64, "unit/test_views_queue", "case_064__stopped__says_why_from_its_secondary_status",
	  NULL, "Stopped is an end" },
	{ 64, "unit/test_cases_triage",
	  "case_064__end_by_a_limit__is_told_from_the_secondary_status", NULL,
	  "each end has its class" },
	{ 66, "unit/test_check_rules", "rule__is_found_in_a_bad_request__and_not_in_one_nearby",
	  "spot-no-checkpoint", "spot without checkpoints" },
	{ 66, "unit/test_stuck", "wait_of_six_hours__is_stuck__or_of_stuck_after", NULL,
	  "an hour of waiting is not stuck" },
	{ 67, "unit/test_price_stakes", "case_067__money__is_another_time_on_each_type", NULL,
	  "the hours that a budget buys" },
	{ 67, "unit/test_views_prospect", "case_067__the_limit__costs_something_else_on_each_entry",
	  NULL, "the cost at the limit of each entry" },
	{ 68, "unit/test_views_submission", "plan__that_is_lost__is_shouted", NULL,
	  "lost members before the question" },
	{ 68, "unit/test_views_queue", "case_068__plan_or_none__stands_in_each_entry", NULL,
	  "plan or on-demand is always said" },
	{ 68, "unit/test_plan", "plan_state__notes_an_idle_plan__of_an_entry_on_demand", NULL,
	  "a plan that stands idle" },
	{ 70, "unit/test_views_drafts", "submission__is_a_row__under_way_and_refused", NULL,
	  "sent is no job" },
	{ 70, "e2e/drafts", "submission__is_no_job__before_aws_says_so", NULL,
	  "no row without the service's word" },
	{ 72, "unit/test_quota", "count__may_exceed_the_limit__while_jobs_drain", NULL,
	  "21 of 20" },
	{ 72, "unit/test_check_known", "case_072__use_above_the_limit__is_a_doubt_alone", NULL,
	  "for check" },
	{ 72, "e2e/submit", "quota_that_is_tight__is_told__and_the_request_sent", NULL,
	  "for submit, while it stops" },
	{ 72, "unit/test_requeue_order", "order__goes_by_the_room__for_both_jobs", NULL,
	  "for requeue" },
	{ 72, "unit/test_requeue", "step__follows_from_each_fact__as_the_issue_has_it", NULL,
	  "the END state is waited for" },
	{ 72, "e2e/quotas", "quotas__counts_what_stops__until_it_has_ended", NULL, "in the view" },
	{ 72, "unit/test_views_quotas",
	  "quotas__show_limit_use_and_holders__of_the_row_at_the_cursor", NULL, "when it frees" },
	{ 72, "unit/test_cases_triage",
	  "case_072__stopping__offers_nothing_as_if_the_slot_were_free", NULL,
	  "no step sends another at once" },
	{ 73, "unit/test_quota", "count__names_every_holder__stopping_and_warm_pools_too", NULL,
	  "oldest first, pools too" },
	{ 73, "unit/test_check_known", "case_072__use_above_the_limit__is_a_doubt_alone", NULL,
	  "five run, three stop" },
	{ 73, "unit/test_requeue_order", "order__goes_by_the_room__for_both_jobs", NULL,
	  "no room beside them" },
	{ 73, "e2e/quotas", "quotas__counts_what_stops__until_it_has_ended", NULL,
	  "the holder by its name" },
	{ 73, "unit/test_views_quotas",
	  "quotas__show_limit_use_and_holders__of_the_row_at_the_cursor", NULL,
	  "the holders by age" },
	{ 75, "unit/test_job_wait", "never_started__needs_no_start_and_no_bill__when_ended", NULL,
	  "CapacityError never started" },
	{ 75, "unit/test_cases_triage",
	  "case_075__two_signs_are_capacity__and_tries_of_one_work_count_together", NULL,
	  "two signs; waits of one stem together" },
	{ 76, "unit/test_submitter", "submit__makes_one_job__however_answers_are_lost", NULL,
	  "looked up by its name" },
	{ 76, "e2e/kills", "submit__makes_one_job__wherever_it_is_killed", NULL,
	  "and after a kill" },
	{ 78, "unit/test_request_read",
	  "case_078__limit_of_the_guide__is_warned_of_and_not_refused", NULL, "for check" },
	{ 78, "e2e/check", "doubts__are_no_refusal", NULL, "for submit, which sends it" },
	{ 78, "e2e/requeues", "requeue__dry_run__shows_the_request_and_the_order", NULL,
	  "for requeue" },
	{ 79, "unit/test_job_wait", "deadline__is_unset_once_passed__when_the_list_has_a_plan",
	  NULL, "no time that has passed" },
	{ 79, "unit/test_views_queue", "case_079__wait_beyond_the_limit__is_no_alarm_with_a_plan",
	  NULL, "no alarm" },
	{ 79, "unit/test_views_queue", "case_079__limit__is_one_for_the_whole_list", NULL,
	  "one limit" },
	{ 79, "unit/test_stuck", "limit__counts_open_windows_alone__of_a_plan", NULL,
	  "no mark, and what AWS counts" },
	{ 79, "unit/test_cases_triage", "case_079__plan_backed_wait__is_not_overdue", NULL,
	  "explained by the plan" },
	{ 80, "unit/test_check_known", "quota__is_compared__for_each_entry", NULL,
	  "quota of each entry" },
	{ 80, "unit/test_quota_refusal", "entry__is_the_one_of_that_type", NULL,
	  "the refused one is marked" },
	{ 82, "unit/test_check_known", "pool__has_no_effect__with_a_quota_of_nought", NULL,
	  "0 keeps nothing" },
	{ 82, "unit/test_views_quotas",
	  "editor__says_that_nothing_is_kept_alive__without_a_quota_for_it", NULL,
	  "in the editor" },
	{ 83, "unit/test_check_known", "kind__of_the_quota__is_that_of_the_request", NULL,
	  "spot, processing, training" },
	{ 83, "unit/test_views_quotas", "quotas__are_of_the_kind__that_the_request_runs_into", NULL,
	  "with the time of reading" },
	{ 83, "unit/test_cases_triage", "case_083__quota__is_of_the_kind_of_the_request", NULL,
	  "beside each entry, with its time" },
	{ 85, "e2e/cases_errors", "case_085__messages__decide_nothing", NULL,
	  "class by status alone" },
	{ 85, "unit/test_cases_triage", "case_085__messages__are_hints_and_decide_nothing", NULL,
	  "explained by status alone" },
	{ 86, "e2e/cases_errors", "case_086__unknown_words__are_active", NULL,
	  "visible and stoppable" },
	{ 86, "unit/test_cases_triage", "case_086__unknown_word__is_unknown_and_not_an_end", NULL,
	  "explained as unknown" },
	{ 88, "unit/test_views_prospect", "case_088__the_usual_wait__stands_beside_a_long_one",
	  NULL, "usual waits of the type, no promise" },
	{ 88, "unit/test_cases_triage", "case_088__usual_wait__is_told_from_ten_starts_on", NULL,
	  "none of three starts" },
	{ 89, "e2e/cases_files", "case_089__comments__stand_anywhere_and_damage_is_local", NULL,
	  "comments between keys" },
	{ 90, "e2e/cases_files", "case_090__profile__that_only_points_to_a_session", NULL,
	  "sso_session is followed" },
	{ 92, "e2e/cases_files", "case_092__hash__stays_in_the_url", NULL, "a trailing # stays" },
	{ 93, "e2e/cases_files", "case_093__odd_names__are_found_and_odd_keys_ignored", NULL,
	  "a slash in a name" },
	{ 95, "e2e/cases_files", "case_095__carriage_returns__are_no_part_of_a_key", NULL, "CRLF" },
	{ 97, "e2e/cases_files", "case_097__utf16__is_named_and_a_bom_skipped", NULL,
	  "UTF-16 and a BOM" },
	{ 98, "e2e/cases_files", "case_098__command__is_cut_as_by_a_shell", NULL,
	  "quotes without a shell" },
	{ 100, "e2e/cases_files", "case_100__missing_prefix__is_explained", NULL,
	  "[custom_role] without profile" },
	{ 101, "e2e/cases_files", "case_101__circle__is_printed_and_ends_there", NULL,
	  "the chain is printed" },
	{ 103, "e2e/cases_files", "case_103__services__are_no_profiles_but_endpoints", NULL,
	  "nested endpoints" },
	{ 104, "e2e/cases_files", "case_104__missing_services__are_an_error_until_they_come", NULL,
	  "no fallback" },
	{ 106, "e2e/cases_files", "case_106__damage__stays_where_it_is", NULL,
	  "no crash, binary refused" },
	{ 107, "e2e/cases_files", "case_107__blanks_links_and_tildes__are_followed", NULL,
	  "a home with a blank" },
	{ 108, "unit/test_views_home", "screen__says_too_small_and_takes_no_key__below_20x5", NULL,
	  "the word, and no key acts" },
	{ 108, "e2e/cases_terminal", "case_108__narrow_window__draws_what_fits_and_goes_on", NULL,
	  "it goes on, and back" },
	{ 110, "e2e/terminal", "size__is_the_windows__whatever_the_environment_says", NULL,
	  "the window's size wins" },
	{ 110, "e2e/cases_terminal", "case_110__size_of_the_window__beats_the_environment", NULL,
	  "for the program" },
	{ 111, "e2e/terminal", "term__may_be_any__known_or_not", NULL, "it falls back" },
	{ 111, "e2e/cases_terminal", "case_111__unknown_term__starts_with_a_notice", NULL,
	  "a notice; a list where there is no screen" },
	{ 112, "e2e/terminal", "locale__c__gets_ascii_frames", NULL, "ASCII frames" },
	{ 112, "e2e/cases_terminal", "case_112__locale_c__is_ascii_unless_utf8_is_asked_for", NULL,
	  "and a switch" },
	{ 114, "unit/test_sanitise", "sanitise__keeps_columns_aligned__for_case_114", NULL,
	  "columns stay aligned" },
	{ 114, "unit/test_draw", "text__keeps_its_columns__with_doubtful_widths", NULL,
	  "on the surface" },
	{ 116, "unit/test_input", "esc__acts__after_25_ms", NULL, "25 ms" },
	{ 116, "unit/test_views_keys", "esc__is_never_the_only_way_out__in_any_table", NULL,
	  "a second way out" },
	{ 116, "e2e/cases_terminal", "case_116__esc__leaves_a_prompt_at_once", NULL,
	  "for the program" },
	{ 118, "e2e/terminal", "hang_up__ends_the_program__with_and_without_the_signal", NULL,
	  "within a second" },
	{ 118, "e2e/cases_terminal", "case_118__lost_terminal__ends_it_without_a_signal_too", NULL,
	  "behind a shell that ignores it" },
	{ 119, "e2e/terminal", "hang_up__ends_the_program__with_and_without_the_signal", NULL,
	  "nothing is read again and again" },
	{ 119, "e2e/terminal", "reader__that_stops__stops_the_picture_alone", NULL,
	  "no core is busy while nobody reads" },
	{ 120, "e2e/hours", "hours__leave_no_trace__and_hide_no_job", NULL, "memory stays flat" },
	{ 121, "e2e/cases_errors", "case_121__clock_set_back__stops_nothing", NULL,
	  "timers are monotonic" },
	{ 123, "e2e/cases_errors", "case_123__wait__is_right_after_a_suspend", NULL,
	  "a wait across a suspend" },
	{ 124, "unit/test_draw", "style__uses_attributes_alone__without_colours", NULL,
	  "attributes alone" },
	{ 124, "e2e/cases_terminal", "case_124__states__are_words_without_colours", NULL,
	  "a word for each state" },
	{ 127, "unit/test_sanitise", "sanitise__lets_nothing_through__for_case_127", NULL,
	  "marks for controls" },
	{ 127, "e2e/cases_terminal", "case_127__foreign_text__reaches_the_terminal_harmless", NULL,
	  "on each page, and in exports" },
	{ 128, "e2e/cases_terminal", "case_128__refresh__changes_cells_and_erases_nothing", NULL,
	  "no erase; 256 colours" },
	{ 129, "e2e/terminal", "reader__that_comes_back__sees_the_newest_frame", NULL,
	  "the newest frame alone" },
	{ 129, "e2e/cases_terminal", "case_128__refresh__changes_cells_and_erases_nothing", NULL,
	  "a refresh is under a screenful" },
	{ 129, "e2e/cases_terminal", "case_129__idle_screen__writes_under_100_bytes_a_second", NULL,
	  "idle" },
};

static bool has_row(unsigned number)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].number == number)
			return true;
	return false;
}

/* The number as three digits of its own, from one place to another. */
static bool names(const char *from, const char *to, unsigned number)
{
	char digits[8];
	(void)snprintf(digits, sizeof(digits), "%03u", number);
	for (const char *at = from; (at = strstr(at, digits)) != NULL && at < to; at++)
		if (!isdigit((unsigned char)at[-1]) && !isdigit((unsigned char)at[3]))
			return true;
	return false;
}

/* Where the comment right above a line begins; the line itself if there is none. */
static const char *with_comment(const char *text, const char *line)
{
	static const char end[] = "*/\n";
	if (line < text + strlen(end) || strncmp(line - strlen(end), end, strlen(end)) != 0)
		return line;
	for (const char *at = line - strlen(end); at > text; at--)
		if (at[-1] == '\n' && strncmp(at, "/*", 2) == 0)
			return at;
	return line;
}

/* The function is there with its end, and once more: in the list of what is run. */
static bool find_test(const char *text, const char *test, const char **from, const char **to)
{
	char head[160];
	(void)snprintf(head, sizeof(head), "\nstatic void %s(void **", test);
	const char *at = strstr(text, head);
	const char *end = at ? strstr(at, "\n}\n") : NULL;
	if (!end || !strstr(end, test))
		return false;
	*from = with_comment(text, at + 1);
	*to = end;
	return true;
}

static bool has_rule_row(const char *rule, unsigned number)
{
	for (size_t i = 0; i < rule_row_count; i++)
		if (strcmp(rule_rows[i].rule, rule) == 0 &&
		    strtoul(rule_rows[i].number, NULL, 10) == number)
			return true;
	return false;
}

static void row__names_a_test__that_names_its_case(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char path[128];
		const char *from = NULL, *to = NULL;
		struct buf text;
		struct err err = { 0 };
		(void)snprintf(path, sizeof(path), "tests/%s.c", rows[i].source);
		buf_init(&text, SOURCE_MAX);
		if (!io_read_file(path, &text, &err))
			fail_msg("%s: %s", path, err_text(&err));
		if (!find_test(buf_text(&text), rows[i].test, &from, &to))
			fail_msg("%s has no test %s", path, rows[i].test);
		if (rows[i].rule ? !has_rule_row(rows[i].rule, rows[i].number)
				 : !names(from, to, rows[i].number))
			fail_msg("%s: %s does not name case %03u", path, rows[i].test,
				 rows[i].number);
		assert_true(rows[i].what[0]);
		buf_release(&text);
	}
}

/* In the order of their numbers, and none twice with the same test. */
static void rows__stand_in_order(void **state)
{
	(void)state;
	for (size_t i = 1; i < ARRAY_LEN(rows); i++) {
		assert_true(rows[i - 1].number <= rows[i].number);
		if (rows[i - 1].number == rows[i].number && !rows[i].rule)
			assert_string_not_equal(rows[i - 1].test, rows[i].test);
	}
}

static void case__has_a_row__if_its_folder_is_there(void **state)
{
	const char *shared = getenv("GPUQ_SHARED");
	char path[4096];
	unsigned all = 0, named = 0;
	(void)state;
	(void)snprintf(path, sizeof(path), "%s/cases", shared ? shared : "../shared");
	DIR *folder = opendir(path);
	if (!folder) {
		printf("skipped: %s is not present\n", path);
		return;
	}
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		char *end;
		unsigned long number = strtoul(entry->d_name, &end, 10);
		if (end != entry->d_name + 3 || *end != '-' || number > CASE_MAX)
			continue;
		all++;
		if (has_row((unsigned)number))
			named++;
		else
			print_error("%s has no row\n", entry->d_name);
	}
	closedir(folder);
	printf("cases: %u of %u named\n", named, all);
	assert_true(all > 0);
	assert_int_equal(named, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(row__names_a_test__that_names_its_case),
		cmocka_unit_test(rows__stand_in_order),
		cmocka_unit_test(case__has_a_row__if_its_folder_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

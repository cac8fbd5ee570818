/*
 * Every rule of check: a request that triggers it and one nearby that does not; what a key makes of
 * the finding; and which case of an operator stands behind it.
 */
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
#include "model/fix_words.h"
#include "model/request.h"
#include "tests/rulerows.h"
#include "tests/shared.h"

/* The promise of interface.md, by severity. */
static const char *const errors[] = {
	"list-length",        "duplicate-type",   "count-mixed",     "count-missing",
	"exclusive-member",   "read-only-member", "plan-processing", "plan-level-mixed",
	"plan-type-mismatch", "plan-too-many",    "name-invalid",    "name-taken",
	"required-member",    "value-pattern",    "value-range",     "type-not-for-kind",
	"spot-wait-missing",  "quota-short",      "not-json",        "not-a-request",
};
static const char *const warnings[] = {
	"list-single",
	"count-range",
	"unknown-type",
	"type-not-in-region",
	"unknown-member",
	"max-pending-range",
	"max-pending-no-effect",
	"max-pending-processing",
	"quota-tight",
	"quota-unknown",
	"plan-state",
	"plan-capacity",
	"gpu-memory-drop",
	"accelerator-change",
	"architecture-change",
	"efa-missing",
	"cpu-fallback",
	"compute-change",
	"kms-local-storage",
	"volume-missing",
	"local-storage-drop",
	"image-mismatch",
	"builtin-algorithm",
	"recipe-list",
	"spot-no-checkpoint",
	"placeholder",
	"cost-above",
	"not-certified",
};

static bool is_among(const char *const *ids, size_t count, const char *id)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	return false;
}

/* Reads and checks; the request stays in out where it is one. */
static void check_text(const char *text, const struct check_known *known, struct request *out,
		       struct findings *findings)
{
	struct err err = { 0 };
	if (request_read(out, text, strlen(text), "job.json", NULL, findings, &err))
		assert_true(request_check(out, known, findings, &err));
	err_clear(&err);
}

static const struct finding *find(const struct findings *findings, const char *rule)
{
	for (size_t i = 0; i < findings->count; i++)
		if (strcmp(findings->items[i].rule, rule) == 0)
			return &findings->items[i];
	return NULL;
}

static size_t count_errors(const struct findings *findings)
{
	size_t count = 0;
	for (size_t i = 0; i < findings->count; i++)
		count += findings->items[i].severity == SEVERITY_ERROR;
	return count;
}

static void rules__have_a_row_each__and_the_severity_that_was_promised(void **state)
{
	(void)state;
	assert_int_equal(check_rule_count(), ARRAY_LEN(errors) + ARRAY_LEN(warnings));
	for (size_t i = 0; i < check_rule_count(); i++) {
		const char *id = check_rule_id(i);
		size_t at = 0;
		while (at < rule_row_count && strcmp(rule_rows[at].rule, id) != 0)
			at++;
		if (at == rule_row_count)
			fail_msg("no request triggers %s", id);
		/* Errors first: they are the ones that must not be cut off. */
		assert_int_equal(is_among(errors, ARRAY_LEN(errors), id), i < ARRAY_LEN(errors));
		assert_true(is_among(errors, ARRAY_LEN(errors), id) ||
			    is_among(warnings, ARRAY_LEN(warnings), id));
	}
}

static void assert_triggered(const struct rule_row *row, struct findings *findings)
{
	struct request request = { 0 };
	bool error = is_among(errors, ARRAY_LEN(errors), row->rule);
	check_text(row->bad, row->known, &request, findings);
	const struct finding *found = find(findings, row->rule);
	if (!found)
		fail_msg("%s is not found in %s", row->rule, row->bad);
	else {
		assert_int_equal(found->severity, error ? SEVERITY_ERROR : SEVERITY_WARNING);
		if (found->fix != row->fix)
			fail_msg("%s has the fix %d in %s", row->rule, found->fix, row->bad);
		assert_true(found->message[0] && found->fix_text[0]);
		assert_true(found->line > 0 && found->column > 0);
		assert_int_equal(found->message[strlen(found->message) - 1], '.');
		assert_int_equal(found->fix_text[strlen(found->fix_text) - 1], '.');
	}
	request_release(&request);
}

static void rule__is_found_in_a_bad_request__and_not_in_one_nearby(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	const char *good = NULL;
	(void)state;
	for (size_t i = 0; i < rule_row_count; i++) {
		const struct rule_row *row = &rule_rows[i];
		struct request request = { 0 };
		struct check_known known = *row->known;
		assert_triggered(row, findings);
		good = row->good ? row->good : good;
		if (known.name == NAME_TAKEN)
			known.name = NAME_FREE;
		check_text(good, &known, &request, findings);
		if (find(findings, row->rule))
			fail_msg("%s is found in %s", row->rule, good);
		request_release(&request);
	}
	free(findings);
}

/* The same finding, at the same place, is no longer there. */
static bool is_gone(const struct finding *fixed, const struct findings *after)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct finding *left = &after->items[i];
		if (strcmp(left->rule, fixed->rule) == 0 && strcmp(left->path, fixed->path) == 0 &&
		    strcmp(left->message, fixed->message) == 0)
			return false;
	}
	return true;
}

static void assert_fixed(const struct rule_row *row, struct findings *findings)
{
	struct request request = { 0 };
	struct check_known known = *row->known;
	struct err err = { 0 };
	check_text(row->bad, &known, &request, findings);
	size_t before = count_errors(findings);
	struct finding finding = *find(findings, row->rule);
	struct buf words;
	buf_init(&words, 200);
	fix_words_add(&words, &finding);
	if (words.len == 0)
		fail_msg("%s: nobody says what its fix does", row->rule);
	buf_release(&words);
	if (known.name == NAME_TAKEN)
		known.name = NAME_FREE;
	if (!request_apply_fix(&request, &finding, &err))
		fail_msg("%s: %s", row->rule, err_text(&err));
	assert_true(request_check(&request, &known, findings, &err));
	if (!is_gone(&finding, findings))
		fail_msg("%s is still there: %s", row->rule, request.text);
	bool was_error = finding.severity == SEVERITY_ERROR;
	if (count_errors(findings) > before - was_error)
		fail_msg("%s: a new error: %s", row->rule, request.text);
	request_release(&request);
}

static void fix__makes_its_finding_go__and_brings_no_error(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	(void)state;
	for (size_t i = 0; i < rule_row_count; i++)
		if (rule_rows[i].fix != FIX_NONE)
			assert_fixed(&rule_rows[i], findings);
	free(findings);
}

/* The cases of the table are those that the index knows. */
static void case__of_each_row__is_one_that_exists(void **state)
{
	size_t len;
	char *index = shared_read("cases/INDEX.md", &len);
	(void)state;
	for (size_t i = 0; index && i < rule_row_count; i++)
		if (!strstr(index, rule_rows[i].number))
			fail_msg("no case %s (%s)", rule_rows[i].number, rule_rows[i].rule);
	free(index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules__have_a_row_each__and_the_severity_that_was_promised),
		cmocka_unit_test(rule__is_found_in_a_bad_request__and_not_in_one_nearby),
		cmocka_unit_test(fix__makes_its_finding_go__and_brings_no_error),
		cmocka_unit_test(case__of_each_row__is_one_that_exists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

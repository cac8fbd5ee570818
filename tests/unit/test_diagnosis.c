/* The rows of a diagnosis: their order, what an error becomes, the terminal's and the config's, and
 * the exit status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/diagnosis.h"

static void rows__stand_in_the_order_of_parts__and_as_they_came_within_one(void **state)
{
	static const char *const wanted[] = { "t", "r1", "r2", "p1", "p2" };
	struct diagnosis diagnosis = { 0 };
	(void)state;
	diagnosis_add(&diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_OK, "", "p1");
	diagnosis_add(&diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_OK, "", "r1");
	diagnosis_add(&diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_OK, "", "p2");
	diagnosis_add(&diagnosis, DIAGNOSIS_TERMINAL, DIAGNOSIS_OK, "", "t");
	diagnosis_add(&diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_OK, "", "r%d", 2);
	assert_int_equal(diagnosis.count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_string_equal(diagnosis.rows[i].text, wanted[i]);
	diagnosis_release(&diagnosis);
	diagnosis_release(&diagnosis);
	diagnosis_release(NULL);
}

static void denial__is_one_line__that_does_not_repeat_the_subject(void **state)
{
	struct diagnosis diagnosis = { 0 };
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_DENIED,
		"sagemaker:Search is explicitly denied\nprincipal: me\n"
		"resource: *\n");
	err_subject(&err, "Search in us-east-1");
	memcpy(err.aws_code, "AccessDeniedException", sizeof("AccessDeniedException"));
	memcpy(err.request_id, "id-1", sizeof("id-1"));
	err.hint = HINT_EXPLICIT_DENY;
	struct diagnosis_row *row = diagnosis_add_err(&diagnosis, DIAGNOSIS_PERMISSION,
						      DIAGNOSIS_WARNING, "sagemaker:Search", &err);
	assert_string_equal(row->text, "explicitly denied; principal: me; resource: * "
				       "(AccessDeniedException, request id-1)");
	assert_string_equal(row->fix,
			    "More permissions do not lift that: ask who keeps the policies.");
	assert_int_equal(row->code, ERR_DENIED);
	diagnosis_say_more(row, "; %s", "and more");
	assert_non_null(strstr(row->text, "id-1); and more"));
	diagnosis_add_fix(row, "");
	diagnosis_add_fix(row, "Also.");
	assert_non_null(strstr(row->fix, "policies. Also."));
	err_clear(&err);
	diagnosis_release(&diagnosis);
}

/* Where the subject says it already, what the error is about is not said again; else it is. */
static void errs_subject__is_said__unless_it_is_told(void **state)
{
	static const struct {
		enum diagnosis_part part;
		const char *subject, *of_err, *wanted;
	} rows[] = {
		{ DIAGNOSIS_CREDENTIALS, "", "profile ops", "profile ops: bad" },
		{ DIAGNOSIS_PROFILE, "ops", "profile ops", "bad" },
		{ DIAGNOSIS_IDENTITY, "sts:GetCallerIdentity", "GetCallerIdentity in us-east-1",
		  "bad" },
		{ DIAGNOSIS_PERMISSION, "sagemaker:Search", "profile ops", "profile ops: bad" },
		{ DIAGNOSIS_FILE, "/a b/config", "/a b/config", "bad" },
		{ DIAGNOSIS_REGION, "", "", "bad" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct diagnosis diagnosis = { 0 };
		struct err err = { 0 };
		err_set(&err, ERR_CONFIG, "bad");
		err_subject(&err, "%s", rows[i].of_err);
		const struct diagnosis_row *row =
			diagnosis_add_err(&diagnosis, rows[i].part, DIAGNOSIS_FAILURE,
					  rows[i].subject, &err);
		assert_string_equal(row->text, rows[i].wanted);
		assert_null(row->fix);
		err_clear(&err);
		diagnosis_release(&diagnosis);
	}
}

/* The rest of such a message is the request as AWS saw it, headers included. */
static void refused_signature__is_told_by_its_first_line(void **state)
{
	struct diagnosis diagnosis = { 0 };
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_AUTH, "The signature is wrong.\n\nThe Canonical String was\n'POST\n/'");
	memcpy(err.aws_code, "SignatureDoesNotMatch", sizeof("SignatureDoesNotMatch"));
	assert_string_equal(diagnosis_add_err(&diagnosis, DIAGNOSIS_IDENTITY, DIAGNOSIS_FAILURE, "",
					      &err)
				    ->text,
			    "The signature is wrong. (SignatureDoesNotMatch)");
	err.aws_code[0] = '\0';
	assert_string_equal(diagnosis_add_err(&diagnosis, DIAGNOSIS_IDENTITY, DIAGNOSIS_FAILURE, "",
					      &err)
				    ->text,
			    "The signature is wrong.; ; The Canonical String was; 'POST; /'");
	err_clear(&err);
	diagnosis_release(&diagnosis);
}

static void exit_status__is_that_of_the_worst_failure(void **state)
{
	static const struct {
		struct {
			enum diagnosis_result result;
			enum err_code code;
		} rows[3];
		int status;
	} cases[] = {
		{ { { DIAGNOSIS_OK, ERR_NONE } }, 0 },
		{ { { DIAGNOSIS_WARNING, ERR_DENIED }, { DIAGNOSIS_UNKNOWN, ERR_NET } }, 0 },
		{ { { DIAGNOSIS_FAILURE, ERR_CONFIG } }, 2 },
		{ { { DIAGNOSIS_FAILURE, ERR_NET } }, 5 },
		{ { { DIAGNOSIS_FAILURE, ERR_TIMEOUT } }, 5 },
		{ { { DIAGNOSIS_FAILURE, ERR_DENIED } }, 4 },
		{ { { DIAGNOSIS_FAILURE, ERR_REFUSED } }, 1 },
		{ { { DIAGNOSIS_FAILURE, ERR_CONFIG }, { DIAGNOSIS_FAILURE, ERR_NET } }, 5 },
		{ { { DIAGNOSIS_FAILURE, ERR_NET },
		    { DIAGNOSIS_FAILURE, ERR_AUTH },
		    { DIAGNOSIS_FAILURE, ERR_CONFIG } },
		  4 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct diagnosis diagnosis = { 0 };
		bool fails = false;
		for (size_t j = 0; j < 3; j++) {
			diagnosis_add(&diagnosis, DIAGNOSIS_PERMISSION, cases[i].rows[j].result, "",
				      "x")
				->code = cases[i].rows[j].code;
			fails = fails || cases[i].rows[j].result == DIAGNOSIS_FAILURE;
		}
		assert_int_equal(diagnosis_exit_status(&diagnosis), cases[i].status);
		assert_int_equal(diagnosis_has_failure(&diagnosis), fails);
		diagnosis_release(&diagnosis);
	}
}

static void words__are_there__for_every_part_and_result(void **state)
{
	(void)state;
	for (int a = 0; a < DIAGNOSIS_PARTS; a++)
		for (int b = 0; b < a; b++)
			assert_string_not_equal(diagnosis_part_word((enum diagnosis_part)a),
						diagnosis_part_word((enum diagnosis_part)b));
	assert_string_equal(diagnosis_result_word(DIAGNOSIS_OK), "ok");
	assert_string_equal(diagnosis_result_word(DIAGNOSIS_WARNING), "warn");
	assert_string_equal(diagnosis_result_word(DIAGNOSIS_FAILURE), "fail");
	assert_string_equal(diagnosis_result_word(DIAGNOSIS_UNKNOWN), "skip");
}

/* --- the terminal --- */

struct terminal_case {
	struct terminal_facts facts;
	bool ascii, no_color;
	enum diagnosis_result result;
	const char *text, *fix; /* fix: a part of it; NULL = none */
};

#define GOOD                                                                            \
	.name = "xterm-256color", .is_known = true, .has_cursor = true, .colours = 256, \
	.columns = 120, .lines = 36, .is_utf8 = true, .in_is_tty = true, .out_is_tty = true

static const struct terminal_case terminals[] = {
	{ .facts = { GOOD }, .text = "xterm-256color, 120x36, UTF-8, 256 colours" },
	{ .facts = { GOOD, .no_color = true },
	  .text = "xterm-256color, 120x36, UTF-8, no colours (NO_COLOR)" },
	{ .facts = { GOOD },
	  .no_color = true,
	  .text = "xterm-256color, 120x36, UTF-8, no colours (--no-color)" },
	{ .facts = { .name = "vt100",
		     .is_known = true,
		     .has_cursor = true,
		     .in_is_tty = true,
		     .out_is_tty = true },
	  .ascii = true,
	  .text = "vt100, not UTF-8, ASCII alone is shown, no colours" },
	{ .facts = { .name = "vt100",
		     .is_known = true,
		     .has_cursor = true,
		     .in_is_tty = true,
		     .out_is_tty = true },
	  .result = DIAGNOSIS_WARNING,
	  .text = "vt100, not UTF-8, no colours",
	  .fix = "LANG=C.UTF-8" },
	{ .facts = { .name = "xterm-kitty",
		     .is_utf8 = true,
		     .in_is_tty = true,
		     .out_is_tty = true },
	  .result = DIAGNOSIS_WARNING,
	  .text = "xterm-kitty, UTF-8, no colours",
	  .fix = "terminfo here does not know" },
	{ .facts = { .name = "dumb",
		     .is_known = true,
		     .is_utf8 = true,
		     .in_is_tty = true,
		     .out_is_tty = true },
	  .result = DIAGNOSIS_WARNING,
	  .text = "dumb, UTF-8, no colours",
	  .fix = "cursor can be placed" },
	{ .facts = { .name = "", .is_utf8 = true, .out_is_tty = true },
	  .result = DIAGNOSIS_WARNING,
	  .text = "TERM is not set, UTF-8, no colours; standard input is no terminal here",
	  .fix = "Set TERM" },
	/* A script has none, and needs none. */
	{ .facts = { .name = "" },
	  .text = "TERM is not set, not UTF-8, no colours; standard input and output are no "
		  "terminal here" },
	{ .facts = { .name = "dumb", .is_known = true, .is_utf8 = true, .in_is_tty = true },
	  .result = DIAGNOSIS_WARNING,
	  .text = "dumb, UTF-8, no colours; standard output is no terminal here",
	  .fix = "cursor" },
};

static void terminal__is_said__and_what_it_lacks(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(terminals); i++) {
		const struct terminal_case *test = &terminals[i];
		struct diagnosis diagnosis = { 0 };
		diagnosis_add_terminal(&diagnosis, &test->facts, test->ascii, test->no_color);
		assert_int_equal(diagnosis.count, 1);
		const struct diagnosis_row *row = &diagnosis.rows[0];
		assert_string_equal(row->text, test->text);
		assert_int_equal(row->result, test->result);
		if (test->fix)
			assert_non_null(strstr(row->fix, test->fix));
		else
			assert_null(row->fix);
		diagnosis_release(&diagnosis);
	}
}

/* --- the config --- */

static void config__is_read__and_its_warnings_are_rows(void **state)
{
	static const char text[] = "colour = blue\ncolumns = NAME\n";
	struct diagnosis diagnosis = { 0 };
	struct config config = { 0 };
	struct err err = { 0 };
	(void)state;
	assert_true(config_read(&config, "/c", text, strlen(text), &err));
	diagnosis_add_config(&diagnosis, &config);
	assert_string_equal(diagnosis.rows[0].subject, "/c");
	assert_string_equal(diagnosis.rows[0].text, "read");
	assert_int_equal(diagnosis.rows[0].result, DIAGNOSIS_OK);
	assert_int_equal(diagnosis.rows[1].result, DIAGNOSIS_WARNING);
	assert_non_null(strstr(diagnosis.rows[1].text, "line 1, colour: there is no such setting"));
	/* That columns has no effect yet is for `gpuq config` to say. */
	assert_int_equal(diagnosis.count, 2);
	assert_int_equal(diagnosis_exit_status(&diagnosis), 0);
	diagnosis_release(&diagnosis);
	config_release(&config);
}

static void config__unread__fails_as_a_setting__and_absent_does_not(void **state)
{
	struct diagnosis diagnosis = { 0 };
	struct config unread = { 0 }, absent = { 0 }, homeless = { 0 };
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_IO, "cannot be opened: Permission denied");
	config_note_unread(&unread, "/c", &err);
	diagnosis_add_config(&diagnosis, &unread);
	assert_int_equal(diagnosis.count, 1);
	assert_int_equal(diagnosis.rows[0].result, DIAGNOSIS_FAILURE);
	assert_non_null(strstr(diagnosis.rows[0].text, "cannot be opened: Permission denied"));
	assert_int_equal(diagnosis_exit_status(&diagnosis), 2);
	diagnosis_release(&diagnosis);
	config_note_absent(&absent, "/c");
	diagnosis_add_config(&diagnosis, &absent);
	diagnosis_add_config(&diagnosis, &homeless);
	assert_int_equal(diagnosis.count, 2);
	assert_int_equal(diagnosis.rows[0].result, DIAGNOSIS_UNKNOWN);
	assert_int_equal(diagnosis.rows[1].result, DIAGNOSIS_UNKNOWN);
	assert_int_equal(diagnosis_exit_status(&diagnosis), 0);
	diagnosis_release(&diagnosis);
	config_release(&unread);
	config_release(&absent);
	err_clear(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows__stand_in_the_order_of_parts__and_as_they_came_within_one),
		cmocka_unit_test(denial__is_one_line__that_does_not_repeat_the_subject),
		cmocka_unit_test(errs_subject__is_said__unless_it_is_told),
		cmocka_unit_test(refused_signature__is_told_by_its_first_line),
		cmocka_unit_test(exit_status__is_that_of_the_worst_failure),
		cmocka_unit_test(words__are_there__for_every_part_and_result),
		cmocka_unit_test(terminal__is_said__and_what_it_lacks),
		cmocka_unit_test(config__is_read__and_its_warnings_are_rows),
		cmocka_unit_test(config__unread__fails_as_a_setting__and_absent_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

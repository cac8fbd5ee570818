#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/err.h"

#define LAST_CODE ERR_USAGE
#define LAST_HINT HINT_CODE_AGAIN

static void text__is_empty__when_there_is_no_error(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_string_equal(err_text(&err), "");
	assert_int_equal(err_exit_status(&err), 0);
	err_clear(&err);
	err_clear(NULL);
}

static void set__returns_false_and_formats__when_used_to_return(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_false(err_set(&err, ERR_DENIED, "not allowed: %s", "sagemaker:StopTrainingJob"));
	assert_int_equal(err.code, ERR_DENIED);
	assert_string_equal(err_text(&err), "not allowed: sagemaker:StopTrainingJob");
	err_clear(&err);
	assert_null(err.text);
	assert_int_equal(err.code, ERR_NONE);
}

static void set__forgets_the_old_details__when_it_replaces_an_error(void **state)
{
	struct err err = { 0 };

	(void)state;
	err_set(&err, ERR_REFUSED, "first");
	err.http_status = 400;
	err.hint = HINT_FIX_REQUEST;
	err_subject(&err, "create");
	err_set(&err, ERR_TIMEOUT, "second");
	assert_int_equal(err.http_status, 0);
	assert_int_equal(err.hint, HINT_NONE);
	assert_string_equal(err.subject, "");
	assert_string_equal(err_text(&err), "second");
	err_clear(&err);
}

static void set__wraps__when_its_arguments_lie_in_the_error_itself(void **state)
{
	struct err err = { 0 };

	(void)state;
	err_set(&err, ERR_NET, "refused");
	err_subject(&err, "us-east-1");
	err_set(&err, ERR_NET, "%s: %s", err.subject, err_text(&err));
	assert_string_equal(err_text(&err), "us-east-1: refused");
	err_clear(&err);
}

static void set__does_nothing__when_nobody_wants_the_error(void **state)
{
	(void)state;
	assert_false(err_set(NULL, ERR_IO, "%d", 1));
	assert_false(err_subject(NULL, "x"));
}

static void set__cuts_at_a_character__when_the_text_is_too_long(void **state)
{
	static char text[ERR_TEXT_MAX * 2];
	struct err err = { 0 };

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	/* A two-byte character whose second byte is the first that does not fit. */
	text[ERR_TEXT_MAX - 1] = '\xC3';
	text[ERR_TEXT_MAX] = '\xA9';
	err_set(&err, ERR_REFUSED, "%s", text);
	assert_int_equal(strlen(err_text(&err)), ERR_TEXT_MAX - 1);
	/* One that just fits stays. */
	text[ERR_TEXT_MAX - 2] = '\xC3';
	text[ERR_TEXT_MAX - 1] = '\xA9';
	text[ERR_TEXT_MAX] = 'z';
	err_set(&err, ERR_REFUSED, "%s", text);
	assert_int_equal(strlen(err_text(&err)), ERR_TEXT_MAX);
	assert_string_equal(err_text(&err) + ERR_TEXT_MAX - 2, "\xC3\xA9");
	err_clear(&err);
}

static void set__keeps_text__when_it_is_no_utf8_at_all(void **state)
{
	static char text[ERR_TEXT_MAX * 2];
	struct err err = { 0 };

	(void)state;
	memset(text, 0x80, sizeof(text) - 1);
	err_set(&err, ERR_REFUSED, "%s", text);
	assert_in_range(strlen(err_text(&err)), ERR_TEXT_MAX - 3, ERR_TEXT_MAX);
	err_clear(&err);
}

static void set__keeps_all__when_the_text_has_the_greatest_length(void **state)
{
	static char text[ERR_TEXT_MAX + 1];
	struct err err = { 0 };

	(void)state;
	memset(text, 'b', ERR_TEXT_MAX);
	err_set(&err, ERR_REFUSED, "%s", text);
	assert_string_equal(err_text(&err), text);
	err_clear(&err);
}

static void subject__is_cut_to_fit__when_too_long(void **state)
{
	struct err err = { 0 };
	char text[600];

	(void)state;
	memset(text, 'c', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text + sizeof(err.subject) - 3, "\xE2\x82\xAC", 3);
	assert_false(err_subject(&err, "%s", text));
	assert_int_equal(strlen(err.subject), sizeof(err.subject) - 3);
	assert_false(err_subject(&err, "%s", "short"));
	assert_string_equal(err.subject, "short");
}

static void copy__is_deep__when_the_source_goes(void **state)
{
	struct err from = { 0 }, to = { 0 };

	(void)state;
	err_set(&to, ERR_IO, "old text to be freed");
	err_set(&from, ERR_THROTTLED, "slow down");
	from.hint = HINT_RETRY_LATER;
	from.http_status = 400;
	err_copy(&to, &from);
	err_clear(&from);
	assert_string_equal(err_text(&to), "slow down");
	assert_int_equal(to.code, ERR_THROTTLED);
	assert_int_equal(to.hint, HINT_RETRY_LATER);
	assert_int_equal(to.http_status, 400);
	err_copy(&to, &to);
	assert_string_equal(err_text(&to), "slow down");
	err_clear(&to);
}

static void move__leaves_nothing__in_the_source(void **state)
{
	struct err from = { 0 }, to = { 0 };

	(void)state;
	err_set(&to, ERR_IO, "old text to be freed");
	err_set(&from, ERR_SERVER, "500");
	err_move(&to, &from);
	assert_int_equal(from.code, ERR_NONE);
	assert_null(from.text);
	assert_string_equal(err_text(&to), "500");
	err_move(&to, &to);
	assert_string_equal(err_text(&to), "500");
	err_clear(&to);
}

/* The table of interface.md, "Exit status", written down a second time. */
static void exit_status__is_what_interface_promises__for_each_code(void **state)
{
	static const struct {
		enum err_code code;
		int status;
	} rows[] = {
		{ ERR_NONE, 0 },      { ERR_IO, 1 },       { ERR_NET, 5 },       { ERR_TIMEOUT, 5 },
		{ ERR_AUTH, 4 },      { ERR_DENIED, 4 },   { ERR_THROTTLED, 5 }, { ERR_SERVER, 5 },
		{ ERR_NOT_FOUND, 1 }, { ERR_CONFLICT, 1 }, { ERR_REFUSED, 1 },   { ERR_PARSE, 5 },
		{ ERR_TOO_BIG, 5 },   { ERR_RULE, 3 },     { ERR_CONFIG, 2 },    { ERR_USAGE, 2 },
	};

	(void)state;
	assert_int_equal(ARRAY_LEN(rows), LAST_CODE + 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct err err = { .code = rows[i].code };

		assert_int_equal(err_exit_status(&err), rows[i].status);
	}
}

static void word__is_short_and_its_own__for_each_code(void **state)
{
	(void)state;
	for (int a = 0; a <= LAST_CODE; a++) {
		assert_true(strlen(err_word((enum err_code)a)) > 0);
		assert_true(strlen(err_word((enum err_code)a)) <= 16);
		for (int b = 0; b < a; b++)
			assert_string_not_equal(err_word((enum err_code)a),
						err_word((enum err_code)b));
	}
	assert_string_equal(err_word((enum err_code)(LAST_CODE + 1)), "unknown error");
}

static void hint__is_one_sentence__for_each_hint(void **state)
{
	(void)state;
	assert_string_equal(err_hint_text(HINT_NONE), "");
	assert_string_equal(err_hint_text(HINT_LOGIN_AS_TOLD), "");
	for (int i = HINT_NONE + 1; i <= LAST_HINT; i++) {
		const char *text = err_hint_text((enum err_hint)i);

		if (i == HINT_LOGIN_AS_TOLD)
			continue;
		assert_true(isupper((unsigned char)text[0]));
		assert_int_equal(text[strlen(text) - 1], '.');
		assert_true(strlen(text) <= 80);
	}
	assert_string_equal(err_hint_text((enum err_hint)(LAST_HINT + 1)), "");
}

/* What comes behind the first line of such a refusal is the request as the service saw it. */
static void told_len__ends_before_a_canonical_request(void **state)
{
	struct err err = { 0 };

	(void)state;
	err_set(&err, ERR_AUTH, "wrong\r\nPOST\n/");
	assert_int_equal(err_told_len(&err), strlen("wrong\r\nPOST\n/"));
	memcpy(err.aws_code, "SignatureDoesNotMatch", sizeof("SignatureDoesNotMatch"));
	assert_int_equal(err_told_len(&err), strlen("wrong"));
	err.code = ERR_DENIED;
	assert_int_equal(err_told_len(&err), strlen("wrong\r\nPOST\n/"));
	err_clear(&err);
	assert_int_equal(err_told_len(&err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text__is_empty__when_there_is_no_error),
		cmocka_unit_test(set__returns_false_and_formats__when_used_to_return),
		cmocka_unit_test(set__forgets_the_old_details__when_it_replaces_an_error),
		cmocka_unit_test(set__wraps__when_its_arguments_lie_in_the_error_itself),
		cmocka_unit_test(set__does_nothing__when_nobody_wants_the_error),
		cmocka_unit_test(set__cuts_at_a_character__when_the_text_is_too_long),
		cmocka_unit_test(set__keeps_text__when_it_is_no_utf8_at_all),
		cmocka_unit_test(set__keeps_all__when_the_text_has_the_greatest_length),
		cmocka_unit_test(subject__is_cut_to_fit__when_too_long),
		cmocka_unit_test(copy__is_deep__when_the_source_goes),
		cmocka_unit_test(move__leaves_nothing__in_the_source),
		cmocka_unit_test(exit_status__is_what_interface_promises__for_each_code),
		cmocka_unit_test(word__is_short_and_its_own__for_each_code),
		cmocka_unit_test(hint__is_one_sentence__for_each_hint),
		cmocka_unit_test(told_len__ends_before_a_canonical_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

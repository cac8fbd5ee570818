/* What a command says on stderr. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "views/text/command.h"

#define TEXT_MAX 65536

static void expect_message(const struct err *err, const char *expected)
{
	struct buf messages;
	buf_init(&messages, TEXT_MAX);
	command_message(&messages, err);
	assert_string_equal(buf_text(&messages), expected);
	buf_release(&messages);
}

static void message__says_what_to_what_and_what_next(void **state)
{
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_USAGE, "cannot be opened: No such file or directory");
	err_subject(&err, "job.json");
	err.hint = HINT_CHECK_FILE;
	expect_message(&err, "gpuq: job.json: cannot be opened: No such file or directory\n"
			     "gpuq: Check the file's name, and that it can be read; - is standard "
			     "input.\n");
	err_clear(&err);
}

/* AWS's own text, as it is known: a sentence, then what it would have signed. */
static void message__leaves_out_the_canonical_request__of_a_wrong_signature(void **state)
{
	struct err err = { 0 };
	(void)state;
	err_set(&err, ERR_AUTH,
		"The request signature we calculated does not match the signature you "
		"provided.\n\nThe Canonical String for this request should have been\n'POST\n/'");
	memcpy(err.aws_code, "InvalidSignatureException", 26);
	expect_message(&err, "gpuq: The request signature we calculated does not match the "
			     "signature you provided. (InvalidSignatureException)\n");
	err_set(&err, ERR_REFUSED, "one\ntwo"); /* any other answer stays whole */
	memcpy(err.aws_code, "ValidationException", 20);
	expect_message(&err, "gpuq: one\ntwo (ValidationException)\n");
	err_clear(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message__says_what_to_what_and_what_next),
		cmocka_unit_test(message__leaves_out_the_canonical_request__of_a_wrong_signature),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

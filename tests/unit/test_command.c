/* What a command says on stderr. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "views/text/command.h"
#include "views/text/past.h"

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

/* What history, forecast and explain say of the file of the past. */
static void past__is_said__when_it_is_not_in_what_is_counted(void **state)
{
	(void)state;
	char newer[] = "the history is kept in memory alone: /s/history.sqlite: was written by a "
		       "newer gpuq: it is left alone";
	char aside[] = "the history was damaged and is kept as history.sqlite.damaged-1; a new one "
		       "is begun";
	struct store store = { 0 };
	struct buf messages;
	const struct command_run run = { .store = &store, .messages = &messages };
	char expected[512];
	buf_init(&messages, TEXT_MAX);
	text_past_tell(&run);
	assert_int_equal(messages.len, 0);
	store.history.trouble = newer; /* read, but not to be written */
	text_past_tell(&run);
	snprintf(expected, sizeof(expected), "gpuq: %s\n", newer);
	assert_string_equal(buf_text(&messages), expected);
	buf_clear(&messages);
	store.history.lost = true;
	text_past_tell(&run);
	snprintf(expected, sizeof(expected),
		 "gpuq: %s; only what AWS lists now (--since) is counted\n", newer);
	assert_string_equal(buf_text(&messages), expected);
	buf_clear(&messages);
	store.history.trouble = NULL;
	store.history.notice = aside;
	text_past_tell(&run);
	snprintf(expected, sizeof(expected),
		 "gpuq: %s; only what AWS lists now (--since) is counted\n", aside);
	assert_string_equal(buf_text(&messages), expected);
	buf_release(&messages);
}

/* The exit status of gpuq history, and what it says of a list that fails. */
static int history_status(enum err_code training, enum err_code processing, bool *partial)
{
	struct store store = { 0 };
	struct options options = { .format = REPORT_JSON };
	struct clock clock = clock_system();
	const enum err_code codes[] = { training, processing };
	struct buf out, messages;
	struct command_run run = { .options = &options,
				   .store = &store,
				   .clock = &clock,
				   .region = "us-east-1",
				   .out = &out,
				   .messages = &messages };
	buf_init(&out, TEXT_MAX);
	buf_init(&messages, TEXT_MAX);
	for (int i = 0; i < 2; i++) {
		struct freshness *source = &store.sources[SOURCE_TRAINING + i];
		source->failing = codes[i] != ERR_NONE;
		if (source->failing)
			err_set(&source->error, codes[i], "no");
	}
	int status = command_history.run(&run);
	*partial = strstr(buf_text(&messages), "the figures are partial") != NULL;
	assert_true(out.len > 0);
	buf_release(&out);
	buf_release(&messages);
	store_release(&store);
	return status;
}

static void history__ends_with_its_failure__when_a_list_was_not_read(void **state)
{
	(void)state;
	bool partial;
	assert_int_equal(history_status(ERR_NONE, ERR_NONE, &partial), 0);
	assert_false(partial);
	assert_int_equal(history_status(ERR_THROTTLED, ERR_NONE, &partial), 5);
	assert_true(partial);
	assert_int_equal(history_status(ERR_NONE, ERR_DENIED, &partial), 4);
	assert_true(partial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message__says_what_to_what_and_what_next),
		cmocka_unit_test(past__is_said__when_it_is_not_in_what_is_counted),
		cmocka_unit_test(history__ends_with_its_failure__when_a_list_was_not_read),
		cmocka_unit_test(message__leaves_out_the_canonical_request__of_a_wrong_signature),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

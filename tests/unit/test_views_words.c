/* How money, times, failures and hardware are said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "views/words.h"

#define MICRO INT64_C(1000000)

static void money__has_cents_below_100_and_a_mark__for_an_estimate(void **state)
{
	static const struct {
		int64_t micro;
		const char *currency;
		bool estimate;
		const char *text;
	} cases[] = {
		{ 0, "USD", true, "$0" }, /* nothing is certain */
		{ 3060000, "USD", true, "~$3.06" },
		{ 3060000, "USD", false, "$3.06" },
		{ 99990000, NULL, true, "~$99.99" },
		{ 7 * MICRO, "USD", true, "~$7" },
		{ 1240 * MICRO, "USD", true, "~$1,240" },
		{ 412 * MICRO + 400000, "USD", true, "~$412" },
		{ 5 * MICRO, "CNY", true, "~CNY 5" },
	};
	struct buf out;
	(void)state;
	buf_init(&out, WORDS_MAX);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		buf_clear(&out);
		words_money(&out, cases[i].micro, cases[i].currency, cases[i].estimate);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
	buf_release(&out);
}

static void next_change__is_when_the_text_differs__in_each_range(void **state)
{
	static const struct {
		int64_t duration, next;
	} cases[] = {
		{ 0, 1000 },           { 999, 1 },       { 59999, 1 },
		{ 60000, 60000 },      { 61500, 58500 }, { 86399999, 1 },
		{ 86400000, 3600000 }, { -2500, 3500 }, /* a start in the future: at its first
							   second */
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(words_next_change_ms(cases[i].duration), cases[i].next);
		char now[TIME_TEXT_SIZE], before[TIME_TEXT_SIZE], then[TIME_TEXT_SIZE];
		duration_format(cases[i].duration / 1000, now);
		duration_format((cases[i].duration + cases[i].next - 1) / 1000, before);
		duration_format((cases[i].duration + cases[i].next) / 1000, then);
		assert_string_equal(now, before);
		assert_string_not_equal(now, then);
	}
}

static void span__is_never_negative_and_never_overflows__for_hostile_times(void **state)
{
	(void)state;
	assert_int_equal(words_span_ms(5, 12), 7);
	assert_int_equal(words_span_ms(12, 5), 0);
	assert_true(words_span_ms(INT64_MIN, INT64_MAX) == INT64_MAX);
	assert_int_equal(words_span_ms(INT64_MAX, INT64_MIN), 0);
}

static void time__has_its_date__when_it_is_not_today(void **state)
{
	int64_t now = 0, other = 0;
	struct buf out;
	(void)state;
	assert_true(time_parse_iso("2026-11-30T23:59:00Z", &now));
	assert_true(time_parse_iso("2026-12-01T00:05:00Z", &other));
	buf_init(&out, WORDS_MAX);
	words_time(&out, now - 60000, now, true);
	assert_string_equal(buf_text(&out), "23:58Z");
	buf_clear(&out);
	words_time(&out, other, now, true);
	assert_string_equal(buf_text(&out), "12-01 00:05Z");
	buf_release(&out);
}

static void failure__names_the_action__only_when_denied(void **state)
{
	static const struct {
		enum err_code code;
		const char *subject, *text;
		enum err_hint hint;
	} cases[] = {
		{ ERR_DENIED, "ListTrainingJobs", "denied: sagemaker:ListTrainingJobs", 0 },
		{ ERR_DENIED, "Search in us-east-1", "denied: sagemaker:Search", 0 },
		{ ERR_DENIED, "sagemaker:Search", "denied: sagemaker:Search", 0 },
		{ ERR_DENIED, "", "denied", 0 },
		{ ERR_THROTTLED, "ListTrainingJobs", "throttled", 0 },
		{ ERR_TIMEOUT, "ListTrainingJobs", "no answer", 0 },
		{ ERR_AUTH, "ListTrainingJobs", "not signed in", HINT_SET_CREDENTIALS },
		{ ERR_AUTH, "ListTrainingJobs", "login expired", HINT_LOGIN_AGAIN },
		{ ERR_AUTH, "ListTrainingJobs", "clock is off", HINT_CHECK_CLOCK },
	};
	struct buf out;
	(void)state;
	buf_init(&out, WORDS_MAX);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = { 0 };
		err_set(&err, cases[i].code, "text");
		err_subject(&err, "%s", cases[i].subject);
		err.hint = cases[i].hint;
		buf_clear(&out);
		words_failure(&out, &err);
		assert_string_equal(buf_text(&out), cases[i].text);
		err_clear(&err);
	}
	buf_release(&out);
}

static void retry__is_counted_in_seconds_then_minutes__or_not_planned(void **state)
{
	static const struct {
		int64_t left;
		const char *text;
	} cases[] = {
		{ 8000, "next try in 8 s" }, { 7001, "next try in 8 s" },  { 1, "next try in 1 s" },
		{ 0, "trying again" },       { 120000, "next try in 2m" }, { INT64_MAX - 1000, "" },
	};
	struct buf out;
	(void)state;
	buf_init(&out, WORDS_MAX);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct freshness source = { .failing = true,
						  .retry_mono_ms = 1000 + cases[i].left };
		struct fresh fresh = freshness_state(&source, 30000, 1000);
		buf_clear(&out);
		words_retry(&out, &fresh);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
	buf_release(&out);
}

static void plan__is_the_last_part_of_its_arn__if_there_are_parts(void **state)
{
	(void)state;
	assert_string_equal(
		words_plan("arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"),
		"p5-plan");
	assert_string_equal(words_plan("odd"), "odd");
	assert_string_equal(words_plan("ends/"), "ends/");
}

/* ml.p4d.24xlarge has 8 A100 of 40 GiB, ml.p5.48xlarge 8 H100 of 80. */
static void hardware__multiplies_by_count__and_is_empty_for_an_unknown_type(void **state)
{
	struct buf out;
	(void)state;
	buf_init(&out, WORDS_MAX);
	words_hardware(&out, "ml.p4d.24xlarge", 4);
	assert_string_equal(buf_text(&out), "32×A100 40G");
	buf_clear(&out);
	words_hardware(&out, "ml.p5.48xlarge", 1);
	assert_string_equal(buf_text(&out), "8×H100 80G");
	buf_clear(&out);
	words_hardware(&out, "ml.m5.xlarge", 1);
	assert_string_equal(buf_text(&out), "4 vCPU, no accelerator");
	buf_clear(&out);
	words_hardware(&out, "ml.zz9.huge", 1);
	assert_string_equal(buf_text(&out), "");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(money__has_cents_below_100_and_a_mark__for_an_estimate),
		cmocka_unit_test(next_change__is_when_the_text_differs__in_each_range),
		cmocka_unit_test(span__is_never_negative_and_never_overflows__for_hostile_times),
		cmocka_unit_test(time__has_its_date__when_it_is_not_today),
		cmocka_unit_test(failure__names_the_action__only_when_denied),
		cmocka_unit_test(retry__is_counted_in_seconds_then_minutes__or_not_planned),
		cmocka_unit_test(plan__is_the_last_part_of_its_arn__if_there_are_parts),
		cmocka_unit_test(hardware__multiplies_by_count__and_is_empty_for_an_unknown_type),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

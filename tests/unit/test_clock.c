#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/clock.h"

#define DAY_MS INT64_C(86400000)

static void system__agrees_with_the_machine__for_both_clocks(void **state)
{
	const struct clock clock = clock_system();
	struct timespec boot;
	int64_t wall, mono, again;

	(void)state;
	wall = clock_wall_ms(&clock);
	assert_true(wall / 1000 >= (int64_t)time(NULL) - 5);
	assert_true(wall / 1000 <= (int64_t)time(NULL) + 5);
	mono = clock_mono_ms(&clock);
	assert_int_equal(clock_gettime(CLOCK_BOOTTIME, &boot), 0);
	assert_true(mono <= (int64_t)boot.tv_sec * 1000 + boot.tv_nsec / 1000000);
	assert_true(mono >= (int64_t)boot.tv_sec * 1000 - 5000);
	again = clock_mono_ms(&clock);
	assert_true(again >= mono);
}

/* Expected values from Python's datetime, and for the ends of the range by hand. */
static void format_iso__is_exact__for_known_times(void **state)
{
	static const struct {
		int64_t wall_ms;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ INT64_C(1796071688000), "2026-11-30T20:48:08Z" },
		{ INT64_C(1796071688999), "2026-11-30T20:48:08Z" },
		{ -1, "1969-12-31T23:59:59Z" },
		{ -1000, "1969-12-31T23:59:59Z" },
		{ -1001, "1969-12-31T23:59:58Z" },
		{ INT64_C(951825600000), "2000-02-29T12:00:00Z" },
		{ INT64_C(-2203891200000), "1900-03-01T00:00:00Z" },
		{ INT64_C(4107542399000), "2100-02-28T23:59:59Z" },
		{ INT64_C(253402300799000), "9999-12-31T23:59:59Z" },
		{ INT64_C(-62135596800000), "0001-01-01T00:00:00Z" },
		{ INT64_C(-62167219200000), "0000-01-01T00:00:00Z" },
		{ INT64_MAX, "292278994-08-17T07:12:55Z" },
		{ INT64_MIN, "-292275055-05-16T16:47:04Z" },
	};
	char out[TIME_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		time_format_iso(rows[i].wall_ms, out);
		assert_string_equal(out, rows[i].text);
	}
}

static void format_iso__agrees_with_the_libc__for_every_day_of_800_years(void **state)
{
	(void)state;
	for (int64_t day = -135140; day < 157055; day++) {
		/* Moves through the day too, so that every hour is met. */
		int64_t wall_ms = day * DAY_MS + (day * 7919) % DAY_MS;
		time_t seconds =
			(time_t)(wall_ms >= 0 ? wall_ms / 1000 : -((-wall_ms + 999) / 1000));
		struct tm broken;
		char ours[TIME_TEXT_SIZE], theirs[TIME_TEXT_SIZE];
		int64_t back;

		assert_non_null(gmtime_r(&seconds, &broken));
		assert_true(strftime(theirs, sizeof(theirs), "%Y-%m-%dT%H:%M:%SZ", &broken) > 0);
		time_format_iso(wall_ms, ours);
		assert_string_equal(ours, theirs);
		assert_true(time_parse_iso(ours, &back));
		assert_int_equal(back, (int64_t)seconds * 1000);
	}
}

static void format_amz_and_stamp__are_what_aws_and_names_want(void **state)
{
	char out[TIME_TEXT_SIZE];

	(void)state;
	time_format_amz(INT64_C(1796071688000), out);
	assert_string_equal(out, "20261130T204808Z");
	time_format_stamp(INT64_C(1796071688000), out);
	assert_string_equal(out, "261130-204808");
	time_format_stamp(0, out);
	assert_string_equal(out, "700101-000000");
	time_format_stamp(INT64_MIN, out);
	assert_string_equal(out, "450516-164704");
}

/* Central Europe by its rule, which needs no zone files. */
static void format_local__follows_the_zone__across_summer_time(void **state)
{
	char out[TIME_TEXT_SIZE];

	(void)state;
	assert_int_equal(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
	tzset();
	time_format_full(INT64_C(1796071688000), false, out);
	assert_string_equal(out, "2026-11-30 21:48:08");
	time_format_full(INT64_C(1796071688000), true, out);
	assert_string_equal(out, "2026-11-30 20:48:08");
	/* 2023-03-26T01:00Z is the change: 01:59:59 is followed by 03:00:00. */
	time_format_hm(INT64_C(1679792399000), false, out);
	assert_string_equal(out, "01:59");
	time_format_hm(INT64_C(1679792400000), false, out);
	assert_string_equal(out, "03:00");
	time_format_hm(INT64_C(1679792400000), true, out);
	assert_string_equal(out, "01:00");
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
}

static void format_full__stays_in_its_space__for_every_extreme(void **state)
{
	static const int64_t extremes[] = { INT64_MIN, INT64_MAX, INT64_MIN / 1000,
					    INT64_MAX / 1000 };
	char out[TIME_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(extremes); i++) {
		time_format_full(extremes[i], false, out);
		assert_true(strlen(out) >= 19);
		time_format_hm(extremes[i], false, out);
		assert_int_equal(strlen(out), 5);
		time_format_amz(extremes[i], out);
		assert_true(strlen(out) >= 16);
	}
}

static void parse_iso__reads__every_form_that_aws_and_its_tools_write(void **state)
{
	static const struct {
		const char *text;
		int64_t wall_ms;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "2026-11-30T20:48:08Z", INT64_C(1796071688000) },
		{ "2026-11-30t20:48:08z", INT64_C(1796071688000) },
		{ "2026-11-30 20:48:08Z", INT64_C(1796071688000) },
		{ "2026-11-30T20:48Z", INT64_C(1796071680000) },
		{ "2026-11-30T20:48:08.5Z", INT64_C(1796071688500) },
		{ "2026-11-30T20:48:08.05Z", INT64_C(1796071688050) },
		{ "2026-11-30T20:48:08,25Z", INT64_C(1796071688250) },
		{ "2026-11-30T20:48:08.123456+00:00", INT64_C(1796071688123) },
		{ "2026-11-30T20:48:08.9999999999999999999999Z", INT64_C(1796071688999) },
		{ "2026-11-30T22:48:08+02:00", INT64_C(1796071688000) },
		{ "2026-11-30T22:48:08+0200", INT64_C(1796071688000) },
		{ "2026-11-30T22:48:08+02", INT64_C(1796071688000) },
		{ "2026-12-01T02:18:08+05:30", INT64_C(1796071688000) },
		{ "2026-11-30T12:48:08-08:00", INT64_C(1796071688000) },
		{ "2026-11-30T20:48:08-00:00", INT64_C(1796071688000) },
		{ "2016-12-31T23:59:60Z", INT64_C(1483228800000) },
		{ "2000-02-29T00:00:00Z", INT64_C(951782400000) },
		{ "0000-02-29T00:00:00Z", INT64_C(-62162121600000) },
		{ "9999-12-31T23:59:59.999-23:59", INT64_C(253402387139999) },
		{ "0001-01-01T00:00:00Z", INT64_C(-62135596800000) },
		{ "2026-11-30T20:48:08UTC", INT64_C(1796071688000) },
		{ "20261130T204808Z", INT64_C(1796071688000) },
		{ "20261130T2048Z", INT64_C(1796071680000) },
		{ "20261130T224808.5+0200", INT64_C(1796071688500) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t wall_ms = 7;

		if (!time_parse_iso(rows[i].text, &wall_ms))
			fail_msg("not read: %s", rows[i].text);
		assert_int_equal(wall_ms, rows[i].wall_ms);
	}
}

static void parse_iso__refuses__what_is_no_time(void **state)
{
	static const char *const texts[] = {
		"",
		"now",
		"2026",
		"2026-11-30",
		"2026-11-30T20:48:08",
		"2026-11-30T20:48:08 Z",
		"2026-11-30T20:48:08Zx",
		" 2026-11-30T20:48:08Z",
		"2026-11-30T20:48:08Z ",
		"2026-11-30TZ",
		"2026-11-30T20:Z",
		"2026-11-30T20:48:Z",
		"2026-11-30T20:48:0Z",
		"2026-13-01T00:00:00Z",
		"2026-00-01T00:00:00Z",
		"2026-11-31T00:00:00Z",
		"2026-11-00T00:00:00Z",
		"2026-02-29T00:00:00Z",
		"1900-02-29T00:00:00Z",
		"2100-02-29T00:00:00Z",
		"2026-12-32T00:00:00Z",
		"2026-11-30T24:00:00Z",
		"2026-11-30T20:60:00Z",
		"2026-11-30T20:48:61Z",
		"2026-11-30T20:48:08.Z",
		"2026-11-30T20:48:08.-1Z",
		"2026-11-30T20:48.5Z",
		"2026-11-30T20:48:08+24:00",
		"2026-11-30T20:48:08+02:60",
		"2026-11-30T20:48:08+2:00",
		"2026-11-30T20:48:08+02:",
		"2026-11-30T20:48:08+020",
		"2026-11-30T20:48:08++02:00",
		"2026-11-30T2:48:08Z",
		"2026-11-3T20:48:08Z",
		"-2026-11-30T20:48:08Z",
		"+2026-11-30T20:48:08Z",
		"12026-11-30T20:48:08Z",
		"2026/11/30T20:48:08Z",
		"20261130T20:48:08Z",
		"2026-11-30T204808Z",
		"2026-1130T204808Z",
		"202611-30T20:48:08Z",
		"20261130T20480Z",
		"20261330T204808Z",
		"20261130Z",
		"2026-11-30T20:48:08UT",
		"2026-11-30T20:48:08UTCZ",
		"1796071688",
		"2026-11-30T20:48:08\342\210\22202:00", /* a true minus sign, U+2212 */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		int64_t wall_ms;

		if (time_parse_iso(texts[i], &wall_ms))
			fail_msg("read as a time: %s", texts[i]);
	}
	assert_false(time_parse_iso(NULL, &(int64_t){ 0 }));
}

static void parse_http__reads__what_servers_write_and_nothing_else(void **state)
{
	static const char *const bad[] = {
		"",
		"Wed, 15 Jan 2025",
		"Wed, 15 Jan 2025 12:34:56",
		"Wed 15 Jan 2025 12:34:56 GMT",
		"Wen, 15 Jan 2025 12:34:56 GMT",
		"Wed, 5 Jan 2025 12:34:56 GMT",
		"Wed, 15 jan 2025 12:34:56 GMT",
		"Wed, 32 Jan 2025 12:34:56 GMT",
		"Sat, 29 Feb 2025 12:34:56 GMT",
		"Wed, 15 Jan 25 12:34:56 GMT",
		"Wed, 15 Jan 2025 24:00:00 GMT",
		"Wed, 15 Jan 2025 12:34:56 GMT ",
		"Wed, 15 Jan 2025 12:34:56 CET",
		"Wednesday, 15-Jan-25 12:34:56 GMT",
	};
	int64_t wall_ms = 0;

	(void)state;
	assert_true(time_parse_http("Wed, 15 Jan 2025 12:34:56 GMT", &wall_ms));
	assert_int_equal(wall_ms, INT64_C(1736944496000));
	assert_true(time_parse_http("Wed, 15 Jan 2025 14:34:56.789 +0200", &wall_ms));
	assert_int_equal(wall_ms, INT64_C(1736944496789));
	assert_true(time_parse_http("Thu, 29 Feb 2024 23:59:59 GMT", &wall_ms));
	assert_int_equal(wall_ms, INT64_C(1709251199000));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		if (time_parse_http(bad[i], &wall_ms))
			fail_msg("read as a time: %s", bad[i]);
	}
	assert_false(time_parse_http(NULL, &wall_ms));
}

static void duration_format__picks_two_units__as_the_screens_show_them(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} rows[] = {
		{ 0, "0s" },         { 42, "42s" },       { 59, "59s" },
		{ 60, "1m" },        { 299, "4m" },       { 3599, "59m" },
		{ 3600, "1h00m" },   { 6120, "1h42m" },   { 21600, "6h00m" },
		{ 86399, "23h59m" }, { 86400, "1d00h" },  { 273600, "3d04h" },
		{ -1, "0s" },        { INT64_MIN, "0s" }, { INT64_MAX, "106751991167300d15h" },
	};
	char out[TIME_TEXT_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		duration_format(rows[i].seconds, out);
		assert_string_equal(out, rows[i].text);
	}
}

static void duration_round__goes_to_the_nearest_second(void **state)
{
	(void)state;
	assert_int_equal(duration_round_ms(0), 0);
	assert_int_equal(duration_round_ms(499), 0);
	assert_int_equal(duration_round_ms(500), 1000);
	assert_int_equal(duration_round_ms(41636), 42000);
	assert_int_equal(duration_round_ms(125026), 125000);
	assert_int_equal(duration_round_ms(INT64_MAX), INT64_MAX / 1000 * 1000);
}

static void duration_parse__reads__each_form_of_the_interface(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} rows[] = {
		{ "90", 90 },
		{ "0", 0 },
		{ "90s", 90 },
		{ "90m", 5400 },
		{ "6h", 21600 },
		{ "7d", 604800 },
		{ "1h30m", 5400 },
		{ "2d4h", 187200 },
		{ "3d04h", 273600 },
		{ "1d2h3m4s", 93784 },
		{ "1d1s", 86401 },
		{ "9223372036854775807", INT64_MAX },
		{ "106751991167300d15h30m7s", INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t seconds = 7;

		if (!duration_parse(rows[i].text, &seconds))
			fail_msg("not read: %s", rows[i].text);
		assert_int_equal(seconds, rows[i].seconds);
	}
}

static void duration_parse__refuses__what_is_no_duration(void **state)
{
	static const char *const texts[] = {
		"",
		"h",
		"-1",
		"-1h",
		"+1h",
		"1.5h",
		"1h30",
		"1h1h",
		"1m1h",
		"6 h",
		" 6h",
		"6h ",
		"6w",
		"6H",
		"6hh",
		"1e3",
		"0x10",
		"six",
		"1d-1h",
		"s90",
		"9223372036854775808",
		"9223372036854775807m",
		"106751991167301d",
		"106751991167300d15h30m8s",
		"99999999999999999999999999s",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		int64_t seconds;

		if (duration_parse(texts[i], &seconds))
			fail_msg("read as a duration: %s", texts[i]);
	}
	assert_false(duration_parse(NULL, &(int64_t){ 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(system__agrees_with_the_machine__for_both_clocks),
		cmocka_unit_test(format_iso__is_exact__for_known_times),
		cmocka_unit_test(format_iso__agrees_with_the_libc__for_every_day_of_800_years),
		cmocka_unit_test(format_amz_and_stamp__are_what_aws_and_names_want),
		cmocka_unit_test(format_local__follows_the_zone__across_summer_time),
		cmocka_unit_test(format_full__stays_in_its_space__for_every_extreme),
		cmocka_unit_test(parse_iso__reads__every_form_that_aws_and_its_tools_write),
		cmocka_unit_test(parse_iso__refuses__what_is_no_time),
		cmocka_unit_test(parse_http__reads__what_servers_write_and_nothing_else),
		cmocka_unit_test(duration_format__picks_two_units__as_the_screens_show_them),
		cmocka_unit_test(duration_round__goes_to_the_nearest_second),
		cmocka_unit_test(duration_parse__reads__each_form_of_the_interface),
		cmocka_unit_test(duration_parse__refuses__what_is_no_duration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

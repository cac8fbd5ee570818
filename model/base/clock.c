#include "model/base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MS_PER_SECOND 1000
#define DAY_SECONDS   86400

static int64_t read_clock_ms(clockid_t id)
{
	struct timespec now;

	if (clock_gettime(id, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / 1000000;
}

static int64_t system_mono_ms(void *self)
{
	(void)self;
	return read_clock_ms(CLOCK_BOOTTIME);
}

static int64_t system_wall_ms(void *self)
{
	(void)self;
	return read_clock_ms(CLOCK_REALTIME);
}

struct clock clock_system(void)
{
	return (struct clock){ .mono_ms = system_mono_ms, .wall_ms = system_wall_ms };
}

/* Division that rounds down, so that times before 1970 fall on the right day. */
static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * The calendar is reckoned in years that start on 1 March, so that the leap day comes last.
 * Day of such a year on which each month starts, March first.
 */
static const int month_start[] = { 0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337, 366 };

#define DAYS_PER_400_YEARS INT64_C(146097)
#define DAYS_TO_1970       INT64_C(719468) /* from 1 March of the year 0 */

/* Days from 1970-01-01 to a date of the proleptic Gregorian calendar. */
static int64_t days_of_date(int64_t year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1;
	int since_march = (month + 9) % 12;

	return y * 365 + floor_div(y, 4) - floor_div(y, 100) + floor_div(y, 400) +
	       month_start[since_march] + day - 1 - DAYS_TO_1970;
}

/* Breaks a wall time down as gmtime_r does, but for every value of int64_t and without its NULL. */
static void break_down_utc(int64_t wall_ms, struct tm *out)
{
	int64_t seconds = floor_div(wall_ms, MS_PER_SECOND);
	int64_t days = floor_div(seconds, DAY_SECONDS) + DAYS_TO_1970;
	int of_day = (int)(seconds - floor_div(seconds, DAY_SECONDS) * DAY_SECONDS);
	int64_t cycle = floor_div(days, DAYS_PER_400_YEARS);
	int64_t left = days - cycle * DAYS_PER_400_YEARS;
	int64_t century = left / 36524 < 3 ? left / 36524 : 3;
	int64_t fours, years;
	int month = 0;

	left -= century * 36524;
	fours = left / 1461;
	left -= fours * 1461;
	years = left / 365 < 3 ? left / 365 : 3;
	left -= years * 365;
	while (left >= month_start[month + 1])
		month++;
	*out = (struct tm){
		.tm_year = (int)(cycle * 400 + century * 100 + fours * 4 + years - 1900 +
				 (month >= 10)),
		.tm_mon = (month + 2) % 12,
		.tm_mday = (int)left - month_start[month] + 1,
		.tm_hour = of_day / 3600,
		.tm_min = of_day / 60 % 60,
		.tm_sec = of_day % 60,
	};
}

static void break_down(int64_t wall_ms, bool utc, struct tm *out)
{
	time_t seconds = (time_t)floor_div(wall_ms, MS_PER_SECOND);

	if (utc || !localtime_r(&seconds, out))
		break_down_utc(wall_ms, out);
}

int64_t time_zone_ms(int64_t wall_ms)
{
	time_t seconds = (time_t)floor_div(wall_ms, MS_PER_SECOND);
	struct tm local;

	return localtime_r(&seconds, &local) ? (int64_t)local.tm_gmtoff * MS_PER_SECOND : 0;
}

PRINTF_LIKE(2, 3)
static void put(char out[TIME_TEXT_SIZE], const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(out, TIME_TEXT_SIZE, format, args);
	va_end(args);
	if (len < 0 || len >= TIME_TEXT_SIZE)
		out[0] = '\0';
}

void time_format_iso(int64_t wall_ms, char out[TIME_TEXT_SIZE])
{
	struct tm t;

	break_down_utc(wall_ms, &t);
	put(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
	    t.tm_hour, t.tm_min, t.tm_sec);
}

void time_format_amz(int64_t wall_ms, char out[TIME_TEXT_SIZE])
{
	struct tm t;

	break_down_utc(wall_ms, &t);
	put(out, "%04d%02d%02dT%02d%02d%02dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
	    t.tm_min, t.tm_sec);
}

void time_format_hm(int64_t wall_ms, bool utc, char out[TIME_TEXT_SIZE])
{
	struct tm t;

	break_down(wall_ms, utc, &t);
	put(out, "%02d:%02d", t.tm_hour, t.tm_min);
}

void time_format_full(int64_t wall_ms, bool utc, char out[TIME_TEXT_SIZE])
{
	struct tm t;

	break_down(wall_ms, utc, &t);
	put(out, "%04d-%02d-%02d %02d:%02d:%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
	    t.tm_hour, t.tm_min, t.tm_sec);
}

void time_format_stamp(int64_t wall_ms, char out[TIME_TEXT_SIZE])
{
	struct tm t;
	int year;

	break_down_utc(wall_ms, &t);
	year = ((t.tm_year + 1900) % 100 + 100) % 100;
	put(out, "%02d%02d%02d-%02d%02d%02d", year, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min,
	    t.tm_sec);
}

/* Reads exactly count digits, no more than 9; moves *at past them. */
static bool read_digits(const char **at, int count, int *value)
{
	*value = 0;
	for (int i = 0; i < count; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*value = *value * 10 + (**at - '0');
	}
	return true;
}

static bool read_mark(const char **at, char mark)
{
	if (**at != mark)
		return false;
	(*at)++;
	return true;
}

static bool count_days(int year, int month, int day, int64_t *days)
{
	if (month < 1 || month > 12 || day < 1)
		return false;
	*days = days_of_date(year, month, 1) + day - 1;
	return *days < days_of_date(month == 12 ? year + 1 : year, month % 12 + 1, 1);
}

/* marked: 2025-01-15, else 20250115. */
static bool read_date(const char **at, bool *marked, int64_t *days)
{
	int year, month, day;

	if (!read_digits(at, 4, &year))
		return false;
	*marked = read_mark(at, '-');
	if (!read_digits(at, 2, &month) || (*marked && !read_mark(at, '-')) ||
	    !read_digits(at, 2, &day))
		return false;
	return count_days(year, month, day, days);
}

/* Digits after the point; what is below a millisecond is dropped. */
static bool read_fraction(const char **at, int *ms)
{
	int weight = 100;

	if (**at < '0' || **at > '9')
		return false;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		*ms += (**at - '0') * weight;
		weight /= 10;
	}
	return true;
}

static bool read_time(const char **at, bool marked, int64_t *ms)
{
	int hour, minute, second = 0, fraction = 0;

	if (!read_digits(at, 2, &hour) || (marked && !read_mark(at, ':')) ||
	    !read_digits(at, 2, &minute))
		return false;
	if (marked ? read_mark(at, ':') : **at >= '0' && **at <= '9') {
		if (!read_digits(at, 2, &second))
			return false;
		if ((read_mark(at, '.') || read_mark(at, ',')) && !read_fraction(at, &fraction))
			return false;
	}
	*ms = ((int64_t)hour * 3600 + minute * 60 + second) * MS_PER_SECOND + fraction;
	/* 60 is a leap second; it falls on the first second of the next minute. */
	return hour <= 23 && minute <= 59 && second <= 60;
}

static bool read_zone(const char **at, int64_t *offset_ms)
{
	int sign = **at == '-' ? -1 : 1;
	int hours, minutes = 0;

	*offset_ms = 0;
	if (read_mark(at, 'Z') || read_mark(at, 'z'))
		return true;
	if (strncmp(*at, "UTC", 3) == 0 || strncmp(*at, "GMT", 3) == 0) {
		*at += 3;
		return true;
	}
	if ((!read_mark(at, '+') && !read_mark(at, '-')) || !read_digits(at, 2, &hours))
		return false;
	if ((read_mark(at, ':') || **at) && !read_digits(at, 2, &minutes))
		return false;
	*offset_ms = sign * ((int64_t)hours * 3600 + minutes * 60) * MS_PER_SECOND;
	return hours <= 23 && minutes <= 59;
}

bool time_parse_iso(const char *text, int64_t *wall_ms)
{
	const char *at = text;
	int64_t days, of_day, offset;
	bool marked;

	if (!text || !read_date(&at, &marked, &days))
		return false;
	if (!read_mark(&at, 'T') && !read_mark(&at, 't') && !read_mark(&at, ' '))
		return false;
	if (!read_time(&at, marked, &of_day) || !read_zone(&at, &offset) || *at)
		return false;
	*wall_ms = days * DAY_SECONDS * MS_PER_SECOND + of_day - offset;
	return true;
}

/* One of several names of three letters in one text; its number from 0 on. */
static bool read_name(const char **at, const char *names, int *index)
{
	for (int i = 0; names[i * 3]; i++) {
		if (strncmp(*at, names + (ptrdiff_t)i * 3, 3) == 0) {
			*index = i;
			*at += 3;
			return true;
		}
	}
	return false;
}

bool time_parse_http(const char *text, int64_t *wall_ms)
{
	const char *at = text;
	int weekday, day, month, year;
	int64_t days, of_day, offset;

	if (!text || !read_name(&at, "MonTueWedThuFriSatSun", &weekday) || !read_mark(&at, ',') ||
	    !read_mark(&at, ' ') || !read_digits(&at, 2, &day) || !read_mark(&at, ' ') ||
	    !read_name(&at, "JanFebMarAprMayJunJulAugSepOctNovDec", &month) ||
	    !read_mark(&at, ' ') || !read_digits(&at, 4, &year) || !read_mark(&at, ' ') ||
	    !count_days(year, month + 1, day, &days) || !read_time(&at, true, &of_day) ||
	    !read_mark(&at, ' ') || !read_zone(&at, &offset) || *at)
		return false;
	*wall_ms = days * DAY_SECONDS * MS_PER_SECOND + of_day - offset;
	return true;
}

int64_t duration_round_ms(int64_t ms)
{
	int64_t rest = ms % MS_PER_SECOND;

	if (rest < MS_PER_SECOND / 2 || ms > INT64_MAX - MS_PER_SECOND)
		return ms - rest;
	return ms - rest + MS_PER_SECOND;
}

void duration_format(int64_t seconds, char out[TIME_TEXT_SIZE])
{
	long long s = seconds > 0 ? seconds : 0;

	if (s < 60)
		put(out, "%llds", s);
	else if (s < 3600)
		put(out, "%lldm", s / 60);
	else if (s < DAY_SECONDS)
		put(out, "%lldh%02lldm", s / 3600, s / 60 % 60);
	else
		put(out, "%lldd%02lldh", s / DAY_SECONDS, s / 3600 % 24);
}

/* Seconds of a unit's letter; 0 if it is none. */
static int64_t unit_seconds(char unit)
{
	switch (unit) {
	case 'd':
		return DAY_SECONDS;
	case 'h':
		return 3600;
	case 'm':
		return 60;
	case 's':
		return 1;
	default:
		return 0;
	}
}

static bool read_amount(const char **at, int64_t *amount)
{
	*amount = 0;
	if (**at < '0' || **at > '9')
		return false;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		if (__builtin_mul_overflow(*amount, 10, amount) ||
		    __builtin_add_overflow(*amount, **at - '0', amount))
			return false;
	}
	return true;
}

bool duration_parse(const char *text, int64_t *seconds)
{
	const char *at = text;
	int64_t total = 0, amount, last_unit = INT64_MAX;

	if (!text || !*text)
		return false;
	while (*at) {
		int64_t unit;

		if (!read_amount(&at, &amount))
			return false;
		/* Without a unit it is seconds, but only alone: 1h30 could mean either. */
		if (!*at && last_unit == INT64_MAX) {
			*seconds = amount;
			return true;
		}
		unit = unit_seconds(*at);
		if (!unit || unit >= last_unit || __builtin_mul_overflow(amount, unit, &amount) ||
		    __builtin_add_overflow(total, amount, &total))
			return false;
		last_unit = unit;
		at++;
	}
	*seconds = total;
	return true;
}

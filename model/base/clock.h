/*
 * The clock seam, and times and durations as text. Times are milliseconds; wall times count from
 * 1970-01-01 UTC, monotonic ones from anywhere. A missing time is a flag (struct opt_ms).
 */
#ifndef GPUQ_BASE_CLOCK_H
#define GPUQ_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"

struct clock {
	int64_t (*mono_ms)(void *self); /* CLOCK_BOOTTIME: goes on while the machine sleeps */
	int64_t (*wall_ms)(void *self);
	void *self;
};

struct opt_ms {
	bool set;
	int64_t ms;
};

/* The machine's clocks. */
struct clock clock_system(void);

static inline int64_t clock_mono_ms(const struct clock *clock)
{
	return clock->mono_ms(clock->self);
}

static inline int64_t clock_wall_ms(const struct clock *clock)
{
	return clock->wall_ms(clock->self);
}

#define TIME_TEXT_SIZE 32 /* enough for every formatter below */

/* 2026-11-30T20:48:08Z; whole seconds. out holds TIME_TEXT_SIZE bytes. */
void time_format_iso(int64_t wall_ms, char out[TIME_TEXT_SIZE]);

/* 20261130T204808Z, as SigV4 wants it. */
void time_format_amz(int64_t wall_ms, char out[TIME_TEXT_SIZE]);

/* HH:MM in UTC or local time. */
void time_format_hm(int64_t wall_ms, bool utc, char out[TIME_TEXT_SIZE]);

/* YYYY-MM-DD HH:MM:SS in UTC or local time, without the zone. */
void time_format_full(int64_t wall_ms, bool utc, char out[TIME_TEXT_SIZE]);

/* What local time is ahead of UTC at that moment, in ms. */
int64_t time_zone_ms(int64_t wall_ms);

/* yymmdd-hhmmss in UTC: the stamp of a copied job's name. */
void time_format_stamp(int64_t wall_ms, char out[TIME_TEXT_SIZE]);

/* Reads ISO 8601, with marks or without (Z, UTC or an offset; a fraction or none); false if it is
 * not. */
bool time_parse_iso(const char *text, int64_t *wall_ms) MUST_CHECK;

/* Reads a date of HTTP and mail: Wed, 15 Jan 2025 12:34:56 GMT (or an offset; a fraction or none).
 * The weekday is not compared. False if it is not. */
bool time_parse_http(const char *text, int64_t *wall_ms) MUST_CHECK;

/* A duration that is over, to the nearest whole second: 41.6 s are 42 s. One that still goes on has
 * the seconds that are full. */
int64_t duration_round_ms(int64_t ms);

/* Human: 42s, 4m, 1h42m, 6h00m, 3d04h; "-" is not produced: durations are >= 0 (clamped). */
void duration_format(int64_t seconds, char out[TIME_TEXT_SIZE]);

/* Reads 90, 90s, 90m, 6h, 7d, 1h30m, 2d4h (a bare number is seconds); false if it is none. */
bool duration_parse(const char *text, int64_t *seconds) MUST_CHECK;

#endif

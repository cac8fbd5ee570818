#include "model/freshness.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define RETRY_NONE_MS (365 * INT64_C(86400000)) /* a try further off than that is none */

static void release_reading(struct job_reading *reading)
{
	free(reading->arn);
	err_clear(&reading->error);
}

void readings_release(struct job_readings *readings)
{
	for (size_t i = 0; i < readings->count; i++)
		release_reading(&readings->items[i]);
	free(readings->items);
	*readings = (struct job_readings){ 0 };
}

static struct job_reading *find(const struct job_readings *readings, const char *arn)
{
	for (size_t i = 0; i < readings->count; i++)
		if (strcmp(readings->items[i].arn, arn) == 0)
			return &readings->items[i];
	return NULL;
}

const struct job_reading *readings_find(const struct job_readings *readings, const char *arn)
{
	return find(readings, arn);
}

static struct job_reading *find_or_add(struct job_readings *readings, const char *arn)
{
	struct job_reading *reading = find(readings, arn);
	if (reading)
		return reading;
	readings->items = mem_grow(readings->items, &readings->capacity, readings->count + 1,
				   sizeof(*readings->items));
	reading = &readings->items[readings->count++];
	*reading = (struct job_reading){ .arn = mem_copy_text(arn) };
	return reading;
}

void readings_begin(struct job_readings *readings, const char *arn)
{
	find_or_add(readings, arn)->under_way = true;
}

static void drop(struct job_readings *readings, struct job_reading *reading)
{
	release_reading(reading);
	*reading = readings->items[--readings->count];
}

void readings_end(struct job_readings *readings, const char *arn)
{
	struct job_reading *reading = find(readings, arn);
	if (reading)
		drop(readings, reading);
}

/* One failure too many: the one that is asked soonest will tell again. */
static void make_room(struct job_readings *readings)
{
	struct job_reading *soonest = NULL;
	size_t failed = 0;
	for (size_t i = 0; i < readings->count; i++) {
		struct job_reading *reading = &readings->items[i];
		if (reading->error.code == ERR_NONE)
			continue;
		failed++;
		if (!soonest || reading->retry_mono_ms < soonest->retry_mono_ms)
			soonest = reading;
	}
	if (failed < READINGS_MAX)
		return;
	if (soonest->under_way)
		err_clear(&soonest->error);
	else
		drop(readings, soonest);
}

void readings_fail(struct job_readings *readings, const char *arn, const struct err *err,
		   int64_t retry_mono_ms)
{
	readings_end(readings, arn);
	make_room(readings);
	struct job_reading *reading = find_or_add(readings, arn);
	err_copy(&reading->error, err);
	reading->retry_mono_ms = retry_mono_ms;
}

bool readings_retry(struct job_readings *readings, const char *arn, int64_t retry_mono_ms)
{
	struct job_reading *reading = find(readings, arn);
	if (!reading || reading->error.code == ERR_NONE || reading->retry_mono_ms == retry_mono_ms)
		return false;
	reading->retry_mono_ms = retry_mono_ms;
	return true;
}

void fresh_set_failure(struct fresh *fresh, const struct err *error, int64_t retry_mono_ms,
		       int64_t mono_ms)
{
	int64_t left_ms = retry_mono_ms - mono_ms;
	fresh->error = error;
	fresh->has_retry = left_ms <= RETRY_NONE_MS;
	fresh->retry_in_ms = left_ms > 0 ? left_ms : 0;
}

void fresh_set_age(struct fresh *fresh, int64_t old_after_ms)
{
	bool old = fresh->age_ms > old_after_ms;
	fresh->state = old ? FRESH_OLD : FRESH_CURRENT;
	fresh->old_in_ms = old ? 0 : old_after_ms - fresh->age_ms + 1;
}

struct fresh freshness_state(const struct freshness *source, int64_t old_after_ms, int64_t mono_ms)
{
	struct fresh fresh = { .resource = "" };
	if (source->loaded && mono_ms > source->loaded_mono_ms)
		fresh.age_ms = mono_ms - source->loaded_mono_ms;
	if (source->failing) {
		fresh.state = source->loaded ? FRESH_STALE : FRESH_MISSING;
		fresh_set_failure(&fresh, &source->error, source->retry_mono_ms, mono_ms);
	} else if (!source->loaded) {
		fresh.state = FRESH_LOADING;
	} else {
		fresh_set_age(&fresh, old_after_ms);
	}
	return fresh;
}

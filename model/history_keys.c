#include "model/history_keys.h"

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"

#define HOUR_MS INT64_C(3600000)
#define NO_TAG  "(no tag seen)"
#define NO_ROLE "(no role seen)"
#define SINGLE  "single"

static const char *const ranks[] = { "1", "2", "3", "4", "5" };
_Static_assert(ARRAY_LEN(ranks) == PREFS_MAX, "a word for each rank");

static const char *const words[HISTORY_BY_COUNT] = {
	"type", "rank", "stem", "hour", "tag", "role", "list",
};

bool history_by_parse(const char *word, enum history_by *by)
{
	for (size_t i = 0; i < HISTORY_BY_COUNT; i++) {
		if (strcmp(words[i], word) == 0) {
			*by = (enum history_by)i;
			return true;
		}
	}
	return false;
}

const char *history_by_word(enum history_by by)
{
	return words[by];
}

bool history_by_is_of_entries(enum history_by by)
{
	return by == HISTORY_BY_TYPE || by == HISTORY_BY_RANK;
}

bool history_has_started(const struct history_job *job)
{
	return job->outcome == WAIT_STARTED;
}

bool history_chosen(const struct history_job *job, size_t *i)
{
	if (!history_has_started(job) || job->has_groups || job->entry_count == 0 ||
	    (job->rank == 0 && job->entry_count > 1))
		return false;
	*i = job->rank > 0 ? (size_t)job->rank - 1 : 0;
	return *i < job->entry_count;
}

const char *history_entry_key(const struct history *history, const struct history_job *job,
			      enum history_by by, size_t i)
{
	if (job->has_groups)
		return NULL;
	if (by == HISTORY_BY_TYPE)
		return texts_at(&history->texts, job->types[i]);
	if (!job->is_list)
		return SINGLE;
	return i < PREFS_MAX ? ranks[i] : NULL;
}

size_t history_key_count(const struct history_job *job, enum history_by by)
{
	switch (by) {
	case HISTORY_BY_HOUR:
		return job->has_created && job->created_ms >= 0;
	case HISTORY_BY_TAG:
		return job->tag_count > 0 ? job->tag_count : 1;
	case HISTORY_BY_LIST:
		return job->entry_count > 0; /* known from its list alone, nothing can be told */
	default:
		return 1;
	}
}

/* What stands behind the account and the path. */
static const char *role_name(const char *arn)
{
	const char *slash = arn ? strrchr(arn, '/') : NULL;

	if (!arn || !arn[0])
		return NO_ROLE;
	return slash && slash[1] ? slash + 1 : arn;
}

static const char *list_word(const struct history_job *job)
{
	if (job->has_groups)
		return "groups";
	return job->is_list ? "list" : "one type";
}

const char *history_whole_key(const struct history *history, const struct history_job *job,
			      enum history_by by, size_t n, char room[HISTORY_KEY_SIZE])
{
	const char *text = NULL;

	switch (by) {
	case HISTORY_BY_HOUR:
		(void)snprintf(room, HISTORY_KEY_SIZE, "%02d",
			       (int)(job->created_ms / HOUR_MS % 24));
		return room;
	case HISTORY_BY_TAG:
		if (n < job->tag_count)
			text = texts_at(&history->texts, history->tags[job->tag_at + n]);
		return text ? text : NO_TAG;
	case HISTORY_BY_ROLE:
		return role_name(texts_at(&history->texts, job->role));
	case HISTORY_BY_LIST:
		return list_word(job);
	default:
		text = texts_at(&history->texts, job->stem);
		return text ? text : "";
	}
}

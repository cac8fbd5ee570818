#define _GNU_SOURCE /* explicit_bzero */
#include "model/journal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

void journal_drop_request(struct journal_record *record)
{
	if (record->request)
		explicit_bzero(record->request, strlen(record->request));
	free(record->request);
	record->request = NULL;
}

void journal_record_release(struct journal_record *record)
{
	if (!record)
		return;
	journal_drop_request(record);
	free(record->endpoint);
	free(record->replaces.arn);
	free(record->arn);
	free(record->why);
	*record = (struct journal_record){ 0 };
}

void journal_record_copy(struct journal_record *to, const struct journal_record *from)
{
	journal_record_release(to);
	*to = *from;
	to->request = mem_copy_text(from->request);
	to->endpoint = mem_copy_text(from->endpoint);
	to->replaces.arn = mem_copy_text(from->replaces.arn);
	to->arn = mem_copy_text(from->arn);
	to->why = mem_copy_text(from->why);
}

const char *journal_state_word(enum journal_state state)
{
	static const char *const words[] = {
		[JOURNAL_INTENDED] = "intended",   [JOURNAL_SUBMITTED] = "submitted",
		[JOURNAL_REFUSED] = "refused",     [JOURNAL_TAKEN] = "taken",
		[JOURNAL_WITHDRAWN] = "withdrawn",
	};

	return words[state];
}

static bool is_word(const char *text, size_t size)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '-')
			return false;
	return len > 0 && len < size;
}

bool journal_key(enum job_kind kind, const char *name, const char *draft,
		 char out[JOURNAL_KEY_SIZE])
{
	bool of_draft = draft && draft[0];

	if (!job_name_is_valid(name) || (of_draft && !is_word(draft, JOURNAL_DRAFT_SIZE)))
		return false;
	snprintf(out, JOURNAL_KEY_SIZE, "%s-%s", of_draft ? "draft" : job_kind_word(kind),
		 of_draft ? draft : name);
	return true;
}

/* --- what follows --- */

int64_t journal_aws_ms(const struct journal_time *time, const struct journal_now *now)
{
	return time->measured ? time->aws_ms : time->wall_ms + (now->aws_ms - now->wall_ms);
}

struct opt_ms journal_age(const struct journal_record *record, const struct journal_now *now)
{
	int64_t by_wall = now->wall_ms - record->agreed.wall_ms;
	bool tells = !now->blind || !record->agreed.measured;
	int64_t by_aws = tells ? now->aws_ms - journal_aws_ms(&record->agreed, now) : by_wall;
	int64_t longest = by_aws > by_wall ? by_aws : by_wall;
	int64_t shortest = by_aws > by_wall ? by_wall : by_aws;

	/* A clock that was set back makes an old yes young: then nobody knows. */
	if (shortest < -JOURNAL_SLACK_MS)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ true, longest > 0 ? longest : 0 };
}

bool journal_is_since(const struct journal_record *record, const struct journal_now *now,
		      struct opt_ms created)
{
	return !created.set || created.ms >= journal_aws_ms(&record->first, now) - JOURNAL_SLACK_MS;
}

/* Nothing was found, often and long enough to be believed. */
static enum journal_next next_without(const struct journal_look *look)
{
	if (look->refused)
		return NEXT_REFUSED;
	return look->age.set && look->age.ms <= JOURNAL_AGREED_MS ? NEXT_SEND : NEXT_ASK;
}

enum journal_next journal_next(const struct journal_look *look)
{
	switch (look->sight) {
	case SIGHT_OURS:
		return NEXT_SUBMITTED;
	case SIGHT_OTHER:
		return NEXT_TAKEN;
	case SIGHT_NONE:
		if (look->not_found >= JOURNAL_LOOKS && look->quiet_ms >= JOURNAL_LOOKS_MS)
			return next_without(look);
		break;
	case SIGHT_UNKNOWN:
		break;
	}
	return NEXT_LOOK;
}

static enum journal_claim claim_open(enum process_state holder)
{
	static const enum journal_claim claims[] = {
		[PROCESS_SELF] = CLAIM_OWN,
		[PROCESS_LIVES] = CLAIM_HELD,
		[PROCESS_GONE] = CLAIM_LEFT,
		[PROCESS_ELSEWHERE] = CLAIM_ELSEWHERE,
	};

	return claims[holder];
}

enum journal_claim journal_claim(const struct journal_record *record, enum process_state holder)
{
	if (!record)
		return CLAIM_FREE;
	if (record->state == JOURNAL_INTENDED)
		return claim_open(holder);
	return record->state == JOURNAL_SUBMITTED && record->draft[0] ? CLAIM_SPENT : CLAIM_FREE;
}

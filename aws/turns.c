#include "aws/turns.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC      "gpuq-pace 1 "
#define DIGITS_MAX 15   /* of a time: 30,000 years */
#define SOON_MS    1000 /* two processors may disagree about now, by less than this */

/* --- the table --- */

static bool is_letter_or_digit(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool name_is_sound(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_letter_or_digit(name[i]))
			return false;
	}
	return len > 0 && len < TURNS_NAME_SIZE;
}

static size_t find_op(const struct turns *turns, const char *name, size_t len)
{
	size_t i = 0;

	while (i < turns->op_count &&
	       (strncmp(turns->ops[i].name, name, len) != 0 || turns->ops[i].name[len] != '\0'))
		i++;
	return i;
}

/* Adds it where it is not known; TURNS_OPS_MAX: there is no room, or it cannot be a name. */
static size_t op_of(struct turns *turns, const char *name, size_t len)
{
	size_t at = find_op(turns, name, len);

	if (at < turns->op_count)
		return at;
	if (at == TURNS_OPS_MAX || !name_is_sound(name, len))
		return TURNS_OPS_MAX;
	turns->ops[at] = (struct turns_op){ 0 };
	memcpy(turns->ops[at].name, name, len);
	turns->op_count++;
	return at;
}

/* How many turns are not later. */
static size_t rank_of(const struct turns *turns, int64_t at_ms)
{
	size_t rank = turns->count;

	while (rank > 0 && turns->turns[rank - 1].at_ms > at_ms)
		rank--;
	return rank;
}

static bool insert(struct turns *turns, size_t op, int64_t at_ms)
{
	size_t rank = rank_of(turns, at_ms);

	if (turns->count == TURNS_TABLE_MAX)
		return false;
	memmove(&turns->turns[rank + 1], &turns->turns[rank],
		(turns->count - rank) * sizeof(turns->turns[0]));
	turns->turns[rank] = (struct turn){ .at_ms = at_ms, .op = op };
	turns->count++;
	return true;
}

/* --- as text --- */

struct reader {
	const char *at, *end;
};

/* The next word of the line, without the blank or line break behind it; false at a line's end. */
static bool take_word(struct reader *reader, const char **word, size_t *len)
{
	const char *at = reader->at;

	while (at<reader->end && * at> ' ' && *at < 127)
		at++;
	*word = reader->at;
	*len = (size_t)(at - reader->at);
	reader->at = at;
	return *len > 0;
}

static bool take_char(struct reader *reader, char c)
{
	if (reader->at == reader->end || *reader->at != c)
		return false;
	reader->at++;
	return true;
}

static bool take_text(struct reader *reader, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(reader->end - reader->at) < len || memcmp(reader->at, text, len) != 0)
		return false;
	reader->at += len;
	return true;
}

static bool take_number(struct reader *reader, int64_t *number)
{
	int digits = 0;

	*number = 0;
	while (digits < DIGITS_MAX && reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9') {
		*number = *number * 10 + (*reader->at++ - '0');
		digits++;
	}
	return digits > 0; /* of a longer one the rest is no blank */
}

/* "turn TIME OPERATION" */
static bool read_turn(struct turns *turns, struct reader *reader, int64_t now_ms)
{
	const char *name;
	size_t len, op;
	int64_t at_ms;

	if (!take_number(reader, &at_ms) || !take_char(reader, ' ') ||
	    !take_word(reader, &name, &len) || at_ms > now_ms + TURNS_AHEAD_MS + SOON_MS)
		return false;
	if (at_ms < now_ms - TURNS_KEPT_MS)
		return name_is_sound(name, len);
	op = op_of(turns, name, len);
	return op < TURNS_OPS_MAX && insert(turns, op, at_ms);
}

/* "slow OPERATION PERMILLE SINCE" */
static bool read_slowdown(struct turns *turns, struct reader *reader, int64_t now_ms)
{
	struct slowdown slowdown;
	const char *name;
	size_t len, op;

	if (!take_word(reader, &name, &len) || !take_char(reader, ' ') ||
	    !take_number(reader, &slowdown.lost) || !take_char(reader, ' ') ||
	    !take_number(reader, &slowdown.since_ms) ||
	    slowdown.lost > SLOWDOWN_FULL - SLOWDOWN_LEAST || slowdown.since_ms > now_ms + SOON_MS)
		return false;
	if (slowdown_over_ms(&slowdown) <= now_ms)
		return name_is_sound(name, len);
	op = op_of(turns, name, len);
	if (op == TURNS_OPS_MAX)
		return false;
	turns->ops[op].slowdown = slowdown;
	return true;
}

static bool read_line(struct turns *turns, struct reader *reader, int64_t now_ms)
{
	if (take_text(reader, "turn "))
		return read_turn(turns, reader, now_ms) && take_char(reader, '\n');
	return take_text(reader, "slow ") && read_slowdown(turns, reader, now_ms) &&
	       take_char(reader, '\n');
}

static bool read_all(struct turns *turns, struct reader *reader, const char *boot, int64_t now_ms)
{
	const char *word;
	size_t len;

	if (!take_text(reader, MAGIC) || !take_word(reader, &word, &len) ||
	    !take_char(reader, '\n'))
		return false;
	if (strlen(boot) != len || memcmp(word, boot, len) != 0)
		return true;
	/* What lies behind the end is left of a longer table. */
	while (!take_text(reader, "end\n")) {
		if (!read_line(turns, reader, now_ms))
			return false;
	}
	return true;
}

bool turns_read(struct turns *turns, const char *text, size_t len, const char *boot, int64_t now_ms)
{
	struct reader reader = { text, text + len };

	*turns = (struct turns){ 0 };
	if (read_all(turns, &reader, boot, now_ms))
		return true;
	*turns = (struct turns){ 0 };
	return false;
}

void turns_write(const struct turns *turns, const char *boot, struct buf *out)
{
	buf_addf(out, MAGIC "%s\n", boot);
	for (size_t i = 0; i < turns->op_count; i++) {
		const struct turns_op *op = &turns->ops[i];

		if (op->slowdown.lost > 0)
			buf_addf(out, "slow %s %lld %lld\n", op->name, (long long)op->slowdown.lost,
				 (long long)op->slowdown.since_ms);
	}
	for (size_t i = 0; i < turns->count; i++)
		buf_addf(out, "turn %lld %s\n", (long long)turns->turns[i].at_ms,
			 turns->ops[turns->turns[i].op].name);
	buf_add_text(out, "end\n");
}

/* --- taking --- */

struct rule {
	size_t op;
	int64_t gap_ms, span_ms;
};

/* The time at a place of the order that the turns have with one more at at_ms, in front of which
 * stand `before`. */
static int64_t time_at(const struct turns *turns, size_t place, size_t before, int64_t at_ms)
{
	if (place == before)
		return at_ms;
	return turns->turns[place < before ? place : place - 1].at_ms;
}

static bool is_free(const struct turns *turns, const struct rule *rule, int64_t at_ms)
{
	size_t before = rank_of(turns, at_ms);
	size_t first = before > TURNS_TOGETHER ? before - TURNS_TOGETHER : 0;

	for (size_t i = 0; i < turns->count; i++) {
		const struct turn *turn = &turns->turns[i];

		if (turn->op == rule->op && llabs(turn->at_ms - at_ms) < rule->gap_ms)
			return false;
	}
	for (; first <= before && first + TURNS_TOGETHER <= turns->count; first++) {
		if (time_at(turns, first + TURNS_TOGETHER, before, at_ms) -
			    time_at(turns, first, before, at_ms) <
		    rule->span_ms)
			return false;
	}
	return true;
}

static void try_time(const struct turns *turns, const struct rule *rule, int64_t now_ms,
		     int64_t at_ms, int64_t *best_ms)
{
	if (at_ms >= now_ms && at_ms < *best_ms && is_free(turns, rule, at_ms))
		*best_ms = at_ms;
}

/* A stretch of free time begins now, or where a gap or a span after some turn ends. */
static int64_t earliest_ms(const struct turns *turns, const struct rule *rule, int64_t now_ms)
{
	int64_t best = INT64_MAX;

	try_time(turns, rule, now_ms, now_ms, &best);
	for (size_t i = 0; i < turns->count; i++) {
		const struct turn *turn = &turns->turns[i];

		try_time(turns, rule, now_ms, turn->at_ms + rule->span_ms, &best);
		if (turn->op == rule->op)
			try_time(turns, rule, now_ms, turn->at_ms + rule->gap_ms, &best);
	}
	return best;
}

bool turns_take(struct turns *turns, const char *op, int64_t gap_ms, int64_t now_ms, int64_t *at_ms)
{
	struct rule rule = { .op = op_of(turns, op, strlen(op)) };

	gap_ms = gap_ms < TURNS_GAP_MS ? gap_ms : TURNS_GAP_MS;
	*at_ms = now_ms + TURNS_AHEAD_MS;
	if (rule.op == TURNS_OPS_MAX)
		return false;
	rule.span_ms = TURNS_SPAN_MS * gap_ms / TURNS_GAP_MS;
	rule.gap_ms = slowdown_stretch(&turns->ops[rule.op].slowdown, gap_ms, now_ms);
	*at_ms = earliest_ms(turns, &rule, now_ms);
	return *at_ms <= now_ms + TURNS_AHEAD_MS && insert(turns, rule.op, *at_ms);
}

void turns_take_now(struct turns *turns, const char *op, int64_t now_ms)
{
	size_t at = op_of(turns, op, strlen(op));

	if (at < TURNS_OPS_MAX)
		(void)insert(turns, at, now_ms); /* a full table makes others wait anyway */
}

void turns_note_throttled(struct turns *turns, const char *op, unsigned count, int64_t now_ms)
{
	size_t at = op_of(turns, op, strlen(op));

	if (at < TURNS_OPS_MAX)
		slowdown_note_throttled(&turns->ops[at].slowdown, count, now_ms);
}

struct slowdown turns_slowdown(const struct turns *turns, const char *op)
{
	size_t at = find_op(turns, op, strlen(op));

	return at < turns->op_count ? turns->ops[at].slowdown : (struct slowdown){ 0 };
}

unsigned turns_started(const struct turns *turns, int64_t now_ms)
{
	size_t first = rank_of(turns, now_ms - TURNS_KEPT_MS);

	return (unsigned)(rank_of(turns, now_ms) - first);
}

/*
 * Any bytes as the file of turns, which others may write. A table that was read holds turns in
 * their order and no further off than anybody takes one, and reads back as itself; a turn that is
 * taken from it is apart from all others of its operation.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/turns.h"
#include "tests/fuzz/fuzz.h"

#define NOW INT64_C(5000000)

static void check(const struct turns *turns)
{
	assert(turns->count <= TURNS_TABLE_MAX && turns->op_count <= TURNS_OPS_MAX);
	for (size_t i = 0; i < turns->count; i++) {
		const struct turn *turn = &turns->turns[i];

		assert(i == 0 || turn[-1].at_ms <= turn->at_ms);
		assert(turn->op < turns->op_count);
		assert(turn->at_ms >= NOW - TURNS_KEPT_MS && turn->at_ms <= NOW + 61000);
	}
	for (size_t i = 0; i < turns->op_count; i++) {
		const struct turns_op *op = &turns->ops[i];
		size_t len = strlen(op->name);

		assert(len > 0 && len < TURNS_NAME_SIZE);
		fuzz_want_harmless(op->name, len, "");
		assert(slowdown_pace(&op->slowdown, NOW) >= SLOWDOWN_LEAST);
		assert(slowdown_pace(&op->slowdown, NOW) <= SLOWDOWN_FULL);
	}
	assert(turns_started(turns, NOW) <= turns->count);
}

static void check_written(const struct turns *turns)
{
	struct turns again;
	struct buf text;

	buf_init(&text, TURNS_TEXT_MAX);
	turns_write(turns, "boot", &text);
	assert(!text.failed);
	assert(turns_read(&again, buf_text(&text), text.len, "boot", NOW));
	assert(again.count == turns->count);
	for (size_t i = 0; i < turns->count; i++) {
		assert(again.turns[i].at_ms == turns->turns[i].at_ms);
		assert(strcmp(again.ops[again.turns[i].op].name,
			      turns->ops[turns->turns[i].op].name) == 0);
	}
	buf_release(&text);
}

static void check_taken(struct turns *turns, const char *op, int64_t gap_ms)
{
	int64_t at_ms;
	size_t before = turns->count, same = 0;
	bool taken = turns_take(turns, op, gap_ms, NOW, &at_ms);

	assert(turns->count == before + taken);
	assert(!taken || (at_ms >= NOW && at_ms <= NOW + TURNS_AHEAD_MS));
	for (size_t i = 0; taken && i < turns->count; i++) {
		const struct turn *turn = &turns->turns[i];

		if (strcmp(turns->ops[turn->op].name, op) == 0 &&
		    llabs(turn->at_ms - at_ms) < gap_ms)
			same++;
	}
	assert(same == taken);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct turns turns;

	if (turns_read(&turns, text, size, "boot", NOW)) {
		check(&turns);
		check_written(&turns);
		for (int i = 0; i < 8; i++)
			check_taken(&turns, i % 2 ? "Search" : "ListTrainingJobs", 1000 >> (i / 4));
		turns_note_throttled(&turns, "Search", 2, NOW);
		check(&turns);
		check_taken(&turns, "Search", 1000);
	} else {
		assert(turns.count == 0 && turns.op_count == 0);
	}
	free(text);
	return 0;
}

/* Long chains of random edits by keys against a list model of this file's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tests/fakeui.h"

#define STEPS  1000
#define SEEDS  2
#define LENGTH 5   /* entries, service limit */
#define KEPT   256 /* states that undo keeps (preferences.h) */

/* A list as text rows: what a person would write down. */
struct row {
	int type; /* index into types */
	int count;
};

struct sheet {
	struct row rows[LENGTH];
	int length;
	int shared; /* the one count; 0 = one each */
};

struct book {
	struct sheet pages[KEPT];
	int count, at; /* the page shown is at */
};

static const char *const types[] = {
	"ml.p5.48xlarge", "ml.p4d.24xlarge", "ml.g5.48xlarge", "ml.p4de.24xlarge",
	"ml.g6.48xlarge", "ml.c5.xlarge",    "ml.zz9.1xlarge", /* the last one is unknown */
};

/* xorshift64: the same chain on every machine. */
static unsigned draw_number(uint64_t *seed, unsigned below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed >> 33) % below;
}

static void sheet_move(struct sheet *sheet, int from, int to)
{
	struct row moved;

	if (to < 0 || to >= sheet->length)
		return;
	moved = sheet->rows[from];
	for (int i = from; i < to; i++)
		sheet->rows[i] = sheet->rows[i + 1];
	for (int i = from; i > to; i--)
		sheet->rows[i] = sheet->rows[i - 1];
	sheet->rows[to] = moved;
}

static void sheet_insert(struct sheet *sheet, int at, int type)
{
	int count = 1;

	if (sheet->length == LENGTH)
		return;
	if (at > 0)
		count = sheet->rows[at - 1].count;
	for (int i = sheet->length; i > at; i--)
		sheet->rows[i] = sheet->rows[i - 1];
	sheet->rows[at] = (struct row){ type, sheet->shared ? 0 : count };
	sheet->length++;
}

static void sheet_remove(struct sheet *sheet, int at)
{
	sheet->length--;
	for (int i = at; i < sheet->length; i++)
		sheet->rows[i] = sheet->rows[i + 1];
}

static void sheet_add(struct sheet *sheet, int at, int by)
{
	int *count = sheet->shared ? &sheet->shared : &sheet->rows[at].count;

	if (*count + by >= 1)
		*count += by;
}

static void sheet_toggle(struct sheet *sheet)
{
	int shared = sheet->shared;

	sheet->shared = shared ? 0 : sheet->rows[0].count;
	for (int i = 0; i < sheet->length; i++)
		sheet->rows[i].count = shared;
}

static bool same(const struct sheet *a, const struct sheet *b)
{
	if (a->length != b->length || a->shared != b->shared)
		return false;
	for (int i = 0; i < a->length; i++)
		if (a->rows[i].type != b->rows[i].type || a->rows[i].count != b->rows[i].count)
			return false;
	return true;
}

/* Writes a page after the one shown, if it says something new; what came after is torn out. */
static void book_write(struct book *book, const struct sheet *sheet)
{
	if (same(sheet, &book->pages[book->at]))
		return;
	if (book->at == KEPT - 1) {
		for (int i = 1; i < KEPT; i++)
			book->pages[i - 1] = book->pages[i];
		book->at--;
	}
	book->pages[++book->at] = *sheet;
	book->count = book->at + 1;
}

static void check_same(const struct sheet *sheet, const struct preferences *prefs)
{
	assert_int_equal(prefs->length, sheet->length);
	assert_int_equal(prefs->has_shared_count, sheet->shared != 0);
	if (sheet->shared)
		assert_int_equal(prefs->shared_count, sheet->shared);
	for (int i = 0; i < sheet->length; i++) {
		const struct preference *entry = &prefs->entries[i];

		assert_string_equal(entry->instance_type, types[sheet->rows[i].type]);
		assert_int_equal(entry->has_count, sheet->shared == 0);
		if (!sheet->shared)
			assert_int_equal(entry->count, sheet->rows[i].count);
	}
}

static void go_to_entry(struct fakeui *fake, int at)
{
	fakeui_keys(fake, "Home");
	for (int i = 0; i < at; i++)
		fakeui_keys(fake, "j");
}

static void pick(struct fakeui *fake, const char *key, int type)
{
	fakeui_keys(fake, key);
	if (!fakeui_top(fake))
		return; /* refused: the list is full */
	fakeui_paste(fake, types[type]);
	fakeui_keys(fake, "Enter");
}

/* One random edit by keys, and the same on the sheet. */
static void edit_both(struct fakeui *fake, struct sheet *sheet, uint64_t *seed)
{
	static const char *const ranks[] = { "1", "2", "3", "4", "5" };
	int at = sheet->length ? (int)draw_number(seed, (unsigned)sheet->length) : 0;
	int type = (int)draw_number(seed, ARRAY_LEN(types));
	int rank = (int)draw_number(seed, LENGTH);
	unsigned act = draw_number(seed, 10);

	if (sheet->length == 0)
		act = 8; /* nothing else makes sense in an empty list */
	go_to_entry(fake, at);
	switch (act) {
	case 0:
		fakeui_keys(fake, draw_number(seed, 2) ? "J" : "A-Down");
		sheet_move(sheet, at, at + 1);
		break;
	case 1:
		fakeui_keys(fake, draw_number(seed, 2) ? "K" : "F7");
		sheet_move(sheet, at, at - 1);
		break;
	case 2:
		fakeui_keys(fake, ranks[rank]);
		sheet_move(sheet, at, rank < sheet->length ? rank : sheet->length - 1);
		break;
	case 3:
	case 4:
		fakeui_keys(fake, draw_number(seed, 2) ? "+" : "=");
		sheet_add(sheet, at, 1);
		break;
	case 5:
		fakeui_keys(fake, "-");
		sheet_add(sheet, at, -1);
		break;
	case 6:
		fakeui_keys(fake, "g");
		sheet_toggle(sheet);
		break;
	case 7:
		fakeui_keys(fake, "D");
		sheet_remove(sheet, at);
		break;
	case 8:
		pick(fake, "i", type);
		sheet_insert(sheet, sheet->length ? at + 1 : 0, type);
		break;
	default:
		pick(fake, "Enter", type);
		sheet->rows[at].type = type;
		break;
	}
}

static void run_chain(uint64_t seed)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct book *book = mem_new(1, sizeof(*book));
	struct job job = fakeui_job();
	const struct draft *draft;

	fakeui_start(fake, &preferences_pane);
	fakeui_select(fake, &job);
	book->pages[0] = (struct sheet){ .rows = { { 0, 2 }, { 1, 4 }, { 2, 8 } }, .length = 3 };
	book->count = 1;
	for (int step = 0; step < STEPS; step++) {
		struct sheet sheet = book->pages[book->at];
		unsigned act = draw_number(&seed, 10);

		if (act < 2) {
			fakeui_keys(fake, "u");
			book->at -= book->at > 0;
		} else if (act == 2) {
			fakeui_keys(fake, "C-r");
			book->at += book->at + 1 < book->count;
		} else {
			edit_both(fake, &sheet, &seed);
			book_write(book, &sheet);
		}
		draft = draft_find(&fake->ui, job.arn);
		check_same(&book->pages[book->at], draft ? &draft->prefs : job_prefs(&job));
	}
	while (book->at > 0) { /* all the way back, one by one */
		fakeui_keys(fake, "u");
		book->at--;
		draft = draft_find(&fake->ui, job.arn);
		check_same(&book->pages[book->at], &draft->prefs);
	}
	job_release(&job);
	fakeui_stop(fake);
	free(fake);
	free(book);
}

static void edits__match_the_model__over_random_chains(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		run_chain(seed * UINT64_C(0x9e3779b97f4a7c15));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits__match_the_model__over_random_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

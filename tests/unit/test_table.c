#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/offscreen.h"
#include "tui/table.h"

/* Rows are a string of one-letter ids. */
static const char *id_at(const void *rows, size_t row)
{
	static char ids[256][2];
	unsigned char letter = (unsigned char)((const char *)rows)[row];

	ids[letter][0] = (char)letter;
	return ids[letter];
}

static void format_name(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)style;
	(void)buf_addf(out, "name-%s", id_at(rows, row));
}

static void format_phase(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)buf_addf(out, "%zu", row);
	*style = id_at(rows, row)[0] == 'c' ? STYLE_FAILED : STYLE_RUNNING;
}

static void format_hostile(const void *rows, size_t row, struct buf *out, enum style *style)
{
	(void)rows;
	(void)row;
	(void)style;
	(void)buf_add_text(out, "\x1b[2J\n\xe2\x80\xae训训训训");
}

static const struct column columns[] = {
	{ .id = "name", .title = "NAME", .minimum = 6, .weight = 1, .format = format_name },
	{ .id = "phase", .title = "N", .minimum = 4, .right = true, .format = format_phase },
	{ .id = "text", .title = "TEXT", .minimum = 5, .format = format_hostile },
};

static struct table make_table(void)
{
	return (struct table){ .columns = columns, .column_count = ARRAY_LEN(columns) };
}

static void settle(struct table *table, const char *rows)
{
	table_settle(table, strlen(rows), rows, id_at);
}

static void move(struct table *table, long delta, const char *rows)
{
	table_move(table, delta, strlen(rows), rows, id_at);
}

static void settle__keeps_the_row__wherever_it_went(void **state)
{
	struct table table = make_table();

	(void)state;
	settle(&table, "abcdef");
	assert_string_equal(table.cursor_id, "a");
	move(&table, 3, "abcdef");
	assert_string_equal(table.cursor_id, "d");
	settle(&table, "fedcba");
	assert_int_equal(table.cursor, 2);
	settle(&table, "xyzabcdef");
	assert_int_equal(table.cursor, 6);
	assert_string_equal(table.cursor_id, "d");
	table_release(&table);
	table_release(NULL);
}

static void settle__takes_the_nearest_row__when_its_own_is_gone(void **state)
{
	struct table table = make_table();

	(void)state;
	settle(&table, "abcdef");
	move(&table, 3, "abcdef");
	settle(&table, "abcef");
	assert_int_equal(table.cursor, 3);
	assert_string_equal(table.cursor_id, "e");
	settle(&table, "ab");
	assert_int_equal(table.cursor, 1);
	assert_string_equal(table.cursor_id, "b");
	table_release(&table);
}

static void settle__remembers__over_an_empty_list(void **state)
{
	struct table table = make_table();

	(void)state;
	settle(&table, "");
	assert_null(table.cursor_id);
	settle(&table, "abc");
	move(&table, 1, "abc");
	settle(&table, "");
	assert_int_equal(table.cursor, 0);
	settle(&table, "xabc");
	assert_int_equal(table.cursor, 2);
	assert_string_equal(table.cursor_id, "b");
	table_release(&table);
}

static void settle__never_resets_scrolling__but_a_list_at_its_top_stays_there(void **state)
{
	static const char rows[] = "abcdefghijklmnopqrstuvwxyz";
	static const char more[] = "0123abcdefghijklmnopqrstuvwxyz";
	struct table table = make_table();

	(void)state;
	settle(&table, rows);
	move(&table, 12, rows);
	table.top = 10;
	settle(&table, more); /* four rows came above: the same rows stay where they are */
	assert_int_equal(table.cursor, 16);
	assert_int_equal(table.top, 14);
	settle(&table, rows);
	assert_int_equal(table.cursor, 12);
	assert_int_equal(table.top, 10);
	table.top = 0;
	settle(&table, more); /* at the top the new rows show */
	assert_int_equal(table.cursor, 16);
	assert_int_equal(table.top, 0);
	table_release(&table);
}

static void move__stops_at_the_ends__for_any_distance(void **state)
{
	struct table table = make_table();

	(void)state;
	settle(&table, "abcdef");
	move(&table, LONG_MAX, "abcdef");
	assert_string_equal(table.cursor_id, "f");
	move(&table, 1, "abcdef");
	assert_string_equal(table.cursor_id, "f");
	move(&table, -2, "abcdef");
	assert_string_equal(table.cursor_id, "d");
	move(&table, LONG_MIN, "abcdef");
	assert_string_equal(table.cursor_id, "a");
	move(&table, -1, "abcdef");
	assert_string_equal(table.cursor_id, "a");
	move(&table, 1, "");
	assert_string_equal(table.cursor_id, "a");
	table_release(&table);
}

static void draw__places_head_and_rows__by_weight_and_side(void **state)
{
	struct offscreen *off = offscreen_new(30, 5);
	struct table table = make_table();

	(void)state;
	table.column_count = 2;
	settle(&table, "abc");
	move(&table, 1, "abc");
	table_draw(&table, offscreen_surface(off), (struct rect){ 0, 0, 20, 5 }, "abc", 3);
	assert_string_equal(offscreen_text(off), "  NAME             N\n"
						 "  name-a           0\n"
						 "▸ name-b           1\n"
						 "  name-c           2\n"
						 "\n");
	assert_true(offscreen_has_style(off, 0, 0, STYLE_COLUMN));
	assert_true(offscreen_has_style(off, 19, 1, STYLE_RUNNING));
	assert_true(offscreen_has_style(off, 19, 3, STYLE_FAILED));
	for (int x = 0; x < 20; x++)
		assert_true(offscreen_has_style(off, x, 2, STYLE_SELECTED));
	assert_false(offscreen_has_style(off, 20, 2, STYLE_SELECTED));
	table_release(&table);
	offscreen_free(off);
}

static void draw__leaves_out_the_last_columns__when_narrow(void **state)
{
	struct offscreen *off = offscreen_new(30, 2);
	struct table table = make_table();

	(void)state;
	settle(&table, "a");
	/* 2 for the mark, 6, a blank, 4: the third needs 6 more. */
	table_draw(&table, offscreen_surface(off), (struct rect){ 0, 0, 13, 2 }, "a", 1);
	assert_string_equal(offscreen_text(off), "  NAME      N\n▸ name-a    0\n");
	offscreen_clear(off);
	table_draw(&table, offscreen_surface(off), (struct rect){ 0, 0, 19, 2 }, "a", 1);
	assert_string_equal(offscreen_text(off), "  NAME      N TEXT\n▸ name-a    0 ·[2J…\n");
	table_release(&table);
	offscreen_free(off);
}

static void draw__keeps_the_cursor_in_view__and_no_gap_below(void **state)
{
	static const char rows[] = "abcdefghijklmnopqrstuvwxyz";
	struct offscreen *off = offscreen_new(30, 6);
	struct surface *out = offscreen_surface(off);
	struct rect at = { 0, 0, 30, 6 };
	struct table table = make_table();

	(void)state;
	settle(&table, rows);
	for (int i = 0; i < 26; i++) {
		table_draw(&table, out, at, rows, 26);
		assert_in_range(table.cursor, table.top, table.top + 4);
		move(&table, 1, rows);
	}
	assert_int_equal(table.top, 21);
	move(&table, -3, rows); /* within the view: nothing scrolls */
	table_draw(&table, out, at, rows, 26);
	assert_int_equal(table.top, 21);
	table_draw(&table, out, (struct rect){ 0, 0, 30, 4 }, rows, 26);
	assert_int_equal(table.top, 21);
	settle(&table, "abcdefgh"); /* most rows are gone: five of the rest fill the view */
	table_draw(&table, out, at, "abcdefgh", 8);
	assert_int_equal(table.top, 3);
	settle(&table, "vw");
	table_draw(&table, out, at, "vw", 2);
	assert_int_equal(table.top, 0);
	assert_string_equal(offscreen_line(off, 3), "");
	table_release(&table);
	offscreen_free(off);
}

static void draw__stays_inside__at_any_size(void **state)
{
	struct offscreen *off = offscreen_new(40, 12);
	struct surface *out = offscreen_surface(off);
	struct table table = make_table();

	(void)state;
	settle(&table, "abcdefgh");
	for (int w = 0; w <= 30; w++) {
		for (int h = 0; h <= 9; h++) {
			offscreen_clear(off);
			table_draw(&table, out, (struct rect){ 5, 2, w, h }, "abcdefgh", 8);
			for (int y = 0; y < 12; y++) {
				for (int x = 0; x < 40; x++) {
					bool in = x >= 5 && x < 5 + w && y >= 2 && y < 2 + h;
					if (!in && offscreen_attributes(off, x, y) != 0)
						fail_msg("%dx%d leaves its place", w, h);
				}
				const char *line = offscreen_line(off, y);
				assert_int_equal(strspn(line, " ") >= 5 || !*line, true);
			}
		}
	}
	table_release(&table);
	offscreen_free(off);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settle__keeps_the_row__wherever_it_went),
		cmocka_unit_test(settle__takes_the_nearest_row__when_its_own_is_gone),
		cmocka_unit_test(settle__remembers__over_an_empty_list),
		cmocka_unit_test(settle__never_resets_scrolling__but_a_list_at_its_top_stays_there),
		cmocka_unit_test(move__stops_at_the_ends__for_any_distance),
		cmocka_unit_test(draw__places_head_and_rows__by_weight_and_side),
		cmocka_unit_test(draw__leaves_out_the_last_columns__when_narrow),
		cmocka_unit_test(draw__keeps_the_cursor_in_view__and_no_gap_below),
		cmocka_unit_test(draw__stays_inside__at_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

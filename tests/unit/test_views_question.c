/* The question modal, driven by keys and a clock turned by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "tests/fakeui.h"

struct verdict {
	unsigned yes, no;
};

static void count_yes(void *ctx)
{
	((struct verdict *)ctx)->yes++;
}

static void count_no(void *ctx)
{
	((struct verdict *)ctx)->no++;
}

static void ask(struct fakeui *fake, struct verdict *verdict, bool changes_cloud, const char *name)
{
	char text[] = "Stop it?";
	struct question question = { .title = "Stop",
				     .text = text,
				     .changes_cloud = changes_cloud,
				     .type_name = name,
				     .yes = count_yes,
				     .no = count_no,
				     .ctx = verdict };

	*verdict = (struct verdict){ 0 };
	fake->ui.push(&fake->ui, &question_pane, &question);
}

static void question__ignores_all_keys__for_300_ms(void **state)
{
	struct fakeui *fake = *state;
	struct verdict verdict;

	ask(fake, &verdict, true, NULL);
	assert_int_equal(fake->discards, 1);
	assert_int_equal(fake->wake_ms, 300);
	fakeui_keys(fake, "y Enter n Esc C-c");
	fakeui_pass(fake, 299);
	fakeui_keys(fake, "y Enter n Esc C-c");
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	assert_int_equal(verdict.yes + verdict.no, 0);
	fakeui_pass(fake, 1);
	fakeui_keys(fake, "y");
	assert_null(fakeui_top(fake));
	assert_int_equal(verdict.yes, 1);
	assert_int_equal(verdict.no, 0);
}

static void question__takes_every_key_but_y__for_no(void **state)
{
	static const char *const keys[] = {
		"Bad", "Enter", "n", "Y",   "A-y", "C-y", "Esc", "C-c",
		"C-g", "q",     "N", "Tab", "F9",  "Up",  "1",   "Space"
	};
	struct fakeui *fake = *state;
	struct verdict verdict;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		ask(fake, &verdict, true, NULL);
		fakeui_pass(fake, 300);
		fakeui_keys(fake, keys[i]);
		assert_null(fakeui_top(fake));
		assert_int_equal(verdict.yes, 0);
		assert_int_equal(verdict.no, 1);
	}
}

static void question__is_not_answered__by_a_paste(void **state)
{
	struct fakeui *fake = *state;
	struct verdict verdict;

	ask(fake, &verdict, true, NULL);
	fakeui_paste(fake, "y");
	fakeui_pass(fake, 300);
	fakeui_paste(fake, "y");
	fakeui_paste(fake, "yyyy\n");
	fakeui_paste(fake, "");
	assert_ptr_equal(fakeui_top(fake), &question_pane);
	assert_int_equal(verdict.yes + verdict.no, 0);
	fakeui_keys(fake, "Enter");
	ask(fake, &verdict, true, "llm-ft-0930");
	fakeui_pass(fake, 300);
	fakeui_paste(fake, "llm-ft-0930\n");
	fakeui_keys(fake, "Enter"); /* nothing of it is in the prompt */
	assert_int_equal(verdict.yes, 0);
	assert_int_equal(verdict.no, 1);
}

static void question__wants_the_whole_name__where_it_asks_for_one(void **state)
{
	struct fakeui *fake = *state;
	struct verdict verdict;

	ask(fake, &verdict, true, "llm-ft-0930");
	fakeui_pass(fake, 300);
	fakeui_type(fake, "llm-ft-093");
	fakeui_keys(fake, "Enter");
	assert_int_equal(verdict.no, 1);
	ask(fake, &verdict, true, "llm-ft-0930");
	fakeui_pass(fake, 300);
	fakeui_keys(fake, "y Enter");
	assert_int_equal(verdict.no, 1);
	ask(fake, &verdict, true, "llm-ft-0930");
	fakeui_type(fake, "xx"); /* deaf */
	fakeui_pass(fake, 300);
	fakeui_type(fake, "llm-ft-0930");
	assert_int_equal(verdict.yes, 0);
	fakeui_keys(fake, "Enter");
	assert_int_equal(verdict.yes, 1);
	assert_int_equal(verdict.no, 0);
}

static void question__is_never_deaf__when_nothing_leaves_the_program(void **state)
{
	struct fakeui *fake = *state;
	struct verdict verdict;

	ask(fake, &verdict, false, NULL);
	assert_int_equal(fake->discards, 0);
	fakeui_keys(fake, "y");
	assert_int_equal(verdict.yes, 1);
}

/* What the footer names in place of the pane's own rows, as "key brief" pairs; "" = those. */
static void expect_footer(const struct fakeui *fake, const char *expected)
{
	const struct pane_ops *ops = fakeui_top(fake);
	const struct key_scope *scope = ops->footer(fakeui_top_state(fake));
	struct buf text;

	buf_init(&text, 1000);
	for (size_t i = 0; scope && scope->bindings[i].keys; i++)
		buf_addf(&text, "%s%s %s", i ? ", " : "", scope->bindings[i].keys,
			 scope->bindings[i].brief);
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
}

static void footer__names_y__only_where_it_is_yes(void **state)
{
	struct fakeui *fake = *state;
	struct verdict verdict;

	ask(fake, &verdict, true, NULL);
	expect_footer(fake, "");
	fakeui_pass(fake, 300);
	fakeui_keys(fake, "Esc");
	ask(fake, &verdict, true, "llm-ft-0930");
	expect_footer(fake, "Enter yes (name typed), Esc no");
}

#define UI_TEST(test) cmocka_unit_test_setup_teardown(test, fakeui_setup, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		UI_TEST(question__ignores_all_keys__for_300_ms),
		UI_TEST(question__takes_every_key_but_y__for_no),
		UI_TEST(question__is_not_answered__by_a_paste),
		UI_TEST(question__wants_the_whole_name__where_it_asks_for_one),
		UI_TEST(question__is_never_deaf__when_nothing_leaves_the_program),
		UI_TEST(footer__names_y__only_where_it_is_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

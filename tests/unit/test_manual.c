/* The manual: that nothing of the tables is missing, and that it is roff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "views/key_list.h"
#include "views/text/options_table.h"

#define PAGE_MAX (1u << 20)
#define KEYS_MAX 1024

static struct manual_key keys[KEYS_MAX];

static void make(struct buf *page)
{
	buf_init(page, PAGE_MAX);
	size_t count = key_list(keys, KEYS_MAX);
	assert_in_range(count, 100, KEYS_MAX - 1);
	manual_add(page, keys, count);
	assert_false(page->failed);
}

static void want(const struct buf *page, const char *format, const char *text)
{
	struct buf part;
	buf_init(&part, PAGE_MAX);
	char escaped[128] = "";
	size_t len = 0;
	for (; *text && len < sizeof(escaped) - 2; text++) {
		if (*text == '-')
			escaped[len++] = '\\';
		escaped[len++] = *text;
	}
	for (; *format; format++)
		if (*format == '@')
			buf_add_text(&part, escaped);
		else
			buf_add_char(&part, *format);
	if (!strstr(buf_text(page), buf_text(&part)))
		fail_msg("not in the manual: %s", buf_text(&part));
	buf_release(&part);
}

static void page__has_every_command_option_and_setting(void **state)
{
	const struct option_row *row;
	const struct command *const *all;
	struct buf page;
	size_t count;
	(void)state;
	make(&page);
	all = command_all(&count);
	for (size_t i = 0; i < count; i++)
		want(&page, ".TP\n\\fB@\\fR", all[i]->name);
	for (size_t i = 0; (row = options_row(i)) != NULL; i++)
		want(&page, "\\-\\-@\\fR", row->name);
	for (int id = 0; id < SETTING_COUNT; id++)
		if (setting_row((enum setting_id)id)->effect == EFFECT_NOW)
			want(&page, ".TP\n\\fB@\\fR\n", setting_row((enum setting_id)id)->name);
	want(&page, ".SS @\n", "Preferences");
	want(&page, "\\fBP F2\\fR\n@", "edit the preference list");
	want(&page, "submit the list; a pending job is requeued @\n", "(asks first)");
	buf_release(&page);
}

/* A line that begins with a dot is a request of the man macros, and no byte is beyond ASCII. */
static void page__is_roff_in_ascii(void **state)
{
	static const char *const requests[] = {
		".TH ", ".SH ", ".SS ", ".TP", ".IP", ".PP", ".B ",
		".BR ", ".RS",  ".RE",  ".nf", ".fi", ".br", ".\\\""
	};
	struct buf page;
	(void)state;
	make(&page);
	for (const char *line = buf_text(&page); *line; line = strchr(line, '\n') + 1) {
		bool known = line[0] != '.' && line[0] != '\'';
		for (size_t i = 0; i < ARRAY_LEN(requests) && !known; i++)
			known = strncmp(line, requests[i], strlen(requests[i])) == 0;
		if (!known)
			fail_msg("no request: %.60s", line);
	}
	for (size_t i = 0; i < page.len; i++)
		assert_true(page.data[i] == '\n' || (page.data[i] >= ' ' && page.data[i] < 0x7F));
	buf_release(&page);
}

/* What a reader would take for a hyphen or a quotation mark is what one types. */
static void signs__stand_for_themselves(void **state)
{
	static const struct manual_key odd[] = {
		{ "Odd", "\\ ' `", ".dot \\ -x ~ ^ \"q\"", true },
		{ "Odd", "k", "it's", false },
	};
	struct buf page;
	(void)state;
	buf_init(&page, PAGE_MAX);
	manual_add(&page, odd, ARRAY_LEN(odd));
	assert_non_null(strstr(buf_text(&page),
			       ".SS Odd\n.TP\n\\fB\\e \\(aq \\(ga\\fR\n\\&.dot \\e \\-x \\(ti "
			       "\\(ha \\(dqq\\(dq (asks first)\n.TP\n\\fBk\\fR\nit\\(aqs\n"));
	buf_release(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page__has_every_command_option_and_setting),
		cmocka_unit_test(page__is_roff_in_ascii),
		cmocka_unit_test(signs__stand_for_themselves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "model/base/attr.h"
#include "tui/keys.h"

static const struct key_binding root_keys[] = {
	{ .keys = "? F1", .action = "help", .help = "show the keys" },
	{ .keys = "q", .action = "close", .help = "close or quit" },
	{ 0 },
};
static const struct key_scope root = { .name = "General", .bindings = root_keys, .parent = NULL };

static const struct key_binding job_keys[] = {
	{ .keys = "j Down", .action = "down", .help = "next row" },
	{ .keys = "Space", .action = "mark", .help = "mark the row" },
	{ .keys = "S  F9", .action = "job-stop", .help = "stop", .flags = KEY_CHANGES_CLOUD },
	{ 0 },
};
static const struct key_scope jobs = { .name = "Jobs", .bindings = job_keys, .parent = &root };

static struct key key_of(const char *name)
{
	struct key key = { 0 };

	assert_true(key_parse(name, &key));
	return key;
}

static const char *found(const struct key_binding *table, const char *name, bool read_only)
{
	const struct key_binding *binding = keys_find(table, key_of(name), read_only);

	return binding ? binding->action : "none";
}

static void find__gives_the_row__by_any_of_its_names(void **state)
{
	(void)state;
	assert_string_equal(found(job_keys, "j", false), "down");
	assert_string_equal(found(job_keys, "Down", false), "down");
	assert_string_equal(found(job_keys, "Space", false), "mark");
	assert_string_equal(found(job_keys, "F9", false), "job-stop");
	assert_string_equal(found(job_keys, "J", false), "none");
	assert_string_equal(found(job_keys, "A-j", false), "none");
	assert_string_equal(found(job_keys, "q", false), "none");
	assert_null(keys_find(NULL, key_of("j"), false));
}

static void find__hides_what_changes_aws__when_read_only(void **state)
{
	(void)state;
	assert_string_equal(found(job_keys, "S", true), "none");
	assert_string_equal(found(job_keys, "F9", true), "none");
	assert_string_equal(found(job_keys, "j", true), "down");
}

static void clash__is_silent__for_sound_tables(void **state)
{
	char what[128];

	(void)state;
	assert_false(keys_clash(&root, what, sizeof(what)));
	assert_false(keys_clash(&jobs, what, sizeof(what)));
}

static void check_clash(const struct key_binding *table, const char *const words[], size_t count)
{
	const struct key_scope scope = { .name = "Jobs", .bindings = table, .parent = &jobs };
	char what[128] = "";

	assert_true(keys_clash(&scope, what, sizeof(what)));
	for (size_t i = 0; i < count; i++)
		if (!strstr(what, words[i]))
			fail_msg("'%s' does not name %s", what, words[i]);
	/* The report is cut, never written beyond. */
	memset(what, 'x', sizeof(what));
	assert_true(keys_clash(&scope, what, 8));
	assert_int_equal(strlen(what), 7);
	assert_int_equal(what[8], 'x');
}

static void clash__names_both__when_a_key_stands_twice(void **state)
{
	static const struct key_binding table[] = {
		{ .keys = "x F5", .action = "explain", .help = "why" },
		{ .keys = "r F5", .action = "refresh", .help = "ask now" },
		{ 0 },
	};
	static const char *const words[] = { "Jobs", "F5", "explain", "refresh" };

	(void)state;
	check_clash(table, words, ARRAY_LEN(words));
}

static void clash__sees_parents__of_parents(void **state)
{
	static const struct key_binding table[] = {
		{ .keys = "F1", .action = "first", .help = "first" },
		{ 0 },
	};
	static const char *const words[] = { "F1", "first", "help" };

	(void)state;
	check_clash(table, words, ARRAY_LEN(words));
}

static void clash__is_silent__when_shadowing_is_meant(void **state)
{
	static const struct key_binding table[] = {
		{ .keys = "j F1", .action = "first", .help = "first", .flags = KEY_SHADOWS },
		{ 0 },
	};
	const struct key_scope scope = { .name = "Editor", .bindings = table, .parent = &jobs };
	char what[128];

	(void)state;
	assert_false(keys_clash(&scope, what, sizeof(what)));
}

static void clash__tells__a_name_that_is_none(void **state)
{
	static const struct key_binding table[] = {
		{ .keys = "Dwon", .action = "down", .help = "next" },
		{ 0 },
	};
	static const struct key_binding too_long[] = {
		{ .keys = "C-A-S-Backspaceeeeeeeeeeeeeeeeeeeee", .action = "down", .help = "next" },
		{ 0 },
	};
	static const char *const words[] = { "Dwon", "down" };
	static const char *const long_words[] = { "down" };

	(void)state;
	check_clash(table, words, ARRAY_LEN(words));
	check_clash(too_long, long_words, ARRAY_LEN(long_words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find__gives_the_row__by_any_of_its_names),
		cmocka_unit_test(find__hides_what_changes_aws__when_read_only),
		cmocka_unit_test(clash__is_silent__for_sound_tables),
		cmocka_unit_test(clash__names_both__when_a_key_stands_twice),
		cmocka_unit_test(clash__sees_parents__of_parents),
		cmocka_unit_test(clash__is_silent__when_shadowing_is_meant),
		cmocka_unit_test(clash__tells__a_name_that_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

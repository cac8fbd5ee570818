/* What the rules of check get of the config: limits of money, certified entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "model/config_known.h"

static void read_config(struct config *config, const char *text, const char *profile)
{
	const char *options[SETTING_COUNT] = { [SETTING_PROFILE] = profile };
	const struct config_given given = { .options = options };
	struct err err = { 0 };
	*config = (struct config){ 0 };
	assert_true(config_read(config, "/c", text, strlen(text), &err));
	config_decide(config, &given);
}

static void expect_origin(const struct config *config, enum setting_id id, const char *origin)
{
	struct buf text;
	buf_init(&text, 4096);
	config_add_origin(config, id, &text);
	assert_string_equal(buf_text(&text), origin);
	buf_release(&text);
}

/* What the rules of check get of it; a section that cannot be read is none. */
static void known__has_the_limits_and_the_certified_entries(void **state)
{
	struct check_known known = { 0 };
	struct config config;
	(void)state;
	read_config(&config,
		    "max_per_hour = 98.5\n[certified llm-ft]\ntype = ml.p5.48xlarge\n"
		    "count = 2\nrun_time = 6h\nstems = llm-ft, eval\n[certified 'a b']\n"
		    "type = ml.g5.xlarge\n[certified bad]\ntype = ml.g5.xlarge\ncount = x\n"
		    "[certified none]\ncount = 1\n[list certified]\nprefs = ml.g5.xlarge:1\n",
		    NULL);
	struct check_certified *entries = config_fill_known(&config, &known);
	assert_true(known.max_per_hour.set);
	assert_int_equal(known.max_per_hour.micro, 98500000);
	assert_false(known.max_worst_case.set);
	assert_int_equal(known.certified_count, 2);
	assert_string_equal(entries[0].name, "llm-ft");
	assert_string_equal(entries[0].stems, "llm-ft, eval");
	assert_string_equal(entries[0].instance_type, "ml.p5.48xlarge");
	assert_true(entries[0].has_count);
	assert_true(entries[0].run.set);
	assert_int_equal(entries[0].run.ms, 6 * 3600000);
	assert_false(entries[1].run.set);
	assert_int_equal(entries[0].count, 2);
	assert_string_equal(entries[1].name, "a b");
	assert_null(entries[1].stems);
	assert_false(entries[1].has_count);
	free(entries);
	config_release(&config);
	assert_null(config_fill_known(NULL, &known));
}

struct unread {
	const char *text, *profile, *limit, *fix;
};

#define NO_LINE " is no line `key = value` of its own."

/* Whoever wrote a limit of money meant it: while it cannot be read nothing is submitted. */
static void limits__keep_to_the_safe_side(void **state)
{
	static const struct unread rows[] = {
		{ "utc = no\nmax_per_hour = 1OO\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 2 takes an "
		  "amount from 0 to 1000000000, such as 12.50, not '1OO'.",
		  "Mend line 2 of /c." },
		{ "max_worst_case = 5\n[profile ops]\nmax_worst_case =\n", "ops",
		  "Nothing is submitted while max_worst_case cannot be read: config line 3 "
		  "[profile ops] takes an amount from 0 to 1000000000, such as 12.50, not ''.",
		  "Mend line 3 of /c." },
		{ "max_per_hours = 100\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 1 sets "
		  "max_per_hours, which is no setting.",
		  "Mend line 1 of /c." },
		/* No line of its own, or one of another section: it sets nothing. */
		{ "utc = yes\nmax_per_hour 30\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 2" NO_LINE,
		  "Mend line 2 of /c." },
		{ "Max_Per_Hour\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 1" NO_LINE,
		  "Mend line 1 of /c." },
		{ "max_per_hour = 100\nmax_per_hour 30\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 2" NO_LINE,
		  "Mend line 2 of /c." },
		{ "columns =\n  max_worst_case = 30\n", NULL,
		  "Nothing is submitted while max_worst_case cannot be read: config line 2" NO_LINE,
		  "Mend line 2 of /c." },
		{ "utc yes\n max_worst_case = 30\n", NULL,
		  "Nothing is submitted while max_worst_case cannot be read: config line 2" NO_LINE,
		  "Mend line 2 of /c." },
		{ "[profile ops]\nutc = yes\n  max_per_hour = 30\n", "ops",
		  "Nothing is submitted while max_per_hour cannot be read: config line 3 [profile "
		  "ops]" NO_LINE,
		  "Mend line 3 of /c." },
		{ "max_per_hour 30 # 12:00 = noon\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 1 sets "
		  "another name, which is no setting.",
		  "Mend line 1 of /c." },
		{ "[profile ops\nmax_per_hour = 30\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 2 [profile "
		  "ops] stands in a section where it sets nothing.",
		  "Mend line 2 of /c." },
		{ "[list big]\nprefs = ml.p5.48xlarge\nmax_per_hour = 30\n", NULL,
		  "Nothing is submitted while max_per_hour cannot be read: config line 3 [list "
		  "big] "
		  "stands in a section where it sets nothing.",
		  "Mend line 3 of /c." },
		{ "max_worst_case = 5\n[profile ops]\nmax_worst_case = x\n", NULL, NULL, NULL },
		{ "max_worst_case = 5\n[profile ops]\nmax_worst_case 3\n", NULL, NULL, NULL },
		{ "utc yes\n# max_per_hour 30\nmax_worst 30\n", NULL, NULL, NULL },
		{ "max_per_hour = 0.5\nmax_worst = 1\n", NULL, NULL, NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct check_known known = { 0 };
		struct config config;
		read_config(&config, rows[i].text, rows[i].profile);
		free(config_fill_known(&config, &known));
		assert_int_equal(known.unread_limit != NULL, rows[i].limit != NULL);
		if (rows[i].limit) {
			assert_string_equal(known.unread_limit, rows[i].limit);
			assert_string_equal(known.unread_limit_fix, rows[i].fix);
			assert_int_equal(known.max_per_hour.set + known.max_worst_case.set, 0);
		}
		config_release(&config);
	}
}

static void caution__is_named_as_the_origin(void **state)
{
	struct config config;
	(void)state;
	read_config(&config, "max_per_hour = x\nconfirm_above = 1e9\n", NULL);
	expect_origin(&config, SETTING_MAX_PER_HOUR,
		      "config line 1, which cannot be read: nothing is submitted");
	expect_origin(&config, SETTING_CONFIRM_ABOVE, "config line 2, which cannot be read");
	assert_int_equal(config.settings[SETTING_CONFIRM_ABOVE].number, 0);
	config_release(&config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known__has_the_limits_and_the_certified_entries),
		cmocka_unit_test(limits__keep_to_the_safe_side),
		cmocka_unit_test(caution__is_named_as_the_origin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

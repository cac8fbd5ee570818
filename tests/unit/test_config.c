/* The program's own settings: each kind at its edges, sections, origins, and what is said of slips.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/config.h"

/* --- one value --- */

static bool reads(enum setting_id id, const char *text, int64_t *number)
{
	return value_read(&setting_row(id)->rule, text, number, NULL);
}

static void expect_number(enum setting_id id, const char *text, int64_t expected)
{
	int64_t number = -1;
	if (!reads(id, text, &number))
		fail_msg("%s: '%s' is refused", setting_row(id)->name, text);
	assert_int_equal(number, expected);
}

static void expect_refused(enum setting_id id, const char *text, const char *said)
{
	struct buf wrong;
	int64_t number = 0;
	buf_init(&wrong, 4096);
	if (value_read(&setting_row(id)->rule, text, &number, &wrong))
		fail_msg("%s: '%s' is taken", setting_row(id)->name, text);
	assert_string_equal(buf_text(&wrong), said);
	buf_release(&wrong);
}

static void booleans__know_the_words_of_other_programs__in_any_case(void **state)
{
	(void)state;
	static const char *const yes[] = { "yes", "YES", "true", "on", "1" };
	static const char *const no[] = { "no", "No", "false", "off", "0" };
	for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
		expect_number(SETTING_READ_ONLY, yes[i], 1);
		expect_number(SETTING_READ_ONLY, no[i], 0);
	}
	expect_refused(SETTING_READ_ONLY, "", "takes yes or no, not ''");
	expect_refused(SETTING_READ_ONLY, "yess", "takes yes or no, not 'yess'");
	expect_refused(SETTING_READ_ONLY, "2", "takes yes or no, not '2'");
}

static void seconds__keep_to_their_range(void **state)
{
	(void)state;
	expect_number(SETTING_REFRESH, "1", 1000);
	expect_number(SETTING_REFRESH, "1.5", 1500);
	expect_number(SETTING_REFRESH, "3600", 3600000);
	expect_number(SETTING_REFRESH, "2m", 120000);
	expect_refused(SETTING_REFRESH, "0.999", "takes seconds from 1 to 3600, not '0.999'");
	expect_refused(SETTING_REFRESH, "3600.01", "takes seconds from 1 to 3600, not '3600.01'");
	expect_refused(SETTING_REFRESH, "61m", "takes seconds from 1 to 3600, not '61m'");
	expect_refused(SETTING_REFRESH, "1e3", "takes seconds from 1 to 3600, not '1e3'");
	expect_refused(SETTING_REFRESH, "1.2.3", "takes seconds from 1 to 3600, not '1.2.3'");
	expect_refused(SETTING_REFRESH, "nan", "takes seconds from 1 to 3600, not 'nan'");
	expect_refused(SETTING_REFRESH, ".", "takes seconds from 1 to 3600, not '.'");
	expect_refused(SETTING_REFRESH, "99999999999999999999999999",
		       "takes seconds from 1 to 3600, not '99999999999999999999999999'");
}

static void durations__keep_to_their_range(void **state)
{
	(void)state;
	expect_number(SETTING_STUCK_AFTER, "1m", 60000);
	expect_number(SETTING_STUCK_AFTER, "28d", INT64_C(2419200000));
	expect_number(SETTING_SINCE, "1", 1000);
	expect_number(SETTING_SINCE, "1h30m", 5400000);
	expect_refused(SETTING_STUCK_AFTER, "59s",
		       "takes a duration from 1m to 28d, such as 90m, 6h or 7d, not '59s'");
	expect_refused(SETTING_STUCK_AFTER, "28d1s",
		       "takes a duration from 1m to 28d, such as 90m, 6h or 7d, not '28d1s'");
	expect_refused(SETTING_SINCE, "0",
		       "takes a duration from 1s to 3650d, such as 90m, 6h or 7d, not '0'");
	expect_refused(SETTING_SINCE, "-1d",
		       "takes a duration from 1s to 3650d, such as 90m, 6h or 7d, not '-1d'");
}

static void money__is_exact_to_a_millionth(void **state)
{
	static const char said[] = "takes an amount from 0 to 1000000000, such as 12.50, not '%s'";
	static const char *const wrong[] = {
		"1000000000.000001", "1000000001", "-1", "1,000", "$5", "1.", ".5",
		"1.1234567",         "1e3",        "",   "1 2",   "inf"
	};
	(void)state;
	expect_number(SETTING_CONFIRM_ABOVE, "0", 0);
	expect_number(SETTING_CONFIRM_ABOVE, "12.50", 12500000);
	expect_number(SETTING_CONFIRM_ABOVE, "0.000001", 1);
	expect_number(SETTING_CONFIRM_ABOVE, "1000000000", INT64_C(1000000000000000));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char text[128];
		snprintf(text, sizeof(text), said, wrong[i]);
		expect_refused(SETTING_CONFIRM_ABOVE, wrong[i], text);
	}
}

static void words__are_those_of_the_row(void **state)
{
	(void)state;
	expect_number(SETTING_THEME, "dark", 0);
	expect_number(SETTING_THEME, "High-Contrast", 2);
	expect_number(SETTING_COLUMNS, "name", 0);
	expect_number(SETTING_COLUMNS, "name, wait,\n limit", 0);
	expect_refused(SETTING_THEME, "blue",
		       "takes dark, light, high-contrast, mono or auto, not 'blue'");
	expect_refused(SETTING_COLUMNS, "name,,wait",
		       "takes names, parted by commas, not 'name,,wait'");
	expect_refused(SETTING_COLUMNS, "name wait",
		       "takes names, parted by commas, not 'name wait'");
	expect_refused(SETTING_COLUMNS, "name,", "takes names, parted by commas, not 'name,'");
	expect_refused(SETTING_COLUMNS, "", "takes names, parted by commas, not ''");
}

static void texts__have_the_form_of_their_kind(void **state)
{
	(void)state;
	expect_number(SETTING_REGION, "eu-west-1", 0);
	expect_number(SETTING_PACE_DIR, "/var/lib/pace", 0);
	expect_number(SETTING_PACE_DIR, "~/pace", 0);
	expect_number(SETTING_PROFILE, "an odd name", 0);
	expect_refused(SETTING_REGION, "us east 1",
		       "takes the name of a region, such as us-east-1, not 'us east 1'");
	expect_refused(SETTING_REGION, "evil.example/",
		       "takes the name of a region, such as us-east-1, not 'evil.example/'");
	expect_refused(SETTING_REGION, "-x",
		       "takes the name of a region, such as us-east-1, not '-x'");
	expect_refused(SETTING_REGION, "127",
		       "takes the name of a region, such as us-east-1, not '127'");
	expect_refused(SETTING_PACE_DIR, "pace",
		       "takes the path of a folder that begins with / or ~/, not 'pace'");
	expect_refused(SETTING_PROFILE, "", "takes a text, not ''");
}

/* A file of keys, named by mistake, is not read aloud. */
static void refused__hides_secrets__and_cuts_what_is_long(void **state)
{
	char text[200], said[200];
	(void)state;
	expect_refused(SETTING_READ_ONLY, "AKIAIOSFODNN7EXAMPLE",
		       "takes yes or no, not '(hidden)'");
	expect_refused(SETTING_READ_ONLY, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		       "takes yes or no, not '(hidden)'");
	/* 59 letters, then one of two bytes over the end. */
	memset(text, 'a', 59);
	snprintf(text + 59, sizeof(text) - 59, "\xC3\xA9tail");
	snprintf(said, sizeof(said), "takes yes or no, not '%.59s...'", text);
	expect_refused(SETTING_READ_ONLY, text, said);
}

/* --- a file --- */

struct file {
	struct config config;
	const char *options[SETTING_COUNT];
	const char *const *env; /* pairs, NULL at the end */
	bool simulated;
};

static const char *find_env(void *ctx, const char *name)
{
	const struct file *file = ctx;
	for (size_t i = 0; file->env && file->env[i]; i += 2)
		if (strcmp(file->env[i], name) == 0)
			return file->env[i + 1];
	return NULL;
}

static void decide(struct file *file)
{
	const struct config_given given = {
		.options = file->options, .env = find_env, .ctx = file, .simulated = file->simulated
	};
	config_decide(&file->config, &given);
}

static void read_text(struct file *file, const char *text)
{
	struct err err = { 0 };
	*file = (struct file){ 0 };
	assert_true(config_read(&file->config, "/c", text, strlen(text), &err));
	decide(file);
}

static void expect_setting(const struct file *file, enum setting_id id, const char *value,
			   const char *origin)
{
	const struct setting *setting = &file->config.settings[id];
	struct buf text;
	buf_init(&text, 4096);
	config_add_origin(&file->config, id, &text);
	if (value)
		assert_string_equal(setting->text, value);
	else
		assert_null(setting->text);
	assert_string_equal(buf_text(&text), origin);
	buf_release(&text);
}

/* The problems of a text, warnings as "! ...", notes as "- ...", one a line. */
static void expect_problems(const char *text, const char *expected)
{
	struct file file;
	struct buf all;
	buf_init(&all, 1u << 16);
	read_text(&file, text);
	for (size_t i = 0; i < file.config.problem_count; i++) {
		const struct config_problem *problem = &file.config.problems[i];
		buf_addf(&all, "%s %s\n", problem->is_warning ? "!" : "-", problem->text);
	}
	assert_string_equal(buf_text(&all), expected);
	buf_release(&all);
	config_release(&file.config);
}

static void nothing__gives_the_defaults(void **state)
{
	(void)state;
	struct file file;
	read_text(&file, "");
	expect_setting(&file, SETTING_READ_ONLY, "no", "default");
	expect_setting(&file, SETTING_REGION, NULL, "default");
	expect_setting(&file, SETTING_REFRESH, "5", "default");
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 5000);
	assert_int_equal(file.config.settings[SETTING_SINCE].number, INT64_C(604800000));
	assert_int_equal(file.config.settings[SETTING_CONFIRM_ABOVE].number, 1000000000);
	assert_false(config_is_on(&file.config, SETTING_ALLOW_HTTP));
	assert_string_equal(config_profile(&file.config), "default");
	assert_int_equal(file.config.problem_count, 0);
	config_release(&file.config);
}

/* Every default is a value that its row takes; every row says what it does. */
static void rows__are_whole(void **state)
{
	(void)state;
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting_row *row = setting_row((enum setting_id)id);
		int64_t number;
		assert_non_null(row->name);
		assert_non_null(row->help);
		assert_non_null(setting_default(row));
		assert_true((row->standard == NULL) != (row->without == NULL));
		if (row->standard)
			assert_true(value_read(&row->rule, row->standard, &number, NULL));
		for (int other = 0; other < id; other++)
			assert_string_not_equal(row->name,
						setting_row((enum setting_id)other)->name);
	}
}

static const char both[] = "refresh = 10\n"
			   "since = 1d\n"
			   "read_only = no\n"
			   "[profile ops]\n"
			   "refresh = 20\n"
			   "read_only = yes\n"
			   "[profile 'two words']\n"
			   "refresh = 30\n";

static void profile__overrides_what_stands_above_it(void **state)
{
	(void)state;
	struct file file;
	read_text(&file, both);
	expect_setting(&file, SETTING_REFRESH, "10", "config line 1");
	expect_setting(&file, SETTING_READ_ONLY, "no", "config line 3");
	file.options[SETTING_PROFILE] = "ops";
	decide(&file);
	expect_setting(&file, SETTING_PROFILE, "ops", "option --profile");
	expect_setting(&file, SETTING_REFRESH, "20", "config line 5 [profile ops]");
	expect_setting(&file, SETTING_SINCE, "1d", "config line 2");
	expect_setting(&file, SETTING_READ_ONLY, "yes", "config line 6 [profile ops]");
	file.options[SETTING_PROFILE] = "two words";
	decide(&file);
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 30000);
	file.options[SETTING_PROFILE] = "op";
	decide(&file);
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 10000);
	assert_int_equal(file.config.problem_count, 0);
	config_release(&file.config);
}

static void profile_in_use__is_also_that_of_environment_or_file(void **state)
{
	(void)state;
	struct file file;
	static const char *const env[] = { "AWS_DEFAULT_PROFILE", "two words", "AWS_PROFILE", "  ",
					   NULL };
	char text[512];
	snprintf(text, sizeof(text), "profile = ops\n%s", both);
	read_text(&file, text);
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 20000);
	expect_setting(&file, SETTING_PROFILE, "ops", "config line 1");
	file.env = env; /* one of blanks is none */
	decide(&file);
	expect_setting(&file, SETTING_PROFILE, "two words", "environment AWS_DEFAULT_PROFILE");
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 30000);
	config_release(&file.config);
	read_text(&file, "[profile default]\nrefresh = 40\n");
	assert_int_equal(file.config.settings[SETTING_REFRESH].number, 40000);
	config_release(&file.config);
}

static void option__then_environment__then_file(void **state)
{
	(void)state;
	struct file file;
	static const char *const env[] = { "AWS_DEFAULT_REGION", "eu-west-3", "AWS_REGION",
					   "eu-west-2", NULL };
	read_text(&file, "region = eu-west-1\n");
	expect_setting(&file, SETTING_REGION, "eu-west-1", "config line 1");
	file.env = env;
	decide(&file);
	expect_setting(&file, SETTING_REGION, "eu-west-2", "environment AWS_REGION");
	file.options[SETTING_REGION] = "us-east-1";
	decide(&file);
	expect_setting(&file, SETTING_REGION, "us-east-1", "option --region");
	config_release(&file.config);
}

static void simulated_region__has_nothing_of_aws(void **state)
{
	(void)state;
	struct file file;
	static const char *const env[] = { "AWS_PROFILE", "ops", "AWS_REGION", "eu-west-2", NULL };
	read_text(&file, "region = eu-west-1\nprofile = ops\nallow_http = yes\nutc = yes\n"
			 "[profile ops]\nutc = no\n");
	file.env = env;
	file.simulated = true;
	decide(&file);
	expect_setting(&file, SETTING_REGION, NULL, "default");
	expect_setting(&file, SETTING_PROFILE, NULL, "default");
	expect_setting(&file, SETTING_ALLOW_HTTP, "no", "default");
	expect_setting(&file, SETTING_UTC, "yes", "config line 4");
	file.options[SETTING_PROFILE] = "ops";
	decide(&file);
	expect_setting(&file, SETTING_UTC, "yes", "config line 4");
	config_release(&file.config);
}

static void bad_value__gives_way_to_the_next_origin(void **state)
{
	(void)state;
	struct file file;
	const struct config_problem *first;
	read_text(&file, "refresh = 10\nsince = soon\n[profile ops]\nrefresh = 0\n");
	file.options[SETTING_PROFILE] = "ops";
	decide(&file);
	expect_setting(&file, SETTING_REFRESH, "10", "config line 1");
	expect_setting(&file, SETTING_SINCE, "7d", "default");
	assert_int_equal(config_warnings(&file.config, &first), 2);
	assert_int_equal(first->line, 2);
	config_release(&file.config);
}

/* Whoever wrote read_only meant something by it: until it is known what, nothing is changed. */
static void read_only__keeps_to_the_safe_side(void **state)
{
	(void)state;
	struct file file;
	struct err err = { 0 };
	read_text(&file, "read_only = ture\n");
	assert_true(config_is_on(&file.config, SETTING_READ_ONLY));
	expect_setting(&file, SETTING_READ_ONLY, "yes", "config line 1, which cannot be read");
	config_release(&file.config);

	read_text(&file, "read_only = no\n[profile ops]\nread_only =\n");
	assert_false(config_is_on(&file.config, SETTING_READ_ONLY));
	file.options[SETTING_PROFILE] = "ops";
	decide(&file);
	expect_setting(&file, SETTING_READ_ONLY, "yes",
		       "config line 3 [profile ops], which cannot be read");
	config_release(&file.config);

	read_text(&file, "read_only = no\nread_only yes\n");
	expect_setting(&file, SETTING_READ_ONLY, "yes", "config line 2, which cannot be read");
	config_release(&file.config);

	file = (struct file){ 0 };
	err_set(&err, ERR_IO, "cannot be opened: Permission denied");
	config_note_unread(&file.config, "/c", &err);
	decide(&file);
	expect_setting(&file, SETTING_READ_ONLY, "yes", "config, which cannot be read");
	assert_int_equal(file.config.problem_count, 1);
	assert_string_equal(file.config.problems[0].text,
			    "cannot be opened: Permission denied; until it is mended every change "
			    "is refused");
	config_release(&file.config);
	err_clear(&err);

	file = (struct file){ 0 };
	config_note_absent(&file.config, "/c");
	decide(&file);
	assert_false(config_is_on(&file.config, SETTING_READ_ONLY));
	config_release(&file.config);
}

static void file_that_is_none__is_refused_as_a_whole(void **state)
{
	(void)state;
	struct file file = { 0 };
	struct err err = { 0 };
	struct buf text;
	assert_false(config_read(&file.config, "/c", "\xFF\xFEr\0", 4, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	decide(&file);
	assert_true(config_is_on(&file.config, SETTING_READ_ONLY));
	assert_int_equal(file.config.problem_count, 1);
	buf_init(&text, 4096);
	config_add_described(&file.config, &file.config.problems[0], &text);
	assert_string_equal(buf_text(&text), "/c: is saved as UTF-16; save it as UTF-8; until it "
					     "is mended every change is refused");
	buf_release(&text);
	config_release(&file.config);
	err_clear(&err);
}

static void unknown_keys__are_named_with_near_ones(void **state)
{
	(void)state;
	expect_problems("refesh = 5\nread-only = yes\nutcc = yes\nunheard_of = 1\n",
			"! line 1, refesh: there is no such setting; did you mean refresh?\n"
			"! line 2, read-only: there is no such setting; did you mean read_only?\n"
			"! line 3, utcc: there is no such setting; did you mean utc?\n"
			"! line 4, unheard_of: there is no such setting\n");
	/* What may be a secret is no name. */
	expect_problems("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY = \n",
			"! line 1: there is no such setting\n");
	expect_problems("[profile ops]\nprefs = ml.p5.48xlarge\n",
			"! line 2, [profile ops] prefs: there is no such setting\n");
	expect_problems("[profile ops]\nprofile = dev\n",
			"! line 2, [profile ops] profile: does not count inside of a profile's "
			"section\n");
}

static void unknown_sections__are_named_with_the_known_ones(void **state)
{
	(void)state;
#define FORMS                                                                                      \
	"write [profile NAME], [list NAME], [certified NAME], [rule NAME] or [keys], with quotes " \
	"around a name that holds blanks\n"
	expect_problems("[lists big]\nrefresh = 0\n",
			"! line 1, [lists big]: there is no such section; " FORMS);
	expect_problems("[profile]\n", "! line 1, [profile]: there is no such section; " FORMS);
	expect_problems("[list two words]\n",
			"! line 1, [list two words]: there is no such section; " FORMS);
	expect_problems("[keys x]\n", "! line 1, [keys x]: there is no such section; " FORMS);
	expect_problems("[profile a]\nutc = yes\n[profile 'a']\nutc = no\n",
			"! line 3, [profile 'a']: does not count: a section above is the same "
			"profile's\n");
}

static void other_sections__are_checked_by_their_own_keys(void **state)
{
	(void)state;
#define LATER "is read, but has no effect in this version\n"
	expect_problems("[list big]\nprefs = ml.p5.48xlarge:2,ml.p4d.24xlarge:4\n", "");
	expect_problems("[list big]\npref = ml.p5.48xlarge\n",
			"! line 2, [list big] pref: there is no such key in this kind of section; "
			"did you mean prefs?\n"
			"! line 1, [list big]: needs the key prefs\n");
	expect_problems(
		"[list big]\nprefs = ml.p5.48xlarge:two\n",
		"! line 2, [list big] prefs: entry 1 (ml.p5.48xlarge): the count \"two\" is "
		"no whole number up to 2147483647; write ml.p5.48xlarge:2\n");
	expect_problems("[certified x]\ntype = ml.p5.48xlage\ncount = 0\nrun_time = 6h\n"
			"stems = llm-ft, eval\n",
			"! line 2, [certified x] type: takes an instance type, such as "
			"ml.p5.48xlarge, not 'ml.p5.48xlage'; did you mean ml.p5.48xlarge?\n"
			"! line 3, [certified x] count: takes a whole number from 1 to 100000, not "
			"'0'\n");
	expect_problems("[rule stuck]\non = stuck\ndo = bell\nquiet = 22:00-07:00\n", "");
	expect_problems("[rule stuck]\ndo = bell\n", "! line 1, [rule stuck]: needs the key on\n");
	expect_problems("[keys]\njob-stop = F9\n", "");
}

static void amounts__are_checked(void **state)
{
	(void)state;
	expect_problems("columns = name\nmax_per_hour = 100\nmax_worst_case = x\n",
			"! line 3, max_worst_case: takes an amount from 0 to 1000000000, such as "
			"12.50, not 'x'\n");
}

static void slips_of_the_grammar__are_said_without_the_aws_cli(void **state)
{
	(void)state;
	struct file file;
	expect_problems("utc yes\nrefresh = 5 # often\nutc = no\nutc = yes\n",
			"! line 1: this line is no `key = value`\n"
			"! line 2, refresh: a # or ; behind a value is part of it\n"
			"! line 4, utc: is set twice in this section; this one holds\n"
			"! line 2, refresh: takes seconds from 1 to 3600, not '5 # often'\n");
	/* The rest of the file is good; what stands below half a header is not taken. */
	read_text(&file, "utc yes\nsince = 1d\n[profile ops\nsince = 2d\n");
	file.options[SETTING_PROFILE] = "ops";
	decide(&file);
	expect_setting(&file, SETTING_SINCE, "1d", "config line 2");
	config_release(&file.config);
}

static void problems__have_a_ceiling__and_the_rest_is_counted(void **state)
{
	(void)state;
	struct file file;
	struct buf text;
	buf_init(&text, 1u << 16);
	for (int i = 0; i < CONFIG_PROBLEMS_MAX + 7; i++)
		buf_addf(&text, "unheard%d = 1\n", i);
	read_text(&file, buf_text(&text));
	assert_int_equal(file.config.problem_count, CONFIG_PROBLEMS_MAX);
	assert_int_equal(file.config.problems_left_out, 7);
	config_release(&file.config);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(booleans__know_the_words_of_other_programs__in_any_case),
		cmocka_unit_test(seconds__keep_to_their_range),
		cmocka_unit_test(durations__keep_to_their_range),
		cmocka_unit_test(money__is_exact_to_a_millionth),
		cmocka_unit_test(words__are_those_of_the_row),
		cmocka_unit_test(texts__have_the_form_of_their_kind),
		cmocka_unit_test(refused__hides_secrets__and_cuts_what_is_long),
		cmocka_unit_test(nothing__gives_the_defaults),
		cmocka_unit_test(rows__are_whole),
		cmocka_unit_test(profile__overrides_what_stands_above_it),
		cmocka_unit_test(profile_in_use__is_also_that_of_environment_or_file),
		cmocka_unit_test(option__then_environment__then_file),
		cmocka_unit_test(simulated_region__has_nothing_of_aws),
		cmocka_unit_test(bad_value__gives_way_to_the_next_origin),
		cmocka_unit_test(read_only__keeps_to_the_safe_side),
		cmocka_unit_test(file_that_is_none__is_refused_as_a_whole),
		cmocka_unit_test(unknown_keys__are_named_with_near_ones),
		cmocka_unit_test(unknown_sections__are_named_with_the_known_ones),
		cmocka_unit_test(other_sections__are_checked_by_their_own_keys),
		cmocka_unit_test(amounts__are_checked),
		cmocka_unit_test(slips_of_the_grammar__are_said_without_the_aws_cli),
		cmocka_unit_test(problems__have_a_ceiling__and_the_rest_is_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The command line: what is accepted, what is refused and how it is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/shellwords.h"
#include "views/text/command.h"
#include "views/text/options_table.h"

#define WORDS_MAX 16

struct parsed {
	struct options options;
	struct err err;
	bool ok;
};

/* Parses "gpuq" and the given words (NULL at the end). */
static void parse(struct parsed *parsed, const char *const *words)
{
	char *argv[WORDS_MAX + 1] = { (char *)"gpuq" };
	int argc = 1;
	*parsed = (struct parsed){ 0 };
	for (; words[argc - 1] && argc < WORDS_MAX; argc++)
		argv[argc] = (char *)words[argc - 1];
	parsed->ok = options_parse(&parsed->options, argc, argv, &parsed->err);
}

#define PARSE(parsed, ...) parse(parsed, (const char *const[]){ __VA_ARGS__, NULL })

static void refuse(const char *subject, const char *text, const char *const *words)
{
	struct parsed parsed;
	parse(&parsed, words);
	assert_false(parsed.ok);
	assert_int_equal(parsed.err.code, ERR_USAGE);
	assert_int_equal(err_exit_status(&parsed.err), 2);
	assert_string_equal(parsed.err.subject, subject);
	assert_non_null(strstr(err_text(&parsed.err), text));
	err_clear(&parsed.err);
}

#define REFUSE(subject, text, ...) refuse(subject, text, (const char *const[]){ __VA_ARGS__, NULL })

static void options__have_promised_defaults__without_words(void **state)
{
	(void)state;
	struct parsed parsed;
	parse(&parsed, (const char *const[]){ NULL });
	assert_true(parsed.ok);
	assert_null(parsed.options.command);
	assert_int_equal(parsed.options.refresh_ms, 5000);
	assert_int_equal(parsed.options.since_ms, INT64_C(604800000));
	assert_true(parsed.options.pace == 1.0);
	assert_int_equal(parsed.options.format, REPORT_TABLE);
	assert_int_equal(parsed.options.confirm_above_micro, 1000000000);
	assert_false(parsed.options.read_only || parsed.options.utc || parsed.options.allow_http);
	assert_null(parsed.options.profile);
	assert_null(parsed.options.config_file);
}

/* Every setting that names an option has it, and the option says what the setting would say. */
static void options_of_settings__take_what_the_config_takes(void **state)
{
	(void)state;
	for (int id = 0; id < SETTING_COUNT; id++) {
		const struct setting_row *row = setting_row((enum setting_id)id);
		bool is_switch = row->rule.kind == VALUE_BOOL;
		struct parsed parsed;
		if (!row->option)
			continue;
		const char *value = row->standard ? row->standard : "eu-west-1";
		PARSE(&parsed, row->option, is_switch ? NULL : value);
		assert_true(parsed.ok);
		assert_string_equal(parsed.options.given[id], is_switch ? "yes" : value);
	}
	REFUSE("--region", "takes the name of a region, such as us-east-1, not 'us east 1'", "-r",
	       "us east 1");
	REFUSE("--profile", "takes a text, not ''", "-p", "");
	REFUSE("--config", "takes the path of a file, not ''", "--config", "");
	REFUSE("--log", "takes the path of a file, not ''", "--log", "");
	REFUSE("--verbose", "it goes with --log FILE", "-v");
}

static void config__fills_what_the_command_line_leaves_open(void **state)
{
	(void)state;
	static const char text[] = "refresh = 10\nread_only = yes\nregion = eu-west-1\n"
				   "[profile ops]\nsince = 1d\nconfirm_above = 0.5\nutc = yes\n"
				   "pace_dir = /pace\nallow_http = on\nascii = yes\n";
	struct parsed parsed;
	struct config config = { 0 };
	struct err err = { 0 };
	PARSE(&parsed, "-p", "ops", "--refresh", "7");
	const struct config_given given = { .options = parsed.options.given };
	assert_true(config_read(&config, "/c", text, strlen(text), &err));
	config_decide(&config, &given);
	options_take_config(&parsed.options, &config);
	assert_string_equal(parsed.options.profile, "ops");
	assert_string_equal(parsed.options.region, "eu-west-1");
	assert_string_equal(parsed.options.region_origin, "gpuq's config line 3");
	assert_string_equal(parsed.options.profile_origin, "");
	assert_string_equal(parsed.options.pace_dir, "/pace");
	assert_int_equal(parsed.options.refresh_ms, 7000);
	assert_int_equal(parsed.options.since_ms, 86400000);
	assert_int_equal(parsed.options.confirm_above_micro, 500000);
	assert_true(parsed.options.read_only && parsed.options.utc && parsed.options.ascii &&
		    parsed.options.allow_http);
	config_release(&config);
}

static const char *environment(void *ctx, const char *name)
{
	(void)ctx;
	return strncmp(name, "AWS_", 4) == 0 ? "eu-west-9" : NULL;
}

/* The AWS side reads its variables itself, and says where a value comes from. */
static void environment__is_left_to_the_aws_side(void **state)
{
	(void)state;
	static const char text[] = "region = eu-west-1\nprofile = ops\n";
	struct parsed parsed;
	struct config config = { 0 };
	struct err err = { 0 };
	parse(&parsed, (const char *const[]){ NULL });
	const struct config_given given = { .options = parsed.options.given, .env = environment };
	assert_true(config_read(&config, "/c", text, strlen(text), &err));
	config_decide(&config, &given);
	options_take_config(&parsed.options, &config);
	assert_null(parsed.options.profile);
	assert_null(parsed.options.region);
	config_release(&config);
}

static void options__work__before_and_after_the_command(void **state)
{
	(void)state;
	struct parsed parsed;
	PARSE(&parsed, "-r", "eu-west-1", "jobs", "--output=json", "--status", "pending", "--since",
	      "90m", "--refresh", "2");
	assert_true(parsed.ok);
	assert_string_equal(parsed.options.region, "eu-west-1");
	assert_string_equal(parsed.options.command, "jobs");
	assert_string_equal(parsed.options.status, "pending");
	assert_int_equal(parsed.options.format, REPORT_JSON);
	assert_int_equal(parsed.options.since_ms, 5400000);
	assert_int_equal(parsed.options.refresh_ms, 2000);
}

static void options__take_joined_letters__as_other_tools_do(void **state)
{
	(void)state;
	struct parsed parsed;
	PARSE(&parsed, "-yrus-west-2", "-ojsonl", "jobs");
	assert_true(parsed.ok);
	assert_true(parsed.options.yes);
	assert_string_equal(parsed.options.region, "us-west-2");
	assert_int_equal(parsed.options.format, REPORT_JSONL);
}

static void options__end__at_two_dashes(void **state)
{
	(void)state;
	struct parsed parsed;
	PARSE(&parsed, "show", "--", "-odd-name");
	assert_true(parsed.ok);
	assert_int_equal(parsed.options.arg_count, 1);
	assert_string_equal(parsed.options.args[0], "-odd-name");
}

static void status__takes_each_phase_and_primary_status__in_any_case(void **state)
{
	static const char *const words[] = { "pending",    "Starting",   "RUNNING", "stopping",
					     "completed",  "failed",     "stopped", "unknown",
					     "inprogress", "InProgress", "Deleting" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct parsed parsed;
		PARSE(&parsed, "jobs", "--status", words[i]);
		assert_true(parsed.ok);
		assert_string_equal(parsed.options.status, words[i]);
	}
}

static void options__refuse_with_the_fix__when_wrong(void **state)
{
	(void)state;
	REFUSE("--regoin", "did you mean --region?", "--regoin", "x");
	REFUSE("--zzzzzzzz", "there is no such option", "--zzzzzzzz");
	REFUSE("-Q", "there is no such option", "-Q");
	REFUSE("--region", "needs a value", "--region");
	REFUSE("--refresh", "takes seconds from 1 to 3600, not '0'", "--refresh", "0");
	REFUSE("--pace", "takes 0, or a number from 0.001 to 10", "--pace", "1e-300");
	REFUSE("--refresh", "not 'nan'", "--refresh", "nan");
	REFUSE("--since", "takes a duration", "--since", "yesterday");
	REFUSE("--output", "takes table, json, jsonl or csv", "-o", "xml");
	REFUSE("--kind", "takes training or processing", "jobs", "--kind", "batch");
	REFUSE("--status", "takes a phase (pending, running, ...) or InProgress, Completed", "jobs",
	       "--status", "bogus");
	REFUSE("--count", "takes a whole number", "submit", "f", "--count", "1.5");
	REFUSE("demo=yes", "takes no value", "--demo=yes");
	REFUSE("frobnicate", "there is no such command", "frobnicate");
	REFUSE("show", "needs an argument", "show");
	REFUSE("extra", "is one argument too many", "jobs", "extra");
	REFUSE("--status", "is not an option of this command", "show", "x", "--status", "failed");
	REFUSE("--prefs", "goes with a command", "--prefs", "ml.g5.xlarge");
}

static void pace_0__is_refused__on_the_real_aws(void **state)
{
	(void)state;
	struct parsed parsed;
	REFUSE("--pace", "--endpoint-url or --demo alone", "--pace", "0");
	PARSE(&parsed, "--pace", "0", "--demo");
	assert_true(parsed.ok);
	PARSE(&parsed, "--pace", "0", "--endpoint-url", "http://127.0.0.1:1");
	assert_true(parsed.ok);
}

static void demo__has_its_own_endpoint__so_another_is_refused(void **state)
{
	(void)state;
	REFUSE("--demo", "has an endpoint of its own", "--demo", "--endpoint-url", "http://x");
}

static void help__names_every_command_and_option__once(void **state)
{
	(void)state;
	struct buf help;
	size_t count = 0;
	buf_init(&help, 65536);
	options_help(&help, NULL);
	const struct command *const *all = command_all(&count);
	for (size_t i = 0; i < count; i++)
		assert_non_null(strstr(buf_text(&help), all[i]->help));
	assert_non_null(strstr(buf_text(&help), "--endpoint-url URL"));
	assert_non_null(strstr(buf_text(&help), "130 interrupted"));
	buf_clear(&help);
	options_help(&help, "submit");
	assert_non_null(strstr(buf_text(&help), "--max-pending DURATION"));
	assert_non_null(strstr(buf_text(&help), "\nexamples:\n  gpuq submit"));
	assert_null(strstr(buf_text(&help), "--status"));
	buf_release(&help);
}

/* An option with the first of these that it takes. */
static bool takes_one(const struct command *command, const struct option_row *row)
{
	static const char *const samples[] = { "1",
					       "6h",
					       "x",
					       "training",
					       "pending",
					       "stop-first",
					       "type",
					       "ended",
					       "json",
					       "us-east-1",
					       "dark",
					       "http://127.0.0.1:1",
					       "ml.p5.48xlarge:1" };
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		char program[] = "gpuq", name[32], option[64], value[32], argument[] = "a",
		     log[] = "--log=l";
		char *argv[] = { program, name, log, option, value, argument };
		struct options options;
		struct err err = { 0 };
		snprintf(name, sizeof(name), "%s", command->name);
		snprintf(option, sizeof(option), "--%s", row->name);
		snprintf(value, sizeof(value), "%s", row->value ? samples[i] : argument);
		int argc = row->value ? 5 : 4;
		for (size_t k = 0; k < command->least_args; k++)
			argv[argc++] = argument;
		bool ok = options_parse(&options, argc, argv, &err);
		err_clear(&err);
		if (ok)
			return true;
	}
	return false;
}

/* Its own options and those of all; what is of other commands is refused. */
static void every_command__takes_every_option_of_its_table(void **state)
{
	const struct option_row *row;
	size_t count;
	const struct command *const *all = command_all(&count);
	(void)state;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; (row = options_row(k)) != NULL; k++)
			if (takes_one(all[i], row) !=
			    (!row->own || command_accepts(all[i], row->name)))
				fail_msg("%s --%s", all[i]->name, row->name);
}

/* The words of an example up to what a shell would take for itself. */
static void want_example(const char *example)
{
	struct shellwords words = { 0 };
	struct options options;
	struct err err = { 0 };
	char line[256];
	const char *start = strstr(example, "gpuq ");
	assert_non_null(start);
	size_t len = 0;
	for (char quote = '\0'; start[len] && (quote || !strchr("|<>&)\n", start[len])); len++)
		if (start[len] == quote)
			quote = '\0';
		else if (!quote && (start[len] == '"' || start[len] == '\''))
			quote = start[len];
	snprintf(line, sizeof(line), "%.*s", (int)len, start);
	assert_true(shellwords_split(&words, line, &err));
	if (!options_parse(&options, (int)words.count, words.items, &err))
		fail_msg("%s: %s: %s", line, err.subject, err_text(&err));
	assert_non_null(options.command);
	shellwords_release(&words);
}

/* Each line of a command's examples is one that the program takes, of that command. */
static void examples__are_lines_that_work(void **state)
{
	size_t count;
	const struct command *const *all = command_all(&count);
	(void)state;
	for (size_t i = 0; i < count; i++) {
		char begin[64];
		snprintf(begin, sizeof(begin), "gpuq %s", all[i]->name);
		for (const char *line = all[i]->example; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			assert_non_null(strstr(line, begin));
			want_example(line);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options__have_promised_defaults__without_words),
		cmocka_unit_test(options_of_settings__take_what_the_config_takes),
		cmocka_unit_test(config__fills_what_the_command_line_leaves_open),
		cmocka_unit_test(environment__is_left_to_the_aws_side),
		cmocka_unit_test(options__work__before_and_after_the_command),
		cmocka_unit_test(options__take_joined_letters__as_other_tools_do),
		cmocka_unit_test(options__end__at_two_dashes),
		cmocka_unit_test(status__takes_each_phase_and_primary_status__in_any_case),
		cmocka_unit_test(options__refuse_with_the_fix__when_wrong),
		cmocka_unit_test(pace_0__is_refused__on_the_real_aws),
		cmocka_unit_test(demo__has_its_own_endpoint__so_another_is_refused),
		cmocka_unit_test(help__names_every_command_and_option__once),
		cmocka_unit_test(examples__are_lines_that_work),
		cmocka_unit_test(every_command__takes_every_option_of_its_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

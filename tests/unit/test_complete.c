/* What may come next on a command line. Names come from a source of the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "views/text/complete.h"
#include "views/text/options_table.h"

#define TEXT_MAX  (1u << 20)
#define WORDS_MAX 8

/* What was asked for, as "jobs of ops in eu-west-1". */
static char asked[128];

static void give(void *ctx, const struct complete_ask *ask)
{
	static const char *const jobs[] = { "llm-ft-1", "eval-2", "a\nb", "" };
	static const char *const profiles[] = { "ops", "my profile" };
	bool of_profiles = ask->what == COMPLETE_PROFILES;
	(void)ctx;
	snprintf(asked, sizeof(asked), "%s of %s in %s",
		 of_profiles                       ? "profiles"
		 : ask->what == COMPLETE_LIVE_JOBS ? "live jobs"
						   : "jobs",
		 ask->profile ? ask->profile : "-", ask->region ? ask->region : "-");
	for (size_t i = 0; i < (of_profiles ? ARRAY_LEN(profiles) : ARRAY_LEN(jobs)); i++)
		if (!ask->take(ask->taker, of_profiles ? profiles[i] : jobs[i]))
			return;
}

static void complete(struct buf *out, const char *const *words)
{
	static const struct complete_sources sources = { .names = give };
	size_t count = 0;
	while (words[count])
		count++;
	asked[0] = '\0';
	buf_init(out, TEXT_MAX);
	complete_line(out, words, count, &sources);
	assert_false(out->failed);
}

static void want(const char *expected, const char *const *words)
{
	struct buf out;
	complete(&out, words);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}
#define WANT(expected, ...) want(expected, (const char *const[]){ __VA_ARGS__, NULL })

static void want_part(const char *part, const char *const *words)
{
	struct buf out;
	complete(&out, words);
	if (!strstr(buf_text(&out), part))
		fail_msg("no %s in %s", part, buf_text(&out));
	buf_release(&out);
}
#define WANT_PART(part, ...) want_part(part, (const char *const[]){ __VA_ARGS__, NULL })

static void commands__come_first__with_what_they_do(void **state)
{
	(void)state;
	WANT_PART("jobs\tlist training and processing jobs\n", "");
	WANT_PART("man\t", "");
	WANT("stop\tstop jobs, one after the other (asks first)\n", "sto");
	WANT("stop\tstop jobs, one after the other (asks first)\n", "-p", "ops", "-v", "sto");
	WANT("", "nonsense", "");
	WANT("", "x");
}

static void options__are_those_of_the_command_and_of_all(void **state)
{
	(void)state;
	WANT("--status\ta phase or a primary status, in any case\n", "jobs", "--st");
	WANT("", "show", "x", "--st");
	WANT("", "--st");
	WANT_PART("--profile\tAWS profile", "--");
	WANT_PART("--no-color\t", "jobs", "-");
	WANT("", "jobs", "--", "--st");
	/* A value is no word, and a word behind "--" no option. */
	WANT("--prefs\tpreference list: type[:count][@plan-arn],... in rank order\n", "--config",
	     "stop", "submit", "--pre");
}

static void values__are_what_the_option_takes(void **state)
{
	(void)state;
	WANT("training\n", "jobs", "--kind", "tr");
	WANT("--kind=training\n", "jobs", "--kind=tr");
	WANT("table\njson\njsonl\ncsv\n", "-o", "");
	WANT("json\njsonl\n", "jobs", "-vo", "js");
	WANT("\tfiles\n", "--config", "");
	WANT("", "submit", "x", "--count", "");
	WANT("us-gov-east-1\nus-gov-west-1\n", "--region", "us-gov");
	WANT("ops\n", "--profile", "o");
	assert_string_equal(asked, "profiles of - in -");
	WANT("--profile=my profile\n", "--profile=my");
	WANT("", "--nonsense=x");
}

static void lists__go_on_behind_each_comma(void **state)
{
	(void)state;
	WANT("\tmore\nml.p5.48xlarge:2,ml.p4d.24xlarge\t8 A100\n"
	     "ml.p5.48xlarge:2,ml.p4de.24xlarge\t8 A100\n",
	     "forecast", "--prefs", "ml.p5.48xlarge:2,ml.p4");
	WANT("\tmore\n--prefs=ml.p4d.24xlarge\t8 A100\n--prefs=ml.p4de.24xlarge\t8 A100\n",
	     "forecast", "--prefs=ml.p4");
	WANT("", "forecast", "--prefs", "ml.p5.48xlarge:");
	WANT("", "forecast", "--prefs", "ml.p5.48xlarge:2,ml.p4d.24xlarge@arn");
}

static void arguments__are_what_the_help_calls_them(void **state)
{
	(void)state;
	WANT("llm-ft-1\neval-2\n", "show", "");
	assert_string_equal(asked, "jobs of - in -");
	WANT("", "show", "llm-ft-1", "");
	WANT("llm-ft-1\n", "-p", "ops", "--region=eu-west-1", "stop", "eval-2", "l");
	assert_string_equal(asked, "live jobs of ops in eu-west-1");
	WANT("\tfiles\n", "check", "");
	WANT("zsh\n", "completion", "z");
	WANT("ml.p5.48xlarge\t8 H100\n", "prices", "ml.trn1.2xlarge", "ml.p5.48");
	WANT("", "jobs", "");
}

static void odd_lines__are_survived(void **state)
{
	char word[5000];
	(void)state;
	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	WANT("\tmore\n", "forecast", "--prefs", word);
	word[4000] = ',';
	WANT("", "forecast", "--prefs", word);
	word[0] = word[1] = '-';
	word[4000] = '=';
	WANT("", word);
	WANT("", "-", "");
	WANT_PART("jobs\t", "--", "");
}

/* Each word that is offered as a value is taken as one. */
static void offered_words__are_taken_by_the_program(void **state)
{
	const struct option_row *row;
	size_t taken = 0;
	(void)state;
	for (size_t i = 0; (row = options_row(i)) != NULL; i++) {
		const struct command *const *all;
		size_t count, at = 0;
		char name[64];
		struct buf out;
		if (!row->value || strcmp(row->name, "prefs") == 0)
			continue;
		all = command_all(&count);
		while (row->own && !command_accepts(all[at], row->name))
			at++;
		snprintf(name, sizeof(name), "--%s", row->name);
		complete(&out, (const char *const[]){ all[at]->name, name, "", NULL });
		for (char *word = out.data; word && *word && *word != '\t';) {
			char *end = strchr(word, '\n');
			*end = '\0';
			char program[] = "gpuq", command[32], more[] = "x";
			char *argv[] = { program, command, name, word, more };
			snprintf(command, sizeof(command), "%s", all[at]->name);
			struct options options;
			struct err err = { 0 };
			if (!options_parse(&options, all[at]->least_args > 0 ? 5 : 4, argv, &err))
				fail_msg("%s %s: %s", name, word, err_text(&err));
			taken++;
			word = end + 1;
		}
		buf_release(&out);
	}
	assert_true(taken > 60); /* the regions alone are 39 */
}

static void scripts__are_there_for_three_shells(void **state)
{
	(void)state;
	assert_non_null(strstr(complete_script("bash"), "complete -F _gpuq gpuq\n"));
	assert_memory_equal(complete_script("zsh"), "#compdef gpuq\n", 14);
	assert_non_null(strstr(complete_script("fish"), "complete -c gpuq -f"));
	assert_null(complete_script("csh"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands__come_first__with_what_they_do),
		cmocka_unit_test(options__are_those_of_the_command_and_of_all),
		cmocka_unit_test(values__are_what_the_option_takes),
		cmocka_unit_test(lists__go_on_behind_each_comma),
		cmocka_unit_test(arguments__are_what_the_help_calls_them),
		cmocka_unit_test(odd_lines__are_survived),
		cmocka_unit_test(offered_words__are_taken_by_the_program),
		cmocka_unit_test(scripts__are_there_for_three_shells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

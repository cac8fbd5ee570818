/* The AWS CLI line: what a shell makes of it is compared with what the request says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/shellwords.h"
#include "model/base/text.h"
#include "model/cli_line.h"
#include "tests/anytext.h"
#include "tests/process.h"

#define LINE_MAX_BYTES (1u << 20)
#define ROUNDS         40

static bool was_inline; /* the last line holds the request itself */

static char *line_of(enum job_kind kind, const char *text, const struct cli_place *place,
		     bool reveal)
{
	struct request request = { .kind = kind, .text = mem_copy_text(text) };
	struct buf line;
	buf_init(&line, LINE_MAX_BYTES);
	was_inline = cli_line_add(&line, &request, place, reveal);
	request_release(&request);
	return buf_take(&line);
}

static void line__names_place_and_operation(void **state)
{
	const struct cli_place nowhere = { 0 };
	const struct cli_place place = { .region = "us-east-1",
					 .endpoint_url = "http://127.0.0.1:9/?a=1&b",
					 .profile = "my team" };
	char *line = line_of(JOB_TRAINING, "{ \"A\" : [1, {\"b\": \"it's\"}], \"C\":{} }", &place,
			     false);
	(void)state;
	assert_string_equal(line, "aws sagemaker create-training-job --profile 'my team' --region "
				  "us-east-1 --endpoint-url 'http://127.0.0.1:9/?a=1&b' "
				  "--cli-input-json '{\"A\":[1,{\"b\":\"it'\\''s\"}],\"C\":{}}'");
	free(line);
	line = line_of(JOB_PROCESSING, "{}", &nowhere, false);
	assert_string_equal(line, "aws sagemaker create-processing-job --cli-input-json '{}'");
	free(line);
}

static void secrets__are_masked__unless_revealed(void **state)
{
	static const char text[] = "{\"Environment\":{\"HF_TOKEN\":\"abc\",\"A\":\"b\"}}";
	const struct cli_place place = { 0 };
	char *line = line_of(JOB_TRAINING, text, &place, false);
	(void)state;
	assert_null(strstr(line, "abc"));
	assert_non_null(strstr(line, "{\"HF_TOKEN\":\"(hidden)\",\"A\":\"b\"}"));
	free(line);
	line = line_of(JOB_TRAINING, text, &place, true);
	assert_non_null(strstr(line, "{\"HF_TOKEN\":\"abc\",\"A\":\"b\"}"));
	free(line);
}

/* The shell's words of a line, one on each line of its output; no JSON has a line break in it. */
static char *words_of(const char *line)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct process_result result = { 0 };
	struct buf script;
	buf_init(&script, LINE_MAX_BYTES);
	buf_addf(&script, "printf '%%s\\n' %s", line);
	const char *const argv[] = { "/bin/sh", "-c", buf_text(&script), NULL };
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 0);
	char *words = mem_copy_text(result.out);
	process_release(&result);
	buf_release(&script);
	return words;
}

/* What the shell hands on is the very JSON, and its values are those of the request. */
static void assert_survives_the_shell(const char *text)
{
	static const char before[] = "aws\nsagemaker\ncreate-training-job\n--region\nx y\n"
				     "--cli-input-json\n";
	const struct cli_place place = { .region = "x y" };
	char *line = line_of(JOB_TRAINING, text, &place, true);
	char *words = words_of(line);
	assert_memory_equal(words, before, sizeof(before) - 1);
	cJSON *given = cJSON_Parse(text), *got = cJSON_Parse(words + sizeof(before) - 1);
	assert_non_null(given);
	assert_non_null(got);
	assert_true(cJSON_Compare(given, got, true));
	cJSON_Delete(given);
	cJSON_Delete(got);
	free(words);
	free(line);
}

static void line__survives_a_posix_shell__whatever_the_request_holds(void **state)
{
	static const char *const odd[] = {
		"$HOME `id` $(id) ${x}",
		"it's '' '\\'' \\",
		"a\nb\tc\\n\\\\",
		"* ? [a] ~ #! %s %d",
		"\"\" && || ; < > |",
		"caf\xC3\xA9 \xE2\x82\xAC",
		"-n",
		"file://x",
	};
	uint32_t seed = 20261201;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(odd) + ROUNDS; i++) {
		struct buf text, value;
		buf_init(&text, LINE_MAX_BYTES);
		buf_init(&value, LINE_MAX_BYTES);
		if (i < ARRAY_LEN(odd))
			buf_add_text(&value, odd[i]);
		else
			for (uint32_t n = anytext_random(&seed) % 40; n > 0; n--)
				buf_add_char(&value, (char)(1 + anytext_random(&seed) % 126));
		buf_add_text(&text, "{\"HyperParameters\":{\"a\":");
		text_add_json(&text, buf_text(&value));
		buf_add_text(&text, "}}");
		assert_survives_the_shell(buf_text(&text));
		buf_release(&value);
		buf_release(&text);
	}
}

/* Whether this machine takes an argument of so many bytes. */
static bool system_takes(size_t length)
{
	char *argument = mem_new(length + 1, 1);
	char *const argv[] = { (char[]){ "true" }, argument, NULL };
	int status = -1;
	memset(argument, 'a', length);
	pid_t pid = fork();
	if (pid == 0) {
		execv("/bin/true", argv);
		_exit(errno == E2BIG ? 7 : 8);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	free(argument);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7));
	return WEXITSTATUS(status) == 0;
}

/* {"A":"aaa..."} of so many bytes. */
static char *request_of(size_t length)
{
	static const char before[] = "{\"A\":\"", behind[] = "\"}";
	struct buf text;
	buf_init(&text, LINE_MAX_BYTES);
	buf_add_text(&text, before);
	while (text.len < length - strlen(behind))
		buf_add_char(&text, 'a');
	buf_add_text(&text, behind);
	return buf_take(&text);
}

static void line__reads_a_file__where_an_argument_would_be_too_long(void **state)
{
	const struct cli_place place = { .region = "us-east-1" };
	(void)state;
	for (size_t length = CLI_ARGUMENT_MAX; length <= CLI_ARGUMENT_MAX + 1; length++) {
		char *text = request_of(length);
		char *line = line_of(JOB_TRAINING, text, &place, false);
		assert_int_equal(was_inline, length == CLI_ARGUMENT_MAX);
#ifdef __linux__
		assert_int_equal(system_takes(length), was_inline);
#endif
		if (was_inline)
			assert_non_null(strstr(line, text));
		else
			assert_string_equal(line, "aws sagemaker create-training-job --region "
						  "us-east-1 --cli-input-json file://request.json");
		free(line);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line__names_place_and_operation),
		cmocka_unit_test(secrets__are_masked__unless_revealed),
		cmocka_unit_test(line__reads_a_file__where_an_argument_would_be_too_long),
		cmocka_unit_test(line__survives_a_posix_shell__whatever_the_request_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The commands without a screen: the real program against the real region. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gpuq.h"
#include "tests/tinyserver.h"

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, still);
}

static void parse(struct json_doc *doc, const char *text)
{
	struct err err = { 0 };
	if (!json_doc_parse(doc, text, strlen(text), &err))
		fail_msg("not JSON: %s\n%.500s", err_text(&err), text);
}

static void expect_text(const struct json_doc *doc, const char *path, const char *expected)
{
	struct buf text;
	buf_init(&text, 4096);
	size_t node = json_doc_path(doc, path);
	if (node == JSON_NONE)
		fail_msg("no %s", path);
	assert_true(json_doc_string(doc, node, &text));
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
}

/* The name of the first job in the region's queue. */
static void first_in_queue(const struct region *region, char name[128])
{
	struct region_state state;
	struct buf text;
	region_state(region, &state);
	buf_init(&text, 127);
	size_t queue = json_doc_member(&state.doc, 0, "queue");
	assert_true(json_doc_string(&state.doc, json_doc_child(&state.doc, queue), &text));
	snprintf(name, 128, "%s", buf_text(&text));
	buf_release(&text);
	region_state_release(&state);
}

static void jobs__lists_what_the_region_has__as_json(void **state)
{
	struct process_result result;
	struct region_state truth;
	struct json_doc doc;
	const struct region *region = *state;
	GPUQ_RUN(&result, region, "jobs", "-o", "json", "--pace", "0");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	region_state(region, &truth);
	parse(&doc, result.out);
	size_t jobs = json_doc_member(&truth.doc, 0, "jobs");
	assert_int_equal(json_doc_length(&doc, 0), json_doc_length(&truth.doc, jobs));
	/* Newest first: the last of the region's is our first. */
	size_t last = JSON_NONE;
	for (size_t at = json_doc_child(&truth.doc, jobs); at != JSON_NONE;
	     at = json_doc_next(&truth.doc, at))
		last = at;
	expect_text(&doc, "[0].name", region_text(&truth, last, "name"));
	expect_text(&doc, "[0].region", "us-east-1");
	json_doc_release(&doc);
	region_state_release(&truth);
	process_release(&result);
}

/* The waiting jobs of the region, by its queue, are those that --status pending lists. */
static void jobs__pending__are_the_regions_queue(void **state)
{
	struct process_result result;
	struct region_state truth;
	const struct region *region = *state;
	GPUQ_RUN(&result, region, "jobs", "--status", "PENDING", "-o", "jsonl", "--pace", "0");
	assert_int_equal(result.status, 0);
	region_state(region, &truth);
	size_t queue = json_doc_member(&truth.doc, 0, "queue"), lines = 0;
	for (const char *c = result.out; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, json_doc_length(&truth.doc, queue));
	for (size_t at = json_doc_child(&truth.doc, queue); at != JSON_NONE;
	     at = json_doc_next(&truth.doc, at)) {
		struct buf name;
		buf_init(&name, 127);
		buf_add_text(&name, "\"name\":");
		size_t start_of_name = truth.doc.nodes[at].start;
		buf_add(&name, truth.text + start_of_name, truth.doc.nodes[at].end - start_of_name);
		if (!strstr(result.out, buf_text(&name)))
			fail_msg("missing %s", buf_text(&name));
		buf_release(&name);
	}
	region_state_release(&truth);
	process_release(&result);
}

static void jobs__filters_by_words_and_kind__in_a_table(void **state)
{
	struct process_result result;
	GPUQ_RUN(&result, *state, "jobs", "--filter", "llm !pretrain", "--kind", "training",
		 "--pace", "0");
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "NAME"));
	assert_non_null(strstr(result.out, "llm-ft-7b-"));
	assert_null(strstr(result.out, "pretrain"));
	assert_null(strstr(result.out, "processing"));
	assert_null(strchr(result.out, '\x1b')); /* no colour off a terminal */
	process_release(&result);
}

/* A row that went on in the next line would show there without a kind. */
static void jobs__takes_one_line_each__on_a_terminal(void **state)
{
	const struct region *region = *state;
	const char *argv[] = { region_program("gpuq"), "jobs", "--endpoint-url", region->url,
			       NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", NULL };
	struct pty *pty = pty_start(&(struct pty_options){ .argv = argv, .env = env, .lines = 50 });
	int status = -1, rows = 0;
	assert_true(pty_wait_exit(pty, 30000, &status));
	assert_int_equal(status, 0);
	for (int y = 0; y < 50; y++) {
		const char *line = pty_line(pty, y);
		if (!line[0])
			continue;
		rows++;
		assert_true(strstr(line, "  training    ") || strstr(line, "  processing  ") ||
			    strstr(line, "NAME "));
	}
	assert_in_range(rows, 10, 50);
	pty_stop(pty);
}

static void show__tells_one_job__as_json_and_table(void **state)
{
	char name[128];
	struct process_result result;
	struct json_doc doc;
	int64_t wait = 0;
	first_in_queue(*state, name);
	GPUQ_RUN(&result, *state, "show", name, "--output", "json");
	assert_int_equal(result.status, 0);
	parse(&doc, result.out);
	expect_text(&doc, "name", name);
	expect_text(&doc, "kind", "training");
	expect_text(&doc, "phase", "pending");
	assert_true(doc.nodes[json_doc_path(&doc, "selected")].kind == JSON_NULL);
	assert_true(doc.nodes[json_doc_path(&doc, "cost.per_hour")].kind == JSON_NULL);
	assert_true(json_doc_integer(&doc, json_doc_path(&doc, "wait_seconds"), &wait));
	/* The scenario's oldest job has waited 3h41m at the start. */
	assert_in_range(wait, 13200, 13500);
	json_doc_release(&doc);
	process_release(&result);
	GPUQ_RUN(&result, *state, "show", name);
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "#1"));
	process_release(&result);
}

static void show__says_1__for_an_unknown_job(void **state)
{
	struct process_result result;
	GPUQ_RUN(&result, *state, "show", "no-such-job");
	assert_int_equal(result.status, 1);
	assert_string_equal(result.out, "");
	assert_non_null(strstr(result.err, "no-such-job"));
	process_release(&result);
}

static const char request[] =
	"{\"TrainingJobName\":\"nightly-1\",\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":\"File\"},"
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
	"\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1,"
	"\"VolumeSizeInGB\":100},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}";

static long created(const struct region *region)
{
	struct region_state state;
	region_state(region, &state);
	long count = region_number(&state, "calls.CreateTrainingJob.ok", 0);
	region_state_release(&state);
	return count;
}

static void submit__dry_run__checks_and_changes_nothing(void **state)
{
	struct process_result result;
	struct json_doc doc;
	gpuq_run(&result, *state, request,
		 (const char *const[]){ "submit", "-", "--prefs",
					"ml.p5.48xlarge:2,ml.p4d.24xlarge:4", "--dry-run", NULL });
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.out, "InstancePreferences"));
	assert_null(strstr(result.out, "ml.g5.2xlarge"));
	process_release(&result);
	/* A list with one type twice is refused here, with the rule. */
	gpuq_run(&result, *state, request,
		 (const char *const[]){ "submit", "-", "--prefs", "ml.p5.48xlarge,ml.p5.48xlarge",
					"--count", "2", "--dry-run", "-o", "json", NULL });
	assert_int_equal(result.status, 3);
	parse(&doc, result.out);
	expect_text(&doc, "findings[0].rule", "duplicate-type");
	assert_true(doc.nodes[json_doc_path(&doc, "ok")].kind == JSON_FALSE);
	json_doc_release(&doc);
	process_release(&result);
	assert_int_equal(created(*state), 0);
}

static void submit__dry_run__works_offline(void **state)
{
	(void)state;
	struct process_result result;
	const char *argv[] = { region_program("gpuq"), "submit", "-", "--dry-run", NULL };
	const char *env[] = { "LANG=C.UTF-8", NULL };
	process_run(&result, argv, env, request);
	assert_int_equal(result.status, 0);
	process_release(&result);
}

static void submit__asks_first__and_without_a_terminal_refuses(void **state)
{
	struct process_result result;
	gpuq_run(&result, *state, request, (const char *const[]){ "submit", "-", NULL });
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "--yes"));
	process_release(&result);
	gpuq_run(&result, *state, request,
		 (const char *const[]){ "submit", "-", "--yes", "--read-only", NULL });
	assert_int_equal(result.status, 2);
	process_release(&result);
	assert_int_equal(created(*state), 0);
}

static void submit__yes__creates_once(void **state)
{
	struct process_result result;
	gpuq_run(&result, *state, request,
		 (const char *const[]){ "submit", "-", "--yes", "--name", "nightly-2", NULL });
	assert_int_equal(result.status, 0);
	assert_string_equal(result.out,
			    "arn:aws:sagemaker:us-east-1:111122223333:training-job/nightly-2\n");
	process_release(&result);
	assert_int_equal(created(*state), 1);
	/* The name is taken now: AWS says no. */
	gpuq_run(&result, *state, request,
		 (const char *const[]){ "submit", "-", "--yes", "--name", "nightly-2", NULL });
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "nightly-2"));
	assert_non_null(strstr(result.err, "ResourceInUse"));
	process_release(&result);
}

static void submit__not_json__is_3_with_line_and_column(void **state)
{
	struct process_result result;
	gpuq_run(&result, *state, "{\n  # a comment\n}\n",
		 (const char *const[]){ "submit", "-", "--dry-run", NULL });
	assert_int_equal(result.status, 3);
	assert_non_null(strstr(result.err, "Line 2, column 3: comments are not JSON"));
	process_release(&result);
}

static void failures__have_their_status__and_say_what_next(void **state)
{
	(void)state;
	struct process_result result;
	const char *program = region_program("gpuq");
	/* Nobody listens on port 1. */
	const char *argv[] = { program, "jobs", "--endpoint-url", "http://127.0.0.1:1", NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b",
			      "AWS_REGION=us-east-1", NULL };
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 5);
	/* Of the two lists, that which gave up first. */
	assert_non_null(strstr(result.err, "gpuq: List"));
	assert_non_null(strstr(result.err, "Jobs in us-east-1: "));
	process_release(&result);
	const char *no_keys[] = { "AWS_REGION=us-east-1", NULL };
	process_run(&result, argv, no_keys, NULL);
	assert_int_equal(result.status, 4);
	process_release(&result);
	const char *no_region[] = { "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b", NULL };
	process_run(&result, argv, no_region, NULL);
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "region"));
	process_release(&result);
	/* Without a terminal it is `gpuq jobs`. */
	const char *screen[] = { program, "--endpoint-url", "http://127.0.0.1:1", NULL };
	process_run(&result, screen, env, NULL);
	assert_int_equal(result.status, 5);
	assert_non_null(strstr(result.err, "no dashboard here (it needs a terminal)"));
	process_release(&result);
	const char *file[] = { program, "submit", "/nonexistent", NULL };
	process_run(&result, file, env, NULL);
	assert_int_equal(result.status, 2);
	assert_non_null(strstr(result.err, "/nonexistent: cannot be opened: "));
	assert_non_null(strstr(result.err, "Check the file's name"));
	process_release(&result);
}

static void full_disk__is_1__and_named(void **state)
{
	static const char *const commands[] = { "jobs", "plans", "--help", "--version" };
	const struct region *region = *state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct process_result result;
		const char *argv[] = { "/bin/sh",
				       "-c",
				       "exec \"$0\" \"$@\" >/dev/full",
				       region_program("gpuq"),
				       commands[i],
				       "--endpoint-url",
				       region->url,
				       NULL };
		const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
				      "AWS_SECRET_ACCESS_KEY=simsecret", "AWS_REGION=us-east-1",
				      NULL };
		process_run(&result, argv, env, NULL);
		assert_int_equal(result.status, 1);
		assert_non_null(strstr(result.err, "gpuq: standard output: cannot be written: "));
		process_release(&result);
	}
}

static void wrong_secret__is_4__and_never_printed(void **state)
{
	struct process_result result;
	const struct region *region = *state;
	const char *argv[] = { region_program("gpuq"), "jobs", "--endpoint-url", region->url,
			       NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=hunter2hunter2",
			      "AWS_REGION=us-east-1", NULL };
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 4);
	assert_null(strstr(result.err, "hunter2"));
	assert_null(strstr(result.err, "anonical"));
	process_release(&result);
}

/* The region's clock is put ahead, and signatures are judged by it: this machine's is behind. In a
 * region of its own, since a clock cannot be put back. */
static void clock_behind__is_said_and_corrected__or_kept(void **state)
{
	static const char *const options[] = { "--scenario", "still", "--seed", "5", NULL };
	struct region region;
	struct process_result result;
	(void)state;
	region_start(&region, options);
	region_control(&region, "advance", "{\"seconds\":924}");
	region_control(&region, "skew", "{\"seconds\":0}");
	GPUQ_RUN(&result, &region, "jobs");
	assert_int_equal(result.status, 0);
	assert_non_null(strstr(result.err, "gpuq: this machine's clock is 15 min 2"));
	assert_non_null(strstr(result.err, " s behind; gpuq goes by AWS's\n"));
	process_release(&result);

	const char *argv[] = { region_program("gpuq"), "jobs", "--endpoint-url", region.url, NULL };
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_REGION=us-east-1", "AWS_DISABLE_CLOCK_SKEW_CORRECTION=true",
			      NULL };
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 4);
	assert_non_null(strstr(result.err, "this machine's clock is 15 min 2"));
	assert_non_null(strstr(result.err, "Set this machine's clock"));
	process_release(&result);
	region_stop(&region);
}

/* Neither a control that a terminal obeys nor a mark that turns the line around. */
static void expect_harmless(const char *text)
{
	static const char *const marks[] = { "\x1b", "\x07", "\xC2\x9B", "\xE2\x80\xAE", "\x7F" };
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		assert_null(strstr(text, marks[i]));
}

/* Against the tiny server, at one of its paths. */
static void run_at(struct process_result *result, const struct tinyserver *server, const char *path,
		   const char *const *words)
{
	struct region region = { 0 };
	snprintf(region.url, sizeof(region.url), "http://127.0.0.1:%d%s", server->port, path);
	gpuq_run(result, &region, request, words);
}

static void messages__obey_nobody__whatever_aws_says(void **state)
{
	struct process_result result;
	struct tinyserver *server = calloc(1, sizeof(*server));
	(void)state;
	assert_non_null(server);
	tinyserver_start(server);
	run_at(&result, server, "/hostile", (const char *const[]){ "show", "x", NULL });
	assert_int_equal(result.status, 1);
	assert_non_null(strstr(result.err, "told\n"));
	assert_non_null(strstr(result.err, "Odd"));
	expect_harmless(result.err);
	process_release(&result);
	run_at(&result, server, "/created", (const char *const[]){ "submit", "-", "--yes", NULL });
	assert_int_equal(result.status, 0);
	assert_memory_equal(result.out, "arn:x/", 6);
	expect_harmless(result.out);
	process_release(&result);
	/* An object, but not a job's. */
	run_at(&result, server, "/created", (const char *const[]){ "show", "x", NULL });
	assert_int_equal(result.status, 5);
	process_release(&result);
	tinyserver_stop(server);
	free(server);
}

static void submit__shows_nothing_that_a_terminal_obeys(void **state)
{
	struct process_result result;
	(void)state;
	const char *argv[] = { region_program("gpuq"), "submit", "-", "--dry-run", NULL };
	const char *env[] = { "LANG=C.UTF-8", NULL };
	process_run(&result, argv, env,
		    "{\"TrainingJobName\":\"a\",\"HyperParameters\":"
		    "{\"k\xC2\x9B\":\"v\x7F\xE2\x80\xAE\"}}");
	assert_non_null(strstr(result.out, "HyperParameters"));
	expect_harmless(result.out);
	expect_harmless(result.err);
	process_release(&result);
	argv[2] = "no\x1b[2Jfile\xC2\x9B";
	process_run(&result, argv, env, NULL);
	assert_non_null(strstr(result.err, "cannot be opened"));
	expect_harmless(result.err);
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs__lists_what_the_region_has__as_json),
		cmocka_unit_test(jobs__pending__are_the_regions_queue),
		cmocka_unit_test(jobs__filters_by_words_and_kind__in_a_table),
		cmocka_unit_test(jobs__takes_one_line_each__on_a_terminal),
		cmocka_unit_test(show__tells_one_job__as_json_and_table),
		cmocka_unit_test(show__says_1__for_an_unknown_job),
		cmocka_unit_test(submit__dry_run__checks_and_changes_nothing),
		cmocka_unit_test(submit__dry_run__works_offline),
		cmocka_unit_test(submit__asks_first__and_without_a_terminal_refuses),
		cmocka_unit_test(submit__yes__creates_once),
		cmocka_unit_test(submit__not_json__is_3_with_line_and_column),
		cmocka_unit_test(failures__have_their_status__and_say_what_next),
		cmocka_unit_test(full_disk__is_1__and_named),
		cmocka_unit_test(wrong_secret__is_4__and_never_printed),
		cmocka_unit_test(clock_behind__is_said_and_corrected__or_kept),
		cmocka_unit_test(messages__obey_nobody__whatever_aws_says),
		cmocka_unit_test(submit__shows_nothing_that_a_terminal_obeys),
	};
	return cmocka_run_group_tests(tests, start, gpuq_stop_region);
}

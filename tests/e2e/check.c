/*
 * gpuq check and gpuq submit on files of the user: the real program. check never speaks to AWS;
 * submit asks first, and stays under the limits of the config. Cases: 014, 020, 022, 024, 026, 027,
 * 029, 030, 034 (see files[]), 046 (nothing is invented), 059 (no None), 078 (1,800 s only warned).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/cli_line.h"
#include "tests/gpuq.h"
#include "tests/shared.h"

#define ARGS_MAX 16
#define TEXT_MAX (1u << 20)
#define SOON     10000
#define NAME     "nightly-261201"
#define ROLE     "\"RoleArn\":\"arn:aws:iam::111122223333:role/jobs\","
#define ALGORITHM \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"image\",\"TrainingInputMode\":\"File\"},"
#define OUTPUT "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
#define RUNS   "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}"
#define REQUEST(resources)                                                               \
	"{\"TrainingJobName\":\"" NAME "\"," ROLE ALGORITHM OUTPUT "\"ResourceConfig\":" \
	"{\"VolumeSizeInGB\":50," resources "}," RUNS "}"
/* 20.36 and 25.251 an hour: under the 1000 from which the name is typed. */
#define LIST                                                                                  \
	"\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":\"ml.g5.48xlarge\"}," \
	"{\"InstanceType\":\"ml.p4d.24xlarge\"}]"
#define DEAR "\"InstanceCount\":16,\"InstanceType\":\"ml.p5.48xlarge\""

static const char *const still[] = { "--scenario", "still", "--rate", "0", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, still);
}

/* Offline: no region, no credentials, no files of AWS. */
static void check(struct process_result *result, const char *input, const char *const *words)
{
	const char *argv[ARGS_MAX + 1] = { region_program("gpuq"), "check" };
	const char *const env[] = { "LANG=C.UTF-8", NULL };
	for (size_t i = 2; *words && i < ARGS_MAX; i++)
		argv[i] = *words++;
	process_run(result, argv, env, input);
}

#define CHECK(result, input, ...) check(result, input, (const char *const[]){ __VA_ARGS__, NULL })

static void submit(struct process_result *result, const struct region *region, const char *input,
		   const char *const *words)
{
	const char *argv[ARGS_MAX + 1] = { region_program("gpuq"), "submit", "--endpoint-url",
					   region->url, "-" };
	for (size_t i = 5; *words && i < ARGS_MAX; i++)
		argv[i] = *words++;
	process_run(result, argv, gpuq_env, input);
}

#define SUBMIT(result, region, input, ...) \
	submit(result, region, input, (const char *const[]){ __VA_ARGS__, NULL })

static void want_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("there: %s\n%s", part, text);
}

static void every_fault__is_told_at_once__with_its_place(void **state)
{
	struct process_result result;
	(void)state;
	CHECK(&result,
	      "{\n  \"TrainingJobName\": \"a_b\",\n  \"ResourceConfig\": {\n"
	      "    \"InstanceCount\": 1,\n    \"InstancePreferences\": [\n"
	      "      {\"InstanceType\": \"ml.g5.xlarge\", \"InstanceCount\": 2},\n"
	      "      {\"InstanceType\": \"ml.g5.xlarge\"}\n    ]\n  }\n}\n",
	      "-");
	assert_int_equal(result.status, 3);
	assert_string_equal(result.err, "");
	gpuq_want_text(result.out, "error duplicate-type: ");
	gpuq_want_text(result.out, "error count-mixed: ");
	gpuq_want_text(result.out, "(TrainingJobName, line 2, column 22)\n");
	gpuq_want_text(result.out, "error required-member: ");
	gpuq_want_text(result.out, " errors");
	process_release(&result);
	CHECK(&result, REQUEST(LIST), "-", "-o", "json");
	assert_int_equal(result.status, 0);
	gpuq_want_text(result.out, "{\"findings\":[");
	gpuq_want_text(result.out, "],\"kind\":\"training\",\"ok\":true}\n");
	gpuq_want_text(result.out, "not checked");
	process_release(&result);
	CHECK(&result, REQUEST(LIST), "-", "-o", "csv");
	assert_int_equal(result.status, 0);
	gpuq_want_text(result.out, "severity,rule,path,line,column,message,fix\n");
	process_release(&result);
}

/* Case 078: the guide shows what the API reference forbids. AWS decides, and its word is told. */
static void doubts__are_no_refusal(void **state)
{
	static const char text[] = "{\"TrainingJobName\":\"" NAME "\"," ROLE ALGORITHM OUTPUT
				   "\"ResourceConfig\":{\"VolumeSizeInGB\":50," LIST
				   "},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600,"
				   "\"MaxPendingTimeInSeconds\":1800}}";
	const struct region *region = *state;
	struct process_result result;
	struct region_state truth;
	CHECK(&result, text, "-");
	assert_int_equal(result.status, 0);
	gpuq_want_text(result.out, "warning max-pending-range: ");
	process_release(&result);
	SUBMIT(&result, region, text, "--yes", "--name", "pending-1");
	assert_int_equal(result.status, 0);
	gpuq_want_text(result.out, "training-job/pending-1");
	gpuq_want_text(result.err, "warning max-pending-range: ");
	process_release(&result);
	region_state(region, &truth);
	size_t job = region_state_job(&truth, "pending-1");
	assert_int_not_equal(job, JSON_NONE);
	size_t limits = json_doc_member(&truth.doc, json_doc_member(&truth.doc, job, "request"),
					"StoppingCondition");
	int64_t seconds = 0;
	assert_true(json_doc_integer(&truth.doc,
				     json_doc_member(&truth.doc, limits, "MaxPendingTimeInSeconds"),
				     &seconds));
	assert_int_equal(seconds, 1800);
	region_state_release(&truth);
	region_control(region, "fault",
		       "{\"operation\":\"CreateTrainingJob\",\"count\":1,\"status\":400,"
		       "\"code\":\"ValidationException\"}");
	SUBMIT(&result, region, text, "--yes", "--name", "pending-2");
	assert_int_equal(result.status, 1);
	gpuq_want_text(result.err, "warning max-pending-range: ");
	gpuq_want_text(result.err, "ValidationException");
	process_release(&result);
}

static void wrong_usage__is_2(void **state)
{
	struct process_result result;
	(void)state;
	CHECK(&result, NULL, "/nonexistent/job.json");
	assert_int_equal(result.status, 2);
	assert_string_equal(result.out, "");
	gpuq_want_text(result.err, "/nonexistent/job.json: cannot be opened: ");
	process_release(&result);
	CHECK(&result, "{}", "-", "--prefs", "ml.p5.48xlarge:2");
	assert_int_equal(result.status, 2);
	gpuq_want_text(result.err, "--prefs: is not an option of this command");
	process_release(&result);
	/* A kind that the document contradicts: it is not the request that was meant. */
	CHECK(&result, REQUEST(LIST), "-", "--kind", "processing");
	assert_int_equal(result.status, 3);
	gpuq_want_text(result.out, "error not-a-request: ");
	process_release(&result);
}

/* Whatever it is, one line says so, and none lists what it lacks. */
static void other_documents__are_called_by_name(void **state)
{
	static const struct {
		const char *text, *expected;
	} rows[] = {
		{ "{\"a\": 1 # why\n}", "error not-json: Line 1, column 9: comments are not JSON" },
		{ "{'a': None}", "looks like Python" },
		{ "resource \"aws_instance\" \"a\" {}\n", "a Terraform configuration" },
		{ "{\"StartAt\":\"A\",\"States\":{\"A\":{}}}", "a Step Functions state machine" },
		{ "apiVersion: v1\nkind: TrainingJob\n", "a Kubernetes manifest in YAML" },
		{ "", "error not-json: " },
		{ "[]", "error not-a-request: " },
	};
	struct process_result result;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		CHECK(&result, rows[i].text, "-");
		assert_int_equal(result.status, 3);
		gpuq_want_text(result.out, rows[i].expected);
		gpuq_want_text(result.out, "\n1 error\n");
		want_not(result.out, "required-member");
		process_release(&result);
		CHECK(&result, rows[i].text, "-", "-o", "jsonl");
		assert_int_equal(result.status, 3);
		gpuq_want_text(result.out, "\"kind\":null,\"ok\":false}\n");
		process_release(&result);
	}
}

/* What stands in it is checked all the same, where it stands; what a program fills in is not. */
static void other_documents__have_every_fault_of_their_requests(void **state)
{
#define MEMBERS                                                                       \
	"'RoleArn': role, 'AlgorithmSpecification': {'TrainingImage': f'{repo}:1',\n" \
	"  'TrainingInputMode': 'Fil'}, 'OutputDataConfig': {'S3OutputPath': 's3://b/o'},\n"
	static const struct {
		const char *text, *kind, *has[6], *lacks;
	} rows[] = {
		{ "job = {  # nightly\n 'TrainingJobName': 'a_b',\n" MEMBERS
		  " 'ResourceConfig': {'InstanceType': 'ml.p5.48xlarge', 'InstanceCount': n,\n"
		  "  'VolumeSizeInGB': 50},\n 'StoppingCondition': {'MaxRuntimeInSeconds': 60 * "
		  "60}}\n",
		  "training",
		  { "error not-json: Line 1, column 1: ",
		    "note not-json: The text is a Python dict: the request of a training job, ",
		    "but for what is known only when it runs. (line 1, column 7)",
		    "error name-invalid: ", "(TrainingJobName, line 2, column 21)\n",
		    "(AlgorithmSpecification.TrainingInputMode, line 4, column 24)\n" },
		  "RoleArn" },
		{ "# nightly\nProcessingJobName: a_b\nAppSpecification:\n  ImageUri: x\n",
		  "processing",
		  { "note not-json: The text is YAML: ", "(ProcessingJobName, line 2, column 20)\n",
		    "error required-member: RoleArn is missing" },
		  "ImageUri" },
		{ "{\"StartAt\":\"A\",\"States\":{\"A\":{\"Resource\":\"arn:aws:states:::sagemaker:"
		  "createTrainingJob\",\"Parameters\":{\n\"TrainingJobName.$\":\"$.a\","
		  "\"RoleArn\":\"x\"}}}}",
		  "training",
		  { "error not-a-request: This is a Step Functions state machine",
		    "note not-a-request: This state has the request of a training job",
		    "(States.A.Parameters.RoleArn, line 2, column 37)\n" },
		  "(States.A.Parameters.TrainingJobName" },
	};
	struct process_result result;
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char last[64];
		CHECK(&result, rows[i].text, "-");
		assert_int_equal(result.status, 3);
		for (size_t k = 0; k < ARRAY_LEN(rows[i].has) && rows[i].has[k]; k++)
			gpuq_want_text(result.out, rows[i].has[k]);
		want_not(result.out, rows[i].lacks);
		snprintf(last, sizeof(last), "as the request of a %s job\n", rows[i].kind);
		gpuq_want_text(result.out, last);
		process_release(&result);
		CHECK(&result, rows[i].text, "-", "-o", "json");
		snprintf(last, sizeof(last), "\"kind\":\"%s\",\"ok\":false}\n", rows[i].kind);
		gpuq_want_text(result.out, last);
		process_release(&result);
	}
}

static char *path_of(const char *name)
{
	const char *folder = getenv("GPUQ_SHARED");
	struct buf path;
	buf_init(&path, 4096);
	buf_addf(&path, "%s/cases/%s", folder ? folder : "../shared", name);
	return buf_take(&path);
}

/* Each case: its status, what must stand in the answer and what must not. */
static const struct {
	const char *file;
	int status;
	const char *has[4], *lacks;
} files[] = {
	{ "014-python-repr-not-json/input.txt",
	  3,
	  { "not-json", "looks like Python" },
	  "required" },
	{ "020-json-with-hash-comments/input.json",
	  3,
	  { "not-json", "comments are not JSON", "placeholder: RoleArn", "line 7, column 16" },
	  "required" },
	{ "022-empty-name-and-wrong-family/input.json",
	  3,
	  { "TrainingJobName", "OutputDataConfig.S3OutputPath", "S3Uri", "ml.t3.large" },
	  "Tags" },
	{ "024-no-input-data/input.json", 0, { NULL }, "error" },
	{ "026-gpu-image-on-cpu-type/input.json", 0, { "warning image-mismatch: " }, "error" },
	{ "027-step-functions-wrapper/input.json",
	  3,
	  { "state machine", "(States.Train.Parameters, line 8, column 21)" },
	  "TrainingJobName" },
	{ "029-k8s-manifest-camelcase/input.yaml",
	  3,
	  { "Kubernetes manifest", "name-invalid", "line 6, column 20" },
	  "required" },
	{ "030-minimal-processing-template/input.json", 0, { NULL }, "error" },
	{ "034-announcement-examples-slips/input.json", 3, { "has a blank as character" }, NULL },
};

static void files__of_the_cases_are_judged_and_left_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct process_result result;
		struct stat before, after;
		char *path = path_of(files[i].file);
		if (stat(path, &before) != 0) {
			print_message("skipped: no %s\n", path);
			free(path);
			return;
		}
		CHECK(&result, NULL, path);
		if (result.status != files[i].status)
			fail_msg("%s: %d\n%s%s", path, result.status, result.out, result.err);
		for (size_t k = 0; k < ARRAY_LEN(files[i].has) && files[i].has[k]; k++)
			gpuq_want_text(result.out, files[i].has[k]);
		if (files[i].lacks)
			want_not(result.out, files[i].lacks);
		want_not(result.out, "None");
		assert_int_equal(stat(path, &after), 0);
		assert_int_equal(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
		assert_int_equal(after.st_size, before.st_size);
		process_release(&result);
		free(path);
	}
}

/* Case 030: a dry run is one. */
static void check__makes_no_call__and_dry_run_neither(void **state)
{
	struct process_result result;
	const struct region *region = *state;
	const char *const argv[] = { region_program("gpuq"), "check",     "-",
				     "--endpoint-url",       region->url, NULL };
	long before = region_calls(region, "");
	process_run(&result, argv, gpuq_env, REQUEST(LIST));
	assert_int_equal(result.status, 0);
	process_release(&result);
	SUBMIT(&result, region, REQUEST(LIST), "--dry-run");
	assert_int_equal(result.status, 0);
	process_release(&result);
	assert_int_equal(region_calls(region, ""), before);
}

/* A file of that text; path is the caller's to unlink. */
static void write_file(char path[32], const char *text)
{
	memcpy(path, "/tmp/gpuq-check-XXXXXX", sizeof("/tmp/gpuq-check-XXXXXX"));
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* before, the unit so many times, after; free it. */
static char *repeated(const char *before, const char *unit, size_t times, const char *after)
{
	struct buf text;
	buf_init(&text, 4 * TEXT_MAX);
	buf_add_text(&text, before);
	for (size_t i = 0; i < times; i++)
		buf_add_text(&text, unit);
	buf_add_text(&text, after);
	assert_false(text.failed);
	return buf_take(&text);
}

static const struct {
	const char *before, *unit;
	size_t times;
	const char *after;
	int status;
	const char *says;
} hostile[] = {
	{ "{\"TrainingJobName\":\"", "x", 1500000, "\"}", 3, "larger than SageMaker takes" },
	{ "", "[", 100000, "", 3, "nested deeper than 64" },
	{ "{\"ResourceConfig\":{\"InstancePreferences\":[{}", ",{}", 20000, "]}}", 3,
	  "has 20001 entries" },
	{ "{\"TrainingJobName\":\"a\",\"Tags\":[1", ",1", 300000, "]}", 3, "more than 262144" },
	{ "{\"TrainingJobName\":\"a\",\"", "k", 400000, "\":1}", 3,
	  "with a long name is no member" },
	{ "{\"TrainingJobName\":\"", "\\u001b[2J", 9, "\"}", 3, "name-invalid" },
	{ "{\"TrainingJobName\":\"\\u0000", "", 0, "\"}", 3, "U+0000" },
	{ "{\"RoleArn\":\"", "a", 900000, "\",\"TrainingJobName\":\"a\"}", 3,
	  "has 900000 characters" },
	{ "{\"ExperimentConfig\":{\"TrialName\":\"", "a-", 50000, "!\"},\"TrainingJobName\":\"a\"}",
	  3, "ExperimentConfig.TrialName" },
};

/* Nothing of theirs reaches the terminal, and nothing takes long or fills the screen for ever. */
static void hostile__requests__are_told_in_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(hostile); i++) {
		char path[32];
		char *text = repeated(hostile[i].before, hostile[i].unit, hostile[i].times,
				      hostile[i].after);
		struct process_result result;
		write_file(path, text);
		CHECK(&result, "", path);
		unlink(path);
		free(text);
		gpuq_want_text(result.out, hostile[i].says);
		want_not(result.out, "\033");
		assert_int_equal(result.status, hostile[i].status);
		assert_true(strlen(result.out) < TEXT_MAX / 8);
		process_release(&result);
	}
}

/* 25.251 an hour, and as much in the hour that it may run. */
static void limits__of_the_config__are_refusals_of_submit_alone(void **state)
{
	static const char *const limits[] = { "max_per_hour = 25\n", "max_worst_case = 25.25\n",
					      "max_per_hour = 2600O\n" };
	static const char *const names[] = { "max_per_hour", "max_worst_case",
					     "while max_per_hour cannot be read: config line 1" };
	struct process_result result;
	const struct region *region = *state;
	long before = region_calls(region, "CreateTrainingJob");
	char path[32];
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		write_file(path, limits[i]);
		SUBMIT(&result, region, REQUEST(LIST), "--yes", "--config", path);
		assert_int_equal(result.status, 3);
		gpuq_want_text(result.err, "cost-above");
		gpuq_want_text(result.err, names[i]);
		process_release(&result);
		const char *const argv[] = { region_program("gpuq"),
					     "check",
					     "-",
					     "-r",
					     "us-east-1",
					     "--config",
					     path,
					     NULL };
		process_run(&result, argv, gpuq_env, REQUEST(LIST));
		assert_int_equal(result.status, 0);
		gpuq_want_text(result.out, "warning cost-above: ");
		process_release(&result);
		unlink(path);
	}
	assert_int_equal(region_calls(region, "CreateTrainingJob"), before);
	write_file(path, "max_per_hour = 26\nmax_worst_case = 25.26\n");
	SUBMIT(&result, region, REQUEST(LIST), "--yes", "--config", path, "--name", "cheap-1");
	assert_int_equal(result.status, 0);
	process_release(&result);
	unlink(path);
}

/* On a terminal, from a file; read by a shell so that standard input may come from elsewhere. */
static struct pty *on_terminal(const struct region *region, const char *words)
{
	struct buf script;
	buf_init(&script, TEXT_MAX);
	buf_addf(&script, "%s submit --endpoint-url %s %s; echo status $?", region_program("gpuq"),
		 region->url, words);
	const char *const argv[] = { "/bin/sh", "-c", buf_text(&script), NULL };
	const struct pty_options options = {
		.argv = argv, .env = gpuq_env, .columns = 100, .lines = 60
	};
	struct pty *pty = pty_start(&options);
	buf_release(&script);
	return pty;
}

static void shown(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON))
		fail_msg("not shown: %s\n%s", text, pty_text(pty));
}

static void question__shows_what_it_costs__and_takes_y_alone(void **state)
{
	const struct region *region = *state;
	long before = region_calls(region, "CreateTrainingJob");
	char path[32], words[64];
	write_file(path, REQUEST(LIST));
	(void)snprintf(words, sizeof(words), "%s --name ask-1", path);
	struct pty *pty = on_terminal(region, words);
	shown(pty, "ask-1: a training job in us-east-1");
	/* Estimates, or the region's own prices where a command before this one has read them. */
	shown(pty, "  #1 ml.g5.48xlarge x1, on demand: ");
	shown(pty, "$20.36 an hour");
	shown(pty, "$25.25 an hour. Worst case ");
	shown(pty, "$25.25 (#2 for 1h00m).");
	shown(pty, "No pending limit.");
	shown(pty, "ml.p4d.24xlarge x1: need 1, used ");
	shown(pty, "Send this to us-east-1? y sends, anything else is No:");
	pty_type(pty, "Y\n");
	shown(pty, "nothing was sent");
	shown(pty, "status 1");
	pty_stop(pty);
	assert_int_equal(region_calls(region, "CreateTrainingJob"), before);
	/* The request comes from standard input, the answer from the terminal. */
	(void)snprintf(words, sizeof(words), "- --name ask-2 <%s", path);
	pty = on_terminal(region, words);
	shown(pty, "anything else is No:");
	pty_type(pty, "y\n");
	shown(pty, "training-job/ask-2");
	shown(pty, "status 0");
	pty_stop(pty);
	unlink(path);
}

/* Above confirm_above (1000) y is not enough: 16 x 63.296 in an hour. */
static void name__is_typed__where_the_worst_case_is_high(void **state)
{
	const struct region *region = *state;
	char path[32];
	region_control(region, "quota",
		       "{\"instance_type\":\"ml.p5.48xlarge\",\"kind\":"
		       "\"training\",\"value\":100}");
	write_file(path, REQUEST(DEAR));
	struct pty *pty = on_terminal(region, path);
	shown(pty, "Type " NAME " and Enter to send it");
	pty_type(pty, "y\n");
	shown(pty, "status 1");
	pty_stop(pty);
	pty = on_terminal(region, path);
	shown(pty, "Type " NAME " and Enter to send it");
	pty_type(pty, NAME "\n");
	shown(pty, "training-job/" NAME);
	shown(pty, "status 0");
	pty_stop(pty);
	unlink(path);
}

/* The AWS CLI's own reading of the line: the job is there, with the values that a shell might have
 * eaten. Its model is older than the preference list, so one type it is. */
static void line__is_obeyed_by_the_aws_cli(void **state)
{
	static const char text[] =
		"{\"TrainingJobName\":\"by-cli\"," ROLE ALGORITHM OUTPUT
		"\"HyperParameters\":{\"a\":\"it's $HOME `x` \\\"q\\\" "
		"\\\\\",\"b\":\"caf\xC3\xA9\"},"
		"\"ResourceConfig\":{\"VolumeSizeInGB\":50,\"InstanceType\":\"ml.g5.xlarge\","
		"\"InstanceCount\":1}," RUNS "}";
	const struct region *region = *state;
	const struct cli_place place = { .region = "us-east-1", .endpoint_url = region->url };
	struct request request = { .kind = JOB_TRAINING, .text = mem_copy_text(text) };
	const char *env[] = { "PATH=/usr/bin:/bin", gpuq_env[0], gpuq_env[1], "LC_ALL=C.UTF-8",
			      NULL };
	struct process_result result;
	struct region_state truth;
	struct buf line;
	if (access("/usr/bin/aws", X_OK) != 0) {
		print_message("skipped: no /usr/bin/aws\n");
		request_release(&request);
		return;
	}
	buf_init(&line, TEXT_MAX);
	cli_line_add(&line, &request, &place, false);
	const char *const argv[] = { "/bin/sh", "-c", buf_text(&line), NULL };
	process_run(&result, argv, env, NULL);
	if (result.status != 0)
		fail_msg("%s\n%s", buf_text(&line), result.err);
	gpuq_want_text(result.out, "training-job/by-cli");
	region_state(region, &truth);
	size_t job = region_state_job(&truth, "by-cli");
	assert_int_not_equal(job, JSON_NONE);
	size_t values = json_doc_member(&truth.doc, json_doc_member(&truth.doc, job, "request"),
					"HyperParameters");
	assert_string_equal(region_text(&truth, values, "a"), "it's $HOME `x` \"q\" \\");
	assert_string_equal(region_text(&truth, values, "b"), "caf\xC3\xA9");
	region_state_release(&truth);
	process_release(&result);
	buf_release(&line);
	request_release(&request);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault__is_told_at_once__with_its_place),
		cmocka_unit_test(doubts__are_no_refusal),
		cmocka_unit_test(wrong_usage__is_2),
		cmocka_unit_test(other_documents__are_called_by_name),
		cmocka_unit_test(other_documents__have_every_fault_of_their_requests),
		cmocka_unit_test(files__of_the_cases_are_judged_and_left_alone),
		cmocka_unit_test(hostile__requests__are_told_in_words),
		cmocka_unit_test(check__makes_no_call__and_dry_run_neither),
		cmocka_unit_test(limits__of_the_config__are_refusals_of_submit_alone),
		cmocka_unit_test(question__shows_what_it_costs__and_takes_y_alone),
		cmocka_unit_test(line__is_obeyed_by_the_aws_cli),
		cmocka_unit_test(name__is_typed__where_the_worst_case_is_high),
	};
	return cmocka_run_group_tests(tests, start, gpuq_stop_region);
}

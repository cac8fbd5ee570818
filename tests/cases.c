#include "tests/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tests/region.h"
#include "tests/shared.h"

#define WORDS_MAX 16
#define SOON_MS   20000
#define TEXT_MAX  (1u << 20)
#define COLUMNS   140
#define LINES     44

static size_t opened, held;

static char *read_file(const char *folder, const char *name)
{
	char path[256];
	size_t len;

	snprintf(path, sizeof(path), "cases/%s/%s", folder, name);
	return shared_read(path, &len);
}

bool case_open(struct a_case *one, const char *folder, const char *input)
{
	char *report = read_file(folder, "case.md");

	*one = (struct a_case){ .folder = folder };
	if (!report)
		return false;
	free(report);
	opened++;
	if (!input)
		return true;
	one->input = read_file(folder, input);
	if (!one->input)
		fail_msg("%s has no %s", folder, input);
	return true;
}

void case_held(struct a_case *one)
{
	free(one->input);
	held++;
}

char *case_line(const struct a_case *one, size_t i)
{
	const char *at = one->input;

	while (i-- > 0)
		at += strcspn(at, "\n") + 1;
	return mem_copy_bytes(at, strcspn(at, "\n"));
}

bool case_count(size_t all)
{
	printf("cases: %zu files run\n", held);
	return held == (opened > 0 ? all : 0);
}

/* --- the program as a command --- */

#define ENVIRONMENT \
	"AWS_ACCESS_KEY_ID=AKIDCASE", "AWS_SECRET_ACCESS_KEY=casesecret", "AWS_REGION=us-east-1"

void case_run(struct process_result *result, struct recorded *region, const char *input,
	      const char *const *words)
{
	const char *argv[WORDS_MAX + 1] = { region_program("gpuq"), "--endpoint-url",
					    recorded_url(region), "--pace", "0" };
	const char *env[] = { ENVIRONMENT, "LANG=C.UTF-8", "TZ=UTC", NULL };

	for (size_t i = 5; *words && i < WORDS_MAX; i++)
		argv[i] = *words++;
	process_run(result, argv, env, input);
}

static char *printed(struct recorded *region, const char *const *words)
{
	struct process_result result;

	case_run(&result, region, NULL, words);
	if (result.status != 0)
		fail_msg("%s: %d %s", words[0], result.status, result.err);

	char *out = mem_copy_text(result.out);

	process_release(&result);
	return out;
}

char *case_show(struct recorded *region, const char *name, const char *format)
{
	return printed(region, (const char *const[]){ "show", name, "-o", format, NULL });
}

char *case_jobs(struct recorded *region, const char *format, const char *status)
{
	return printed(region, (const char *const[]){ "jobs", "-o", format,
						      status ? "--status" : NULL, status, NULL });
}

static void parse(struct json_doc *doc, const char *json)
{
	struct err err = { 0 };

	if (!json_doc_parse(doc, json, strlen(json), &err))
		fail_msg("not JSON: %s\n%.500s", err_text(&err), json);
}

void case_want(const char *json, const char *path, const char *expected)
{
	struct json_doc doc;
	struct buf value;

	parse(&doc, json);

	size_t node = json_doc_path(&doc, path);

	if (node == JSON_NONE)
		fail_msg("no %s in %.2000s", path, json);
	buf_init(&value, TEXT_MAX);
	if (!json_doc_string(&doc, node, &value))
		buf_add(&value, json + doc.nodes[node].start,
			doc.nodes[node].end - doc.nodes[node].start);
	if (strcmp(buf_text(&value), expected) != 0)
		fail_msg("%s is %s, not %s", path, buf_text(&value), expected);
	buf_release(&value);
	json_doc_release(&doc);
}

void case_want_range(const char *json, const char *path, int64_t least, int64_t most)
{
	struct json_doc doc;
	int64_t value = 0;

	parse(&doc, json);
	if (!json_doc_integer(&doc, json_doc_path(&doc, path), &value))
		fail_msg("%s is no number in %.2000s", path, json);
	if (value < least || value > most)
		fail_msg("%s is %lld", path, (long long)value);
	json_doc_release(&doc);
}

void case_want_text(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

void case_want_no_text(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" in:\n%s", part, text);
}

/* --- the program on a screen --- */

struct pty *case_watch_at(struct recorded *region, const char *pace)
{
	const char *argv[] = { region_program("gpuq"),
			       "--endpoint-url",
			       recorded_url(region),
			       "--refresh",
			       "1",
			       "--pace",
			       pace,
			       NULL };
	const char *env[] = { ENVIRONMENT, NULL };

	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
}

struct pty *case_watch(struct recorded *region)
{
	return case_watch_at(region, "5");
}

/* The whole screen: fail_msg would cut it. */
static void tell(struct pty *pty, const char *what, const char *text)
{
	fprintf(stderr, "\"%s\" %s:\n%s\n", text, what, pty_text(pty));
	fail();
}

void case_want_shown(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		tell(pty, "never came", text);
}

void case_want_gone(struct pty *pty, const char *text)
{
	if (!pty_wait_no_text(pty, text, SOON_MS))
		tell(pty, "never went", text);
}

void case_leave(struct pty *pty)
{
	int status = 0;

	pty_type(pty, "\x07Q"); /* out of a dialog, and out */
	if (!pty_wait_exit(pty, SOON_MS, &status))
		tell(pty, "never ended it", "Q");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(pty);
}

/* --- descriptions --- */

char *case_job(const char *name, const char *status, const char *secondary, const char *more)
{
	static const char instances[] =
		",\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1,"
		"\"VolumeSizeInGB\":50}";
	struct buf out;

	buf_init(&out, TEXT_MAX);
	buf_addf(&out,
		 "{\"TrainingJobName\":\"%s\",\"TrainingJobArn\":\"arn:aws:sagemaker:us-east-1:"
		 "111122223333:training-job/%s\",\"TrainingJobStatus\":\"%s\","
		 "\"SecondaryStatus\":\"%s\",\"CreationTime\":\"2026-11-30T12:00:00Z\","
		 "\"LastModifiedTime\":\"2026-11-30T12:00:00Z\","
		 "\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":"
		 "\"File\"},\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		 "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
		 "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}%s%s}",
		 name, name, status, secondary, strstr(more, "\"ResourceConfig\"") ? "" : instances,
		 more);
	return buf_take(&out);
}

char *case_member(const char *name, const char *text)
{
	struct buf out;

	buf_init(&out, TEXT_MAX);
	buf_addf(&out, ",\"%s\":", name);
	text_add_json(&out, text);
	return buf_take(&out);
}

static char *processing_job(const char *name, const char *more)
{
	struct buf out;

	buf_init(&out, TEXT_MAX);
	buf_addf(&out,
		 "{\"ProcessingJobName\":\"%s\",\"ProcessingJobArn\":\"arn:aws:sagemaker:us-east-1:"
		 "111122223333:processing-job/%s\",\"ProcessingJobStatus\":\"Failed\","
		 "\"CreationTime\":\"2026-11-30T12:00:00Z\",\"LastModifiedTime\":"
		 "\"2026-11-30T12:30:00Z\",\"ProcessingEndTime\":\"2026-11-30T12:30:00Z\","
		 "\"ProcessingResources\":{\"ClusterConfig\":{\"InstanceType\":\"ml.g5.2xlarge\","
		 "\"InstanceCount\":1,\"VolumeSizeInGB\":50}}%s}",
		 name, name, more);
	return buf_take(&out);
}

void case_put_failed(struct recorded *region, enum job_kind kind, const char *name,
		     const char *reason)
{
	char *member = case_member("FailureReason", reason);
	char *job = kind == JOB_TRAINING ? case_job(name, "Failed", "Failed", member)
					 : processing_job(name, member);

	recorded_put(region, kind, job);
	free(job);
	free(member);
}

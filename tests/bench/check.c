/*
 * What a check of a large request costs: it runs at each key of the editor, of which the median is
 * promised in 16 ms with the picture. The bound is processor time, the best of several runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/quota.h"
#include "model/request.h"

#define TEXT_MAX 65536
#define RUNS     20
#define EACH     20
#define BOUND_MS 1.0

static void add_members(struct buf *out, const char *name, size_t count, const char *value)
{
	buf_addf(out, ",\"%s\":{", name);
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s\"A_NAME_OF_A_USUAL_LENGTH_%zu\":\"%s%zu\"", i ? "," : "", i,
			 value, i);
	buf_add_char(out, '}');
}

/* About 20 KB, with a list of five that says something of each entry. */
static void write_request(struct buf *out)
{
	buf_add_text(out, "{\"TrainingJobName\":\"llm-ft-0930\",\"RoleArn\":"
			  "\"arn:aws:iam::111122223333:role/R\",\"AlgorithmSpecification\":{"
			  "\"TrainingImage\":\"1.dkr/pytorch-training:2.1.0-gpu-py310\","
			  "\"TrainingInputMode\":\"File\"},\"OutputDataConfig\":{\"S3OutputPath\":"
			  "\"s3://b/p\"},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60},"
			  "\"ResourceConfig\":{\"InstanceCount\":2,\"InstancePreferences\":["
			  "{\"InstanceType\":\"ml.p5.48xlarge\"},"
			  "{\"InstanceType\":\"ml.p5.48xlarg\"},"
			  "{\"InstanceType\":\"ml.p4de.24xlarge\"},"
			  "{\"InstanceType\":\"ml.g5.48xlarge\"},"
			  "{\"InstanceType\":\"ml.trn1.32xlarge\"}]},\"Tags\":[");
	for (size_t i = 0; i < 50; i++)
		buf_addf(out, "%s{\"Key\":\"key-%zu\",\"Value\":\"value %zu\"}", i ? "," : "", i,
			 i);
	buf_add_char(out, ']');
	add_members(out, "HyperParameters", 100, "a value of a usual length ");
	add_members(
		out, "Environment", 90,
		"/opt/ml/input/data/a-value-that-is-a-bit-longer/and-then/some-more-of-it/number-");
	buf_add_char(out, '}');
}

static double spent_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void check__of_a_large_request__takes_less_than_a_millisecond(void **state)
{
	const struct check_known known = { .region = "us-east-1",
					   .max_per_hour = { true, 1 },
					   .note_unchecked = true };
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct err err = { 0 };
	struct buf text;
	double best = 1e9;
	(void)state;
	buf_init(&text, TEXT_MAX);
	write_request(&text);
	size_t length = text.len;
	struct request request = { .kind = JOB_TRAINING, .text = buf_take(&text) };
	for (int run = 0; run < RUNS; run++) {
		double start = spent_ms();
		for (int i = 0; i < EACH; i++)
			assert_true(request_check(&request, &known, findings, &err));
		double each = (spent_ms() - start) / EACH;
		best = each < best ? each : best;
	}
	printf("check of %zu bytes, %zu findings: %.2f ms\n", length, findings->count, best);
	assert_true(best < BOUND_MS);
	request_release(&request);
	free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check__of_a_large_request__takes_less_than_a_millisecond),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the name of an image says of the types that it can run on, and texts nobody filled in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/request.h"

/* The first message of a rule, or "". */
static void first_of(const char *text, const char *rule, char out[320])
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { .text = mem_copy_text(text) };
	struct err err = { 0 };
	out[0] = '\0';
	assert_true(request_check(&request, NULL, findings, &err));
	for (size_t i = 0; i < findings->count && !out[0]; i++)
		if (strcmp(findings->items[i].rule, rule) == 0)
			memcpy(out, findings->items[i].message, 320);
	request_release(&request);
	free(findings);
}

static void assert_image(const char *image, const char *type, const char *lacks)
{
	char said[320], expected[320] = "";
	struct buf text;
	buf_init(&text, 8192);
	buf_add_text(&text, "{\"AlgorithmSpecification\":{\"TrainingImage\":");
	text_add_json(&text, image);
	buf_addf(&text, "},\"ResourceConfig\":{\"InstanceType\":\"%s\",\"InstanceCount\":1}}",
		 type);
	first_of(buf_text(&text), "image-mismatch", said);
	if (lacks[0])
		(void)snprintf(expected, sizeof(expected), "The image's name says %s.", lacks);
	assert_string_equal(said, expected);
	buf_release(&text);
}

static void image__is_compared__by_the_whole_words_of_its_name(void **state)
{
	(void)state;
	assert_image("r/train:gpu", "ml.trn1.2xlarge", "gpu and ml.trn1.2xlarge has no NVIDIA GPU");
	assert_image("r/train:gpu", "ml.m5.large", "gpu and ml.m5.large has no NVIDIA GPU");
	assert_image("r/train:gpu", "ml.g5.xlarge", "");
	assert_image("r/TRAIN-CPU:1", "ml.g5.xlarge",
		     "cpu and ml.g5.xlarge has accelerators that it would leave idle");
	assert_image("r/cpu", "ml.m5.large", "");
	assert_image("r/neuron:1", "ml.p4d.24xlarge",
		     "neuron and ml.p4d.24xlarge is neither Trainium nor Inferentia");
	assert_image("r/x-neuronx:1", "ml.trn1.2xlarge", "");
	assert_image("r/x:arm64", "ml.m5.large", "arm64 and ml.m5.large has an x86-64 host");
	assert_image("r/x:amd64", "ml.m6g.large", "amd64 and ml.m6g.large has an arm64 host");
	assert_image("r/x:amd64", "ml.m5.large", "");
	/* Parts of words, the registry's host, the digest. */
	assert_image("r/gpux-mygpu-cpus:1", "ml.m5.large", "");
	assert_image("r/xgpu-gpu", "ml.m5.large", "gpu and ml.m5.large has no NVIDIA GPU");
	assert_image("gpu.example/train:1", "ml.m5.large", "");
	assert_image("r/train@sha256:gpu", "ml.m5.large", "");
	/* Both: for either. */
	assert_image("r/cpu-gpu", "ml.m5.large", "");
	assert_image("r/cpu-gpu", "ml.g5.xlarge", "");
	assert_image("r/cpu-gpu-arm64", "ml.m5.large", "arm64 and ml.m5.large has an x86-64 host");
	assert_image("r/gpu", "ml.unknown.type", "");
}

/* The longest that SageMaker takes, and one more. */
static void image__of_any_length__is_read_within_its_bounds(void **state)
{
	char image[600];
	(void)state;
	for (size_t length = 250; length < 260; length++) {
		memset(image, 'a', length);
		memcpy(image, "gpu-", 4);
		image[length] = '\0';
		assert_image(image, "ml.m5.large",
			     length <= 255 ? "gpu and ml.m5.large has no NVIDIA GPU" : "");
	}
}

static void placeholder__is_told__by_its_form(void **state)
{
	static const struct {
		const char *value, *what;
	} rows[] = {
		{ "", "is an empty string" },
		{ "<role>", "holds a placeholder in <...>" },
		{ "a<<b>", "holds a placeholder in <...>" },
		{ "arn:<account id>:x", "holds a placeholder in <...>" },
		{ "1 < 2 > 0", "" },
		{ "<>", "" },
		{ "<1>", "" },
		{ "<a", "" },
		{ "<a b >", "" },
		{ "(?P<loss>.*)", "" },
		{ "(?<loss>.*)", "" },
		{ "P<loss>", "holds a placeholder in <...>" },
		{ "YOUR_BUCKET", "holds a placeholder YOUR_..." },
		{ "your_bucket", "" },
		{ "s3://${BUCKET}/x", "holds a variable ${...} that nobody filled in" },
		{ "${BUCKET", "" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char said[320], expected[320] = "";
		struct buf text;
		buf_init(&text, 1024);
		buf_add_text(&text, "{\"HyperParameters\":{\"x\":");
		text_add_json(&text, rows[i].value);
		buf_add_text(&text, "}}");
		first_of(buf_text(&text), "placeholder", said);
		if (rows[i].what[0])
			(void)snprintf(expected, sizeof(expected), "HyperParameters.x %s.",
				       rows[i].what);
		assert_string_equal(said, expected);
		buf_release(&text);
	}
	/* An empty key of KMS is what Describe replies where there is none. */
	char said[320];
	first_of("{\"OutputDataConfig\":{\"KmsKeyId\":\"\"}}", "placeholder", said);
	assert_string_equal(said, "");
	first_of("{\"Tags\":[{\"Key\":\"a\"},{\"Key\":\"\"}]}", "placeholder", said);
	assert_string_equal(said, "Tags[1].Key is an empty string.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(image__is_compared__by_the_whole_words_of_its_name),
		cmocka_unit_test(image__of_any_length__is_read_within_its_bounds),
		cmocka_unit_test(placeholder__is_told__by_its_form),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

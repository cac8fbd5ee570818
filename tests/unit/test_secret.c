#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/secret.h"

static void name__is_one_of_a_secret__by_a_word_in_it(void **state)
{
	static const char *const secret[] = { "WANDB_API_KEY", "hf_token", "db-password",
					      "ClientSecret", "AWS_CREDENTIALS" };
	static const char *const plain[] = { "", "epochs", "learning_rate", "NCCL_DEBUG",
					     "region" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		assert_true(secret_is_name(secret[i]));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(secret_is_name(plain[i]));
}

static void token__is_told_by_its_form__where_a_word_begins(void **state)
{
	static const char *const secret[] = {
		"AKIAIOSFODNN7EXAMPLE",
		"ghp_0123456789abcdefghijABCDEFGHIJ012345",
		"--token hf_abcdefghijklmnop",
		"key=sk-proj-0123456789",
		"xoxb-123456789012-abc",
		"-----BEGIN RSA PRIVATE KEY-----\nMII",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIi",
	};
	static const char *const plain[] = {
		"",          "task-0123456789",  "half_abcdefghijk",  "sk-learn", "hf_",
		"s3://b/k/", "reg:squarederror", "the-xox-of-a-word", "AKIA",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		assert_true(secret_is_token(secret[i]));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(secret_is_token(plain[i]));
}

static void blob__is_long_and_unbroken__unlike_paths_and_names(void **state)
{
	static const char *const secret[] = {
		"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY0",
		"0123456789abcdef0123456789abcdef",
		"QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4OTA=",
	};
	static const char *const plain[] = {
		"0123456789abcdef0123456789abcde", /* 31 characters */
		"s3://amzn-s3-demo-bucket/training-output/2026/",
		"/opt/ml/input/data/Training0/Part1Of9",
		"my-long-data-set-name-for-training-2026",
		"a sentence with 3 words and More than that",
		"111122223333.dkr.ecr.us-east-1.amazonaws.com/Image1",
		"abcdefghijklmnopqrstuvwxyzabcdefghijklm",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secret); i++)
		assert_true(secret_is_blob(secret[i]));
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		assert_false(secret_is_blob(plain[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(name__is_one_of_a_secret__by_a_word_in_it),
		cmocka_unit_test(token__is_told_by_its_form__where_a_word_begins),
		cmocka_unit_test(blob__is_long_and_unbroken__unlike_paths_and_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

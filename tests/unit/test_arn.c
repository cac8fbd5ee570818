/* What the names of AWS say about who and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/arn.h"

#define ARN_OF(rest) "arn:aws:sagemaker:us-east-1:111122223333:" rest

static void account__is_the_fifth_field__of_twelve_digits(void **state)
{
	static const struct {
		const char *arn, *account;
	} cases[] = {
		{ ARN_OF("training-job/a"), "111122223333" },
		{ "arn:aws-cn:iam::444455556666:root", "444455556666" },
		{ "arn:aws:sagemaker:us-east-1:11112222333:training-job/a", "" },
		{ "arn:aws:sagemaker:us-east-1:111122223333", "" },
		{ "arn:aws:sagemaker", "" },
		{ "111122223333", "" },
		{ NULL, "" },
	};
	char account[ACCOUNT_SIZE];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool found = arn_account(cases[i].arn, account);
		assert_string_equal(account, cases[i].account);
		assert_int_equal(found, cases[i].account[0] != '\0');
	}
}

static void principal__is_the_role_or_the_user__in_a_word(void **state)
{
	static const struct {
		const char *arn, *word;
	} cases[] = {
		{ "arn:aws:sts::111122223333:assumed-role/train-admin/me@example.com",
		  "train-admin" },
		{ "arn:aws:sts::111122223333:assumed-role/runner/i-0123456789abcdef0", "runner" },
		{ "arn:aws-us-gov:sts::111122223333:assumed-role/ops", "ops" },
		{ "arn:aws:sts::111122223333:assumed-role/"
		  "AWSReservedSSO_Data_Scientist_0123456789abcdef/me",
		  "Data_Scientist" },
		/* A role that only looks like one of Identity Center. */
		{ "arn:aws:sts::111122223333:assumed-role/AWSReservedSSO_x_0123456789abcdeg/me",
		  "AWSReservedSSO_x_0123456789abcdeg" },
		{ "arn:aws:sts::111122223333:assumed-role/AWSReservedSSO_0123456789abcdef/me",
		  "AWSReservedSSO_0123456789abcdef" },
		{ "arn:aws:iam::111122223333:user/me", "me" },
		{ "arn:aws:iam::111122223333:user/division/sub/me", "me" },
		{ "arn:aws:sts::111122223333:federated-user/bob", "bob" },
		{ "arn:aws:iam::111122223333:root", "root" },
		{ "arn:aws:iam::111122223333:something", "" },
		{ "arn:aws:iam::111122223333:user/", "" },
		{ "arn:aws:iam::111122223333:", "" },
		{ "arn:aws:iam", "" },
		{ "", "" },
		{ NULL, "" },
	};
	char word[PRINCIPAL_SIZE];
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		arn_principal(cases[i].arn, word);
		assert_string_equal(word, cases[i].word);
	}
}

static void principal__is_cut__where_no_role_could_be_so_long(void **state)
{
	static const char prefix[] = "arn:aws:sts::111122223333:assumed-role/";
	char arn[256], word[PRINCIPAL_SIZE];
	(void)state;
	memset(arn, 'r', sizeof(arn));
	memcpy(arn, prefix, sizeof(prefix) - 1);
	arn[sizeof(arn) - 1] = '\0';
	arn_principal(arn, word);
	assert_int_equal(strlen(word), PRINCIPAL_SIZE - 1);
	assert_int_equal(strspn(word, "r"), PRINCIPAL_SIZE - 1);
}

static void place__is_all__but_the_resource(void **state)
{
	(void)state;
	assert_true(arn_same_place(ARN_OF("training-job/a"), ARN_OF("processing-job/bbb")));
	assert_false(arn_same_place(ARN_OF("training-job/a"),
				    "arn:aws:sagemaker:us-east-2:111122223333:training-job/a"));
	assert_false(arn_same_place(ARN_OF("training-job/a"),
				    "arn:aws:sagemaker:us-east-1:444455556666:training-job/a"));
	assert_false(arn_same_place(ARN_OF("training-job/a"),
				    "arn:aws-cn:sagemaker:us-east-1:111122223333:training-job/a"));
	assert_false(arn_same_place(ARN_OF("training-job/a"), NULL));
	assert_false(arn_same_place("a", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(account__is_the_fifth_field__of_twelve_digits),
		cmocka_unit_test(principal__is_the_role_or_the_user__in_a_word),
		cmocka_unit_test(principal__is_cut__where_no_role_could_be_so_long),
		cmocka_unit_test(place__is_all__but_the_resource),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

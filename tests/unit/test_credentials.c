#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "aws/credentials.h"

/* Both pairs were published by those who found the form. */
static void access_key__tells_its_account__where_it_is_new_enough(void **state)
{
	static const struct {
		const char *key, *account;
	} known[] = {
		{ "ASIAQNZGKIQY56JQ7WML", "029608264753" },
		{ "ASIAY34FZKBOKMUTVV7A", "609629065308" },
		/* What lies behind the number does not change it. */
		{ "AKIAY34FZKBOAAAAAAAA", "609629065308" },
		{ "AKIAAAAAAAAAAAAAAAAA", "000000000000" },
	};
	static const char *const unknown[] = {
		"",
		"AKIDSIM",
		"AKIAIOSFODNN7EXAMPLE",
		"AKIAJOSFODNN7EXAMPLE",
		"ASIAQNZGKIQY56JQ7WM",
		"ASIAQNZGKIQY56JQ7WMLA",
		"asiaqnzgkiqy56jq7wml",
		"ASIAQNZGKIQY56JQ7WM1",
		"AKIA777777777777AAAA",
	};
	char account[ACCOUNT_ID_SIZE];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		assert_true(credentials_key_account(known[i].key, account));
		assert_string_equal(account, known[i].account);
	}
	for (size_t i = 0; i < ARRAY_LEN(unknown); i++)
		assert_false(credentials_key_account(unknown[i], account));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(access_key__tells_its_account__where_it_is_new_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

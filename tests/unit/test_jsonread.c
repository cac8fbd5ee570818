/* Members of a file that are taken, and the one that is named where something is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/jsonread.h"

static const char file[] =
	"{\"text\": \"caf\\u00e9\", \"none\": null, \"empty\": \"\", \"yes\": true,"
	"\"no\": false, \"word\": \"second\", \"whole\": 42, \"part\": 4.5,"
	"\"list\": [], \"zero\": 0}";
#define MEMBERS 10

struct open_file {
	struct json_doc doc;
	struct err err;
	struct jsonread reader;
};

static int start(void **state)
{
	struct open_file *open = calloc(1, sizeof(*open));
	assert_non_null(open);
	open->reader = (struct jsonread){ &open->doc, &open->err };
	assert_true(json_doc_parse(&open->doc, file, strlen(file), &open->err));
	*state = open;
	return 0;
}

static int stop(void **state)
{
	struct open_file *open = *state;
	err_clear(&open->err);
	json_doc_release(&open->doc);
	free(open);
	return 0;
}

/* Nothing was wrong; or this member was, and is forgotten. */
static void want_fault(struct open_file *open, const char *name)
{
	if (name) {
		assert_int_equal(open->err.code, ERR_PARSE);
		assert_ptr_equal(strstr(err_text(&open->err), name), err_text(&open->err));
		assert_non_null(strstr(err_text(&open->err), " is missing or is not what"));
	} else {
		assert_int_equal(open->err.code, ERR_NONE);
	}
	err_clear(&open->err);
}

static void texts__are_whole__and_null_only_where_it_may_be(void **state)
{
	struct open_file *open = *state;
	const struct jsonread *reader = &open->reader;
	char *value, field[6];
	assert_true(jsonread_text(reader, 0, "text", false, 5, &value));
	assert_string_equal(value, "caf\xC3\xA9"); /* five bytes */
	free(value);
	assert_false(jsonread_text(reader, 0, "text", false, 4, &value));
	assert_null(value);
	want_fault(open, "text ");
	assert_true(jsonread_text(reader, 0, "none", true, 5, &value));
	assert_null(value);
	want_fault(open, NULL);
	assert_false(jsonread_text(reader, 0, "none", false, 5, &value));
	want_fault(open, "none ");
	assert_false(jsonread_text(reader, 0, "empty", true, 5, &value));
	want_fault(open, "empty ");
	assert_false(jsonread_text(reader, 0, "absent", true, 5, &value));
	want_fault(open, "absent ");
	assert_false(jsonread_text(reader, 0, "whole", true, 5, &value));
	want_fault(open, "whole ");
	assert_true(jsonread_field(reader, 0, "text", false, field, sizeof(field)));
	assert_string_equal(field, "caf\xC3\xA9");
	assert_false(jsonread_field(reader, 0, "text", false, field, sizeof(field) - 1));
	assert_string_equal(field, "");
	want_fault(open, "text ");
}

static void words_numbers_and_flags__are_those_that_are_asked_for(void **state)
{
	static const char *const words[] = { "first", NULL, "second" };
	struct open_file *open = *state;
	const struct jsonread *reader = &open->reader;
	int64_t number;
	size_t word;
	bool set, flag;
	assert_true(jsonread_word(reader, 0, "word", words, ARRAY_LEN(words), &word));
	assert_int_equal(word, 2);
	assert_false(jsonread_word(reader, 0, "word", words, 2, &word));
	want_fault(open, "word ");
	assert_true(jsonread_number(reader, 0, "whole", &set, 42, 42, &number));
	assert_true(set && number == 42);
	assert_true(jsonread_number(reader, 0, "zero", NULL, 0, 0, &number));
	assert_false(jsonread_number(reader, 0, "whole", &set, 43, 99, &number));
	assert_true(!set && number == 0);
	want_fault(open, "whole ");
	assert_true(jsonread_number(reader, 0, "none", &set, 0, 1, &number));
	assert_true(!set && number == 0);
	assert_false(jsonread_number(reader, 0, "none", NULL, 0, 1, &number));
	want_fault(open, "none ");
	assert_false(jsonread_number(reader, 0, "part", &set, 0, 9, &number));
	want_fault(open, "part ");
	assert_true(jsonread_flag(reader, 0, "yes", &flag) && flag);
	assert_true(jsonread_flag(reader, 0, "no", &flag) && !flag);
	assert_false(jsonread_flag(reader, 0, "none", &flag));
	want_fault(open, "none ");
}

static void object__has_so_many_members__and_the_first_fault_stays(void **state)
{
	struct open_file *open = *state;
	const struct jsonread *reader = &open->reader;
	assert_true(jsonread_object(reader, 0, MEMBERS, "the file"));
	assert_true(jsonread_is(reader, json_doc_member(&open->doc, 0, "list"), JSON_ARRAY));
	assert_false(jsonread_is(reader, JSON_NONE, JSON_NULL));
	assert_false(jsonread_object(reader, 0, MEMBERS - 1, "the file"));
	assert_false(jsonread_spoilt(reader, "another"));
	want_fault(open, "the file ");
	assert_false(jsonread_object(reader, JSON_NONE, 0, "nothing"));
	want_fault(open, "nothing ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(texts__are_whole__and_null_only_where_it_may_be),
		TEST(words_numbers_and_flags__are_those_that_are_asked_for),
		TEST(object__has_so_many_members__and_the_first_fault_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

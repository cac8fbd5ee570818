#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/shapes.h"
#include "tests/anytext.h"

#define MODEL_SIZE (1u << 20)

/* Their limits have rules of their own; the table leaves them out. */
static const char *const without_limits[] = {
	"TrainingJobName",
	"ProcessingJobName",
	"InstancePreferenceList",
	"ProcessingInstancePreferenceList",
	"InstancePreferenceTrainingPlanArns",
	"MaxPendingTimeInSeconds",
	"TrainingInstanceCount",
	"ProcessingInstanceCount",
	"InstancePreferenceInstanceCount",
	"SelectedInstanceCount",
};

struct comparison {
	const struct json_doc *doc;
	size_t shapes; /* node of "shapes" */
	size_t compared;
};

static bool has_limits(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(without_limits); i++) {
		if (strcmp(without_limits[i], name) == 0)
			return false;
	}
	return true;
}

static void assert_text(const struct json_doc *doc, size_t node, const char *expected)
{
	struct buf text;
	buf_init(&text, MODEL_SIZE);
	assert_true(json_doc_string(doc, node, &text));
	assert_string_equal(buf_text(&text), expected);
	buf_release(&text);
}

static void compare_type(const struct comparison *all, size_t node, const struct shape *shape)
{
	static const char *const words[] = {
		[SHAPE_STRUCTURE] = "structure",
		[SHAPE_LIST] = "list",
		[SHAPE_MAP] = "map",
		[SHAPE_STRING] = "string",
		[SHAPE_INTEGER] = "integer",
		[SHAPE_BOOLEAN] = "boolean",
	};
	struct buf text;
	buf_init(&text, 100);
	assert_true(json_doc_string(all->doc, json_doc_member(all->doc, node, "type"), &text));
	if (strcmp(buf_text(&text), "long") != 0)
		assert_string_equal(buf_text(&text), words[shape->type]);
	else
		assert_int_equal(shape->type, SHAPE_INTEGER);
	buf_release(&text);
}

static bool is_typed(const struct comparison *all, size_t node, const char *word)
{
	struct buf text;
	buf_init(&text, 100);
	assert_true(json_doc_string(all->doc, json_doc_member(all->doc, node, "type"), &text));
	bool same = strcmp(buf_text(&text), word) == 0;
	buf_release(&text);
	return same;
}

static void compare_limits(const struct comparison *all, size_t node, const struct shape *shape)
{
	int64_t value;
	if (!has_limits(shape->name)) {
		assert_false(shape->has_min || shape->has_max || shape->pattern);
		return;
	}
	bool has_min = json_doc_integer(all->doc, json_doc_member(all->doc, node, "min"), &value);
	/* Every text, list and map has 0 or more. */
	if (has_min && (value > 0 || shape->type == SHAPE_INTEGER)) {
		assert_true(shape->has_min);
		assert_int_equal(shape->min, value);
	} else {
		assert_false(shape->has_min);
	}
	bool has_max = json_doc_integer(all->doc, json_doc_member(all->doc, node, "max"), &value);
	/* An integer of the model has 32 bits, a long 64. */
	bool is_int = is_typed(all, node, "integer");
	assert_int_equal(shape->has_max, has_max || is_int);
	if (shape->has_max)
		assert_int_equal(shape->max, has_max ? value : INT32_MAX);
	if (shape->pattern)
		assert_int_not_equal(json_doc_member(all->doc, node, "pattern"), JSON_NONE);
}

static bool is_listed(const struct json_doc *doc, size_t list, const char *word)
{
	bool found = false;
	struct buf text;
	buf_init(&text, MODEL_SIZE);
	for (size_t node = json_doc_child(doc, list); node != JSON_NONE && !found;
	     node = json_doc_next(doc, node)) {
		buf_clear(&text);
		assert_true(json_doc_string(doc, node, &text));
		found = strcmp(buf_text(&text), word) == 0;
	}
	buf_release(&text);
	return found;
}

/* The words of an enumeration; those of instance types have rules of their own. */
static void compare_words(const struct comparison *all, size_t node, const struct shape *shape)
{
	size_t words = json_doc_member(all->doc, node, "enum");
	if (strstr(shape->name, "InstanceType"))
		words = JSON_NONE;
	assert_int_equal(json_doc_length(all->doc, words), shape->word_count);
	for (size_t i = 0; i < shape->word_count; i++)
		assert_true(is_listed(all->doc, words, shape->words[i]));
}

static void compare_shape(struct comparison *all, const struct shape *shape);

static void compare_members(struct comparison *all, size_t node, const struct shape *shape)
{
	size_t members = json_doc_member(all->doc, node, "members");
	size_t required = json_doc_member(all->doc, node, "required");
	assert_int_equal(json_doc_length(all->doc, members), shape->member_count);
	for (size_t i = 0; i < shape->member_count; i++) {
		const struct shape_member *member = &shape->members[i];
		size_t found = json_doc_member(all->doc, members, member->name);
		assert_int_not_equal(found, JSON_NONE);
		assert_text(all->doc, json_doc_member(all->doc, found, "shape"),
			    member->shape->name);
		assert_int_equal(member->required, is_listed(all->doc, required, member->name));
		compare_shape(all, member->shape);
	}
}

static void compare_shape(struct comparison *all, const struct shape *shape)
{
	size_t node = json_doc_member(all->doc, all->shapes, shape->name);
	assert_int_not_equal(node, JSON_NONE);
	compare_type(all, node, shape);
	compare_limits(all, node, shape);
	compare_words(all, node, shape);
	all->compared++;
	if (shape->type == SHAPE_STRUCTURE)
		compare_members(all, node, shape);
	if (shape->item)
		compare_shape(all, shape->item);
	if (shape->key)
		compare_shape(all, shape->key);
}

static void table__equals_the_service_model__for_both_requests(void **state)
{
	char *text = mem_new(MODEL_SIZE, 1);
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	(void)state;
	if (anytext_shared("data/sagemaker-model.json", text, MODEL_SIZE)) {
		assert_true(json_doc_parse(&doc, text, strlen(text), &err));
		struct comparison all = { .doc = &doc,
					  .shapes = json_doc_member(&doc, 0, "shapes") };
		compare_shape(&all, shape_of_request(JOB_TRAINING));
		compare_shape(&all, shape_of_request(JOB_PROCESSING));
		assert_true(all.compared > 180);
	}
	json_doc_release(&doc);
	free(text);
}

static void find_member__is_exact__when_names_are_near(void **state)
{
	const struct shape *training = shape_of_request(JOB_TRAINING);
	(void)state;
	assert_true(shape_find_member(training, "TrainingJobName")->required);
	assert_false(shape_find_member(training, "ResourceConfig")->required);
	assert_null(shape_find_member(training, "trainingJobName"));
	assert_null(shape_find_member(training, "TrainingJobNam"));
	assert_null(shape_find_member(training, ""));
	assert_null(shape_find_member(training, "ProcessingJobName"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table__equals_the_service_model__for_both_requests),
		cmocka_unit_test(find_member__is_exact__when_names_are_near),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

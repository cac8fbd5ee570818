#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "model/catalog.h"
#include "tests/shared.h"

/* The columns of data/instances.tsv. */
enum {
	TYPE,
	TRAINING,
	PROCESSING,
	ENDPOINT,
	FAMILY,
	ACCELERATORS,
	ACCELERATOR,
	MEMORY_EACH,
	ARCH,
	CUDA,
	VCPUS,
	MEMORY_GIB,
	NETWORK,
	EFA,
	NVME,
	COLUMNS_READ
};

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

/* "3.75" GiB in MiB; every figure is a whole number of them. */
static unsigned mebibytes(const char *gib)
{
	return (unsigned)(strtod(gib, NULL) * 1024);
}

static void find__gives_the_hardware__when_the_type_is_known(void **state)
{
	(void)state;
	const struct instance_type *type = catalog_find("ml.p4d.24xlarge");
	assert_non_null(type);
	assert_string_equal(type->family, "p4d");
	assert_true(type->training);
	assert_false(type->processing);
	assert_int_equal(type->accelerators, 8);
	assert_string_equal(type->accelerator, "A100");
	assert_int_equal(type->memory_gib_each, 40);
	assert_string_equal(type->arch, "ampere");
	assert_int_equal(type->vcpus, 96);
	assert_int_equal(type->memory_mib, 1179648); /* 1,152 GiB */
	assert_true(type->efa);
	assert_int_equal(type->local_nvme_gb, 8000);
	type = catalog_find("ml.c4.large");
	assert_non_null(type);
	assert_int_equal(type->memory_mib, 3840); /* 3.75 GiB */
	assert_int_equal(type->accelerators, 0);
	assert_string_equal(type->accelerator, "");
	assert_string_equal(type->arch, "none");
}

static void find__gives_nothing__when_the_type_is_unknown(void **state)
{
	static const char *const names[] = {
		"", "ml.", "p4d.24xlarge", "ML.P4D.24XLARGE", "zz", "ml.p4d.24xlargee"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_null(catalog_find(names[i]));
}

static void allows__goes_by_the_kind__when_the_type_is_known(void **state)
{
	(void)state;
	assert_true(catalog_allows("ml.p5.48xlarge", JOB_TRAINING));
	assert_false(catalog_allows("ml.p5.48xlarge", JOB_PROCESSING));
	assert_true(catalog_allows("ml.p5.4xlarge", JOB_PROCESSING));
	assert_false(catalog_allows("ml.c4.large", JOB_TRAINING)); /* endpoints only */
	assert_false(catalog_allows("ml.x9.large", JOB_TRAINING));
}

static void accelerated__goes_by_the_family_letter__as_the_pending_rules_do(void **state)
{
	(void)state;
	assert_true(catalog_is_accelerated("ml.p5.48xlarge"));
	assert_true(catalog_is_accelerated("ml.g5.xlarge"));
	assert_true(catalog_is_accelerated("ml.trn1.2xlarge"));
	assert_true(catalog_is_accelerated("ml.p99.unheard"));
	assert_false(catalog_is_accelerated("ml.m5.xlarge"));
	assert_false(catalog_is_accelerated("ml.inf2.xlarge"));
	assert_false(catalog_is_accelerated("p5.48xlarge"));
	assert_false(catalog_is_accelerated(""));
}

static void near__puts_the_likeliest_first__when_mistyped(void **state)
{
	static const struct {
		const char *typed, *first;
	} rows[] = {
		{ "ml.p4d.24xlage", "ml.p4d.24xlarge" },
		{ "p4d.24xlarge", "ml.p4d.24xlarge" },
		{ "ml.p5.48xlarge", "ml.p5.48xlarge" },
		{ "ml.g5.12xlarg", "ml.g5.12xlarge" },
		{ "ml.trn1.32xlrage", "ml.trn1.32xlarge" },
		{ "ml-p4d-24xlarge", "ml.p4d.24xlarge" },
	};
	const char *names[3];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t count = catalog_near(rows[i].typed, names, 3);
		assert_in_range(count, 1, 3);
		assert_string_equal(names[0], rows[i].first);
	}
	assert_int_equal(catalog_near("ml.p4d.24xlage", names, 1), 1);
	assert_int_equal(catalog_near("ml.p4d.24xlage", names, 0), 0);
	assert_int_equal(catalog_near("completely-different", names, 3), 0);
}

/* Distance 1, then 2; equal ones in catalog order. */
static void near__keeps_the_catalog_order__when_equally_near(void **state)
{
	static const char *const expected[] = { "ml.g5.12xlarge", "ml.g7.12xlarge",
						"ml.g6.12xlarge", "ml.g5.2xlarge",
						"ml.g5.16xlarge", "ml.m5.12xlarge",
						"ml.r5.12xlarge" };
	const char *names[7];

	(void)state;
	for (size_t max = 1; max <= ARRAY_LEN(names); max++) {
		assert_int_equal(catalog_near("ml.g5.12xlarg", names, max), max);
		for (size_t i = 0; i < max; i++)
			assert_string_equal(names[i], expected[i]);
	}
	/* The first row and its neighbour are all within the limit. */
	assert_int_equal(catalog_near("ml.p6-b200.48xlarg", names, 7), 2);
	assert_string_equal(names[0], "ml.p6-b200.48xlarge");
	assert_string_equal(names[1], "ml.p6-b300.48xlarge");
}

static void near__stays_within_its_array__when_many_are_near_or_the_name_is_huge(void **state)
{
	const char *names[64];
	char huge[2000];

	(void)state;
	assert_in_range(catalog_near("ml.c5.xlarge", names, 64), 2, 16);
	memset(huge, 'a', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	assert_int_equal(catalog_near(huge, names, 64), 0);
}

/* Families with accelerators first; in a family, larger sizes after smaller ones. */
static void all__is_in_catalog_order__when_walked(void **state)
{
	size_t count;
	const struct instance_type *rows = catalog_all(&count);

	(void)state;
	assert_int_equal(count, 323);
	for (size_t i = 0; i < count; i++) {
		assert_ptr_equal(catalog_find(rows[i].name), &rows[i]);
		if (i == 0)
			continue;
		const struct instance_type *before = &rows[i - 1];
		assert_true(before->accelerators > 0 || rows[i].accelerators == 0);
		if (strcmp(before->family, rows[i].family) == 0)
			assert_true(before->accelerators < rows[i].accelerators ||
				    (before->accelerators == rows[i].accelerators &&
				     before->vcpus <= rows[i].vcpus));
	}
}

/* Listed by hand: Graviton of generations 2 to 4, and Grace. */
static void hosts__are_arm64__in_these_families_alone(void **state)
{
	static const char *const families[] = { "c6g",  "c6gd", "c6gn",     "c7g", "c8g",
						"m6g",  "m6gd", "m8g",      "r6g", "r6gd",
						"r7gd", "r8g",  "p6e-gb200" };
	size_t count, arm = 0;
	const struct instance_type *rows = catalog_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		bool listed = false;
		for (size_t at = 0; at < ARRAY_LEN(families); at++)
			listed = listed || strcmp(families[at], rows[i].family) == 0;
		if (rows[i].arm != listed)
			fail_msg("%s", rows[i].name);
		arm += rows[i].arm;
	}
	assert_int_equal(arm, 95);
}

static void check_row(const char *const *fields)
{
	const struct instance_type *type = catalog_find(fields[TYPE]);
	assert_non_null(type);
	assert_int_equal(type->training, strcmp(fields[TRAINING], "yes") == 0);
	assert_int_equal(type->processing, strcmp(fields[PROCESSING], "yes") == 0);
	assert_string_equal(type->family, fields[FAMILY]);
	assert_int_equal(type->accelerators, number(fields[ACCELERATORS]));
	assert_int_equal(type->vendor != NULL, type->accelerators > 0);
	if (type->vendor)
		assert_ptr_equal(strstr(fields[ACCELERATOR], type->vendor), fields[ACCELERATOR]);
	/* The name is shortened: its words are part of the full one. */
	assert_non_null(strstr(fields[ACCELERATOR], type->accelerator));
	assert_int_equal(type->accelerator[0] != '\0', type->accelerators > 0);
	assert_int_equal(type->memory_gib_each, number(fields[MEMORY_EACH]));
	assert_int_equal(strcasecmp(type->arch, fields[ARCH]), 0);
	assert_int_equal(type->endpoint, strcmp(fields[ENDPOINT], "yes") == 0);
	assert_string_equal(type->cuda ? type->cuda : "", fields[CUDA]);
	assert_int_equal(type->network_mbps,
			 (unsigned)(strtod(fields[NETWORK], NULL) * 1000 + 0.5));
	assert_int_equal(type->vcpus, number(fields[VCPUS]));
	assert_int_equal(type->memory_mib, mebibytes(fields[MEMORY_GIB]));
	assert_int_equal(type->efa, strcmp(fields[EFA], "yes") == 0);
	assert_int_equal(type->local_nvme_gb, number(fields[NVME]));
}

static void table__says_what_the_facts_say__row_by_row(void **state)
{
	FILE *file = shared_open("data/instances.tsv");
	const char *fields[COLUMNS_READ];
	char line[2000];
	size_t rows = 0, count;

	(void)state;
	if (!file)
		return;
	assert_int_equal(shared_row(file, line, sizeof(line), fields, COLUMNS_READ), COLUMNS_READ);
	assert_string_equal(fields[NVME], "local_nvme_gb");
	while (shared_row(file, line, sizeof(line), fields, COLUMNS_READ) == COLUMNS_READ) {
		check_row(fields);
		rows++;
	}
	assert_int_equal(fclose(file), 0);
	(void)catalog_all(&count);
	assert_int_equal(rows, count);
}

/* How many types the three enums of the service have (@aws-sdk/client-sagemaker 3.1142.0). */
static void table__has_as_many_types__as_the_enums(void **state)
{
	size_t count, training = 0, processing = 0, endpoint = 0;
	const struct instance_type *rows = catalog_all(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		training += rows[i].training;
		processing += rows[i].processing;
		endpoint += rows[i].endpoint;
		assert_true(rows[i].training || rows[i].processing || rows[i].endpoint);
	}
	assert_int_equal(training, 192);
	assert_int_equal(processing, 174);
	assert_int_equal(endpoint, 277);
}

enum which { IN_TRAINING, IN_PROCESSING, IN_ENDPOINT };

static size_t compare_enum(const struct json_doc *doc, const char *shape, enum which which)
{
	char path[96];
	struct buf name;
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "shapes.%s.enum", shape);
	size_t words = json_doc_path(doc, path);
	assert_true(words != JSON_NONE);
	buf_init(&name, TYPE_NAME_SIZE);
	for (size_t at = json_doc_child(doc, words); at != JSON_NONE; at = json_doc_next(doc, at)) {
		buf_clear(&name);
		assert_true(json_doc_string(doc, at, &name));
		const struct instance_type *type = catalog_find(buf_text(&name));
		if (!type || !(which == IN_TRAINING     ? type->training
			       : which == IN_PROCESSING ? type->processing
							: type->endpoint))
			fail_msg("%s of %s is not in the table", buf_text(&name), shape);
		count++;
	}
	buf_release(&name);
	return count;
}

/* Every type that the service model names, and by the counts above no other. */
static void table__covers_the_enums__of_the_service_model(void **state)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	size_t len;
	char *text = shared_read("data/sagemaker-model.json", &len);

	(void)state;
	if (!text)
		return;
	assert_true(json_doc_parse(&doc, text, len, &err));
	assert_int_equal(compare_enum(&doc, "TrainingInstanceType", IN_TRAINING), 192);
	assert_int_equal(compare_enum(&doc, "ProcessingInstanceType", IN_PROCESSING), 174);
	assert_int_equal(compare_enum(&doc, "ProductionVariantInstanceType", IN_ENDPOINT), 277);
	json_doc_release(&doc);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find__gives_the_hardware__when_the_type_is_known),
		cmocka_unit_test(find__gives_nothing__when_the_type_is_unknown),
		cmocka_unit_test(allows__goes_by_the_kind__when_the_type_is_known),
		cmocka_unit_test(accelerated__goes_by_the_family_letter__as_the_pending_rules_do),
		cmocka_unit_test(near__puts_the_likeliest_first__when_mistyped),
		cmocka_unit_test(near__keeps_the_catalog_order__when_equally_near),
		cmocka_unit_test(
			near__stays_within_its_array__when_many_are_near_or_the_name_is_huge),
		cmocka_unit_test(all__is_in_catalog_order__when_walked),
		cmocka_unit_test(hosts__are_arm64__in_these_families_alone),
		cmocka_unit_test(table__says_what_the_facts_say__row_by_row),
		cmocka_unit_test(table__has_as_many_types__as_the_enums),
		cmocka_unit_test(table__covers_the_enums__of_the_service_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

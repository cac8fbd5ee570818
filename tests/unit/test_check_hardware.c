/* Entries whose hardware differs from the first one's: figures of data/instances.tsv. */
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
#include "model/check.h"

/* The findings of a list, a line each: "rule: message". */
static void assert_said(const char *list, const char *expected)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	struct buf said;
	buf_init(&said, 8192);
	assert_true(prefs_parse(&prefs, list, 0, &err));
	prefs.is_list = true;
	const struct check_input input = { .kind = JOB_TRAINING, .prefs = &prefs };
	check_preferences(&input, findings);
	for (size_t i = 0; i < findings->count; i++)
		buf_addf(&said, "%s: %s\n", findings->items[i].rule, findings->items[i].message);
	assert_string_equal(buf_text(&said), expected);
	buf_release(&said);
	free(findings);
}

static void same_hardware__is_not_spoken_of(void **state)
{
	(void)state;
	assert_said("ml.p5e.48xlarge:2,ml.p5en.48xlarge:2", "");
	assert_said("ml.m5.large:1,ml.m5.xlarge:3", "");
}

static void every_difference__is_named_with_its_figures(void **state)
{
	(void)state;
	assert_said("ml.p5.48xlarge:2,ml.g5.2xlarge:4",
		    "gpu-memory-drop: #2: 24 GiB a GPU (A10G) against 80 GiB for #1 (H100).\n"
		    "architecture-change: #2: another generation, ampere, than #1 (hopper).\n"
		    "efa-missing: #2: no EFA where #1 has it: several instances talk far slower.\n"
		    "compute-change: #2: 4 accelerators in all against 16 of #1.\n"
		    "local-storage-drop: #2: 450 GB of local NVMe against 30400 GB of #1.\n");
	/* Another chip: its generation is not spoken of. */
	assert_said("ml.p4d.24xlarge:1,ml.trn1.32xlarge:1",
		    "gpu-memory-drop: #2: 32 GiB an accelerator (Trainium) against 40 GiB for #1 "
		    "(A100).\n"
		    "accelerator-change: #2: AWS Trainium where #1 has NVIDIA A100: other software "
		    "runs on it.\n"
		    "compute-change: #2: 16 accelerators in all against 8 of #1.\n"
		    "local-storage-drop: #2: 7600 GB of local NVMe against 8000 GB of #1.\n");
	/* Grace and Blackwell: the host alone is another. */
	assert_said("ml.p6e-gb200.36xlarge:2,ml.p6-b300.48xlarge:1",
		    "architecture-change: #2: an x86-64 host where #1 is arm64.\n");
}

static void more_than_the_first_has__is_no_doubt(void **state)
{
	(void)state;
	assert_said("ml.g6.4xlarge:1,ml.g6e.8xlarge:1", "");
	assert_said("ml.g6.4xlarge:4,ml.g6.8xlarge:4", "");
}

static void cpu__is_a_fallback__behind_any_accelerated_entry(void **state)
{
	(void)state;
	assert_said("ml.m5.large:1,ml.g5.xlarge:1,ml.c5.xlarge:1",
		    "cpu-fallback: #3: ml.c5.xlarge has no accelerator and stands behind an entry "
		    "that has.\n"
		    "compute-change: #2: 1 accelerator in all against 0 of #1.\n");
}

static void what_is_not_known__gives_no_finding(void **state)
{
	(void)state;
	/* No such type, first or behind; the counts are missing. */
	assert_said("nothing-of-the-kind:1,ml.g5.xlarge:4",
		    "unknown-type: #1: no type nothing-of-the-kind is known.\n");
	assert_said("ml.g5.8xlarge,ml.g5.12xlarge",
		    "count-missing: No InstanceCount is given, neither beside the list nor on its "
		    "entries.\n");
}

static void equal_compute__is_offered__where_there_is_a_whole_number(void **state)
{
	static const struct {
		const char *list;
		enum fix_kind fix;
		const char *value;
	} rows[] = {
		{ "ml.p5.48xlarge:2,ml.p5.4xlarge:2", FIX_SET_COUNT, "16" },
		{ "ml.g5.8xlarge:8,ml.g5.12xlarge:8", FIX_SET_COUNT, "2" },
		{ "ml.g5.8xlarge:6,ml.g5.12xlarge:6", FIX_REMOVE_ENTRY, "" },
	};
	struct findings *findings = mem_new(1, sizeof(*findings));
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct preferences prefs = { 0 };
		struct err err = { 0 };
		assert_true(prefs_parse(&prefs, rows[i].list, 0, &err));
		const struct check_input input = { .kind = JOB_TRAINING, .prefs = &prefs };
		const struct finding *found = NULL;
		check_preferences(&input, findings);
		for (size_t at = 0; at < findings->count; at++)
			if (strcmp(findings->items[at].rule, "compute-change") == 0)
				found = &findings->items[at];
		if (!found)
			fail_msg("%s", rows[i].list);
		else {
			assert_int_equal(found->fix, rows[i].fix);
			assert_string_equal(found->fix_value, rows[i].value);
		}
	}
	free(findings);
}

/* A count for one entry of a shared one: each entry keeps its number but that one. */
static void count__of_one_entry__leaves_the_others(void **state)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	struct finding finding = { .fix = FIX_SET_COUNT, .entry = 1, .fix_value = "3" };
	(void)state;
	assert_true(prefs_parse(&prefs, "ml.g5.8xlarge,ml.g5.12xlarge", 8, &err));
	assert_true(finding_apply(&finding, &prefs));
	assert_false(prefs.has_shared_count);
	assert_int_equal(prefs.entries[0].count, 8);
	assert_int_equal(prefs.entries[1].count, 3);
	prefs.is_list = false; /* one type without a list has its count beside it */
	prefs.length = 1;
	prefs.entries[0].has_count = false;
	prefs.has_shared_count = true;
	finding.entry = 0;
	assert_true(finding_apply(&finding, &prefs));
	assert_true(prefs.has_shared_count);
	assert_int_equal(prefs.shared_count, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_hardware__is_not_spoken_of),
		cmocka_unit_test(every_difference__is_named_with_its_figures),
		cmocka_unit_test(more_than_the_first_has__is_no_doubt),
		cmocka_unit_test(cpu__is_a_fallback__behind_any_accelerated_entry),
		cmocka_unit_test(what_is_not_known__gives_no_finding),
		cmocka_unit_test(equal_compute__is_offered__where_there_is_a_whole_number),
		cmocka_unit_test(count__of_one_entry__leaves_the_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

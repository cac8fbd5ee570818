/* The editor on the whole screen, at the sizes that people have, with something to be said of the
 * list: compared with golden screens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/homescreen.h"
#include "tests/jobs.h"

#define READ_MS INT64_C(1796047200000) /* 2026-11-30T14:00:00Z, by date -u */

/* What fakeui's job says of itself, with the list of case 033. */
static const char request[] =
	"{\"TrainingJobName\":\"launch-detr-033\",\"TrainingJobArn\":\"arn\","
	"\"AlgorithmSpecification\":{\"TrainingImage\":"
	"\"111122223333.dkr.ecr.us-east-1.amazonaws.com/detr:1\",\"TrainingInputMode\":\"File\"},"
	"\"RoleArn\":\"arn:aws:iam::111122223333:role/gpu\","
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
	"\"ResourceConfig\":{\"InstanceCount\":1,\"VolumeSizeInGB\":100,\"InstancePreferences\":["
	"{\"InstanceType\":\"ml.g6e.8xlarge\"},{\"InstanceType\":\"ml.g6.8xlarge\"},"
	"{\"InstanceType\":\"ml.g5.8xlarge\"},{\"InstanceType\":\"ml.g5.12xlarge\"},"
	"{\"InstanceType\":\"ml.g6.4xlarge\"}]},"
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":86400,\"MaxPendingTimeInSeconds\":43200}}";

/* Case 033: a list of five for one accelerator each, and a fourth entry with four. */
static void add_odd_list(struct sample *sample)
{
	static const char *const types[] = { "ml.g6e.8xlarge", "ml.g6.8xlarge", "ml.g5.8xlarge",
					     "ml.g5.12xlarge", "ml.g6.4xlarge" };
	struct job job = described_job("launch-detr-033", READ_MS, "InProgress", "Pending");
	char arn[256];

	sample_arn(JOB_TRAINING, job.name, arn);
	mem_set_text(&job.arn, arn);
	*job_edit_prefs(&job) = (struct preferences){ .is_list = true,
						      .has_shared_count = true,
						      .shared_count = 1 };
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		add_entry(&job, types[i], 1);
		job_edit_prefs(&job)->entries[i].has_count = false;
	}
	mem_set_text(&job.request_json, request);
	job.max_runtime = at(INT64_C(86400000));
	job.max_pending = at(INT64_C(43200000));
	add_stretch(&job, "Pending", READ_MS / 1000, -1);
	job.described_mono_ms = sample->mono_ms - 2000;
	store_take_described(&sample->store, &job);
	job_release(&job);
}

/* The limits of two types: one is enough, one is not. */
static void add_quotas(struct sample *sample)
{
	static const struct {
		const char *type;
		int64_t limit;
	} rows[] = { { "ml.p5.48xlarge", 1 }, { "ml.p4d.24xlarge", 16 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		store_note_quota_asked(&sample->store, rows[i].type, QUOTA_TRAINING);
		store_take_quota(&sample->store, rows[i].type, QUOTA_TRAINING, rows[i].limit, true,
				 READ_MS, sample->mono_ms);
	}
}

static void prepare(struct sample *sample)
{
	add_odd_list(sample);
	add_quotas(sample);
}

static void open_editor(struct homescreen *home, int columns, int lines, const char *job)
{
	homescreen_start(home, columns, lines, prepare);
	homescreen_go_to(home, job);
	homescreen_keys(home, "P");
}

static void check_golden(const char *name, int columns, int lines, const char *job,
			 const char *keys)
{
	struct homescreen home;

	open_editor(&home, columns, lines, job);
	homescreen_keys(&home, keys);
	homescreen_golden(&home, name);
	homescreen_stop(&home);
}

static void editor__shows_entries_and_findings__at_every_size(void **state)
{
	/* #2 becomes what #1 is, and the cursor goes to what is found. */
	static const char twice[] = "j Enter m l . g 6 e . 8 x l a r g e Enter v";

	(void)state;
	check_golden("editor-80x24", 80, 24, "launch-detr-033", twice);
	check_golden("editor-120x36", 120, 36, "launch-detr-033", twice);
	check_golden("editor-160x48", 160, 48, "launch-detr-033", twice);
	check_golden("editor-80x24-full", 80, 24, "llm-ft-0930", "P v");
	check_golden("editor-80x24-picker", 80, 24, "llm-ft-0930", "j Enter");
	check_golden("editor-40x16-picker", 40, 16, "llm-ft-0930", "j Enter p 5");
	check_golden("editor-80x24-033", 80, 24, "launch-detr-033", "P v");
}

/* What an entry has in all, per entry; the odd one is named; what it costs is a range. */
static void odd_entry__is_seen__by_its_accelerators_and_a_finding(void **state)
{
	struct homescreen home;

	(void)state;
	open_editor(&home, 120, 40, "launch-detr-033");
	assert_true(homescreen_shows(&home, "4×A10G 24G"));
	assert_true(homescreen_shows(&home, "1×L40S 48G"));
	homescreen_keys(&home, "P");
	assert_true(homescreen_shows(&home, "#4: 4 accelerators in all against 1 of #1"));
	homescreen_stop(&home);
}

static void quota__stands_beside_its_entry__need_use_and_limit(void **state)
{
	struct homescreen home;

	(void)state;
	open_editor(&home, 160, 48, "llm-ft-0930");
	/* Two of one are asked for; four of sixteen. vision-detr-1130 runs on p4d. */
	assert_true(homescreen_shows(&home, "! needs 2, 0 of 1 in use"));
	assert_true(homescreen_shows(&home, "  needs 4, 1 of 16 in use"));
	homescreen_stop(&home);
	open_editor(&home, 80, 24, "llm-ft-0930");
	assert_true(homescreen_shows(&home, "! 2+0 of 1"));
	assert_true(homescreen_shows(&home, "quota: needs + in use of limit"));
	assert_string_equal(homescreen_line(&home, 23),
			    " ? help  J down  K up  Enter type  i insert  D remove  + count  X "
			    "submit  u undo");
	homescreen_keys(&home, "v j k"); /* to the finding of its quota; what v said goes */
	assert_string_equal(homescreen_line(&home, 23),
			    " ? help  Enter fix  D remove  R raise  k entries  u undo  v check  f "
			    "filter");
	homescreen_keys(&home, "w");
	assert_true(homescreen_shows(&home, "note, why this order"));
	for (const char *at = "because"; *at; at++)
		homescreen_keys(&home, (char[]){ *at, '\0' });
	homescreen_keys(&home, "Enter"); /* takes the room of the long one */
	assert_true(homescreen_shows(&home, "need+used of limit"));
	homescreen_stop(&home);
}

static void cost__says_what_the_draft_would__once_there_is_one(void **state)
{
	struct homescreen home;

	(void)state;
	open_editor(&home, 120, 40, "llm-ft-0930");
	assert_false(homescreen_shows(&home, "draft*    "));
	homescreen_keys(&home, "j D");
	assert_true(homescreen_shows(&home, "│draft*    "));
	homescreen_keys(&home, "u");
	assert_false(homescreen_shows(&home, "│draft*    "));
	homescreen_stop(&home);
}

/* Home and the editor as they look where colours or box drawing are others: issue 8. */
static void looks__are_those_of_the_goldens__in_each_theme_and_size(void **state)
{
	static const struct {
		const char *name;
		bool ascii, with_looks;
		enum theme theme;
	} kinds[] = { { "light", false, true, THEME_LIGHT },
		      { "mono", false, true, THEME_MONO },
		      { "ascii", true, false, THEME_DARK } };
	static const int sizes[][2] = { { 80, 24 }, { 160, 48 }, { 40, 12 } };
	static const struct {
		const char *name, *keys;
	} screens[] = { { "home", "" }, { "editor", "P J" } };
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t s = 0; s < ARRAY_LEN(sizes); s++)
			for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
				const struct offscreen_options terminal = {
					.columns = sizes[s][0],
					.lines = sizes[s][1],
					.ascii = kinds[k].ascii,
					.theme = kinds[k].theme,
					.no_color = kinds[k].theme == THEME_MONO,
				};
				struct homescreen home;
				char name[64];
				homescreen_start_on(&home, &terminal, NULL);
				homescreen_go_to(&home, "llm-ft-0930");
				homescreen_keys(&home, screens[i].keys);
				snprintf(name, sizeof(name), "%s-%dx%d-%s", screens[i].name,
					 sizes[s][0], sizes[s][1], kinds[k].name);
				if (kinds[k].with_looks)
					homescreen_golden_looks(&home, name);
				else
					homescreen_golden(&home, name);
				homescreen_stop(&home);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks__are_those_of_the_goldens__in_each_theme_and_size),
		cmocka_unit_test(editor__shows_entries_and_findings__at_every_size),
		cmocka_unit_test(odd_entry__is_seen__by_its_accelerators_and_a_finding),
		cmocka_unit_test(quota__stands_beside_its_entry__need_use_and_limit),
		cmocka_unit_test(cost__says_what_the_draft_would__once_there_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

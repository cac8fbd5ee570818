/* W: each view as a file, in the format of its name; over no other file without asking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "views/pane.h"

#define JOB      "llm-ft-0930"
#define TEXT_MAX (1u << 20)

/* What was asked of the disk last. */
static struct {
	unsigned writes;
	bool replace;
	char path[256], text[TEXT_MAX];
} disk;

static void take_file(void *host, const char *path, const char *text, size_t len, bool replace)
{
	(void)host;
	disk.writes++;
	disk.replace = replace;
	assert_true(snprintf(disk.path, sizeof(disk.path), "%s", path) > 0);
	assert_true(len < sizeof(disk.text));
	memcpy(disk.text, text, len);
	disk.text[len] = '\0';
}

static void catch_files(struct sample *sample)
{
	memset(&disk, 0, sizeof(disk));
	sample->env.drafts.write_file = take_file;
}

static void want(const char *text)
{
	if (!strstr(disk.text, text))
		fail_msg("'%s' is not in\n%.4000s", text, disk.text);
}

static void answer(struct homescreen *home, enum err_code code, const char *text)
{
	struct err err = { 0 };
	if (code != ERR_NONE)
		err_set(&err, code, "%s", text);
	screen_file_written(home->screen, "/home/op/out", code == ERR_NONE ? NULL : &err);
	err_clear(&err);
	homescreen_draw(home);
}

/* The offered name gives way to this one; the answer is that it was written. */
static void write_as(struct homescreen *home, const char *name)
{
	char key[2] = "";
	unsigned before = disk.writes;
	homescreen_keys(home, "W C-u");
	for (const char *at = name; *at; at++) {
		key[0] = *at;
		homescreen_keys(home, key);
	}
	homescreen_keys(home, "Enter");
	if (disk.writes == before)
		fail_msg("%s was not written", name);
	assert_string_equal(disk.path, name);
	answer(home, ERR_NONE, "");
	homescreen_want(home, "written: /home/op/out");
}

static void want_json(const char *members)
{
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	if (!json_doc_parse(&doc, disk.text, strlen(disk.text), &err))
		fail_msg("no JSON: %s\n%.2000s", err_text(&err), disk.text);
	json_doc_release(&doc);
	want(members);
}

/* As filtered, in the order of the list. */
static void jobs__are_those_in_sight__in_their_order(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	homescreen_keys(&home, "W");
	homescreen_want(&home, "write to: gpuq-jobs-20261130-1402.csv");
	homescreen_keys(&home, "Enter");
	assert_string_equal(disk.path, "gpuq-jobs-20261130-1402.csv");
	assert_false(disk.replace);
	assert_int_equal(strncmp(disk.text, "name,kind,arn,", 14), 0);
	size_t rows = 0;
	for (const char *at = disk.text; (at = strstr(at, "ing,arn:aws:")); at++)
		rows++;
	assert_int_equal(rows, home.sample.store.count);
	answer(&home, ERR_NONE, "");
	homescreen_want(&home, "written: /home/op/out");
	homescreen_keys(&home, "p");
	write_as(&home, "a.CSV");
	assert_null(strstr(disk.text, ",completed,"));
	const char *first = strstr(disk.text, "\n" JOB ",");
	want(",pending,");
	assert_non_null(first);
	write_as(&home, "a.json");
	want_json("\"phase\":\"pending\"");
	write_as(&home, "a.md");
	want("# gpuq: Jobs\n\n- account 111122223333, region us-east-1\n- at 2026-11-30T14:02:00Z");
	want("- shown: pending only");
	want("\n\n```text\nNAME ");
	assert_string_equal(disk.text + strlen(disk.text) - 5, "\n```\n");
	homescreen_stop(&home);
}

/* A cell that a spreadsheet would run, a fence that would end, a sequence for a terminal. */
static void texts_from_outside__are_harmless_in_each_format(void **state)
{
	struct homescreen home;
	struct job job = { 0 };
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	job_copy(&job, store_find_name(&home.sample.store, JOB));
	mem_set_text(&job.status_message, "=cmd|' /C calc'!A0 ```` \x1b]52;c;QQ==\x07");
	store_take_described(&home.sample.store, &job);
	write_as(&home, "a.csv");
	want(",'=cmd|' /C calc'!A0 ```` \xc2\xb7]52;c;QQ==\xc2\xb7,");
	write_as(&home, "a.md");
	want("\n`````text\n");
	write_as(&home, "a.txt");
	assert_null(strchr(disk.text, '\x1b'));
	homescreen_stop(&home);
}

static void each_view__has_its_texts_and_its_reports(void **state)
{
	static const struct {
		const char *keys, *name, *wanted;
	} rows[] = {
		{ "d", "a.md", "IDENTITY" },
		{ "d", "a.json", "\"name\":\"" JOB "\"" },
		{ "d", "a.csv", "name,kind,arn," },
		{ "y", "a.json", "\"TrainingJobName\"" },
		{ "t", "a.txt", "TIMELINE" },
		{ "x", "a.md", "EVIDENCE, THE DECIDING FACT FIRST" },
		{ "x", "a.json", "\"class\":\"capacity\"" },
		{ "%", "a.csv", "instance_type,kind,limit," },
		{ "%", "a.json", "\"limit\":" },
		{ "B", "a.json", "[]" },
		{ "B", "a.txt", "There is no training plan in us-east-1." },
		{ "$", "a.csv", "ml.p5.48xlarge" },
		{ "H", "a.json", "\"fallback_share\":" },
	};
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	struct job *job = (struct job *)store_find_name(&home.sample.store, JOB);
	mem_set_text(&job->request_json,
		     "{\"TrainingJobName\":\"" JOB "\",\"Environment\":{\"HF_TOKEN\":\"s3cr3t\"}}");
	store_note_loaded(&home.sample.store, SOURCE_PLANS, home.sample.mono_ms);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		homescreen_go_to(&home, JOB);
		homescreen_keys(&home, rows[i].keys);
		homescreen_learn(&home);
		write_as(&home, rows[i].name);
		if (strstr(rows[i].name, "json"))
			want_json(rows[i].wanted);
		else
			want(rows[i].wanted);
		assert_null(strstr(disk.text, "s3cr3t"));
		homescreen_keys(&home, "q g");
	}
	homescreen_stop(&home);
}

static void an_unknown_ending__is_asked_about_again(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	homescreen_keys(&home, "W C-u a . x l s Enter");
	homescreen_want(&home, "write to: a.xls");
	assert_int_equal(disk.writes, 0);
	homescreen_keys(&home, "Esc t W C-u a . c s v Enter");
	homescreen_want(&home, "write to: a.csv"); /* a timeline is no table */
	homescreen_keys(&home, "Esc");
	assert_int_equal(disk.writes, 0);
	homescreen_stop(&home);
}

static void a_file_that_is_there__is_replaced_after_a_yes(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	homescreen_keys(&home, "W Enter");
	answer(&home, ERR_CONFLICT, "exists already");
	homescreen_want(&home, "/home/op/out exists already.");
	homescreen_keys(&home, "y"); /* in the deaf time */
	assert_int_equal(disk.writes, 1);
	homescreen_pass(&home, 400);
	homescreen_keys(&home, "Enter");
	homescreen_want(&home, "not written: /home/op/out stays as it was");
	homescreen_keys(&home, "W Enter");
	answer(&home, ERR_CONFLICT, "exists already");
	homescreen_pass(&home, 400);
	homescreen_keys(&home, "y");
	assert_int_equal(disk.writes, 3);
	assert_true(disk.replace);
	assert_string_equal(disk.path, "/home/op/out");
	answer(&home, ERR_NONE, "");
	homescreen_want(&home, "written: /home/op/out");
	homescreen_stop(&home);
}

static void a_disk_that_refuses__is_told_with_the_path(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_files);
	homescreen_keys(&home, "W Enter");
	answer(&home, ERR_IO, "cannot be made: Permission denied");
	homescreen_want(&home, "not written: /home/op/out cannot be made: Permission denied. W");
	homescreen_keys(&home, "W Enter");
	assert_int_equal(disk.writes, 2);
	homescreen_stop(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs__are_those_in_sight__in_their_order),
		cmocka_unit_test(texts_from_outside__are_harmless_in_each_format),
		cmocka_unit_test(each_view__has_its_texts_and_its_reports),
		cmocka_unit_test(an_unknown_ending__is_asked_about_again),
		cmocka_unit_test(a_file_that_is_there__is_replaced_after_a_yes),
		cmocka_unit_test(a_disk_that_refuses__is_told_with_the_path),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

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
#include "tests/anytext.h"
#include "tests/prices.h"
#include "views/text/columns.h"
#include "views/text/report.h"
#include "views/text/report_parts.h"

#define OUT_MAX (1u << 20)
#define EIGHT   INT64_C(1796068800000) /* 2026-11-30T20:00:00Z */
#define MINUTE  INT64_C(60000)
#define HOUR    (60 * MINUTE)

#define MESSAGE "Insufficient capacity error from EC2 while launching instances, retrying!"

static struct opt_ms at(int64_t ms)
{
	return (struct opt_ms){ .set = true, .ms = ms };
}

static struct report_context context_of(enum report_format format)
{
	return (struct report_context){ .format = format,
					.region = "us-east-1",
					.prices = &virginia,
					.now_ms = EIGHT + 102 * MINUTE,
					.utc = true };
}

static struct preferences list_of(const char *text)
{
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	assert_true(prefs_parse(&prefs, text, 0, &err));
	return prefs;
}

/* Pending since 20:00, now 21:42, with a limit of 6 h and a day to run. */
static struct job pending_job(void)
{
	struct job job = { .kind = JOB_TRAINING, .described = true, .created = at(EIGHT) };
	memcpy(job.name, "llm-ft-0930", 12);
	mem_set_text(&job.arn, "arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft-0930");
	mem_set_text(&job.status, "InProgress");
	mem_set_text(&job.secondary_status, "Pending");
	mem_set_text(&job.status_message, MESSAGE);
	*job_edit_prefs(&job) = list_of("ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
	job.max_pending = at(6 * HOUR);
	job.max_runtime = at(24 * HOUR);
	job_add_transition(&job, "Pending", MESSAGE, at(EIGHT), (struct opt_ms){ 0 });
	job_settle_selection(&job);
	return job;
}

/* The same, started at 21:12 on its second choice, billed for 30 minutes since. */
static struct job running_job(void)
{
	struct job job = pending_job();
	mem_set_text(&job.secondary_status, "Training");
	mem_set_text(&job.status_message, "Training image download completed.");
	job.started = at(EIGHT + 72 * MINUTE);
	job.selected = (struct selected){ .set = true, .count = 4 };
	memcpy(job.selected.instance_type, "ml.p4d.24xlarge", 16);
	job.transitions[0].end_ms = EIGHT + 72 * MINUTE;
	job_add_transition(&job, "Training", NULL, at(EIGHT + 72 * MINUTE), (struct opt_ms){ 0 });
	job_settle_selection(&job);
	return job;
}

/* Known from a list only, and everything about it is hostile. */
static struct job hostile_job(void)
{
	struct job job = { .kind = JOB_PROCESSING,
			   .created = at(EIGHT),
			   .ended = at(EIGHT + HOUR) };
	memcpy(job.name, "=cmd()", 7);
	mem_set_text(&job.status, "Failed");
	mem_set_text(&job.failure_reason,
		     "+1 \"quoted\", then\nExit \x1b]0;x\x07 \xC2\x9B\xE2\x80\xAE 1");
	return job;
}

static void assert_jobs(enum report_format format, struct job *jobs, size_t count,
			const char *expected)
{
	const struct job *list[4];
	struct report_context context = context_of(format);
	struct buf out;
	buf_init(&out, OUT_MAX);
	for (size_t i = 0; i < count; i++)
		list[i] = &jobs[i];
	report_jobs(&out, &context, list, count);
	assert_string_equal(buf_text(&out), expected);
	buf_release(&out);
}

static void release_all(struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		job_release(&jobs[i]);
}

static void format__is_read_by_its_word__in_any_case(void **state)
{
	enum report_format format = REPORT_TABLE;
	(void)state;
	assert_true(report_format_parse("jsonl", &format) && format == REPORT_JSONL);
	assert_true(report_format_parse("JSON", &format) && format == REPORT_JSON);
	assert_true(report_format_parse("csv", &format) && format == REPORT_CSV);
	assert_true(report_format_parse("table", &format) && format == REPORT_TABLE);
	assert_false(report_format_parse("js", &format));
	assert_false(report_format_parse("", &format));
}

/* interface.md: the members and their order. Prices: 63.296 and 25.251 an hour each. */
#define PENDING_JSON                                                                              \
	"{\"name\":\"llm-ft-0930\",\"kind\":\"training\",\"arn\":\"arn:aws:sagemaker:us-east-1:"  \
	"111122223333:training-job/"                                                              \
	"llm-ft-0930\",\"region\":\"us-east-1\",\"status\":\"InProgress\","                       \
	"\"secondary_status\":\"Pending\",\"status_message\":\"" MESSAGE                          \
	"\",\"phase\":\"pending\",\"created_at\":\"2026-11-30T20:00:00Z\",\"started_at\":null,"   \
	"\"ended_at\":null,\"wait_seconds\":6120,\"wait_is_final\":false,"                        \
	"\"max_pending_seconds\":21600,\"pending_deadline_at\":\"2026-12-01T02:00:00Z\","         \
	"\"preferences\":[{\"rank\":1,\"instance_type\":\"ml.p5.48xlarge\",\"instance_count\":2," \
	"\"training_plan_arn\":null,\"per_hour\":126.592,\"currency\":\"USD\"},"                  \
	"{\"rank\":2,\"instance_type\":\"ml.p4d.24xlarge\",\"instance_count\":4,"                 \
	"\"training_plan_arn\":null,\"per_hour\":101.004,\"currency\":\"USD\"}],"                 \
	"\"selected\":null,\"cost\":{\"currency\":\"USD\",\"per_hour\":null,\"so_far\":0,"        \
	"\"likely\":null,\"worst_case\":3038.208,\"price_source\":\"table\","                     \
	"\"price_date\":\"2026-09-04\"},\"failure_reason\":null}"

static void json__is_as_promised__of_a_pending_job(void **state)
{
	struct job job = pending_job();
	(void)state;
	assert_jobs(REPORT_JSON, &job, 1, "[" PENDING_JSON "]\n");
	assert_jobs(REPORT_JSONL, &job, 1, PENDING_JSON "\n");
	assert_jobs(REPORT_JSON, NULL, 0, "[]\n");
	assert_jobs(REPORT_JSONL, NULL, 0, "");
	struct report_context context = context_of(REPORT_JSON);
	struct buf out;
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_string_equal(buf_text(&out), PENDING_JSON "\n");
	buf_release(&out);
	job_release(&job);
}

static void json__tells_selection_and_cost__of_a_running_job(void **state)
{
	struct job job = running_job();
	struct report_context context = context_of(REPORT_JSON);
	struct buf out;
	(void)state;
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out),
			       "\"phase\":\"running\",\"created_at\":\"2026-11-30T20:00:00Z\","
			       "\"started_at\":\"2026-11-30T21:12:00Z\",\"ended_at\":null,"
			       "\"wait_seconds\":4320,\"wait_is_final\":false,"));
	assert_non_null(strstr(buf_text(&out),
			       "\"selected\":{\"rank\":2,\"instance_type\":\"ml.p4d.24xlarge\","
			       "\"instance_count\":4},\"cost\":{\"currency\":\"USD\","
			       "\"per_hour\":101.004,\"so_far\":50.502,\"likely\":null,"
			       "\"worst_case\":2424.096,"));
	/* Six hours at that price, as it was certified; never less than it has cost. */
	struct check_certified certified = { .name = "big",
					     .stems = "llm-ft",
					     .instance_type = "ml.p4d.24xlarge",
					     .run = at(INT64_C(6) * 3600000) };
	const struct check_known known = { .certified = &certified, .certified_count = 1 };
	const struct outlook outlook = { 0 };
	const struct history history = { 0 };
	const struct likely_past past = { &outlook, &history, context.prices, &known };
	context.past = &past;
	buf_clear(&out);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\"likely\":606.024,"));
	certified.run.ms = 60000;
	buf_clear(&out);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\"likely\":50.502,"));
	/* A type that is not in the list has no rank. */
	job.selected.rank = 0;
	buf_clear(&out);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\"selected\":{\"rank\":null,"));
	buf_release(&out);
	job_release(&job);
}

static void json__says_null__for_what_is_not_known(void **state)
{
	struct job job = hostile_job();
	(void)state;
	assert_jobs(REPORT_JSON, &job, 1,
		    "[{\"name\":\"=cmd()\",\"kind\":\"processing\",\"arn\":null,"
		    "\"region\":\"us-east-1\",\"status\":\"Failed\",\"secondary_status\":null,"
		    "\"status_message\":null,\"phase\":\"failed\","
		    "\"created_at\":\"2026-11-30T20:00:00Z\",\"started_at\":null,"
		    "\"ended_at\":\"2026-11-30T21:00:00Z\",\"wait_seconds\":null,"
		    "\"wait_is_final\":null,\"max_pending_seconds\":null,"
		    "\"pending_deadline_at\":null,\"preferences\":null,\"selected\":null,"
		    "\"cost\":{\"currency\":null,\"per_hour\":null,\"so_far\":null,"
		    "\"likely\":null,\"worst_case\":null,\"price_source\":null,"
		    "\"price_date\":null},\"failure_reason\":\"+1 \\\"quoted\\\", then\\nExit "
		    "\\u001b]0;x\\u0007 \\u009b\\u202e 1\"}]\n");
	job_release(&job);
}

static void json__names_the_groups__of_a_heterogeneous_cluster(void **state)
{
	struct job job = running_job();
	struct report_context context = context_of(REPORT_JSON);
	struct buf out;
	(void)state;
	job_edit_prefs(&job)->is_list = false;
	job.has_groups = true;
	job.selected = (struct selected){ 0 };
	memcpy(job_edit_prefs(&job)->entries[0].group, "workers", 8);
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_non_null(
		strstr(buf_text(&out), "\"currency\":\"USD\",\"group\":\"workers\"},{\"rank\":2,"));
	assert_non_null(strstr(buf_text(&out), "\"selected\":null,"));
	buf_release(&out);
	job_release(&job);
}

static void amount__has_the_decimals_that_it_needs(void **state)
{
	static const struct {
		int64_t micro;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "0.000001" },
		{ 98320000, "98.32" },
		{ 1000000, "1" },
		{ -1500000, "-1.5" },
		{ 100010000, "100.01" },
		{ 1000001, "1.000001" },
		{ INT64_MIN, "-9223372036854.775808" },
		{ 1240000000000, "1240000" },
	};
	struct buf out;
	(void)state;
	buf_init(&out, 100);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&out);
		report_add_amount(&out, rows[i].micro);
		assert_string_equal(buf_text(&out), rows[i].text);
	}
	buf_release(&out);
}

static void csv__keeps_spreadsheets_from_running_text(void **state)
{
	struct job jobs[] = { running_job(), hostile_job() };
	(void)state;
	assert_jobs(
		REPORT_CSV, jobs, 2,
		"name,kind,arn,region,status,secondary_status,phase,created_at,started_at,"
		"ended_at,wait_seconds,wait_is_final,max_pending_seconds,pending_deadline_at,"
		"preferences,selected_rank,selected_type,selected_count,currency,per_hour,"
		"so_far,likely,worst_case,price_source,price_date,status_message,"
		"failure_reason\n"
		"llm-ft-0930,training,arn:aws:sagemaker:us-east-1:111122223333:training-job/"
		"llm-ft-0930,us-east-1,InProgress,Training,running,2026-11-30T20:00:00Z,"
		"2026-11-30T21:12:00Z,,4320,false,21600,,"
		"\"ml.p5.48xlarge:2,ml.p4d.24xlarge:4\",2,ml.p4d.24xlarge,4,USD,101.004,50.502,,"
		"2424.096,table,2026-09-04,Training image download completed.,\n"
		"'=cmd(),processing,,us-east-1,Failed,,failed,2026-11-30T20:00:00Z,,"
		"2026-11-30T21:00:00Z,,,,,,,,,,,,,,,,,"
		"\"'+1 \"\"quoted\"\", then\nExit \xC2\xB7]0;x\xC2\xB7 \xC2\xB7\xC2\xB7 1\"\n");
	release_all(jobs, ARRAY_LEN(jobs));
}

static void csv__marks_each_character_that_starts_a_formula(void **state)
{
	static const char *const starts[] = { "=1",  "+1",   "-1",   "@a",      "\t1",
					      "\r1", "\n=1", "  =1", "\uFF1D1", "\uFF20a" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		struct job job = hostile_job();
		const struct job *list = &job;
		struct report_context context = context_of(REPORT_CSV);
		struct buf out;
		buf_init(&out, OUT_MAX);
		mem_set_text(&job.failure_reason, starts[i]);
		report_jobs(&out, &context, &list, 1);
		assert_true(strstr(buf_text(&out), ",'") || strstr(buf_text(&out), ",\"'"));
		buf_release(&out);
		job_release(&job);
	}
}

static void table__is_aligned_and_harmless__for_a_list(void **state)
{
	struct job jobs[] = { pending_job(), running_job(), hostile_job() };
	(void)state;
	assert_jobs(REPORT_TABLE, jobs, 3,
		    "NAME         KIND        PHASE    WAIT   LIMIT  TYPE               "
		    "SELECTED            RANK  PER-HOUR  SO-FAR   MESSAGE\n"
		    "llm-ft-0930  training    pending  1h42m  6h00m  ml.p5.48xlarge +1  "
		    "-                   -     -         $0       " MESSAGE "\n"
		    "llm-ft-0930  training    running  1h12m  6h00m  ml.p4d.24xlarge    "
		    "ml.p4d.24xlarge x4  #2    ~$101     ~$50.50  Training image download "
		    "completed.\n"
		    "=cmd()       processing  failed   -      -      -                  "
		    "-                   -     -         -        +1 \"quoted\", then\xC2\xB7"
		    "Exit \xC2\xB7]0;x\xC2\xB7 \xC2\xB7\xC2\xB7 1\n");
	release_all(jobs, ARRAY_LEN(jobs));
}

static void table__cuts_rows__to_the_terminal(void **state)
{
	struct job job = pending_job();
	const struct job *list = &job;
	struct report_context context = context_of(REPORT_TABLE);
	struct buf out;
	(void)state;
	buf_init(&out, OUT_MAX);
	context.columns = 50;
	report_jobs(&out, &context, &list, 1);
	assert_string_equal(buf_text(&out), "NAME         KIND      PHASE    WAIT   LIMIT  TYP…\n"
					    "llm-ft-0930  training  pending  1h42m  6h00m  ml.…\n");
	buf_clear(&out);
	context.ascii = true;
	report_jobs(&out, &context, &list, 1);
	assert_string_equal(buf_text(&out), "NAME         KIND      PHASE    WAIT   LIMIT  TYP~\n"
					    "llm-ft-0930  training  pending  1h42m  6h00m  ml.~\n");
	buf_release(&out);
	job_release(&job);
}

static void table__tells_all_of_one_pending_job(void **state)
{
	struct job job = pending_job();
	struct report_context context = context_of(REPORT_TABLE);
	struct buf out;
	(void)state;
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_string_equal(
		buf_text(&out),
		"name          llm-ft-0930\n"
		"kind          training\n"
		"arn           arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft-0930\n"
		"region        us-east-1\n"
		"phase         pending\n"
		"status        InProgress, Pending\n"
		"message       " MESSAGE "\n"
		"created       2026-11-30 20:00:00 UTC\n"
		"started       -\n"
		"ended         -\n"
		"wait          1h42m so far\n"
		"pending limit 6h00m, until 2026-12-01 02:00:00 UTC\n"
		"run limit     1d00h\n"
		"selected      none yet\n"
		"\n"
		"preferences\n"
		"  #1  ml.p5.48xlarge x2   on demand  ~$127/h\n"
		"  #2  ml.p4d.24xlarge x4  on demand  ~$101/h\n"
		"\n"
		"timeline\n"
		"  2026-11-30 20:00:00 UTC  Pending  1h42m  " MESSAGE "\n"
		"\n"
		"cost\n"
		"  now         none while pending\n"
		"  so far      $0\n"
		"  likely      unknown\n"
		"  worst case  ~$3,038\n"
		"  prices      ~ table of 2026-09-04\n"
		"  storage     billed apart, not counted here\n");
	buf_release(&out);
	job_release(&job);
}

static void table__says_spot__of_a_spot_job(void **state)
{
	const struct report_context context = context_of(REPORT_TABLE);
	struct job job = pending_job();
	struct buf out;
	(void)state;
	job.spot = true;
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "  #1  ml.p5.48xlarge x2   spot  ~$127/h\n"));
	buf_release(&out);
	job_release(&job);
}

static void table__tells_plan_fallback_and_reason__of_one_ended_job(void **state)
{
	struct job job = running_job();
	struct report_context context = context_of(REPORT_TABLE);
	struct buf out;
	const char *text;
	(void)state;
	mem_set_text(&job.status, "Failed");
	mem_set_text(&job.failure_reason, "AlgorithmError: a\n  File \"x\"\x1b[31m\n");
	job.ended = at(EIGHT + 102 * MINUTE);
	memcpy(job_edit_prefs(&job)->entries[1].plan_arn, "arn:x/tp-a", 11);
	job_settle_selection(&job);
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	text = buf_text(&out);
	assert_non_null(strstr(text, "\nwait          1h12m (final)\n"));
	assert_non_null(strstr(text, "\nselected      ml.p4d.24xlarge x4, rank 2 (fallback)\n"));
	assert_non_null(strstr(text, "\n  #2  ml.p4d.24xlarge x4  plan tp-a  $0/h\n"));
	assert_non_null(strstr(text, "Training  30m\n"));
	assert_non_null(strstr(text, "\n  plan        prepaid: no more by the hour\n"));
	assert_non_null(strstr(text, "\nfailure reason\n  AlgorithmError: a\n"
				     "    File \"x\"\xC2\xB7[31m\n"));
	buf_release(&out);
	job_release(&job);
}

/* 10.2s of a wait that is over are 10 s, 10.5 are 11; 31 s and 69 s x 4 at 25.251 an hour. */
static void pool_and_remark__are_told__of_an_ended_job(void **state)
{
	struct job job = running_job();
	struct report_context context = context_of(REPORT_TABLE);
	struct buf out;
	(void)state;
	mem_set_text(&job.status, "Completed");
	job.created = at(EIGHT);
	job.transitions[0].start_ms = EIGHT;
	job.transitions[0].end_ms = EIGHT + 10500;
	job.modified = at(EIGHT + HOUR);
	job.billable = at(31000);
	job.keep_alive_seconds = 70;
	mem_set_text(&job.pool.status, "Reused");
	mem_set_text(&job.pool.reused_by, "next\x1b[31m");
	job.pool.retained = at(69000);
	buf_init(&out, OUT_MAX);
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\nwait          11s (final)\n"));
	assert_non_null(strstr(buf_text(&out), "  Pending   11s"));
	assert_non_null(strstr(buf_text(&out),
			       "\nwarm pool     handed to next\xC2\xB7[31m, retained 69 s\n"));
	assert_non_null(strstr(buf_text(&out), "\n  so far      ~$0.87\n"));
	assert_non_null(strstr(buf_text(&out), "\n  warm pool   ~$1.94, beside the training\n"));
	buf_clear(&out);
	context.format = REPORT_JSON;
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\"wait_seconds\":11,\"wait_is_final\":true"));
	assert_non_null(strstr(buf_text(&out), "\"so_far\":0.869757,"));
	assert_non_null(
		strstr(buf_text(&out),
		       "\"warm_pool\":{\"status\":\"Reused\",\"reused_by\":\"next\\u001b[31m\","
		       "\"retained_seconds\":69,\"instances_kept\":0,\"kept_until\":null,"
		       "\"retained_cost\":1.93591,"
		       "\"currency\":\"USD\"}}\n"));
	buf_clear(&out);
	mem_set_text(&job.status, "Failed");
	mem_set_text(&job.failure_reason, "AlgorithmError: Exit Code: 139");
	context.format = REPORT_TABLE;
	report_job(&out, &context, &job);
	assert_non_null(strstr(buf_text(&out), "\n  AlgorithmError: Exit Code: 139\n"
					       "gpuq's remark exit code 139 is 128 + 11: "));
	buf_release(&out);
	job_release(&job);
}

static void table__stays_ascii__when_asked(void **state)
{
	struct job job = hostile_job();
	struct report_context context = context_of(REPORT_TABLE);
	const struct job *list = &job;
	struct buf out;
	(void)state;
	context.ascii = true;
	mem_set_text(&job.failure_reason, "caf\xC3\xA9 \xE2\x80\xAE");
	buf_init(&out, OUT_MAX);
	report_jobs(&out, &context, &list, 1);
	report_job(&out, &context, &job);
	for (size_t i = 0; i < out.len; i++)
		assert_in_range(out.data[i], '\n', '~');
	assert_non_null(strstr(buf_text(&out), "caf? ?"));
	buf_release(&out);
	job_release(&job);
}

/* Any bytes in a job: the JSON parses, the table has a line for each job and no control. */
static void output__stays_whole__for_any_text(void **state)
{
	uint32_t seed = 3;
	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct job job = hostile_job();
		const struct job *list[] = { &job, &job };
		struct report_context context = context_of(REPORT_JSON);
		struct json_doc doc = { 0 };
		struct err err = { 0 };
		struct buf out;
		char text[200];
		size_t len = anytext_fill(&seed, text, sizeof(text) - 1), lines = 0;
		text[len] = '\0';
		buf_init(&out, OUT_MAX);
		mem_set_text(&job.failure_reason, text);
		mem_set_text(&job.arn, text);
		memcpy(job.name, text, sizeof(job.name) - 1);
		job.name[sizeof(job.name) - 1] = '\0';
		report_jobs(&out, &context, list, 2);
		assert_true(json_doc_parse(&doc, buf_text(&out), out.len, &err));
		assert_int_equal(json_doc_length(&doc, 0), 2);
		json_doc_release(&doc);
		buf_clear(&out);
		context.format = REPORT_TABLE;
		report_jobs(&out, &context, list, 2);
		for (size_t at_byte = 0; at_byte < out.len; at_byte++) {
			lines += out.data[at_byte] == '\n';
			if (out.data[at_byte] != '\n')
				assert_false((unsigned char)out.data[at_byte] < 0x20);
		}
		assert_int_equal(lines, 3);
		buf_release(&out);
		job_release(&job);
	}
}

static void columns__fit_wide_characters__and_leave_the_last_alone(void **state)
{
	static const char *const titles[] = { "A", "LONG" };
	struct columns columns = { .width = 2, .titles = titles, .indent = "> " };
	struct buf out;
	(void)state;
	columns_add(&columns, "\xE4\xB8\x80\xE4\xB8\x80"); /* two characters of two columns */
	columns_add(&columns, "x");
	columns_add(&columns, NULL);
	columns_add(&columns, "a long last cell");
	columns_add(&columns, "y");
	columns_add(&columns, "");
	buf_init(&out, OUT_MAX);
	columns_write(&columns, &out);
	assert_string_equal(buf_text(&out), "> A     LONG\n"
					    "> \xE4\xB8\x80\xE4\xB8\x80  x\n"
					    "> -     a long last cell\n"
					    "> y\n");
	buf_release(&out);
	columns_release(&columns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(format__is_read_by_its_word__in_any_case),
		cmocka_unit_test(json__is_as_promised__of_a_pending_job),
		cmocka_unit_test(json__tells_selection_and_cost__of_a_running_job),
		cmocka_unit_test(json__says_null__for_what_is_not_known),
		cmocka_unit_test(json__names_the_groups__of_a_heterogeneous_cluster),
		cmocka_unit_test(amount__has_the_decimals_that_it_needs),
		cmocka_unit_test(csv__keeps_spreadsheets_from_running_text),
		cmocka_unit_test(csv__marks_each_character_that_starts_a_formula),
		cmocka_unit_test(table__is_aligned_and_harmless__for_a_list),
		cmocka_unit_test(table__cuts_rows__to_the_terminal),
		cmocka_unit_test(table__tells_all_of_one_pending_job),
		cmocka_unit_test(table__says_spot__of_a_spot_job),
		cmocka_unit_test(table__tells_plan_fallback_and_reason__of_one_ended_job),
		cmocka_unit_test(pool_and_remark__are_told__of_an_ended_job),
		cmocka_unit_test(table__stays_ascii__when_asked),
		cmocka_unit_test(output__stays_whole__for_any_text),
		cmocka_unit_test(columns__fit_wide_characters__and_leave_the_last_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gpuq quotas: the four formats, and the exit status where limits are not told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/jsontext.h"
#include "model/base/mem.h"
#include "model/store_quotas.h"
#include "tests/jobs.h"
#include "views/text/command.h"

#define OUT_MAX (1u << 20)
#define EIGHT   INT64_C(1796068800000) /* 2026-11-30T20:00:00Z */
#define P4D     "ml.p4d.24xlarge"

/* Two of P4D run in "one", two stop in "two"; its limit is told, that of spot denied. */
static void fill(struct store *store)
{
	struct err denied = { .code = ERR_DENIED, .subject = "GetServiceQuota in us-east-1" };
	struct job one = described_job("one", EIGHT - 3600000, "InProgress", "Training");
	struct job two = described_job("two", EIGHT - 7200000, "Stopping", "Stopping");
	two.started = two.created;
	job_settle_selection(&two);
	store_take_described(store, &one);
	store_take_described(store, &two);
	store_take_quota(store, P4D, QUOTA_TRAINING, 16, true, EIGHT, 5);
	store_note_quota_failed(store, P4D, QUOTA_SPOT, &denied, INT64_MAX);
}

/* Runs the command; type NULL: those in use. Release out and messages. */
static int run(enum report_format format, const char *type, struct buf *out, struct buf *messages)
{
	struct store store = { 0 };
	struct clock clock = clock_system();
	struct options options = {
		.format = format, .utc = true, .args = { type }, .arg_count = type ? 1 : 0
	};
	buf_init(out, OUT_MAX);
	buf_init(messages, OUT_MAX);
	store_note_date(&store, EIGHT, clock_mono_ms(&clock));
	fill(&store);
	struct command_run what = { .options = &options,
				    .store = &store,
				    .clock = &clock,
				    .region = "us-east-1",
				    .out = out,
				    .messages = messages };
	int status = command_quotas.run(&what);
	store_release(&store);
	return status;
}

static void release(struct buf *out, struct buf *messages)
{
	buf_release(out);
	buf_release(messages);
}

#define IN_USE                                                                                   \
	"{\"instance_type\":\"" P4D "\",\"kind\":\"training\",\"limit\":16,\"is_default\":true," \
	"\"used\":4,\"waiting\":0,\"jobs_not_read\":0,\"holders\":[{\"name\":\"two\","           \
	"\"instance_count\":2,\"state\":\"Stopping\",\"since\":\"2026-11-30T18:00:00Z\"},"       \
	"{\"name\":\"one\",\"instance_count\":2,\"state\":\"Training\","                         \
	"\"since\":\"2026-11-30T19:00:00Z\"}],\"code\":\"L-09B4A649\","                          \
	"\"read_at\":\"2026-11-30T20:00:00Z\"}"

/* The keys of interface.md, and more. */
static void json__has_every_key__of_what_is_in_use(void **state)
{
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(REPORT_JSON, NULL, &out, &messages), 0);
	assert_string_equal(buf_text(&out), "[" IN_USE "]\n");
	assert_int_equal(messages.len, 0);
	release(&out, &messages);
}

static void jsonl__has_null__where_a_limit_is_not_told(void **state)
{
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(REPORT_JSONL, P4D, &out, &messages), 4);
	assert_int_equal(strncmp(buf_text(&out), IN_USE "\n", strlen(IN_USE "\n")), 0);
	assert_non_null(strstr(buf_text(&out),
			       "\n{\"instance_type\":\"" P4D "\",\"kind\":\"spot\",\"limit\":null,"
			       "\"is_default\":null,\"used\":0,\"waiting\":0,\"jobs_not_read\":0,"
			       "\"holders\":[],\"code\":\"L-09D56C4F\",\"read_at\":null}\n"));
	assert_non_null(strstr(buf_text(&messages), "GetServiceQuota in us-east-1"));
	release(&out, &messages);
}

static void csv__has_a_line_each(void **state)
{
	struct buf out, messages;
	(void)state;
	run(REPORT_CSV, P4D, &out, &messages);
	assert_non_null(strstr(buf_text(&out),
			       "instance_type,kind,limit,is_default,used,waiting,jobs_not_read,"
			       "holders,code,read_at\n" P4D
			       ",training,16,true,4,0,0,two:2 one:2,L-09B4A649,"
			       "2026-11-30T20:00:00Z\n" P4D ",spot,,,0,0,0,,L-09D56C4F,\n" P4D
			       ",warm-pool,,,0,0,0,,"));
	release(&out, &messages);
}

static void table__names_the_holders__or_why_there_is_no_limit(void **state)
{
	struct buf out, messages;
	(void)state;
	run(REPORT_TABLE, P4D, &out, &messages);
	assert_int_equal(strncmp(buf_text(&out), "TYPE             KIND", 21), 0);
	assert_non_null(strstr(buf_text(&out), "16 (default) "));
	assert_non_null(strstr(buf_text(&out), "two x2 (Stopping), one x2 (Training)\n"));
	assert_non_null(strstr(buf_text(&out), "denied servicequotas:GetServiceQuota"));
	assert_non_null(strstr(buf_text(&out), "not read yet"));
	release(&out, &messages);
}

static void type__that_is_none__is_wrong_usage(void **state)
{
	struct buf out, messages;
	(void)state;
	assert_int_equal(run(REPORT_JSON, "p4d.24xlarge", &out, &messages), 2);
	assert_int_equal(out.len, 0);
	assert_non_null(strstr(buf_text(&messages), "near it: " P4D));
	release(&out, &messages);
	/* A type without a published code is known, and has no limit that could be read. */
	assert_int_equal(run(REPORT_JSON, "ml.trn2.48xlarge", &out, &messages), 0);
	assert_non_null(strstr(buf_text(&out), "\"limit\":null"));
	assert_non_null(strstr(buf_text(&out), "\"code\":null"));
	release(&out, &messages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json__has_every_key__of_what_is_in_use),
		cmocka_unit_test(jsonl__has_null__where_a_limit_is_not_told),
		cmocka_unit_test(csv__has_a_line_each),
		cmocka_unit_test(table__names_the_holders__or_why_there_is_no_limit),
		cmocka_unit_test(type__that_is_none__is_wrong_usage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* gpuq plans: the four formats, with what is known and with what is not. */
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
#include "views/text/command.h"

#define OUT_MAX (1u << 20)
#define EIGHT   INT64_C(1796068800000) /* 2026-11-30T20:00:00Z */
#define HOUR    INT64_C(3600000)

static struct opt_ms at(int64_t hours)
{
	return (struct opt_ms){ .set = true, .ms = EIGHT + hours * HOUR };
}

/* One plan of which all is told, and one of which as little as can be. */
static struct plan *two_plans(void)
{
	struct plan *plans = mem_new(2, sizeof(*plans));
	mem_set_text(&plans[0].arn, "arn:a/tp-a");
	memcpy(plans[0].name, "tp-a", 5);
	mem_set_text(&plans[0].status, "Active");
	memcpy(plans[0].instance_type, "ml.p5.48xlarge", 15);
	plans[0].total = (struct opt_count){ true, 4 };
	plans[0].available = (struct opt_count){ true, 3 };
	plans[0].in_use = (struct opt_count){ true, 1 };
	plans[0].start = at(-24);
	plans[0].end = at(48);
	plans[0].targets_known = plans[0].for_training = true;
	memcpy(plans[0].targets, "training-job, endpoint", 23);
	plans[0].fee = (struct money){ true, INT64_C(41872500000) };
	memcpy(plans[0].currency, "USD", 4);
	plan_add_window(&plans[0], &(struct plan_window){ .start = at(-24),
							  .end = at(-12),
							  .total = { true, 4 },
							  .status = "Expired",
							  .zone = "us-east-1a" });
	plan_add_window(&plans[0], &(struct plan_window){ .start = at(12), .end = at(48) });
	mem_set_text(&plans[1].arn, "arn:b/tp-b");
	memcpy(plans[1].name, "tp-b", 5);
	mem_set_text(&plans[1].status, "Exten\x1b[31mding,\"1\"");
	return plans;
}

/* Runs the command over a store with the two; release out. */
static void run(enum report_format format, struct buf *out)
{
	struct store store = { 0 };
	struct clock clock = clock_system();
	struct options options = { .format = format };
	struct buf messages;
	buf_init(out, OUT_MAX);
	buf_init(&messages, OUT_MAX);
	store_note_date(&store, EIGHT, clock_mono_ms(&clock));
	store_take_plans(&store, two_plans(), 2);
	struct command_run what = { .options = &options,
				    .store = &store,
				    .clock = &clock,
				    .region = "us-east-1",
				    .out = out,
				    .messages = &messages };
	assert_int_equal(command_plans.run(&what), 0);
	assert_int_equal(messages.len, 0);
	buf_release(&messages);
	store_release(&store);
}

static void json__has_every_key__and_null_for_unknown(void **state)
{
	static const char first[] =
		"[{\"name\":\"tp-a\",\"arn\":\"arn:a/tp-a\",\"region\":\"us-east-1\","
		"\"status\":\"Active\",\"status_message\":null,\"state\":\"between-windows\","
		"\"instance_type\":\"ml.p5.48xlarge\",\"total\":4,\"available\":3,\"in_use\":1,"
		"\"starts_at\":\"2026-11-29T20:00:00Z\",\"ends_at\":\"2026-12-02T20:00:00Z\","
		"\"windows\":[{\"starts_at\":\"2026-11-29T20:00:00Z\","
		"\"ends_at\":\"2026-11-30T08:00:00Z\",\"total\":4,\"status\":\"Expired\","
		"\"availability_zone\":\"us-east-1a\"},{\"starts_at\":\"2026-12-01T08:00:00Z\","
		"\"ends_at\":\"2026-12-02T20:00:00Z\",\"total\":null,\"status\":null,"
		"\"availability_zone\":null}],"
		"\"target_resources\":[\"training-job\",\"endpoint\"],"
		"\"upfront_fee\":41872.5,\"currency\":\"USD\"},\n ";
	struct buf out;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	(void)state;
	run(REPORT_JSON, &out);
	assert_int_equal(strncmp(buf_text(&out), first, strlen(first)), 0);
	assert_non_null(strstr(buf_text(&out),
			       "\"state\":\"unknown\",\"instance_type\":null,\"total\":null,"
			       "\"available\":null,\"in_use\":null,\"starts_at\":null,"
			       "\"ends_at\":null,\"windows\":[],\"target_resources\":null,"
			       "\"upfront_fee\":null,\"currency\":null}]\n"));
	assert_true(json_doc_parse(&doc, buf_text(&out), out.len, &err));
	assert_int_equal(json_doc_length(&doc, 0), 2);
	json_doc_release(&doc);
	buf_release(&out);
}

static void jsonl__is_one_object_a_line(void **state)
{
	struct buf out;
	(void)state;
	run(REPORT_JSONL, &out);
	char *second = strchr(out.data, '\n');
	assert_non_null(second);
	assert_int_equal(strncmp(buf_text(&out), "{\"name\":\"tp-a\"", 14), 0);
	assert_int_equal(strncmp(second, "\n{\"name\":\"tp-b\"", 15), 0);
	assert_int_equal(out.data[out.len - 2], '}');
	buf_release(&out);
}

static void csv__quotes_and_tames__what_came_from_outside(void **state)
{
	struct buf out;
	(void)state;
	run(REPORT_CSV, &out);
	assert_non_null(strstr(buf_text(&out),
			       "\ntp-a,arn:a/tp-a,us-east-1,Active,between-windows,ml.p5.48xlarge,"
			       "4,3,1,2026-11-29T20:00:00Z,2026-12-02T20:00:00Z,"
			       "2026-11-29T20:00:00Z/2026-11-30T08:00:00Z "
			       "2026-12-01T08:00:00Z/2026-12-02T20:00:00Z,"
			       "\"training-job, endpoint\",41872.5,USD,\n"));
	assert_non_null(strstr(buf_text(&out), "[31mding,\"\"1\"\"\",unknown,,,,,,,,,,,\n"));
	assert_null(strchr(buf_text(&out), '\x1b'));
	buf_release(&out);
}

static void table__shows_the_window_that_counts__and_the_arn_last(void **state)
{
	struct buf out;
	(void)state;
	run(REPORT_TABLE, &out);
	assert_int_equal(strncmp(buf_text(&out), "NAME  STATUS", 12), 0);
	assert_non_null(strstr(buf_text(&out), "between-windows  ml.p5.48xlarge  3/4   2026-12-0"));
	assert_non_null(strstr(buf_text(&out), "?/?   -"));
	assert_non_null(strstr(buf_text(&out), "  arn:b/tp-b\n"));
	assert_null(strchr(buf_text(&out), '\x1b'));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json__has_every_key__and_null_for_unknown),
		cmocka_unit_test(jsonl__is_one_object_a_line),
		cmocka_unit_test(csv__quotes_and_tames__what_came_from_outside),
		cmocka_unit_test(table__shows_the_window_that_counts__and_the_arn_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

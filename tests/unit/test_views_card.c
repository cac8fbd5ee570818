/* The card of a job for whoever takes over, and its way to the clipboard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tests/homescreen.h"
#include "tui/clipboard.h"
#include "views/card.h"

#define JOB "llm-ft-0930"

static char copied[CARD_MAX], copied_what[64];

static void take_copy(void *host, const char *what, const char *text)
{
	(void)host;
	assert_true(snprintf(copied_what, sizeof(copied_what), "%s", what) > 0);
	assert_true(snprintf(copied, sizeof(copied), "%s", text) > 0);
}

static void catch_copies(struct sample *sample)
{
	sample->env.intents.copy = take_copy;
}

static void want(const char *text)
{
	if (!strstr(copied, text))
		fail_msg("'%s' is not in\n%s", text, copied);
}

/* Everything that somebody needs who has no gpuq. */
static void card__tells_the_job_its_list_why_and_where(void **state)
{
	struct homescreen home;
	(void)state;
	copied[0] = '\0';
	homescreen_start(&home, 120, 40, catch_copies);
	homescreen_go_to(&home, JOB);
	homescreen_keys(&home, "Y");
	want("# " JOB ": training job, Pending\n");
	want("- account 111122223333, region us-east-1\n");
	want("- status: InProgress / Pending, created 2026-11-30T12:20:00Z\n");
	want("- waited: 1h42m of 6h00m, limit reached at 2026-11-30T18:20:00Z\n");
	want("| 1 | ml.p5.48xlarge ×2 | p5-plan | ");
	want("| 3 | ml.g5.48xlarge ×8 | on demand | ");
	want("\n## Why\n");
	want("- console: <https://us-east-1.console.aws.amazon.com/sagemaker/home?region=us-east-1"
	     "#/jobs/" JOB ">\n");
	want("\n## Tried\n\nNot known: the record was not read.\n");
	want("Written by gpuq at 2026-11-30T14:02:00Z.\n");
	assert_string_equal(copied_what, "the card");
	homescreen_stop(&home);
}

/* What AWS and its users write ends neither a line nor a table, and marks nothing. */
static void card__is_plain__whatever_the_texts_hold(void **state)
{
	struct homescreen home;
	struct job job = { 0 };
	(void)state;
	homescreen_start(&home, 120, 40, catch_copies);
	job_copy(&job, store_find_name(&home.sample.store, JOB));
	mem_set_text(&job.failure_reason, "a|b\n# c `d` \x1b[2J\x9b <e>");
	store_take_described(&home.sample.store, &job);
	homescreen_go_to(&home, JOB);
	homescreen_keys(&home, "Y");
	want("- reason (AWS): a\\|b·\\# c \\`d\\` ·\\[2J");
	assert_null(strchr(copied, '\x1b'));
	assert_null(strstr(copied, "s3cr3t"));
	homescreen_stop(&home);
}

/* In the order of things, and none of another job. */
static void card__tells_what_was_tried__with_request_ids(void **state)
{
	static const struct action actions[] = {
		{ .at_ms = INT64_C(1796047200000), /* 14:00:00Z */
		  .what = "StopTrainingJob",
		  .subject = "another",
		  .result = ACTION_DONE },
		{ .at_ms = INT64_C(1796047200000),
		  .what = "StopTrainingJob",
		  .subject = JOB,
		  .by = "dashboard",
		  .result = ACTION_REFUSED,
		  .code = "AccessDeniedException",
		  .request_id = "11111111-2222",
		  .text = "User: *me* is not\nauthorized" },
		{ .at_ms = INT64_C(1796047260000),
		  .what = "requeue",
		  .subject = "llm-ft-0929",
		  .other = JOB,
		  .result = ACTION_DONE },
	};
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_copies);
	for (size_t i = 0; i < 3; i++)
		actions_add(&home.sample.store.actions, &actions[i]);
	homescreen_go_to(&home, JOB);
	homescreen_keys(&home, "Y");
	want("\n## Tried\n\n"
	     "- 2026-11-30T14:00:00Z StopTrainingJob " JOB ": refused, AccessDeniedException, "
	     "request id 11111111-2222: User: \\*me\\* is not·authorized\n"
	     "- 2026-11-30T14:01:00Z requeue llm-ft-0929 by " JOB ": done\n\n## Where\n");
	home.sample.store.actions.is_read = true;
	homescreen_go_to(&home, "oom-run-44");
	homescreen_keys(&home, "Y");
	want("\n## Tried\n\nNothing by gpuq on this machine.\n");
	homescreen_stop(&home);
}

static void copy_menu__has_the_parts__each_by_a_key(void **state)
{
	static const struct {
		const char *keys, *what, *text;
	} rows[] = {
		{ "C n", "the name", JOB },
		{ "C Enter", "the name", JOB },
		{ "C j Enter", "the ARN",
		  "arn:aws:sagemaker:us-east-1:111122223333:training-job/" JOB },
		{ "C 3", "the console's URL",
		  "https://us-east-1.console.aws.amazon.com/sagemaker/home?region=us-east-1#/"
		  "jobs/" JOB },
		{ "C y", "the JSON",
		  "{\n  \"TrainingJobName\": \"" JOB
		  "\",\n  \"Environment\": {\n    \"HF_TOKEN\": \"(hidden)\"\n  }\n}\n" },
		{ "C c", "the AWS CLI command",
		  "aws sagemaker describe-training-job --training-job-name " JOB
		  " --region us-east-1 --profile ops" },
	};
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 80, 24, catch_copies);
	struct job *job = (struct job *)store_find_name(&home.sample.store, JOB);
	homescreen_go_to(&home, JOB);
	mem_set_text(&job->request_json, NULL);
	copied[0] = '\0';
	homescreen_keys(&home, "C y");
	assert_string_equal(copied, "");
	homescreen_want(&home, "has not been read yet");
	mem_set_text(&job->request_json,
		     "{\"TrainingJobName\":\"" JOB "\",\"Environment\":{\"HF_TOKEN\":\"s3cr3t\"}}");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		homescreen_keys(&home, rows[i].keys);
		assert_string_equal(copied_what, rows[i].what);
		assert_string_equal(copied, rows[i].text);
	}
	homescreen_keys(&home, "C");
	homescreen_want(&home, "5 c   AWS CLI");
	homescreen_keys(&home, "q");
	homescreen_want_not(&home, "5 c   AWS CLI");
	homescreen_stop(&home);
}

static void osc__is_base64__padded(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = { /* RFC 4648, section 10 */
		     { "", "\033]52;c;\033\\" },
		     { "f", "\033]52;c;Zg==\033\\" },
		     { "fo", "\033]52;c;Zm8=\033\\" },
		     { "foobar", "\033]52;c;Zm9vYmFy\033\\" },
		     { "\xff\xfe\xfd", "\033]52;c;//79\033\\" }
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out;
		buf_init(&out, 100);
		clipboard_add_osc(&out, rows[i].text, strlen(rows[i].text));
		assert_string_equal(buf_text(&out), rows[i].wanted);
		buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(card__tells_the_job_its_list_why_and_where),
		cmocka_unit_test(card__is_plain__whatever_the_texts_hold),
		cmocka_unit_test(card__tells_what_was_tried__with_request_ids),
		cmocka_unit_test(copy_menu__has_the_parts__each_by_a_key),
		cmocka_unit_test(osc__is_base64__padded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

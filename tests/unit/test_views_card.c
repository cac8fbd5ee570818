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

static char copied[CARD_MAX];

static void take_copy(void *host, const char *what, const char *text)
{
	(void)host;
	assert_string_equal(what, "the card");
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
	want("Written by gpuq at 2026-11-30T14:02:00Z.\n");
	homescreen_stop(&home);
}

/* What AWS and its users write ends neither a line nor a table, and marks nothing. */
static void card__is_plain__whatever_the_texts_hold(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 120, 40, catch_copies);
	struct job *job = (struct job *)store_find_name(&home.sample.store, JOB);
	mem_set_text(&job->failure_reason, "a|b\n# c `d` \x1b[2J\x9b <e>");
	homescreen_go_to(&home, JOB);
	homescreen_keys(&home, "Y");
	want("- reason (AWS): a\\|b·\\# c \\`d\\` ·\\[2J");
	assert_null(strchr(copied, '\x1b'));
	assert_null(strstr(copied, "s3cr3t"));
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
		cmocka_unit_test(osc__is_base64__padded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How `gpuq doctor` writes what it found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "views/text/report.h"

#define OUT_MAX (64u << 10)

static void fill(struct diagnosis *diagnosis)
{
	struct diagnosis_row *row;
	diagnosis_add(diagnosis, DIAGNOSIS_TERMINAL, DIAGNOSIS_OK, "", "xterm, UTF-8");
	row = diagnosis_add(diagnosis, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_OK, "",
			    "profile ops; good for 58m more, until 2026-12-01T10:00:00Z");
	row->expires = (struct opt_ms){ true, INT64_C(1796119200000) };
	row = diagnosis_add(diagnosis, DIAGNOSIS_CLOCK, DIAGNOSIS_WARNING, "",
			    "15 min 24 s behind; corrected");
	row->skew = (struct opt_ms){ true, 924000 };
	diagnosis_add_fix(row, "Set this machine's clock: AWS accepts five minutes of difference, "
			       "and no more than that.");
	diagnosis_add(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "SageMaker", "h:1 (--url)");
	diagnosis_add(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK, "STS", "h:1 (--url)");
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_OK, "sagemaker:A", "allowed");
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_OK, "sagemaker:B", "allowed");
	row = diagnosis_add(
		diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_FAILURE, "sagemaker:C",
		"not allowed; resource: "
		"arn:aws:sagemaker:us-east-1:111122223333:training-job/no-such-job-at-all");
	row->code = ERR_DENIED;
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_UNKNOWN, "iam:D", "not checked");
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_UNKNOWN, "iam:E", "not checked");
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_UNKNOWN, "iam:F", "otherwise");
}

static void expect(const struct report_context *context, const char *wanted)
{
	struct diagnosis diagnosis = { 0 };
	struct buf out;
	buf_init(&out, OUT_MAX);
	fill(&diagnosis);
	report_diagnosis(&out, context, &diagnosis);
	assert_string_equal(buf_text(&out), wanted);
	buf_release(&out);
	diagnosis_release(&diagnosis);
}

/* Nothing stands beyond the width but a word that is longer than a line, which stays whole: it is
 * there to be copied. Tried permissions have a line each; the rest is told once. */
static void table__is_wrapped_at_the_terminals_width(void **state)
{
	const struct report_context context = { .columns = 60 };
	(void)state;
	expect(&context,
	       "✓  terminal      xterm, UTF-8\n"
	       "✓  credentials   profile ops; good for 58m more, until\n"
	       "                 2026-12-01T10:00:00Z\n"
	       "!  clock         15 min 24 s behind; corrected\n"
	       "                 -> Set this machine's clock: AWS accepts\n"
	       "                 five minutes of difference, and no more\n"
	       "                 than that.\n"
	       "✓  endpoint      SageMaker, STS: h:1 (--url)\n"
	       "✓  permission    sagemaker:A: allowed\n"
	       "✓  permission    sagemaker:B: allowed\n"
	       "✗  permission    sagemaker:C: not allowed; resource:\n"
	       "                 "
	       "arn:aws:sagemaker:us-east-1:111122223333:training-job/no-such-job-at-all\n"
	       "-  permission    iam:D, iam:E: not checked\n"
	       "-  permission    iam:F: otherwise\n");
}

static void table__of_a_pipe__has_a_line_for_each_and_words_in_ascii(void **state)
{
	const struct report_context context = { .ascii = true };
	(void)state;
	expect(&context,
	       "ok    terminal      xterm, UTF-8\n"
	       "ok    credentials   profile ops; good for 58m more, until 2026-12-01T10:00:00Z\n"
	       "warn  clock         15 min 24 s behind; corrected -> Set this machine's clock: AWS "
	       "accepts five minutes of difference, and no more than that.\n"
	       "ok    endpoint      SageMaker, STS: h:1 (--url)\n"
	       "ok    permission    sagemaker:A: allowed\n"
	       "ok    permission    sagemaker:B: allowed\n"
	       "fail  permission    sagemaker:C: not allowed; resource: "
	       "arn:aws:sagemaker:us-east-1:111122223333:training-job/no-such-job-at-all\n"
	       "skip  permission    iam:D, iam:E: not checked\n"
	       "skip  permission    iam:F: otherwise\n");
}

static void jsonl__has_an_object_for_each__with_all_members(void **state)
{
	const struct report_context context = { .format = REPORT_JSONL };
	(void)state;
	expect(&context,
	       "{\"id\":\"terminal\",\"severity\":\"ok\",\"subject\":null,\"text\":\"xterm, "
	       "UTF-8\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"credentials\",\"severity\":\"ok\",\"subject\":null,\"text\":\"profile "
	       "ops; good for 58m more, until "
	       "2026-12-01T10:00:00Z\",\"fix\":null,\"expires_at\":\"2026-12-01T10:00:00Z\","
	       "\"skew_seconds\":null}\n"
	       "{\"id\":\"clock\",\"severity\":\"warn\",\"subject\":null,\"text\":\"15 min 24 s "
	       "behind; corrected\",\"fix\":\"Set this machine's clock: AWS accepts five minutes "
	       "of difference, and no more than "
	       "that.\",\"expires_at\":null,\"skew_seconds\":924}\n"
	       "{\"id\":\"endpoint\",\"severity\":\"ok\",\"subject\":\"SageMaker\",\"text\":\"h:1 "
	       "(--url)\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"endpoint\",\"severity\":\"ok\",\"subject\":\"STS\",\"text\":\"h:1 "
	       "(--url)\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"ok\",\"subject\":\"sagemaker:A\",\"text\":"
	       "\"allowed\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"ok\",\"subject\":\"sagemaker:B\",\"text\":"
	       "\"allowed\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"fail\",\"subject\":\"sagemaker:C\",\"text\":"
	       "\"not allowed; resource: "
	       "arn:aws:sagemaker:us-east-1:111122223333:training-job/"
	       "no-such-job-at-all\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"skip\",\"subject\":\"iam:D\",\"text\":\"not "
	       "checked\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"skip\",\"subject\":\"iam:E\",\"text\":\"not "
	       "checked\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n"
	       "{\"id\":\"permission\",\"severity\":\"skip\",\"subject\":\"iam:F\",\"text\":"
	       "\"otherwise\",\"fix\":null,\"expires_at\":null,\"skew_seconds\":null}\n");
}

static void csv__has_the_same_columns__empty_where_unknown(void **state)
{
	const struct report_context context = { .format = REPORT_CSV };
	struct diagnosis diagnosis = { 0 };
	struct buf out;
	(void)state;
	buf_init(&out, OUT_MAX);
	fill(&diagnosis);
	report_diagnosis(&out, &context, &diagnosis);
	static const char head[] = "id,severity,subject,text,fix,expires_at,skew_seconds\n"
				   "terminal,ok,,\"xterm, UTF-8\",,,\n"
				   "credentials,ok,,\"profile ops; good for 58m more, until "
				   "2026-12-01T10:00:00Z\",,2026-12-01T10:00:00Z,\n"
				   "clock,warn,,15 min 24 s behind; corrected,\"Set this machine's "
				   "clock: AWS accepts five minutes of difference, and no more "
				   "than that.\",,924\n";
	assert_memory_equal(buf_text(&out), head, strlen(head));
	buf_release(&out);
	diagnosis_release(&diagnosis);
}

/* What a file or AWS says reaches no terminal raw. */
static void texts_from_outside__are_made_harmless(void **state)
{
	static const enum report_format formats[] = { REPORT_TABLE, REPORT_JSON, REPORT_JSONL,
						      REPORT_CSV };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		const struct report_context context = { .format = formats[i], .columns = 80 };
		struct diagnosis diagnosis = { 0 };
		struct buf out;
		buf_init(&out, OUT_MAX);
		diagnosis_add_fix(diagnosis_add(&diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_WARNING,
						"/a\x1b[2J", "b\x1b]0;x\x07"),
				  "c\x1b[1m");
		report_diagnosis(&out, &context, &diagnosis);
		assert_true(out.len > 10);
		assert_null(strchr(buf_text(&out), '\x1b'));
		assert_null(strchr(buf_text(&out), '\x07'));
		buf_release(&out);
		diagnosis_release(&diagnosis);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table__is_wrapped_at_the_terminals_width),
		cmocka_unit_test(table__of_a_pipe__has_a_line_for_each_and_words_in_ascii),
		cmocka_unit_test(jsonl__has_an_object_for_each__with_all_members),
		cmocka_unit_test(csv__has_the_same_columns__empty_where_unknown),
		cmocka_unit_test(texts_from_outside__are_made_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

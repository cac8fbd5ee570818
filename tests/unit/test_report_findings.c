/* Findings of a request for people and scripts: interface.md, `check`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "views/text/report.h"

#define OUT_MAX (1u << 16)

static struct report_context context_of(enum report_format format)
{
	return (struct report_context){ .format = format, .region = "us-east-1" };
}

static const enum job_kind training_kind = JOB_TRAINING, processing_kind = JOB_PROCESSING;

static void findings__are_a_line_each__or_the_promised_object(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct report_context context = context_of(REPORT_TABLE);
	struct buf out;
	(void)state;
	buf_init(&out, OUT_MAX);
	report_findings(&out, &context, &training_kind, findings);
	assert_string_equal(buf_text(&out), "no rule is broken\n");
	struct finding *finding = findings_add(findings, "count-mixed",
					       "ResourceConfig.InstancePreferences[1]", "=\x1b.");
	finding->line = 7;
	finding->column = 12;
	findings_add(findings, "list-single", "", "One.")->fix_text[0] = '\0';
	buf_clear(&out);
	report_findings(&out, &context, &training_kind, findings);
	assert_string_equal(
		buf_text(&out),
		"error count-mixed: =\xC2\xB7. Give every entry a count and drop the one "
		"beside the list. (ResourceConfig.InstancePreferences[1], line 7, column "
		"12)\nwarning list-single: One.\n1 error, 1 warning\n");
	findings->items[0].severity = findings->items[1].severity = SEVERITY_NOTE;
	buf_clear(&out);
	report_findings(&out, &context, &training_kind, findings);
	assert_non_null(strstr(buf_text(&out), "One.\nno rule is broken, 2 notes\n"));
	findings->items[0].severity = SEVERITY_ERROR;
	findings->items[1].severity = SEVERITY_WARNING;
	context.format = REPORT_JSON;
	buf_clear(&out);
	report_findings(&out, &context, &processing_kind, findings);
	assert_string_equal(
		buf_text(&out),
		"{\"findings\":[{\"severity\":\"error\",\"rule\":\"count-mixed\",\"path\":"
		"\"ResourceConfig.InstancePreferences[1]\",\"line\":7,\"column\":12,\"message\":"
		"\"=\\u001b.\",\"fix\":\"Give every entry a count and drop the one beside the "
		"list.\"},"
		"{\"severity\":\"warning\",\"rule\":\"list-single\",\"path\":null,\"line\":null,"
		"\"column\":null,\"message\":\"One.\",\"fix\":null}],\"kind\":\"processing\","
		"\"ok\":false}\n");
	buf_clear(&out);
	report_findings(&out, &context, NULL, findings);
	assert_non_null(strstr(buf_text(&out), "\"kind\":null,\"ok\":false}\n"));
	context.format = REPORT_CSV;
	buf_clear(&out);
	report_findings(&out, &context, &processing_kind, findings);
	assert_string_equal(
		buf_text(&out),
		"severity,rule,path,line,column,message,fix\n"
		"error,count-mixed,ResourceConfig.InstancePreferences[1],7,12,'=\xC2\xB7.,"
		"Give every entry a count and drop the one beside the list.\n"
		"warning,list-single,,,,One.,\n");
	buf_release(&out);
	free(findings);
}

static void findings__say_ok__when_there_are_only_warnings(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct report_context context = context_of(REPORT_JSONL);
	struct buf out;
	(void)state;
	findings_add(findings, "list-single", "", "One.");
	findings->cut = true;
	buf_init(&out, OUT_MAX);
	report_findings(&out, &context, &training_kind, findings);
	assert_non_null(
		strstr(buf_text(&out), "\"kind\":\"training\",\"ok\":true,\"more\":true}\n"));
	buf_release(&out);
	free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings__are_a_line_each__or_the_promised_object),
		cmocka_unit_test(findings__say_ok__when_there_are_only_warnings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The debug log: its lines, what it masks, and the files that it refuses. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/auth/auth.h"
#include "aws/log.h"
#include "aws/trace.h"
#include "model/base/io.h"

#define FILE_MAX (60u << 20)

static char folder[] = "/tmp/gpuq-log-XXXXXX";

static int64_t at_noon(void *self)
{
	(void)self;
	return INT64_C(1796040000123); /* 2026-11-30T12:00:00.123Z */
}
static const struct clock noon = { at_noon, at_noon, NULL };

static const char *in_folder(const char *name)
{
	static char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static struct log *open_log(const char *name, bool detailed)
{
	struct err err = { 0 };
	struct log *log = log_open(in_folder(name), detailed, &noon, &err);
	if (!log)
		fail_msg("%s: %s", name, err_text(&err));
	return log;
}

/* What was written, once the log is closed; to be freed. */
static char *close_log(struct log *log, const char *name)
{
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, FILE_MAX);
	log_close(log);
	assert_true(io_read_file(in_folder(name), &text, &err));
	return buf_take(&text);
}

static void line__has_time_and_process__and_stays_one_line(void **state)
{
	(void)state;
	char expected[512];
	struct stat status;
	struct log *log = open_log("lines", false);
	log_line(log, "call %d of %s", 7, "two\nlines \x1b[31m\xC2\x9B");
	log_line(NULL, "nobody writes %s", "this");
	char *text = close_log(log, "lines");
	snprintf(expected, sizeof(expected),
		 "2026-11-30T12:00:00.123Z %ld gpuq 0.1.0 starts\n"
		 "2026-11-30T12:00:00.123Z %ld call 7 of two·lines ·[31m·\n",
		 (long)getpid(), (long)getpid());
	assert_string_equal(text, expected);
	assert_int_equal(stat(in_folder("lines"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	free(text);
}

static void second_log__goes_on_at_the_end(void **state)
{
	(void)state;
	log_close(open_log("again", false));
	struct log *log = open_log("again", true);
	assert_true(log_is_detailed(log));
	char *text = close_log(log, "again");
	assert_non_null(strstr(text, " starts\n2026-"));
	assert_non_null(strstr(text, " starts, with details\n"));
	assert_false(log_is_detailed(NULL));
	assert_null(log_error(NULL));
	free(text);
}

/* Forms in which a secret could come along; none of its parts of ten characters may stay. */
static const char *const secrets[] = {
	"AKIAIOSFODNN7EXAMPLE",
	"ASIAQWERTYUIOPASDFGH",
	"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"wJalrXUtnFEMI%2FK7MDENG%2FbPxRfiCYEXAMPLEKEY",
	"IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQDsecret+token/1234567890==",
	"eyJhbGciOiJSUzI1NiIsImtpZCI.eyJzdWIiOiIxMjM0NTY3ODkwIiw.c2lnbmF0dXJlLTEyMzQ1Njc4OTAtYWJj",
};

static const struct {
	const char *before, *after;
} frames[] = {
	{ "", "" },
	{ "the key ", " is refused" },
	{ "the key is ", "." },
	{ "'", "'" },
	{ "{\"SecretAccessKey\":\"", "\"}" },
	{ "aws_secret_access_key = ", "" },
	{ "AWS_SESSION_TOKEN=", "" },
	{ "x-amz-security-token:", "" },
	{ "<SessionToken>", "</SessionToken>" },
	{ "https://host/path?token=", "&x=1" },
	{ "(", ", more)" },
};

static void expect_no_part(const char *text, const char *secret)
{
	char part[11];
	for (size_t at = 0; at + 10 <= strlen(secret); at++) {
		snprintf(part, sizeof(part), "%.10s", secret + at);
		if (strstr(text, part))
			fail_msg("'%s' of a secret stands in:\n%s", part, text);
	}
}

static void secrets__are_masked__in_every_frame(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
		char name[16], line[512];
		snprintf(name, sizeof(name), "masked%zu", i);
		struct log *log = open_log(name, true);
		for (size_t j = 0; j < ARRAY_LEN(frames); j++) {
			snprintf(line, sizeof(line), "%s%s%s", frames[j].before, secrets[i],
				 frames[j].after);
			log_line(log, "%s", line);
		}
		char *text = close_log(log, name);
		assert_non_null(strstr(text, "the key (hidden)"));
		expect_no_part(text, secrets[i]);
		free(text);
	}
}

/* Where the name says it, short ones are hidden too; and what is none stays. */
static void short_secrets__are_masked_by_their_name(void **state)
{
	(void)state;
	static const struct {
		const char *written, *stays;
	} cases[] = {
		{ "AWS_SECRET_ACCESS_KEY=hunter2hunter2", "AWS_SECRET_ACCESS_KEY=(hidden)" },
		{ "{\"SessionToken\": \"hunter2\"}", "{\"SessionToken\": \"(hidden)\"}" },
		{ "x-amz-security-token:hunter2", "x-amz-security-token:(hidden)" },
		{ "ExpiredTokenException: The security token included in the request is expired",
		  "ExpiredTokenException: The security token included in the request is expired" },
		{ "request 8b1a9953-c461-4f96-b3d7-1f2a3c4d5e6f",
		  "request 8b1a9953-c461-4f96-b3d7-1f2a3c4d5e6f" },
		{ "arn:aws:iam::111122223333:role/ops-admin, /home/ops/.aws/sso/cache",
		  "arn:aws:iam::111122223333:role/ops-admin, /home/ops/.aws/sso/cache" },
		{ "api.sagemaker.us-gov-west-1.amazonaws.com",
		  "api.sagemaker.us-gov-west-1.amazonaws.com" },
	};
	struct log *log = open_log("named", false);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		log_line(log, "%s", cases[i].written);
	char *text = close_log(log, "named");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (!strstr(text, cases[i].stays))
			fail_msg("no '%s' in:\n%s", cases[i].stays, text);
	expect_no_part(text, "hunter2hunter2");
	free(text);
}

/* Cut behind the mask: the end of the line never holds half of a secret. */
static void long_line__is_masked_first__and_then_cut(void **state)
{
	(void)state;
	static char line[2 * LOG_LINE_MAX];
	struct log *log = open_log("long", false);
	for (size_t from = LOG_LINE_MAX - 45; from < LOG_LINE_MAX; from += 4) {
		for (size_t i = 0; i < from; i++)
			line[i] = i % 8 ? 'x' : ' ';
		snprintf(line + from, sizeof(line) - from, " %s tail", secrets[2]);
		log_line(log, "%s", line);
	}
	memset(line, 'y', sizeof(line) - 1);
	log_line(log, "%s", line);
	char *text = close_log(log, "long");
	expect_no_part(text, secrets[2]);
	for (const char *at = text, *end; *at; at = end + 1) {
		end = strchr(at, '\n');
		assert_non_null(end);
		assert_true(end - at < LOG_LINE_MAX + 64);
	}
	free(text);
}

static void log__ends_at_its_ceiling__and_says_so(void **state)
{
	(void)state;
	struct err err = { 0 };
	int fd = open(in_folder("full"), O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)LOG_MAX - 40000), 0);
	struct log *log = open_log("full", false);
	for (int i = 0; i < 100; i++)
		log_line(log, "line %d %01000d", i, 0);
	log_close(log);
	struct stat status;
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(status.st_size <= LOG_MAX);
	assert_true(status.st_size > (off_t)LOG_MAX - 40000 + 10000);
	close(fd);
	char *text = close_log(NULL, "full");
	const char *last = text + status.st_size - 78;
	assert_non_null(strstr(last, "the log ends here: it has reached the most that one may"));
	free(text);
	assert_null(log_open(in_folder("full"), false, &noon, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err_text(&err), "has reached 50 MiB, the most for a log; move it away");
	err_clear(&err);
}

static void files_of_others_and_links__are_refused(void **state)
{
	(void)state;
	struct err err = { 0 };
	char target[128];
	snprintf(target, sizeof(target), "%s", in_folder("target"));
	assert_int_equal(symlink(target, in_folder("link")), 0);
	assert_null(log_open(in_folder("link"), false, &noon, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.subject, in_folder("link"));
	assert_string_equal(err_text(&err), "is a link");
	assert_int_not_equal(access(target, F_OK), 0);
	err_clear(&err);
	assert_null(log_open("/dev/null/log", false, &noon, &err));
	assert_non_null(strstr(err_text(&err), "cannot be opened: Not a directory"));
	err_clear(&err);
	assert_null(log_open("/dev/full", false, &noon, &err));
	assert_string_equal(err_text(&err), "is not a plain file");
	err_clear(&err);
}

/* The file that it began with is gone, and a link has come in its place. */
static void log__ends_with_the_reason__when_it_cannot_be_written(void **state)
{
	(void)state;
	char path[128];
	struct log *log = open_log("lost", false);
	snprintf(path, sizeof(path), "%s", in_folder("lost"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(in_folder("elsewhere"), path), 0);
	for (int i = 0; i < 2000 && !log_error(log); i++) {
		log_line(log, "line %d", i);
		poll(NULL, 0, 1);
	}
	assert_non_null(log_error(log));
	assert_string_equal(err_text(log_error(log)), "is a link");
	assert_string_equal(log_error(log)->subject, path);
	log_close(log);
	assert_int_not_equal(access(in_folder("elsewhere"), F_OK), 0);
}

/* --- what is traced --- */

static const struct http_reply throttled = {
	.status = 400, .body = "{}", .body_len = 2, .request_id = "8b1a9953-c461"
};

static void expect_trace(bool detailed, const char *const *expected)
{
	static const char *name = "trace";
	unlink(in_folder(name));
	struct log *log = open_log(name, detailed);
	struct trace trace = { .log = log,
			       .id = 17,
			       .name = "ListTrainingJobs",
			       .region = "us-east-1",
			       .host = "api.example" };
	struct err err = { 0 };
	trace_held(trace);
	trace.tries = 1;
	trace_sent(trace, 58);
	trace.took_ms = 12;
	err_set(&err, ERR_THROTTLED, "Rate exceeded");
	snprintf(err.aws_code, sizeof(err.aws_code), "ThrottlingException");
	trace_answered(trace, &throttled, &err);
	trace_again(trace, 840);
	trace_failed(trace, &err);
	err_clear(&err);
	err_set(&err, ERR_TIMEOUT, "no answer in time");
	trace_unanswered(trace, &err);
	err_clear(&err);
	const struct http_reply good = { .status = 200, .body = "{}", .body_len = 2 };
	trace_answered(trace, &good, NULL);
	char *text = close_log(log, name);
	const char *at = strchr(text, '\n') + 1;
	for (size_t i = 0; expected[i]; i++) {
		char line[512];
		snprintf(line, sizeof(line), "2026-11-30T12:00:00.123Z %ld %s\n", (long)getpid(),
			 expected[i]);
		if (strncmp(at, line, strlen(line)) != 0)
			fail_msg("no '%s' at:\n%s", line, at);
		at += strlen(line);
	}
	assert_string_equal(at, "");
	free(text);
}

static void calls__are_a_line_for_each_step(void **state)
{
	(void)state;
	static const char *const brief[] = {
		"call 17 ListTrainingJobs us-east-1 waits for credentials",
		"call 17 ListTrainingJobs us-east-1 try 1 sent",
		"call 17 ListTrainingJobs us-east-1 try 1 answered 400 in 12 ms, "
		"ThrottlingException, request 8b1a9953-c461",
		"call 17 ListTrainingJobs us-east-1 try 1 is followed by another in 840 ms",
		"call 17 ListTrainingJobs us-east-1 try 1 is the last: the call has failed, "
		"ThrottlingException",
		"call 17 ListTrainingJobs us-east-1 try 1 unanswered after 12 ms, no answer",
		"call 17 ListTrainingJobs us-east-1 try 1 answered 200 in 12 ms",
		NULL
	};
	static const char *const detailed[] = {
		"call 17 ListTrainingJobs us-east-1 waits for credentials",
		"call 17 ListTrainingJobs us-east-1 try 1 sent to api.example, 58 bytes",
		"call 17 ListTrainingJobs us-east-1 try 1 answered 400 in 12 ms, "
		"ThrottlingException, request 8b1a9953-c461, 2 bytes",
		"call 17 ListTrainingJobs us-east-1 try 1 is followed by another in 840 ms",
		"call 17 ListTrainingJobs us-east-1 try 1 is the last: the call has failed, "
		"ThrottlingException: Rate exceeded",
		"call 17 ListTrainingJobs us-east-1 try 1 unanswered after 12 ms, no answer",
		"call 17 ListTrainingJobs us-east-1 try 1 answered 200 in 12 ms, 2 bytes",
		NULL
	};
	expect_trace(false, brief);
	expect_trace(true, detailed);
}

static void credentials__are_named__not_shown(void **state)
{
	(void)state;
	struct err err = { 0 };
	struct log *log = open_log("credentials", true);
	err_set(&err, ERR_AUTH, "the session has expired; log in anew");
	const struct auth_status found = { .has_credentials = true,
					   .provider = "SSO",
					   .origin = "session ops, role Admin of 111122223333",
					   .expires = { true, INT64_C(1796043600000) } };
	const struct auth_status lost = { .provider = "SSO", .origin = "", .err = &err };
	const struct auth_status searching = { .searching = true, .provider = "", .origin = "" };
	trace_credentials(log, &searching);
	trace_credentials(log, &found);
	trace_credentials(log, &lost);
	trace_credentials(NULL, &lost);
	char *text = close_log(log, "credentials");
	assert_non_null(strstr(text, " credentials none, being looked for\n"));
	assert_non_null(strstr(text, " credentials found, SSO, session ops, role Admin of "
				     "111122223333, until 2026-11-30T13:00:00Z\n"));
	assert_non_null(strstr(text, " credentials none, SSO, not signed in: the session has "
				     "expired; log in anew\n"));
	err_clear(&err);
	free(text);
}

/* Each function with a secret in each of its texts. */
static void no_function__lets_a_secret_through(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
		char name[16];
		struct err err = { 0 };
		snprintf(name, sizeof(name), "through%zu", i);
		struct log *log = open_log(name, true);
		const struct trace trace = { .log = log,
					     .name = secrets[i],
					     .region = secrets[i],
					     .host = secrets[i],
					     .tries = 1 };
		const struct http_reply reply = { .status = 403,
						  .body = secrets[i],
						  .body_len = strlen(secrets[i]),
						  .request_id = secrets[i],
						  .error_type = secrets[i],
						  .query_error = secrets[i] };
		err_set(&err, ERR_AUTH, "the signature of %s does not match", secrets[i]);
		err_subject(&err, "%s", secrets[i]);
		snprintf(err.aws_code, sizeof(err.aws_code), "%s", secrets[i]);
		snprintf(err.request_id, sizeof(err.request_id), "%s", secrets[i]);
		const struct auth_status status = { .has_credentials = true,
						    .provider = secrets[i],
						    .origin = secrets[i],
						    .account = secrets[i],
						    .err = &err };
		log_line(log, "%s", secrets[i]);
		trace_sent(trace, 1);
		trace_held(trace);
		trace_answered(trace, &reply, &err);
		trace_unanswered(trace, &err);
		trace_again(trace, 1);
		trace_failed(trace, &err);
		trace_credentials(log, &status);
		/* What is no code is cut where a code has its end, perhaps in a secret. */
		snprintf(err.aws_code, sizeof(err.aws_code), "%071d %s", 0, secrets[i]);
		trace_failed(trace, &err);
		err_clear(&err);
		char *text = close_log(log, name);
		expect_no_part(text, secrets[i]);
		free(text);
	}
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line__has_time_and_process__and_stays_one_line),
		cmocka_unit_test(second_log__goes_on_at_the_end),
		cmocka_unit_test(secrets__are_masked__in_every_frame),
		cmocka_unit_test(short_secrets__are_masked_by_their_name),
		cmocka_unit_test(long_line__is_masked_first__and_then_cut),
		cmocka_unit_test(log__ends_at_its_ceiling__and_says_so),
		cmocka_unit_test(files_of_others_and_links__are_refused),
		cmocka_unit_test(log__ends_with_the_reason__when_it_cannot_be_written),
		cmocka_unit_test(calls__are_a_line_for_each_step),
		cmocka_unit_test(credentials__are_named__not_shown),
		cmocka_unit_test(no_function__lets_a_secret_through),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

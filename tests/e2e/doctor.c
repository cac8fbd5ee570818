/* gpuq doctor: the real program against the real region, where all is well and where it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <sys/socket.h>

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define ENV_MAX  24
#define SOON_MS  20000
#define PASSWORD "hunter2-of-the-proxy"
#define SECRET   "simsecret"
#define TOKEN    "FwoGZXIvYXdzEXAMPLETOKEN"

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static int start(void **state)
{
	struct region *region = calloc(1, sizeof(*region));
	assert_non_null(region);
	region_start(region, still);
	*state = region;
	return 0;
}

static int stop(void **state)
{
	region_stop(*state);
	free(*state);
	return 0;
}

/* No secret of these tests is in any output, whatever is wrong. */
static void expect_no_secret(const struct process_result *result)
{
	static const char *const secrets[] = { SECRET, PASSWORD, TOKEN };
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
		assert_null(strstr(result->out, secrets[i]));
		assert_null(strstr(result->err, secrets[i]));
	}
}

/* With these words and variables alone (each NULL at the end). */
static void run(struct process_result *result, const char *const *words, const char *const *more)
{
	const char *env[ENV_MAX + 1] = { "LANG=C.UTF-8", "TZ=UTC",
					 "AWS_EC2_METADATA_DISABLED=true" };
	for (size_t i = 3; *more && i < ENV_MAX; i++)
		env[i] = *more++;
	process_run(result, words, env, NULL);
	expect_no_secret(result);
}

#define WORDS(...) ((const char *const[]){ region_program("gpuq"), __VA_ARGS__, NULL })
/* Without the pace, where nothing is said of it: three Describes would take a second. */
#define FAST(region, ...) \
	WORDS("doctor", "--endpoint-url", (region)->url, "--pace", "0", __VA_ARGS__)
#define ENV(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define KEYS     "AWS_ACCESS_KEY_ID=AKIDSIM", ("AWS_SECRET_ACCESS_KEY=" SECRET)
#define REGION   "AWS_REGION=us-east-1"

/* As an operator has it: keys and a region, and the region's endpoint. */
static void run_well(struct process_result *result, const struct region *region,
		     const char *const *words)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	run(result, words, ENV(KEYS, REGION, url));
}

static void want(const char *text, const char *part)
{
	if (strstr(text, part))
		return;
	fprintf(stderr, "doctor: no '%s' in:\n%s\n", part, text);
	fail();
}

static void want_none(const char *text, const char *part)
{
	if (!strstr(text, part))
		return;
	fprintf(stderr, "doctor: '%s' in:\n%s\n", part, text);
	fail();
}

static const char *const asked[] = { "ListTrainingJobs",
				     "DescribeTrainingJob",
				     "ListProcessingJobs",
				     "DescribeProcessingJob",
				     "Search",
				     "ListTrainingPlans",
				     "DescribeTrainingPlan",
				     "ListTags",
				     "GetServiceQuota",
				     "GetAWSDefaultServiceQuota",
				     "GetProducts",
				     "DescribeLogStreams",
				     "GetLogEvents",
				     "GetMetricData" };

static void all_is_well__and_each_permission_is_allowed(void **state)
{
	struct process_result result;
	run_well(&result, *state, WORDS("doctor"));
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	want(result.out, "region        us-east-1 (AWS_REGION)\n");
	want(result.out,
	     "credentials   AWS_ACCESS_KEY_ID of the environment; no expiry is known\n");
	want(result.out, "clock         agrees with AWS's\n");
	want(result.out, "endpoint      SageMaker, STS: 127.0.0.1:");
	want(result.out, "pace          at most 1 a second of each list, and 2 of all Describe; 5 "
			 "lists of all gpuq processes in the last 10 s, and 0 s of turns ahead (/");
	want(result.out, "sts:GetCallerIdentity: arn:aws:iam::111122223333:user/sim\n");
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		char line[96];
		snprintf(line, sizeof(line), "\u2713  permission    %s:%s: allowed\n",
			 strstr(asked[i], "ServiceQuota")  ? "servicequotas"
			 : strstr(asked[i], "GetProducts") ? "pricing"
			 : strstr(asked[i], "Log")         ? "logs"
			 : strstr(asked[i], "MetricData")  ? "cloudwatch"
							   : "sagemaker",
			 asked[i]);
		want(result.out, line);
	}
	want(result.out,
	     "sagemaker:CreateTrainingJob, sagemaker:CreateProcessingJob, sagemaker:AddTags, "
	     "sagemaker:StopTrainingJob, sagemaker:StopProcessingJob, iam:PassRole: not "
	     "checked: no call that needs it is harmless\n");
	want_none(result.out, "\u2717");
	want_none(result.out, "!  ");
	process_release(&result);
}

static bool is_asked(const char *operation)
{
	for (size_t i = 0; i < ARRAY_LEN(asked); i++)
		if (strcmp(asked[i], operation) == 0)
			return true;
	return strcmp(operation, "GetCallerIdentity") == 0;
}

/* By the region's own count. */
static void asking__takes_one_call_of_each__and_no_other_at_all(void **state)
{
	struct region region;
	struct region_state truth;
	struct process_result result;
	struct buf name;
	size_t seen = 0;
	(void)state;
	buf_init(&name, 128);
	region_start(&region, still);
	run_well(&result, &region, FAST(&region, "--output=table"));
	region_state(&region, &truth);
	size_t calls = json_doc_member(&truth.doc, 0, "calls");
	for (size_t at = json_doc_child(&truth.doc, calls); at != JSON_NONE;
	     at = json_doc_next(&truth.doc, at)) {
		char path[160];
		buf_clear(&name);
		assert_true(json_doc_key(&truth.doc, at, &name));
		snprintf(path, sizeof(path), "calls.%s.ok", buf_text(&name));
		long count = region_number(&truth, path, -1);
		snprintf(path, sizeof(path), "calls.%s.failed", buf_text(&name));
		count += region_number(&truth, path, -1);
		if (count != is_asked(buf_text(&name)))
			fail_msg("%s: %ld calls", buf_text(&name), count);
		seen += is_asked(buf_text(&name));
	}
	assert_int_equal(seen, ARRAY_LEN(asked) + 1);
	buf_release(&name);
	region_state_release(&truth);
	process_release(&result);
	region_stop(&region);
}

/* The promised members, and nothing that is no JSON. */
static void json__has_every_row__with_all_members(void **state)
{
	const struct region *region = *state;
	static const char *const members[] = { "id",  "severity",   "subject",     "text",
					       "fix", "expires_at", "skew_seconds" };
	struct process_result result;
	struct json_doc doc;
	struct err err = { 0 };
	size_t rows = 0, lines = 0;
	run_well(&result, region, FAST(region, "-o", "json", "--read-only"));
	assert_int_equal(result.status, 0);
	assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
	for (size_t at = json_doc_child(&doc, 0); at != JSON_NONE; at = json_doc_next(&doc, at)) {
		for (size_t i = 0; i < ARRAY_LEN(members); i++)
			assert_int_not_equal(json_doc_member(&doc, at, members[i]), JSON_NONE);
		rows++;
	}
	want(result.out,
	     "{\"id\":\"permission\",\"severity\":\"ok\",\"subject\":\"sagemaker:Search\","
	     "\"text\":\"allowed\",\"fix\":null,");
	want(result.out, "\"subject\":\"iam:PassRole\",\"text\":\"not checked: not needed while "
			 "read-only\"");
	want(result.out, "\"skew_seconds\":0}");
	json_doc_release(&doc);
	process_release(&result);

	run_well(&result, region, FAST(region, "-o", "jsonl"));
	for (const char *at = result.out; *at; at++)
		lines += *at == '\n';
	assert_int_equal(lines, rows);
	process_release(&result);

	run_well(&result, region, FAST(region, "-o", "csv"));
	want(result.out, "id,severity,subject,text,fix,expires_at,skew_seconds\nterminal,ok,,");
	process_release(&result);
}

/* --- permissions --- */

/* In the words of IAM. */
static void deny(const struct region *region, const char *operation, const char *why)
{
	region_control(
		region, "fault",
		"{\"operation\":\"%s\",\"count\":1,\"status\":400,\"body\":\"{\\\"__type\\\":"
		"\\\"AccessDeniedException\\\",\\\"Message\\\":\\\"User: "
		"arn:aws:iam::111122223333:user/ops is not authorized to perform: "
		"sagemaker:%s on resource: * %s\\\"}\"}",
		operation, operation, why);
}

static void search_denied__is_a_warning__with_what_is_lost(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	deny(region, "Search",
	     "because no identity-based policy allows the sagemaker:Search action");
	run_well(&result, region, FAST(region, "--output=table"));
	assert_int_equal(result.status, 0);
	want(result.out, "!  permission    sagemaker:Search: not allowed; principal: "
			 "arn:aws:iam::111122223333:user/ops; resource: *; because no "
			 "identity-based policy allows the sagemaker:Search action "
			 "(AccessDeniedException");
	want(result.out, "; without it training jobs are found by lists alone");
	want(result.out,
	     "-> Ask for the permission; gpuq iam-policy prints all that gpuq needs.\n");
	want(result.out, "sagemaker:ListTags: allowed\n");
	process_release(&result);
}

static void list_denied__fails__and_an_explicit_deny_is_said(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	deny(region, "ListTrainingJobs", "with an explicit deny in a service control policy");
	run_well(&result, region, FAST(region, "--output=table"));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2717  permission    sagemaker:ListTrainingJobs: explicitly denied; ");
	want(result.out, "without it training jobs are not seen -> More permissions do not lift "
			 "that: ask who keeps the policies.\n");
	/* The others are tried all the same. */
	want(result.out, "sagemaker:DescribeTrainingJob: allowed\n");
	process_release(&result);
}

/* --- credentials --- */

static void nothing_set__is_said_row_by_row(void **state)
{
	struct process_result result;
	(void)state;
	run(&result, WORDS("doctor"), ENV("TERM=dumb"));
	assert_int_equal(result.status, 4);
	assert_string_equal(result.err, "");
	want(result.out, "-  file          /nonexistent/.aws/config, "
			 "/nonexistent/.aws/credentials: there is no such file\n");
	want(result.out,
	     "\u2717  region        no region is set; looked at --region, AWS_REGION, ");
	want(result.out, "-> Name a region with --region or AWS_REGION.\n");
	want(result.out, "\u2717  credentials   no credentials are set up -> Set some up with ");
	want(result.out, "-  clock         not measured: AWS has not answered\n");
	want(result.out, "cloudwatch:GetMetricData: not checked: there are no credentials\n");
	process_release(&result);
}

/* Who signs is known without a region; what may be done is not. */
static void no_region__is_a_setting_that_is_missing(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	run(&result, WORDS("doctor"), ENV(KEYS, url));
	assert_int_equal(result.status, 2);
	want(result.out, "sts:GetCallerIdentity: arn:aws:iam::111122223333:user/sim\n");
	want(result.out, "cloudwatch:GetMetricData: not checked: there is no region\n");
	process_release(&result);
}

static void expired_keys__by_the_environment__and_by_aws(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	run(&result, FAST(region, "--output=table"),
	    ENV(KEYS, REGION, url, "AWS_CREDENTIAL_EXPIRATION=2020-01-01T00:00:00Z"));
	assert_int_equal(result.status, 4);
	want(result.out,
	     "\u2717  credentials   environment: it gave credentials that have expired -> "
	     "Sign in again, for example with `aws sso login`.\n");
	process_release(&result);

	region_control(region, "fault",
		       "{\"operation\":\"ListTrainingJobs\",\"count\":9,\"status\":400,"
		       "\"code\":\"ExpiredTokenException\"}");
	run(&result, FAST(region, "--output=table"),
	    ENV(KEYS, REGION, url, ("AWS_SESSION_TOKEN=" TOKEN)));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2717  identity      sts:GetCallerIdentity: ");
	process_release(&result);
	region_control(region, "fault", "{\"operation\":\"ListTrainingJobs\",\"count\":0}");
}

/* A file of profiles in a folder of its own; the caller frees the path. */
static char *write_profiles(const char *text)
{
	char path[] = "/tmp/gpuq-doctor-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
	return strdup(path);
}

static const char profiles[] = "[profile ops]\n"
			       "region = us-east-1 # the east\n"
			       "aws_access_key_id = AKIDSIM\n"
			       "aws_secret_access_key = " SECRET "\n"
			       "[profile corp]\n"
			       "region = us-east-1\n"
			       "sso_session = corp\n"
			       "sso_account_id = 111122223333\n"
			       "sso_role_name = Admin\n"
			       "[sso-session corp]\n"
			       "sso_region = us-east-1\n"
			       "sso_start_url = https://corp.awsapps.com/start\n"
			       "[profile odd]\n"
			       "aws_secret_access_key " SECRET "\n";

static void profile__unknown_expired_or_damaged__is_said_with_what_to_do(void **state)
{
	struct process_result result;
	char *path = write_profiles(profiles), variable[96];
	(void)state;
	snprintf(variable, sizeof(variable), "AWS_CONFIG_FILE=%s", path);
	run(&result, WORDS("doctor", "--profile", "opps"), ENV(variable));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2717  profile       opps: it is named by --profile, but is not there.");
	want(result.out, "ops, corp, odd");
	want(result.out, "-  region        not known, since the profile is not\n");
	process_release(&result);

	run(&result, WORDS("doctor", "-p", "corp"), ENV(variable));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2713  profile       corp: named by --profile\n");
	want(result.out, "run aws sso login --profile corp");
	want(result.out,
	     "\u2713  endpoint      SageMaker: api.sagemaker.us-east-1.amazonaws.com\n");
	process_release(&result);

	/* The value with a comment in it is no region; the damage is another profile's. */
	run(&result, WORDS("doctor"), ENV(variable, "AWS_PROFILE=ops"));
	assert_int_equal(result.status, 2);
	want(result.out, ": line 2, [profile ops] region: a # or ; behind a value is part of it");
	want(result.out, "\u2717  region        profile ops in ");
	want(result.out, "us-east-1 # the east is not the name of a region");
	want(result.out, "!  file          ");
	process_release(&result);

	run(&result, WORDS("doctor"), ENV(variable, "AWS_PROFILE=odd", REGION));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2717  file          ");
	want(result.out, ": line 14, [profile odd]: ");
	process_release(&result);
	assert_int_equal(unlink(path), 0);
	free(path);
}

/* --- clock and network --- */

/* In a region of its own, since a clock cannot be put back. */
static void clock_behind__is_a_warning_while_it_is_corrected(void **state)
{
	struct region region;
	struct process_result result;
	char url[96];
	(void)state;
	region_start(&region, still);
	region_control(&region, "advance", "{\"seconds\":924}");
	region_control(&region, "skew", "{\"seconds\":0}");
	run_well(&result, &region, FAST(&region, "--output=table"));
	assert_int_equal(result.status, 0);
	want(result.out, "!  clock         15 min 2");
	want(result.out,
	     " s behind; corrected: gpuq goes by AWS's -> Set this machine's clock: AWS "
	     "accepts five minutes of difference.\n");
	want(result.out, "sagemaker:ListTags: allowed\n");
	process_release(&result);

	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region.url);
	run(&result, FAST(&region, "--output=table"),
	    ENV(KEYS, REGION, url, "AWS_DISABLE_CLOCK_SKEW_CORRECTION=true"));
	assert_int_equal(result.status, 4);
	want(result.out, "\u2717  clock         15 min 2");
	want(result.out, "; not corrected: AWS_DISABLE_CLOCK_SKEW_CORRECTION is set");
	process_release(&result);
	region_stop(&region);
}

/* A port where nobody listened a moment ago. */
static int dead_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	assert_int_equal(close(fd), 0);
	return ntohs(address.sin_port);
}

static void refused_port__is_no_answer__and_asked_once(void **state)
{
	struct process_result result;
	char url[96], words[128];
	int port = dead_port();
	(void)state;
	snprintf(url, sizeof(url), "http://127.0.0.1:%d", port);
	run(&result, WORDS("doctor", "--endpoint-url", url), ENV(KEYS, REGION));
	assert_int_equal(result.status, 5);
	snprintf(words, sizeof(words),
		 "\u2717  permission    sagemaker:ListTrainingJobs: no connection to 127.0.0.1:%d",
		 port);
	want(result.out, words);
	want(result.out, "not checked: as sagemaker:ListTrainingJobs has failed, so would this\n");
	want(result.out, "-> Check the network, the proxy and the endpoint.\n");
	process_release(&result);
}

/* AWS's own hosts, by a proxy where nobody listens: nothing leaves the machine. */
static void proxy__is_named_without_its_password(void **state)
{
	struct process_result result;
	char proxy[128], shown[64];
	int port = dead_port();
	(void)state;
	snprintf(proxy, sizeof(proxy), "HTTPS_PROXY=http://me:" PASSWORD "@127.0.0.1:%d", port);
	snprintf(shown, sizeof(shown), ": by 127.0.0.1:%d (HTTPS_PROXY)\n", port);
	run(&result, WORDS("doctor"), ENV(KEYS, REGION, proxy));
	assert_int_equal(result.status, 5);
	want(result.out, shown);
	want(result.out, "no connection to the proxy 127.0.0.1:");
	want(result.out, "-> Check HTTPS_PROXY; NO_PROXY lists the hosts that need no proxy.\n");
	process_release(&result);

	run(&result, WORDS("doctor"),
	    ENV(KEYS, REGION, ("HTTPS_PROXY=gopher://me:" PASSWORD "@p")));
	assert_int_equal(result.status, 2);
	want(result.out, "HTTPS_PROXY does not hold the URL of a proxy");
	process_release(&result);

	run(&result, WORDS("doctor", "--endpoint-url", ("http://me:" PASSWORD "@127.0.0.1")),
	    ENV(KEYS, REGION));
	assert_int_equal(result.status, 2);
	want(result.out, "\u2717  endpoint      SageMaker, STS: --endpoint-url: ");
	process_release(&result);
}

/* --- the program's own config --- */

static void config__bad_or_missing__is_a_row_and_no_early_end(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	char *path = write_profiles("region = us-east-1\ncolour = blue\n");
	run_well(&result, region, FAST(region, "--config", "/nonexistent/config"));
	assert_int_equal(result.status, 2);
	want(result.out,
	     "\u2717  config        /nonexistent/config: cannot be opened: No such file");
	want(result.out, "sagemaker:Search: allowed\n");
	process_release(&result);

	run_well(&result, region, FAST(region, "--config", path));
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	want(result.out, ": line 2, colour: there is no such setting");
	process_release(&result);

	run(&result, WORDS("doctor", "--config", path), ENV("TERM=dumb"));
	want(result.out, "\u2713  region        us-east-1 (gpuq's config line 1)\n");
	process_release(&result);
	assert_int_equal(unlink(path), 0);
	free(path);
}

/* --- how it looks --- */

static void expect_ascii(const char *text)
{
	for (; *text; text++)
		assert_in_range((unsigned char)*text, '\n', '~');
}

static void ascii__has_words_for_marks__as_the_c_locale_has(void **state)
{
	const struct region *region = *state;
	struct process_result result;
	char url[96];
	run_well(&result, region, FAST(region, "--ascii"));
	want(result.out, "ok    permission    sagemaker:Search: allowed\n");
	want(result.out, "skip  permission    servicequotas:RequestServiceQuotaIncrease, ");
	expect_ascii(result.out);
	process_release(&result);
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	const char *env[] = { KEYS, REGION, url, "LANG=C", "TZ=UTC", NULL };
	process_run(&result, FAST(region, "--output=table"), env, NULL);
	want(result.out, "ok    permission    sagemaker:Search: allowed\n");
	expect_ascii(result.out);
	process_release(&result);
}

/* On a terminal of 80 columns lines are broken at words, and the marks stay alone at the left. */
static void terminal__breaks_lines_at_its_width(void **state)
{
	const struct region *region = *state;
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	struct pty *pty = pty_start(&(struct pty_options){ .argv = WORDS("doctor"),
							   .env = ENV(KEYS, REGION, url),
							   .columns = 80,
							   .lines = 50 });
	int status, x, y;
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_string_equal(pty_line(pty, 0),
			    "\u2713  terminal      xterm-256color, 80x50, UTF-8, 256 colours");
	assert_true(pty_find(pty, "sagemaker:CreateTrainingJob,", &x, &y));
	assert_int_equal(x, 17);
	assert_string_equal(pty_line(pty, y + 1),
			    "                 sagemaker:AddTags, sagemaker:StopTrainingJob,");
	assert_string_equal(pty_line(pty, y + 2),
			    "                 sagemaker:StopProcessingJob, iam:PassRole: not "
			    "checked: no call");
	assert_string_equal(pty_line(pty, y + 3), "                 that needs it is harmless");
	pty_stop(pty);
}

static void demo__needs_nothing(void **state)
{
	struct process_result result;
	(void)state;
	run(&result, WORDS("doctor", "--demo"), ENV("AWS_PROFILE=none", "AWS_REGION=??"));
	assert_int_equal(result.status, 0);
	want(result.out, "region        us-east-1 (--demo)\n");
	want(result.out, "sagemaker:ListTags: allowed\n");
	process_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_well__and_each_permission_is_allowed),
		cmocka_unit_test(asking__takes_one_call_of_each__and_no_other_at_all),
		cmocka_unit_test(json__has_every_row__with_all_members),
		cmocka_unit_test(search_denied__is_a_warning__with_what_is_lost),
		cmocka_unit_test(list_denied__fails__and_an_explicit_deny_is_said),
		cmocka_unit_test(nothing_set__is_said_row_by_row),
		cmocka_unit_test(no_region__is_a_setting_that_is_missing),
		cmocka_unit_test(expired_keys__by_the_environment__and_by_aws),
		cmocka_unit_test(profile__unknown_expired_or_damaged__is_said_with_what_to_do),
		cmocka_unit_test(clock_behind__is_a_warning_while_it_is_corrected),
		cmocka_unit_test(refused_port__is_no_answer__and_asked_once),
		cmocka_unit_test(proxy__is_named_without_its_password),
		cmocka_unit_test(config__bad_or_missing__is_a_row_and_no_early_end),
		cmocka_unit_test(ascii__has_words_for_marks__as_the_c_locale_has),
		cmocka_unit_test(terminal__breaks_lines_at_its_width),
		cmocka_unit_test(demo__needs_nothing),
	};
	return cmocka_run_group_tests(tests, start, stop);
}

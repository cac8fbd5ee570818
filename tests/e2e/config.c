/* The program with a config file: what it takes from it, and how it lives with a bad one. */
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

#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"

#define ARGS_MAX  24
#define SOON_MS   20000
#define PATH_SIZE 256

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static char folder[] = "/tmp/gpuq-config-XXXXXX";

struct bench {
	struct region region;
	char config[PATH_SIZE]; /* of --config */
};

static int start(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	assert_non_null(bench);
	assert_non_null(mkdtemp(folder));
	snprintf(bench->config, sizeof(bench->config), "%s/named", folder);
	region_start(&bench->region, still);
	*state = bench;
	return 0;
}

static int stop(void **state)
{
	struct bench *bench = *state;
	region_stop(&bench->region);
	free(bench);
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

/* Runs a program with words (NULL at the end), in an environment of keys and of `more`. */
static void run(struct process_result *result, const struct bench *bench, const char *more,
		const char *const *words)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", bench->region.url);
	const char *env[] = { "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "LANG=C.UTF-8",
			      "TZ=UTC",
			      url,
			      more ? more : "AWS_REGION=us-east-1",
			      NULL };
	process_run(result, words, env, NULL);
}

#define GPUQ(result, bench, ...) \
	run(result, bench, NULL, (const char *const[]){ region_program("gpuq"), __VA_ARGS__, NULL })

static void want(const char *text, const char *part)
{
	if (strstr(text, part))
		return;
	fprintf(stderr, "config: no '%s' in:\n%s\n", part, text);
	fail();
}

static void config__prints_the_defaults__without_a_file(void **state)
{
	struct process_result result;
	GPUQ(&result, *state, "config");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	want(result.out, "SETTING         VALUE      ORIGIN");
	want(result.out, "region          us-east-1  environment AWS_REGION");
	want(result.out, "refresh         5          default");
	want(result.out, "theme           dark       default");
	want(result.out, "\nconfig: /nonexistent/.config/gpuq/config (there is none)\n");
	process_release(&result);
}

static void config__says_where_each_value_comes_from__as_json(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	char line[512];
	write_file(bench->config,
		   "# ours\nrefresh = 30\n\n[profile ops]\nsince = 12h\nread_only = "
		   "yes\n[keys]\nfilter = C-f\n",
		   0600);
	GPUQ(&result, bench, "config", "-o", "jsonl", "--config", bench->config, "-p", "ops",
	     "--refresh", "7");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	snprintf(line, sizeof(line),
		 "{\"name\":\"since\",\"value\":\"12h\",\"origin\":\"config line 5 [profile "
		 "ops]\",\"file\":\"%s\",\"line\":5,\"default\":\"7d\",\"takes\":\"a duration from "
		 "1s to 3650d, such as 90m, 6h or 7d\",\"help\":\"how far back ended jobs are "
		 "listed\",\"has_effect\":true}\n",
		 bench->config);
	want(result.out, line);
	want(result.out, "{\"name\":\"refresh\",\"value\":\"7\",\"origin\":\"option "
			 "--refresh\",\"file\":null,\"line\":null,");
	want(result.out, "{\"name\":\"theme\",");
	want(result.out, "{\"name\":\"keys.filter\",\"value\":\"C-f F4\",\"origin\":\"config line "
			 "8 [keys]\",");
	want(result.out,
	     "\"default\":\"f F4 \\\\\",\"takes\":\"names of keys, parted by blanks\",");
	want(result.out, "{\"name\":\"allow_http\",\"value\":\"no\",\"origin\":\"default\",");
	process_release(&result);
	GPUQ(&result, bench, "config", "-o", "json", "--config", bench->config);
	want(result.out, "[{\"name\":\"read_only\",\"value\":\"no\",");
	want(result.out, "}]\n");
	process_release(&result);
	GPUQ(&result, bench, "config", "-o", "csv", "--config", bench->config);
	want(result.out, "name,value,origin,file,line,default,takes,help,has_effect\n");
	want(result.out, "\nrefresh,30,config line 2,/tmp/");
	process_release(&result);
}

static void bad_lines__are_said__and_the_command_goes_on(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	char said[1024];
	write_file(bench->config, "refresh = 0\nreed_only = yes\ncolumns = name\n", 0600);
	GPUQ(&result, bench, "jobs", "--status", "pending", "--config", bench->config);
	assert_int_equal(result.status, 0);
	want(result.out, "NAME");
	snprintf(said, sizeof(said),
		 "gpuq: %s, line 1, refresh: takes seconds from 1 to 3600, not '0'\n"
		 "gpuq: %s, line 2, reed_only: there is no such setting; did you mean read_only?\n",
		 bench->config, bench->config);
	assert_string_equal(result.err, said);
	process_release(&result);
}

static void named_file__has_to_be_there__and_to_be_one(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	GPUQ(&result, bench, "config", "--config", "/nonexistent/config");
	assert_int_equal(result.status, 2);
	assert_string_equal(result.out, "");
	assert_string_equal(result.err, "gpuq: /nonexistent/config: cannot be opened: No such file "
					"or directory\n");
	process_release(&result);
	write_file(bench->config, "\xFF\xFEr", 0600);
	GPUQ(&result, bench, "jobs", "--config", bench->config);
	assert_int_equal(result.status, 2);
	want(result.err, "is saved as UTF-16; save it as UTF-8\n");
	process_release(&result);
	GPUQ(&result, bench, "config", "--config", "/dev/null");
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	process_release(&result);
}

static void read_only__of_a_profile__refuses_a_submission(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	char request[PATH_SIZE];
	snprintf(request, sizeof(request), "%s/request.json", folder);
	write_file(request,
		   "{\"TrainingJobName\":\"from-a-config-test\","
		   "\"AlgorithmSpecification\":{\"TrainingImage\":\"111122223333.dkr.ecr."
		   "us-east-1.amazonaws.com/t:1\",\"TrainingInputMode\":\"File\"},"
		   "\"RoleArn\":\"arn:aws:iam::111122223333:role/r\","
		   "\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"
		   "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":1,"
		   "\"VolumeSizeInGB\":30},\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}",
		   0600);
	write_file(bench->config, "[profile default]\nread_only = yes\n", 0600);
	GPUQ(&result, bench, "submit", request, "--yes", "--config", bench->config);
	assert_int_equal(result.status, 2);
	want(result.err, "submit: changes something, and read_only is on: config line 2 [profile "
			 "default]\n");
	process_release(&result);
	GPUQ(&result, bench, "submit", request, "--yes", "--read-only");
	assert_int_equal(result.status, 2);
	want(result.err, "read_only is on: option --read-only\n");
	process_release(&result);
}

/* 0.0.0.0 is this machine by another name, so that nothing leaves it. */
static void allow_http__opens_plain_http(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	write_file(bench->config, "", 0600);
	GPUQ(&result, bench, "jobs", "--endpoint-url", "http://0.0.0.0:1", "--config",
	     bench->config);
	assert_int_equal(result.status, 2);
	want(result.err, "http to 0.0.0.0:1 is refused");
	process_release(&result);
	write_file(bench->config, "allow_http = yes\n", 0600);
	GPUQ(&result, bench, "jobs", "--endpoint-url", "http://0.0.0.0:1", "--config",
	     bench->config);
	assert_int_equal(result.status, 5);
	process_release(&result);
}

static void profile__is_that_of_option_or_file(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	char path[PATH_SIZE], variable[PATH_SIZE + 32];
	snprintf(path, sizeof(path), "%s/aws", folder);
	snprintf(variable, sizeof(variable), "AWS_CONFIG_FILE=%s", path);
	write_file(path,
		   "[profile ops]\nregion = us-east-1\naws_access_key_id = AKIDSIM\n"
		   "aws_secret_access_key = simsecret\n",
		   0600);
	write_file(bench->config, "profile = nosuch\n", 0600);
	run(&result, bench, variable,
	    (const char *const[]){ region_program("gpuq"), "jobs", "--config", bench->config,
				   NULL });
	assert_int_equal(result.status, 4);
	want(result.err, "profile nosuch: it is named by gpuq's config line 1, but is not there");
	want(result.err, "Found: ops.");
	process_release(&result);
	run(&result, bench, variable,
	    (const char *const[]){ region_program("gpuq"), "jobs", "--config", bench->config, "-p",
				   "ops", NULL });
	assert_int_equal(result.status, 0);
	process_release(&result);
}

/* The standard file cannot be read: the program goes on, and changes nothing. */
static void unreadable_file__makes_it_read_only(void **state)
{
	struct process_result result;
	char program[PATH_SIZE], path[PATH_SIZE], variable[PATH_SIZE + 32];
	const char *as_nobody[] = { "/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
				    "--clear-groups",   program,         "config",
				    "--region",         "us-east-1",     NULL };
	/* Nobody may not reach the build folder everywhere. */
	snprintf(program, sizeof(program), "%s/gpuq", folder);
	run(&result, *state, NULL,
	    (const char *const[]){ "/bin/cp", region_program("gpuq"), program, NULL });
	assert_int_equal(result.status, 0);
	process_release(&result);
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(path, sizeof(path), "%s/xdg", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/xdg/gpuq", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(path, sizeof(path), "%s/xdg/gpuq/config", folder);
	write_file(path, "refresh = 30\n", 0);
	snprintf(variable, sizeof(variable), "XDG_CONFIG_HOME=%s/xdg", folder);
	run(&result, *state, variable, getuid() == 0 ? as_nobody : as_nobody + 4);
	assert_int_equal(result.status, 0);
	want(result.err,
	     "/xdg/gpuq/config: cannot be opened: Permission denied; until it is mended "
	     "every change is refused\n");
	want(result.out, "read_only       yes        config, which cannot be read");
	want(result.out, "refresh         5          default");
	process_release(&result);
}

/* --- the dashboard --- */

static struct pty *start_gpuq(const struct bench *bench)
{
	char url[96];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", bench->region.url);
	const char *argv[] = { region_program("gpuq"), "--config", bench->config, NULL };
	const char *env[] = { url,
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      "AWS_REGION=us-east-1",
			      "TZ=UTC-3",
			      NULL };
	return pty_start(&(struct pty_options){ .argv = argv, .env = env });
}

static void want_shown(struct pty *pty, const char *text)
{
	if (pty_wait_text(pty, text, SOON_MS))
		return;
	fprintf(stderr, "config: '%s' never came:\n%s\n", text, pty_text(pty));
	fail();
}

static void leave(struct pty *pty)
{
	int status;
	pty_type(pty, "\x03\x03");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
}

static void dashboard__starts_with_a_bad_file__and_says_so(void **state)
{
	struct bench *bench = *state;
	write_file(bench->config, "refresh = 0\nreed_only = yes\n", 0600);
	struct pty *pty = start_gpuq(bench);
	want_shown(pty, "config: 2 warnings, gpuq config has them all; line 1, refresh: takes");
	want_shown(pty, "live");
	leave(pty);
}

static void dashboard__takes_what_the_file_says(void **state)
{
	struct bench *bench = *state;
	write_file(bench->config, "utc = yes\nascii = yes\nconfirm_above = 0\n", 0600);
	struct pty *pty = start_gpuq(bench);
	want_shown(pty, "live");
	assert_null(strstr(pty_text(pty), "\u2502")); /* no box drawing */
	pty_type(pty, "frunning\r");
	want_shown(pty, "Running");
	pty_type(pty, "d");
	want_shown(pty, "(UTC)");
	pty_type(pty, "q");
	want_shown(pty, "Running");
	pty_type(pty, "S");
	want_shown(pty, "Type the name and Enter for yes");
	leave(pty);
	write_file(bench->config, "read_only = yes\n", 0600);
	pty = start_gpuq(bench);
	want_shown(pty, "read-only");
	leave(pty);
}

/* product.md: read_only is only ever switched on; a bad file changes nothing. */
static void dashboard__reads_the_file_anew__by_its_key(void **state)
{
	struct bench *bench = *state;
	write_file(bench->config, "utc = yes\n", 0600);
	struct pty *pty = start_gpuq(bench);
	want_shown(pty, "live");
	write_file(bench->config, "ascii = yes\n[keys]\nfilter = C-f\nquit = p\n", 0600);
	pty_type(pty, "\x0c");
	want_shown(pty, "config not taken, nothing changed: line 4, [keys] quit: p is");
	pty_type(pty, "f");
	want_shown(pty, "filter: ");
	pty_type(pty, "\r");
	write_file(bench->config, "read_only = yes\nascii = yes\n[keys]\nfilter = C-f\n", 0600);
	pty_type(pty, "\x0c");
	want_shown(pty, "the config is taken; at the next start: ascii; read-only from now on");
	pty_type(pty, "\x06");
	want_shown(pty, "filter: ");
	pty_type(pty, "\rS");
	want_shown(pty, "read-only: no key changes AWS");
	write_file(bench->config, "production = yes\n", 0600);
	pty_type(pty, ":reload\r");
	want_shown(pty, "read-only until the next start");
	want_shown(pty, " PRODUCTION ");
	pty_type(pty, "S");
	want_shown(pty, "read-only: no key changes AWS");
	leave(pty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(config__prints_the_defaults__without_a_file),
		cmocka_unit_test(config__says_where_each_value_comes_from__as_json),
		cmocka_unit_test(bad_lines__are_said__and_the_command_goes_on),
		cmocka_unit_test(named_file__has_to_be_there__and_to_be_one),
		cmocka_unit_test(read_only__of_a_profile__refuses_a_submission),
		cmocka_unit_test(allow_http__opens_plain_http),
		cmocka_unit_test(profile__is_that_of_option_or_file),
		cmocka_unit_test(unreadable_file__makes_it_read_only),
		cmocka_unit_test(dashboard__starts_with_a_bad_file__and_says_so),
		cmocka_unit_test(dashboard__takes_what_the_file_says),
		cmocka_unit_test(dashboard__reads_the_file_anew__by_its_key),
	};
	return cmocka_run_group_tests(tests, start, stop);
}

/*
 * A second witness that nobody here wrote: moto's SageMaker server, where python3 has it. List,
 * describe and create of the client against it; skipped where it is absent.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include "model/base/jsontext.h"
#include "tests/process.h"
#include "tests/region.h"

#define START_TRIES 300 /* of 100 ms */

struct moto {
	pid_t pid;
	int port;
	char url[64];
};

static bool is_present(void)
{
	struct process_result result;
	char path[4096];
	snprintf(path, sizeof(path), "PATH=%s", getenv("PATH"));
	const char *home = getenv("HOME");
	char home_text[512];
	snprintf(home_text, sizeof(home_text), "HOME=%s", home ? home : "/");
	const char *argv[] = { "/usr/bin/env", "python3", "-c", "import moto.server", NULL };
	const char *env[] = { path, home_text, NULL };
	process_run(&result, argv, env, NULL);
	bool present = result.status == 0;
	process_release(&result);
	return present;
}

/* A port that was free a moment ago. */
static int free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	close(fd);
	return ntohs(address.sin_port);
}

static bool is_listening(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	bool ok = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return ok;
}

static void start(struct moto *moto)
{
	char port[16];
	moto->port = free_port();
	snprintf(port, sizeof(port), "%d", moto->port);
	snprintf(moto->url, sizeof(moto->url), "http://127.0.0.1:%d", moto->port);
	moto->pid = fork();
	assert_true(moto->pid >= 0);
	if (moto->pid == 0) {
		int null = open("/dev/null", O_RDWR);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execlp("python3", "python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", port,
		       (char *)NULL);
		_exit(127);
	}
	for (int i = 0; !is_listening(moto->port); i++) {
		assert_true(i < START_TRIES);
		poll(NULL, 0, 100);
	}
}

static void run(struct process_result *result, const struct moto *moto, const char *input,
		const char *const *words)
{
	char program[512];
	const char *argv[16] = { program, "--endpoint-url", moto->url, "--pace", "0" };
	const char *env[] = { "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b",
			      "AWS_REGION=us-east-1", "LANG=C.UTF-8", NULL };
	snprintf(program, sizeof(program), "%s", region_program("gpuq"));
	for (size_t i = 5; *words; i++)
		argv[i] = *words++;
	process_run(result, argv, env, input);
}

#define REQUEST(name)                                                                          \
	"{\"TrainingJobName\":\"" name "\",\"RoleArn\":\"arn:aws:iam::123456789012:role/r\","  \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"x\",\"TrainingInputMode\":\"File\"}," \
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/"                                     \
	"o\"},\"ResourceConfig\":{\"InstanceType\":"                                           \
	"\"ml.g5.2xlarge\",\"InstanceCount\":3,\"VolumeSizeInGB\":100},\"StoppingCondition\":" \
	"{\"MaxRuntimeInSeconds\":3600}}"

static void submit(const struct moto *moto, const char *request, int status)
{
	struct process_result result;
	run(&result, moto, request, (const char *const[]){ "submit", "-", "--yes", NULL });
	if (result.status != status)
		fail_msg("submit: %d %s", result.status, result.err);
	process_release(&result);
}

static void client__lists_describes_and_creates__on_moto(void **state)
{
	(void)state;
	struct moto moto;
	struct process_result result;
	struct json_doc doc;
	struct err err = { 0 };
	int64_t count = 0;
	if (!is_present()) {
		puts("skipped: python3 has no moto.server");
		return;
	}
	start(&moto);
	submit(&moto, REQUEST("first-1"), 0);
	submit(&moto, REQUEST("second-2"), 0);
	run(&result, &moto, NULL, (const char *const[]){ "jobs", "-o", "json", NULL });
	if (result.status != 0)
		fail_msg("jobs: %d %s", result.status, result.err);
	assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
	assert_int_equal(json_doc_length(&doc, 0), 2);
	assert_non_null(strstr(result.out, "\"name\":\"first-1\""));
	assert_non_null(strstr(result.out, "\"name\":\"second-2\""));
	json_doc_release(&doc);
	process_release(&result);
	run(&result, &moto, NULL, (const char *const[]){ "show", "second-2", "-o", "json", NULL });
	if (result.status != 0)
		fail_msg("show: %d %s", result.status, result.err);
	assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
	assert_true(json_doc_integer(&doc, json_doc_path(&doc, "preferences[0].instance_count"),
				     &count));
	assert_int_equal(count, 3);
	assert_non_null(strstr(result.out, "ml.g5.2xlarge"));
	json_doc_release(&doc);
	process_release(&result);
	kill(moto.pid, SIGKILL);
	waitpid(moto.pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(client__lists_describes_and_creates__on_moto),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

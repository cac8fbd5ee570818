/* Runs a program to its end for a test: arguments and environment in, output and status out. */
#ifndef GPUQ_TESTS_PROCESS_H
#define GPUQ_TESTS_PROCESS_H

#include <sys/types.h>

struct process_result {
	int status;      /* exit status; 128 + signal when killed */
	char *out, *err; /* owned, NUL-terminated */
};

/*
 * argv[0] is a path; env is a whole environment ("NAME=value", NULL at the end), to which
 * HOME=/nonexistent and a folder for state that goes with the test are added where it has none;
 * input is given on standard input (NULL: /dev/null). A program that takes over 60 seconds fails
 * the test.
 */
void process_run(struct process_result *result, const char *const *argv, const char *const *env,
		 const char *input);
void process_release(struct process_result *result);

/* A figure of /proc/PID/status by its name ("VmRSS"), in KiB; -1 = the process is gone. */
long process_status_kib(pid_t pid, const char *name);

#endif

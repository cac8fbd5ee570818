#include "model/reason.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SIGNAL_BASE 128 /* a shell's exit code for an end by a signal is this and its number */
#define CODE_MAX    255

static const char capacity[] = "CapacityError";

/* Of Linux, by number: signal(7). */
static const struct {
	int number;
	const char *name;
} signals[] = {
	{ 1, "SIGHUP" },   { 2, "SIGINT" },   { 3, "SIGQUIT" },  { 4, "SIGILL" },
	{ 5, "SIGTRAP" },  { 6, "SIGABRT" },  { 7, "SIGBUS" },   { 8, "SIGFPE" },
	{ 9, "SIGKILL" },  { 10, "SIGUSR1" }, { 11, "SIGSEGV" }, { 12, "SIGUSR2" },
	{ 13, "SIGPIPE" }, { 14, "SIGALRM" }, { 15, "SIGTERM" }, { 24, "SIGXCPU" },
	{ 25, "SIGXFSZ" }, { 31, "SIGSYS" },
};

static const char *failure(const struct job *job)
{
	return job_phase(job) == PHASE_FAILED && job->failure_reason ? job->failure_reason : "";
}

bool reason_is_capacity(const struct job *job)
{
	return strncmp(failure(job), capacity, strlen(capacity)) == 0;
}

/* Behind the class of the error, "AlgorithmError: ". */
static const char *without_class(const char *text)
{
	size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	if (text[len] == ':')
		text += len + 1;
	return text + strspn(text, ", ");
}

/* Behind "Exit Code: ", as services and images write it; NULL where it is not there. */
static const char *behind_words(const char *text)
{
	static const char *const words[] = { "exit code", "exitcode" };

	for (size_t i = 0; text[0] && i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i]);

		if (strncasecmp(text, words[i], len) == 0)
			return text + len + strspn(text + len, ": ");
	}
	return NULL;
}

/* The code of a reason that is nothing but an exit code; else -1. */
static long exit_code(const char *reason)
{
	const char *digits = behind_words(without_class(reason));
	char *end;

	if (!digits || *digits < '0' || *digits > '9')
		return -1;

	long code = strtol(digits, &end, 10);

	return end[strspn(end, " \r\n")] == '\0' && code <= CODE_MAX ? code : -1;
}

static void add_signal(struct buf *out, long code)
{
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		if (code == SIGNAL_BASE + signals[i].number)
			buf_addf(out, "exit code %ld is 128 + %d: usually an end by %s", code,
				 signals[i].number, signals[i].name);
	}
}

static void add_capacity(struct buf *out, const struct preferences *prefs)
{
	buf_add_text(out, "no capacity for ");
	if (prefs->length == 1)
		buf_add_text(out, prefs->entries[0].instance_type);
	else if (prefs->length > 1)
		buf_addf(out, "any of its %zu types", prefs->length);
	else
		buf_add_text(out, "what it asked for");
	buf_add_text(out, ", no fault of its code: a copy with a longer list may start");
}

void reason_add_remark(struct buf *out, const struct job *job)
{
	if (reason_is_capacity(job))
		add_capacity(out, job_prefs(job));
	else
		add_signal(out, exit_code(failure(job)));
}

#include "model/base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/hash.h"

#define STAT_MAX      1024
#define ID_MAX        64
#define STARTED_FIELD 22 /* of /proc/PID/stat, proc(5) */
#define STATE_FIELD   3

static void set_unknown(char *out, size_t size)
{
	snprintf(out, size, "unknown");
}

static void read_id(const char *path, char *out, int size)
{
	FILE *file = fopen(path, "re");

	if (!file || !fgets(out, size, file))
		out[0] = '\0';
	out[strspn(out, "0123456789abcdef-")] = '\0';
	if (!out[0])
		set_unknown(out, (size_t)size);
	if (file)
		fclose(file);
}

/* The id itself is nobody else's business (machine-id(5)). */
static void read_machine(char machine[PROCESS_MACHINE_SIZE])
{
	char id[ID_MAX];

	read_id("/etc/machine-id", id, sizeof(id));
	snprintf(machine, PROCESS_MACHINE_SIZE, "%016llx", (unsigned long long)hash_text(id));
}

/* "pid:[4026531836]" */
static void read_space(char space[PROCESS_SPACE_SIZE])
{
	ssize_t len = readlink("/proc/self/ns/pid", space, PROCESS_SPACE_SIZE - 1);

	if (len > 0)
		space[len] = '\0';
	else
		set_unknown(space, PROCESS_SPACE_SIZE);
}

/* The field of a line of /proc/PID/stat; the name before the third one may hold anything. */
static const char *field_of(const char *line, int number)
{
	const char *at = strrchr(line, ')');

	for (int i = STATE_FIELD - 1; at && i < number; i++) {
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	return at;
}

/* False: there is no such process. */
static bool read_stat(int64_t pid, char *state, int64_t *started)
{
	char path[64], line[STAT_MAX] = "";
	const char *field;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	field = field_of(line, STATE_FIELD);
	*state = field ? *field : '\0';
	field = field_of(line, STARTED_FIELD);
	*started = field ? strtoll(field, NULL, 10) : 0;
	return true;
}

void process_self(struct process *self)
{
	char state;

	*self = (struct process){ .pid = getpid() };
	if (gethostname(self->host, sizeof(self->host) - 1) != 0 || !self->host[0])
		set_unknown(self->host, sizeof(self->host));
	read_machine(self->machine);
	read_id("/proc/sys/kernel/random/boot_id", self->boot, sizeof(self->boot));
	read_space(self->space);
	if (!read_stat(self->pid, &state, &self->started))
		self->started = 0;
}

static bool is_same_machine(const struct process *a, const struct process *b)
{
	return strcmp(a->host, b->host) == 0 && strcmp(a->machine, b->machine) == 0;
}

bool process_equal(const struct process *a, const struct process *b)
{
	return is_same_machine(a, b) && strcmp(a->boot, b->boot) == 0 &&
	       strcmp(a->space, b->space) == 0 && a->pid == b->pid && a->started == b->started;
}

/* Where /proc is not to be had, a signal that is none tells whether there is such a process. */
static bool lives(const struct process *process)
{
	int64_t started;
	char state;

	if (read_stat(process->pid, &state, &started))
		return state != 'Z' && state != 'X' && started == process->started;
	return process->started == 0 && (kill((pid_t)process->pid, 0) == 0 || errno == EPERM);
}

enum process_state process_state(const struct process *process)
{
	struct process self;

	process_self(&self);
	if (process_equal(process, &self))
		return PROCESS_SELF;
	if (!is_same_machine(process, &self))
		return PROCESS_ELSEWHERE;
	if (strcmp(process->boot, self.boot) != 0)
		return PROCESS_GONE;
	if (strcmp(process->space, self.space) != 0)
		return PROCESS_ELSEWHERE;
	return lives(process) ? PROCESS_LIVES : PROCESS_GONE;
}

/*
 * `gpuq submit` by the real program on the real region, many at once, each with a home of its own;
 * struck by SIGKILL at a call of its choice, and what it leaves. strace strikes before the call
 * acts, so that the next one stands for after.
 */
#ifndef GPUQ_TESTS_STRUCK_H
#define GPUQ_TESTS_STRUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tests/region.h"

#define STRUCK_MAX 400
/* For strace; openat is not struck, but names the file. */
#define STRUCK_TRACE \
	"trace=openat,write,fsync,fdatasync,renameat,linkat,unlinkat,sendto,recvfrom,read"

/* The nth call of a name in one thread, counted as strace counts. */
struct strike {
	char call[16];
	int nth;
};

/* One submission that is struck, and what was found of it. */
struct struck_run {
	struct strike strike;
	char name[32], home[96], file[128];
	const char *words[16]; /* of the program; words[0] NULL: submit FILE --yes */
	pid_t pid;
	int status;
	bool by_other; /* is settled by the run of another file */
	bool died, had_intent, was_settled;
};

struct struck_bench {
	struct region region;
	char folder[64];
	struct strike strikes[STRUCK_MAX];
	size_t count;
};

/* The path of strace; NULL where there is none. */
const char *struck_strace(void);
/* strace may be missing, or not be allowed to trace. */
bool struck_is_possible(void);
/* Nor to take hold of a process that is not its child; why has the reason. */
bool struck_may_attach(char *why, size_t size);
/* Sets strace on a process that runs, to strike it; returns once it holds all threads. The tracer
 * is the caller's to wait for. False: there is none, and said has strace's words. */
bool struck_attach(pid_t pid, const struct strike *strike, pid_t *tracer, char *said, size_t size);

/* Region and folder. */
void struck_start(struct struck_bench *bench);
void struck_stop(struct struck_bench *bench);

/* A home and a request of that name, with a secret in it. */
void struck_prepare(const struct struck_bench *bench, struct struck_run *run, const char *name);
/* Starts gpuq submit FILE --yes: struck as run->strike says (nth 0: not), or as the arguments of
 * another program (NULL: none). */
void struck_begin(const struct struck_bench *bench, struct struck_run *run);
void struck_begin_as(const struct struck_bench *bench, struct struck_run *run,
		     const char *const *before);
/* Waits for its end: status is its exit status, or 128 and the signal. */
void struck_end(struct struck_run *run);

/* The calls of an undisturbed run, from the first that names the record, or all of them. */
void struck_plan(struct struck_bench *bench, bool all);

/* The same of any run, from the first call whose line has the mark. */
void struck_plan_run(struct struck_bench *bench, struct struck_run *run, const char *mark,
		     bool all);

/* Answers of an operation are lost after they have had their effect, lost before it, late, cut or
 * errors, in a mixture that the seed chooses; calm ends it for all that a submission or a requeue
 * calls. */
void struck_disturb(const struct region *region, const char *operation, int seed);
void struck_calm(const struct region *region);

/* What the journal says of it: died, had_intent and was_settled. */
void struck_look(struct struck_run *run);
/* All that it has written to stdout and stderr, or the text of any file; free it. */
char *struck_output(const struct struck_run *run);
char *struck_read(const char *path);
/* The region has so many jobs of it. */
void struck_want_jobs(const struct struck_bench *bench, const struct struck_run *run,
		      unsigned least, unsigned most);
/* Its request is on disk only in the user's own file. */
void struck_want_no_secret(const struct struck_run *run);

#endif

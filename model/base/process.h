/*
 * Who a process is, so that another one can tell later whether it still lives: after a kill, a
 * restart of the machine, and where two machines or containers share a home folder.
 */
#ifndef GPUQ_BASE_PROCESS_H
#define GPUQ_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#define PROCESS_HOST_SIZE    65 /* HOST_NAME_MAX is 64 */
#define PROCESS_MACHINE_SIZE 17
#define PROCESS_BOOT_SIZE    40
#define PROCESS_SPACE_SIZE   24

struct process {
	char host[PROCESS_HOST_SIZE];
	char machine[PROCESS_MACHINE_SIZE]; /* made from its id: two may have one name */
	char boot[PROCESS_BOOT_SIZE];       /* which start of the machine */
	char space[PROCESS_SPACE_SIZE];     /* whose numbers these are: a container's, the host's */
	int64_t pid;
	int64_t started; /* in the kernel's ticks after the boot: numbers are given out again */
};

enum process_state {
	PROCESS_SELF,
	PROCESS_LIVES,
	PROCESS_GONE,
	PROCESS_ELSEWHERE, /* on another machine or in another container: nobody can tell from here
			    */
};

/* This process. Reads /proc; "unknown" and 0 stand for what is not to be had. */
void process_self(struct process *self);

/* Whether these are the same. */
bool process_equal(const struct process *a, const struct process *b);

/* A process that was written down, seen from this one. One that was killed and that nobody has
 * waited for is gone. */
enum process_state process_state(const struct process *process);

#endif

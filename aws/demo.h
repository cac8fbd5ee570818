/*
 * The simulated region as a child process: started for --demo from the folder of this program (or
 * its libexec), ended with it. Asynchronous: the ready line comes through a descriptor.
 */
#ifndef GPUQ_DEMO_H
#define GPUQ_DEMO_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/base/err.h"

#define DEMO_REGION     "us-east-1"
#define DEMO_ACCESS_KEY "AKIDSIM" /* interface.md, the simulated region */
#define DEMO_SECRET_KEY "simsecret"

struct demo {
	pid_t pid; /* 0 = none */
	int fd;    /* its standard output, non-blocking; valid while pid != 0 */
	char line[128];
	size_t len;
	char url[96];        /* "" until it is ready */
	char state_home[64]; /* a folder for state, that goes with it; "" = none could be made */
};

/* Starts it; false with an error that names the file that is missing. */
bool demo_start(struct demo *demo, struct err *err) MUST_CHECK;

/* Call when fd is readable. True: go on (url is set once it is ready); false: it has ended, err
 * says so. */
bool demo_read(struct demo *demo, struct err *err) MUST_CHECK;

/* Ends the child and waits for it (at most a second, then by force), and removes the folder with
 * all that is in it. {0} is accepted. */
void demo_stop(struct demo *demo);

#endif

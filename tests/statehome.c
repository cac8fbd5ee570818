#define _GNU_SOURCE /* nftw */
#include "tests/statehome.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "XDG_STATE_HOME="

/* As the environment has it; the path stands behind the name. */
static char variable[STATEHOME_SIZE];
static pid_t maker;

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status, (void)type, (void)at;
	return remove(path);
}

void statehome_remove(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Not by the children, which end too. */
static void remove_own(void)
{
	if (getpid() == maker)
		statehome_remove(statehome());
}

const char *statehome_variable(void)
{
	if (variable[0])
		return variable;
	snprintf(variable, sizeof(variable), VARIABLE "/tmp/gpuq-test-state.XXXXXX");
	if (!mkdtemp(variable + strlen(VARIABLE)))
		abort();
	maker = getpid();
	atexit(remove_own);
	return variable;
}

const char *statehome(void)
{
	return statehome_variable() + strlen(VARIABLE);
}

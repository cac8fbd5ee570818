/* A folder for the state of the programs that one test runs; it goes with the test. */
#ifndef GPUQ_TESTS_STATEHOME_H
#define GPUQ_TESTS_STATEHOME_H

#define STATEHOME_SIZE 128

/* Its path, which is made at the first call. Static. */
const char *statehome(void);
/* XDG_STATE_HOME=PATH. Static. */
const char *statehome_variable(void);

/* Removes a folder of a test with all that is in it. */
void statehome_remove(const char *path);

#endif

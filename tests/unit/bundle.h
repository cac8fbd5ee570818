/*
 * All tests in one program, which runs the one whose name it is given: to link each alone takes
 * longer than to run it. The Makefile writes the table.
 */
#ifndef GPUQ_TESTS_UNIT_BUNDLE_H
#define GPUQ_TESTS_UNIT_BUNDLE_H

/* A test by the name of its file, and its main. The table ends with no name. */
struct bundled {
	const char *name;
	int (*run)(void);
};
extern const struct bundled bundle[];

#endif

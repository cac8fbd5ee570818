/*
 * What the fuzzers share. Each is one file here, with the function that libFuzzer names, and a
 * folder of the same name in corpus/ with a few inputs to begin from; the Makefile finds both. Its
 * main is that of driver.c, or libFuzzer's (`make fuzz`). A promise that does not hold ends the
 * program by assert.
 */
#ifndef GPUQ_TESTS_FUZZ_H
#define GPUQ_TESTS_FUZZ_H

#undef NDEBUG
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/buf.h"
#include "views/text/report.h"

/* Takes one input. Keeps nothing; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy with a NUL behind it and nothing more, so that a read past the end is seen. Free it. */
char *fuzz_copy(const void *data, size_t size);

/* What a fuzzer takes from the front of its input to decide by: 0 once it has none left. */
struct fuzz_bytes {
	const uint8_t *at;
	size_t left;
};
unsigned fuzz_byte(struct fuzz_bytes *bytes);
/* Up to the next line break, which goes too, or all of it. Free it. */
char *fuzz_line(struct fuzz_bytes *bytes);

/*
 * The text is UTF-8 that a terminal only shows: no control, nothing that turns the direction, but
 * for the characters of kept ("\n"). Told here again, apart from the tables of model/base/text.
 */
void fuzz_want_harmless(const char *text, size_t len, const char *kept);

/*
 * The bytes of a report keep what its format promises: JSON that parses, as an array of count
 * (json) or as count lines (jsonl); CSV whose records have as many fields as its titles, none of
 * which a spreadsheet would run; a table whose rows are no wider than the columns (0 = any).
 */
void fuzz_want_report(const struct buf *out, const struct report_context *context, size_t count);

#endif

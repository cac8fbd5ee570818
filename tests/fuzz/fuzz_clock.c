/*
 * Any text through the readers of times and durations. What is read is written and read again to
 * the same value, but for what the writer leaves out.
 * clang -fsanitize=fuzzer,address,undefined -D_DEFAULT_SOURCE -I. tests/fuzz/fuzz_clock.c
 * model/base/[a-z]*.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/clock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool held)
{
	if (!held)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), out[TIME_TEXT_SIZE];
	int64_t value, again;

	want(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (time_parse_iso(text, &value)) {
		time_format_iso(value, out);
		/* An offset may lead out of the years of four digits. */
		if (out[0] != '-' && strlen(out) == 20)
			want(time_parse_iso(out, &again) && again <= value && value - again < 1000);
	}
	if (duration_parse(text, &value)) {
		want(value >= 0);
		duration_format(value, out);
		want(duration_parse(out, &again) && again <= value && value - again < 3600);
	}
	free(text);
	return 0;
}

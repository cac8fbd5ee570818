/*
 * Any text through the readers of times and durations. What is read is written and read again to
 * the same value, but for what the writer leaves out.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/clock.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), out[TIME_TEXT_SIZE];
	int64_t value, again;

	if (time_parse_iso(text, &value)) {
		time_format_iso(value, out);
		/* An offset may lead out of the years of four digits. */
		if (out[0] != '-' && strlen(out) == 20)
			assert(time_parse_iso(out, &again) && again <= value &&
			       value - again < 1000);
	}
	if (duration_parse(text, &value)) {
		assert(value >= 0);
		duration_format(value, out);
		assert(duration_parse(out, &again) && again <= value && value - again < 3600);
	}
	free(text);
	return 0;
}

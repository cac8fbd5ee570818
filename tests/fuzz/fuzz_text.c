/*
 * Any bytes through the sanitiser, in every mode. What comes out has no control, is UTF-8, stays as
 * it is when sanitised again, and fits exactly into any number of columns.
 */
#include <string.h>

#include "model/base/text.h"
#include "tests/fuzz/fuzz.h"

static void check_clean(const struct buf *clean, enum text_mode mode, bool ascii)
{
	static const char *const kept[] = {
		[TEXT_CELL] = "", [TEXT_PAGE] = "\n", [TEXT_FILE] = "\n\t"
	};

	fuzz_want_harmless(buf_text(clean), clean->len, kept[mode]);
	for (size_t at = 0; ascii && at < clean->len; at++)
		assert((unsigned char)buf_text(clean)[at] < 0x7F);
}

static void check_mode(const char *text, size_t len, enum text_mode mode, bool ascii)
{
	struct buf clean, again, fitted;
	int columns = len ? (unsigned char)text[0] : 1;

	buf_init(&clean, len * 8 + 1);
	buf_init(&again, len * 8 + 1);
	buf_init(&fitted, len * 8 + 1024);
	text_sanitise(&clean, text, len, mode, ascii);
	assert(!clean.failed);
	check_clean(&clean, mode, ascii);
	text_sanitise(&again, buf_text(&clean), clean.len, mode, ascii);
	assert(strcmp(buf_text(&again), buf_text(&clean)) == 0);
	if (mode == TEXT_CELL) {
		text_fit(&fitted, buf_text(&clean), columns, true, ascii);
		assert(text_width(buf_text(&fitted)) == columns);
	}
	buf_release(&clean);
	buf_release(&again);
	buf_release(&fitted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	for (int mode = TEXT_CELL; mode <= TEXT_FILE; mode++) {
		check_mode(text, size, (enum text_mode)mode, false);
		check_mode(text, size, (enum text_mode)mode, true);
	}
	return 0;
}

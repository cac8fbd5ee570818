/*
 * Any bytes through the sanitiser, in every mode. What comes out has no control, is UTF-8, stays as
 * it is when sanitised again, and fits exactly into any number of columns.
 * clang -fsanitize=fuzzer,address,undefined -D_DEFAULT_SOURCE -I. tests/fuzz/fuzz_text.c
 * model/base/[a-z]*.c
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool held)
{
	if (!held)
		abort();
}

/* Told again here, apart from the tables under test. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
	       (code >= 0x200E && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void check_clean(const struct buf *clean, enum text_mode mode, bool ascii)
{
	const char *text = buf_text(clean);

	for (size_t at = 0; at < clean->len;) {
		uint32_t code;
		size_t used = text_decode(text + at, clean->len - at, &code);

		want(code != TEXT_BAD || used == 3);
		want(!ascii || code <= 0x7E);
		if (!(code == '\n' && mode != TEXT_CELL) && !(code == '\t' && mode == TEXT_FILE))
			want(!is_control(code));
		at += used;
	}
}

static void check_mode(const char *text, size_t len, enum text_mode mode, bool ascii)
{
	struct buf clean, again, fitted;
	int columns = len ? (unsigned char)text[0] : 1;

	buf_init(&clean, len * 8 + 1);
	buf_init(&again, len * 8 + 1);
	buf_init(&fitted, len * 8 + 1024);
	text_sanitise(&clean, text, len, mode, ascii);
	want(!clean.failed);
	check_clean(&clean, mode, ascii);
	text_sanitise(&again, buf_text(&clean), clean.len, mode, ascii);
	want(strcmp(buf_text(&again), buf_text(&clean)) == 0);
	if (mode == TEXT_CELL) {
		text_fit(&fitted, buf_text(&clean), columns, true, ascii);
		want(text_width(buf_text(&fitted)) == columns);
	}
	buf_release(&clean);
	buf_release(&again);
	buf_release(&fitted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A copy of the exact size, so that a read past the end is seen. */
	char *text = malloc(size ? size : 1);

	want(text != NULL);
	if (size)
		memcpy(text, data, size);
	for (int mode = TEXT_CELL; mode <= TEXT_FILE; mode++) {
		check_mode(text, size, (enum text_mode)mode, false);
		check_mode(text, size, (enum text_mode)mode, true);
	}
	free(text);
	return 0;
}

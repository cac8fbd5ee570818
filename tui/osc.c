#include "tui/osc.h"

#include <string.h>

#include "model/base/text.h"

/* Harmless, and without what parts the members of a sequence. */
static void add_text(struct buf *out, const char *text)
{
	struct buf clean;
	size_t len = text_whole_len(text, OSC_TEXT_MAX);
	buf_init(&clean, 4 * OSC_TEXT_MAX);
	text_sanitise(&clean, text, len, TEXT_CELL, false);
	for (char *part; clean.data && (part = strchr(clean.data, ';'));)
		*part = ',';
	buf_add_text(out, buf_text(&clean));
	buf_release(&clean);
}

void osc_add_9(struct buf *out, const char *text)
{
	buf_add_text(out, "\033]9;");
	add_text(out, text);
	buf_add_text(out, "\033\\");
}

void osc_add_777(struct buf *out, const char *title, const char *text)
{
	buf_add_text(out, "\033]777;notify;");
	add_text(out, title);
	buf_add_char(out, ';');
	add_text(out, text);
	buf_add_text(out, "\033\\");
}

/* A line editor as start, feed, draw: it lives inside the event loop. */
#ifndef GPUQ_PROMPT_H
#define GPUQ_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw.h"
#include "tui/input.h"

#define PROMPT_SIZE 512

enum prompt_result { PROMPT_MORE, PROMPT_DONE, PROMPT_CANCEL };

struct prompt {
	char text[PROMPT_SIZE]; /* UTF-8 */
	size_t len, cursor;     /* bytes */
	char label[64];
	/* A part that is wrong, in bytes, drawn so that it is seen; its owner sets it. */
	size_t wrong_at, wrong_len;
};

void prompt_start(struct prompt *prompt, const char *label, const char *initial);
/* The text is another one; the cursor goes behind it. */
void prompt_set(struct prompt *prompt, const char *text);
/* Keys: text, Left Right Home End C-e, words by A-b A-f C-Left C-Right, Backspace Delete, C-w C-u
 * C-k, Enter, Esc C-c C-g. A paste goes in with its control characters left out (never an Enter).
 */
enum prompt_result prompt_feed(struct prompt *prompt, struct key key, const char *paste);
void prompt_draw(const struct prompt *prompt, struct surface *out, struct rect at);

#endif

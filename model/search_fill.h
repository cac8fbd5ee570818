/*
 * How far the first look through all training jobs has come: it goes back from now, a page a
 * second, and a start that is cut short goes on where the last one ended. Kept as a text beside the
 * history.
 */
#ifndef GPUQ_SEARCH_FILL_H
#define GPUQ_SEARCH_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEARCH_FILL_TOKEN_SIZE 8193 /* a token has up to 8 KiB */
#define SEARCH_FILL_TEXT_SIZE  (SEARCH_FILL_TOKEN_SIZE + 64)
/* Tokens end after a day (facts/sagemaker.md, Pace): one of so long ago is not tried. */
#define SEARCH_FILL_TOKEN_MS INT64_C(43200000)

struct search_fill {
	bool known, whole;
	int64_t from_ms; /* of creation: what was made before was not looked for; wall */
	int64_t to_ms;   /* what changes later is not in it; wall */
	char *token;     /* owned; of the next page, while it is not whole */
};

void search_fill_release(struct search_fill *fill);
void search_fill_set(struct search_fill *fill, bool whole, int64_t from_ms, int64_t to_ms,
		     const char *token);

/* As a text, and back; false where it is none. out holds SEARCH_FILL_TEXT_SIZE bytes; "" for one
 * that is not known. */
void search_fill_write(const struct search_fill *fill, char *out);
bool search_fill_read(struct search_fill *fill, const char *text);

#endif

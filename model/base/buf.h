/*
 * A growing byte buffer with a ceiling. It is always NUL-terminated; an append past the ceiling
 * changes nothing and sticks as `failed`, so that a run of appends is checked once at the end.
 * {0} is not valid: give it a ceiling with buf_init. Release with buf_release.
 */
#ifndef GPUQ_BASE_BUF_H
#define GPUQ_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"

struct buf {
	char *data;      /* owned; NULL until the first append */
	size_t len;      /* bytes used, without the NUL */
	size_t capacity; /* bytes allocated */
	size_t max;      /* ceiling for len */
	bool failed;     /* an append did not fit */
};

/* Empty, with a ceiling of max bytes. Allocates nothing. */
void buf_init(struct buf *buf, size_t max);

/* Frees the bytes; the buffer may be used again as if freshly initialised. NULL is accepted. */
void buf_release(struct buf *buf);

/* Forgets the content and the failure; keeps the memory. */
void buf_clear(struct buf *buf);

/* Appends; each returns false when the ceiling is reached (and leaves the buffer as it was). */
bool buf_add(struct buf *buf, const void *bytes, size_t len);
bool buf_add_text(struct buf *buf, const char *text);
bool buf_add_char(struct buf *buf, char c);
bool buf_addf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
bool buf_vaddf(struct buf *buf, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* The bytes as a string, never NULL; borrowed until the next append. */
const char *buf_text(const struct buf *buf);

/* Gives the bytes away (the caller frees them, never NULL) and leaves the buffer empty. */
char *buf_take(struct buf *buf);

/* Drops the first len bytes. */
void buf_drop(struct buf *buf, size_t len);

/* Overwrites the bytes before releasing them: for anything that held a secret. */
void buf_wipe(struct buf *buf);

#endif

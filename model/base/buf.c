#include "model/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define FIRST_CAPACITY 64

void buf_init(struct buf *buf, size_t max)
{
	/* One byte is kept for the NUL, so that max + 1 never wraps. */
	*buf = (struct buf){ .max = max < SIZE_MAX ? max : SIZE_MAX - 1 };
}

void buf_release(struct buf *buf)
{
	if (!buf)
		return;
	free(buf->data);
	buf_init(buf, buf->max);
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	buf->failed = false;
	if (buf->data)
		buf->data[0] = '\0';
}

/*
 * Makes room for more bytes and the NUL; false at the ceiling. The old copy is wiped rather than
 * left to realloc, since any buffer may be one that buf_wipe is meant for.
 */
static bool reserve(struct buf *buf, size_t more)
{
	size_t capacity = buf->capacity ? buf->capacity : FIRST_CAPACITY;
	char *data;

	if (buf->failed || more > buf->max - buf->len) {
		buf->failed = true;
		return false;
	}
	if (buf->data && buf->len + more < buf->capacity)
		return true;
	while (capacity <= buf->len + more)
		capacity = capacity > buf->max / 2 ? buf->max + 1 : capacity * 2;
	data = mem_new(capacity, 1);
	if (buf->data) {
		memcpy(data, buf->data, buf->len);
		explicit_bzero(buf->data, buf->capacity);
		free(buf->data);
	}
	buf->data = data;
	buf->capacity = capacity;
	return true;
}

bool buf_add(struct buf *buf, const void *bytes, size_t len)
{
	if (!reserve(buf, len))
		return false;
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
	return true;
}

bool buf_add_text(struct buf *buf, const char *text)
{
	return buf_add(buf, text, strlen(text));
}

bool buf_add_char(struct buf *buf, char c)
{
	return buf_add(buf, &c, 1);
}

bool buf_addf(struct buf *buf, const char *format, ...)
{
	va_list args;
	bool added;

	va_start(args, format);
	added = buf_vaddf(buf, format, args);
	va_end(args);
	return added;
}

bool buf_vaddf(struct buf *buf, const char *format, va_list args)
{
	va_list again;
	size_t room = buf->capacity - buf->len;
	int len;

	if (buf->failed)
		return false;
	va_copy(again, args);
	len = vsnprintf(buf->data ? buf->data + buf->len : NULL, buf->data ? room : 0, format,
			args);
	if (len < 0 || !reserve(buf, (size_t)len)) {
		buf->failed = true;
		if (buf->data)
			buf->data[buf->len] = '\0';
		va_end(again);
		return false;
	}
	if (!room || (size_t)len >= room)
		len = vsnprintf(buf->data + buf->len, buf->capacity - buf->len, format, again);
	va_end(again);
	buf->len += (size_t)len;
	return true;
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

char *buf_take(struct buf *buf)
{
	char *data = buf->data ? buf->data : mem_copy_text("");

	buf_init(buf, buf->max);
	return data;
}

void buf_drop(struct buf *buf, size_t len)
{
	if (!buf->data)
		return;
	if (len > buf->len)
		len = buf->len;
	memmove(buf->data, buf->data + len, buf->len - len + 1);
	buf->len -= len;
}

void buf_wipe(struct buf *buf)
{
	if (buf->data)
		explicit_bzero(buf->data, buf->capacity);
	buf_release(buf);
}

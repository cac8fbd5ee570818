#include "model/log_error.h"

#include <string.h>

#include "model/base/attr.h"

/* What programs write when they fail: Python's traceback and the names of its exceptions, levels of
 * logging, PyTorch and CUDA, NCCL, the kernel and the C library, SageMaker's toolkit. */
static const struct {
	const char *words;
	bool alone; /* no letter, digit or '_' stands beside it */
} signs[] = {
	{ "Traceback (most recent call last)", false },
	{ "Error: ", false },
	{ "Exception: ", false },
	{ "ERROR", true },
	{ "FATAL", true },
	{ "CRITICAL", true },
	{ "Fatal Python error", false },
	{ "CUDA out of memory", false },
	{ "CUDA error", false },
	{ "NCCL error", false },
	{ "NCCL failure", false },
	{ "Segmentation fault", false },
	{ "core dumped", false },
	{ "Out of memory: Kill", false },
	{ "No space left on device", false },
	{ "exit_code 1", false },
	{ "terminate called after throwing", false },
	{ "panic: ", false },
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "ERROR=0" and "ERROR: 0" are a count of none. */
static bool counts_none(const char *text, const char *end)
{
	const char *at = text;
	while (at < end && (*at == '=' || *at == ':' || *at == ' '))
		at++;
	return at > text && at < end && *at == '0' && (at + 1 == end || !is_word(at[1]));
}

static const char *find(const char *text, const char *end, const char *words, size_t wanted)
{
	while ((size_t)(end - text) >= wanted) {
		size_t room = (size_t)(end - text) - wanted + 1;
		text = memchr(text, words[0], room);
		if (!text || memcmp(text, words, wanted) == 0)
			return text;
		text++;
	}
	return NULL;
}

static bool has(const char *text, size_t len, size_t sign)
{
	const char *end = text + len, *words = signs[sign].words;
	size_t wanted = strlen(words);
	for (const char *at = text; (at = find(at, end, words, wanted)); at++) {
		bool joined = (at > text && is_word(at[-1])) ||
			      (at + wanted < end && is_word(at[wanted]));
		if ((!signs[sign].alone || !joined) && !counts_none(at + wanted, end))
			return true;
	}
	return false;
}

bool log_is_error(const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		if (has(text, len, i))
			return true;
	}
	return false;
}

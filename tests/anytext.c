#include "tests/anytext.h"

#include <stdio.h>

#include "model/base/attr.h"
#include "tests/shared.h"

uint32_t anytext_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

size_t anytext_encode(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3F));
		out[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3F));
	out[2] = (char)(0x80 | (code >> 6 & 0x3F));
	out[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

size_t anytext_fill(uint32_t *seed, char *out, size_t max)
{
	static const uint32_t favourites[] = {
		0x1B,   '\n',   '\t',   '\r',    0x7F,   0x9B,   0x301,  0x200B,
		0x200D, 0x202E, 0xFE0F, 0x1F468, 0x4E00, 0x2705, 0x0300, 0xFFFD,
	};
	size_t len = 0;

	while (len + 4 <= max) {
		switch (anytext_random(seed) % 8) {
		case 0:
			out[len++] = (char)(anytext_random(seed) & 0xFF);
			break;
		case 1:
			len += anytext_encode(
				favourites[anytext_random(seed) % ARRAY_LEN(favourites)],
				out + len);
			break;
		case 2:
			len += anytext_encode(0x80 + anytext_random(seed) % 0xD000, out + len);
			break;
		default:
			out[len++] = (char)(' ' + anytext_random(seed) % 95);
		}
	}
	return len;
}

bool anytext_shared(const char *name, char *out, size_t size)
{
	FILE *file = shared_open(name);
	size_t len;

	if (!file)
		return false;
	len = fread(out, 1, size - 1, file);
	out[len] = '\0';
	return fclose(file) == 0;
}

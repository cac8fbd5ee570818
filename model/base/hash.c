#include "model/base/hash.h"

uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *text; text++) {
		hash ^= (unsigned char)*text;
		hash *= UINT64_C(1099511628211);
	}
	return hash;
}

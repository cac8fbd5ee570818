#include "model/base/hash.h"

#define PRIME UINT64_C(1099511628211)

uint64_t hash_text(const char *text)
{
	uint64_t hash = HASH_BEGIN;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * PRIME;
	return hash;
}

uint64_t hash_more_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * PRIME;
	return hash * PRIME;
}

uint64_t hash_more(uint64_t hash, uint64_t number)
{
	for (int i = 0; i < 8; i++, number >>= 8)
		hash = (hash ^ (number & 0xff)) * PRIME;
	return hash;
}

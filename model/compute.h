/*
 * Equal compute: how many instances of one type have together as many accelerators, or as much
 * accelerator memory, as some instances of another. Whole numbers only, out of the catalog: what
 * does not divide, or is not published, is no offer.
 */
#ifndef GPUQ_COMPUTE_H
#define GPUQ_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/preferences.h"

enum compute_measure { COMPUTE_ACCELERATORS, COMPUTE_MEMORY, COMPUTE_MEASURES };

/* What instances have in total. */
struct compute {
	bool known;           /* the catalog has the type, and the count is 1 or more */
	int64_t accelerators; /* 0 = none */
	int64_t memory_gib;   /* of all accelerators; 0 = none, or not published */
};
struct compute compute_of(const char *instance_type, int64_t count);
/* Of entry i with its count; not known where that is not. */
struct compute compute_of_entry(const struct preferences *prefs, size_t i);

struct compute_offer {
	enum compute_measure measure;
	int64_t count; /* of instances */
	int64_t total; /* accelerators, or GiB */
};

/*
 * The counts of a type that make up `wanted`, the one by accelerators first; one that is the count
 * now, or the same as the one before it, is left out. Returns how many there are.
 */
size_t compute_offers(const struct compute *wanted, const char *instance_type, int64_t count_now,
		      struct compute_offer offers[COMPUTE_MEASURES]);

#endif

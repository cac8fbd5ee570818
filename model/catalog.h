/*
 * The instance types that SageMaker names, with their hardware: a table made from public facts
 * (catalog_table.c, generated). Unknown figures are 0 with a flag or an empty text, never guessed.
 */
#ifndef GPUQ_CATALOG_H
#define GPUQ_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"

struct instance_type {
	const char *name; /* ml.p5.48xlarge */
	const char *family;
	bool training, processing; /* in the enum of that kind */
	bool endpoint;             /* in that of endpoints, which gpuq shows no jobs of */
	unsigned accelerators;     /* 0 = none */
	const char *accelerator;   /* H100, A100, Trainium2... or "" */
	const char *vendor;        /* NVIDIA, AWS, Habana; NULL without accelerators */
	unsigned memory_gib_each;  /* of one accelerator, nominal; 0 = not published */
	const char *arch;          /* accelerator generation: hopper, ampere, ...; "none" */
	const char *cuda;          /* compute capability, "9.0"; NULL: of another vendor, or none */
	unsigned vcpus;
	unsigned memory_mib;
	bool arm; /* the host is arm64 (Graviton, Grace), else x86-64; told by the family's name */
	unsigned network_mbps; /* the baseline; 0 = not published */
	bool efa;
	unsigned local_nvme_gb;
};

/* The row, or NULL for a type the table does not know. */
const struct instance_type *catalog_find(const char *name);

/* All rows in catalog order (families with accelerators first, larger after smaller). */
const struct instance_type *catalog_all(size_t *count);

/* Whether the kind's enum has the type; unknown types are false. */
bool catalog_allows(const char *name, enum job_kind kind);

/* What a type can be used for: "training, processing, endpoint" and parts of that. Static text. */
const char *catalog_uses(const struct instance_type *type);

/* Accelerated in the sense of the pending rules: ml.p*, ml.g*, ml.trn* (facts, preferences). */
bool catalog_is_accelerated(const char *name);

/* Known names nearest to a mistyped one, best first; returns how many were written (at most max).
 */
size_t catalog_near(const char *name, const char **out, size_t max);

#endif

/* Entries whose hardware differs from the first one's: SageMaker does not check that they can run
 * the container (facts, instance preferences). A figure that nobody publishes gives no finding. */
#include <stdio.h>
#include <string.h>

#include "model/catalog.h"
#include "model/check_rules.h"

/* Entry i beside what it is compared with. */
struct pair {
	const struct check_input *input;
	struct findings *findings;
	size_t i;
	const struct instance_type *first, *own;
	bool has_counts;
	int64_t first_count, own_count;
};

typedef void pair_test(const struct pair *pair);

/* Calls test for each entry behind the first, where both types are known. */
static void each_pair(const struct check_input *input, struct findings *findings, pair_test *test)
{
	const struct preferences *prefs = input->prefs;
	struct pair pair = { .input = input, .findings = findings };
	if (!prefs->is_list || prefs->length == 0)
		return;
	pair.first = catalog_find(prefs->entries[0].instance_type);
	for (pair.i = 1; pair.first && pair.i < prefs->length; pair.i++) {
		pair.own = catalog_find(prefs->entries[pair.i].instance_type);
		pair.has_counts = prefs_count(prefs, 0, &pair.first_count) &&
				  prefs_count(prefs, pair.i, &pair.own_count);
		if (pair.own)
			test(&pair);
	}
}

static bool both_accelerated(const struct pair *pair)
{
	return pair->first->accelerators > 0 && pair->own->accelerators > 0;
}

static void add(const struct pair *pair, const char *rule, const char *text, const char *else_do)
{
	const struct check_entry at = { pair->i, "InstanceType" };
	check_fix_remove(pair->input,
			 check_add_to_entry(pair->input, pair->findings, rule, &at, "%s", text),
			 else_do);
}

static void test_memory(const struct pair *pair)
{
	unsigned own = pair->own->memory_gib_each, first = pair->first->memory_gib_each;
	char text[200];
	if (own == 0 || first == 0 || own >= first)
		return;
	(void)snprintf(text, sizeof(text), "%u GiB %s (%s) against %u GiB for #1 (%s).", own,
		       strcmp(pair->own->vendor, "NVIDIA") == 0 ? "a GPU" : "an accelerator",
		       pair->own->accelerator, first, pair->first->accelerator);
	add(pair, "gpu-memory-drop", text, "see that the model fits");
}

void check_gpu_memory_drop(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_memory);
}

/* The vendor's own name of a chip, without its generation: Trainium2 is Trainium. */
static size_t chip_length(const char *accelerator)
{
	return strcspn(accelerator, "0123456789");
}

/* Of one vendor, GPUs are one kind of chip; those of AWS are two. */
static bool same_chip(const struct instance_type *a, const struct instance_type *b)
{
	if (strcmp(a->vendor, b->vendor) != 0)
		return false;
	if (strcmp(a->vendor, "AWS") != 0)
		return true;
	size_t length = chip_length(a->accelerator);
	return length == chip_length(b->accelerator) &&
	       strncmp(a->accelerator, b->accelerator, length) == 0;
}

static bool has_other_chip(const struct pair *pair)
{
	return both_accelerated(pair) && !same_chip(pair->first, pair->own);
}

static void test_accelerator(const struct pair *pair)
{
	char text[200];
	if (!has_other_chip(pair))
		return;
	(void)snprintf(text, sizeof(text), "%s %s where #1 has %s %s: other software runs on it.",
		       pair->own->vendor, pair->own->accelerator, pair->first->vendor,
		       pair->first->accelerator);
	add(pair, "accelerator-change", text, "see that the image runs on both");
}

void check_accelerator_change(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_accelerator);
}

static const char *host_word(const struct instance_type *type)
{
	return type->arm ? "arm64" : "x86-64";
}

/* Another chip has another generation too: accelerator-change says so. */
static void test_architecture(const struct pair *pair)
{
	char text[200];
	if (pair->own->arm != pair->first->arm) {
		(void)snprintf(text, sizeof(text), "an %s host where #1 is %s.",
			       host_word(pair->own), host_word(pair->first));
		add(pair, "architecture-change", text, "see that the image runs on both");
	} else if (both_accelerated(pair) && !has_other_chip(pair) &&
		   strcmp(pair->own->arch, pair->first->arch) != 0) {
		(void)snprintf(text, sizeof(text), "another generation, %s, than #1 (%s).",
			       pair->own->arch, pair->first->arch);
		add(pair, "architecture-change", text,
		    "see that the image's CUDA or Neuron knows both");
	}
}

void check_architecture_change(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_architecture);
}

static void test_efa(const struct pair *pair)
{
	if (pair->has_counts && pair->own_count > 1 && pair->first->efa && !pair->own->efa)
		add(pair, "efa-missing",
		    "no EFA where #1 has it: several instances talk far slower.",
		    "choose a size with EFA");
}

void check_efa_missing(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_efa);
}

static void test_local_storage(const struct pair *pair)
{
	unsigned own = pair->own->local_nvme_gb, first = pair->first->local_nvme_gb;
	char text[200];
	if (own >= first)
		return;
	if (own == 0)
		(void)snprintf(text, sizeof(text),
			       "no local NVMe (VolumeSizeInGB counts) where #1 has %u GB.", first);
	else
		(void)snprintf(text, sizeof(text), "%u GB of local NVMe against %u GB of #1.", own,
			       first);
	add(pair, "local-storage-drop", text, "see that data and checkpoints fit");
}

void check_local_storage_drop(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_local_storage);
}

/* Behind any accelerated entry, not only behind the first. */
static bool is_cpu_fallback(const struct check_input *input, size_t i)
{
	const struct instance_type *own = catalog_find(input->prefs->entries[i].instance_type);
	if (!own || own->accelerators > 0)
		return false;
	for (size_t before = 0; before < i; before++) {
		const struct instance_type *type =
			catalog_find(input->prefs->entries[before].instance_type);
		if (type && type->accelerators > 0)
			return true;
	}
	return false;
}

void check_cpu_fallback(const struct check_input *input, struct findings *findings)
{
	for (size_t i = 1; input->prefs->is_list && i < input->prefs->length; i++) {
		const struct check_entry at = { i, "InstanceType" };
		if (is_cpu_fallback(input, i))
			check_fix_remove(input,
					 check_add_to_entry(input, findings, "cpu-fallback", &at,
							    "%s has no accelerator and stands "
							    "behind an entry that has.",
							    input->prefs->entries[i].instance_type),
					 "see that the job can run without");
	}
}

/* As many instances as give the first entry's accelerators; else the entry goes. */
static void offer_equal(const struct pair *pair, struct finding *finding, int64_t wanted)
{
	int64_t each = pair->own->accelerators;
	if (each > 0 && wanted > 0 && wanted % each == 0)
		check_fix_count(pair->input, finding, wanted / each);
	else
		check_fix_remove(pair->input, finding, "see that the job's batch size allows it");
}

static void test_compute(const struct pair *pair)
{
	const struct check_entry at = { pair->i, "InstanceCount" };
	int64_t own, first;
	if (!pair->has_counts || is_cpu_fallback(pair->input, pair->i) ||
	    __builtin_mul_overflow(pair->own_count, (int64_t)pair->own->accelerators, &own) ||
	    __builtin_mul_overflow(pair->first_count, (int64_t)pair->first->accelerators, &first) ||
	    own == first)
		return;
	offer_equal(pair,
		    check_add_to_entry(pair->input, pair->findings, "compute-change", &at,
				       "%lld accelerator%s in all against %lld of #1.",
				       (long long)own, own == 1 ? "" : "s", (long long)first),
		    first);
}

void check_compute_change(const struct check_input *input, struct findings *findings)
{
	each_pair(input, findings, test_compute);
}

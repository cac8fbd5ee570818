/* The volume of the job against the disks of its types (facts, instance preferences: VolumeSizeInGB
 * and VolumeKmsKeyId apply to whichever type is selected). */
#include <stdio.h>
#include <string.h>

#include "model/catalog.h"
#include "model/check_rules.h"

#define VOLUME_TO_SET "30" /* what the SageMaker SDK asks for where nobody says */

static const struct instance_type *type_of(const struct check_input *input, size_t i)
{
	return catalog_find(input->prefs->entries[i].instance_type);
}

static size_t count_with_disk(const struct check_input *input)
{
	size_t count = 0;
	for (size_t i = 0; i < input->prefs->length; i++) {
		const struct instance_type *type = type_of(input, i);
		count += type && type->local_nvme_gb > 0;
	}
	return count;
}

static bool has_key(const struct check_input *input)
{
	struct buf key;
	struct check_path path = check_cluster_member(input, "VolumeKmsKeyId");
	buf_init(&key, CHECK_PATH_SIZE);
	bool has = input->doc &&
		   (!json_doc_string(input->doc, json_doc_path(input->doc, path.text), &key) ||
		    key.len > 0) &&
		   check_is_present(input, path.text);
	buf_release(&key);
	return has;
}

/* Without the key the volumes of EBS-only entries lose it too: where there are such, the entry with
 * the disk goes. The path of the finding is the key's, so that the fix can take it out. */
static void add_key(const struct check_input *input, struct findings *findings, size_t i, bool all)
{
	const struct preferences *prefs = input->prefs;
	struct check_path path = check_cluster_member(input, "VolumeKmsKeyId");
	struct finding *finding = findings_add(
		findings, "kms-local-storage", path.text,
		"%s%s has local NVMe storage, which takes no VolumeKmsKeyId; SageMaker refuses it.",
		check_entry_label(prefs, i).text, prefs->entries[i].instance_type);
	if (!finding)
		return;
	finding->entry = i;
	if (all)
		check_set_fix(finding, FIX_DROP_MEMBER, "",
			      "Drop the key: the disks are encrypted by their hardware, but not "
			      "with a key of yours.");
	else
		check_fix_remove(input, finding, "choose an EBS-only type");
}

void check_kms_local_storage(const struct check_input *input, struct findings *findings)
{
	size_t with_disk = count_with_disk(input);
	if (with_disk == 0 || !has_key(input))
		return;
	for (size_t i = 0; i < input->prefs->length; i++) {
		const struct instance_type *type = type_of(input, i);
		if (type && type->local_nvme_gb > 0)
			add_key(input, findings, i, with_disk == input->prefs->length);
	}
}

static bool has_volume(const struct check_input *input, const char *path)
{
	int64_t size;
	return check_is_present(input, path) &&
	       (!json_doc_integer(input->doc, json_doc_path(input->doc, path), &size) || size > 0);
}

/* A processing job cannot leave it out: required-member says that. */
void check_volume_missing(const struct check_input *input, struct findings *findings)
{
	struct check_path path = check_cluster_member(input, "VolumeSizeInGB");
	if (!input->doc || input->kind != JOB_TRAINING || has_volume(input, path.text))
		return;
	for (size_t i = 0; i < input->prefs->length; i++) {
		const struct instance_type *type = type_of(input, i);
		if (!type || type->local_nvme_gb > 0)
			continue;
		check_set_fix(
			findings_add(findings, "volume-missing", path.text,
				     "%s%s has no disk of its own and there is no VolumeSizeInGB.",
				     check_entry_label(input->prefs, i).text, type->name),
			FIX_SET_MEMBER, VOLUME_TO_SET,
			"Set VolumeSizeInGB to " VOLUME_TO_SET ", then to what data, checkpoints "
			"and model need.");
		return;
	}
}

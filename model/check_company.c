/* What SageMaker refuses of members that are good one by one: channels of which only some name
 * instance groups (case 047), and tags that are AWS's own to write. Parts of required-member and
 * value-pattern. */
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/check_rules.h"

/* Does the channel say which instance groups get its data? */
static bool has_groups(const struct json_doc *doc, size_t channel)
{
	static const char *const way[] = { "DataSource", "S3DataSource", "InstanceGroupNames" };
	size_t node = channel;
	for (size_t i = 0; i < ARRAY_LEN(way); i++)
		node = json_doc_member(doc, node, way[i]);
	return json_doc_length(doc, node) > 0;
}

void check_channel_groups(const struct check_input *input, struct findings *findings)
{
	const struct json_doc *doc = input->doc;
	size_t channels = doc ? json_doc_member(doc, 0, "InputDataConfig") : JSON_NONE;
	size_t with = 0, index = 0;
	if (input->kind != JOB_TRAINING || channels == JSON_NONE)
		return;
	for (size_t node = json_doc_child(doc, channels); node != JSON_NONE;
	     node = json_doc_next(doc, node))
		with += has_groups(doc, node);
	for (size_t node = json_doc_child(doc, channels); node != JSON_NONE && with > 0;
	     node = json_doc_next(doc, node), index++) {
		char path[CHECK_PATH_SIZE];
		if (has_groups(doc, node))
			continue;
		(void)snprintf(path, sizeof(path),
			       "InputDataConfig[%zu].DataSource.S3DataSource.InstanceGroupNames",
			       index);
		check_point_at(findings_add(findings, "required-member", path,
					    "InputDataConfig[%zu] has no InstanceGroupNames while "
					    "another channel has; all have them or none.",
					    index),
			       doc, node);
	}
}

void check_own_tags(const struct check_input *input, struct findings *findings)
{
	const struct json_doc *doc = input->doc;
	size_t tags = doc ? json_doc_member(doc, 0, "Tags") : JSON_NONE;
	size_t index = 0;
	struct buf key;
	buf_init(&key, JSON_TEXT_MAX);
	for (size_t node = doc ? json_doc_child(doc, tags) : JSON_NONE; node != JSON_NONE;
	     node = json_doc_next(doc, node), index++) {
		size_t name = json_doc_member(doc, node, "Key");
		char path[CHECK_PATH_SIZE];
		buf_clear(&key);
		if (!json_doc_string(doc, name, &key) || strncmp(buf_text(&key), "aws:", 4) != 0)
			continue;
		(void)snprintf(path, sizeof(path), "Tags[%zu].Key", index);
		struct finding *finding =
			findings_add(findings, "value-pattern", path,
				     "Tags[%zu].Key begins with aws:, which only AWS may write.",
				     index);
		check_point_at(finding, doc, name);
		if (finding)
			(void)snprintf(finding->fix_text, sizeof(finding->fix_text),
				       "Leave the tag out.");
	}
	buf_release(&key);
}

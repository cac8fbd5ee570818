#include "model/policy.h"

#include <string.h>

#include "model/base/attr.h"

static const struct {
	const char *sid;
	const char *resource; /* of an ARN, behind its partition; NULL: all */
	const char *condition;
} parts[POLICY_PARTS] = {
	[POLICY_LOOK] = { .sid = "Look" },
	[POLICY_LOOK_AT_LOGS] = { .sid = "LookAtLogs",
				  .resource = "logs:*:*:log-group:/aws/sagemaker/*" },
	[POLICY_CHANGE] = { .sid = "Change" },
	[POLICY_PASS_ROLE] = { .sid = "PassRolesOfJobs",
			       .resource = "iam::" POLICY_ROLE,
			       .condition = "{ \"StringEquals\": { \"iam:PassedToService\": "
					    "\"sagemaker.amazonaws.com\" } }" },
};

/* The document's lines begin with blanks; on one line they are left out. */
struct writer {
	struct buf *out;
	bool one_line;
};

static void new_line(const struct writer *writer, int depth)
{
	if (!writer->one_line)
		buf_addf(writer->out, "\n%*s", depth * 2, "");
}

static bool is_in(const struct policy_action *actions, size_t count, enum policy_part part)
{
	for (size_t i = 0; i < count; i++)
		if (actions[i].part == part)
			return true;
	return false;
}

static void add_actions(const struct writer *writer, const struct policy_action *actions,
			size_t count, enum policy_part part)
{
	bool any = false;
	new_line(writer, 3);
	buf_add_text(writer->out, "\"Action\": [");
	for (size_t i = 0; i < count; i++) {
		if (actions[i].part != part)
			continue;
		buf_add_text(writer->out, any ? "," : "");
		new_line(writer, 4);
		buf_addf(writer->out, "\"%s\"", actions[i].action);
		any = true;
	}
	new_line(writer, 3);
	buf_add_text(writer->out, "],");
}

static void add_statement(const struct writer *writer, const struct policy_action *actions,
			  size_t count, enum policy_part part, const char *partition)
{
	new_line(writer, 2);
	buf_add_char(writer->out, '{');
	new_line(writer, 3);
	buf_addf(writer->out, "\"Sid\": \"%s\",", parts[part].sid);
	new_line(writer, 3);
	buf_add_text(writer->out, "\"Effect\": \"Allow\",");
	add_actions(writer, actions, count, part);
	new_line(writer, 3);
	buf_add_text(writer->out, "\"Resource\": \"");
	policy_add_resource(writer->out, part, partition);
	buf_add_char(writer->out, '"');
	if (parts[part].condition) {
		buf_add_char(writer->out, ',');
		new_line(writer, 3);
		buf_addf(writer->out, "\"Condition\": %s", parts[part].condition);
	}
	new_line(writer, 2);
	buf_add_char(writer->out, '}');
}

void policy_add(struct buf *out, const struct policy_action *actions, size_t count,
		const char *partition, bool read_only, bool one_line)
{
	const struct writer writer = { .out = out, .one_line = one_line };
	bool any = false;
	buf_add_char(out, '{');
	new_line(&writer, 1);
	buf_add_text(out, "\"Version\": \"2012-10-17\",");
	new_line(&writer, 1);
	buf_add_text(out, "\"Statement\": [");
	for (int part = 0; part < (read_only ? POLICY_CHANGE : POLICY_PARTS); part++) {
		if (!is_in(actions, count, (enum policy_part)part))
			continue;
		buf_add_text(out, any ? "," : "");
		add_statement(&writer, actions, count, (enum policy_part)part, partition);
		any = true;
	}
	new_line(&writer, 1);
	buf_add_char(out, ']');
	new_line(&writer, 0);
	buf_add_text(out, "}\n");
}

const char *policy_part_word(enum policy_part part)
{
	return parts[part].sid;
}

void policy_add_resource(struct buf *out, enum policy_part part, const char *partition)
{
	if (parts[part].resource)
		buf_addf(out, "arn:%s:%s", partition, parts[part].resource);
	else
		buf_add_char(out, '*');
}

const char *policy_partition(const char *region)
{
	static const struct {
		const char *begin, *partition;
	} rows[] = {
		{ "cn-", "aws-cn" },         { "us-gov-", "aws-us-gov" },
		{ "eusc-de-", "aws-eusc" },  { "us-iso-", "aws-iso" },
		{ "us-isob-", "aws-iso-b" }, { "eu-isoe-", "aws-iso-e" },
		{ "us-isof-", "aws-iso-f" },
	};
	for (size_t i = 0; region && i < ARRAY_LEN(rows); i++)
		if (strncmp(region, rows[i].begin, strlen(rows[i].begin)) == 0)
			return rows[i].partition;
	return "aws";
}

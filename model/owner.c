#include "model/owner.h"

#include <ctype.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"

#define ARN_MAX       2048
#define EXECUTION_ID  12 /* characters of a pipeline's execution */
#define PIPELINE_HEAD "pipelines-"

/* Members of Describe that name an owner. Source: service model. */
static const struct {
	const char *member;
	enum owner_kind kind;
} members[] = {
	{ "TuningJobArn", OWNER_TUNING },
	{ "AutoMLJobArn", OWNER_AUTOML },
	{ "LabelingJobArn", OWNER_LABELING },
	{ "MonitoringScheduleArn", OWNER_MONITORING },
};

/* Tags of what others start, by the beginning of their keys. Sources: SageMaker Python SDK
 * (lineage), Step Functions guide (resources that it manages); aws: keys are AWS's own. */
static const struct {
	const char *key;
	enum owner_kind kind;
} keys[] = {
	{ "sagemaker:pipeline-execution-arn", OWNER_PIPELINE },
	{ "aws:sagemaker:pipeline", OWNER_PIPELINE },
	{ "AWS_STEP_FUNCTIONS_EXECUTION_ARN", OWNER_STEP_FUNCTIONS },
	{ "MANAGED_BY_AWS", OWNER_STEP_FUNCTIONS },
	{ "aws:states:", OWNER_STEP_FUNCTIONS },
	{ "aws:batch:", OWNER_BATCH },
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The last part of an ARN; none where that is no name, so that it can be typed as it is shown. */
static void take_name(struct owner *owner, const char *arn)
{
	const char *name = arn;
	if (!begins(arn, "arn:"))
		return;
	for (const char *at = arn; *at; at++)
		if (*at == '/' || *at == ':')
			name = at + 1;
	if (job_name_is_valid(name))
		memcpy(owner->name, name, strlen(name) + 1);
}

static bool find_member(const char *text, struct owner *owner)
{
	struct json_doc doc = { 0 };
	struct err ignored = { 0 };
	struct buf arn;
	buf_init(&arn, ARN_MAX);
	bool ok = json_doc_parse(&doc, text, strlen(text), &ignored);
	for (size_t i = 0; ok && i < ARRAY_LEN(members) && owner->kind == OWNER_NONE; i++) {
		if (!json_doc_string(&doc, json_doc_member(&doc, 0, members[i].member), &arn) ||
		    arn.len == 0)
			continue;
		owner->kind = members[i].kind;
		take_name(owner, buf_text(&arn));
	}
	json_doc_release(&doc);
	buf_release(&arn);
	err_clear(&ignored);
	return owner->kind != OWNER_NONE;
}

/* pipelines-EXECUTION-STEP-RANDOM: the execution is what can be named. */
static bool is_of_pipeline(const char *name, struct owner *owner)
{
	const char *id = name + strlen(PIPELINE_HEAD);
	size_t len = 0;
	if (!begins(name, PIPELINE_HEAD))
		return false;
	while (isalnum((unsigned char)id[len]))
		len++;
	if (len != EXECUTION_ID || id[len] != '-')
		return false;
	owner->kind = OWNER_PIPELINE;
	memcpy(owner->name, id, len);
	owner->name[len] = '\0';
	return true;
}

bool owner_of_job(const struct job *job, struct owner *owner)
{
	*owner = (struct owner){ 0 };
	if (job->request_json && find_member(job->request_json, owner))
		return true;
	if (is_of_pipeline(job->name, owner))
		return true;
	if (begins(job->name, "AWSBatch"))
		owner->kind = OWNER_BATCH;
	return owner->kind != OWNER_NONE;
}

bool owner_of_tags(const struct tag *tags, size_t count, struct owner *owner)
{
	*owner = (struct owner){ 0 };
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
			if (!begins(tags[i].key, keys[k].key))
				continue;
			if (owner->kind == OWNER_NONE)
				owner->kind = keys[k].kind;
			if (owner->kind == keys[k].kind && !owner->name[0])
				take_name(owner, tags[i].value);
		}
	return owner->kind != OWNER_NONE;
}

const char *owner_word(enum owner_kind kind)
{
	static const char *const words[] = {
		[OWNER_NONE] = "nobody",
		[OWNER_TUNING] = "tuning job",
		[OWNER_AUTOML] = "AutoML job",
		[OWNER_LABELING] = "labeling job",
		[OWNER_MONITORING] = "monitoring schedule",
		[OWNER_PIPELINE] = "pipeline execution",
		[OWNER_BATCH] = "AWS Batch",
		[OWNER_STEP_FUNCTIONS] = "Step Functions execution",
	};
	return words[kind];
}

void owner_describe(const struct owner *owner, struct buf *out)
{
	buf_addf(out, "%s%s%s%s", owner->kind == OWNER_BATCH ? "" : "the ", owner_word(owner->kind),
		 owner->name[0] ? " " : "", owner->name);
}

const char *owner_typed(const struct owner *owner, const char *job_name)
{
	return owner->name[0] ? owner->name : job_name;
}

#include "tests/wildslips.h"

#include <string.h>

#include "model/base/mem.h"

#define TRIES      40
#define PLAN(name) "arn:aws:sagemaker:us-east-1:111122223333:training-plan/" name

enum { TRAINING = 1, PROCESSING = 2, BOTH = 3 };

/* One member set to one value; the object "@" is the cluster. NULL takes it away. */
static const struct {
	int kinds;
	struct wild_member member;
} values[] = {
	/* away */
	{ BOTH, { "", "RoleArn", NULL } },
	{ TRAINING, { "OutputDataConfig", "S3OutputPath", NULL } },
	{ TRAINING, { "AlgorithmSpecification", "TrainingInputMode", NULL } },
	{ TRAINING, { "", "TrainingJobName", NULL } },
	{ TRAINING, { "", "StoppingCondition", "null" } },
	{ TRAINING, { "", "AlgorithmSpecification", "null" } },
	{ TRAINING, { "", "OutputDataConfig", "null" } },
	{ TRAINING, { "", "ResourceConfig", "null" } },
	{ TRAINING, { "@", "InstanceType", NULL } },
	{ BOTH, { "@", "InstanceCount", "null" } },
	{ PROCESSING, { "AppSpecification", "ImageUri", NULL } },
	{ PROCESSING, { "@", "VolumeSizeInGB", NULL } },
	{ PROCESSING, { "@", "InstanceType", "null" } },
	{ TRAINING, { "CheckpointConfig", "LocalPath", "\"/opt/x\"" } }, /* and no S3Uri */
	{ TRAINING, { "RetryStrategy", "MaximumRetryAttempts", "null" } },
	{ BOTH, { "", "Tags", "[{\"Key\":\"a\"}]" } },
	{ TRAINING, { "", "InputDataConfig", "[{\"ChannelName\":\"a\"}]" } },
	{ TRAINING, { "", "InputDataConfig", "[null]" } },
	{ PROCESSING, { "", "ProcessingInputs", "[{}]" } },
	{ PROCESSING, { "", "StoppingCondition", "{}" } },
	/* of another form */
	{ BOTH, { "", "RoleArn", "\"arn:aws:iam:: 111122223333:role/gpu\"" } },
	{ BOTH, { "", "RoleArn", "\"gpu-role-of-the-team-here\"" } },
	{ BOTH, { "", "RoleArn", "7" } },
	{ TRAINING, { "OutputDataConfig", "S3OutputPath", "\"s3:// bucket /out\"" } },
	{ TRAINING, { "OutputDataConfig", "S3OutputPath", "\"\"" } },
	{ TRAINING, { "OutputDataConfig", "S3OutputPath", "\"bucket/out\"" } },
	{ TRAINING, { "OutputDataConfig", "S3OutputPath", "\"s3://b/with blank\"" } },
	{ TRAINING, { "OutputDataConfig", "KmsKeyId", "\"no blanks here\"" } },
	{ TRAINING, { "AlgorithmSpecification", "TrainingInputMode", "\"Files\"" } },
	{ TRAINING, { "AlgorithmSpecification", "TrainingInputMode", "\"\"" } },
	{ TRAINING, { "AlgorithmSpecification", "AlgorithmName", "\"-no\"" } },
	{ TRAINING, { "", "EnableNetworkIsolation", "\"true\"" } },
	{ TRAINING, { "", "HyperParameters", "{\"epochs\":3}" } },
	{ TRAINING, { "", "HyperParameters", "[]" } },
	{ TRAINING, { "", "HyperParameters", "{\"epochs\":null}" } },
	{ BOTH, { "", "Environment", "{\"1X\":\"y\"}" } },
	{ BOTH, { "", "Tags", "[{\"Key\":\"a\",\"Value\":\"b;c\"}]" } },
	{ BOTH, { "", "Tags", "[{\"Key\":\"aws:x\",\"Value\":\"y\"}]" } },
	{ BOTH, { "", "Tags", "[]" } },
	{ BOTH, { "", "Tags", "{}" } },
	{ BOTH, { "@", "VolumeSizeInGB", "\"500\"" } },
	{ BOTH, { "@", "VolumeSizeInGB", "50.5" } },
	{ BOTH, { "@", "VolumeSizeInGB", "5e1" } },
	{ BOTH, { "@", "VolumeKmsKeyId", "\"a key\"" } },
	{ BOTH, { "@", "VolumeKmsKeyId", "\"alias/key\"" } },
	{ BOTH, { "@", "InstanceCount", "\"2\"" } },
	{ BOTH, { "@", "InstanceCount", "1.5" } },
	{ BOTH, { "@", "InstancePreferences", "{}" } },
	{ TRAINING, { "", "ResourceConfig", "5" } },
	{ TRAINING, { "", "StoppingCondition", "[]" } },
	{ TRAINING, { "StoppingCondition", "MaxRuntimeInSeconds", "\"1 h\"" } },
	{ TRAINING, { "@", "TrainingPlanArn", "\"p5-plan\"" } },
	{ TRAINING,
	  { "@", "TrainingPlanArn",
	    "\"arn:aws:sagemaker:us-east-1:111122223333:training-job/p5-plan\"" } },
	{ TRAINING,
	  { "", "VpcConfig", "{\"SecurityGroupIds\":[\"sg 1\"],\"Subnets\":[\"s-1\"]}" } },
	{ BOTH, { "", "ExperimentConfig", "{\"TrialName\":\"-t\"}" } },
	{ PROCESSING, { "", "AppSpecification", "\"image\"" } },
	{ PROCESSING, { "", "ProcessingResources", "{\"ClusterConfig\":[]}" } },
	/* out of its range */
	{ BOTH, { "@", "VolumeSizeInGB", "-1" } },
	{ BOTH, { "@", "VolumeSizeInGB", "0" } },
	{ BOTH, { "@", "VolumeSizeInGB", "16385" } },
	{ BOTH, { "@", "VolumeSizeInGB", "99999999999" } },
	{ TRAINING, { "@", "KeepAlivePeriodInSeconds", "21601" } },
	{ TRAINING, { "@", "KeepAlivePeriodInSeconds", "-1" } },
	{ BOTH, { "StoppingCondition", "MaxRuntimeInSeconds", "0" } },
	{ BOTH, { "StoppingCondition", "MaxRuntimeInSeconds", "777601" } },
	{ BOTH, { "StoppingCondition", "MaxRuntimeInSeconds", "4294967296" } },
	{ BOTH, { "StoppingCondition", "MaxRuntimeInSeconds", "1e400" } },
	{ TRAINING, { "StoppingCondition", "MaxWaitTimeInSeconds", "-5" } },
	{ TRAINING, { "RetryStrategy", "MaximumRetryAttempts", "31" } },
	{ TRAINING, { "RetryStrategy", "MaximumRetryAttempts", "0" } },
	{ BOTH, { "@", "InstanceCount", "-1" } },
	{ BOTH, { "@", "InstanceCount", "0" } },
	{ BOTH, { "@", "InstanceCount", "4294967297" } },
	{ PROCESSING, { "@", "InstanceCount", "101" } },
	{ TRAINING, { "", "VpcConfig", "{\"SecurityGroupIds\":[],\"Subnets\":[\"s-1\"]}" } },
	/* what an answer has */
	{ BOTH, { "@", "SelectedInstanceType", "\"ml.g5.48xlarge\"" } },
	{ BOTH, { "@", "SelectedInstanceCount", "2" } },
	{ BOTH, { "@", "SelectedInstanceCount", "null" } },
	{ BOTH, { "", "BillableTimeInSeconds", "60" } },
	{ BOTH, { "@", "InstanceGroups", "[]" } },
	{ BOTH, { "@", "InstancePlacementConfig", "{\"EnableMultipleJobs\":true}" } },
	{ BOTH, { "", "EnableManagedSpotTraining", "false" } },
	/* spot and its wait */
	{ TRAINING, { "StoppingCondition", "MaxWaitTimeInSeconds", NULL } },
	{ TRAINING, { "StoppingCondition", "MaxWaitTimeInSeconds", "86399" } },
	{ TRAINING, { "StoppingCondition", "MaxWaitTimeInSeconds", "86400" } },
	/* doubts */
	{ BOTH, { "StoppingCondition", "MaxPendingTimeInSeconds", "1800" } },
	{ BOTH, { "StoppingCondition", "MaxPendingTimeInSeconds", "1799" } },
	{ BOTH, { "StoppingCondition", "MaxPendingTimeInSeconds", "2419201" } },
	{ BOTH, { "StoppingCondition", "MaxPendingTimeInSeconds", "\"2h\"" } },
	{ BOTH, { "", "Comment", "\"of nobody\"" } },
	{ BOTH, { "@", "InstanceTypes", "[\"ml.p5.48xlarge\"]" } },
	{ PROCESSING, { "@", "TrainingPlanArn", "\"" PLAN("p5-plan") "\"" } },
	{ PROCESSING, { "@", "TrainingPlanArn", "\"\"" } },
	{ PROCESSING, { "@", "TrainingPlanArn", "null" } },
	{ TRAINING,
	  { "@", "InstanceGroups",
	    "[{\"InstanceType\":\"ml.g5.48xlarge\",\"InstanceCount\":0,"
	    "\"InstanceGroupName\":\"g\"}]" } },
	{ TRAINING,
	  { "", "InputDataConfig",
	    "[{\"ChannelName\":\"a\",\"DataSource\":{\"S3DataSource\":{\"S3DataType\":"
	    "\"S3Prefix\",\"S3Uri\":\"s3://b/i\",\"InstanceGroupNames\":[\"a\"]}}},"
	    "{\"ChannelName\":\"b\",\"DataSource\":{\"S3DataSource\":{\"S3DataType\":"
	    "\"S3Prefix\",\"S3Uri\":\"s3://b/i\"}}}]" } },
	{ TRAINING,
	  { "", "ServerlessJobConfig",
	    "{\"BaseModelArn\":\"arn:aws:sagemaker:us-east-1:aws:hub-content/"
	    "SageMakerPublicHub/Model/llama/1.0.0\",\"JobType\":\"FineTuning\"}" } },
};

static bool slip_value(struct wild *wild)
{
	uint32_t row = wild_roll(wild, ARRAY_LEN(values));
	if (!(values[row].kinds & (wild->kind == JOB_TRAINING ? TRAINING : PROCESSING)))
		return false;
	const struct wild_member *member = &values[row].member;
	wild_set(wild, member->object[0] == '@' ? wild_cluster(wild) : member->object, member->name,
		 member->value);
	return true;
}

/* Too long, or too many of it. */
static bool slip_length(struct wild *wild)
{
	bool training = wild->kind == JOB_TRAINING;
	switch (wild_roll(wild, 6)) {
	case 0:
		wild_set(wild, "", "RoleArn",
			 wild_repeat(wild, "\"arn:aws:iam::111122223333:role/", "r", 2030, "\""));
		return true;
	case 1:
		wild_set(wild, "", "Tags",
			 wild_repeat(wild, "[{\"Key\":\"", "k", 127 + wild_roll(wild, 3),
				     "\",\"Value\":\"\"}]"));
		return true;
	case 2:
		wild_set(wild, "", "Environment",
			 wild_repeat(wild, "{\"A\":\"", "\u00e9", training ? 513 : 257, "\"}"));
		return true;
	case 3:
		wild_set(wild, training ? "" : "AppSpecification",
			 training ? "HyperParameters" : "ContainerArguments",
			 training ? wild_repeat(wild, "{\"a\":\"", "v", 2499 + wild_roll(wild, 3),
						"\"}")
				  : wild_repeat(wild, "[", "\"a\"", 99 + wild_roll(wild, 3), "]"));
		return true;
	case 4:
		wild_set(wild, "", "VpcConfig",
			 wild_repeat(wild, "{\"SecurityGroupIds\":[", "\"sg-1\"", 6,
				     "],\"Subnets\":[\"s-1\"]}"));
		return training;
	default:
		wild_set(wild, training ? "AlgorithmSpecification" : "AppSpecification",
			 training ? "TrainingImage" : "ImageUri",
			 wild_repeat(wild, "\"", "i", 254 + wild_roll(wild, 3), "\""));
		return true;
	}
}

static bool slip_name(struct wild *wild)
{
	static const char *const names[] = { "\"-a\"", "\"a_b\"",      "\"\"",      "\"a b\"",
					     "\"a-\"", "\"\u00fc\"",   "\"a\\nb\"", "null",
					     "5",      "\"a\\u0000\"", NULL };
	uint32_t lot = wild_roll(wild, ARRAY_LEN(names));
	wild_set(wild, "", wild->kind == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName",
		 names[lot] ? names[lot] : wild_repeat(wild, "\"a--", "n", 61, "\""));
	return true;
}

/* What only an answer of AWS has. */
static bool slip_selected(struct wild *wild)
{
	bool type = wild_roll(wild, 2) == 0;
	wild_set(wild, wild_cluster(wild), type ? "SelectedInstanceType" : "SelectedInstanceCount",
		 type ? "\"ml.g6.12xlarge\"" : "1");
	return true;
}

/* What cannot stand beside a list. */
static bool slip_company(struct wild *wild)
{
	static const struct wild_member company[] = {
		{ "@", "InstanceType", "\"ml.g5.48xlarge\"" },
		{ "@", "InstancePlacementConfig", "{}" },
		{ "", "EnableManagedSpotTraining", "true" },
		{ "@", "InstanceGroups",
		  "[{\"InstanceType\":\"ml.g5.48xlarge\",\"InstanceCount\":1,"
		  "\"InstanceGroupName\":\"g\"}]" },
	};
	const struct wild_member *beside = &company[wild_roll(wild, ARRAY_LEN(company))];
	wild_set(wild, beside->object[0] ? wild_cluster(wild) : "", beside->name, beside->value);
	return wild->has_list;
}

/* A spot job whose wait has no limit. */
static bool slip_wait(struct wild *wild)
{
	if (wild->kind != JOB_TRAINING || wild->has_list)
		return false;
	wild_set(wild, "", "EnableManagedSpotTraining", "true");
	wild_set(wild, "StoppingCondition", "MaxWaitTimeInSeconds",
		 wild_roll(wild, 2) ? NULL : "null");
	return true;
}

/* Slips of the list: false where there is none. */
static struct wild_entry *an_entry(struct wild *wild)
{
	return wild->has_list && wild->entry_count > 0
		       ? &wild->entries[wild_roll(wild, (uint32_t)wild->entry_count)]
		       : NULL;
}

static bool slip_list_length(struct wild *wild)
{
	size_t length = 6 + wild_roll(wild, 2) * wild_roll(wild, 5);
	if (!an_entry(wild))
		return false;
	bool counted = wild->entries[0].count != NULL;
	if (wild_roll(wild, 4) == 0)
		wild->entry_count = 0;
	else
		while (wild->entry_count < length)
			wild_add_entry(wild, counted);
	return true;
}

static bool slip_duplicate(struct wild *wild)
{
	struct wild_entry *entry = an_entry(wild), *other = an_entry(wild);
	if (!entry || entry == other)
		return false;
	entry->type = other->type;
	entry->plans = other->plans;
	return true;
}

/* Counts: on one entry more or less, beside the list too, or nowhere. */
static bool slip_counts(struct wild *wild)
{
	struct wild_entry *entry = an_entry(wild);
	if (!entry)
		return false;
	switch (wild_roll(wild, 4)) {
	case 0:
		entry->count = entry->count ? (wild_roll(wild, 2) ? NULL : "null") : "2";
		return true;
	case 1:
		wild_set(wild, wild_cluster(wild), "InstanceCount",
			 wild_roll(wild, 4) ? "3" : "null");
		return true;
	default:
		wild_set(wild, wild_cluster(wild), "InstanceCount", NULL);
		for (size_t i = 0; i < wild->entry_count; i++)
			wild->entries[i].count = NULL;
		return true;
	}
}

static bool slip_entry_count(struct wild *wild)
{
	static const char *const counts[] = { "0",  "-1",  "17",    "101", "2147483648",
					      "16", "1e1", "\"2\"", "2.0", "99" };
	struct wild_entry *entry = an_entry(wild);
	if (!entry || !entry->count)
		return false;
	entry->count = counts[wild_roll(wild, ARRAY_LEN(counts))];
	return true;
}

static bool slip_type(struct wild *wild)
{
	static const char *const types[] = {
		"\"ml.c4.large\"",
		"\"ml.inf2.xlarge\"",
		"\"ml.trn1.2xlarge\"",
		"\"ml.p4d.24xlarge\"",
		"\"ml.c4.large\"",
		"\"ml.inf2.8xlarge\"",
		"\"ml.p5.49xlarge\"",
		"\"\"",
		"\"ml.P5.48xlarge\"",
		"null",
		"7",
		NULL,
	};
	struct wild_entry *entry = an_entry(wild);
	const char *type = types[wild_roll(wild, ARRAY_LEN(types))];
	if (entry)
		entry->type = type;
	else
		wild_set(wild, wild_cluster(wild), "InstanceType", type);
	return true;
}

/* More than the region's quota: 16 for most, 0, 1 and 2 for three. */
static bool slip_quota(struct wild *wild)
{
	static const char *const types[] = { "\"ml.p3.2xlarge\"", "\"ml.g5.xlarge\"",
					     "\"ml.p5en.48xlarge\"", NULL };
	struct wild_entry *entry = an_entry(wild);
	const char *type = types[wild_roll(wild, ARRAY_LEN(types))];
	if (!entry)
		return false;
	if (wild->kind == JOB_PROCESSING && wild_roll(wild, 2))
		type = NULL;
	/* For processing above its quota, and by chance above the 100 that it may ask for at all.
	 */
	const char *count = wild->kind == JOB_TRAINING ? "17" : wild_roll(wild, 2) ? "21" : "101";
	if (!type && !entry->count)
		wild_set(wild, wild_cluster(wild), "InstanceCount", count);
	else if (!type)
		entry->count = count;
	else
		entry->type = type;
	return true;
}

static bool slip_entry(struct wild *wild)
{
	static const char *const entries[] = { "null", "{}",
					       "5",    "\"ml.p5.48xlarge\"",
					       "[]",   "{\"InstanceCount\":1}" };
	struct wild_entry *entry = an_entry(wild);
	if (!entry)
		return false;
	entry->whole = entries[wild_roll(wild, ARRAY_LEN(entries))];
	return true;
}

static const char *any_plan(struct wild *wild, const struct wild_plan *plans, size_t count)
{
	return plans[wild_roll(wild, (uint32_t)count)].arn;
}

static bool slip_plan(struct wild *wild, const struct wild_plan *plans, size_t count)
{
	struct wild_entry *entry = an_entry(wild);
	if (!entry || count == 0)
		return false;
	if (wild->kind == JOB_PROCESSING) {
		const char *arn = wild_write(wild, "[\"%s\"]", any_plan(wild, plans, count));
		if (wild_roll(wild, 2))
			entry->plans = arn;
		else
			wild_set(wild, wild_cluster(wild), "TrainingPlanArn",
				 "\"" PLAN("p5-plan") "\"");
		return true;
	}
	switch (wild_roll(wild, 7)) {
	case 0:
		entry->plans = wild_write(wild, "[\"%s\",\"%s\"]", plans[0].arn, plans[0].arn);
		entry->type = wild_write(wild, "\"%s\"", plans[0].instance_type);
		return true;
	case 1:
		wild_set(wild, wild_cluster(wild), "TrainingPlanArn",
			 wild_write(wild, "\"%s\"", plans[0].arn));
		entry->plans = wild_write(wild, "[\"%s\"]", plans[0].arn);
		entry->type = wild_write(wild, "\"%s\"", plans[0].instance_type);
		return true;
	case 2:
		wild_set(wild, wild_cluster(wild), "TrainingPlanArn",
			 wild_write(wild, "\"%s\"", any_plan(wild, plans, count)));
		return true;
	case 3:
		entry->plans = "[\"" PLAN("nobodys-plan") "\"]";
		return true;
	case 4:
		entry->plans = wild_roll(wild, 2) ? "[]" : "null";
		return true;
	case 5:
		entry->plans = wild_roll(wild, 2) ? "[\"p5-plan\"]" : "\"" PLAN("p5-plan") "\"";
		return true;
	default:
		entry->plans = wild_write(wild, "[\"%s\"]", any_plan(wild, plans, count));
		return true;
	}
}

static bool (*const slips[])(struct wild *wild) = {
	slip_value,     slip_value,       slip_value,  slip_value,  slip_value,
	slip_length,    slip_name,        slip_counts, slip_counts, slip_list_length,
	slip_duplicate, slip_entry_count, slip_type,   slip_type,   slip_quota,
	slip_entry,     slip_selected,    slip_wait,   slip_wait,   slip_company,
};

void wild_slip(struct wild *wild, const struct wild_plan *plans, size_t plan_count)
{
	for (int tries = 0; tries < TRIES; tries++) {
		uint32_t lot = wild_roll(wild, ARRAY_LEN(slips) + 5);
		if (lot < ARRAY_LEN(slips) ? slips[lot](wild) : slip_plan(wild, plans, plan_count))
			return;
	}
}

/* Documents in the place of a request; no one is a request beside that. */
static const char *const strangers[] = {
	"[]",
	"5",
	"\"TrainingJobName\"",
	"null",
	"{}",
	"{\"StartAt\":\"a\",\"States\":{}}",
	"{\"apiVersion\":\"v1\",\"kind\":\"TrainingJob\"}",
	"{\"TrainingJobSummaries\":[]}",
	"{\"ProcessingJobSummaries\":[]}",
	"{\"InstancePreferences\":[]}",
	"{\"trainingJobName\":\"a\",\"roleArn\":\"r\"}",
	"{\"Resources\":{},\"AWSTemplateFormatVersion\":\"2010-09-09\"}",
};

char *wild_damage(struct wild *wild, const char *text)
{
	size_t len = strlen(text), at = 1 + wild_roll(wild, (uint32_t)len - 1);
	struct buf out;
	buf_init(&out, 2 * len + 64);
	switch (wild_roll(wild, 6)) {
	case 0: /* cut */
		buf_add(&out, text, at);
		break;
	case 1: /* twice */
		buf_addf(&out, "%s %s", text, text);
		break;
	case 2: /* a comma before the end */
		buf_add(&out, text, len - 1);
		buf_add_text(&out, ",}");
		break;
	case 3: /* the same member again */
		buf_add(&out, text, len - 1);
		buf_add_text(&out, ",\"RoleArn\":\"x\",\"RoleArn\":\"y\"}");
		break;
	default:
		return mem_copy_text(strangers[wild_roll(wild, ARRAY_LEN(strangers))]);
	}
	return buf_take(&out);
}

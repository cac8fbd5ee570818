#include "tests/wilddoc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/anytext.h"
#include "tests/wildslips.h"

/* With quota 16 in the region. Those of processing may be used by training too. */
static const char *const training_types[] = {
	"ml.p5.48xlarge",   "ml.p5e.48xlarge", "ml.p4d.24xlarge",  "ml.p4de.24xlarge",
	"ml.trn1.32xlarge", "ml.p5.48xlarge",  "ml.p3dn.24xlarge", "ml.g6e.24xlarge",
};
static const char *const both_types[] = {
	"ml.g5.12xlarge",  "ml.g5.48xlarge", "ml.g6.12xlarge", "ml.g6.48xlarge", "ml.g6e.12xlarge",
	"ml.g6e.48xlarge", "ml.p3.8xlarge",  "ml.m5.xlarge",   "ml.c5.xlarge",   "ml.r5.large",
};

uint32_t wild_roll(struct wild *wild, uint32_t below)
{
	return anytext_random(&wild->seed) % below;
}

const char *wild_write(struct wild *wild, const char *format, ...)
{
	char *text = wild->paper + wild->paper_used;
	size_t room = WILD_PAPER_SIZE - wild->paper_used;
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text, room, format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= room)
		return "null"; /* the paper is full */
	wild->paper_used += (size_t)len + 1;
	return text;
}

const char *wild_repeat(struct wild *wild, const char *before, const char *unit, size_t times,
			const char *after)
{
	struct buf text;
	buf_init(&text, WILD_PAPER_SIZE);
	buf_add_text(&text, before);
	for (size_t i = 0; i < times; i++)
		buf_addf(&text, "%s%s", i > 0 && unit[0] == '"' ? "," : "", unit);
	buf_add_text(&text, after);
	const char *written = wild_write(wild, "%s", buf_text(&text));
	buf_release(&text);
	return written;
}

static struct wild_member *find(struct wild *wild, const char *object, const char *name)
{
	for (size_t i = 0; i < wild->member_count; i++) {
		struct wild_member *member = &wild->members[i];
		if (strcmp(member->object, object) == 0 && strcmp(member->name, name) == 0)
			return member;
	}
	return NULL;
}

void wild_set(struct wild *wild, const char *object, const char *name, const char *value)
{
	struct wild_member *member = find(wild, object, name);
	if (!member && wild->member_count < WILD_MEMBERS_MAX)
		member = &wild->members[wild->member_count++];
	if (member)
		*member = (struct wild_member){ object, name, value };
}

bool wild_has(struct wild *wild, const char *object, const char *name)
{
	const struct wild_member *member = find(wild, object, name);
	return member && member->value;
}

const char *wild_cluster(const struct wild *wild)
{
	return wild->kind == JOB_TRAINING ? "ResourceConfig" : "ProcessingResources.ClusterConfig";
}

const char *wild_type(struct wild *wild)
{
	bool both = wild->kind == JOB_PROCESSING || wild_roll(wild, 2) == 0;
	return both ? both_types[wild_roll(wild, ARRAY_LEN(both_types))]
		    : training_types[wild_roll(wild, ARRAY_LEN(training_types))];
}

static bool lists(const struct wild *wild, const char *quoted)
{
	for (size_t i = 0; i < wild->entry_count; i++)
		if (wild->entries[i].type && strcmp(wild->entries[i].type, quoted) == 0)
			return true;
	return false;
}

void wild_add_entry(struct wild *wild, bool counted)
{
	const char *type = wild_write(wild, "\"%s\"", wild_type(wild));
	while (lists(wild, type))
		type = wild_write(wild, "\"%s\"", wild_type(wild));
	if (wild->entry_count == WILD_ENTRIES_MAX)
		return;
	wild->entries[wild->entry_count++] = (struct wild_entry){
		.type = type,
		.count = counted ? wild_write(wild, "%u", 1 + wild_roll(wild, 4)) : NULL,
	};
}

/* An entry of the list gets the plan of its type, or the job gets it. */
static void bind_plan(struct wild *wild, const struct wild_plan *plan)
{
	const char *type = wild_write(wild, "\"%s\"", plan->instance_type);
	if (!lists(wild, type))
		wild->entries[0].type = type;
	for (size_t i = 0; i < wild->entry_count; i++) {
		if (strcmp(wild->entries[i].type, type) != 0)
			continue;
		if (wild_roll(wild, 3) == 0)
			wild_set(wild, "ResourceConfig", "TrainingPlanArn",
				 wild_write(wild, "\"%s\"", plan->arn));
		else
			wild->entries[i].plans = wild_write(wild, "[\"%s\"]", plan->arn);
	}
}

static void make_list(struct wild *wild, const struct wild_plan *plans, size_t plan_count)
{
	bool counted = wild_roll(wild, 2) == 0;
	size_t length = 1 + wild_roll(wild, 5);
	wild->has_list = true;
	while (wild->entry_count < length)
		wild_add_entry(wild, counted);
	if (!counted)
		wild_set(wild, wild_cluster(wild), "InstanceCount",
			 wild_write(wild, "%u", 1 + wild_roll(wild, 4)));
	if (wild->kind == JOB_TRAINING && plan_count > 0 && wild_roll(wild, 4) == 0)
		bind_plan(wild, &plans[wild_roll(wild, (uint32_t)plan_count)]);
	if (wild->kind == JOB_TRAINING && wild_roll(wild, 2) == 0)
		wild_set(wild, "StoppingCondition", "MaxPendingTimeInSeconds", "21600");
}

static void make_single(struct wild *wild, bool spot)
{
	wild_set(wild, wild_cluster(wild), "InstanceType",
		 wild_write(wild, "\"%s\"", wild_type(wild)));
	wild_set(wild, wild_cluster(wild), "InstanceCount",
		 wild_write(wild, "%u", 1 + wild_roll(wild, 4)));
	if (!spot)
		return;
	wild_set(wild, "", "EnableManagedSpotTraining", "true");
	wild_set(wild, "StoppingCondition", "MaxWaitTimeInSeconds", "90000");
	wild_set(wild, "CheckpointConfig", "S3Uri", "\"s3://bucket/check\"");
}

static void make_groups(struct wild *wild)
{
	wild_set(wild, "ResourceConfig", "InstanceGroups",
		 wild_write(wild,
			    "[{\"InstanceType\":\"%s\",\"InstanceCount\":%u,"
			    "\"InstanceGroupName\":\"a\"},{\"InstanceType\":\"%s\","
			    "\"InstanceCount\":%u,\"InstanceGroupName\":\"b\"}]",
			    wild_type(wild), 1 + wild_roll(wild, 3), wild_type(wild),
			    1 + wild_roll(wild, 3)));
}

#define CHANNEL                                                                         \
	"[{\"ChannelName\":\"train\",\"DataSource\":{\"S3DataSource\":{\"S3DataType\":" \
	"\"S3Prefix\",\"S3Uri\":\"s3://bucket/in\"}},\"ContentType\":null}]"

/* What most jobs have beside their instances; each comes or not. */
static const struct {
	bool training, processing;
	struct wild_member member;
} extras[] = {
	{ true, false, { "", "HyperParameters", "{\"epochs\":\"3\",\"lr\":\"1.0e-5\"}" } },
	{ true, true, { "", "Environment", "{\"MODE\":\"fast\",\"_X1\":\"\"}" } },
	{ true, false, { "", "InputDataConfig", CHANNEL } },
	{ true, true, { "", "Tags", "[{\"Key\":\"team\",\"Value\":\"a b\"}]" } },
	{ true, true, { "", "ExperimentConfig", "{\"TrialName\":\"t-1\"}" } },
	{ true, false, { "", "EnableNetworkIsolation", "false" } },
	{ true, false, { "RetryStrategy", "MaximumRetryAttempts", "3" } },
	{ true, false, { "ResourceConfig", "KeepAlivePeriodInSeconds", "600" } },
	{ true, false, { "OutputDataConfig", "KmsKeyId", "\"\"" } },
	{ false, true, { "AppSpecification", "ContainerArguments", "[\"--fast\"]" } },
	{ false, true, { "", "ProcessingInputs", "[]" } },
	{ false, true, { "StoppingCondition", "MaxRuntimeInSeconds", "3600" } },
	{ false, true, { "NetworkConfig", "EnableNetworkIsolation", "true" } },
};

static void add_extras(struct wild *wild)
{
	bool training = wild->kind == JOB_TRAINING;
	for (size_t i = 0; i < ARRAY_LEN(extras); i++) {
		const struct wild_member *extra = &extras[i].member;
		if ((training ? extras[i].training : extras[i].processing) &&
		    wild_roll(wild, 3) == 0)
			wild_set(wild, extra->object, extra->name, extra->value);
	}
}

static void make_training(struct wild *wild, const struct wild_plan *plans, size_t plan_count)
{
	uint32_t lot = wild_roll(wild, 16);
	wild_set(wild, "AlgorithmSpecification", "TrainingImage",
		 "\"111122223333.dkr.ecr.us-east-1.amazonaws.com/llm:1\"");
	wild_set(wild, "AlgorithmSpecification", "TrainingInputMode", "\"File\"");
	wild_set(wild, "OutputDataConfig", "S3OutputPath", "\"s3://bucket/out\"");
	wild_set(wild, "StoppingCondition", "MaxRuntimeInSeconds", "86400");
	wild_set(wild, "ResourceConfig", "VolumeSizeInGB", "500");
	if (lot < 10)
		make_list(wild, plans, plan_count);
	else if (lot < 15)
		make_single(wild, lot >= 12);
	else
		make_groups(wild);
}

static void make_processing(struct wild *wild)
{
	wild_set(wild, "AppSpecification", "ImageUri", "\"image\"");
	wild_set(wild, wild_cluster(wild), "VolumeSizeInGB", "30");
	if (wild_roll(wild, 4) > 0)
		make_list(wild, NULL, 0);
	else
		make_single(wild, false);
}

void wild_init(struct wild *wild, uint32_t seed, const char *name, const struct wild_plan *plans,
	       size_t plan_count)
{
	*wild = (struct wild){ .seed = seed, .paper = mem_new(1, WILD_PAPER_SIZE) };
	bool training = wild_roll(wild, 4) > 0;
	wild->kind = training ? JOB_TRAINING : JOB_PROCESSING;
	wild_set(wild, "", training ? "TrainingJobName" : "ProcessingJobName",
		 wild_write(wild, "\"%s\"", name));
	wild_set(wild, "", "RoleArn", "\"arn:aws:iam::111122223333:role/gpu\"");
	if (training)
		make_training(wild, plans, plan_count);
	else
		make_processing(wild);
	add_extras(wild);
	uint32_t lot = wild_roll(wild, 16);
	for (unsigned slips = lot < 6 ? 0 : lot < 14 ? 1 : 2; slips > 0; slips--)
		wild_slip(wild, plans, plan_count);
}

void wild_release(struct wild *wild)
{
	free(wild->paper);
	*wild = (struct wild){ 0 };
}

/* Writing ------------------------------------------------------------------------------------ */

static void comma(struct buf *out)
{
	char last = out->len > 0 ? out->data[out->len - 1] : '{';
	if (last != '{' && last != '[')
		buf_add_char(out, ',');
}

static void add(struct buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	comma(out);
	buf_addf(out, "\"%s\":", name);
	buf_add_text(out, value);
}

static void add_entry(struct buf *out, const struct wild_entry *entry)
{
	comma(out);
	if (entry->whole) {
		buf_add_text(out, entry->whole);
		return;
	}
	buf_add_char(out, '{');
	add(out, "InstanceType", entry->type);
	add(out, "InstanceCount", entry->count);
	add(out, "TrainingPlanArns", entry->plans);
	buf_add_char(out, '}');
}

static void add_list(struct buf *out, const struct wild *wild)
{
	if (!wild->has_list)
		return;
	comma(out);
	buf_add_text(out, "\"InstancePreferences\":[");
	for (size_t i = 0; i < wild->entry_count; i++)
		add_entry(out, &wild->entries[i]);
	buf_add_char(out, ']');
}

/* The members of an object; the list stands among those of the cluster. */
static void add_members(struct buf *out, const struct wild *wild, const char *object)
{
	for (size_t i = 0; i < wild->member_count; i++)
		if (strcmp(wild->members[i].object, object) == 0)
			add(out, wild->members[i].name, wild->members[i].value);
	if (strcmp(object, wild_cluster(wild)) == 0)
		add_list(out, wild);
}

static bool is_first(const struct wild *wild, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(wild->members[i].object, wild->members[at].object) == 0)
			return false;
	return true;
}

/* An object that a slip has made something else at the root is written once, as that. */
static bool is_replaced(const struct wild *wild, const char *object)
{
	for (size_t i = 0; i < wild->member_count; i++)
		if (wild->members[i].object[0] == '\0' &&
		    strncmp(wild->members[i].name, object, strcspn(object, ".")) == 0 &&
		    wild->members[i].name[strcspn(object, ".")] == '\0')
			return true;
	return false;
}

static void add_object(struct buf *out, const struct wild *wild, const char *object)
{
	const char *dot = strchr(object, '.');
	int outer = (int)(dot ? dot - object : (long)strlen(object));
	comma(out);
	buf_addf(out, "\"%.*s\":{", outer, object);
	if (dot)
		buf_addf(out, "\"%s\":{", dot + 1);
	add_members(out, wild, object);
	buf_add_text(out, dot ? "}}" : "}");
}

static void add_all(struct buf *out, const struct wild *wild)
{
	add_members(out, wild, "");
	for (size_t i = 0; i < wild->member_count; i++) {
		const char *object = wild->members[i].object;
		if (object[0] && is_first(wild, i) && !is_replaced(wild, object))
			add_object(out, wild, object);
	}
}

void wild_add_request(const struct wild *wild, struct buf *out)
{
	buf_add_char(out, '{');
	add_all(out, wild);
	buf_add_char(out, '}');
}

void wild_add_describe(const struct wild *wild, struct buf *out)
{
	bool training = wild->kind == JOB_TRAINING;
	buf_add_char(out, '{');
	add_all(out, wild);
	const char *word = training ? "Training" : "Processing";
	buf_addf(out,
		 ",\"%sJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:%s-job/wild\","
		 "\"%sJobStatus\":\"InProgress\",\"CreationTime\":1796060000.1,"
		 "\"LastModifiedTime\":1796060001.2",
		 word, training ? "training" : "processing", word);
	if (training)
		buf_add_text(out, ",\"SecondaryStatus\":\"Pending\",\"FailureReason\":null");
	buf_add_char(out, '}');
}

#include "aws/sim/recipes.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "aws/sim/emit.h"
#include "model/base/attr.h"
#include "model/base/text.h"

#define GPU_IMAGE "pytorch-training:2.5.1-gpu-py311-cu124-ubuntu22.04-sagemaker"
#define CPU_IMAGE "pytorch-training:2.5.1-cpu-py311-ubuntu22.04-sagemaker"
#define TRN_IMAGE "pytorch-training-neuronx:2.5.1-neuronx-py310-sdk2.21.0-ubuntu22.04"

const struct sim_recipe sim_recipes[] = {
	{ .stem = "llm-pretrain-1b",
	  .past = 72,
	  .metrics = true,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.p5e.48xlarge,ml.p5.48xlarge,ml.p4de.24xlarge,ml.p4d.24xlarge,"
		     "ml.g6e.48xlarge",
	  .shared_count = 2,
	  .image = GPU_IMAGE,
	  .script = "pretrain.py",
	  .wait_minutes = 190,
	  .run_minutes = 520,
	  .max_run_hours = 24,
	  .max_pending_hours = 6 },
	{ .stem = "llm-ft-7b",
	  .past = 42,
	  .metrics = true,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.p5.48xlarge:1,ml.p4de.24xlarge:1,ml.p4d.24xlarge:2",
	  .image = GPU_IMAGE,
	  .script = "finetune.py",
	  .wait_minutes = 75,
	  .run_minutes = 210,
	  .max_run_hours = 12,
	  .max_pending_hours = 6 },
	{ .stem = "rlhf-reward",
	  .past = 34,
	  .naming = SIM_NAME_HEX,
	  .entries = "ml.p5.48xlarge:4@,ml.p4d.24xlarge:4",
	  .image = GPU_IMAGE,
	  .script = "reward.py",
	  .wait_minutes = 30,
	  .run_minutes = 160,
	  .max_run_hours = 8,
	  .max_pending_hours = 12 },
	{ .stem = "rlhf-ppo",
	  .past = 22,
	  .naming = SIM_NAME_HEX,
	  .entries = "ml.p5.48xlarge:2@,ml.p4de.24xlarge:2",
	  .image = GPU_IMAGE,
	  .script = "ppo.py",
	  .idle_after_minutes = 140,
	  .wait_minutes = 3,
	  .run_minutes = 240,
	  .max_run_hours = 10,
	  .max_pending_hours = 4 },
	{ .stem = "asr-conformer",
	  .past = 14,
	  .metrics = true,
	  .naming = SIM_NAME_DAY,
	  .entries = "ml.p4d.24xlarge",
	  .shared_count = 2,
	  .image = GPU_IMAGE,
	  .script = "train_asr.py",
	  .wait_minutes = 110,
	  .run_minutes = 330,
	  .max_run_hours = 16,
	  .max_pending_hours = 24 },
	{ .stem = "sdxl-lora",
	  .past = 30,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.g6.48xlarge,ml.g5.48xlarge",
	  .shared_count = 1,
	  .image = GPU_IMAGE,
	  .script = "train_lora.py",
	  .wait_minutes = 7,
	  .run_minutes = 48,
	  .max_run_hours = 4,
	  .max_pending_hours = 2 },
	{ .stem = "fraud-gnn",
	  .past = 46,
	  .naming = SIM_NAME_LONG,
	  .entries = "ml.g5.12xlarge:2,ml.g6.12xlarge:2,ml.g4dn.12xlarge:4",
	  .image = GPU_IMAGE,
	  .script = "train_gnn.py",
	  .wait_minutes = 9,
	  .run_minutes = 65,
	  .max_run_hours = 6,
	  .max_pending_hours = 3 },
	{ .stem = "vit-distill",
	  .past = 46,
	  .metrics = true,
	  .naming = SIM_NAME_HEX,
	  .entries = "ml.g6e.12xlarge,ml.g6.12xlarge,ml.g5.12xlarge",
	  .shared_count = 1,
	  .image = GPU_IMAGE,
	  .script = "distill.py",
	  .wait_minutes = 5,
	  .run_minutes = 95,
	  .max_run_hours = 8,
	  .max_pending_hours = 4 },
	{ .stem = "embed-rerank",
	  .past = 32,
	  .naming = SIM_NAME_DAY,
	  .entries = "ml.trn1.32xlarge:1,ml.p4d.24xlarge:1",
	  .image = TRN_IMAGE,
	  .script = "rerank.py",
	  .wait_minutes = 40,
	  .run_minutes = 120,
	  .max_run_hours = 6,
	  .max_pending_hours = 8 },
	{ .stem = "speech-align",
	  .past = 16,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.p3.16xlarge:1!",
	  .image = GPU_IMAGE,
	  .script = "align.py",
	  .wait_minutes = 18,
	  .run_minutes = 75,
	  .max_run_hours = 5 },
	{ .stem = "recsys-twotower",
	  .past = 14,
	  .naming = SIM_NAME_DAY,
	  .entries = "ml.g5.12xlarge:1!",
	  .image = GPU_IMAGE,
	  .script = "two_tower.py",
	  .wait_minutes = 6,
	  .run_minutes = 140,
	  .max_run_hours = 8,
	  .spot = true },
	{ .stem = "churn-xgb",
	  .past = 8,
	  .naming = SIM_NAME_LONG,
	  .entries = "ml.m5.4xlarge:1!",
	  .image = CPU_IMAGE,
	  .script = "train_churn.py",
	  .wait_minutes = 1,
	  .run_minutes = 9,
	  .max_run_hours = 2 },
	{ .stem = "eval-nightly",
	  .past = 14,
	  .kind = SIM_PROCESSING,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.g5.2xlarge:1!",
	  .image = GPU_IMAGE,
	  .script = "evaluate.py",
	  .wait_minutes = 4,
	  .run_minutes = 22,
	  .max_run_hours = 2 },
	{ .stem = "batch-embed",
	  .past = 22,
	  .kind = SIM_PROCESSING,
	  .naming = SIM_NAME_HEX,
	  .entries = "ml.g6.2xlarge,ml.g5.2xlarge",
	  .shared_count = 2,
	  .image = GPU_IMAGE,
	  .script = "embed.py",
	  .wait_minutes = 6,
	  .run_minutes = 35,
	  .max_run_hours = 3 },
	{ .stem = "tokenize-corpus",
	  .past = 8,
	  .kind = SIM_PROCESSING,
	  .naming = SIM_NAME_DAY,
	  .entries = "ml.c5.9xlarge:4!",
	  .image = CPU_IMAGE,
	  .script = "tokenize.py",
	  .wait_minutes = 1,
	  .run_minutes = 28,
	  .max_run_hours = 6 },
	{ .stem = "preproc-clickstream",
	  .past = 8,
	  .kind = SIM_PROCESSING,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.m5.4xlarge:2!",
	  .image = CPU_IMAGE,
	  .script = "clickstream.py",
	  .wait_minutes = 1,
	  .run_minutes = 14,
	  .max_run_hours = 2 },
	{ .stem = "data-quality",
	  .past = 8,
	  .kind = SIM_PROCESSING,
	  .naming = SIM_NAME_LONG,
	  .entries = "ml.m5.xlarge:1!",
	  .image = CPU_IMAGE,
	  .script = "quality.py",
	  .wait_minutes = 1,
	  .run_minutes = 6,
	  .max_run_hours = 1 },
	{ .stem = "hpo-ctr",
	  .past = 10,
	  .naming = SIM_NAME_TRIAL,
	  .entries = "ml.g4dn.2xlarge:1!",
	  .image = GPU_IMAGE,
	  .script = "train_ctr.py",
	  .wait_minutes = 2,
	  .run_minutes = 18,
	  .max_run_hours = 1 },
	{ .stem = "notebook-iter",
	  .past = 12,
	  .naming = SIM_NAME_STAMP,
	  .entries = "ml.g5.4xlarge:1!",
	  .image = GPU_IMAGE,
	  .script = "iterate.py",
	  .wait_minutes = 3,
	  .run_minutes = 6,
	  .max_run_hours = 1,
	  .keep_alive_minutes = 20 },
	{ .stem = "dlrm-hetero",
	  .past = 6,
	  .naming = SIM_NAME_DAY,
	  .entries = "ml.g5.12xlarge:1,ml.c5.9xlarge:2",
	  .image = GPU_IMAGE,
	  .script = "train_dlrm.py",
	  .wait_minutes = 12,
	  .run_minutes = 90,
	  .max_run_hours = 5,
	  .groups = true },
	{ .stem = "sft-serverless",
	  .past = 6,
	  .naming = SIM_NAME_HEX,
	  .entries = "",
	  .image = GPU_IMAGE,
	  .script = "sft.py",
	  .wait_minutes = 1,
	  .run_minutes = 55,
	  .max_run_hours = 6,
	  .serverless = true },
};
_Static_assert(ARRAY_LEN(sim_recipes) > SIM_RECIPES_USUAL, "the crowd has recipes of its own");
const size_t sim_recipe_count = ARRAY_LEN(sim_recipes);

size_t sim_recipe_named(const char *stem)
{
	size_t i = 0;
	while (i + 1 < sim_recipe_count && strcmp(sim_recipes[i].stem, stem) != 0)
		i++;
	return i;
}

int sim_recipe_length(const struct sim_recipe *recipe)
{
	int length = 1;
	for (const char *at = recipe->entries; *at; at++)
		length += *at == ',';
	return length;
}

size_t sim_recipe_tuning_len(const struct sim_recipe *recipe)
{
	return recipe->naming == SIM_NAME_TRIAL ? strlen(recipe->stem) + strlen("-0811") : 0;
}

void sim_recipe_name(const struct sim_recipe *recipe, int64_t created_ms, uint64_t luck,
		     char out[SIM_NAME_SIZE])
{
	time_t seconds = (time_t)(created_ms / 1000);
	struct tm t = { 0 };
	int len = 0;
	if (!gmtime_r(&seconds, &t))
		t.tm_mday = 1;
	switch (recipe->naming) {
	case SIM_NAME_STAMP:
		len = snprintf(out, SIM_NAME_SIZE, "%s-%02d%02d-%02d%02d", recipe->stem,
			       t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min);
		break;
	case SIM_NAME_DAY:
		len = snprintf(out, SIM_NAME_SIZE, "%s-%04d%02d%02d-%04u", recipe->stem,
			       t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, (unsigned)(luck % 10000));
		break;
	case SIM_NAME_HEX: /* a digit in front, so that it is told from a word */
		len = snprintf(out, SIM_NAME_SIZE, "%s-%u%07x", recipe->stem, (unsigned)(luck % 10),
			       (unsigned)(luck >> 16) & 0xFFFFFFF);
		break;
	case SIM_NAME_LONG:
		len = snprintf(out, SIM_NAME_SIZE, "%s-%04d-%02d-%02d-%02d-%02d-%02d-%03u",
			       recipe->stem, t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
			       t.tm_min, t.tm_sec, (unsigned)(luck % 1000));
		break;
	case SIM_NAME_TRIAL: /* as a tuning job names its children */
		len = snprintf(out, SIM_NAME_SIZE, "%s-%02d%02d-%03u-%08x", recipe->stem,
			       t.tm_mon + 1, t.tm_mday, (unsigned)(luck % 120) + 1,
			       (unsigned)(luck >> 16));
		break;
	}
	if (len < 0 || len >= SIM_NAME_SIZE)
		out[0] = '\0';
}

/* One entry of the recipe's text; returns the rest of it. */
static const char *take_entry(const char *text, char *type, size_t size, int *count, bool *plan)
{
	size_t len = strcspn(text, ":@,!");
	int written = snprintf(type, size, "%.*s", (int)len, text);
	*count = 0;
	*plan = false;
	if (written < 0 || (size_t)written >= size)
		type[0] = '\0';
	for (text += len; *text && *text != ','; text++) {
		if (*text >= '0' && *text <= '9')
			*count = *count * 10 + (*text - '0');
		*plan = *plan || *text == '@';
	}
	return *text == ',' ? text + 1 : text;
}

/* The members that say what it runs on. */
static void emit_cluster(const struct sim_recipe *recipe, const struct sim_world *world,
			 struct buf *out)
{
	char type[64];
	int count;
	bool plan;
	if (strchr(recipe->entries, '!')) {
		(void)take_entry(recipe->entries, type, sizeof(type), &count, &plan);
		sim_emit_text(out, "InstanceType", type);
		sim_emit_integer(out, "InstanceCount", count);
		return;
	}
	if (recipe->shared_count > 0)
		sim_emit_integer(out, "InstanceCount", recipe->shared_count);
	sim_emit_key(out, recipe->groups ? "InstanceGroups" : "InstancePreferences");
	buf_add_char(out, '[');
	for (const char *text = recipe->entries; *text;) {
		text = take_entry(text, type, sizeof(type), &count, &plan);
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_text(out, "InstanceType", type);
		if (count > 0)
			sim_emit_integer(out, "InstanceCount", count);
		if (recipe->groups)
			sim_emit_text(out, "InstanceGroupName",
				      *text ? "trainers" : "data-loaders");
		if (plan && world->plan_count > 0)
			buf_addf(out, ",\"TrainingPlanArns\":[\"%s\"]", world->plans[0].arn);
		buf_add_char(out, '}');
	}
	buf_add_char(out, ']');
}

static void emit_image(const struct sim_recipe *recipe, const struct sim_world *world,
		       const char *name, struct buf *out)
{
	sim_emit_key(out, name);
	buf_addf(out, "\"763104351884.dkr.ecr.%s.amazonaws.com/%s\"", world->region, recipe->image);
}

static void emit_training(const struct sim_recipe *recipe, const struct sim_world *world,
			  const char *name, struct buf *out)
{
	sim_emit_text(out, "TrainingJobName", name);
	sim_emit_key(out, "AlgorithmSpecification");
	buf_add_char(out, '{');
	emit_image(recipe, world, "TrainingImage", out);
	if (recipe->metrics)
		buf_add_text(out, ",\"MetricDefinitions\":["
				  "{\"Name\":\"train:loss\",\"Regex\":\"loss=([0-9.]+)\"},"
				  "{\"Name\":\"validation:accuracy\","
				  "\"Regex\":\"accuracy=([0-9.]+)\"}]");
	buf_add_text(out, ",\"TrainingInputMode\":\"FastFile\"}");
	buf_addf(out,
		 ",\"HyperParameters\":{\"sagemaker_program\":\"%s\",\"epochs\":\"3\","
		 "\"learning_rate\":\"2e-5\"}",
		 recipe->script);
	buf_addf(out,
		 ",\"InputDataConfig\":[{\"ChannelName\":\"train\",\"DataSource\":{"
		 "\"S3DataSource\":{\"S3DataType\":\"S3Prefix\",\"S3Uri\":"
		 "\"s3://ml-data-%s/%s/train\",\"S3DataDistributionType\":\"FullyReplicated\"}}}]",
		 world->account, recipe->stem);
	buf_addf(out, ",\"OutputDataConfig\":{\"S3OutputPath\":\"s3://ml-models-%s/%s\"}",
		 world->account, recipe->stem);
	if (recipe->serverless) {
		buf_addf(out,
			 ",\"ServerlessJobConfig\":{\"BaseModelArn\":\"arn:aws:sagemaker:%s:aws:"
			 "hub-content/SageMakerPublicHub/Model/small-llm-8b/1.2.0\","
			 "\"JobType\":\"FineTuning\",\"CustomizationTechnique\":\"SFT\","
			 "\"AcceptEula\":true}",
			 world->region);
	} else {
		sim_emit_key(out, "ResourceConfig");
		buf_add_text(out, "{\"VolumeSizeInGB\":500");
		if (recipe->keep_alive_minutes > 0)
			sim_emit_integer(out, "KeepAlivePeriodInSeconds",
					 recipe->keep_alive_minutes * 60);
		emit_cluster(recipe, world, out);
		buf_add_char(out, '}');
	}
	buf_add_text(out, ",\"StoppingCondition\":{");
	sim_emit_integer(out, "MaxRuntimeInSeconds", recipe->max_run_hours * 3600);
	if (recipe->spot)
		sim_emit_integer(out, "MaxWaitTimeInSeconds", recipe->max_run_hours * 2 * 3600);
	if (recipe->max_pending_hours > 0)
		sim_emit_integer(out, "MaxPendingTimeInSeconds", recipe->max_pending_hours * 3600);
	buf_add_char(out, '}');
	if (recipe->spot)
		buf_addf(out,
			 ",\"EnableManagedSpotTraining\":true,\"CheckpointConfig\":{\"S3Uri\":"
			 "\"s3://ml-models-%s/%s/checkpoints\"}",
			 world->account, recipe->stem);
}

static void emit_processing(const struct sim_recipe *recipe, const struct sim_world *world,
			    const char *name, struct buf *out)
{
	sim_emit_text(out, "ProcessingJobName", name);
	sim_emit_key(out, "AppSpecification");
	buf_add_char(out, '{');
	emit_image(recipe, world, "ImageUri", out);
	buf_addf(out,
		 ",\"ContainerEntrypoint\":[\"python3\",\"/opt/ml/processing/input/code/%s\"]}",
		 recipe->script);
	buf_addf(out,
		 ",\"ProcessingInputs\":[{\"InputName\":\"code\",\"S3Input\":{\"S3Uri\":"
		 "\"s3://ml-code-%s/%s/code\",\"LocalPath\":\"/opt/ml/processing/input/code\","
		 "\"S3DataType\":\"S3Prefix\",\"S3InputMode\":\"File\"}}]",
		 world->account, recipe->stem);
	buf_add_text(out, ",\"ProcessingResources\":{\"ClusterConfig\":{\"VolumeSizeInGB\":100");
	emit_cluster(recipe, world, out);
	buf_add_text(out, "}},\"StoppingCondition\":{");
	sim_emit_integer(out, "MaxRuntimeInSeconds", recipe->max_run_hours * 3600);
	buf_add_char(out, '}');
}

void sim_recipe_request(const struct sim_recipe *recipe, const struct sim_world *world,
			const char *name, struct buf *out)
{
	buf_add_char(out, '{');
	if (recipe->kind == SIM_TRAINING)
		emit_training(recipe, world, name, out);
	else
		emit_processing(recipe, world, name, out);
	sim_emit_key(out, "RoleArn");
	buf_addf(out, "\"arn:aws:iam::%s:role/ml-platform-jobs\"", world->account);
	buf_addf(out,
		 ",\"Tags\":[{\"Key\":\"team\",\"Value\":\"ml-platform\"},"
		 "{\"Key\":\"stem\",\"Value\":\"%s\"}]}",
		 recipe->stem);
}

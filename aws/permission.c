#include "aws/permission.h"

#include <string.h>

#include "aws/logs.h"
#include "aws/metrics.h"
#include "aws/pricing.h"
#include "aws/quotas.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_plans.h"
#include "aws/sagemaker_tags.h"
#include "aws/search.h"
#include "model/base/text.h"

/* No job has such a name but one that somebody gave it on purpose. */
#define NO_JOB  "gpuq-doctor-no-such-job"
#define NO_PLAN "gpuq-doctor-no-such-plan"

/* ml.p5.48xlarge for training job usage: every account has it, with a value of its own or not. */
#define A_QUOTA "{\"ServiceCode\":\"sagemaker\",\"QuotaCode\":\"L-82E1C851\"}"

/* One metric of no host in the first hours of 1970, by a period that all ages have. */
#define A_METRIC                                                                              \
	"{\"MetricDataQueries\":[{\"Id\":\"m0\",\"MetricStat\":{\"Metric\":{\"Namespace\":"   \
	"\"/aws/sagemaker/TrainingJobs\",\"MetricName\":\"CPUUtilization\",\"Dimensions\":[{" \
	"\"Name\":\"Host\",\"Value\":\"" NO_JOB "/algo-1\"}]},\"Period\":3600,\"Stat\":"      \
	"\"Average\"}}],\"StartTime\":3600,\"EndTime\":7200}"

#define PASS_ROLE "iam:PassRole"

#define NO_LIMITS      "a short quota is seen when a submission is refused, not before"
#define NO_TRAINING    "training jobs are not seen"
#define NO_DETAILS     "lists, waits and costs are not seen"
#define NO_PROCESSING  "processing jobs are not seen"
#define NO_PLANS       "training plans are not seen"
#define NO_LOGS        "logs of jobs are not seen"
#define NO_SUBMISSIONS "such jobs cannot be submitted"
#define NO_STOPS       "such jobs cannot be stopped"

static const struct permission rows[] = {
	{ "sagemaker:ListTrainingJobs", &op_list_training_jobs, "{\"MaxResults\":1}", false, true,
	  NO_TRAINING },
	{ "sagemaker:DescribeTrainingJob", &op_describe_training_job,
	  "{\"TrainingJobName\":\"" NO_JOB "\"}", true, true, NO_DETAILS },
	{ "sagemaker:ListProcessingJobs", &op_list_processing_jobs, "{\"MaxResults\":1}", false,
	  true, NO_PROCESSING },
	{ "sagemaker:DescribeProcessingJob", &op_describe_processing_job,
	  "{\"ProcessingJobName\":\"" NO_JOB "\"}", true, true, NO_DETAILS },
	{ "sagemaker:Search", &op_search, "{\"Resource\":\"TrainingJob\",\"MaxResults\":1}", false,
	  false, "training jobs are found by lists alone: slower, and older ones later" },
	{ "sagemaker:ListTrainingPlans", &op_list_training_plans, "{\"MaxResults\":1}", false,
	  false, NO_PLANS },
	{ "sagemaker:DescribeTrainingPlan", &op_describe_training_plan,
	  "{\"TrainingPlanName\":\"" NO_PLAN "\"}", true, false, "windows of plans are not seen" },
	{ "sagemaker:ListTags", &op_list_tags, NULL, true, false, "tags of a job are not seen" },
	{ "servicequotas:GetServiceQuota", &op_get_service_quota, A_QUOTA, false, false,
	  NO_LIMITS },
	{ "servicequotas:GetAWSDefaultServiceQuota", &op_get_default_service_quota, A_QUOTA, false,
	  false, "limits that are AWS's default are not seen" },
	{ "pricing:GetProducts", &op_get_products,
	  "{\"ServiceCode\":\"AmazonSageMaker\",\"MaxResults\":1}", false, false,
	  "prices are those of a dated table, marked ~" },
	{ "logs:DescribeLogStreams", &op_describe_log_streams,
	  "{\"logGroupName\":\"/aws/sagemaker/TrainingJobs\",\"logStreamNamePrefix\":\"" NO_JOB
	  "/\"}",
	  true, false, NO_LOGS },
	{ "logs:GetLogEvents", &op_get_log_events,
	  "{\"logGroupName\":\"/aws/sagemaker/TrainingJobs\",\"logStreamName\":\"" NO_JOB
	  "/algo-1\",\"limit\":1}",
	  true, false, NO_LOGS },
	{ "cloudwatch:GetMetricData", &op_get_metric_data, A_METRIC, false, false,
	  "metrics of jobs are not seen, and idle GPUs not marked" },
	{ "servicequotas:RequestServiceQuotaIncrease", .without = "no raise can be asked for" },
	{ "sagemaker:CreateTrainingJob", .without = NO_SUBMISSIONS },
	{ "sagemaker:CreateProcessingJob", .without = NO_SUBMISSIONS },
	/* Of a Create with tags: a copy's, or the note's (tag_jobs). */
	{ "sagemaker:AddTags", .without = "no job with tags can be submitted" },
	{ "sagemaker:StopTrainingJob", .without = NO_STOPS },
	{ "sagemaker:StopProcessingJob", .without = NO_STOPS },
	{ PASS_ROLE, .without = "no job can be submitted" },
};

const struct permission *permission_rows(size_t *count)
{
	*count = ARRAY_LEN(rows);
	return rows;
}

size_t permission_policy(struct policy_action *out, size_t max)
{
	size_t count = 0;
	for (; count < ARRAY_LEN(rows) && count < max; count++) {
		const struct aws_op *op = rows[count].op;
		out[count].action = rows[count].action;
		if (strcmp(rows[count].action, PASS_ROLE) == 0)
			out[count].part = POLICY_PASS_ROLE;
		else if (!op)
			out[count].part = POLICY_CHANGE;
		else
			out[count].part =
				op->service == SERVICE_LOGS ? POLICY_LOOK_AT_LOGS : POLICY_LOOK;
	}
	return count;
}

/* A part of an ARN: the bytes between its colons; NULL where there are not so many. */
static const char *arn_part(const char *arn, unsigned number, size_t *len)
{
	for (; number > 0; number--) {
		arn = strchr(arn, ':');
		if (!arn)
			return NULL;
		arn++;
	}
	*len = strcspn(arn, ":");
	return arn;
}

bool permission_add_tags_body(struct buf *body, const char *caller_arn, const char *region)
{
	size_t partition_len = 0, account_len = 0;
	const char *partition = arn_part(caller_arn, 1, &partition_len);
	const char *account = arn_part(caller_arn, 4, &account_len);
	if (!partition || !account || partition_len == 0 || account_len == 0 || !region[0])
		return false;
	struct buf arn;
	buf_init(&arn, ERR_TEXT_MAX);
	buf_addf(&arn, "arn:%.*s:sagemaker:%s:%.*s:training-job/" NO_JOB, (int)partition_len,
		 partition, region, (int)account_len, account);
	buf_add_text(body, "{\"ResourceArn\":");
	text_add_json(body, buf_text(&arn));
	buf_addf(body, ",\"MaxResults\":%d}", TAGS_PAGE_MAX);
	buf_release(&arn);
	return true;
}

/* SageMaker says "no such thing" by either code, now and then without a word; who may not ask is
 * told that first. */
static bool has_passed(const struct permission *permission, const struct err *err)
{
	return !err || err->code == ERR_NOT_FOUND ||
	       (permission->is_of_nothing && strcmp(err->aws_code, "ValidationException") == 0);
}

static enum diagnosis_result judge(const struct permission *permission)
{
	return permission->is_essential ? DIAGNOSIS_FAILURE : DIAGNOSIS_WARNING;
}

void permission_add_row(struct diagnosis *diagnosis, const struct permission *permission,
			const struct err *err)
{
	if (has_passed(permission, err)) {
		diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_OK, permission->action,
			      "allowed");
		return;
	}
	struct err told = { 0 };
	err_copy(&told, err);
	if (told.hint == HINT_FIX_REQUEST) /* it is not the user's */
		told.hint = HINT_NONE;
	struct diagnosis_row *row = diagnosis_add_err(diagnosis, DIAGNOSIS_PERMISSION,
						      judge(permission), permission->action, &told);
	err_clear(&told);
	if (err->code != ERR_DENIED)
		return;
	diagnosis_say_more(row, "; without it %s", permission->without);
	if (permission->is_of_nothing)
		diagnosis_add_fix(row, "Asked was about one that does not exist: a policy by names "
				       "may allow others.");
}

void permission_add_untried(struct diagnosis *diagnosis, const struct permission *permission,
			    const char *why)
{
	diagnosis_add(diagnosis, DIAGNOSIS_PERMISSION, DIAGNOSIS_UNKNOWN, permission->action,
		      "not checked: %s", why);
}

#include "aws/sim/ops.h"

#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/list.h"
#include "aws/sim/logs.h"
#include "aws/sim/metrics.h"
#include "aws/sim/offers.h"
#include "aws/sim/order.h"
#include "aws/sim/planlist.h"
#include "aws/sim/prices.h"
#include "aws/sim/quotas.h"
#include "aws/sim/reply.h"
#include "aws/sim/search.h"
#include "aws/sim/signin.h"
#include "aws/sim/sso.h"
#include "aws/sim/sts.h"
#include "aws/sim/tags.h"
#include "aws/sim/validate.h"
#include "model/base/mem.h"

static const struct {
	const char *name, *word;
	const char *taken;
} kinds[] = {
	[SIM_TRAINING] = { "TrainingJobName", "training",
			   "Training job names must be unique within an AWS account and region, "
			   "and a training job with this name already exists" },
	[SIM_PROCESSING] = { "ProcessingJobName", "processing",
			     "Job name must be unique within an AWS account and region, and a job "
			     "with this name already exists" },
};

/* The job that the request names, or NULL with ResourceNotFound. */
static struct sim_job *named_job(const struct sim_region *region, enum sim_job_kind kind,
				 const struct json_doc *doc, struct err *err)
{
	struct buf name;
	buf_init(&name, SIM_BODY_MAX);
	size_t node = json_doc_member(doc, 0, kinds[kind].name);
	if (node != JSON_NONE)
		(void)json_doc_string(doc, node, &name);
	struct sim_job *job = sim_job_find(&region->world, kind, buf_text(&name));
	buf_release(&name);
	if (!job)
		sim_refuse(err, 400, "ResourceNotFound", "Requested resource not found.");
	return job;
}

static bool create(struct sim_region *region, enum sim_job_kind kind, const struct sim_call *call,
		   struct err *err)
{
	struct sim_order order;
	struct sim_world *world = &region->world;
	if (!sim_tags_check(call->doc, err) || !sim_order_read(world, kind, call->doc, &order, err))
		return false;
	const struct sim_job *same = sim_job_find(world, kind, order.name);
	if (same)
		return sim_refuse(err, 400, "ResourceInUse", "%s (%s)", kinds[kind].taken,
				  same->arn);
	if (!sim_order_check_quota(world, &order, err))
		return false;
	const struct sim_job *job =
		sim_submit(world, &order,
			   mem_copy_bytes(call->request->body, call->request->body_len),
			   call->request->body_len);
	if (!job)
		return sim_refuse(err, 400, "ResourceLimitExceeded",
				  "The region holds %d jobs and takes no more.", SIM_JOBS_MAX);
	buf_add_char(call->out, '{');
	sim_emit_text(call->out, kind == SIM_TRAINING ? "TrainingJobArn" : "ProcessingJobArn",
		      job->arn);
	buf_add_char(call->out, '}');
	return true;
}

static bool describe(struct sim_region *region, enum sim_job_kind kind, const struct sim_call *call,
		     struct err *err)
{
	const struct sim_job *job = named_job(region, kind, call->doc, err);
	if (!job)
		return false;
	sim_reply_describe(&region->world, job, call->out);
	return true;
}

static bool stop(struct sim_region *region, enum sim_job_kind kind, const struct sim_call *call,
		 struct err *err)
{
	struct sim_job *job = named_job(region, kind, call->doc, err);
	if (!job)
		return false;
	if (!sim_life_stop(&region->world, job))
		return sim_refuse(err, 400, "ValidationException",
				  "The request was rejected because the %s job is in status %s.",
				  kinds[kind].word, sim_job_status_word(job));
	return true; /* an empty body, as AWS answers */
}

static bool create_training(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return create(region, SIM_TRAINING, call, err);
}

static bool create_processing(struct sim_region *region, const struct sim_call *call,
			      struct err *err)
{
	return create(region, SIM_PROCESSING, call, err);
}

static bool describe_training(struct sim_region *region, const struct sim_call *call,
			      struct err *err)
{
	return describe(region, SIM_TRAINING, call, err);
}

static bool describe_processing(struct sim_region *region, const struct sim_call *call,
				struct err *err)
{
	return describe(region, SIM_PROCESSING, call, err);
}

static bool stop_training(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return stop(region, SIM_TRAINING, call, err);
}

static bool stop_processing(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return stop(region, SIM_PROCESSING, call, err);
}

static bool list_training(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return sim_list_jobs(&region->world, SIM_TRAINING, call->doc, call->empty_page, call->out,
			     err);
}

static bool list_processing(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return sim_list_jobs(&region->world, SIM_PROCESSING, call->doc, call->empty_page, call->out,
			     err);
}

static bool delete_job(struct sim_region *region, enum sim_job_kind kind,
		       const struct sim_call *call, struct err *err)
{
	struct sim_job *job = named_job(region, kind, call->doc, err);
	if (!job)
		return false;
	return sim_life_delete(&region->world, job) ||
	       sim_refuse(err, 400, "ResourceInUse",
			  "The %s job is in status %s and cannot be deleted.", kinds[kind].word,
			  sim_job_status_word(job));
}

static bool delete_training(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return delete_job(region, SIM_TRAINING, call, err);
}

static bool delete_processing(struct sim_region *region, const struct sim_call *call,
			      struct err *err)
{
	return delete_job(region, SIM_PROCESSING, call, err);
}

/* Only the warm pool changes anything here; the debugger's members are taken as they are. */
static bool update_training(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct sim_job *job = named_job(region, SIM_TRAINING, call->doc, err);
	if (!job)
		return false;
	int64_t seconds = job->order.keep_alive_ms / 1000;
	size_t config = sim_arg(call->doc, 0, "ResourceConfig");
	size_t node = sim_arg(call->doc, config, "KeepAlivePeriodInSeconds");
	if (node != JSON_NONE && !json_doc_integer(call->doc, node, &seconds))
		return sim_refuse(err, 400, "ValidationException", "Not a number of seconds.");
	if (!sim_life_keep_alive(&region->world, job, seconds * 1000))
		return sim_refuse(err, 400, "ValidationException",
				  "The training job is in status %s and cannot be updated.",
				  sim_job_status_word(job));
	buf_add_char(call->out, '{');
	sim_emit_text(call->out, "TrainingJobArn", job->arn);
	buf_add_char(call->out, '}');
	return true;
}

static bool tell_tags(const struct sim_job *job, struct buf *out)
{
	buf_add_char(out, '{');
	sim_tags_emit(job, out);
	buf_add_char(out, '}');
	return true;
}

static bool add_tags(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct sim_job *job = sim_tags_job(&region->world, call->doc, err);
	return job && sim_tags_add(job, call->doc, err) && tell_tags(job, call->out);
}

static bool list_tags(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	const struct sim_job *job = sim_tags_job(&region->world, call->doc, err);
	return job && tell_tags(job, call->out);
}

static bool list_plans(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return sim_list_plans(&region->world, call->doc, call->empty_page, call->out, err);
}

static bool describe_plan(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	struct buf name;
	buf_init(&name, SIM_BODY_MAX);
	(void)json_doc_string(call->doc, json_doc_member(call->doc, 0, "TrainingPlanName"), &name);
	const struct sim_plan *found = NULL;
	for (size_t i = 0; i < region->world.plan_count; i++) {
		if (strcmp(region->world.plans[i].name, buf_text(&name)) == 0)
			found = &region->world.plans[i];
	}
	buf_release(&name);
	if (!found)
		return sim_refuse(err, 400, "ResourceNotFound", "Requested resource not found.");
	sim_reply_plan(&region->world, found, call->out);
	return true;
}

static bool search_offerings(struct sim_region *region, const struct sim_call *call,
			     struct err *err)
{
	return sim_offers_search(&region->world, call->doc, call->out, err);
}

static bool create_plan(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return sim_offers_buy(&region->world, call->doc, call->out, err);
}

static bool search(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	return sim_search(&region->world, region->lag_ms, call->doc, call->empty_page, call->out,
			  err);
}

const struct sim_op sim_ops[] = {
	{ .name = "Search", .input = "SearchRequest", .list = true, .run = search },
	{ .name = "ListTrainingJobs",
	  .input = "ListTrainingJobsRequest",
	  .list = true,
	  .run = list_training },
	{ .name = "DescribeTrainingJob",
	  .input = "DescribeTrainingJobRequest",
	  .run = describe_training },
	{ .name = "CreateTrainingJob",
	  .input = "CreateTrainingJobRequest",
	  .run = create_training },
	{ .name = "StopTrainingJob", .input = "StopTrainingJobRequest", .run = stop_training },
	{ .name = "UpdateTrainingJob",
	  .input = "UpdateTrainingJobRequest",
	  .run = update_training },
	{ .name = "DeleteTrainingJob",
	  .input = "DeleteTrainingJobRequest",
	  .run = delete_training },
	{ .name = "DeleteProcessingJob",
	  .input = "DeleteProcessingJobRequest",
	  .run = delete_processing },
	{ .name = "AddTags", .input = "AddTagsInput", .run = add_tags },
	{ .name = "ListTags", .input = "ListTagsInput", .run = list_tags },
	{ .name = "ListProcessingJobs",
	  .input = "ListProcessingJobsRequest",
	  .list = true,
	  .run = list_processing },
	{ .name = "DescribeProcessingJob",
	  .input = "DescribeProcessingJobRequest",
	  .run = describe_processing },
	{ .name = "CreateProcessingJob",
	  .input = "CreateProcessingJobRequest",
	  .run = create_processing },
	{ .name = "StopProcessingJob",
	  .input = "StopProcessingJobRequest",
	  .run = stop_processing },
	{ .name = "ListTrainingPlans",
	  .input = "ListTrainingPlansRequest",
	  .list = true,
	  .run = list_plans },
	{ .name = "SearchTrainingPlanOfferings",
	  .input = "SearchTrainingPlanOfferingsRequest",
	  .run = search_offerings },
	{ .name = "CreateTrainingPlan", .input = "CreateTrainingPlanRequest", .run = create_plan },
	{ .name = "DescribeTrainingPlan",
	  .input = "DescribeTrainingPlanRequest",
	  .run = describe_plan },
	{ .name = "GetServiceQuota",
	  .service = SIM_QUOTAS,
	  .input = "GetServiceQuotaRequest",
	  .run = sim_quotas_get },
	{ .name = "GetAWSDefaultServiceQuota",
	  .service = SIM_QUOTAS,
	  .input = "GetAWSDefaultServiceQuotaRequest",
	  .run = sim_quotas_get_default },
	{ .name = "RequestServiceQuotaIncrease",
	  .service = SIM_QUOTAS,
	  .input = "RequestServiceQuotaIncreaseRequest",
	  .run = sim_quotas_request_increase },
	{ .name = "GetProducts",
	  .service = SIM_PRICES,
	  .input = "GetProductsRequest",
	  .list = true,
	  .run = sim_prices_get_products },
	{ .name = "DescribeLogStreams", .service = SIM_LOGS, .run = sim_logs_describe_streams },
	{ .name = "GetLogEvents", .service = SIM_LOGS, .run = sim_logs_get_events },
	{ .name = "GetMetricData", .service = SIM_METRICS, .run = sim_metrics_get_data },
	/* Those that hand out credentials. */
	{ .name = "GetCallerIdentity", .service = SIM_STS, .run = sim_sts_get_caller_identity },
	{ .name = "AssumeRole", .service = SIM_STS, .run = sim_sts_assume_role },
	{ .name = "AssumeRoleWithWebIdentity",
	  .service = SIM_STS,
	  .open = true,
	  .run = sim_sts_assume_role_with_web_identity },
	{ .name = "GetRoleCredentials",
	  .service = SIM_SSO,
	  .method = "GET",
	  .path = "/federation/credentials",
	  .run = sim_sso_get_role_credentials },
	{ .name = "CreateToken",
	  .service = SIM_OIDC,
	  .method = "POST",
	  .path = "/token",
	  .run = sim_oidc_create_token },
	{ .name = "CreateOAuth2Token",
	  .service = SIM_SIGNIN,
	  .method = "POST",
	  .path = "/v1/token",
	  .run = sim_signin_create_token },
	{ .name = "MetadataToken",
	  .service = SIM_METADATA,
	  .method = "PUT",
	  .path = "/latest/api/token",
	  .run = sim_metadata_token },
	{ .name = "MetadataRole",
	  .service = SIM_METADATA,
	  .method = "GET",
	  .path = "/latest/meta-data/iam/security-credentials/",
	  .run = sim_metadata_role },
	{ .name = "MetadataCredentials",
	  .service = SIM_METADATA,
	  .method = "GET",
	  .path = "/latest/meta-data/iam/security-credentials/*",
	  .run = sim_metadata_credentials },
	{ .name = "MetadataRegion",
	  .service = SIM_METADATA,
	  .method = "GET",
	  .path = "/latest/meta-data/placement/region",
	  .run = sim_metadata_region },
	{ .name = "MetadataZone",
	  .service = SIM_METADATA,
	  .method = "GET",
	  .path = "/latest/meta-data/placement/availability-zone",
	  .run = sim_metadata_zone },
	{ .name = "ContainerCredentials",
	  .service = SIM_CONTAINER,
	  .method = "GET",
	  .path = "/container/credentials",
	  .run = sim_container_credentials },
};
const size_t sim_op_count = ARRAY_LEN(sim_ops);
_Static_assert(ARRAY_LEN(sim_ops) <= SIM_OPERATIONS_MAX, "one row of counts for each operation");

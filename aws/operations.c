#include "aws/operations.h"

#include <stdio.h>

#include "aws/logs.h"
#include "aws/metrics.h"
#include "aws/pricing.h"
#include "aws/quotas.h"
#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_plans.h"
#include "aws/sagemaker_tags.h"
#include "aws/search.h"
#include "aws/sts.h"

const struct aws_op *const operations[] = {
	&op_list_training_jobs,
	&op_describe_training_job,
	&op_list_processing_jobs,
	&op_describe_processing_job,
	&op_search,
	&op_list_training_plans,
	&op_describe_training_plan,
	&op_list_tags,
	&op_get_service_quota,
	&op_get_default_service_quota,
	&op_get_products,
	&op_describe_log_streams,
	&op_get_log_events,
	&op_get_metric_data,
	&op_create_training_job,
	&op_create_processing_job,
	&op_stop_training_job,
	&op_stop_processing_job,
	&op_request_quota_increase,
	&op_get_caller_identity,
	NULL,
};

bool operation_action(const struct aws_op *op, char action[OPERATION_ACTION_SIZE])
{
	/* IAM names a service as it signs, but for this one. */
	const char *service = op->service == SERVICE_CLOUDWATCH
				      ? "cloudwatch"
				      : service_row(op->service)->signing_name;
	snprintf(action, OPERATION_ACTION_SIZE, "%s:%s", service, op->name);
	/* Source: the IAM guide on GetCallerIdentity: no permission is needed, nor can it be
	 * denied. */
	return op != &op_get_caller_identity;
}

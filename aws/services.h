/*
 * The AWS services that gpuq speaks to: their names in hosts, signatures, settings and requests.
 * Source: facts/aws.md sections 1.0 and 2.3.
 */
#ifndef GPUQ_SERVICES_H
#define GPUQ_SERVICES_H

#include <stdbool.h>

enum aws_service {
	SERVICE_SAGEMAKER,
	SERVICE_PRICING,
	SERVICE_QUOTAS, /* Service Quotas */
	SERVICE_LOGS,
	SERVICE_CLOUDWATCH,
	SERVICE_SQS,
	SERVICE_STS,
	SERVICE_EC2,
	SERVICE_BATCH,
	SERVICE_SSO,
	SERVICE_SSO_OIDC,
	SERVICE_SIGNIN,
	SERVICE_EVENTBRIDGE,
	SERVICE_COUNT
};

enum service_protocol {
	PROTOCOL_JSON,      /* awsJson: the operation stands in X-Amz-Target */
	PROTOCOL_QUERY,     /* awsQuery: a form with Action and Version; answers in XML */
	PROTOCOL_EC2,       /* ec2Query: the same with other lists and errors */
	PROTOCOL_REST_JSON, /* the operation stands in the path */
};

struct service {
	const char *sdk_id;       /* as the SDKs call it: "Service Quotas" */
	const char *env_suffix;   /* of AWS_ENDPOINT_URL_... */
	const char *config_key;   /* in a [services NAME] section */
	const char *host_prefix;  /* what hosts begin with */
	const char *signing_name; /* in signatures */
	enum service_protocol protocol;
	const char *content_type;  /* of a request with a body */
	const char *target_prefix; /* X-Amz-Target before the dot; NULL but for PROTOCOL_JSON */
	const char *api_version;   /* Version of a form; NULL but for the two query protocols */
	bool query_compatible;     /* JSON now, but errors have the codes of its forms too */
};

/* The row of a service; static. */
const struct service *service_row(enum aws_service service);

#endif

/*
 * The services behind the one port: whose a request is, whether it must be signed, and how each of
 * them says no. Source of the forms: facts/aws.md 1.0, 1.3 and 4.
 */
#ifndef GPUQ_SIM_SERVICE_H
#define GPUQ_SIM_SERVICE_H

#include "aws/sim/region.h"
#include "model/base/attr.h"
#include "model/base/err.h"

#define SIM_STS_NAMESPACE "https://sts.amazonaws.com/doc/2011-06-15/"

enum sim_service {
	SIM_SAGEMAKER,
	SIM_QUOTAS,     /* Service Quotas */
	SIM_PRICES,     /* the Price List Query API */
	SIM_LOGS,       /* CloudWatch Logs */
	SIM_METRICS,    /* CloudWatch */
	SIM_NO_SERVICE, /* whose paths are nobody's */
	SIM_STS,
	SIM_SSO,       /* the portal of IAM Identity Center */
	SIM_OIDC,      /* its tokens */
	SIM_SIGNIN,    /* aws login */
	SIM_METADATA,  /* of an EC2 instance */
	SIM_CONTAINER, /* credentials of an ECS task or an EKS pod */
	SIM_SERVICES
};

struct sim_service_row {
	const char *content_type;
	const char *signing_name; /* NULL: its requests are not signed */
	const char *target;       /* X-Amz-Target up to its dot; NULL: it has none */
	bool query;               /* form in, XML out */
	const char *not_json;     /* its word for a body that is no JSON; NULL: has no such body */
	void (*refuse)(struct sim_answer *answer, const struct err *err);
};

struct sim_op;

const struct sim_service_row *sim_service_row(enum sim_service service);

/* By path and content type. */
enum sim_service sim_service_of(const struct sim_request *request);

/* The operation that is asked for; NULL if the service has none such. */
const struct sim_op *sim_service_operation(enum sim_service service,
					   const struct sim_request *request);

/* Sets the service's refusal of an unknown operation; returns false. */
bool sim_service_unknown(enum sim_service service, const struct sim_request *request,
			 struct err *err);

/* Writes a header of the answer; name is a literal. */
void sim_answer_header(struct sim_answer *answer, const char *name, const char *value);

/* Bytes of the target before its query. */
size_t sim_request_path_len(const struct sim_request *request);

#endif

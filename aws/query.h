/*
 * The query protocols of STS and EC2: forms out, results in XML back. Source:
 * facts/aws.md 1.1, 1.2.
 */
#ifndef GPUQ_QUERY_H
#define GPUQ_QUERY_H

#include "aws/services.h"
#include "aws/xml.h"
#include "model/base/buf.h"

/* Begins a form: Action and the Version of the service. */
void query_start(struct buf *body, enum aws_service service, const char *action);

/* Adds a parameter ("RoleArn", "Filter.1.Name"), encoded. NULL adds nothing, "" does. */
void query_add(struct buf *body, const char *name, const char *value);

/*
 * Where the members of a result stand in a reply of STS: <XResponse><XResult>. NULL when the reply
 * is none of this action. (EC2 has them in the root.)
 */
const struct xml_element *query_result(const struct xml_element *root, const char *action);

#endif

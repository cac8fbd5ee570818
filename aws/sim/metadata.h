/*
 * What a program finds on an EC2 instance and in a container: the instance metadata service
 * (version 2, or, when told so, only version 1 or none), and the credentials endpoint of ECS and
 * EKS. Source: facts/aws.md 4.8 and 4.9.
 */
#ifndef GPUQ_SIM_METADATA_H
#define GPUQ_SIM_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

#define SIM_METADATA_TOKENS     64 /* known at a time; then the oldest is forgotten */
#define SIM_METADATA_TOKEN_SIZE 57

enum sim_metadata_mode { SIM_METADATA_V2, SIM_METADATA_V1, SIM_METADATA_OFF };

struct sim_metadata {
	enum sim_metadata_mode mode;
	char role[65]; /* "" = the instance has none */
	struct {
		char text[SIM_METADATA_TOKEN_SIZE];
		int64_t expires_ms; /* of the simulated clock */
	} tokens[SIM_METADATA_TOKENS];
	size_t next_token;
	char authorization[256]; /* that the container's endpoint wants; "" = none */
};

struct sim_region;
struct sim_call;

void sim_metadata_init(struct sim_metadata *metadata);

/* PUT /latest/api/token, and GET of the rest of /latest/. */
bool sim_metadata_token(struct sim_region *region, const struct sim_call *call,
			struct err *err) MUST_CHECK;
bool sim_metadata_role(struct sim_region *region, const struct sim_call *call,
		       struct err *err) MUST_CHECK;
bool sim_metadata_credentials(struct sim_region *region, const struct sim_call *call,
			      struct err *err) MUST_CHECK;
bool sim_metadata_region(struct sim_region *region, const struct sim_call *call,
			 struct err *err) MUST_CHECK;
bool sim_metadata_zone(struct sim_region *region, const struct sim_call *call,
		       struct err *err) MUST_CHECK;

/* GET /container/credentials */
bool sim_container_credentials(struct sim_region *region, const struct sim_call *call,
			       struct err *err) MUST_CHECK;

/* GET /_sim/secrets: the items of an array. */
void sim_metadata_emit_secrets(const struct sim_metadata *metadata, struct buf *out);

/* POST /_sim/metadata and /_sim/container: see control.h. */
bool sim_metadata_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			  struct err *err) MUST_CHECK;
bool sim_container_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
			   struct err *err) MUST_CHECK;

#endif

/*
 * The region behind a port of 127.0.0.1: one thread, one poll; a delayed answer holds up nobody
 * else. The only user of libmicrohttpd.
 */
#ifndef GPUQ_SIM_HTTP_H
#define GPUQ_SIM_HTTP_H

#include "aws/sim/region.h"
#include "model/base/attr.h"
#include "model/base/err.h"

struct sim_server;

/* Listens. NULL with err (the port is taken). region is borrowed. */
struct sim_server *sim_server_new(struct sim_region *region, struct err *err) MUST_CHECK;
uint16_t sim_server_port(const struct sim_server *server);

/* Serves until SIGTERM or SIGINT, which must be blocked. False with err if it cannot. */
bool sim_server_run(struct sim_server *server, struct err *err) MUST_CHECK;
void sim_server_free(struct sim_server *server);

#endif

/*
 * How busy the hosts of a job are, minute by minute: the same whenever it is asked, worked out from
 * the job's name and the seed. Nothing is kept. Source of metrics and scales: facts/aws.md 7.3.
 */
#ifndef GPUQ_SIM_LOAD_H
#define GPUQ_SIM_LOAD_H

#include "aws/sim/world.h"

#define SIM_MINUTE_MS INT64_C(60000)

enum sim_metric { SIM_GPU, SIM_GPU_MEMORY, SIM_CPU, SIM_MEMORY, SIM_DISK, SIM_METRICS_COUNT };

/* GPUs of NVIDIA in an instance of the type, else 0: the only ones that publish metrics. */
int64_t sim_type_gpus(const char *instance_type);
/* Its virtual CPUs, by the size in its name. */
int64_t sim_type_vcpus(const char *instance_type);

/* The type of host n of the job (from 1, in the order of its groups); NULL: it has no such host. */
const char *sim_load_host_type(const struct sim_world *world, const struct sim_job *job, int64_t n);

/*
 * What host n published of the minute that begins then, in percent times GPUs or cores. False: it
 * published nothing: it did not run, it has no such metric, or the minute was lost (one of 40 is).
 */
bool sim_load_at(const struct sim_world *world, const struct sim_job *job, int64_t n,
		 enum sim_metric metric, int64_t minute_ms, double *value);

#endif

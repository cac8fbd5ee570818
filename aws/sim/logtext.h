/*
 * What the containers of a job write: the lines of each stream are made from the seed, the job's
 * name, the host and the line's number, so that any of them can be asked for at any time and is
 * always the same.
 */
#ifndef GPUQ_SIM_LOGTEXT_H
#define GPUQ_SIM_LOGTEXT_H

#include "aws/sim/world.h"
#include "model/base/buf.h"

#define SIM_STREAMS_MAX     512  /* of one job: hosts times starts */
#define SIM_LOG_RATE_MAX    2000 /* lines a second of one host */
#define SIM_STREAM_NAME_MAX (SIM_NAME_SIZE + 48)

/* A container of one start of a job: what it wrote until now, or until it ended. */
struct sim_stream {
	const struct sim_job *job;
	uint64_t seed;
	size_t host; /* from 1, as in algo-1 */
	int64_t start_ms, until_ms;
	int64_t permille; /* lines in a thousand seconds */
	bool failed;      /* and says so at its end */
};

/* The streams of a job, hosts within starts; returns how many. They are as of the world's time. */
size_t sim_streams_of(const struct sim_world *world, const struct sim_job *job, int64_t permille,
		      struct sim_stream *streams, size_t max);
/* "NAME/algo-1-1796071688" */
void sim_stream_name(const struct sim_stream *stream, char out[SIM_STREAM_NAME_MAX]);

/* Lines so far; the time of one of them, and its text without a line end. */
uint64_t sim_stream_lines(const struct sim_stream *stream);
int64_t sim_stream_line_ms(const struct sim_stream *stream, uint64_t number);
void sim_stream_text(const struct sim_stream *stream, uint64_t number, struct buf *out);

#endif

/* Jobs and plans as the answers of List and Describe. */
#ifndef GPUQ_SIM_REPLY_H
#define GPUQ_SIM_REPLY_H

#include "aws/sim/world.h"
#include "model/base/buf.h"

/* A whole Describe answer. */
void sim_reply_describe(const struct sim_world *world, const struct sim_job *job, struct buf *out);

/* One item of a list. */
void sim_reply_summary(const struct sim_world *world, const struct sim_job *job, struct buf *out);

/* One result of Search; the job as its index has it (sim_job_as_of). */
void sim_reply_record(const struct sim_world *world, const struct sim_job *job, struct buf *out);

/* A plan: the whole Describe answer, which is the item of a list too. */
void sim_reply_plan(const struct sim_world *world, const struct sim_plan *plan, struct buf *out);
const char *sim_plan_status_word(enum sim_plan_state state);

/* One job of /_sim/state, and the selection in it. */
void sim_reply_state_job(const struct sim_world *world, const struct sim_job *job, struct buf *out);

#endif

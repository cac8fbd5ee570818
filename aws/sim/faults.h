/* Faults that a test asks for: which call they befall, and what they do to it. */
#ifndef GPUQ_SIM_FAULTS_H
#define GPUQ_SIM_FAULTS_H

#include "aws/sim/region.h"
#include "model/base/jsontext.h"

/*
 * Reads and keeps one: {"operation":NAME or "*" (standard),"count":N (1; with percent no limit; 0
 * takes that operation's faults away),"status","code","message","delay_ms","stall_ms" (in the
 * middle of the body),"drop","after","cut","empty_page","percent","seed","body"}. False with err.
 */
bool sim_fault_add(struct sim_region *region, const struct json_doc *doc,
		   struct err *err) MUST_CHECK;

/* The fault that befalls this call, counted down; NULL if none does. */
struct sim_fault *sim_fault_take(struct sim_region *region, const char *operation);

void sim_faults_release(struct sim_region *region);

#endif

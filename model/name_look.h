/*
 * Whether AWS has a job of a name that is about to be given: a name is never free again, and the
 * lists reach back some days only. Asked for one name at a time (aws/names.h); part of the store.
 */
#ifndef GPUQ_NAME_LOOK_H
#define GPUQ_NAME_LOOK_H

#include "model/need.h"

struct name_look {
	enum job_kind kind;
	char name[JOB_NAME_SIZE]; /* "" = none was asked about */
	bool is_open;             /* no answer yet */
	enum name_state state;
	char why[NEED_WHY_SIZE]; /* it is not known, as the end of "... is not checked: " */
};

#endif

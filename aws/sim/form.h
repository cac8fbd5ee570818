/* Values of a form's body, or of what follows the "?" in a target: "a=1&b=two+words". */
#ifndef GPUQ_SIM_FORM_H
#define GPUQ_SIM_FORM_H

#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/buf.h"

/* Appends the decoded value of the first field of that name. False if there is none, or if it has a
 * bad escape, a NUL, or more bytes than out may hold. */
bool sim_form_value(const char *form, size_t len, const char *name, struct buf *out) MUST_CHECK;

#endif

/*
 * A request against its shape: what AWS answers before any rule of its own. Unknown members are
 * passed over; null counts as absent.
 */
#ifndef GPUQ_SIM_VALIDATE_H
#define GPUQ_SIM_VALIDATE_H

#include "aws/sim/shapes.h"
#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/jsontext.h"

/* Sets a refusal as it goes over the wire: the HTTP status, the service's word and the message.
 * Returns false. */
bool sim_refuse(struct err *err, int status, const char *code, const char *format, ...)
	PRINTF_LIKE(4, 5);

/*
 * False with a SerializationException (a value of the wrong type), or with a ValidationException
 * that names every constraint that failed, joined by "; ".
 */
bool sim_validate(const struct json_doc *doc, const struct sim_shape *shape,
		  struct err *err) MUST_CHECK;

#endif

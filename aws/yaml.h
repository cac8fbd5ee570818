/*
 * YAML for `check`, read by libyaml: the only file that knows yaml.h. Bounded like JSON. A file of
 * several documents becomes an array of them. Aliases and tags are not read: what they mean is a
 * matter of whoever wrote them.
 */
#ifndef GPUQ_YAML_H
#define GPUQ_YAML_H

#include "model/loose.h"

/* False with err (ERR_PARSE) for what is no YAML, or more than is read. */
bool yaml_read(struct loose *loose, const char *text, size_t len, struct err *err) MUST_CHECK;

#endif

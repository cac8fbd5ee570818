/* Compiler attributes and two helpers that every module may use. */
#ifndef GPUQ_BASE_ATTR_H
#define GPUQ_BASE_ATTR_H

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))
#define MUST_CHECK                 __attribute__((warn_unused_result))
#define ARRAY_LEN(array)           (sizeof(array) / sizeof((array)[0]))

#endif

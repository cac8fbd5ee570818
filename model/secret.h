/* Tells what looks like a secret, so that it is not shown: by the name it has, or by its form. */
#ifndef GPUQ_SECRET_H
#define GPUQ_SECRET_H

#include <stdbool.h>

#define SECRET_MASK "(hidden)"

/* A name of an environment variable or hyperparameter that stands for a secret. */
bool secret_is_name(const char *name);

/* A value that holds a key or token of a known form (AWS, GitHub, Hugging Face, ...). */
bool secret_is_token(const char *value);

/* A long unbroken run of characters as keys and tokens have it; no path, ARN or sentence. */
bool secret_is_blob(const char *value);

#endif

/*
 * The composition: builds the objects, binds AWS to the loop and the intents of the screen to AWS,
 * and runs either the dashboard or one command. Nothing else knows both sides.
 */
#ifndef GPUQ_APP_H
#define GPUQ_APP_H

#include "views/text/options.h"

struct log;

/* Runs what the options ask for; returns the exit status of interface.md. log NULL: none. */
int app_run(const struct options *options, struct log *log);

#endif

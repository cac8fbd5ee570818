/*
 * The composition: builds the objects, binds AWS to the loop and the intents of the screen to AWS,
 * and runs either the dashboard or one command. Nothing else knows both sides.
 */
#ifndef GPUQ_APP_H
#define GPUQ_APP_H

#include "views/text/options.h"

/* Runs what the options ask for; returns the exit status of interface.md. */
int app_run(const struct options *options);

#endif

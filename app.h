/*
 * The composition: builds the objects, binds AWS to the loop and the intents of the screen to AWS,
 * and runs either the dashboard or one command. Nothing else knows both sides.
 */
#ifndef GPUQ_APP_H
#define GPUQ_APP_H

#include "views/text/options.h"

struct log;

/* Runs what the options ask for; returns the exit status of interface.md. They are decided anew
 * from the config when the dashboard goes to another profile. All are borrowed; log NULL: none. */
int app_run(struct options *options, struct config *config, struct log *log);

#endif

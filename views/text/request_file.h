/*
 * The request of a command: read from a file or standard input, checked by what is known without
 * AWS. Shared by `check` and `submit`.
 */
#ifndef GPUQ_REQUEST_FILE_H
#define GPUQ_REQUEST_FILE_H

#include "views/text/command.h"

/*
 * Reads the command's first argument ("-" = standard input). False with err: the file cannot be
 * read (ERR_USAGE), or it is no request (ERR_RULE; then findings say so with the place).
 */
bool request_file_read(const struct command_run *run, struct request *request,
		       struct findings *findings, struct err *err) MUST_CHECK;

/* All rules; those that need AWS are told as not checked. False: the text cannot be parsed. */
bool request_file_check(const struct command_run *run, const struct request *request,
			struct findings *findings, struct err *err) MUST_CHECK;

/* A rule of that id is broken. */
bool request_file_breaks(const struct findings *findings, const char *rule);

#endif

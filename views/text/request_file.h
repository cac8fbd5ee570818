/*
 * The request of a command: read from a file or standard input, checked by what is known of it.
 * Shared by `check`, `submit` and `requeue`.
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
/* The same in two steps: the file's text alone, into a buffer with a ceiling of REQUEST_MAX (the
 * findings say where it is larger) ... */
bool request_file_text(const struct command_run *run, struct buf *text, struct findings *findings,
		       struct err *err) MUST_CHECK;
/* ... and the request of it. */
bool request_file_take(const struct command_run *run, const struct buf *text,
		       struct request *request, struct findings *findings,
		       struct err *err) MUST_CHECK;

/* All rules, by what AWS has told where it was asked; else those that need it are told as not
 * checked. False: the text cannot be parsed. */
bool request_file_check(const struct command_run *run, const struct request *request,
			struct findings *findings, struct err *err) MUST_CHECK;

/*
 * Appends a line for each limit that the request runs into, once AWS was asked for them: what is
 * needed, used and allowed, or why that is not known.
 */
void request_file_add_quotas(const struct command_run *run, const struct request *request,
			     struct buf *out);

/* A rule of that id is broken. */
bool request_file_breaks(const struct findings *findings, const char *rule);

#endif

/*
 * What works on the way from this terminal to AWS, and what does not: the rows of `gpuq doctor`, in
 * the order in which one thing rests on another. Pure: others look, and add what they found.
 */
#ifndef GPUQ_DIAGNOSIS_H
#define GPUQ_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"
#include "model/base/clock.h"
#include "model/base/err.h"
#include "model/base/terminal.h"
#include "model/config.h"

enum diagnosis_part {
	DIAGNOSIS_TERMINAL,
	DIAGNOSIS_FILE, /* the AWS files */
	DIAGNOSIS_CONFIG,
	DIAGNOSIS_PROFILE,
	DIAGNOSIS_REGION,
	DIAGNOSIS_CREDENTIALS,
	DIAGNOSIS_CLOCK,
	DIAGNOSIS_ENDPOINT,
	DIAGNOSIS_PROXY,
	DIAGNOSIS_CERTIFICATES,
	DIAGNOSIS_IDENTITY,
	DIAGNOSIS_RETRIES,
	DIAGNOSIS_PACE,
	DIAGNOSIS_PERMISSION,
	DIAGNOSIS_PARTS
};

enum diagnosis_result {
	DIAGNOSIS_OK,
	DIAGNOSIS_WARNING, /* gpuq works, but for what is said */
	DIAGNOSIS_FAILURE,
	DIAGNOSIS_UNKNOWN, /* not looked at, and why; or not there, and need not be */
};

struct diagnosis_row {
	enum diagnosis_part part;
	enum diagnosis_result result;
	enum err_code code; /* of a failure: decides the exit status */
	char *subject;      /* owned: what was looked at, beside the part; "" = the part itself */
	char *text;         /* owned: what was found, on one line; may hold text from outside */
	char *fix;          /* owned: one sentence or more; NULL = none */
	struct opt_ms expires; /* of credentials: wall time */
	struct opt_ms skew;    /* of the clock: AWS's minus this machine's */
};

/* {0} is empty and valid. Release it. */
struct diagnosis {
	struct diagnosis_row *rows;
	size_t count, capacity;
};

/* Adds a row behind the others of its part. Borrowed until the next one is added. */
struct diagnosis_row *diagnosis_add(struct diagnosis *diagnosis, enum diagnosis_part part,
				    enum diagnosis_result result, const char *subject,
				    const char *format, ...) PRINTF_LIKE(5, 6);
/* The same with what an error says: its text, its codes, and its hint as the fix. */
struct diagnosis_row *diagnosis_add_err(struct diagnosis *diagnosis, enum diagnosis_part part,
					enum diagnosis_result result, const char *subject,
					const struct err *err);
/* Goes on with the text / with the fix, after a blank. */
void diagnosis_say_more(struct diagnosis_row *row, const char *format, ...) PRINTF_LIKE(2, 3);
void diagnosis_add_fix(struct diagnosis_row *row, const char *text);
/* NULL is accepted. */
void diagnosis_release(struct diagnosis *diagnosis);

/* no_color: --no-color. */
void diagnosis_add_terminal(struct diagnosis *diagnosis, const struct terminal_facts *facts,
			    bool ascii, bool no_color);

/* The program's own file: where it is, and what it got wrong. */
void diagnosis_add_config(struct diagnosis *diagnosis, const struct config *config);

bool diagnosis_has_failure(const struct diagnosis *diagnosis);
/*
 * 0 where nothing fails, else that of interface.md: 4 goes before 5, since without access no answer
 * is worth much, and either before 2.
 */
int diagnosis_exit_status(const struct diagnosis *diagnosis);

/* "terminal", "file", ...; "ok", "warn", "fail", "skip". */
const char *diagnosis_part_word(enum diagnosis_part part);
const char *diagnosis_result_word(enum diagnosis_result result);

#endif

/*
 * The one error value: what happened (code and text), to what (subject), and what to do next
 * (hint). {0} means no error and is valid. A callee sets it and returns false; text is owned by
 * the value and freed by err_clear.
 */
#ifndef GPUQ_BASE_ERR_H
#define GPUQ_BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/attr.h"

enum err_code {
	ERR_NONE,
	ERR_IO,        /* a file, pipe or terminal */
	ERR_NET,       /* no route, refused, reset, TLS */
	ERR_TIMEOUT,   /* no whole answer in time */
	ERR_AUTH,      /* no usable credentials, or AWS refused the signature */
	ERR_DENIED,    /* signed well, but not allowed */
	ERR_THROTTLED, /* throttled to the end of the retry budget */
	ERR_SERVER,    /* 5xx to the end of the retry budget */
	ERR_NOT_FOUND, /* no such job or resource */
	ERR_CONFLICT,  /* the name is taken */
	ERR_REFUSED,   /* AWS refused the request itself: validation, quota, other 4xx */
	ERR_PARSE,     /* an answer that is not what it should be */
	ERR_TOO_BIG,   /* over a named ceiling */
	ERR_RULE,      /* a request that breaks a rule of `check` */
	ERR_CONFIG,    /* a setting, file or option of the user */
	ERR_USAGE,     /* wrong command line */
};

/* What the person can do next; each has one sentence in err.c. */
enum err_hint {
	HINT_NONE,
	HINT_RETRY_LATER,
	HINT_CHECK_NETWORK,
	HINT_SET_CREDENTIALS,
	HINT_LOGIN_AGAIN,
	HINT_LOGIN_AS_TOLD, /* the same, and the text has the command: nothing to add */
	HINT_CHECK_CLOCK,
	HINT_ASK_PERMISSION,
	HINT_EXPLICIT_DENY,
	HINT_CHECK_NAME,
	HINT_OTHER_NAME,
	HINT_FIX_REQUEST,
	HINT_SET_REGION,
	HINT_SEE_HELP,
	HINT_CHECK_FILE,
	HINT_CHOOSE_PROFILE,
	HINT_CORRECT_FILE,
	HINT_CHECK_HOST,
	HINT_CHECK_PROXY,
	HINT_SET_CA_BUNDLE,
	HINT_ALLOW_HTTP,
	HINT_NO_LISTS,
	HINT_CODE_AGAIN, /* of an MFA device */
};

#define ERR_SUBJECT_SIZE 256

struct err {
	enum err_code code;
	enum err_hint hint;
	char subject[ERR_SUBJECT_SIZE]; /* the operation, file or field it happened to */
	char aws_code[96];   /* the service's own word, such as ThrottlingException; or "" */
	char request_id[80]; /* x-amzn-RequestId, or "" */
	int http_status;     /* 0 = there was no HTTP answer */
	bool outcome_open;   /* a change: nobody knows whether it took effect */
	char *text; /* owned; sentences as they came, up to ERR_TEXT_MAX bytes; NULL = none */
};

#define ERR_TEXT_MAX 8192 /* refusals are shown whole; AWS's longest seen are under 4 KiB */

/* Sets code and text (replacing what was there) and returns false: `return err_set(...)`. */
bool err_set(struct err *err, enum err_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Names what it happened to; cut to fit. Returns false, so that it can end a function. */
bool err_subject(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* A deep copy; to is cleared first. */
void err_copy(struct err *to, const struct err *from);

/* Moves: to is cleared first, from is left as {0}. */
void err_move(struct err *to, struct err *from);

/* Frees the text and makes it {0}. NULL is accepted. */
void err_clear(struct err *err);

/* The text, never NULL; borrowed. */
const char *err_text(const struct err *err);
/* How much of the text helps a person: of a refused signature the rest is the canonical request,
 * which nobody compares by hand. */
size_t err_told_len(const struct err *err);

/* One sentence that says what to do next, or "" for HINT_NONE. Static text. */
const char *err_hint_text(enum err_hint hint);

/* A short word for the status line: "throttled", "denied", "no answer"... Static text. */
const char *err_word(enum err_code code);

/* The exit status that interface.md promises for it (0 for ERR_NONE). */
int err_exit_status(const struct err *err);

#endif

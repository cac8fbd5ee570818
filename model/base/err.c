#include "model/base/err.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

/* What interface.md ("Exit status") promises to scripts. */
enum {
	EXIT_REFUSED = 1,
	EXIT_USAGE = 2,
	EXIT_BAD_REQUEST = 3,
	EXIT_NO_ACCESS = 4,
	EXIT_NO_ANSWER = 5,
};

struct code_row {
	const char *word;
	int exit_status;
};

static const struct code_row codes[] = {
	[ERR_NONE] = { "ok", 0 },
	[ERR_IO] = { "i/o error", EXIT_REFUSED },
	[ERR_NET] = { "no connection", EXIT_NO_ANSWER },
	[ERR_TIMEOUT] = { "no answer", EXIT_NO_ANSWER },
	[ERR_AUTH] = { "not signed in", EXIT_NO_ACCESS },
	[ERR_DENIED] = { "denied", EXIT_NO_ACCESS },
	[ERR_THROTTLED] = { "throttled", EXIT_NO_ANSWER },
	[ERR_SERVER] = { "server error", EXIT_NO_ANSWER },
	[ERR_NOT_FOUND] = { "not found", EXIT_REFUSED },
	[ERR_CONFLICT] = { "name taken", EXIT_REFUSED },
	[ERR_REFUSED] = { "refused", EXIT_REFUSED },
	[ERR_PARSE] = { "not readable", EXIT_NO_ANSWER }, /* of a file it is ERR_RULE */
	[ERR_TOO_BIG] = { "too big", EXIT_NO_ANSWER },
	[ERR_RULE] = { "breaks a rule", EXIT_BAD_REQUEST },
	[ERR_CONFIG] = { "bad setting", EXIT_USAGE },
	[ERR_USAGE] = { "wrong usage", EXIT_USAGE },
};

static const char *const hints[] = {
	[HINT_NONE] = "",
	[HINT_RETRY_LATER] = "Try again in a moment.",
	[HINT_CHECK_NETWORK] = "Check the network, the proxy and the endpoint.",
	[HINT_SET_CREDENTIALS] =
		"Set some up with `aws configure` or `aws configure sso`; see the README.",
	[HINT_LOGIN_AS_TOLD] = "",
	[HINT_LOGIN_AGAIN] = "Sign in again, for example with `aws sso login`.",
	[HINT_CHECK_CLOCK] = "Set this machine's clock: AWS accepts five minutes of difference.",
	[HINT_ASK_PERMISSION] =
		"Ask for the permission; gpuq iam-policy prints all that gpuq needs.",
	[HINT_EXPLICIT_DENY] = "More permissions do not lift that: ask who keeps the policies.",
	[HINT_CHECK_NAME] = "Check the name, the region and the account.",
	[HINT_OTHER_NAME] = "Choose another name.",
	[HINT_FIX_REQUEST] = "Change the request; `gpuq check FILE` says what is wrong with it.",
	[HINT_SET_REGION] = "Name a region with --region or AWS_REGION.",
	[HINT_SEE_HELP] = "See `gpuq --help`.",
	[HINT_CHECK_FILE] = "Check the file's name, and that it can be read; - is standard input.",
	[HINT_CHOOSE_PROFILE] = "Name a profile with --profile or AWS_PROFILE.",
	[HINT_CORRECT_FILE] = "Correct the file that is named there.",
	[HINT_CHECK_HOST] = "Check the region, the endpoint and this machine's DNS.",
	[HINT_CHECK_PROXY] = "Check HTTPS_PROXY; NO_PROXY lists the hosts that need no proxy.",
	[HINT_SET_CA_BUNDLE] =
		"If a proxy here opens TLS, set AWS_CA_BUNDLE to a file with its certificate.",
	[HINT_ALLOW_HTTP] = "Use an https URL, or write `allow_http = true` in gpuq's config.",
	[HINT_CODE_AGAIN] = "The key r, or the next command, asks for the code again.",
	[HINT_NO_LISTS] =
		"This region or endpoint does not support preference lists yet: name one type.",
};

/* The longest prefix of at most max bytes that does not end within a UTF-8 sequence. */
static size_t whole_prefix(const char *text, size_t max)
{
	size_t len = strnlen(text, max + 1);

	if (len <= max)
		return len;
	len = max;
	/* A character has three bytes after its first at most; more of them are no UTF-8 anyway. */
	while (len && max - len < 3 && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	return len;
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
	/* One byte more than is kept, to see whether the cut falls within a character. */
	char text[ERR_TEXT_MAX + 2];
	va_list args;
	int len;

	if (!err)
		return false;
	/* Formatted before clearing: the arguments may lie in the old error. */
	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	err_clear(err);
	err->code = code;
	if (len < 0)
		err->text = mem_copy_text(err_word(code));
	else
		err->text = mem_copy_bytes(text, whole_prefix(text, ERR_TEXT_MAX));
	return false;
}

bool err_subject(struct err *err, const char *format, ...)
{
	char text[ERR_SUBJECT_SIZE + 1];
	va_list args;
	size_t len;

	if (!err)
		return false;
	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) < 0)
		text[0] = '\0';
	va_end(args);
	len = whole_prefix(text, ERR_SUBJECT_SIZE - 1);
	memcpy(err->subject, text, len);
	err->subject[len] = '\0';
	return false;
}

void err_copy(struct err *to, const struct err *from)
{
	struct err copy = *from;

	if (to == from)
		return;
	copy.text = mem_copy_text(from->text);
	err_clear(to);
	*to = copy;
}

void err_move(struct err *to, struct err *from)
{
	if (to == from)
		return;
	err_clear(to);
	*to = *from;
	*from = (struct err){ 0 };
}

void err_clear(struct err *err)
{
	if (!err)
		return;
	free(err->text);
	*err = (struct err){ 0 };
}

const char *err_text(const struct err *err)
{
	return err->text ? err->text : "";
}

size_t err_told_len(const struct err *err)
{
	const char *text = err_text(err);

	return err->code == ERR_AUTH && err->aws_code[0] ? strcspn(text, "\r\n") : strlen(text);
}

const char *err_hint_text(enum err_hint hint)
{
	return (size_t)hint < ARRAY_LEN(hints) ? hints[hint] : "";
}

const char *err_word(enum err_code code)
{
	return (size_t)code < ARRAY_LEN(codes) ? codes[code].word : "unknown error";
}

int err_exit_status(const struct err *err)
{
	if ((size_t)err->code >= ARRAY_LEN(codes))
		return EXIT_REFUSED;
	return codes[err->code].exit_status;
}

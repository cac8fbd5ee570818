/*
 * Any bytes as an answer: headers line by line, and what is behind the empty line as the body of an
 * error. Every field is a whole string within its bounds, and the error has a code, a text that
 * fits and the answer's words.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/errors.h"
#include "aws/http_head.h"
#include "aws/skew.h"
#include "model/base/attr.h"
#include "tests/fuzz/fuzz.h"

static void check_head(const struct http_head *head)
{
	assert(memchr(head->request_id, '\0', sizeof(head->request_id)));
	assert(memchr(head->error_type, '\0', sizeof(head->error_type)));
	assert(memchr(head->query_error, '\0', sizeof(head->query_error)));
	assert(memchr(head->date, '\0', sizeof(head->date)));
	assert(head->retry_after_ms >= -1 && head->retry_after_ms <= RETRY_AFTER_MAX_MS);
	assert(head->bytes <= HTTP_HEAD_MAX);
	assert(!strchr(head->date, '\n') && !strchr(head->request_id, '\n'));
}

/* The line with its end, as libcurl gives it; false at the empty one. */
static bool take_line(struct fuzz_bytes *bytes, struct http_head *head)
{
	const uint8_t *end = bytes->left ? memchr(bytes->at, '\n', bytes->left) : NULL;
	size_t len = end ? (size_t)(end - bytes->at) + 1 : bytes->left, before = head->bytes;
	bool taken = http_head_take_line(head, (const char *)bytes->at, len);

	assert(head->bytes == before + (taken ? len : 0));
	bytes->at += len;
	bytes->left -= len;
	return len > 2;
}

static void check_error(const struct http_head *head, const char *body, size_t len, size_t salt)
{
	static const int statuses[] = { 400, 403, 429, 500, 302, 503, 404 };
	int status = statuses[salt % ARRAY_LEN(statuses)];
	struct http_reply reply = { .status = status,
				    .body = body,
				    .body_len = len,
				    .request_id = head->request_id,
				    .error_type = head->error_type,
				    .query_error = head->query_error,
				    .has_date = true,
				    .date_ms = INT64_C(1796071688000),
				    .retry_after_ms = head->retry_after_ms };
	const struct skew skew = { .known = true, .ms = INT64_C(-1796071688000) };
	struct err err = { 0 };

	error_of_reply((enum aws_service)(salt % SERVICE_COUNT), &reply, &err);
	assert(err.code != ERR_NONE && err.http_status == status && err_exit_status(&err) > 0);
	assert(err.aws_code[0] && strlen(err.aws_code) < ERROR_CODE_SIZE);
	assert(err_text(&err)[0] && strlen(err_text(&err)) <= ERR_TEXT_MAX);
	assert(!head->request_id[0] || err.request_id[0]); /* of the body, else of the head */
	(void)skew_doubt_of(&err, &reply, 0);
	err.hint = HINT_CHECK_CLOCK;
	skew_explain(&skew, &err);
	assert(err_text(&err)[0] && strlen(err_text(&err)) <= ERR_TEXT_MAX);
	error_hide(&err, "Exception");
	assert(!strstr(err_text(&err), "Exception"));
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	struct http_head head;

	http_head_init(&head);
	while (bytes.left && take_line(&bytes, &head))
		check_head(&head);
	char *body = fuzz_copy(bytes.at, bytes.left);
	check_error(&head, body, bytes.left, size);
	free(body);
	return 0;
}

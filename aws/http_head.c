#include "aws/http_head.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_SIZE 512

static void forget(struct http_head *head)
{
	head->request_id[0] = head->error_type[0] = head->query_error[0] = head->date[0] = '\0';
	head->aged = false;
	head->retry_after_ms = -1;
}

void http_head_init(struct http_head *head)
{
	forget(head);
	head->bytes = 0;
}

static int64_t parse_retry_after(const char *text)
{
	char *end;

	if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text))
		return -1;

	unsigned long long ms = strtoull(text, &end, 10);

	return ms > RETRY_AFTER_MAX_MS ? RETRY_AFTER_MAX_MS : (int64_t)ms;
}

/* Cut to the field. */
static void keep(char *field, size_t size, const char *value)
{
	size_t len = strnlen(value, size - 1);

	memcpy(field, value, len);
	field[len] = '\0';
}

static void take_header(struct http_head *head, const char *name, const char *value)
{
	if (strcasecmp(name, "date") == 0) {
		keep(head->date, sizeof(head->date),
		     strlen(value) < sizeof(head->date) ? value : "");
	} else if (strcasecmp(name, "age") == 0) {
		head->aged = true;
	} else if (strcasecmp(name, "x-amzn-requestid") == 0 ||
		   (strcasecmp(name, "x-amz-request-id") == 0 && !head->request_id[0])) {
		keep(head->request_id, sizeof(head->request_id), value);
	} else if (strcasecmp(name, "x-amzn-errortype") == 0) {
		keep(head->error_type, sizeof(head->error_type), value);
	} else if (strcasecmp(name, "x-amzn-query-error") == 0) {
		keep(head->query_error, sizeof(head->query_error), value);
	} else if (strcasecmp(name, "x-amz-retry-after") == 0) {
		head->retry_after_ms = parse_retry_after(value);
	}
}

bool http_head_take_line(struct http_head *head, const char *line, size_t len)
{
	char text[LINE_SIZE];

	if (len > HTTP_HEAD_MAX - head->bytes)
		return false;
	head->bytes += len;
	if (len > 5 && memcmp(line, "HTTP/", 5) == 0) {
		forget(head);
		return true;
	}
	while (len > 0 && strchr(" \t\r\n", line[len - 1]))
		len--;
	if (len >= sizeof(text))
		return true;
	memcpy(text, line, len);
	text[len] = '\0';

	char *colon = strchr(text, ':');

	if (colon) {
		*colon = '\0';
		take_header(head, text, colon + 1 + strspn(colon + 1, " \t"));
	}
	return true;
}

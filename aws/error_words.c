#include "aws/error_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/json.h"
#include "aws/xml.h"
#include "model/base/mem.h"

/* "aws.x#FooError:http://..." -> "FooError". What is too long for a code is none. */
static void clean_code(const char *raw, char code[ERROR_CODE_SIZE])
{
	size_t len = strcspn(raw, ",:");
	const char *hash = memchr(raw, '#', len);

	if (hash) {
		len -= (size_t)(hash + 1 - raw);
		raw = hash + 1;
	}
	snprintf(code, ERROR_CODE_SIZE, "%.*s", (int)(len < ERROR_CODE_SIZE ? len : 0), raw);
}

/* The first text that is there and not empty, cleaned. */
static void take_code(const char *const *raw, size_t count, char code[ERROR_CODE_SIZE])
{
	code[0] = '\0';
	for (size_t i = 0; i < count && !code[0]; i++) {
		if (raw[i])
			clean_code(raw[i], code);
	}
}

static bool is_html(const char *body)
{
	body += strspn(body, " \t\r\n");
	return strncasecmp(body, "<html", 5) == 0;
}

/* What cannot be read is shown as it came, but for the page of a gateway in trouble. */
static void take_whole_body(struct error_words *words, const struct http_reply *reply)
{
	bool is_page = reply->status >= 500 && is_html(reply->body);

	words->message = mem_copy_text(is_page ? "" : reply->body);
}

static const char *first_text(const struct json_value *body, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = json_text(body, names[i]);

		if (text)
			return text;
	}
	return "";
}

static void read_json(struct error_words *words, const struct http_reply *reply, bool rest)
{
	/* The last ones are OAuth's, of which OIDC and sign-in are. */
	static const char *const messages[] = { "message", "Message", "error_description" };
	struct err ignored = { 0 };
	struct json_value *body = json_parse(reply->body, reply->body_len, &ignored);
	const char *type = json_text(body, "__type"), *code = json_text(body, "code");
	const char *const places[] = { type, code, reply->error_type };
	const char *const rest_places[] = { reply->error_type, code, json_text(body, "Code"), type,
					    json_text(body, "error") };

	err_clear(&ignored);
	if (rest)
		take_code(rest_places, ARRAY_LEN(rest_places), words->code);
	else
		take_code(places, ARRAY_LEN(places), words->code);
	if (json_type(body) == JSON_TYPE_OBJECT)
		words->message =
			mem_copy_text(first_text(body, messages, rest ? ARRAY_LEN(messages) : 2));
	else
		take_whole_body(words, reply);
	json_free(body);
}

/* "AWS.SimpleQueueService.NonExistentQueue;Sender"; without a sender it counts for nothing. */
static void take_query_error(struct error_words *words, const char *header)
{
	const char *end = header ? strchr(header, ';') : NULL;

	if (!end || end == header || (size_t)(end - header) >= ERROR_CODE_SIZE)
		return;
	memcpy(words->shape, words->code, sizeof(words->shape));
	snprintf(words->code, sizeof(words->code), "%.*s", (int)(end - header), header);
}

/* ErrorResponse/Error of awsQuery, Response/Errors/Error of EC2, each with the id beside it. */
static void read_xml(struct error_words *words, const struct http_reply *reply)
{
	static const char *const ids[] = { "RequestId", "RequestID", "requestId" };
	struct err ignored = { 0 };
	struct xml_element *root = xml_parse(reply->body, reply->body_len, &ignored);
	const struct xml_element *error = xml_child(root, "Error");

	err_clear(&ignored);
	if (!error)
		error = xml_child(xml_child(root, "Errors"), "Error");

	const char *code = xml_text(error, "Code"), *message = xml_text(error, "Message");

	take_code(&code, 1, words->code);
	for (size_t i = 0; i < ARRAY_LEN(ids) && !words->request_id[0]; i++) {
		const char *id = xml_text(root, ids[i]);

		snprintf(words->request_id, sizeof(words->request_id), "%s", id ? id : "");
	}
	if (error)
		words->message = mem_copy_text(message ? message : "");
	else
		take_whole_body(words, reply);
	xml_free(root);
}

void error_words_read(struct error_words *words, enum aws_service service,
		      const struct http_reply *reply)
{
	const struct service *row = service_row(service);
	bool is_xml = row->protocol == PROTOCOL_QUERY || row->protocol == PROTOCOL_EC2;

	*words = (struct error_words){ .message = NULL };
	if (is_xml)
		read_xml(words, reply);
	else
		read_json(words, reply, row->protocol == PROTOCOL_REST_JSON);
	if (row->query_compatible)
		take_query_error(words, reply->query_error);
	if (!words->code[0])
		snprintf(words->code, sizeof(words->code), "%d", reply->status);
	if (!words->request_id[0])
		snprintf(words->request_id, sizeof(words->request_id), "%s", reply->request_id);
}

void error_words_release(struct error_words *words)
{
	free(words->message);
	words->message = NULL;
}

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "aws/answer.h"
#include "aws/error_words.h"
#include "model/base/attr.h"
#include "tests/shared.h"

/*
 * The published cases of the protocols: each reply goes through the reader of answers, and what
 * came out is held against the expected result by the shapes that the case brings along.
 */

struct test {
	const char *id;
	const struct json_value *shapes;
};

/* A value of a reply, in whichever form it came. */
struct source {
	const struct json_value *json;
	const struct xml_element *xml;
};

static bool is_there(struct source source)
{
	return source.json || source.xml;
}

static void match(const struct test *test, const char *shape, struct source source,
		  const struct json_value *expected);

static const char *text_of(struct source source)
{
	return source.json ? json_as_text(source.json) : xml_as_text(source.xml);
}

static void match_time(const struct test *test, struct source source,
		       const struct json_value *expected)
{
	struct opt_ms time = source.json ? json_as_time(source.json) : xml_as_time(source.xml);
	double epoch = 0;

	assert_true(json_as_number(expected, &epoch));
	if (!time.set || time.ms != llround(epoch * 1000))
		fail_msg("%s: %lld is not %.3f", test->id, (long long)time.ms, epoch);
}

/* Numbers of JSON are numbers, those of XML are texts; what is no number is a text in both. */
static void match_scalar(const struct test *test, struct source source,
			 const struct json_value *expected)
{
	const char *text = text_of(source), *wanted = json_as_text(expected);
	double number = 0, wanted_number = 0;
	bool flag = false, wanted_flag = false;

	if (wanted) {
		if (!text || strcmp(text, wanted) != 0)
			fail_msg("%s: '%s' is not '%s'", test->id, text ? text : "", wanted);
	} else if (json_as_boolean(expected, &wanted_flag)) {
		if (source.json ? !json_as_boolean(source.json, &flag) || flag != wanted_flag
				: strcmp(text, wanted_flag ? "true" : "false") != 0)
			fail_msg("%s: a flag", test->id);
	} else {
		assert_true(json_as_number(expected, &wanted_number));
		if (source.json)
			assert_true(json_as_number(source.json, &number));
		else
			number = strtod(text, NULL);
		if (number != wanted_number)
			fail_msg("%s: %f is not %f", test->id, number, wanted_number);
	}
}

static const struct xml_element *next_named(const struct xml_element *at, const char *name)
{
	while (at && name && strcmp(xml_name(at), name) != 0)
		at = xml_next(at);
	return at;
}

/* The items of a list: all that is inside, or, flattened, all of a name beside each other. */
static void match_list(const struct test *test, const struct json_value *shape,
		       struct source source, const char *name, const struct json_value *expected)
{
	const char *item = json_text(json_object(shape, "member"), "shape");
	struct source at = { json_first(source.json), next_named(xml_first(source.xml), name) };

	for (const struct json_value *wanted = json_first(expected); wanted;
	     wanted = json_next(wanted)) {
		if (!is_there(at))
			fail_msg("%s: a list ends early", test->id);
		match(test, item, at, wanted);
		at = (struct source){ json_next(at.json), next_named(xml_next(at.xml), name) };
	}
	if (is_there(at))
		fail_msg("%s: a list goes on", test->id);
}

static const char *location(const struct json_value *ref, const char *otherwise)
{
	const char *name = json_text(ref, "locationName");

	return name ? name : otherwise;
}

static void match_xml_map(const struct test *test, const struct json_value *shape,
			  const struct xml_element *map, const char *name,
			  const struct json_value *expected)
{
	const struct json_value *key = json_object(shape, "key");
	const struct json_value *value = json_object(shape, "value");
	const struct xml_element *at = next_named(xml_first(map), name);
	size_t count = 0;

	for (; at; at = next_named(xml_next(at), name), count++) {
		const char *member = xml_text(at, location(key, "key"));
		struct source inner = { .xml = xml_child(at, location(value, "value")) };

		assert_non_null(member);
		match(test, json_text(value, "shape"), inner, json_member(expected, member));
	}
	assert_int_equal(count, json_length(expected));
}

static void match_json_map(const struct test *test, const struct json_value *shape,
			   const struct json_value *map, const struct json_value *expected)
{
	const char *value = json_text(json_object(shape, "value"), "shape");

	assert_int_equal(json_length(map), json_length(expected));
	for (const struct json_value *at = json_first(map); at; at = json_next(at))
		match(test, value, (struct source){ .json = at },
		      json_member(expected, json_name(at)));
}

/* A member of a structure whose values stand in the structure itself. */
static void match_flattened(const struct test *test, const struct json_value *ref, const char *name,
			    const struct xml_element *outer, const struct json_value *expected)
{
	const struct json_value *shape = json_object(test->shapes, json_text(ref, "shape"));
	struct source source = { .xml = outer };

	if (strcmp(json_text(shape, "type"), "map") == 0)
		match_xml_map(test, shape, outer, location(ref, name), expected);
	else
		match_list(test, shape, source,
			   location(json_object(shape, "member"), location(ref, name)), expected);
}

static void match_structure(const struct test *test, const struct json_value *shape,
			    struct source source, const struct json_value *expected)
{
	const struct json_value *members = json_object(shape, "members");
	size_t matched = 0;

	for (const struct json_value *ref = json_first(members); ref; ref = json_next(ref)) {
		const char *name = json_name(ref);
		const struct json_value *wanted = json_member(expected, name);
		bool flattened = false;
		struct source inner = { .json = json_member(source.json, name),
					.xml = xml_child(source.xml, location(ref, name)) };

		matched += wanted != NULL;
		if (json_boolean(ref, "flattened", &flattened) && source.xml && wanted)
			match_flattened(test, ref, name, source.xml, wanted);
		else if (is_there(inner) != (wanted != NULL))
			fail_msg("%s: %s is%s there", test->id, name, wanted ? " not" : "");
		else if (wanted)
			match(test, json_text(ref, "shape"), inner, wanted);
	}
	assert_int_equal(matched, json_length(expected));
}

static void match(const struct test *test, const char *shape_name, struct source source,
		  const struct json_value *expected)
{
	const struct json_value *shape = json_object(test->shapes, shape_name);
	const char *type = json_text(shape, "type");

	assert_non_null(type);
	if (strcmp(type, "structure") == 0)
		match_structure(test, shape, source, expected);
	else if (strcmp(type, "list") == 0)
		match_list(test, shape, source, NULL, expected);
	else if (strcmp(type, "map") == 0 && source.xml)
		match_xml_map(test, shape, source.xml, NULL, expected);
	else if (strcmp(type, "map") == 0)
		match_json_map(test, shape, source.json, expected);
	else if (strcmp(type, "timestamp") == 0)
		match_time(test, source, expected);
	else
		match_scalar(test, source, expected);
}

/* A service of ours that speaks the protocol. */
static enum aws_service service_of(const struct json_value *at)
{
	const char *protocol = json_text(at, "protocol"), *version = json_text(at, "json_version");

	if (strcmp(protocol, "json") == 0)
		return strcmp(version, "1.0") == 0 ? SERVICE_CLOUDWATCH : SERVICE_SAGEMAKER;
	return strcmp(protocol, "query") == 0 ? SERVICE_STS : SERVICE_EC2;
}

static const char *header(const struct json_value *response, const char *name)
{
	const struct json_value *headers = json_object(response, "headers");

	for (const struct json_value *at = json_first(headers); at; at = json_next(at)) {
		if (strcasecmp(json_name(at), name) == 0)
			return json_as_text(at);
	}
	return "";
}

static struct http_reply reply_of(const struct json_value *at)
{
	const struct json_value *response = json_object(at, "response");
	const char *body = json_text(response, "body");
	int64_t status = 0;

	assert_true(json_integer(response, "status_code", &status));
	return (struct http_reply){ .status = (int)status,
				    .body = body ? body : "",
				    .body_len = body ? strlen(body) : 0,
				    .request_id = header(response, "x-amzn-requestid"),
				    .error_type = header(response, "x-amzn-errortype"),
				    .query_error = header(response, "x-amzn-query-error"),
				    .retry_after_ms = -1 };
}

static void play_result(const struct json_value *at, const struct test *test,
			const struct http_reply *reply)
{
	const struct aws_op op = { .name = "Any", .service = service_of(at) };
	const char *wrapper = json_text(at, "result_wrapper");
	struct answer answer;

	answer_read(&answer, &op, reply, 0, false);
	if (!answer.good)
		fail_msg("%s: %s", test->id, err_text(&answer.err));

	struct source source = { .json = answer.json, .xml = answer.xml };

	if (wrapper)
		source.xml = xml_child(answer.xml, wrapper);
	/* A reply without a body, or without an output at all. */
	if (json_text(at, "output_shape"))
		match(test, json_text(at, "output_shape"), source,
		      json_object(json_object(at, "expect"), "result"));
	answer_release(&answer);
}

/* The case's shape has no message, so that it expects none; the reply has one. */
static bool is_shown_anyway(const char *id)
{
	return strcmp(id, "Ec2ComplexError") == 0;
}

static void match_members(const struct json_value *at, const struct test *test,
			  const struct http_reply *reply)
{
	const struct json_value *error = json_object(json_object(at, "expect"), "error");
	const struct json_value *shape = json_first(json_array(at, "error_shapes"));
	struct err err = { 0 };
	struct json_value *json = json_parse(reply->body, reply->body_len, &err);
	struct xml_element *xml = json ? NULL : xml_parse(reply->body, reply->body_len, &err);
	const struct xml_element *inner = xml_child(xml, "Error");

	err_clear(&err);
	if (!inner)
		inner = xml_child(xml_child(xml, "Errors"), "Error");
	match(test, json_as_text(shape), (struct source){ json, inner },
	      json_object(error, "members"));
	json_free(json);
	xml_free(xml);
}

static void play_error(const struct json_value *at, const struct test *test,
		       const struct http_reply *reply)
{
	const struct json_value *error = json_object(json_object(at, "expect"), "error");
	const char *message = is_shown_anyway(test->id) ? "Hi" : json_text(error, "message");
	struct error_words words;

	error_words_read(&words, service_of(at), reply);
	if (strcmp(words.code, json_text(error, "code")) != 0 ||
	    strcmp(words.message, message) != 0)
		fail_msg("%s: %s '%s'", test->id, words.code, words.message);
	if (strcmp(json_text(at, "protocol"), "json") != 0)
		assert_string_equal(words.request_id, "foo-id");
	error_words_release(&words);
	match_members(at, test, reply);
}

static void cases__read__as_published(void **state)
{
	size_t len, results = 0, errors = 0, otherwise = 0;
	char *text = shared_read("vectors/errors/protocol-cases.json", &len);
	struct err err = { 0 };
	struct json_value *json = text ? json_parse(text, len, &err) : NULL;

	(void)state;
	assert_true(!text || json);
	free(text);
	for (const struct json_value *at = json_first(json); at; at = json_next(at)) {
		struct test test = { json_text(at, "id"), json_object(at, "shapes") };
		struct http_reply reply = reply_of(at);

		otherwise += is_shown_anyway(test.id);
		if (json_object(json_object(at, "expect"), "error")) {
			play_error(at, &test, &reply);
			errors++;
		} else {
			play_result(at, &test, &reply);
			results++;
		}
	}
	if (json) {
		print_message("protocols: %zu of 113 (%zu errors, %zu results), %zu otherwise\n",
			      errors + results, errors, results, otherwise);
		assert_int_equal(errors + results, 113);
	}
	json_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases__read__as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "aws/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "model/base/mem.h"
#include "model/base/text.h"

/* Times above this many seconds (the year 5138) are milliseconds; interface and facts/aws.md 1.2.
 */
#define SECONDS_MAX 1e11
#define UNIT_BYTES  6                  /* of \u and four digits */
#define EXACT_MAX   9007199254740992.0 /* 2^53 */
/* 9999-12-31T23:59:59.999Z: no formatter knows what to do with more. */
#define TIME_MAX_MS 253402300799999.0

static const cJSON *node(const struct json_value *value)
{
	return (const cJSON *)(const void *)value;
}

static const struct json_value *value_of(const cJSON *item)
{
	return (const struct json_value *)(const void *)item;
}

/* Levels and values counted before anything is allocated for them: cJSON takes 64 bytes for each
 * value, so that a body of commas would fill the memory, and recurses for each level. */
static bool check_bounds(const char *text, size_t len, struct err *err)
{
	size_t level = 0, values = 1;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '\0')
			return err_set(err, ERR_PARSE, "not JSON: a NUL at byte %zu", i);
		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
			continue;
		}
		if (c == '"')
			quoted = true;
		else if (c == '{' || c == '[')
			level++, values++;
		else if ((c == '}' || c == ']') && level > 0)
			level--;
		else if (c == ',')
			values++;
		if (level > JSON_REPLY_LEVELS)
			return err_set(err, ERR_TOO_BIG, "JSON of more than %d levels",
				       JSON_REPLY_LEVELS);
		if (values > JSON_REPLY_VALUES)
			return err_set(err, ERR_TOO_BIG, "JSON of more than %u values",
				       JSON_REPLY_VALUES);
	}
	return true;
}

/* The unit of a \u escape at text, or UINT32_MAX. */
static uint32_t unit_at(const char *text, const char *end)
{
	uint32_t unit = 0;

	if (end - text < UNIT_BYTES || text[0] != '\\' || text[1] != 'u')
		return UINT32_MAX;
	for (int i = 2; i < UNIT_BYTES; i++) {
		int value = text_hex_value(text[i]);

		if (value < 0)
			return UINT32_MAX;
		unit = unit << 4 | (uint32_t)value;
	}
	return unit;
}

/* What stands for an escape that no C string holds, and how many bytes of text are right before and
 * with it; NULL: it is right. */
static const char *stand_in(const char *text, const char *end, size_t *used)
{
	uint32_t unit = unit_at(text, end);

	*used = unit == UINT32_MAX ? 2 : UNIT_BYTES;
	if (unit == 0)
		return "\\u2400"; /* the picture of a NUL */
	if (unit == UINT32_MAX || unit < 0xD800 || unit > 0xDFFF)
		return NULL;
	uint32_t low = unit_at(text + UNIT_BYTES, end);

	if (unit > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
		return "\\ufffd";
	*used = (size_t)2 * UNIT_BYTES;
	return NULL;
}

/* Writes over the escapes of U+0000, at which a C string would end, and of halves of surrogate
 * pairs, for which cJSON gives up the whole document. A copy that the caller frees, or NULL where
 * there are none. */
static char *mend(const char *text, size_t len)
{
	const char *end = text + len;
	char *copy = NULL;

	for (const char *at = text; (at = memchr(at, '\\', (size_t)(end - at)));) {
		size_t used;
		const char *other = stand_in(at, end, &used);

		if (other && !copy)
			copy = mem_copy_bytes(text, len);
		if (other)
			memcpy(copy + (at - text), other, UNIT_BYTES);
		if (used >= (size_t)(end - at))
			break;
		at += used;
	}
	return copy;
}

struct json_value *json_parse(const char *text, size_t len, struct err *err)
{
	const char *end = NULL;

	if (len > JSON_REPLY_MAX) {
		err_set(err, ERR_TOO_BIG, "JSON of more than %u bytes", JSON_REPLY_MAX);
		return NULL;
	}
	if (!check_bounds(text, len, err))
		return NULL;

	char *mended = mend(text, len);
	text = mended ? mended : text;
	cJSON *document = cJSON_ParseWithLengthOpts(text, len, &end, false);

	while (document && end < text + len && strchr(" \t\r\n", *end))
		end++;
	size_t at = end && end >= text ? (size_t)(end - text) : 0;
	bool whole = document && end >= text + len;
	free(mended);
	if (!whole) {
		cJSON_Delete(document);
		err_set(err, ERR_PARSE,
			len == 0 ? "empty where JSON was expected (byte %zu)"
				 : "not JSON from byte %zu on",
			at);
		return NULL;
	}
	return (struct json_value *)(void *)document;
}

void json_free(struct json_value *document)
{
	cJSON_Delete((cJSON *)(void *)document);
}

enum json_type json_type(const struct json_value *value)
{
	const cJSON *item = node(value);

	if (!item)
		return JSON_TYPE_NONE;
	if (cJSON_IsNull(item))
		return JSON_TYPE_NULL;
	if (cJSON_IsBool(item))
		return JSON_TYPE_BOOLEAN;
	if (cJSON_IsNumber(item))
		return JSON_TYPE_NUMBER;
	if (cJSON_IsString(item))
		return JSON_TYPE_TEXT;
	if (cJSON_IsArray(item))
		return JSON_TYPE_ARRAY;
	return cJSON_IsObject(item) ? JSON_TYPE_OBJECT : JSON_TYPE_NONE;
}

const struct json_value *json_first(const struct json_value *value)
{
	const cJSON *item = node(value);

	return cJSON_IsArray(item) || cJSON_IsObject(item) ? value_of(item->child) : NULL;
}

const struct json_value *json_next(const struct json_value *value)
{
	return value ? value_of(node(value)->next) : NULL;
}

size_t json_length(const struct json_value *value)
{
	size_t length = 0;

	for (const struct json_value *at = json_first(value); at; at = json_next(at))
		length++;
	return length;
}

const char *json_name(const struct json_value *member)
{
	return member ? node(member)->string : NULL;
}

const char *json_as_text(const struct json_value *value)
{
	const cJSON *item = node(value);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

bool json_as_boolean(const struct json_value *value, bool *out)
{
	const cJSON *item = node(value);

	if (!cJSON_IsBool(item))
		return false;
	*out = cJSON_IsTrue(item);
	return true;
}

bool json_as_number(const struct json_value *value, double *out)
{
	const cJSON *item = node(value);

	if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
		return false;
	*out = item->valuedouble;
	return true;
}

bool json_as_integer(const struct json_value *value, int64_t *out)
{
	double number;

	if (!json_as_number(value, &number) || fabs(number) > EXACT_MAX || trunc(number) != number)
		return false;
	*out = (int64_t)number;
	return true;
}

static struct opt_ms time_of_number(double number)
{
	double ms = fabs(number) > SECONDS_MAX ? number : number * 1000;

	if (!isfinite(ms) || fabs(ms) > TIME_MAX_MS)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ .set = true, .ms = (int64_t)llround(ms) };
}

struct opt_ms json_time_of_text(const char *text)
{
	struct opt_ms time = { 0 };

	if (text[0] != '\0' && strspn(text, "0123456789.+-eE") == strlen(text)) {
		char *end;
		double number = strtod(text, &end);

		if (*end == '\0')
			return time_of_number(number);
	}
	time.set = time_parse_iso(text, &time.ms) || time_parse_http(text, &time.ms);
	return time;
}

struct opt_ms json_as_time(const struct json_value *value)
{
	const char *text = json_as_text(value);
	double number;

	if (text)
		return json_time_of_text(text);
	if (json_as_number(value, &number))
		return time_of_number(number);
	return (struct opt_ms){ 0 };
}

const struct json_value *json_member(const struct json_value *object, const char *name)
{
	const cJSON *item = node(object);

	if (!cJSON_IsObject(item))
		return NULL;
	item = cJSON_GetObjectItemCaseSensitive(item, name);
	return cJSON_IsNull(item) ? NULL : value_of(item);
}

const struct json_value *json_object(const struct json_value *object, const char *name)
{
	const struct json_value *value = json_member(object, name);

	return cJSON_IsObject(node(value)) ? value : NULL;
}

const struct json_value *json_array(const struct json_value *object, const char *name)
{
	const struct json_value *value = json_member(object, name);

	return cJSON_IsArray(node(value)) ? value : NULL;
}

const char *json_text(const struct json_value *object, const char *name)
{
	return json_as_text(json_member(object, name));
}

const char *json_full_text(const struct json_value *object, const char *name)
{
	const char *text = json_text(object, name);

	return text && text[0] ? text : NULL;
}

bool json_boolean(const struct json_value *object, const char *name, bool *out)
{
	return json_as_boolean(json_member(object, name), out);
}

bool json_number(const struct json_value *object, const char *name, double *out)
{
	return json_as_number(json_member(object, name), out);
}

bool json_integer(const struct json_value *object, const char *name, int64_t *out)
{
	return json_as_integer(json_member(object, name), out);
}

struct opt_ms json_time(const struct json_value *object, const char *name)
{
	return json_as_time(json_member(object, name));
}

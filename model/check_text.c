/* Places of a template that nobody has filled in, in any string of the request. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/check_rules.h"

/* <role-arn>: a name between the marks. A group of a regular expression, (?P<loss>...), is none,
 * nor is the comparison in "a < b > c". */
static bool has_angle(const char *text)
{
	for (const char *open = strchr(text, '<'); open; open = strchr(open + 1, '<')) {
		const char *end = open + 1 + strcspn(open + 1, "<>");
		bool group = open - text >= 2 && open[-1] == 'P' && open[-2] == '?';
		group = group || (open > text && open[-1] == '?');
		if (*end == '>' && isalpha((unsigned char)open[1]) && end[-1] != ' ' && !group)
			return true;
	}
	return false;
}

static bool has_variable(const char *text)
{
	const char *open = strstr(text, "${");
	return open && strchr(open, '}');
}

/* What stands there, in words: the value itself may be a secret. */
static const char *find_placeholder(const char *text)
{
	if (text[0] == '\0')
		return "is an empty string";
	if (has_angle(text))
		return "holds a placeholder in <...>";
	if (strstr(text, "YOUR_"))
		return "holds a placeholder YOUR_...";
	if (has_variable(text))
		return "holds a variable ${...} that nobody filled in";
	return NULL;
}

static size_t index_of(const struct json_doc *doc, size_t node)
{
	size_t index = 0;
	size_t at = json_doc_child(doc, doc->nodes[node].parent);
	for (; at != node; at = json_doc_next(doc, at))
		index++;
	return index;
}

static void write_path(const struct json_doc *doc, size_t node, struct buf *out)
{
	if (node == 0 || node == JSON_NONE)
		return;
	write_path(doc, doc->nodes[node].parent, out);
	if (doc->nodes[node].key_end == doc->nodes[node].key_start) {
		(void)buf_addf(out, "[%zu]", index_of(doc, node));
		return;
	}
	if (out->len > 0)
		(void)buf_add_char(out, '.');
	(void)json_doc_key(doc, node, out);
}

/* Describe replies with an empty OutputDataConfig.KmsKeyId where there is none, and Create takes
 * it: nobody was to fill it in. */
static bool is_no_key(const struct json_doc *doc, size_t node)
{
	struct buf key;
	buf_init(&key, CHECK_PATH_SIZE);
	bool is_key = json_doc_key(doc, node, &key) && strcmp(buf_text(&key), "KmsKeyId") == 0;
	buf_release(&key);
	return is_key;
}

static void add(const struct json_doc *doc, size_t node, const char *what,
		struct findings *findings)
{
	struct buf path;
	buf_init(&path, CHECK_PATH_SIZE - 1);
	write_path(doc, node, &path);
	check_point_at(findings_add(findings, "placeholder", buf_text(&path), "%s %s.",
				    path.failed    ? CHECK_LONG_PATH
				    : path.len > 0 ? buf_text(&path)
						   : "The request",
				    what),
		       doc, node);
	buf_release(&path);
}

void check_placeholder(const struct check_input *input, struct findings *findings)
{
	const struct json_doc *doc = input->doc;
	struct buf value;
	buf_init(&value, JSON_TEXT_MAX);
	for (size_t node = 0; doc && node < doc->count; node++) {
		buf_clear(&value);
		if (!json_doc_string(doc, node, &value))
			continue;
		const char *what = find_placeholder(buf_text(&value));
		if (what && (value.len > 0 || !is_no_key(doc, node)))
			add(doc, node, what, findings);
	}
	buf_release(&value);
}

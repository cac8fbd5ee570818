/* Where findings point: members of the cluster, entries of the list; and the fixes of entries. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/check_rules.h"

#define ENTRY_TEXT_SIZE 320

struct check_path check_cluster_member(const struct check_input *input, const char *member)
{
	struct check_path path;
	(void)snprintf(path.text, sizeof(path.text), "%s.%s", check_cluster_path(input->kind),
		       member);
	return path;
}

struct check_path check_entry_path(const struct check_input *input, size_t i, const char *member)
{
	const struct preferences *prefs = input->prefs;
	bool grouped = !prefs->is_list && prefs->entries[i].group[0] != '\0';
	if (!prefs->is_list && !grouped)
		return check_cluster_member(input, member ? member : "InstanceType");
	struct check_path path;
	(void)snprintf(path.text, sizeof(path.text), "%s.%s[%zu]%s%s",
		       check_cluster_path(input->kind),
		       grouped ? "InstanceGroups" : "InstancePreferences", i, member ? "." : "",
		       member ? member : "");
	return path;
}

struct check_path check_entry_label(const struct preferences *prefs, size_t i)
{
	struct check_path label = { "" };
	if (prefs->is_list)
		(void)snprintf(label.text, sizeof(label.text), "#%zu: ", i + 1);
	return label;
}

struct finding *check_add_to_entry(const struct check_input *input, struct findings *findings,
				   const char *rule, const struct check_entry *at,
				   const char *format, ...)
{
	char text[ENTRY_TEXT_SIZE];
	struct check_path path = check_entry_path(input, at->index, at->member);
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	struct check_path label = check_entry_label(input->prefs, at->index);
	/* A sentence, unless it begins with a type's name. */
	if (!label.text[0] && strncmp(text, "ml.", 3) != 0)
		text[0] = (char)toupper((unsigned char)text[0]);
	struct finding *finding = findings_add(findings, rule, path.text, "%s%s", label.text, text);
	if (finding)
		finding->entry = at->index;
	return finding;
}

void check_set_fix(struct finding *finding, enum fix_kind fix, const char *value, const char *text)
{
	if (!finding)
		return;
	finding->fix = fix;
	(void)snprintf(finding->fix_value, sizeof(finding->fix_value), "%s", value);
	(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "%s", text);
}

void check_make_note(struct finding *finding)
{
	if (!finding)
		return;
	finding->severity = SEVERITY_NOTE;
	check_set_fix(finding, FIX_NONE, "", "");
}

void check_point_at(struct finding *finding, const struct json_doc *doc, size_t node)
{
	if (!finding || !doc || node == JSON_NONE)
		return;
	finding->line = doc->nodes[node].line;
	finding->column = doc->nodes[node].column;
}

bool check_can_remove(const struct check_input *input)
{
	return input->prefs->is_list && input->prefs->length > 1;
}

void check_fix_remove(const struct check_input *input, struct finding *finding, const char *else_do)
{
	char text[160];
	if (!check_can_remove(input)) {
		(void)snprintf(text, sizeof(text), "%c%s.", toupper((unsigned char)else_do[0]),
			       else_do + 1);
		check_set_fix(finding, FIX_NONE, "", text);
		return;
	}
	(void)snprintf(text, sizeof(text), "Remove the entry, or %s.", else_do);
	check_set_fix(finding, FIX_REMOVE_ENTRY, "", text);
}

void check_fix_count(const struct check_input *input, struct finding *finding, int64_t count)
{
	char value[24], text[80];
	/* The counts of instance groups are not of a list and stay as they are. */
	if (!input->prefs->is_list && input->prefs->entries[0].group[0]) {
		check_set_fix(finding, FIX_NONE, "", "Ask for fewer instances.");
		return;
	}
	(void)snprintf(value, sizeof(value), "%lld", (long long)count);
	(void)snprintf(text, sizeof(text), "Ask for %s instance%s.", value, count == 1 ? "" : "s");
	check_set_fix(finding, FIX_SET_COUNT, value, text);
}

bool check_is_present(const struct check_input *input, const char *path)
{
	size_t node = input->doc ? json_doc_path(input->doc, path) : JSON_NONE;
	return node != JSON_NONE && input->doc->nodes[node].kind != JSON_NULL;
}

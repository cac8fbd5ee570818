/* A quota that is too small: the entry dropped, its count lowered, or more of it asked for; and
 * which keys the footer names for what the cursor is on. */
#include <string.h>

#include "views/editor.h"

bool editor_is_quota_finding(const struct editor_look *look, const struct finding *finding)
{
	return finding && finding->entry < look->prefs->length &&
	       (strcmp(finding->rule, "quota-short") == 0 ||
		strcmp(finding->rule, "quota-tight") == 0);
}

size_t editor_entry_here(const struct editor_look *look)
{
	const struct finding *finding = look->rows ? editor_finding_at(look, look->cursor) : NULL;

	if (editor_on_entry(look))
		return look->cursor;
	return editor_is_quota_finding(look, finding) ? finding->entry : SIZE_MAX;
}

void editor_raise(struct editor *editor)
{
	struct editor_look *look = edit_begin(editor);
	size_t at = look ? editor_entry_here(look) : SIZE_MAX;
	char type[TYPE_NAME_SIZE] = "";
	enum quota_kind kind = QUOTA_TRAINING;
	int64_t count, desired = 0;

	if (at != SIZE_MAX) {
		memcpy(type, look->prefs->entries[at].instance_type, TYPE_NAME_SIZE);
		kind = quota_kind_of(look->job->kind, look->job->spot);
		if (look->quotas && prefs_count(look->prefs, at, &count))
			desired = quota_needed(&look->quotas[at], count);
	}
	if (type[0])
		raise_begin(editor->ui, type, kind, desired);
	else if (look)
		editor_say(editor, STYLE_DIM, "R asks for more of an entry's quota: go to it");
	editor_look_free(look);
}

static void none(void *state)
{
	(void)state;
}

/* Rows for the footer alone: the keys run by those of the pane. */
#define ROW(key, word)                                                           \
	{                                                                        \
		.keys = (key), .brief = (word), .flags = KEY_FOOTER, .run = none \
	}
#define ROWS_BEHIND ROW("k", "entries"), ROW("u", "undo"), ROW("v", "check")
#define RAISE_ROW                                                                       \
	{                                                                               \
		.keys = "R", .brief = "raise", .flags = KEY_FOOTER | KEY_CHANGES_CLOUD, \
		.run = none                                                             \
	}

static const struct key_binding fix_rows[] = { ROW("Enter", "fix"), ROWS_BEHIND, { 0 } };
static const struct key_binding quota_rows[] = {
	ROW("Enter", "fix"), ROW("D", "remove"), RAISE_ROW, ROWS_BEHIND, { 0 },
};
static const struct key_binding doubt_rows[] = { ROWS_BEHIND, { 0 } };
static const struct key_binding offer_rows[] = { ROW("Enter", "take"), ROWS_BEHIND, { 0 } };
static const struct key_scope fix_scope = { .name = "Preferences", .bindings = fix_rows };
static const struct key_scope quota_scope = { .name = "Preferences", .bindings = quota_rows };
static const struct key_scope doubt_scope = { .name = "Preferences", .bindings = doubt_rows };
static const struct key_scope offer_scope = { .name = "Preferences", .bindings = offer_rows };

static const struct key_scope *footer_of(const struct editor_look *look)
{
	const struct finding *finding;

	if (!look->prefs || !look->rows || editor_on_entry(look))
		return NULL;
	finding = editor_finding_at(look, look->cursor);
	if (!finding)
		return &offer_scope;
	if (editor_is_quota_finding(look, finding))
		return &quota_scope;
	return finding->fix == FIX_NONE ? &doubt_scope : &fix_scope;
}

const struct key_scope *editor_footer(const struct editor *editor)
{
	struct editor_look *look = editor_look_new(editor);
	const struct key_scope *scope = footer_of(look);

	editor_look_free(look);
	return scope;
}

/* What the keys of the preferences pane do to a draft: one table row for each kind of edit. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/editor.h"
#include "views/words.h"

void editor_say(const struct editor *editor, enum style style, const char *text)
{
	editor->ui->say(editor->ui, style, text);
}

void editor_forget_check(struct editor *editor)
{
	if (editor->checked)
		editor_say(editor, STYLE_TEXT, "");
	editor->checked = false;
}

void editor_set_cursor(struct editor *editor, const struct editor_look *look, size_t row)
{
	mem_set_text(&editor->arn, look->job->arn);
	editor->cursor = row;
}

bool editor_on_entry(const struct editor_look *look)
{
	return look->cursor < look->prefs->length;
}

static bool change_place(struct prefs_state *state, const struct edit *edit)
{
	return prefs_move(&state->prefs, edit->at, edit->to);
}

static bool change_count(struct prefs_state *state, const struct edit *edit)
{
	return prefs_add_count(&state->prefs, edit->at, edit->by);
}

static bool change_to_count(struct prefs_state *state, const struct edit *edit)
{
	return prefs_set_count(&state->prefs, edit->at, edit->count);
}

/* Without a list there is one count, which nothing shares. */
static bool change_sharing(struct prefs_state *state, const struct edit *edit)
{
	(void)edit;
	if (!state->prefs.is_list)
		return false;
	prefs_toggle_counts(&state->prefs);
	return true;
}

static bool change_type(struct prefs_state *state, const struct edit *edit)
{
	return prefs_set_type(&state->prefs, edit->at, edit->type);
}

static bool change_by_insert(struct prefs_state *state, const struct edit *edit)
{
	return prefs_insert(&state->prefs, edit->at, edit->type);
}

static bool change_by_remove(struct prefs_state *state, const struct edit *edit)
{
	return prefs_remove(&state->prefs, edit->at);
}

static bool change_by_fix(struct prefs_state *state, const struct edit *edit)
{
	return finding_apply(edit->finding, &state->prefs);
}

static bool change_plan(struct prefs_state *state, const struct edit *edit)
{
	return prefs_set_plan(&state->prefs, edit->at, edit->plan);
}

static bool change_limit(struct prefs_state *state, const struct edit *edit)
{
	state->max_pending = edit->limit;
	return true;
}

static bool (*const edits[])(struct prefs_state *state, const struct edit *edit) = {
	[EDIT_PLACE] = change_place,      [EDIT_COUNT] = change_count,
	[EDIT_SET] = change_to_count,     [EDIT_SHARING] = change_sharing,
	[EDIT_TYPE] = change_type,        [EDIT_INSERT] = change_by_insert,
	[EDIT_REMOVE] = change_by_remove, [EDIT_FIX] = change_by_fix,
	[EDIT_PLAN] = change_plan,        [EDIT_LIMIT] = change_limit,
};

/* A job without a list stays without one until there is a second entry: what stands beside it in
 * the request (managed spot, for one) may not allow a list. */
static bool becomes_list(const struct editor_look *look, const struct preferences *prefs)
{
	const struct preferences *first =
		look->draft ? &look->draft->original.prefs : job_prefs(look->job);

	return first->is_list || prefs->length > 1;
}

/* Makes an edit in the draft, which begins with the first one. False: all is as before. */
static bool make_edit(struct editor *editor, const struct editor_look *look,
		      const struct edit *edit)
{
	struct prefs_state before = { *look->prefs, look->max_pending }, edited = before;
	struct draft *draft;

	if (!edits[edit->kind](&edited, edit))
		return false;
	edited.prefs.is_list = becomes_list(look, &edited.prefs);
	if (prefs_state_equal(&edited, &before))
		return false;
	draft = draft_edit(editor->ui, look->job);
	if (!draft)
		return false;
	draft_set(draft, &edited);
	return true;
}

struct editor_look *edit_begin(const struct editor *editor)
{
	struct editor_look *look = editor_look_new(editor);
	struct buf why;
	bool possible;

	buf_init(&why, WORDS_MAX);
	editor_why_not(look->job, &why);
	possible = why.len == 0;
	if (!possible)
		editor_say(editor, STYLE_WARNING, buf_text(&why));
	buf_release(&why);
	if (possible)
		return look;
	editor_look_free(look);
	return NULL;
}

struct editor_look *edit_begin_on_entry(const struct editor *editor)
{
	struct editor_look *look = edit_begin(editor);

	if (!look || editor_on_entry(look))
		return look;
	editor_say(editor, STYLE_WARNING,
		   look->rows ? "the cursor is on a finding: k goes up to the entries"
			      : "the list is empty: i inserts an entry");
	editor_look_free(look);
	return NULL;
}

bool edit_finish(struct editor *editor, struct editor_look *look, const struct edit *edit,
		 size_t row)
{
	bool changed = make_edit(editor, look, edit);

	editor_set_cursor(editor, look, changed ? row : look->cursor);
	editor_look_free(look);
	if (changed) {
		if (edit->kind != EDIT_TYPE)
			editor_forget_was(editor);
		editor_forget_check(editor);
		editor->ui->changed(editor->ui);
	}
	return changed;
}

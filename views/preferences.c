/* The selected job's list or its draft: walked, edited, checked at each key. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/editor.h"
#include "views/words.h"

static void say(const struct editor *editor, enum style style, const char *text)
{
	editor->ui->say(editor->ui, style, text);
}

static void open_editor(void *state, struct ui *ui, const void *argument)
{
	struct editor *editor = state;

	(void)argument;
	editor->ui = ui;
}

static void close_editor(void *state)
{
	struct editor *editor = state;

	free(editor->arn);
	free(editor->pick_arn);
}

/* Puts the cursor on a row of the job looked at. */
static void set_cursor(struct editor *editor, const struct editor_look *look, size_t row)
{
	mem_set_text(&editor->arn, look->job->arn);
	editor->cursor = row;
}

/* A new selection starts at its first entry. */
static void refresh_editor(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = editor_look_new(editor);

	if (look->job)
		set_cursor(editor, look, look->cursor);
	free(look);
}

static void go_to(struct editor *editor, size_t (*row)(const struct editor_look *look))
{
	struct editor_look *look = editor_look_new(editor);

	if (look->rows)
		set_cursor(editor, look, row(look));
	free(look);
}

static size_t row_after(const struct editor_look *look)
{
	return look->cursor + 1 < look->rows ? look->cursor + 1 : look->cursor;
}

static size_t row_before(const struct editor_look *look)
{
	return look->cursor ? look->cursor - 1 : 0;
}

static size_t row_first(const struct editor_look *look)
{
	(void)look;
	return 0;
}

static size_t row_last(const struct editor_look *look)
{
	return look->rows - 1;
}

static void go_down(void *state)
{
	go_to(state, row_after);
}

static void go_up(void *state)
{
	go_to(state, row_before);
}

static void go_first(void *state)
{
	go_to(state, row_first);
}

static void go_last(void *state)
{
	go_to(state, row_last);
}

/* One edit of a list. */
struct edit {
	bool (*change)(struct preferences *prefs, const struct edit *edit);
	size_t at, to;
	int64_t by;
	const char *type;
	const struct finding *finding;
};

static bool change_place(struct preferences *prefs, const struct edit *edit)
{
	return prefs_move(prefs, edit->at, edit->to);
}

static bool change_count(struct preferences *prefs, const struct edit *edit)
{
	return prefs_add_count(prefs, edit->at, edit->by);
}

static bool change_sharing(struct preferences *prefs, const struct edit *edit)
{
	(void)edit;
	prefs_toggle_counts(prefs);
	return true;
}

static bool change_type(struct preferences *prefs, const struct edit *edit)
{
	return prefs_set_type(prefs, edit->at, edit->type);
}

static bool change_by_insert(struct preferences *prefs, const struct edit *edit)
{
	return prefs_insert(prefs, edit->at, edit->type);
}

static bool change_by_remove(struct preferences *prefs, const struct edit *edit)
{
	return prefs_remove(prefs, edit->at);
}

static bool change_by_fix(struct preferences *prefs, const struct edit *edit)
{
	return finding_apply(edit->finding, prefs);
}

/* Makes an edit in the draft, which begins with the first one. False: the list is as before. */
static bool make_edit(struct editor *editor, const struct editor_look *look,
		      const struct edit *edit)
{
	struct preferences edited = *look->prefs;
	struct draft *draft;

	if (!edit->change(&edited, edit))
		return false;
	if (prefs_equal(&edited, look->prefs))
		return false;
	edited.is_list = true;
	draft = draft_edit(editor->ui, look->job);
	if (!draft)
		return false;
	draft->prefs = edited;
	prefs_history_push(&draft->history, &edited);
	return true;
}

/* What can be edited, or NULL when it was said why not. Free with free(). */
static struct editor_look *begin_edit(const struct editor *editor)
{
	struct editor_look *look = editor_look_new(editor);
	struct buf why;
	bool possible;

	buf_init(&why, WORDS_MAX);
	editor_why_not(look->job, &why);
	possible = why.len == 0;
	if (!possible)
		say(editor, STYLE_WARNING, buf_text(&why));
	buf_release(&why);
	if (possible)
		return look;
	free(look);
	return NULL;
}

static bool on_entry(const struct editor_look *look)
{
	return look->cursor < look->prefs->length;
}

/* The same for keys that need an entry under the cursor. */
static struct editor_look *begin_entry_edit(const struct editor *editor)
{
	struct editor_look *look = begin_edit(editor);

	if (!look || on_entry(look))
		return look;
	say(editor, STYLE_WARNING,
	    look->rows ? "the cursor is on a finding: k goes up to the entries"
		       : "the list is empty: i inserts an entry");
	free(look);
	return NULL;
}

/* Carries an edit out, leaves the cursor on a row and lets the other panes follow. */
static bool finish_edit(struct editor *editor, struct editor_look *look, const struct edit *edit,
			size_t row)
{
	bool changed = make_edit(editor, look, edit);

	set_cursor(editor, look, changed ? row : look->cursor);
	free(look);
	if (changed)
		editor->ui->changed(editor->ui);
	return changed;
}

static void send_to(struct editor *editor, struct editor_look *look, size_t to)
{
	struct edit edit = { .change = change_place, .at = look->cursor, .to = to };

	finish_edit(editor, look, &edit, to);
}

static void move_down(void *state)
{
	struct editor_look *look = begin_entry_edit(state);

	if (look)
		send_to(state, look, look->cursor + 1);
}

static void move_up(void *state)
{
	struct editor_look *look = begin_entry_edit(state);

	if (look)
		send_to(state, look, look->cursor ? look->cursor - 1 : 0);
}

static void send_to_rank(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = begin_entry_edit(editor);
	size_t to;

	if (!look)
		return;
	to = editor->digit >= '1' && editor->digit <= '9' ? editor->digit - '1' : look->cursor;
	if (to >= look->prefs->length)
		to = look->prefs->length - 1; /* as far down as there are ranks */
	send_to(editor, look, to);
}

static void add_count(struct editor *editor, int64_t by)
{
	struct editor_look *look = begin_entry_edit(editor);
	struct edit edit = { .change = change_count, .by = by };

	if (!look)
		return;
	edit.at = look->cursor;
	finish_edit(editor, look, &edit, edit.at);
}

static void count_up(void *state)
{
	add_count(state, 1);
}

static void count_down(void *state)
{
	add_count(state, -1);
}

static void toggle_counts(void *state)
{
	struct editor_look *look = begin_edit(state);
	const struct edit edit = { .change = change_sharing };

	if (look)
		finish_edit(state, look, &edit, look->cursor);
}

static void remove_entry(void *state)
{
	struct editor_look *look = begin_entry_edit(state);
	struct edit edit = { .change = change_by_remove };
	size_t row;

	if (!look)
		return;
	edit.at = row = look->cursor;
	if (row + 1 == look->prefs->length && row > 0)
		row--;
	finish_edit(state, look, &edit, row);
}

static void undo(void *state)
{
	struct editor *editor = state;
	struct draft *draft = draft_find(editor->ui, editor->ui->selected_arn);

	if (!draft || !prefs_history_undo(&draft->history, &draft->prefs)) {
		say(editor, STYLE_DIM, "nothing to undo");
		return;
	}
	editor->ui->changed(editor->ui);
}

static void redo(void *state)
{
	struct editor *editor = state;
	struct draft *draft = draft_find(editor->ui, editor->ui->selected_arn);

	if (!draft || !prefs_history_redo(&draft->history, &draft->prefs)) {
		say(editor, STYLE_DIM, "nothing to redo");
		return;
	}
	editor->ui->changed(editor->ui);
}

/* The picker's answer. The job may have gone, or another been selected, while it was open. */
static void take_type(void *ctx, const char *instance_type)
{
	struct editor *editor = ctx;
	const char *selected = editor->ui->selected_arn;
	struct edit edit = { .at = editor->pick_at, .type = instance_type };
	struct editor_look *look;

	if (!editor->pick_arn || !selected || strcmp(editor->pick_arn, selected) != 0)
		return;
	look = begin_edit(editor);
	if (!look)
		return;
	edit.change = editor->pick == PICK_INSERT ? change_by_insert : change_type;
	finish_edit(editor, look, &edit, editor->pick_at);
}

static void open_picker(struct editor *editor, const struct editor_look *look,
			enum editor_pick pick, size_t at)
{
	struct picker_argument argument = { .kind = look->job->kind,
					    .chosen = take_type,
					    .ctx = editor };
	struct buf title;

	buf_init(&title, WORDS_MAX);
	if (pick == PICK_INSERT)
		buf_addf(&title, "Insert as #%zu", at + 1);
	else
		buf_addf(&title, "Type of #%zu, now %s", at + 1,
			 look->prefs->entries[at].instance_type);
	argument.title = buf_text(&title);
	editor->pick = pick;
	editor->pick_at = at;
	mem_set_text(&editor->pick_arn, look->job->arn);
	set_cursor(editor, look, look->cursor);
	editor->ui->push(editor->ui, &picker_pane, &argument);
	buf_release(&title);
}

static void insert_entry(void *state)
{
	struct editor_look *look = begin_edit(state);
	size_t length;

	if (!look)
		return;
	length = look->prefs->length;
	if (length >= PREFS_MAX)
		say(state, STYLE_WARNING, "SageMaker takes at most 5 entries: D removes one first");
	else
		open_picker(state, look, PICK_INSERT, on_entry(look) ? look->cursor + 1 : length);
	free(look);
}

/* The cursor goes on to the next finding: one Enter after the other mends the list. */
static void apply_fix(struct editor *editor, struct editor_look *look)
{
	size_t index = look->cursor - look->prefs->length;
	const struct finding *finding = &look->findings.items[index];
	struct edit edit = { .change = change_by_fix, .finding = finding };
	size_t row = look->cursor;
	bool of_list = finding->fix != FIX_NONE;

	if (finding->fix == FIX_REMOVE_ENTRY && row > 0)
		row--;
	if (finish_edit(editor, look, &edit, row))
		return;
	say(editor, STYLE_WARNING,
	    of_list ? "that lies outside the list: change the request"
		    : "no key mends that: change the entry it names");
}

static void enter(void *state)
{
	struct editor_look *look = begin_edit(state);

	if (!look)
		return;
	if (on_entry(look)) {
		open_picker(state, look, PICK_TYPE, look->cursor);
		free(look);
	} else if (look->rows) {
		apply_fix(state, look);
	} else {
		free(look);
		insert_entry(state);
	}
}

/* Says how the list stands and goes to its first finding. */
static void check(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = begin_edit(editor);
	size_t errors = 0;
	struct buf text;

	if (!look)
		return;
	for (size_t i = 0; i < look->findings.count; i++)
		errors += look->findings.items[i].severity == SEVERITY_ERROR;
	buf_init(&text, WORDS_MAX);
	if (!look->prefs->is_list)
		buf_add_text(&text, "one type, no list: nothing to check");
	else if (look->findings.count == 0)
		buf_add_text(&text, "no finding; quotas and capacity are AWS's to judge");
	else
		buf_addf(&text, "%zu %s, %zu %s", errors, errors == 1 ? "error" : "errors",
			 look->findings.count - errors,
			 look->findings.count - errors == 1 ? "doubt" : "doubts");
	if (look->findings.count)
		set_cursor(editor, look, look->prefs->length);
	say(editor,
	    errors                 ? STYLE_ERROR
	    : look->findings.count ? STYLE_WARNING
				   : STYLE_GOOD,
	    buf_text(&text));
	buf_release(&text);
	free(look);
}

static void submit(void *state)
{
	const struct editor *editor = state;

	submit_begin(editor->ui);
}

static const struct key_binding editor_keys[] = {
	{ .keys = "j Down",
	  .action = "entry-next",
	  .help = "the next entry, then the findings",
	  .run = go_down },
	{ .keys = "k Up", .action = "entry-previous", .help = "the entry above", .run = go_up },
	{ .keys = "Home", .action = "entry-first", .help = "the first entry", .run = go_first },
	{ .keys = "G End", .action = "entry-last", .help = "the last finding", .run = go_last },
	{ .keys = "J A-Down F8",
	  .action = "entry-move-down",
	  .help = "move the entry down",
	  .brief = "down",
	  .flags = KEY_FOOTER,
	  .run = move_down },
	{ .keys = "K A-Up F7",
	  .action = "entry-move-up",
	  .help = "move the entry up",
	  .brief = "up",
	  .flags = KEY_FOOTER,
	  .run = move_up },
	{ .keys = "1 2 3 4 5",
	  .action = "entry-rank",
	  .help = "send the entry to that rank",
	  .flags = KEY_SHADOWS,
	  .run = send_to_rank },
	{ .keys = "Enter",
	  .action = "entry-change",
	  .help = "change the type; on a finding: apply its fix",
	  .brief = "type",
	  .flags = KEY_FOOTER | KEY_SHADOWS,
	  .run = enter },
	{ .keys = "i Insert",
	  .action = "entry-insert",
	  .help = "insert an entry below",
	  .brief = "insert",
	  .flags = KEY_FOOTER,
	  .run = insert_entry },
	{ .keys = "D",
	  .action = "entry-remove",
	  .help = "remove the entry",
	  .brief = "remove",
	  .flags = KEY_FOOTER,
	  .run = remove_entry },
	{ .keys = "+ =",
	  .action = "count-up",
	  .help = "one instance more",
	  .brief = "count",
	  .flags = KEY_FOOTER,
	  .run = count_up },
	{ .keys = "-",
	  .action = "count-down",
	  .help = "one instance fewer",
	  .brief = "count",
	  .flags = KEY_FOOTER,
	  .run = count_down },
	{ .keys = "g",
	  .action = "count-sharing",
	  .help = "one count for all, or one on each entry",
	  .brief = "one count",
	  .flags = KEY_FOOTER | KEY_SHADOWS,
	  .run = toggle_counts },
	{ .keys = "u",
	  .action = "edit-undo",
	  .help = "undo the last edit",
	  .brief = "undo",
	  .flags = KEY_FOOTER,
	  .run = undo },
	{ .keys = "C-r", .action = "edit-redo", .help = "redo what was undone", .run = redo },
	{ .keys = "v",
	  .action = "list-check",
	  .help = "check the list and go to the first finding",
	  .run = check },
	{ .keys = "X",
	  .action = "list-submit",
	  .help = "submit a copy of the job with this list",
	  .brief = "submit",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD | KEY_SHADOWS,
	  .run = submit },
	{ 0 },
};

const struct key_scope preferences_scope = {
	.name = "Preferences",
	.bindings = editor_keys,
	.parent = &screen_scope,
};

/* Remembers the raw key: one row serves the five ranks. */
static bool feed_editor(void *state, struct key key, const char *paste)
{
	struct editor *editor = state;

	(void)paste;
	editor->digit = key.code;
	return false;
}

static void note_editor(const void *state, struct buf *out)
{
	const struct editor *editor = state;

	if (draft_changed(draft_find(editor->ui, editor->ui->selected_arn)))
		buf_add_text(out, "draft*");
}

static void draw_editor(const void *state, struct surface *out, struct rect at, bool focused)
{
	editor_draw(state, out, at, focused);
}

static int lines_of_editor(const void *state)
{
	return editor_lines(state);
}

const struct pane_ops preferences_pane = {
	.name = "preferences",
	.title = "Preferences",
	.scope = &preferences_scope,
	.state_size = sizeof(struct editor),
	.open = open_editor,
	.close = close_editor,
	.refresh = refresh_editor,
	.feed = feed_editor,
	.draw = draw_editor,
	.note = note_editor,
	.lines = lines_of_editor,
};

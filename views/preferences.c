/* The selected job's list or its draft: walked, edited, checked at each key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/drafting.h"
#include "views/editor.h"
#include "views/words.h"

/* MaxPendingTimeInSeconds by the API reference: 7200 to 2419200. */
#define LIMIT_LEAST_MS INT64_C(7200000)
#define LIMIT_MOST_MS  INT64_C(2419200000)

static void open_editor(void *state, struct ui *ui, const void *argument)
{
	struct editor *editor = state;

	(void)argument;
	editor->ui = ui;
	editor->frame = mem_new(1, sizeof(*editor->frame));
}

static void close_editor(void *state)
{
	struct editor *editor = state;

	free(editor->arn);
	free(editor->pick_arn);
	free(editor->hand.arn);
	free(editor->was.arn);
	free(editor->frame);
}

/* Where the cursor stays, or the entry that AWS has just refused. */
static size_t goes_to(struct editor *editor, const struct editor_look *look)
{
	const char *refused = look->draft ? look->draft->refused_as : "";
	bool is_new = look->refused && strcmp(refused, editor->refused) != 0;

	if (strcmp(refused, editor->refused) != 0)
		(void)snprintf(editor->refused, sizeof(editor->refused), "%s", refused);
	return is_new && look->findings.items[0].entry < look->prefs->length
		       ? look->findings.items[0].entry
		       : look->cursor;
}

/* A new selection starts at its first entry. */
static void refresh_editor(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = editor_look_new(editor);

	if (look->job)
		editor_set_cursor(editor, look, goes_to(editor, look));
	editor_look_free(look);
}

static void go_to(struct editor *editor, size_t (*row)(const struct editor_look *look))
{
	struct editor_look *look = editor_look_new(editor);

	if (look->rows)
		editor_set_cursor(editor, look, row(look));
	editor_look_free(look);
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

static void send_to(struct editor *editor, struct editor_look *look, size_t to)
{
	struct edit edit = { .kind = EDIT_PLACE, .at = look->cursor, .to = to };

	bool alone = look->prefs->length == 1;

	if (!edit_finish(editor, look, &edit, to))
		editor_say(editor, STYLE_DIM,
			   alone ? "the only entry: i inserts another"
				 : "the entry stands there already");
}

static void move_down(void *state)
{
	struct editor_look *look = edit_begin_on_entry(state);

	if (look)
		send_to(state, look, look->cursor + 1);
}

static void move_up(void *state)
{
	struct editor_look *look = edit_begin_on_entry(state);

	if (look)
		send_to(state, look, look->cursor ? look->cursor - 1 : 0);
}

static void send_to_rank(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = edit_begin_on_entry(editor);
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
	struct editor_look *look = edit_begin_on_entry(editor);
	struct edit edit = { .kind = EDIT_COUNT, .by = by };

	if (!look)
		return;
	edit.at = look->cursor;
	edit_finish(editor, look, &edit, edit.at);
}

static void count_up(void *state)
{
	add_count(state, 1);
}

static void count_down(void *state)
{
	add_count(state, -1);
}

/* Entries with counts of their own that are not all the first one's. */
static bool had_other_counts(const struct preferences *prefs)
{
	for (size_t i = 1; !prefs->has_shared_count && i < prefs->length; i++)
		if (prefs->entries[i].count != prefs->entries[0].count)
			return true;
	return false;
}

static void toggle_counts(void *state)
{
	struct editor_look *look = edit_begin(state);
	const struct edit edit = { .kind = EDIT_SHARING };

	struct preferences before = { 0 };

	if (!look)
		return;
	before = *look->prefs;
	if (!edit_finish(state, look, &edit, look->cursor))
		editor_say(state, STYLE_DIM, "one type, no list: it has one count");
	else if (had_other_counts(&before))
		editor_say(state, STYLE_WARNING,
			   "one count for all: that of #1; others had another, u brings it back");
}

static void equal_compute(void *state)
{
	struct editor_look *look = edit_begin_on_entry(state);

	if (look)
		editor_equal(state, look);
}

/* That of a quota's finding too, where it is one of three ways out. */
static void remove_entry(void *state)
{
	struct editor_look *look = edit_begin(state);
	struct edit edit = { .kind = EDIT_REMOVE };
	size_t row = look ? editor_entry_here(look) : SIZE_MAX;

	if (row == SIZE_MAX) {
		if (look)
			editor_look_free(edit_begin_on_entry(state)); /* says why not */
		editor_look_free(look);
		return;
	}
	edit.at = row;
	if (row + 1 == look->prefs->length && row > 0)
		row--;
	edit_finish(state, look, &edit, row);
}

static void raise_quota(void *state)
{
	editor_raise(state);
}

static void undo(void *state)
{
	struct editor *editor = state;
	struct draft *draft = draft_find(editor->ui, editor->ui->selected_arn);

	editor_forget_was(editor);
	if (!draft || !draft_undo(draft)) {
		editor_say(editor, STYLE_DIM, "nothing to undo");
		return;
	}
	editor_forget_check(editor);
	editor->ui->changed(editor->ui);
}

static void redo(void *state)
{
	struct editor *editor = state;
	struct draft *draft = draft_find(editor->ui, editor->ui->selected_arn);

	if (!draft || !draft_redo(draft)) {
		editor_say(editor, STYLE_DIM, "nothing to redo");
		return;
	}
	editor_forget_check(editor);
	editor->ui->changed(editor->ui);
}

/* What can be edited once a modal has answered, or NULL: the job may have gone, or another been
 * selected, while it was open. */
static struct editor_look *begin_picked(struct editor *editor)
{
	const struct job *job = ui_subject(editor->ui);

	if (!editor->pick_arn || !job || strcmp(editor->pick_arn, job->arn) != 0)
		return NULL;
	return edit_begin(editor);
}

static void take_type(void *ctx, const char *instance_type)
{
	struct editor *editor = ctx;
	struct edit edit = { .at = editor->pick_at, .type = instance_type };
	struct editor_look *look = begin_picked(editor);

	if (!look)
		return;
	edit.kind = editor->pick == PICK_INSERT ? EDIT_INSERT : EDIT_TYPE;
	if (edit.kind == EDIT_TYPE)
		editor_note_was(editor, look, edit.at, instance_type);
	edit_finish(editor, look, &edit, editor->pick_at);
}

/* Remembers what a modal is opened for. */
static void note_pick(struct editor *editor, const struct editor_look *look, enum editor_pick pick,
		      size_t at)
{
	editor->pick = pick;
	editor->pick_at = at;
	mem_set_text(&editor->pick_arn, look->job->arn);
	editor_set_cursor(editor, look, look->cursor);
}

static void open_picker(struct editor *editor, const struct editor_look *look,
			enum editor_pick pick, size_t at)
{
	struct picker_argument argument = {
		.kind = look->job->kind, .spot = look->job->spot, .chosen = take_type, .ctx = editor
	};
	struct buf title;

	if (!prefs_count(look->prefs, pick == PICK_TYPE ? at : 0, &argument.count))
		argument.count = 1;
	buf_init(&title, WORDS_MAX);
	if (pick == PICK_TYPE)
		argument.now = look->prefs->entries[at].instance_type;
	if (pick == PICK_INSERT)
		buf_addf(&title, "Insert as #%zu", at + 1);
	else
		buf_addf(&title, "Type of #%zu, now %s", at + 1, argument.now);
	argument.title = buf_text(&title);
	note_pick(editor, look, pick, at);
	editor->ui->push(editor->ui, &picker_pane, &argument);
	buf_release(&title);
}

static void insert_entry(void *state)
{
	struct editor_look *look = edit_begin(state);
	size_t length;

	if (!look)
		return;
	length = look->prefs->length;
	if (length >= PREFS_MAX)
		editor_say(state, STYLE_WARNING,
			   "SageMaker takes at most 5 entries: D removes one first");
	else
		open_picker(state, look, PICK_INSERT,
			    editor_on_entry(look) ? look->cursor + 1 : length);
	editor_look_free(look);
}

static void take_plan(void *ctx, const char *plan_arn)
{
	struct editor *editor = ctx;
	const struct edit edit = { .kind = EDIT_PLAN, .at = editor->pick_at, .plan = plan_arn };
	struct editor_look *look = begin_picked(editor);

	if (look && !edit_finish(editor, look, &edit, editor->pick_at))
		editor_say(editor, STYLE_DIM, "the entry has that already");
}

/* Only training jobs can use a plan, and each entry one of its own type. */
static void bind_plan(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = edit_begin_on_entry(editor);
	struct plan_picker_argument argument = { .chosen = take_plan, .ctx = editor };

	if (!look)
		return;
	if (look->job->kind != JOB_TRAINING) {
		editor_say(editor, STYLE_WARNING, "a processing job cannot use a training plan");
	} else {
		argument.rank = look->cursor + 1;
		argument.instance_type = look->prefs->entries[look->cursor].instance_type;
		argument.bound = prefs_plan(look->prefs, look->cursor);
		note_pick(editor, look, PICK_PLAN, look->cursor);
		editor->ui->push(editor->ui, &plan_picker_pane, &argument);
	}
	editor_look_free(look);
}

static void take_limit(void *ctx, struct opt_ms limit)
{
	struct editor *editor = ctx;
	const struct edit edit = { .kind = EDIT_LIMIT, .limit = limit };
	struct editor_look *look = begin_picked(editor);

	if (look && !edit_finish(editor, look, &edit, look->cursor))
		editor_say(editor, STYLE_DIM, "the pending limit is that already");
	else if (look && limit.set && (limit.ms < LIMIT_LEAST_MS || limit.ms > LIMIT_MOST_MS))
		editor_say(editor, STYLE_WARNING,
			   "SageMaker takes 2h to 28d: it may refuse this pending limit");
}

static void edit_limit(void *state)
{
	struct editor *editor = state;
	struct editor_look *look = edit_begin(editor);
	struct limit_argument argument = { .chosen = take_limit, .ctx = editor };

	if (!look)
		return;
	if (look->job->kind != JOB_TRAINING) {
		editor_say(editor, STYLE_WARNING, "a processing job has no pending limit");
	} else {
		argument.limit = look->max_pending;
		note_pick(editor, look, PICK_LIMIT, look->cursor);
		editor->ui->push(editor->ui, &limit_pane, &argument);
	}
	editor_look_free(look);
}

static void enter(void *state)
{
	struct editor_look *look = edit_begin(state);

	if (!look)
		return;
	if (editor_on_entry(look)) {
		open_picker(state, look, PICK_TYPE, look->cursor);
		editor_look_free(look);
	} else if (editor_finding_at(look, look->cursor)) {
		editor_apply_fix(state, look);
	} else if (look->rows) {
		editor_take_offer(state, look, &look->offers[look->cursor - look->prefs->length]);
	} else {
		editor_look_free(look);
		insert_entry(state);
	}
}

static void check(void *state)
{
	editor_check(state);
}

static void submit(void *state)
{
	const struct editor *editor = state;

	submit_begin(editor->ui);
}

static void named_list(void *state)
{
	const struct editor *editor = state;

	drafting_named_list(editor->ui);
}

static void note(void *state)
{
	const struct editor *editor = state;

	drafting_note(editor->ui);
}

static void suggest_list(void *state)
{
	drafting_suggest(((const struct editor *)state)->ui);
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
	  .flags = KEY_FOOTER | KEY_SHADOWS,
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
	{ .keys = "-", .action = "count-down", .help = "one instance fewer", .run = count_down },
	{ .keys = "R",
	  .action = "entry-raise",
	  .help = "ask AWS for more of the entry's quota",
	  .brief = "raise",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = raise_quota },
	{ .keys = "X",
	  .action = "list-submit",
	  .help = "submit the list; a pending job is requeued",
	  .brief = "submit",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD | KEY_SHADOWS,
	  .run = submit },
	{ .keys = "u",
	  .action = "edit-undo",
	  .help = "undo the last edit",
	  .brief = "undo",
	  .flags = KEY_FOOTER,
	  .run = undo },
	{ .keys = "C-r", .action = "edit-redo", .help = "redo what was undone", .run = redo },
	{ .keys = "e",
	  .action = "count-equal",
	  .help = "equal compute: as before, or as #1 has",
	  .brief = "equal",
	  .run = equal_compute },
	{ .keys = "g",
	  .action = "count-sharing",
	  .help = "one count for all, or one on each entry",
	  .brief = "one count",
	  .flags = KEY_FOOTER | KEY_SHADOWS,
	  .run = toggle_counts },
	{ .keys = "b",
	  .action = "entry-plan",
	  .help = "bind a training plan to the entry, or none",
	  .brief = "plan",
	  .flags = KEY_FOOTER,
	  .run = bind_plan },
	{ .keys = "l",
	  .action = "pending-limit",
	  .help = "set the pending limit (2h, 36h, 7d; empty = none)",
	  .brief = "limit",
	  .flags = KEY_FOOTER,
	  .run = edit_limit },
	{ .keys = "T",
	  .action = "list-named",
	  .help = "take a named list of the config",
	  .brief = "lists",
	  .flags = KEY_FOOTER,
	  .run = named_list },
	{ .keys = "o",
	  .action = "list-suggest",
	  .help = "suggest lists of the certified entries",
	  .brief = "suggest",
	  .run = suggest_list },
	{ .keys = "w",
	  .action = "list-note",
	  .help = "note why this order",
	  .brief = "note",
	  .flags = KEY_FOOTER,
	  .run = note },
	{ .keys = "v",
	  .action = "list-check",
	  .help = "check the list and go to the first finding",
	  .run = check },
	{ 0 },
};

const struct key_scope preferences_scope = {
	.name = "Preferences",
	.bindings = editor_keys,
	.parent = &screen_scope,
};

/* Remembers the raw key: one row serves the five ranks. Whoever types has let go of the mouse. */
static bool feed_editor(void *state, struct key key, const char *paste)
{
	struct editor *editor = state;

	(void)paste;
	editor->digit = key.code;
	editor_open_hand(editor);
	return false;
}

static bool mouse_on_editor(void *state, struct rect at, const struct mouse *mouse)
{
	(void)at;
	return editor_mouse(state, mouse);
}

static void note_editor(const void *state, struct buf *out)
{
	const struct editor *editor = state;

	editor_note(editor, out);
}

static void draw_editor(const void *state, struct surface *out, struct rect at, bool focused)
{
	editor_draw(state, out, at, focused);
}

static const struct key_scope *footer_of_editor(const void *state)
{
	return editor_footer(state);
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
	.mouse = mouse_on_editor,
	.draw = draw_editor,
	.note = note_editor,
	.footer = footer_of_editor,
	.lines = lines_of_editor,
};

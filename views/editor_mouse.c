/* The mouse in the preferences pane: an entry is picked up, carried to a rank, and let go. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/editor.h"

void editor_open_hand(struct editor *editor)
{
	editor->hand.holds = false;
}

/* The row in a line of the last frame; false: there is none. */
static bool row_at(const struct editor *editor, int y, size_t *row)
{
	size_t found = y >= 0 && y < EDITOR_LINES_MAX ? editor->frame->rows[y] : 0;

	*row = found - 1;
	return found > 0;
}

static bool press(struct editor *editor, int y)
{
	struct editor_look *look;
	size_t row;
	bool found = false;

	editor_open_hand(editor);
	if (!row_at(editor, y, &row))
		return false;
	look = editor_look_new(editor);
	if (look->prefs && row < look->rows) {
		found = true;
		editor_set_cursor(editor, look, row);
		editor->hand.holds = row < look->prefs->length;
		editor->hand.from = editor->hand.to = row;
		mem_set_text(&editor->hand.arn, look->job->arn);
	}
	editor_look_free(look);
	return found;
}

/* It goes no further than the list does. */
static void carry(struct editor *editor, int y)
{
	struct editor_look *look = edit_begin(editor);
	size_t row;

	if (!look) {
		editor_open_hand(editor);
		return;
	}
	if (row_at(editor, y, &row) && row < look->prefs->length)
		editor->hand.to = row;
	editor_look_free(look);
}

static void let_go(struct editor *editor)
{
	const struct edit edit = { .kind = EDIT_PLACE,
				   .at = editor->hand.from,
				   .to = editor->hand.to };
	const char *selected = editor->ui->selected_arn;
	struct editor_look *look;

	editor_open_hand(editor);
	if (edit.at == edit.to || !selected || strcmp(editor->hand.arn, selected) != 0)
		return;
	look = edit_begin(editor);
	if (look)
		edit_finish(editor, look, &edit, edit.to);
}

bool editor_mouse(struct editor *editor, const struct mouse *mouse)
{
	if (mouse->act == MOUSE_PRESS)
		return press(editor, mouse->y);
	if (editor->hand.holds && mouse->act == MOUSE_DRAG)
		carry(editor, mouse->y);
	else if (editor->hand.holds && mouse->act == MOUSE_RELEASE)
		let_go(editor);
	return false;
}

/* Findings of the whole request, and their fixes: in the list, else in the document around it. */
#include <stdio.h>

#include "model/fix_words.h"
#include "views/editor.h"
#include "views/words.h"

/* As it would be sent, but for the name of a copy, which is made when it is. False: there is no
 * text yet, or it cannot be made. */
static bool make_request(const struct draft *draft, struct request *request)
{
	const char *name = draft->name[0] ? draft->name : draft->job.name;
	struct err err = { 0 };
	bool ok = draft_has_text(draft) && draft_request(draft, name, false, request, &err);

	err_clear(&err);
	return ok;
}

bool editor_check_request(const struct editor_look *look, const struct check_known *known,
			  struct findings *findings)
{
	struct request request = { 0 };
	struct err err = { 0 };
	bool ok;

	if (!look->draft || look->prefs != &look->draft->prefs)
		return false;
	ok = make_request(look->draft, &request) && request_check(&request, known, findings, &err);
	if (!ok)
		*findings = (struct findings){ 0 };
	request_release(&request);
	err_clear(&err);
	return ok;
}

/* Into the document, as one step of undo. */
static bool fix_request(struct editor *editor, const struct finding *finding)
{
	struct draft *draft = draft_find(editor->ui, editor->ui->selected_arn);
	struct request request = { 0 };
	struct err err = { 0 };
	bool ok = draft && make_request(draft, &request) &&
		  request_apply_fix(&request, finding, &err) &&
		  draft_set_text(draft, &request, draft->name[0] ? draft->name : draft->job.name,
				 &err);

	request_release(&request);
	err_clear(&err);
	if (ok) {
		editor_forget_was(editor);
		editor_forget_check(editor);
		editor->ui->changed(editor->ui);
	}
	return ok;
}

static void say_fixed(const struct editor *editor, const struct finding *finding)
{
	struct buf text;

	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s mended: ", finding->rule);
	fix_words_add(&text, finding);
	buf_add_text(&text, "; u undoes it");
	editor_say(editor, STYLE_GOOD, buf_text(&text));
	buf_release(&text);
}

/* One Enter after the other mends what AWS would refuse. A doubt is to be gone to: one Enter too
 * many must not take an entry away. */
static void go_on(struct editor *editor, const struct finding *mended)
{
	struct editor_look *look = editor_look_new(editor);
	size_t row = mended->entry < look->prefs->length ? mended->entry : 0;

	if (look->findings.count > 0 && look->findings.items[0].severity == SEVERITY_ERROR)
		row = look->prefs->length + look->offer_count;
	editor_set_cursor(editor, look, row);
	editor_look_free(look);
}

void editor_apply_fix(struct editor *editor, struct editor_look *look)
{
	const struct finding finding = *editor_finding_at(look, look->cursor);
	const struct edit edit = { .kind = EDIT_FIX, .finding = &finding };

	if (edit_finish(editor, look, &edit, look->cursor) || fix_request(editor, &finding)) {
		go_on(editor, &finding);
		say_fixed(editor, &finding);
		return;
	}
	editor_say(editor, STYLE_WARNING,
		   finding.fix != FIX_NONE ? "that lies outside the list: change the request"
					   : "no key mends that: change the entry it names");
}

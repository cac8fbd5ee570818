/* How the list stands, said in one line: errors, doubts, and what nobody has checked. */
#include "views/editor.h"
#include "views/words.h"

struct tally {
	size_t of[SEVERITY_NOTE + 1];
};

static struct tally count(const struct findings *findings)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < findings->count; i++)
		tally.of[findings->items[i].severity]++;
	return tally;
}

static void add_number(struct buf *out, size_t number, const char *one, const char *many)
{
	if (number > 0)
		buf_addf(out, "%s%zu %s", out->len ? ", " : "", number, number == 1 ? one : many);
}

static enum style style_of(const struct tally *tally)
{
	if (tally->of[SEVERITY_ERROR])
		return STYLE_ERROR;
	if (tally->of[SEVERITY_WARNING])
		return STYLE_WARNING;
	return tally->of[SEVERITY_NOTE] ? STYLE_DIM : STYLE_GOOD;
}

/* What is not checked is no pass. */
static void add_verdict(const struct editor_look *look, const struct tally *tally, struct buf *out)
{
	add_number(out, tally->of[SEVERITY_ERROR], "error", "errors");
	add_number(out, tally->of[SEVERITY_WARNING], "doubt", "doubts");
	if (out->len == 0 && tally->of[SEVERITY_NOTE])
		buf_add_text(out, "no error, no doubt");
	add_number(out, tally->of[SEVERITY_NOTE], "not checked", "not checked");
	if (out->len == 0)
		buf_add_text(out, look->prefs->is_list ? "no finding; capacity is AWS's to judge"
						       : "one type, no list: no finding");
}

void editor_check(struct editor *editor)
{
	struct editor_look *look;
	struct tally tally;
	struct buf text;

	editor->checked = true; /* from now on what is not checked is named too */
	look = edit_begin(editor);
	if (!look)
		return;
	tally = count(&look->findings);
	buf_init(&text, WORDS_MAX);
	add_verdict(look, &tally, &text);
	if (look->findings.count)
		editor_set_cursor(editor, look, look->prefs->length + look->offer_count);
	editor_say(editor, style_of(&tally), buf_text(&text));
	buf_release(&text);
	editor_look_free(look);
}

/* Equal compute in the preferences pane: offered in rows and by a key, done when it is taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/catalog.h"
#include "views/editor.h"
#include "views/words.h"

/* The counts of entry i that make up what is wanted. */
static size_t offers_for(const struct preferences *prefs, size_t i, const struct compute *wanted,
			 bool as_first, struct editor_offer offers[COMPUTE_MEASURES])
{
	struct compute_offer found[COMPUTE_MEASURES];
	int64_t count = 0;
	size_t n;

	(void)prefs_count(prefs, i, &count);
	n = compute_offers(wanted, prefs->entries[i].instance_type, count, found);
	for (size_t k = 0; k < n; k++)
		offers[k] = (struct editor_offer){ i, found[k], as_first };
	return n;
}

size_t editor_offers(const struct editor *editor, const struct editor_look *look,
		     struct editor_offer offers[COMPUTE_MEASURES])
{
	const struct editor_was *was = &editor->was;
	const struct preferences *prefs = look->prefs;

	if (!was->arn || strcmp(was->arn, look->job->arn) != 0 || was->at >= prefs->length ||
	    strcmp(prefs->entries[was->at].instance_type, was->type) != 0)
		return 0;
	return offers_for(prefs, was->at, &was->compute, false, offers);
}

void editor_note_was(struct editor *editor, const struct editor_look *look, size_t at,
		     const char *type)
{
	struct editor_was *was = &editor->was;

	if (at >= look->prefs->length || strcmp(look->prefs->entries[at].instance_type, type) == 0)
		return;
	mem_set_text(&was->arn, look->job->arn);
	was->at = at;
	was->compute = compute_of_entry(look->prefs, at);
	(void)snprintf(was->type, sizeof(was->type), "%s", type);
}

void editor_forget_was(struct editor *editor)
{
	mem_set_text(&editor->was.arn, NULL);
}

/* "32 GPUs", "1,280 GiB of memory in all": a total of what the type has. */
static void add_total(const struct compute_offer *offer, const char *type, struct buf *out)
{
	const struct instance_type *row = catalog_find(type);
	bool gpus =
		row && strncmp(row->family, "trn", 3) != 0 && strncmp(row->family, "inf", 3) != 0;

	if (offer->measure == COMPUTE_MEMORY)
		buf_addf(out, "%lld GiB of accelerator memory", (long long)offer->total);
	else
		buf_addf(out, "%lld %s", (long long)offer->total, gpus ? "GPUs" : "accelerators");
}

void editor_add_offer(const struct editor_look *look, const struct editor_offer *offer, bool here,
		      struct buf *out)
{
	const struct preferences *prefs = look->prefs;

	buf_addf(out, "%s#%zu ×%lld = ", here ? "Enter: " : "= ", offer->at + 1,
		 (long long)offer->offer.count);
	add_total(&offer->offer, prefs->entries[offer->at].instance_type, out);
	buf_add_text(out, offer->as_first ? ", as #1" : " as before");
	if (prefs->has_shared_count && prefs->length > 1)
		buf_add_text(out, " (one count each)");
	if (!here)
		buf_add_text(out, ": e takes it");
}

void editor_take_offer(struct editor *editor, struct editor_look *look,
		       const struct editor_offer *offer)
{
	const struct edit edit = { .kind = EDIT_SET, .at = offer->at, .count = offer->offer.count };
	struct buf text;

	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "#%zu has ×%lld: ", offer->at + 1, (long long)offer->offer.count);
	add_total(&offer->offer, look->prefs->entries[offer->at].instance_type, &text);
	buf_add_text(&text, offer->as_first ? ", as #1" : " as before");
	if (edit_finish(editor, look, &edit, offer->at))
		editor_say(editor, STYLE_GOOD, buf_text(&text));
	buf_release(&text);
}

/* Why no count is offered. */
static void say_none(const struct editor *editor, const struct editor_look *look)
{
	const struct preferences *prefs = look->prefs;
	const struct compute own = compute_of_entry(prefs, look->cursor);
	const struct compute first = compute_of_entry(prefs, 0);
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (look->cursor == 0)
		buf_add_text(&text, "#1 is what the others are measured by: e works on them");
	else if (!own.known || !first.known)
		buf_addf(&text, "what %s has is not known",
			 prefs->entries[own.known ? 0 : look->cursor].instance_type);
	else if (own.accelerators == 0 || first.accelerators == 0)
		buf_addf(&text, "%s has no accelerators to count",
			 prefs->entries[own.accelerators ? 0 : look->cursor].instance_type);
	else if (own.accelerators == first.accelerators)
		buf_addf(&text, "#%zu has as many accelerators as #1: %lld", look->cursor + 1,
			 (long long)own.accelerators);
	else
		buf_addf(&text, "no whole number of %s has the %lld accelerators of #1",
			 prefs->entries[look->cursor].instance_type, (long long)first.accelerators);
	editor_say(editor, STYLE_DIM, buf_text(&text));
	buf_release(&text);
}

void editor_equal(struct editor *editor, struct editor_look *look)
{
	const struct compute first = compute_of_entry(look->prefs, 0);
	struct editor_offer offers[COMPUTE_MEASURES];
	size_t count = 0;

	if (look->offer_count > 0 && look->offers[0].at == look->cursor) {
		offers[0] = look->offers[0];
		count = 1;
	} else if (look->cursor > 0) {
		count = offers_for(look->prefs, look->cursor, &first, true, offers);
	}
	if (count > 0) {
		editor_take_offer(editor, look, &offers[0]);
		return;
	}
	say_none(editor, look);
	editor_look_free(look);
}

#include "views/fresh.h"

#include <string.h>

#include "tui/wrap.h"
#include "views/words.h"

#define AGE_STEP_MS   INT64_C(10000) /* an age that nothing is wrong with: idling sends little */
#define MINUTE_MS     INT64_C(60000)
#define LINES_SHARE   4 /* of a full pane's lines, one in so many */
#define LINES_MOST    4
#define FRAME_COLUMNS 1

/* How much is said, from all of it on. */
static const struct form {
	bool reason, action, resource;
	const char *retry; /* before the time until the next try; NULL = that is left out */
} forms[] = {
	{ true, true, true, "next try in " },   { true, true, true, "again in " },
	{ true, true, false, "next try in " },  { true, true, false, "again in " },
	{ true, false, false, "next try in " }, { true, false, false, "again in " },
	{ true, false, false, NULL },           { false, false, false, NULL },
};

static void add_age(struct buf *out, const char *word, int64_t age_ms)
{
	buf_add_text(out, word);
	words_duration(out, age_ms);
}

static void add_state(struct buf *out, const struct fresh *fresh, enum fresh_shown shown)
{
	int64_t age_ms = fresh->age_ms;
	switch (fresh->state) {
	case FRESH_CURRENT:
		break;
	case FRESH_OLD:
		add_age(out, "read ", age_ms < MINUTE_MS ? age_ms - age_ms % AGE_STEP_MS : age_ms);
		buf_add_text(out, " ago");
		break;
	case FRESH_LOADING:
		buf_add_text(out, shown == FRESH_SHOWS_LIST ? "partial" : "loading");
		break;
	case FRESH_CHANGED:
	case FRESH_STALE:
		add_age(out, "stale ", age_ms);
		break;
	case FRESH_INDEXED:
		buf_add_text(out, "from Search");
		break;
	case FRESH_MISSING:
		buf_add_text(out, "not read");
		break;
	}
}

static void add_failure(struct buf *out, const struct fresh *fresh, const struct form *form)
{
	words_reason(out, fresh->error);
	if (form->action && words_has_action(fresh->error)) {
		buf_add_char(out, ' ');
		words_action(out, fresh->error);
		if (form->resource && fresh->resource[0])
			buf_addf(out, " on %s", fresh->resource);
	}
	if (!form->retry || !fresh->has_retry)
		return;
	buf_add_text(out, ", ");
	if (fresh->retry_in_ms > 0)
		buf_add_text(out, form->retry);
	words_retry_time(out, fresh->retry_in_ms);
}

static void add_form(struct buf *out, const struct fresh *fresh, enum fresh_shown shown,
		     const struct form *form)
{
	add_state(out, fresh, shown);
	if (!form->reason)
		return;
	if (fresh->error) {
		buf_add_text(out, fresh->state == FRESH_INDEXED ? "; " : ": ");
		add_failure(out, fresh, form);
	} else if (fresh->state == FRESH_CHANGED) {
		buf_add_text(out, ": changed since, being read again");
	} else if (fresh->state == FRESH_LOADING && shown == FRESH_SHOWS_LIST) {
		buf_add_text(out, ": details are being read");
	}
}

static int count_lines(const char *text, int columns)
{
	size_t len = strlen(text), at = 0, next;
	int lines = 0;
	for (; at < len; at += next, lines++)
		(void)wrap_line(text + at, len - at, columns, &next);
	return lines;
}

void fresh_words(struct buf *out, const struct fresh *fresh, const struct fresh_room *room)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		buf_clear(out);
		add_form(out, fresh, room->shown, &forms[i]);
		if (count_lines(buf_text(out), room->columns) <= room->lines)
			return;
	}
}

struct fresh fresh_of_selected(const struct ui *ui)
{
	const struct store *store = ui->env->store;
	const struct job *job = ui_selected(ui);
	int64_t mono_ms = clock_mono_ms(ui->env->clock);
	if (job)
		return store_job_fresh(store, job, mono_ms);
	return freshness_state(&store->sources[store_worst_list(store)], FRESH_OLD_MS, mono_ms);
}

struct fresh fresh_of_plans(const struct ui *ui)
{
	return freshness_state(&ui->env->store->sources[SOURCE_PLANS], FRESH_PLANS_OLD_MS,
			       clock_mono_ms(ui->env->clock));
}

struct fresh fresh_of_tags(const struct ui *ui)
{
	const struct store *store = ui->env->store;
	const struct job *job = store_find(store, store->tags.arn);
	struct fresh fresh = freshness_state(&store->tags.fresh, FRESH_TAGS_OLD_MS,
					     clock_mono_ms(ui->env->clock));
	fresh.resource = job ? job->name : "";
	return fresh;
}

static enum style style_of(const struct fresh *fresh)
{
	if (!fresh->error)
		return STYLE_DIM;
	return fresh->state == FRESH_MISSING ? STYLE_ERROR : STYLE_WARNING;
}

void fresh_draw_line(const struct fresh *fresh, enum fresh_shown shown, struct surface *out,
		     struct rect line)
{
	const struct fresh_room room = { line.w, 1, shown };
	struct buf text;
	buf_init(&text, WORDS_MAX);
	fresh_words(&text, fresh, &room);
	draw_text(out, line, style_of(fresh), buf_text(&text));
	buf_release(&text);
}

static int lines_for(const struct fresh_pane *pane, const struct surface *out, struct rect at)
{
	bool alone = at.w + 2 * FRAME_COLUMNS >= draw_bounds(out).w;
	int lines = at.h - pane->used;
	if (!alone && !pane->leads)
		return 1;
	lines = lines < at.h / LINES_SHARE ? at.h / LINES_SHARE : lines;
	lines = lines < 1 ? 1 : lines;
	return lines > LINES_MOST ? LINES_MOST : lines;
}

struct rect fresh_draw(const struct fresh *fresh, const struct fresh_pane *pane,
		       struct surface *out, struct rect at)
{
	const struct fresh_room room = { at.w, lines_for(pane, out, at), pane->shown };
	struct buf text;
	if (fresh->state == FRESH_CURRENT || at.w <= 0 || at.h < 2)
		return at;
	buf_init(&text, WORDS_MAX);
	fresh_words(&text, fresh, &room);
	int lines = count_lines(buf_text(&text), at.w);
	lines = lines > room.lines ? room.lines : lines;
	at.h -= lines;
	(void)draw_wrapped(out, (struct rect){ at.x, at.y + at.h, at.w, lines }, style_of(fresh),
			   buf_text(&text));
	buf_release(&text);
	return at;
}

static void sooner(int64_t *next_ms, int64_t ms)
{
	if (*next_ms < 0 || ms < *next_ms)
		*next_ms = ms;
}

int64_t fresh_next_ms(const struct fresh *fresh)
{
	int64_t next_ms = -1;
	if (fresh->old_in_ms > 0)
		next_ms = fresh->old_in_ms;
	if (fresh->state == FRESH_STALE || fresh->state == FRESH_CHANGED)
		sooner(&next_ms, words_next_change_ms(fresh->age_ms));
	if (fresh->state == FRESH_OLD)
		sooner(&next_ms, fresh->age_ms < MINUTE_MS
					 ? AGE_STEP_MS - fresh->age_ms % AGE_STEP_MS
					 : words_next_change_ms(fresh->age_ms));
	if (fresh->error && fresh->has_retry && fresh->retry_in_ms > 0)
		sooner(&next_ms, words_retry_next_ms(fresh->retry_in_ms));
	return next_ms;
}

#include "views/header.h"

#include <string.h>

#include "model/base/text.h"
#include "views/words.h"

#define AGE_STEP_MS INT64_C(10000) /* the age is said in steps, so that idling sends little */
#define MINUTE_MS   INT64_C(60000)

/* --- freshness --- */

/* The list that is worst off: failing before loading before well, the older of two equals. */
static const struct freshness *worst_list(const struct store *store)
{
	const struct freshness *a = &store->sources[SOURCE_TRAINING];
	const struct freshness *b = &store->sources[SOURCE_PROCESSING];
	if (a->failing != b->failing)
		return a->failing ? a : b;
	if (a->loaded != b->loaded)
		return a->loaded ? b : a;
	return a->loaded_mono_ms <= b->loaded_mono_ms ? a : b;
}

static int64_t age_ms(const struct ui *ui, const struct freshness *source)
{
	return words_span_ms(source->loaded_mono_ms, clock_mono_ms(ui->env->clock));
}

static void add_age(struct buf *out, int64_t ms)
{
	if (ms < AGE_STEP_MS) {
		buf_add_text(out, "<10 s ago");
	} else if (ms < MINUTE_MS) {
		buf_addf(out, "%lld s ago", (long long)(ms / AGE_STEP_MS * AGE_STEP_MS / 1000));
	} else {
		words_duration(out, ms);
		buf_add_text(out, " ago");
	}
}

static int64_t age_next_ms(int64_t ms)
{
	return ms < MINUTE_MS ? AGE_STEP_MS - ms % AGE_STEP_MS : words_next_change_ms(ms);
}

/* --- segments --- */

enum side { LEFT, RIGHT };

struct segment {
	enum side side;
	int rank; /* dropped from the highest rank on */
	const char *before;
	enum style style;
	struct buf text;
};

#define SEGMENTS_MAX 16

struct header {
	const struct ui *ui;
	struct surface *out;
	struct segment segments[SEGMENTS_MAX];
	size_t count;
};

static struct buf *add(struct header *header, enum side side, int rank, const char *before,
		       enum style style)
{
	struct segment *segment = &header->segments[header->count++];
	*segment = (struct segment){ side, rank, before, style, { 0 } };
	buf_init(&segment->text, WORDS_MAX);
	return &segment->text;
}

static void add_text(struct header *header, int rank, const char *before, enum style style,
		     const char *text)
{
	if (text && text[0])
		buf_add_text(add(header, LEFT, rank, before, style), text);
}

static void add_place(struct header *header)
{
	const struct view_env *env = header->ui->env;
	add_text(header, 11, "", STYLE_HEADER, "gpuq");
	add_text(header, 5, "  ", STYLE_HEADER, env->region);
	add_text(header, 10, " · ", STYLE_HEADER, env->account);
	add_text(header, 9, " · ", STYLE_HEADER, env->profile);
	if (env->read_only)
		add_text(header, 4, "  ", STYLE_WARNING, "read-only");
}

static void add_totals(struct header *header)
{
	const struct view_env *env = header->ui->env;
	struct totals totals = store_totals(env->store, env->region, ui_now_ms(header->ui));
	if (!env->store->sources[SOURCE_TRAINING].loaded &&
	    !env->store->sources[SOURCE_PROCESSING].loaded)
		return; /* zeros would be a guess */
	buf_addf(add(header, LEFT, 1, "   ", STYLE_PENDING), "pending %zu", totals.pending);
	if (totals.has_oldest) {
		struct buf *text = add(header, LEFT, 6, " ", STYLE_PENDING);
		buf_add_text(text, "(oldest ");
		words_duration(text, totals.oldest_wait_ms);
		buf_add_char(text, ')');
	}
	buf_addf(add(header, LEFT, 2, "  ", STYLE_RUNNING), "running %zu", totals.running);
	buf_addf(add(header, LEFT, 3, "  ", totals.failed_today > 0 ? STYLE_FAILED : STYLE_DIM),
		 "failed %zu today", totals.failed_today);
	if (totals.per_hour.set || totals.per_hour.partial) {
		struct buf *text = add(header, LEFT, 7, "   ", STYLE_MONEY);
		words_money(text, totals.per_hour.micro, totals.per_hour.currency, true);
		buf_addf(text, "/h%s", totals.per_hour.partial ? " + unknown" : "");
	}
}

static void add_failure(struct header *header, const struct freshness *source)
{
	const struct store *store = header->ui->env->store;
	bool both = store->sources[SOURCE_TRAINING].failing &&
		    store->sources[SOURCE_PROCESSING].failing;
	struct buf *text = add(header, RIGHT, 0, "  ", STYLE_ERROR);
	buf_addf(text, "%s %s", draw_glyph(header->out, GLYPH_STALE),
		 source->loaded ? "stale" : "no data");
	text = add(header, RIGHT, 2, " ", STYLE_ERROR);
	if (!both)
		buf_addf(text, "%s: ",
			 source == &store->sources[SOURCE_TRAINING] ? "training" : "processing");
	words_failure(text, &source->error);
	text = add(header, RIGHT, 4, ", ", STYLE_ERROR);
	words_retry(text, source, clock_mono_ms(header->ui->env->clock));
}

static void add_freshness(struct header *header)
{
	const struct store *store = header->ui->env->store;
	const struct freshness *source = worst_list(store);
	const struct freshness *details = &store->sources[SOURCE_DESCRIBE];
	if (source->loaded)
		add_age(add(header, RIGHT, source->failing ? 1 : 8, "  ", STYLE_DIM),
			age_ms(header->ui, source));
	if (source->failing) {
		add_failure(header, source);
		return;
	}
	if (details->failing) {
		struct buf *text = add(header, RIGHT, 2, "  ", STYLE_WARNING);
		buf_add_text(text, "details ");
		words_failure(text, &details->error);
	}
	struct buf *text =
		add(header, RIGHT, 0, "  ", source->loaded ? STYLE_GOOD : STYLE_STARTING);
	buf_addf(text, "%s %s", draw_glyph(header->out, source->loaded ? GLYPH_LIVE : GLYPH_STALE),
		 source->loaded ? "live" : "loading");
}

/* --- fitting --- */

static int width_of(const struct header *header, enum side side)
{
	int width = 0;
	bool first = true;
	for (size_t i = 0; i < header->count; i++) {
		const struct segment *segment = &header->segments[i];
		if (segment->side != side || segment->text.len == 0)
			continue;
		width += text_width(buf_text(&segment->text));
		width += first ? 0 : text_width(segment->before);
		first = false;
	}
	return width;
}

static bool drop_least(struct header *header)
{
	struct segment *least = NULL;
	for (size_t i = 0; i < header->count; i++) {
		struct segment *segment = &header->segments[i];
		if (segment->text.len > 0 && segment->rank > 0 &&
		    (!least || segment->rank > least->rank))
			least = segment;
	}
	if (least)
		buf_clear(&least->text);
	return least != NULL;
}

static void put(struct surface *out, struct rect *at, enum style style, const char *text)
{
	int columns = text_width(text);
	struct rect part = { at->x, at->y, columns < at->w ? columns : at->w, 1 };
	if (part.w <= 0)
		return;
	draw_text(out, part, style, text);
	at->x += part.w;
	at->w -= part.w;
}

static void draw_side(const struct header *header, enum side side, struct rect at)
{
	bool first = true;
	for (size_t i = 0; i < header->count; i++) {
		const struct segment *segment = &header->segments[i];
		if (segment->side != side || segment->text.len == 0)
			continue;
		if (!first)
			put(header->out, &at, STYLE_DIM, segment->before);
		put(header->out, &at, segment->style, buf_text(&segment->text));
		first = false;
	}
}

void header_draw(const struct ui *ui, struct surface *out, struct rect at)
{
	struct header header = { .ui = ui, .out = out };
	add_place(&header);
	add_totals(&header);
	add_freshness(&header);
	while (width_of(&header, LEFT) + 2 + width_of(&header, RIGHT) > at.w && drop_least(&header))
		continue;
	draw_clear(out, at);
	draw_side(&header, LEFT, at);
	int right = width_of(&header, RIGHT);
	right = right < at.w ? right : at.w;
	draw_side(&header, RIGHT, (struct rect){ at.x + at.w - right, at.y, right, 1 });
	for (size_t i = 0; i < header.count; i++)
		buf_release(&header.segments[i].text);
}

int64_t header_next_ms(const struct ui *ui)
{
	const struct freshness *source = worst_list(ui->env->store);
	int64_t mono_ms = clock_mono_ms(ui->env->clock);
	int64_t next = source->loaded ? age_next_ms(age_ms(ui, source)) : -1;
	if (source->failing && source->retry_mono_ms > mono_ms) {
		/* The count-down is rounded up: it changes when a whole second is left. */
		int64_t left = source->retry_mono_ms - mono_ms;
		int64_t step = left > MINUTE_MS ? left % MINUTE_MS + 1 : left % 1000 + 1;
		next = next < 0 || step < next ? step : next;
	}
	return next;
}

void header_add_trouble(const struct ui *ui, struct buf *out)
{
	const struct freshness *source = worst_list(ui->env->store);
	if (!source->failing)
		source = &ui->env->store->sources[SOURCE_DESCRIBE];
	if (!source->failing)
		return;
	if (source->error.subject[0])
		buf_addf(out, "%s: ", source->error.subject);
	words_first_line(out, err_text(&source->error));
	if (err_hint_text(source->error.hint)[0])
		buf_addf(out, ". %s", err_hint_text(source->error.hint));
}

#include "views/header.h"

#include <inttypes.h>
#include <string.h>

#include "model/base/text.h"
#include "views/words.h"

#define AGE_STEP_MS INT64_C(10000) /* the age is said in steps, so that idling sends little */
#define MINUTE_MS   INT64_C(60000)
#define MICRO       INT64_C(1000000)

#define NAME_COLUMNS     24 /* of a profile, a role */
#define ENDPOINT_COLUMNS 30
#define FILL_BAR         8

/* --- freshness --- */

static const struct freshness *worst_list(const struct store *store)
{
	return &store->sources[store_worst_list(store)];
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

/* What matters least has the highest rank. A young age is said by "live" too. */
enum rank {
	RANK_STATE,
	RANK_PRODUCTION,
	RANK_ENDPOINT,
	RANK_PENDING,
	RANK_REASON,
	RANK_STALE_AGE,
	RANK_RETRY,
	RANK_FAILED,
	RANK_READ_ONLY,
	RANK_REGION,
	RANK_PROFILE,
	RANK_RUNNING,
	RANK_OLDEST,
	RANK_COST,
	RANK_POOLS,
	RANK_AGE,
	RANK_ACCOUNT,
	RANK_ROLE,
	RANK_UNKNOWN,
	RANK_NOT_AWS,
	RANK_PROGRAM,
	RANK_FRESH_AGE,
	RANK_COUNT
};

struct segment {
	enum side side;
	enum rank rank;
	const char *before;
	enum style style;
	bool shown;
	struct buf text;
};

#define SEGMENTS_MAX 24
#define SIDES_GAP    2

struct header {
	const struct ui *ui;
	struct surface *out;
	struct segment segments[SEGMENTS_MAX];
	size_t count;
};

static struct buf *add(struct header *header, enum side side, enum rank rank, const char *before,
		       enum style style)
{
	struct segment *segment = &header->segments[header->count++];
	*segment = (struct segment){ side, rank, before, style, false, { 0 } };
	buf_init(&segment->text, WORDS_MAX);
	return &segment->text;
}

static void add_text(struct header *header, enum rank rank, const char *before, enum style style,
		     const char *text)
{
	if (text && text[0])
		buf_add_text(add(header, LEFT, rank, before, style), text);
}

/* As it will be drawn, so that a cut is where it should be. */
static void add_short(struct header *header, enum rank rank, const char *before, enum style style,
		      const char *text, int columns)
{
	bool ascii = draw_is_ascii(header->out);
	struct buf clean;
	if (!text || !text[0])
		return;
	buf_init(&clean, WORDS_MAX);
	text_sanitise(&clean, text, strlen(text), TEXT_CELL, ascii);
	text_fit(add(header, LEFT, rank, before, style), buf_text(&clean), columns, false, ascii);
	buf_release(&clean);
}

static void add_endpoint(struct header *header)
{
	const char *host = header->ui->env->endpoint;
	struct buf text;
	if (!host || !host[0])
		return;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "at %s", host);
	add_short(header, RANK_ENDPOINT, "  ", STYLE_WARNING, buf_text(&text), ENDPOINT_COLUMNS);
	buf_release(&text);
	add_text(header, RANK_NOT_AWS, " ", STYLE_WARNING, "(not AWS)");
}

static void add_place(struct header *header)
{
	const struct view_env *env = header->ui->env;
	bool same = env->role && env->profile && strcmp(env->role, env->profile) == 0;
	bool live = config_is_production(env->config, env->profile);
	enum style style = live ? STYLE_PRODUCTION : STYLE_HEADER;
	if (live)
		add_text(header, RANK_PRODUCTION, "", style, " PRODUCTION ");
	add_text(header, RANK_PROGRAM, "", style, "gpuq");
	add_text(header, RANK_REGION, "  ", style, env->region);
	add_text(header, RANK_ACCOUNT, " · ", style, env->account);
	add_short(header, RANK_PROFILE, " · ", style, env->profile, NAME_COLUMNS);
	if (!same) /* said already */
		add_short(header, RANK_ROLE, " · ", style, env->role, NAME_COLUMNS);
	add_endpoint(header);
	if (env->read_only)
		add_text(header, RANK_READ_ONLY, "  ", STYLE_WARNING, "read-only");
}

/* Cents of a sum by the hour say nothing. */
static int64_t whole(int64_t micro)
{
	return micro < MICRO ? micro : (micro + MICRO / 2) / MICRO * MICRO;
}

static void add_totals(struct header *header)
{
	const struct view_env *env = header->ui->env;
	struct totals totals = store_totals(env->store, ui_now_ms(header->ui));
	if (!env->store->sources[SOURCE_TRAINING].loaded &&
	    !env->store->sources[SOURCE_PROCESSING].loaded)
		return; /* zeros would be a guess */
	buf_addf(add(header, LEFT, RANK_PENDING, "  ", STYLE_PENDING), "pending %zu",
		 totals.pending);
	if (totals.has_oldest) {
		struct buf *text = add(header, LEFT, RANK_OLDEST, " ", STYLE_PENDING);
		buf_add_text(text, "(oldest ");
		words_duration(text, totals.oldest_wait_ms);
		buf_add_char(text, ')');
	}
	buf_addf(add(header, LEFT, RANK_RUNNING, "  ", STYLE_RUNNING), "running %zu",
		 totals.running);
	buf_addf(add(header, LEFT, RANK_FAILED, "  ",
		     totals.failed_today > 0 ? STYLE_FAILED : STYLE_DIM),
		 "failed %zu today", totals.failed_today);
	if (totals.unknown > 0)
		buf_addf(add(header, LEFT, RANK_UNKNOWN, "  ", STYLE_DIM), "unknown %zu",
			 totals.unknown);
	if (totals.per_hour.set || totals.per_hour.partial) {
		struct buf *text = add(header, LEFT, RANK_COST, "  ", STYLE_MONEY);
		words_money(text, whole(totals.per_hour.micro), totals.per_hour.currency,
			    price_is_approximate(totals.per_hour.source));
		buf_addf(text, "/h%s", totals.per_hour.partial ? " + unknown" : "");
	}
	if (totals.kept_warm > 0)
		buf_addf(add(header, LEFT, RANK_POOLS, " ", STYLE_MONEY), "(%" PRId64 " kept warm)",
			 totals.kept_warm);
}

static struct fresh state_of(const struct ui *ui, const struct freshness *source)
{
	return freshness_state(source, FRESH_OLD_MS, clock_mono_ms(ui->env->clock));
}

static void add_retry(struct buf *out, const struct ui *ui, const struct freshness *source)
{
	struct fresh fresh = state_of(ui, source);
	words_retry(out, &fresh);
}

/* What is shown comes from an earlier run: no list has answered yet. */
static bool is_recorded(const struct ui *ui)
{
	const struct store *store = ui->env->store;
	return store->recorded_at.set && !worst_list(store)->loaded;
}

static int64_t recorded_ms(const struct ui *ui)
{
	return words_span_ms(ui->env->store->recorded_at.ms, ui_now_ms(ui));
}

static void add_recorded(struct buf *out, const struct ui *ui)
{
	buf_add_text(out, "as of ");
	add_age(out, recorded_ms(ui));
}

static void add_failure(struct header *header, const struct freshness *source)
{
	const struct store *store = header->ui->env->store;
	bool both = store->sources[SOURCE_TRAINING].failing &&
		    store->sources[SOURCE_PROCESSING].failing;
	struct buf *text = add(header, RIGHT, RANK_STATE, "  ", STYLE_ERROR);
	buf_addf(text, "%s ", draw_glyph(header->out, GLYPH_STALE));
	if (!source->loaded && is_recorded(header->ui))
		add_recorded(text, header->ui);
	else
		buf_add_text(text, source->loaded ? "stale" : "no data");
	text = add(header, RIGHT, RANK_REASON, ": ", STYLE_ERROR);
	bool named = source->error.code == ERR_DENIED && source->error.subject[0];
	if (!both && !named)
		buf_addf(text, "%s: ",
			 source == &store->sources[SOURCE_TRAINING] ? "training" : "processing");
	words_failure(text, &source->error);
	text = add(header, RIGHT, RANK_RETRY, ", ", STYLE_ERROR);
	add_retry(text, header->ui, source);
}

/* Lists and Describes do its work: right, but slower and with more calls. */
static void add_search(struct header *header, const struct freshness *search)
{
	if (!search->failing)
		return;
	struct buf *text = add(header, RIGHT, RANK_RETRY, "  ", STYLE_WARNING);
	buf_add_text(text, "no Search: ");
	if (search->error.code == ERR_DENIED)
		buf_add_text(text, "denied");
	else
		words_failure(text, &search->error);
}

/* The first look through all that is asked for takes a second for each hundred jobs. */
static void add_filling(struct header *header)
{
	const struct store *store = header->ui->env->store;
	bool ascii = draw_is_ascii(header->out);
	if (!store->filling || store->fill_span_ms <= 0)
		return;
	int64_t full = store->fill_done_ms * FILL_BAR / store->fill_span_ms;
	struct buf *text = add(header, RIGHT, RANK_RETRY, "  ", STYLE_STARTING);
	buf_add_text(text, "filling ");
	for (int64_t i = 0; i < FILL_BAR; i++)
		buf_add_text(text, i < full ? (ascii ? "#" : "▓") : (ascii ? "-" : "░"));
	buf_add_char(text, ' ');
	words_duration(text, store->fill_done_ms);
	buf_add_text(text, " of ");
	words_duration(text, store->fill_span_ms);
}

static void add_freshness(struct header *header)
{
	const struct store *store = header->ui->env->store;
	const struct freshness *source = worst_list(store);
	const struct freshness *details = &store->sources[SOURCE_DESCRIBE];
	if (source->loaded) {
		int64_t age = age_ms(header->ui, source);
		enum rank rank = source->failing     ? RANK_STALE_AGE
				 : age < AGE_STEP_MS ? RANK_FRESH_AGE
						     : RANK_AGE;
		add_age(add(header, RIGHT, rank, "  ", STYLE_DIM), age);
	}
	if (source->failing) {
		add_failure(header, source);
		return;
	}
	if (details->failing) {
		struct buf *text = add(header, RIGHT, RANK_REASON, "  ", STYLE_WARNING);
		buf_add_text(text, "details ");
		words_failure(text, &details->error);
		text = add(header, RIGHT, RANK_RETRY, ", ", STYLE_WARNING);
		add_retry(text, header->ui, details);
	}
	add_filling(header);
	add_search(header, &store->sources[SOURCE_SEARCH]);

	struct buf *text =
		add(header, RIGHT, RANK_STATE, "  ", source->loaded ? STYLE_GOOD : STYLE_STARTING);
	if (is_recorded(header->ui)) {
		add_recorded(text, header->ui);
		buf_add_text(text, "  ");
	}
	buf_addf(text, "%s %s", draw_glyph(header->out, source->loaded ? GLYPH_LIVE : GLYPH_STALE),
		 source->loaded  ? "live"
		 : source->asked ? "loading"
				 : "connecting");
}

/* --- fitting --- */

static int width_of(const struct header *header, enum side side)
{
	int width = 0;
	bool first = true;
	for (size_t i = 0; i < header->count; i++) {
		const struct segment *segment = &header->segments[i];
		if (segment->side != side || !segment->shown)
			continue;
		width += text_width(buf_text(&segment->text));
		width += first ? 0 : text_width(segment->before);
		first = false;
	}
	return width;
}

/* Takes what fits, what matters most first; the state in any case. */
static void choose(struct header *header, int columns)
{
	for (int rank = RANK_STATE; rank < RANK_COUNT; rank++)
		for (size_t i = 0; i < header->count; i++) {
			struct segment *segment = &header->segments[i];
			if ((int)segment->rank != rank || segment->text.len == 0)
				continue;
			segment->shown = true;
			segment->shown =
				rank == RANK_STATE ||
				width_of(header, LEFT) + SIDES_GAP + width_of(header, RIGHT) <=
					columns;
		}
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
		if (segment->side != side || !segment->shown)
			continue;
		if (!first)
			put(header->out, &at,
			    segment->before[0] == ' ' && segment->style != STYLE_PRODUCTION
				    ? STYLE_DIM
				    : segment->style,
			    segment->before);
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
	choose(&header, at.w);
	draw_clear(out, at);
	draw_side(&header, LEFT, at);
	int right = width_of(&header, RIGHT);
	right = right < at.w ? right : at.w;
	draw_side(&header, RIGHT, (struct rect){ at.x + at.w - right, at.y, right, 1 });
	for (size_t i = 0; i < header.count; i++)
		buf_release(&header.segments[i].text);
}

/* Until the words about the next try change; -1 = not by themselves. */
static int64_t retry_next_ms(const struct ui *ui, const struct freshness *source)
{
	struct fresh fresh = state_of(ui, source);
	bool counts = fresh.error && fresh.has_retry && fresh.retry_in_ms > 0;
	return counts ? words_retry_next_ms(fresh.retry_in_ms) : -1;
}

int64_t header_next_ms(const struct ui *ui)
{
	const struct store *store = ui->env->store;
	const struct freshness *source = worst_list(store);
	int64_t next = source->loaded    ? age_next_ms(age_ms(ui, source))
		       : is_recorded(ui) ? age_next_ms(recorded_ms(ui))
					 : -1;
	int64_t retry =
		retry_next_ms(ui, source->failing ? source : &store->sources[SOURCE_DESCRIBE]);
	return next < 0 || (retry >= 0 && retry < next) ? retry : next;
}

void header_add_trouble(const struct ui *ui, struct buf *out)
{
	const struct freshness *source = worst_list(ui->env->store);
	if (!source->failing)
		source = &ui->env->store->sources[SOURCE_DESCRIBE];
	if (!source->failing)
		source = &ui->env->store->sources[SOURCE_SEARCH];
	if (!source->failing)
		return;
	if (source->error.subject[0])
		buf_addf(out, "%s: ", source->error.subject);
	words_first_line(out, err_text(&source->error));
	if (err_hint_text(source->error.hint)[0])
		buf_addf(out, "%s %s", out->len && buf_text(out)[out->len - 1] == '.' ? "" : ".",
			 err_hint_text(source->error.hint));
}

#include "views/herald.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"
#include "model/told_disk.h"
#include "views/text/report_news.h"
#include "views/words.h"

#define SEEN_MIN 256
#define SEEN_MAX (1u << 18) /* then all are forgotten: what is on disk goes on counting */

/* --- what was told --- */

uint64_t herald_key(const struct rule *rule, enum rule_event event, uint64_t subject)
{
	uint64_t key;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s\n%s\n%016" PRIx64, rule->name, rule_event_word(event), subject);
	key = hash_text(buf_text(&text));
	buf_release(&text);
	return key ? key : 1;
}

static uint64_t *find_seen(const struct herald *herald, uint64_t key)
{
	size_t slot = (size_t)key & (herald->seen_size - 1);
	while (herald->seen[slot] && herald->seen[slot] != key)
		slot = (slot + 1) & (herald->seen_size - 1);
	return &herald->seen[slot];
}

static void grow_seen(struct herald *herald)
{
	uint64_t *old = herald->seen;
	size_t old_size = herald->seen_size;
	if (2 * (herald->seen_count + 1) < old_size)
		return;
	bool forgets = old_size >= SEEN_MAX;
	herald->seen_size = old_size == 0 || forgets ? SEEN_MIN : 2 * old_size;
	herald->seen = mem_new(herald->seen_size, sizeof(*herald->seen));
	herald->seen_count = forgets ? 0 : herald->seen_count;
	for (size_t i = 0; !forgets && i < old_size; i++)
		if (old[i])
			*find_seen(herald, old[i]) = old[i];
	free(old);
}

/* True the first time. */
static bool mark_seen(struct herald *herald, uint64_t key)
{
	grow_seen(herald);
	uint64_t *slot = find_seen(herald, key);
	if (*slot)
		return false;
	*slot = key;
	herald->seen_count++;
	return true;
}

static bool is_seen(const struct herald *herald, uint64_t key)
{
	return herald->seen_size > 0 && *find_seen(herald, key);
}

/* --- claims --- */

static void claim_next(struct herald *herald);

static void drop_item(struct herald *herald, size_t i)
{
	free(herald->items[i].text);
	free(herald->items[i].json);
	herald->item_count--;
	memmove(&herald->items[i], &herald->items[i + 1],
		(herald->item_count - i) * sizeof(herald->items[0]));
}

static void take_claim(struct herald *herald, uint64_t key, bool is_ours)
{
	for (size_t i = 0; i < herald->item_count; i++) {
		if (herald->items[i].key != key || herald->items[i].is_claimed)
			continue;
		herald->items[i].is_claimed = true;
		if (!is_ours)
			drop_item(herald, i);
		return;
	}
}

static void tell_trouble(struct herald *herald, const struct err *err)
{
	struct buf text;
	if (!err || herald->had_trouble)
		return;
	herald->had_trouble = true;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text,
		 "what rules tell cannot be written down, so that a restart tells it again: "
		 "%s %s",
		 err->subject, err_text(err));
	herald->say(herald->ctx, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

/* Rather twice than never: what cannot be written down is told. */
static void on_claimed(void *ctx, const struct disk_result *result)
{
	struct herald *herald = ctx;
	const struct told_claim *claim = result->work;
	herald->is_claiming = false;
	tell_trouble(herald, result->err);
	for (size_t i = 0; i < claim->count; i++)
		take_claim(herald, claim->keys[i], claim->ours[i]);
	claim_next(herald);
	herald_act(herald);
}

static bool has_unclaimed(const struct herald *herald)
{
	for (size_t i = 0; i < herald->item_count; i++)
		if (!herald->items[i].is_claimed)
			return true;
	return false;
}

static void claim_next(struct herald *herald)
{
	struct told_claim *claim;
	for (size_t i = 0; !herald->folder && i < herald->item_count; i++)
		herald->items[i].is_claimed = true;
	if (herald->is_claiming || !has_unclaimed(herald))
		return;
	herald->is_claiming = true;
	claim = told_claim_new(herald->folder, store_now_ms(herald->store, herald->clock));
	for (size_t i = 0; i < herald->item_count && claim->count < TOLD_KEYS_MAX; i++)
		if (!herald->items[i].is_claimed)
			claim->keys[claim->count++] = herald->items[i].key;
	told_claim(herald->disk, claim, on_claimed, herald);
}

/* --- events --- */

static void add_item(struct herald *herald, const struct rule *rule, const struct news *news,
		     const struct news_ask *ask, unsigned acts, uint64_t key)
{
	struct buf text, json;
	if (herald->item_count == HERALD_QUEUE) {
		herald->dropped++;
		return;
	}
	buf_init(&text, WORDS_MAX);
	buf_init(&json, WORDS_MAX);
	news_add_words(&text, news, ask, herald->utc);
	const struct report_news report = { .news = news,
					    .rule = rule->name,
					    .text = buf_text(&text),
					    .account = herald->account,
					    .region = herald->region,
					    .now_ms = ask->now_ms };
	report_news(&json, &report);
	herald->items[herald->item_count++] = (struct herald_item){
		.rule = rule,
		.acts = acts,
		.key = key,
		.text = buf_take(&text),
		.json = buf_take(&json),
	};
}

void herald_add(struct herald *herald, const struct rule *rule, const struct news *news,
		const struct news_ask *ask)
{
	uint64_t key = herald_key(rule, news->event, news->subject);
	unsigned acts = rule->acts;
	if (!herald->send)
		acts &= ~(unsigned)RULE_OF_SCREEN;
	if (!acts || is_seen(herald, key))
		return;
	bool is_quiet = rule_is_quiet(rule, ask->now_ms, herald->utc);
	if (is_quiet && rule_event_lasts(news->event))
		return; /* should it last, it is told then */
	if (mark_seen(herald, key) && !is_quiet)
		add_item(herald, rule, news, ask, acts, key);
}

struct look {
	struct herald *herald;
	const struct news_ask *ask;
};

static void take_news(void *ctx, const struct news *news)
{
	const struct look *look = ctx;
	struct herald *herald = look->herald;
	const struct filter_ask ask = { .now_ms = look->ask->now_ms,
					.prices = &herald->store->prices };
	for (size_t i = 0; i < herald->rules.count; i++) {
		const struct rule *rule = &herald->rules.items[i];
		if (!rule_covers(rule, news->event, news->job, &ask))
			continue;
		if (rule->acts & RULE_STOP)
			herald_look_at_stop(herald, rule, news, look->ask->now_ms);
		else
			herald_add(herald, rule, news, look->ask);
	}
}

static const struct stuck_past *past_of(struct herald *herald)
{
	if (herald->past)
		return herald->past(herald->ctx);
	if (!herald->store->history.loaded)
		return NULL;
	outlook_learn(&herald->outlook, &herald->store->history);
	return &herald->outlook.waits;
}

static struct opt_ms stuck_after(const struct herald *herald)
{
	const struct setting *setting = &herald->config->settings[SETTING_STUCK_AFTER];
	return (struct opt_ms){ setting->text != NULL, setting->number };
}

static void say_dropped(struct herald *herald)
{
	struct buf text;
	if (herald->dropped == 0)
		return;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%zu events were told to nobody: too many at once", herald->dropped);
	herald->say(herald->ctx, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
	herald->dropped = 0;
}

/* Without a place it is not known what was told before; it is waited for, but not for ever. */
static bool has_place(struct herald *herald, int64_t mono_ms)
{
	if (!herald->has_begun)
		herald->begun_ms = mono_ms;
	herald->has_begun = true;
	return herald->has_place || mono_ms - herald->begun_ms >= HERALD_PLACE_MS;
}

/* Both lists have been read, or one cannot be: what is there by then is no news. */
static bool is_listed(const struct store *store)
{
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		if (!store->sources[i].loaded && !store->sources[i].failing)
			return false;
	return true;
}

static void look(struct herald *herald)
{
	int64_t mono_ms = clock_mono_ms(herald->clock);
	if (!is_listed(herald->store))
		return; /* the store will change */
	if (!has_place(herald, mono_ms)) {
		loop_arm(herald->loop, &herald->timer, HERALD_GAP_MS);
		return;
	}
	const struct news_ask ask = { .store = herald->store,
				      .past = past_of(herald),
				      .stuck_after = stuck_after(herald),
				      .events = rules_events(&herald->rules),
				      .now_ms = store_now_ms(herald->store, herald->clock),
				      .mono_ms = mono_ms };
	struct look ctx = { herald, &ask };
	herald->looked_ms = mono_ms;
	herald->has_looked = true;
	herald_settle_stops(herald, true);
	news_look(&herald->phases, &ask, take_news, &ctx);
	herald_settle_stops(herald, false);
	say_dropped(herald);
	loop_arm(herald->loop, &herald->timer, phases_wait_ms(&herald->phases, mono_ms));
	claim_next(herald);
	herald_act(herald);
}

static void on_due(void *ctx)
{
	look(ctx);
}

void herald_changed(struct herald *herald)
{
	if (!herald->is_on)
		return;
	int64_t since_ms = clock_mono_ms(herald->clock) - herald->looked_ms;
	int64_t wait_ms =
		herald->has_looked && since_ms < HERALD_GAP_MS ? HERALD_GAP_MS - since_ms : 0;
	loop_arm(herald->loop, &herald->timer, wait_ms);
}

/* --- life --- */

static void on_disk_ready(int fd, short events, void *ctx)
{
	struct herald *herald = ctx;
	(void)fd, (void)events;
	disk_ready(herald->disk);
}

void herald_start(struct herald *herald)
{
	config_rules(herald->config, &herald->rules);
	herald->is_on = herald->rules.count > 0;
	if (!herald->is_on)
		return;
	herald->timer = (struct timer){ .fire = on_due, .ctx = herald };
	herald->disk = disk_new();
	loop_watch(herald->loop, disk_fd(herald->disk), POLLIN, on_disk_ready, herald);
}

static void forget(struct herald *herald)
{
	while (herald->item_count > 0)
		drop_item(herald, herald->item_count - 1);
	phases_release(&herald->phases);
	outlook_release(&herald->outlook);
	free(herald->seen);
	herald->seen = NULL;
	herald->seen_size = herald->seen_count = herald->stop_count = 0;
	mem_set_text(&herald->folder, NULL);
	herald->has_place = herald->has_begun = herald->has_looked = false;
}

void herald_end(struct herald *herald)
{
	if (!herald->is_on)
		return;
	herald->is_on = false;
	loop_arm(herald->loop, &herald->timer, -1);
	loop_watch(herald->loop, disk_fd(herald->disk), 0, NULL, NULL);
	disk_free(herald->disk);
	for (size_t i = 0; i < HERALD_CHILDREN; i++)
		child_stop(&herald->children[i].child);
	forget(herald);
	rules_release(&herald->rules);
}

void herald_move(struct herald *herald, bool utc, bool read_only)
{
	herald->utc = utc;
	herald->read_only = read_only;
	if (!herald->is_on)
		return;
	loop_arm(herald->loop, &herald->timer, -1);
	forget(herald);
}

void herald_keep(struct herald *herald, const char *folder, bool passing)
{
	if (!herald->is_on || herald->has_place || (passing && folder))
		return;
	herald->has_place = true;
	mem_set_text(&herald->folder, folder);
}

void herald_want(const struct herald *herald, struct wants *wants)
{
	const unsigned of_plans =
		1u << RULE_PLAN_START | 1u << RULE_PLAN_END | 1u << RULE_LIMIT | 1u << RULE_STUCK;
	unsigned events = herald->is_on ? rules_events(&herald->rules) : 0;
	wants->plans |= (events & of_plans) != 0;
	wants->gpus |= (events & 1u << RULE_IDLE) != 0;
}

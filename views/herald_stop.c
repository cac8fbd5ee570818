/* "stop after": a processing job that waits too long, which AWS cannot bound. */
#include <string.h>

#include "views/herald.h"
#include "views/words.h"

static struct herald_stop *find(struct herald *herald, uint64_t key)
{
	for (size_t i = 0; i < herald->stop_count; i++)
		if (herald->stops[i].key == key)
			return &herald->stops[i];
	return NULL;
}

void herald_settle_stops(struct herald *herald, bool begins)
{
	size_t kept = 0;
	for (size_t i = 0; i < herald->stop_count; i++) {
		struct herald_stop *stop = &herald->stops[i];
		if (begins)
			stop->is_seen = false;
		if (begins || stop->is_seen || (stop->is_sent && !stop->is_answered))
			herald->stops[kept++] = *stop;
	}
	herald->stop_count = kept;
}

static void say_due(struct herald *herald, const struct rule *rule, const struct news *news,
		    int64_t at_ms)
{
	char when[TIME_TEXT_SIZE], waited[TIME_TEXT_SIZE];
	struct buf text;
	time_format_hm(at_ms, herald->utc, when);
	duration_format(news->waited_ms / 1000, waited);
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "rule %s stops processing job %s at %s%s: it has been pending for %s",
		 rule->name, news->job->name, when, herald->utc ? " UTC" : "", waited);
	herald->say(herald->ctx, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

static void name(struct herald *herald, const struct rule *rule, const struct news *news,
		 int64_t now_ms)
{
	struct herald_stop *stop = &herald->stops[herald->stop_count++];
	*stop = (struct herald_stop){ .key = herald_key(rule, news->event, news->subject),
				      .named = { true, now_ms },
				      .said_ms = now_ms,
				      .kind = news->job->kind,
				      .is_seen = true };
	memcpy(stop->name, news->job->name, sizeof(stop->name));
	say_due(herald, rule, news, rule_stop_at(rule, news->waited_ms, stop->named, now_ms));
}

/* A line of the screen goes after a while, and somebody may come only now. */
static void say_again(struct herald *herald, struct herald_stop *stop, const struct rule *rule,
		      const struct news *news, int64_t now_ms)
{
	if (now_ms - stop->said_ms < RULE_STOP_NOTICE_MS)
		return;
	stop->said_ms = now_ms;
	say_due(herald, rule, news, rule_stop_at(rule, news->waited_ms, stop->named, now_ms));
}

/* It is looked at again right before, and left alone once it does not wait any more. */
static void send(struct herald *herald, struct herald_stop *stop)
{
	struct stop_wish wish = { .kind = stop->kind, .only_pending = true };
	memcpy(wish.name, stop->name, sizeof(wish.name));
	stop->is_sent = true;
	herald->stop(herald->ctx, &wish);
}

void herald_look_at_stop(struct herald *herald, const struct rule *rule, const struct news *news,
			 int64_t now_ms)
{
	struct herald_stop *stop = find(herald, herald_key(rule, news->event, news->subject));
	const struct opt_ms unnamed = { 0 };
	if (stop)
		stop->is_seen = true;
	if (herald->read_only || (stop && stop->is_sent) ||
	    rule_is_quiet(rule, now_ms, herald->utc))
		return;
	switch (rule_stop_next(rule, news->waited_ms, stop ? stop->named : unnamed, now_ms)) {
	case RULE_STOP_WAITS:
		if (stop)
			say_again(herald, stop, rule, news, now_ms);
		break;
	case RULE_STOP_NAMES:
		if (herald->stop_count < HERALD_STOPS)
			name(herald, rule, news, now_ms);
		break;
	case RULE_STOP_STOPS:
		if (stop) /* it was named */
			send(herald, stop);
		break;
	}
}

static void say_outcome(struct herald *herald, const struct stop_result *result)
{
	struct buf text;
	enum style style = STYLE_WARNING;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "a rule: processing job %s ", result->name);
	switch (result->outcome) {
	case STOP_DONE:
		buf_add_text(&text, "is being stopped");
		break;
	case STOP_OVER:
	case STOP_GONE:
		buf_add_text(&text, "waits no more, and is left alone");
		style = STYLE_DIM;
		break;
	case STOP_OWNED:
		buf_add_text(&text, "is not stopped: it belongs to ");
		owner_describe(&result->owner, &text);
		break;
	case STOP_FAILED:
		buf_addf(&text, "could not be stopped: %s", err_text(result->err));
		style = STYLE_ERROR;
		break;
	}
	herald->say(herald->ctx, style, buf_text(&text));
	buf_release(&text);
}

/* One that failed is named, and tried, anew; one that is not to be stopped stays as it is. */
bool herald_stopped(struct herald *herald, const struct stop_result *result)
{
	for (size_t i = 0; i < herald->stop_count; i++) {
		struct herald_stop *stop = &herald->stops[i];
		if (!stop->is_sent || stop->is_answered || stop->kind != result->kind ||
		    strcmp(stop->name, result->name) != 0)
			continue;
		say_outcome(herald, result);
		stop->is_answered = result->outcome != STOP_FAILED;
		if (result->outcome == STOP_FAILED) {
			stop->is_sent = false;
			stop->named.ms = store_now_ms(herald->store, herald->clock);
		}
		return true;
	}
	return false;
}

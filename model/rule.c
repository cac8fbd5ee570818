#include "model/rule.h"

#include <string.h>

#include "model/base/attr.h"

#define MINUTE_MS   INT64_C(60000)
#define DAY_MINUTES 1440

static const struct {
	const char *word, *help;
	bool lasts;
} events[RULE_EVENTS] = {
	[RULE_START] = { "start", "a job has got its instances", false },
	[RULE_FAIL] = { "fail",
			"a job has failed, or its own limit (pending or run time) has "
			"stopped it",
			false },
	[RULE_FALLBACK] = { "fallback", "a job has started on another entry than its first",
			    false },
	[RULE_STUCK] = { "stuck",
			 "a job waits longer than `stuck_after`, has been stopping for over an "
			 "hour, or has used 90 % of its run time",
			 true },
	[RULE_LIMIT] = { "limit", "80 % of a job's pending limit are counted", true },
	[RULE_IDLE] = { "idle", "the GPUs of a running job have had nothing to do for 15 minutes",
			true },
	[RULE_PLAN_START] = { "plan-start", "a window of a training plan opens within 30 minutes",
			      true },
	[RULE_PLAN_END] = { "plan-end", "a window of a training plan is over within 30 minutes",
			    true },
	[RULE_PROCESSING_PENDING] = { "processing-pending",
				      "a processing job waits, which AWS does not bound; for "
				      "`stop after` alone",
				      true },
};

void rule_release(struct rule *rule)
{
	if (!rule)
		return;
	shellwords_release(&rule->command);
	filter_free(rule->filter);
	*rule = (struct rule){ 0 };
}

const char *rule_event_word(enum rule_event event)
{
	return events[event].word;
}

const char *rule_event_help(enum rule_event event)
{
	return events[event].help;
}

bool rule_event_parse(const char *word, enum rule_event *event)
{
	for (size_t i = 0; i < RULE_EVENTS; i++) {
		if (strcmp(events[i].word, word) != 0)
			continue;
		*event = (enum rule_event)i;
		return true;
	}
	return false;
}

bool rule_event_lasts(enum rule_event event)
{
	return events[event].lasts;
}

bool rule_covers(const struct rule *rule, enum rule_event event, const struct job *job,
		 const struct filter_ask *ask)
{
	if (!(rule->events & 1u << event))
		return false;
	return !rule->jobs || (job && filter_matches(rule->filter, job, ask));
}

bool rule_is_quiet(const struct rule *rule, int64_t now_ms, bool utc)
{
	if (!rule->has_quiet)
		return false;
	int64_t minutes = (now_ms + (utc ? 0 : time_zone_ms(now_ms))) / MINUTE_MS;
	int now = (int)(((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES);
	if (rule->quiet_from < rule->quiet_to)
		return now >= rule->quiet_from && now < rule->quiet_to;
	return now >= rule->quiet_from || now < rule->quiet_to;
}

/* --- stop after --- */

int64_t rule_stop_at(const struct rule *rule, int64_t waited_ms, struct opt_ms named,
		     int64_t now_ms)
{
	int64_t due_ms = now_ms + (rule->stop_after_ms - waited_ms);
	int64_t noticed_ms = (named.set ? named.ms : now_ms) + RULE_STOP_NOTICE_MS;
	return due_ms > noticed_ms ? due_ms : noticed_ms;
}

enum rule_stop rule_stop_next(const struct rule *rule, int64_t waited_ms, struct opt_ms named,
			      int64_t now_ms)
{
	if (!named.set)
		return rule->stop_after_ms - waited_ms <= RULE_STOP_NAMED_MS ? RULE_STOP_NAMES
									     : RULE_STOP_WAITS;
	return rule_stop_at(rule, waited_ms, named, now_ms) <= now_ms ? RULE_STOP_STOPS
								      : RULE_STOP_WAITS;
}

/* --- in words --- */

static void add_acts(const struct rule *rule, struct buf *out)
{
	static const struct {
		unsigned acts;
		const char *word;
	} words[] = { { RULE_BELL, "bell" },
		      { RULE_OSC9 | RULE_OSC777, "notify" },
		      { RULE_OSC9, "osc9" },
		      { RULE_OSC777, "osc777" },
		      { RULE_TMUX, "tmux" } };
	char after[TIME_TEXT_SIZE];
	unsigned left = rule->acts;
	const char *between = "";
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if ((left & words[i].acts) != words[i].acts)
			continue;
		buf_addf(out, "%s%s", between, words[i].word);
		left &= ~words[i].acts;
		between = ", ";
	}
	if (left & RULE_RUN)
		buf_addf(out, "%srun", between);
	for (size_t i = 0; (left & RULE_RUN) && i < rule->command.count; i++) {
		const char *word = rule->command.items[i];
		bool of_home = i == 0 && strncmp(word, "~/", 2) == 0;
		buf_add_text(out, of_home ? " ~/" : " ");
		shellwords_add_quoted(out, of_home ? word + 2 : word);
	}
	if (!(left & RULE_STOP))
		return;
	duration_format(rule->stop_after_ms / 1000, after);
	buf_addf(out, "%sstop after %s", between, after);
}

void rule_describe(const struct rule *rule, struct buf *out)
{
	const char *between = "on ";
	for (size_t i = 0; i < RULE_EVENTS; i++) {
		if (!(rule->events & 1u << i))
			continue;
		buf_addf(out, "%s%s", between, events[i].word);
		between = ", ";
	}
	buf_add_text(out, ": ");
	add_acts(rule, out);
	if (rule->has_quiet)
		buf_addf(out, "; quiet %02d:%02d-%02d:%02d", rule->quiet_from / 60,
			 rule->quiet_from % 60, rule->quiet_to / 60, rule->quiet_to % 60);
	if (rule->jobs)
		buf_addf(out, "; jobs %s", rule->jobs);
}

#include "aws/logs_feed.h"

#include <stdlib.h>
#include <string.h>

#include "aws/logs.h"
#include "model/base/mem.h"

#define NEVER      INT64_MAX
#define FULL_BYTES (256u << 10) /* of a page that may have been cut for its size (1 MB) */

/* How far one stream has been read. */
struct reader {
	bool begun;               /* its newest lines have been asked for */
	char *forward, *backward; /* owned */
	int64_t due_ms;           /* monotonic: its end is looked at again; NEVER: no more */
	int64_t pause_ms;         /* between two looks at an end where nothing new is */
	unsigned empty;           /* pages without an event, on the way back */
	bool distrusted;          /* a token came back with lines: tokens say nothing here */
	/* Reading goes on from the time of the last line, whose events were so many. */
	bool by_time;
	int64_t last_ms;
	size_t at_last;
};

enum asked { ASKED_STREAMS, ASKED_NEWEST, ASKED_FORWARD, ASKED_BACK, ASKED_BY_TIME };

struct logs_feed {
	struct logs_feed_options options;
	bool wanted, held;
	uint64_t call; /* in flight, or 0 */
	enum asked asked;
	size_t at;              /* the stream that it is about */
	int64_t next_ms;        /* monotonic: no call starts before */
	int64_t streams_ms;     /* and the streams are listed then */
	char *token;            /* owned; of their next page */
	struct reader *readers; /* owned; as the streams of the store */
	size_t count;
	bool went_forward; /* the last one: then it is the others' turn */
};

struct logs_feed *logs_feed_new(const struct logs_feed_options *options)
{
	struct logs_feed *feed = mem_new(1, sizeof(*feed));
	feed->options = *options;
	return feed;
}

static struct job_logs *logs_of(const struct logs_feed *feed)
{
	return &feed->options.store->logs;
}

static int64_t now_of(const struct logs_feed *feed)
{
	return clock_mono_ms(feed->options.clock);
}

static void forget(struct logs_feed *feed)
{
	if (feed->call)
		aws_client_cancel(feed->options.client, feed->call);
	feed->call = 0;
	for (size_t i = 0; i < feed->count; i++) {
		free(feed->readers[i].forward);
		free(feed->readers[i].backward);
	}
	free(feed->readers);
	feed->readers = NULL;
	feed->count = 0;
	feed->held = feed->went_forward = false;
	mem_set_text(&feed->token, NULL);
	feed->streams_ms = now_of(feed);
}

void logs_feed_free(struct logs_feed *feed)
{
	if (!feed)
		return;
	forget(feed);
	feed->options.hooks.wake_in(feed->options.hooks.host, -1);
	free(feed);
}

/* --- what is asked next --- */

static const struct job *job_of(const struct logs_feed *feed)
{
	const struct job_logs *logs = logs_of(feed);
	return logs->arn ? store_find(feed->options.store, logs->arn) : NULL;
}

/* A pause at the end of the logs. */
static int64_t longest_pause_ms(const struct logs_feed *feed)
{
	const struct job *job = job_of(feed);
	return job && job_is_live(job) ? LOGS_FEED_LIVE_MS : LOGS_FEED_ENDED_MS;
}

/* The stream whose end was to be looked at first; LOG_NONE: none ever is. */
static size_t first_due(const struct logs_feed *feed)
{
	size_t first = LOG_NONE;
	for (size_t i = 0; i < feed->count; i++) {
		if (feed->readers[i].due_ms != NEVER &&
		    (first == LOG_NONE || feed->readers[i].due_ms < feed->readers[first].due_ms))
			first = i;
	}
	return first;
}

static size_t first_unread(const struct logs_feed *feed)
{
	for (size_t i = 0; i < feed->count; i++) {
		if (!feed->readers[i].begun && feed->readers[i].due_ms != NEVER)
			return i;
	}
	return LOG_NONE;
}

/* Of the streams that have earlier lines the one that reaches back least: all of them shall tell of
 * the same time. */
static size_t least_read(const struct logs_feed *feed)
{
	const struct job_logs *logs = logs_of(feed);
	size_t least = LOG_NONE;
	int64_t least_ms = 0;
	if (log_lines_has_enough(&logs->lines) || logs->lines.dropped > 0)
		return LOG_NONE;
	for (size_t i = 0; i < feed->count; i++) {
		const struct log_ends *ends = logs->lines.ends ? &logs->lines.ends[i] : NULL;
		int64_t first_ms = ends && ends->any ? ends->first.ms : INT64_MAX;
		if (!feed->readers[i].begun || !feed->readers[i].backward ||
		    logs->streams[i].begins || logs->streams[i].gone)
			continue;
		if (least == LOG_NONE || first_ms > least_ms) {
			least = i;
			least_ms = first_ms;
		}
	}
	return least;
}

static bool may_go_on(const struct logs_feed *feed)
{
	return !feed->held || !log_lines_is_full(&logs_of(feed)->lines);
}

static bool is_due(const struct logs_feed *feed, size_t i)
{
	return i != LOG_NONE && may_go_on(feed) && feed->readers[i].due_ms <= now_of(feed);
}

/* When there is something to be asked; NEVER: not by itself. */
static int64_t wanted_ms(const struct logs_feed *feed)
{
	size_t due = first_due(feed);
	int64_t at_ms = feed->streams_ms;
	if (first_unread(feed) != LOG_NONE || least_read(feed) != LOG_NONE)
		return now_of(feed);
	if (due != LOG_NONE && may_go_on(feed) && feed->readers[due].due_ms < at_ms)
		at_ms = feed->readers[due].due_ms;
	return at_ms;
}

static void arm(const struct logs_feed *feed)
{
	int64_t at_ms = wanted_ms(feed), wait;
	at_ms = at_ms > feed->next_ms ? at_ms : feed->next_ms;
	wait = at_ms - now_of(feed);
	bool idle = feed->call || !feed->wanted || at_ms == NEVER;
	feed->options.hooks.wake_in(feed->options.hooks.host, idle ? -1 : wait > 0 ? wait : 0);
}

/* --- answers --- */

static void tell(const struct logs_feed *feed)
{
	if (feed->options.on_change)
		feed->options.on_change(feed->options.ctx);
}

static void end_call(struct logs_feed *feed)
{
	feed->call = 0;
	feed->next_ms = now_of(feed) + feed->options.gap_ms;
}

static void fail(struct logs_feed *feed, const struct err *err)
{
	int64_t pause_ms = err->code == ERR_DENIED ? LOGS_FEED_DENIED_MS : LOGS_FEED_RETRY_MS;
	feed->next_ms = now_of(feed) + pause_ms;
	job_logs_failed(logs_of(feed), err, feed->next_ms);
}

static void take_streams(struct logs_feed *feed, const struct logs_streams *page)
{
	struct job_logs *logs = logs_of(feed);
	for (size_t i = 0; i < page->count; i++)
		(void)job_logs_stream(logs, page->names[i]);
	if (logs->count > feed->count) {
		feed->readers = mem_resize(feed->readers, logs->count, sizeof(*feed->readers));
		for (size_t i = feed->count; i < logs->count; i++)
			feed->readers[i] = (struct reader){ .pause_ms = LOGS_FEED_AGAIN_MS };
		feed->count = logs->count;
	}
	mem_set_text(&feed->token, page->next_token);
}

static void on_streams(void *ctx, const struct logs_streams *page, const struct err *err)
{
	struct logs_feed *feed = ctx;
	struct job_logs *logs = logs_of(feed);
	bool none = err && err->code == ERR_NOT_FOUND;
	end_call(feed);
	if (page)
		take_streams(feed, page);
	if (err && !none) {
		fail(feed, err);
	} else {
		logs->listed = true;
		logs->missing = none;
		job_logs_loaded(logs, now_of(feed));
	}
	bool more = page && feed->token && logs->count < LOG_STREAMS_MAX;
	if (!more)
		mem_set_text(&feed->token, NULL);
	feed->streams_ms = now_of(feed) + (more ? 0 : longest_pause_ms(feed));
	arm(feed);
	tell(feed);
}

/* Nothing new at the end: the next look comes later each time. */
static void wait_longer(struct logs_feed *feed, struct reader *reader)
{
	int64_t most = longest_pause_ms(feed);
	reader->due_ms = now_of(feed) + reader->pause_ms;
	reader->pause_ms = reader->pause_ms * 2 < most ? reader->pause_ms * 2 : most;
}

static void count_event(struct reader *reader, const struct logs_event *event)
{
	reader->at_last = event->at_ms == reader->last_ms ? reader->at_last + 1 : 1;
	reader->last_ms = event->at_ms;
}

/* Of a page from the last line's time on: how many events are known already. */
static size_t known_events(struct logs_feed *feed, struct reader *reader,
			   const struct logs_page *page)
{
	struct job_logs *logs = logs_of(feed);
	size_t known = 0, same = 0;
	while (known < page->count && page->events[known].at_ms < reader->last_ms)
		known++; /* not asked for */
	while (known < page->count && same < reader->at_last &&
	       page->events[known].at_ms == reader->last_ms)
		known++, same++;
	if (same < reader->at_last && page->count > 0)
		log_lines_append_gap(&logs->lines, (uint32_t)feed->at, reader->last_ms,
				     "lines may be missing here: CloudWatch Logs would not go on "
				     "where reading had come to");
	return known;
}

/* The token that was sent has come back: there is nothing more. Where lines came with it, they
 * would come again and again: they are left out, and read by their time. */
static bool came_back(struct reader *reader, const char *sent, const char *back,
		      const struct logs_page *page)
{
	bool same = sent && back && strcmp(sent, back) == 0;
	if (same && page->count > 0)
		reader->distrusted = true;
	return same;
}

static void take_newer(struct logs_feed *feed, const struct logs_page *page)
{
	struct job_logs *logs = logs_of(feed);
	struct reader *reader = &feed->readers[feed->at];
	struct log_stream *stream = &logs->streams[feed->at];
	bool same = feed->asked == ASKED_FORWARD &&
		    came_back(reader, reader->forward, page->forward, page);
	size_t from = same                           ? page->count
		      : feed->asked == ASKED_BY_TIME ? known_events(feed, reader, page)
						     : 0;
	uint64_t before = logs->lines.added;
	size_t bytes = 0;
	for (size_t i = from; i < page->count; i++) {
		const struct logs_event *event = &page->events[i];
		size_t len = strlen(event->text);
		log_lines_append(&logs->lines, (uint32_t)feed->at, event->at_ms, event->text, len);
		count_event(reader, event);
		bytes += len;
	}
	log_lines_settle(&logs->lines);
	stream->lines += logs->lines.added - before;
	if (page->count > from)
		stream->newest_ms = page->events[page->count - 1].at_ms;
	reader->by_time = !page->forward || reader->distrusted;
	mem_set_text(&reader->forward, page->forward);
	stream->caught_up = same || page->count == 0;
	if (page->count > from)
		reader->pause_ms = LOGS_FEED_AGAIN_MS;
	if (page->count >= LOGS_PAGE_MAX || bytes >= FULL_BYTES)
		reader->due_ms = now_of(feed);
	else
		wait_longer(feed, reader);
}

static void take_older(struct logs_feed *feed, const struct logs_page *page)
{
	struct job_logs *logs = logs_of(feed);
	struct reader *reader = &feed->readers[feed->at];
	struct log_stream *stream = &logs->streams[feed->at];
	bool same = came_back(reader, reader->backward, page->backward, page);
	uint64_t before = logs->lines.added;
	for (size_t i = same ? 0 : page->count; i-- > 0;)
		log_lines_prepend(&logs->lines, (uint32_t)feed->at, page->events[i].at_ms,
				  page->events[i].text, strlen(page->events[i].text));
	log_lines_settle(&logs->lines);
	stream->lines += logs->lines.added - before;
	reader->empty = page->count > 0 ? 0 : reader->empty + 1;
	stream->begins = !page->backward || same || reader->empty >= LOGS_FEED_EMPTY_MAX;
	mem_set_text(&reader->backward, page->backward);
}

/* The newest lines have been asked for: what was before them, too, from here on. */
static void begin_stream(struct logs_feed *feed, const struct logs_page *page)
{
	struct reader *reader = &feed->readers[feed->at];
	reader->begun = true;
	mem_set_text(&reader->backward, page->backward);
	logs_of(feed)->streams[feed->at].begins = !page->backward;
}

/* The stream is gone, or its token is not good any more; else the failure is not its own. */
static void fail_stream(struct logs_feed *feed, const struct err *err)
{
	struct job_logs *logs = logs_of(feed);
	struct reader *reader = &feed->readers[feed->at];
	bool refused = err->code == ERR_REFUSED && feed->asked != ASKED_NEWEST;
	if (err->code == ERR_NOT_FOUND) {
		logs->streams[feed->at].gone = true;
		reader->begun = true;
		reader->due_ms = NEVER;
	} else if (refused && feed->asked == ASKED_FORWARD) {
		reader->by_time = true;
	} else if (refused && feed->asked == ASKED_BACK) {
		mem_set_text(&reader->backward, NULL);
	} else {
		fail(feed, err);
	}
}

static void on_events(void *ctx, const struct logs_page *page, const struct err *err)
{
	struct logs_feed *feed = ctx;
	end_call(feed);
	if (page) {
		if (feed->asked == ASKED_NEWEST)
			begin_stream(feed, page);
		if (feed->asked == ASKED_BACK)
			take_older(feed, page);
		else
			take_newer(feed, page);
		job_logs_loaded(logs_of(feed), now_of(feed));
	} else {
		fail_stream(feed, err);
	}
	logs_of(feed)->waits = !may_go_on(feed);
	feed->went_forward = feed->asked == ASKED_FORWARD || feed->asked == ASKED_BY_TIME;
	arm(feed);
	tell(feed);
}

/* --- questions --- */

static void ask_events(struct logs_feed *feed, enum asked asked, size_t at)
{
	const struct job_logs *logs = logs_of(feed);
	const struct reader *reader = &feed->readers[at];
	const struct job *job = job_of(feed);
	if (asked == ASKED_FORWARD && reader->by_time)
		asked = ASKED_BY_TIME;
	/* Nothing was ever read: the newest lines again. */
	if (asked == ASKED_BY_TIME && reader->at_last == 0)
		asked = ASKED_NEWEST;
	const struct logs_query query = {
		.group = job_logs_group(job->kind),
		.stream = logs->streams[at].name,
		.token = asked == ASKED_FORWARD ? reader->forward
			 : asked == ASKED_BACK  ? reader->backward
						: NULL,
		.forward = asked == ASKED_FORWARD || asked == ASKED_BY_TIME,
		.since = asked == ASKED_BY_TIME,
		.since_ms = reader->last_ms,
	};
	feed->asked = asked;
	feed->at = at;
	feed->call = logs_get_events(feed->options.client, &query, on_events, feed);
}

static void ask_streams(struct logs_feed *feed, const struct job *job)
{
	struct buf prefix;
	buf_init(&prefix, sizeof(job->name) + 1);
	buf_addf(&prefix, "%s/", job->name);
	feed->asked = ASKED_STREAMS;
	feed->call = logs_list_streams(feed->options.client, job_logs_group(job->kind),
				       buf_text(&prefix), feed->token, on_streams, feed);
	buf_release(&prefix);
}

/* The newest lines of a stream come first; then ends and what was before them take turns. */
static void ask_next(struct logs_feed *feed)
{
	const struct job *job = job_of(feed);
	size_t unread = first_unread(feed), due = first_due(feed), older = least_read(feed);
	if (!job) { /* it is not listed any more */
		feed->next_ms = now_of(feed) + LOGS_FEED_RETRY_MS;
		return;
	}
	logs_of(feed)->fresh.asked = true;
	if (feed->streams_ms <= now_of(feed))
		ask_streams(feed, job);
	else if (unread != LOG_NONE)
		ask_events(feed, ASKED_NEWEST, unread);
	else if (is_due(feed, due) && (older == LOG_NONE || !feed->went_forward))
		ask_events(feed, ASKED_FORWARD, due);
	else if (older != LOG_NONE)
		ask_events(feed, ASKED_BACK, older);
	else if (is_due(feed, due))
		ask_events(feed, ASKED_FORWARD, due);
}

void logs_feed_wake(struct logs_feed *feed)
{
	if (!feed->call && feed->wanted && feed->next_ms <= now_of(feed))
		ask_next(feed);
	arm(feed);
}

void logs_feed_want(struct logs_feed *feed, const char *arn, bool held)
{
	if (!feed)
		return;
	struct job_logs *logs = logs_of(feed);
	bool same = (!arn && !logs->arn) || (arn && logs->arn && strcmp(arn, logs->arn) == 0);
	if (same && feed->wanted == (arn != NULL) && feed->held == held)
		return;
	if (!same) {
		forget(feed);
		job_logs_look_at(logs, arn);
	}
	feed->wanted = arn != NULL;
	feed->held = held;
	logs->waits = !may_go_on(feed);
	arm(feed);
}

void logs_feed_refresh(struct logs_feed *feed)
{
	if (!feed || feed->call)
		return;
	feed->streams_ms = now_of(feed);
	feed->next_ms = now_of(feed);
	for (size_t i = 0; i < feed->count; i++) {
		if (feed->readers[i].due_ms != NEVER)
			feed->readers[i].due_ms = now_of(feed);
	}
	arm(feed);
}

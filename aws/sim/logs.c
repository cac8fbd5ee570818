#include "aws/sim/logs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/fields.h"
#include "aws/sim/logtext.h"
#include "aws/sim/ops.h"
#include "aws/sim/validate.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define USUAL_PERMILLE 500 /* a line each other second */
#define STREAMS_PAGE   50
#define EVENTS_PAGE    10000
#define PAGE_BYTES     (1u << 20)
#define EVENT_BYTES    26 /* that each counts beside its text */
#define LINE_BYTES     (1u << 20)
#define TOKEN_SIZE     80

static const char *const groups[] = {
	[SIM_TRAINING] = "/aws/sagemaker/TrainingJobs",
	[SIM_PROCESSING] = "/aws/sagemaker/ProcessingJobs",
};

static int64_t rate_of(const struct sim_region *region, const struct sim_job *job)
{
	for (size_t i = 0; i < region->logs.count; i++) {
		if (strcmp(region->logs.rows[i].name, job->order.name) == 0)
			return region->logs.rows[i].permille;
	}
	return USUAL_PERMILLE;
}

static bool bad_value(struct err *err, const char *what)
{
	return sim_refuse(err, 400, "InvalidParameterException", "%s", what);
}

/* --- groups and streams --- */

/* A group is there from the first stream on that was ever written to it. */
static bool has_streams(const struct sim_world *world, enum sim_job_kind kind)
{
	struct sim_stream stream;
	for (size_t i = 0; i < world->job_count; i++) {
		if (world->jobs[i]->order.kind == kind &&
		    sim_streams_of(world, world->jobs[i], USUAL_PERMILLE, &stream, 1) > 0)
			return true;
	}
	return false;
}

static bool read_group(const struct sim_region *region, const struct json_doc *doc,
		       enum sim_job_kind *kind, struct err *err)
{
	struct buf name;
	sim_arg_text(doc, 0, "logGroupName", &name);
	bool fine = false;
	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		if (strcmp(buf_text(&name), groups[i]) != 0)
			continue;
		*kind = (enum sim_job_kind)i;
		fine = has_streams(&region->world, *kind);
	}
	bool given = name.len > 0;
	buf_release(&name);
	if (!given)
		return bad_value(err, "Either logGroupName or logGroupIdentifier must be given.");
	return fine || sim_refuse(err, 400, "ResourceNotFoundException",
				  "The specified log group does not exist.");
}

/* The streams of the job that a stream's name, or the prefix of one, begins with. */
static size_t streams_of_name(const struct sim_region *region, enum sim_job_kind kind,
			      const char *name, struct sim_stream streams[SIM_STREAMS_MAX])
{
	char job_name[SIM_NAME_SIZE];
	size_t len = strcspn(name, "/");
	if (name[len] != '/' || len >= sizeof(job_name))
		return 0;
	memcpy(job_name, name, len);
	job_name[len] = '\0';
	const struct sim_job *job = sim_job_find(&region->world, kind, job_name);
	return job ? sim_streams_of(&region->world, job, rate_of(region, job), streams,
				    SIM_STREAMS_MAX)
		   : 0;
}

static int by_name(const void *a, const void *b)
{
	char left[SIM_STREAM_NAME_MAX], right[SIM_STREAM_NAME_MAX];
	sim_stream_name(a, left);
	sim_stream_name(b, right);
	return strcmp(left, right);
}

static void emit_stream(const struct sim_region *region, enum sim_job_kind kind,
			const struct sim_stream *stream, struct buf *out)
{
	char name[SIM_STREAM_NAME_MAX], arn[512];
	uint64_t lines = sim_stream_lines(stream);
	sim_stream_name(stream, name);
	sim_emit_comma(out);
	buf_add_char(out, '{');
	sim_emit_text(out, "logStreamName", name);
	sim_emit_integer(out, "creationTime", stream->start_ms);
	if (lines > 0) {
		sim_emit_integer(out, "firstEventTimestamp", sim_stream_line_ms(stream, 0));
		sim_emit_integer(out, "lastEventTimestamp", sim_stream_line_ms(stream, lines - 1));
		sim_emit_integer(out, "lastIngestionTime", sim_stream_line_ms(stream, lines - 1));
	}
	snprintf(arn, sizeof(arn), "arn:aws:logs:%s:%s:log-group:%s:log-stream:%s",
		 region->options.region, region->options.account, groups[kind], name);
	sim_emit_text(out, "arn", arn);
	sim_emit_integer(out, "storedBytes", 0);
	buf_add_char(out, '}');
}

/* Page and token of DescribeLogStreams: the number of the stream that comes next. */
static bool read_streams_page(const struct json_doc *doc, int64_t *limit, uint64_t *from,
			      struct err *err)
{
	struct buf token;
	size_t node = sim_arg(doc, 0, "limit");
	*limit = STREAMS_PAGE;
	*from = 0;
	if (node != JSON_NONE &&
	    (!json_doc_integer(doc, node, limit) || *limit < 1 || *limit > STREAMS_PAGE))
		return bad_value(err, "1 validation error detected: Value at 'limit' failed to "
				      "satisfy constraint: Member must have value less than or "
				      "equal to 50");
	sim_arg_text(doc, 0, "nextToken", &token);
	char *end = NULL;
	bool fine = token.len == 0 || strncmp(buf_text(&token), "s/", 2) == 0;
	if (fine && token.len > 0)
		*from = strtoull(buf_text(&token) + 2, &end, 10);
	fine = fine && (!end || *end == '\0');
	buf_release(&token);
	return fine || bad_value(err, "The specified nextToken is invalid.");
}

bool sim_logs_describe_streams(struct sim_region *region, const struct sim_call *call,
			       struct err *err)
{
	enum sim_job_kind kind = SIM_TRAINING;
	struct buf prefix, order, *out = call->out;
	int64_t limit = 0;
	uint64_t from = 0;
	if (!read_group(region, call->doc, &kind, err) ||
	    !read_streams_page(call->doc, &limit, &from, err))
		return false;
	sim_arg_text(call->doc, 0, "orderBy", &order);
	sim_arg_text(call->doc, 0, "logStreamNamePrefix", &prefix);
	bool clash = prefix.len > 0 && strcmp(buf_text(&order), "LastEventTime") == 0;
	struct sim_stream *streams = mem_new(SIM_STREAMS_MAX, sizeof(*streams));
	size_t count = streams_of_name(region, kind, buf_text(&prefix), streams), shown = 0;
	qsort(streams, count, sizeof(*streams), by_name);
	buf_add_text(out, "{\"logStreams\":[");
	for (size_t i = (size_t)from; i < count && !call->empty_page && shown < (size_t)limit;
	     i++) {
		char name[SIM_STREAM_NAME_MAX];
		sim_stream_name(&streams[i], name);
		if (strncmp(name, buf_text(&prefix), prefix.len) == 0)
			emit_stream(region, kind, &streams[i], out);
		shown++;
	}
	buf_add_char(out, ']');
	if (from + shown < count) {
		char token[TOKEN_SIZE];
		snprintf(token, sizeof(token), "s/%" PRIu64, from + shown);
		sim_emit_text(out, "nextToken", token);
	}
	buf_add_char(out, '}');
	buf_release(&order);
	buf_release(&prefix);
	free(streams);
	return !clash ||
	       bad_value(err, "Cannot order by LastEventTime with a logStreamNamePrefix.");
}

/* --- events --- */

/* Lines [from, to) of a stream are asked for, towards its end or its start. */
struct range {
	uint64_t from, to;
	bool forward;
};

struct asked {
	int64_t start_ms, end_ms, limit;
	bool from_head, has_token;
	struct range range;
};

/* "f/000…7/s" goes on with line 7, "b/000…7/s" with what is before it. After a page that was left
 * empty it ends with another letter: a token that comes back means the end. */
static void emit_token(struct buf *out, const char *name, char way, uint64_t number, char end)
{
	char token[TOKEN_SIZE];
	snprintf(token, sizeof(token), "%c/%056" PRIu64 "/%c", way, number, end);
	sim_emit_text(out, name, token);
}

static bool read_token(const struct json_doc *doc, struct asked *asked, struct err *err)
{
	struct buf token;
	sim_arg_text(doc, 0, "nextToken", &token);
	const char *text = buf_text(&token);
	char *end = NULL;
	asked->has_token = token.len > 0;
	bool fine = !asked->has_token || text[0] == 'f' || text[0] == 'b';
	if (fine && asked->has_token && text[1] == '/') {
		uint64_t number = strtoull(text + 2, &end, 10);
		asked->range = text[0] == 'f' ? (struct range){ number, UINT64_MAX, true }
					      : (struct range){ 0, number, false };
	}
	fine = fine && (!asked->has_token || (end && end[0] == '/' && strlen(end) == 2));
	buf_release(&token);
	if (!fine)
		return bad_value(err, "The specified nextToken is invalid.");
	/* facts/aws.md: a forward token goes with startFromHead. */
	if (asked->has_token && asked->range.forward && !asked->from_head)
		return bad_value(err, "startFromHead must be true with a nextForwardToken.");
	return true;
}

static bool read_number(const struct json_doc *doc, const char *name, int64_t *value)
{
	size_t node = sim_arg(doc, 0, name);
	return node == JSON_NONE || json_doc_integer(doc, node, value);
}

static bool read_asked(const struct json_doc *doc, struct asked *asked, struct err *err)
{
	*asked = (struct asked){ .end_ms = INT64_MAX,
				 .limit = EVENTS_PAGE,
				 .from_head = sim_field_true(doc, "startFromHead") };
	if (!read_number(doc, "limit", &asked->limit) || asked->limit < 1 ||
	    asked->limit > EVENTS_PAGE)
		return bad_value(err, "1 validation error detected: Value at 'limit' failed to "
				      "satisfy constraint: Member must have value less than or "
				      "equal to 10000");
	if (!read_number(doc, "startTime", &asked->start_ms) ||
	    !read_number(doc, "endTime", &asked->end_ms))
		return bad_value(err, "startTime and endTime must be numbers.");
	asked->range = (struct range){ 0, UINT64_MAX, asked->from_head };
	return read_token(doc, asked, err);
}

/* The first line at that time or later. */
static uint64_t first_since(const struct sim_stream *stream, int64_t ms)
{
	uint64_t low = 0, high = sim_stream_lines(stream);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (sim_stream_line_ms(stream, middle) < ms)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Cuts the range to what there is and to what a page holds. */
static void cut_range(const struct sim_stream *stream, const struct asked *asked,
		      struct range *range)
{
	uint64_t first = first_since(stream, asked->start_ms);
	uint64_t last = asked->end_ms == INT64_MAX ? sim_stream_lines(stream)
						   : first_since(stream, asked->end_ms);
	struct buf text;
	size_t bytes = 0;
	uint64_t lines = 0;
	if (range->from < first)
		range->from = first;
	if (range->to > last)
		range->to = last;
	if (range->from > range->to)
		range->from = range->forward ? range->from : range->to;
	if (range->from >= range->to) {
		range->to = range->from;
		return;
	}
	buf_init(&text, LINE_BYTES);
	while (lines < range->to - range->from && lines < (uint64_t)asked->limit) {
		buf_clear(&text);
		sim_stream_text(stream,
				range->forward ? range->from + lines : range->to - lines - 1,
				&text);
		bytes += text.len + EVENT_BYTES;
		if (bytes > PAGE_BYTES && lines > 0)
			break;
		lines++;
	}
	buf_release(&text);
	if (range->forward)
		range->to = range->from + lines;
	else
		range->from = range->to - lines;
}

static void emit_events(const struct sim_stream *stream, const struct range *range, struct buf *out)
{
	struct buf text;
	buf_init(&text, LINE_BYTES);
	for (uint64_t number = range->from; number < range->to; number++) {
		int64_t ms = sim_stream_line_ms(stream, number);
		buf_clear(&text);
		sim_stream_text(stream, number, &text);
		sim_emit_comma(out);
		buf_add_char(out, '{');
		sim_emit_integer(out, "timestamp", ms);
		sim_emit_text(out, "message", buf_text(&text));
		sim_emit_integer(out, "ingestionTime", ms);
		buf_add_char(out, '}');
	}
	buf_release(&text);
}

static bool find_stream(const struct sim_region *region, const struct json_doc *doc,
			enum sim_job_kind kind, struct sim_stream *found, struct err *err)
{
	struct buf wanted;
	sim_arg_text(doc, 0, "logStreamName", &wanted);
	struct sim_stream *streams = mem_new(SIM_STREAMS_MAX, sizeof(*streams));
	size_t count = streams_of_name(region, kind, buf_text(&wanted), streams);
	bool fine = false;
	for (size_t i = 0; i < count && !fine; i++) {
		char name[SIM_STREAM_NAME_MAX];
		sim_stream_name(&streams[i], name);
		fine = strcmp(name, buf_text(&wanted)) == 0;
		*found = streams[i];
	}
	buf_release(&wanted);
	free(streams);
	return fine || sim_refuse(err, 400, "ResourceNotFoundException",
				  "The specified log stream does not exist.");
}

bool sim_logs_get_events(struct sim_region *region, const struct sim_call *call, struct err *err)
{
	enum sim_job_kind kind = SIM_TRAINING;
	struct sim_stream stream;
	struct asked asked;
	struct buf *out = call->out;
	if (!read_asked(call->doc, &asked, err) || !read_group(region, call->doc, &kind, err) ||
	    !find_stream(region, call->doc, kind, &stream, err))
		return false;
	struct range range = asked.range;
	cut_range(&stream, &asked, &range);
	if (call->empty_page)
		range.to = range.from = range.forward ? range.from : range.to;
	buf_add_text(out, "{\"events\":[");
	emit_events(&stream, &range, out);
	buf_add_char(out, ']');
	emit_token(out, "nextForwardToken", 'f', range.to, call->empty_page ? 'e' : 's');
	emit_token(out, "nextBackwardToken", 'b', range.from, call->empty_page ? 'e' : 's');
	buf_add_char(out, '}');
	return true;
}

/* --- /_sim/ --- */

bool sim_logs_control(struct sim_region *region, const struct json_doc *doc, struct buf *out,
		      struct err *err)
{
	struct sim_log_rates *rates = &region->logs;
	struct sim_log_rate row = { .name = "" };
	int64_t rate = 0;
	if (!sim_field_need(doc, "name", err) ||
	    !sim_field_text(doc, "name", row.name, sizeof(row.name), err) ||
	    !sim_field_need(doc, "rate", err) ||
	    !sim_field_integer(doc, "rate", 1, SIM_LOG_RATE_MAX, &rate, err))
		return false;
	row.permille = rate * 1000;
	size_t at = 0;
	while (at < rates->count && strcmp(rates->rows[at].name, row.name) != 0)
		at++;
	if (at == SIM_LOG_RATES_MAX)
		return sim_refuse(err, 400, "BadRequest", "no more than %d jobs have a rate",
				  SIM_LOG_RATES_MAX);
	rates->rows[at] = row;
	if (at == rates->count)
		rates->count++;
	return sim_control_done(region, out);
}

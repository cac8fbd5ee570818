#include "aws/trace.h"

#include <inttypes.h>
#include <string.h>

#include "aws/auth/auth.h"

#define CODE_MAX       64
#define LINE_MAX_BYTES (2 * ERR_TEXT_MAX)

static void begin(const struct trace *trace, struct buf *line)
{
	buf_init(line, LINE_MAX_BYTES);
	buf_add_text(line, "call ");
	if (trace->id > 0)
		buf_addf(line, "%" PRIu64 " ", trace->id);
	buf_addf(line, "%s%s%s", trace->name, trace->region[0] ? " " : "", trace->region);
	if (trace->tries > 0)
		buf_addf(line, " try %u", trace->tries);
}

static void end(const struct trace *trace, struct buf *line)
{
	log_line(trace->log, "%s", buf_text(line));
	buf_release(line);
}

/* A service's own word; anything longer is none, and may be cut. */
static bool is_code(const char *code)
{
	size_t len = strlen(code);
	return len > 0 && len <= CODE_MAX;
}

static void add_failure(struct buf *line, const struct err *err)
{
	buf_addf(line, ", %s", is_code(err->aws_code) ? err->aws_code : err_word(err->code));
}

void trace_sent(struct trace trace, size_t len)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_add_text(&line, " sent");
	if (log_is_detailed(trace.log))
		buf_addf(&line, " to %s, %zu bytes", trace.host, len);
	end(&trace, &line);
}

void trace_answered(struct trace trace, const struct http_reply *reply, const struct err *err)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_addf(&line, " answered %d in %" PRId64 " ms", reply->status, trace.took_ms);
	if (err)
		add_failure(&line, err);
	if (reply->request_id && reply->request_id[0])
		buf_addf(&line, ", request %s", reply->request_id);
	if (log_is_detailed(trace.log))
		buf_addf(&line, ", %zu bytes", reply->body_len);
	end(&trace, &line);
}

void trace_unanswered(struct trace trace, const struct err *err)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_addf(&line, " unanswered after %" PRId64 " ms", trace.took_ms);
	add_failure(&line, err);
	end(&trace, &line);
}

void trace_again(struct trace trace, int64_t pause_ms)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_addf(&line, " is followed by another in %" PRId64 " ms", pause_ms);
	end(&trace, &line);
}

void trace_held(struct trace trace)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_add_text(&line, " waits for credentials");
	end(&trace, &line);
}

void trace_failed(struct trace trace, const struct err *err)
{
	struct buf line;
	if (!trace.log)
		return;
	begin(&trace, &line);
	buf_add_text(&line, " is the last: the call has failed");
	add_failure(&line, err);
	if (log_is_detailed(trace.log))
		buf_addf(&line, ": %s", err_text(err));
	end(&trace, &line);
}

static void add_end(struct buf *line, struct opt_ms expires)
{
	char text[TIME_TEXT_SIZE];
	if (!expires.set)
		return;
	time_format_iso(expires.ms, text);
	buf_addf(line, ", until %s", text);
}

void trace_credentials(struct log *log, const struct auth_status *status)
{
	struct buf line;
	if (!log)
		return;
	buf_init(&line, LINE_MAX_BYTES);
	buf_addf(&line, "credentials %s", status->has_credentials ? "found" : "none");
	if (status->provider[0])
		buf_addf(&line, ", %s", status->provider);
	if (status->origin[0])
		buf_addf(&line, ", %s", status->origin);
	if (status->has_credentials)
		add_end(&line, status->expires);
	if (status->searching)
		buf_add_text(&line, ", being looked for");
	if (status->err) {
		add_failure(&line, status->err);
		if (log_is_detailed(log))
			buf_addf(&line, ": %s", err_text(status->err));
	}
	log_line(log, "%s", buf_text(&line));
	buf_release(&line);
}

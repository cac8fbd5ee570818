#include "aws/sim/logtext.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "aws/sim/random.h"
#include "model/base/attr.h"

#define MILLION    INT64_C(1000000)
#define STEP_FIRST 8 /* the lines before it tell of the start */
#define STEPS      1000000
#define ONE_IN     997 /* lines that warn */

/* --- streams --- */

static size_t hosts_of(const struct sim_job *job)
{
	const struct sim_order *order = &job->order;
	int64_t count = 0;
	for (size_t i = 0; i < order->entry_count; i++) {
		if (order->groups || (int)i == job->selected ||
		    (job->selected == SIM_NOWHERE && i == 0))
			count += order->entries[i].count;
	}
	return count > 0 ? (size_t)count : 1;
}

static size_t add_start(struct sim_stream *streams, size_t count, size_t max,
			const struct sim_stream *start)
{
	size_t hosts = hosts_of(start->job);
	for (size_t host = 1; host <= hosts && count < max; host++, count++) {
		streams[count] = *start;
		streams[count].host = host;
		streams[count].failed = start->failed && host == 1;
	}
	return count;
}

/* A processing job runs from its start to its end; a training job whenever it trains. */
size_t sim_streams_of(const struct sim_world *world, const struct sim_job *job, int64_t permille,
		      struct sim_stream *streams, size_t max)
{
	struct sim_stream start = { .job = job,
				    .seed = sim_random_for(world->options.seed, job->order.name),
				    .permille = permille };
	size_t count = 0;
	bool failed = job->status == SIM_FAILED;
	if (job->order.kind == SIM_PROCESSING && job->started.set) {
		start.start_ms = job->started.ms;
		start.until_ms = job->ended.set ? job->ended.ms : world->now_ms;
		start.failed = failed;
		return add_start(streams, 0, max, &start);
	}
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct sim_transition *at = &job->transitions[i];
		if (strcmp(at->status, "Training") != 0)
			continue;
		start.start_ms = at->start.ms;
		start.until_ms = at->end.set ? at->end.ms : world->now_ms;
		start.failed = failed && at->end.set;
		count = add_start(streams, count, max, &start);
	}
	return count;
}

void sim_stream_name(const struct sim_stream *stream, char out[SIM_STREAM_NAME_MAX])
{
	int len = snprintf(out, SIM_STREAM_NAME_MAX, "%s/algo-%zu-%" PRId64,
			   stream->job->order.name, stream->host, stream->start_ms / 1000);
	if (len < 0 || len >= SIM_STREAM_NAME_MAX)
		out[0] = '\0';
}

/* --- their lines --- */

static const char *const last_words[] = {
	"Traceback (most recent call last):",
	"  File \"/opt/ml/code/train.py\", line 187, in main",
	"    batch = next(loader)",
};
#define LAST_WORDS (ARRAY_LEN(last_words) + 2) /* and the reason, and what became of it */

/* Of those that come by time. */
static uint64_t timed_lines(const struct sim_stream *stream)
{
	int64_t ms = stream->until_ms - stream->start_ms;
	return ms < 0 ? 0 : (uint64_t)(ms * stream->permille / MILLION) + 1;
}

uint64_t sim_stream_lines(const struct sim_stream *stream)
{
	return timed_lines(stream) + (stream->failed ? LAST_WORDS : 0);
}

int64_t sim_stream_line_ms(const struct sim_stream *stream, uint64_t number)
{
	if (number >= timed_lines(stream))
		return stream->until_ms;
	/* Rounded up: a line is not older than its time. */
	return stream->start_ms +
	       ((int64_t)number * MILLION + stream->permille - 1) / stream->permille;
}

static void add_beginning(const struct sim_stream *stream, uint64_t number, struct buf *out)
{
	static const char *const lines[STEP_FIRST] = {
		"bash: cannot set terminal process group (-1): Inappropriate ioctl for device",
		"\x1b[32mINFO\x1b[0m     Imported framework sagemaker_pytorch_container.training",
		"\x1b[32mINFO\x1b[0m     Block until all host DNS lookups succeed.",
		"SM_FRAMEWORK_MODULE=sagemaker_pytorch_container.training:main",
		"/opt/conda/bin/python3.11 train.py --bf16 --batch_size 64",
		"NCCL INFO Bootstrap : Using eth0",
		"NCCL INFO NET/OFI Selected Provider is efa",
		"\x1b[33mWARNING\x1b[0m  tokenizers: the current process just got forked",
	};
	if (number == 3)
		buf_addf(out, "SM_CURRENT_HOST=algo-%zu, ", stream->host);
	buf_add_text(out, lines[number]);
}

/* The fraction that is left of what was 10 at the first step. */
static unsigned loss_milli(uint64_t number, uint64_t luck)
{
	return (unsigned)(800 + 9200 * 500 / (500 + number) + luck % 40);
}

/* One event with the states of a bar that draws itself over and over. */
static void add_bar(uint64_t number, struct buf *out)
{
	uint64_t done = number % 1000;
	for (uint64_t part = done > 2 ? done - 2 : 0; part <= done; part++)
		buf_addf(out, "\rEvaluating: %3u%%|%-10.*s| %u/1000", (unsigned)(part / 10),
			 (int)(part / 100), "##########", (unsigned)part);
	buf_addf(out, " (step %" PRIu64 ")", number);
}

static void add_step(const struct sim_stream *stream, uint64_t number, struct buf *out)
{
	uint64_t luck = stream->seed ^ (stream->host << 32) ^ number;
	luck = sim_random_next(&luck);
	if (number % ONE_IN == 0) {
		buf_addf(out, "\x1b[33mWARNING\x1b[0m  step %" PRIu64 ": gradient norm %u.%02u",
			 number, (unsigned)(luck % 90) + 10, (unsigned)(luck % 97));
	} else if (number % 200 == 100) {
		add_bar(number, out);
	} else {
		unsigned loss = loss_milli(number, luck);
		buf_addf(out, "step %" PRIu64 "/%d loss %u.%03u lr 3.0e-04 tok/s %u mem %u.%uG",
			 number, STEPS, loss / 1000, loss % 1000, (unsigned)(luck % 900) + 14500,
			 (unsigned)(luck % 6) + 68, (unsigned)(luck % 10));
	}
}

static void add_end(const struct sim_stream *stream, uint64_t after, struct buf *out)
{
	const char *reason = stream->job->failure_reason;
	if (after < ARRAY_LEN(last_words))
		buf_add_text(out, last_words[after]);
	else if (after == ARRAY_LEN(last_words))
		buf_add_text(out, reason ? reason : "RuntimeError");
	else
		buf_add_text(out, "Encountered exit_code 1");
}

void sim_stream_text(const struct sim_stream *stream, uint64_t number, struct buf *out)
{
	uint64_t timed = timed_lines(stream);
	if (number >= timed)
		add_end(stream, number - timed, out);
	else if (number < STEP_FIRST)
		add_beginning(stream, number, out);
	else
		add_step(stream, number, out);
}

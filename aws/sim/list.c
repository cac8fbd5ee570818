#include "aws/sim/list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/reply.h"
#include "aws/sim/token.h"
#include "model/base/mem.h"

#define QUERY_BYTES (5 * SIM_ARG_BYTES)

enum order_by { BY_CREATION, BY_NAME, BY_STATUS };

struct query {
	const struct json_doc *doc;
	enum sim_job_kind kind;
	enum order_by by;
	bool descending;
	size_t page;
	struct opt_ms created_after, created_before, modified_after, modified_before;
	struct buf status, name, plan, warm; /* "" = any */
	uint64_t fingerprint;                /* of everything but page and token */
};

static uint64_t fingerprint(const struct query *query)
{
	struct buf text;
	buf_init(&text, QUERY_BYTES);
	buf_addf(&text, "%d %d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " ", query->kind,
		 query->by, query->descending, query->created_after.ms, query->created_before.ms,
		 query->modified_after.ms, query->modified_before.ms);
	buf_addf(&text, "%s\n%s\n%s\n%s", buf_text(&query->status), buf_text(&query->name),
		 buf_text(&query->plan), buf_text(&query->warm));
	uint64_t hash = sim_token_fingerprint(&text);
	buf_release(&text);
	return hash;
}

static void read_query(struct query *query, enum sim_job_kind kind, const struct json_doc *doc)
{
	struct buf text;
	*query = (struct query){ .doc = doc, .kind = kind };
	sim_arg_text(doc, 0, "SortBy", &text);
	query->by = strcmp(buf_text(&text), "Name") == 0     ? BY_NAME
		    : strcmp(buf_text(&text), "Status") == 0 ? BY_STATUS
							     : BY_CREATION;
	buf_release(&text);
	sim_arg_text(doc, 0, "SortOrder", &text);
	query->descending = strcmp(buf_text(&text), "Descending") == 0;
	buf_release(&text);
	query->page = sim_arg_page(doc);
	query->created_after = sim_arg_time(doc, "CreationTimeAfter");
	query->created_before = sim_arg_time(doc, "CreationTimeBefore");
	query->modified_after = sim_arg_time(doc, "LastModifiedTimeAfter");
	query->modified_before = sim_arg_time(doc, "LastModifiedTimeBefore");
	sim_arg_text(doc, 0, "StatusEquals", &query->status);
	sim_arg_text(doc, 0, "NameContains", &query->name);
	sim_arg_text(doc, 0, "TrainingPlanArnEquals", &query->plan);
	sim_arg_text(doc, 0, "WarmPoolStatusEquals", &query->warm);
	query->fingerprint = fingerprint(query);
}

static void release_query(struct query *query)
{
	buf_release(&query->status);
	buf_release(&query->name);
	buf_release(&query->plan);
	buf_release(&query->warm);
}

/* Order of the walk; equal keys stand in creation order. */
static int compare(const struct query *query, const struct sim_job *a, const struct sim_job *b)
{
	int order = 0;
	if (query->by == BY_NAME)
		order = strcmp(a->order.name, b->order.name);
	else if (query->by == BY_STATUS)
		order = strcmp(sim_job_status_word(a), sim_job_status_word(b));
	if (order == 0)
		order = (a->number > b->number) - (a->number < b->number);
	return query->descending ? -order : order;
}

/* What bounds the walk itself. */
static bool is_walked(const struct query *query, const struct sim_job *job)
{
	return job->order.kind == query->kind &&
	       (!query->created_after.set || job->created_ms > query->created_after.ms) &&
	       (!query->created_before.set || job->created_ms < query->created_before.ms);
}

static bool has_warm_pool(const struct query *query, const struct sim_job *job)
{
	const char *word = sim_warm_word(job);
	return query->warm.len == 0 || (word && strcmp(word, buf_text(&query->warm)) == 0);
}

/* What is left out of a page that has been cut already. */
static bool is_shown(const struct query *query, const struct sim_world *world,
		     const struct sim_job *truth)
{
	struct sim_job seen;
	const struct sim_job *job = &seen;
	if (!sim_job_as_of(truth, world->now_ms, &seen) || !has_warm_pool(query, job))
		return false;
	if (query->status.len > 0 &&
	    strcmp(buf_text(&query->status), sim_job_status_word(job)) != 0)
		return false;
	if (query->name.len > 0 && !strstr(job->order.name, buf_text(&query->name)))
		return false;
	if (query->plan.len > 0) {
		int plan = job->selected == SIM_NOWHERE ? SIM_NOWHERE
							: job->order.entries[job->selected].plan;
		if (plan == SIM_NOWHERE ||
		    strcmp(world->plans[plan].arn, buf_text(&query->plan)) != 0)
			return false;
	}
	return (!query->modified_after.set || job->modified_ms > query->modified_after.ms) &&
	       (!query->modified_before.set || job->modified_ms < query->modified_before.ms);
}

/* A token is the number of the job that the last page ended with; 0 stands for the start. */
static void emit_token(const struct query *query, const struct sim_job *last, struct buf *out)
{
	uint64_t number = last ? last->number + 1 : 0;
	sim_token_emit(out, query->fingerprint, &number, 1);
}

static bool read_token(const struct query *query, const struct sim_world *world,
		       const struct sim_job **after, struct err *err)
{
	bool found = false;
	uint64_t number = 0;
	*after = NULL;
	if (!sim_token_read(query->doc, query->fingerprint, &number, 1, &found, err))
		return false;
	if (found && number > 0 && number <= world->job_count)
		*after = world->jobs[number - 1];
	return true;
}

/* Where the job would go among the first count of the page, kept in order; the page is full at
 * most + 1. Returns the new count. */
static size_t keep(const struct query *query, const struct sim_job **page, size_t count,
		   const struct sim_job *job)
{
	size_t most = query->page + 1;
	if (count == most && compare(query, page[count - 1], job) <= 0)
		return count;
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare(query, page[middle], job) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	/* The page has room for one more than is kept. */
	memmove(&page[low + 1], &page[low], (count - low) * sizeof(const struct sim_job *));
	page[low] = job;
	return count < most ? count + 1 : count;
}

/* The next page of the walk, one job more than is shown: that one tells whether there is more. */
static size_t cut_page(const struct query *query, const struct sim_world *world,
		       const struct sim_job *after, const struct sim_job **page)
{
	size_t count = 0;
	/* The walk starts at the end that the order asks for, so that a page fills early. */
	for (size_t i = 0; i < world->job_count; i++) {
		size_t at = query->descending ? world->job_count - 1 - i : i;
		const struct sim_job *job = world->jobs[at];
		if (!is_walked(query, job) || (after && compare(query, job, after) <= 0))
			continue;
		count = keep(query, page, count, job);
		if (query->by == BY_CREATION && count == query->page + 1)
			break;
	}
	return count;
}

bool sim_list_jobs(const struct sim_world *world, enum sim_job_kind kind,
		   const struct json_doc *doc, bool empty_page, struct buf *out, struct err *err)
{
	struct query query;
	const struct sim_job *after = NULL;
	read_query(&query, kind, doc);
	bool fine = read_token(&query, world, &after, err);
	if (fine) {
		const struct sim_job **page =
			mem_new(query.page + 2, sizeof(const struct sim_job *));
		size_t count = empty_page ? 0 : cut_page(&query, world, after, page);
		bool more = empty_page || count > query.page;
		size_t shown = count > query.page ? query.page : count;
		buf_add_char(out, '{');
		sim_emit_key(out, kind == SIM_TRAINING ? "TrainingJobSummaries"
						       : "ProcessingJobSummaries");
		buf_add_char(out, '[');
		for (size_t i = 0; i < shown; i++) {
			if (!is_shown(&query, world, page[i]))
				continue;
			sim_emit_comma(out);
			sim_reply_summary(world, page[i], out);
		}
		buf_add_char(out, ']');
		if (more)
			emit_token(&query, empty_page ? after : page[shown - 1], out);
		buf_add_char(out, '}');
		free(page);
	}
	release_query(&query);
	return fine;
}

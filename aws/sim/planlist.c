#include "aws/sim/planlist.h"

#include <inttypes.h>
#include <string.h>

#include "aws/sim/args.h"
#include "aws/sim/emit.h"
#include "aws/sim/reply.h"
#include "aws/sim/token.h"

#define FILTERS_MAX 5 /* the service's own limit, which sim_validate has checked */
#define QUERY_BYTES (2 * SIM_ARG_BYTES)

enum plan_order { BY_PURCHASE, BY_PLAN_NAME, BY_START, BY_STATE };

struct plan_query {
	const struct sim_world *world;
	struct opt_ms after, before;      /* of the start */
	struct buf statuses[FILTERS_MAX]; /* each must hold */
	size_t status_count;
	enum plan_order by;
	bool descending;
	uint64_t fingerprint;
};

static const char *status_of(const struct plan_query *query, const struct sim_plan *plan)
{
	return sim_plan_status_word(sim_plan_state(plan, query->world->now_ms));
}

static enum plan_order read_order(const struct json_doc *doc)
{
	static const char *const words[] = { [BY_PURCHASE] = "",
					     [BY_PLAN_NAME] = "TrainingPlanName",
					     [BY_START] = "StartTime",
					     [BY_STATE] = "Status" };
	struct buf text;
	enum plan_order by = BY_PURCHASE;
	sim_arg_text(doc, 0, "SortBy", &text);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(words[i], buf_text(&text)) == 0)
			by = (enum plan_order)i;
	}
	buf_release(&text);
	return by;
}

static void read_query(struct plan_query *query, const struct json_doc *doc)
{
	struct buf text;
	query->after = sim_arg_time(doc, "StartTimeAfter");
	query->before = sim_arg_time(doc, "StartTimeBefore");
	query->by = read_order(doc);
	sim_arg_text(doc, 0, "SortOrder", &text);
	query->descending = strcmp(buf_text(&text), "Descending") == 0;
	buf_release(&text);
	buf_init(&text, QUERY_BYTES);
	buf_addf(&text, "%" PRId64 " %" PRId64 " %d %d", query->after.ms, query->before.ms,
		 query->by, query->descending);
	/* Status is the one name that a filter can have. */
	size_t list = sim_arg(doc, 0, "Filters");
	for (size_t node = json_doc_child(doc, list);
	     node != JSON_NONE && query->status_count < FILTERS_MAX;
	     node = json_doc_next(doc, node)) {
		struct buf *status = &query->statuses[query->status_count++];
		sim_arg_text(doc, node, "Value", status);
		buf_addf(&text, "\n%s", buf_text(status));
	}
	query->fingerprint = sim_token_fingerprint(&text);
	buf_release(&text);
}

static bool is_wanted(const struct plan_query *query, const struct sim_plan *plan)
{
	int64_t start_ms = plan->windows[0].start_ms;
	for (size_t i = 0; i < query->status_count; i++) {
		if (strcmp(buf_text(&query->statuses[i]), status_of(query, plan)) != 0)
			return false;
	}
	return (!query->after.set || start_ms > query->after.ms) &&
	       (!query->before.set || start_ms < query->before.ms);
}

/* Equal keys keep the order of purchase. */
static int compare(const struct plan_query *query, size_t a, size_t b)
{
	const struct sim_plan *left = &query->world->plans[a], *right = &query->world->plans[b];
	int64_t starts[] = { left->windows[0].start_ms, right->windows[0].start_ms };
	int order = 0;
	if (query->by == BY_PLAN_NAME)
		order = strcmp(left->name, right->name);
	else if (query->by == BY_START)
		order = (starts[0] > starts[1]) - (starts[0] < starts[1]);
	else if (query->by == BY_STATE)
		order = strcmp(status_of(query, left), status_of(query, right));
	if (order == 0)
		order = (a > b) - (a < b);
	return query->descending ? -order : order;
}

/* The wanted plans that stand after that one, in order. */
static size_t sort_plans(const struct plan_query *query, const size_t *after,
			 size_t sorted[SIM_PLANS_MAX])
{
	size_t count = 0;
	for (size_t i = 0; i < query->world->plan_count; i++) {
		if (!is_wanted(query, &query->world->plans[i]) ||
		    (after && compare(query, i, *after) <= 0))
			continue;
		size_t at = count++;
		while (at > 0 && compare(query, i, sorted[at - 1]) < 0) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = i;
	}
	return count;
}

bool sim_list_plans(const struct sim_world *world, const struct json_doc *doc, bool empty_page,
		    struct buf *out, struct err *err)
{
	struct plan_query query = { .world = world };
	size_t sorted[SIM_PLANS_MAX], after = 0, shown = 0;
	uint64_t number = 0; /* of the plan that the last page ended with, from 1 */
	bool found = false;
	read_query(&query, doc);
	bool fine = sim_token_read(doc, query.fingerprint, &number, 1, &found, err);
	if (fine) {
		found = found && number > 0 && number <= world->plan_count;
		after = found ? (size_t)number - 1 : 0;
		size_t count = sort_plans(&query, found ? &after : NULL, sorted);
		size_t page = empty_page ? 0 : sim_arg_page(doc);
		buf_add_text(out, "{\"TrainingPlanSummaries\":[");
		for (; shown < count && shown < page; shown++) {
			number = sorted[shown] + 1;
			sim_emit_comma(out);
			sim_reply_plan(world, &world->plans[sorted[shown]], out);
		}
		buf_add_char(out, ']');
		if (shown < count || empty_page)
			sim_token_emit(out, query.fingerprint, &number, 1);
		buf_add_char(out, '}');
	}
	for (size_t i = 0; i < query.status_count; i++)
		buf_release(&query.statuses[i]);
	return fine;
}

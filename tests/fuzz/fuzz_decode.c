/*
 * Any bytes as a reply that tells of jobs (List and Describe of both kinds, Search): through the
 * decoders into the store and out again in every format. No wait and no cost is negative, the store
 * finds what it took, a copy of a described job has its new name, and the reports keep their
 * formats.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/json.h"
#include "aws/search.h"
#include "model/base/mem.h"
#include "model/price.h"
#include "model/request.h"
#include "model/store.h"
#include "tests/fuzz/fuzz.h"
#include "tests/prices.h"

#define REGION  "us-east-1"
#define OUT_MAX (16u << 20)

/* Times that an answer's Date can have; which one is told by the input's size. */
static const int64_t nows_ms[] = { INT64_C(946684800000), INT64_C(1796071688000),
				   INT64_C(4102444799000) };

static void check_money(struct money money)
{
	assert(!money.set || money.micro >= 0);
}

static void check_duration(struct opt_ms duration)
{
	assert(!duration.set || duration.ms >= 0);
}

static void check_job(const struct job *job, int64_t now_ms)
{
	struct cost cost = price_job_cost(job, &virginia, now_ms);
	int64_t wait_ms;
	bool final;
	char name[JOB_NAME_SIZE];

	assert(job->arn && job->arn[0] && job->name[0] && job->status);
	if (job_wait_ms(job, now_ms, &wait_ms, &final))
		assert(wait_ms >= 0 && final == job_has_ended(job));
	if (job_pending_deadline(job, now_ms).set)
		assert(job_phase(job) == PHASE_PENDING && job->max_pending.set);
	check_duration(job->max_pending);
	check_duration(job->max_runtime);
	check_duration(job->billable);
	check_duration(job->training_time);
	check_money(cost.per_hour);
	check_money(cost.so_far);
	check_money(cost.likely);
	check_money(cost.worst_case);
	if (cost.per_hour.set && cost.worst_case.set && job->max_runtime.ms >= 3600000)
		assert(cost.worst_case.micro >= cost.per_hour.micro);
	assert(job->selected.rank <= job_prefs(job)->length &&
	       job_prefs(job)->length <= PREFS_KEEP_MAX);
	assert(job->transition_count <= JOB_TRANSITIONS_MAX);
	job_copy_name(job->name, now_ms, name);
	assert(job_name_is_valid(name));
}

static void check_copy(const struct job *job)
{
	struct request request = { 0 };
	struct request_facts facts;
	struct findings findings;
	struct err err = { 0 };

	if (!job->request_json)
		return;
	if (request_from_describe(&request, job->kind, job->request_json, "copy-1", &err)) {
		bool ok = request_facts(&request, &facts, &err);

		assert(ok && strcmp(facts.name, "copy-1") == 0 && !facts.has_selected_members);
		ok = request_check(&request, NULL, &findings, &err);
		assert(ok);
	} else {
		assert(!request.text && err.code != ERR_NONE);
	}
	request_release(&request);
	err_clear(&err);
}

static void check_reports(const struct job *const *jobs, size_t count, int64_t now_ms, size_t salt)
{
	struct report_context context = { .region = REGION,
					  .prices = &virginia,
					  .now_ms = now_ms,
					  .utc = salt % 2,
					  .ascii = salt % 4 > 1,
					  .columns = (int)(salt % 150) };
	struct buf out;

	buf_init(&out, OUT_MAX);
	for (int format = REPORT_TABLE; format <= REPORT_CSV; format++) {
		context.format = (enum report_format)format;
		buf_clear(&out);
		report_jobs(&out, &context, jobs, count);
		fuzz_want_report(&out, &context, count);
	}
	context.format = REPORT_TABLE;
	context.columns = 0;
	for (size_t i = 0; i < count; i++) {
		buf_clear(&out);
		report_job(&out, &context, jobs[i]);
		fuzz_want_report(&out, &context, 1);
	}
	buf_release(&out);
}

/* What the store has, as a screen and a command would read it. */
static void check_store(const struct store *store, int64_t now_ms, size_t salt)
{
	struct totals totals = store_totals(store, now_ms);

	assert(totals.pending + totals.starting + totals.running + totals.stopping + totals.failed +
		       totals.unknown <=
	       store->count);
	assert(!totals.has_oldest || totals.oldest_wait_ms >= 0);
	assert(totals.per_hour.micro >= 0);
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);

		assert(store_find(store, job->arn) == job);
		check_job(job, now_ms);
		check_copy(job);
	}
	check_reports((const struct job *const *)store->jobs, store->count, now_ms, salt);
}

static void take_page(struct store *store, struct job_page *page, bool described)
{
	assert(page->count <= JOBS_PAGE_MAX);
	for (size_t i = 0; i < page->count; i++) {
		char *arn = mem_copy_text(page->jobs[i].arn);

		if (described)
			store_take_described(store, &page->jobs[i]);
		else
			store_take_summary(store, &page->jobs[i]);
		assert(store_find(store, arn));
		free(arn);
	}
}

static void take_list(struct store *store, enum job_kind kind, const char *body, size_t len)
{
	struct job_page page;
	struct err err = { 0 };

	if (jobs_decode_list(kind, body, len, &page, &err))
		take_page(store, &page, false);
	else
		assert(err.code != ERR_NONE && err_text(&err)[0] && page.count == 0);
	job_page_release(&page);
	err_clear(&err);
}

static void take_description(struct store *store, enum job_kind kind, const char *body, size_t len)
{
	struct job_page page = { .jobs = mem_new(1, sizeof(struct job)) };
	struct err err = { 0 };

	page.count = jobs_decode_describe(kind, body, len, page.jobs, &err);
	assert(page.count || (err.code != ERR_NONE && !page.jobs->arn));
	take_page(store, &page, true);
	job_page_release(&page);
	err_clear(&err);
}

static void take_search(struct store *store, const char *body, size_t len)
{
	struct job_page page;
	struct err err = { 0 };
	struct json_value *document = json_parse(body, len, &err);

	if (document && jobs_decode_search(document, &page, &err)) {
		jobs_add_search_texts(body, len, &page);
		take_page(store, &page, true);
		job_page_release(&page);
	} else {
		assert(err.code != ERR_NONE && err_text(&err)[0]);
	}
	json_free(document);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *body = (const char *)data;
	struct store store = { 0 };
	int64_t now_ms = nows_ms[size % ARRAY_LEN(nows_ms)];

	take_list(&store, JOB_TRAINING, body, size);
	take_list(&store, JOB_PROCESSING, body, size);
	take_search(&store, body, size);
	take_description(&store, JOB_TRAINING, body, size);
	take_description(&store, JOB_PROCESSING, body, size);
	check_store(&store, now_ms, size);
	store_release(&store);
	return 0;
}

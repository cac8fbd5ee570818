/*
 * What check calls ok the region accepts, and what it calls an error the region refuses: over
 * seeded sequences of 50 keys on the preferences pane, from jobs of every sort, with slips in their
 * documents. The region's rules are written apart from check's, so each tests the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "aws/sagemaker_plans.h"
#include "model/base/mem.h"
#include "model/draft.h"
#include "model/quota.h"
#include "tests/anytext.h"
#include "tests/fakeui.h"
#include "tests/simworld.h"
#include "tests/soak.h"
#include "tests/verdicts.h"
#include "tests/wilddoc.h"
#include "tests/wildkeys.h"

#define KEYS 50
#ifdef __SANITIZE_ADDRESS__ /* slower by far; what it looks for shows in fewer */
#define SHORT_COUNT 100
#else
#define SHORT_COUNT 600
#endif
#define LONG_COUNT    10000
#define LONG_HITS     50 /* of each rule, on each side */
#define OK_PERCENT    30
#define REGION_COUNT  2  /* sequences that share a region */
#define COMPARE_EVERY 10 /* keys */
#define PLANS_MAX     16

struct bench {
	struct simregion *sim;
	struct verdicts verdicts;
	struct findings *findings;
	struct wild_plan plans[PLANS_MAX];
	size_t plan_count;
	struct quota_fact *quotas; /* owned; of each type and kind */
	size_t quota_count;
	struct plan *listed; /* owned; what the region lists */
	size_t listed_count;
	uint32_t seed;
	unsigned long sequence, sequences, keys, drafts, not_composed, fixes;
	char taken[2][JOB_NAME_SIZE]; /* the last name accepted of each kind */
};

static void read_plans(struct bench *bench)
{
	struct plan_page page = { 0 };
	struct err err = { 0 };
	assert_int_equal(simregion_call(bench->sim, "ListTrainingPlans", "{\"MaxResults\":100}"),
			 200);
	const char *body = simregion_body(bench->sim);
	assert_true(plans_decode_list(body, strlen(body), &page, &err));
	plan_list_free(bench->listed, bench->listed_count);
	bench->listed = page.plans;
	bench->listed_count = page.count;
	page.plans = NULL;
	page.count = 0;
	plan_page_release(&page);
	bench->plan_count = 0;
	for (size_t i = 0; i < bench->listed_count && i < PLANS_MAX; i++)
		bench->plans[bench->plan_count++] = (struct wild_plan){
			.arn = bench->listed[i].arn,
			.instance_type = bench->listed[i].instance_type,
		};
}

/* Each limit of the region and what is used of it, as Service Quotas and the jobs would tell. */
static void read_quotas(struct bench *bench)
{
	static const enum quota_kind kinds[SIM_QUOTA_KINDS] = {
		[SIM_QUOTA_TRAINING] = QUOTA_TRAINING,
		[SIM_QUOTA_PROCESSING] = QUOTA_PROCESSING,
		[SIM_QUOTA_SPOT] = QUOTA_SPOT,
		[SIM_QUOTA_WARM_POOL] = QUOTA_WARM_POOL,
	};
	const struct sim_world *world = &bench->sim->region.world;
	if (!bench->quotas)
		bench->quotas =
			mem_new(world->pool_count * SIM_QUOTA_KINDS, sizeof(*bench->quotas));
	bench->quota_count = 0;
	for (size_t i = 0; i < world->pool_count; i++) {
		const struct sim_pool *pool = &world->pools[i];
		for (size_t kind = 0; kind < SIM_QUOTA_KINDS; kind++)
			bench->quotas[bench->quota_count++] = (struct quota_fact){
				.instance_type = pool->instance_type,
				.kind = kinds[kind],
				.told = true,
				.limit = pool->quota[kind],
				.used = pool->used[kind],
			};
	}
}

/* Limits that differ by kind: which one a job runs into shows. */
static void part_quotas(struct sim_world *world)
{
	for (size_t i = 0; i < world->pool_count; i++) {
		int64_t *quota = world->pools[i].quota;
		quota[SIM_QUOTA_SPOT] = quota[SIM_QUOTA_SPOT] > 3 ? 3 : 0;
		quota[SIM_QUOTA_PROCESSING] += 4;
	}
}

/* The jobs of many sequences would only make the region slow. */
static void renew_region(struct bench *bench)
{
	if (bench->sim)
		simregion_free(bench->sim);
	bench->sim = simregion_new(NULL);
	bench->taken[0][0] = bench->taken[1][0] = '\0';
	part_quotas(&bench->sim->region.world);
	read_plans(bench);
}

/* What the program would have read: the plans, the quotas with their use, and the name. */
static bool check(struct bench *bench, const struct request *request, struct err *err)
{
	struct plan_fact facts[PLANS_MAX];
	struct request_facts said;
	bool training = request->kind == JOB_TRAINING;
	if (!request_facts(request, &said, err))
		return false;
	for (size_t i = 0; i < bench->plan_count; i++)
		plan_fact(&bench->listed[i], bench->sim->region.world.now_ms, &facts[i]);
	read_quotas(bench);
	const struct check_known known = {
		.region = "us-east-1",
		.plans = facts,
		.plan_count = bench->plan_count,
		.quotas = bench->quotas,
		.quota_count = bench->quota_count,
		.name = sim_job_find(&bench->sim->region.world,
				     training ? SIM_TRAINING : SIM_PROCESSING, said.name)
				? NAME_TAKEN
				: NAME_FREE,
	};
	return request_check(request, &known, bench->findings, err);
}

static size_t count_like(const struct findings *findings, const struct finding *wanted, bool same)
{
	size_t count = 0;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		bool equal = strcmp(finding->path, wanted->path) == 0 &&
			     strcmp(finding->message, wanted->message) == 0;
		count += strcmp(finding->rule, wanted->rule) == 0 && (equal || !same);
	}
	return count;
}

/* What a key does about a finding makes that finding go. Where an entry goes, the next one may take
 * its place and its finding: then there is one less of the rule. */
static void fix(struct bench *bench, const struct request *request, const struct finding *finding)
{
	size_t before = count_like(bench->findings, finding, false);
	struct request fixed = { .kind = request->kind, .text = mem_copy_text(request->text) };
	struct err err = { 0 };
	bench->fixes++;
	if (!request_apply_fix(&fixed, finding, &err) || !check(bench, &fixed, &err) ||
	    (count_like(bench->findings, finding, true) > 0 &&
	     count_like(bench->findings, finding, false) >= before))
		fail_msg("%s at %s: %s\n%s %s\n%s\n%s", finding->rule, finding->path,
			 finding->message, finding->fix_text, err_text(&err), request->text,
			 fixed.text);
	err_clear(&err);
	request_release(&fixed);
}

/* One of the findings by lot. */
static void try_fix(struct bench *bench, const struct request *request)
{
	size_t count = bench->findings->count;
	if (!request->text || count == 0)
		return;
	struct finding finding = bench->findings->items[bench->verdicts.compared % count];
	if (finding.fix != FIX_NONE)
		fix(bench, request, &finding);
}

/* One request to both sides. */
static void compare(struct bench *bench, enum job_kind kind, const char *text, const char *how)
{
	struct request request = { 0 };
	struct err err = { 0 };
	char from[128];
	bool training = kind == JOB_TRAINING;
	if (request_read(&request, text, strlen(text), "FILE", &kind, bench->findings, &err) &&
	    !check(bench, &request, &err))
		fail_msg("%s\n%s", err_text(&err), text);
	int status = simregion_call(bench->sim,
				    training ? "CreateTrainingJob" : "CreateProcessingJob", text);
	snprintf(from, sizeof(from), "seed %u, sequence %lu, %s", bench->seed, bench->sequence,
		 how);
	verdicts_take(&bench->verdicts, bench->findings, status, simregion_body(bench->sim), text,
		      from);
	struct request_facts said;
	if (status == 200 && request.text && request_facts(&request, &said, &err))
		snprintf(bench->taken[kind], JOB_NAME_SIZE, "%.63s", said.name);
	try_fix(bench, &request);
	err_clear(&err);
	request_release(&request);
}

/* A draft as X would send it; now and then under another name (--name). */
static void compare_draft(struct bench *bench, struct fakeui *fake, uint32_t *seed)
{
	static const char *const odd[] = { "-a", "a_b", "a b", "a-" };
	const struct job *job = ui_selected(&fake->ui);
	const struct draft *draft = draft_edit(&fake->ui, job);
	struct request request = { 0 };
	struct err err = { 0 };
	char copy[JOB_NAME_SIZE];
	fake->wall_ms += 1000;
	bench->drafts++;
	job_copy_name(job->name, fake->wall_ms, copy);
	bool renamed = anytext_random(seed) % 8 == 0;
	uint32_t lot = anytext_random(seed) % 8;
	const char *name = !renamed ? copy : lot < 4 ? odd[lot] : bench->taken[job->kind];
	if (draft_request(draft, name, false, &request, &err))
		compare(bench, job->kind, request.text, renamed ? "another name" : "keys");
	else
		bench->not_composed++; /* an empty list, say: X says why */
	err_clear(&err);
	request_release(&request);
}

static void copy_plans(const struct bench *bench, struct fakeui *fake)
{
	struct plan *plans = mem_new(bench->listed_count + 1, sizeof(*plans));
	for (size_t i = 0; i < bench->listed_count; i++) {
		plans[i] = bench->listed[i];
		plans[i].arn = mem_copy_text(bench->listed[i].arn);
		plans[i].status =
			bench->listed[i].status ? mem_copy_text(bench->listed[i].status) : NULL;
		plans[i].status_message = NULL;
		plans[i].windows = NULL;
		plans[i].window_count = 0;
	}
	store_take_plans(&fake->store, plans, bench->listed_count);
}

static void press_keys(struct bench *bench, const struct job *job, uint32_t *seed)
{
	struct fakeui fake;
	unsigned keys = 0, next = COMPARE_EVERY;
	fakeui_start(&fake, &preferences_pane);
	fake.wall_ms += (int64_t)bench->sequence * 60000; /* names of its own */
	copy_plans(bench, &fake);
	fakeui_select(&fake, job);
	while (keys < KEYS) {
		keys += wildkeys_press(&fake, seed);
		if (keys < next)
			continue;
		compare_draft(bench, &fake, seed);
		next = keys + COMPARE_EVERY;
	}
	bench->keys += keys;
	bench->sequences++;
	fakeui_stop(&fake);
}

/* As the program reads a description; the pane shows a job only then. */
static void edit(struct bench *bench, const struct wild *wild, uint32_t *seed)
{
	struct job job = { 0 };
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, REQUEST_MAX);
	wild_add_describe(wild, &text);
	if (jobs_decode_describe(wild->kind, buf_text(&text), text.len, &job, &err)) {
		if (!job.request_json)
			job.request_json = mem_copy_text(buf_text(&text));
		press_keys(bench, &job, seed);
	}
	job_release(&job);
	err_clear(&err);
	buf_release(&text);
}

/* The same as a file of the user, whole or damaged. */
static void bring(struct bench *bench, struct wild *wild)
{
	struct buf text;
	buf_init(&text, REQUEST_MAX);
	wild_add_request(wild, &text);
	if (wild_roll(wild, 12) == 0) {
		char *damaged = wild_damage(wild, buf_text(&text));
		compare(bench, wild->kind, damaged, "a damaged file");
		free(damaged);
	} else {
		compare(bench, wild->kind, buf_text(&text), "a file");
	}
	buf_release(&text);
}

static void run_sequence(struct bench *bench)
{
	char name[32];
	struct wild wild;
	uint32_t seed = (bench->seed * 100003u + (uint32_t)bench->sequence * 7919u) | 1u;
	for (int i = 0; i < 4; i++)
		(void)anytext_random(&seed);
	if (bench->sequence % REGION_COUNT == 0)
		renew_region(bench);
	snprintf(name, sizeof(name), "wild-%lu", bench->sequence);
	wild_init(&wild, seed, name, bench->plans, bench->plan_count);
	bring(bench, &wild);
	edit(bench, &wild, &seed);
	wild_release(&wild);
	bench->sequence++;
}

/* The long form is that of the promise; the short one asks for its share of each rule. */
struct form {
	unsigned long sequences, hits;
};

static void report(const struct bench *bench, const struct form *form)
{
	printf("check and the region, seed %u: %lu of %lu sequences of %d keys, %lu keys in all\n",
	       bench->seed, bench->sequences, form->sequences, KEYS, bench->keys);
	verdicts_print(&bench->verdicts);
	printf("fixes that made their finding go: %lu of %lu\n", bench->fixes, bench->fixes);
	printf("wanted: each rule %lu times on each side, %d %% ok; X composed no request of %lu "
	       "of %lu drafts\n",
	       form->hits, OK_PERCENT, bench->not_composed, bench->drafts);
}

static void check__and_the_region__never_disagree(void **state)
{
	struct form form = { SHORT_COUNT, LONG_HITS * SHORT_COUNT / LONG_COUNT };
	struct bench bench = { .seed = (uint32_t)soak_seed(5),
			       .findings = mem_new(1, sizeof(struct findings)) };
	const struct verdicts *verdicts = &bench.verdicts;
	(void)state;
	if (soak_seconds(0) > 0)
		form = (struct form){ LONG_COUNT, LONG_HITS };
	while (bench.sequences < form.sequences)
		run_sequence(&bench);
	report(&bench, &form);
	simregion_free(bench.sim);
	plan_list_free(bench.listed, bench.listed_count);
	free(bench.quotas);
	free(bench.findings);
	assert_int_equal(verdicts->ok_refused, 0);
	assert_int_equal(verdicts->error_accepted, 0);
	assert_int_equal(verdicts->other_reason, 0);
	const char *rare = verdicts_rare(verdicts, form.hits);
	if (rare)
		fail_msg("%s comes too seldom", rare);
	assert_true(verdicts->ok * 100 >= verdicts->compared * OK_PERCENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check__and_the_region__never_disagree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

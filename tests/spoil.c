#include "tests/spoil.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/store_prices.h"
#include "model/store_quotas.h"

#define MINUTE       INT64_C(60000)
#define HOUR         (60 * MINUTE)
#define PLANS        4
#define LINES        30
#define STREAMS      3
#define REQUEST_MAX_ (256u << 10)
#define CONFIG_MAX_  (64u << 10)

static uint32_t lot(struct spoil *spoil, uint32_t below)
{
	return hostile_lot(&spoil->hostile, below);
}

static const char *next(struct spoil *spoil)
{
	return hostile_next(&spoil->hostile, HOSTILE_SIZE);
}

void spoil_err(struct spoil *spoil, struct err *err)
{
	*err = (struct err){ 0 };
	err_set(err, (enum err_code)(ERR_IO + lot(spoil, ERR_USAGE)), "%s", next(spoil));
	err_subject(err, "%s", next(spoil));
	hostile_put(&spoil->hostile, err->aws_code, sizeof(err->aws_code));
	hostile_put(&spoil->hostile, err->request_id, sizeof(err->request_id));
	err->http_status = 400;
	err->hint = HINT_RETRY_LATER;
	err->outcome_open = lot(spoil, 2);
}

/* --- requests --- */

/* A string of JSON as an answer may have it: its escapes are right, its bytes are not. */
static void add_string(struct spoil *spoil, struct buf *out)
{
	const char *text = next(spoil);

	(void)buf_add_char(out, '"');
	for (; *text && out->len + 64 < REQUEST_MAX_; text++) {
		unsigned char byte = (unsigned char)*text;
		if (byte == '"' || byte == '\\')
			(void)buf_addf(out, "\\%c", byte);
		else if (byte < ' ')
			(void)buf_addf(out, "\\u%04x", byte);
		else
			(void)buf_add_char(out, *text);
	}
	(void)buf_add_char(out, '"');
}

static void add_member(struct spoil *spoil, struct buf *out, const char *name)
{
	(void)buf_addf(out, ",\"%s\":", name);
	add_string(spoil, out);
}

static void add_map(struct spoil *spoil, struct buf *out, const char *name)
{
	(void)buf_addf(out, ",\"%s\":{", name);
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			(void)buf_add_char(out, ',');
		add_string(spoil, out);
		(void)buf_add_char(out, ':');
		add_string(spoil, out);
	}
	(void)buf_add_char(out, '}');
}

static char *make_request(struct spoil *spoil)
{
	struct buf out;

	buf_init(&out, REQUEST_MAX_);
	(void)buf_add_text(&out, "{\"TrainingJobName\":");
	add_string(spoil, &out);
	add_member(spoil, &out, "RoleArn");
	add_map(spoil, &out, "HyperParameters");
	add_map(spoil, &out, "Environment");
	(void)buf_add_text(&out, ",\"AlgorithmSpecification\":{\"TrainingInputMode\":\"File\"");
	add_member(spoil, &out, "TrainingImage");
	(void)buf_add_text(&out, "},\"OutputDataConfig\":{\"CompressionType\":\"NONE\"");
	add_member(spoil, &out, "S3OutputPath");
	(void)buf_add_text(&out, "},\"ResourceConfig\":{\"VolumeSizeInGB\":50,"
				 "\"InstancePreferences\":[{\"InstanceCount\":1");
	add_member(spoil, &out, "InstanceType");
	(void)buf_add_text(&out, "},{\"InstanceType\":\"ml.g5.xlarge\",\"InstanceCount\":2}]},"
				 "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"
				 "\"Tags\":[{\"Key\":");
	add_string(spoil, &out);
	add_member(spoil, &out, "Value");
	(void)buf_add_text(&out, "}],\"FinalMetricDataList\":[{\"Value\":0.5,\"Timestamp\":"
				 "1796071688");
	add_member(spoil, &out, "MetricName");
	(void)buf_add_text(&out, "}]");
	add_member(spoil, &out, lot(spoil, 2) ? "TuningJobArn" : "NewMember");
	(void)buf_add_char(&out, '}');
	return buf_take(&out);
}

/* --- jobs --- */

static void spoil_list(struct spoil *spoil, struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		struct preference *entry = &prefs->entries[i];
		if (lot(spoil, 2))
			hostile_put(&spoil->hostile, entry->instance_type, TYPE_NAME_SIZE);
		if (lot(spoil, 3) == 0)
			hostile_put(&spoil->hostile, entry->plan_arn, PLAN_ARN_SIZE);
		if (entry->group[0])
			hostile_put(&spoil->hostile, entry->group, sizeof(entry->group));
	}
	if (lot(spoil, 8) == 0)
		hostile_put(&spoil->hostile, prefs->job_plan_arn, PLAN_ARN_SIZE);
}

static void spoil_way(struct spoil *spoil, struct job *job)
{
	for (size_t i = 0; i < job->transition_count; i++) {
		struct transition one = job_transition(job, i);
		char *status = mem_copy_text(one.status), *message = NULL;
		if (lot(spoil, 3) == 0)
			hostile_set(&spoil->hostile, &status);
		hostile_set(&spoil->hostile, &message);
		one.status = status;
		one.message = message;
		struct kept_transition spoilt = transition_keep(&one);
		free(job->transitions[i].words);
		job->transitions[i] = spoilt;
		free(status);
		free(message);
	}
	if (lot(spoil, 3) == 0) {
		hostile_set(&spoil->hostile, &job->pool.status);
		hostile_set(&spoil->hostile, &job->pool.reused_by);
	}
}

static struct tag_list *make_tags(struct spoil *spoil)
{
	char *texts[6];
	struct tag tags[3];

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		texts[i] = mem_copy_text(hostile_next(&spoil->hostile, TAG_KEY_SIZE - 1));
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		tags[i] = (struct tag){ texts[2 * i], texts[2 * i + 1] };
	struct tag_list *list = tag_list_new(tags, ARRAY_LEN(tags));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
	return list;
}

static void spoil_job(struct spoil *spoil, struct job *job)
{
	struct hostile *hostile = &spoil->hostile;

	hostile_put(hostile, job->name, sizeof(job->name));
	/* The words that tell its phase stay, mostly. */
	if (lot(spoil, 6) == 0)
		hostile_set(hostile, &job->status);
	if (lot(spoil, 6) == 0)
		hostile_set(hostile, &job->secondary_status);
	hostile_set(hostile, &job->status_message);
	hostile_set(hostile, &job->failure_reason);
	hostile_set(hostile, &job->role_arn);
	hostile_set(hostile, &job->image);
	if (job->selected.set && lot(spoil, 3) == 0)
		hostile_put(hostile, job->selected.instance_type, TYPE_NAME_SIZE);
	spoil_list(spoil, job_edit_prefs(job));
	spoil_way(spoil, job);
	free(job->tags);
	job->tags = make_tags(spoil);
	free(job->request_json);
	job->request_json = make_request(spoil);
}

/* Those of the sample, and one whose ARN is hostile, too. */
static void spoil_jobs(struct spoil *spoil, struct store *store)
{
	struct job job = { 0 };
	size_t keep = 3 + lot(spoil, 4);

	while (store->count > keep)
		store_forget(store, store_at(store, lot(spoil, (uint32_t)store->count))->arn);
	job_copy(&job, store_at(store, 0));
	mem_set_text(&job.arn, next(spoil));
	if (job.arn[0])
		store_take_described(store, &job);
	job_release(&job);
	for (size_t i = 0; i < store->count; i++) {
		job_unshare(store->jobs[i], &store->shares);
		spoil_job(spoil, store->jobs[i]);
		job_share(store->jobs[i], &store->shares);
	}
}

/* --- what is known beside them --- */

static void spoil_plans(struct spoil *spoil, struct sample *sample)
{
	struct plan *plans = mem_new(PLANS, sizeof(*plans));

	for (size_t i = 0; i < PLANS; i++) {
		struct plan *plan = &plans[i];
		struct plan_window window = { .start = { true, sample->wall_ms - HOUR },
					      .end = { true, sample->wall_ms + HOUR } };
		plan->arn = mem_copy_text(next(spoil));
		plan->status = mem_copy_text("Active");
		hostile_set(&spoil->hostile, &plan->status);
		hostile_set(&spoil->hostile, &plan->status_message);
		hostile_put(&spoil->hostile, plan->name, sizeof(plan->name));
		text_copy_cut(plan->instance_type, TYPE_NAME_SIZE, "ml.p5.48xlarge");
		hostile_put(&spoil->hostile, plan->instance_type,
			    lot(spoil, 2) ? TYPE_NAME_SIZE : 1);
		hostile_put(&spoil->hostile, plan->targets, sizeof(plan->targets));
		hostile_put(&spoil->hostile, plan->currency, sizeof(plan->currency));
		hostile_put(&spoil->hostile, window.status, sizeof(window.status));
		hostile_put(&spoil->hostile, window.zone, sizeof(window.zone));
		plan->fee = (struct money){ true, 1000000 };
		plan->targets_known = true;
		plan->for_training = lot(spoil, 4) > 0;
		plan->total = (struct opt_count){ true, 4 };
		plan_add_window(plan, &window);
	}
	store_take_plans(&sample->store, plans, PLANS);
	store_note_loaded(&sample->store, SOURCE_PLANS, sample->mono_ms);
}

static void spoil_quotas(struct spoil *spoil, struct sample *sample)
{
	struct store *store = &sample->store;

	for (size_t i = 0; i < store->count; i++) {
		const struct preferences *prefs = job_prefs(store_at(store, i));
		const char *type = prefs->entries[0].instance_type;
		struct err err;

		if (prefs->length == 0 || !type[0])
			continue;
		if (lot(spoil, 2))
			store_take_quota(store, type, QUOTA_TRAINING, lot(spoil, 9), false,
					 sample->wall_ms, sample->mono_ms);
		if (lot(spoil, 3) > 0)
			continue;
		spoil_err(spoil, &err);
		store_note_quota_failed(store, type, QUOTA_TRAINING, &err, sample->mono_ms + HOUR);
		err_clear(&err);
	}
}

static void spoil_sources(struct spoil *spoil, struct sample *sample)
{
	struct store *store = &sample->store;
	struct err err;

	for (int i = 0; i < SOURCE_COUNT; i++) {
		if (lot(spoil, 4) > 0)
			continue;
		spoil_err(spoil, &err);
		store_note_failed(store, (enum source_id)i, &err, sample->mono_ms + MINUTE);
		err_clear(&err);
	}
	for (size_t i = 0; i < store->count; i++) {
		if (lot(spoil, 3) > 0)
			continue;
		spoil_err(spoil, &err);
		store_note_job_failed(store, store_at(store, i)->arn, &err,
				      sample->mono_ms + MINUTE);
		err_clear(&err);
	}
	if (lot(spoil, 3) == 0) {
		spoil_err(spoil, &err);
		store_note_prices_failed(store, JOB_TRAINING, &err, sample->mono_ms + HOUR);
		err_clear(&err);
	}
}

static void spoil_past(struct spoil *spoil, struct sample *sample)
{
	struct store *store = &sample->store;

	sample_record(sample); /* with their names, roles and tags as they are by now */
	for (size_t i = 0; i < store->count; i++) {
		const struct job *job = store_at(store, i);
		history_set_note(&store->history, job->kind, job->name, next(spoil));
		if (job_prefs(job)->length > 0)
			history_refuse(&store->history, job_prefs(job)->entries[0].instance_type,
				       sample->wall_ms);
	}
	if (lot(spoil, 2))
		hostile_set(&spoil->hostile, &store->history.trouble);
	if (lot(spoil, 2))
		hostile_set(&spoil->hostile, &store->history.notice);
}

/* --- the place, and the operator's own lists --- */

static void spoil_place(struct spoil *spoil, struct sample *sample)
{
	struct view_env *env = &sample->env;
	const char **const members[SPOIL_PLACES] = { &env->region, &env->account, &env->profile,
						     &env->role, &env->endpoint };

	for (size_t i = 0; i < SPOIL_PLACES; i++) {
		spoil->places[i] = mem_copy_text(next(spoil));
		if (lot(spoil, 3) == 0)
			*members[i] = spoil->places[i];
	}
}

/* A name and a text with neither line end nor bracket in it: else it is another file. */
static void add_config_text(struct spoil *spoil, struct buf *out)
{
	for (const char *at = hostile_next(&spoil->hostile, 200); *at; at++)
		(void)buf_add_char(out, strchr("\r\n[]", *at) ? '.' : *at);
}

static void spoil_config(struct spoil *spoil, struct sample *sample)
{
	struct buf text;
	struct err err = { 0 };

	buf_init(&text, CONFIG_MAX_);
	for (int i = 0; i < 3; i++) {
		(void)buf_add_text(&text, "[list ");
		add_config_text(spoil, &text);
		(void)buf_add_text(&text, "]\nprefs = ");
		if (i == 0)
			(void)buf_add_text(&text, "ml.p5.48xlarge:2,ml.g5.48xlarge:1");
		else
			add_config_text(spoil, &text);
		(void)buf_add_char(&text, '\n');
	}
	if (config_read(&spoil->config, "gpuq.ini", buf_text(&text), text.len, &err))
		sample->env.config = &spoil->config;
	err_clear(&err);
	buf_release(&text);
}

void spoil_sample(struct spoil *spoil, struct sample *sample)
{
	sample_fill(sample);
	spoil_jobs(spoil, &sample->store);
	spoil_plans(spoil, sample);
	spoil_quotas(spoil, sample);
	spoil_sources(spoil, sample);
	spoil_past(spoil, sample);
	spoil_place(spoil, sample);
	spoil_config(spoil, sample);
}

void spoil_release(struct spoil *spoil)
{
	for (size_t i = 0; i < SPOIL_PLACES; i++)
		free(spoil->places[i]);
	config_release(&spoil->config);
	*spoil = (struct spoil){ .hostile.seed = spoil->hostile.seed,
				 .hostile.count = spoil->hostile.count };
}

/* --- of one job --- */

static void spoil_tags(struct spoil *spoil, struct sample *sample)
{
	struct job_tags seen = { 0 };

	tags_look_at(&sample->store.tags, sample->selected);
	for (int i = 0; i < 4; i++) {
		char *key = mem_copy_text(next(spoil));
		tags_add(&seen, key, next(spoil));
		free(key);
	}
	tags_take(&sample->store.tags, &seen, sample->mono_ms);
	tags_release(&seen);
}

static void spoil_logs(struct spoil *spoil, struct sample *sample)
{
	struct job_logs *logs = &sample->store.logs;

	job_logs_look_at(logs, sample->selected);
	for (int i = 0; i < STREAMS; i++)
		(void)job_logs_stream(logs, next(spoil));
	logs->listed = true;
	for (int i = 0; i < LINES && logs->count > 0; i++) {
		const char *text = next(spoil);
		log_lines_append(&logs->lines, lot(spoil, (uint32_t)logs->count),
				 sample->wall_ms + i, text, strlen(text));
	}
	log_lines_settle(&logs->lines);
	job_logs_loaded(logs, sample->mono_ms);
}

static void spoil_metrics(struct spoil *spoil, struct sample *sample)
{
	struct job_metrics *metrics = &sample->store.metrics, seen = { .span = METRIC_3H };
	const struct job *job = store_find(&sample->store, sample->selected);
	struct err err;

	metrics_look_at(metrics, sample->selected, METRIC_3H);
	if (job && metrics_begin(&seen, job, sample->wall_ms)) {
		for (int64_t slot = 0; slot < METRIC_SLOTS; slot += 1 + lot(spoil, 3))
			metrics_put(&seen, 0, METRIC_CPU,
				    seen.window.start_ms + slot * seen.window.period_ms,
				    lot(spoil, 900));
		metrics_take(metrics, &seen, sample->mono_ms);
	}
	metrics_release(&seen);
	if (lot(spoil, 2))
		return;
	spoil_err(spoil, &err);
	metrics_fail(metrics, &err, sample->mono_ms + MINUTE);
	err_clear(&err);
}

void spoil_selected(struct spoil *spoil, struct sample *sample)
{
	if (!sample->selected[0])
		return;
	spoil_tags(spoil, sample);
	spoil_logs(spoil, sample);
	spoil_metrics(spoil, sample);
}

struct draft *spoil_draft(struct spoil *spoil)
{
	struct err err = { 0 };
	struct draft_parts parts = { .id = "20261130-140200-1", .origin = DRAFT_FILE };

	parts.document = make_request(spoil);
	parts.source = mem_copy_text(next(spoil));
	parts.note = mem_copy_text(hostile_next(&spoil->hostile, DRAFT_NOTE_SIZE));
	hostile_put(&spoil->hostile, parts.name, sizeof(parts.name));
	hostile_put(&spoil->hostile, parts.source_name, sizeof(parts.source_name));
	if (lot(spoil, 2)) {
		hostile_put(&spoil->hostile, parts.refused_as, sizeof(parts.refused_as));
		spoil_err(spoil, &parts.refusal);
	}
	parts.list.prefs = (struct preferences){ .is_list = true, .length = 2 };
	for (size_t i = 0; i < parts.list.prefs.length; i++) {
		struct preference *entry = &parts.list.prefs.entries[i];
		text_copy_cut(entry->instance_type, TYPE_NAME_SIZE, "ml.g5.xlarge");
		hostile_put(&spoil->hostile, entry->instance_type, TYPE_NAME_SIZE);
		entry->has_count = true;
		entry->count = 1;
	}
	parts.original = parts.list;
	struct draft *draft = draft_restore(&parts, &err);
	free(parts.document);
	free(parts.source);
	free(parts.note);
	err_clear(&parts.refusal);
	err_clear(&err);
	return draft;
}

#include "model/history.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

#define INDEX_MIN 256
#define TAG_MAX   (TAG_KEY_SIZE + TAG_VALUE_SIZE)

void history_release(struct history *history)
{
	if (!history)
		return;
	texts_release(&history->texts);
	free(history->jobs);
	free(history->index);
	free(history->tags);
	free(history->refusals);
	free(history->notes);
	free(history->trouble);
	free(history->notice);
	*history = (struct history){ 0 };
}

uint64_t history_key(const char *arn)
{
	return hash_text(arn);
}

/* The slot that holds the key, or the free one where it would go. The index is never full. */
static size_t find_slot(const struct history *history, uint64_t key)
{
	size_t mask = history->index_size - 1, slot = (size_t)key & mask;

	while (history->index[slot] && history->jobs[history->index[slot] - 1].key != key)
		slot = (slot + 1) & mask;
	return slot;
}

static void index_grow(struct history *history)
{
	if (history->index_size >= 2 * (history->count + 1))
		return;
	free(history->index);
	history->index_size = history->index_size ? history->index_size * 2 : INDEX_MIN;
	history->index = mem_new(history->index_size, sizeof(*history->index));
	for (size_t i = 0; i < history->count; i++)
		history->index[find_slot(history, history->jobs[i].key)] = (uint32_t)i + 1;
}

const struct history_job *history_find(const struct history *history, uint64_t key)
{
	uint32_t at = history->index_size ? history->index[find_slot(history, key)] : 0;

	return at ? &history->jobs[at - 1] : NULL;
}

void history_put(struct history *history, const struct history_job *job)
{
	size_t slot;

	index_grow(history);
	slot = find_slot(history, job->key);
	if (!history->index[slot] && history->count >= HISTORY_JOBS_MAX)
		return;
	if (!history->index[slot]) {
		history->jobs = mem_grow(history->jobs, &history->capacity, history->count + 1,
					 sizeof(*history->jobs));
		history->index[slot] = (uint32_t)++history->count;
	}
	history->jobs[history->index[slot] - 1] = *job;
	history->version++;
}

uint32_t history_add_tags(struct history *history, const struct tag *tags, size_t count)
{
	uint32_t at = (uint32_t)history->tags_count;

	history->tags = mem_grow(history->tags, &history->tags_capacity,
				 history->tags_count + count, sizeof(*history->tags));
	for (size_t i = 0; i < count; i++) {
		struct buf text;

		buf_init(&text, TAG_MAX);
		buf_addf(&text, "%s=%s", tags[i].key, tags[i].value ? tags[i].value : "");
		history->tags[history->tags_count++] = texts_add(&history->texts, buf_text(&text));
		buf_release(&text);
	}
	return at;
}

static bool has_tag(const struct history *history, const struct history_job *job, const char *text)
{
	for (size_t i = 0; i < job->tag_count; i++) {
		const char *known = texts_at(&history->texts, history->tags[job->tag_at + i]);

		if (known && strcmp(known, text) == 0)
			return true;
	}
	return false;
}

/* In whatever order they were kept. */
static bool same_tags(const struct history *history, const struct history_job *known,
		      const struct tag *tags, size_t count)
{
	struct buf text;
	bool same = known && known->tag_count == count;

	buf_init(&text, TAG_MAX);
	for (size_t i = 0; same && i < count; i++) {
		buf_clear(&text);
		buf_addf(&text, "%s=%s", tags[i].key, tags[i].value ? tags[i].value : "");
		same = has_tag(history, known, buf_text(&text));
	}
	buf_release(&text);
	return same;
}

static void take_tags(struct history *history, struct history_job *job, const struct tag_list *tags)
{
	const struct history_job *known = history_find(history, job->key);

	if (known && (!tags || same_tags(history, known, tags->items, tags->count))) {
		job->tag_at = known->tag_at;
		job->tag_count = known->tag_count;
	} else if (tags) { /* TAG_LIST_MAX fits */
		job->tag_at = history_add_tags(history, tags->items, tags->count);
		job->tag_count = (uint8_t)tags->count;
	}
}

static void take_entries(struct history *history, struct history_job *out, const struct job *job)
{
	const struct preferences *prefs = job_prefs(job);
	size_t length = prefs->length < PREFS_MAX ? prefs->length : PREFS_MAX;
	int64_t count;

	for (size_t i = 0; i < length; i++) {
		out->types[i] = texts_add(&history->texts, prefs->entries[i].instance_type);
		if (prefs_count(prefs, i, &count) && count > 0 && count <= PREFS_COUNT_MAX)
			out->counts[i] = (int32_t)count;
		if (prefs_plan(prefs, i)[0] || prefs_has_unplaced_plan(prefs))
			out->on_plan |= (uint8_t)(1u << i);
	}
	out->entry_count = (uint8_t)length;
	out->rank =
		job->selected.set && job->selected.rank <= length ? (uint8_t)job->selected.rank : 0;
	if (out->rank > 0 && prefs_plan(prefs, out->rank - 1)[0])
		out->plan = texts_add(&history->texts, prefs_plan(prefs, out->rank - 1));
}

static void take_figures(struct history_job *out, const struct history_figures *figures)
{
	out->outcome = (uint8_t)figures->outcome;
	out->has_wait = figures->wait.set;
	out->wait_ms = figures->wait.ms;
	out->wait_final = figures->wait_final;
	out->has_first_wait = figures->first_wait.set;
	out->first_wait_ms = figures->first_wait.ms;
	out->has_run = figures->run.set;
	out->run_ms = figures->run.ms;
}

static void take_cost(struct history *history, struct history_job *out,
		      const struct history_figures *figures)
{
	const struct history_job *known = history_find(history, out->key);
	enum price_source found = figures->cost.set ? figures->price_source : PRICE_NONE;

	if (known && known->has_cost &&
	    !price_replaces(known->has_ended, (enum price_source)known->price_source, found)) {
		out->has_cost = true;
		out->cost_micro = known->cost_micro;
		out->price_source = known->price_source;
		out->currency = known->currency;
		return;
	}
	out->has_cost = figures->cost.set;
	out->cost_micro = figures->cost.micro;
	out->price_source = (uint8_t)figures->price_source;
	out->currency = texts_add(&history->texts, figures->currency[0] ? figures->currency : NULL);
}

void history_take(struct history *history, const struct job *job,
		  const struct history_figures *figures)
{
	char stem[JOB_NAME_SIZE];
	struct history_job out = {
		.key = history_key(job->arn),
		.created_ms = job->created.ms,
		.has_created = job->created.set,
		.kind = (uint8_t)job->kind,
		.phase = (uint8_t)job_phase(job),
		.is_list = job_prefs(job)->is_list,
		.has_groups = job->has_groups,
		.spot = job->spot,
		.has_details = job_has_details(job),
	};
	struct opt_ms end = job->ended.set ? job->ended : job->modified;
	const struct history_job *known = history_find(history, out.key);

	if (known && known->has_details && !out.has_details)
		return; /* as the file keeps it: a list alone does not tell as much */
	job_stem(job->name, stem);
	out.has_ended = job_has_ended(job) && end.set;
	out.ended_ms = out.has_ended ? end.ms : 0;
	out.name = texts_add(&history->texts, job->name);
	out.stem = texts_add(&history->texts, stem);
	out.role = texts_add(&history->texts, job->role_arn);
	take_entries(history, &out, job);
	take_figures(&out, figures);
	take_cost(history, &out, figures);
	take_tags(history, &out, job->tags);
	history_put(history, &out);
}

void history_add_refusal(struct history *history, const struct history_refusal *refusal)
{
	if (history->refusal_count == HISTORY_REFUSALS_MAX) {
		history->refusal_count--;
		memmove(history->refusals, history->refusals + 1,
			history->refusal_count * sizeof(*history->refusals));
	}
	history->refusals = mem_grow(history->refusals, &history->refusal_capacity,
				     history->refusal_count + 1, sizeof(*history->refusals));
	history->refusals[history->refusal_count++] = *refusal;
}

static struct history_refusal *last_refusal(const struct history *history, uint32_t type)
{
	for (size_t i = history->refusal_count; type && i-- > 0;) {
		if (history->refusals[i].type == type)
			return &history->refusals[i];
	}
	return NULL;
}

const struct history_refusal *history_last_refusal(const struct history *history,
						   const char *instance_type)
{
	return last_refusal(history, texts_find(&history->texts, instance_type));
}

void history_refuse(struct history *history, const char *instance_type, int64_t at_ms)
{
	uint32_t type = texts_add(&history->texts, instance_type);
	struct history_refusal *last = last_refusal(history, type);

	if (last && at_ms >= last->until_ms && at_ms - last->until_ms <= HISTORY_REFUSAL_GAP_MS)
		last->until_ms = at_ms;
	else if (!last || at_ms > last->until_ms)
		history_add_refusal(history, &(struct history_refusal){ type, at_ms, at_ms });
}

static struct history_note *find_note(const struct history *history, enum job_kind kind,
				      const char *name)
{
	uint32_t number = texts_find(&history->texts, name);

	for (size_t i = history->note_count; number && i-- > 0;) {
		if (history->notes[i].name == number && history->notes[i].kind == kind)
			return &history->notes[i];
	}
	return NULL;
}

static void put_note(struct history *history, enum job_kind kind, const char *name,
		     const char *text, uint64_t revision)
{
	const struct history_note note = { .kind = kind,
					   .name = texts_add(&history->texts, name),
					   .text = texts_add(&history->texts, text),
					   .revision = revision };
	struct history_note *known = find_note(history, kind, name);

	if (known) {
		*known = note;
		return;
	}
	if (history->note_count == HISTORY_NOTES_MAX) {
		history->note_count--;
		memmove(history->notes, history->notes + 1,
			history->note_count * sizeof(*history->notes));
	}
	history->notes = mem_grow(history->notes, &history->note_capacity, history->note_count + 1,
				  sizeof(*history->notes));
	history->notes[history->note_count++] = note;
}

void history_set_note(struct history *history, enum job_kind kind, const char *name,
		      const char *text)
{
	put_note(history, kind, name, text, ++history->version);
}

void history_add_note(struct history *history, enum job_kind kind, const char *name,
		      const char *text)
{
	put_note(history, kind, name, text, 0);
}

const char *history_note(const struct history *history, enum job_kind kind, const char *name)
{
	const struct history_note *note = find_note(history, kind, name);

	return note ? texts_at(&history->texts, note->text) : NULL;
}

bool history_observe(const struct history *history, size_t i, struct observation *out)
{
	const struct history_job *job = &history->jobs[i];
	const struct texts *texts = &history->texts;

	if (!job->has_details || !job->has_first_wait || !job->has_created || job->entry_count == 0)
		return false;
	*out = (struct observation){
		.name = texts_at(texts, job->name),
		.stem = texts_at(texts, job->stem),
		.kind = (enum job_kind)job->kind,
		.spot = job->spot,
		.has_groups = job->has_groups,
		.outcome = (enum wait_outcome)job->outcome,
		.entry_count = job->entry_count,
		.chosen_rank = job->rank,
		.submitted_at_ms = job->created_ms,
		.wait_ms = job->first_wait_ms,
		.run = { .set = job->has_run, .ms = job->run_ms },
		.completed = job->phase == PHASE_COMPLETED,
		.cost = { .set = job->has_cost && job->has_ended, .micro = job->cost_micro },
		.currency = texts_at(texts, job->currency),
	};
	for (size_t k = 0; k < job->entry_count; k++)
		out->entries[k] = (struct observation_entry){
			.instance_type = texts_at(texts, job->types[k]),
			.count = job->counts[k],
			.on_plan = (job->on_plan & (1u << k)) != 0,
		};
	return true;
}

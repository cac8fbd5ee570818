#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/history_db_parts.h"
#include "model/base/mem.h"

#define TEXTS_MAX (1u << 22) /* a number beyond is no text's */

/* What the file calls a text by number, as they were all read at once. */
struct names {
	char **items; /* owned; by number */
	size_t count, capacity;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct names){ 0 };
}

static const char *name_at(const struct names *names, int64_t number)
{
	return number > 0 && (uint64_t)number < names->count ? names->items[number] : NULL;
}

static void set_name(struct names *names, size_t number, const char *text)
{
	names->items = mem_grow(names->items, &names->capacity, number + 1, sizeof(*names->items));
	while (names->count <= number)
		names->items[names->count++] = NULL;
	mem_set_text(&names->items[number], text);
}

static bool read_names(struct history_db *db, struct names *names, struct err *err)
{
	struct sql_query *query = sql_query_new(db->sql, "SELECT id,text FROM texts", err);

	*names = (struct names){ 0 };
	while (query && sql_next(query, err)) {
		int64_t number = sql_integer(query, 0);

		if (number > 0 && number < TEXTS_MAX)
			set_name(names, (size_t)number, sql_text(query, 1));
	}
	sql_query_free(query);
	return err->code == ERR_NONE;
}

static void copy_text(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text ? text : "");
}

static struct opt_ms time_at(struct sql_query *query, int column)
{
	return (struct opt_ms){ !sql_is_null(query, column), sql_integer(query, column) };
}

static size_t bounded(int64_t value, size_t most)
{
	return value > 0 && (uint64_t)value <= most ? (size_t)value : 0;
}

/* --- jobs as the lists show them --- */

static const char since_text[] =
	"SELECT id,arn,name,kind,status,secondary,role,created,started,ended,modified,details,"
	"indexed,is_list,shared_count,job_plan,selected_type,selected_count,selected_rank,groups,"
	"spot,keep_alive,max_pending,max_runtime,billable,training_time,capacity,pool_status,"
	"pool_reused,pool_retained,seen FROM jobs WHERE end_ms>=? ORDER BY end_ms DESC LIMIT ? "
	"OFFSET ?";

static bool read_entries(struct history_db *db, int64_t id, const struct names *names,
			 struct preferences *prefs, struct err *err)
{
	struct sql_query *query = history_query(db, QUERY_ENTRIES, err);

	if (!query)
		return false;
	sql_bind(query, 1, id);
	while (prefs->length < PREFS_KEEP_MAX && sql_next(query, err)) {
		struct preference *entry = &prefs->entries[prefs->length++];

		copy_text(entry->instance_type, sizeof(entry->instance_type),
			  name_at(names, sql_integer(query, 0)));
		entry->has_count = !sql_is_null(query, 1);
		entry->count = sql_integer(query, 1);
		copy_text(entry->plan_arn, sizeof(entry->plan_arn),
			  name_at(names, sql_integer(query, 2)));
		copy_text(entry->group, sizeof(entry->group),
			  name_at(names, sql_integer(query, 3)));
	}
	sql_reset(query);
	return err->code == ERR_NONE;
}

static bool read_transitions(struct history_db *db, int64_t id, const struct names *names,
			     struct job *job, struct err *err)
{
	struct sql_query *query = history_query(db, QUERY_TRANSITIONS, err);

	if (!query)
		return false;
	sql_bind(query, 1, id);
	while (sql_next(query, err)) {
		const char *status = name_at(names, sql_integer(query, 0));

		if (status)
			job_add_transition(job, status, name_at(names, sql_integer(query, 1)),
					   time_at(query, 2), time_at(query, 3));
	}
	sql_reset(query);
	return err->code == ERR_NONE;
}

static void read_list(struct sql_query *query, const struct names *names, struct job *job)
{
	struct preferences *prefs = job_edit_prefs(job);
	struct selected *selected = &job->selected;

	prefs->is_list = sql_integer(query, 13) != 0;
	prefs->has_shared_count = !sql_is_null(query, 14);
	prefs->shared_count = sql_integer(query, 14);
	copy_text(prefs->job_plan_arn, sizeof(prefs->job_plan_arn),
		  name_at(names, sql_integer(query, 15)));
	copy_text(selected->instance_type, sizeof(selected->instance_type),
		  name_at(names, sql_integer(query, 16)));
	selected->set = !sql_is_null(query, 17);
	selected->count = sql_integer(query, 17);
	selected->rank = bounded(sql_integer(query, 18), PREFS_KEEP_MAX);
	job->has_groups = sql_integer(query, 19) != 0;
	job->spot = sql_integer(query, 20) != 0;
}

/* An ended job is as it was; of a live one the state may be another by now, which a list or a
 * Describe will tell. */
static void read_job(struct sql_query *query, const struct names *names, struct job *job)
{
	job->kind = sql_integer(query, 3) == JOB_PROCESSING ? JOB_PROCESSING : JOB_TRAINING;
	mem_set_text(&job->arn, sql_text(query, 1));
	copy_text(job->name, sizeof(job->name), sql_text(query, 2));
	mem_set_text(&job->status, name_at(names, sql_integer(query, 4)));
	mem_set_text(&job->secondary_status, name_at(names, sql_integer(query, 5)));
	mem_set_text(&job->role_arn, name_at(names, sql_integer(query, 6)));
	job->created = time_at(query, 7);
	job->started = time_at(query, 8);
	job->ended = time_at(query, 9);
	job->modified = time_at(query, 10);
	job->described = sql_integer(query, 11) != 0 && job_has_ended(job);
	job->indexed = sql_integer(query, 12) != 0;
	job->keep_alive_seconds = sql_integer(query, 21);
	job->max_pending = time_at(query, 22);
	job->max_runtime = time_at(query, 23);
	job->billable = time_at(query, 24);
	job->training_time = time_at(query, 25);
	mem_set_text(&job->failure_reason, name_at(names, sql_integer(query, 26)));
	mem_set_text(&job->pool.status, name_at(names, sql_integer(query, 27)));
	mem_set_text(&job->pool.reused_by, name_at(names, sql_integer(query, 28)));
	job->pool.retained = time_at(query, 29);
	read_list(query, names, job);
}

struct loading {
	struct recorded *list;
	size_t count, capacity;
};

static bool read_row(struct history_db *db, struct sql_query *query, const struct names *names,
		     struct loading *loading, struct err *err)
{
	struct recorded *recorded;
	struct job *job;

	loading->list = mem_grow(loading->list, &loading->capacity, loading->count + 1,
				 sizeof(*loading->list));
	recorded = &loading->list[loading->count++];
	*recorded = (struct recorded){ .seen_ms = sql_integer(query, 30) };
	job = &recorded->job;
	read_job(query, names, job);
	if (!job->arn || !job->name[0] || !job->status) {
		recorded_release(&loading->list[--loading->count]);
		return true;
	}
	return read_entries(db, sql_integer(query, 0), names, job_edit_prefs(job), err) &&
	       read_transitions(db, sql_integer(query, 0), names, job, err);
}

bool history_db_load_since(struct history_db *db, const struct history_part *part,
			   struct recorded **list, size_t *count, struct err *err)
{
	struct loading loading = { 0 };
	struct names names;
	struct sql_query *query = NULL;
	bool ok = read_names(db, &names, err);

	if (ok)
		query = sql_query_new(db->sql, since_text, err);
	if (query) {
		sql_bind(query, 1, part->since_ms);
		sql_bind(query, 2, (int64_t)part->most);
		sql_bind(query, 3, (int64_t)part->skip);
	}
	while (ok && query && sql_next(query, err))
		ok = read_row(db, query, &names, &loading, err);
	sql_query_free(query);
	names_release(&names);
	*list = loading.list;
	*count = loading.count;
	return err->code == ERR_NONE;
}

/* --- all jobs, in few bytes --- */

/* The statements go through their tables side by side, in the order of the jobs' numbers. */
struct walk {
	struct sql_query *jobs, *entries, *tags;
	int64_t entry_job, tag_job; /* of the row where they stand; INT64_MAX at the end */
	struct names names;
	struct history *history;
	struct err *err;
};

static int64_t step(struct sql_query *query, struct err *err)
{
	return sql_next(query, err) ? sql_integer(query, 0) : INT64_MAX;
}

static uint32_t text_of(struct walk *walk, int64_t number)
{
	return texts_add(&walk->history->texts, name_at(&walk->names, number));
}

static void walk_entries(struct walk *walk, int64_t id, bool has_shared, int64_t shared,
			 struct history_job *out)
{
	for (; walk->entry_job <= id; walk->entry_job = step(walk->entries, walk->err)) {
		int64_t count = has_shared ? shared : 0;

		if (walk->entry_job != id || out->entry_count == PREFS_MAX)
			continue;
		if (!sql_is_null(walk->entries, 2))
			count = sql_integer(walk->entries, 2);
		out->types[out->entry_count] = text_of(walk, sql_integer(walk->entries, 1));
		out->counts[out->entry_count] =
			count > 0 && count <= PREFS_COUNT_MAX ? (int32_t)count : 0;
		if (sql_integer(walk->entries, 3) != 0)
			out->on_plan |= (uint8_t)(1u << out->entry_count);
		if (++out->entry_count == out->rank)
			out->plan = text_of(walk, sql_integer(walk->entries, 3));
	}
}

static void walk_tags(struct walk *walk, int64_t id, struct history_job *out)
{
	for (; walk->tag_job <= id; walk->tag_job = step(walk->tags, walk->err)) {
		const char *name = name_at(&walk->names, sql_integer(walk->tags, 1));
		const char *value = name_at(&walk->names, sql_integer(walk->tags, 2));
		struct tag tag = { mem_copy_text(name), mem_copy_text(value) };
		uint32_t at;

		if (walk->tag_job == id && tag.key && out->tag_count < UINT8_MAX) {
			at = history_add_tags(walk->history, &tag, 1);
			out->tag_at = out->tag_count == 0 ? at : out->tag_at;
			out->tag_count++;
		}
		free(tag.key);
		free(tag.value);
	}
}

static bool flag(struct sql_query *query, int column)
{
	return sql_integer(query, column) != 0;
}

static void walk_job(struct walk *walk)
{
	struct sql_query *jobs = walk->jobs;
	const char *arn = sql_text(jobs, 1), *name = sql_text(jobs, 2);
	char stem[JOB_NAME_SIZE], cut[JOB_NAME_SIZE];
	int64_t id = sql_integer(jobs, 0), end_ms = sql_integer(jobs, 6);
	struct history_job out = {
		.key = history_key(arn ? arn : ""),
		.kind = (uint8_t)bounded(sql_integer(jobs, 3), JOB_PROCESSING),
		.created_ms = sql_integer(jobs, 4),
		.has_created = !sql_is_null(jobs, 4),
		.role = text_of(walk, sql_integer(jobs, 5)),
		.has_ended = end_ms != INT64_MAX,
		.ended_ms = end_ms != INT64_MAX ? end_ms : 0,
		.has_details = flag(jobs, 7),
		.is_list = flag(jobs, 8),
		.rank = (uint8_t)bounded(sql_integer(jobs, 11), PREFS_MAX),
		.has_groups = flag(jobs, 12),
		.spot = flag(jobs, 13),
		.phase = (uint8_t)bounded(sql_integer(jobs, 14), PHASE_UNKNOWN),
		.outcome = (uint8_t)bounded(sql_integer(jobs, 15), WAIT_FAILED),
		.has_first_wait = !sql_is_null(jobs, 16),
		.first_wait_ms = sql_integer(jobs, 16),
		.has_wait = !sql_is_null(jobs, 17),
		.wait_ms = sql_integer(jobs, 17),
		.wait_final = flag(jobs, 18),
		.has_run = !sql_is_null(jobs, 19),
		.run_ms = sql_integer(jobs, 19),
		.has_cost = !sql_is_null(jobs, 20),
		.cost_micro = sql_integer(jobs, 20),
		.currency = text_of(walk, sql_integer(jobs, 21)),
		.price_source =
			(uint8_t)price_source_of(name_at(&walk->names, sql_integer(jobs, 22))),
	};

	if (!arn || !name)
		return;
	copy_text(cut, sizeof(cut), name);
	job_stem(cut, stem);
	out.name = texts_add(&walk->history->texts, cut);
	out.stem = texts_add(&walk->history->texts, stem);
	walk_entries(walk, id, !sql_is_null(jobs, 9), sql_integer(jobs, 9), &out);
	if (sql_integer(jobs, 10) != 0 && out.on_plan == 0) { /* a plan of the whole job */
		out.on_plan = (uint8_t)((1u << out.entry_count) - 1);
		out.plan = out.entry_count == 1 && out.rank == 1
				   ? text_of(walk, sql_integer(jobs, 10))
				   : 0;
	}
	walk_tags(walk, id, &out);
	history_put(walk->history, &out);
}

static void walk_all(struct walk *walk)
{
	walk->entry_job = step(walk->entries, walk->err);
	walk->tag_job = step(walk->tags, walk->err);
	while (walk->err->code == ERR_NONE && sql_next(walk->jobs, walk->err))
		walk_job(walk);
}

/* A tenth less than the most, so that it is not done at each start. Live ones have the greatest end
 * and go last. */
static const char drop_oldest[] =
	"BEGIN IMMEDIATE;"
	"CREATE TEMP TABLE old AS SELECT id FROM jobs ORDER BY end_ms DESC LIMIT -1 OFFSET 45000;"
	"DELETE FROM entries WHERE job IN (SELECT id FROM old);"
	"DELETE FROM transitions WHERE job IN (SELECT id FROM old);"
	"DELETE FROM tags WHERE job IN (SELECT id FROM old);"
	"DELETE FROM jobs WHERE id IN (SELECT id FROM old);"
	"DROP TABLE old;"
	"COMMIT;";

/* Where it cannot be done, as under a lock, the next start does it. */
static void make_room(struct history_db *db)
{
	struct err ignored = { 0 };

	if (!db->read_only &&
	    !sql_run(db->sql,
		     "DELETE FROM refusals WHERE since<(SELECT since FROM refusals "
		     "ORDER BY since DESC LIMIT 1 OFFSET 20000);"
		     "DELETE FROM notes WHERE at<(SELECT at FROM notes "
		     "ORDER BY at DESC LIMIT 1 OFFSET 20000)",
		     &ignored))
		err_clear(&ignored);

	struct sql_query *query = sql_query_new(db->sql, "SELECT count(*) FROM jobs", &ignored);
	bool full = query && sql_next(query, &ignored) && sql_integer(query, 0) > HISTORY_JOBS_MAX;

	sql_query_free(query);
	if (full && !db->read_only && !sql_run(db->sql, drop_oldest, &ignored))
		sql_rollback(db->sql);
	err_clear(&ignored);
}

/* The newest of them, by their start. */
static bool load_refusals(struct history_db *db, const struct names *names, struct history *history,
			  struct err *err)
{
	static const char text[] = "SELECT type,since,until FROM (SELECT * FROM refusals "
				   "ORDER BY since DESC LIMIT ?) ORDER BY since";
	struct sql_query *query = sql_query_new(db->sql, text, err);

	if (query)
		sql_bind(query, 1, HISTORY_REFUSALS_MAX);
	while (query && sql_next(query, err)) {
		const char *type = name_at(names, sql_integer(query, 0));

		if (type)
			history_add_refusal(history,
					    &(struct history_refusal){
						    texts_add(&history->texts, type),
						    sql_integer(query, 1), sql_integer(query, 2) });
	}
	sql_query_free(query);
	return err->code == ERR_NONE;
}

/* The newest of them, the last one last. */
static bool load_notes(struct history_db *db, struct history *history, struct err *err)
{
	static const char text[] = "SELECT kind,name,text FROM (SELECT * FROM notes "
				   "ORDER BY at DESC LIMIT ?) ORDER BY at";
	struct sql_query *query = sql_query_new(db->sql, text, err);

	if (query)
		sql_bind(query, 1, HISTORY_NOTES_MAX);
	while (query && sql_next(query, err)) {
		const char *name = sql_text(query, 1), *note = sql_text(query, 2);
		enum job_kind kind =
			sql_integer(query, 0) == JOB_PROCESSING ? JOB_PROCESSING : JOB_TRAINING;

		if (name && note)
			history_add_note(history, kind, name, note);
	}
	sql_query_free(query);
	return err->code == ERR_NONE;
}

bool history_db_load_all(struct history_db *db, struct history *history, struct err *err)
{
	struct walk walk = { .history = history, .err = err };

	make_room(db);
	if (!read_names(db, &walk.names, err)) {
		names_release(&walk.names);
		return false;
	}
	walk.jobs = sql_query_new(
		db->sql,
		"SELECT id,arn,name,kind,created,role,end_ms,details,is_list,shared_count,"
		"job_plan,selected_rank,groups,spot,phase,outcome,first_wait,wait,wait_final,run,"
		"cost_micro,currency,price_source FROM jobs ORDER BY id",
		err);
	walk.entries =
		sql_query_new(db->sql, "SELECT job,type,count,plan FROM entries ORDER BY job,rank",
			      err);
	walk.tags =
		sql_query_new(db->sql, "SELECT job,name,value FROM tags ORDER BY job,name", err);
	if (walk.jobs && walk.entries && walk.tags)
		walk_all(&walk);
	sql_query_free(walk.jobs);
	sql_query_free(walk.entries);
	sql_query_free(walk.tags);
	if (err->code == ERR_NONE)
		(void)(load_refusals(db, &walk.names, history, err) &&
		       load_notes(db, history, err));
	names_release(&walk.names);
	return err->code == ERR_NONE;
}

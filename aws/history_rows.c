#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/history_db_parts.h"
#include "model/base/mem.h"
#include "model/reason.h"

#define MESSAGE_MAX 512 /* of AWS's words on a wait */

/* No column holds a request, an environment or hyperparameters. `end_ms` of a live job is the
 * largest number, so that one condition finds it and what has ended since. */
static const char schema_1[] =
	"CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
	"CREATE TABLE jobs(id INTEGER PRIMARY KEY, arn TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
	" kind INTEGER, status INTEGER, secondary INTEGER, role INTEGER, created INTEGER,"
	" started INTEGER, ended INTEGER, modified INTEGER, end_ms INTEGER NOT NULL,"
	" details INTEGER NOT NULL, indexed INTEGER, is_list INTEGER, shared_count INTEGER,"
	" job_plan INTEGER, selected_type INTEGER, selected_count INTEGER, selected_rank INTEGER,"
	" groups INTEGER, spot INTEGER, keep_alive INTEGER, max_pending INTEGER,"
	" max_runtime INTEGER, billable INTEGER, training_time INTEGER, capacity INTEGER,"
	" pool_status INTEGER, pool_reused INTEGER, pool_retained INTEGER, phase INTEGER,"
	" outcome INTEGER, first_wait INTEGER, wait INTEGER, wait_final INTEGER, run INTEGER,"
	" cost_micro INTEGER, currency INTEGER, price_source INTEGER, price_date INTEGER,"
	" seen INTEGER NOT NULL);"
	"CREATE INDEX jobs_by_end ON jobs(end_ms);"
	"CREATE TABLE entries(job INTEGER, rank INTEGER, type INTEGER, count INTEGER, plan INTEGER,"
	" grp INTEGER, PRIMARY KEY(job,rank)) WITHOUT ROWID;"
	"CREATE TABLE transitions(job INTEGER, place INTEGER, status INTEGER, message INTEGER,"
	" start INTEGER, end INTEGER, PRIMARY KEY(job,place)) WITHOUT ROWID;"
	"CREATE TABLE tags(job INTEGER, name INTEGER, value INTEGER, PRIMARY KEY(job,name))"
	" WITHOUT ROWID;"
	"CREATE TABLE refusals(type INTEGER, since INTEGER, until INTEGER NOT NULL,"
	" PRIMARY KEY(type,since)) WITHOUT ROWID;"

	"CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;";

/* A first version read tags only of the job that was looked at: Search tells them of all, so what
 * it has is looked through once more. */
static const char schema_2[] = "DELETE FROM facts WHERE name='filled';";

static const char schema_3[] =
	"CREATE TABLE notes(kind INTEGER, name TEXT, text TEXT NOT NULL, at INTEGER NOT NULL,"
	" PRIMARY KEY(kind,name)) WITHOUT ROWID;";

const char *const history_migrations[] = { schema_1, schema_2, schema_3 };
const int history_version = (int)ARRAY_LEN(history_migrations);

void recorded_release(struct recorded *recorded)
{
	if (!recorded)
		return;
	job_release(&recorded->job);
	*recorded = (struct recorded){ 0 };
}

void recorded_free(struct recorded *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		recorded_release(&list[i]);
	free(list);
}

void recorded_set_job(struct recorded *recorded, const struct job *job)
{
	struct job bare = *job;

	bare.request_json = NULL;
	bare.image = NULL;
	bare.status_message = NULL;
	if (!reason_is_capacity(job))
		bare.failure_reason = NULL;
	job_copy(&recorded->job, &bare);
}

/* --- writing --- */

/* The number of a text, 0 for none; false with err. */
static bool number_of(struct history_db *db, const char *text, int64_t *number, struct err *err)
{
	struct sql_query *query;

	*number = 0;
	if (!text || !text[0])
		return true;
	query = history_query(db, QUERY_FIND_TEXT, err);
	if (!query)
		return false;
	sql_bind_text(query, 1, text);
	if (sql_next(query, err)) {
		*number = sql_integer(query, 0);
		sql_reset(query);
		return true;
	}
	sql_reset(query);
	query = err->code == ERR_NONE ? history_query(db, QUERY_ADD_TEXT, err) : NULL;
	if (!query)
		return false;
	sql_bind_text(query, 1, text);
	if (!sql_finish(query, err))
		return false;
	*number = sql_last_id(db->sql);
	return true;
}

/* The numbers of the texts of one row. */
enum job_text {
	TEXT_STATUS,
	TEXT_SECONDARY,
	TEXT_ROLE,
	TEXT_PLAN,
	TEXT_TYPE,
	TEXT_CAPACITY,
	TEXT_POOL,
	TEXT_REUSED,
	TEXT_CURRENCY,
	TEXT_SOURCE,
	TEXT_DATE,
	TEXT_COUNT
};

static bool number_texts(struct history_db *db, const struct recorded *recorded,
			 int64_t numbers[TEXT_COUNT], struct err *err)
{
	const struct job *job = &recorded->job;
	const struct history_figures *figures = &recorded->figures;
	const char *const texts[TEXT_COUNT] = {
		[TEXT_STATUS] = job->status,
		[TEXT_SECONDARY] = job->secondary_status,
		[TEXT_ROLE] = job->role_arn,
		[TEXT_PLAN] = job_prefs(job)->job_plan_arn,
		[TEXT_TYPE] = job->selected.set ? job->selected.instance_type : NULL,
		[TEXT_CAPACITY] = reason_is_capacity(job) ? job->failure_reason : NULL,
		[TEXT_POOL] = job->pool.status,
		[TEXT_REUSED] = job->pool.reused_by,
		[TEXT_CURRENCY] = figures->currency,
		[TEXT_SOURCE] = price_source_word(figures->price_source),
		[TEXT_DATE] = figures->price_date,
	};

	for (size_t i = 0; i < TEXT_COUNT; i++) {
		if (!number_of(db, texts[i], &numbers[i], err))
			return false;
	}
	return true;
}

/* The cost of a row as it goes into the file: what was recorded where that is surer. */
struct row_cost {
	struct money cost;
	int64_t currency, source, date; /* numbers of texts; 0 = none */
};

static bool settle_cost(struct history_db *db, const struct recorded *recorded,
			const int64_t numbers[TEXT_COUNT], struct row_cost *out, struct err *err)
{
	const struct history_figures *figures = &recorded->figures;
	enum price_source found = figures->cost.set ? figures->price_source : PRICE_NONE;
	struct sql_query *query = history_query(db, QUERY_COST, err);

	*out = (struct row_cost){ figures->cost, numbers[TEXT_CURRENCY], numbers[TEXT_SOURCE],
				  numbers[TEXT_DATE] };
	if (!query)
		return false;
	sql_bind_text(query, 1, recorded->job.arn);
	if (sql_next(query, err) && !price_replaces(sql_integer(query, 4) != INT64_MAX,
						    price_source_of(sql_text(query, 5)), found))
		*out = (struct row_cost){ { true, sql_integer(query, 0) },
					  sql_integer(query, 1),
					  sql_integer(query, 2),
					  sql_integer(query, 3) };
	sql_reset(query);
	return err->code == ERR_NONE;
}

static void bind_time(struct sql_query *query, int at, struct opt_ms time)
{
	sql_bind_set(query, at, time.set, time.ms);
}

static void bind_job(struct sql_query *query, const struct job *job,
		     const int64_t numbers[TEXT_COUNT])
{
	const struct preferences *prefs = job_prefs(job);
	const struct selected *selected = &job->selected;
	struct opt_ms end = job->ended.set ? job->ended : job->modified;

	sql_bind_text(query, 1, job->arn);
	sql_bind_text(query, 2, job->name);
	sql_bind(query, 3, job->kind);
	sql_bind(query, 4, numbers[TEXT_STATUS]);
	sql_bind(query, 5, numbers[TEXT_SECONDARY]);
	sql_bind(query, 6, numbers[TEXT_ROLE]);
	bind_time(query, 7, job->created);
	bind_time(query, 8, job->started);
	bind_time(query, 9, job->ended);
	bind_time(query, 10, job->modified);
	sql_bind(query, 11, job_has_ended(job) && end.set ? end.ms : INT64_MAX);
	sql_bind(query, 12, job_has_details(job));
	sql_bind(query, 13, job->indexed);
	sql_bind(query, 14, prefs->is_list);
	sql_bind_set(query, 15, prefs->has_shared_count, prefs->shared_count);
	sql_bind(query, 16, numbers[TEXT_PLAN]);
	sql_bind(query, 17, numbers[TEXT_TYPE]);
	sql_bind_set(query, 18, selected->set, selected->count);
	sql_bind_set(query, 19, selected->set, (int64_t)selected->rank);
	sql_bind(query, 20, job->has_groups);
	sql_bind(query, 21, job->spot);
	sql_bind(query, 22, job->keep_alive_seconds);
	bind_time(query, 23, job->max_pending);
	bind_time(query, 24, job->max_runtime);
	bind_time(query, 25, job->billable);
	bind_time(query, 26, job->training_time);
	sql_bind(query, 27, numbers[TEXT_CAPACITY]);
	sql_bind(query, 28, numbers[TEXT_POOL]);
	sql_bind(query, 29, numbers[TEXT_REUSED]);
	bind_time(query, 30, job->pool.retained);
	sql_bind(query, 31, job_phase(job));
}

static void bind_figures(struct sql_query *query, const struct recorded *recorded,
			 const struct row_cost *cost)
{
	const struct history_figures *figures = &recorded->figures;

	sql_bind(query, 32, figures->outcome);
	bind_time(query, 33, figures->first_wait);
	bind_time(query, 34, figures->wait);
	sql_bind(query, 35, figures->wait_final);
	bind_time(query, 36, figures->run);
	sql_bind_set(query, 37, cost->cost.set, cost->cost.micro);
	sql_bind(query, 38, cost->currency);
	sql_bind(query, 39, cost->source);
	sql_bind(query, 40, cost->date);
	sql_bind(query, 41, recorded->seen_ms);
}

/* *id 0: what is kept is newer, or tells more. */
static bool put_job(struct history_db *db, const struct recorded *recorded, int64_t *id,
		    struct err *err)
{
	int64_t numbers[TEXT_COUNT];
	struct row_cost cost;
	struct sql_query *query;

	*id = 0;
	if (!number_texts(db, recorded, numbers, err) ||
	    !settle_cost(db, recorded, numbers, &cost, err))
		return false;
	query = history_query(db, QUERY_PUT_JOB, err);
	if (!query)
		return false;
	bind_job(query, &recorded->job, numbers);
	bind_figures(query, recorded, &cost);
	if (sql_next(query, err))
		*id = sql_integer(query, 0);
	return err->code == ERR_NONE && sql_finish(query, err);
}

static bool drop_rows(struct history_db *db, enum history_query which, int64_t id, struct err *err)
{
	struct sql_query *query = history_query(db, which, err);

	if (!query)
		return false;
	sql_bind(query, 1, id);
	return sql_finish(query, err);
}

static bool put_entry(struct history_db *db, int64_t id, size_t i, const struct preference *entry,
		      struct err *err)
{
	int64_t type, plan, group;
	struct sql_query *query;

	if (!number_of(db, entry->instance_type, &type, err) ||
	    !number_of(db, entry->plan_arn, &plan, err) ||
	    !number_of(db, entry->group, &group, err))
		return false;
	query = history_query(db, QUERY_PUT_ENTRY, err);
	if (!query)
		return false;
	sql_bind(query, 1, id);
	sql_bind(query, 2, (int64_t)i + 1);
	sql_bind(query, 3, type);
	sql_bind_set(query, 4, entry->has_count, entry->count);
	sql_bind(query, 5, plan);
	sql_bind(query, 6, group);
	return sql_finish(query, err);
}

/* AWS's words on a wait alone: those on a failure may quote the job's. */
static const char *kept_message(const struct transition *transition, char out[MESSAGE_MAX])
{
	if (!transition->message || phase_of_secondary(transition->status) != PHASE_PENDING)
		return NULL;
	(void)snprintf(out, MESSAGE_MAX, "%s", transition->message);
	return out;
}

static bool put_transition(struct history_db *db, int64_t id, size_t i,
			   const struct transition *transition, struct err *err)
{
	char text[MESSAGE_MAX];
	int64_t status, message;
	struct sql_query *query;

	if (!number_of(db, transition->status, &status, err) ||
	    !number_of(db, kept_message(transition, text), &message, err))
		return false;
	query = history_query(db, QUERY_PUT_TRANSITION, err);
	if (!query)
		return false;
	sql_bind(query, 1, id);
	sql_bind(query, 2, (int64_t)i + 1);
	sql_bind(query, 3, status);
	sql_bind(query, 4, message);
	bind_time(query, 5, transition->start);
	bind_time(query, 6, transition->end);
	return sql_finish(query, err);
}

static bool put_tags(struct history_db *db, int64_t id, const struct tag_list *tags,
		     struct err *err)
{
	if (!tags)
		return true;
	if (!drop_rows(db, QUERY_DROP_TAGS, id, err))
		return false;
	for (size_t i = 0; i < tags->count; i++) {
		int64_t name, value;
		struct sql_query *query;

		if (!number_of(db, tags->items[i].key, &name, err) ||
		    !number_of(db, tags->items[i].value, &value, err))
			return false;
		query = history_query(db, QUERY_PUT_TAG, err);
		if (!query)
			return false;
		sql_bind(query, 1, id);
		sql_bind(query, 2, name);
		sql_bind(query, 3, value);
		if (!sql_finish(query, err))
			return false;
	}
	return true;
}

static bool put_rows(struct history_db *db, int64_t id, const struct job *job, struct err *err)
{
	if (!drop_rows(db, QUERY_DROP_ENTRIES, id, err) ||
	    !drop_rows(db, QUERY_DROP_TRANSITIONS, id, err))
		return false;
	for (size_t i = 0; i < job_prefs(job)->length; i++) {
		if (!put_entry(db, id, i, &job_prefs(job)->entries[i], err))
			return false;
	}
	for (size_t i = 0; i < job->transition_count; i++) {
		const struct transition one = job_transition(job, i);

		if (!put_transition(db, id, i, &one, err))
			return false;
	}
	return true;
}

static bool save_one(struct history_db *db, const struct recorded *recorded, struct err *err)
{
	int64_t id;

	if (!put_job(db, recorded, &id, err))
		return false;
	return id == 0 ||
	       (put_rows(db, id, &recorded->job, err) && put_tags(db, id, recorded->job.tags, err));
}

bool history_db_save_refusals(struct history_db *db, const struct recorded_refusal *list,
			      size_t count, struct err *err)
{
	static const char text[] =
		"INSERT OR REPLACE INTO refusals(type,since,until) VALUES(?,?,?)";
	struct sql_query *query = sql_query_new(db->sql, text, err);
	bool ok = query != NULL;

	for (size_t i = 0; i < count && ok; i++) {
		int64_t type;

		ok = number_of(db, list[i].instance_type, &type, err);
		sql_bind(query, 1, type);
		sql_bind(query, 2, list[i].since_ms);
		sql_bind(query, 3, list[i].until_ms);
		ok = ok && sql_finish(query, err);
	}
	sql_query_free(query);
	return ok;
}

bool history_db_save_notes(struct history_db *db, const struct recorded_note *list, size_t count,
			   int64_t set_ms, struct err *err)
{
	static const char text[] = "INSERT OR REPLACE INTO notes(kind,name,text,at) "
				   "VALUES(?,?,?,?)";
	struct sql_query *query = sql_query_new(db->sql, text, err);
	bool ok = query != NULL;

	for (size_t i = 0; i < count && ok; i++) {
		sql_bind(query, 1, list[i].kind);
		sql_bind_text(query, 2, list[i].name);
		sql_bind_text(query, 3, list[i].text);
		sql_bind(query, 4, set_ms);
		ok = sql_finish(query, err);
	}
	sql_query_free(query);
	return ok;
}

bool history_db_save(struct history_db *db, const struct recorded *list, size_t count,
		     struct err *err)
{
	bool ok = sql_run(db->sql, "BEGIN IMMEDIATE", err);

	if (!ok)
		return false;
	for (size_t i = 0; i < count && ok; i++)
		ok = save_one(db, &list[i], err);
	ok = ok && sql_run(db->sql, "COMMIT", err);
	if (!ok)
		sql_rollback(db->sql);
	return ok;
}

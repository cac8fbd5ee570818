#include "aws/explain_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/error_words.h"
#include "aws/errors.h"
#include "aws/journal_files.h"
#include "aws/sagemaker_jobs.h"
#include "aws/state_home.h"
#include "model/base/mem.h"
#include "model/draft_disk.h"
#include "model/draft_file.h"
#include "model/state_folder.h"

#define BAD_REQUEST 400 /* the status of every refusal */

enum look_step {
	LOOK_DESCRIBES, /* one name after the other */
	LOOK_WAITS,     /* for plans, jobs and the past */
	LOOK_READS,     /* what was kept of those that are no job */
	LOOK_LIMITS,
	LOOK_OVER,
};

struct explain_look {
	struct explain_look_options options;
	struct waiter waiter;
	struct wait_hooks hooks;
	enum look_step step;
	size_t at;          /* in the names */
	bool is_late;       /* the time is over */
	bool is_asked;      /* the limits are */
	uint64_t call;      /* a Describe under way; 0 = none */
	struct disk *disk;  /* of a read under way */
	uint64_t read;      /* 0 = none */
	enum job_kind kind; /* of either */
	char *folder;       /* owned; the state folder, or NULL */
};

static void finish(struct explain_look *look, const struct err *err)
{
	look->step = LOOK_OVER;
	waits_remove(&look->waiter);
	look->options.done(look->options.ctx, err);
}

/* --- descriptions --- */

static void describe(struct explain_look *look);

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct explain_look *look = ctx;
	bool is_missing = err && err->code == ERR_NOT_FOUND;
	look->call = 0;
	if (err && !is_missing) {
		finish(look, err);
		return;
	}
	if (job)
		store_take_described(look->options.store, job);
	if (is_missing && !look->options.kind && look->kind == JOB_TRAINING) {
		look->kind = JOB_PROCESSING;
	} else {
		look->kind = JOB_TRAINING;
		look->at++;
	}
	describe(look);
}

static void describe(struct explain_look *look)
{
	const struct explain_look_options *options = &look->options;
	enum job_kind kind = options->kind ? *options->kind : look->kind;
	if (look->at < options->name_count) {
		look->call = jobs_describe(session_client(options->session), kind,
					   options->names[look->at], on_described, look);
		return;
	}
	look->step = LOOK_WAITS;
	look->hooks.wake_in(look->hooks.host, EXPLAIN_LOOK_MS);
	explain_look_changed(look);
}

/* --- what stands beside them --- */

static bool has_plans(const struct store *store)
{
	const struct freshness *plans = &store->sources[SOURCE_PLANS];
	return plans->loaded || plans->failing;
}

static bool has_jobs(const struct explain_look *look)
{
	const struct freshness *sources = look->options.store->sources;
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++)
		if (sources[i].failing && !sources[i].loaded)
			return true;
	return session_is_settled(look->options.session);
}

static bool has_history(const struct explain_look *look)
{
	return look->options.store->history.loaded;
}

/* --- refusals --- */

static void read_next(struct explain_look *look);

/* Nothing of it is an error: there is a file that tells of a refusal, or there is not. */
static void take_record(struct explain_look *look, const char *text, size_t len)
{
	struct need_refusal *refusal = &look->options.refusals[look->at];
	struct journal_record record = { 0 };
	struct err ignored = { 0 };
	if (journal_read(&record, text, len, &ignored) == JOURNAL_READ_OK &&
	    record.state == JOURNAL_REFUSED) {
		struct error_words words = { .message = record.why ? record.why : (char[]){ "" } };
		memcpy(words.code, record.code, sizeof(words.code));
		memcpy(words.request_id, record.request_id, sizeof(words.request_id));
		error_of_words(&words, BAD_REQUEST, &refusal->err);
		if (record.no_lists)
			refusal->err.hint = HINT_NO_LISTS;
		refusal->is_kept = true;
		refusal->kind = record.kind;
		refusal->at = record.settled;
	}
	journal_record_release(&record);
	err_clear(&ignored);
}

/* A refused draft of the dashboard, under the name that it was sent as. */
static void take_draft(struct explain_look *look, const struct draft_found *found)
{
	const struct explain_look_options *options = &look->options;
	struct draft *draft = NULL;
	struct err ignored = { 0 };
	if (!found->bytes ||
	    draft_file_read(found->id, found->bytes, found->len, &draft, &ignored) != DRAFT_FILE_OK)
		draft = NULL;
	for (size_t i = 0; draft && i < options->name_count; i++) {
		struct need_refusal *refusal = &options->refusals[i];
		if (strcmp(draft->refused_as, options->names[i]) != 0 || refusal->is_kept ||
		    store_find_name(options->store, options->names[i]) ||
		    (options->kind && *options->kind != draft->kind))
			continue;
		err_copy(&refusal->err, &draft->refusal);
		refusal->is_kept = true;
		refusal->kind = draft->kind;
	}
	draft_free(draft);
	err_clear(&ignored);
}

static void on_drafts(void *ctx, const struct disk_result *result)
{
	struct explain_look *look = ctx;
	const struct draft_work *work = result->work;
	look->read = 0;
	for (size_t i = 0; i < work->found_count; i++)
		take_draft(look, &work->found[i]);
	look->step = LOOK_LIMITS;
	explain_look_changed(look);
}

/* Some name is neither a job's nor in a record of its own. */
static bool needs_drafts(const struct explain_look *look)
{
	const struct explain_look_options *options = &look->options;
	for (size_t i = 0; look->folder && i < options->name_count; i++)
		if (!options->refusals[i].is_kept &&
		    !store_find_name(options->store, options->names[i]))
			return true;
	return false;
}

static void read_drafts(struct explain_look *look)
{
	struct buf path;
	if (!needs_drafts(look)) {
		look->step = LOOK_LIMITS;
		explain_look_changed(look);
		return;
	}
	buf_init(&path, STATE_PATH_MAX);
	buf_addf(&path, "%s/" DRAFTS_FOLDER, look->folder);
	look->read =
		draft_disk_do(look->disk, draft_disk_work(DRAFT_DISK_LOAD, buf_text(&path), NULL),
			      on_drafts, look);
	buf_release(&path);
}

static void on_read(void *ctx, const struct disk_result *result)
{
	struct explain_look *look = ctx;
	look->read = 0;
	if (!result->err)
		take_record(look, result->bytes, result->len);
	if (!look->options.refusals[look->at].is_kept && !look->options.kind &&
	    look->kind == JOB_TRAINING) {
		look->kind = JOB_PROCESSING;
	} else {
		look->kind = JOB_TRAINING;
		look->at++;
	}
	read_next(look);
}

static bool needs_record(const struct explain_look *look)
{
	return !store_find_name(look->options.store, look->options.names[look->at]);
}

static void read_next(struct explain_look *look)
{
	const struct explain_look_options *options = &look->options;
	char key[JOURNAL_KEY_SIZE];
	struct buf path;
	while (look->at < options->name_count && !needs_record(look))
		look->at++;
	enum job_kind kind = options->kind ? *options->kind : look->kind;
	if (look->at == options->name_count || !look->folder ||
	    !journal_key(kind, options->names[look->at], "", key)) {
		read_drafts(look);
		return;
	}
	buf_init(&path, STATE_PATH_MAX + JOURNAL_KEY_SIZE + 16);
	buf_addf(&path, "%s/" JOURNAL_FOLDER "/%s.json", look->folder, key);
	look->read = disk_read(look->disk, buf_text(&path), JOURNAL_RECORD_MAX, on_read, look);
	buf_release(&path);
}

static void find_folder(struct explain_look *look)
{
	struct session *session = look->options.session;
	struct state_home home;
	struct err ignored = { 0 };
	struct buf path;
	(void)state_home_find(session, &home);
	if (!home.region[0])
		(void)snprintf(home.region, sizeof(home.region), "%s", session_region(session));
	buf_init(&path, STATE_PATH_MAX);
	if (state_home_add_folder(session, &home, &path, &ignored))
		mem_set_text(&look->folder, buf_text(&path));
	buf_release(&path);
	err_clear(&ignored);
}

/* --- limits --- */

static void ask_limits(struct explain_look *look)
{
	const struct explain_look_options *options = &look->options;
	struct quota_key keys[QUOTA_KEYS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < options->name_count; i++) {
		const struct job *job = store_find_name(options->store, options->names[i]);
		if (job)
			count = quota_keys_of_list(keys, count, QUOTA_KEYS_MAX, job_prefs(job),
						   quota_kind_of(job->kind, job->spot), false);
	}
	look->is_asked = true;
	session_want_quotas(options->session, keys, count);
}

static bool has_limits(struct explain_look *look)
{
	if (!look->is_asked)
		ask_limits(look);
	return session_quotas_are_settled(look->options.session);
}

void explain_look_changed(struct explain_look *look)
{
	const struct store *store = look->options.store;
	if (look->step == LOOK_WAITS &&
	    (look->is_late || (has_plans(store) && has_jobs(look) && has_history(look)))) {
		look->step = LOOK_READS;
		look->at = 0;
		look->kind = JOB_TRAINING;
		find_folder(look);
		read_next(look);
	} else if (look->step == LOOK_LIMITS && (look->is_late || has_limits(look))) {
		finish(look, NULL);
	}
}

static void on_due(void *ctx)
{
	struct explain_look *look = ctx;
	if (look->step == LOOK_OVER)
		return;
	look->is_late = true;
	explain_look_changed(look);
}

struct explain_look *explain_look_new(const struct explain_look_options *options)
{
	struct explain_look *look = mem_new(1, sizeof(*look));
	look->options = *options;
	look->kind = JOB_TRAINING;
	look->disk = session_disk(options->session);
	look->waiter = (struct waiter){ .wake = on_due, .ctx = look };
	look->hooks = session_hooks(options->session, &look->waiter);
	session_start_plans(options->session);
	session_want_plans(options->session, true);
	session_start_jobs(options->session);
	describe(look);
	return look;
}

void explain_look_free(struct explain_look *look)
{
	if (!look)
		return;
	if (look->call)
		aws_client_cancel(session_client(look->options.session), look->call);
	if (look->read)
		disk_forget(look->disk, look->read);
	waits_remove(&look->waiter);
	free(look->folder);
	free(look);
}

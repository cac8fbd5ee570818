#include "aws/shared_pace.h"

#include <stdio.h>
#include <stdlib.h>

#include "aws/endpoint.h"
#include "model/base/mem.h"

#define RETRY_MS INT64_C(15000) /* after trouble, until it is tried again */

struct shared_pace {
	struct shared_pace_options options; /* whose texts are the copies below */
	struct clock clock;
	char region[REGION_SIZE];
	char own_host[ENDPOINT_HOST_SIZE];
	char account[ACCOUNT_ID_SIZE];
	struct pace_place place;
	struct err trouble;
	bool told, working;
	int64_t retry_ms;
	struct pace_found found;
	struct ask *asks;
};

/* One visit under way. The work belongs to the disk, which frees it. */
struct work {
	struct pace_place place;
	struct clock clock;
	struct pace_visit visit;
	struct pace_found found;
};

struct ask {
	struct shared_pace *shared;
	uint64_t id;
	shared_pace_fn *done;
	void *ctx;
	struct ask *next;
};

static void note_trouble(struct shared_pace *shared, struct err *err)
{
	err_move(&shared->trouble, err);
	if (!shared->told && shared->options.trouble)
		shared->options.trouble(shared->options.ctx, &shared->trouble);
	shared->told = true;
}

static void note_failed(struct shared_pace *shared, struct err *err)
{
	shared->working = false;
	shared->retry_ms = clock_mono_ms(&shared->clock) + RETRY_MS;
	note_trouble(shared, err);
}

struct shared_pace *shared_pace_new(const struct shared_pace_options *options)
{
	struct shared_pace *shared = mem_new(1, sizeof(*shared));
	struct err err = { 0 };

	shared->options = *options;
	shared->clock = *options->clock;
	snprintf(shared->region, sizeof(shared->region), "%s", options->region);
	snprintf(shared->own_host, sizeof(shared->own_host), "%s",
		 options->own_host ? options->own_host : "");
	if (!pace_place_init(&shared->place, options->group, &err)) {
		note_failed(shared, &err);
		shared->retry_ms = INT64_MAX;
	}
	return shared;
}

static void drop(struct shared_pace *shared, struct ask *ask)
{
	struct ask **at = &shared->asks;

	while (*at != ask)
		at = &(*at)->next;
	*at = ask->next;
	free(ask);
}

void shared_pace_free(struct shared_pace *shared)
{
	if (!shared)
		return;
	while (shared->asks)
		shared_pace_forget(shared, shared->asks->id);
	err_clear(&shared->trouble);
	free(shared);
}

void shared_pace_set_account(struct shared_pace *shared, const char *account)
{
	snprintf(shared->account, sizeof(shared->account), "%s", account);
}

/* False while nobody knows who will sign. */
static bool name_place(struct shared_pace *shared)
{
	struct credentials_source *source = &shared->options.source;
	const struct aws_credentials *credentials;
	char account[ACCOUNT_ID_SIZE];
	struct err err = { 0 };

	if (shared->own_host[0]) {
		pace_place_name(&shared->place, shared->region, shared->own_host);
		return true;
	}
	credentials = source->get(source->self, &err);
	err_clear(&err);
	if (!credentials)
		return false;
	if (credentials->account[0])
		pace_place_name(&shared->place, shared->region, credentials->account);
	else if (shared->account[0])
		pace_place_name(&shared->place, shared->region, shared->account);
	else if (credentials_key_account(credentials->access_key, account))
		pace_place_name(&shared->place, shared->region, account);
	else
		pace_place_name(&shared->place, shared->region, credentials->access_key);
	return true;
}

static void run(void *self, struct err *err)
{
	struct work *work = self;
	bool ok = pace_file_visit(&work->place, &work->clock, &work->visit, &work->found, err);
	(void)ok; /* err says the same */
}

static void note_damaged(struct shared_pace *shared)
{
	struct err err = { 0 };

	err_set(&err, ERR_PARSE, "was damaged, and is begun anew");
	err_subject(&err, "%s", shared->found.path);
	note_trouble(shared, &err);
}

static void on_done(void *ctx, const struct disk_result *result)
{
	struct ask ask = *(struct ask *)ctx;
	struct shared_pace *shared = ask.shared;
	const struct work *work = result->work;
	struct err err = { 0 };

	drop(shared, ctx);
	if (result->err) {
		err_copy(&err, result->err);
		note_failed(shared, &err);
	} else {
		shared->working = true;
		shared->found = work->found;
		err_clear(&shared->trouble);
		if (work->found.damaged)
			note_damaged(shared);
	}
	if (ask.done)
		ask.done(ask.ctx, result->err ? NULL : &work->found);
}

uint64_t shared_pace_visit(struct shared_pace *shared, const struct pace_visit *visit,
			   shared_pace_fn *done, void *ctx)
{
	struct ask *ask;
	struct work *work;

	if (clock_mono_ms(&shared->clock) < shared->retry_ms || !name_place(shared))
		return 0;
	work = mem_new(1, sizeof(*work));
	*work = (struct work){ shared->place, shared->clock, *visit, { 0 } };
	ask = mem_new(1, sizeof(*ask));
	*ask = (struct ask){ shared, 0, done, ctx, shared->asks };
	shared->asks = ask;
	ask->id = disk_run(shared->options.disk, &(struct disk_work){ run, free, work }, on_done,
			   ask);
	return ask->id;
}

void shared_pace_forget(struct shared_pace *shared, uint64_t id)
{
	for (struct ask *ask = shared->asks; ask; ask = ask->next) {
		if (ask->id == id) {
			disk_forget(shared->options.disk, id);
			drop(shared, ask);
			return;
		}
	}
}

void shared_pace_note_silent(struct shared_pace *shared)
{
	struct err err = { 0 };

	err_set(&err, ERR_TIMEOUT, "does not answer");
	err_subject(&err, "%s", "the disk");
	note_failed(shared, &err);
}

struct shared_pace_status shared_pace_status(const struct shared_pace *shared)
{
	return (struct shared_pace_status){
		.working = shared->working,
		.started = shared->found.started,
		.ahead_ms = shared->found.ahead_ms,
		.path = shared->found.path,
		.trouble = shared->trouble.code != ERR_NONE ? &shared->trouble : NULL,
	};
}

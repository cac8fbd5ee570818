/* The frozen list: its rows keep their places while the region goes on, so that one can be pointed
 * at; what they say goes on with it. Another filter or order is a list of its own, frozen anew. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "views/jobs_parts.h"

void jobs_thaw(struct jobs_state *jobs)
{
	for (size_t i = 0; i < jobs->frozen_count; i++)
		free(jobs->frozen[i]);
	free(jobs->frozen);
	jobs->frozen = NULL;
	jobs->frozen_count = 0;
	jobs->is_frozen = false;
}

void jobs_keep_frozen(struct jobs_state *jobs)
{
	const struct store *store = jobs->ui->env->store;
	jobs_thaw(jobs);
	jobs->frozen = mem_new(jobs->jobs.count + 1, sizeof(*jobs->frozen));
	for (size_t i = 0; i < jobs->jobs.count; i++)
		jobs->frozen[i] = mem_copy_text(store_at(store, jobs->jobs.items[i].at)->arn);
	jobs->frozen_count = jobs->jobs.count;
	jobs->is_frozen = true;
}

/* A job that the store has forgotten has no row any more. */
void jobs_collect_frozen(struct jobs_state *jobs)
{
	const struct ui *ui = jobs->ui;
	struct rows *rows = &jobs->jobs;
	size_t count = 0;
	rows->items =
		mem_grow(rows->items, &rows->capacity, jobs->frozen_count, sizeof(*rows->items));
	for (size_t i = 0; i < jobs->frozen_count; i++) {
		size_t at;
		if (store_place(ui->env->store, jobs->frozen[i], &at))
			rows->items[count++] = (struct row){ .at = (uint32_t)at };
	}
	rows->count = jobs->ui->shown = count;
	jobs->version = ui->env->store->version;
	jobs->collected_ms = ui_now_ms(ui);
}

void jobs_freeze(void *state)
{
	struct jobs_state *jobs = state;
	struct ui *ui = jobs->ui;
	if (jobs->is_frozen) {
		jobs_thaw(jobs);
		jobs->anew = true;
	} else {
		jobs_keep_frozen(jobs);
	}
	ui->changed(ui);
}

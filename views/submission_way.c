/* A copy of a job that waits takes its place: in which order, and what is said of it. */
#include <stdlib.h>
#include <string.h>

#include "model/config_known.h"
#include "model/store_quotas.h"
#include "views/stop.h"
#include "views/submission.h"
#include "views/words.h"

struct requeue_order submission_order(const struct ui *ui, const struct job *job,
				      const struct draft *draft, const char *text)
{
	const struct view_env *env = ui->env;
	struct quota_fact *quotas =
		store_list_quotas(env->store, &draft->prefs, quota_kind_of(job->kind, false));
	struct check_known limits = { 0 };

	free(config_fill_known(env->config, &limits));
	const struct requeue_sides sides = { .kind = job->kind,
					     .prices = &env->store->prices,
					     .old_prefs = job_prefs(job),
					     .new_prefs = &draft->prefs,
					     .old_text = job->request_json,
					     .new_text = text,
					     .quotas = quotas,
					     .quota_count = draft->prefs.length,
					     .max_per_hour = limits.max_per_hour };
	struct requeue_order order = requeue_order(&sides);

	free(quotas);
	return order;
}

void submission_choose_way(struct submission *copy, const struct ui *ui, const struct job *job,
			   const struct draft *draft)
{
	const char *typed = copy->name;

	copy->replaces = draft->origin == DRAFT_OF_JOB && job_phase(job) == PHASE_PENDING;
	if (copy->replaces) {
		copy->order = submission_order(ui, job, draft, buf_text(&copy->exact));
		if (!copy->way_is_chosen)
			copy->way = copy->order.stop_first ? WAY_STOP_FIRST : WAY_SUBMIT_FIRST;
	} else {
		copy->way = WAY_COPY;
	}
	if (copy->way != WAY_COPY && stop_find_owner(ui, job, &copy->owner)) {
		copy->type_name = true;
		typed = owner_typed(&copy->owner, job->name);
	}
	memcpy(copy->typed, typed, strlen(typed) + 1);
}

bool submission_next_way(struct submission *copy)
{
	static const enum submission_way next[] = { [WAY_COPY] = WAY_SUBMIT_FIRST,
						    [WAY_SUBMIT_FIRST] = WAY_STOP_FIRST,
						    [WAY_STOP_FIRST] = WAY_COPY };

	if (!copy->replaces || copy->order.is_forced)
		return false;
	copy->way = next[copy->way];
	copy->way_is_chosen = true;
	return true;
}

static void add_order(struct buf *out, const struct submission *copy)
{
	bool stop_first = copy->way == WAY_STOP_FIRST;
	struct buf text;

	buf_init(&text, WORDS_MAX);
	if (stop_first == copy->order.stop_first)
		requeue_order_describe(&copy->order, &text);
	else
		requeue_order_describe_chosen(stop_first, &text);
	submission_add_plain(out, buf_text(&text));
	buf_add_text(out, copy->order.is_forced ? ".\n" : ". Tab: another way.\n");
	buf_release(&text);
}

static void add_owner(struct buf *out, const struct submission *copy)
{
	buf_add_text(out, "It belongs to ");
	owner_describe(&copy->owner, out);
	buf_addf(out, ", which fails when its job is stopped. To go on all the same, type: %s\n",
		 copy->typed);
}

void submission_add_fate(struct buf *out, const struct submission *copy, const struct job *job)
{
	submission_add_plain(out, job->name);
	if (copy->way != WAY_COPY) {
		buf_add_text(out, " is pending and is replaced: ");
		add_order(out, copy);
		if (copy->owner.kind != OWNER_NONE)
			add_owner(out, copy);
	} else if (job_is_live(job)) {
		buf_addf(out, " stays %s and is NOT stopped: both can run and cost.%s\n",
			 phase_word(job_phase(job)), copy->replaces ? " Tab: another way." : "");
	} else {
		buf_addf(out, " has ended (%s) and stays as it is.\n", phase_word(job_phase(job)));
	}
}

/* What the preferences pane shows, before it is painted: the list as it is now, what is offered for
 * it and what is found. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/config_known.h"
#include "model/refusal.h"
#include "model/store_quotas.h"
#include "views/editor.h"
#include "views/words.h"

/* A limit that is on its way is no doubt yet; it is named once the check was asked for. */
static void drop_waiting(const struct editor *editor, struct editor_look *look)
{
	struct findings *findings = &look->findings;
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		const struct quota_fact *quota =
			look->quotas && finding->entry < look->prefs->length
				? &look->quotas[finding->entry]
				: NULL;
		bool waits = quota && !quota->told && !quota->error && quota->code &&
			     strcmp(finding->rule, "quota-unknown") == 0;

		if (editor->checked || !waits)
			findings->items[kept++] = *finding;
	}
	findings->count = kept;
}

/* What AWS would refuse first, what nobody has checked last. */
static void sort_findings(struct findings *findings)
{
	for (size_t i = 1; i < findings->count; i++) {
		const struct finding one = findings->items[i];
		size_t at = i;

		while (at > 0 && findings->items[at - 1].severity > one.severity)
			at--;
		memmove(&findings->items[at + 1], &findings->items[at],
			(i - at) * sizeof(findings->items[0]));
		findings->items[at] = one;
	}
}

static void check_list(const struct editor *editor, struct editor_look *look)
{
	const struct preferences *prefs = look->prefs;
	const struct store *store = editor->ui->env->store;
	struct plan_fact *plans;
	struct check_certified *certified;
	struct check_known known = { .region = editor->ui->env->region,
				     .prices = &editor->ui->env->store->prices };
	struct check_input input = {
		.kind = look->job->kind,
		.prefs = prefs,
		.has_spot = look->job->spot,
		.has_max_pending = look->max_pending.set,
		.max_pending_seconds = look->max_pending.ms / 1000,
		.max_runtime = look->job->max_runtime,
		.known = &known,
	};

	input.processing_has_plan = input.kind == JOB_PROCESSING && prefs->job_plan_arn[0];
	for (size_t i = 0; i < prefs->length; i++)
		if (input.kind == JOB_PROCESSING && prefs->entries[i].plan_arn[0])
			input.processing_has_plan = true;
	plans = store_plan_facts(store, ui_now_ms(editor->ui));
	known.plans = plans;
	known.plan_count = store->plan_count;
	known.quotas = look->quotas;
	known.quota_count = look->quota_count;
	known.note_unchecked = editor->checked;
	if (look->draft && look->draft->name[0])
		draft_know_name(editor->ui, look->draft, look->draft->name, &known);
	certified = config_fill_known(editor->ui->env->config, &known);
	/* Without a request there is the list, if it is one. */
	if (!editor_check_request(look, &known, &look->findings) && prefs->is_list)
		check_preferences(&input, &look->findings);
	drop_waiting(editor, look);
	sort_findings(&look->findings);
	free(certified);
	free(plans);
}

/* What AWS said to this very list stands before what the rules say. */
static void add_refusal(struct editor_look *look)
{
	const struct draft *draft = look->draft;
	struct findings *findings = &look->findings;
	struct prefs_state now;

	if (!draft || !draft->refused_as[0] || draft->refusal.outcome_open ||
	    look->prefs == &look->moved)
		return;
	now = draft_state(draft);
	if (draft->refusal.code != ERR_REFUSED || !prefs_state_equal(&now, &draft->sent))
		return;
	if (findings->count == FINDINGS_MAX)
		findings->count--;
	memmove(&findings->items[1], &findings->items[0],
		findings->count * sizeof(*findings->items));
	look->refused = true;
	refusal_finding(err_text(&draft->refusal), look->prefs, &findings->items[0]);
	findings->count++;
}

/* The list as it will be when the mouse lets go. */
static void show_in_hand(const struct editor *editor, struct editor_look *look)
{
	const struct editor_hand *hand = &editor->hand;

	if (!hand->holds || hand->from == hand->to || strcmp(hand->arn, look->job->arn) != 0)
		return;
	look->moved = *look->prefs;
	if (prefs_move(&look->moved, hand->from, hand->to))
		look->prefs = &look->moved;
}

struct editor_look *editor_look_new(const struct editor *editor)
{
	struct editor_look *look = mem_new(1, sizeof(*look));
	const struct job *job = ui_subject(editor->ui);

	look->job = job;
	if (!job)
		return look;
	look->draft = draft_find(editor->ui, job->arn);
	look->max_pending = look->draft ? look->draft->max_pending : job->max_pending;
	if (look->draft)
		look->prefs = &look->draft->prefs;
	else if (job_has_details(job))
		look->prefs = job_prefs(job);
	if (!look->prefs)
		return look;
	show_in_hand(editor, look);
	look->quotas = store_request_quotas(editor->ui->env->store, look->prefs,
					    quota_kind_of(job->kind, job->spot),
					    job->keep_alive_seconds > 0, &look->quota_count);
	check_list(editor, look);
	add_refusal(look);
	look->offer_count = editor_offers(editor, look, look->offers);
	look->rows = look->prefs->length + look->offer_count + look->findings.count;
	if (editor->arn && strcmp(editor->arn, job->arn) == 0)
		look->cursor = editor->cursor;
	if (look->prefs == &look->moved)
		look->cursor = editor->hand.to;
	if (look->cursor >= look->rows)
		look->cursor = look->rows ? look->rows - 1 : 0;
	return look;
}

void editor_look_free(struct editor_look *look)
{
	if (look)
		free(look->quotas);
	free(look);
}

const struct finding *editor_finding_at(const struct editor_look *look, size_t row)
{
	size_t above = look->prefs->length + look->offer_count;

	return row >= above && row < look->rows ? &look->findings.items[row - above] : NULL;
}

void editor_why_not(const struct job *job, struct buf *out)
{
	if (!job)
		buf_add_text(out, "no job is selected");
	else if (!job_has_details(job))
		buf_addf(out,
			 "%s is not described yet: its list is not known, try again in a moment",
			 job->name);
	else if (job->has_groups)
		buf_add_text(out, "instance groups (a heterogeneous cluster): SageMaker takes no "
				  "preference list beside InstanceGroups");
}

void editor_note(const struct editor *editor, struct buf *out)
{
	const struct job *job = ui_subject(editor->ui);
	const struct draft *draft = job ? draft_find(editor->ui, job->arn) : NULL;
	struct opt_ms limit = { 0 };

	if (draft)
		limit = draft->max_pending;
	else if (job && job_has_details(job))
		limit = job->max_pending;
	if (limit.set) {
		buf_add_text(out, "limit ");
		words_duration(out, limit.ms);
	} else if (draft && draft->original.max_pending.set) {
		buf_add_text(out, "no limit");
	}
	if (draft_changed(draft))
		buf_addf(out, "%sdraft*", out->len ? "  " : "");
	if (editor->frame->hidden)
		buf_addf(out, "%s%zu more", out->len ? "  " : "", editor->frame->hidden);
}

bool editor_type_here(const struct editor *editor, char type[TYPE_NAME_SIZE])
{
	struct editor_look *look = editor_look_new(editor);
	bool here = look->prefs && look->cursor < look->prefs->length;

	if (here)
		memcpy(type, look->prefs->entries[look->cursor].instance_type, TYPE_NAME_SIZE);
	editor_look_free(look);
	return here;
}

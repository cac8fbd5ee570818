#include "views/submission_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/cli_line.h"
#include "model/price.h"
#include "model/request_diff.h"
#include "views/words.h"

void submission_add_plain(struct buf *out, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		buf_add_char(out, byte < ' ' || byte == 0x7f ? '?' : *text);
	}
}

/* --- what hinders, and what is doubted --- */

static void add_finding(struct buf *out, const struct finding *finding)
{
	static const char marks[] = {
		[SEVERITY_ERROR] = '!', [SEVERITY_WARNING] = '~', [SEVERITY_NOTE] = '?'
	};

	buf_addf(out, "%c ", marks[finding->severity]);
	if (finding->entry != CHECK_NO_ENTRY && finding->message[0] != '#')
		buf_addf(out, "#%zu: ", finding->entry + 1);
	submission_add_plain(out, finding->message);
	if (finding->fix_text[0]) {
		buf_add_char(out, ' ');
		submission_add_plain(out, finding->fix_text);
	}
	buf_add_char(out, '\n');
}

static void add_refusals(struct buf *out, const struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		if (submission_is_refused(&findings->items[i]))
			add_finding(out, &findings->items[i]);
}

/* What AWS decides, and then what nobody has checked. */
static void add_doubts(struct buf *out, const struct findings *findings)
{
	static const enum severity severities[] = { SEVERITY_WARNING, SEVERITY_NOTE };

	for (size_t k = 0; k < ARRAY_LEN(severities); k++)
		for (size_t i = 0; i < findings->count; i++)
			if (findings->items[i].severity == severities[k] &&
			    !submission_is_refused(&findings->items[i]))
				add_finding(out, &findings->items[i]);
	if (findings->cut)
		buf_add_text(out, "(and more)\n");
}

static void add_hindrance(struct buf *out, const struct submission_view *view)
{
	size_t begin = out->len;

	if (view->ui->env->read_only)
		buf_add_text(out, "Read-only: nothing is submitted.\n");
	else if (view->err->code != ERR_NONE)
		buf_addf(out, "This request cannot be made: %s\n", err_text(view->err));
	else if (findings_have_error(view->findings))
		buf_add_text(out, "SageMaker would refuse this request:\n");
	else if (view->copy->blocked)
		buf_add_text(out, "Your config refuses this request:\n");
	add_refusals(out, view->findings);
	if (out->len > begin)
		buf_add_char(out, '\n');
}

static void add_last_try(struct buf *out, const struct draft *draft)
{
	if (!draft->refused_as[0])
		return;
	buf_add_text(out, "The last try: ");
	submission_add_refusal(out, draft->refused_as, &draft->refusal);
	buf_add_char(out, '\n');
}

/* --- what and where --- */

/* The job by its name, or the file by its path. */
static const char *source_of(const struct draft *draft)
{
	if (draft->origin == DRAFT_OF_JOB)
		return draft->job.name;
	const char *source = draft->source ? draft->source : "";
	const char *name = strrchr(source, '/');

	return draft->origin == DRAFT_CLONE && name ? name + 1 : source;
}

static void add_head(struct buf *out, const struct submission_view *view)
{
	const struct view_env *env = view->ui->env;
	const struct draft *draft = view->draft;

	buf_addf(out, "New %s job %s\nin %s, account %s, ", job_kind_word(view->copy->kind),
		 view->copy->name, env->region, env->account[0] ? env->account : "not known yet");
	buf_add_text(out, draft->origin == DRAFT_FILE ? "from the file " : "a copy of ");
	submission_add_plain(out, source_of(draft));
	buf_add_text(out, ".\n");
	if (draft->origin == DRAFT_OF_JOB)
		submission_add_fate(out, view->copy, view->job);
	buf_add_char(out, '\n');
}

static bool same_limit(const struct draft *draft)
{
	const struct opt_ms *before = &draft->original.max_pending, *now = &draft->max_pending;

	return now->set == before->set && (!now->set || now->ms == before->ms);
}

/* --- what it costs --- */

static void add_money(struct buf *out, struct money money, const struct price_stakes *range)
{
	if (money.set)
		words_money(out, money.micro, range->currency, price_is_approximate(range->source));
	else
		buf_add_text(out, "unknown");
}

/* "~$20.36 to ~$101 an hour, worst case ~$2,424: #2 for 24h00m." */
static void add_range(struct buf *out, const struct submission_view *view,
		      const struct price_stakes *range)
{
	const struct preferences *prefs = &view->draft->prefs;

	if (prefs->length > 1 && range->least.set) {
		buf_add_text(out, prefs->is_list ? "The list: " : "All groups: ");
		add_money(out, range->least, range);
		if (range->least.micro != range->most.micro) {
			buf_add_text(out, " to ");
			add_money(out, range->most, range);
		}
		buf_add_text(out, " an hour. ");
	}
	buf_add_text(out, view->copy->stakes);
	if (range->worst_case.set && prefs->is_list && prefs->length > 1)
		buf_addf(out, " That is #%zu.", range->dearest + 1);
	buf_add_char(out, '\n');
}

/* "Pending limit 6h00m, before none." */
static void add_limit(struct buf *out, const struct draft *draft)
{
	buf_add_text(out, draft->max_pending.set ? "Pending limit " : "No pending limit");
	if (draft->max_pending.set)
		words_duration(out, draft->max_pending.ms);
	if (!same_limit(draft)) {
		buf_add_text(out, ", before ");
		if (draft->original.max_pending.set)
			words_duration(out, draft->original.max_pending.ms);
		else
			buf_add_text(out, "none");
	}
	buf_add_text(out, ".\n");
}

static void add_costs(struct buf *out, const struct submission_view *view)
{
	struct price_stakes range =
		price_list_stakes(&view->draft->prefs, &view->ui->env->store->prices,
				  view->copy->kind, view->facts->max_runtime);

	add_range(out, view, &range);
	if (range.on_demand.set) {
		buf_add_text(out, "May start on demand at up to ");
		add_money(out, range.on_demand, &range);
		buf_add_text(out, " an hour.\n");
	}
	if (view->copy->kind == JOB_TRAINING)
		add_limit(out, view->draft);
	else
		buf_add_text(out, "Waiting cannot be bounded by AWS: a processing job has no "
				  "pending limit.\n");
}

/* --- the tags, which Describe does not tell --- */

static void add_tag_names(struct buf *out, const struct job_tags *tags)
{
	size_t kept = 0;

	for (size_t i = 0; i < tags->count; i++) {
		if (!request_tag_is_kept(tags->items[i].key))
			continue;
		buf_add_text(out, kept++ ? ", " : "Tags copied: ");
		submission_add_plain(out, tags->items[i].key);
	}
	if (!kept)
		buf_add_text(out, "No tags are copied");
	if (kept < tags->count)
		buf_addf(out, "; %zu of AWS's own cannot be", tags->count - kept);
	buf_add_text(out, ".\n");
}

static void add_tags(struct buf *out, const struct submission_view *view)
{
	const struct job_tags *tags = submission_tags(view->ui, view->draft);

	if (!submission_source(view->draft) || !view->request->text)
		return;
	if (view->copy->carries_tags) {
		add_tag_names(out, tags);
	} else if (request_has_tags(view->request)) {
		buf_add_text(out, "Tags are those of the draft.\n");
	} else if (tags && tags->fresh.failing) {
		buf_add_text(out, "Tags are not copied, since they could not be read: ");
		words_failure(out, &tags->fresh.error);
		buf_add_text(out, ".\n");
	} else {
		buf_add_text(out, "Tags are not copied: they are not read yet.\n");
	}
}

/* --- what is different --- */

/* The source as a request, with the tags that Describe does not tell. */
static bool read_source(const struct submission_view *view, struct request *source, struct err *err)
{
	const struct job_tags *tags = submission_tags(view->ui, view->draft);

	*source = (struct request){ .kind = view->copy->kind,
				    .text = mem_copy_text(view->draft->texts[0].text) };
	return !view->copy->carries_tags || request_set_tags(source, tags->items, tags->count, err);
}

/* NULL: there is nothing to compare. */
static struct request_diff *find_differences(const struct submission_view *view)
{
	struct request_diff *diff;
	struct request source = { 0 };
	struct err err = { 0 };

	if (!draft_has_text(view->draft) || !view->request->text)
		return NULL;
	diff = mem_new(1, sizeof(*diff));
	bool ok = read_source(view, &source, &err) &&
		  request_diff_find(diff, &source, view->request, &err);
	request_release(&source);
	err_clear(&err);
	if (ok)
		return diff;
	free(diff);
	return NULL;
}

/* A plan that goes is said above, before anything is agreed to. */
static void add_lost_plans(struct buf *out, const struct request_diff *diff)
{
	for (size_t i = 0; diff && i < diff->plan_count; i++) {
		buf_add_text(out, "! PLAN LOST: ");
		submission_add_plain(out, words_plan(diff->plans_lost[i]));
		buf_add_text(out, " was bound and is not any more.\n");
	}
}

static void add_differences(struct buf *out, const struct submission_view *view,
			    const struct request_diff *diff)
{
	if (!diff)
		return;
	buf_addf(out, "\nApart from the name, %s ",
		 diff->count ? "what differs from" : "it says the same as");
	submission_add_plain(out, source_of(view->draft));
	buf_add_text(out, diff->count ? ":\n" : ".\n");
	request_diff_add_text(diff, out);
}

/* --- what can be taken elsewhere --- */

static void add_command(struct buf *out, const struct submission_view *view)
{
	const struct view_env *env = view->ui->env;
	const struct cli_place place = {
		.region = env->region,
		.profile = env->fixed ? NULL : env->profile,
		.endpoint_url = env->endpoint_url,
	};

	struct buf line;

	buf_init(&line, SUBMISSION_PAGE_MAX);
	if (cli_line_add(&line, view->request, &place, false))
		buf_add_text(out, "\nThe same with the AWS CLI:\n");
	else
		buf_addf(out,
			 "\nThe same with the AWS CLI, from a file: as one argument of a command "
			 "the "
			 "request is too long (over %u KiB). E opens it in $EDITOR, to be saved as "
			 "%s:\n",
			 (CLI_ARGUMENT_MAX + 1) / 1024, CLI_LINE_FILE);
	buf_addf(out, "%s\n", buf_text(&line));
	buf_release(&line);
}

static void add_request(struct buf *out, const struct submission_view *view)
{
	struct buf shown;

	buf_init(&shown, SUBMISSION_PAGE_MAX);
	request_show(view->request, false, &shown);
	if (strcmp(buf_text(&shown), buf_text(&view->copy->exact)) != 0)
		buf_add_text(out, "\nValues that look like secrets are masked here and sent as "
				  "they are.");
	buf_addf(out, "\nThe request:\n%s", buf_text(&shown));
	buf_release(&shown);
}

bool submission_page(const struct submission_view *view, struct buf *page)
{
	struct request_diff *diff = find_differences(view);

	add_last_try(page, view->draft);
	add_hindrance(page, view);
	add_head(page, view);
	submission_add_list(page, view);
	if (prefs_equal(&view->draft->prefs, &view->draft->original.prefs) &&
	    same_limit(view->draft))
		buf_add_text(page, "The list is unchanged: a plain copy.\n");
	add_costs(page, view);
	add_lost_plans(page, diff);
	add_tags(page, view);
	add_doubts(page, view->findings);
	add_differences(page, view, diff);
	if (view->request->text) {
		add_request(page, view);
		add_command(page, view);
	}
	free(diff);
	return !page->failed;
}

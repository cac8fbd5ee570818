/* What the selected job got: type, count, rank, hardware, since when. */
#include "views/detail.h"
#include "views/plan_words.h"

static void write_selection(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	const struct selected *selected = &job->selected;
	struct buf text;
	buf_init(&text, WORDS_MAX);
	if (selected->rank > 0)
		buf_addf(&text, "#%zu ", selected->rank);
	buf_addf(&text, "%s ×%lld", selected->instance_type, (long long)selected->count);
	sheet_text(sheet, selected->rank == 1 ? STYLE_GOOD : STYLE_WARNING, buf_text(&text));
	buf_clear(&text);
	words_hardware(&text, selected->instance_type, selected->count);
	sheet_text(sheet, STYLE_TEXT, text.len > 0 ? buf_text(&text) : "hardware not known here");
	buf_clear(&text);
	words_job_capacity(&text, ui->env->store, job);
	if (job->started.set) {
		buf_add_text(&text, " since ");
		words_time(&text, job->started.ms, ui_now_ms(ui), ui->env->utc);
	}
	sheet_text(sheet, STYLE_TEXT, buf_text(&text));
	if (!job_prefs(job)->is_list)
		sheet_text(sheet, STYLE_DIM, "no list: one type");
	else if (selected->rank == 0)
		sheet_text(sheet, STYLE_WARNING, "! not a type of the list");
	else if (selected->rank > 1)
		sheet_textf(sheet, STYLE_WARNING, "! fallback: choice %zu of %zu", selected->rank,
			    job_prefs(job)->length);
	buf_release(&text);
}

static void write_idle(const struct ui *ui, const struct job *job, struct sheet *sheet)
{
	const struct gpu_use *use = gpu_watch_idle(&ui->env->store->gpus, job, ui_now_ms(ui));
	struct buf text;
	if (!use)
		return;
	buf_init(&text, WORDS_MAX);
	buf_add_text(&text, "! ");
	words_idle_gpus(&text, use);
	sheet_wrapped(sheet, STYLE_WARNING, buf_text(&text));
	buf_release(&text);
}

static void write_none(const struct job *job, struct sheet *sheet)
{
	if (!job_has_details(job))
		sheet_text(sheet, STYLE_DIM, "? (not read yet)");
	else if (job->has_groups)
		sheet_text(sheet, STYLE_DIM, "– (groups: all of them)");
	else if (job_phase(job) == PHASE_PENDING)
		sheet_text(sheet, STYLE_PENDING, "– (pending)");
	else if (job_never_started(job))
		sheet_text(sheet, STYLE_DIM, "– (never started)");
	else if (!job->described)
		sheet_text(sheet, STYLE_DIM, "? (being read again)");
	else
		sheet_text(sheet, STYLE_DIM, "– (AWS names none)");
}

static void selected_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct detail *detail = state;
	const struct job *job = ui_selected(detail->ui);
	struct sheet sheet = sheet_begin(detail, out, at, FRESH_SHOWS_NOTHING);
	(void)focused;
	if (job)
		write_idle(detail->ui, job, &sheet);
	if (job && job->selected.set)
		write_selection(detail->ui, job, &sheet);
	else if (job)
		write_none(job, &sheet);
	else if (ui_on_local(detail->ui))
		sheet_text(&sheet, STYLE_DIM, "not a job");
	sheet_end(&sheet);
}

const struct pane_ops selected_pane = {
	.name = "selected",
	.title = "Selected",
	.scope = &details_scope,
	.state_size = sizeof(struct detail),
	.open = detail_open,
	.close = detail_close,
	.refresh = detail_refresh,
	.draw = selected_draw,
};

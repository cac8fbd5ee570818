#include "views/page.h"

#include <stdlib.h>

#include "model/base/mem.h"
#include "model/request.h"
#include "views/fresh.h"
#include "views/words.h"
#include "views/writing.h"

void page_start(struct page *page, struct ui *ui, const char *title, enum page_about about)
{
	page->ui = ui;
	page->pager = mem_new(1, sizeof(*page->pager));
	page->title = mem_copy_text(title);
	page->about = about;
	page->arn = about == PAGE_ABOUT_JOB ? mem_copy_text(ui->selected_arn) : NULL;
	buf_init(&page->text, PAGE_TEXT_MAX);
}

void page_set_job(struct page *page, const char *arn)
{
	mem_set_text(&page->arn, arn);
}

void page_close(void *state)
{
	struct page *page = state;
	free(page->pager);
	free(page->title);
	free(page->arn);
	buf_release(&page->text);
}

const struct job *page_job(const struct page *page)
{
	return page->arn ? store_find(page->ui->env->store, page->arn) : NULL;
}

static struct fresh fresh_of(const struct page *page)
{
	const struct view_env *env = page->ui->env;
	const struct job *job = page_job(page);
	if (job && page->whole && !job->request_json)
		return store_text_fresh(env->store, job, clock_mono_ms(env->clock));
	if (job)
		return store_job_fresh(env->store, job, clock_mono_ms(env->clock));
	if (page->about == PAGE_ABOUT_PLANS)
		return fresh_of_plans(page->ui);
	return (struct fresh){ .state = FRESH_CURRENT };
}

/* "/HF_TOKEN 2 of 7" */
static void add_found(const struct pager *pager, struct buf *out)
{
	if (!pager->find[0])
		return;
	buf_addf(out, "/%s ", pager->find);
	if (pager->matches > 0)
		buf_addf(out, "%zu of %zu", pager->match, pager->matches);
	else
		buf_add_text(out, "not found");
}

void page_paint(const struct page *page, struct surface *out, struct rect at, const char *text)
{
	struct rect inner = layout_inset(at, 1);
	struct fresh fresh = fresh_of(page);
	struct fresh_pane pane = { .shown = page->arn ? FRESH_SHOWS_LIST : FRESH_SHOWS_NOTHING };
	struct buf note;
	draw_clear(out, at);
	inner = fresh_draw(&fresh, &pane, out, inner);
	if (inner.w > 0 && inner.h > 0)
		pager_draw(page->pager, out, inner, text);
	/* What was found is known only now. */
	buf_init(&note, WORDS_MAX);
	add_found(page->pager, &note);
	draw_frame(out, at, page->title, buf_text(&note), true);
	buf_release(&note);
}

void page_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct page *page = state;
	(void)focused;
	page_paint(page, out, at, buf_text(&page->text));
}

static struct pager *pager_of(void *state)
{
	return ((struct page *)state)->pager;
}

static long page_of(void *state)
{
	const struct pager *pager = pager_of(state);
	return pager->height > 1 ? pager->height - 1 : 1;
}

static void page_line_down(void *state)
{
	pager_scroll(pager_of(state), 1);
}

static void page_line_up(void *state)
{
	pager_scroll(pager_of(state), -1);
}

static void page_half_down(void *state)
{
	pager_scroll(pager_of(state), (page_of(state) + 1) / 2);
}

static void page_half_up(void *state)
{
	pager_scroll(pager_of(state), -(page_of(state) + 1) / 2);
}

static void page_down(void *state)
{
	pager_scroll(pager_of(state), page_of(state));
}

static void page_up(void *state)
{
	pager_scroll(pager_of(state), -page_of(state));
}

static void page_first(void *state)
{
	pager_scroll(pager_of(state), -(long)pager_of(state)->top);
}

static void page_last(void *state)
{
	pager_to_end(pager_of(state));
}

static void page_search(void *state)
{
	struct page *page = state;
	page->ui->push(page->ui, &search_pane, &(struct search_argument){ page });
}

static void page_find_next(void *state)
{
	pager_step(pager_of(state), 1);
}

static void page_find_previous(void *state)
{
	pager_step(pager_of(state), -1);
}

static void page_refresh(void *state)
{
	const struct cloud_intents *cloud = &((struct page *)state)->ui->env->cloud;
	cloud->refresh(cloud->host);
}

static void page_write(void *state)
{
	writing_begin(((struct page *)state)->ui);
}

static void page_leave(void *state)
{
	struct ui *ui = ((struct page *)state)->ui;
	ui->pop(ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "q Esc Enter C-c C-g",
	  .action = "page-close",
	  .help = "close",
	  .brief = "close",
	  .flags = KEY_FOOTER,
	  .run = page_leave },
	{ .keys = "j Down",
	  .action = "page-line-down",
	  .help = "a line down",
	  .brief = "down",
	  .flags = KEY_FOOTER,
	  .run = page_line_down },
	{ .keys = "k Up",
	  .action = "page-line-up",
	  .help = "a line up",
	  .brief = "up",
	  .flags = KEY_FOOTER,
	  .run = page_line_up },
	{ .keys = "C-d",
	  .action = "page-half-down",
	  .help = "half a page down",
	  .run = page_half_down },
	{ .keys = "C-u", .action = "page-half-up", .help = "half a page up", .run = page_half_up },
	{ .keys = "PgDn Space",
	  .action = "page-down",
	  .help = "a page down",
	  .brief = "page",
	  .flags = KEY_FOOTER,
	  .run = page_down },
	{ .keys = "PgUp", .action = "page-up", .help = "a page up", .run = page_up },
	{ .keys = "g Home", .action = "page-first", .help = "to the top", .run = page_first },
	{ .keys = "G End", .action = "page-last", .help = "to the end", .run = page_last },
	{ .keys = "/ F3",
	  .action = "page-search",
	  .help = "search (capitals count where some are typed)",
	  .brief = "search",
	  .flags = KEY_FOOTER,
	  .run = page_search },
	{ .keys = "W",
	  .action = "page-write",
	  .help = "write it to a file: md, txt; facts also csv, json",
	  .brief = "write",
	  .run = page_write },
	{ .keys = "r F5", .action = "page-refresh", .help = "ask AWS now", .run = page_refresh },
	{ .keys = "n",
	  .action = "page-find-next",
	  .help = "the next place where it stands",
	  .run = page_find_next },
	{ .keys = "N",
	  .action = "page-find-previous",
	  .help = "the place before",
	  .run = page_find_previous },
	{ 0 },
};

const struct key_scope pager_scope = { .name = "Description, JSON, plans, help",
				       .bindings = bindings };

/* --- what AWS answered, or any other text --- */

static void message_open(void *state, struct ui *ui, const void *argument)
{
	const struct message *message = argument;
	struct page *page = state;
	page_start(page, ui, message->title, PAGE_ABOUT_NOTHING);
	buf_add_text(&page->text, message->text);
}

const struct pane_ops message_pane = {
	.name = "message",
	.title = "Message",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = message_open,
	.close = page_close,
	.draw = page_draw,
};

/* --- raw JSON --- */

/* A record of Search may lag behind, and is without its tags. */
static void raw_entitle(struct page *page, const struct job *job)
{
	mem_set_text(&page->title, job && job->text_is_of_search
					   ? "What Search told, tags left out (secrets masked)"
					   : "What Describe answered (secrets masked)");
}

static void raw_refresh(void *state)
{
	struct page *page = state;
	const struct job *job = page_job(page);
	buf_clear(&page->text);
	raw_entitle(page, job);
	if (!job) {
		buf_add_text(&page->text, "This job is not listed any more.");
		return;
	}
	if (!job->request_json) {
		buf_add_text(&page->text, "What Describe tells of this job has not been read.\n");
		return;
	}
	const struct request request = { .kind = job->kind, .text = job->request_json };
	request_show(&request, false, &page->text);
	if (page->text.failed)
		buf_add_text(&page->text, "\n(too long to be shown whole)");
}

static void raw_open(void *state, struct ui *ui, const void *argument)
{
	struct page *page = state;
	page_start(state, ui, "", PAGE_ABOUT_JOB);
	if (argument)
		page_set_job(state, argument);
	page->whole = true;
	raw_refresh(state);
}

static void raw_write(const void *state, const struct report_context *context, struct buf *out)
{
	const struct page *page = state;
	const struct job *job = page_job(page);
	(void)context;
	if (job && job->request_json && !page->text.failed)
		buf_addf(out, "%s\n", buf_text(&page->text));
}

const struct pane_ops raw_pane = {
	.name = "raw",
	.title = "JSON",
	.scope = &pager_scope,
	.state_size = sizeof(struct page),
	.modal = true,
	.open = raw_open,
	.close = page_close,
	.refresh = raw_refresh,
	.draw = page_draw,
	.writes = "json txt",
	.write = raw_write,
};

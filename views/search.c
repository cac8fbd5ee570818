/* The search line of a page: each key goes to what is found so far; leaving it puts all back. */
#include <stdio.h>
#include <string.h>

#include "tui/prompt.h"
#include "views/page.h"

#define COUNT_COLUMNS 40

struct search {
	struct ui *ui;
	struct page *page; /* below this line */
	struct prompt prompt;
	struct pager before;
};

static void search_open(void *state, struct ui *ui, const void *argument)
{
	struct search *search = state;
	const struct search_argument *wanted = argument;
	search->ui = ui;
	search->page = wanted->page;
	search->before = *wanted->page->pager;
	prompt_start(&search->prompt, "search: ", "");
}

static void search_keep(void *state)
{
	struct search *search = state;
	struct pager *pager = search->page->pager;
	if (!search->prompt.text[0]) /* as it was: n goes on with it */
		memcpy(pager->find, search->before.find, sizeof(pager->find));
	search->ui->pop(search->ui);
}

static void search_undo(void *state)
{
	struct search *search = state;
	*search->page->pager = search->before;
	search->ui->pop(search->ui);
}

/* From where it was opened, whatever was found on the way. */
static bool search_feed(void *state, struct key key, const char *paste)
{
	struct search *search = state;
	if (!paste && keys_find(search_scope.bindings, key, false))
		return false;
	(void)prompt_feed(&search->prompt, key, paste);
	search->page->pager->top = search->before.top;
	pager_find(search->page->pager, search->prompt.text);
	return true;
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "search-keep",
	  .help = "stay there; n and N go on",
	  .run = search_keep },
	{ .keys = "Esc C-c C-g",
	  .action = "search-undo",
	  .help = "back to where the search began",
	  .run = search_undo },
	{ 0 },
};

const struct key_scope search_scope = { .name = "Search in a page", .bindings = bindings };

static void search_draw(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct search *search = state;
	(void)focused;
	draw_clear(out, at);
	if (at.w > 2 * COUNT_COLUMNS) {
		struct rect right = { at.x + at.w - COUNT_COLUMNS, at.y, COUNT_COLUMNS, 1 };
		draw_text_right(out, right, STYLE_DIM, "Enter stays  Esc goes back ");
		at.w -= COUNT_COLUMNS;
	}
	prompt_draw(&search->prompt, out, at);
}

const struct pane_ops search_pane = {
	.name = "search",
	.title = "Search",
	.scope = &search_scope,
	.state_size = sizeof(struct search),
	.modal = true,
	.line = true,
	.open = search_open,
	.feed = search_feed,
	.draw = search_draw,
};

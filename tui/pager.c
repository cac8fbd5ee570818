#include "tui/pager.h"

#include <string.h>

#include "model/base/buf.h"
#include "model/base/text.h"
#include "tui/wrap.h"

#define PAGE_BYTES (16u << 20) /* four times the largest request, for what marks add */

/* One wrapped line after the other. */
struct walk {
	const char *text;
	size_t left;
	int columns;
};

static bool next_line(struct walk *walk, const char **line, size_t *len)
{
	if (walk->left == 0)
		return false;
	const char *end = memchr(walk->text, '\n', walk->left);
	size_t paragraph = end ? (size_t)(end - walk->text) : walk->left;
	size_t next;

	*line = walk->text;
	*len = wrap_line(walk->text, paragraph, walk->columns, &next);
	if (end && next == paragraph)
		next++;
	walk->text += next;
	walk->left -= next;
	return true;
}

static size_t last_top(const struct pager *pager)
{
	size_t height = pager->height > 0 ? (size_t)pager->height : 0;

	return pager->lines > height ? pager->lines - height : 0;
}

void pager_scroll(struct pager *pager, long delta)
{
	size_t by = delta < 0 ? 0 - (size_t)delta : (size_t)delta;
	size_t last = last_top(pager);

	if (delta < 0)
		pager->top -= by < pager->top ? by : pager->top;
	else if (pager->top < last)
		pager->top += by < last - pager->top ? by : last - pager->top;
}

void pager_to_end(struct pager *pager)
{
	pager->top = last_top(pager);
}

static size_t count_lines(struct walk walk)
{
	const char *line;
	size_t len, count = 0;

	while (next_line(&walk, &line, &len))
		count++;
	return count;
}

static void draw_lines(const struct pager *pager, struct surface *out, struct rect at,
		       struct walk walk)
{
	struct buf piece;
	const char *line;
	size_t len;

	buf_init(&piece, PAGE_BYTES);
	for (size_t skipped = 0; skipped < pager->top && next_line(&walk, &line, &len);)
		skipped++;
	for (int y = 0; y < at.h; y++) {
		buf_clear(&piece);
		if (next_line(&walk, &line, &len))
			(void)buf_add(&piece, line, len);
		draw_page_line(out, layout_row(at, y), STYLE_TEXT, buf_text(&piece));
	}
	buf_release(&piece);
}

void pager_draw(struct pager *pager, struct surface *out, struct rect at, const char *text)
{
	struct buf page;

	if (at.w <= 0 || at.h <= 0)
		return;
	buf_init(&page, PAGE_BYTES);
	draw_safe_page(out, &page, text);
	struct walk walk = { .text = buf_text(&page), .left = page.len, .columns = at.w };
	pager->height = at.h;
	pager->lines = count_lines(walk);
	if (pager->top > last_top(pager))
		pager->top = last_top(pager);
	draw_lines(pager, out, at, walk);
	buf_release(&page);
}

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

	pager->at_end = false;
	if (delta < 0)
		pager->top -= by < pager->top ? by : pager->top;
	else if (pager->top < last)
		pager->top += by < last - pager->top ? by : last - pager->top;
}

void pager_to_end(struct pager *pager)
{
	pager->top = last_top(pager);
	pager->at_end = true;
}

static size_t count_lines(struct walk walk)
{
	const char *line;
	size_t len, count = 0;

	while (next_line(&walk, &line, &len))
		count++;
	return count;
}

/* --- search --- */

#define STEP_FIRST 0x10000 /* of a new search: to the first match from the top on */

void pager_find(struct pager *pager, const char *text)
{
	size_t len = strlen(text);

	if (len >= PAGER_FIND_SIZE) {
		len = PAGER_FIND_SIZE - 1;
		while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(pager->find, text, len);
	pager->find[len] = '\0';
	pager->matches = pager->match = 0;
	pager->step = STEP_FIRST;
}

void pager_step(struct pager *pager, int by)
{
	if (pager->find[0])
		pager->step = by;
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool has_capitals(const char *text)
{
	while (*text && small(*text) == *text)
		text++;
	return *text != '\0';
}

/* The next place in text[0..len) where it stands, or NULL. */
static const char *find_next(const struct pager *pager, const char *text, size_t len)
{
	size_t wanted = strlen(pager->find);
	bool exact = has_capitals(pager->find);

	for (; len >= wanted; text++, len--) {
		size_t same = 0;

		while (same < wanted &&
		       pager->find[same] == (exact ? text[same] : small(text[same])))
			same++;
		if (same == wanted)
			return text;
	}
	return NULL;
}

/* Walks over the matches: each with the wrapped line that it begins on. */
struct hunt {
	const struct pager *pager;
	struct walk walk;
	const char *hit; /* the next one, or NULL */
	const char *end; /* of the text */
	size_t line;     /* before which the walk stands */
};

static void hunt_seek(struct hunt *hunt, const char *from)
{
	hunt->hit = find_next(hunt->pager, from, (size_t)(hunt->end - from));
}

static struct hunt hunt_begin(const struct pager *pager, struct walk walk)
{
	struct hunt hunt = { .pager = pager, .walk = walk, .end = walk.text + walk.left };

	hunt_seek(&hunt, walk.text);
	return hunt;
}

/* The next match and its line; false at the end. */
static bool hunt_next(struct hunt *hunt, size_t *line)
{
	const char *text;
	size_t len;

	if (!hunt->hit)
		return false;
	/* Lines begin in the order of the text: it is on the last one that begins before it. */
	while (hunt->walk.left > 0 && hunt->walk.text <= hunt->hit &&
	       next_line(&hunt->walk, &text, &len))
		hunt->line++;
	*line = hunt->line - 1;
	hunt_seek(hunt, hunt->hit + strlen(hunt->pager->find));
	return true;
}

/* Counts them; *first is the first one (from 1) on the top line or below, else the very first. */
static size_t count_matches(const struct pager *pager, struct walk walk, size_t *first)
{
	struct hunt hunt = hunt_begin(pager, walk);
	size_t line, count = 0;

	*first = 0;
	while (hunt_next(&hunt, &line)) {
		count++;
		if (*first == 0 && line >= pager->top)
			*first = count;
	}
	if (*first == 0 && count > 0)
		*first = 1;
	return count;
}

static size_t line_of(const struct pager *pager, struct walk walk, size_t match)
{
	struct hunt hunt = hunt_begin(pager, walk);
	size_t line = 0;

	for (size_t i = 0; i < match && hunt_next(&hunt, &line); i++)
		continue;
	return line;
}

static bool is_in_sight(const struct pager *pager, size_t line)
{
	size_t height = pager->height > 0 ? (size_t)pager->height : 1;

	return line >= pager->top && line < pager->top + height;
}

/* Brings a line into sight, with some of what stands before it. */
static void show_line(struct pager *pager, size_t line)
{
	size_t above = pager->height > 0 ? (size_t)pager->height / 3 : 0;

	pager->at_end = false;
	if (!is_in_sight(pager, line))
		pager->top = line > above ? line - above : 0;
}

/* The match that a step leads to; from what is in sight, where the current one is not. */
static size_t step_to(const struct pager *pager, struct walk walk, size_t first)
{
	long count = (long)pager->matches, at = (long)pager->match - 1;

	if (pager->step == STEP_FIRST || pager->match == 0)
		return first;
	if (pager->step != 0 && !is_in_sight(pager, line_of(pager, walk, pager->match)))
		at = (long)first - 1 - (pager->step > 0);
	at = (at + pager->step) % count;
	return (size_t)(at < 0 ? at + count : at) + 1;
}

static void search(struct pager *pager, struct walk walk)
{
	size_t first = 0;

	pager->matches = pager->find[0] ? count_matches(pager, walk, &first) : 0;
	pager->match = pager->matches > 0 ? step_to(pager, walk, first) : 0;
	if (pager->match > 0 && pager->step != 0)
		show_line(pager, line_of(pager, walk, pager->match));
	pager->step = 0;
}

static int width_of(struct buf *piece, const char *text, const char *end)
{
	buf_clear(piece);
	(void)buf_add(piece, text, (size_t)(end - text));
	return text_width(buf_text(piece));
}

/* Marks what is found on one line of all, or the part of it that is there: one can begin on the
 * line above and end on the one below. */
static void mark_line(const struct pager *pager, struct surface *out, struct rect row,
		      const struct walk *all, const char *line, size_t len)
{
	size_t wanted = strlen(pager->find), before = (size_t)(line - all->text);
	const char *end = line + len, *last = all->text + all->left;
	const char *hit = line - (before < wanted ? before : wanted);
	struct buf piece;

	last = (size_t)(last - end) > wanted ? end + wanted : last;
	buf_init(&piece, PAGE_BYTES);
	while ((hit = find_next(pager, hit, (size_t)(last - hit))) && hit < end) {
		const char *start = hit > line ? hit : line;
		const char *stop = hit + wanted < end ? hit + wanted : end;

		if (stop > start) {
			int x = width_of(&piece, line, start), w = width_of(&piece, start, stop);

			w = x + w > row.w ? row.w - x : w;
			draw_highlight(out, (struct rect){ row.x + x, row.y, w, 1 },
				       STYLE_SELECTED);
		}
		hit += wanted;
	}
	buf_release(&piece);
}

/* --- drawing --- */

static void draw_lines(const struct pager *pager, struct surface *out, struct rect at,
		       struct walk walk)
{
	const struct walk all = walk;
	struct buf piece;
	const char *line;
	size_t len;

	buf_init(&piece, PAGE_BYTES);
	for (size_t skipped = 0; skipped < pager->top && next_line(&walk, &line, &len);)
		skipped++;
	for (int y = 0; y < at.h; y++) {
		bool there = next_line(&walk, &line, &len);

		buf_clear(&piece);
		if (there)
			(void)buf_add(&piece, line, len);
		draw_page_line(out, layout_row(at, y), STYLE_TEXT, buf_text(&piece));
		if (there && pager->match > 0)
			mark_line(pager, out, layout_row(at, y), &all, line, len);
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
	search(pager, walk);
	if (pager->at_end || pager->top > last_top(pager))
		pager->top = last_top(pager);
	draw_lines(pager, out, at, walk);
	buf_release(&page);
}

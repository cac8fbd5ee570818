#include "model/base/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/textwidth.h"

#define COMBINING_MAX 4 /* per base in a cell: what curses keeps in one cell */
#define TAB_WIDTH     8

#define MARK_CONTROL "\xC2\xB7"     /* U+00B7 */
#define MARK_BAD     "\xEF\xBF\xBD" /* U+FFFD */
#define ELLIPSIS     "\xE2\x80\xA6" /* U+2026 */

/* First byte of a sequence to its length, and the range that its second byte must be in. */
static size_t sequence_len(unsigned char first, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xBF;
	if (first < 0x80)
		return 1;
	if (first >= 0xC2 && first <= 0xDF)
		return 2;
	if (first >= 0xE0 && first <= 0xEF) {
		/* Overlong forms, and surrogates. */
		if (first == 0xE0)
			*low = 0xA0;
		else if (first == 0xED)
			*high = 0x9F;
		return 3;
	}
	if (first >= 0xF0 && first <= 0xF4) {
		/* Overlong forms, and beyond U+10FFFF. */
		if (first == 0xF0)
			*low = 0x90;
		else if (first == 0xF4)
			*high = 0x8F;
		return 4;
	}
	return 0;
}

size_t text_decode(const char *text, size_t len, uint32_t *code)
{
	const unsigned char *bytes = (const unsigned char *)text;
	unsigned char low, high;
	size_t need;

	*code = TEXT_BAD;
	if (len == 0)
		return 0;
	need = sequence_len(bytes[0], &low, &high);
	if (need == 1) {
		*code = bytes[0];
		return 1;
	}
	if (need == 0 || need > len || bytes[1] < low || bytes[1] > high)
		return 1;
	for (size_t i = 2; i < need; i++) {
		if ((bytes[i] & 0xC0) != 0x80)
			return 1;
	}
	*code = bytes[0] & (0x7Fu >> need);
	for (size_t i = 1; i < need; i++)
		*code = *code << 6 | (bytes[i] & 0x3Fu);
	return need;
}

int text_width(const char *text)
{
	return text_columns(text, strlen(text));
}

int text_columns(const char *text, size_t len)
{
	size_t left = len;
	int width = 0;

	while (left) {
		uint32_t code;
		size_t used = text_decode(text, left, &code);

		if (width > INT_MAX - 2)
			return INT_MAX;
		width += text_code_width(code);
		text += used;
		left -= used;
	}
	return width;
}

struct cleaning {
	struct buf *out;
	enum text_mode mode;
	bool ascii;
	int column;    /* in the line, for tabs */
	int combining; /* since the last base; COMBINING_MAX where there is none */
};

static void add_mark(struct cleaning *c, const char *mark)
{
	buf_add_text(c->out, c->ascii ? "?" : mark);
	c->column++;
	c->combining = 0;
}

static void add_control(struct cleaning *c, uint32_t code)
{
	if (code == '\n' && c->mode != TEXT_CELL) {
		buf_add_char(c->out, '\n');
		c->column = 0;
		c->combining = COMBINING_MAX;
	} else if (code == '\t' && c->mode == TEXT_FILE) {
		buf_add_char(c->out, '\t');
	} else if (code == '\t' && c->mode == TEXT_PAGE) {
		do {
			buf_add_char(c->out, ' ');
			c->column++;
		} while (c->column % TAB_WIDTH != 0);
		c->combining = 0;
	} else {
		add_mark(c, MARK_CONTROL);
	}
}

/* A mark without a base would land on whatever stands to the left: a border, another column. */
static void add_combining(struct cleaning *c, const char *bytes, size_t len)
{
	if (c->column == 0 && c->combining == COMBINING_MAX && c->mode != TEXT_FILE) {
		add_mark(c, MARK_CONTROL);
		return;
	}
	if (c->mode == TEXT_CELL && c->combining >= COMBINING_MAX)
		return;
	if (c->combining < COMBINING_MAX)
		c->combining++;
	buf_add(c->out, bytes, len);
}

static void add_clean(struct cleaning *c, uint32_t code, const char *bytes, size_t len)
{
	if (code == TEXT_BAD) {
		add_mark(c, MARK_BAD);
	} else if (code_is_control(code)) {
		add_control(c, code);
	} else if ((c->ascii && code > 0x7E) || (c->mode == TEXT_CELL && code_is_doubtful(code))) {
		add_mark(c, MARK_CONTROL);
	} else if (c->mode == TEXT_PAGE && code_is_selector(code)) {
		return;
	} else if (code_is_zero_width(code)) {
		add_combining(c, bytes, len);
	} else {
		buf_add(c->out, bytes, len);
		c->column += text_code_width(code);
		c->combining = 0;
	}
	/* Only its place between tab stops matters, and it must not overflow. */
	if (c->column >= 1 << 20)
		c->column = TAB_WIDTH + c->column % TAB_WIDTH;
}

void text_sanitise(struct buf *out, const char *text, size_t len, enum text_mode mode, bool ascii)
{
	struct cleaning c = {
		.out = out, .mode = mode, .ascii = ascii, .combining = COMBINING_MAX
	};

	while (len) {
		uint32_t code;
		size_t used = text_decode(text, len, &code);

		add_clean(&c, code, text, used);
		text += used;
		len -= used;
	}
}

/*
 * Bytes of text that fit into columns; *width is what they take. Marks that follow the last
 * character come along. *cut says whether something is left.
 */
static size_t fitting(const char *text, int columns, int *width, bool *cut)
{
	size_t left = strlen(text), used = 0;

	*width = 0;
	*cut = false;
	while (left) {
		uint32_t code;
		size_t step = text_decode(text + used, left, &code);
		int wide = text_code_width(code);

		if (wide > columns - *width) {
			*cut = true;
			break;
		}
		*width += wide;
		used += step;
		left -= step;
	}
	return used;
}

void text_fit(struct buf *out, const char *sanitised, int columns, bool pad, bool ascii)
{
	int width;
	bool cut, ignored;
	size_t len;

	if (columns <= 0)
		return;
	len = fitting(sanitised, columns, &width, &cut);
	if (cut)
		len = fitting(sanitised, columns - 1, &width, &ignored);
	buf_add(out, sanitised, len);
	if (cut) {
		buf_add_text(out, ascii ? "~" : ELLIPSIS);
		width++;
	}
	for (; pad && width < columns; width++) {
		if (!buf_add_char(out, ' '))
			return;
	}
}

static int ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

size_t text_whole_len(const char *text, size_t max)
{
	size_t len = strlen(text);
	if (len <= max)
		return len;
	size_t end = max;
	while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80)
		end--;
	return end;
}

static bool begins_with(const char *text, const char *word)
{
	while (*word && ascii_lower(*text) == ascii_lower(*word)) {
		text++;
		word++;
	}
	return !*word;
}

/* At a key of a filter 100,000 names are looked into: most characters are not the first one. */
bool text_contains(const char *text, const char *word)
{
	char lower = (char)ascii_lower(*word);
	char upper = lower >= 'a' && lower <= 'z' ? (char)(lower - 'a' + 'A') : lower;

	if (!*word)
		return true;
	for (; *text; text++) {
		if ((*text == lower || *text == upper) && begins_with(text, word))
			return true;
	}
	return false;
}

int text_hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

void text_copy_cut(char *out, size_t size, const char *text)
{
	if (text && snprintf(out, size, "%s", text) < 0)
		out[0] = '\0';
}

static unsigned min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * One row of the table of distances, within limit cells of the diagonal: cells further off are
 * above the limit anyway. Returns the least value of the row.
 */
static unsigned distance_row(unsigned *row, size_t i, char ca, const char *b, size_t len_b,
			     unsigned limit)
{
	size_t first = i > limit ? i - limit : 1;
	size_t last = len_b - i > limit && i < len_b ? i + limit : len_b;
	unsigned diagonal = row[first - 1], least;

	row[first - 1] = first == 1 && i <= limit ? (unsigned)i : limit + 1;
	least = row[first - 1];
	for (size_t j = first; j <= last; j++) {
		unsigned above = row[j];
		unsigned best = diagonal + (ca != b[j - 1]);

		best = min_of(best, min_of(above, row[j - 1]) + 1);
		row[j] = min_of(best, limit + 1);
		diagonal = above;
		least = min_of(least, row[j]);
	}
	return least;
}

unsigned text_distance(const char *a, const char *b, unsigned limit)
{
	size_t len_a = strlen(a), len_b = strlen(b);
	size_t apart = len_a > len_b ? len_a - len_b : len_b - len_a;
	unsigned *row, result;

	/* limit + 1 must exist, and every cell stay far from overflow. */
	if (limit > UINT_MAX / 4)
		limit = UINT_MAX / 4;
	if (apart > limit)
		return limit + 1;
	row = mem_new(len_b + 1, sizeof(*row));
	for (size_t j = 0; j <= len_b; j++)
		row[j] = j <= limit ? (unsigned)j : limit + 1;
	for (size_t i = 1; i <= len_a; i++) {
		if (distance_row(row, i, a[i - 1], b, len_b, limit) > limit) {
			free(row);
			return limit + 1;
		}
	}
	result = row[len_b];
	free(row);
	return result;
}

static void add_json_code(struct buf *out, uint32_t code, const char *bytes, size_t len)
{
	static const char names[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (size_t i = 0; names[i]; i += 2) {
		if (code == (unsigned char)names[i]) {
			buf_add_char(out, '\\');
			buf_add_char(out, names[i + 1]);
			return;
		}
	}
	/* Not only what JSON demands: JSON is printed on terminals too. */
	if (code_is_control(code))
		buf_addf(out, "\\u%04x", (unsigned)code);
	else if (code == TEXT_BAD)
		buf_add_text(out, MARK_BAD);
	else
		buf_add(out, bytes, len);
}

void text_add_json(struct buf *out, const char *text)
{
	size_t left = strlen(text);

	buf_add_char(out, '"');
	while (left) {
		uint32_t code;
		size_t used = text_decode(text, left, &code);

		add_json_code(out, code, text, used);
		text += used;
		left -= used;
	}
	buf_add_char(out, '"');
}

#define MONEY_DECIMALS 6 /* a micro unit */

void text_add_money(struct buf *out, int64_t micro, int decimals)
{
	uint64_t amount = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
	uint64_t unit = 1, dropped = 1, rest;
	char digits[24];
	size_t count = 0;

	decimals = decimals < 0 ? 0 : decimals;
	decimals = decimals > MONEY_DECIMALS ? MONEY_DECIMALS : decimals;
	for (int i = 0; i < MONEY_DECIMALS; i++) {
		if (i < decimals)
			unit *= 10;
		else
			dropped *= 10;
	}
	rest = amount % dropped;
	amount /= dropped;
	/* Half is rounded away from zero. */
	amount += rest * 2 >= dropped;
	if (micro < 0 && amount)
		buf_add_char(out, '-');
	rest = amount / unit;
	do {
		digits[count++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	while (count--) {
		buf_add_char(out, digits[count]);
		if (count && count % 3 == 0)
			buf_add_char(out, ',');
	}
	if (decimals)
		buf_addf(out, ".%0*llu", decimals, (unsigned long long)(amount % unit));
}

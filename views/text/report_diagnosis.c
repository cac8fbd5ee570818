/* What `gpuq doctor` has found: table, json, jsonl, csv. */
#include <string.h>

#include "model/base/text.h"
#include "views/text/report_parts.h"

#define PART_COLUMNS 12 /* the longest word of a part */
#define GAP          2
#define ROOM_MIN     24 /* columns of text; in less of them lines are not broken */

/* --- table --- */

static const char *mark_of(enum diagnosis_result result, bool ascii)
{
	static const char *const marks[] = {
		[DIAGNOSIS_OK] = "\u2713",
		[DIAGNOSIS_WARNING] = "!",
		[DIAGNOSIS_FAILURE] = "\u2717",
		[DIAGNOSIS_UNKNOWN] = "-",
	};
	return ascii ? diagnosis_result_word(result) : marks[result];
}

static void add_blanks(struct buf *out, int count)
{
	for (int i = 0; i < count; i++)
		(void)buf_add_char(out, ' ');
}

/*
 * Words behind what stands on the line already, broken where the next one does not fit into room
 * columns (0 = never). One that is too long stays whole, so that it can be copied.
 */
static void add_words(struct buf *out, const char *text, int indent, int room)
{
	int used = 0;
	while (*text) {
		struct buf word;
		size_t len = strcspn(text, " ");
		buf_init(&word, PLAIN_MAX);
		(void)buf_add(&word, text, len);
		int width = text_width(buf_text(&word));
		if (used > 0 && room > 0 && used + 1 + width > room) {
			(void)buf_add_char(out, '\n');
			add_blanks(out, indent);
			used = 0;
		}
		(void)buf_addf(out, "%s%s", used > 0 ? " " : "", buf_text(&word));
		used += width + (used > 0);
		text += len + strspn(text + len, " ");
		buf_release(&word);
	}
}

static void add_safe(struct buf *out, const char *text, bool ascii)
{
	text_sanitise(out, text, strlen(text), TEXT_CELL, ascii);
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether a row says the same as another of another subject. A permission that was tried has a line
 * of its own. */
static bool says_the_same(const struct diagnosis_row *a, const struct diagnosis_row *b)
{
	return a->part == b->part && a->result == b->result && a->subject[0] && b->subject[0] &&
	       (a->part != DIAGNOSIS_PERMISSION || a->result == DIAGNOSIS_UNKNOWN) &&
	       is_same_text(a->text, b->text) && is_same_text(a->fix, b->fix);
}

/* Writes the rows from one on that are one line; returns how many. */
static size_t add_sentence(struct buf *out, const struct diagnosis *diagnosis, size_t at,
			   bool ascii)
{
	const struct diagnosis_row *row = &diagnosis->rows[at];
	size_t count = 1;
	add_safe(out, row->subject, ascii);
	for (; at + count < diagnosis->count && says_the_same(row, row + count); count++) {
		(void)buf_add_text(out, ", ");
		add_safe(out, row[count].subject, ascii);
	}
	(void)buf_add_text(out, row->subject[0] ? ": " : "");
	add_safe(out, row->text, ascii);
	return count;
}

static void add_fix(struct buf *out, const char *fix, bool ascii, int indent, int room)
{
	struct buf text;
	if (!fix)
		return;
	buf_init(&text, PLAIN_MAX);
	/* On the same line where lines are for programs. */
	(void)buf_add_text(out, room > 0 ? "\n" : " ");
	add_blanks(out, room > 0 ? indent : 0);
	(void)buf_add_text(&text, "-> ");
	add_safe(&text, fix, ascii);
	add_words(out, buf_text(&text), indent, room);
	buf_release(&text);
}

/* Returns how many rows it took. */
static size_t add_line(struct buf *out, const struct report_context *context,
		       const struct diagnosis *diagnosis, size_t at)
{
	const struct diagnosis_row *row = &diagnosis->rows[at];
	bool ascii = context->ascii;
	int mark_columns = ascii ? 4 : 1;
	int indent = mark_columns + PART_COLUMNS + 2 * GAP, room = context->columns - indent;
	struct buf text;
	room = room < ROOM_MIN ? 0 : room;
	text_fit(out, mark_of(row->result, ascii), mark_columns + GAP, true, ascii);
	text_fit(out, diagnosis_part_word(row->part), PART_COLUMNS + GAP, true, ascii);
	buf_init(&text, PLAIN_MAX);
	size_t count = add_sentence(&text, diagnosis, at, ascii);
	add_words(out, buf_text(&text), indent, room);
	add_fix(out, row->fix, ascii, indent, room);
	(void)buf_add_char(out, '\n');
	buf_release(&text);
	return count;
}

static void write_table(struct buf *out, const struct report_context *context,
			const struct diagnosis *diagnosis)
{
	for (size_t at = 0; at < diagnosis->count;)
		at += add_line(out, context, diagnosis, at);
}

/* --- json --- */

static void add_object(struct buf *out, const struct diagnosis_row *row)
{
	(void)buf_add_char(out, '{');
	report_add_json_string(out, "id", diagnosis_part_word(row->part));
	report_add_json_string(out, "severity", diagnosis_result_word(row->result));
	report_add_json_string(out, "subject", row->subject[0] ? row->subject : NULL);
	report_add_json_string(out, "text", row->text);
	report_add_json_string(out, "fix", row->fix);
	report_add_json_time(out, "expires_at", row->expires);
	report_add_json_integer(out, "skew_seconds", row->skew.set, row->skew.ms / 1000);
	(void)buf_add_char(out, '}');
}

static void write_json(struct buf *out, const struct diagnosis *diagnosis, bool lines)
{
	(void)buf_add_text(out, lines ? "" : "[");
	for (size_t i = 0; i < diagnosis->count; i++) {
		(void)buf_add_text(out, i > 0 && !lines ? ",\n " : "");
		add_object(out, &diagnosis->rows[i]);
		(void)buf_add_text(out, lines ? "\n" : "");
	}
	(void)buf_add_text(out, lines ? "" : "]\n");
}

/* --- csv --- */

static void write_csv(struct buf *out, const struct diagnosis *diagnosis)
{
	(void)buf_add_text(out, "id,severity,subject,text,fix,expires_at,skew_seconds\n");
	for (size_t i = 0; i < diagnosis->count; i++) {
		const struct diagnosis_row *row = &diagnosis->rows[i];
		report_add_csv_text(out, diagnosis_part_word(row->part));
		report_add_csv_text(out, diagnosis_result_word(row->result));
		report_add_csv_text(out, row->subject);
		report_add_csv_text(out, row->text);
		report_add_csv_text(out, row->fix);
		report_add_csv_time(out, row->expires);
		report_add_csv_integer(out, row->skew.set, row->skew.ms / 1000);
		(void)buf_add_char(out, '\n');
	}
}

void report_diagnosis(struct buf *out, const struct report_context *context,
		      const struct diagnosis *diagnosis)
{
	switch (context->format) {
	case REPORT_TABLE:
		write_table(out, context, diagnosis);
		break;
	case REPORT_JSON:
	case REPORT_JSONL:
		write_json(out, diagnosis, context->format == REPORT_JSONL);
		break;
	case REPORT_CSV:
		write_csv(out, diagnosis);
		break;
	}
}

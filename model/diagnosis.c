#include "model/diagnosis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"

#define TEXT_MAX (2u * ERR_TEXT_MAX)

static const char *const parts[DIAGNOSIS_PARTS] = {
	[DIAGNOSIS_TERMINAL] = "terminal", [DIAGNOSIS_FILE] = "file",
	[DIAGNOSIS_CONFIG] = "config",     [DIAGNOSIS_PROFILE] = "profile",
	[DIAGNOSIS_REGION] = "region",     [DIAGNOSIS_CREDENTIALS] = "credentials",
	[DIAGNOSIS_CLOCK] = "clock",       [DIAGNOSIS_ENDPOINT] = "endpoint",
	[DIAGNOSIS_PROXY] = "proxy",       [DIAGNOSIS_CERTIFICATES] = "certificates",
	[DIAGNOSIS_IDENTITY] = "identity", [DIAGNOSIS_RETRIES] = "retries",
	[DIAGNOSIS_PACE] = "pace",         [DIAGNOSIS_PERMISSION] = "permission",
};

static const char *const results[] = {
	[DIAGNOSIS_OK] = "ok",
	[DIAGNOSIS_WARNING] = "warn",
	[DIAGNOSIS_FAILURE] = "fail",
	[DIAGNOSIS_UNKNOWN] = "skip",
};

const char *diagnosis_part_word(enum diagnosis_part part)
{
	return parts[part];
}

const char *diagnosis_result_word(enum diagnosis_result result)
{
	return results[result];
}

/* --- rows --- */

static struct diagnosis_row *place(struct diagnosis *diagnosis, enum diagnosis_part part)
{
	size_t at = diagnosis->count;
	diagnosis->rows = mem_grow(diagnosis->rows, &diagnosis->capacity, diagnosis->count + 1,
				   sizeof(*diagnosis->rows));
	for (; at > 0 && diagnosis->rows[at - 1].part > part; at--)
		diagnosis->rows[at] = diagnosis->rows[at - 1];
	diagnosis->count++;
	return &diagnosis->rows[at];
}

/* Messages that have lines of their own are put on one. */
static void add_joined(struct buf *out, const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == '\n')
		len--;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			buf_add_text(out, "; ");
		else
			buf_add_char(out, text[i]);
}

static struct diagnosis_row *add(struct diagnosis *diagnosis, enum diagnosis_part part,
				 enum diagnosis_result result, const char *subject,
				 const char *text)
{
	struct buf line;
	buf_init(&line, TEXT_MAX);
	add_joined(&line, text, strnlen(text, TEXT_MAX / 2));
	struct diagnosis_row *row = place(diagnosis, part);
	*row = (struct diagnosis_row){ .part = part,
				       .result = result,
				       .subject = mem_copy_text(subject),
				       .text = buf_take(&line) };
	return row;
}

struct diagnosis_row *diagnosis_add(struct diagnosis *diagnosis, enum diagnosis_part part,
				    enum diagnosis_result result, const char *subject,
				    const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text, TEXT_MAX);
	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	struct diagnosis_row *row = add(diagnosis, part, result, subject, buf_text(&text));
	buf_release(&text);
	return row;
}

/* Whether the row tells that already: sagemaker:Search, and Search in us-east-1; or profile, and
 * profile ops. */
static bool is_told(enum diagnosis_part part, const char *subject, const char *of_err)
{
	char word[ERR_SUBJECT_SIZE] = "";
	memcpy(word, of_err, strcspn(of_err, " "));
	return subject[0] && (strstr(subject, word) || strcmp(parts[part], word) == 0);
}

/* The text without "sagemaker:Search is ", where that is the subject. */
static const char *without_subject(const char *text, const char *subject)
{
	static const char is[] = " is ";
	size_t len = strlen(subject);
	if (len == 0 || strncmp(text, subject, len) != 0 ||
	    strncmp(text + len, is, strlen(is)) != 0)
		return text;
	return text + len + strlen(is);
}

struct diagnosis_row *diagnosis_add_err(struct diagnosis *diagnosis, enum diagnosis_part part,
					enum diagnosis_result result, const char *subject,
					const struct err *err)
{
	const char *end = err_text(err) + err_told_len(err);
	const char *from = without_subject(err_text(err), subject);
	struct buf text;
	buf_init(&text, TEXT_MAX);
	if (err->subject[0] && !is_told(part, subject, err->subject))
		buf_addf(&text, "%s: ", err->subject);
	buf_add(&text, from, from < end ? (size_t)(end - from) : 0);
	struct diagnosis_row *row = add(diagnosis, part, result, subject, buf_text(&text));
	buf_release(&text);
	row->code = err->code;
	if (err->aws_code[0])
		diagnosis_say_more(row, " (%s%s%s)", err->aws_code,
				   err->request_id[0] ? ", request " : "", err->request_id);
	diagnosis_add_fix(row, err_hint_text(err->hint));
	return row;
}

static void append(char **slot, const char *between, const char *more)
{
	struct buf text;
	buf_init(&text, 2 * TEXT_MAX);
	if (*slot)
		buf_addf(&text, "%s%s", *slot, between);
	add_joined(&text, more, strlen(more));
	free(*slot);
	*slot = buf_take(&text);
}

void diagnosis_say_more(struct diagnosis_row *row, const char *format, ...)
{
	struct buf more;
	va_list args;
	buf_init(&more, TEXT_MAX);
	va_start(args, format);
	buf_vaddf(&more, format, args);
	va_end(args);
	append(&row->text, "", buf_text(&more));
	buf_release(&more);
}

void diagnosis_add_fix(struct diagnosis_row *row, const char *text)
{
	if (text[0])
		append(&row->fix, " ", text);
}

void diagnosis_release(struct diagnosis *diagnosis)
{
	if (!diagnosis)
		return;
	for (size_t i = 0; i < diagnosis->count; i++) {
		free(diagnosis->rows[i].subject);
		free(diagnosis->rows[i].text);
		free(diagnosis->rows[i].fix);
	}
	free(diagnosis->rows);
	*diagnosis = (struct diagnosis){ 0 };
}

/* --- the terminal --- */

static void add_colours(struct diagnosis_row *row, const struct terminal_facts *facts,
			bool no_color)
{
	if (no_color || facts->no_color)
		diagnosis_say_more(row, ", no colours (%s)", no_color ? "--no-color" : "NO_COLOR");
	else if (facts->colours > 0)
		diagnosis_say_more(row, ", %d colours", facts->colours);
	else
		diagnosis_say_more(row, ", no colours");
}

static void add_ttys(struct diagnosis_row *row, const struct terminal_facts *facts)
{
	if (facts->in_is_tty && facts->out_is_tty)
		return;
	diagnosis_say_more(row, "; standard %s no terminal here",
			   facts->out_is_tty  ? "input is"
			   : facts->in_is_tty ? "output is"
					      : "input and output are");
}

/* A script's has no part in what is shown. */
static bool is_in_use(const struct terminal_facts *facts)
{
	return facts->in_is_tty || facts->out_is_tty;
}

static void judge_name(struct diagnosis_row *row, const struct terminal_facts *facts)
{
	if ((facts->is_known && facts->has_cursor) || !is_in_use(facts))
		return;
	row->result = DIAGNOSIS_WARNING;
	if (!facts->name[0])
		diagnosis_add_fix(row, "Set TERM, for example to xterm-256color.");
	else if (!facts->is_known)
		diagnosis_add_fix(row, "terminfo here does not know this terminal: the dashboard "
				       "takes it for xterm-256color. Install its entry (package "
				       "ncurses-term), or set TERM.");
	else
		diagnosis_add_fix(row, "The dashboard needs a terminal whose cursor can be placed; "
				       "commands such as gpuq jobs do not.");
}

void diagnosis_add_terminal(struct diagnosis *diagnosis, const struct terminal_facts *facts,
			    bool ascii, bool no_color)
{
	struct diagnosis_row *row =
		diagnosis_add(diagnosis, DIAGNOSIS_TERMINAL, DIAGNOSIS_OK, "", "%s",
			      facts->name[0] ? facts->name : "TERM is not set");
	if (facts->columns > 0 && facts->lines > 0)
		diagnosis_say_more(row, ", %dx%d", facts->columns, facts->lines);
	diagnosis_say_more(row, ", %s", facts->is_utf8 ? "UTF-8" : "not UTF-8");
	if (ascii)
		diagnosis_say_more(row, ", ASCII alone is shown");
	add_colours(row, facts, no_color);
	add_ttys(row, facts);
	judge_name(row, facts);
	if (facts->is_utf8 || ascii || !is_in_use(facts))
		return;
	row->result = DIAGNOSIS_WARNING;
	diagnosis_add_fix(row, "Boxes are drawn in ASCII: set LANG=C.UTF-8 for lines.");
}

/* --- the program's own file --- */

void diagnosis_add_config(struct diagnosis *diagnosis, const struct config *config)
{
	const char *path = config->path ? config->path : "";
	if (!config->path)
		diagnosis_add(diagnosis, DIAGNOSIS_CONFIG, DIAGNOSIS_UNKNOWN, path,
			      "none, for want of a home folder");
	else if (!config->is_there)
		diagnosis_add(diagnosis, DIAGNOSIS_CONFIG, DIAGNOSIS_UNKNOWN, path,
			      "there is no such file; the defaults hold");
	else if (!config->is_unread)
		diagnosis_add(diagnosis, DIAGNOSIS_CONFIG, DIAGNOSIS_OK, path, "read");
	for (size_t i = 0; i < config->problem_count; i++) {
		const struct config_problem *problem = &config->problems[i];
		if (!problem->is_warning)
			continue;
		struct diagnosis_row *row =
			diagnosis_add(diagnosis, DIAGNOSIS_CONFIG,
				      config->is_unread ? DIAGNOSIS_FAILURE : DIAGNOSIS_WARNING,
				      path, "%s", problem->text);
		row->code = config->is_unread ? ERR_CONFIG : ERR_NONE;
		diagnosis_add_fix(row, config->is_unread
					       ? "Make it a file that can be read."
					       : "Correct it; gpuq config has the rules.");
	}
	if (config->problems_left_out > 0)
		diagnosis_add(diagnosis, DIAGNOSIS_CONFIG, DIAGNOSIS_WARNING, path,
			      "and %zu more such lines", config->problems_left_out);
}

/* --- as a whole --- */

bool diagnosis_has_failure(const struct diagnosis *diagnosis)
{
	for (size_t i = 0; i < diagnosis->count; i++)
		if (diagnosis->rows[i].result == DIAGNOSIS_FAILURE)
			return true;
	return false;
}

int diagnosis_exit_status(const struct diagnosis *diagnosis)
{
	static const int worst_last[] = { 0, 2, 3, 1, 5, 4 };
	size_t worst = 0;
	for (size_t i = 0; i < diagnosis->count; i++) {
		const struct err err = { .code = diagnosis->rows[i].code };
		size_t place = 0;
		if (diagnosis->rows[i].result != DIAGNOSIS_FAILURE)
			continue;
		assert(err.code != ERR_NONE);
		while (worst_last[place] != err_exit_status(&err))
			place++;
		worst = place > worst ? place : worst;
	}
	return worst_last[worst];
}

#include "model/filter.h"

#include <string.h>
#include <strings.h>

#include "model/base/text.h"
#include "model/filter_parts.h"

static bool text_holds(const struct term *term, const char *text)
{
	if (!text)
		return false;
	return term->kind == TERM_REGEX ? pattern_stands(term->pattern, text)
					: text_contains(text, term->text);
}

/* The word or the expression stands in what one sees of a job. */
static bool stands(const struct term *term, const struct job *job)
{
	const struct preferences *prefs = &job->prefs;
	if (text_holds(term, job->name) || text_holds(term, job_kind_word(job->kind)) ||
	    text_holds(term, phase_word(job_phase(job))) || text_holds(term, job->status) ||
	    text_holds(term, job->secondary_status) || text_holds(term, job->status_message) ||
	    text_holds(term, job->failure_reason))
		return true;
	if (job->selected.set && text_holds(term, job->selected.instance_type))
		return true;
	for (size_t i = 0; i < prefs->length; i++)
		if (text_holds(term, prefs->entries[i].instance_type))
			return true;
	return false;
}

static bool compare_text(const struct term *term, const char *text)
{
	return term->op == OP_HOLDS ? text_contains(text, term->text)
				    : strcasecmp(text, term->text) == 0;
}

static bool compare_texts(const struct term *term, const struct job *job)
{
	const char *texts[FILTER_TEXTS_MAX];
	size_t count = term->field->texts(job, texts);
	for (size_t i = 0; i < count; i++)
		if (compare_text(term, texts[i]))
			return true;
	return false;
}

/* "key=value" as it is written, or the key alone. */
static bool compare_tag(const struct term *term, const struct tag *tag)
{
	size_t key_len = strlen(tag->key);
	if (term->op == OP_HOLDS)
		return text_contains(tag->key, term->text) || text_contains(tag->value, term->text);
	if (strncasecmp(term->text, tag->key, key_len) != 0)
		return false;
	return !term->text[key_len] || (term->text[key_len] == '=' &&
					strcasecmp(term->text + key_len + 1, tag->value) == 0);
}

static bool compare_tags(const struct term *term, const struct job *job)
{
	for (size_t i = 0; job->tags && i < job->tags->count; i++)
		if (compare_tag(term, &job->tags->items[i]))
			return true;
	return false;
}

static bool compare_figure(const struct term *term, const struct job *job,
			   const struct filter_ask *ask)
{
	int64_t figure;
	if (!term->field->figure(job, ask, &figure))
		return false;
	switch (term->op) {
	case OP_ABOVE:
		return figure > term->figure;
	case OP_FROM:
		return figure >= term->figure;
	case OP_BELOW:
		return figure < term->figure;
	case OP_UP_TO:
		return figure <= term->figure;
	case OP_IS_NOT:
		return figure != term->figure;
	default:
		return figure == term->figure;
	}
}

static bool term_holds(const struct term *term, const struct job *job, const struct filter_ask *ask)
{
	if (term->kind != TERM_FIELD)
		return stands(term, job);
	if (term->field->unit == UNIT_TEXT)
		return compare_texts(term, job) != (term->op == OP_IS_NOT);
	if (term->field->unit == UNIT_TAG)
		return compare_tags(term, job) != (term->op == OP_IS_NOT);
	return compare_figure(term, job, ask);
}

bool filter_matches(const struct filter *filter, const struct job *job,
		    const struct filter_ask *ask)
{
	for (size_t i = 0; filter && i < filter->count; i++)
		if (term_holds(&filter->terms[i], job, ask) == filter->terms[i].exclude)
			return false;
	return true;
}

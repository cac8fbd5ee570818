#include "model/filter.h"

#include <string.h>
#include <strings.h>

#include "model/base/attr.h"
#include "model/base/text.h"
#include "model/filter_parts.h"

static bool text_holds(const struct term *term, const char *text)
{
	if (!text)
		return false;
	return term->kind == TERM_REGEX ? pattern_stands(term->pattern, text)
					: text_contains(text, term->text);
}

static bool list_holds(const struct term *term, const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		if (text_holds(term, prefs->entries[i].instance_type))
			return true;
	return false;
}

/* A term, by its number in the filter, asked of a job. */
struct question {
	const struct term *term;
	size_t i;
	const struct job *job;
	const struct filter_ask *ask;
};

/* A text of the job, or its list where that is what is given. */
static bool thing_holds(const struct question *question, const char *text,
			const struct preferences *prefs)
{
	return prefs ? list_holds(question->term, prefs) : text_holds(question->term, text);
}

static bool shared_holds(const struct question *question, const char *text,
			 const struct preferences *prefs)
{
	const void *of = prefs ? (const void *)prefs : text;
	struct filter_memo *memo = question->ask->memo;
	uint32_t bit = (uint32_t)1 << question->i; /* FILTER_TERMS_MAX fits */
	size_t at = ((uintptr_t)of >> 4) % FILTER_MEMO_TEXTS;
	if (!memo || !of || !question->job->shares)
		return thing_holds(question, text, prefs);
	if (memo->known[at].of != of) {
		memo->known[at].of = of;
		memo->known[at].asked = memo->known[at].stands = 0;
	}
	if (!(memo->known[at].asked & bit)) {
		memo->known[at].asked |= bit;
		memo->known[at].stands |= thing_holds(question, text, prefs) ? bit : 0;
	}
	return memo->known[at].stands & bit;
}

/* A name is of each job alone: of all that is looked into it is the most. */
static bool name_holds(const struct term *term, const char name[JOB_NAME_SIZE])
{
	char small[JOB_NAME_SIZE];
	if (term->kind == TERM_REGEX)
		return pattern_stands(term->pattern, name);
	for (size_t i = 0; i < JOB_NAME_SIZE; i++) /* all of it, so that many go at once */
		small[i] = filter_small(name[i]);
	return strstr(small, term->text) != NULL;
}

/* The word or the expression stands in what one sees of a job. */
static bool stands(const struct question *question)
{
	const struct job *job = question->job;
	const char *const shared[] = {
		job_kind_word(job->kind), phase_word(job_phase(job)), job->status,
		job->secondary_status,    job->status_message,        job->failure_reason
	};
	if (name_holds(question->term, job->name))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		if (shared_holds(question, shared[i], NULL))
			return true;
	return shared_holds(question, NULL, job_prefs(job)) ||
	       (job->selected.set && text_holds(question->term, job->selected.instance_type));
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

static bool term_holds(const struct question *question)
{
	const struct term *term = question->term;
	const struct job *job = question->job;
	if (term->kind != TERM_FIELD)
		return stands(question);
	if (term->field->unit == UNIT_TEXT)
		return compare_texts(term, job) != (term->op == OP_IS_NOT);
	if (term->field->unit == UNIT_TAG)
		return compare_tags(term, job) != (term->op == OP_IS_NOT);
	return compare_figure(term, job, question->ask);
}

bool filter_matches(const struct filter *filter, const struct job *job,
		    const struct filter_ask *ask)
{
	for (size_t i = 0; filter && i < filter->count; i++) {
		const struct question question = { &filter->terms[i], i, job, ask };
		if (term_holds(&question) == filter->terms[i].exclude)
			return false;
	}
	return true;
}

bool filter_names_jobs(const struct filter *filter)
{
	for (size_t i = 0; i < filter->count; i++) {
		const struct term *term = &filter->terms[i];
		bool is_text = term->kind != TERM_FIELD || term->field->unit == UNIT_TEXT ||
			       term->field->unit == UNIT_TAG;
		bool has = term->kind != TERM_FIELD || term->op == OP_IS || term->op == OP_HOLDS;
		if (is_text && has && !term->exclude)
			return true;
	}
	return false;
}

#include "model/filter.h"

#include <string.h>

#include "model/base/text.h"

static bool has(const char *text, const char *word)
{
	return text && text_contains(text, word);
}

static bool word_stands(const char *word, const struct job *job)
{
	if (has(job->name, word) || has(job_kind_word(job->kind), word) ||
	    has(phase_word(job_phase(job)), word) || has(job->status, word) ||
	    has(job->secondary_status, word) || has(job->status_message, word) ||
	    has(job->failure_reason, word))
		return true;
	if (job->selected.set && has(job->selected.instance_type, word))
		return true;
	for (size_t i = 0; i < job->prefs.length; i++) {
		if (has(job->prefs.entries[i].instance_type, word))
			return true;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool filter_matches(const char *filter, const struct job *job)
{
	while (*filter) {
		char word[FILTER_SIZE];
		size_t len = 0;
		while (is_blank(*filter))
			filter++;
		bool exclude = *filter == '!';
		filter += exclude ? 1 : 0;
		for (; *filter && !is_blank(*filter); filter++) {
			if (len < sizeof(word) - 1)
				word[len++] = *filter;
		}
		word[len] = '\0';
		if (len > 0 && word_stands(word, job) == exclude)
			return false;
	}
	return true;
}

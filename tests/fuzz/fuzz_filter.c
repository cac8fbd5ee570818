/*
 * Anything as a filter over any job. The input's first line is the filter, the next ones are the
 * job's name, status, secondary status, message and types. Of a filter that is words alone what
 * matches is told here again, word by word, in another way, and a word with '!' says the opposite
 * of the word; of any other one, what is wrong lies within it.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/filter.h"
#include "tests/fuzz/fuzz.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool begins(const char *text, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (lower(text[i]) != lower(word[i])) /* ends at the NUL, which no word has */
			return false;
	return true;
}

static bool holds(const char *text, const char *word, size_t len)
{
	for (; text && *text; text++)
		if (begins(text, word, len))
			return true;
	return false;
}

static bool job_holds(const struct job *job, const char *word, size_t len)
{
	const char *texts[] = { job->name,
				job_kind_word(job->kind),
				phase_word(job_phase(job)),
				job->status,
				job->secondary_status,
				job->status_message,
				job->failure_reason,
				job->selected.set ? job->selected.instance_type : NULL };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (holds(texts[i], word, len))
			return true;
	for (size_t i = 0; i < job_prefs(job)->length; i++)
		if (holds(job_prefs(job)->entries[i].instance_type, word, len))
			return true;
	return false;
}

static bool should_match(const char *filter, const struct job *job)
{
	static const char blanks[] = " \t\r\n";

	for (filter += strspn(filter, blanks); *filter; filter += strspn(filter, blanks)) {
		bool not = *filter == '!';
		const char *word = filter + not ;
		size_t len = strcspn(word, blanks);
		size_t used = len < FILTER_SIZE ? len : FILTER_SIZE - 1;

		if (used > 0 && job_holds(job, word, used) == not )
			return false;
		filter = word + len;
	}
	return true;
}

static bool matches(const char *text, const struct job *job)
{
	struct filter *filter = filter_new(text);
	bool found = filter_matches(filter, job, &(struct filter_ask){ 0 });

	filter_free(filter);
	return found;
}

static void check_place(const char *text)
{
	struct filter *filter = filter_new(text);
	const struct filter_wrong *wrong = filter_wrong(filter);

	assert(!wrong || (wrong->text[0] && wrong->at <= strlen(text) && wrong->at < FILTER_SIZE));
	filter_free(filter);
}

/* Words alone, as few and as long as a filter may have. */
static bool is_words(const char *filter)
{
	size_t words = 0;

	for (const char *at = filter; *at; at++)
		words += *at == ' ' || *at == '\t' || *at == '\r';
	return words < FILTER_TERMS_MAX && strlen(filter) < FILTER_SIZE &&
	       !strpbrk(filter, "/\"<>=!:~");
}

static void check_opposite(const char *filter, const struct job *job)
{
	char word[FILTER_SIZE];
	size_t len = strcspn(filter, " \t\r\n");

	if (len == 0 || len + 2 > sizeof(word))
		return;
	word[0] = '!';
	memcpy(word + 1, filter, len);
	word[len + 1] = '\0';
	assert(matches(word, job) != matches(word + 1, job));
}

static void take_type(struct fuzz_bytes *bytes, char type[TYPE_NAME_SIZE])
{
	char *line = fuzz_line(bytes);
	size_t len = strnlen(line, TYPE_NAME_SIZE - 1);

	memcpy(type, line, len);
	free(line);
}

static void take_job(struct fuzz_bytes *bytes, struct job *job)
{
	char *name = fuzz_line(bytes);

	memcpy(job->name, name, strnlen(name, JOB_NAME_SIZE - 1));
	free(name);
	job->kind = bytes->left % 2 ? JOB_TRAINING : JOB_PROCESSING;
	job->status = fuzz_line(bytes);
	job->secondary_status = fuzz_line(bytes);
	job->status_message = fuzz_line(bytes);
	job->selected.set = bytes->left % 3 == 0;
	take_type(bytes, job->selected.instance_type);
	struct preferences *prefs = job_edit_prefs(job);
	while (bytes->left && prefs->length < PREFS_KEEP_MAX)
		take_type(bytes, prefs->entries[prefs->length++].instance_type);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	struct job job = { 0 };
	char *filter = fuzz_line(&bytes);

	take_job(&bytes, &job);
	check_place(filter);
	(void)matches(filter, &job);
	assert(matches(" \t", &job));
	if (is_words(filter)) {
		assert(matches(filter, &job) == should_match(filter, &job));
		check_opposite(filter, &job);
	}
	job_release(&job);
	free(filter);
	return 0;
}

#include "model/job_shares.h"

#include <string.h>

#include "model/base/attr.h"
#include "model/base/hash.h"
#include "model/base/mem.h"

static uint64_t text_hash(const void *thing)
{
	return hash_text(thing);
}

static bool text_same(const void *a, const void *b)
{
	return strcmp(a, b) == 0;
}

static void *text_copy(const void *thing)
{
	return mem_copy_text(thing);
}

static uint64_t list_hash(const void *thing)
{
	return prefs_hash(thing);
}

static bool list_same(const void *a, const void *b)
{
	return prefs_equal(a, b);
}

static void *list_copy(const void *thing)
{
	return prefs_copy(thing);
}

static uint64_t tags_hash(const void *thing)
{
	return tag_list_hash(thing);
}

static bool tags_same(const void *a, const void *b)
{
	return tag_list_equal(a, b);
}

static void *tags_copy(const void *thing)
{
	return tag_list_copy(thing);
}

static uint64_t words_hash(const void *thing)
{
	return transition_words_hash(thing);
}

static bool words_same(const void *a, const void *b)
{
	return transition_words_equal(a, b);
}

static void *words_copy(const void *thing)
{
	return transition_words_copy(thing);
}

static const struct share_kind text_kind = { text_hash, text_same, text_copy };
static const struct share_kind list_kind = { list_hash, list_same, list_copy };
static const struct share_kind words_kind = { words_hash, words_same, words_copy };
static const struct share_kind tags_kind = { tags_hash, tags_same, tags_copy };

void job_shares_release(struct job_shares *shares)
{
	shares_release(&shares->texts);
	shares_release(&shares->words);
	shares_release(&shares->lists);
	shares_release(&shares->tags);
}

/* shares_take or shares_give. */
typedef void *share_fn(struct shares *shares, const struct share_kind *kind, void *thing);

static void replace(struct job *job, struct job_shares *shares, share_fn *with)
{
	char **const texts[] = { &job->status,         &job->secondary_status, &job->status_message,
				 &job->failure_reason, &job->role_arn,         &job->image,
				 &job->pool.status };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		*texts[i] = with(&shares->texts, &text_kind, *texts[i]);
	for (size_t i = 0; i < job->transition_count; i++) {
		struct kept_transition *one = &job->transitions[i];
		one->words = with(&shares->words, &words_kind, one->words);
	}
	job->prefs = with(&shares->lists, &list_kind, job->prefs);
	job->tags = with(&shares->tags, &tags_kind, job->tags);
}

void job_share(struct job *job, struct job_shares *shares)
{
	if (!job->shares)
		replace(job, shares, shares_take);
	job->shares = true;
}

void job_unshare(struct job *job, struct job_shares *shares)
{
	if (job->shares)
		replace(job, shares, shares_give);
	job->shares = false;
}

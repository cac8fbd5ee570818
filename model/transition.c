#include "model/transition.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"

#define UNKNOWN_MS INT64_MIN

struct transition_words {
	size_t message_at; /* in texts; 0 = there is none */
	char texts[];
};

static struct transition_words *words_new(const char *status, const char *message)
{
	size_t status_size = strlen(status) + 1;
	size_t message_size = message ? strlen(message) + 1 : 0;
	struct transition_words *words = mem_new(1, sizeof(*words) + status_size + message_size);
	memcpy(words->texts, status, status_size);
	if (!message)
		return words;
	words->message_at = status_size;
	memcpy(words->texts + status_size, message, message_size);
	return words;
}

static const char *message_of(const struct transition_words *words)
{
	return words->message_at ? words->texts + words->message_at : NULL;
}

static int64_t keep_ms(struct opt_ms time)
{
	return time.set ? time.ms : UNKNOWN_MS;
}

static struct opt_ms read_ms(int64_t ms)
{
	if (ms == UNKNOWN_MS)
		return (struct opt_ms){ 0 };
	return (struct opt_ms){ true, ms };
}

struct kept_transition transition_keep(const struct transition *transition)
{
	const char *status = transition->status ? transition->status : "";
	return (struct kept_transition){ words_new(status, transition->message),
					 keep_ms(transition->start), keep_ms(transition->end) };
}

struct transition transition_read(const struct kept_transition *kept)
{
	return (struct transition){ kept->words->texts, message_of(kept->words),
				    read_ms(kept->start_ms), read_ms(kept->end_ms) };
}

void transition_drop_message(struct kept_transition *kept)
{
	struct transition_words *bare = words_new(kept->words->texts, NULL);
	free(kept->words);
	kept->words = bare;
}

uint64_t transition_words_hash(const struct transition_words *words)
{
	const char *message = message_of(words);
	uint64_t hash = hash_more_text(HASH_BEGIN, words->texts);
	return message ? hash_more_text(hash, message) : hash;
}

bool transition_words_equal(const struct transition_words *a, const struct transition_words *b)
{
	return a->message_at == b->message_at && strcmp(a->texts, b->texts) == 0 &&
	       (!a->message_at || strcmp(message_of(a), message_of(b)) == 0);
}

struct transition_words *transition_words_copy(const struct transition_words *words)
{
	return words_new(words->texts, message_of(words));
}

/*
 * Any bytes as a record of the journal. What is damaged leaves nothing behind and says why; what is
 * read can be acted on: names that are names, a request that names the job, a file to lie in; and
 * written again it reads as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/journal.h"
#include "tests/fuzz/fuzz.h"

static void want_nothing(const struct journal_record *record)
{
	assert(!record->request && !record->arn && !record->why && !record->endpoint);
	assert(!record->name[0] && !record->replaces.arn);
}

static void want_sound(const struct journal_record *record)
{
	char key[JOURNAL_KEY_SIZE];
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	bool ok = journal_key(record->kind, record->name, record->draft, key);

	assert(ok && !strchr(key, '/') && key[0] != '.');
	assert(job_name_is_valid(record->name));
	assert(record->settled.set == (record->state != JOURNAL_INTENDED));
	assert(record->state != JOURNAL_SUBMITTED || record->arn);
	assert(!record->replaces.set || job_name_is_valid(record->replaces.name));
	if (record->state == JOURNAL_INTENDED)
		assert(record->request && !record->arn);
	if (record->request) {
		ok = json_doc_parse(&doc, record->request, strlen(record->request), &err);
		assert(ok && doc.nodes[0].kind == JSON_OBJECT);
		json_doc_release(&doc);
	}
}

static void want_same_again(const struct journal_record *record)
{
	struct journal_record again = { 0 };
	struct err err = { 0 };
	struct buf text, more;

	buf_init(&text, 2 * JOURNAL_RECORD_MAX);
	buf_init(&more, 2 * JOURNAL_RECORD_MAX);
	journal_write(record, &text);
	assert(!text.failed);
	if (text.len <= JSON_TEXT_MAX) {
		enum journal_read read = journal_read(&again, buf_text(&text), text.len, &err);
		assert(read == JOURNAL_READ_OK);
		journal_write(&again, &more);
		assert(text.len == more.len && strcmp(buf_text(&text), buf_text(&more)) == 0);
		assert(process_equal(&record->holder, &again.holder));
	}
	journal_record_release(&again);
	buf_release(&text);
	buf_release(&more);
}

/* Whatever the times in it are, sums of them do not run over. */
static void want_times(const struct journal_record *record)
{
	static const struct journal_now nows[] = { { 0, 0, false },
						   { INT64_C(1796071688000), INT64_C(1796071688000),
						     true },
						   { INT64_MAX / 4, 0, false } };

	for (size_t i = 0; i < ARRAY_LEN(nows); i++) {
		struct opt_ms age = journal_age(record, &nows[i]);

		assert(!age.set || age.ms >= 0);
		(void)journal_is_since(record, &nows[i], record->settled);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct journal_record record = { 0 };
	struct err err = { 0 };
	enum journal_read read = journal_read(&record, text, size, &err);

	if (read == JOURNAL_READ_OK) {
		assert(err.code == ERR_NONE);
		want_sound(&record);
		want_same_again(&record);
		want_times(&record);
	} else {
		assert(read == JOURNAL_READ_NEWER || err.code == ERR_PARSE);
		want_nothing(&record);
	}
	journal_record_release(&record);
	err_clear(&err);
	free(text);
	return 0;
}

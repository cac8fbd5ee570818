/*
 * Any bytes as a draft's file. What is taken for a draft is written again to the same bytes once
 * more, has a request to send or says that it has none, and undo leads somewhere and back.
 */
#include <stdlib.h>
#include <string.h>

#include "model/draft_file.h"
#include "tests/fuzz/fuzz.h"

static struct buf written(const struct draft *draft)
{
	struct buf out;

	buf_init(&out, 2 * DRAFT_FILE_MAX);
	draft_file_write(draft, "somebody", &out);
	assert(!out.failed);
	return out;
}

static void check_request(const struct draft *draft)
{
	struct request request = { 0 };
	struct err err = { 0 };

	if (draft_request(draft, "another-name", true, &request, &err))
		assert(request.text[0]);
	else
		assert(err_text(&err)[0]);
	request_release(&request);
	err_clear(&err);
}

static void check_draft(struct draft *draft)
{
	struct buf once = written(draft), twice;
	struct draft *back = NULL;
	struct err err = { 0 };

	assert(draft_file_read(draft->id, once.data, once.len, &back, &err) == DRAFT_FILE_OK);
	twice = written(back);
	assert(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	while (draft_undo(back))
		check_request(back);
	while (draft_redo(back))
		check_request(back);
	check_request(back);
	draft_free(back);
	buf_release(&once);
	buf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct draft *draft = NULL;
	struct err err = { 0 };

	if (draft_file_read("f-1", text, size, &draft, &err) == DRAFT_FILE_OK)
		check_draft(draft);
	else
		assert(!draft && err_text(&err)[0]);
	draft_free(draft);
	err_clear(&err);
	free(text);
	return 0;
}

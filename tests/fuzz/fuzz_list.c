/*
 * Any text as the LIST of the command line, then edits of what was read, told by the bytes behind
 * its line. What is read says the same when written and read again; edits keep the list within its
 * bounds and undo gives it back; fixes that the rules offer can be made.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/check.h"
#include "model/draft.h"
#include "tests/fuzz/fuzz.h"

#define EDITS_MAX 40

static void write_list(const struct preferences *prefs, struct buf *out)
{
	for (size_t i = 0; i < prefs->length; i++) {
		const struct preference *entry = &prefs->entries[i];

		buf_addf(out, "%s%s", i ? "," : "", entry->instance_type);
		if (entry->has_count)
			buf_addf(out, ":%" PRId64, entry->count);
		if (entry->plan_arn[0])
			buf_addf(out, "@%s", entry->plan_arn);
	}
}

static void check_again(const struct preferences *prefs)
{
	struct preferences again = { 0 };
	struct buf text;
	struct err err = { 0 };

	buf_init(&text, 1u << 16);
	write_list(prefs, &text);
	bool ok = prefs_parse(&again, buf_text(&text),
			      prefs->has_shared_count ? prefs->shared_count : 0, &err);
	assert(ok && prefs_equal(prefs, &again));
	buf_release(&text);
}

static bool edit(struct preferences *prefs, unsigned what, size_t at)
{
	static const char *const types[] = { "ml.p4d.24xlarge", "ml.g5.xlarge", "x", "" };

	switch (what % 8) {
	case 0:
		return prefs_move(prefs, at, at / 8);
	case 1:
		return prefs_insert(prefs, at % 8, types[at % ARRAY_LEN(types)]);
	case 2:
		return prefs_remove(prefs, at);
	case 3:
		return prefs_set_type(prefs, at % 8, types[at % ARRAY_LEN(types)]);
	case 4:
		return prefs_set_plan(prefs, at % 8, at % 3 ? "arn:aws:p" : "");
	case 5:
		return prefs_add_count(prefs, at % 8, 1);
	case 6:
		return prefs_add_count(prefs, at % 8, at % 2 ? INT64_MIN : INT64_MAX);
	default:
		prefs_toggle_counts(prefs);
		return true;
	}
}

static void check_toggle(const struct preferences *before)
{
	struct preferences prefs = *before;

	prefs_toggle_counts(&prefs);
	for (size_t i = 0; i < prefs.length; i++)
		assert(prefs.entries[i].has_count != prefs.has_shared_count);
}

/* The fixes of one round; each that can be made leaves a list within its bounds. */
static void check_fixes(const struct preferences *prefs)
{
	struct findings findings;

	for (int kind = JOB_TRAINING; kind <= JOB_PROCESSING; kind++) {
		const struct check_input input = { .kind = (enum job_kind)kind, .prefs = prefs };

		check_preferences(&input, &findings);
		assert(!findings.cut);
		for (size_t i = 0; i < findings.count; i++) {
			const struct finding *finding = &findings.items[i];
			struct preferences mended = *prefs;

			assert(finding->message[0] && finding->rule[0]);
			assert(finding->entry == CHECK_NO_ENTRY || finding->entry < prefs->length);
			if (!finding_apply(finding, &mended))
				assert(prefs_equal(&mended, prefs));
			assert(mended.length <= prefs->length);
		}
	}
}

static void edit_all(const struct preferences *first, struct fuzz_bytes *bytes)
{
	char arn[] = "arn:of:a:job";
	struct preferences own = *first;
	const struct job job = { .arn = arn, .prefs = &own };
	struct draft *draft = draft_of_job("1", &job);
	struct prefs_state state = { .prefs = *first }, back;
	size_t edits = 0;

	for (; bytes->left && edits < EDITS_MAX; edits++) {
		struct preferences before = state.prefs;
		unsigned what = fuzz_byte(bytes);

		if (!edit(&state.prefs, what, fuzz_byte(bytes) % 64))
			assert(prefs_equal(&before, &state.prefs));
		assert(state.prefs.length <= PREFS_KEEP_MAX);
		draft_set(draft, &state);
	}
	check_toggle(&state.prefs);
	check_fixes(&state.prefs);
	while (draft_undo(draft))
		continue;
	assert(prefs_equal(&draft->prefs, first) && !draft_changed(draft));
	while (draft_redo(draft))
		continue;
	back = draft_state(draft);
	assert(prefs_state_equal(&back, &state));
	draft_free(draft);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	char *list = fuzz_line(&bytes);
	struct preferences prefs = { 0 };
	struct err err = { 0 };
	int64_t shared = size % 5 ? 0 : (int64_t)(size % 7);

	if (prefs_parse(&prefs, list, shared, &err)) {
		assert(prefs.is_list && prefs.length > 0 && prefs.length <= PREFS_KEEP_MAX);
		check_again(&prefs);
		edit_all(&prefs, &bytes);
	} else {
		assert(err.code == ERR_USAGE && err_text(&err)[0] && prefs.length == 0);
	}
	err_clear(&err);
	free(list);
	return 0;
}

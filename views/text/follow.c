/* What commands that go on have in common. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "views/text/command.h"

void follow_release(struct follow *follow)
{
	phases_release(&follow->phases);
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		free(follow->troubles[i]);
	*follow = (struct follow){ 0 };
}

void follow_trouble(struct command_run *run, enum source_id source, const char *what,
		    const struct err *err)
{
	char **told = &run->follow.troubles[source];
	struct err said = { 0 };
	if (!err && *told)
		buf_addf(run->messages, "gpuq: %s is there again\n", what);
	if (err && (!*told || strcmp(*told, err_text(err)) != 0)) {
		err_copy(&said, err);
		err_subject(&said, "%s", what);
		command_message(run->messages, &said);
		buf_add_text(run->messages, "gpuq: it is tried again, and this goes on\n");
	}
	mem_set_text(told, err ? err_text(err) : NULL);
	err_clear(&said);
}

static const char *const lists[] = { [SOURCE_TRAINING] = "the list of training jobs",
				     [SOURCE_PROCESSING] = "the list of processing jobs" };

/* Neither list can be had, and none was before. */
static const struct err *find_failure(const struct store *store)
{
	const struct freshness *training = &store->sources[SOURCE_TRAINING];
	const struct freshness *processing = &store->sources[SOURCE_PROCESSING];
	bool is_lost = training->failing && processing->failing && !training->loaded &&
		       !processing->loaded;
	return is_lost ? &training->error : NULL;
}

int follow_phases(struct command_run *run, phase_change_fn *tell, bool *begins)
{
	const struct store *store = run->store;
	int64_t mono_ms = clock_mono_ms(run->clock);
	const struct err *failure = find_failure(store);
	if (failure) {
		command_message(run->messages, failure);
		return err_exit_status(failure);
	}
	for (int i = SOURCE_TRAINING; i <= SOURCE_PROCESSING; i++) {
		const struct freshness *source = &store->sources[i];
		follow_trouble(run, (enum source_id)i, lists[i],
			       source->failing ? &source->error : NULL);
	}
	phases_look(&run->follow.phases, store, mono_ms, tell, run);
	*begins = !run->follow.has_begun && store->sources[SOURCE_TRAINING].loaded &&
		  store->sources[SOURCE_PROCESSING].loaded;
	run->follow.has_begun |= *begins;
	run->follow.wake_ms = phases_wait_ms(&run->follow.phases, mono_ms);
	return COMMAND_GOES_ON;
}

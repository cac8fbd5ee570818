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

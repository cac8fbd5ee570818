/* gpuq man: the manual page in roff. */
#include "views/text/command.h"
#include "views/text/manual.h"

#define KEYS_MAX 1024

static int run_man(struct command_run *run)
{
	static struct manual_key keys[KEYS_MAX];
	manual_add(run->out, keys, run->sources->keys(keys, KEYS_MAX));
	return 0;
}

const struct command command_man = {
	.name = "man",
	.arguments = "",
	.help = "the manual page, for man -l -",
	.example = "gpuq man | man -l -",
	.need = NEED_NOTHING,
	.run = run_man,
};

/* gpuq types: the instance types with their hardware and prices. */
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/type_match.h"
#include "views/text/command.h"
#include "views/text/price_trouble.h"

static int say_none(const struct command_run *run, const char *words)
{
	const char *near[1];
	struct err err = { 0 };
	if (catalog_near(words, near, ARRAY_LEN(near)) > 0)
		err_set(&err, ERR_NOT_FOUND, "stands in no instance type; near it: %s", near[0]);
	else
		err_set(&err, ERR_NOT_FOUND, "stands in no instance type that is known here");
	err_subject(&err, "%s", words);
	command_message(run->messages, &err);
	err_clear(&err);
	return err_exit_status(&(struct err){ .code = ERR_NOT_FOUND });
}

static int run_types(struct command_run *run)
{
	const char *words = run->options->arg_count > 0 ? run->options->args[0] : "";
	const struct report_context context = command_context(run);
	size_t all, count = 0;
	const struct instance_type *rows = catalog_all(&all);
	const struct instance_type **types = mem_new(all, sizeof(const struct instance_type *));
	int status = 0;
	for (size_t i = 0; i < all; i++)
		if (type_holds(&rows[i], words))
			types[count++] = &rows[i];
	report_types(run->out, &context, types, count);
	if (count == 0)
		status = say_none(run, words);
	price_trouble_tell(run);
	free(types);
	return status;
}

const struct command command_types = {
	.name = "types",
	.arguments = "[FILTER]",
	.help = "instance types: their hardware and price; words of FILTER narrow them",
	.example = "gpuq types\n"
		   "gpuq types \"hopper p5\" -o csv",
	.most_args = 1,
	.need = NEED_PRICES,
	.run = run_types,
};

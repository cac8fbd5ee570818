#include "views/text/request_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/io.h"
#include "model/config_known.h"

/* A name that leads to no readable file is a wrong argument. */
static bool read_file(const char *path, struct buf *text, struct err *err)
{
	if (io_read_file(path, text, err))
		return true;
	if (err->code == ERR_IO) {
		err->code = ERR_USAGE;
		err->hint = HINT_CHECK_FILE;
	}
	return false;
}

/* It is not read on: what is in it does not matter. */
static bool refuse_size(const char *name, struct findings *findings, struct err *err)
{
	static const char rule[] = "not-a-request";
	static const char text[] = "This is larger than SageMaker takes (1 MiB).";
	*findings = (struct findings){ 0 };
	struct finding *finding = findings_add(findings, rule, "", "%s", text);
	if (finding)
		(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "Shorten it.");
	err_set(err, ERR_RULE, "%s: %s Shorten it.", rule, text);
	return err_subject(err, "%s", name);
}

bool request_file_read(const struct command_run *run, struct request *request,
		       struct findings *findings, struct err *err)
{
	const struct options *options = run->options;
	const char *path = options->args[0];
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct buf text;
	buf_init(&text, REQUEST_MAX);
	bool whole = read_file(path, &text, err);
	if (!whole && err->code == ERR_TOO_BIG)
		(void)refuse_size(name, findings, err);
	bool ok = whole && request_read(request, buf_text(&text), text.len, name,
					options->has_kind ? &options->kind : NULL, findings, err);
	buf_wipe(&text);
	buf_release(&text);
	return ok;
}

bool request_file_check(const struct command_run *run, const struct request *request,
			struct findings *findings, struct err *err)
{
	struct check_known known = { .region = run->region, .note_unchecked = true };
	struct check_certified *certified = config_fill_known(run->options->config, &known);
	bool ok = request_check(request, &known, findings, err);
	free(certified);
	return ok;
}

bool request_file_breaks(const struct findings *findings, const char *rule)
{
	for (size_t i = 0; i < findings->count; i++) {
		if (strcmp(findings->items[i].rule, rule) == 0)
			return true;
	}
	return false;
}

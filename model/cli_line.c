#include "model/cli_line.h"

#include "model/base/shellwords.h"
#include "model/request_parts.h"

static void add_option(struct buf *out, const char *option, const char *value)
{
	if (!value || !value[0])
		return;
	(void)buf_addf(out, " %s ", option);
	shellwords_add_quoted(out, value);
}

bool cli_line_add(struct buf *out, const struct request *request, const struct cli_place *place,
		  bool reveal)
{
	struct buf text;
	buf_init(&text, JSON_TEXT_MAX);
	request_show_line(request, reveal, &text);
	(void)buf_addf(out, "aws sagemaker create-%s-job", job_kind_word(request->kind));
	add_option(out, "--profile", place->profile);
	add_option(out, "--region", place->region);
	add_option(out, "--endpoint-url", place->endpoint_url);
	bool fits = text.len <= CLI_ARGUMENT_MAX;
	add_option(out, "--cli-input-json", fits ? buf_text(&text) : "file://" CLI_LINE_FILE);
	if (reveal)
		buf_wipe(&text);
	buf_release(&text);
	return fits;
}

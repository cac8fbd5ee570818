#include "views/text/past.h"

#include <stdlib.h>

#include "model/config_known.h"

void text_past_init(struct text_past *past, const struct command_run *run)
{
	*past = (struct text_past){ 0 };
	past->certified = config_fill_known(run->options->config, &past->known);
	outlook_learn(&past->outlook, &run->store->history);
	past->likely = (struct likely_past){ &past->outlook, &run->store->history,
					     &run->store->prices, &past->known };
}

void text_past_release(struct text_past *past)
{
	outlook_release(&past->outlook);
	free(past->certified);
	*past = (struct text_past){ 0 };
}

void text_past_tell(const struct command_run *run)
{
	const struct history *history = &run->store->history;
	const char *parts[] = { history->notice, history->trouble,
				history->lost ? "only what AWS lists now (--since) is counted"
					      : NULL };
	struct buf text;
	buf_init(&text, COMMAND_TEXT_MAX);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i])
			buf_addf(&text, "%s%s", text.len > 0 ? "; " : "gpuq: ", parts[i]);
	}
	if (text.len > 0) {
		buf_add_char(&text, '\n');
		command_add_outside(run->messages, &text);
	}
	buf_release(&text);
}

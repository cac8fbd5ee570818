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

/* An event as one object of JSON, for the program that a rule of the config hands it to. */
#ifndef GPUQ_REPORT_NEWS_H
#define GPUQ_REPORT_NEWS_H

#include "model/news.h"

struct report_news {
	const struct news *news;
	const char *rule, *text;      /* its name; the event in one sentence */
	const char *account, *region; /* "" = not known */
	int64_t now_ms;               /* by AWS's clock */
};
void report_news(struct buf *out, const struct report_news *report);

#endif

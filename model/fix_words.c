#include "model/fix_words.h"

#include <string.h>

/* "MaxWaitTimeInSeconds" of "StoppingCondition.MaxWaitTimeInSeconds". */
static const char *last_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && dot[1] ? dot + 1 : path;
}

/* " of #2", or " of the job" where there is no entry. */
static void add_of(struct buf *out, const struct finding *finding)
{
	if (finding->entry == CHECK_NO_ENTRY)
		(void)buf_add_text(out, " of the job");
	else
		(void)buf_addf(out, " of #%zu", finding->entry + 1);
}

void fix_words_add(struct buf *out, const struct finding *finding)
{
	switch (finding->fix) {
	case FIX_NONE:
		return;
	case FIX_REMOVE_ENTRY:
		(void)buf_addf(out, "remove #%zu", finding->entry + 1);
		return;
	case FIX_CUT_LIST:
		(void)buf_addf(out, "keep the first %d entries", PREFS_MAX);
		return;
	case FIX_KEEP_FIRST:
		(void)buf_add_text(out, "keep #1 alone, without a list");
		return;
	case FIX_SPREAD_COUNT:
		(void)buf_add_text(out, "give each entry a count");
		return;
	case FIX_SHARE_COUNT:
		(void)buf_add_text(out, "set one count for all");
		return;
	case FIX_DROP_PLAN:
		(void)buf_add_text(out, "drop the plan");
		add_of(out, finding);
		return;
	case FIX_SET_COUNT:
		(void)buf_add_text(out, "set the count");
		if (finding->entry != CHECK_NO_ENTRY)
			add_of(out, finding);
		(void)buf_addf(out, " to %s", finding->fix_value);
		return;
	case FIX_SET_TYPE:
		(void)buf_addf(out, "make #%zu %s", finding->entry + 1, finding->fix_value);
		return;
	case FIX_SET_NAME:
		(void)buf_addf(out, "name it %s", finding->fix_value);
		return;
	case FIX_DROP_MEMBER:
		(void)buf_addf(out, "remove %s", last_of(finding->path));
		return;
	case FIX_SET_MEMBER:
		(void)buf_addf(out, "set %s to %s", last_of(finding->path), finding->fix_value);
		return;
	case FIX_DROP_SPOT:
		(void)buf_add_text(out, "turn managed spot off");
		return;
	}
}

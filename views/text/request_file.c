#include "views/text/request_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/io.h"
#include "model/config_known.h"
#include "model/store_quotas.h"
#include "views/text/plain.h"

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

static const char *name_of_file(const struct command_run *run)
{
	const char *path = run->options->args[0];
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool request_file_text(const struct command_run *run, struct buf *text, struct findings *findings,
		       struct err *err)
{
	bool ok = read_file(run->options->args[0], text, err);
	if (!ok && err->code == ERR_TOO_BIG)
		(void)refuse_size(name_of_file(run), findings, err);
	return ok;
}

bool request_file_take(const struct command_run *run, const struct buf *text,
		       struct request *request, struct findings *findings, struct err *err)
{
	const struct options *options = run->options;
	return request_read(request, buf_text(text), text->len, name_of_file(run),
			    options->has_kind ? &options->kind : NULL, findings, err);
}

bool request_file_read(const struct command_run *run, struct request *request,
		       struct findings *findings, struct err *err)
{
	struct buf text;
	buf_init(&text, REQUEST_MAX);
	bool ok = request_file_text(run, &text, findings, err) &&
		  request_file_take(run, &text, request, findings, err);
	buf_wipe(&text);
	buf_release(&text);
	return ok;
}

/* The limits that the request runs into; NULL where AWS was not asked for them. */
static struct quota_fact *find_quotas(const struct command_run *run,
				      const struct preferences *prefs, size_t *count)
{
	const struct need_look *look = &run->look;
	*count = 0;
	if (!look->asked)
		return NULL;
	struct quota_fact *facts =
		store_request_quotas(run->store, prefs, look->kind, look->keeps_alive, count);
	for (size_t i = 0; i < *count; i++)
		facts[i].partial = !look->counted;
	return facts;
}

static void add_use(struct buf *out, const struct quota_fact *fact)
{
	bool is_least = fact->partial || fact->unread > 0;
	if (is_least && fact->used == 0)
		buf_add_text(out, "use not counted, limit ");
	else
		buf_addf(out, "used %lld%s of ", (long long)fact->used, is_least ? " or more" : "");
}

static void add_quota(struct buf *out, const struct quota_fact *fact, const char *count, bool utc)
{
	char text[QUOTA_WHY_SIZE], read[TIME_TEXT_SIZE];
	buf_addf(out, "%s x%s: need %s, ", fact->instance_type, count, count);
	if (fact->told) {
		time_format_hm(fact->read_at_ms, utc, read);
		add_use(out, fact);
		buf_addf(out, "%lld (read %s)", (long long)fact->limit, read);
	} else {
		quota_why_untold(fact, text);
		buf_addf(out, "limit not checked: %s", text);
	}
	buf_addf(out, "%s\n", fact->kind == QUOTA_WARM_POOL ? ", to keep them warm" : "");
}

void request_file_add_quotas(const struct command_run *run, const struct request *request,
			     struct buf *out)
{
	struct request_facts facts;
	struct err ignored = { 0 };
	size_t count = 0;
	struct quota_fact *quotas = NULL;
	if (request_facts(request, &facts, &ignored))
		quotas = find_quotas(run, &facts.prefs, &count);
	for (size_t i = 0; i < count; i++) {
		int64_t need = 0;
		char text[32] = "?";
		if (prefs_count(&facts.prefs, i % facts.prefs.length, &need))
			(void)snprintf(text, sizeof(text), "%lld", (long long)need);
		add_quota(out, &quotas[i], text, run->options->utc);
	}
	free(quotas);
	err_clear(&ignored);
}

bool request_file_check(const struct command_run *run, const struct request *request,
			struct findings *findings, struct err *err)
{
	struct check_known known = { .region = run->region,
				     .prices = &run->store->prices,
				     .note_unchecked = true };
	struct check_certified *certified = config_fill_known(run->options->config, &known);
	struct plan_fact *plans = NULL;
	struct quota_fact *quotas = NULL;
	struct request_facts facts;
	bool ok = request_facts(request, &facts, err);
	if (ok && run->look.asked) {
		known.name = run->look.name;
		known.quotas = quotas = find_quotas(run, &facts.prefs, &known.quota_count);
		known.plans = plans =
			store_plan_facts(run->store, store_now_ms(run->store, run->clock));
		known.name_why = run->look.name_why[0] ? run->look.name_why : NULL;
		known.plans_why = run->look.plans_why[0] ? run->look.plans_why : NULL;
		known.plan_count = plans ? run->store->plan_count : 0;
	}
	ok = ok && request_check(request, &known, findings, err);
	free(quotas);
	free(plans);
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

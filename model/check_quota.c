/*
 * What each entry needs against the quota it runs into: SageMaker checks the quota of every entry
 * and refuses the whole request if one falls short (facts, instance preferences; cases 080, 082
 * and 083). Only a count that is above the limit by itself is known to be refused; what else is in
 * use may be free again when the request arrives.
 */
#include <stdio.h>
#include <string.h>

#include "model/check_rules.h"
#include "model/quota.h"

#define KEEP_MEMBER "KeepAlivePeriodInSeconds"

enum quota_kind check_quota_kind(const struct check_input *input)
{
	return quota_kind_of(input->kind, input->has_spot);
}

const struct quota_fact *check_find_quota(const struct check_input *input, const char *type,
					  enum quota_kind kind)
{
	const struct check_known *known = input->known;
	for (size_t i = 0; known && known->quotas && i < known->quota_count; i++) {
		if (known->quotas[i].kind == kind &&
		    strcmp(known->quotas[i].instance_type, type) == 0)
			return &known->quotas[i];
	}
	return NULL;
}

/* One entry and the limit that it runs into. */
struct need {
	const struct check_input *input;
	struct findings *findings;
	size_t i;
	int64_t count; /* with groups of the same type before it */
	enum quota_kind kind;
	const struct quota_fact *fact; /* NULL: nobody asked */
};

typedef void need_test(const struct need *need);

/* Groups of one type add up; entries of a list never do. */
static bool count_need(const struct preferences *prefs, size_t i, int64_t *sum)
{
	int64_t count;
	if (!prefs_count(prefs, i, sum))
		return false;
	for (size_t k = 0; !prefs->is_list && k < i; k++) {
		if (strcmp(prefs->entries[k].instance_type, prefs->entries[i].instance_type) == 0 &&
		    prefs_count(prefs, k, &count) && __builtin_add_overflow(*sum, count, sum))
			return false;
	}
	return true;
}

static void each_need(const struct check_input *input, struct findings *findings,
		      enum quota_kind kind, need_test *test)
{
	for (size_t i = 0; i < input->prefs->length; i++) {
		const char *type = input->prefs->entries[i].instance_type;
		struct need need = { input, findings, i, 0, kind, NULL };
		need.fact = check_find_quota(input, type, kind);
		if (type[0] && count_need(input->prefs, i, &need.count))
			test(&need);
	}
}

static struct finding *add(const struct need *need, const char *rule, const char *what)
{
	const struct quota_fact *fact = need->fact;
	const struct check_entry at = { need->i, "InstanceCount" };
	char read[TIME_TEXT_SIZE], used[32], unread[64] = "";
	time_format_iso(fact->read_at_ms, read);
	if (fact->partial && fact->used == 0)
		(void)snprintf(used, sizeof(used), "use not counted");
	else
		(void)snprintf(used, sizeof(used), "%lld%s in use", (long long)fact->used,
			       fact->partial ? " or more" : "");
	if (fact->unread > 0)
		(void)snprintf(unread, sizeof(unread), " and %zu job%s not described yet",
			       fact->unread, fact->unread == 1 ? "" : "s");
	return check_add_to_entry(need->input, need->findings, rule, &at,
				  "needs %lld, %s%s, limit %lld of '%s for %s' (read %s)%s.",
				  (long long)need->count, used, unread, (long long)fact->limit,
				  fact->instance_type, quota_kind_usage(fact->kind), read, what);
}

/* Lowers the count to what is allowed; where that is nothing, the entry goes. */
static void fix_need(const struct need *need, struct finding *finding, int64_t allowed,
		     const char *else_do)
{
	/* Of groups of one type it is not told which one to lower. */
	bool alone = need->input->prefs->is_list || need->input->prefs->length == 1;
	if (allowed > 0 && alone)
		check_fix_count(need->input, finding, allowed);
	else
		check_fix_remove(need->input, finding, else_do);
}

static bool is_short(const struct need *need)
{
	return need->fact && need->fact->told && need->count > need->fact->limit;
}

static void test_short(const struct need *need)
{
	char ask[80] = "ask AWS for a raise of this quota";
	if (!is_short(need))
		return;
	if (need->fact->code)
		(void)snprintf(ask, sizeof(ask), "ask AWS for a raise of this quota (%.16s)",
			       need->fact->code);
	fix_need(need, add(need, "quota-short", ""), need->fact->limit, ask);
}

void check_quota_short(const struct check_input *input, struct findings *findings)
{
	each_need(input, findings, check_quota_kind(input), test_short);
}

static bool is_tight(const struct need *need)
{
	int64_t sum;
	return need->fact && need->fact->told &&
	       (__builtin_add_overflow(need->count, need->fact->used, &sum) ||
		sum > need->fact->limit);
}

static void test_tight(const struct need *need)
{
	if (is_short(need) || !is_tight(need))
		return;
	fix_need(need, add(need, "quota-tight", ""), need->fact->limit - need->fact->used,
		 "wait until jobs of this type have ended");
}

/* With a limit of 0 there is no pool, and keep-alive has no effect (case 082). */
static void test_pool(const struct need *need)
{
	if (!is_tight(need))
		return;
	struct finding *finding = add(need, "quota-tight",
				      need->fact->limit == 0 ? ": " KEEP_MEMBER " has no effect"
							     : ": the instances may not be kept");
	if (!finding)
		return;
	struct check_path path = check_cluster_member(need->input, KEEP_MEMBER);
	(void)snprintf(finding->path, sizeof(finding->path), "%s", path.text);
	check_set_fix(finding, FIX_DROP_MEMBER, "", "Leave " KEEP_MEMBER " out.");
}

static bool wants_pool(const struct check_input *input)
{
	struct check_path path = check_cluster_member(input, KEEP_MEMBER);
	int64_t seconds;
	return input->kind == JOB_TRAINING && input->doc &&
	       json_doc_integer(input->doc, json_doc_path(input->doc, path.text), &seconds) &&
	       seconds > 0;
}

void check_quota_tight(const struct check_input *input, struct findings *findings)
{
	each_need(input, findings, check_quota_kind(input), test_tight);
	if (wants_pool(input))
		each_need(input, findings, QUOTA_WARM_POOL, test_pool);
}

static void test_unknown(const struct need *need)
{
	const char *type = need->input->prefs->entries[need->i].instance_type;
	const struct check_entry at = { need->i, "InstanceType" };
	const struct quota_row *row = quota_find(type, need->kind);
	char why[QUOTA_WHY_SIZE] = "it was not asked for", usual[64] = "";
	if (need->fact && need->fact->told)
		return;
	if (need->fact)
		quota_why_untold(need->fact, why);
	if (row && row->default_value >= 0)
		(void)snprintf(usual, sizeof(usual), "; AWS gives a new account %d",
			       (int)row->default_value);
	(void)check_add_to_entry(need->input, need->findings, "quota-unknown", &at,
				 "the limit of '%.48s for %s' is not checked: %s%s.", type,
				 quota_kind_usage(need->kind), why, usual);
}

void check_quota_unknown(const struct check_input *input, struct findings *findings)
{
	const struct check_known *known = input->known;
	if (!known || input->prefs->length == 0)
		return;
	if (known->quotas) {
		each_need(input, findings, check_quota_kind(input), test_unknown);
		if (wants_pool(input))
			each_need(input, findings, QUOTA_WARM_POOL, test_unknown);
	} else if (known->note_unchecked) {
		check_make_note(findings_add(findings, "quota-unknown",
					     check_cluster_path(input->kind),
					     "The quotas of the types are not checked: no limit "
					     "was read."));
	}
}

/*
 * The default that is published, where the account's own limit was not read. Most defaults are 0,
 * and accounts that run such a type at all have a limit of their own: those say nothing.
 */
static void test_default(const struct need *need)
{
	const char *type = need->input->prefs->entries[need->i].instance_type;
	const struct quota_row *row = quota_find(type, need->kind);
	const struct check_entry at = { need->i, "InstanceCount" };
	if ((need->fact && need->fact->told) || !row || row->default_value <= 0 ||
	    need->count <= row->default_value)
		return;
	check_fix_count(need->input,
			check_add_to_entry(need->input, need->findings, "count-range", &at,
					   "asks for %lld; AWS gives a new account %d of '%s for "
					   "%s'.",
					   (long long)need->count, (int)row->default_value, type,
					   quota_kind_usage(need->kind)),
			row->default_value);
}

void check_count_over_default(const struct check_input *input, struct findings *findings)
{
	each_need(input, findings, check_quota_kind(input), test_default);
}

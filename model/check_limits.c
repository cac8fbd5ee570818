/* What the operator's own config says: limits of cost, and entries that are certified. */
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/check_rules.h"

#define SECOND_MS 1000
#define RUN_PATH  "StoppingCondition.MaxRuntimeInSeconds"

/* --- cost --- */

/* What the request may cost by the hour: its dearest entry, or all its groups. */
struct rate {
	struct money per_hour; /* not set: no price of any entry is known */
	size_t entry;          /* the dearest; CHECK_NO_ENTRY: all of them */
	const char *unpriced;  /* a type without a price; NULL = all have one */
	const char *currency;
};

static bool is_grouped(const struct preferences *prefs)
{
	return prefs->length > 0 && prefs->entries[0].group[0] != '\0';
}

static struct money add_up(struct money a, struct money b)
{
	struct money sum = { .set = true };
	if (!a.set || __builtin_add_overflow(a.micro, b.micro, &sum.micro))
		return b;
	return sum;
}

static struct rate rate_of(const struct check_input *input)
{
	const struct preferences *prefs = input->prefs;
	const struct price_book none = { 0 };
	const struct price_book *book = input->known->prices ? input->known->prices : &none;
	struct rate rate = { .entry = CHECK_NO_ENTRY, .currency = "USD" };
	for (size_t i = 0; i < prefs->length; i++) {
		const char *type = prefs->entries[i].instance_type;
		struct money one = price_entry_per_hour(prefs, i, book, input->kind);
		if (!one.set) {
			rate.unpriced = type;
			continue;
		}
		struct price price = price_find(book, input->kind, type);
		rate.currency = price.currency ? price.currency : rate.currency;
		if (is_grouped(prefs)) {
			rate.per_hour = add_up(rate.per_hour, one);
		} else if (!rate.per_hour.set || one.micro > rate.per_hour.micro) {
			rate.per_hour = one;
			rate.entry = i;
		}
	}
	return rate;
}

static void say_amount(struct buf *out, int64_t micro, const char *currency)
{
	text_add_money(out, micro, 2);
	(void)buf_addf(out, " %s", currency);
}

/* "#2: up to 98.32 USD by the hour, over the limit of 50.00 USD (max_per_hour)." */
static struct finding *add_cost(const struct check_input *input, struct findings *findings,
				const struct rate *rate, int64_t micro, const char *what,
				struct money limit, const char *setting)
{
	struct buf text;
	struct finding *finding;
	const struct check_entry at = { rate->entry, "InstanceType" };
	buf_init(&text, 200);
	(void)buf_add_text(&text, rate->entry == CHECK_NO_ENTRY ? "Up to " : "up to ");
	say_amount(&text, micro, rate->currency);
	(void)buf_addf(&text, " %s, over the limit of ", what);
	say_amount(&text, limit.micro, rate->currency);
	if (rate->entry == CHECK_NO_ENTRY)
		finding = findings_add(findings, "cost-above", check_cluster_path(input->kind),
				       "%s (%s).", buf_text(&text), setting);
	else
		finding = check_add_to_entry(input, findings, "cost-above", &at, "%s (%s).",
					     buf_text(&text), setting);
	buf_release(&text);
	return finding;
}

/* The dearest entry goes, or the count is lowered to what the limit allows by the hour. */
static void fix_cost(const struct check_input *input, struct finding *finding,
		     const struct rate *rate, int64_t micro, struct money limit)
{
	int64_t count;
	if (!finding)
		return;
	check_set_fix(finding, FIX_NONE, "", "Ask for fewer or cheaper instances.");
	if (rate->entry == CHECK_NO_ENTRY || !prefs_count(input->prefs, rate->entry, &count))
		return;
	__extension__ __int128 allowed = (__int128)count * limit.micro / (micro > 0 ? micro : 1);
	if (check_can_remove(input))
		check_fix_remove(input, finding, "ask for fewer instances");
	else if (allowed >= 1 && allowed < count)
		check_fix_count(input, finding, (int64_t)allowed);
}

static void say_unpriced(const struct check_input *input, struct findings *findings,
			 const struct rate *rate)
{
	const char *region = input->known->region;
	check_make_note(findings_add(findings, "cost-above", check_cluster_path(input->kind),
				     "Whether the cost is below the limit is not checked: no price "
				     "of %s is known%s%s.",
				     rate->unpriced, region ? " in " : "", region ? region : ""));
}

static void test_worst_case(const struct check_input *input, struct findings *findings,
			    const struct rate *rate)
{
	struct money limit = input->known->max_worst_case;
	struct opt_ms run = input->max_runtime;
	char what[80], length[TIME_TEXT_SIZE];
	if (!run.set && input->doc && input->kind == JOB_TRAINING)
		run = (struct opt_ms){ true, CHECK_RUNTIME_DEFAULT_S * SECOND_MS };
	if (!run.set || run.ms < 0) {
		check_make_note(findings_add(findings, "cost-above", RUN_PATH,
					     "Whether the worst case is below max_worst_case is "
					     "not checked: there is no MaxRuntimeInSeconds."));
		return;
	}
	struct money worst = price_in_time(rate->per_hour, run.ms);
	/* A product too large to say is over every limit. */
	int64_t micro = worst.set ? worst.micro : INT64_MAX;
	if (!rate->per_hour.set || micro <= limit.micro)
		return;
	duration_format(run.ms / SECOND_MS, length);
	(void)snprintf(what, sizeof(what), "in %s, its run-time limit", length);
	fix_cost(input, add_cost(input, findings, rate, micro, what, limit, "max_worst_case"), rate,
		 micro, limit);
}

void check_cost_above(const struct check_input *input, struct findings *findings)
{
	const struct check_known *known = input->known;
	if (known && known->unread_limit)
		check_set_fix(findings_add(findings, "cost-above", check_cluster_path(input->kind),
					   "%s", known->unread_limit),
			      FIX_NONE, "", known->unread_limit_fix);
	if (!known || input->prefs->length == 0 ||
	    (!known->max_per_hour.set && !known->max_worst_case.set))
		return;
	const struct rate rate = rate_of(input);
	if (rate.unpriced)
		say_unpriced(input, findings, &rate);
	if (known->max_per_hour.set && rate.per_hour.set &&
	    rate.per_hour.micro > known->max_per_hour.micro)
		fix_cost(input,
			 add_cost(input, findings, &rate, rate.per_hour.micro, "by the hour",
				  known->max_per_hour, "max_per_hour"),
			 &rate, rate.per_hour.micro, known->max_per_hour);
	if (known->max_worst_case.set)
		test_worst_case(input, findings, &rate);
}

/* --- certified entries --- */

/* Whether names, parted by commas, hold name. */
static bool names_hold(const char *names, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = names; *at;) {
		at += strspn(at, ", \t");
		size_t part = strcspn(at, ",");
		size_t shown = part;
		while (shown > 0 && (at[shown - 1] == ' ' || at[shown - 1] == '\t'))
			shown--;
		if (shown == length && strncmp(at, name, length) == 0)
			return true;
		at += part;
	}
	return false;
}

bool check_certified_is_of(const struct check_certified *certified, const char *stem)
{
	const char *stems = certified->stems;
	return stems && stems[0] ? names_hold(stems, stem) : strcmp(certified->name, stem) == 0;
}

/* Whether a section of the stem has the entry; what the first one has instead, in other. */
static bool is_certified(const struct check_input *input, size_t i, const char *stem,
			 const struct check_certified **other)
{
	const struct preference *entry = &input->prefs->entries[i];
	int64_t count;
	bool has_count = prefs_count(input->prefs, i, &count);
	*other = NULL;
	for (size_t at = 0; at < input->known->certified_count; at++) {
		const struct check_certified *section = &input->known->certified[at];
		if (!check_certified_is_of(section, stem))
			continue;
		if (strcmp(section->instance_type, entry->instance_type) == 0 &&
		    (!section->has_count || !has_count || section->count == count))
			return true;
		if (!*other)
			*other = section;
	}
	return !*other;
}

static void add_uncertified(const struct check_input *input, struct findings *findings, size_t i,
			    const char *stem, const struct check_certified *other)
{
	const struct check_entry at = { i, "InstanceType" };
	int64_t count = 0;
	char own[24] = "", wanted[24] = "";
	if (prefs_count(input->prefs, i, &count))
		(void)snprintf(own, sizeof(own), " x %lld", (long long)count);
	if (other->has_count)
		(void)snprintf(wanted, sizeof(wanted), " x %lld", (long long)other->count);
	check_fix_remove(
		input,
		check_add_to_entry(input, findings, "not-certified", &at,
				   "%s%s is not certified for %s; [certified %.48s] has %.48s%s.",
				   input->prefs->entries[i].instance_type, own, stem, other->name,
				   other->instance_type, wanted),
		"certify it in the config");
}

void check_not_certified(const struct check_input *input, struct findings *findings)
{
	char stem[JOB_NAME_SIZE];
	const struct check_certified *other;
	if (!input->known || !input->known->certified || !input->name)
		return;
	job_stem(input->name, stem);
	for (size_t i = 0; i < input->prefs->length; i++) {
		if (input->prefs->entries[i].instance_type[0] &&
		    !is_certified(input, i, stem, &other))
			add_uncertified(input, findings, i, stem, other);
	}
}

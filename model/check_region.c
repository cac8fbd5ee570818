/* What only the region knows: whether the name is free, and which types it has. */
#include <stdio.h>
#include <string.h>

#include "model/base/err.h"
#include "model/catalog.h"
#include "model/check_rules.h"
#include "model/job_name.h"
#include "model/quota.h"

#define TYPES_SHOWN 3

/* --- the name --- */

static bool is_taken(const void *ctx, const char *name)
{
	const struct check_input *input = ctx;
	const struct check_known *known = input->known;
	if (!known)
		return false;
	return (known->name == NAME_TAKEN && strcmp(name, input->name) == 0) ||
	       (known->knows_name && known->knows_name(known->names, name));
}

void check_fix_name(const struct check_input *input, struct finding *finding)
{
	char name[JOB_NAME_SIZE], text[JOB_NAME_SIZE + 40];
	bool knows = input->known && input->known->knows_name;
	if (!finding || !job_name_propose(input->name, is_taken, input, name))
		return;
	(void)snprintf(text, sizeof(text), "Name it %s%s.", name, knows ? "" : ", if that is free");
	check_set_fix(finding, FIX_SET_NAME, name, text);
}

void check_name_taken(const struct check_input *input, struct findings *findings)
{
	const struct check_known *known = input->known;
	const char *member = check_name_member(input->kind);
	if (!known || !input->name || !job_name_is_valid(input->name))
		return;
	if (known->name == NAME_TAKEN)
		check_fix_name(input,
			       findings_add(findings, "name-taken", member,
					    "A %s job %s exists already; a name is never free "
					    "again.",
					    job_kind_word(input->kind), input->name));
	else if (known->name == NAME_UNCHECKED && known->note_unchecked)
		check_make_note(findings_add(findings, "name-taken", member,
					     "Whether the name is free is not checked%s%s.",
					     known->name_why ? ": " : "",
					     known->name_why ? known->name_why : ""));
}

/* --- the types --- */

/*
 * Nobody publishes which types a region has, so that there are two signs only. A quota of the type
 * that Service Quotas does not know there speaks against it: codes are the same in every region,
 * and a region lists those of the types that it has. A limit that was read, or a price that was
 * seen in the region, speaks for it. The two families of which a whole price list of a region was
 * seen without them stand in a table (data/catalog-notes.md, doubts).
 */
static const struct absence {
	const char *region, *family;
} absences[] = {
	{ "us-east-1", "r6i" }, /* price list of 2026-09-24 */
	{ "us-west-2", "p3" },  /* price lists of 2026-08 and 2026-09-01 */
};

enum presence { PRESENCE_UNKNOWN, PRESENCE_YES, PRESENCE_NO };

static bool is_listed_absent(const char *region, const char *instance_type)
{
	const struct instance_type *type = catalog_find(instance_type);
	for (size_t i = 0; type && i < ARRAY_LEN(absences); i++) {
		if (strcmp(absences[i].region, region) == 0 &&
		    strcmp(absences[i].family, type->family) == 0)
			return true;
	}
	return false;
}

static enum presence presence_of(const struct check_input *input, const char *type)
{
	const char *region = input->known->region;
	const struct quota_fact *fact = check_find_quota(input, type, check_quota_kind(input));
	if (fact && fact->told)
		return PRESENCE_YES;
	if (fact && fact->error && fact->error->code == ERR_NOT_FOUND)
		return PRESENCE_NO;
	const struct price_book *prices = input->known->prices;
	enum price_source source =
		prices ? price_find(prices, input->kind, type).source : PRICE_NONE;
	if (source == PRICE_LIST || source == PRICE_TABLE)
		return PRESENCE_YES;
	if (!region)
		return PRESENCE_UNKNOWN;
	return is_listed_absent(region, type) ? PRESENCE_NO : PRESENCE_UNKNOWN;
}

static void add_absent(const struct check_input *input, struct findings *findings, size_t i)
{
	const struct check_entry at = { i, "InstanceType" };
	const char *type = input->prefs->entries[i].instance_type;
	const char *region = input->known->region;
	check_fix_remove(input,
			 check_add_to_entry(input, findings, "type-not-in-region", &at,
					    "%s is not known to be offered in %s.", type,
					    region ? region : "this region"),
			 "choose another type or region");
}

/* One note for all types of which nothing is known. */
static void note_unknown(const struct check_input *input, struct findings *findings,
			 const char *types, size_t count)
{
	const char *region = input->known->region;
	if (count == 0 || !input->known->note_unchecked)
		return;
	check_make_note(
		findings_add(findings, "type-not-in-region", check_cluster_path(input->kind),
			     "Whether %s has %s is not checked%s.", region ? region : "the region",
			     types, count > TYPES_SHOWN ? ", nor its other types" : ""));
}

void check_type_not_in_region(const struct check_input *input, struct findings *findings)
{
	struct buf types;
	size_t unknown = 0;
	if (!input->known)
		return;
	buf_init(&types, TYPES_SHOWN * (TYPE_NAME_SIZE + 2));
	for (size_t i = 0; i < input->prefs->length; i++) {
		const char *type = input->prefs->entries[i].instance_type;
		/* A type that no list knows, or not for the kind, has a finding of its own. */
		if (!catalog_allows(type, input->kind))
			continue;
		enum presence presence = presence_of(input, type);
		if (presence == PRESENCE_NO)
			add_absent(input, findings, i);
		if (presence == PRESENCE_UNKNOWN && unknown++ < TYPES_SHOWN)
			(void)buf_addf(&types, "%s%s", types.len > 0 ? ", " : "", type);
	}
	note_unknown(input, findings, buf_text(&types), unknown);
	buf_release(&types);
}

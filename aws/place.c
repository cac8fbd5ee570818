#include "aws/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/access.h"
#include "aws/config_files.h"
#include "aws/settings.h"
#include "model/base/mem.h"
#include "model/regions.h"

/* --- where the user wants to be --- */

static void place_release(struct place *place)
{
	free(place->profile);
	free(place->region);
	*place = (struct place){ 0 };
}

void places_start(struct places *places, const char *profile, const char *region)
{
	*places = (struct places){ .now = { .profile = mem_copy_text(profile),
					    .region = mem_copy_text(region) } };
}

void places_go(struct places *places, const char *profile, const char *region)
{
	struct place next = { .profile = mem_copy_text(profile ? profile : places->now.profile),
			      .region = mem_copy_text(region) };
	place_release(&places->before);
	places->before = places->now;
	places->now = next;
	places->has_before = true;
}

void places_keep_region(struct places *places, const char *region)
{
	mem_set_text(&places->now.region, region);
	places->now.region_is_kept = true;
}

void places_go_back(struct places *places)
{
	struct place now = places->now;
	places->now = places->before;
	places->before = now;
}

void places_release(struct places *places)
{
	place_release(&places->now);
	place_release(&places->before);
}

/* --- what the AWS files say --- */

/* NULL while they have not been read, and for the demo. */
static const struct profile_list *profiles_of(struct session *session)
{
	struct access *access = session_access(session);
	return access ? &access_setup(access)->profiles.profiles : NULL;
}

static const char *profile_region(const struct profile *profile)
{
	const char *region = profile_value(profile, "region").text;
	return region && region[0] ? region : NULL;
}

const char *place_profile_at(struct session *session, size_t i)
{
	const struct profile_list *profiles = profiles_of(session);
	return profiles && i < profiles->count ? profiles->items[i].name : NULL;
}

const char *place_region_at(struct session *session, size_t i)
{
	const struct profile_list *profiles = profiles_of(session);
	size_t at = 0;
	for (size_t k = 0; profiles && k < profiles->count; k++)
		if (profile_region(&profiles->items[k]) && at++ == i)
			return profile_region(&profiles->items[k]);
	for (size_t k = 0; region_names[k]; k++)
		if (at++ == i)
			return region_names[k];
	return NULL;
}

const char *place_expected_region(struct session *session, const char *region, const char *profile)
{
	const struct profile_list *profiles = session ? profiles_of(session) : NULL;
	struct err none = { 0 };
	const char *expected = aws_region(region, &none);
	if (!expected && profiles)
		expected =
			profile_region(profile_list_find(profiles, profile_choice(profile).name));
	err_clear(&none);
	return expected;
}

bool place_has_other_region(const struct place *place, struct session *session, struct buf *text)
{
	struct access *access = session_access(session);
	if (!access)
		return false;
	const struct profile *profile = access_setup(access)->profile;
	const char *own = profile ? profile_region(profile) : NULL;
	bool chosen = place->region && !place->region_is_kept;
	if (chosen || !place->profile || (own && strcmp(own, access_region(access)) == 0))
		return false;
	buf_addf(text, "region %s, by %s", access_region(access), access_region_origin(access));
	if (own)
		buf_addf(text, "; the profile's own is %s", own);
	return true;
}

/* --- what is shown --- */

void whereabouts_expect(struct whereabouts *at, const char *region, const char *profile)
{
	const struct profile_choice choice = profile_choice(profile);
	*at = (struct whereabouts){ 0 };
	snprintf(at->region, sizeof(at->region), "%s", region ? region : "");
	snprintf(at->profile, sizeof(at->profile), "%s", choice.source[0] ? choice.name : "");
}

void whereabouts_note(struct whereabouts *at, const struct session *session,
		      const struct store *store)
{
	const struct session_identity *identity = session_identity(session);
	const char *region = session_region(session);
	if (region[0]) {
		snprintf(at->region, sizeof(at->region), "%s", region);
		snprintf(at->endpoint, sizeof(at->endpoint), "%s", identity->endpoint);
		snprintf(at->profile, sizeof(at->profile), "%s", identity->profile);
	}
	arn_principal(identity->arn, at->role);
	if (identity->account[0])
		snprintf(at->account, sizeof(at->account), "%s", identity->account);
	else if (!at->account[0] && store->count > 0)
		arn_account(store_at(store, 0)->arn, at->account);
}

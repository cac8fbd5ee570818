#include "aws/role_chain.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define SHOWN_MAX 16 /* profiles that a message shows of either end of a circle */

static bool has(const struct profile *profile, const char *key)
{
	return profile_value(profile, key).text != NULL;
}

static bool is_role(const struct profile *profile)
{
	return has(profile, "role_arn") && !has(profile, "web_identity_token_file");
}

static bool has_keys(const struct profile *profile)
{
	return has(profile, "aws_access_key_id") || has(profile, "aws_secret_access_key");
}

static bool refuse(const struct profile *profile, const char *what, struct err *err)
{
	err_set(err, ERR_AUTH, "%s", what);
	err->hint = HINT_CORRECT_FILE;
	return err_subject(err, "profile %s", profile->name);
}

static void add_role(struct role_chain *chain, const struct profile *profile)
{
	chain->roles = mem_grow(chain->roles, &chain->capacity, chain->count + 1,
				sizeof(const struct profile *));
	chain->roles[chain->count++] = profile;
}

static bool check_role(const struct profile *profile, struct err *err)
{
	static const char *const sources[] = { "Environment", "Ec2InstanceMetadata",
					       "EcsContainer" };
	struct profile_value source = profile_value(profile, "credential_source");
	bool has_profile = has(profile, "source_profile");
	if (!profile_value(profile, "role_arn").text[0])
		return refuse(profile, "role_arn is empty", err);
	if (source.text && has_profile)
		return refuse(profile, "has both source_profile and credential_source", err);
	if (!source.text && !has_profile)
		return refuse(profile,
			      "has a role_arn, but neither source_profile nor "
			      "credential_source",
			      err);
	for (size_t i = 0; source.text && i < ARRAY_LEN(sources); i++)
		if (strcmp(source.text, sources[i]) == 0)
			return true;
	return !source.text ||
	       refuse(profile,
		      "credential_source is none of Environment, Ec2InstanceMetadata and "
		      "EcsContainer",
		      err);
}

/* alice > prod > dev > alice */
static bool refuse_circle(const struct role_chain *chain, const struct profile *again,
			  struct err *err)
{
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	buf_add_text(&text, "source_profile leads in a circle: ");
	for (size_t i = 0; i < chain->count; i++) {
		if (i < SHOWN_MAX || chain->count - i <= SHOWN_MAX)
			buf_addf(&text, "%.100s > ", chain->roles[i]->name);
		else if (i == SHOWN_MAX)
			buf_addf(&text, "(%zu more) > ", chain->count - 2 * SHOWN_MAX);
	}
	buf_addf(&text, "%.100s", again->name);
	refuse(chain->roles[0], buf_text(&text), err);
	buf_release(&text);
	return false;
}

/* A profile may name itself where it has keys of its own; any other return is a circle. */
static bool take_source(struct role_chain *chain, const struct profile *source, struct err *err)
{
	const struct profile *last = chain->roles[chain->count - 1];
	for (size_t i = 0; i < chain->count; i++) {
		if (chain->roles[i] == source && (source != last || !has_keys(source)))
			return refuse_circle(chain, source, err);
	}
	if (has_keys(source) || !is_role(source))
		chain->base = source;
	else
		add_role(chain, source);
	return true;
}

bool role_chain_follow(struct role_chain *chain, const struct profiles *profiles,
		       const struct profile *top, struct err *err)
{
	*chain = (struct role_chain){ 0 };
	if (!top || !is_role(top)) {
		chain->base = top;
		return true;
	}
	add_role(chain, top);
	while (!chain->base && !chain->credential_source) {
		const struct profile *last = chain->roles[chain->count - 1], *source;
		if (!check_role(last, err))
			return false;
		chain->credential_source = profile_value(last, "credential_source").text;
		if (chain->credential_source)
			continue;
		if (!profiles_source(profiles, last, &source, err))
			return false;
		if (!source)
			return refuse(last, "source_profile is empty", err);
		if (!take_source(chain, source, err))
			return false;
	}
	return true;
}

void role_chain_release(struct role_chain *chain)
{
	if (!chain)
		return;
	free(chain->roles);
	*chain = (struct role_chain){ 0 };
}

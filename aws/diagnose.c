#include "aws/diagnose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aws/proxy.h"
#include "aws/skew.h"

#define SOON_MS     INT64_C(300000) /* credentials that end so soon may end before they are used */
#define CLOCK_MS    INT64_C(60000)  /* a clock further off than that is worth a word */
#define CLOCK_AWS   INT64_C(300000) /* and further than that AWS refuses, if it is not corrected */
#define SAME_MS     INT64_C(2000)   /* Date has whole seconds */
#define WORDS_MAX   256u
#define PROBLEM_MAX 1024u
#define NO_PROFILE  "not known, since the profile is not"

/* --- files --- */

static size_t profiles_in(const struct profiles *profiles, size_t file)
{
	size_t count = 0;
	for (size_t i = 0; i < profiles->profiles.count; i++)
		count += profiles->profiles.items[i].parts[file] != NULL;
	return count;
}

static void add_absent(struct diagnosis *diagnosis, size_t file, const char *path)
{
	static const char *const variables[PROFILES_FILES] = {
		[PROFILES_CONFIG] = "AWS_CONFIG_FILE",
		[PROFILES_CREDENTIALS] = "AWS_SHARED_CREDENTIALS_FILE",
	};
	bool is_named = setup_env(variables[file]) && strcmp(path, "/dev/null") != 0;
	struct diagnosis_row *row = diagnosis_add(diagnosis, DIAGNOSIS_FILE,
						  is_named ? DIAGNOSIS_WARNING : DIAGNOSIS_UNKNOWN,
						  path, "there is no such file");
	if (!is_named)
		return;
	diagnosis_say_more(row, ", though %s names it", variables[file]);
	diagnosis_add_fix(row, "Name a file that is there, or unset the variable.");
}

static void add_file(struct diagnosis *diagnosis, const struct profiles *profiles, size_t file)
{
	const char *path = profiles->files[file].name;
	const struct err *err = &profiles->errors[file];
	size_t count = profiles_in(profiles, file);
	switch (err->code) {
	case ERR_NONE:
		diagnosis_add(diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_OK, path, "read, %zu profile%s",
			      count, count == 1 ? "" : "s");
		break;
	case ERR_NOT_FOUND:
		add_absent(diagnosis, file, path);
		break;
	case ERR_IO:
		diagnosis_add_fix(diagnosis_add_err(diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_WARNING,
						    path, err),
				  "It counts as none, as for the AWS CLI: make it readable.");
		break;
	default:
		diagnosis_add_err(diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_FAILURE, path, err);
	}
}

static bool is_in_use(const struct setup *setup, size_t file, const char *section)
{
	const struct profile *profile =
		profile_list_find(&setup->profiles.profiles, setup->choice.name);
	const struct ini_section *part = profile ? profile->parts[file] : NULL;
	return part && strcmp(part->name, section) == 0;
}

/* A line that cannot be read damages its profile alone. */
static void add_problem(struct diagnosis *diagnosis, const struct setup *setup, size_t file,
			const struct ini_problem *problem)
{
	const struct ini *ini = &setup->profiles.files[file];
	bool is_damage = problem->severity == INI_DAMAGE;
	bool is_fatal = is_damage && is_in_use(setup, file, problem->section);
	struct buf text;
	buf_init(&text, PROBLEM_MAX + strlen(ini->name));
	ini_describe_problem(ini, problem, &text);
	struct diagnosis_row *row =
		diagnosis_add(diagnosis, DIAGNOSIS_FILE,
			      is_fatal ? DIAGNOSIS_FAILURE : DIAGNOSIS_WARNING, ini->name, "%s",
			      buf_text(&text) + strlen(ini->name) + strlen(", "));
	row->code = is_fatal ? ERR_AUTH : ERR_NONE;
	if (is_damage)
		diagnosis_add_fix(row, is_fatal ? "Correct that line: the profile is in use."
						: "Correct that line.");
	buf_release(&text);
}

static void add_problems(struct diagnosis *diagnosis, const struct setup *setup, size_t file)
{
	const struct ini *ini = &setup->profiles.files[file];
	size_t found = ini->found[INI_NOTE] + ini->found[INI_DAMAGE];
	for (size_t i = 0; i < ini->problem_count; i++)
		add_problem(diagnosis, setup, file, &ini->problems[i]);
	if (found > ini->problem_count)
		diagnosis_add(diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_WARNING, ini->name,
			      "and %zu more such lines", found - ini->problem_count);
}

void diagnose_files(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	const struct setup *setup = facts->setup;
	if (!setup->choice.name) {
		struct diagnosis_row *row =
			diagnosis_add(diagnosis, DIAGNOSIS_FILE, DIAGNOSIS_FAILURE, "",
				      "the AWS files were not read in time: their folder does not "
				      "answer");
		row->code = ERR_TIMEOUT;
		diagnosis_add_fix(row, "See whether the home folder is there (ls ~/.aws), or set "
				       "AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE.");
		return;
	}
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		add_file(diagnosis, &setup->profiles, i);
		add_problems(diagnosis, setup, i);
	}
}

/* --- what they decide --- */

/* The row of a setting that may be what the setup failed for, or stand behind that. True: it is
 * added. */
static bool add_missing(struct diagnosis *diagnosis, const struct diagnose_facts *facts,
			enum diagnosis_part part, enum setup_part setup_part)
{
	const struct setup *setup = facts->setup;
	if (!setup->choice.name)
		diagnosis_add(diagnosis, part, DIAGNOSIS_UNKNOWN, "",
			      "not known, since the AWS files are not");
	else if (setup->failed_at == setup_part && facts->trouble)
		diagnosis_add_err(diagnosis, part, DIAGNOSIS_FAILURE,
				  part == DIAGNOSIS_PROFILE ? setup->choice.name : "",
				  facts->trouble);
	else if (setup->failed_at == SETUP_PROFILE)
		diagnosis_add(diagnosis, part, DIAGNOSIS_UNKNOWN, "", NO_PROFILE);
	else if (setup->failed_at <= setup_part)
		diagnosis_add(diagnosis, part, DIAGNOSIS_UNKNOWN, "",
			      "not looked at: what stands above is wrong");
	else
		return false;
	return true;
}

static void add_profile(struct diagnosis *diagnosis, const struct setup *setup)
{
	const char *source = setup->choice.source;
	if (!setup->profile)
		diagnosis_add(diagnosis, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, "",
			      "none: nobody names one, and no file has a default");
	else
		diagnosis_add(diagnosis, DIAGNOSIS_PROFILE, DIAGNOSIS_OK, setup->profile->name,
			      "%s%s", source[0] ? "named by " : "nobody names one", source);
}

static void add_variants(struct diagnosis_row *row, const struct diagnose_facts *facts)
{
	struct endpoint endpoint;
	struct err ignored = { 0 };
	const struct endpoint_query query = { .service = SERVICE_SAGEMAKER,
					      .region = facts->region };
	if (endpoint_resolve(&endpoint, &query, &ignored) &&
	    strcmp(endpoint.region, facts->region) != 0)
		diagnosis_say_more(row, ", which is %s by FIPS endpoints", endpoint.region);
	else if (facts->setup->fips)
		diagnosis_say_more(row, ", FIPS endpoints");
	if (facts->setup->dualstack)
		diagnosis_say_more(row, ", dual-stack endpoints");
	err_clear(&ignored);
}

static void add_region(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	if (facts->region[0])
		add_variants(diagnosis_add(diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_OK, "", "%s (%s)",
					   facts->region, facts->region_origin),
			     facts);
	else if (facts->trouble)
		diagnosis_add_err(diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_FAILURE, "",
				  facts->trouble);
	else
		diagnosis_add(diagnosis, DIAGNOSIS_REGION, DIAGNOSIS_FAILURE, "",
			      "none is set, and the instance's metadata has not answered in time")
			->code = ERR_TIMEOUT;
}

static void add_retries(struct diagnosis *diagnosis, const struct setup *setup)
{
	const char *note = retry_mode_note(setup->retry.mode);
	diagnosis_add(diagnosis, DIAGNOSIS_RETRIES, DIAGNOSIS_OK, "", "%s; at most %u tries a call",
		      note ? note : "standard mode", setup->retry.max_tries);
}

void diagnose_settings(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	if (!add_missing(diagnosis, facts, DIAGNOSIS_PROFILE, SETUP_PROFILE))
		add_profile(diagnosis, facts->setup);
	if (!add_missing(diagnosis, facts, DIAGNOSIS_REGION, SETUP_REGION))
		add_region(diagnosis, facts);
	if (!add_missing(diagnosis, facts, DIAGNOSIS_RETRIES, SETUP_RETRIES))
		add_retries(diagnosis, facts->setup);
}

/* --- credentials and clock --- */

static void add_expiry(struct diagnosis_row *row, const struct diagnose_facts *facts)
{
	const struct opt_ms *expires = &facts->status.expires;
	char left[TIME_TEXT_SIZE], at[TIME_TEXT_SIZE];
	if (!expires->set) {
		diagnosis_say_more(row, "; no expiry is known");
		return;
	}
	duration_format((expires->ms - facts->wall_ms) / 1000, left);
	time_format_iso(expires->ms, at);
	diagnosis_say_more(row, "; good for %s more, until %s", left, at);
	row->expires = *expires;
	if (expires->ms - facts->wall_ms >= SOON_MS)
		return;
	row->result = DIAGNOSIS_WARNING;
	diagnosis_add_fix(row, "If they are not renewed by then, fetch others.");
}

static void add_found(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	const struct auth_status *status = &facts->status;
	/* "profile ops of the credentials file" needs no "credentials file" before it. */
	const char *who =
		strstr(status->origin, status->provider) ? status->origin : status->provider;
	struct diagnosis_row *row =
		diagnosis_add(diagnosis, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_OK, "", "%s", who);
	if (who != status->origin && status->origin[0])
		diagnosis_say_more(row, ": %s", status->origin);
	if (status->account[0] && !strstr(status->origin, status->account))
		diagnosis_say_more(row, ", account %s", status->account);
	add_expiry(row, facts);
}

void diagnose_credentials(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	const struct auth_status *status = &facts->status;
	if (!facts->is_searched) {
		diagnosis_add(diagnosis, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_UNKNOWN, "",
			      "not looked for: what stands above is wrong");
	} else if (status->has_credentials) {
		add_found(diagnosis, facts);
	} else if (status->err && !status->searching) {
		diagnosis_add_err(diagnosis, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_FAILURE, "",
				  status->err);
	} else {
		diagnosis_add(diagnosis, DIAGNOSIS_CREDENTIALS, DIAGNOSIS_FAILURE, "",
			      "none were found in time; they are still looked for")
			->code = ERR_TIMEOUT;
	}
}

void diagnose_clock(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	int64_t off_ms = facts->skew.ms < 0 ? -facts->skew.ms : facts->skew.ms;
	struct diagnosis_row *row;
	struct buf words;
	if (!facts->skew.set) {
		diagnosis_add(diagnosis, DIAGNOSIS_CLOCK, DIAGNOSIS_UNKNOWN, "",
			      "not measured: AWS has not answered");
		return;
	}
	buf_init(&words, WORDS_MAX);
	skew_add_words(&words, facts->skew.ms);
	row = diagnosis_add(diagnosis, DIAGNOSIS_CLOCK,
			    off_ms < CLOCK_MS ? DIAGNOSIS_OK : DIAGNOSIS_WARNING, "", "%s",
			    off_ms < SAME_MS ? "agrees with AWS's" : buf_text(&words));
	row->skew = facts->skew;
	if (off_ms >= CLOCK_MS && !facts->keeps_clock)
		diagnosis_say_more(row, "; corrected: gpuq goes by AWS's");
	if (facts->keeps_clock)
		diagnosis_say_more(row,
				   "; not corrected: AWS_DISABLE_CLOCK_SKEW_CORRECTION is set");
	if (facts->keeps_clock && off_ms >= CLOCK_AWS) {
		row->result = DIAGNOSIS_FAILURE;
		row->code = ERR_AUTH;
	}
	if (off_ms >= CLOCK_MS)
		diagnosis_add_fix(row, err_hint_text(HINT_CHECK_CLOCK));
	buf_release(&words);
}

/* --- the way --- */

static const char *read_env(const char *name)
{
	return getenv(name);
}

static bool is_plain(const struct endpoint *endpoint)
{
	return strncmp(endpoint->url, "http:", 5) == 0;
}

static void add_endpoint(struct diagnosis *diagnosis, const struct diagnose_facts *facts,
			 enum aws_service service, const struct endpoint *endpoint)
{
	struct aws_setting url;
	struct err ignored = { 0 };
	struct diagnosis_row *row =
		diagnosis_add(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_OK,
			      service_row(service)->sdk_id, "%s", endpoint->host);
	if (setup_endpoint_url(facts->setup, service, &url, &ignored) && url.value)
		diagnosis_say_more(row, " (%s), not AWS's own", url.origin);
	err_clear(&ignored);
	if (!is_plain(endpoint))
		return;
	if (endpoint_place(endpoint->host) == PLACE_LOOPBACK) {
		diagnosis_say_more(row, ", plain http within this machine");
		return;
	}
	row->result = DIAGNOSIS_WARNING;
	diagnosis_say_more(row, ", plain http, as allow_http lets it");
	diagnosis_add_fix(row, "What goes there can be read and changed on the way: use https.");
}

/* That there is no region is said by its own row. */
static void add_no_endpoint(struct diagnosis *diagnosis, enum aws_service service,
			    const char *region, const struct err *err)
{
	const char *name = service_row(service)->sdk_id;
	if (!region && err->hint == HINT_SET_REGION)
		diagnosis_add(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_UNKNOWN, name,
			      "not known without a region");
	else
		diagnosis_add_err(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_FAILURE, name, err);
}

static void add_proxy(struct diagnosis *diagnosis, const struct endpoint *endpoint)
{
	struct proxy proxy;
	bool is_good = proxy_find(&proxy, endpoint->url, read_env);
	if (!is_good) {
		struct diagnosis_row *row =
			diagnosis_add(diagnosis, DIAGNOSIS_PROXY, DIAGNOSIS_FAILURE, endpoint->host,
				      "%s does not hold the URL of a proxy", proxy.variable);
		row->code = ERR_CONFIG;
		diagnosis_add_fix(row, err_hint_text(HINT_CHECK_PROXY));
	} else if (proxy.url) {
		diagnosis_add(diagnosis, DIAGNOSIS_PROXY, DIAGNOSIS_OK, endpoint->host,
			      "by %s (%s)", proxy.host, proxy.variable);
	} else {
		diagnosis_add(diagnosis, DIAGNOSIS_PROXY, DIAGNOSIS_OK, endpoint->host, "%s",
			      !proxy.variable ? "none is set"
			      : endpoint_place(endpoint->host) == PLACE_ELSEWHERE
				      ? "none: NO_PROXY has the host"
				      : "none: the host is this machine");
	}
}

static void add_certificates(struct diagnosis *diagnosis, const struct setup *setup, bool has_https)
{
	const struct aws_setting *bundle = &setup->ca_bundle;
	if (!has_https)
		diagnosis_add(diagnosis, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_UNKNOWN, "",
			      "not needed: no endpoint is https");
	else if (bundle->value)
		diagnosis_add(diagnosis, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_OK, "", "%s (%s)",
			      bundle->value, bundle->origin);
	else
		diagnosis_add(diagnosis, DIAGNOSIS_CERTIFICATES, DIAGNOSIS_OK, "",
			      "those of this machine");
}

void diagnose_ways(struct diagnosis *diagnosis, const struct diagnose_facts *facts)
{
	static const enum aws_service asked[] = { SERVICE_SAGEMAKER, SERVICE_STS };
	char last_host[ENDPOINT_HOST_SIZE] = "";
	bool has_one = false, has_https = false;
	if (facts->setup->failed_at != SETUP_WHOLE) {
		diagnosis_add(diagnosis, DIAGNOSIS_ENDPOINT, DIAGNOSIS_UNKNOWN, "",
			      "not looked at: what stands above is wrong");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		const char *region = facts->region[0] ? facts->region : NULL;
		struct endpoint endpoint;
		struct err err = { 0 };
		if (!setup_endpoint(facts->setup, asked[i], region, &endpoint, &err)) {
			add_no_endpoint(diagnosis, asked[i], region, &err);
			err_clear(&err);
			continue;
		}
		has_one = true;
		has_https = has_https || !is_plain(&endpoint);
		add_endpoint(diagnosis, facts, asked[i], &endpoint);
		if (strcmp(endpoint.host, last_host) != 0)
			add_proxy(diagnosis, &endpoint);
		memcpy(last_host, endpoint.host, sizeof(last_host));
	}
	if (has_one)
		add_certificates(diagnosis, facts->setup, has_https);
}

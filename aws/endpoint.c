#include "aws/endpoint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define REGION "{region}"

enum partition {
	PARTITION_AWS, /* regions that no rule knows are in this one, too */
	PARTITION_CN,
	PARTITION_GOV,
	PARTITION_EUSC,
	PARTITION_ISO,
	PARTITION_ISOB,
	PARTITION_ISOE,
	PARTITION_ISOF,
	PARTITION_COUNT
};

static const struct {
	const char *begin;  /* of a region's name: a word, a hyphen and digits follow */
	const char *global; /* the pseudo region of what has no region; NULL = none */
	const char *suffix, *dualstack_suffix;
	const char *pricing[3]; /* regions with a Price List API; the first one serves the others */
} partitions[PARTITION_COUNT] = {
	[PARTITION_AWS] = { .begin = "",
			    .global = "aws-global",
			    .suffix = "amazonaws.com",
			    .dualstack_suffix = "api.aws",
			    .pricing = { "us-east-1", "eu-central-1", "ap-south-1" } },
	[PARTITION_CN] = { .begin = "cn-",
			   .global = "aws-cn-global",
			   .suffix = "amazonaws.com.cn",
			   .dualstack_suffix = "api.amazonwebservices.com.cn",
			   .pricing = { "cn-northwest-1" } },
	[PARTITION_GOV] = { .begin = "us-gov-",
			    .global = "aws-us-gov-global",
			    .suffix = "amazonaws.com",
			    .dualstack_suffix = "api.aws" },
	[PARTITION_EUSC] = { .begin = "eusc-de-",
			     .suffix = "amazonaws.eu",
			     .dualstack_suffix = "api.amazonwebservices.eu",
			     .pricing = { "eusc-de-east-1" } },
	[PARTITION_ISO] = { .begin = "us-iso-",
			    .global = "aws-iso-global",
			    .suffix = "c2s.ic.gov",
			    .dualstack_suffix = "api.aws.ic.gov",
			    .pricing = { "us-iso-east-1" } },
	[PARTITION_ISOB] = { .begin = "us-isob-",
			     .global = "aws-iso-b-global",
			     .suffix = "sc2s.sgov.gov",
			     .dualstack_suffix = "api.aws.scloud",
			     .pricing = { "us-isob-east-1" } },
	[PARTITION_ISOE] = { .begin = "eu-isoe-",
			     .global = "aws-iso-e-global",
			     .suffix = "cloud.adc-e.uk",
			     .dualstack_suffix = "api.cloud-aws.adc-e.uk",
			     .pricing = { "eu-isoe-west-1" } },
	[PARTITION_ISOF] = { .begin = "us-isof-",
			     .global = "aws-iso-f-global",
			     .suffix = "csp.hci.ic.gov",
			     .dualstack_suffix = "api.aws.hci.ic.gov",
			     .pricing = { "us-isof-south-1" } },
};

enum variant { PLAIN, FIPS, DUALSTACK, FIPS_DUALSTACK };

/* Hosts that are not PREFIX[-fips].REGION.SUFFIX. */
static const struct exception {
	enum aws_service service;
	enum partition partition;
	enum variant variant;
	const char *region; /* NULL: each of the partition */
	const char *host;
	const char *signing_region; /* NULL: the region itself */
} exceptions[] = {
	{ SERVICE_SAGEMAKER, PARTITION_AWS, FIPS, NULL,
	  "api-fips.sagemaker." REGION ".amazonaws.com", NULL },
	{ SERVICE_SAGEMAKER, PARTITION_GOV, FIPS, NULL,
	  "api-fips.sagemaker." REGION ".amazonaws.com", NULL },
	{ SERVICE_BATCH, PARTITION_AWS, FIPS, NULL, "fips.batch." REGION ".amazonaws.com", NULL },
	{ SERVICE_BATCH, PARTITION_GOV, FIPS, NULL, "batch." REGION ".amazonaws.com", NULL },
	{ SERVICE_EC2, PARTITION_GOV, FIPS, NULL, "ec2." REGION ".amazonaws.com", NULL },
	{ SERVICE_STS, PARTITION_GOV, FIPS, NULL, "sts." REGION ".amazonaws.com", NULL },
	{ SERVICE_SQS, PARTITION_GOV, FIPS, NULL, "sqs." REGION ".amazonaws.com", NULL },
	{ SERVICE_QUOTAS, PARTITION_GOV, FIPS, NULL, "servicequotas." REGION ".amazonaws.com",
	  NULL },
	{ SERVICE_SSO, PARTITION_GOV, FIPS, NULL, "portal.sso." REGION ".amazonaws.com", NULL },
	{ SERVICE_SSO_OIDC, PARTITION_GOV, FIPS, NULL, "oidc." REGION ".amazonaws.com", NULL },
	{ SERVICE_CLOUDWATCH, PARTITION_GOV, FIPS, NULL, "monitoring." REGION ".amazonaws.com",
	  NULL },
	{ SERVICE_CLOUDWATCH, PARTITION_GOV, FIPS_DUALSTACK, NULL, "monitoring." REGION ".api.aws",
	  NULL },
	{ SERVICE_LOGS, PARTITION_GOV, FIPS, "us-gov-east-1", "logs." REGION ".amazonaws.com",
	  NULL },
	{ SERVICE_LOGS, PARTITION_GOV, FIPS, "us-gov-west-1", "logs." REGION ".amazonaws.com",
	  NULL },
	{ SERVICE_EVENTBRIDGE, PARTITION_GOV, FIPS, "us-gov-east-1",
	  "events." REGION ".amazonaws.com", NULL },
	{ SERVICE_EVENTBRIDGE, PARTITION_GOV, FIPS, "us-gov-west-1",
	  "events." REGION ".amazonaws.com", NULL },
	{ SERVICE_EVENTBRIDGE, PARTITION_GOV, FIPS_DUALSTACK, NULL, "events." REGION ".api.aws",
	  NULL },
	{ SERVICE_STS, PARTITION_AWS, PLAIN, "aws-global", "sts.amazonaws.com", "us-east-1" },
	{ SERVICE_SIGNIN, PARTITION_AWS, PLAIN, NULL, REGION ".signin.aws.amazon.com", NULL },
	{ SERVICE_SIGNIN, PARTITION_CN, PLAIN, NULL, REGION ".signin.amazonaws.cn", NULL },
	{ SERVICE_SIGNIN, PARTITION_EUSC, PLAIN, NULL, REGION ".signin.amazonaws-eusc.eu", NULL },
	{ SERVICE_SIGNIN, PARTITION_ISO, PLAIN, NULL, REGION ".signin.c2shome.ic.gov", NULL },
	{ SERVICE_SIGNIN, PARTITION_ISOB, PLAIN, NULL, REGION ".signin.sc2shome.sgov.gov", NULL },
	{ SERVICE_SIGNIN, PARTITION_GOV, PLAIN, NULL, REGION ".signin.amazonaws-us-gov.com", NULL },
	{ SERVICE_SIGNIN, PARTITION_GOV, FIPS, "us-gov-east-1",
	  REGION ".signin-fips.amazonaws-us-gov.com", NULL },
	{ SERVICE_SIGNIN, PARTITION_GOV, FIPS, "us-gov-west-1", "signin-fips.amazonaws-us-gov.com",
	  NULL },
};

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool endpoint_region_is_valid(const char *region)
{
	size_t len = strlen(region);

	if (len == 0 || len > 63 || region[0] == '-' || region[len - 1] == '-')
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!is_alnum(region[i]) && region[i] != '-')
			return false;
	}
	return strspn(region, "0123456789") != len;
}

/* Whether a name is begin, a word, a hyphen and digits: "cn-" and "cn-north-1". */
static bool has_form(const char *region, const char *begin)
{
	size_t len = strlen(begin);

	if (strncmp(region, begin, len) != 0)
		return false;

	const char *word = region + len, *hyphen = strchr(word, '-');
	size_t digits = hyphen ? strspn(hyphen + 1, "0123456789") : 0;

	return hyphen && hyphen > word && digits > 0 && hyphen[1 + digits] == '\0';
}

static enum partition partition_of(const char *region)
{
	for (enum partition i = PARTITION_AWS + 1; i < PARTITION_COUNT; i++) {
		const char *global = partitions[i].global;

		if (has_form(region, partitions[i].begin) || (global && !strcmp(region, global)))
			return i;
	}
	return PARTITION_AWS;
}

const char *endpoint_pricing_region(const char *region)
{
	const char *const *known = partitions[partition_of(region)].pricing;

	for (size_t i = 0; i < ARRAY_LEN(partitions[0].pricing) && known[i]; i++) {
		if (strcmp(known[i], region) == 0)
			return known[i];
	}
	return known[0];
}

/* Copies the region without what asks for FIPS in it: "fips-R" and "R-fips". */
static bool take_region(struct endpoint *out, const char *region, bool *fips, struct err *err)
{
	const char *name = region;
	size_t len = strlen(name);

	if (len > 5 && strncmp(name, "fips-", 5) == 0) {
		*fips = true;
		name += 5;
		len -= 5;
	} else if (len > 5 && strcmp(name + len - 5, "-fips") == 0) {
		*fips = true;
		len -= 5;
	}
	if (len < sizeof(out->region)) {
		memcpy(out->region, name, len);
		out->region[len] = '\0';
		if (endpoint_region_is_valid(out->region))
			return true;
	}
	err_set(err, ERR_CONFIG, "%s is not the name of a region", region);
	err->hint = HINT_SET_REGION;
	return false;
}

static const struct exception *find_exception(enum aws_service service, enum variant variant,
					      const char *region)
{
	enum partition partition = partition_of(region);

	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++) {
		const struct exception *at = &exceptions[i];

		if (at->service == service && at->partition == partition &&
		    at->variant == variant && (!at->region || strcmp(at->region, region) == 0))
			return at;
	}
	return NULL;
}

/* The template's host, and the region to sign with; the length as snprintf says it. */
static int write_exception(struct endpoint *out, const struct exception *exception)
{
	const char *host = exception->host, *at = strstr(host, REGION);

	if (exception->signing_region)
		snprintf(out->region, sizeof(out->region), "%s", exception->signing_region);
	if (!at)
		return snprintf(out->host, sizeof(out->host), "%s", host);
	return snprintf(out->host, sizeof(out->host), "%.*s%s%s", (int)(at - host), host,
			out->region, at + strlen(REGION));
}

static bool write_host(struct endpoint *out, enum aws_service service, bool fips, bool dualstack,
		       struct err *err)
{
	enum variant variant = fips && dualstack ? FIPS_DUALSTACK
			       : fips            ? FIPS
			       : dualstack       ? DUALSTACK
						 : PLAIN;
	const struct exception *exception = find_exception(service, variant, out->region);
	enum partition partition = partition_of(out->region);
	const char *suffix =
		dualstack ? partitions[partition].dualstack_suffix : partitions[partition].suffix;
	int len;

	if (exception)
		len = write_exception(out, exception);
	else
		len = snprintf(out->host, sizeof(out->host), "%s%s.%s.%s",
			       service_row(service)->host_prefix, fips ? "-fips" : "", out->region,
			       suffix);
	if (len < 0 || (size_t)len >= sizeof(out->host))
		return err_set(err, ERR_CONFIG, "the name of the endpoint is too long");
	len = snprintf(out->url, sizeof(out->url), "https://%s/", out->host);
	if (len < 0 || (size_t)len >= sizeof(out->url))
		return err_set(err, ERR_CONFIG, "the name of the endpoint is too long");
	out->target[0] = '/';
	return true;
}

bool endpoint_resolve(struct endpoint *out, const struct endpoint_query *query, struct err *err)
{
	const char *url = query->override_url, *region = query->region;
	bool has_url = url && url[0], has_region = region && region[0], fips = query->fips;

	*out = (struct endpoint){ 0 };
	if (has_url && !endpoint_of_url(out, url, err))
		return false;
	out->signing_name = service_row(query->service)->signing_name;
	if (!has_url && !has_region) {
		err_set(err, ERR_CONFIG, "no region is set");
		err->hint = HINT_SET_REGION;
		return false;
	}
	/* Checked beside a URL as well: the region is part of what is signed. */
	if (has_region && !take_region(out, region, &fips, err))
		return false;
	return has_url || write_host(out, query->service, fips, query->dualstack, err);
}

/* The domain itself is nobody's endpoint: something has to stand before it. */
static bool is_under(const char *host, size_t len, const char *domain)
{
	size_t tail = strlen(domain);

	return len > tail + 1 && host[len - tail - 1] == '.' &&
	       strncasecmp(host + len - tail, domain, tail) == 0;
}

bool endpoint_is_aws(const char *host)
{
	size_t len = strcspn(host, ":");

	for (size_t i = 0; i < PARTITION_COUNT; i++) {
		if (is_under(host, len, partitions[i].suffix) ||
		    is_under(host, len, partitions[i].dualstack_suffix))
			return true;
	}
	return false;
}

#include "aws/endpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Longest prefix first; the empty one is partition aws, also for regions that no rule knows. */
static const struct {
	const char *prefix, *suffix;
} partitions[] = {
	{ "us-isob-", "sc2s.sgov.gov" },  { "us-isof-", "csp.hci.ic.gov" },
	{ "eu-isoe-", "cloud.adc-e.uk" }, { "us-iso-", "c2s.ic.gov" },
	{ "us-gov-", "amazonaws.com" },   { "eusc-", "amazonaws.eu" },
	{ "cn-", "amazonaws.com.cn" },    { "", "amazonaws.com" },
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

static const char *suffix_of(const char *region)
{
	size_t i = 0;

	while (strncmp(region, partitions[i].prefix, strlen(partitions[i].prefix)) != 0)
		i++;
	return partitions[i].suffix;
}

bool endpoint_of_region(struct endpoint *out, const char *prefix, const char *region,
			struct err *err)
{
	memset(out, 0, sizeof(*out));
	if (!endpoint_region_is_valid(region)) {
		err_set(err, ERR_CONFIG, "%s is not the name of a region", region);
		err->hint = HINT_SET_REGION;
		return false;
	}

	int len = snprintf(out->host, sizeof(out->host), "%s.%s.%s", prefix, region,
			   suffix_of(region));

	if (len < 0 || (size_t)len >= sizeof(out->host))
		return err_set(err, ERR_CONFIG, "the name of the endpoint is too long");
	len = snprintf(out->url, sizeof(out->url), "https://%s/", out->host);
	if (len < 0 || (size_t)len >= sizeof(out->url))
		return err_set(err, ERR_CONFIG, "the name of the endpoint is too long");
	out->target[0] = '/';
	return true;
}

/* Name or IPv4 address, or an IPv6 one in brackets; nothing that a header or libcurl could read
 * as something else. */
static bool is_host(const char *text, size_t len)
{
	bool brackets = len > 2 && text[0] == '[' && text[len - 1] == ']';

	for (size_t i = brackets; i < len - brackets; i++) {
		if (!is_alnum(text[i]) && !strchr(brackets ? ":." : "-._", text[i]))
			return false;
	}
	return len > 0;
}

/* Digits in 1..65535, or nothing. */
static bool is_port(const char *text, size_t len, long *port)
{
	char digits[6] = "";

	*port = 0;
	if (len == 0)
		return true;
	if (len >= sizeof(digits) || strspn(text, "0123456789") < len)
		return false;
	memcpy(digits, text, len);
	*port = strtol(digits, NULL, 10);
	return *port > 0 && *port <= 65535;
}

static bool is_path(const char *text)
{
	for (; *text; text++) {
		if (!is_alnum(*text) && !strchr("/-._~%", *text))
			return false;
	}
	return true;
}

/* The host in lower case, the port only where it is not the scheme's own. */
static bool write_host(struct endpoint *out, const char *host, size_t len, long port, bool secure)
{
	char name[ENDPOINT_HOST_SIZE];
	int written;

	if (len >= sizeof(name))
		return false;
	for (size_t i = 0; i < len; i++)
		name[i] = host[i] >= 'A' && host[i] <= 'Z' ? (char)(host[i] - 'A' + 'a') : host[i];
	name[len] = '\0';
	if (port == 0 || port == (secure ? 443 : 80))
		written = snprintf(out->host, sizeof(out->host), "%s", name);
	else
		written = snprintf(out->host, sizeof(out->host), "%s:%ld", name, port);
	return written > 0 && (size_t)written < sizeof(out->host);
}

bool endpoint_of_url(struct endpoint *out, const char *url, struct err *err)
{
	bool secure = strncasecmp(url, "https://", 8) == 0;
	long port;

	memset(out, 0, sizeof(*out));
	/* The URL itself is not shown: it may hold a password. */
	if (!secure && strncasecmp(url, "http://", 7) != 0)
		return err_set(err, ERR_CONFIG,
			       "the endpoint URL must begin with http:// or https://");

	const char *host = url + (secure ? 8 : 7);
	size_t whole = strcspn(host, "/?#");
	const char *path = host + whole;
	size_t name = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/?#");

	if (memchr(host, '@', whole))
		return err_set(err, ERR_CONFIG, "the endpoint URL must not hold a user name");
	if (name > whole || !is_host(host, name))
		return err_set(err, ERR_CONFIG, "the endpoint URL has no valid host");
	if ((name < whole && host[name] != ':') ||
	    !is_port(host + name + 1, name < whole ? whole - name - 1 : 0, &port))
		return err_set(err, ERR_CONFIG, "the endpoint URL has no valid port");
	if (!is_path(path))
		return err_set(err, ERR_CONFIG,
			       "the endpoint URL must have a plain path, without query");
	if (!write_host(out, host, name, port, secure))
		return err_set(err, ERR_CONFIG, "the endpoint URL is too long");

	int target = snprintf(out->target, sizeof(out->target), "%s%s", path,
			      path[0] && path[strlen(path) - 1] == '/' ? "" : "/");
	int len = snprintf(out->url, sizeof(out->url), "%s://%s%s", secure ? "https" : "http",
			   out->host, out->target);

	if (target < 0 || (size_t)target >= sizeof(out->target) || len < 0 ||
	    (size_t)len >= sizeof(out->url))
		return err_set(err, ERR_CONFIG, "the endpoint URL is too long");
	return true;
}

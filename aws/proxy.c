#include "aws/proxy.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first of some variables that is set; NULL if none is. */
static const char *first_set(const char *const *names, size_t count, proxy_env_fn *env,
			     const char **name)
{
	for (size_t i = 0; i < count; i++) {
		const char *value = env(names[i]);

		if (value && value[0]) {
			*name = names[i];
			return value;
		}
	}
	return NULL;
}

static const char *value_for(const char *url, proxy_env_fn *env, const char **name)
{
	static const char *const secure[] = { "https_proxy", "HTTPS_PROXY", "all_proxy",
					      "ALL_PROXY" };
	static const char *const plain[] = { "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY" };
	bool https = strncasecmp(url, "https:", 6) == 0;

	return first_set(https ? secure : plain, ARRAY_LEN(secure), env, name);
}

/* Copies what stands before the path, port included. */
static bool copy_authority(const char *text, char out[ENDPOINT_HOST_SIZE])
{
	size_t len = strcspn(text, "/?#");

	if (len == 0 || len >= ENDPOINT_HOST_SIZE)
		return false;
	memcpy(out, text, len);
	out[len] = '\0';
	return true;
}

static bool has_known_scheme(const char *url, size_t len)
{
	static const char *const known[] = { "http",    "https",  "socks4",
					     "socks4a", "socks5", "socks5h" };

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (len == strlen(known[i]) && strncasecmp(url, known[i], len) == 0)
			return true;
	}
	return false;
}

static bool read_proxy(struct proxy *out, const char *value)
{
	const char *colon = strstr(value, "://"), *at = strrchr(value, '@');

	for (const char *c = value; *c; c++) {
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7F)
			return false;
	}
	if (colon && !has_known_scheme(value, (size_t)(colon - value)))
		return false;
	/* The last @ of all: no piece of a password may pass for the host. */
	return copy_authority(at ? at + 1 : colon ? colon + 3 : value, out->host);
}

/* The host alone, without its port and the brackets of an IPv6 address. */
static void strip(char host[ENDPOINT_HOST_SIZE])
{
	if (host[0] == '[') {
		size_t len = strcspn(host + 1, "]");

		memmove(host, host + 1, len);
		host[len] = '\0';
	} else {
		host[strcspn(host, ":")] = '\0';
	}
}

/* Whether an address lies in a network such as 10.0.0.0/8; without a slash it is one address. */
static bool is_in_network(int family, const char *host, const char *network)
{
	unsigned char address[16], base[16];
	char text[INET6_ADDRSTRLEN];
	const char *slash = strchr(network, '/');
	size_t len = slash ? (size_t)(slash - network) : strlen(network);
	unsigned long bits = family == AF_INET ? 32 : 128;

	if (len >= sizeof(text))
		return false;
	memcpy(text, network, len);
	text[len] = '\0';
	if (inet_pton(family, host, address) != 1 || inet_pton(family, text, base) != 1)
		return false;
	if (slash) {
		char *end;
		unsigned long given = strtoul(slash + 1, &end, 10);

		if (end == slash + 1 || *end || given > bits)
			return false;
		bits = given;
	}
	for (size_t i = 0; bits > 0; i++) {
		unsigned take = bits < 8 ? (unsigned)bits : 8, mask = 0xFF00u >> take & 0xFF;

		if ((address[i] & mask) != (base[i] & mask))
			return false;
		bits -= take;
	}
	return true;
}

/* One entry of no_proxy: *, a host or its domain (a leading dot says nothing), or a network. */
static bool entry_fits(const char *host, const char *entry)
{
	const char *domain = entry + (entry[0] == '.');
	size_t host_len = strlen(host), len = strlen(domain);

	if (strcmp(entry, "*") == 0 || is_in_network(AF_INET, host, entry) ||
	    is_in_network(AF_INET6, host, entry))
		return true;
	if (len == 0 || len > host_len || strcasecmp(host + host_len - len, domain) != 0)
		return false;
	return len == host_len || host[host_len - len - 1] == '.';
}

static bool needs_none(const char *host, const char *list)
{
	char bare[ENDPOINT_HOST_SIZE], entry[ENDPOINT_HOST_SIZE];

	snprintf(bare, sizeof(bare), "%s", host);
	strip(bare);
	while (list && *list) {
		size_t len = strcspn(list, ", \t");

		if (len > 0 && len < sizeof(entry)) {
			memcpy(entry, list, len);
			entry[len] = '\0';
			if (entry_fits(bare, entry))
				return true;
		}
		list += len + (list[len] != '\0');
	}
	return false;
}

bool proxy_find(struct proxy *out, const char *url, proxy_env_fn *env)
{
	static const char *const exceptions[] = { "no_proxy", "NO_PROXY" };
	const char *colon = strstr(url, "://"), *value, *unused;
	char host[ENDPOINT_HOST_SIZE];

	*out = (struct proxy){ .url = NULL };
	value = value_for(url, env, &out->variable);
	if (!value || !colon || !copy_authority(colon + 3, host))
		return true;
	if (endpoint_place(host) != PLACE_ELSEWHERE ||
	    needs_none(host, first_set(exceptions, ARRAY_LEN(exceptions), env, &unused)))
		return true;
	if (!read_proxy(out, value))
		return false;
	out->url = value;
	return true;
}

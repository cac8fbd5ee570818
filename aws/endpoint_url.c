#include "aws/endpoint.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
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

/* The host without its port, and without the brackets of an IPv6 address. */
static bool bare_host(const char *host, char bare[ENDPOINT_HOST_SIZE])
{
	bool brackets = host[0] == '[';
	size_t len = brackets ? strcspn(++host, "]") : strcspn(host, ":");

	if (len >= ENDPOINT_HOST_SIZE)
		return false;
	memcpy(bare, host, len);
	bare[len] = '\0';
	return true;
}

enum endpoint_place endpoint_place(const char *host)
{
	static const struct {
		const char *address;
		enum endpoint_place place;
	} known[] = {
		{ "169.254.170.2", PLACE_CONTAINER }, { "169.254.170.23", PLACE_CONTAINER },
		{ "fd00:ec2::23", PLACE_CONTAINER },  { "169.254.169.254", PLACE_METADATA },
		{ "fd00:ec2::254", PLACE_METADATA },
	};
	char bare[ENDPOINT_HOST_SIZE];
	struct in_addr v4;
	struct in6_addr v6, other;

	if (!bare_host(host, bare))
		return PLACE_ELSEWHERE;
	if (strcasecmp(bare, "localhost") == 0)
		return PLACE_LOOPBACK;
	if (inet_pton(AF_INET, bare, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127)
		return PLACE_LOOPBACK;
	if (inet_pton(AF_INET6, bare, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6))
		return PLACE_LOOPBACK;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (strcmp(bare, known[i].address) == 0 ||
		    (inet_pton(AF_INET6, bare, &v6) == 1 &&
		     inet_pton(AF_INET6, known[i].address, &other) == 1 &&
		     IN6_ARE_ADDR_EQUAL(&v6, &other)))
			return known[i].place;
	}
	return PLACE_ELSEWHERE;
}

bool endpoint_http_is_allowed(const struct endpoint *endpoint, bool allow_http, struct err *err)
{
	bool secure = strncmp(endpoint->url, "https://", 8) == 0;

	if (secure || allow_http || endpoint_place(endpoint->host) != PLACE_ELSEWHERE)
		return true;
	err_set(err, ERR_CONFIG,
		"http to %s is refused: others on the way could read and change it",
		endpoint->host);
	err->hint = HINT_ALLOW_HTTP;
	return false;
}

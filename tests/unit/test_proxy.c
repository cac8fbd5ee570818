#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "aws/proxy.h"

/* The environment of a case: name, value, name, value..., NULL. */
static const char *const *variables;

static const char *env(const char *name)
{
	for (const char *const *at = variables; at && *at; at += 2) {
		if (strcmp(at[0], name) == 0)
			return at[1];
	}
	return NULL;
}

#define AWS_URL "https://api.sagemaker.us-west-2.amazonaws.com/"

static void proxy__is_chosen__by_scheme_then_for_all(void **state)
{
	static const char *const all[] = { "https_proxy", "http://s:1", "HTTPS_PROXY", "http://S:1",
					   "http_proxy",  "http://p:1", "HTTP_PROXY",  "http://P:1",
					   "all_proxy",   "http://a:1", "ALL_PROXY",   "http://A:1",
					   NULL };
	static const struct {
		size_t skip; /* so many variables are not there */
		const char *url, *variable, *host;
	} cases[] = {
		{ 0, AWS_URL, "https_proxy", "s:1" },
		{ 1, AWS_URL, "HTTPS_PROXY", "S:1" },
		{ 2, AWS_URL, "all_proxy", "a:1" },
		{ 5, AWS_URL, "ALL_PROXY", "A:1" },
		{ 6, AWS_URL, NULL, "" },
		{ 0, "http://h.example/", "http_proxy", "p:1" },
		{ 3, "http://h.example/", "HTTP_PROXY", "P:1" },
		{ 4, "http://h.example/", "all_proxy", "a:1" },
		{ 0, "HTTPS://h.example/", "https_proxy", "s:1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct proxy proxy;

		variables = all + 2 * cases[i].skip;
		assert_true(proxy_find(&proxy, cases[i].url, env));
		assert_string_equal(proxy.host, cases[i].host);
		if (cases[i].variable)
			assert_string_equal(proxy.variable, cases[i].variable);
		else
			assert_null(proxy.url);
	}
}

static void proxy__is_none__where_its_variable_is_empty(void **state)
{
	static const char *const empty[] = { "https_proxy", "", "HTTPS_PROXY", "", NULL };
	struct proxy proxy;

	(void)state;
	variables = empty;
	assert_true(proxy_find(&proxy, AWS_URL, env));
	assert_null(proxy.url);
}

static void name__has_neither_user_nor_password__and_url_is_whole(void **state)
{
	static const struct {
		const char *value, *host;
	} cases[] = {
		{ "proxy.corp:3128", "proxy.corp:3128" },
		{ "http://proxy.corp:3128/", "proxy.corp:3128" },
		{ "http://operator:sekret@proxy.corp:3128", "proxy.corp:3128" },
		{ "http://operator:se@kret@proxy.corp:3128", "proxy.corp:3128" },
		{ "http://operator:sek/ret@proxy.corp:3128/x", "proxy.corp:3128" },
		{ "operator:sekret@proxy.corp", "proxy.corp" },
		{ "SOCKS5H://operator:sekret@[::1]:9/", "[::1]:9" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const one[] = { "HTTPS_PROXY", cases[i].value, NULL };
		struct proxy proxy;

		variables = one;
		assert_true(proxy_find(&proxy, AWS_URL, env));
		assert_string_equal(proxy.host, cases[i].host);
		assert_string_equal(proxy.url, cases[i].value);
	}
}

static void value__is_refused__when_it_is_no_proxy(void **state)
{
	static const char *const bad[] = { "ftp://u:sekret@h:1", "http://",     "http://u:sekret@",
					   "http://h:1\r\n",     "http://h :1", "http:// h",
					   "h\xc3\xa9",          "http://u:p@/" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const one[] = { "https_proxy", bad[i], NULL };
		struct proxy proxy;

		variables = one;
		if (proxy_find(&proxy, AWS_URL, env))
			fail_msg("%s was taken", bad[i]);
		assert_null(proxy.url);
		assert_string_equal(proxy.variable, "https_proxy");
	}
}

static void exception__fits__host_domain_and_network(void **state)
{
	static const struct {
		const char *list, *url;
		bool fits;
	} cases[] = {
		{ "*", AWS_URL, true },
		{ "amazonaws.com", AWS_URL, true },
		{ ".amazonaws.com", AWS_URL, true },
		{ "API.SageMaker.us-west-2.amazonaws.com", AWS_URL, true },
		{ ".api.sagemaker.us-west-2.amazonaws.com", AWS_URL, true },
		{ "a.example, amazonaws.com ,b.example", AWS_URL, true },
		{ "a.example amazonaws.com", AWS_URL, true },
		{ "zonaws.com", AWS_URL, false },
		{ "amazonaws.com.cn", AWS_URL, false },
		{ "com.", AWS_URL, false },
		{ "", AWS_URL, false },
		{ ",. ,", AWS_URL, false },
		{ "*.amazonaws.com", AWS_URL, false },
		{ "h.example", "http://h.example:8080/x", true },
		{ "10.1.2.3", "http://10.1.2.3:8700/", true },
		{ "10.0.0.0/8", "http://10.1.2.3:8700/", true },
		{ "10.0.0.0/15", "http://10.1.2.3:8700/", true },
		{ "10.0.0.0/16", "http://10.1.2.3:8700/", false },
		{ "10.1.2.3/32", "http://10.1.2.3:8700/", true },
		{ "10.1.2.2/32", "http://10.1.2.3:8700/", false },
		{ "0.0.0.0/0", "http://10.1.2.3:8700/", true },
		{ "10.0.0.0/33", "http://10.1.2.3:8700/", false },
		{ "10.0.0.0/", "http://10.1.2.3:8700/", false },
		{ "10.0.0.0/8x", "http://10.1.2.3:8700/", false },
		{ "0.0.0.0/0", AWS_URL, false },
		{ "fd00::/8", "https://[fd12::1]:9/", true },
		{ "fd12::1", "https://[fd12::1]/", true },
		{ "fe00::/7", "https://[fd12::1]/", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const set[] = { "all_proxy", "http://p:1", "no_proxy", cases[i].list,
					    NULL };
		const char *const capitals[] = { "ALL_PROXY", "http://p:1", "NO_PROXY",
						 cases[i].list, NULL };
		struct proxy proxy;

		variables = set;
		assert_true(proxy_find(&proxy, cases[i].url, env));
		if ((proxy.url == NULL) != cases[i].fits)
			fail_msg("%s: %s", cases[i].list, cases[i].url);
		variables = capitals;
		assert_true(proxy_find(&proxy, cases[i].url, env));
		assert_int_equal(proxy.url == NULL, cases[i].fits);
	}
}

/* Also beside a value that is no proxy: nobody asked for one there. */
static void this_machine__needs_none__nor_its_own_services(void **state)
{
	static const char *const urls[] = {
		"http://127.0.0.1:8700/",    "http://localhost/",
		"https://[::1]:9/",          "http://169.254.169.254/latest",
		"http://169.254.170.2/v2/x", "http://[fd00:ec2::254]/latest"
	};
	static const char *const values[] = { "http://p:1", "ftp://p:1" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *const set[] = { "all_proxy", values[i], NULL };

		variables = set;
		for (size_t j = 0; j < sizeof(urls) / sizeof(urls[0]); j++) {
			struct proxy proxy;

			assert_true(proxy_find(&proxy, urls[j], env));
			assert_null(proxy.url);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proxy__is_chosen__by_scheme_then_for_all),
		cmocka_unit_test(proxy__is_none__where_its_variable_is_empty),
		cmocka_unit_test(name__has_neither_user_nor_password__and_url_is_whole),
		cmocka_unit_test(value__is_refused__when_it_is_no_proxy),
		cmocka_unit_test(exception__fits__host_domain_and_network),
		cmocka_unit_test(this_machine__needs_none__nor_its_own_services),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A name server that does not answer holds up nobody: libcurl looks names up on a thread of its
 * own, and whoever ends a request must not wait for that. The resolver is this file's own.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/httphost.h"

#define SLOW_NAME  "slow.test"
#define GIVE_UP_S  20 /* a broken program then fails instead of hanging */
#define TIMEOUT_MS 200

typedef int lookup_fn(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned entered, left;
	bool released;
} resolver = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void wait_for_release(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += GIVE_UP_S;
	pthread_mutex_lock(&resolver.lock);
	resolver.entered++;
	while (!resolver.released)
		if (pthread_cond_timedwait(&resolver.changed, &resolver.lock, &until) != 0)
			break;
	resolver.left++;
	pthread_cond_broadcast(&resolver.changed);
	pthread_mutex_unlock(&resolver.lock);
}

/* In place of the C library's, for libcurl too. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
		struct addrinfo **out);
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
		struct addrinfo **out)
{
	lookup_fn *lookup;
	void *found = dlsym(RTLD_NEXT, "getaddrinfo");
	memcpy(&lookup, &found, sizeof(lookup));
	if (!name || strcmp(name, SLOW_NAME) != 0)
		return lookup(name, service, hints, out);
	wait_for_release();
	return EAI_AGAIN;
}

static unsigned counted(const unsigned *count)
{
	pthread_mutex_lock(&resolver.lock);
	unsigned now = *count;
	pthread_mutex_unlock(&resolver.lock);
	return now;
}

static uint64_t start_slow(struct httphost *host, int64_t timeout_ms)
{
	char url[128];
	struct http_request request = httphost_request(url, 80, "/");
	snprintf(url, sizeof(url), "http://" SLOW_NAME "/");
	request.timeout_ms = timeout_ms;
	resolver.released = false;
	resolver.entered = resolver.left = 0;
	uint64_t id = httphost_start(host, &request);
	while (counted(&resolver.entered) == 0)
		httphost_turn(host);
	return id;
}

static void release_resolver(void)
{
	pthread_mutex_lock(&resolver.lock);
	resolver.released = true;
	pthread_cond_broadcast(&resolver.changed);
	while (resolver.left < resolver.entered)
		pthread_cond_wait(&resolver.changed, &resolver.lock);
	pthread_mutex_unlock(&resolver.lock);
}

static void timeout__comes_in_its_time__though_the_name_server_is_silent(void **state)
{
	struct httphost *host = httphost_new();
	(void)state;
	start_slow(host, TIMEOUT_MS);
	httphost_run(host, 1);
	assert_int_equal(host->code, ERR_TIMEOUT);
	assert_int_equal(counted(&resolver.left), 0);
	release_resolver();
	httphost_free(host);
}

static void cancel__does_not_wait__for_the_name_server(void **state)
{
	struct httphost *host = httphost_new();
	(void)state;
	uint64_t id = start_slow(host, 60000);
	host->transport.cancel(host->transport.self, id);
	httphost_turn(host);
	assert_int_equal(counted(&resolver.left), 0);
	/* The next one is served meanwhile. */
	httphost_get(host, "/ok");
	assert_int_equal(host->status, 200);
	assert_int_equal(counted(&resolver.left), 0);
	release_resolver();
	httphost_free(host);
}

static void free__does_not_wait__for_the_name_server(void **state)
{
	struct httphost *host = httphost_new();
	(void)state;
	start_slow(host, 60000);
	httphost_free(host);
	assert_int_equal(counted(&resolver.left), 0);
	release_resolver();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timeout__comes_in_its_time__though_the_name_server_is_silent),
		cmocka_unit_test(cancel__does_not_wait__for_the_name_server),
		cmocka_unit_test(free__does_not_wait__for_the_name_server),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A server on the loopback address, in a thread, that answers by the path of the request: well, or
 * in one of the ways in which servers and networks fail. Counts what reached it.
 */
#ifndef GPUQ_TESTS_TINYSERVER_H
#define GPUQ_TESTS_TINYSERVER_H

#include <pthread.h>
#include <stdatomic.h>

#define TINY_CONNECTIONS_MAX 16
#define TINY_REQUEST_MAX     65536

/* Paths:
 * /ok       200 with Date, ids and a body      /age      the same from a cache
 * /cut      a body shorter than announced      /chunkcut a chunked body that stops
 * /big      5,000 bytes, announced             /bigchunk 5,000 bytes, not announced
 * /slow     no answer                          /reset    a reset instead of an answer
 * /garbage  bytes that are no HTTP             /redirect 302 to /ok
 * /headers  100 KiB of headers                 /error    400 with its code in a header
 * /die      closes without an answer           /barrier  answers when three of them wait
 * /old      a Date of 1999                     /future   a Date of 9999
 * /hostile/ 400 with controls in all its words /created/ 200 with controls in the job's ARN
 * As a proxy it does not connect to refused.invalid:443 (403), login.invalid:443 (407) and
 * slow.invalid:443 (no answer), and answers for http://plain.invalid/ok.
 */
struct tinyserver {
	int listener, stop[2];
	int port;
	pthread_t thread;
	atomic_uint connections, requests, dies;
	char last[TINY_REQUEST_MAX]; /* the newest request; read it after the answer */
	struct {
		int fd; /* -1 = free */
		size_t len;
		char request[TINY_REQUEST_MAX];
	} peers[TINY_CONNECTIONS_MAX];
	int waiting[3]; /* at the barrier */
	unsigned waiting_count;
};

/* Asserts that it runs. The struct is big: allocate it. */
void tinyserver_start(struct tinyserver *server);
void tinyserver_stop(struct tinyserver *server);

#endif

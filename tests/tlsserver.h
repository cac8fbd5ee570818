/*
 * A TLS server on the loopback address (the program openssl) with a certificate made for the test.
 * Answers a GET with 200 and some page.
 */
#ifndef GPUQ_TESTS_TLSSERVER_H
#define GPUQ_TESTS_TLSSERVER_H

#include <stdbool.h>
#include <sys/types.h>

struct tlsserver {
	pid_t pid;
	int port, output;
	char folder[64];
	char certificate[96], key[96]; /* paths of PEM files in the folder */
};

/*
 * names: subjectAltName, as "IP:127.0.0.1"; days: until when the certificate holds, from now.
 * False, with a line `skipped: ...`, where there is no such program; another failure ends the test.
 */
bool tlsserver_start(struct tlsserver *server, const char *names, int days);
/* Accepts what was not started. */
void tlsserver_stop(struct tlsserver *server);

#endif

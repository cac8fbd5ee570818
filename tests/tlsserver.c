#include "tests/tlsserver.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#define PROGRAM  "/usr/bin/openssl"
#define READY_MS 20000
#define DAY_S    86400L

static void write_pem(const char *path, EVP_PKEY *key, X509 *certificate)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	if (key)
		assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	else
		assert_int_equal(PEM_write_X509(file, certificate), 1);
	assert_int_equal(fclose(file), 0);
}

/* Self-signed; valid from two days ago. */
static void make_certificate(const struct tlsserver *server, const char *names, int days)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *made = X509_new();
	X509_NAME *name = X509_get_subject_name(made);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);

	assert_true(key && made && extension);
	assert_int_equal(X509_set_version(made, X509_VERSION_3), 1);
	ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
	assert_non_null(X509_gmtime_adj(X509_getm_notBefore(made), -2 * DAY_S));
	assert_non_null(X509_gmtime_adj(X509_getm_notAfter(made), days * DAY_S));
	assert_int_equal(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
						    (const unsigned char *)"gpuq test", -1, -1, 0),
			 1);
	assert_int_equal(X509_set_issuer_name(made, name), 1);
	assert_int_equal(X509_add_ext(made, extension, -1), 1);
	assert_int_equal(X509_set_pubkey(made, key), 1);
	assert_true(X509_sign(made, key, EVP_sha256()) > 0);
	write_pem(server->key, key, NULL);
	write_pem(server->certificate, NULL, made);
	X509_EXTENSION_free(extension);
	X509_free(made);
	EVP_PKEY_free(key);
}

/* From the line "ACCEPT 127.0.0.1:PORT", which others may go before. */
static int read_port(int fd)
{
	const char *prefix = "ACCEPT 127.0.0.1:";
	char line[128];
	size_t len = 0;

	for (;;) {
		struct pollfd ready = { .fd = fd, .events = POLLIN };

		assert_true(len < sizeof(line) - 1);
		assert_int_equal(poll(&ready, 1, READY_MS), 1);
		assert_int_equal(read(fd, line + len, 1), 1);
		line[++len] = '\0';
		if (line[len - 1] != '\n')
			continue;
		if (strncmp(line, prefix, strlen(prefix)) == 0)
			return (int)strtol(line + strlen(prefix), NULL, 10);
		len = 0;
	}
}

bool tlsserver_start(struct tlsserver *server, const char *names, int days)
{
	int out[2];

	*server = (struct tlsserver){ .folder = "/tmp/gpuq-tls-XXXXXX" };
	if (access(PROGRAM, X_OK) != 0) {
		printf("skipped: there is no %s\n", PROGRAM);
		return false;
	}
	assert_non_null(mkdtemp(server->folder));
	snprintf(server->certificate, sizeof(server->certificate), "%s/cert.pem", server->folder);
	snprintf(server->key, sizeof(server->key), "%s/key.pem", server->folder);
	make_certificate(server, names, days);
	assert_int_equal(pipe(out), 0);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (server->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		close(out[0]);
		close(out[1]);
		execl(PROGRAM, PROGRAM, "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
		      server->certificate, "-key", server->key, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	server->output = out[0];
	server->port = read_port(out[0]);
	return true;
}

void tlsserver_stop(struct tlsserver *server)
{
	if (server->pid <= 0)
		return;
	kill(server->pid, SIGKILL);
	assert_int_equal(waitpid(server->pid, NULL, 0), server->pid);
	server->pid = 0;
	close(server->output);
	unlink(server->certificate);
	unlink(server->key);
	rmdir(server->folder);
}

/*
 * A proof of possession (DPoP, RFC 9449) as sign-in gets it: a JWT that is signed with the key that
 * stands in it. Whether it goes with the request is for the caller to judge. Source: facts/aws.md
 * 4.6; the client's own writer of proofs is not used.
 */
#ifndef GPUQ_SIM_PROOF_H
#define GPUQ_SIM_PROOF_H

#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/err.h"

#define SIM_PROOF_HALF     32 /* bytes of a coordinate, and of either half of a signature */
#define SIM_PROOF_URL_SIZE 512

struct sim_proof {
	unsigned char key[2 * SIM_PROOF_HALF]; /* x and y of a P-256 key */
	char method[16], url[SIM_PROOF_URL_SIZE], id[128];
	int64_t issued_s;
};

/* Takes the header's value apart and verifies the signature. False with a reason in err. */
bool sim_proof_read(const char *value, struct sim_proof *out, struct err *err) MUST_CHECK;

/* Appends a new P-256 private key in PEM (SEC 1), as `aws login` leaves it. */
bool sim_proof_new_key(struct buf *out, struct err *err) MUST_CHECK;

#endif

/*
 * Several clients in one scripted world, each with a shared pace of its own as if it were a process
 * of its own. The file of turns is real, and so is the thread that visits it; it lies in a fresh
 * folder, which $XDG_RUNTIME_DIR names.
 */
#ifndef GPUQ_TESTS_PARTY_H
#define GPUQ_TESTS_PARTY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aws/client.h"
#include "aws/shared_pace.h"
#include "tests/fakes.h"

#define PARTY_MAX     4
#define PARTY_STEP_MS 10 /* between two looks at the disk */

struct party_peer {
	struct aws_client *client;
	struct shared_pace *shared;
	struct aws_credentials keys; /* AKIDEXAMPLE */
	bool held;                   /* they are being looked for */
	unsigned done, failed;       /* calls */
	unsigned told;               /* of trouble */
	char trouble[1024];
};

struct party {
	struct fake_world *world;
	struct disk *disk;
	_Atomic int64_t disk_ms; /* the world's time, as the disk's thread reads it */
	struct clock disk_clock;
	struct party_peer peers[PARTY_MAX];
	size_t count;
	double pace;           /* of who joins next; 0 = 1 */
	bool at_once;          /* the same */
	const char *throttled; /* operation; NULL = none */
};

/* Set-up and tear-down of a test: the folder. */
int party_folder_make(void **state);
int party_folder_remove(void **state);
extern char party_folder[64];

struct party *party_new(void);
void party_free(struct party *party);

/* Another client, in us-east-1. Of the options group and own_host count. */
struct party_peer *party_join(struct party *party);
struct party_peer *party_join_as(struct party *party, const struct shared_pace_options *options);
void party_leave(struct party_peer *peer);

/* Starts a call with the body {}. */
uint64_t party_call(struct party_peer *peer, const struct aws_op *op);

/* Waits until all that was asked of the disk is done, and hands it out. */
void party_settle(struct party *party);
/* Lets time pass, with a look at the disk at each step. */
void party_pass(struct party *party, int64_t ms);

#endif

#include "tests/party.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"

char party_folder[64];

int party_folder_make(void **state)
{
	(void)state;
	snprintf(party_folder, sizeof(party_folder), "/tmp/gpuq-party-XXXXXX");
	return mkdtemp(party_folder) && setenv("XDG_RUNTIME_DIR", party_folder, 1) == 0 ? 0 : -1;
}

int party_folder_remove(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		execlp("rm", "rm", "-rf", party_folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

static int64_t disk_now_ms(void *self)
{
	return ((struct party *)self)->disk_ms;
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	const struct party *party = ctx;

	answer->body = mem_copy_text("{}");
	if (party->throttled && strcmp(party->throttled, sent->op) == 0)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
}

static const struct aws_credentials *get_keys(void *self, struct err *err)
{
	struct party_peer *peer = self;

	(void)err;
	return peer->held ? NULL : &peer->keys;
}

static bool no_others(void *self, const char *access_key)
{
	(void)self;
	(void)access_key;
	return false;
}

static void note_trouble(void *ctx, const struct err *err)
{
	struct party_peer *peer = ctx;

	peer->told++;
	snprintf(peer->trouble, sizeof(peer->trouble), "%s: %s", err->subject, err_text(err));
}

static void wake(void *target)
{
	struct party_peer *peer = target;

	if (peer->client)
		aws_client_wake(peer->client);
}

struct party *party_new(void)
{
	struct party *party = mem_new(1, sizeof(*party));

	party->world = fake_world_new(serve, party);
	party->disk = disk_new();
	party->disk_ms = party->world->mono_ms;
	party->disk_clock = (struct clock){ .mono_ms = disk_now_ms, .self = party };
	return party;
}

struct party_peer *party_join_as(struct party *party, const struct shared_pace_options *options)
{
	struct party_peer *peer = &party->peers[party->count++];
	struct credentials_source source = { get_keys, no_others, peer };
	struct shared_pace_options shared = *options;
	struct err err = { 0 };

	peer->keys.access_key = mem_copy_text("AKIDEXAMPLE");
	peer->keys.secret_key = mem_copy_text("secret");
	shared.disk = party->disk;
	shared.clock = &party->disk_clock;
	shared.region = "us-east-1";
	shared.source = source;
	shared.trouble = note_trouble;
	shared.ctx = peer;
	peer->shared = shared_pace_new(&shared);
	peer->client =
		aws_client_new(&(struct aws_options){ .region = "us-east-1",
						      .pace = party->pace > 0 ? party->pace : 1,
						      .shared_pace = peer->shared,
						      .at_once = party->at_once,
						      .source = &source,
						      .seed = party->count,
						      .clock = &party->world->clock,
						      .hooks = fake_hooks(party->world, wake, peer),
						      .transport = &party->world->transport },
			       NULL, &err);
	assert_non_null(peer->client);
	return peer;
}

struct party_peer *party_join(struct party *party)
{
	return party_join_as(party, &(struct shared_pace_options){ 0 });
}

void party_leave(struct party_peer *peer)
{
	aws_client_free(peer->client);
	shared_pace_free(peer->shared);
	aws_credentials_release(&peer->keys);
	peer->client = NULL;
	peer->shared = NULL;
}

void party_free(struct party *party)
{
	for (size_t i = 0; i < party->count; i++)
		party_leave(&party->peers[i]);
	disk_free(party->disk);
	fake_world_free(party->world);
	free(party);
}

static void do_nothing(void *self, struct err *err)
{
	(void)self;
	(void)err;
}

static void note_reached(void *ctx, const struct disk_result *result)
{
	(void)result;
	*(bool *)ctx = true;
}

/* All that was asked of the disk is done and handed out. */
void party_settle(struct party *party)
{
	const struct disk_work nothing = { .run = do_nothing };
	bool reached = false;

	party->disk_ms = party->world->mono_ms;
	disk_run(party->disk, &nothing, note_reached, &reached);
	while (!reached) {
		struct pollfd fd = { .fd = disk_fd(party->disk), .events = POLLIN };

		assert_int_equal(poll(&fd, 1, 20000), 1);
		disk_ready(party->disk);
	}
}

void party_pass(struct party *party, int64_t ms)
{
	for (int64_t passed = 0; passed <= ms; passed += PARTY_STEP_MS) {
		party_settle(party);
		fake_run(party->world, passed < ms ? PARTY_STEP_MS : 0);
	}
}

static void ended(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct party_peer *peer = ctx;

	(void)reply;
	peer->done++;
	peer->failed += err != NULL;
}

uint64_t party_call(struct party_peer *peer, const struct aws_op *op)
{
	return aws_client_call(peer->client, op, "{}", ended, peer);
}

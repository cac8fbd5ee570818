/*
 * A program that requeues with a journal and a submitter on a simulated region: a scripted world
 * whose answers are the region's, but for what a test meddles with.
 */
#ifndef GPUQ_TESTS_REQUEUEBENCH_H
#define GPUQ_TESTS_REQUEUEBENCH_H

#include "aws/requeuer_parts.h"
#include "aws/submitter_parts.h"
#include "tests/fakes.h"
#include "tests/simworld.h"

#define OLD          "run-1"
#define NEW          "run-2"
#define OLD_TYPE     "ml.p5.48xlarge"
#define NEW_TYPE     "ml.g6.2xlarge"
#define REFRESH_MS   5000
#define STEP_MS      50
#define BENCH_MINUTE INT64_C(60000)
#define BENCH_TEXT   4096

/* A program that requeues, and the region it does so in. */
struct requeuebench {
	struct fake_world *world;
	struct simregion *sim;
	struct aws_client *client;
	struct disk *disk;
	struct submitter *submitter;
	struct requeuer *requeuer;
	char root[64], folder[128];
	bool stop_first, despite_owner, carries_tags;
	char text[BENCH_TEXT]; /* of the new job's request */
	/* Called before and after the region answers; may change region and answer. */
	void (*meddle)(struct requeuebench *scene, const struct fake_sent *sent,
		       struct fake_answer *answer, bool answered);
	unsigned calls;   /* that meddle has counted */
	int64_t begun_ms; /* for meddle: a moment of world->mono_ms */
	/* What was told: the words of the steps; and of the last. */
	char steps[1024];
	enum requeue_step last;
	enum owner_kind owner;
	struct err err;
	bool has_text, late, ended, old_stopped;
	char sentence[512];
	unsigned troubles;
	/* How long both have been alive, as the region has it. */
	int64_t overlap_ms, overlap_most_ms;
};

/* A region in which the old job waits and nothing is free, and a program that has done nothing. */
void requeuebench_start(struct requeuebench *bench, bool stop_first);
void requeuebench_stop(struct requeuebench *bench);

/* The program ends as if killed; another begins, and goes on with what it finds if it resumes. */
void requeuebench_end(struct requeuebench *bench);
void requeuebench_begin(struct requeuebench *bench, bool resumes);

/* Asks for the requeue; lets time pass; both, to the end, which must have come. */
void requeuebench_ask(struct requeuebench *bench);
void requeuebench_run(struct requeuebench *bench, int64_t ms);
void requeuebench_requeue(struct requeuebench *bench);

/* The region's job, or NULL; whether it is in progress; how many of a type are free. */
const struct sim_job *requeuebench_job(const struct requeuebench *bench, const char *name);
bool requeuebench_lives(const struct requeuebench *bench, const char *name);
void requeuebench_set_free(struct requeuebench *bench, const char *type, int count);

/* The answer is lost; the request has arrived. */
void requeuebench_lose(struct fake_answer *answer);

#endif

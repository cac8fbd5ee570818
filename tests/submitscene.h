/*
 * Submissions through the journal, in a scripted world with a real folder: a service that knows one
 * name at a time, whose answers can be lost in every way, and a program that submits to it.
 */
#ifndef GPUQ_TESTS_SUBMITSCENE_H
#define GPUQ_TESTS_SUBMITSCENE_H

#include "aws/submitter_parts.h"
#include "tests/fakes.h"

#define SCENE_RUN_TEXT(name, count)                                                               \
	"{\"TrainingJobName\":\"" name "\",\"RoleArn\":\"arn:role\",\"AlgorithmSpecification\":{" \
	"\"TrainingImage\":\"img\"},\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/o\"},"        \
	"\"ResourceConfig\":{\"InstancePreferences\":[{\"InstanceType\":\"ml.g5.xlarge\","        \
	"\"InstanceCount\":1},{\"InstanceType\":\"ml.g6.xlarge\",\"InstanceCount\":" count "}]}," \
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600}}"
#define TEXT        SCENE_RUN_TEXT("run-1", "2")
#define OTHER_TEXT  SCENE_RUN_TEXT("run-1", "1")
#define SECOND_TEXT SCENE_RUN_TEXT("run-2", "2")
#define MINUTE_MS   INT64_C(60000)
#define ANSWERS_MAX 8

/* How the service treats the nth Create. */
enum fault {
	FAULT_NONE,
	FAULT_LOST_BEFORE, /* the request never took effect */
	FAULT_LOST_AFTER,  /* it did, the answer is gone */
	FAULT_500_BEFORE,
	FAULT_500_AFTER,
	FAULT_GARBLED_AFTER, /* 200, but not JSON */
	FAULT_NO_ARN,        /* 200 {} */
	FAULT_LATE,          /* lost, and takes effect only when the next Create comes */
	FAULT_THROTTLED,
	FAULT_QUOTA,
	FAULT_IN_USE,
};

struct told {
	enum submit_outcome outcome;
	char name[64], draft[64], arn[64];
	bool late;
	struct err err;
};

/* {0}, with what the service is to do. */
struct scene {
	struct fake_world *world;
	struct aws_client *client;
	struct disk *disk;
	struct submitter *submitter;
	char folder[128];
	const char *account, *key;
	bool looks_only;
	/* the service's */
	enum fault faults[64]; /* by number of the Create */
	unsigned creates, made;
	bool exists, late;
	char *text;           /* of the job that exists; owned */
	int64_t created_ms;   /* wall */
	bool blind, denied;   /* Describe gets no answer / is not allowed */
	unsigned blind_looks; /* that find nothing though there is a job */
	bool intent_was_there;
	/* what was told */
	struct told told[ANSWERS_MAX];
	size_t count;
	unsigned settled, troubles;
	char trouble[512];
	char progress[4096]; /* each sentence with its end of line */
};

/* Makes folder, client and submitter; scene_stop removes them. */
void scene_start(struct scene *scene);
void scene_stop(struct scene *scene);
/* The program ends and begins, with the folder and the service as they are. */
void scene_end(struct scene *scene);
void scene_begin(struct scene *scene);
/* Another client, which knows nothing of the service's clock. */
void scene_new_client(struct scene *scene);

/* Lets time pass; none does while the disk works. */
void scene_run(struct scene *scene, int64_t ms);
/* Sends an order; the second sends TEXT and lets two minutes pass. */
void scene_order(struct scene *scene, const char *name, const char *text, const char *draft);
void scene_submit(struct scene *scene);

/* A job that the service has. */
void scene_make(struct scene *scene, const char *text);
/* A record that another program left, which is gone: `change` alters it. */
void scene_leave_record(const struct scene *scene, const char *draft,
			void (*change)(struct journal_record *record));

/* Fails unless the ith answer is that / has those words in its error. */
void scene_want(const struct scene *scene, size_t i, enum submit_outcome outcome);
void scene_want_words(const struct scene *scene, size_t i, const char *words);
void scene_forget_told(struct scene *scene);

/* Files of the journal that end so, and whether one has a word in it. */
size_t scene_count_files(const struct scene *scene, const char *ending);
bool scene_journal_says(const struct scene *scene, const char *key, const char *word);

#endif

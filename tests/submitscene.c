#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/submitscene.h"

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aws/journal_files.h"
#include "model/base/io.h"
#include "model/base/mem.h"
#include "tests/statehome.h"

#define STEP_MS 100

/* --- the service --- */

void scene_make(struct scene *scene, const char *text)
{
	scene->made++;
	scene->exists = true;
	mem_set_text(&scene->text, text);
	scene->created_ms = scene->world->wall_ms;
}

/* Files of the journal that end so. */
size_t scene_count_files(const struct scene *scene, const char *ending)
{
	char path[256];
	size_t count = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/journal", scene->folder);
	dir = opendir(path);
	for (const struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
		size_t len = strlen(entry->d_name), wanted = strlen(ending);

		count += len > wanted && strcmp(entry->d_name + len - wanted, ending) == 0;
	}
	if (dir)
		closedir(dir);
	return count;
}

static char *read_journal(const struct scene *scene, const char *key)
{
	char path[256];
	struct err err = { 0 };
	struct buf text;

	snprintf(path, sizeof(path), "%s/journal/%s.json", scene->folder, key);
	buf_init(&text, JOURNAL_RECORD_MAX);
	if (!io_read_file(path, &text, &err))
		buf_clear(&text);
	err_clear(&err);
	return buf_take(&text);
}

bool scene_journal_says(const struct scene *scene, const char *key, const char *word)
{
	char *text = read_journal(scene, key);
	bool says = strstr(text, word) != NULL;

	free(text);
	return says;
}

static void lose(struct fake_answer *answer)
{
	answer->fails = ERR_TIMEOUT;
	answer->sent = true;
}

static void effect(struct scene *scene, enum fault fault, const struct fake_sent *sent,
		   struct fake_answer *answer)
{
	if (fault == FAULT_LATE)
		scene->late = true;
	else if (fault != FAULT_LOST_BEFORE && fault != FAULT_500_BEFORE)
		scene_make(scene, sent->body);
	if (fault == FAULT_LOST_BEFORE || fault == FAULT_LOST_AFTER || fault == FAULT_LATE)
		lose(answer);
	else if (fault == FAULT_500_BEFORE || fault == FAULT_500_AFTER)
		fake_error(answer, 500, "InternalFailure", "");
	else if (fault == FAULT_GARBLED_AFTER)
		answer->body = mem_copy_text("<html>");
	else
		answer->body = mem_copy_text(
			fault == FAULT_NO_ARN ? "{}" : "{\"TrainingJobArn\":\"arn:run-1\"}");
}

static void answer_create(struct scene *scene, const struct fake_sent *sent,
			  struct fake_answer *answer)
{
	enum fault fault = scene->faults[scene->creates++];

	if (scene_count_files(scene, ".json") == 0)
		scene->intent_was_there = false;
	if (scene->late) {
		scene->late = false;
		scene_make(scene, sent->body);
	}
	if (fault == FAULT_THROTTLED)
		fake_error(answer, 400, "ThrottlingException", "Rate exceeded");
	else if (fault == FAULT_QUOTA)
		fake_error(answer, 400, "ResourceLimitExceeded", "the limit is 0 Instances");
	else if (scene->exists || fault == FAULT_IN_USE)
		fake_error(answer, 400, "ResourceInUse",
			   "Training job names must be unique: "
			   "arn:run-1 exists");
	else
		effect(scene, fault, sent, answer);
}

static void answer_describe(struct scene *scene, struct fake_answer *answer)
{
	struct buf body;

	if (scene->blind) {
		answer->fails = ERR_NET;
	} else if (scene->denied) {
		fake_error(answer, 400, "AccessDeniedException", "not authorized");
	} else if (!scene->exists || scene->blind_looks > 0) {
		scene->blind_looks -= scene->blind_looks > 0;
		fake_error(answer, 400, "ValidationException", "Requested resource not found.");
	} else {
		buf_init(&body, 65536);
		buf_add(&body, scene->text, strlen(scene->text) - 1);
		buf_addf(&body,
			 ",\"TrainingJobArn\":\"arn:run-1\",\"TrainingJobStatus\":\"InProgress\","
			 "\"SecondaryStatus\":\"Pending\",\"CreationTime\":%" PRId64 ".250}",
			 scene->created_ms / 1000);
		answer->body = buf_take(&body);
	}
}

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct scene *scene = ctx;

	answer->latency_ms = 20;
	if (strcmp(sent->op, "CreateTrainingJob") == 0)
		answer_create(scene, sent, answer);
	else if (strcmp(sent->op, "DescribeTrainingJob") == 0)
		answer_describe(scene, answer);
	else
		answer->body = mem_copy_text("{}");
}

/* --- the program --- */

static void answered(void *ctx, const struct submit_answer *answer)
{
	struct scene *scene = ctx;
	struct told *told = &scene->told[scene->count++];

	assert_true(scene->count <= ANSWERS_MAX);
	assert_true((answer->outcome == SUBMIT_DONE) == (answer->err == NULL));
	told->outcome = answer->outcome;
	told->late = answer->late;
	snprintf(told->name, sizeof(told->name), "%s", answer->name);
	snprintf(told->draft, sizeof(told->draft), "%s", answer->draft);
	snprintf(told->arn, sizeof(told->arn), "%s", answer->arn ? answer->arn : "");
	if (answer->err)
		err_copy(&told->err, answer->err);
}

static void on_progress(void *ctx, const char *name, const char *text)
{
	struct scene *scene = ctx;
	size_t len = strlen(scene->progress);

	(void)name;
	(void)snprintf(scene->progress + len, sizeof(scene->progress) - len, "%s\n", text);
}

static void on_settled(void *ctx)
{
	((struct scene *)ctx)->settled++;
}

static void on_trouble(void *ctx, const struct err *err)
{
	struct scene *scene = ctx;

	scene->troubles++;
	snprintf(scene->trouble, sizeof(scene->trouble), "%s: %s", err->subject, err_text(err));
}

static void wake_client(void *target)
{
	aws_client_wake(((struct scene *)target)->client);
}

static void wake_submitter(void *target)
{
	struct scene *scene = target;

	if (scene->submitter)
		submitter_wake(scene->submitter);
}

static void open_place(struct scene *scene)
{
	const struct submitter_place place = {
		.folder = scene->folder,
		.account = scene->account ? scene->account : "111122223333",
		.region = "us-east-1",
		.endpoint = "",
		.access_key = scene->key ? scene->key : "AKIDEXAMPLE",
	};

	submitter_open(scene->submitter, &place);
}

/* A program begins. */
void scene_begin(struct scene *scene)
{
	const struct submitter_options options = {
		.client = scene->client,
		.disk = scene->disk = disk_new(),
		.clock = &scene->world->clock,
		.hooks = fake_hooks(scene->world, wake_submitter, scene),
		.looks_only = scene->looks_only,
		.answered = answered,
		.progress = on_progress,
		.settled = on_settled,
		.trouble = on_trouble,
		.ctx = scene,
	};

	scene->submitter = submitter_new(&options);
	open_place(scene);
}

void scene_new_client(struct scene *scene)
{
	char access[] = "A", secret[] = "S";
	struct aws_credentials keys = { .access_key = access, .secret_key = secret };
	struct err err = { 0 };
	struct aws_options options = { .region = "us-east-1",
				       .seed = 3,
				       .clock = &scene->world->clock,
				       .hooks = fake_hooks(scene->world, wake_client, scene),
				       .transport = &scene->world->transport };

	aws_client_free(scene->client);
	scene->client = aws_client_new(&options, &keys, &err);
	assert_non_null(scene->client);
}

void scene_start(struct scene *scene)
{
	scene->world = fake_world_new(serve, scene);
	scene->intent_was_there = true;
	char root[] = "/tmp/gpuq-test-submit.XXXXXX";

	assert_non_null(mkdtemp(root));
	snprintf(scene->folder, sizeof(scene->folder), "%s/gpuq/place", root);
	scene_new_client(scene);
	scene_begin(scene);
}

void scene_end(struct scene *scene)
{
	submitter_free(scene->submitter);
	scene->submitter = NULL;
	disk_free(scene->disk);
}

void scene_forget_told(struct scene *scene)
{
	for (size_t i = 0; i < ANSWERS_MAX; i++)
		err_clear(&scene->told[i].err);
	memset(scene->told, 0, sizeof(scene->told));
	scene->count = 0;
}

void scene_stop(struct scene *scene)
{
	if (scene->submitter)
		scene_end(scene);
	aws_client_free(scene->client);
	fake_world_free(scene->world);
	scene_forget_told(scene);
	free(scene->text);
	*strstr(scene->folder, "/gpuq/place") = '\0';
	statehome_remove(scene->folder);
}

/* The disk is asked for something; its thread works in real time. */
static bool disk_works(const struct scene *scene)
{
	if (scene->submitter->list_id)
		return true;
	for (const struct course *course = scene->submitter->courses; course; course = course->next)
		if (course->disk_id)
			return true;
	return false;
}

/* No time passes while the disk works. */
void scene_run(struct scene *scene, int64_t ms)
{
	for (int64_t end = scene->world->mono_ms + ms; scene->world->mono_ms < end;) {
		while (disk_works(scene)) {
			struct pollfd fd = { .fd = disk_fd(scene->disk), .events = POLLIN };

			if (poll(&fd, 1, 5000) <= 0)
				fail_msg("the disk does not answer");
			disk_ready(scene->disk);
		}
		fake_run(scene->world, STEP_MS);
	}
}

void scene_order(struct scene *scene, const char *name, const char *text, const char *draft)
{
	const struct order order = {
		.kind = JOB_TRAINING, .name = name, .text = text, .draft = draft
	};

	submitter_send(scene->submitter, &order);
}

void scene_submit(struct scene *scene)
{
	scene_order(scene, "run-1", TEXT, NULL);
	scene_run(scene, 2 * MINUTE_MS);
}

void scene_want(const struct scene *scene, size_t i, enum submit_outcome outcome)
{
	if (i >= scene->count)
		fail_msg("%zu answers", scene->count);
	if (scene->told[i].outcome != outcome)
		fail_msg("answer %zu is %d: %s", i, scene->told[i].outcome,
			 err_text(&scene->told[i].err));
}

void scene_want_words(const struct scene *scene, size_t i, const char *words)
{
	if (!strstr(err_text(&scene->told[i].err), words))
		fail_msg("no '%s' in: %s", words, err_text(&scene->told[i].err));
}

/* A record that another program left: `change` alters it. */
void scene_leave_record(const struct scene *scene, const char *draft,
			void (*change)(struct journal_record *record))
{
	struct journal_record record = { .kind = JOB_TRAINING, .name = "run-1" };
	struct journal_found found;
	struct err err = { 0 };

	snprintf(record.draft, sizeof(record.draft), "%s", draft);
	process_self(&record.holder);
	record.holder.pid = 1 << 30; /* no such process */
	snprintf(record.key, sizeof(record.key), "%016x", 7);
	record.agreed = (struct journal_time){ scene->world->wall_ms, scene->world->wall_ms, true };
	record.first = record.agreed;
	record.request = mem_copy_text(TEXT);
	if (change)
		change(&record);
	assert_true(journal_files_claim(scene->folder, &record, NULL, &found, &err));
	assert_int_equal(found.claim, CLAIM_FREE);
	journal_found_release(&found);
	journal_record_release(&record);
}

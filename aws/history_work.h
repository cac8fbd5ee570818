/* What is done to the history's file on its thread: requests go in, answers come out. */
#ifndef GPUQ_HISTORY_WORK_H
#define GPUQ_HISTORY_WORK_H

#include "aws/history_db.h"
#include "model/base/disk.h"

/* The file as its thread has it open; shared by those who ask and what is under way. */
struct history_file;

/* Opens nothing yet. */
struct history_file *history_file_new(const char *folder, int lock_ms);
/* It is closed once nothing is under way. NULL is accepted. */
void history_file_free(struct history_file *file);

enum history_verb { HISTORY_LOAD_SINCE, HISTORY_LOAD_ALL, HISTORY_SAVE };

/* Both the request and its answer; owned by the disk until the call back has returned. */
struct history_work {
	struct history_file *file;
	enum history_verb verb;
	struct history_part part; /* of HISTORY_LOAD_SINCE */
	char *fill; /* owned; how far the first look has come: to keep, or as kept; NULL: nothing */
	struct recorded_refusal *refusals; /* owned; to save */
	size_t refusal_count;
	struct recorded_note *notes; /* owned; to save */
	size_t note_count;
	int64_t notes_ms;      /* wall: when they were set */
	struct recorded *list; /* owned; to save, or as loaded */
	size_t count;
	struct history history; /* of HISTORY_LOAD_ALL */
	/* Of the file, after it: why nothing is kept, or that it was set aside. */
	struct history_told told;
	bool is_done; /* what was asked has been written or read */
	bool is_kept; /* what was asked has been written, or read from a file that can be written */
};

/* Frees what it asks and has been answered, and itself. */
void history_work_free(struct history_work *work);

/* Hands it to the disk's thread; the result's work is the request with its answer. */
void history_work_run(struct disk *disk, struct history_work *work, disk_done_fn *done, void *ctx);

#endif

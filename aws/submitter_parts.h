/* One submission on its way, shared by the files of the submitter: submitter.c keeps the journal
 * and tells, submitter_run.c sends and looks. */
#ifndef GPUQ_SUBMITTER_PARTS_H
#define GPUQ_SUBMITTER_PARTS_H

#include "aws/submitter.h"

struct claim_work;

/* What it waits for. */
enum course_step {
	COURSE_HELD,   /* where the journal lies is not known yet */
	COURSE_CLAIM,  /* its intent is being written */
	COURSE_SEND,   /* the answer to Create */
	COURSE_LOOK,   /* the answer to Describe */
	COURSE_PAUSE,  /* the time of the next look or send */
	COURSE_SETTLE, /* the record is being written */
};

struct course {
	struct submitter *submitter;
	struct course *next;
	enum course_step step;
	struct journal_record record;
	struct opt_ms tried;  /* of the order: a try before may have arrived */
	bool late, told_open; /* what is told is of an earlier run / OPEN has been told */
	bool arrived_perhaps; /* a try has left its outcome open */
	bool unwanted;        /* taken back before its intent was written */
	bool refused;         /* the last one was refused for good; error says how */
	bool send_next;       /* after the pause: else look */
	unsigned sends, looks;
	unsigned not_found;           /* looks in a row */
	int64_t started_ms, quiet_ms; /* monotonic: of the first step / of the last send */
	int64_t due_ms;               /* monotonic; INT64_MAX: none */
	uint64_t call, disk_id;       /* under way; 0 = none */
	struct claim_work *work;      /* of COURSE_CLAIM; the disk's */
	enum submit_outcome outcome;
	struct err error; /* of the last send, or of what is told */
	char *found_arn;  /* of the job that has the name */
	char *spent_arn;  /* of one that an earlier yes has submitted under it */
};

struct submitter {
	struct submitter_options options;
	struct submitter_place place; /* whose texts are owned; folder NULL: not known yet */
	struct process self;
	char key[17];
	struct course *courses;
	bool settling, settle_wanted; /* a list is being read / is to be, once the place is known */
	char *but;
	uint64_t list_id;
};

struct opt_ms submitter_skew(const struct submitter *submitter);
struct journal_now submitter_now(const struct submitter *submitter);
/* What is being done, which takes its time; the name stands for %s. */
void submitter_say(const struct course *course, const char *format);
void submitter_arm(struct submitter *submitter);

/* --- submitter.c --- */

struct course *course_new(struct submitter *submitter);
void course_free(struct course *course);
/* The last answer; the course is gone then. */
void course_finish(struct course *course, enum submit_outcome outcome);
/* Not certain yet, and waited for long enough: tells so, once. */
void course_tell_open(struct course *course);
/* If all that was found at the start has been told, says that. */
void submitter_note_settled(struct submitter *submitter);

/* --- submitter_journal.c --- */

/* Writes the intent, then begins; or tells why not. */
void course_claim(struct course *course);
/* The disk hangs: unless the intent is there this very moment, it will not be. */
void course_give_up_claim(struct course *course);
/* The outcome is certain: writes it down, then tells. error and found_arn say more. */
void course_settle(struct course *course, enum submit_outcome outcome);
/* The record cannot be written: the answer is not kept back for it. */
void course_give_up_settling(struct course *course);
void course_take_back(struct course *course);
/* Taken back before anything was sent: says so, and ends it. */
void course_end_unsent(struct course *course);
void submitter_read_list(struct submitter *submitter);

/* --- submitter_run.c --- */

/* Begins: with a look where a try may have arrived, else with the send. */
void course_begin(struct course *course);
/* Its pause is over, or the time until it is told as open. */
void course_wake(struct course *course, int64_t now_ms);
/* Drops what is under way at AWS. */
void course_cancel(struct course *course);

#endif

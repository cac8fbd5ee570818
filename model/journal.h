/*
 * The journal of submissions: one record for each, on disk before the call that creates the job.
 * Whatever dies in the middle, the record says what was agreed to, under which name and when; the
 * name is taken once by AWS, so that looking it up and sending again under it cannot make two jobs.
 *
 * A record is a file whose name is its key: the draft's, so that two programs cannot send one draft
 * under two names, or for what has no draft the job's own. Here is what is in it and what follows
 * from it; aws/journal_files reads and writes the files, aws/submitter does what follows.
 */
#ifndef GPUQ_JOURNAL_H
#define GPUQ_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/buf.h"
#include "model/base/clock.h"
#include "model/base/err.h"
#include "model/base/process.h"
#include "model/job.h"

#define JOURNAL_VERSION    1
#define JOURNAL_RECORD_MAX (4u << 20) /* bytes: JSON_TEXT_MAX; a request fits, escaped */
#define JOURNAL_DRAFT_SIZE 64
#define JOURNAL_KEY_SIZE   96 /* "processing-" and a name, or "draft-" and an id */
#define JOURNAL_STEP_SIZE  32
#define JOURNAL_AGREED_MS  INT64_C(900000) /* that a yes holds; later it is asked anew */
#define JOURNAL_SLACK_MS   INT64_C(5000)   /* CreationTime and Date are not one clock */
#define JOURNAL_LOOKS      2               /* that find nothing, before it is sent again, and */
#define JOURNAL_LOOKS_MS   INT64_C(3000)   /* from the send to the last of them: Describe may lag */
#define JOURNAL_KEEP_MS    INT64_C(604800000) /* that a settled record is kept: seven days */

/* A record that is not settled is `intended`: its request may have been sent, or not. */
enum journal_state {
	JOURNAL_INTENDED,
	JOURNAL_SUBMITTED, /* AWS has it: the ARN is there */
	JOURNAL_REFUSED,   /* AWS said no, or it was not created; why says so */
	JOURNAL_TAKEN,     /* the name is another job's: the ARN is that one's */
	JOURNAL_WITHDRAWN, /* the user took it back before it was sent, or did not agree
			      again */
};

/* A moment by AWS's clock, as well as it was known, and by the machine's. */
struct journal_time {
	int64_t aws_ms, wall_ms;
	bool measured; /* AWS's clock had been seen; else both are the machine's */
};

/* What a requeue stops. kind, name and arn are the old job's; step is a word of model/requeue. */
struct journal_replaces {
	bool set, stop_first; /* else the new one is submitted first */
	bool despite_owner;   /* whose job it is was named, and it was wanted all the same */
	bool carries_tags;    /* the old job's tags are still to be put into the request */
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	char *arn; /* owned */
	char step[JOURNAL_STEP_SIZE];
};

/* {0} is valid and releasable; texts are owned, NULL = none. */
struct journal_record {
	enum journal_state state;
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	char draft[JOURNAL_DRAFT_SIZE]; /* "" = it is of no draft */
	char account[13], region[64];   /* "" = not known */
	char *endpoint;                 /* URL of one that is not AWS's own */
	char key[17];                   /* stands for the access key; "" = not known */
	struct journal_time first;      /* when the first try under this name was agreed to */
	struct journal_time agreed;     /* when this request was */
	struct opt_ms settled;          /* wall time of AWS */
	struct process holder;          /* whose turn it is */
	struct journal_replaces replaces;
	char *arn;
	char *why; /* what AWS said, of a refusal */
	/* Beside it: AWS's own code ("" = none) and request id, and that a list was sent to an
	 * endpoint which knows none. */
	char code[96], request_id[80];
	bool no_lists;
	char *request; /* the exact text; may hold secrets */
};

void journal_record_release(struct journal_record *record);
/* A deep copy; to is released first. */
void journal_record_copy(struct journal_record *to, const struct journal_record *from);
/* Forgets the request, and wipes it. */
void journal_drop_request(struct journal_record *record);
const char *journal_state_word(enum journal_state state); /* static text */

/* The name of a record's file without its ending. False: a name or draft that no file can have. */
bool journal_key(enum job_kind kind, const char *name, const char *draft,
		 char out[JOURNAL_KEY_SIZE]) MUST_CHECK;

/* --- as text --- */

void journal_write(const struct journal_record *record, struct buf *out);

enum journal_read { JOURNAL_READ_OK, JOURNAL_READ_DAMAGED, JOURNAL_READ_NEWER };
/*
 * Reads what journal_write wrote, and nothing else: a member too many, too few or of another kind,
 * a name that does not fit the request, and it is damaged (err says where). NEWER: of a version
 * that this program does not know; it is left alone. record is {0} but for OK.
 */
enum journal_read journal_read(struct journal_record *record, const char *text, size_t len,
			       struct err *err) MUST_CHECK;

/* --- what follows --- */

/* AWS's and the machine's time now. */
struct journal_now {
	int64_t aws_ms, wall_ms;
	bool blind; /* AWS's clock has not been seen yet: both are the machine's */
};

/* A moment by AWS's clock as it is known now: what was written by the machine's alone is moved by
 * the difference that is known since. */
int64_t journal_aws_ms(const struct journal_time *time, const struct journal_now *now);
/* The time since the yes, by the clock that makes it longer; unset where a clock says that it lies
 * ahead. A moment of AWS's clock says nothing to who has not seen it. */
struct opt_ms journal_age(const struct journal_record *record, const struct journal_now *now);
/* A job created then came after the first try. A time that is not told counts as after. */
bool journal_is_since(const struct journal_record *record, const struct journal_now *now,
		      struct opt_ms created);

/* What a look at the name has shown. */
enum journal_sight {
	SIGHT_NONE,    /* no such job */
	SIGHT_OURS,    /* this request, created since the first try */
	SIGHT_OTHER,   /* another request, or an older job */
	SIGHT_UNKNOWN, /* no answer, or it is denied */
};

enum journal_next {
	NEXT_LOOK,      /* again, in a moment */
	NEXT_SEND,      /* the same text under the same name */
	NEXT_SUBMITTED, /* settled: it is there */
	NEXT_TAKEN,     /* settled: the name is another job's */
	NEXT_REFUSED,   /* settled: there is no such job, and AWS has said why */
	NEXT_ASK,       /* settled: there is no such job, and the yes is too old */
};

/* A look, and what is known beside it. */
struct journal_look {
	enum journal_sight sight;
	struct opt_ms age;  /* since the yes: journal_age */
	unsigned not_found; /* looks in a row that found nothing, this one included */
	int64_t quiet_ms;   /* since the last try was sent, or since it is being looked for */
	bool refused;       /* the last try was refused for good */
};
enum journal_next journal_next(const struct journal_look *look);

/* What became of a wish to take something back that was agreed to. */
enum withdrawal {
	WITHDRAWN,      /* it is not sent; what was begun is told as it ends */
	WITHDRAWN_LATE, /* it may be at AWS already: it is not sent again without asking anew */
	WITHDRAWN_NOT,  /* it cannot be taken back: a creation or a stop is on its way */
	WITHDRAWN_NONE, /* there is no such thing under way */
};

/* Whether a program may take a record up that it finds. */
enum journal_claim {
	CLAIM_FREE, /* nobody's: there is no record, or it is settled and its name free again */
	CLAIM_OWN,  /* this program's own, not settled */
	CLAIM_LEFT, /* not settled, and who held it is gone */
	CLAIM_HELD, /* another program on this machine is at it */
	CLAIM_ELSEWHERE, /* a program on another machine is, or was: nobody can tell from here */
	CLAIM_SPENT,     /* its draft has been submitted: it is not sent a second time */
};
/* record NULL: there is none. holder: the state of its holder. */
enum journal_claim journal_claim(const struct journal_record *record, enum process_state holder);

#endif

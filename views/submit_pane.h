/* Shared by the files of the submit pane (submit*.c) only. */
#ifndef GPUQ_SUBMIT_PANE_H
#define GPUQ_SUBMIT_PANE_H

#include "tui/pager.h"
#include "views/ask.h"
#include "views/submission.h"

/* STEP_READING: the source's tags, without which the request is not whole, and whether the name is
 * free. */
enum step { STEP_READING, STEP_BLOCKED, STEP_ASKING, STEP_SENT };

struct submit {
	struct ui *ui;
	char *arn; /* owned; the job that is copied */
	struct submission copy;
	enum step step;
	int64_t read_until_ms; /* monotonic; of STEP_READING */
	/* Owned, of the request and of a refusal; drawing notes the height, which keys need. */
	struct pager *pagers;
	struct ask ask;
	char asked_name[JOB_NAME_SIZE]; /* AWS was asked whether it is free; "" = none */
	bool made_draft;                /* a plain copy: the draft only carries the sending */
	bool single;                    /* the first type alone: lists are not supported there */
};

/* submit.c: the draft that is sent, NULL = there is none; what may be done now, and doing it. */
struct draft *submit_draft(const struct submit *submit);
bool submit_was_refused(const struct submit *submit);
bool submit_may_send_first(const struct submit *submit);
/* The name is another job's, to which a key goes. */
bool submit_name_was_taken(const struct submit *submit);
bool submit_may_fix(const struct submit *submit);
/* The tags are not read, and it is not known that they cannot be; something may be known in a
 * moment: nothing is asked before. */
bool submit_lacks_tags(const struct submit *submit, const struct draft *draft);
bool submit_must_read(const struct submit *submit, const struct draft *draft);
void submit_send(struct submit *submit);
/* Any key while it waits for what is read. */
void submit_feed_waiting(struct submit *submit);
void submit_ask_for_first(void *state);
void submit_go_to_other(void *state);
void submit_make_fix(void *state);
bool submit_may_raise(const struct submit *submit);
void submit_raise(void *state);
void submit_switch_way(void *state);
void submit_leave(void *state);

/* submit_keys.c: the pager of what is shown now; keys and footer of the pane. */
struct pager *submit_pager(const struct submit *submit);
bool submit_feed(void *state, struct key key, const char *paste);
const struct key_scope *submit_footer(const void *state);

/* submit_draw.c */
void submit_draw(const void *state, struct surface *out, struct rect at, bool focused);

#endif

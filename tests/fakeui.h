/*
 * A screen of one pane and the modals above it, without a terminal or a loop: keys in, what the
 * panes asked for out. The clock is turned by hand.
 */
#ifndef GPUQ_TESTS_FAKEUI_H
#define GPUQ_TESTS_FAKEUI_H

#include "views/pane.h"

#define FAKEUI_MODALS 8

struct fakeui {
	struct ui ui;
	struct view_env env;
	struct store store;
	struct clock clock;
	int64_t mono_ms, wall_ms;
	const struct pane_ops *home; /* the pane below */
	void *home_state;
	struct {
		const struct pane_ops *ops;
		void *state;
	} modals[FAKEUI_MODALS], closing[FAKEUI_MODALS];
	size_t modal_count, closing_count;
	bool handling; /* a key: what is popped lives until its end */
	char said[1024];
	enum style said_style;
	/* What the intents were asked. */
	unsigned submits, discards, changes, selects, raises;
	struct quota_raise raised;
	unsigned requeues; /* of the submits: what they put in the place of old_name */
	bool stop_first, despite_owner;
	unsigned withdrawals;
	char withdrawn_old[JOB_NAME_SIZE], withdrawn[JOB_NAME_SIZE];
	char noted_name[JOB_NAME_SIZE], noted[DRAFT_NOTE_SIZE]; /* the last note that was kept */
	enum withdrawal withdrawal;                             /* the answer to them */
	char old_name[JOB_NAME_SIZE];
	enum job_kind sent_kind;
	struct opt_ms sent_tried;
	char sent_name[JOB_NAME_SIZE];
	char *sent_text; /* owned */
	int64_t wake_ms; /* the last wish; -1 = none */
};

/* The pane is opened on it; NULL = none. */
void fakeui_start(struct fakeui *fake, const struct pane_ops *home);
void fakeui_stop(struct fakeui *fake);

/* On the heap, over the preferences of fakeui_job, as the state of a test, whose question wants y
 * whatever it costs; and the end of any. */
int fakeui_setup(void **state);
int fakeui_teardown(void **state);
/* Time passes by both clocks. */
void fakeui_pass(struct fakeui *fake, int64_t ms);

/* Stores a copy of the job as described and selects it. It has no tags, and that is known. */
void fakeui_select(struct fakeui *fake, const struct job *job);
/* The tags of a job are read and are these. */
void fakeui_read_tags(struct fakeui *fake, const char *arn, const struct tag *tags, size_t count);

/* Blank-separated key names: "j j A-Down Enter". */
void fakeui_keys(struct fakeui *fake, const char *names);
/* Each character as a key. */
void fakeui_type(struct fakeui *fake, const char *text);
void fakeui_paste(struct fakeui *fake, const char *text);

/* The modal on top, or NULL; and its state. */
const struct pane_ops *fakeui_top(const struct fakeui *fake);
const void *fakeui_top_state(const struct fakeui *fake);

/* A pending training job with a list of three entries, its own counts, and a Describe reply. The
 * caller releases it. */
struct job fakeui_job(void);

#endif

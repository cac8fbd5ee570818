/*
 * A draft: a Create request being edited and not submitted yet. It has a base document (made from
 * the Describe of the job it comes from, or read from a file), and above it what was edited: the
 * list with its pending limit, the name, a note. Undo and redo go over all of it.
 */
#ifndef GPUQ_DRAFT_H
#define GPUQ_DRAFT_H

#include "model/request.h"

#define DRAFT_ID_SIZE    48
#define DRAFT_NOTE_SIZE  513         /* bytes with the NUL; a tag's value has 256 characters */
#define DRAFT_MEMORY_MAX (64u << 20) /* of one draft's undo; the oldest steps go then */
#define DRAFT_KEY        "draft:"    /* before an id: the key of a draft's row, never an ARN */
#define DRAFT_NOTE_TAG   "gpuq:note" /* product.md: sent only where tag_jobs says so */

enum draft_origin {
	DRAFT_OF_JOB, /* the list of a job that is in AWS's lists: edited on its row */
	DRAFT_CLONE,  /* a copy of a job, under a name of its own */
	DRAFT_FILE,   /* a file's request */
};

/* What one edit can change; undo goes over these. */
struct draft_state {
	struct prefs_state list;
	size_t text;              /* of texts: the document that the list stands in */
	char name[JOB_NAME_SIZE]; /* chosen; "" = one is made when it is sent */
	char *note;               /* owned; "why this order"; NULL = none */
};

/* A document, and the list that stands in it. */
struct draft_text {
	char *text; /* owned; NULL: the source is not described yet, or no state uses it any more */
	struct prefs_state list;
};

struct draft {
	char id[DRAFT_ID_SIZE]; /* its file's name: letters, digits, '-' */
	enum draft_origin origin;
	enum job_kind kind;
	char *arn;    /* owned; DRAFT_OF_JOB: of that job, else NULL */
	char *source; /* owned; ARN of the job it was made from, or the file's path */
	char source_name[JOB_NAME_SIZE]; /* of that job; "" = from a file */
	/* Now. Read at will; changed by the functions below alone. */
	struct preferences prefs;
	struct opt_ms max_pending; /* the pending limit; unset = none */
	char name[JOB_NAME_SIZE];
	const char *note;            /* borrowed from the state, never NULL */
	struct prefs_state original; /* the source's own when the draft began */
	/*
	 * Stands in for the job where there is none in the lists: its name is the source's (or the
	 * chosen one), its ARN the row's key (DRAFT_KEY and the id), the rest what the document
	 * says. Never in a store.
	 */
	struct job job;

	struct draft_text *texts; /* owned; [0] is the base document */
	size_t text_count, text_capacity;
	struct draft_state *states; /* owned; states[0..state_count), the current one is at-1 */
	size_t state_count, state_capacity, at;
	size_t bytes;     /* held by texts and states */
	uint64_t edition; /* raised by each change of what is kept on disk; whoever sets what
			   * stands below raises it, too */
	uint64_t told;    /* the edition that was last handed on to be kept; 0: none */

	/* Set when it is sent: the copy's name and the list sent. The answer drops the draft when
	 * it is good (unless edited since) and clears sent_as when it is not. */
	char sent_as[JOB_NAME_SIZE]; /* "" = no answer awaited */
	int64_t tried_ms;            /* when it was first sent under that name; monotonic */
	struct prefs_state sent;
	size_t sent_text;
	char *sent_note;                /* owned */
	char resumed_as[JOB_NAME_SIZE]; /* sent_as of the program that ended meanwhile; "" = none */
	bool answer_is_open;            /* of resumed_as: nobody knows yet what became of it */
	char refused_as[JOB_NAME_SIZE]; /* the last try that failed; "" = none */
	struct err refusal;             /* owned; why */
	bool watched;                   /* the submit pane is open on it */
	struct draft *next;
};

/* An id from the time and a number that is the caller's to raise. out holds DRAFT_ID_SIZE bytes. */
void draft_make_id(int64_t wall_ms, unsigned number, char out[DRAFT_ID_SIZE]);
bool draft_id_is_valid(const char *id);

/*
 * Each begins a draft; never NULL, freed with draft_free.
 * Of a job that is described: its own list; the document once the job has its text.
 */
struct draft *draft_of_job(const char *id, const struct job *job);
/* Its copy under another name; NULL with err where the job has no text or that is no request. */
struct draft *draft_clone(const char *id, const struct job *job, const char *name, struct err *err);
/* A request of the user (request_read); NULL with err where its list cannot be read. */
struct draft *draft_of_request(const char *id, const struct request *request, const char *path,
			       struct err *err);
void draft_free(struct draft *draft);

/* What is kept of a draft beside its undo; texts are owned by whoever fills it, NULL = none. */
struct draft_parts {
	const char *id;
	enum draft_origin origin;
	enum job_kind kind;
	char *arn, *source;
	char source_name[JOB_NAME_SIZE];
	char *document, *edited; /* what it began as; what it is now, where that is another one */
	struct prefs_state original, list;
	char name[JOB_NAME_SIZE];
	char *note;
	char sent_as[JOB_NAME_SIZE];
	struct prefs_state sent;
	char refused_as[JOB_NAME_SIZE];
	struct err refusal;
};
/* The draft of its parts, whose undo leads to what it began as. NULL with err: a document is no
 * request. */
struct draft *draft_restore(const struct draft_parts *parts, struct err *err);
/* It is another draft from now on, where the old one has been sent or is another program's. */
void draft_set_id(struct draft *draft, const char *id);

/* The base document is there: the request can be made. */
bool draft_has_text(const struct draft *draft);
/* Gives a DRAFT_OF_JOB its base document, where it has none, from the job's text. False: there is
 * still none. */
bool draft_take_text(struct draft *draft, const struct job *job);

/*
 * Exactly what would be sent under a name: the document, with the list, the limit and the name
 * written into it only where they differ, and with the note as a tag where tag_note says so.
 * Members that are not touched stay byte for byte. ERR_NOT_FOUND: the source is not described yet.
 */
bool draft_request(const struct draft *draft, const char *name, bool tag_note,
		   struct request *request, struct err *err) MUST_CHECK;

/* It is on its way under a name; list: what of it is sent. */
void draft_note_sent(struct draft *draft, const char *name, const struct prefs_state *list);
/* Nothing has been edited since. */
bool draft_is_as_sent(const struct draft *draft);
/* There was an answer, or there will be none; a refusal is copied, NULL: none. */
void draft_note_answer(struct draft *draft, const char *name, const struct err *refusal);

/* The note as a tag of a request that has its other tags already; none where no character of it can
 * stand in one. */
bool draft_tag_note(const struct draft *draft, struct request *request, struct err *err) MUST_CHECK;

/* It has been edited: it is not what it began as. NULL: false. */
bool draft_changed(const struct draft *draft);
/* It has a place of its own and stays until it is discarded: from a file, a clone, edited, sent or
 * refused. */
bool draft_is_kept(const struct draft *draft);

struct prefs_state draft_state(const struct draft *draft);
/* The same for what has no draft yet: the job's own. */
struct prefs_state draft_state_of_job(const struct job *job);

/* Each makes one step of undo; what changes nothing makes none. */
void draft_set(struct draft *draft, const struct prefs_state *state);
void draft_set_note(struct draft *draft, const char *note);
/* Another document in its place: of $EDITOR, or with a fix in it. Its list, limit and name become
 * the draft's. written_name: the name that stood in it when it was handed out; one that is still
 * there was not chosen. False with err (ERR_RULE) where it is no request of the draft's kind. */
bool draft_set_text(struct draft *draft, const struct request *request, const char *written_name,
		    struct err *err) MUST_CHECK;
/* False: there is none. */
bool draft_undo(struct draft *draft);
bool draft_redo(struct draft *draft);

#endif

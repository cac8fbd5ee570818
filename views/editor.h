/*
 * The preferences pane: what stands in it and how it is painted (editor_rows.c), what its keys
 * are (preferences.c) and what they do to a draft (editor_edits.c).
 */
#ifndef GPUQ_EDITOR_H
#define GPUQ_EDITOR_H

#include "model/compute.h"
#include "model/quota.h"
#include "views/pane.h"

enum editor_pick { PICK_INSERT, PICK_TYPE, PICK_PLAN, PICK_LIMIT };

#define EDITOR_LINES_MAX 256 /* of a terminal; the mouse finds no row below */

/* What the last frame learnt. */
struct editor_frame {
	size_t hidden;                 /* lines with no room */
	size_t rows[EDITOR_LINES_MAX]; /* what stands in each line of the screen: a row + 1, or 0 */
};

/* An entry that the mouse has picked up: shown where it would go, moved when it is let go. */
struct editor_hand {
	bool holds;
	size_t from, to;
	char *arn; /* owned; the job's */
};

/* What an entry was before its type was changed: as much of another type is offered. */
struct editor_was {
	char *arn; /* owned; the job's; NULL: nothing was changed */
	size_t at;
	char type[TYPE_NAME_SIZE]; /* what it is now */
	struct compute compute;    /* what it was */
};

/* A count for an entry. */
struct editor_offer {
	size_t at;
	struct compute_offer offer;
	bool as_first; /* as #1 has; else as the entry had before */
};

struct editor {
	struct ui *ui;
	struct editor_frame *frame; /* owned; drawing writes it through a const state */
	struct editor_hand hand;
	struct editor_was was;
	char *arn;             /* owned; the job that the cursor belongs to */
	size_t cursor;         /* a row: the entries, then the findings */
	enum editor_pick pick; /* what the open modal is for, where, and in whose list */
	size_t pick_at;
	char *pick_arn; /* owned */
	bool checked;   /* what v said of the list may stand in the notice: edits make it wrong;
			 * until then what is not checked is shown too */
	char refused[JOB_NAME_SIZE]; /* the try whose refusal was gone to; "" = none */
	uint32_t digit;              /* the last raw key: which of 1 to 5 was pressed */
};

/* What the pane shows, worked out anew each time: nothing can be out of date. */
struct editor_look {
	const struct job *job;           /* NULL = none selected */
	const struct draft *draft;       /* NULL = none */
	const struct preferences *prefs; /* NULL = not known */
	struct preferences moved;        /* that of a list with an entry in the mouse's hand */
	struct opt_ms max_pending;       /* of the draft, else of the job */
	/* Owned; one for each entry, and behind them those of warm pools; NULL = not known. */
	struct quota_fact *quotas;
	size_t quota_count;
	struct editor_offer offers[COMPUTE_MEASURES];
	size_t offer_count;
	struct findings findings;
	bool refused;  /* the first of them is what AWS said */
	size_t rows;   /* entries, offers and findings: where the cursor can stand */
	size_t cursor; /* within rows; 0 where there are none */
};

/* Allocated (it is large). */
struct editor_look *editor_look_new(const struct editor *editor);
void editor_look_free(struct editor_look *look);
/* The finding in a row, or NULL where there is an entry or an offer. */
const struct finding *editor_finding_at(const struct editor_look *look, size_t row);

/* Why the list of the job cannot be edited, as a sentence; "" = it can. */
void editor_why_not(const struct job *job, struct buf *out);

void editor_draw(const struct editor *editor, struct surface *out, struct rect at, bool focused);
int editor_lines(const struct editor *editor);
/* What the pane's upper rule says: the pending limit, and whether there are edits. */
void editor_note(const struct editor *editor, struct buf *out);

/*
 * editor_offers.c: counts of equal compute. After a change of type what the entry had before is
 * offered in rows of its own; at any time a key gives an entry what #1 has. Nothing of it is done
 * unasked.
 */
size_t editor_offers(const struct editor *editor, const struct editor_look *look,
		     struct editor_offer offers[COMPUTE_MEASURES]);
void editor_add_offer(const struct editor_look *look, const struct editor_offer *offer, bool here,
		      struct buf *out);
/* Remembers an entry whose type is about to become another. */
void editor_note_was(struct editor *editor, const struct editor_look *look, size_t at,
		     const char *type);
void editor_forget_was(struct editor *editor);
/* Takes an offer, freeing look; the cursor goes to its entry. */
void editor_take_offer(struct editor *editor, struct editor_look *look,
		       const struct editor_offer *offer);
/* What a key offers for the entry under the cursor: the next of its counts. Frees look. */
void editor_equal(struct editor *editor, struct editor_look *look);

/* editor_fix.c: the whole request of a draft, checked, and mended by the fix of a finding. */
/* False: there is no draft with a text, and findings are as they were. */
bool editor_check_request(const struct editor_look *look, const struct check_known *known,
			  struct findings *findings);
/* Makes the fix of the finding under the cursor and says so. Frees look. */
void editor_apply_fix(struct editor *editor, struct editor_look *look);

/* editor_quota.c: what can be done about a quota that is too small. */
/* A finding of a quota, of an entry that is there. */
bool editor_is_quota_finding(const struct editor_look *look, const struct finding *finding);
/* The entry under the cursor, or that of the quota's finding there; SIZE_MAX = none. */
size_t editor_entry_here(const struct editor_look *look);
/* Asks how much more of that entry's quota is wanted. */
void editor_raise(struct editor *editor);
/* The keys that work where the cursor is; NULL = those of the pane. */
const struct key_scope *editor_footer(const struct editor *editor);

/* editor_check.c: says how the list stands, and goes to its first finding. */
void editor_check(struct editor *editor);

/* editor_mouse.c: a press puts the cursor on a row, and an entry can be dragged to another rank. */
bool editor_mouse(struct editor *editor, const struct mouse *mouse);
/* Lets go of what the mouse holds, without moving it. */
void editor_open_hand(struct editor *editor);

enum edit_kind {
	EDIT_PLACE,   /* at, to */
	EDIT_COUNT,   /* at, by */
	EDIT_SET,     /* at, count: of that entry alone */
	EDIT_SHARING, /* one count for all, or one each */
	EDIT_TYPE,    /* at, type */
	EDIT_INSERT,  /* at, type */
	EDIT_REMOVE,  /* at */
	EDIT_FIX,     /* finding */
	EDIT_PLAN,    /* at, plan: "" = on demand */
	EDIT_LIMIT,   /* limit: unset = none */
};
struct edit {
	enum edit_kind kind;
	size_t at, to;
	int64_t by, count;
	const char *type, *plan; /* borrowed */
	const struct finding *finding;
	struct opt_ms limit;
};

/* What can be edited, or NULL when it was said why not; the second wants an entry under the cursor.
 * edit_finish frees it. */
struct editor_look *edit_begin(const struct editor *editor);
struct editor_look *edit_begin_on_entry(const struct editor *editor);
/* Carries an edit out, leaves the cursor on a row and lets the other panes follow. False: nothing
 * has changed, and the cursor stays. */
bool edit_finish(struct editor *editor, struct editor_look *look, const struct edit *edit,
		 size_t row);

/* The list is another one: what was said of it goes. */
void editor_forget_check(struct editor *editor);
void editor_say(const struct editor *editor, enum style style, const char *text);
/* Puts the cursor on a row of the job looked at. */
void editor_set_cursor(struct editor *editor, const struct editor_look *look, size_t row);
bool editor_on_entry(const struct editor_look *look);
/* The type of the entry under the cursor; false where there is none. */
bool editor_type_here(const struct editor *editor, char type[TYPE_NAME_SIZE]);

#endif

/*
 * A pane: one box of home, or a modal above it. Panes are rows of ops; the screen owns their
 * states, gives them keys and rectangles, and closes them. They share struct ui and nothing else.
 */
#ifndef GPUQ_PANE_H
#define GPUQ_PANE_H

#include "model/check.h"
#include "model/draft.h"
#include "model/filter.h"
#include "model/wants.h"
#include "tui/past.h"
#include "views/jobs_look.h"
#include "views/marks.h"
#include "views/view.h"

struct pane_ops;
struct report_context;

#define UI_LEFT_MAX 8

/* Shared by the panes of one screen. */
struct ui {
	const struct view_env *env;
	char *selected_arn;       /* owned; NULL = no job */
	char *awaited_arn;        /* owned: selected as soon as a list has it; NULL = none */
	char filter[FILTER_SIZE]; /* as it is written; "" = all */
	struct filter *terms;     /* owned: the same, read (ui_set_filter) */
	struct past filters;      /* owned: entered before */
	char find[FILTER_SIZE];   /* searched for last in the list; "" = nothing */
	struct past finds;        /* owned: entered before */
	size_t shown;             /* jobs that have a row in the list */
	struct jobs_look look;    /* of the list */
	bool pending_only;
	struct marks pins;        /* jobs that stand first in the list, whatever it shows */
	char *followed_arn;       /* owned: the cursor stays on it; NULL = on none */
	struct past commands;     /* owned: entered at the command line */
	struct marks marks;       /* what an action of many is about; none = the selected job */
	bool mouse;               /* it is for us, not for the terminal */
	bool touched;             /* a key has been pressed: the selection is somebody's choice */
	struct quota_raise raise; /* that is being asked about */
	char *left_arns[UI_LEFT_MAX]; /* owned: what was selected in places left; one a place */
	struct draft *drafts;         /* owned list */
	unsigned drafts_made;         /* for their ids */
	struct requeue_many
		*requeue_many;          /* owned: views/requeue_many.c; NULL = nothing is asked */
	struct requeue_state *requeues; /* owned: views/requeue.c; NULL = none is under way */
	struct prospects *prospects;    /* owned: views/prospect.c; NULL = nothing is learned */
	struct counts *counts;          /* owned: views/counts.c; NULL = nothing is counted */
	struct stop_state *stops;       /* owned: views/stop.c; NULL = none was asked about */
	char *last_path;                /* owned; of the file that A read last; NULL: none */
	struct writing *writing;        /* owned: views/writing.c; NULL: nothing is */
	struct handed *handed;          /* owned: views/drafting.c; NULL: nothing is being edited */
	struct settled *settled;        /* owned: views/drafts_settled.c; NULL: nothing is */
	char *drafts_trouble;           /* owned; why they are not kept on disk; NULL: they are */
	/* Asks the screen to put a modal above; state is handed to open. */
	void (*push)(struct ui *ui, const struct pane_ops *ops, const void *argument);
	/* Closes the top modal (the pane asks it for itself). Its state lives on until the key that
	 * closed it has been handled, so a pane may pop first and call its yes() after. */
	void (*pop)(struct ui *ui);
	/* A line for the status row; replaced by the next. */
	void (*say)(struct ui *ui, enum style style, const char *text);
	/* Makes a job the selected one (NULL = none), tells the app and refreshes the panes. */
	void (*select)(struct ui *ui, const char *arn);
	/* The filter, the drafts or pending_only changed: every pane is refreshed. */
	void (*changed)(struct ui *ui);
	/* Runs the binding as its key does, where its scope is open; number: of a row of several,
	 * '1' to '9'. */
	void (*act)(struct ui *ui, const struct key_scope *scope, const struct key_binding *row,
		    char number);
	/* Gives the keys to the preferences pane. */
	void (*edit_list)(struct ui *ui);
	/* What has the keys: the top modal, else the job list; its state. */
	const void *(*in_sight)(const struct ui *ui, const struct pane_ops **ops);
	void *screen;
};

struct pane_ops {
	const char *name;              /* "preferences" */
	const char *title;             /* "Preferences" */
	const struct key_scope *scope; /* NULL: only the keys of the whole screen */
	size_t state_size;             /* zeroed memory of that size is given to open */
	bool modal; /* takes all keys; the parents of its scope get its state too */
	bool line;  /* a modal of one line, drawn in the footer's place */
	/* Adds what is looked at while it is open. May be NULL. */
	void (*wants)(const void *state, struct wants *wants);
	void (*open)(void *state, struct ui *ui, const void *argument);
	void (*close)(void *state); /* may be NULL */
	/* The store or the selection changed; may be NULL. */
	void (*refresh)(void *state);
	/* Raw keys before the bindings (text entry, deaf time); true = taken. May be NULL. */
	bool (*feed)(void *state, struct key key, const char *paste);
	/* What the mouse did in the rectangle that was drawn in, or with the button held since: a
	 * press puts the cursor on the row under it. True: there is one. The wheel is the screen's.
	 * May be NULL. */
	bool (*mouse)(void *state, struct rect at, const struct mouse *mouse);
	/* A step of long work, in turns with nothing else to do: some milliseconds at most. False:
	 * there was none. May be NULL. */
	bool (*idle)(void *state);
	/* Paints inside at (the frame is the screen's for panes; a modal draws its own). Reads
	 * only. */
	void (*draw)(const void *state, struct surface *out, struct rect at, bool focused);
	/* A short text for the right end of the pane's upper rule; "" = none. May be NULL. */
	void (*note)(const void *state, struct buf *out);
	/* The keys that work now, where the footer is to name other ones than those of scope; NULL
	 * returned: those of scope. May be NULL. */
	const struct key_scope *(*footer)(const void *state);
	/* Preferred lines inside the frame; 0 = no wish. May be NULL. */
	int (*lines)(const void *state);
	/* What W writes: the endings of its files, "csv json", the first one offered (of those that
	 * views/writing.c knows); and all of it as a report in the context's format, the table's
	 * for a text. Nothing appended: there is nothing yet. Both NULL: it is not written. */
	const char *writes;
	void (*write)(const void *state, const struct report_context *context, struct buf *out);
};

/* The selected job, or NULL, also where the selected row is no job; borrowed until the store
 * changes. */
const struct job *ui_selected(const struct ui *ui);
/* The draft of the selected row (the job's, or the row's own), or NULL. */
struct draft *ui_draft(const struct ui *ui);
/* What the list that is edited is of: the selected job, or what stands in for it where the row is a
 * draft's own. draft_find knows it by its ARN. */
const struct job *ui_subject(const struct ui *ui);
/* The selected row is no job. */
bool ui_on_local(const struct ui *ui);
/* Now by AWS's clock. */
int64_t ui_now_ms(const struct ui *ui);
/* The job passes the filter (and pending only): it has a row in the job list. */
bool ui_shows(const struct ui *ui, const struct job *job);
/* Another filter counts from now on; cut between characters where it is too long. */
void ui_set_filter(struct ui *ui, const char *text);
/* What filter_matches needs. */
struct filter_ask ui_filter_ask(const struct ui *ui);

/*
 * drafts.c. The draft of a job (by its ARN) or of a row of its own (by its key), or NULL;
 * draft_edit begins one from the job's list.
 */
struct draft *draft_find(const struct ui *ui, const char *key);
struct draft *draft_edit(struct ui *ui, const struct job *job);
/* Takes a draft that was begun elsewhere. */
void draft_add(struct ui *ui, struct draft *draft);
void draft_drop(struct ui *ui, const char *key);
/* It is another draft from now on (another program has the old one, or it has been sent): a
 * selected row stays selected. draft_renew finds the id and lets go of the old one's file. */
void draft_rename(struct ui *ui, struct draft *draft, const char *id);
void draft_renew(struct ui *ui, struct draft *draft);
/* What is known of the name that the draft would be sent under: another job that has it is in a
 * list, or AWS said so; and what knows names for a better one. */
void draft_know_name(const struct ui *ui, const struct draft *draft, const char *name,
		     struct check_known *known);
/* Its note, if it has one, is kept with the job of that name that has come of it. */
void draft_keep_note(const struct ui *ui, const struct draft *draft, const char *name);
/* A job or a draft has the name: no other one is to be given it. ui is a struct ui. */
bool ui_knows_name(const void *ui, const char *name);
/* Drafts that have changed since are to be kept: after each key and each answer. */
void drafts_tell(struct ui *ui);
void drafts_release(struct ui *ui);
/* Jobs that have been described since give their drafts the document. */
void drafts_take_texts(struct ui *ui);
/*
 * drafts_settled.c. What has become of drafts that an earlier program had sent: told by the journal
 * and by the disk, in either order. drafts_settle_one: of one (err NULL: it was submitted);
 * drafts_settle_rest: of nobody else is anything known; drafts_settle_found: a draft was found.
 */
void drafts_settle_one(struct ui *ui, const char *id, const char *name, const struct err *err);
void drafts_settle_rest(struct ui *ui);
void drafts_settle_found(struct ui *ui, struct draft *draft);
void drafts_settle_forget(struct ui *ui);
/* An id for the next draft. */
void draft_next_id(struct ui *ui, char out[DRAFT_ID_SIZE]);

/*
 * The scopes, one table each; run gets the pane's state, in screen_scope the screen's. Home panes
 * have screen_scope as parent, modals none. screen_scope binds: ? F1, q, Q, Esc, C-c, C-g, Tab,
 * S-Tab, 1-9, z, r, F5, d, y, t, p, a, f, F4, \\, P, F2, B, $, F11, %, F12, X, S, F9, :, F10; a row
 * of a home pane that uses one of them is marked KEY_SHADOWS.
 */
extern const struct key_scope screen_scope, jobs_scope, details_scope, preferences_scope;
extern const struct key_scope filter_scope, pager_scope, picker_scope, question_scope, submit_scope;
extern const struct key_scope plan_picker_scope, limit_scope, search_scope, job_scope;
extern const struct key_scope palette_scope, code_scope, quotas_scope, raise_scope;
extern const struct key_scope types_scope, logs_scope, log_hosts_scope, explain_scope;
extern const struct key_scope metrics_scope, columns_scope, actions_scope, copy_scope;
extern const struct key_scope find_scope;
extern const struct key_scope line_scope, lists_scope, suggest_scope, history_scope;

/* Home panes. */
extern const struct pane_ops jobs_pane, queue_pane, preferences_pane, selected_pane, wait_pane,
	cost_pane;
/* Modals. argument: help: const struct key_scope * of the focused pane; description: its ARN
 * (const char *; NULL: the selected job); picker: struct picker_argument; question: struct
 * question; submit: NULL. */
extern const struct pane_ops help_pane, description_pane, picker_pane, question_pane, submit_pane;
/* The selected job as JSON, secrets masked; what AWS answered (argument: struct message); the
 * filter's line. */
extern const struct pane_ops raw_pane, message_pane, filter_pane;
/* What a page is searched for (struct search_argument); the job's transitions and waits. */
extern const struct pane_ops search_pane, timeline_pane, explain_pane;
/* The plan of an entry (struct plan_picker_argument), the pending limit's line (struct
 * limit_argument), all training plans (NULL). */
extern const struct pane_ops plan_picker_pane, limit_pane, plans_pane;
/* What the hosts of a job publish (const char * of its ARN, or NULL: the selected one). */
extern const struct pane_ops metrics_pane;
/* What gpuq did here, or tried (NULL). */
extern const struct pane_ops actions_pane;
/* The tables of the past (NULL). */
extern const struct pane_ops history_pane;
/* The logs of a job (const char *, its ARN, or NULL: the selected one); its hosts (views/logs.h).
 */
extern const struct pane_ops logs_pane, log_hosts_pane;
/* The command line (NULL); the code of an MFA device (struct code_argument). */
extern const struct pane_ops palette_pane, code_pane;
/* A line to type into (struct line_argument); the named lists, and lists that are suggested
 * (struct lists_argument). */
extern const struct pane_ops line_pane, lists_pane, suggest_pane;

struct line_argument {
	const char *label, *initial; /* copied; initial may be NULL */
	const char *help;            /* at the right end where there is room; static */
	void (*taken)(void *ctx, const char *text);
	void *ctx;
};

struct lists_argument {
	void (*chosen)(void *ctx, const char *name, const struct preferences *prefs);
	void *ctx;
};

/* The columns of the job list: shown, in which order, sorted by which. */
extern const struct pane_ops columns_pane;
/* The limits of types and who holds them (const struct quota_key * of the one to begin with, or
 * NULL); the line of a raise (the number, as text: by raise_begin alone). */
extern const struct pane_ops quotas_pane, raise_pane;
/* The catalog with its prices (const char * of the type to begin with, or NULL). */
extern const struct pane_ops types_pane;

/* The limits that the selected job's list or its draft runs into, behind the count that are there;
 * the same for struct wants. */
size_t ui_list_quotas(const struct ui *ui, struct quota_key *keys, size_t count, size_t max);
void ui_want_quotas(const struct ui *ui, struct wants *wants);
/* Asks how much more of a quota is wanted (desired 0: of its own making), then whether to send it.
 * raise_result says what came of it. */
void raise_begin(struct ui *ui, const char *instance_type, enum quota_kind kind, int64_t desired);
void raise_result(struct ui *ui, const struct quota_raise *raise, const struct quota_raised *raised,
		  const struct err *err);

struct code_argument {
	const char *profile, *serial; /* copied */
	/* Once: six digits, or NULL where none are given. */
	void (*answered)(void *ctx, const char *code);
	void *ctx;
};

struct message {
	const char *title, *text; /* copied; text may have many lines */
};

/*
 * submit.c. X from anywhere calls submit_begin: it opens submit_pane for the selected job, or says
 * why not (read-only, no job, not described yet). screen_submitted hands each answer to
 * submit_pane_result and does nothing else with it: that says what happened, keeps or drops the
 * draft, selects the new job and closes the pane or shows the refusal in it.
 */
void submit_begin(struct ui *ui);
void submit_pane_result(struct ui *ui, const char *name, const char *arn, const struct err *err);

/* Type-ahead over the catalog. */
struct picker_argument {
	enum job_kind kind;
	bool spot;         /* managed spot training, which has a quota of its own */
	const char *title; /* copied, as the next */
	const char *now;   /* the type that is to be changed; NULL = none */
	int64_t count;     /* of instances, for their usual wait */
	void (*chosen)(void *ctx, const char *instance_type);
	void *ctx;
};

/* Which training plan serves an entry. */
struct plan_picker_argument {
	size_t rank;
	const char *instance_type; /* copied; of the entry */
	const char *bound;         /* copied; the ARN it has now, "" = on demand */
	void (*chosen)(void *ctx, const char *plan_arn); /* "" = on demand */
	void *ctx;
};

/* How long the job may wait. */
struct limit_argument {
	struct opt_ms limit;
	void (*chosen)(void *ctx, struct opt_ms limit);
	void *ctx;
};

/*
 * A question. With changes_cloud it throws away what was typed before, ignores keys for
 * QUESTION_DEAF_MS, takes y alone as yes (Enter is No), and, with type_name set, wants that name
 * typed. A paste never answers.
 */
#define QUESTION_DEAF_MS 300 /* product.md */
struct question {
	char title[64];
	char *text; /* borrowed during open: copied */
	bool changes_cloud;
	const char *type_name; /* NULL = y is enough; copied */
	void (*yes)(void *ctx);
	void (*no)(void *ctx); /* may be NULL */
	void *ctx;
};

#endif

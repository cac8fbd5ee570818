/*
 * One command without a screen: what the app must gather first, then a function that writes the
 * result. Commands never talk to AWS; the app does, and fills the store.
 */
#ifndef GPUQ_COMMAND_H
#define GPUQ_COMMAND_H

#include "model/base/clock.h"
#include "model/loose.h"
#include "model/need.h"
#include "model/phases.h"
#include "model/diagnosis.h"
#include "model/policy.h"
#include "model/request.h"
#include "model/requeue.h"
#include "model/stop.h"
#include "model/store.h"
#include "views/text/manual.h"
#include "views/text/options.h"

#define COMMAND_TEXT_MAX (2u << 20) /* of a question */

/* What became of one stop, kept for the report. */
struct stop_told {
	enum job_kind kind;
	char name[JOB_NAME_SIZE];
	enum stop_outcome outcome;
	char *message; /* owned; NULL = none */
};

/* The stops of a command; {0} = none. */
struct stop_errand {
	struct stop_wish wishes[OPTION_ARGS_MAX];
	size_t count; /* that the app is to carry out */
	struct stop_stakes stakes;
	struct stop_told *told; /* owned */
	size_t told_count, told_capacity;
	int status; /* the exit status so far */
};
void stop_errand_release(struct stop_errand *stops);

/* A requeue of a command; the request is that of the run. {0} = none. */
struct requeue_errand {
	bool is_built;  /* the request is there: what AWS says of it comes before the question */
	bool is_wanted; /* the app is to carry it out */
	char old_name[JOB_NAME_SIZE], new_name[JOB_NAME_SIZE];
	char *old_arn; /* owned */
	bool stop_first, despite_owner;
};

struct command_run;

/* What a command that goes on remembers from one look to the next. {0} = it has not looked yet. */
struct follow {
	bool has_begun;
	int64_t until_mono_ms; /* it gives up; valid with a time-out */
	int64_t wake_ms; /* set by each look: when to look again at the latest; negative: never */
	struct phases phases;
	/* What AWS does not tell now, as it was said: of each list, or of the job. Owned. */
	char *troubles[SOURCE_COUNT];
};
void follow_release(struct follow *follow);
/* Says on stderr that something fails (err NULL: it does not any more), once each time. what: "the
 * list of training jobs". */
void follow_trouble(struct command_run *run, enum source_id source, const char *what,
		    const struct err *err);
/* One look at all jobs: tells each change of phase (ctx: the run), says what fails. begins: both
 * lists are there for the first time. As command.follow. */
int follow_phases(struct command_run *run, phase_change_fn *tell, bool *begins);

/* What a command may use beside AWS, but only the app knows how to find. */
struct command_sources {
	struct policy_action actions[POLICY_ACTIONS_MAX]; /* that the program can call */
	size_t action_count;
	/* YAML, for check; as loose_read_literal. */
	bool (*read_yaml)(struct loose *loose, const char *text, size_t len, struct err *err);
	size_t (*keys)(struct manual_key *out, size_t max); /* of the dashboard */
};

struct command_run {
	const struct options *options;
	const struct store *store;
	const struct clock *clock;
	const char *region;
	const struct command_sources *sources;
	int columns; /* of the terminal that stdout is; 0 = it is none */
	struct terminal_facts terminal;
	struct diagnosis *diagnosis; /* of NEED_DIAGNOSIS; what is no matter of AWS is not in it */
	struct buf *out;             /* stdout */
	struct buf *messages;        /* stderr */
	struct request *request;     /* filled by a command that wants it submitted */
	struct owner owners[OPTION_ARGS_MAX]; /* of NEED_OWNED: whose each argument's job is */
	/* Of NEED_EXPLAIN, by argument. */
	struct need_refusal refusals[OPTION_ARGS_MAX];
	struct requeue_errand requeue; /* filled by a command that wants a requeue */
	struct stop_errand stops;      /* filled by a command that wants jobs stopped */
	struct follow follow;          /* of one that goes on */
	const char *typed;        /* a line that has come for this look, borrowed; NULL = none */
	struct need_look look;    /* of NEED_REQUEST, filled before it is sent */
	enum need need;           /* the command's; its check may want more */
	const char *state_folder; /* of where it submits, borrowed; NULL: not known */
	bool submit;              /* the app is to submit request (asked first unless --yes) */
};

struct command {
	const char *name;
	const char *arguments; /* "NAME" */
	const char *help;      /* one line */
	const char *example;
	size_t least_args, most_args;
	enum need need;
	bool changes; /* AWS, each time: refused at once when read-only, or nobody can be asked */
	bool submits; /* through the journal, which goes by who signs */
	const char *const *accepts; /* long names of its own options, NULL at the end */
	/* What is wrong with the options, before AWS is asked anything: the exit status, and
	 * messages say so; 0 = nothing. NULL: nothing can be. */
	int (*check)(struct command_run *run);
	/* Returns the exit status. */
	int (*run)(struct command_run *run);
	/* Of a command that goes on, in place of run: looks at the store, once what it needs is
	 * there and with each change from then on; its out and messages are written as they come.
	 * Returns the exit status, or COMMAND_GOES_ON. */
	int (*follow)(struct command_run *run);
	bool listens; /* of one that goes on: words are typed to it, command_run.typed */
	bool endless; /* it goes on until it is ended from outside, which is well then */
};

#define COMMAND_GOES_ON (-1)

/* The command, or NULL. */
const struct command *command_find(const char *name);
/* All commands, in the order of the help. */
const struct command *const *command_all(size_t *count);

/* A file cmd_NAME.c each. */
extern const struct command command_actions;
extern const struct command command_check;
extern const struct command command_completion;
extern const struct command command_config;
extern const struct command command_doctor;
extern const struct command command_explain;
extern const struct command command_forecast;
extern const struct command command_history;
extern const struct command command_iam_policy;
extern const struct command command_jobs;
extern const struct command command_man;
extern const struct command command_plans;
extern const struct command command_prices;
extern const struct command command_quotas;
extern const struct command command_requeue;
extern const struct command command_show;
extern const struct command command_stop;
extern const struct command command_submit;
extern const struct command command_types;
extern const struct command command_wait;
extern const struct command command_watch;
extern const struct command command_plain;

/* Results in ASCII alone: asked for, or for a terminal in another locale than UTF-8's. A pipe gets
 * names as they are. */
bool command_is_ascii(const struct command_run *run);
/* How a report of what was read from AWS is to be written. */
struct report_context command_context(const struct command_run *run);

/*
 * Checks the request by what AWS has told of it too, shows it and asks on the terminal, unless
 * --yes. False: nothing is to be sent; status is then the exit status, and messages say why.
 */
bool command_may_submit(struct command_run *run, int *status);

/* cmd_stop.c: a job that belongs to somebody is changed by a person who has read so and typed the
 * owner's name, never by --yes. False: refusal and the messages say so. */
bool command_despite_owner(struct command_run *run, const struct job *job,
			   const struct owner *owner, struct buf *refusal);

/* cmd_stop.c: what became of one stop; returns the exit status once none is left. */
int command_stopped(struct command_run *run, const struct stop_result *result);

/* cmd_requeue.c: checks what was built by what AWS has told of it too, and asks; the exit status
 * unless it is wanted. */
int command_ask_requeue(struct command_run *run);

/* cmd_requeue.c: tells a step at once; the exit status at the end. */
int command_requeued(struct command_run *run, const struct requeue_told *told);

/* What became of the jobs of `stop`, in their order. */
void report_stops(struct buf *out, const struct report_context *context,
		  const struct stop_told *told, size_t count);

/* What the config file got wrong, for stderr: the warnings, or what is no more than a note. */
void command_add_problems(struct buf *messages, const struct config *config, bool warnings);

/* The first warning in one line for a screen, and how many more there are; nothing for none. */
void command_add_first_warning(struct buf *out, const struct config *config);

/* Appends text that came, in part, from a file or from AWS, harmless for a terminal; its line
 * breaks and tabs stay. */
void command_add_outside(struct buf *out, const struct buf *text);

/* Writes out to stdout and messages to stderr; returns the exit status, which says so where the
 * result could not be written. */
int command_finish(const struct buf *out, struct buf *messages, int status);

/* "gpuq: what to what: text. next" for stderr, harmless for a terminal. */
void command_message(struct buf *messages, const struct err *err);

#endif

/*
 * The asking part of a question: deaf time, the one key that means yes, the name to type. Shared
 * by the question modal and the submit pane, so that there is one set of rules about answers.
 */
#ifndef GPUQ_ASK_H
#define GPUQ_ASK_H

#include "tui/prompt.h"
#include "views/view.h"

enum answer { ANSWER_NONE, ANSWER_YES, ANSWER_NO };

/* {0} is valid and may be released. */
struct ask {
	const struct view_env *env; /* borrowed */
	int64_t deaf_until_ms;      /* monotonic; 0 = never deaf */
	char *type_name;            /* owned; NULL = y is enough */
	struct prompt prompt;       /* where the name is typed */
	bool is_mistyped;           /* another name was: that was the No */
};

/* Begins. With changes_cloud the keys typed so far are thrown away and the deaf time starts.
 * type_name is copied; NULL = y is enough. */
void ask_start(struct ask *ask, const struct view_env *env, bool changes_cloud,
	       const char *type_name);

/* One key: y alone, or the name and Enter, is yes; a paste and a key in the deaf time are nothing;
 * everything else is no. */
enum answer ask_feed(struct ask *ask, struct key key, const char *paste);

/* The deaf time is not over yet. */
bool ask_is_deaf(const struct ask *ask);

/* Lines that ask_draw wants at that width. */
int ask_lines(const struct ask *ask, struct surface *out, int columns, const char *sentence);

/* The sentence, what an answer is, and the prompt; while deaf a word to wait instead. */
void ask_draw(const struct ask *ask, struct surface *out, struct rect at, const char *sentence);

void ask_release(struct ask *ask);

/* A box of at most that size in the middle of at: where a modal stands. */
struct rect ask_box(struct rect at, int columns, int lines);

#endif

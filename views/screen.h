/*
 * The whole screen: header, home panes, what lies above them (help, description, editor's picker,
 * questions), footer. The app feeds keys and asks for frames; every other view hangs below it.
 */
#ifndef GPUQ_SCREEN_H
#define GPUQ_SCREEN_H

#include "model/stuck_past.h"
#include "model/wants.h"
#include "views/view.h"

struct screen;

/* env is copied; what it points to is borrowed for the screen's life. */
struct screen *screen_new(const struct view_env *env);
void screen_free(struct screen *screen);

/* One key; paste is its text with KEY_CODE_PASTE, else NULL. */
void screen_key(struct screen *screen, struct key key, const char *paste);

/* What the mouse did; only while it is wanted. */
void screen_mouse(struct screen *screen, const struct mouse *mouse);
/* Whether the mouse is for us; else it is the terminal's, for selecting text. */
bool screen_wants_mouse(const struct screen *screen);
/* The terminal, of that name, has none: says so, and it is wanted no more. */
void screen_refuse_mouse(struct screen *screen, const char *terminal);

/* The store changed: settle tables by ARN. */
void screen_refresh(struct screen *screen);

/* Learns from what has become known, for turns with nothing else to do: some milliseconds at most;
 * false: there was nothing to learn. */
bool screen_idle(struct screen *screen);

/* What waits are usual, for who marks jobs as stuck; NULL while that is not learned. Borrowed. */
const struct stuck_past *screen_usual_waits(const struct screen *screen);

/* Paints all of it. Reads only. */
void screen_draw(const struct screen *screen, struct surface *out);

/* Nothing but what screen_draw_list paints need differ from the last whole frame for the keys that
 * came since: the panes beside the job list may follow. */
bool screen_list_will_do(const struct screen *screen);
/* Paints header, job list and footer over the last frame. */
void screen_draw_list(const struct screen *screen, struct surface *out);

/* Milliseconds until something on it changes by time alone (a ticking wait); negative = never. */
int64_t screen_tick_ms(const struct screen *screen);

/* What something in sight of the last frame tells of; wants is overwritten. */
void screen_wants(const struct screen *screen, struct wants *wants);

/* Answers to intents; err is NULL on success. */
void screen_submitted(struct screen *screen, const char *name, const char *arn,
		      const struct err *err);
void screen_stopped(struct screen *screen, const struct stop_result *result);
void screen_requeued(struct screen *screen, const struct requeue_told *told);

void screen_quota_raised(struct screen *screen, const struct quota_raise *raise,
			 const struct quota_raised *raised, const struct err *err);

/* The config has been read anew: what it says holds from now on; nothing that is open is closed. */
void screen_reload(struct screen *screen, const struct view_env *env);

/*
 * The program is in another place now (profile, region): what was open, selected or said about the
 * old one goes; filter, drafts and the panes' places stay. A job selected there before is selected
 * again when it comes back into sight. env as for screen_new; the store is empty.
 */
void screen_move(struct screen *screen, const struct view_env *env);

/*
 * Asks for the code of a profile's MFA device; the answer is cloud_intents.code. It waits while
 * something is being answered or typed. NULL: no code is wanted any more.
 */
void screen_ask_code(struct screen *screen, const char *profile, const char *serial);

/* A line for the status row: what happened, to what, what next. */
void screen_say(struct screen *screen, enum style style, const char *text);

/* There are edited drafts. Quitting loses none: they are kept on disk, unless that refuses. */
bool screen_has_draft(const struct screen *screen);

/* A draft that an earlier start has left: the screen's now. */
void screen_take_draft(struct screen *screen, struct draft *draft);
/* The draft goes on under another id. */
void screen_rename_draft(struct screen *screen, struct draft *draft, const char *id);
/* Drafts are not kept on disk, and why; NULL: they are again. Quitting asks as long. */
void screen_drafts_trouble(struct screen *screen, const char *why);
/* What has become of a draft that an earlier program had sent, or one whose outcome was open; err
 * NULL: it was submitted as name. One that is not found yet is told when it is. */
void screen_draft_settled(struct screen *screen, const char *id, const char *name,
			  const struct err *err);
/* All that was sent before is settled, or told as open: drafts that nobody knows of as sent were
 * not. */
void screen_drafts_settled(struct screen *screen);
/* Answers to draft_intents; err NULL: it went well. */
void screen_file_read(struct screen *screen, const char *path, const char *text, size_t len,
		      const struct err *err);
/* path: whole. */
void screen_file_written(struct screen *screen, const char *path, const struct err *err);
void screen_edited(struct screen *screen, const char *text, size_t len, const struct err *err);

/* Every key table of the program, for help, README and the clash test; NULL at the end. */
extern const struct key_scope *const screen_key_scopes[];

#endif

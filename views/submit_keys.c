/* The keys of the submit pane: reading, the answer, and what else may be done. */
#include "views/submit_pane.h"

struct pager *submit_pager(const struct submit *submit)
{
	return &submit->pagers[submit_was_refused(submit)];
}

static void scroll(const struct submit *submit, long delta)
{
	pager_scroll(submit_pager(submit), delta);
}

static void line_up(void *state)
{
	scroll(state, -1);
}

static void line_down(void *state)
{
	scroll(state, 1);
}

static long page_of(const struct submit *submit)
{
	int height = submit_pager(submit)->height;

	return height > 1 ? height - 1 : 1;
}

static void page_up(void *state)
{
	scroll(state, -page_of(state));
}

static void page_down(void *state)
{
	scroll(state, page_of(state));
}

static void to_top(void *state)
{
	const struct submit *submit = state;

	scroll(submit, -(long)submit_pager(submit)->lines);
}

static void to_end(void *state)
{
	const struct submit *submit = state;

	scroll(submit, (long)submit_pager(submit)->lines);
}

static void key_yes(void *state)
{
	submit_feed(state, (struct key){ .code = 'y' }, NULL);
}

/* The rows for reading are keys of their own; y and the leaving keys are answers and go through
 * feed_submit, where their rows stand for footer and help. */
static const struct key_binding reading_keys[] = {
	{ .keys = "Up",
	  .action = "request-up",
	  .help = "read one line up",
	  .brief = "read",
	  .run = line_up },
	{ .keys = "Down",
	  .action = "request-down",
	  .help = "read one line down",
	  .brief = "read",
	  .flags = KEY_FOOTER,
	  .run = line_down },
	{ .keys = "PgUp", .action = "request-page-up", .help = "read a page up", .run = page_up },
	{ .keys = "PgDn",
	  .action = "request-page-down",
	  .help = "read a page down",
	  .brief = "page",
	  .flags = KEY_FOOTER,
	  .run = page_down },
	{ .keys = "Home",
	  .action = "request-top",
	  .help = "read from its beginning",
	  .run = to_top },
	{ .keys = "End", .action = "request-end", .help = "read its end", .run = to_end },
	{ .keys = "Tab F6",
	  .action = "request-way",
	  .help = "of a pending job: another order, or a plain copy",
	  .brief = "way",
	  .run = submit_switch_way },
	{ .keys = "y",
	  .action = "request-send",
	  .help = "send it, where no name is asked for",
	  .brief = "send",
	  .flags = KEY_FOOTER,
	  .run = key_yes },
	{ .keys = "Esc Enter q C-c C-g",
	  .action = "request-leave",
	  .help = "no: send nothing; every other key is No too",
	  .brief = "no",
	  .flags = KEY_FOOTER,
	  .run = submit_leave },
	{ .keys = "f",
	  .action = "request-fix",
	  .help = "where a rule is broken: make the first fix in the draft",
	  .brief = "fix",
	  .run = submit_make_fix },
	{ .keys = "R",
	  .action = "request-raise",
	  .help = "where a quota is too small: ask AWS for more of it",
	  .brief = "raise",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = submit_raise },
	{ .keys = "X",
	  .action = "request-first-type",
	  .help = "where lists are not supported: ask again, #1 alone",
	  .brief = "#1 alone",
	  .flags = KEY_CHANGES_CLOUD,
	  .run = submit_ask_for_first },
	{ .keys = "g",
	  .action = "request-other-job",
	  .help = "where the name is taken: go to the job that has it",
	  .brief = "that job",
	  .run = submit_go_to_other },
	{ 0 },
};
#define READING_ROWS 7 /* the rows that never answer */

const struct key_scope submit_scope = { .name = "Submit",
					.bindings = reading_keys,
					.answers = true };

/* What the footer names instead while y does not send. */
#define READING_FOOTER                                                                 \
	{ .keys = "Down", .brief = "read", .flags = KEY_FOOTER, .run = line_down },    \
	{                                                                              \
		.keys = "PgDn", .brief = "page", .flags = KEY_FOOTER, .run = page_down \
	}
static const struct key_binding naming_keys[] = {
	READING_FOOTER,
	{ .keys = "Enter", .brief = "send (name typed)", .flags = KEY_FOOTER, .run = key_yes },
	{ .keys = "Esc", .brief = "no", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding sending_keys[] = {
	READING_FOOTER,
	{ .keys = "Esc", .brief = "hide", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding closing_keys[] = {
	READING_FOOTER,
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
#define RAISE_KEY                                                                       \
	{                                                                               \
		.keys = "R", .brief = "raise", .flags = KEY_FOOTER | KEY_CHANGES_CLOUD, \
		.run = submit_raise                                                     \
	}
static const struct key_binding raising_keys[] = {
	READING_FOOTER,
	RAISE_KEY,
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding fixing_or_raising_keys[] = {
	READING_FOOTER,
	{ .keys = "f", .brief = "fix", .flags = KEY_FOOTER, .run = submit_make_fix },
	RAISE_KEY,
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding fixing_keys[] = {
	READING_FOOTER,
	{ .keys = "f", .brief = "fix", .flags = KEY_FOOTER, .run = submit_make_fix },
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding waiting_keys[] = {
	READING_FOOTER,
	{ .keys = "Esc", .brief = "no", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding offering_keys[] = {
	READING_FOOTER,
	{ .keys = "X",
	  .brief = "#1 alone",
	  .flags = KEY_FOOTER | KEY_CHANGES_CLOUD,
	  .run = submit_ask_for_first },
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_binding taken_keys[] = {
	READING_FOOTER,
	{ .keys = "g", .brief = "that job", .flags = KEY_FOOTER, .run = submit_go_to_other },
	{ .keys = "Esc", .brief = "close", .flags = KEY_FOOTER, .run = submit_leave },
	{ 0 },
};
static const struct key_scope naming_scope = { .name = "Submit", .bindings = naming_keys };
static const struct key_scope sending_scope = { .name = "Submit", .bindings = sending_keys };
static const struct key_scope closing_scope = { .name = "Submit", .bindings = closing_keys };
static const struct key_scope fixing_scope = { .name = "Submit", .bindings = fixing_keys };
static const struct key_scope raising_scope = { .name = "Submit", .bindings = raising_keys };
static const struct key_scope fixing_or_raising_scope = { .name = "Submit",
							  .bindings = fixing_or_raising_keys };
static const struct key_scope waiting_scope = { .name = "Submit", .bindings = waiting_keys };
static const struct key_scope offering_scope = { .name = "Submit", .bindings = offering_keys };
static const struct key_scope taken_scope = { .name = "Submit", .bindings = taken_keys };

const struct key_scope *submit_footer(const void *state)
{
	const struct submit *submit = state;

	if (submit_may_send_first(submit))
		return &offering_scope;
	if (submit_name_was_taken(submit))
		return &taken_scope;
	if (submit_may_fix(submit))
		return submit_may_raise(submit) ? &fixing_or_raising_scope : &fixing_scope;
	if (submit_may_raise(submit))
		return &raising_scope;
	if (submit->step == STEP_READING)
		return &waiting_scope;
	if (submit->step == STEP_BLOCKED || submit_was_refused(submit))
		return &closing_scope;
	if (submit->step == STEP_SENT)
		return &sending_scope;
	return submit->ask.type_name ? &naming_scope : NULL;
}

static bool is_reading(struct key key)
{
	const struct key_binding *row = keys_find(reading_keys, key, false);

	return row && row - reading_keys < READING_ROWS;
}

/* Before there is a question: Enter may have been typed ahead, as its answer. */
static bool is_leaving(struct key key)
{
	const struct key_binding *row = keys_find(reading_keys, key, false);

	return row && row->run == submit_leave && key.code != KEY_CODE_ENTER;
}

bool submit_feed(void *state, struct key key, const char *paste)
{
	struct submit *submit = state;
	bool asking = submit->step == STEP_ASKING;

	if (submit->step == STEP_READING && !is_reading(key) && !is_leaving(key)) {
		if (!paste)
			submit_feed_waiting(submit);
		return true;
	}
	if (asking && ask_is_deaf(&submit->ask))
		return true;
	if (!asking || is_reading(key))
		return false; /* the rows decide: what is shown stays until it is left */
	switch (ask_feed(&submit->ask, key, paste)) {
	case ANSWER_YES:
		submit_send(submit);
		break;
	case ANSWER_NO:
		submit_leave(submit);
		break;
	case ANSWER_NONE:
		break;
	}
	return true;
}

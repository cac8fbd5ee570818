/* More of a quota: how many, then the question with what is sent, then what AWS said. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/store_quotas.h"
#include "tui/prompt.h"
#include "views/pane.h"
#include "views/words.h"

#define LABEL     "raise the limit to: "
#define HELP      "Enter goes on, Esc leaves; 24 case allows a support case"
#define VALUE_MAX INT64_C(10000000000) /* of the service model */
#define CASE_WORD "case"               /* behind the number: a support case may be opened */

struct raise {
	struct ui *ui;
	struct prompt prompt;
	char complaint[64]; /* what is wrong with the line; "" = nothing known */
};

static struct quota_fact fact_of(const struct ui *ui, const struct quota_raise *raise)
{
	struct quota_fact fact = { .instance_type = raise->instance_type, .kind = raise->kind };
	store_quota_facts(ui->env->store, &fact, 1);
	return fact;
}

/* --- what is asked --- */

static void sent(void *ctx)
{
	struct ui *ui = ctx;
	const struct cloud_intents *cloud = &ui->env->cloud;
	ui->say(ui, STYLE_DIM, "the raise is asked for");
	cloud->raise_quota(cloud->host, &ui->raise);
}

static void not_sent(void *ctx)
{
	struct ui *ui = ctx;
	ui->say(ui, STYLE_DIM, "no raise was asked for");
}

static void add_question(struct buf *out, const struct ui *ui)
{
	const struct quota_raise *raise = &ui->raise;
	struct quota_fact fact = fact_of(ui, raise);
	buf_addf(out, "RequestServiceQuotaIncrease is sent to %s (account %s):\n", ui->env->region,
		 ui->env->account[0] ? ui->env->account : "not known yet");
	quota_raise_body(raise, out);
	buf_addf(out, "\n\n%s for %s: ", raise->instance_type, quota_kind_usage(raise->kind));
	if (fact.told)
		buf_addf(out, "from %" PRId64 " ", fact.limit);
	buf_addf(out, "to %" PRId64 ". ", raise->desired);
	buf_add_text(out,
		     raise->support_case
			     ? "AWS may open a support case for it."
			     : "No support case: AWS grants what it can by itself, and refuses the "
			       "rest.");
	buf_add_text(out, " Granted, it takes 15 to 60 minutes to take effect.");
}

static void ask(struct ui *ui)
{
	struct buf text;
	buf_init(&text, WORDS_MAX);
	add_question(&text, ui);
	const struct question question = { .title = "Ask for a raise?",
					   .text = text.data,
					   .changes_cloud = true,
					   .yes = sent,
					   .no = not_sent,
					   .ctx = ui };
	ui->push(ui, &question_pane, &question);
	buf_release(&text);
}

/* --- how many --- */

/* "24", or "24 case". */
static bool read_wish(const char *text, struct quota_raise *raise)
{
	char *end = NULL;
	text += strspn(text, " ");
	if (*text < '0' || *text > '9')
		return false;
	raise->desired = strtoll(text, &end, 10);
	text = end + strspn(end, " ");
	raise->support_case = strncmp(text, CASE_WORD, strlen(CASE_WORD)) == 0;
	if (raise->support_case)
		text += strlen(CASE_WORD);
	return raise->desired > 0 && raise->desired <= VALUE_MAX && text[strspn(text, " ")] == '\0';
}

static void keep(void *state)
{
	struct raise *raise = state;
	struct ui *ui = raise->ui;
	struct quota_fact fact = fact_of(ui, &ui->raise);
	if (!read_wish(raise->prompt.text, &ui->raise)) {
		snprintf(raise->complaint, sizeof(raise->complaint),
			 "a whole number, and case behind it or not");
		return;
	}
	if (fact.told && ui->raise.desired <= fact.limit) {
		snprintf(raise->complaint, sizeof(raise->complaint), "the limit is %" PRId64 " now",
			 fact.limit);
		return;
	}
	ui->pop(ui);
	ask(ui);
}

static void leave(void *state)
{
	struct raise *raise = state;
	raise->ui->pop(raise->ui);
}

static const struct key_binding bindings[] = {
	{ .keys = "Enter",
	  .action = "raise-keep",
	  .help = "go on to the question (24; 24 case allows a support case)",
	  .run = keep },
	{ .keys = "Esc C-c C-g", .action = "raise-leave", .help = "leave it", .run = leave },
	{ 0 },
};

const struct key_scope raise_scope = { .name = "Raise of a quota", .bindings = bindings };

static bool feed_raise(void *state, struct key key, const char *paste)
{
	struct raise *raise = state;
	if (!paste && keys_find(bindings, key, false))
		return false;
	(void)prompt_feed(&raise->prompt, key, paste);
	raise->complaint[0] = '\0';
	return true;
}

/* Behind what is typed stands what is wrong with it, else how it goes on. */
static void draw_raise(const void *state, struct surface *out, struct rect at, bool focused)
{
	const struct raise *raise = state;
	int typed = text_width(LABEL) + text_width(raise->prompt.text) + 1; /* and the cursor */
	struct rect right = { at.x + typed + 2, at.y, at.w - typed - 2, 1 };
	(void)focused;
	bool wrong = raise->complaint[0] != '\0';
	draw_clear(out, at);
	prompt_draw(&raise->prompt, out, at);
	if (right.w > 0)
		draw_text(out, right, wrong ? STYLE_ERROR : STYLE_DIM,
			  wrong ? raise->complaint : HELP);
}

static void open_raise(void *state, struct ui *ui, const void *argument)
{
	struct raise *raise = state;
	raise->ui = ui;
	prompt_start(&raise->prompt, LABEL, argument);
}

const struct pane_ops raise_pane = {
	.name = "raise",
	.title = "Raise of a quota",
	.scope = &raise_scope,
	.state_size = sizeof(struct raise),
	.modal = true,
	.line = true,
	.open = open_raise,
	.feed = feed_raise,
	.draw = draw_raise,
};

/* All that is used and waited for, and more than there is. */
static int64_t suggestion(const struct quota_fact *fact)
{
	int64_t needed;
	if (__builtin_add_overflow(fact->used, fact->waiting, &needed) || needed > VALUE_MAX)
		needed = VALUE_MAX;
	return fact->told && needed <= fact->limit ? fact->limit + 1 : needed > 0 ? needed : 1;
}

void raise_begin(struct ui *ui, const char *instance_type, enum quota_kind kind, int64_t desired)
{
	char text[32];
	ui->raise = (struct quota_raise){ .kind = kind };
	snprintf(ui->raise.instance_type, TYPE_NAME_SIZE, "%s", instance_type);
	struct quota_fact fact = fact_of(ui, &ui->raise);
	if (ui->env->read_only) {
		ui->say(ui, STYLE_WARNING, "read-only: no key changes AWS (raise)");
		return;
	}
	if (!fact.code) {
		ui->say(ui, STYLE_WARNING,
			"no code of this quota is published: ask for it in the AWS console");
		return;
	}
	snprintf(text, sizeof(text), "%" PRId64, desired > 0 ? desired : suggestion(&fact));
	ui->push(ui, &raise_pane, text);
}

/* --- what came of it --- */

static void say_refused(struct ui *ui, const struct quota_raise *raise, const struct err *err)
{
	struct buf text;
	buf_init(&text, 2 * ERR_TEXT_MAX);
	if (err->outcome_open)
		buf_add_text(&text, "It is not known whether AWS has the request for a raise: ");
	else if (err->code == ERR_CONFLICT)
		buf_addf(&text, "A raise of %s for %s is open already: ", raise->instance_type,
			 quota_kind_usage(raise->kind));
	else
		buf_add_text(&text, "No raise: ");
	if (err->code != ERR_CONFLICT) {
		words_failure(&text, err);
		buf_add_text(&text, ": ");
	}
	words_first_line(&text, err_text(err));
	ui->say(ui, err->code == ERR_CONFLICT ? STYLE_WARNING : STYLE_ERROR, buf_text(&text));
	buf_release(&text);
}

void raise_result(struct ui *ui, const struct quota_raise *raise, const struct quota_raised *raised,
		  const struct err *err)
{
	char text[256];
	if (err) {
		say_refused(ui, raise, err);
		return;
	}
	snprintf(text, sizeof(text),
		 "asked for %" PRId64 " of %s (%s)%s%s: 15 to 60 minutes once granted",
		 raise->desired, raise->instance_type,
		 raised->status[0] ? raised->status : "state not told",
		 raised->case_id[0] ? ", support case " : "", raised->case_id);
	ui->say(ui, STYLE_GOOD, text);
}

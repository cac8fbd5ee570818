#include "views/front.h"

#define QUESTION_MAX 2048

bool front_is_command(const struct front *front)
{
	return front->runner.command != NULL;
}

void front_say(struct front *front, enum style style, struct buf *text)
{
	if (text->len > 0 && front_is_command(front)) {
		struct buf line;
		buf_init(&line, FRONT_TEXT_MAX);
		buf_addf(&line, "gpuq: %s\n", buf_text(text));
		command_add_outside(front->runner.run.messages, &line);
		buf_release(&line);
		follower_flush(&front->follower);
	} else if (text->len > 0) {
		screen_say(front->painter.screen, style, buf_text(text));
		painter_want(&front->painter, false);
	}
	buf_release(text);
}

/* --- for the herald --- */

static void herald_say(void *ctx, enum style style, const char *text)
{
	struct buf line;
	buf_init(&line, FRONT_TEXT_MAX);
	buf_add_text(&line, text);
	front_say(ctx, style, &line);
}

static void herald_send(void *ctx, const char *bytes, size_t len)
{
	struct front *front = ctx;
	if (!front->painter.term)
		return;
	term_send(front->painter.term, bytes, len);
	painter_want(&front->painter, false);
}

static const struct stuck_past *herald_past(void *ctx)
{
	return screen_usual_waits(((struct front *)ctx)->painter.screen);
}

static void herald_stop(void *ctx, const struct stop_wish *wish)
{
	struct front *front = ctx;
	front->cloud.stop(front->cloud.host, wish, 1);
}

void front_start_herald(struct front *front, struct loop *loop, const struct view_env *env)
{
	bool has_screen = !front_is_command(front);
	front->cloud = env->cloud;
	front->herald = (struct herald){ .loop = loop,
					 .clock = env->clock,
					 .store = env->store,
					 .config = env->config,
					 .account = env->account,
					 .region = env->region,
					 .utc = env->utc,
					 .read_only = env->read_only,
					 .say = herald_say,
					 .send = has_screen ? herald_send : NULL,
					 .past = has_screen ? herald_past : NULL,
					 .stop = herald_stop,
					 .ctx = front };
	herald_start(&front->herald);
}

void front_move(struct front *front, const struct view_env *env)
{
	painter_move(&front->painter, env);
	herald_move(&front->herald, env->utc, env->read_only);
}

void front_keep(struct front *front, const char *folder, bool passing, const struct err *err)
{
	painter_keep(&front->painter, folder, passing, err);
	herald_keep(&front->herald, folder, passing);
}

/* --- what has happened --- */

void front_warn(struct front *front, const struct err *err)
{
	struct buf text;
	buf_init(&text, FRONT_TEXT_MAX);
	buf_addf(&text, "%s%s%s", err->subject, err->subject[0] ? ": " : "", err_text(err));
	front_say(front, STYLE_WARNING, &text);
}

void front_say_warnings(struct front *front, const struct config *config)
{
	struct buf text;
	buf_init(&text, FRONT_TEXT_MAX);
	command_add_first_warning(&text, config);
	front_say(front, STYLE_WARNING, &text);
}

void front_progress(struct front *front, const char *text)
{
	if (front_is_command(front)) {
		runner_progress(text);
		return;
	}
	screen_say(front->painter.screen, STYLE_PENDING, text);
	painter_want(&front->painter, false);
}

void front_refresh(struct front *front)
{
	if (front_is_command(front))
		return;
	screen_refresh(front->painter.screen);
	painter_want(&front->painter, false);
}

void front_submitted(struct front *front, const char *name, const char *arn, const struct err *err)
{
	if (front_is_command(front)) {
		runner_created(&front->runner, arn, err);
		return;
	}
	screen_submitted(front->painter.screen, name, arn, err);
	painter_want(&front->painter, true);
}

void front_stopped(struct front *front, const struct stop_result *result)
{
	if (herald_stopped(&front->herald, result))
		return;
	if (front_is_command(front)) {
		runner_stopped(&front->runner, result);
		return;
	}
	screen_stopped(front->painter.screen, result);
	painter_want(&front->painter, true);
}

void front_requeued(struct front *front, const struct requeue_told *told)
{
	if (front_is_command(front)) {
		runner_requeued(&front->runner, told);
		return;
	}
	screen_requeued(front->painter.screen, told);
	painter_want(&front->painter, true);
}

void front_quota_raised(struct front *front, const struct quota_raise *raise,
			const struct quota_raised *raised, const struct err *err)
{
	screen_quota_raised(front->painter.screen, raise, raised, err);
	painter_want(&front->painter, true);
}

void front_settled(struct front *front)
{
	if (front_is_command(front))
		runner_connected(&front->runner);
	else
		screen_drafts_settled(front->painter.screen);
}

void front_ask_code(struct front *front, const char *profile, const char *serial)
{
	struct buf question;
	if (!front_is_command(front)) {
		screen_ask_code(front->painter.screen, profile, serial);
		painter_want(&front->painter, true);
		return;
	}
	if (!profile) {
		ask_line_stop(&front->ask_line);
		return;
	}
	buf_init(&question, QUESTION_MAX);
	buf_addf(&question, "profile %s, code of the MFA device %s: ", profile, serial);
	ask_line_start(&front->ask_line, buf_text(&question));
	buf_release(&question);
}

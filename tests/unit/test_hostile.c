/*
 * Hostile texts in every field from outside, on every screen: what libvterm shows is, cell by cell,
 * what the views drew, and no sequence but those of the program reaches the terminal. The long form
 * (GPUQ_SOAK_SECONDS) takes 100,000 texts; GPUQ_SEED= takes a seed again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/glass.h"
#include "tests/soak.h"
#include "tests/spoil.h"
#include "tui/clipboard.h"
#include "views/screen.h"

#define TEXTS_SHORT 2000
#define TEXTS_LONG  100000
#define STANDARD    7
#define DEAF_MS     500 /* longer than a question is deaf */
#define ESCAPES     6   /* out of whatever is open */
#define TEXT_MAX    (1u << 20)

/* What the keys open, a frame after each of them; a page is a pager's. */
static const struct {
	const char *name, *keys;
	bool is_page;
} views[] = {
	{ "home", "a r", false },
	{ "panes", "2 3 4 5 6 1", false },
	{ "zoomed panes", "2 z j G 3 4 5 G 6 z", false },
	{ "narrowed", "p p", false },
	{ "description", "d PgDn j G", true },
	{ "JSON", "y PgDn G", true },
	{ "search in a page", "y / a Enter n", true },
	{ "timeline", "t j", true },
	{ "explain", "x PgDn G", true },
	{ "explain and beyond", "x L", true },
	{ "logs", "L g l l w k t e n", true },
	{ "hosts of logs", "L o j Enter Tab", true },
	{ "search in logs", "L / m l . p Enter n N", true },
	{ "filtered logs", "L f ! q Enter", true },
	{ "metrics", "M l j - G", false },
	{ "history", "H Tab j Tab Tab Tab Tab Tab G", false },
	{ "plans", "B j PgDn G", true },
	{ "quotas", "% j PgDn G i", false },
	{ "raise", "% R", false },
	{ "types", "$ j f x Enter", false },
	{ "help", "? PgDn", true },
	{ "editor", "P P j j j k v +", false },
	{ "editor: types", "P i a Esc i Enter", false },
	{ "editor: plans", "P b j Enter", false },
	{ "editor: limit", "P l 9 h Enter", false },
	{ "editor: lists", "P T j j Enter", false },
	{ "editor: suggestions", "P o j", false },
	{ "editor: note", "P w", false },
	{ "editor: all else", "P e g D u C-r J K", false },
	{ "filter", "f !", false },
	{ "command", ": p r o f i l e Space Tab Tab", false },
	{ "regions", ": r e g i o n Space Tab Tab", false },
	{ "clone", "K", false },
	{ "cloned", "K Enter d", true },
	{ "file", "A", false },
	{ "submit", "P + X PgDn End Tab Tab", true },
	{ "stop", "S", true },
	{ "stop of many", "Space j Space j S", true },
	{ "compare", "U Space j = PgDn", true },
	{ "requeue of many", "U Space j Space j X", true },
	{ "marks", "Space j U", false },
	{ "card", "Y", false },
	{ "withdrawal", "W", false },
	{ "old list", "O", false },
	{ "quit", "q", false },
};

static const int sizes[][2] = { { 80, 24 }, { 120, 40 }, { 40, 12 }, { 160, 48 }, { 61, 17 } };

struct scene {
	struct sample sample; /* first: who hosts the screen's intents is both */
	struct spoil spoil;
	struct glass *glass;
	struct screen *screen;
	const char *view, *key; /* of the frame that is drawn */
	int columns, lines;
	int seed;
	unsigned long worlds, frames, copies;
};

/* --- frames --- */

static void draw(const void *ctx, struct surface *out)
{
	screen_draw(ctx, out);
}

static void show(struct scene *scene)
{
	if (!glass_show(scene->glass, draw, scene->screen))
		fail_msg("seed %d, world %lu (%dx%d), %s, behind the key %s: %s", scene->seed,
			 scene->worlds, scene->columns, scene->lines, scene->view, scene->key,
			 glass_why(scene->glass));
	scene->frames++;
}

static void press(struct scene *scene, const char *name)
{
	struct key key;

	if (!key_parse(name, &key))
		fail_msg("no key %s", name);
	screen_key(scene->screen, key, NULL);
}

static void press_and_show(struct scene *scene, const char *names)
{
	while (*names) {
		char name[KEY_NAME_SIZE] = "";
		size_t len = strcspn(names, " ");
		memcpy(name, names, len < sizeof(name) ? len : sizeof(name) - 1);
		scene->key = name;
		press(scene, name);
		show(scene);
		names += len + strspn(names + len, " ");
	}
}

static void close_all(struct scene *scene)
{
	sample_pass(&scene->sample, DEAF_MS);
	for (int i = 0; i < ESCAPES; i++)
		press(scene, "Esc");
}

/* As the terminal is asked to take it. */
static void copy(void *host, const char *what, const char *text)
{
	struct scene *scene = host;
	struct buf sequence;
	size_t len = strlen(text);

	(void)what;
	buf_init(&sequence, TEXT_MAX);
	clipboard_add_osc(&sequence, text, len < CLIPBOARD_OSC_MAX ? len : CLIPBOARD_OSC_MAX);
	glass_send(scene->glass, buf_text(&sequence), sequence.len);
	buf_release(&sequence);
	scene->copies++;
}

/* --- what is told --- */

static const char *next(struct scene *scene)
{
	return hostile_next(&scene->spoil.hostile, HOSTILE_SIZE);
}

static void tell_requeued(struct scene *scene, const struct err *err)
{
	char *texts[5];

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		texts[i] = mem_copy_text(hostile_next(&scene->spoil.hostile, JOB_NAME_SIZE));
	for (int step = 0; step < REQUEUE_STEPS; step++) {
		const struct requeue_told told = { .old_name = texts[0],
						   .old_arn = texts[1],
						   .new_name = texts[2],
						   .new_arn = step % 2 ? texts[3] : NULL,
						   .text = texts[4],
						   .step = (enum requeue_step)step,
						   .err = err,
						   .tags_err = step % 3 ? NULL : err };
		screen_requeued(scene->screen, &told);
		show(scene);
	}
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
}

static void tell_stopped(struct scene *scene, const struct err *err)
{
	struct stop_result result = { .left = 2, .err = err };
	char name[JOB_NAME_SIZE] = "";

	for (int outcome = STOP_DONE; outcome <= STOP_FAILED; outcome++) {
		hostile_put(&scene->spoil.hostile, name, sizeof(name));
		hostile_put(&scene->spoil.hostile, result.owner.name, sizeof(result.owner.name));
		result.name = name;
		result.owner.kind = OWNER_TUNING;
		result.outcome = (enum stop_outcome)outcome;
		screen_stopped(scene->screen, &result);
		show(scene);
	}
}

static void tell_raised(struct scene *scene, const struct err *err)
{
	struct quota_raise raise = { .desired = 3 };
	struct quota_raised raised = { .status = "PENDING" };

	hostile_put(&scene->spoil.hostile, raise.instance_type, sizeof(raise.instance_type));
	hostile_put(&scene->spoil.hostile, raised.status, sizeof(raised.status));
	hostile_put(&scene->spoil.hostile, raised.case_id, sizeof(raised.case_id));
	screen_quota_raised(scene->screen, &raise, &raised, NULL);
	show(scene);
	screen_quota_raised(scene->screen, &raise, &raised, err);
	show(scene);
}

static void tell_drafts(struct scene *scene, const struct err *err)
{
	char *path = mem_copy_text(next(scene));
	struct draft *draft = spoil_draft(&scene->spoil);

	screen_file_read(scene->screen, path, NULL, 0, err);
	show(scene);
	const char *text = next(scene);
	screen_file_read(scene->screen, path, text, strlen(text), NULL);
	show(scene);
	free(path);
	close_all(scene);
	text = next(scene);
	screen_edited(scene->screen, text, strlen(text), NULL);
	show(scene);
	if (draft) {
		screen_take_draft(scene->screen, draft);
		press_and_show(scene, "g d Esc x Esc P w Esc X");
		close_all(scene);
	}
	screen_drafts_trouble(scene->screen, next(scene));
	press_and_show(scene, "q");
	close_all(scene);
	screen_drafts_trouble(scene->screen, NULL);
}

static void tell(struct scene *scene)
{
	struct err err;
	char *serial = mem_copy_text(next(scene));

	spoil_err(&scene->spoil, &err);
	scene->view = "what is told";
	glass_expect_page(scene->glass, true); /* refusals are pages */
	scene->key = "none";
	screen_say(scene->screen, STYLE_ERROR, next(scene));
	show(scene);
	screen_submitted(scene->screen, next(scene), NULL, &err);
	show(scene);
	tell_stopped(scene, &err);
	tell_requeued(scene, &err);
	tell_raised(scene, &err);
	tell_drafts(scene, &err);
	screen_ask_code(scene->screen, next(scene), serial);
	show(scene);
	screen_ask_code(scene->screen, NULL, NULL);
	close_all(scene);
	err_clear(&err);
	free(serial);
}

/* --- a world --- */

static void open_world(struct scene *scene, const char **names)
{
	sample_start(&scene->sample);
	scene->sample.profiles = scene->sample.regions = names;
	spoil_sample(&scene->spoil, &scene->sample);
	scene->sample.env.intents.copy = copy;
	scene->sample.env.intents.host = scene;
	scene->screen = screen_new(&scene->sample.env);
	while (screen_idle(scene->screen))
		continue;
	screen_draw(scene->screen, glass_surface(scene->glass));
	for (uint32_t down = hostile_lot(&scene->spoil.hostile, 6); down > 0; down--)
		press(scene, "j");
	spoil_selected(&scene->spoil, &scene->sample);
	screen_refresh(scene->screen);
}

static void close_world(struct scene *scene)
{
	screen_free(scene->screen);
	sample_stop(&scene->sample);
	spoil_release(&scene->spoil);
	scene->worlds++;
}

static void walk(struct scene *scene)
{
	char *texts[3];
	const char *names[] = { NULL, NULL, NULL, NULL };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		names[i] = texts[i] = mem_copy_text(next(scene));
	open_world(scene, names);
	for (size_t i = 0; i < ARRAY_LEN(views); i++) {
		scene->view = views[i].name;
		glass_expect_page(scene->glass, views[i].is_page);
		press_and_show(scene, views[i].keys);
		close_all(scene);
	}
	tell(scene);
	close_world(scene);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
}

static void every_screen__shows_what_was_drawn__whatever_the_texts(void **state)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	unsigned long texts = soak_seconds(0) > 0 ? TEXTS_LONG : TEXTS_SHORT;
	unsigned long sequences = 0, doubtful = 0;

	(void)state;
	scene->seed = soak_seed(STANDARD);
	scene->spoil.hostile.seed = (uint32_t)scene->seed;
	while (scene->spoil.hostile.count < texts) {
		const int *size = sizes[scene->worlds % ARRAY_LEN(sizes)];
		scene->columns = size[0];
		scene->lines = size[1];
		scene->glass = glass_new(size[0], size[1]);
		walk(scene);
		sequences += glass_sequences(scene->glass);
		doubtful += glass_doubtful(scene->glass);
		glass_free(scene->glass);
	}
	print_message("seed %d: %lu texts in %lu frames of %lu worlds, %lu copied, %lu lines of "
		      "pages passed over\n",
		      scene->seed, scene->spoil.hostile.count, scene->frames, scene->worlds,
		      scene->copies, doubtful);
	/* The scanner sees sequences where there are some. */
	assert_true(scene->copies > 0 && sequences == scene->copies);
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_screen__shows_what_was_drawn__whatever_the_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/homescreen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/io.h"
#include "model/base/mem.h"

#define ROWS_MAX   200
#define GOLDEN_MAX (1u << 20)

void homescreen_start(struct homescreen *home, int columns, int lines,
		      void (*prepare)(struct sample *sample))
{
	homescreen_start_on(home, &(struct offscreen_options){ .columns = columns, .lines = lines },
			    prepare);
}

void homescreen_start_on(struct homescreen *home, const struct offscreen_options *terminal,
			 void (*prepare)(struct sample *sample))
{
	sample_start(&home->sample);
	sample_fill(&home->sample);
	if (prepare)
		prepare(&home->sample);
	home->offscreen = offscreen_open(terminal);
	if (!home->sample.store.history.loaded) /* else it is the test's own */
		sample_record(&home->sample);
	home->screen = screen_new(&home->sample.env);
	homescreen_learn(home);
	homescreen_draw(home);
}

void homescreen_learn(struct homescreen *home)
{
	while (screen_idle(home->screen))
		continue;
}

void homescreen_stop(struct homescreen *home)
{
	screen_free(home->screen);
	offscreen_free(home->offscreen);
	sample_stop(&home->sample);
}

void homescreen_draw(struct homescreen *home)
{
	screen_draw(home->screen, offscreen_surface(home->offscreen));
}

int homescreen_setup(void **state, int columns, int lines)
{
	struct homescreen *home = mem_new(1, sizeof(*home));

	homescreen_start(home, columns, lines, NULL);
	*state = home;
	return 0;
}

int homescreen_teardown(void **state)
{
	homescreen_stop(*state);
	free(*state);
	return 0;
}

void homescreen_keys(struct homescreen *home, const char *names)
{
	while (*names) {
		char name[KEY_NAME_SIZE];
		struct key key;
		size_t len = strcspn(names, " ");
		assert_true(len < sizeof(name));
		memcpy(name, names, len);
		name[len] = '\0';
		assert_true(key_parse(name, &key));
		screen_key(home->screen, key, NULL);
		homescreen_draw(home);
		names += len + strspn(names + len, " ");
	}
}

void homescreen_type(struct homescreen *home, const char *text)
{
	for (; *text; text++) {
		screen_key(home->screen, (struct key){ .code = (unsigned char)*text }, NULL);
		homescreen_draw(home);
	}
}

void homescreen_go_to(struct homescreen *home, const char *name)
{
	homescreen_keys(home, "g");
	for (int i = 0; i < ROWS_MAX; i++) {
		const char *slash = strrchr(home->sample.selected, '/');
		if (slash && strcmp(slash + 1, name) == 0)
			return;
		homescreen_keys(home, "j");
	}
	fail_msg("no job %s in the list", name);
}

void homescreen_pass(struct homescreen *home, int64_t ms)
{
	sample_pass(&home->sample, ms);
	screen_refresh(home->screen);
	homescreen_learn(home);
	homescreen_draw(home);
}

bool homescreen_shows(struct homescreen *home, const char *text)
{
	int x, y;
	homescreen_draw(home);
	return offscreen_find(home->offscreen, text, &x, &y);
}

void homescreen_want(struct homescreen *home, const char *text)
{
	if (!homescreen_shows(home, text))
		fail_msg("\"%s\" is not shown:\n%s", text, offscreen_text(home->offscreen));
}

void homescreen_want_not(struct homescreen *home, const char *text)
{
	if (homescreen_shows(home, text))
		fail_msg("\"%s\" is shown:\n%s", text, offscreen_text(home->offscreen));
}

const char *homescreen_line(struct homescreen *home, int y)
{
	homescreen_draw(home);
	return offscreen_line(home->offscreen, y);
}

static void write_golden(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

struct wants homescreen_wants(const struct homescreen *home)
{
	struct wants wants;
	screen_wants(home->screen, &wants);
	return wants;
}

static void compare_golden(const char *name, const char *text)
{
	char path[256];
	const char *mode = getenv("GPUQ_GOLDEN");
	struct err err = { 0 };
	struct buf wanted;
	assert_true(snprintf(path, sizeof(path), "tests/golden/%s.screen", name) > 0);
	if (mode && strcmp(mode, "write") == 0) {
		write_golden(path, text);
		return;
	}
	buf_init(&wanted, GOLDEN_MAX);
	if (!io_read_file(path, &wanted, &err))
		fail_msg("%s: %s", path, err_text(&err));
	assert_string_equal(text, buf_text(&wanted));
	buf_release(&wanted);
	err_clear(&err);
}

void homescreen_golden(struct homescreen *home, const char *name)
{
	homescreen_draw(home);
	compare_golden(name, offscreen_text(home->offscreen));
}

void homescreen_golden_looks(struct homescreen *home, const char *name)
{
	struct buf text;
	homescreen_draw(home);
	buf_init(&text, GOLDEN_MAX);
	buf_add_text(&text, offscreen_text(home->offscreen));
	buf_add_text(&text, offscreen_looks(home->offscreen));
	compare_golden(name, buf_text(&text));
	buf_release(&text);
}

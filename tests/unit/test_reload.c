/* The config read anew: what is taken, what waits for the next start, what a bad file does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "model/base/attr.h"
#include "views/reload.h"
#include "views/text/options.h"

#define SAID_MAX 4096

struct bench {
	struct options options;
	struct config config;
	struct keymap keys;
	struct reload reload;
	struct buf said;
	unsigned taken;
};

static void on_taken(void *ctx, const struct config *before)
{
	struct bench *bench = ctx;
	bench->taken++;
	(void)options_anew(&bench->options, &bench->config, before, &bench->said);
}

static void on_refused(void *ctx, const char *why)
{
	struct bench *bench = ctx;
	buf_add_text(&bench->said, why);
}

static void start(struct bench *bench, const char *text)
{
	static char name[] = "gpuq";
	static char *argv[] = { name, NULL };
	struct err err = { 0 };
	*bench = (struct bench){ 0 };
	buf_init(&bench->said, SAID_MAX);
	assert_true(options_parse(&bench->options, 1, argv, &err));
	bench->options.demo = true; /* nothing of the environment */
	assert_true(config_read(&bench->config, "config", text, strlen(text), &err));
	options_decide(&bench->options, &bench->config);
	bench->reload = (struct reload){ .config = &bench->config,
					 .keys = &bench->keys,
					 .taken = on_taken,
					 .refused = on_refused,
					 .refused_ctx = bench,
					 .ctx = bench };
}

static void stop(struct bench *bench)
{
	reload_stop(&bench->reload);
	keymap_release(&bench->keys);
	config_release(&bench->config);
	buf_release(&bench->said);
}

static void take(struct bench *bench, const char *text, const char *said)
{
	buf_clear(&bench->said);
	reload_take(&bench->reload, text, strlen(text));
	assert_string_equal(buf_text(&bench->said), said);
}

static void settings__hold_from_then_on(void **state)
{
	struct bench bench;
	(void)state;
	start(&bench, "theme = dark\nstuck_after = 1h\n");
	take(&bench,
	     "theme = light\nmax_per_hour = 10\nconfirm_above = 5\nutc = yes\n"
	     "[keys]\nfilter = C-f\n[list a]\nprefs = ml.p5.48xlarge\n",
	     "the config is taken");
	assert_int_equal(bench.taken, 1);
	assert_string_equal(bench.options.theme, "light");
	assert_true(bench.options.utc);
	assert_int_equal(bench.options.confirm_above_micro, 5000000);
	assert_int_equal(bench.config.settings[SETTING_MAX_PER_HOUR].number, 10000000);
	assert_null(bench.config.settings[SETTING_STUCK_AFTER].text);
	assert_int_equal(bench.keys.count, 1);
	assert_string_equal(bench.keys.rows[0].keys, "C-f F4");
	take(&bench, "", "the config is taken");
	assert_int_equal(bench.keys.count, 0);
	assert_string_equal(bench.options.theme, "dark");
	stop(&bench);
}

/* Whatever is wrong, and however little of it. */
static void bad_file__changes_nothing__and_says_why(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "theme = mono\nrefresh = 0\n",
		  "line 2, refresh: takes seconds from 1 to 3600, not '0'" },
		{ "theme = mono\nthme = light\n",
		  "line 2, thme: there is no such setting; did you mean theme?" },
		{ "theme = mono\n[keys]\nfilter = p\n",
		  "line 3, [keys] filter: p is the key of pending-only (Everywhere), by the "
		  "program's own table" },
		{ "theme = mono\n[keys]\nquit = C-s\n",
		  "line 3, [keys] quit: C-s is tmux's or the terminal's own (C-a C-b C-s C-q C-z "
		  "C-\\)" },
	};
	struct bench bench;
	(void)state;
	start(&bench, "theme = light\n[keys]\nfilter = C-f\n");
	take(&bench, "theme = light\n[keys]\nfilter = C-f\n", "the config is taken");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf said;
		buf_init(&said, SAID_MAX);
		buf_addf(&said, "config not taken, nothing changed: %s", cases[i].why);
		take(&bench, cases[i].text, buf_text(&said));
		buf_release(&said);
		assert_int_equal(bench.taken, 1);
		assert_string_equal(bench.options.theme, "light");
		assert_string_equal(bench.config.settings[SETTING_THEME].text, "light");
		assert_int_equal(bench.keys.count, 1);
	}
	stop(&bench);
}

static void read_only__is_only_ever_switched_on(void **state)
{
	struct bench bench;
	(void)state;
	start(&bench, "");
	assert_false(bench.options.read_only);
	take(&bench, "read_only = yes\n", "the config is taken; read-only from now on");
	assert_true(bench.options.read_only);
	take(&bench, "read_only = no\n", "the config is taken; read-only until the next start");
	assert_true(bench.options.read_only);
	take(&bench, "", "the config is taken; read-only until the next start");
	assert_true(bench.options.read_only);
	stop(&bench);
}

static void what_waits__is_named(void **state)
{
	struct bench bench;
	(void)state;
	start(&bench, "refresh = 10\n");
	take(&bench, "refresh = 20\nmouse = yes\ntheme = mono\n",
	     "the config is taken; at the next start: refresh, mouse");
	stop(&bench);
}

/* A profile of the new file is for the next start, and so are its sections. */
static void sections__are_those_of_the_profile_in_use(void **state)
{
	struct bench bench;
	(void)state;
	start(&bench, "profile = ops\n");
	bench.options.demo = false;
	options_decide(&bench.options, &bench.config);
	if (strcmp(config_profile(&bench.config), "ops") == 0) { /* else AWS_PROFILE is set */
		take(&bench,
		     "profile = other\n[profile other]\nutc = yes\n[profile ops]\ntheme = mono\n",
		     "the config is taken; at the next start: profile");
		assert_string_equal(config_profile(&bench.config), "ops");
		assert_string_equal(bench.options.theme, "mono");
		assert_false(bench.options.utc);
	}
	stop(&bench);
}

static void production__is_told__by_name_or_by_setting(void **state)
{
	struct bench bench;
	(void)state;
	assert_true(config_is_production(NULL, "prod"));
	assert_true(config_is_production(NULL, "eu-PROD-2"));
	assert_true(config_is_production(NULL, "my.production"));
	assert_true(config_is_production(NULL, "acme_live"));
	assert_true(config_is_production(NULL, "prod2"));
	assert_false(config_is_production(NULL, "product"));
	assert_false(config_is_production(NULL, "reproduction"));
	assert_false(config_is_production(NULL, "delivery"));
	assert_false(config_is_production(NULL, ""));
	assert_false(config_is_production(NULL, NULL));
	start(&bench, "production = yes\n");
	assert_true(config_is_production(&bench.config, "ops"));
	take(&bench, "production = no\n", "the config is taken");
	assert_false(config_is_production(&bench.config, "prod"));
	stop(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings__hold_from_then_on),
		cmocka_unit_test(bad_file__changes_nothing__and_says_why),
		cmocka_unit_test(read_only__is_only_ever_switched_on),
		cmocka_unit_test(what_waits__is_named),
		cmocka_unit_test(sections__are_those_of_the_profile_in_use),
		cmocka_unit_test(production__is_told__by_name_or_by_setting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

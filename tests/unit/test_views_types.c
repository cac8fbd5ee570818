/* Types and prices on the screen: hardware, price and its source, what is not known, the filter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/store_prices.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"

#define READ_AT INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	fakeui_start(fake, NULL);
	*state = fake;
	return 0;
}

static int stop(void **state)
{
	fakeui_stop(*state);
	free(*state);
	return 0;
}

static void want(struct fakeui *fake, int columns, const char *text)
{
	struct offscreen *screen = offscreen_new(columns, 24);
	struct surface *out = offscreen_surface(screen);
	int x, y;
	fakeui_top(fake)->draw(fakeui_top_state(fake), out, draw_bounds(out), true);
	if (!offscreen_find(screen, text, &x, &y))
		fail_msg("no '%s' in\n%s", text, offscreen_text(screen));
	offscreen_free(screen);
}

static void types__show_hardware_and_price__and_say_where_it_is_from(void **state)
{
	struct fakeui *fake = *state;
	fake->ui.push(&fake->ui, &types_pane, "ml.p5.48xlarge");
	want(fake, 80, "ml.p5.48xlarge: for training, endpoint; 8×H100 80 GiB each, 640 GiB in");
	want(fake, 80, "192 vCPU x86-64, 2048 GiB, network 3200 Gb/s, EFA, 30400 GB local disk");
	want(fake, 80, "training ~$63.30/h (table of 2026-09-04)");
	want(fake, 80, "the price list of AWS is being read");
	want(fake, 140,
	     "8×H100           80G   640G hopper       9.0   192  2048G  3200Gb yes 30400GB");
	struct listed_price *rows = mem_new(1, sizeof(*rows));
	*rows = (struct listed_price){ "ml.p5.48xlarge", 61000000, "USD" };
	store_take_prices(&fake->store, JOB_TRAINING, rows, 1, READ_AT, fake->mono_ms);
	want(fake, 80, "training $61/h (price-list of 2026-11-30)");
}

static void types__say_why__when_the_list_is_away_or_empty(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };
	fake->ui.push(&fake->ui, &types_pane, "ml.p6e-gb200.36xlarge");
	want(fake, 80, "network not published");
	want(fake, 80, "training no price");
	err_set(&err, ERR_DENIED, "not you");
	store_note_prices_failed(&fake->store, JOB_TRAINING, &err, INT64_MAX);
	err_clear(&err);
	want(fake, 80, "price list not read: denied");
	err_set(&err, ERR_THROTTLED, "slower");
	store_note_prices_failed(&fake->store, JOB_TRAINING, &err, fake->mono_ms + 240000);
	err_clear(&err);
	want(fake, 80, "price list not read: throttled, next try in 4m");
	store_take_prices(&fake->store, JOB_TRAINING, NULL, 0, READ_AT, fake->mono_ms);
	want(fake, 80, "AWS's price list has no prices in us-east-1");
}

int main(void)
{
#define TYPES_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		TYPES_TEST(types__show_hardware_and_price__and_say_where_it_is_from),
		TYPES_TEST(types__say_why__when_the_list_is_away_or_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

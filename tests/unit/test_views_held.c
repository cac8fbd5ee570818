/* A key held down: the list is painted alone, the panes beside follow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/homescreen.h"

/* Lines of the screen as drawn, below one another; free it. */
static char *picture(struct homescreen *home)
{
	const char *text = offscreen_text(home->offscreen);
	char *copy = strdup(text);
	assert_non_null(copy);
	return copy;
}

/* Down one row: the list and the header as in a whole frame, the panes beside as they were; and the
 * whole frame that follows is what it would have been. */
static void list__is_painted_alone__over_the_last_frame(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 160, 48, NULL);
	homescreen_keys(&home, "g");
	char *before = picture(&home);
	assert_true(screen_list_will_do(home.screen));
	screen_key(home.screen, (struct key){ .code = 'j' }, NULL);
	assert_true(screen_list_will_do(home.screen));
	screen_draw_list(home.screen, offscreen_surface(home.offscreen));
	char *over = picture(&home);
	homescreen_draw(&home);
	char *whole = picture(&home);
	const char *a = before, *b = over, *c = whole;
	size_t moved = 0, followed = 0;
	for (int y = 0; y < 48; y++) {
		size_t la = strcspn(a, "\n"), lb = strcspn(b, "\n"), lc = strcspn(c, "\n");
		bool as_before = la == lb && memcmp(a, b, la) == 0;
		bool as_whole = lb == lc && memcmp(b, c, lb) == 0;
		moved += !as_before;
		followed += !as_whole;
		a += la + (a[la] != 0), b += lb + (b[lb] != 0), c += lc + (c[lc] != 0);
	}
	assert_int_equal(moved, 2); /* the mark left one row and came to the next */
	assert_true(followed > 2);
	free(before);
	free(over);
	free(whole);
	homescreen_stop(&home);
}

/* A pane, a page or another size is more than the list. */
static void more_than_the_list__is_painted_whole(void **state)
{
	struct homescreen home;
	(void)state;
	homescreen_start(&home, 160, 48, NULL);
	screen_key(home.screen, (struct key){ .code = KEY_CODE_TAB }, NULL);
	assert_false(screen_list_will_do(home.screen));
	homescreen_draw(&home);
	assert_false(screen_list_will_do(home.screen));
	homescreen_keys(&home, "S-Tab");
	assert_true(screen_list_will_do(home.screen));
	screen_key(home.screen, (struct key){ .code = '?' }, NULL);
	assert_false(screen_list_will_do(home.screen));
	homescreen_draw(&home);
	screen_key(home.screen, (struct key){ .code = KEY_CODE_ESC }, NULL);
	assert_false(screen_list_will_do(home.screen)); /* the help still stands there */
	homescreen_stop(&home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list__is_painted_alone__over_the_last_frame),
		cmocka_unit_test(more_than_the_list__is_painted_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tui/capability.h"

#include <curses.h>
#include <string.h>
#include <term.h>
#undef lines /* term.h makes macros of words */
#undef columns

#include "model/base/attr.h"

/* Bracketed paste; terminals that do not know it ignore private modes. */
#define PASTE_ON  "\x1b[?2004h"
#define PASTE_OFF "\x1b[?2004l"

struct key_capability {
	const char *name;
	struct key key;
};

static const struct key_capability key_capabilities[] = {
	{ "kcuu1", { KEY_CODE_UP, 0 } },         { "kcud1", { KEY_CODE_DOWN, 0 } },
	{ "kcub1", { KEY_CODE_LEFT, 0 } },       { "kcuf1", { KEY_CODE_RIGHT, 0 } },
	{ "khome", { KEY_CODE_HOME, 0 } },       { "kend", { KEY_CODE_END, 0 } },
	{ "kpp", { KEY_CODE_PAGE_UP, 0 } },      { "knp", { KEY_CODE_PAGE_DOWN, 0 } },
	{ "kich1", { KEY_CODE_INSERT, 0 } },     { "kdch1", { KEY_CODE_DELETE, 0 } },
	{ "kcbt", { KEY_CODE_TAB, KEY_SHIFT } }, { "kent", { KEY_CODE_ENTER, 0 } },
	{ "kf1", { KEY_CODE_F1, 0 } },           { "kf2", { KEY_CODE_F1 + 1, 0 } },
	{ "kf3", { KEY_CODE_F1 + 2, 0 } },       { "kf4", { KEY_CODE_F1 + 3, 0 } },
	{ "kf5", { KEY_CODE_F1 + 4, 0 } },       { "kf6", { KEY_CODE_F1 + 5, 0 } },
	{ "kf7", { KEY_CODE_F1 + 6, 0 } },       { "kf8", { KEY_CODE_F1 + 7, 0 } },
	{ "kf9", { KEY_CODE_F1 + 8, 0 } },       { "kf10", { KEY_CODE_F1 + 9, 0 } },
	{ "kf11", { KEY_CODE_F1 + 10, 0 } },     { "kf12", { KEY_CODE_F12, 0 } },
};

/* tigetstr says "absent" by NULL and "no string capability" by -1. */
static const char *string_of(const char *name)
{
	const char *value = tigetstr(name);

	return value == (const char *)-1 ? NULL : value;
}

/* Padding ("$<5/>") is for terminals on serial lines of the last century. */
static void add_without_padding(struct buf *out, const char *value)
{
	while (*value) {
		const char *end = strncmp(value, "$<", 2) == 0 ? strchr(value, '>') : NULL;
		if (end)
			value = end + 1;
		else
			(void)buf_add_char(out, *value++);
	}
}

void capability_add(struct buf *out, const char *name)
{
	const char *value = string_of(name);

	if (value)
		add_without_padding(out, value);
}

void capability_enter(struct buf *out, bool alternate_screen)
{
	if (alternate_screen)
		capability_add(out, "smcup");
	capability_add(out, "smkx");
	(void)buf_add_text(out, PASTE_ON);
	capability_add(out, "civis");
}

void capability_leave(struct buf *out, int lines)
{
	const char *place = string_of("cup");

	(void)buf_add_text(out, PASTE_OFF);
	capability_add(out, "rmkx");
	capability_add(out, "sgr0");
	capability_add(out, "op");
	if (place && lines > 0)
		add_without_padding(out, tparm(place, lines - 1, 0, 0, 0, 0, 0, 0, 0, 0));
	if (string_of("rmcup"))
		capability_add(out, "rmcup");
	else
		(void)buf_add_text(out, "\r\n");
	/* Last: some terminals keep a hidden cursor with the screen that comes back. */
	capability_add(out, "cnorm");
}

void capability_whole_window(struct buf *out, int lines)
{
	const char *region = string_of("csr");

	if (region && lines > 0)
		add_without_padding(out, tparm(region, 0, lines - 1, 0, 0, 0, 0, 0, 0, 0));
}

void capability_keys(struct input *input)
{
	for (size_t i = 0; i < ARRAY_LEN(key_capabilities); i++)
		input_add_sequence(input, string_of(key_capabilities[i].name),
				   key_capabilities[i].key);
}

bool capability_known(const char *name, int fd)
{
	int why;

	return setupterm(name, fd, &why) == OK && del_curterm(cur_term) == OK;
}

bool capability_look(const char *name, int fd, bool *has_cursor, int *colours)
{
	int why, count;

	if (setupterm(name, fd, &why) != OK)
		return false;
	count = tigetnum("colors");
	*colours = count > 0 ? count : 0;
	*has_cursor = capability_has_screen();
	return del_curterm(cur_term) == OK;
}

bool capability_has_mouse(void)
{
	return string_of("kmous") != NULL;
}

bool capability_has_screen(void)
{
	return string_of("cup") != NULL;
}

void capability_size(int *columns, int *lines)
{
	*columns = tigetnum("cols");
	*lines = tigetnum("lines");
	if (*columns <= 0)
		*columns = 80;
	if (*lines <= 0)
		*lines = 24;
}

#include "tui/mouse.h"

#define MOVED   32 /* bits of the button's number */
#define WHEEL   64
#define NUMBERS 3
#define DIGITS  5

/* The numbers between "[<" and the last byte: as many as there have to be, none of them empty. */
static bool read_numbers(const char *bytes, size_t len, int numbers[NUMBERS])
{
	size_t at = 0, digits = 0;

	numbers[0] = numbers[1] = numbers[2] = 0;
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == ';') {
			if (digits == 0 || ++at == NUMBERS)
				return false;
			digits = 0;
		} else if (bytes[i] >= '0' && bytes[i] <= '9' && digits < DIGITS) {
			numbers[at] = numbers[at] * 10 + (bytes[i] - '0');
			digits++;
		} else {
			return false;
		}
	}
	return at == NUMBERS - 1 && digits > 0;
}

static bool read_act(int button, bool pressed, enum mouse_act *act)
{
	if (button == WHEEL || button == WHEEL + 1)
		*act = button == WHEEL ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
	else if (button == MOVED)
		*act = MOUSE_DRAG;
	else
		*act = pressed ? MOUSE_PRESS : MOUSE_RELEASE;
	/* A wheel is not let go of, and who lets go has not moved. */
	return pressed || button == 0;
}

bool mouse_read(const char *bytes, size_t len, struct mouse *mouse)
{
	int numbers[NUMBERS];
	char last = len > 2 ? bytes[len - 1] : '\0';

	if ((last != 'M' && last != 'm') || bytes[0] != '[' || bytes[1] != '<' ||
	    !read_numbers(bytes + 2, len - 3, numbers))
		return false;
	int button = numbers[0], x = numbers[1], y = numbers[2];
	if ((button != 0 && button != MOVED && button != WHEEL && button != WHEEL + 1) || x < 1 ||
	    y < 1 || x > MOUSE_CELLS_MAX || y > MOUSE_CELLS_MAX)
		return false;
	mouse->x = x - 1;
	mouse->y = y - 1;
	return read_act(button, last == 'M', &mouse->act);
}

#include "tui/facts.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/capability.h"
#include "tui/term.h"

/* That of the window, by whichever of the three is on it. */
static void take_size(struct terminal_facts *facts)
{
	static const int fds[] = { STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO };
	struct winsize size;
	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (ioctl(fds[i], TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
			continue;
		facts->columns = size.ws_col;
		facts->lines = size.ws_row;
		return;
	}
}

void term_facts(struct terminal_facts *facts)
{
	const char *name = getenv("TERM"), *no_color = getenv("NO_COLOR");
	*facts = (struct terminal_facts){
		.name = name ? name : "",
		.is_utf8 = term_locale_is_utf8(),
		.in_is_tty = isatty(STDIN_FILENO),
		.out_is_tty = isatty(STDOUT_FILENO),
		.no_color = no_color && no_color[0],
	};
	take_size(facts);
	if (facts->name[0])
		facts->is_known = capability_look(facts->name, STDOUT_FILENO, &facts->has_cursor,
						  &facts->colours);
}

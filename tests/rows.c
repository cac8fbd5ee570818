#include "tests/rows.h"

#include <stdio.h>
#include <string.h>

const char *rows_find(const char *screen, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strstr(screen, name); at; at = strstr(at + 1, name)) {
		if (at > screen && at[-1] == ' ' && at[len] == ' ')
			return at + len;
	}
	return NULL;
}

void rows_word(const char *row, int nth, char *out, size_t size)
{
	size_t len = 0;

	for (; nth >= 0; nth--) {
		row += len + strspn(row + len, " ");
		len = strcspn(row, " \n");
	}
	snprintf(out, size, "%.*s", (int)len, row);
}

bool rows_phase(const char *screen, const char *name, enum phase *phase)
{
	const char *row = rows_find(screen, name);
	char word[32];

	if (!row)
		return false;
	rows_word(row, 1, word, sizeof(word));
	if (!phase_parse(word, phase))
		*phase = PHASE_UNKNOWN;
	return true;
}

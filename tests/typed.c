#include "tests/typed.h"

#include <string.h>

#include "model/base/buf.h"

#define NAMES_MAX 8192

const char *typed_names(struct input *input, int64_t now_ms)
{
	static char all[NAMES_MAX + 1];
	char name[KEY_NAME_SIZE];
	struct key key;
	struct buf names;

	buf_init(&names, NAMES_MAX);
	while (input_next(input, now_ms, &key)) {
		key_format(key, name);
		(void)buf_addf(&names, "%s%s", names.len ? " " : "", name);
		if (key.code == KEY_CODE_PASTE)
			(void)buf_addf(&names, "(%s)", input_paste(input));
	}
	memcpy(all, buf_text(&names), names.len + 1);
	buf_release(&names);
	return all;
}

void typed_feed(struct input *input, const char *bytes, int64_t now_ms)
{
	input_feed(input, bytes, strlen(bytes), now_ms);
}

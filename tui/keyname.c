#include "tui/input.h"

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/text.h"

struct named_key {
	const char *name;
	uint32_t code;
};

static const struct named_key named_keys[] = {
	{ "Up", KEY_CODE_UP },
	{ "Down", KEY_CODE_DOWN },
	{ "Left", KEY_CODE_LEFT },
	{ "Right", KEY_CODE_RIGHT },
	{ "Home", KEY_CODE_HOME },
	{ "End", KEY_CODE_END },
	{ "PgUp", KEY_CODE_PAGE_UP },
	{ "PgDn", KEY_CODE_PAGE_DOWN },
	{ "Insert", KEY_CODE_INSERT },
	{ "Delete", KEY_CODE_DELETE },
	{ "Backspace", KEY_CODE_BACKSPACE },
	{ "Tab", KEY_CODE_TAB },
	{ "Enter", KEY_CODE_ENTER },
	{ "Esc", KEY_CODE_ESC },
	{ "F1", KEY_CODE_F1 },
	{ "F2", KEY_CODE_F1 + 1 },
	{ "F3", KEY_CODE_F1 + 2 },
	{ "F4", KEY_CODE_F1 + 3 },
	{ "F5", KEY_CODE_F1 + 4 },
	{ "F6", KEY_CODE_F1 + 5 },
	{ "F7", KEY_CODE_F1 + 6 },
	{ "F8", KEY_CODE_F1 + 7 },
	{ "F9", KEY_CODE_F1 + 8 },
	{ "F10", KEY_CODE_F1 + 9 },
	{ "F11", KEY_CODE_F1 + 10 },
	{ "F12", KEY_CODE_F12 },
	{ "Paste", KEY_CODE_PASTE },
	{ "Bad", KEY_CODE_BAD },
	{ "Mouse", KEY_CODE_MOUSE },
	{ "Space", ' ' },
};

size_t key_encode(uint32_t code, char bytes[4])
{
	if (code < 0x80) {
		bytes[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | (code >> 18 & 7));
	bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

void key_format(struct key key, char out[KEY_NAME_SIZE])
{
	char bytes[5] = { 0 };
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_LEN(named_keys); i++)
		if (named_keys[i].code == key.code)
			name = named_keys[i].name;
	if (!name) {
		bytes[key.code < KEY_CODE_FIRST ? key_encode(key.code, bytes) : 0] = '\0';
		name = bytes;
	}
	int len = snprintf(out, KEY_NAME_SIZE, "%s%s%s%s", key.mods & KEY_CTRL ? "C-" : "",
			   key.mods & KEY_ALT ? "A-" : "", key.mods & KEY_SHIFT ? "S-" : "", name);
	if (len < 0)
		out[0] = '\0';
}

static bool parse_modifier(const char **name, unsigned *mods)
{
	static const struct {
		char letter;
		unsigned mod;
	} modifiers[] = { { 'C', KEY_CTRL }, { 'A', KEY_ALT }, { 'S', KEY_SHIFT } };

	for (size_t i = 0; i < ARRAY_LEN(modifiers); i++) {
		if ((*name)[0] != modifiers[i].letter || (*name)[1] != '-' || !(*name)[2])
			continue;
		if (*mods & modifiers[i].mod)
			return false;
		*mods |= modifiers[i].mod;
		*name += 2;
		return true;
	}
	return false;
}

bool key_parse(const char *name, struct key *key)
{
	unsigned mods = 0;
	uint32_t code = 0;

	while (parse_modifier(&name, &mods))
		continue;
	for (size_t i = 0; i < ARRAY_LEN(named_keys); i++)
		if (strcmp(named_keys[i].name, name) == 0)
			code = named_keys[i].code;
	if (code == 0) {
		size_t len = strlen(name);
		if (len == 0 || text_decode(name, len, &code) != len || code == TEXT_BAD ||
		    code <= ' ' || code == 0x7f)
			return false;
		/* No terminal sends Shift, nor Ctrl with upper case, for a character. */
		if ((mods & KEY_SHIFT) || ((mods & KEY_CTRL) && code >= 'A' && code <= 'Z'))
			return false;
	}
	*key = (struct key){ .code = code, .mods = mods };
	return true;
}

bool key_equal(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

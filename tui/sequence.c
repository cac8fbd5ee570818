#include "tui/sequence.h"

#include "model/base/attr.h"

#define F(number) ((uint32_t)KEY_CODE_F1 + (number)-1)

struct final {
	char byte;
	uint32_t code;
	unsigned mods;
};

/* CSI and SS3 end in the same letters. Source: XTerm Control Sequences, "PC-Style Function Keys".
 */
static const struct final letters[] = {
	{ 'A', KEY_CODE_UP, 0 },
	{ 'B', KEY_CODE_DOWN, 0 },
	{ 'C', KEY_CODE_RIGHT, 0 },
	{ 'D', KEY_CODE_LEFT, 0 },
	{ 'H', KEY_CODE_HOME, 0 },
	{ 'F', KEY_CODE_END, 0 },
	{ 'P', F(1), 0 },
	{ 'Q', F(2), 0 },
	{ 'R', F(3), 0 },
	{ 'S', F(4), 0 },
	{ 'Z', KEY_CODE_TAB, KEY_SHIFT },
};

/* rxvt: Shift with CSI, Ctrl with SS3. */
static const struct final rxvt_arrows[] = {
	{ 'a', KEY_CODE_UP, 0 },
	{ 'b', KEY_CODE_DOWN, 0 },
	{ 'c', KEY_CODE_RIGHT, 0 },
	{ 'd', KEY_CODE_LEFT, 0 },
};

/* The keypad in application mode; j to y are the characters '*' to '9'. */
static const struct final keypad[] = {
	{ 'M', KEY_CODE_ENTER, 0 },
	{ 'I', KEY_CODE_TAB, 0 },
	{ ' ', ' ', 0 },
	{ 'X', '=', 0 },
};

/* rxvt ends in another byte than '~' for modifiers. */
static const struct final tildes[] = {
	{ '~', 0, 0 },
	{ '$', 0, KEY_SHIFT },
	{ '^', 0, KEY_CTRL },
	{ '@', 0, KEY_CTRL | KEY_SHIFT },
};

/* vt220 numbers, and those of rxvt for Home and End. */
static const struct {
	unsigned number;
	uint32_t code;
} numbers[] = {
	{ 1, KEY_CODE_HOME },
	{ 2, KEY_CODE_INSERT },
	{ 3, KEY_CODE_DELETE },
	{ 4, KEY_CODE_END },
	{ 5, KEY_CODE_PAGE_UP },
	{ 6, KEY_CODE_PAGE_DOWN },
	{ 7, KEY_CODE_HOME },
	{ 8, KEY_CODE_END },
	{ 11, F(1) },
	{ 12, F(2) },
	{ 13, F(3) },
	{ 14, F(4) },
	{ 15, F(5) },
	{ 17, F(6) },
	{ 18, F(7) },
	{ 19, F(8) },
	{ 20, F(9) },
	{ 21, F(10) },
	{ 23, F(11) },
	{ 24, F(12) },
};

static const struct final *find_final(const struct final *finals, size_t count, char byte)
{
	for (size_t i = 0; i < count; i++)
		if (finals[i].byte == byte)
			return &finals[i];
	return NULL;
}

/* At most two numbers parted by ';'; an absent one is 1. False if there is anything else. */
static bool read_numbers(const char *bytes, size_t len, unsigned out[2], size_t *count)
{
	bool digits = false;

	out[0] = out[1] = 1;
	*count = len > 0;
	for (size_t i = 0; i < len; i++) {
		unsigned *number = &out[*count - 1];
		if (bytes[i] == ';') {
			if (++*count > 2)
				return false;
			digits = false;
			continue;
		}
		if (bytes[i] < '0' || bytes[i] > '9' || *number > 999)
			return false;
		*number = (digits ? *number * 10 : 0) + (unsigned)(bytes[i] - '0');
		digits = true;
	}
	return true;
}

/* xterm's parameter: 1 and a bit for each of Shift, Alt, Ctrl, Meta. */
static bool read_modifiers(unsigned parameter, unsigned *mods)
{
	unsigned bits = parameter - 1;

	if (parameter < 1 || parameter > 16)
		return false;
	*mods = (bits & 1 ? KEY_SHIFT : 0) | (bits & (2 | 8) ? KEY_ALT : 0) |
		(bits & 4 ? KEY_CTRL : 0);
	return true;
}

static bool letter_key(const struct final *final, const unsigned number[2], size_t count,
		       struct key *key)
{
	unsigned mods;

	/* Old xterms send the modifiers alone: CSI 5 A. */
	if ((count == 2 && number[0] != 1) ||
	    !read_modifiers(count == 2 ? number[1] : number[0], &mods))
		return false;
	*key = (struct key){ .code = final->code, .mods = final->mods | mods };
	return true;
}

static bool number_key(const struct final *final, const unsigned number[2], size_t count,
		       struct key *key)
{
	unsigned mods;

	if (count == 0 || !read_modifiers(number[1], &mods))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		if (numbers[i].number != number[0])
			continue;
		*key = (struct key){ .code = numbers[i].code, .mods = final->mods | mods };
		return true;
	}
	return false;
}

static bool csi_key(const char *bytes, size_t len, struct key *key)
{
	unsigned number[2];
	size_t count;
	char last = bytes[len - 1];

	if (len == 2 && bytes[0] == '[' && last >= 'A' && last <= 'E') { /* Linux console */
		*key = (struct key){ .code = F(1) + (uint32_t)(last - 'A'), .mods = 0 };
		return true;
	}
	if (!read_numbers(bytes, len - 1, number, &count))
		return false;
	const struct final *final = find_final(letters, ARRAY_LEN(letters), last);
	if (final)
		return letter_key(final, number, count, key);
	final = find_final(tildes, ARRAY_LEN(tildes), last);
	if (final)
		return number_key(final, number, count, key);
	final = find_final(rxvt_arrows, ARRAY_LEN(rxvt_arrows), last);
	if (!final || count > 0)
		return false;
	*key = (struct key){ .code = final->code, .mods = KEY_SHIFT };
	return true;
}

static bool ss3_key(const char *bytes, size_t len, struct key *key)
{
	unsigned number[2];
	size_t count;
	char last = bytes[len - 1];

	if (!read_numbers(bytes, len - 1, number, &count))
		return false;
	const struct final *final = find_final(letters, ARRAY_LEN(letters), last);
	if (final)
		return letter_key(final, number, count, key);
	if (count > 0)
		return false;
	*key = (struct key){ 0 };
	final = find_final(rxvt_arrows, ARRAY_LEN(rxvt_arrows), last);
	if (final)
		*key = (struct key){ .code = final->code, .mods = KEY_CTRL };
	else if ((final = find_final(keypad, ARRAY_LEN(keypad), last)))
		key->code = final->code;
	else if (last >= 'j' && last <= 'y')
		key->code = (uint32_t)(last - 'j' + '*');
	return key->code != 0;
}

bool sequence_key(const char *bytes, size_t len, struct key *key)
{
	if (len < 2)
		return false;
	if (bytes[0] == '[')
		return csi_key(bytes + 1, len - 1, key);
	return bytes[0] == 'O' && ss3_key(bytes + 1, len - 1, key);
}

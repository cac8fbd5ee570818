#include "tests/wildkeys.h"

#include <string.h>

#include "model/base/attr.h"
#include "tests/anytext.h"

#define CLOSES_MAX 8

/* The first keys of an intention. What opens a modal is answered there. */
static const char *const intentions[] = {
	"J", "K",     "A-Down", "A-Up", "F7", "F8", "1",     "2", "3",       "4",
	"5", "+",     "+",      "=",    "-",  "-",  "g",     "D", "i",       "i",
	"i", "Enter", "b",      "l",    "u",  "u",  "C-r",   "j", "j",       "k",
	"j", "k",     "Home",   "G",    "G",  "v",  "Enter", "T", "j Enter", "G Enter",
};

/* What is typed into a modal before its Enter: type names whole and in part, limits, nothing. */
static const char *const typed[] = {
	"ml.p5.48xlarge",
	"ml.p4d.24xlarge",
	"ml.g6.48xlarge",
	"ml.g5.12xlarge",
	"p5",
	"g6e",
	"trn",
	"ml.m5.xlarge",
	"p3",
	"g5",
	"6h",
	"30m",
	"2h",
	"40d",
	"",
	"",
	"c5.x",
	"p5en",
};

static unsigned type(struct fakeui *fake, const char *text)
{
	fakeui_type(fake, text);
	return (unsigned)strlen(text);
}

/* Types something, goes down by lot, and takes what stands there. */
static unsigned answer(struct fakeui *fake, uint32_t *seed)
{
	unsigned keys = type(fake, typed[anytext_random(seed) % ARRAY_LEN(typed)]);
	for (uint32_t down = anytext_random(seed) % 3; down > 0 && fake->modal_count > 0; down--) {
		fakeui_keys(fake, "Down");
		keys++;
	}
	if (fake->modal_count > 0) {
		fakeui_keys(fake, "Enter");
		keys++;
	}
	return keys;
}

unsigned wildkeys_press(struct fakeui *fake, uint32_t *seed)
{
	const char *first = intentions[anytext_random(seed) % ARRAY_LEN(intentions)];
	unsigned keys = strchr(first, ' ') ? 2 : 1;
	fakeui_keys(fake, first);
	if (fake->modal_count > 0)
		keys += answer(fake, seed);
	for (int closes = 0; fake->modal_count > 0 && closes < CLOSES_MAX; closes++) {
		fakeui_keys(fake, "Esc");
		keys++;
	}
	return keys;
}

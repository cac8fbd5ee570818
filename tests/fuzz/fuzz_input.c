/*
 * Bytes from a keyboard, cut anywhere. The input's first byte is the seed of the cuts. The others
 * are typed twice: at once, and in pieces within Esc's patience, which must come to the same keys.
 * Then they choose sequences that terminals send, cut with long gaps: of those nothing but the key
 * itself and Esc may come. What comes goes into a prompt, which takes no control.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/text.h"
#include "tests/fuzz/fuzz.h"
#include "tui/input.h"
#include "tui/prompt.h"

#define TYPED_MAX   2000
#define CHOSEN_MAX  60
#define NAMES_MAX   (1u << 20)
#define SILENCE_MS  40000 /* longer than anything is waited for */
#define LONG_GAP_MS 299   /* within a cut sequence after Esc: INPUT_LATE_MS */

/* The keys that came, as names; pastes with their text. */
struct typing {
	struct input *input;
	struct prompt prompt;
	struct buf names;
	size_t keys;
	int64_t now_ms;
};

static void start(struct typing *typing)
{
	*typing = (struct typing){ .input = input_new(), .now_ms = 5000 };
	buf_init(&typing->names, NAMES_MAX);
	prompt_start(&typing->prompt, "label ", "");
	/* As terminfo tells of keys that begin like nothing else. */
	input_add_sequence(typing->input, "\x1b~k1", (struct key){ KEY_CODE_F1, 0 });
	input_add_sequence(typing->input, "\x1b[[A", (struct key){ KEY_CODE_F1, 0 });
}

static void stop(struct typing *typing)
{
	input_free(typing->input);
	buf_release(&typing->names);
}

static void check_key(struct key key)
{
	char name[KEY_NAME_SIZE];
	struct key again;

	assert(key.code >= 0x20 && !(key.code >= 0x7F && key.code < 0xA0));
	assert(!(key.code >= 0xD800 && key.code < 0xE000) && key.code <= KEY_CODE_MOUSE);
	assert((key.mods & ~7u) == 0);
	key_format(key, name);
	if (key.code != TEXT_BAD) {
		bool ok = key_parse(name, &again);
		assert(ok && key_equal(key, again));
	}
}

static void feed_prompt(struct prompt *prompt, struct key key, const char *paste)
{
	enum prompt_result result = prompt_feed(prompt, key, paste);

	assert(prompt->len < PROMPT_SIZE && strlen(prompt->text) == prompt->len);
	assert(prompt->cursor <= prompt->len);
	assert(((unsigned char)prompt->text[prompt->cursor] & 0xC0) != 0x80);
	fuzz_want_harmless(prompt->text, prompt->len, "");
	if (result != PROMPT_MORE) {
		assert(key.code == KEY_CODE_ENTER || key.code == KEY_CODE_ESC ||
		       key.mods == KEY_CTRL);
		prompt_start(prompt, "label ", prompt->text);
	}
}

static void collect(struct typing *typing)
{
	struct key key;

	while (input_next(typing->input, typing->now_ms, &key)) {
		const char *paste = key.code == KEY_CODE_PASTE ? input_paste(typing->input) : NULL;
		char name[KEY_NAME_SIZE];

		typing->keys++;
		check_key(key);
		if (key.code != KEY_CODE_MOUSE) /* the terminal keeps those apart */
			feed_prompt(&typing->prompt, key, paste);
		key_format(key, name);
		buf_addf(&typing->names, "%s", name);
		if (paste) {
			assert(strlen(paste) <= INPUT_PASTE_MAX);
			buf_addf(&typing->names, "(%s)", paste);
		}
		buf_add_char(&typing->names, ' ');
	}
}

static void feed(struct typing *typing, const void *bytes, size_t len)
{
	input_feed(typing->input, bytes, len, typing->now_ms);
	collect(typing);
}

/* Waits as the loop does, until nothing is half read. */
static void fall_silent(struct typing *typing)
{
	int64_t end_ms = typing->now_ms + SILENCE_MS, wait;

	while ((wait = input_wait_ms(typing->input, typing->now_ms)) >= 0) {
		typing->now_ms += wait ? wait : 1;
		assert(typing->now_ms <= end_ms);
		collect(typing);
	}
}

static unsigned random_next(unsigned *seed, unsigned limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % limit;
}

static void check_pieces(const uint8_t *bytes, size_t len, unsigned seed)
{
	struct typing whole, cut;

	start(&whole);
	start(&cut);
	feed(&whole, bytes, len);
	fall_silent(&whole);
	for (size_t at = 0; at < len;) {
		size_t piece = 1 + random_next(&seed, 4);

		piece = piece < len - at ? piece : len - at;
		feed(&cut, bytes + at, piece);
		at += piece;
		cut.now_ms += random_next(&seed, INPUT_ESC_MS);
	}
	fall_silent(&cut);
	assert(strcmp(buf_text(&whole.names), buf_text(&cut.names)) == 0);
	assert(whole.keys <= 2 * len);
	input_feed(cut.input, (const char *)bytes, len, cut.now_ms);
	input_discard(cut.input);
	size_t before = cut.keys;
	collect(&cut);
	assert(cut.keys == before);
	stop(&whole);
	stop(&cut);
}

/* Not strings (ESC ]): after a gap those are Alt and a key, and gpuq asks for none. */
static const char *const sequences[] = { "\x1b[A",          "\x1bOB",
					 "\x1b[1;5C",       "\x1b[3~",
					 "\x1b[24;2~",      "\x1bOP",
					 "\x1b[[A",         "\x1b[Z",
					 "\x1b\x1b[D",      "\x1b[200~j\x1b[Y\ny\x1b[201~",
					 "\x1b[3$",         "\x1b[15^",
					 "\x1bOM",          "\x1b~k1",
					 "\x1b[M !",        "\x1b[<0;1M",
					 "\x1b[?1;2c",      "\x1b[<0;12;5M",
					 "\x1b[<65;80;24M", "\x1b[<32;7;8M" };

/* Bytes of the word, if it stands at the front of names. */
static size_t word_at(const char *names, const char *word)
{
	size_t len = strlen(word);

	return strncmp(names, word, len) == 0 ? len : 0;
}

/* What a cut sequence came to: itself, Esc, or, without the ESC of Alt, the bare key. */
static void want_key_or_esc(const char *names, const char *own)
{
	const char *bare = strncmp(own, "A-", 2) == 0 ? own + 2 : own;

	while (*names) {
		size_t used = word_at(names, "Esc ");

		used = used ? used : word_at(names, own);
		used = used ? used : word_at(names, bare);
		assert(used > 0);
		names += used;
	}
}

static void check_sequence(const char *sequence, unsigned *seed)
{
	struct typing whole, cut;
	size_t len = strlen(sequence);

	start(&whole);
	start(&cut);
	input_mouse_on(whole.input, true);
	input_mouse_on(cut.input, true);
	feed(&whole, sequence, len);
	for (size_t at = 0; at < len; at++) {
		feed(&cut, sequence + at, 1);
		if (random_next(seed, 3) != 0)
			continue;
		/* The loop wakes when it has said, if that is before the rest. */
		int64_t gap = random_next(seed, LONG_GAP_MS), wait;
		int64_t rest = cut.now_ms + gap;
		wait = input_wait_ms(cut.input, cut.now_ms);
		if (wait >= 0 && wait < gap) {
			cut.now_ms += wait;
			collect(&cut);
		}
		cut.now_ms = rest;
	}
	fall_silent(&cut);
	want_key_or_esc(buf_text(&cut.names), buf_text(&whole.names));
	stop(&whole);
	stop(&cut);
}

/* What a question throws away does not come when the rest of it does; but for a paste whose begin
 * was cut, which answers nothing. */
static void check_discarded(const char *sequence, unsigned *seed)
{
	struct typing typing;
	size_t len = strlen(sequence), cut = 1 + random_next(seed, (unsigned)len - 1);

	start(&typing);
	input_mouse_on(typing.input, true);
	feed(&typing, sequence, cut);
	input_discard(typing.input);
	typing.now_ms += random_next(seed, LONG_GAP_MS);
	feed(&typing, sequence + cut, len - cut);
	/* Alt's ESC alone, and then a whole key. */
	assert(typing.keys == 0 || (sequence[1] == '\x1b' && cut == 1) ||
	       (typing.keys == 1 && strncmp(buf_text(&typing.names), "Paste(", 6) == 0));
	stop(&typing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	unsigned seed = fuzz_byte(&bytes);

	check_pieces(bytes.at, bytes.left < TYPED_MAX ? bytes.left : TYPED_MAX, seed);
	for (int i = 0; bytes.left && i < CHOSEN_MAX; i++) {
		seed = seed * 31 + fuzz_byte(&bytes);
		const char *sequence = sequences[seed % ARRAY_LEN(sequences)];
		check_sequence(sequence, &seed);
		check_discarded(sequence, &seed);
	}
	return 0;
}

#include "tui/input.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "tui/events.h"
#include "tui/sequence.h"

#define SEQUENCE_MAX 64 /* longer ones are swallowed, but mean nothing */
#define ADDED_MAX    256
#define ESC          0x1b
#define BEL          0x07

/* How long the rest of a cut sequence or paste is waited for. "ESC [" within INPUT_ESC_MS was typed
 * by no finger: it is the link that is slow, and a lost packet may take a second. */
#define SILENCE_MS 2000
/* Digits are commands: those of the mouse may come later still, and are none. */
#define MOUSE_SILENCE_MS 30000

static const char paste_end[] = "\x1b[201~";
#define PASTE_END_LEN (sizeof(paste_end) - 1)

enum state {
	STATE_GROUND,
	STATE_ESC,    /* one ESC, or two (alt) */
	STATE_CSI,    /* ESC [ */
	STATE_SS3,    /* ESC O */
	STATE_ADDED,  /* within a sequence of terminfo that begins like neither */
	STATE_STRING, /* ESC ] and the like: an answer to somebody's question, up to BEL or ESC \ */
	STATE_MOUSE,  /* the three bytes after ESC [ M */
	STATE_PASTE,
};

struct added {
	char *bytes; /* owned; without the ESC */
	size_t len;
	struct key key;
};

struct input {
	enum state state;
	int64_t since_ms; /* when the last byte of what is half read came */
	int64_t late_ms;  /* until then a '[' or 'O' is the rest of a cut sequence */
	bool alt;         /* ESC ESC came before */
	bool muted;       /* swallow the sequence or paste that is half read */
	bool string_esc;  /* the last byte of a string was ESC */
	bool mouse_on;
	char sequence[SEQUENCE_MAX];
	size_t sequence_len; /* counts on above SEQUENCE_MAX */
	char utf8[4];
	size_t utf8_len, utf8_need;
	bool utf8_alt;
	struct buf paste;
	size_t paste_matched; /* bytes of paste_end that came last */
	struct events events;
	char *last_paste; /* owned; what input_paste gives */
	struct mouse last_mouse;
	struct added *added;
	size_t added_count, added_capacity;
};

struct input *input_new(void)
{
	struct input *input = mem_new(1, sizeof(*input));

	buf_init(&input->paste, INPUT_PASTE_MAX);
	return input;
}

void input_free(struct input *input)
{
	if (!input)
		return;
	events_release(&input->events);
	for (size_t i = 0; i < input->added_count; i++)
		free(input->added[i].bytes);
	free(input->added);
	free(input->last_paste);
	buf_release(&input->paste);
	free(input);
}

void input_add_sequence(struct input *input, const char *bytes, struct key key)
{
	if (!bytes || bytes[0] != ESC || bytes[1] == '\0' || input->added_count == ADDED_MAX)
		return;
	input->added = mem_grow(input->added, &input->added_capacity, input->added_count + 1,
				sizeof(*input->added));
	input->added[input->added_count++] = (struct added){ .bytes = mem_copy_text(bytes + 1),
							     .len = strlen(bytes + 1),
							     .key = key };
}

/* events */

static void emit(struct input *input, struct key key, char *paste)
{
	events_add(&input->events, key, paste);
}

static void emit_code(struct input *input, uint32_t code, unsigned mods)
{
	emit(input, (struct key){ .code = code, .mods = mods }, NULL);
}

/* plain bytes */

static void emit_control(struct input *input, unsigned char byte, unsigned mods)
{
	switch (byte) {
	case '\t':
		emit_code(input, KEY_CODE_TAB, mods);
		return;
	case '\r':
	case '\n':
		emit_code(input, KEY_CODE_ENTER, mods);
		return;
	case '\b':
	case 0x7f:
		emit_code(input, KEY_CODE_BACKSPACE, mods);
		return;
	case 0:
		emit_code(input, ' ', mods | KEY_CTRL);
		return;
	default: /* C-a to C-z; C-\ C-] C-^ C-_ */
		emit_code(input, byte <= 26 ? (uint32_t)(byte + 'a' - 1) : (uint32_t)(byte + '@'),
			  mods | KEY_CTRL);
		return;
	}
}

static size_t utf8_length(unsigned char first)
{
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* Swallowed in silence it would let a later y answer a question that this press has left. */
static void emit_bad(struct input *input, bool alt)
{
	if (alt)
		emit_code(input, KEY_CODE_ESC, 0);
	emit_code(input, KEY_CODE_BAD, 0);
}

/* The character that is being put together is none: what stands before it was Esc by itself. */
static void drop_utf8(struct input *input)
{
	if (input->utf8_len > 0)
		emit_bad(input, input->utf8_alt);
	input->utf8_len = 0;
}

/* Takes a byte into the character that is being put together; false if it does not belong. */
static bool take_utf8(struct input *input, unsigned char byte)
{
	uint32_t code;

	if (input->utf8_len == 0 || (byte & 0xc0) != 0x80) {
		drop_utf8(input);
		return false;
	}
	input->utf8[input->utf8_len++] = (char)byte;
	if (input->utf8_len < input->utf8_need)
		return true;
	/* Overlong forms and surrogates are dropped, and so are the C1 controls. */
	if (text_decode(input->utf8, input->utf8_len, &code) == input->utf8_len && code >= 0xa0)
		emit_code(input, code, input->utf8_alt ? KEY_ALT : 0);
	else
		drop_utf8(input);
	input->utf8_len = 0;
	return true;
}

static void take_plain(struct input *input, unsigned char byte, bool alt)
{
	unsigned mods = alt ? KEY_ALT : 0;

	if (take_utf8(input, byte))
		return;
	if (byte < 0x20 || byte == 0x7f) {
		emit_control(input, byte, mods);
	} else if (byte < 0x80) {
		emit_code(input, byte, mods);
	} else {
		input->utf8_need = utf8_length(byte);
		input->utf8_len = input->utf8_need > 0;
		input->utf8[0] = (char)byte;
		input->utf8_alt = alt;
		if (input->utf8_len == 0)
			emit_bad(input, alt);
	}
}

/* sequences */

static bool begins_added(const struct input *input, unsigned char byte)
{
	for (size_t i = 0; i < input->added_count; i++)
		if ((unsigned char)input->added[i].bytes[0] == byte)
			return true;
	return false;
}

/* Whether byte, after an ESC, begins a sequence, and of which sort. */
static enum state state_after_esc(const struct input *input, unsigned char byte)
{
	if (byte == '[')
		return STATE_CSI;
	if (byte == 'O')
		return STATE_SS3;
	return begins_added(input, byte) ? STATE_ADDED : STATE_GROUND;
}

static void begin_esc(struct input *input, bool alt, int64_t now_ms)
{
	input->state = STATE_ESC;
	input->alt = alt;
	input->muted = false;
	drop_utf8(input);
	input->since_ms = now_ms;
}

static void add_to_sequence(struct input *input, unsigned char byte, int64_t now_ms)
{
	if (input->sequence_len < SEQUENCE_MAX)
		input->sequence[input->sequence_len] = (char)byte;
	input->sequence_len++;
	input->since_ms = now_ms;
}

static void begin_sequence(struct input *input, enum state state, unsigned char byte, bool muted,
			   int64_t now_ms)
{
	input->state = state;
	input->muted = muted;
	input->sequence_len = 0;
	add_to_sequence(input, byte, now_ms);
}

static bool sequence_is(const struct input *input, const char *bytes, size_t len)
{
	return input->sequence_len == len && memcmp(input->sequence, bytes, len) == 0;
}

static bool find_key(const struct input *input, struct key *key)
{
	if (input->sequence_len > SEQUENCE_MAX)
		return false;
	for (size_t i = 0; i < input->added_count; i++) {
		if (sequence_is(input, input->added[i].bytes, input->added[i].len)) {
			*key = input->added[i].key;
			return true;
		}
	}
	return sequence_key(input->sequence, input->sequence_len, key);
}

static void begin_paste(struct input *input, int64_t now_ms)
{
	input->state = STATE_PASTE;
	input->muted = false;
	input->paste_matched = 0;
	input->since_ms = now_ms;
	buf_clear(&input->paste);
}

/* ESC [ <: it has been sent by no finger. */
static bool is_of_mouse(const struct input *input)
{
	return input->state == STATE_CSI && input->sequence_len >= 2 && input->sequence[1] == '<';
}

static void end_sequence(struct input *input, int64_t now_ms)
{
	struct key key;
	struct mouse mouse;

	input->state = STATE_GROUND;
	if (sequence_is(input, "[200~", 5)) {
		begin_paste(input, now_ms);
	} else if (sequence_is(input, "[M", 2)) {
		input->state = STATE_MOUSE;
		input->sequence_len = 0;
	} else if (input->muted) {
		return;
	} else if (input->sequence_len <= SEQUENCE_MAX &&
		   mouse_read(input->sequence, input->sequence_len, &mouse)) {
		if (input->mouse_on)
			events_add_mouse(&input->events, &mouse);
	} else if (find_key(input, &key)) {
		key.mods |= input->alt ? KEY_ALT : 0;
		emit(input, key, NULL);
	}
}

/* rxvt ends "ESC [ 3 $" in a byte that elsewhere announces another. */
static bool is_rxvt_shift(const struct input *input, unsigned char byte)
{
	if (byte != '$' || input->sequence_len < 2 || input->sequence_len > SEQUENCE_MAX)
		return false;
	for (size_t i = 1; i < input->sequence_len; i++)
		if (input->sequence[i] < '0' || input->sequence[i] > '9')
			return false;
	return true;
}

static void take_csi(struct input *input, unsigned char byte, int64_t now_ms)
{
	bool first = input->sequence_len == 1;
	bool linux_console = sequence_is(input, "[[", 2);
	bool last = byte >= 0x40 || is_rxvt_shift(input, byte);

	add_to_sequence(input, byte, now_ms);
	if (linux_console || (last && !(first && byte == '[')))
		end_sequence(input, now_ms);
}

static void take_ss3(struct input *input, unsigned char byte, int64_t now_ms)
{
	add_to_sequence(input, byte, now_ms);
	if (!(byte >= '0' && byte <= '9') && byte != ';')
		end_sequence(input, now_ms);
}

/* A sequence of terminfo ends where nothing in the table goes on like it. */
static void end_added(struct input *input, int64_t now_ms)
{
	size_t len = input->sequence_len;

	for (size_t i = 0; i < input->added_count && len <= SEQUENCE_MAX; i++)
		if (input->added[i].len > len &&
		    memcmp(input->added[i].bytes, input->sequence, len) == 0)
			return;
	end_sequence(input, now_ms);
}

static void take_mouse(struct input *input, unsigned char byte, int64_t now_ms)
{
	add_to_sequence(input, byte, now_ms);
	if (input->sequence_len == 3)
		input->state = STATE_GROUND;
}

static bool begins_string(unsigned char byte)
{
	return byte == ']' || byte == 'P' || byte == '_' || byte == '^'; /* OSC DCS APC PM */
}

static void take_after_esc(struct input *input, unsigned char byte, int64_t now_ms)
{
	enum state state = state_after_esc(input, byte);

	if (byte == ESC) {
		if (input->alt)
			emit_code(input, KEY_CODE_ESC, 0);
		begin_esc(input, true, now_ms);
	} else if (state != STATE_GROUND) {
		begin_sequence(input, state, byte, false, now_ms);
		if (state == STATE_ADDED)
			end_added(input, now_ms);
	} else if (begins_string(byte)) {
		begin_sequence(input, STATE_STRING, byte, false, now_ms);
		input->string_esc = false;
	} else {
		/* Esc and then C-c, brought by one packet, are those two. */
		bool control = byte < 0x20 && !strchr("\t\r\n\b", byte);
		input->state = STATE_GROUND;
		if (input->alt || control)
			emit_code(input, KEY_CODE_ESC, 0);
		take_plain(input, byte, !control);
	}
}

static void take_string(struct input *input, unsigned char byte, int64_t now_ms)
{
	if (input->string_esc && byte != '\\') {
		begin_esc(input, false, now_ms);
		take_after_esc(input, byte, now_ms);
		return;
	}
	add_to_sequence(input, byte, now_ms);
	if (input->string_esc || byte == BEL)
		input->state = STATE_GROUND;
	input->string_esc = byte == ESC;
}

/* pastes */

static void end_paste(struct input *input)
{
	struct buf *paste = &input->paste;

	input->state = STATE_GROUND;
	if (paste->failed) { /* cut at the ceiling, but not within a character */
		while (paste->len > 0 &&
		       ((unsigned char)paste->data[paste->len - 1] & 0xc0) == 0x80)
			paste->data[--paste->len] = '\0';
		if (paste->len > 0 && (unsigned char)paste->data[paste->len - 1] >= 0xc0)
			paste->data[--paste->len] = '\0';
	}
	if (!input->muted)
		emit(input, (struct key){ .code = KEY_CODE_PASTE, .mods = 0 }, buf_take(paste));
}

static void take_paste(struct input *input, unsigned char byte, int64_t now_ms)
{
	input->since_ms = now_ms;
	if (byte != (unsigned char)paste_end[input->paste_matched]) {
		(void)buf_add(&input->paste, paste_end, input->paste_matched);
		input->paste_matched = 0;
		if (byte != ESC && byte != 0)
			(void)buf_add_char(&input->paste, (char)byte);
		if (byte != ESC)
			return;
	}
	if (++input->paste_matched == PASTE_END_LEN)
		end_paste(input);
}

/* A paste that has been silent for too long; what has come of its end must not become keys when
 * the rest comes. */
static void give_up_paste(struct input *input, int64_t now_ms)
{
	size_t matched = input->paste_matched;

	end_paste(input);
	if (matched == 1)
		input->late_ms = now_ms + INPUT_LATE_MS;
	if (matched < 2)
		return;
	begin_sequence(input, STATE_CSI, '[', true, now_ms);
	for (size_t i = 2; i < matched; i++)
		add_to_sequence(input, (unsigned char)paste_end[i], now_ms);
}

/* the machine */

static void take_ground(struct input *input, unsigned char byte, int64_t now_ms)
{
	bool late = now_ms < input->late_ms;
	enum state state = late ? state_after_esc(input, byte) : STATE_GROUND;

	input->late_ms = 0;
	if (byte == ESC) {
		begin_esc(input, false, now_ms);
	} else if (state != STATE_GROUND) {
		begin_sequence(input, state, byte, true, now_ms);
		if (state == STATE_ADDED)
			end_added(input, now_ms);
	} else {
		take_plain(input, byte, false);
	}
}

/* Control characters are never part of a sequence: C-c must work within a cut one. */
static bool interrupts(const struct input *input, unsigned char byte)
{
	switch (input->state) {
	case STATE_CSI:
	case STATE_SS3:
	case STATE_ADDED:
		return byte < 0x20 || byte >= 0x7f;
	case STATE_MOUSE:
		return byte < 0x20;
	case STATE_STRING:
		return byte < 0x20 && byte != BEL && byte != ESC;
	default:
		return false;
	}
}

static void take(struct input *input, unsigned char byte, int64_t now_ms)
{
	if (interrupts(input, byte))
		input->state = STATE_GROUND;
	switch (input->state) {
	case STATE_GROUND:
		take_ground(input, byte, now_ms);
		break;
	case STATE_ESC:
		take_after_esc(input, byte, now_ms);
		break;
	case STATE_CSI:
		take_csi(input, byte, now_ms);
		break;
	case STATE_SS3:
		take_ss3(input, byte, now_ms);
		break;
	case STATE_ADDED:
		add_to_sequence(input, byte, now_ms);
		end_added(input, now_ms);
		break;
	case STATE_STRING:
		take_string(input, byte, now_ms);
		break;
	case STATE_MOUSE:
		take_mouse(input, byte, now_ms);
		break;
	case STATE_PASTE:
		take_paste(input, byte, now_ms);
		break;
	}
}

/* How long what is half read may stay so; negative = nothing is. */
static int64_t patience_ms(const struct input *input)
{
	switch (input->state) {
	case STATE_GROUND:
		return -1;
	case STATE_ESC:
		return INPUT_ESC_MS;
	case STATE_STRING:
		return input->sequence_len == 1 ? INPUT_ESC_MS : SILENCE_MS;
	case STATE_PASTE:
		return SILENCE_MS;
	default: /* a late '[' may be a key that was typed after Esc */
		if (is_of_mouse(input))
			return MOUSE_SILENCE_MS;
		return input->muted && input->sequence_len == 1 ? INPUT_LATE_MS : SILENCE_MS;
	}
}

static void expire(struct input *input, int64_t now_ms)
{
	int64_t patience = patience_ms(input);

	if (patience < 0 || now_ms - input->since_ms < patience)
		return;
	enum state state = input->state;
	input->state = STATE_GROUND;
	if (state == STATE_PASTE) {
		give_up_paste(input, now_ms);
	} else if (state == STATE_ESC) {
		for (int i = 0; i < (input->alt ? 2 : 1); i++)
			emit_code(input, KEY_CODE_ESC, 0);
		input->late_ms = input->since_ms + INPUT_ESC_MS + INPUT_LATE_MS;
	} else if (state == STATE_STRING && input->sequence_len == 1 && !input->muted) {
		emit_code(input, (uint32_t)input->sequence[0], KEY_ALT);
	}
}

void input_feed(struct input *input, const char *bytes, size_t len, int64_t now_ms)
{
	expire(input, now_ms);
	for (size_t i = 0; i < len; i++)
		take(input, (unsigned char)bytes[i], now_ms);
}

bool input_next(struct input *input, int64_t now_ms, struct key *key)
{
	struct event event;

	expire(input, now_ms);
	if (!events_take(&input->events, &event))
		return false;
	*key = event.key;
	free(input->last_paste);
	input->last_paste = event.paste;
	input->last_mouse = event.mouse;
	return true;
}

int64_t input_wait_ms(const struct input *input, int64_t now_ms)
{
	int64_t patience = patience_ms(input);

	if (!events_are_none(&input->events))
		return 0;
	if (patience < 0)
		return -1;
	int64_t left = input->since_ms + patience - now_ms;
	return left > 0 ? left : 0;
}

void input_mouse_on(struct input *input, bool on)
{
	input->mouse_on = on;
}

struct mouse input_mouse(const struct input *input)
{
	return input->last_mouse;
}

const char *input_paste(const struct input *input)
{
	return input->last_paste ? input->last_paste : "";
}

/* The rest of what is half read may still come, and must not come as keys. */
void input_discard(struct input *input)
{
	events_drop(&input->events);
	input->utf8_len = 0;
	input->muted = true;
	if (input->state != STATE_ESC)
		return;
	input->state = STATE_GROUND;
	input->late_ms = input->since_ms + INPUT_ESC_MS + INPUT_LATE_MS;
}

#include "tests/hostile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/anytext.h"

#define PIECES_MOST 6
#define LONG_IN     40 /* one of so many is very long */

static const char *const pieces[] = {
	/* sequences that a terminal obeys: ECMA-48, xterm's list */
	"\x1b[2J",
	"\x1b[H",
	"\x1b[31;1;4;7m",
	"\x1b[999;999H",
	"\x1b[?1049l",
	"\x1b[?2004l",
	"\x1b[6n",
	"\x1b[c",
	"\x1b[5i",
	"\x1b[1;5r",
	"\x1b[4h",
	"\x1b[?25h",
	"\x1b[8;1;1t",
	"\x1b[38;2;255;0;0m",
	"\033c",
	"\0337",
	"\033D",
	"\x1b(0",
	"\x1b)0\x0e",
	"\x1b#8",
	"\x1b]0;title\x07",
	"\x1b]2;title\x1b\\",
	"\x1b]4;1;?\x07",
	"\x1b]8;;http://example.com/\x07link\x1b]8;;\x07",
	"\x1b]52;c;cm0gLXJmIC8=\x07",
	"\x1b]52;c;?\x07",
	"\x1b]9;told\x07",
	"\x1b]777;notify;a;b\x07",
	"\x1b]1337;File=:AAAA\x07",
	"\x1bP+q544e\x1b\\",
	"\x1bPq#0;2;0;0;0~-\x1b\\",
	"\x1bP$q\"p\x1b\\",
	"\x1bPtmux;\x1b\x1b]0;t\x07\x1b\\",
	"\x1b_Gf=100;AAAA\x1b\\",
	"\x1b^private\x1b\\",
	"\x1bXstring\x1b\\",
	"\x1b",
	"\x1b[",
	"\x1b[38;5",
	"\x1b]52;c;",
	"\x1bP",
	"\x1b\\",
	/* the same in eight bits, bare and as UTF-8 */
	"\23331m",
	"\2350;title\x9c",
	"\x90q\x9c",
	"\x9e\x9f\x98\x84\x85\x8d",
	"\xc2\2332J",
	"\xc2\2350;t\xc2\x9c",
	"\xc2\x90q\xc2\x9c",
	"\xc2\x85\xc2\x84\xc2\x8d\xc2\xa0",
	/* controls */
	"\r\n",
	"\n\n\n",
	"\r",
	"\t\t",
	"\x07\x08\x08\x08",
	"\x0b\x0c\x0e\x0f",
	"\x01\x02\x03\x04\x05\x06",
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1c\x1d\x1e\x1f",
	"\x7f\x7f",
	/* UTF-8 that is none: overlong, surrogates, halves, beyond the end */
	"\xc0\x80",
	"\xc0\x9b[2J",
	"\xc1\xbf",
	"\xe0\x80\x9b",
	"\xe0\x82\x9b",
	"\xf0\x80\x80\x9b",
	"\xf8\x88\x80\x80\x80",
	"\xed\xa0\x80",
	"\xed\xa0\xbd\xed\xb8\x80",
	"\xed\xbf\xbf",
	"\xe2\x82",
	"\xf0\x9f\x98",
	"\xf0\x9f",
	"\xe6",
	"\x80",
	"\xbf\xbf",
	"\xfe\xff",
	"\xf4\x90\x80\x80",
	"\xff\xff\xff\xff",
	/* width in doubt: wide, combining, joined, selected, invisible */
	"训练队列",
	"ｆｕｌｌ",
	"한국어",
	"\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", /* the same in its letters */
	"日",
	"e\xcc\x81",
	"\xcc\x81",
	"\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87",
	"Z\xcc\xb5\xcc\xb6\xcc\xb7\xcc\xb8\xcd\x9c\xcd\x9d\xcd\x9e\xcd\x9f",
	"\xe6\x97\xa5\xcc\x81",
	"ก็็็็็็",
	"नि",
	"தமிழ்",
	"👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦",
	"🏳\xef\xb8\x8f\xe2\x80\x8d🌈",
	"👍🏽",
	"🇩🇪",
	"1\xef\xb8\x8f\xe2\x83\xa3",
	"⚠\xef\xb8\x8f",
	"⚠\xef\xb8\x8e",
	"✅❌●○",
	"①Ⓐ■◆",
	"\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8d\xe2\x81\xa0",
	"\xef\xbb\xbf",
	"\xc2\xad",
	"\xe3\x85\xa4",
	"\xf3\xa0\x80\x81\xf3\xa0\x81\xbf",
	"\xee\x80\x80",
	"\xef\xbf\xbe",
	"\xf4\x8f\xbf\xbf",
	"ﷺ",
	"꧅𒐫⸻",
	"䷀",
	"▁▂▃▄▅▆▇█",
	"─│┌┐└┘",
	/* direction */
	"\xe2\x80\xaegpj.exe",
	"\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad",
	"\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9",
	"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f",
	"\xe2\x80\xa8\xe2\x80\xa9",
	"אבג",
	"مرحبا",
	/* what means something to the program or to what it writes */
	"%s%n%d%*s",
	"$(reboot)`id`;&|",
	"../../etc/passwd",
	"\"},{\"a\":\"",
	"|---|",
	"</script>&#x1b;",
	"\\u001b[2J",
	"arn:aws:sagemaker:us-east-1:111122223333:training-job/",
	"ml.p5.48xlarge",
	"InsufficientCapacityError",
	"draft:",
	" ",
	"   ",
	"a",
	"word another word",
};

uint32_t hostile_lot(struct hostile *hostile, uint32_t below)
{
	return anytext_random(&hostile->seed) % below;
}

static void add(struct hostile *hostile, size_t *len, size_t size, const char *bytes, size_t more)
{
	more = *len + more < size ? more : size - 1 - *len; /* cut anywhere, in a character too */
	memcpy(hostile->text + *len, bytes, more);
	*len += more;
}

static void add_any(struct hostile *hostile, size_t *len, size_t size)
{
	char bytes[24];
	size_t more = anytext_fill(&hostile->seed, bytes, sizeof(bytes));

	for (size_t i = 0; i < more; i++)
		bytes[i] = bytes[i] ? bytes[i] : '0';
	add(hostile, len, size, bytes, more);
}

const char *hostile_next(struct hostile *hostile, size_t size)
{
	uint32_t left = 1 + hostile_lot(hostile, PIECES_MOST), same = 0;
	bool is_long = hostile_lot(hostile, LONG_IN) == 0;
	size_t len = 0;

	size = size < HOSTILE_SIZE ? size : HOSTILE_SIZE;
	if (is_long) { /* of one piece over and over, or of many */
		same = hostile_lot(hostile, 2) * (1 + hostile_lot(hostile, ARRAY_LEN(pieces)));
		left = 1 + hostile_lot(hostile, HOSTILE_SIZE / 8);
	}
	for (; left > 0 && len + 1 < size; left--) {
		const char *piece =
			pieces[same ? same - 1 : hostile_lot(hostile, ARRAY_LEN(pieces))];
		if (!same && hostile_lot(hostile, 3) == 0)
			add_any(hostile, &len, size);
		else
			add(hostile, &len, size, piece, strlen(piece));
	}
	hostile->text[len] = '\0';
	hostile->count++;
	return hostile->text;
}

void hostile_put(struct hostile *hostile, char *out, size_t size)
{
	if (hostile_lot(hostile, 4) == 0)
		return;
	const char *text = hostile_next(hostile, size);
	memcpy(out, text, strlen(text) + 1);
}

void hostile_set(struct hostile *hostile, char **slot)
{
	if (hostile_lot(hostile, 4) > 0)
		mem_set_text(slot, hostile_next(hostile, HOSTILE_SIZE));
}

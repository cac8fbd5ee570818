#include "aws/log.h"

#include <ctype.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/disk.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/base/version.h"
#include "model/secret.h"

#define OPEN_WAIT_MS   10000
#define LINE_BYTES_MAX (8 * LOG_LINE_MAX) /* a column has up to four, and marks */
#define TEXT_MAX       (4 * ERR_TEXT_MAX)
#define WORD_CHARS     "%ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
#define KEY_LEN        40 /* of an AWS secret key */

struct log {
	char *path;
	bool detailed;
	const struct clock *clock;
	struct disk *disk;
	uint64_t size;    /* of the file, with what is under way */
	unsigned pending; /* results of log_open that have not come */
	bool is_full;
	struct err err;
};

/* --- one line --- */

/* In a form as it was sent, %2B and its like stand where a secret has + / and =. */
static char *decode(const char *word, size_t len)
{
	char *plain = mem_copy_bytes(word, len), *to = plain;
	for (const char *from = plain; *from; from++) {
		bool coded = *from == '%' && isxdigit((unsigned char)from[1]) &&
			     isxdigit((unsigned char)from[2]);
		*to++ = coded ? '+' : *from;
		from += coded ? 2 : 0;
	}
	*to = '\0';
	return plain;
}

/* A blob is no path, but one key in 64 begins like one. */
static bool looks_secret(const char *plain)
{
	return secret_is_token(plain) || secret_is_blob(plain) ||
	       (plain[0] == '/' && strlen(plain) == KEY_LEN && secret_is_blob(plain + 1));
}

/* What stands between the name of a value and the value: KEY=v, "Key": "v", <Key>v, key:v. */
static bool assigns(const char *text, size_t len)
{
	bool quoted = memchr(text, '"', len) && memchr(text, ':', len);
	return memchr(text, '=', len) || memchr(text, '>', len) || quoted ||
	       (len == 1 && text[0] == ':');
}

static void add_masked(struct buf *out, const char *text)
{
	bool after_name = false;
	while (*text) {
		size_t other = strcspn(text, WORD_CHARS);
		buf_add(out, text, other);
		bool is_value = after_name && assigns(text, other);
		text += other;
		size_t len = strspn(text, WORD_CHARS);
		char *plain = decode(text, len);
		if (len > 0 && (is_value || looks_secret(plain)))
			buf_add_text(out, SECRET_MASK);
		else
			buf_add(out, text, len);
		after_name = secret_is_name(plain);
		explicit_bzero(plain, strlen(plain));
		free(plain);
		text += len;
	}
}

/* 2026-11-30T20:48:08.123Z */
static void add_time(struct buf *out, int64_t wall_ms)
{
	char text[TIME_TEXT_SIZE];
	time_format_iso(wall_ms, text);
	buf_addf(out, "%.*s.%03dZ", (int)strcspn(text, "Z"), text, (int)(wall_ms % 1000));
}

/* Cut only once it is masked: half of a secret does not look like one. */
static void add_line(struct buf *line, const struct log *log, const char *text)
{
	struct buf masked, shown;
	buf_init(&masked, 2 * TEXT_MAX);
	buf_init(&shown, 8 * TEXT_MAX);
	add_masked(&masked, text);
	add_time(line, clock_wall_ms(log->clock));
	buf_addf(line, " %ld ", (long)getpid());
	text_sanitise(&shown, buf_text(&masked), masked.len, TEXT_CELL, false);
	text_fit(line, buf_text(&shown), LOG_LINE_MAX, false, false);
	buf_add_char(line, '\n');
	buf_wipe(&masked);
	buf_release(&masked);
	buf_release(&shown);
}

/* --- the file --- */

static void on_result(void *ctx, const struct disk_result *result)
{
	struct log *log = ctx;
	log->pending -= log->pending > 0;
	if (result->err && log->err.code == ERR_NONE)
		err_copy(&log->err, result->err);
}

/* None when there is no file, or none that may be looked at: to write it will say why. */
static void on_size(void *ctx, const struct disk_result *result)
{
	struct log *log = ctx;
	log->pending--;
	log->size = result->err ? 0 : (uint64_t)result->stamp.size;
}

static void append(struct log *log, const char *text)
{
	struct buf line;
	buf_init(&line, LINE_BYTES_MAX);
	add_line(&line, log, text);
	log->size += line.len;
	disk_append(log->disk, log->path, buf_text(&line), line.len, on_result, log);
	buf_release(&line);
}

static void wait_for_results(struct log *log)
{
	struct pollfd fd = { .fd = disk_fd(log->disk), .events = POLLIN };
	int ready = 1;
	while (log->pending > 0 && ready != 0) {
		ready = poll(&fd, 1, OPEN_WAIT_MS);
		disk_ready(log->disk);
	}
	if (log->pending > 0)
		err_set(&log->err, ERR_CONFIG,
			"was not written in time: its folder does not answer");
}

/* The size first: a full one gets no line. */
static void begin(struct log *log)
{
	log->pending = 1;
	disk_stat(log->disk, log->path, on_size, log);
	wait_for_results(log);
	if (log->err.code != ERR_NONE)
		return;
	if (log->size + LINE_BYTES_MAX > LOG_MAX) {
		err_set(&log->err, ERR_CONFIG,
			"has reached %u MiB, the most for a log; move it away", LOG_MAX >> 20);
		return;
	}
	log->pending = 1;
	append(log, log->detailed ? "gpuq " GPUQ_VERSION " starts, with details"
				  : "gpuq " GPUQ_VERSION " starts");
	wait_for_results(log);
}

struct log *log_open(const char *path, bool detailed, const struct clock *clock, struct err *err)
{
	struct log *log = mem_new(1, sizeof(*log));
	log->path = mem_copy_text(path);
	log->detailed = detailed;
	log->clock = clock;
	log->disk = disk_new();
	begin(log);
	if (log->err.code == ERR_NONE)
		return log;
	err_set(err, ERR_CONFIG, "%s", err_text(&log->err));
	err_subject(err, "%s", path);
	log_close(log);
	return NULL;
}

void log_close(struct log *log)
{
	if (!log)
		return;
	disk_free(log->disk);
	err_clear(&log->err);
	free(log->path);
	free(log);
}

void log_line(struct log *log, const char *format, ...)
{
	struct buf text;
	va_list args;
	if (!log)
		return;
	disk_ready(log->disk); /* what has become of earlier lines */
	if (log->is_full || log->err.code != ERR_NONE)
		return;
	buf_init(&text, TEXT_MAX);
	va_start(args, format);
	if (!buf_vaddf(&text, format, args))
		buf_add_text(&text, "(a line too long to be masked)");
	va_end(args);
	log->is_full = log->size + LINE_BYTES_MAX > LOG_MAX;
	append(log, log->is_full ? "the log ends here: it has reached the most that one may have"
				 : buf_text(&text));
	buf_wipe(&text);
	buf_release(&text);
}

bool log_is_detailed(const struct log *log)
{
	return log && log->detailed;
}

const struct err *log_error(const struct log *log)
{
	return log && log->err.code != ERR_NONE ? &log->err : NULL;
}

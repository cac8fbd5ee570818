#include "views/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/base/process.h"
#include "model/base/shellwords.h"
#include "model/draft_disk.h"
#include "model/scratch.h"
#include "views/words.h"

#define FILE_NAME      "request.json"
#define READ_MAX       (2 * REQUEST_MAX) /* more than a request may have, so that check says so */
#define DEFAULT_EDITOR "vi"

static void want(struct keeper *keeper)
{
	painter_want(keeper->painter, true);
}

/* --- the disk --- */

static void on_store_ready(int fd, short events, void *ctx)
{
	struct keeper *keeper = ctx;
	(void)fd;
	(void)events;
	draft_store_ready(keeper->store);
	want(keeper);
}

static void watch_store(void *host, int fd, short events)
{
	struct keeper *keeper = host;
	loop_watch(keeper->loop, fd, events, on_store_ready, keeper);
}

static void wake_store_in(void *host, int64_t ms)
{
	struct keeper *keeper = host;
	loop_arm(keeper->loop, &keeper->timer, ms);
}

static void on_due(void *ctx)
{
	struct keeper *keeper = ctx;
	draft_store_wake(keeper->store);
}

static void on_found(void *ctx, struct draft *draft)
{
	struct keeper *keeper = ctx;
	screen_take_draft(keeper->painter->screen, draft);
}

static void on_parted(void *ctx, struct draft *draft, const char *new_id)
{
	struct keeper *keeper = ctx;
	screen_rename_draft(keeper->painter->screen, draft, new_id);
}

static void on_said(void *ctx, const char *text)
{
	struct keeper *keeper = ctx;
	screen_say(keeper->painter->screen, STYLE_WARNING, text);
	want(keeper);
}

static void on_trouble(void *ctx, const char *why)
{
	struct keeper *keeper = ctx;
	screen_drafts_trouble(keeper->painter->screen, why);
	want(keeper);
}

/* --- what the screen asks --- */

static void intent_changed(void *host, struct draft *draft)
{
	struct keeper *keeper = host;
	if (keeper->store)
		draft_store_changed(keeper->store, draft);
}

static void intent_dropped(void *host, const struct draft *draft)
{
	struct keeper *keeper = host;
	if (keeper->store)
		draft_store_dropped(keeper->store, draft);
}

static bool intent_is_here(void *host, const struct draft *draft)
{
	const struct keeper *keeper = host;
	return !keeper->store || draft_store_is_here(keeper->store, draft);
}

static void on_file_read(void *ctx, const struct disk_result *result)
{
	struct keeper *keeper = ctx;
	screen_file_read(keeper->painter->screen, keeper->path, result->bytes, result->len,
			 result->err);
	want(keeper);
}

/* "~/" is the home folder, as a shell has it. */
static char *expand(const char *path)
{
	const char *home = getenv("HOME");
	struct buf whole;
	buf_init(&whole, WORDS_MAX);
	if (strncmp(path, "~/", 2) == 0 && home)
		buf_addf(&whole, "%s%s", home, path + 1);
	else
		buf_add_text(&whole, path);
	return buf_take(&whole);
}

static void intent_read_file(void *host, const char *path)
{
	struct keeper *keeper = host;
	free(keeper->path);
	keeper->path = expand(path);
	disk_read(keeper->disk, keeper->path, READ_MAX, on_file_read, keeper);
}

static void on_file_written(void *ctx, const struct disk_result *result)
{
	struct keeper *keeper = ctx;
	screen_file_written(keeper->painter->screen, keeper->written, result->err);
	want(keeper);
}

/* Whole, so that what is said of it leads there from any folder. */
static char *make_absolute(char *path)
{
	char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	struct buf whole;
	if (!here)
		return path;
	buf_init(&whole, 2 * WORDS_MAX);
	buf_addf(&whole, "%s/%s", here, path);
	free(here);
	free(path);
	return buf_take(&whole);
}

static void intent_write_file(void *host, const char *path, const char *text, size_t len,
			      bool replace)
{
	struct keeper *keeper = host;
	free(keeper->written);
	keeper->written = make_absolute(expand(path));
	if (replace)
		disk_write(keeper->disk, keeper->written, text, len, on_file_written, keeper);
	else
		disk_create(keeper->disk, keeper->written, text, len, on_file_written, keeper);
}

/* --- $EDITOR --- */

static char *file_path(const struct keeper *keeper)
{
	struct buf path;
	buf_init(&path, WORDS_MAX);
	buf_addf(&path, "%s/%s", keeper->scratch, FILE_NAME);
	return buf_take(&path);
}

static void drop_lock(struct keeper *keeper)
{
	if (keeper->lock >= 0)
		(void)close(keeper->lock);
	keeper->lock = -1;
}

/* The editor holds the lock too: it may outlive this program, and has the file open then. */
static bool start_editor(struct keeper *keeper, char *const words[], struct err *err)
{
	if (keeper->lock >= 0)
		(void)fcntl(keeper->lock, F_SETFD, 0);
	bool ok = errand_start(&keeper->errand, words, err);
	if (keeper->lock >= 0)
		(void)fcntl(keeper->lock, F_SETFD, FD_CLOEXEC);
	return ok;
}

static void end_edit(struct keeper *keeper, const char *text, size_t len, const struct err *err)
{
	if (keeper->scratch)
		scratch_remove(keeper->disk, keeper->scratch);
	drop_lock(keeper);
	free(keeper->scratch);
	keeper->scratch = NULL;
	screen_edited(keeper->painter->screen, text, len, err);
	want(keeper);
}

/* Takes the text of err. */
static void fail_edit(struct keeper *keeper, struct err *err)
{
	end_edit(keeper, NULL, 0, err);
	err_clear(err);
}

static void on_edited(void *ctx, const struct disk_result *result)
{
	end_edit(ctx, result->bytes, result->len, result->err);
}

static void on_editor_ended(void *ctx, int status)
{
	struct keeper *keeper = ctx;
	struct err err = { 0 };
	char *path;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		if (WIFEXITED(status))
			err_set(&err, ERR_IO, "the editor ended with status %d",
				WEXITSTATUS(status));
		else
			err_set(&err, ERR_IO, "the editor was ended by signal %d",
				WTERMSIG(status));
		fail_edit(keeper, &err);
		return;
	}
	path = file_path(keeper);
	disk_read(keeper->disk, path, READ_MAX, on_edited, keeper);
	free(path);
}

/* $VISUAL, else $EDITOR, with its arguments; no shell looks at them. */
static bool editor_words(struct shellwords *words, struct err *err)
{
	static const char *const variables[] = { "VISUAL", "EDITOR" };
	const char *command = DEFAULT_EDITOR, *from = "the default";
	for (size_t i = ARRAY_LEN(variables); i-- > 0;) {
		const char *value = getenv(variables[i]);
		if (value && value[strspn(value, " \t")]) {
			command = value;
			from = variables[i];
		}
	}
	if (shellwords_split(words, command, err) && words->count > 0)
		return true;
	if (err->code == ERR_NONE)
		err_set(err, ERR_CONFIG, "names no program");
	struct buf text;
	buf_init(&text, WORDS_MAX);
	buf_addf(&text, "%s: %s", from, err_text(err));
	err_set(err, ERR_CONFIG, "%s", buf_text(&text));
	buf_release(&text);
	return false;
}

static void add_word(struct shellwords *words, const char *word)
{
	words->items =
		mem_grow(words->items, &words->capacity, words->count + 2, sizeof(*words->items));
	words->items[words->count++] = mem_copy_text(word);
	words->items[words->count] = NULL;
}

static void on_file_made(void *ctx, const struct disk_result *result)
{
	struct keeper *keeper = ctx;
	struct shellwords words = { 0 };
	struct err err = { 0 };
	keeper->lock = scratch_take_lock(result);
	if (result->err) {
		err_set(&err, ERR_IO, "%s: %s", result->err->subject, err_text(result->err));
		fail_edit(keeper, &err);
		return;
	}
	keeper->errand.loop = keeper->loop;
	keeper->errand.term = keeper->painter->term;
	keeper->errand.ended = on_editor_ended;
	keeper->errand.ctx = keeper;
	bool ok = editor_words(&words, &err);
	if (ok) {
		char *path = file_path(keeper);
		add_word(&words, path);
		free(path);
		ok = start_editor(keeper, words.items, &err);
	}
	shellwords_release(&words);
	if (!ok)
		fail_edit(keeper, &err);
}

static void intent_edit_text(void *host, const char *text)
{
	struct keeper *keeper = host;
	struct err err = { 0 };
	struct buf path;
	char name[SCRATCH_NAME_SIZE];
	if (keeper->scratch)
		return; /* one is on its way */
	if (!keeper->folder) {
		err_set(&err, ERR_IO, "there is no folder yet for the file to edit");
		fail_edit(keeper, &err);
		return;
	}
	buf_init(&path, WORDS_MAX);
	scratch_name(keeper->edits++, name);
	buf_addf(&path, "%s/%s", keeper->folder, name);
	keeper->scratch = buf_take(&path);
	scratch_make(keeper->disk, keeper->scratch, FILE_NAME, text, on_file_made, keeper);
}

struct draft_intents keeper_intents(struct keeper *keeper)
{
	return (struct draft_intents){
		.changed = intent_changed,
		.dropped = intent_dropped,
		.is_here = intent_is_here,
		.read_file = intent_read_file,
		.edit_text = intent_edit_text,
		.write_file = intent_write_file,
		.host = keeper,
	};
}

bool keeper_has_lent(const struct keeper *keeper)
{
	return keeper->errand.pid != 0;
}

/* --- life --- */

static void on_disk_ready(int fd, short events, void *ctx)
{
	struct keeper *keeper = ctx;
	(void)fd;
	(void)events;
	disk_ready(keeper->disk);
}

void keeper_start(struct keeper *keeper)
{
	struct process self;
	char writer[128];
	process_self(&self);
	(void)snprintf(writer, sizeof(writer), "gpuq, process %lld on %s", (long long)self.pid,
		       self.host);
	keeper->lock = -1;
	keeper->timer = (struct timer){ .fire = on_due, .ctx = keeper };
	keeper->store = draft_store_new(&(struct draft_store_options){
		.clock = keeper->clock,
		.writer = writer,
		.watch = watch_store,
		.wake_in = wake_store_in,
		.host = keeper,
		.found = on_found,
		.parted = on_parted,
		.said = on_said,
		.trouble = on_trouble,
		.ctx = keeper,
	});
	keeper->disk = disk_new();
	loop_watch(keeper->loop, disk_fd(keeper->disk), POLLIN, on_disk_ready, keeper);
}

static void tell_no_place(struct keeper *keeper, const struct err *err)
{
	struct buf why;
	if (keeper->homeless)
		return;
	keeper->homeless = true;
	buf_init(&why, WORDS_MAX);
	buf_addf(&why, "drafts are not kept on disk: %s", err_text(err));
	screen_drafts_trouble(keeper->painter->screen, buf_text(&why));
	buf_release(&why);
}

void keeper_open(struct keeper *keeper, const char *folder, bool passing, const struct err *err)
{
	struct buf drafts;
	if (keeper->store && !folder)
		tell_no_place(keeper, err);
	if (!keeper->store || !folder || (keeper->folder && strcmp(keeper->folder, folder) == 0))
		return;
	if (keeper->homeless)
		screen_drafts_trouble(keeper->painter->screen, NULL);
	keeper->homeless = false;
	mem_set_text(&keeper->folder, folder);
	buf_init(&drafts, WORDS_MAX);
	buf_addf(&drafts, "%s/%s", folder, DRAFTS_FOLDER);
	draft_store_open(keeper->store, buf_text(&drafts), passing);
	scratch_sweep(keeper->disk, folder);
	buf_release(&drafts);
}

/* An editor that is still there keeps its file. */
void keeper_stop(struct keeper *keeper)
{
	if (!keeper->store)
		return;
	errand_leave(&keeper->errand);
	draft_store_free(keeper->store);
	keeper->store = NULL;
	loop_watch(keeper->loop, disk_fd(keeper->disk), 0, NULL, NULL);
	disk_free(keeper->disk);
	drop_lock(keeper);
	free(keeper->folder);
	free(keeper->scratch);
	free(keeper->path);
	free(keeper->written);
}

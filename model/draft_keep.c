#include "model/draft_keep.h"

#include <poll.h>

#include "model/draft_disk.h"
#include "model/draft_file.h"

#define PATH_MAX_BYTES 4096

struct outcome {
	bool is_there;
	struct err *err;
};

static void on_done(void *ctx, const struct disk_result *result)
{
	struct outcome *outcome = ctx;
	const struct draft_work *work = result->work;
	outcome->is_there = true;
	if (result->err)
		err_copy(outcome->err, result->err);
	else if (work->conflict)
		err_set(outcome->err, ERR_CONFLICT, "there is another draft of that id");
}

static bool save(struct draft_work *work, struct err *err)
{
	struct disk *disk = disk_new();
	struct outcome outcome = { .err = err };
	uint64_t id = draft_disk_do(disk, work, on_done, &outcome);
	struct pollfd ready = { .fd = disk_fd(disk), .events = POLLIN };
	if (poll(&ready, 1, DRAFT_KEEP_MS) > 0)
		disk_ready(disk);
	if (!outcome.is_there) {
		disk_forget(disk, id);
		err_set(err, ERR_TIMEOUT, "the disk does not answer");
	}
	disk_free(disk);
	return err->code == ERR_NONE;
}

bool draft_keep(const struct draft *draft, const char *state, const char *writer, struct err *err)
{
	struct buf text, folder;
	buf_init(&text, DRAFT_FILE_MAX);
	buf_init(&folder, PATH_MAX_BYTES);
	draft_file_write(draft, writer, &text);
	buf_addf(&folder, "%s/%s", state, DRAFTS_FOLDER);
	bool fits = !text.failed && !folder.failed;
	if (fits) {
		struct draft_work *work =
			draft_disk_work(DRAFT_DISK_SAVE, buf_text(&folder), draft->id);
		work->len = text.len;
		work->bytes = buf_take(&text);
		(void)save(work, err);
	} else {
		buf_wipe(&text);
		err_set(err, ERR_TOO_BIG, "it is too large to be kept on disk");
	}
	buf_release(&text);
	buf_release(&folder);
	return err->code == ERR_NONE;
}

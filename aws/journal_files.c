#define _GNU_SOURCE /* O_DIRECTORY and others beside what POSIX has */
#include "aws/journal_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/mem.h"

#define LOCK_NAME     "lock"
#define ENDING        ".json"
#define BAD_ENDING    ".bad"
#define NEW_ENDING    ".tmp"
#define NAME_SIZE     (JOURNAL_KEY_SIZE + 48)
#define LOCK_PAUSE_MS 5

/* The journal's folder while it is worked in. */
struct place {
	const char *folder;
	int fd, lock; /* -1 = none */
};

/* --- errors: what of which file --- */

static bool refuse(const struct place *place, const char *name, const char *why, struct err *err)
{
	err_set(err, ERR_IO, "%s", why);
	return err_subject(err, "%s/" JOURNAL_FOLDER "%s%s", place->folder, *name ? "/" : "", name);
}

static bool fail(const struct place *place, const char *name, const char *what, struct err *err)
{
	char why[160];

	snprintf(why, sizeof(why), "%s: %.100s", what, strerror(errno));
	return refuse(place, name, why, err);
}

/* --- the folder --- */

/* A folder in one, made if it is missing and `make`; its descriptor, or -1 with err, or -1 and
 * ENOENT without. Closes the one above. */
static int enter(struct place *place, int above, const char *name, bool make, struct err *err)
{
	struct stat status;
	int fd = -1;

	if (above < 0)
		return -1;
	if (make && mkdirat(above, name, 0700) == 0)
		(void)fsync(above);
	fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (make || errno != ENOENT))
		fail(place, "", "its folder cannot be opened", err);
	close(above);
	if (fd < 0)
		return -1;
	if (fstat(fd, &status) != 0 || status.st_uid != geteuid())
		refuse(place, "", "its folder belongs to another user", err);
	else if ((status.st_mode & 077) == 0 || fchmod(fd, 0700) == 0)
		return fd;
	else
		fail(place, "", "its folder cannot be closed to others", err);
	close(fd);
	return -1;
}

/* The folders above, as far as they are missing; whether it worked, the open finds out. */
static int open_above(const char *path, bool make)
{
	char *copy = mem_copy_text(path);
	int fd;

	for (char *slash = strchr(copy + 1, '/'); make && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0700);
		*slash = '/';
	}
	if (make)
		mkdir(copy, 0700);
	fd = open(copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	return fd;
}

/* ROOT/gpuq/NAME: the last two and the journal's own are held to be this user's alone. */
static bool open_folder(struct place *place, bool make, struct err *err)
{
	char *path = mem_copy_text(place->folder), *name = strrchr(path, '/'), *program = NULL;

	if (name) {
		*name++ = '\0';
		program = strrchr(path, '/');
	}
	if (program && program > path) {
		*program++ = '\0';
		place->fd = open_above(path, make);
		if (place->fd < 0 && (make || errno != ENOENT))
			fail(place, "", "its folder cannot be opened", err);
		place->fd = enter(place, place->fd, program, make, err);
		place->fd = enter(place, place->fd, name, make, err);
		place->fd = enter(place, place->fd, JOURNAL_FOLDER, make, err);
	} else {
		refuse(place, "", "has no place of its own", err);
	}
	free(path);
	return place->fd >= 0;
}

static int64_t real_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* True too where the file system has no locks. */
static bool lock(struct place *place, struct err *err)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_MS * 1000000L };
	int64_t end_ms = real_ms() + JOURNAL_LOCK_WAIT_MS;

	place->lock =
		openat(place->fd, LOCK_NAME,
		       O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	if (place->lock < 0)
		return fail(place, LOCK_NAME, "cannot be opened", err);
	while (flock(place->lock, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return true;
		if (real_ms() >= end_ms)
			return refuse(place, LOCK_NAME,
				      "has been locked for seconds by another gpuq", err);
		nanosleep(&pause, NULL);
	}
	return true;
}

static void leave(struct place *place)
{
	if (place->lock >= 0)
		close(place->lock); /* and the lock with it */
	if (place->fd >= 0)
		close(place->fd);
}

static bool open_place(struct place *place, const char *folder, bool make, struct err *err)
{
	*place = (struct place){ folder, -1, -1 };
	if (open_folder(place, make, err) && lock(place, err))
		return true;
	leave(place);
	return false;
}

/* --- one file --- */

static bool name_of(const struct journal_record *record, const char *ending, char out[NAME_SIZE],
		    struct err *err)
{
	char key[JOURNAL_KEY_SIZE];

	if (!journal_key(record->kind, record->name, record->draft, key)) {
		err_set(err, ERR_USAGE, "is no name that a job can have");
		return err_subject(err, "%s", record->name);
	}
	snprintf(out, NAME_SIZE, "%s%s", key, ending);
	return true;
}

static bool write_bytes(int fd, const struct buf *text)
{
	for (size_t at = 0; at < text->len;) {
		ssize_t put = write(fd, buf_text(text) + at, text->len - at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += (size_t)put;
	}
	return true;
}

/* The record's bytes, flushed, in a file beside; its name is written to beside. */
static bool write_beside(const struct place *place, const struct journal_record *record,
			 const char *name, char beside[NAME_SIZE], struct err *err)
{
	struct buf text;
	bool ok = false;
	int fd = -1;

	snprintf(beside, NAME_SIZE, "%.*s.%ld" NEW_ENDING, JOURNAL_KEY_SIZE, name, (long)getpid());
	buf_init(&text, JOURNAL_RECORD_MAX);
	journal_write(record, &text);
	unlinkat(place->fd, beside, 0); /* of an earlier process with this number */
	if (text.failed)
		refuse(place, name, "would be larger than a record can be", err);
	else
		fd = openat(place->fd, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
	if (fd >= 0) {
		ok = write_bytes(fd, &text) && fsync(fd) == 0;
		ok = close(fd) == 0 && ok;
	}
	if (!ok && !text.failed)
		fail(place, name, "cannot be written", err);
	if (!ok && fd >= 0)
		unlinkat(place->fd, beside, 0);
	buf_wipe(&text);
	buf_release(&text);
	return ok;
}

/* A name in the folder is on disk only once the folder is. */
static bool flush(const struct place *place, const char *name, struct err *err)
{
	return fsync(place->fd) == 0 || fail(place, name, "its folder cannot be flushed", err);
}

static bool replace(const struct place *place, const char *beside, const char *name,
		    struct err *err)
{
	if (renameat(place->fd, beside, place->fd, name) == 0)
		return flush(place, name, err);
	fail(place, name, "cannot be put in its place", err);
	unlinkat(place->fd, beside, 0);
	return false;
}

static bool write_anew(const struct place *place, const struct journal_record *record,
		       struct err *err)
{
	char name[NAME_SIZE] = "", beside[NAME_SIZE] = "";

	return name_of(record, ENDING, name, err) &&
	       write_beside(place, record, name, beside, err) && replace(place, beside, name, err);
}

/* Room for the whole and one byte more, which tells that it is too long. */
static bool read_bytes(int fd, struct buf *text)
{
	char chunk[16384];
	ssize_t got = 1;

	while (got != 0) {
		got = read(fd, chunk, sizeof(chunk));
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0 && !buf_add(text, chunk, (size_t)got))
			break;
	}
	explicit_bzero(chunk, sizeof(chunk));
	return got == 0;
}

/* False without err: there is no such file. */
static bool read_file(const struct place *place, const char *name, struct buf *text,
		      struct err *err)
{
	struct stat status;
	bool ok = false;
	int fd = openat(place->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? false : fail(place, name, "cannot be opened", err);
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		refuse(place, name, "is not a plain file", err);
	else if (status.st_uid != geteuid())
		refuse(place, name, "belongs to another user", err);
	else if (!read_bytes(fd, text))
		refuse(place, name, "cannot be read, or is too long", err);
	else
		ok = true;
	close(fd);
	return ok;
}

/* What is damaged is kept for who wants to look, out of the way. */
static void put_aside(const struct place *place, const char *name, struct err *err)
{
	char aside[NAME_SIZE];
	struct err bad = { 0 };

	err_move(&bad, err);
	snprintf(aside, sizeof(aside), "%.*s" BAD_ENDING, NAME_SIZE - 8, name);
	if (renameat(place->fd, name, place->fd, aside) != 0) {
		fail(place, name, "is damaged, and cannot be put aside", err);
	} else {
		err_set(err, ERR_PARSE,
			"was damaged and has been put aside under this name, since nobody can "
			"tell what it says (%s): if a submission is missing, look for its job",
			err_text(&bad));
		err_subject(err, "%s/" JOURNAL_FOLDER "/%s", place->folder, aside);
	}
	err_clear(&bad);
}

/* False without err: there is none. */
static bool read_record(const struct place *place, const char *name, struct journal_record *record,
			struct err *err)
{
	enum journal_read read = JOURNAL_READ_OK;
	char expected[NAME_SIZE];
	struct buf text;
	bool ok;

	buf_init(&text, JOURNAL_RECORD_MAX);
	ok = read_file(place, name, &text, err);
	if (ok)
		read = journal_read(record, buf_text(&text), text.len, err);
	buf_wipe(&text);
	buf_release(&text);
	if (!ok)
		return false;
	if (read == JOURNAL_READ_NEWER)
		return refuse(place, name, "was written by a newer gpuq, and is left to it", err);
	if (read == JOURNAL_READ_OK && name_of(record, ENDING, expected, err) &&
	    strcmp(expected, name) == 0)
		return true;
	if (read == JOURNAL_READ_OK)
		err_set(err, ERR_PARSE, "it is another record than its name says");
	journal_record_release(record);
	put_aside(place, name, err);
	return false;
}

/* --- claiming --- */

void journal_found_release(struct journal_found *found)
{
	if (!found)
		return;
	journal_record_release(&found->record);
	*found = (struct journal_found){ 0 };
}

static bool is_cancelled(const struct place *place, const char *name, const char *beside,
			 const atomic_bool *cancelled, struct err *err)
{
	if (!cancelled || !atomic_load(cancelled))
		return false;
	unlinkat(place->fd, beside, 0);
	refuse(place, name, "was not written in time", err);
	err->code = ERR_TIMEOUT;
	return true;
}

/* The first one to make the name has it. */
static bool make_name(const struct place *place, const char *beside, const char *name,
		      struct journal_found *found, struct err *err)
{
	bool made = linkat(place->fd, beside, place->fd, name, 0) == 0;
	bool was_there = !made && errno == EEXIST;

	if (!made && !was_there)
		fail(place, name, "cannot be made", err);
	unlinkat(place->fd, beside, 0);
	if (made)
		return flush(place, name, err);
	if (!was_there || !read_record(place, name, &found->record, err))
		return false;
	found->claim = CLAIM_HELD;
	return true;
}

static bool write_claim(const struct place *place, const struct journal_record *record,
			const char *name, const atomic_bool *cancelled, struct journal_found *found,
			struct err *err)
{
	char beside[NAME_SIZE];

	if (!write_beside(place, record, name, beside, err) ||
	    is_cancelled(place, name, beside, cancelled, err))
		return false;
	if (found->claim != CLAIM_FREE)
		return replace(place, beside, name, err);
	if (found->record.name[0])
		unlinkat(place->fd, name, 0);
	return make_name(place, beside, name, found, err);
}

/* What is there decides whether it may be written over. */
static bool judge(struct journal_record *record, struct journal_found *found)
{
	const struct journal_record *before = &found->record;
	bool is_there = before->name[0] != '\0';

	found->claim = journal_claim(is_there ? before : NULL,
				     is_there ? process_state(&before->holder) : PROCESS_SELF);
	if (found->claim == CLAIM_FREE)
		return true;
	if (found->claim != CLAIM_OWN && found->claim != CLAIM_LEFT)
		return false;
	if (strcmp(before->name, record->name) != 0 || before->kind != record->kind) {
		found->claim = CLAIM_HELD;
		return false;
	}
	record->first = before->first;
	return true;
}

bool journal_files_claim(const char *folder, struct journal_record *record,
			 const atomic_bool *cancelled, struct journal_found *found, struct err *err)
{
	char name[NAME_SIZE] = "";
	struct place place;
	bool ok;

	*found = (struct journal_found){ 0 };
	if (!name_of(record, ENDING, name, err) || !open_place(&place, folder, true, err))
		return false;
	snprintf(found->path, sizeof(found->path), "%s/" JOURNAL_FOLDER "/%s", folder, name);
	ok = read_record(&place, name, &found->record, err) || err->code == ERR_NONE;
	if (ok && judge(record, found))
		ok = write_claim(&place, record, name, cancelled, found, err);
	leave(&place);
	return ok;
}

bool journal_files_write(const char *folder, const struct journal_record *record, struct err *err)
{
	struct place place;
	bool ok = open_place(&place, folder, true, err) && write_anew(&place, record, err);

	leave(&place);
	return ok;
}

bool journal_files_remove(const char *folder, const struct journal_record *record, struct err *err)
{
	char name[NAME_SIZE] = "";
	struct place place;
	bool ok;

	if (!name_of(record, ENDING, name, err) || !open_place(&place, folder, true, err))
		return false;
	ok = unlinkat(place.fd, name, 0) == 0 || errno == ENOENT ||
	     fail(&place, name, "cannot be removed", err);
	ok = ok && flush(&place, name, err);
	leave(&place);
	return ok;
}

/* --- all of them --- */

void journal_list_release(struct journal_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		journal_record_release(&list->items[i].record);
	for (size_t i = 0; i < list->trouble_count; i++)
		err_clear(&list->troubles[i]);
	free(list->items);
	free(list->troubles);
	*list = (struct journal_list){ 0 };
}

static void note_trouble(struct journal_list *list, struct err *err)
{
	list->troubles = mem_resize(list->troubles, list->trouble_count + 1, sizeof(*err));
	list->troubles[list->trouble_count] = (struct err){ 0 };
	err_move(&list->troubles[list->trouble_count++], err);
}

static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), wanted = strlen(ending);

	return len > wanted && len < NAME_SIZE && strcmp(name + len - wanted, ending) == 0;
}

/* Ours from now on, with its text and times as they are. */
static void take_over(const struct place *place, struct journal_list *list,
		      struct journal_record *record)
{
	struct process before = record->holder;
	struct err err = { 0 };

	process_self(&record->holder);
	if (write_anew(place, record, &err))
		return;
	record->holder = before;
	note_trouble(list, &err);
}

/* By another account's keys it may be, where nobody knows the account. */
static bool is_wanted(const struct journal_query *query, const struct journal_record *record)
{
	return record->state != JOURNAL_INTENDED || !query->signed_by ||
	       (record->key[0] && strcmp(record->key, query->signed_by) == 0);
}

static bool is_left_out(const struct journal_query *query, const char *name)
{
	size_t len = query->but ? strlen(query->but) : 0;

	return len && strncmp(name, query->but, len) == 0 && strcmp(name + len, ENDING) == 0;
}

static void take(const struct place *place, const char *name, const struct journal_query *query,
		 struct journal_list *list)
{
	struct journal_item item = { .claim = CLAIM_FREE };
	struct journal_record *record = &item.record;
	struct err err = { 0 };

	if (is_left_out(query, name))
		return;
	if (!read_record(place, name, record, &err)) {
		if (err.code != ERR_NONE)
			note_trouble(list, &err);
		return;
	}
	bool is_old = record->settled.set && query->wall_ms - record->settled.ms > JOURNAL_KEEP_MS;

	if (is_old)
		unlinkat(place->fd, name, 0);
	if (is_old || !is_wanted(query, record)) {
		journal_record_release(record);
		return;
	}
	item.claim = journal_claim(record, process_state(&record->holder));
	if (item.claim == CLAIM_LEFT)
		take_over(place, list, record);
	list->items = mem_resize(list->items, list->count + 1, sizeof(item));
	list->items[list->count++] = item;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the records, sorted; files that were never finished go, since nobody is writing. */
static char **read_names(const struct place *place, DIR *dir, size_t *count)
{
	size_t capacity = 0;
	char **names = NULL;

	*count = 0;
	for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
		if (has_ending(entry->d_name, NEW_ENDING))
			unlinkat(place->fd, entry->d_name, 0);
		if (!has_ending(entry->d_name, ENDING) || *count > JOURNAL_RECORDS_MAX)
			continue;
		names = mem_grow(names, &capacity, *count + 1, sizeof(*names));
		names[(*count)++] = mem_copy_text(entry->d_name);
	}
	if (*count)
		qsort(names, *count, sizeof(*names), compare_names);
	return names;
}

static bool read_all(const struct place *place, const struct journal_query *query,
		     struct journal_list *list, struct err *err)
{
	int fd = fcntl(place->fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	size_t count;
	char **names;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return fail(place, "", "its folder cannot be read", err);
	}
	names = read_names(place, dir, &count);
	closedir(dir);
	for (size_t i = 0; i < count; i++) {
		if (count <= JOURNAL_RECORDS_MAX)
			take(place, names[i], query, list);
		free(names[i]);
	}
	free(names);
	return count <= JOURNAL_RECORDS_MAX ||
	       refuse(place, "", "holds more records than are read", err);
}

bool journal_files_list(const char *folder, const struct journal_query *query,
			struct journal_list *list, struct err *err)
{
	struct place place;
	bool ok;

	*list = (struct journal_list){ 0 };
	if (!open_place(&place, folder, false, err))
		return err->code == ERR_NONE;
	ok = read_all(&place, query, list, err);
	leave(&place);
	return ok;
}

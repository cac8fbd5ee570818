#define _GNU_SOURCE /* pipe2, explicit_bzero */
#include "model/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/base/mem.h"

#define END_SECONDS 2 /* that the end of the program waits for writes */

enum verb { VERB_READ, VERB_STAT, VERB_CREATE, VERB_WRITE, VERB_APPEND, VERB_RUN };

struct request {
	uint64_t id;
	enum verb verb;
	char *path;            /* NULL for VERB_RUN */
	struct disk_work work; /* of VERB_RUN */
	char *bytes;           /* to write, or as read */
	size_t len, max;
	disk_done_fn *done; /* NULL: nobody wants to know (any more) */
	void *ctx;
	struct err err;
	struct disk_stamp stamp;
	struct request *next;
};

struct queue {
	struct request *first, **end;
	size_t count;
};

struct disk {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* something to do, or the thread has come to its end */
	struct queue todo, done;
	struct request *under_way;
	pthread_t thread;
	bool started, ending, ended;
	int wake[2];
	uint64_t last_id;
};

static void queue_init(struct queue *queue)
{
	*queue = (struct queue){ .end = &queue->first };
}

static void queue_add(struct queue *queue, struct request *request)
{
	request->next = NULL;
	*queue->end = request;
	queue->end = &request->next;
	queue->count++;
}

static struct request *queue_take(struct queue *queue)
{
	struct request *request = queue->first;
	if (!request)
		return NULL;
	queue->first = request->next;
	if (!queue->first)
		queue->end = &queue->first;
	queue->count--;
	return request;
}

static void request_free(struct request *request)
{
	if (request->bytes)
		explicit_bzero(request->bytes, request->len);
	free(request->bytes);
	free(request->path);
	if (request->work.free)
		request->work.free(request->work.self);
	err_clear(&request->err);
	free(request);
}

/* --- on the thread --- */

static bool fail(struct request *request, const char *what)
{
	bool is_missing = errno == ENOENT || errno == ENOTDIR;
	err_set(&request->err, is_missing ? ERR_NOT_FOUND : ERR_IO, "%s: %s", what,
		strerror(errno));
	return err_subject(&request->err, "%s", request->path);
}

static void note_stamp(struct request *request, const struct stat *status)
{
	request->stamp = (struct disk_stamp){
		.device = (uint64_t)status->st_dev,
		.inode = (uint64_t)status->st_ino,
		.size = (int64_t)status->st_size,
		.changed_ns =
			(int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
		.owner = (uint64_t)status->st_uid,
		.mode = (unsigned)status->st_mode & 07777,
	};
}

static void stat_path(struct request *request)
{
	struct stat status;
	if (stat(request->path, &status) != 0)
		fail(request, "cannot be looked at");
	else
		note_stamp(request, &status);
}

/* Room for the whole at once where its size is known: growing leaves copies behind. */
static bool read_bytes(struct request *request, int fd, size_t size)
{
	size_t capacity = 0, room = size < request->max ? size : request->max;
	request->bytes = mem_grow(request->bytes, &capacity, room + 2, 1);
	for (;;) {
		request->bytes = mem_grow(request->bytes, &capacity, request->len + 2, 1);
		ssize_t got = read(fd, request->bytes + request->len, capacity - request->len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(request, "cannot be read");
		request->len += (size_t)got;
		request->bytes[request->len] = '\0';
		if (got == 0)
			return true;
		if (request->len > request->max) {
			err_set(&request->err, ERR_TOO_BIG, "has more than %zu bytes",
				request->max);
			return err_subject(&request->err, "%s", request->path);
		}
	}
}

/* Only plain files: a pipe or a device would hold the thread for ever. */
static void read_path(struct request *request)
{
	struct stat status;
	int fd = open(request->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		fail(request, "cannot be opened");
		return;
	}
	if (fstat(fd, &status) != 0) {
		fail(request, "cannot be looked at");
	} else if (!S_ISREG(status.st_mode)) {
		err_set(&request->err, ERR_IO, "is not a plain file");
		err_subject(&request->err, "%s", request->path);
	} else if (read_bytes(request, fd, (size_t)status.st_size)) {
		note_stamp(request, &status);
	}
	close(fd);
}

static bool write_bytes(struct request *request, int fd)
{
	for (size_t at = 0; at < request->len;) {
		ssize_t put = write(fd, request->bytes + at, request->len - at);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return fail(request, "cannot be written");
		at += (size_t)put;
	}
	return true;
}

/* The folders above a path, as far as they are missing. */
static void make_folders(const char *path)
{
	char *copy = mem_copy_text(path);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(copy, 0700); /* whether it worked, the open that follows finds out */
		*slash = '/';
	}
	free(copy);
}

static int open_new(const char *path, int flags)
{
	int fd = open(path, flags, 0600);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	make_folders(path);
	return open(path, flags, 0600);
}

static bool put_in_place(struct request *request, const char *beside, int fd)
{
	bool ok = write_bytes(request, fd);
	if (ok && fsync(fd) != 0)
		ok = fail(request, "cannot be flushed");
	if (close(fd) != 0 && ok)
		ok = fail(request, "cannot be written");
	if (ok && rename(beside, request->path) != 0)
		ok = fail(request, "cannot be put in its place");
	return ok;
}

static void write_path(struct request *request)
{
	size_t size = strlen(request->path) + 32;
	char *beside = mem_new(size, 1);
	snprintf(beside, size, "%s.%ld.tmp", request->path, (long)getpid());
	unlink(beside); /* of an earlier process with this number */
	int fd = open_new(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		fail(request, "cannot be made");
	else if (!put_in_place(request, beside, fd))
		unlink(beside);
	free(beside);
}

/* What stands there already: a file may be replaced, anything else may not. */
static bool tell_taken(struct request *request)
{
	struct stat status;
	if (lstat(request->path, &status) != 0)
		return fail(request, "cannot be looked at");
	if (S_ISREG(status.st_mode))
		err_set(&request->err, ERR_CONFLICT, "exists already");
	else
		err_set(&request->err, ERR_IO, "is %s: name a file",
			S_ISDIR(status.st_mode)   ? "a folder"
			: S_ISLNK(status.st_mode) ? "a link"
						  : "no plain file");
	return err_subject(&request->err, "%s", request->path);
}

static void create_path(struct request *request)
{
	int fd = open(request->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST) {
		tell_taken(request);
		return;
	}
	if (fd < 0) {
		fail(request, "cannot be made");
		return;
	}
	bool ok = write_bytes(request, fd);
	if (ok && fsync(fd) != 0)
		ok = fail(request, "cannot be flushed");
	if (close(fd) != 0 && ok)
		ok = fail(request, "cannot be written");
	if (!ok)
		unlink(request->path);
}

/* In a folder that others may write, the file may be theirs, or one of ours by another name. */
static bool is_ours_alone(struct request *request, int fd)
{
	struct stat status;
	const char *wrong = NULL;
	if (fstat(fd, &status) != 0)
		return fail(request, "cannot be looked at");
	if (!S_ISREG(status.st_mode))
		wrong = "is not a plain file";
	else if (status.st_uid != geteuid())
		wrong = "belongs to another user";
	else if (status.st_nlink > 1)
		wrong = "has other names";
	if (wrong) {
		err_set(&request->err, ERR_IO, "%s", wrong);
		return err_subject(&request->err, "%s", request->path);
	}
	return (status.st_mode & 077) == 0 || fchmod(fd, 0600) == 0 ||
	       fail(request, "cannot be closed to others");
}

static void append_path(struct request *request)
{
	int fd = open_new(request->path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NOCTTY |
						 O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno == ELOOP) {
		err_set(&request->err, ERR_IO, "is a link");
		err_subject(&request->err, "%s", request->path);
		return;
	}
	if (fd < 0) {
		fail(request, "cannot be opened");
		return;
	}
	bool ok = is_ours_alone(request, fd) && write_bytes(request, fd);
	if (close(fd) != 0 && ok)
		fail(request, "cannot be written");
}

static void run_work(struct request *request)
{
	request->work.run(request->work.self, &request->err);
}

static void run(struct request *request)
{
	static void (*const verbs[])(struct request *) = {
		[VERB_READ] = read_path,   [VERB_STAT] = stat_path,     [VERB_CREATE] = create_path,
		[VERB_WRITE] = write_path, [VERB_APPEND] = append_path, [VERB_RUN] = run_work
	};
	verbs[request->verb](request);
}

static void *work(void *arg)
{
	struct disk *disk = arg;
	pthread_mutex_lock(&disk->lock);
	for (;;) {
		while (!disk->todo.first && !disk->ending)
			pthread_cond_wait(&disk->changed, &disk->lock);
		disk->under_way = queue_take(&disk->todo);
		if (!disk->under_way)
			break;
		pthread_mutex_unlock(&disk->lock);
		run(disk->under_way);
		pthread_mutex_lock(&disk->lock);
		queue_add(&disk->done, disk->under_way);
		disk->under_way = NULL;
		/* Full is fine: it is readable then. */
		ssize_t ignored = write(disk->wake[1], "", 1);
		(void)ignored;
	}
	disk->ended = true;
	pthread_cond_signal(&disk->changed);
	pthread_mutex_unlock(&disk->lock);
	return NULL;
}

/* --- on the caller's thread --- */

bool disk_stamp_equal(const struct disk_stamp *a, const struct disk_stamp *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->changed_ns == b->changed_ns;
}

struct disk *disk_new(void)
{
	struct disk *disk = mem_new(1, sizeof(*disk));
	pthread_condattr_t monotonic;
	queue_init(&disk->todo);
	queue_init(&disk->done);
	pthread_mutex_init(&disk->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&disk->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pipe2(disk->wake, O_CLOEXEC | O_NONBLOCK) != 0)
		disk->wake[0] = disk->wake[1] = -1;
	return disk;
}

/* Signals stay with the main thread. */
static void start_thread(struct disk *disk)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	disk->started = pthread_create(&disk->thread, NULL, work, disk) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool wait_for_end(struct disk *disk)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += END_SECONDS;
	pthread_mutex_lock(&disk->lock);
	disk->ending = true;
	pthread_cond_signal(&disk->changed);
	while (!disk->ended)
		if (pthread_cond_timedwait(&disk->changed, &disk->lock, &until) != 0)
			break;
	bool ended = disk->ended;
	pthread_mutex_unlock(&disk->lock);
	return ended;
}

static void drop_all(struct queue *queue)
{
	for (struct request *request; (request = queue_take(queue)) != NULL;)
		request_free(request);
}

void disk_free(struct disk *disk)
{
	if (!disk)
		return;
	/* A thread that hangs in the disk keeps what it uses; the program ends. */
	if (disk->started && !wait_for_end(disk)) {
		pthread_detach(disk->thread);
		return;
	}
	if (disk->started)
		pthread_join(disk->thread, NULL);
	drop_all(&disk->todo);
	drop_all(&disk->done);
	close(disk->wake[0]);
	close(disk->wake[1]);
	pthread_cond_destroy(&disk->changed);
	pthread_mutex_destroy(&disk->lock);
	free(disk);
}

int disk_fd(const struct disk *disk)
{
	return disk->wake[0];
}

void disk_ready(struct disk *disk)
{
	char drained[64];
	while (read(disk->wake[0], drained, sizeof(drained)) > 0)
		continue;
	for (;;) {
		pthread_mutex_lock(&disk->lock);
		struct request *request = queue_take(&disk->done);
		pthread_mutex_unlock(&disk->lock);
		if (!request)
			return;
		const struct disk_result result = {
			.err = request->err.code == ERR_NONE ? NULL : &request->err,
			.bytes = request->bytes ? request->bytes : "",
			.len = request->len,
			.stamp = request->stamp,
			.work = request->work.self,
		};
		if (request->done)
			request->done(request->ctx, &result);
		request_free(request);
	}
}

/* Without a thread, or with too many in line, it is refused: the result says so. */
static uint64_t submit(struct disk *disk, struct request *request, const char *path,
		       disk_done_fn *done, void *ctx)
{
	request->path = mem_copy_text(path);
	request->done = done;
	request->ctx = ctx;
	if (!disk->started)
		start_thread(disk);
	pthread_mutex_lock(&disk->lock);
	uint64_t id = request->id = ++disk->last_id;
	bool taken = disk->started && disk->todo.count < DISK_QUEUE_MAX;
	if (taken) {
		queue_add(&disk->todo, request);
		pthread_cond_signal(&disk->changed);
	} else {
		err_set(&request->err, ERR_IO, "the disk does not keep up");
		err_subject(&request->err, "%s", path ? path : "");
		queue_add(&disk->done, request);
		ssize_t ignored = write(disk->wake[1], "", 1);
		(void)ignored;
	}
	pthread_mutex_unlock(&disk->lock);
	return id;
}

static struct request *new_request(enum verb verb)
{
	struct request *request = mem_new(1, sizeof(*request));
	request->verb = verb;
	return request;
}

uint64_t disk_read(struct disk *disk, const char *path, size_t max, disk_done_fn *done, void *ctx)
{
	struct request *request = new_request(VERB_READ);
	request->max = max < DISK_FILE_MAX ? max : DISK_FILE_MAX;
	return submit(disk, request, path, done, ctx);
}

uint64_t disk_stat(struct disk *disk, const char *path, disk_done_fn *done, void *ctx)
{
	return submit(disk, new_request(VERB_STAT), path, done, ctx);
}

static uint64_t put(struct disk *disk, enum verb verb, const char *path, const char *bytes,
		    size_t len, disk_done_fn *done, void *ctx)
{
	struct request *request = new_request(verb);
	request->bytes = mem_copy_bytes(bytes, len);
	request->len = len;
	return submit(disk, request, path, done, ctx);
}

uint64_t disk_create(struct disk *disk, const char *path, const char *bytes, size_t len,
		     disk_done_fn *done, void *ctx)
{
	return put(disk, VERB_CREATE, path, bytes, len, done, ctx);
}

uint64_t disk_write(struct disk *disk, const char *path, const char *bytes, size_t len,
		    disk_done_fn *done, void *ctx)
{
	return put(disk, VERB_WRITE, path, bytes, len, done, ctx);
}

uint64_t disk_append(struct disk *disk, const char *path, const char *bytes, size_t len,
		     disk_done_fn *done, void *ctx)
{
	return put(disk, VERB_APPEND, path, bytes, len, done, ctx);
}

uint64_t disk_run(struct disk *disk, const struct disk_work *work, disk_done_fn *done, void *ctx)
{
	struct request *request = new_request(VERB_RUN);
	request->work = *work;
	return submit(disk, request, NULL, done, ctx);
}

static void forget_in(struct request *request, uint64_t id)
{
	for (; request; request = request->next)
		if (request->id == id)
			request->done = NULL;
}

void disk_forget(struct disk *disk, uint64_t id)
{
	pthread_mutex_lock(&disk->lock);
	forget_in(disk->todo.first, id);
	forget_in(disk->done.first, id);
	if (disk->under_way && disk->under_way->id == id)
		disk->under_way->done = NULL;
	pthread_mutex_unlock(&disk->lock);
}

struct reading {
	bool is_done;
	struct disk_stamp stamp;
	struct buf *text;
	struct err *err;
};

static void take_text(void *ctx, const struct disk_result *result)
{
	struct reading *reading = ctx;
	reading->is_done = true;
	reading->stamp = result->stamp;
	if (result->err)
		err_copy(reading->err, result->err);
	else
		buf_add(reading->text, result->bytes, result->len);
}

bool disk_read_now(const char *path, size_t max, int wait_ms, struct buf *text,
		   struct disk_stamp *stamp, struct err *err)
{
	struct reading reading = { .text = text, .err = err };
	struct disk *disk = disk_new();
	struct pollfd fd = { .fd = disk_fd(disk), .events = POLLIN };
	disk_read(disk, path, max, take_text, &reading);
	int ready = 1;
	while (!reading.is_done && ready != 0) {
		ready = poll(&fd, 1, wait_ms); /* a stop and continue begins the wait anew */
		disk_ready(disk);
	}
	disk_free(disk);
	if (stamp)
		*stamp = reading.stamp;
	if (!reading.is_done) {
		err_set(err, ERR_TIMEOUT, "was not read in time: its folder does not answer");
		return err_subject(err, "%s", path);
	}
	return err->code == ERR_NONE;
}

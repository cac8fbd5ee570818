/* Drafts on disk: when they are written, what the next start finds, what other programs do. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/draft_store.h"

#define NOBODY    65534
#define FOUND_MAX 8
#define TEXT      "{\"TrainingJobName\": \"a\", \"X\": 1}"

/* One program: its store, its time, what it was told. */
struct program {
	struct clock clock;
	int64_t now_ms, wake_ms; /* wake_ms -1: not asked for */
	struct draft_store *store;
	struct draft *found[FOUND_MAX];
	size_t found_count, parted;
	char said[1024], trouble[1024];
	unsigned troubles; /* times that trouble changed */
	int fd;
};

static char root[] = "/tmp/gpuq-drafts-XXXXXX";
static char folder[64];

static int64_t mono(void *self)
{
	return ((struct program *)self)->now_ms;
}

static int64_t wall(void *self)
{
	return ((struct program *)self)->now_ms + INT64_C(1796109044000);
}

static void watch(void *host, int fd, short events)
{
	((struct program *)host)->fd = events ? fd : -1;
}

static void wake_in(void *host, int64_t ms)
{
	struct program *program = host;
	program->wake_ms = ms < 0 ? -1 : program->now_ms + ms;
}

static void found(void *ctx, struct draft *draft)
{
	struct program *program = ctx;
	assert_in_range(program->found_count, 0, FOUND_MAX - 1);
	program->found[program->found_count++] = draft;
}

static void parted(void *ctx, struct draft *draft, const char *new_id)
{
	((struct program *)ctx)->parted++;
	draft_set_id(draft, new_id);
}

static void said(void *ctx, const char *text)
{
	struct program *program = ctx;
	(void)snprintf(program->said, sizeof(program->said), "%s", text);
}

static void trouble(void *ctx, const char *why)
{
	struct program *program = ctx;
	program->troubles++;
	(void)snprintf(program->trouble, sizeof(program->trouble), "%s", why ? why : "");
}

static void start(struct program *program)
{
	*program = (struct program){ .now_ms = 1000, .wake_ms = -1 };
	program->clock = (struct clock){ mono, wall, program };
	program->store = draft_store_new(&(struct draft_store_options){
		.clock = &program->clock,
		.writer = "a test",
		.watch = watch,
		.wake_in = wake_in,
		.host = program,
		.found = found,
		.parted = parted,
		.said = said,
		.trouble = trouble,
		.ctx = program,
	});
}

static void stop(struct program *program)
{
	draft_store_free(program->store);
	for (size_t i = 0; i < program->found_count; i++)
		draft_free(program->found[i]);
}

/* Time goes on. */
static void turn(struct program *program, int64_t ms)
{
	program->now_ms += ms;
	if (program->wake_ms >= 0 && program->wake_ms <= program->now_ms) {
		program->wake_ms = -1;
		draft_store_wake(program->store);
	}
}

/* Until the thread has answered so many times more. */
static void await(struct program *program)
{
	struct pollfd fd = { .fd = program->fd, .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 20000), 1);
	draft_store_ready(program->store);
}

static void open_place(struct program *program)
{
	draft_store_open(program->store, folder, false);
	await(program);
}

static struct draft *new_draft(const char *id)
{
	const struct request request = { JOB_TRAINING, (char *)TEXT };
	struct err err = { 0 };
	return draft_of_request(id, &request, "a.json", &err);
}

/* Tells of an edit and sees it written. */
static void edit_and_save(struct program *program, struct draft *draft, const char *note)
{
	draft_set_note(draft, note);
	draft_store_changed(program->store, draft);
	turn(program, DRAFT_SAVE_MS);
	await(program);
}

static const char *path_of(const char *id, const char *ending)
{
	static char path[256];
	(void)snprintf(path, sizeof(path), "%s/%s%s", folder, id, ending);
	return path;
}

static bool is_there(const char *id, const char *ending)
{
	return access(path_of(id, ending), F_OK) == 0;
}

static mode_t mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & 0777;
}

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int fresh_folder(void **state)
{
	static unsigned number;
	(void)state;
	umask(0);
	(void)snprintf(folder, sizeof(folder), "%s/%u/drafts", root, number++);
	return 0;
}

static void edit__is_on_disk_within_a_second__and_found_again(void **state)
{
	struct program one, two;
	struct draft *draft = new_draft("d-1");
	(void)state;
	start(&one);
	open_place(&one);
	draft_set_note(draft, "first");
	draft_store_changed(one.store, draft);
	assert_in_range(one.wake_ms - one.now_ms, 1, 1000);
	turn(&one, 100);
	draft_set_note(draft, "second"); /* goes with it */
	draft_store_changed(one.store, draft);
	assert_int_equal(draft_store_unsaved(one.store), 1);
	assert_false(is_there("d-1", ".json"));
	turn(&one, 150);
	await(&one);
	assert_int_equal(draft_store_unsaved(one.store), 0);
	assert_int_equal(mode_of(path_of("d-1", ".json")), 0600);
	assert_int_equal(mode_of(folder), 0700);
	/* Another start, the first one not having ended: as after a kill. */
	start(&two);
	open_place(&two);
	assert_int_equal(two.found_count, 1);
	assert_string_equal(two.found[0]->note, "second");
	assert_string_equal(two.found[0]->id, "d-1");
	stop(&two);
	stop(&one);
	draft_free(draft);
}

static void end__writes_what_is_not_written_yet(void **state)
{
	struct program one, two;
	struct draft *draft = new_draft("d-1");
	(void)state;
	start(&one);
	open_place(&one);
	draft_set_note(draft, "under way");
	draft_store_changed(one.store, draft);
	turn(&one, DRAFT_SAVE_MS); /* begins */
	draft_set_note(draft, "the last");
	draft_store_changed(one.store, draft);
	stop(&one);
	start(&two);
	open_place(&two);
	assert_int_equal(two.found_count, 1);
	assert_string_equal(two.found[0]->note, "the last");
	stop(&two);
	draft_free(draft);
}

static void dropped__takes_its_file_with_it(void **state)
{
	struct program one;
	struct draft *draft = new_draft("d-1"), *other = new_draft("d-2");
	(void)state;
	start(&one);
	open_place(&one);
	edit_and_save(&one, draft, "a");
	assert_true(is_there("d-1", ".json"));
	draft_store_dropped(one.store, draft);
	await(&one);
	assert_false(is_there("d-1", ".json"));
	/* Dropped while it is being written. */
	draft_set_note(other, "b");
	draft_store_changed(one.store, other);
	turn(&one, DRAFT_SAVE_MS);
	draft_store_dropped(one.store, other);
	await(&one);
	await(&one);
	assert_false(is_there("d-2", ".json"));
	assert_string_equal(one.said, "");
	stop(&one);
	draft_free(draft);
	draft_free(other);
}

/* Two programs have found the same draft: what one has written the other does not overwrite. */
static void newer_version__of_another_program__is_never_overwritten(void **state)
{
	struct program first, one, two, three;
	struct draft *draft = new_draft("d-1");
	(void)state;
	start(&first);
	open_place(&first);
	edit_and_save(&first, draft, "as it was");
	stop(&first);
	start(&one);
	open_place(&one);
	start(&two);
	open_place(&two);
	edit_and_save(&one, one.found[0], "of one");
	edit_and_save(&two, two.found[0], "of two");
	assert_int_equal(two.parted, 1);
	assert_non_null(strstr(two.said, "another gpuq has changed the draft of a"));
	turn(&two, 0);
	await(&two);
	assert_string_not_equal(two.found[0]->id, "d-1");
	edit_and_save(&one, one.found[0], "of one, again");
	assert_int_equal(one.parted, 0);
	/* A dropped one leaves what the other has written. */
	draft_store_dropped(two.store, two.found[0]);
	await(&two);
	start(&three);
	open_place(&three);
	assert_int_equal(three.found_count, 1);
	assert_string_equal(three.found[0]->note, "of one, again");
	stop(&three);
	stop(&two);
	stop(&one);
	draft_free(draft);
}

static void damaged_file__is_named_and_set_aside__a_newer_one_left(void **state)
{
	struct program one;
	(void)state;
	(void)mkdir(root, 0700);
	char parent[64];
	(void)snprintf(parent, sizeof(parent), "%.*s", (int)(strlen(folder) - 7), folder);
	assert_int_equal(mkdir(parent, 0700), 0);
	assert_int_equal(mkdir(folder, 0755), 0);
	put_file(path_of("d-1", ".json"), "{\"version\": 1,");
	start(&one);
	open_place(&one);
	assert_int_equal(one.found_count, 0);
	assert_non_null(strstr(one.said, "/d-1.json line 1, column 15"));
	assert_non_null(strstr(one.said, "it is set aside as .json.damaged"));
	stop(&one);
	assert_false(is_there("d-1", ".json"));
	assert_true(is_there("d-1", ".json.damaged"));
	put_file(path_of("d-2", ".json"), "{\"version\": 9}");
	start(&one);
	open_place(&one);
	assert_non_null(strstr(one.said, "newer gpuq (version 9): it is left as it is"));
	stop(&one);
	assert_true(is_there("d-2", ".json"));
	/* Links, folders and others' names are not followed. */
	assert_int_equal(unlink(path_of("d-2", ".json")), 0);
	assert_int_equal(symlink("/etc/passwd", path_of("d-3", ".json")), 0);
	start(&one);
	open_place(&one);
	assert_non_null(strstr(one.said, "d-3.json cannot be opened"));
	assert_int_equal(mode_of(folder), 0700);
	stop(&one);
}

/* A link in the place of a draft's file is another program's file: it is not written through. */
static void link__is_not_written_through(void **state)
{
	struct program one;
	struct draft *draft = new_draft("d-1");
	char target[128], text[8] = "";
	(void)state;
	start(&one);
	open_place(&one);
	edit_and_save(&one, draft, "a");
	(void)snprintf(target, sizeof(target), "%s/target", root);
	put_file(target, "mine");
	assert_int_equal(unlink(path_of("d-1", ".json")), 0);
	assert_int_equal(symlink(target, path_of("d-1", ".json")), 0);
	edit_and_save(&one, draft, "b");
	assert_int_equal(one.parted, 1);
	turn(&one, 0);
	await(&one);
	FILE *file = fopen(target, "re");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "mine");
	assert_true(is_there(draft->id, ".json"));
	stop(&one);
	draft_free(draft);
}

/* A folder that refuses: said once, tried again, and told when it works again. */
static void refusal__is_said_once__and_taken_back(void **state)
{
	struct program one;
	struct draft *draft = new_draft("d-1");
	struct rlimit limit, none = { 0, 0 };
	(void)state;
	start(&one);
	open_place(&one);
	/* As on a full disk: no byte more may be written. */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	none.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	edit_and_save(&one, draft, "kept in memory");
	turn(&one, DRAFT_RETRY_MS);
	await(&one);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(one.troubles, 1);
	assert_non_null(strstr(one.trouble, "drafts are not kept on disk: "));
	assert_non_null(strstr(one.trouble, "a draft cannot be written: File too large"));
	assert_int_equal(draft_store_unsaved(one.store), 1);
	assert_false(is_there("d-1", ".json"));
	turn(&one, DRAFT_RETRY_MS);
	await(&one);
	assert_int_equal(one.troubles, 2);
	assert_string_equal(one.trouble, "");
	assert_true(is_there("d-1", ".json"));
	stop(&one);
	draft_free(draft);
}

/* As nobody, for whom rights count. */
static void check_rights(void)
{
	struct program one;
	struct draft *draft = new_draft("d-1");
	if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
		_exit(2);
	start(&one);
	draft_store_open(one.store, "/proc/drafts", false);
	await(&one);
	edit_and_save(&one, draft, "a");
	if (!strstr(one.trouble, "/proc/drafts: cannot be opened"))
		_exit(3);
	draft_store_open(one.store, root, false); /* another user's */
	await(&one);
	if (!strstr(one.said, "belongs to another user") && !strstr(one.said, "Permission denied"))
		_exit(4);
	stop(&one);
	draft_free(draft);
	_exit(0);
}

static void folder__that_cannot_be_ours__is_refused(void **state)
{
	int status;
	(void)state;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		check_rights();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), getuid() == 0 ? 0 : WEXITSTATUS(status));
}

/* Begun before the account was known: it goes where it belongs. */
static void passing_folder__is_left__once_the_place_is_known(void **state)
{
	struct program one, two;
	struct draft *early = new_draft("d-1"), *late = new_draft("d-2");
	char known[80];
	(void)state;
	(void)snprintf(known, sizeof(known), "%s-known", folder);
	start(&one);
	draft_set_note(early, "before any place");
	draft_store_changed(one.store, early);
	turn(&one, 5000);
	draft_store_open(one.store, folder, true);
	await(&one);
	turn(&one, 0);
	await(&one);
	assert_true(is_there("d-1", ".json"));
	edit_and_save(&one, late, "in passing");
	draft_store_open(one.store, known, false);
	while (is_there("d-1", ".json") || is_there("d-2", ".json")) {
		turn(&one, 1);
		await(&one); /* a load, two writes, two removes */
	}
	assert_true(draft_store_is_here(one.store, early));
	assert_false(is_there("d-1", ".json"));
	assert_false(is_there("d-2", ".json"));
	stop(&one);
	start(&two);
	draft_store_open(two.store, known, false);
	await(&two);
	assert_int_equal(two.found_count, 2);
	stop(&two);
	draft_free(early);
	draft_free(late);
}

/* Going elsewhere: the draft stays where it is, and is written there. */
static void other_place__has_its_own_drafts(void **state)
{
	struct program one;
	struct draft *draft = new_draft("d-1");
	char other[80];
	(void)state;
	(void)snprintf(other, sizeof(other), "%s-other", folder);
	start(&one);
	open_place(&one);
	edit_and_save(&one, draft, "a");
	assert_true(draft_store_is_here(one.store, draft));
	draft_store_open(one.store, other, false);
	await(&one);
	assert_false(draft_store_is_here(one.store, draft));
	edit_and_save(&one, draft, "b");
	assert_string_equal(one.trouble, "");
	assert_int_not_equal(access(other, F_OK), 0);
	/* Back again: it is not offered a second time. */
	open_place(&one);
	assert_int_equal(one.found_count, 0);
	assert_true(draft_store_is_here(one.store, draft));
	stop(&one);
	draft_free(draft);
}

static void hanging_disk__is_told_of(void **state)
{
	struct program one;
	struct draft *draft = new_draft("d-1");
	(void)state;
	start(&one);
	open_place(&one);
	draft_set_note(draft, "a");
	draft_store_changed(one.store, draft);
	one.now_ms += DRAFT_SAVE_MS;
	draft_store_wake(one.store); /* begins; nobody looks for the answer */
	one.now_ms += DRAFT_HANGS_MS;
	draft_store_wake(one.store);
	assert_non_null(strstr(one.trouble, "it does not answer"));
	await(&one);
	assert_string_equal(one.trouble, "");
	stop(&one);
	draft_free(draft);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh_folder)

static int make_root(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	char command[] = "rm";
	char flags[] = "-rf";
	char *words[] = { command, flags, root, NULL };
	int status;
	(void)state;
	pid_t child = fork();
	if (child == 0) {
		execvp(command, words);
		_exit(1);
	}
	return waitpid(child, &status, 0) == child ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(edit__is_on_disk_within_a_second__and_found_again),
		TEST(end__writes_what_is_not_written_yet),
		TEST(dropped__takes_its_file_with_it),
		TEST(newer_version__of_another_program__is_never_overwritten),
		TEST(damaged_file__is_named_and_set_aside__a_newer_one_left),
		TEST(link__is_not_written_through),
		TEST(refusal__is_said_once__and_taken_back),
		TEST(folder__that_cannot_be_ours__is_refused),
		TEST(passing_folder__is_left__once_the_place_is_known),
		TEST(other_place__has_its_own_drafts),
		TEST(hanging_disk__is_told_of),
	};
	return cmocka_run_group_tests_name("draft_store", tests, make_root, remove_root);
}

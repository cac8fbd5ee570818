/* The file of turns: which folder, what rights, its lock, and what is done with a damaged one. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/pace_file.h"

#define NOBODY    65534
#define NOW       INT64_C(5000000)
#define PROCESSES 8
#define VISITS    7

static char folder[64];

static int64_t fixed_ms(void *self)
{
	(void)self;
	return NOW;
}

static const struct clock fixed = { .mono_ms = fixed_ms, .wall_ms = fixed_ms };

static const char *in_folder(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static unsigned mode_of(const char *name)
{
	struct stat status;

	assert_int_equal(lstat(in_folder(name), &status), 0);
	return status.st_mode & 07777;
}

static void make_folder(const char *name, mode_t mode)
{
	assert_int_equal(mkdir(in_folder(name), 0700), 0);
	assert_int_equal(chmod(in_folder(name), mode), 0);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static const char *read_file(const char *name)
{
	static char text[4096];
	int fd = open(in_folder(name), O_RDONLY);

	assert_true(fd >= 0);

	ssize_t got = read(fd, text, sizeof(text) - 1);

	assert_true(got >= 0);
	text[got] = '\0';
	close(fd);
	return text;
}

static struct pace_place place_of(const char *private, const char *made, const char *group)
{
	struct pace_place place = { 0 };

	if (private)
		snprintf(place.privates[1], PACE_PATH_SIZE, "%s/%s", folder, private);
	if (made)
		snprintf(place.made, PACE_PATH_SIZE, "%s/%s", folder, made);
	if (group)
		snprintf(place.group, PACE_PATH_SIZE, "%s/%s", folder, group);
	snprintf(place.file, sizeof(place.file), "file");
	return place;
}

static struct pace_found visit(const struct pace_place *place)
{
	const struct pace_visit wanted = { .op = "Search", .gap_ms = 1000 };
	struct pace_found found;
	struct err err = { 0 };

	if (!pace_file_visit(place, &fixed, &wanted, &found, &err))
		fail_msg("%s: %s", err.subject, err_text(&err));
	return found;
}

static void refused(const struct pace_place *place, const char *subject, const char *text)
{
	const struct pace_visit wanted = { .op = "Search", .gap_ms = 1000 };
	struct pace_found found;
	struct err err = { 0 };

	assert_false(pace_file_visit(place, &fixed, &wanted, &found, &err));
	assert_int_equal(err.code, ERR_IO);
	assert_string_equal(err.subject, in_folder(subject));
	if (!strstr(err_text(&err), text))
		fail_msg("%s, not %s", err_text(&err), text);
	err_clear(&err);
}

static void turns__are_found_by_the_next__and_closed_to_others(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	struct pace_found found;

	(void)state;
	umask(0);
	found = visit(&place);
	assert_true(found.taken);
	assert_int_equal(found.at_ms, NOW);
	assert_int_equal(found.ahead_ms, 0);
	assert_false(found.damaged);
	assert_string_equal(found.path, in_folder("made/file"));
	found = visit(&place);
	assert_int_equal(found.at_ms, NOW + 1000);
	assert_int_equal(found.ahead_ms, 1000);
	assert_int_equal(found.started, 1);
	assert_int_equal(mode_of("made"), 0700);
	assert_int_equal(mode_of("made/file"), 0600);
	assert_non_null(strstr(read_file("made/file"), "turn 5001000 Search\nend\n"));

	const struct pace_visit told = { .op = "Search", .throttles = 1 };
	struct err err = { 0 };

	assert_true(pace_file_visit(&place, &fixed, &told, &found, &err));
	assert_false(found.taken);
	assert_int_equal(found.slowdown.lost, 500);
	found = visit(&place);
	assert_int_equal(found.slowdown.lost, 500);
	assert_int_equal(found.at_ms, NOW + 3000);
}

static void private_folder__is_used__if_it_is_ours_alone(void **state)
{
	struct pace_place place = place_of("run", "made", NULL);

	(void)state;
	assert_string_equal(visit(&place).path, in_folder("made/file"));
	make_folder("run", 0700);
	assert_string_equal(visit(&place).path, in_folder("run/file"));
	assert_int_equal(chmod(in_folder("run"), 0710), 0);
	assert_string_equal(visit(&place).path, in_folder("made/file"));
	assert_int_equal(chmod(in_folder("run"), 0700), 0);
	if (getuid() == 0) {
		assert_int_equal(chown(in_folder("run"), NOBODY, NOBODY), 0);
		assert_string_equal(visit(&place).path, in_folder("made/file"));
	}
}

static void made_folder__is_refused__unless_it_is_ours_alone(void **state)
{
	struct pace_place place = place_of(NULL, "open", NULL);
	char target[128];

	(void)state;
	make_folder("open", 0720);
	refused(&place, "open", "is open to others");
	assert_int_equal(mode_of("open"), 0720);
	make_folder("real", 0700);
	snprintf(target, sizeof(target), "%s", in_folder("real"));
	assert_int_equal(symlink(target, in_folder("link")), 0);
	place = place_of(NULL, "link", NULL);
	refused(&place, "link", "is a link, or no folder");
	write_file("plain", "", 0600);
	place = place_of(NULL, "plain", NULL);
	refused(&place, "plain", "is a link, or no folder");
	if (getuid() == 0) {
		make_folder("theirs", 0700);
		assert_int_equal(chown(in_folder("theirs"), NOBODY, NOBODY), 0);
		place = place_of(NULL, "theirs", NULL);
		refused(&place, "theirs", "belongs to another user");
	}
}

static void file__is_refused__unless_it_is_ours_alone(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	char target[128];

	(void)state;
	make_folder("made", 0700);
	write_file("made/file", "", 0644);
	refused(&place, "made/file", "is open to others");
	assert_int_equal(unlink(in_folder("made/file")), 0);
	write_file("victim", "mine", 0600);
	snprintf(target, sizeof(target), "%s", in_folder("victim"));
	assert_int_equal(link(target, in_folder("made/file")), 0);
	refused(&place, "made/file", "has other names");
	assert_int_equal(unlink(in_folder("made/file")), 0);
	assert_int_equal(symlink(target, in_folder("made/file")), 0);
	refused(&place, "made/file", "cannot be opened");
	assert_string_equal(read_file("victim"), "mine");
	assert_int_equal(unlink(in_folder("made/file")), 0);
	assert_int_equal(mkfifo(in_folder("made/file"), 0600), 0);
	refused(&place, "made/file", "is not a plain file");
	assert_int_equal(unlink(in_folder("made/file")), 0);
	if (getuid() == 0) {
		write_file("made/file", "", 0600);
		assert_int_equal(chown(in_folder("made/file"), NOBODY, NOBODY), 0);
		refused(&place, "made/file", "belongs to another user");
	}
}

static void folder_of_a_group__is_used_as_it_is__if_not_everybody_may_write(void **state)
{
	struct pace_place place = place_of(NULL, NULL, "group");

	(void)state;
	refused(&place, "group", "No such file");
	make_folder("group", 02770);
	umask(077);
	assert_string_equal(visit(&place).path, in_folder("group/file"));
	umask(022);
	assert_int_equal(mode_of("group/file"), 0660);
	assert_int_equal(chmod(in_folder("group/file"), 0662), 0);
	refused(&place, "group/file", "may be written by everybody");
	assert_int_equal(chmod(in_folder("group/file"), 0660), 0);
	assert_int_equal(chmod(in_folder("group"), 0777), 0);
	refused(&place, "group", "may be written by everybody");
	assert_int_equal(chmod(in_folder("group"), 01777), 0);
	assert_true(visit(&place).taken);
	if (getuid() == 0) {
		assert_int_equal(chown(in_folder("group"), NOBODY, NOBODY), 0);
		assert_int_equal(chown(in_folder("group/file"), NOBODY, 0), 0);
		assert_true(visit(&place).taken);
	}
}

static void damaged_file__is_begun_anew__and_said(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	struct pace_found found;

	(void)state;
	make_folder("made", 0700);
	write_file("made/file", "gpuq-pace 1 \x01garbage", 0600);
	found = visit(&place);
	assert_true(found.taken && found.damaged);
	assert_int_equal(found.at_ms, NOW);
	found = visit(&place);
	assert_false(found.damaged);
	assert_int_equal(found.at_ms, NOW + 1000);
	/* Nothing is left of a longer one. */
	write_file("made/file",
		   "gpuq-pace 1 0123-abc\nend\nlonger than what comes now, by far, and "
		   "of no use to anybody who looks what it is",
		   0600);
	visit(&place);
	assert_non_null(strstr(read_file("made/file"), "turn 5000000 Search\nend\n"));
	assert_null(strstr(read_file("made/file"), "what it is"));
	/* Of a death before the first write. */
	write_file("made/file", "", 0600);
	found = visit(&place);
	assert_false(found.damaged);
	assert_int_equal(found.at_ms, NOW);
	/* Of another start of the machine. */
	write_file("made/file", "gpuq-pace 1 0123-abc\nturn 5030000 Search\nend\n", 0600);
	found = visit(&place);
	assert_false(found.damaged);
	assert_int_equal(found.at_ms, NOW);
	assert_null(strstr(read_file("made/file"), "0123-abc"));
}

static void long_file__is_somebody_elses__and_left_alone(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	struct stat status;

	(void)state;
	make_folder("made", 0700);
	write_file("made/file", "", 0600);
	assert_int_equal(truncate(in_folder("made/file"), TURNS_TEXT_MAX + 1), 0);
	refused(&place, "made/file", "is too long to be gpuq's");
	assert_int_equal(stat(in_folder("made/file"), &status), 0);
	assert_int_equal(status.st_size, TURNS_TEXT_MAX + 1);
}

/* A child that has locked the file and then does as it is told; returns its process. */
static pid_t lock_in_child(bool removes)
{
	char byte;
	int ready[2];

	assert_int_equal(pipe(ready), 0);

	pid_t pid = fork();

	if (pid == 0) {
		int fd = open(in_folder("made/file"), O_RDWR);

		if (fd < 0 || flock(fd, LOCK_EX) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		poll(NULL, 0, removes ? 50 : 60000);
		_exit(unlink(in_folder("made/file")) == 0 ? 0 : 1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void lock__is_waited_for__not_for_ever__and_freed_by_death(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);

	(void)state;
	visit(&place);

	pid_t pid = lock_in_child(false);

	refused(&place, "made/file", "has been locked for a second by somebody");
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(visit(&place).at_ms, NOW + 1000);
}

static void removed_file__is_made_anew__not_written_where_nobody_looks(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	int status;

	(void)state;
	visit(&place);

	pid_t pid = lock_in_child(true);

	assert_int_equal(visit(&place).at_ms, NOW);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(visit(&place).at_ms, NOW + 1000);
}

/* Takes turns as one of many processes, and writes when they are. */
static void take_turns(const struct pace_place *place, int out)
{
	const struct pace_visit wanted = { .op = "Search", .gap_ms = 1000 };

	for (int i = 0; i < VISITS; i++) {
		struct pace_found found;
		struct err err = { 0 };

		if (!pace_file_visit(place, &fixed, &wanted, &found, &err) || !found.taken ||
		    write(out, &found.at_ms, sizeof(found.at_ms)) != sizeof(found.at_ms))
			_exit(1);
	}
	_exit(0);
}

static void processes__take_turns_that_differ__all_at_once(void **state)
{
	struct pace_place place = place_of(NULL, "made", NULL);
	bool seen[PROCESSES * VISITS] = { false };
	int64_t at_ms;
	int turns[2];

	(void)state;
	assert_int_equal(pipe(turns), 0);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		if (pid == 0)
			take_turns(&place, turns[1]);
		assert_true(pid > 0);
	}
	close(turns[1]);
	for (int i = 0; i < PROCESSES * VISITS; i++) {
		assert_int_equal(read(turns[0], &at_ms, sizeof(at_ms)), sizeof(at_ms));

		int64_t second = (at_ms - NOW) / 1000;

		assert_int_equal(at_ms, NOW + second * 1000);
		assert_in_range(second, 0, PROCESSES * VISITS - 1);
		assert_false(seen[second]);
		seen[second] = true;
	}
	close(turns[0]);
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
}

/* As nobody, without rights to anything: root's folder is not theirs, and none can be made. */
static void without_rights__it_is_refused__by_name(void **state)
{
	struct pace_place place = place_of("run", "made", NULL);
	int status;

	(void)state;
	make_folder("run", 0700);
	assert_int_equal(chmod(folder, 0755), 0);

	pid_t pid = fork();

	if (pid == 0) {
		if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
			_exit(10);
		if (getuid() == 0)
			_exit(11);

		const struct pace_visit wanted = { .op = "Search", .gap_ms = 1000 };
		struct pace_found found;
		struct err err = { 0 };
		bool ok = pace_file_visit(&place, &fixed, &wanted, &found, &err);

		/* Who is not root to begin with may do all this. */
		if (getuid() != NOBODY)
			_exit(ok ? 0 : 12);
		_exit(!ok && strcmp(err.subject, in_folder("made")) == 0 &&
				      strstr(err_text(&err), "cannot be made: Permission denied")
			      ? 0
			      : 13);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void place__comes_from_the_environment__or_is_the_groups(void **state)
{
	struct pace_place place;
	struct err err = { 0 };
	char made[64];

	(void)state;
	snprintf(made, sizeof(made), "/tmp/gpuq-%u", (unsigned)geteuid());
	assert_int_equal(setenv("XDG_RUNTIME_DIR", "/run/mine", 1), 0);
	assert_true(pace_place_init(&place, NULL, &err));
	assert_string_equal(place.privates[0], "/run/mine");
	assert_string_equal(place.made, made);
	assert_string_equal(place.group, "");
	assert_int_equal(setenv("XDG_RUNTIME_DIR", "run/mine", 1), 0);
	assert_true(pace_place_init(&place, "/srv/pace", &err));
	assert_string_equal(place.privates[0], "");
	assert_string_equal(place.group, "/srv/pace");
	assert_int_equal(setenv("HOME", "/home/mine", 1), 0);
	assert_true(pace_place_init(&place, "~/pace", &err));
	assert_string_equal(place.group, "/home/mine/pace");
	assert_int_equal(unsetenv("XDG_RUNTIME_DIR"), 0);
	assert_false(pace_place_init(&place, "pace", &err));
	assert_int_equal(err.code, ERR_CONFIG);
	err_clear(&err);
	pace_place_name(&place, "us-east-1", "111122223333");
	assert_string_equal(place.file, "gpuq-us-east-1-111122223333.pace");
	/* FNV-1a of "foobar", as its authors publish it. */
	pace_place_name(&place, "us-east-1", "foobar");
	assert_string_equal(place.file, "gpuq-us-east-1-85944171f73967e8.pace");
}

static int fresh_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/gpuq-pace-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		execlp("rm", "rm", "-rf", folder, (char *)NULL);
		_exit(127);
	}
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, fresh_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(turns__are_found_by_the_next__and_closed_to_others),
		IN_FOLDER(private_folder__is_used__if_it_is_ours_alone),
		IN_FOLDER(made_folder__is_refused__unless_it_is_ours_alone),
		IN_FOLDER(file__is_refused__unless_it_is_ours_alone),
		IN_FOLDER(folder_of_a_group__is_used_as_it_is__if_not_everybody_may_write),
		IN_FOLDER(damaged_file__is_begun_anew__and_said),
		IN_FOLDER(long_file__is_somebody_elses__and_left_alone),
		IN_FOLDER(lock__is_waited_for__not_for_ever__and_freed_by_death),
		IN_FOLDER(removed_file__is_made_anew__not_written_where_nobody_looks),
		IN_FOLDER(processes__take_turns_that_differ__all_at_once),
		IN_FOLDER(without_rights__it_is_refused__by_name),
		cmocka_unit_test(place__comes_from_the_environment__or_is_the_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

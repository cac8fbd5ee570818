/* Where the two files are looked for, and what of them is read; case 107. */
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/config_files.h"
#include "aws/json.h"
#include "tests/shared.h"

#define NOBODY 65534

static char folder[] = "/tmp/gpuq-config-XXXXXX";

static const char *const variables[] = { "HOME",           "AWS_CONFIG_FILE",
					 "AWS_PROFILE",    "AWS_SHARED_CREDENTIALS_FILE",
					 "GPUQ_TEST_PATH", "AWS_DEFAULT_PROFILE" };

static void clear_environment(void)
{
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		unsetenv(variables[i]);
}

static const char *in_folder(const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

/* HOME is a folder with a blank in its name, and .aws with the two files in it. */
static void make_home(const char *config, const char *credentials)
{
	clear_environment();
	setenv("HOME", in_folder("my home"), 1);
	mkdir(in_folder("my home"), 0755);
	mkdir(in_folder("my home/.aws"), 0755);
	if (config)
		write_file("my home/.aws/config", config, 0644);
	if (credentials)
		write_file("my home/.aws/credentials", credentials, 0600);
}

static void remove_home(void)
{
	unlink(in_folder("my home/.aws/config"));
	unlink(in_folder("my home/.aws/credentials"));
}

/* --- where --- */

static void expand__replaces_home_and_variables__as_python_does(void **state)
{
	static const struct {
		const char *path, *expected;
	} rows[] = {
		{ "/a/b", "/a/b" },
		{ "~/x y", "/home/me/x y" },
		{ "~", "/home/me" },
		{ "a~/b", "a~/b" },
		{ "/~/b", "/~/b" },
		{ "~no-such-user/x", "~no-such-user/x" },
		{ "$GPUQ_TEST_PATH/x", "/p q/x" },
		{ "${GPUQ_TEST_PATH}x", "/p qx" },
		{ "~$GPUQ_TEST_PATH", "/home/me/p q" },
		{ "$GPUQ_TEST_PATHx", "$GPUQ_TEST_PATHx" },
		{ "$GPUQ_TEST_NONE/${GPUQ_TEST_NONE}", "$GPUQ_TEST_NONE/${GPUQ_TEST_NONE}" },
		{ "$", "$" },
		{ "a$/b$$c", "a$/b$$c" },
		{ "${GPUQ_TEST_PATH", "${GPUQ_TEST_PATH" },
		{ "${}", "${}" },
	};
	(void)state;
	clear_environment();
	setenv("HOME", "/home/me/", 1);
	setenv("GPUQ_TEST_PATH", "/p q", 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *path = config_path_expand(rows[i].path);
		assert_string_equal(path, rows[i].expected);
		free(path);
	}
	setenv("HOME", "/", 1);
	char *path = config_path_expand("~");
	assert_string_equal(path, "/");
	free(path);
}

static void expand__asks_the_system__for_other_homes(void **state)
{
	const struct passwd *me = getpwuid(getuid());
	char path[512], expected[512];
	(void)state;
	clear_environment();
	assert_non_null(me);
	snprintf(expected, sizeof(expected), "%s/x", me->pw_dir);
	snprintf(path, sizeof(path), "~%s/x", me->pw_name);
	char *without_home = config_path_expand("~/x"), *of_user = config_path_expand(path);
	assert_string_equal(without_home, expected);
	assert_string_equal(of_user, expected);
	free(without_home);
	free(of_user);
}

static void set_all(const struct json_value *environment)
{
	clear_environment();
	for (const struct json_value *one = json_first(environment); one; one = json_next(one))
		setenv(json_name(one), json_as_text(one), 1);
}

static void assert_location(const struct json_value *test)
{
	struct config_files files;
	const char *profile = json_text(test, "profile");
	set_all(json_member(test, "environment"));
	config_files_init(&files);
	assert_string_equal(files.files[PROFILES_CONFIG].path, json_text(test, "configLocation"));
	assert_string_equal(files.files[PROFILES_CREDENTIALS].path,
			    json_text(test, "credentialsLocation"));
	if (profile)
		assert_string_equal(profile_choice(NULL).name, profile);
	config_files_release(&files);
}

static void locations__are_those_of_the_vectors(void **state)
{
	struct err err = { 0 };
	size_t len, held = 0, other = 0;
	(void)state;
	char *text = shared_read("vectors/profiles/file-location-tests.json", &len);
	if (!text)
		return;
	struct json_value *all = json_parse(text, len, &err);
	assert_non_null(all);
	for (const struct json_value *test = json_first(json_member(all, "tests")); test;
	     test = json_next(test)) {
		if (strcmp(json_text(test, "platform"), "linux") != 0) {
			other++;
			continue;
		}
		assert_location(test);
		held++;
	}
	printf("locations: %zu of %zu, %zu of another system left out\n", held, held, other);
	assert_int_equal(held, 4);
	assert_int_equal(other, 5);
	json_free(all);
	free(text);
}

static void locations__count_only_when_they_are_set(void **state)
{
	struct config_files files;
	(void)state;
	clear_environment();
	setenv("HOME", "/home/me", 1);
	setenv("AWS_CONFIG_FILE", "", 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE", "~/my keys", 1);
	config_files_init(&files);
	assert_string_equal(files.files[PROFILES_CONFIG].path, "/home/me/.aws/config");
	assert_string_equal(files.files[PROFILES_CREDENTIALS].path, "/home/me/my keys");
	config_files_release(&files);
	config_files_release(&files);
	config_files_release(NULL);
}

static void assert_choice(const char *option, const char *name, const char *source)
{
	const struct profile_choice choice = profile_choice(option);
	assert_string_equal(choice.name, name);
	assert_string_equal(choice.source, source);
}

static void choice__takes_the_first_that_is_set(void **state)
{
	(void)state;
	clear_environment();
	assert_choice(NULL, "default", "");
	assert_choice("", "default", "");
	setenv("AWS_DEFAULT_PROFILE", "older", 1);
	assert_choice(NULL, "older", "AWS_DEFAULT_PROFILE");
	setenv("AWS_PROFILE", "", 1);
	assert_choice(NULL, "older", "AWS_DEFAULT_PROFILE");
	setenv("AWS_PROFILE", "newer", 1);
	assert_choice(NULL, "newer", "AWS_PROFILE");
	assert_choice("mine", "mine", "--profile");
}

/* --- what --- */

static void assert_region(const struct config_files *files, const char *profile,
			  const char *expected)
{
	const struct profile *found = profile_list_find(&files->profiles.profiles, profile);
	assert_non_null(found);
	const char *region = profile_value(found, "region").text;
	assert_non_null(region);
	assert_string_equal(region, expected);
}

static void assert_tried(const struct config_files *files, const char *config,
			 const char *credentials)
{
	struct buf text, expected;
	buf_init(&text, 8192);
	buf_init(&expected, 8192);
	buf_addf(&expected, "%s %s", files->files[PROFILES_CONFIG].path, config);
	buf_addf(&expected, " and %s %s", files->files[PROFILES_CREDENTIALS].path, credentials);
	profiles_add_tried(&files->profiles, &text);
	assert_string_equal(buf_text(&text), buf_text(&expected));
	buf_release(&text);
	buf_release(&expected);
}

static void files__are_read__from_a_home_with_a_blank(void **state)
{
	struct config_files files;
	(void)state;
	make_home("[default]\nregion = us-east-1\n[profile a]\nregion = r1\n",
		  "[a]\nregion = r2\n");
	config_files_init(&files);
	config_files_read_now(&files);
	assert_region(&files, "default", "us-east-1");
	assert_region(&files, "a", "r2");
	assert_tried(&files, "(read)", "(read)");
	assert_int_equal(files.files[PROFILES_CONFIG].stamp.size, 53);
	/* The texts hold secrets: they are gone, but for the table. */
	assert_null(files.files[PROFILES_CONFIG].text);
	assert_null(files.files[PROFILES_CREDENTIALS].text);
	config_files_release(&files);
	remove_home();
}

static void files__are_read__behind_links_and_a_tilde(void **state)
{
	struct config_files files;
	(void)state;
	make_home(NULL, NULL);
	write_file("the real one", "[default]\nregion = linked\n", 0644);
	char target[256];
	snprintf(target, sizeof(target), "%s", in_folder("the real one"));
	assert_int_equal(symlink(target, in_folder("my home/.aws/other config")), 0);
	setenv("AWS_CONFIG_FILE", "~/.aws/other config", 1);
	config_files_init(&files);
	config_files_read_now(&files);
	assert_region(&files, "default", "linked");
	assert_tried(&files, "(read)", "(there is no such file)");
	config_files_release(&files);
	unlink(in_folder("my home/.aws/other config"));
	unlink(in_folder("the real one"));
}

static void files__are_none__where_nothing_can_be_read(void **state)
{
	struct config_files files;
	(void)state;
	make_home(NULL, NULL);
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	setenv("AWS_CONFIG_FILE", in_folder("pipe"), 1);
	setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
	config_files_init(&files);
	config_files_read_now(&files);
	assert_int_equal(files.profiles.errors[PROFILES_CONFIG].code, ERR_IO);
	assert_int_equal(files.profiles.errors[PROFILES_CREDENTIALS].code, ERR_NOT_FOUND);
	assert_tried(&files, "(is not a plain file)", "(there is no such file)");
	assert_int_equal(files.profiles.profiles.count, 0);
	config_files_release(&files);
	unlink(in_folder("pipe"));
}

static void big_file__is_refused(void **state)
{
	const struct profile_choice choice = { "default", "" };
	const struct profile *profile;
	struct config_files files;
	struct err err = { 0 };
	(void)state;
	make_home("[default]\n", NULL);
	assert_int_equal(truncate(in_folder("my home/.aws/config"), INI_TEXT_MAX + 1), 0);
	config_files_init(&files);
	config_files_read_now(&files);
	assert_false(profiles_choose(&files.profiles, &choice, &profile, &err));
	assert_int_equal(err_exit_status(&err), 4);
	assert_string_equal(err.subject, files.files[PROFILES_CONFIG].path);
	assert_string_equal(err_text(&err), "has more than 1048576 bytes");
	err_clear(&err);
	config_files_release(&files);
	remove_home();
}

/* As nobody: root may read everything. Exit status 0: all as it should be. */
static int read_as_nobody(void)
{
	const struct profile_choice named = { "a", "AWS_PROFILE" }, unnamed = { "default", "" };
	const struct profile *profile;
	struct config_files files;
	struct err err = { 0 };
	if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
		return 10;
	if (getuid() == 0)
		return 11;
	config_files_init(&files);
	config_files_read_now(&files);
	/* The AWS CLI goes on without such a file: keys may come from elsewhere. */
	if (!profiles_choose(&files.profiles, &unnamed, &profile, &err))
		return 12;
	if (profiles_choose(&files.profiles, &named, &profile, &err))
		return 13;
	if (!strstr(err_text(&err), "/.aws/config (read) and ") ||
	    !strstr(err_text(&err), "/.aws/credentials (cannot be opened: Permission denied)"))
		return 14;
	/* What could not be read is worth another look. */
	if (!config_files_changed(&files))
		return 15;
	err_clear(&err);
	config_files_release(&files);
	return 0;
}

static void file_without_rights__is_named(void **state)
{
	int status;
	(void)state;
	make_home("[profile b]\n", "[a]\n");
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(chmod(in_folder("my home/.aws/credentials"), getuid() == 0 ? 0600 : 0), 0);
	pid_t pid = fork();
	if (pid == 0)
		_exit(read_as_nobody());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	remove_home();
}

static void changes__are_seen(void **state)
{
	struct config_files files;
	(void)state;
	make_home("[default]\nregion = one\n", NULL);
	config_files_init(&files);
	config_files_read_now(&files);
	assert_false(config_files_changed(&files));
	/* A file that comes. */
	write_file("my home/.aws/credentials", "[default]\nregion = two\n", 0600);
	assert_true(config_files_changed(&files));
	config_files_read_now(&files);
	assert_false(config_files_changed(&files));
	assert_region(&files, "default", "two");
	/* One that is replaced by another of the same length, and one that goes. */
	write_file("new", "[default]\nregion = six\n", 0600);
	assert_int_equal(rename(in_folder("new"), files.files[PROFILES_CREDENTIALS].path), 0);
	assert_true(config_files_changed(&files));
	config_files_read_now(&files);
	assert_region(&files, "default", "six");
	unlink(in_folder("my home/.aws/credentials"));
	assert_true(config_files_changed(&files));
	config_files_read_now(&files);
	assert_false(config_files_changed(&files));
	assert_region(&files, "default", "one");
	config_files_release(&files);
	remove_home();
}

/* --- from a loop --- */

static void count(void *ctx)
{
	++*(unsigned *)ctx;
}

static void reading__ends_once__from_the_loop(void **state)
{
	struct disk *disk = disk_new();
	struct config_files files;
	struct profiles taken;
	unsigned calls = 0;
	(void)state;
	make_home("[default]\nregion = one\n", "[a]\n");
	config_files_init(&files);
	config_files_read(&files, disk, count, &calls);
	assert_int_equal(calls, 0);
	while (calls == 0) {
		struct pollfd fd = { .fd = disk_fd(disk), .events = POLLIN };
		assert_int_equal(poll(&fd, 1, 20000), 1);
		disk_ready(disk);
	}
	assert_int_equal(calls, 1);
	/* The table may be moved away; the next reading makes another. */
	taken = files.profiles;
	files.profiles = (struct profiles){ 0 };
	config_files_read(&files, disk, count, &calls);
	config_files_give_up(&files);
	assert_int_equal(calls, 2);
	assert_int_equal(taken.profiles.count, 2);
	profiles_release(&taken);
	config_files_release(&files);
	disk_free(disk);
	remove_home();
}

static void note_result(void *ctx, const struct disk_result *result)
{
	(void)result;
	*(bool *)ctx = true;
}

static void reading__is_given_up__as_a_refusal(void **state)
{
	const struct profile_choice choice = { "default", "" };
	const struct profile *profile;
	struct disk *disk = disk_new();
	struct config_files files;
	struct err err = { 0 };
	unsigned calls = 0;
	bool last = false;
	(void)state;
	make_home("[default]\n", NULL);
	config_files_init(&files);
	config_files_read(&files, disk, count, &calls);
	config_files_give_up(&files);
	assert_int_equal(calls, 1);
	assert_false(profiles_choose(&files.profiles, &choice, &profile, &err));
	assert_string_equal(err_text(&err), "was not read in time: its folder does not answer");
	assert_string_equal(err.subject, files.files[PROFILES_CONFIG].path);
	err_clear(&err);
	/* Results that come later are nobody's, and a release forgets a reading under way. */
	config_files_read(&files, disk, count, &calls);
	config_files_release(&files);
	disk_stat(disk, "/", note_result, &last);
	while (!last) {
		struct pollfd fd = { .fd = disk_fd(disk), .events = POLLIN };
		assert_int_equal(poll(&fd, 1, 20000), 1);
		disk_ready(disk);
	}
	assert_int_equal(calls, 1);
	disk_free(disk);
	remove_home();
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	rmdir(in_folder("my home/.aws"));
	rmdir(in_folder("my home"));
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expand__replaces_home_and_variables__as_python_does),
		cmocka_unit_test(expand__asks_the_system__for_other_homes),
		cmocka_unit_test(locations__are_those_of_the_vectors),
		cmocka_unit_test(locations__count_only_when_they_are_set),
		cmocka_unit_test(choice__takes_the_first_that_is_set),
		cmocka_unit_test(files__are_read__from_a_home_with_a_blank),
		cmocka_unit_test(files__are_read__behind_links_and_a_tilde),
		cmocka_unit_test(files__are_none__where_nothing_can_be_read),
		cmocka_unit_test(big_file__is_refused),
		cmocka_unit_test(file_without_rights__is_named),
		cmocka_unit_test(changes__are_seen),
		cmocka_unit_test(reading__ends_once__from_the_loop),
		cmocka_unit_test(reading__is_given_up__as_a_refusal),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

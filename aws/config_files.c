#include "aws/config_files.h"

#include <ctype.h>
#include <poll.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/mem.h"

#define PATH_SIZE 65536 /* of an expanded path; the system takes 4096 */
#define NAME_SIZE 256   /* of a variable or a user in it */

static const char *environment(const char *name)
{
	const char *value = getenv(name);
	return value && value[0] ? value : NULL;
}

/* --- paths --- */

/* The length of `$NAME` or `${NAME}` at text, and the name; 0 when there is none. */
static size_t take_variable(const char *text, char name[NAME_SIZE])
{
	bool has_braces = text[1] == '{';
	const char *start = text + (has_braces ? 2 : 1);
	size_t len = 0;
	if (has_braces)
		len = strcspn(start, "}");
	else
		while (isalnum((unsigned char)start[len]) || start[len] == '_')
			len++;
	if (len == 0 || len >= NAME_SIZE || (has_braces && !start[len]))
		return 0;
	memcpy(name, start, len);
	name[len] = '\0';
	return len + (has_braces ? 3 : 1);
}

static void add_variables(struct buf *out, const char *text)
{
	char name[NAME_SIZE];
	while (*text) {
		size_t len = *text == '$' ? take_variable(text, name) : 0;
		const char *value = len ? getenv(name) : NULL;
		if (value)
			buf_add_text(out, value);
		else
			buf_add(out, text, len ? len : 1);
		text += len ? len : 1;
	}
}

/* The folder of `~` or `~user`; NULL when nobody knows. */
static const char *home_of(const char *user)
{
	const char *home = getenv("HOME");
	if (!user[0] && home)
		return home;
	const struct passwd *entry = user[0] ? getpwnam(user) : getpwuid(getuid());
	return entry ? entry->pw_dir : NULL;
}

static char *replace_home(const char *path)
{
	char user[NAME_SIZE] = "";
	size_t len = strcspn(path, "/");
	if (path[0] != '~' || len > NAME_SIZE)
		return mem_copy_text(path);
	memcpy(user, path + 1, len - 1);
	const char *home = home_of(user);
	if (!home)
		return mem_copy_text(path);
	size_t home_len = strlen(home);
	while (home_len > 0 && home[home_len - 1] == '/')
		home_len--;
	struct buf out;
	buf_init(&out, PATH_SIZE);
	buf_add(&out, home, home_len);
	buf_add_text(&out, path + len);
	if (out.len == 0)
		buf_add_char(&out, '/');
	return buf_take(&out);
}

char *config_path_expand(const char *path)
{
	struct buf out;
	buf_init(&out, PATH_SIZE);
	add_variables(&out, path);
	char *expanded = replace_home(buf_text(&out));
	buf_release(&out);
	return expanded;
}

struct profile_choice profile_choice(const char *option)
{
	static const char *const names[] = { "AWS_PROFILE", "AWS_DEFAULT_PROFILE" };
	if (option && option[0])
		return (struct profile_choice){ option, "--profile" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (environment(names[i]))
			return (struct profile_choice){ environment(names[i]), names[i] };
	return (struct profile_choice){ "default", "" };
}

/* --- reading --- */

void config_files_init(struct config_files *files)
{
	static const struct {
		const char *variable, *path;
	} places[PROFILES_FILES] = {
		[PROFILES_CONFIG] = { "AWS_CONFIG_FILE", "~/.aws/config" },
		[PROFILES_CREDENTIALS] = { "AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials" },
	};
	*files = (struct config_files){ 0 };
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		const char *path = environment(places[i].variable);
		files->files[i].path = config_path_expand(path ? path : places[i].path);
	}
}

static void drop_text(struct config_file *file)
{
	if (file->text)
		explicit_bzero(file->text, file->len);
	free(file->text);
	file->text = NULL;
	err_clear(&file->err);
}

static void make_table(struct config_files *files)
{
	struct profiles_text texts[PROFILES_FILES];
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		const struct config_file *file = &files->files[i];
		texts[i] = (struct profiles_text){ file->path, file->text, file->len, &file->err };
	}
	profiles_release(&files->profiles);
	profiles_read(&files->profiles, texts);
	for (size_t i = 0; i < PROFILES_FILES; i++)
		drop_text(&files->files[i]);
	files->disk = NULL;
	files->done(files->ctx);
}

static bool is_awaited(const struct config_files *files)
{
	return files->files[PROFILES_CONFIG].request || files->files[PROFILES_CREDENTIALS].request;
}

static void take_result(void *ctx, const struct disk_result *result)
{
	struct config_file *file = ctx;
	file->request = 0;
	file->stamp = (struct disk_stamp){ 0 };
	if (!result->err) {
		file->text = mem_copy_bytes(result->bytes, result->len);
		file->len = result->len;
		file->stamp = result->stamp;
	} else if (strcmp(file->path, "/dev/null") == 0) {
		err_set(&file->err, ERR_NOT_FOUND, "is set to no file");
	} else {
		err_copy(&file->err, result->err);
	}
	if (!is_awaited(file->owner))
		make_table(file->owner);
}

void config_files_read(struct config_files *files, struct disk *disk, void (*done)(void *ctx),
		       void *ctx)
{
	files->disk = disk;
	files->done = done;
	files->ctx = ctx;
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		struct config_file *file = &files->files[i];
		file->owner = files;
		file->request = disk_read(disk, file->path, INI_TEXT_MAX, take_result, file);
	}
}

void config_files_give_up(struct config_files *files)
{
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		struct config_file *file = &files->files[i];
		if (!file->request)
			continue;
		disk_forget(files->disk, file->request);
		file->request = 0;
		err_set(&file->err, ERR_TIMEOUT,
			"was not read in time: its folder does not answer");
		err_subject(&file->err, "%s", file->path);
	}
	make_table(files);
}

static void note_done(void *ctx)
{
	*(bool *)ctx = true;
}

void config_files_read_now(struct config_files *files)
{
	struct disk *disk = disk_new();
	bool is_done = false;
	config_files_read(files, disk, note_done, &is_done);
	while (!is_done) {
		struct pollfd fd = { .fd = disk_fd(disk), .events = POLLIN };
		if (poll(&fd, 1, CONFIG_FILES_WAIT_MS) == 0)
			config_files_give_up(files);
		else
			disk_ready(disk);
	}
	disk_free(disk);
}

static struct disk_stamp stamp_now(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return (struct disk_stamp){ 0 };
	return (struct disk_stamp){
		.device = (uint64_t)status.st_dev,
		.inode = (uint64_t)status.st_ino,
		.size = (int64_t)status.st_size,
		.changed_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
	};
}

bool config_files_changed(const struct config_files *files)
{
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		const struct disk_stamp stamp = stamp_now(files->files[i].path);
		if (!disk_stamp_equal(&stamp, &files->files[i].stamp))
			return true;
	}
	return false;
}

void config_files_release(struct config_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < PROFILES_FILES; i++) {
		struct config_file *file = &files->files[i];
		if (file->request)
			disk_forget(files->disk, file->request);
		drop_text(file);
		free(file->path);
	}
	profiles_release(&files->profiles);
	*files = (struct config_files){ 0 };
}

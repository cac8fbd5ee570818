/*
 * Where the AWS config file and the AWS credentials file lie, and reading them into a table of
 * profiles. Paths: AWS_CONFIG_FILE, else ~/.aws/config; AWS_SHARED_CREDENTIALS_FILE, else
 * ~/.aws/credentials. A `~`, `~user`, `$NAME` and `${NAME}` in them are replaced as the AWS CLI
 * does. An empty variable is one that is not set. Links are followed.
 */
#ifndef GPUQ_CONFIG_FILES_H
#define GPUQ_CONFIG_FILES_H

#include "aws/profiles.h"
#include "model/base/disk.h"

#define CONFIG_FILES_WAIT_MS 10000 /* that the start of the program waits for a home folder */

struct config_files;

struct config_file {
	char *path;              /* owned */
	struct disk_stamp stamp; /* of the file as it was read; all 0: it was not */
	char *text;              /* until both files have come; wiped then */
	size_t len;
	struct err err; /* why there is no text */
	uint64_t request;
	struct config_files *owner;
};

/* Stays where it is while it reads. */
struct config_files {
	struct config_file files[PROFILES_FILES];
	struct profiles profiles; /* may be taken (moved, leaving {0}) */
	struct disk *disk;
	void (*done)(void *ctx);
	void *ctx;
};

/* Finds the paths, from the environment; reads nothing. */
void config_files_init(struct config_files *files);
/* Forgets a reading under way. NULL is accepted. */
void config_files_release(struct config_files *files);

/*
 * Reads both files; done is called once, from disk_ready, when profiles has been made anew: what
 * was borrowed from it before ends then. Never fails: profiles.errors says what became of each
 * file. Not while an earlier reading is under way.
 */
void config_files_read(struct config_files *files, struct disk *disk, void (*done)(void *ctx),
		       void *ctx);

/* Waits no longer: a file that has not come is refused (ERR_TIMEOUT), and done is called now. */
void config_files_give_up(struct config_files *files);

/* Reads both at once, for the start of the program: blocks, and gives up when nothing comes for
 * CONFIG_FILES_WAIT_MS. */
void config_files_read_now(struct config_files *files);

/* Whether a file has come, gone or changed since it was read; one that is there, but could not be
 * read, counts as changed. Blocks for the disk: a loop has aws/file_watch. */
bool config_files_changed(const struct config_files *files);

/* A path with `~` and variables replaced; the caller frees it. An unknown one stays as it is. */
char *config_path_expand(const char *path);

/* option (--profile), else AWS_PROFILE, else AWS_DEFAULT_PROFILE, else "default". */
struct profile_choice profile_choice(const char *option);

#endif

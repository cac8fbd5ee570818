#include "aws/kept_names.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "aws/config_files.h"
#include "aws/endpoint.h"
#include "aws/history_db.h"
#include "aws/settings.h"
#include "aws/setup.h"
#include "aws/sql.h"
#include "model/job.h"
#include "model/state_folder.h"

#define FOLDERS_MAX 256 /* that are looked at */
#define LOCK_MS     100 /* a person waits for it */

static void read_profiles(struct config_files *files)
{
	config_files_init(files);
	config_files_read_now(files);
}

void kept_profiles(kept_name_fn *take, void *ctx)
{
	struct config_files files;
	read_profiles(&files);
	const struct profile_list *list = &files.profiles.profiles;
	for (size_t i = 0; i < list->count && take(ctx, list->items[i].name); i++)
		continue;
	profiles_release(&files.profiles);
	config_files_release(&files);
}

/* "" where nobody says one. */
static void find_region(const char *profile, const char *option, char region[REGION_SIZE])
{
	struct err none = { 0 };
	struct config_files files;
	const char *said = aws_region(option, &none);
	err_clear(&none);
	region[0] = '\0';
	if (said) {
		snprintf(region, REGION_SIZE, "%s", said);
		return;
	}
	read_profiles(&files);
	const struct profile *chosen =
		profile_list_find(&files.profiles.profiles, profile_choice(profile).name);
	said = profile_value(chosen, "region").text;
	snprintf(region, REGION_SIZE, "%s", said ? said : "");
	profiles_release(&files.profiles);
	config_files_release(&files);
}

/* ACCOUNT-REGION-ENDPOINT: no account has a hyphen, no endpoint either. */
static bool is_of_region(const char *folder, const char *region)
{
	const char *from = strchr(folder, '-'), *to = strrchr(folder, '-');
	if (!from || to == from)
		return false;
	size_t len = strlen(region);
	return len == 0 || ((size_t)(to - from) == len + 1 && strncmp(from + 1, region, len) == 0);
}

/* False: no more is wanted. What cannot be read has no names. */
static bool take_jobs(const char *path, bool live_only, kept_name_fn *take, void *ctx)
{
	struct err none = { 0 };
	struct stat status;
	bool more = true;
	/* A link or a pipe is nobody's history. */
	if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return true;
	struct sql *sql = sql_open(path, SQL_READ, LOCK_MS, &none);
	struct sql_query *query =
		sql ? sql_query_new(sql,
				    "SELECT name FROM jobs WHERE end_ms>=? ORDER BY end_ms DESC,"
				    "created DESC LIMIT ?",
				    &none)
		    : NULL;
	if (query) {
		sql_bind(query, 1, live_only ? INT64_MAX : 0);
		sql_bind(query, 2, KEPT_JOBS_MAX);
		while (more && sql_next(query, &none)) {
			const char *name = sql_text(query, 0);
			/* Whatever else stands there, AWS has no such job. */
			if (name && job_name_is_valid(name))
				more = take(ctx, name);
		}
	}
	sql_query_free(query);
	sql_close(sql);
	err_clear(&none);
	return more;
}

void kept_jobs(const char *profile, const char *region, bool live_only, kept_name_fn *take,
	       void *ctx)
{
	char wanted[REGION_SIZE];
	struct err none = { 0 };
	struct buf root;
	buf_init(&root, PATH_MAX);
	DIR *folder = NULL;
	if (state_root(setup_env("XDG_STATE_HOME"), setup_env("HOME"), &root, &none))
		folder = opendir(buf_text(&root));
	if (folder)
		find_region(profile, region, wanted);
	bool more = folder != NULL;
	for (int i = 0; more && i < FOLDERS_MAX; i++) {
		const struct dirent *entry = readdir(folder);
		struct buf path;
		if (!entry)
			break;
		if (!is_of_region(entry->d_name, wanted))
			continue;
		buf_init(&path, PATH_MAX);
		buf_addf(&path, "%s/%s/" HISTORY_DB_NAME, buf_text(&root), entry->d_name);
		more = path.failed || take_jobs(buf_text(&path), live_only, take, ctx);
		buf_release(&path);
	}
	if (folder)
		closedir(folder);
	buf_release(&root);
	err_clear(&none);
}

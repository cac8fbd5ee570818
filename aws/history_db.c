#define _GNU_SOURCE /* statfs, O_PATH's neighbours */
#include "aws/history_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "aws/history_db_parts.h"
#include "model/base/clock.h"
#include "model/base/folder.h"
#include "model/base/mem.h"

#define PATH_SIZE 4352 /* STATE_PATH_MAX and a name */

/* What SQLite keeps beside a file. */
static const char *const companions[] = { "", "-wal", "-shm", "-journal" };

void history_told_release(struct history_told *told)
{
	if (told)
		err_clear(&told->err);
}

static bool fail(struct err *err, const char *path, const char *what)
{
	err_set(err, ERR_IO, "%s: %s", what, strerror(errno));
	return err_subject(err, "%s", path);
}

static bool refuse(struct err *err, const char *path, const char *why)
{
	err_set(err, ERR_IO, "%s", why);
	return err_subject(err, "%s", path);
}

/* --- the file --- */

static bool is_ours_alone(struct history_db *db, int fd, struct err *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return fail(err, db->path, "cannot be looked at");
	db->device = (uint64_t)status.st_dev;
	db->inode = (uint64_t)status.st_ino;
	if (!S_ISREG(status.st_mode))
		return refuse(err, db->path, "is not a plain file");
	if (status.st_uid != geteuid())
		return refuse(err, db->path, "belongs to another user");
	if (status.st_nlink > 1)
		return refuse(err, db->path, "has other names");
	return (status.st_mode & 077) == 0 || fchmod(fd, 0600) == 0 ||
	       fail(err, db->path, "cannot be closed to others");
}

/* Makes the file where it is missing. SQLite itself would follow links, and its journals take the
 * rights that the file has. True, with err: it is there, but not to be written. */
static bool check_file(struct history_db *db, int folder, struct err *err)
{
	int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = openat(folder, HISTORY_DB_NAME, O_RDWR | O_CREAT | flags, 0600);
	struct err why = { 0 };
	bool ok;

	if (fd < 0 && errno == ELOOP)
		return refuse(err, db->path, "is a link");
	if (fd < 0) {
		fail(&why, db->path, "cannot be written");
		fd = openat(folder, HISTORY_DB_NAME, O_RDONLY | flags);
		db->read_only = true;
	}
	ok = fd >= 0 && is_ours_alone(db, fd, err);
	if (why.code != ERR_NONE)
		err_move(err, &why);
	if (fd >= 0)
		close(fd);
	err_clear(&why);
	return ok;
}

bool history_db_is_gone(const struct history_db *db)
{
	struct stat status;

	return lstat(db->path, &status) != 0 || (uint64_t)status.st_dev != db->device ||
	       (uint64_t)status.st_ino != db->inode;
}

/* --- the schema --- */

static bool read_version(struct history_db *db, int *version, struct err *err)
{
	struct sql_query *query = sql_query_new(db->sql, "PRAGMA user_version", err);
	bool ok = query && sql_next(query, err);

	*version = ok ? (int)sql_integer(query, 0) : 0;
	sql_query_free(query);
	return ok;
}

static bool migrate_from(struct history_db *db, int version, struct err *err)
{
	char text[48];

	for (int i = version; i < history_version; i++) {
		if (!sql_run(db->sql, history_migrations[i], err))
			return false;
	}
	(void)snprintf(text, sizeof(text), "PRAGMA user_version=%d", history_version);
	return sql_run(db->sql, text, err);
}

/* Another program may be at it: the version is read again under the lock. */
static bool migrate(struct history_db *db, struct err *err)
{
	int version;

	if (!read_version(db, &version, err))
		return false;
	if (version > history_version)
		return refuse(err, db->path, "was written by a newer gpuq: it is left alone");
	if (version == history_version)
		return true;
	if (version > 0 && db->read_only)
		return refuse(err, db->path, "was written by an older gpuq, and cannot be written");
	if (version < 0 || db->read_only)
		return refuse(err, db->path, "is no history of gpuq's");
	if (!sql_run(db->sql, "BEGIN IMMEDIATE", err))
		return false;
	if (read_version(db, &version, err) && migrate_from(db, version, err) &&
	    sql_run(db->sql, "COMMIT", err))
		return true;
	sql_rollback(db->sql);
	return false;
}

struct sql_query *history_query(struct history_db *db, enum history_query which, struct err *err)
{
	static const char *const texts[QUERY_COUNT] = {
		[QUERY_FIND_TEXT] = "SELECT id FROM texts WHERE text=?",
		[QUERY_ADD_TEXT] = "INSERT INTO texts(text) VALUES(?)",
		[QUERY_PUT_JOB] =
			"INSERT INTO jobs(arn,name,kind,status,secondary,role,created,started,"
			"ended,modified,end_ms,details,indexed,is_list,shared_count,job_plan,"
			"selected_type,selected_count,selected_rank,groups,spot,keep_alive,"
			"max_pending,max_runtime,billable,training_time,capacity,pool_status,"
			"pool_reused,pool_retained,phase,outcome,first_wait,wait,wait_final,run,"
			"cost_micro,currency,price_source,price_date,seen) "
			"VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,"
			"?19,?20,?21,?22,?23,?24,?25,?26,?27,?28,?29,?30,?31,?32,?33,?34,?35,"
			"?36,?37,?38,?39,?40,?41) "
			"ON CONFLICT(arn) DO UPDATE SET status=?4,secondary=?5,role=?6,created=?7,"
			"started=?8,ended=?9,modified=?10,end_ms=?11,details=?12,indexed=?13,"
			"is_list=?14,shared_count=?15,job_plan=?16,selected_type=?17,"
			"selected_count=?18,selected_rank=?19,groups=?20,spot=?21,keep_alive=?22,"
			"max_pending=?23,max_runtime=?24,billable=?25,training_time=?26,"
			"capacity=?27,pool_status=?28,pool_reused=?29,pool_retained=?30,phase=?31,"
			"outcome=?32,first_wait=?33,wait=?34,wait_final=?35,run=?36,cost_micro=?37,"
			"currency=?38,price_source=?39,price_date=?40,seen=?41 "
			"WHERE ?41>=seen AND ?12>=details RETURNING id",
		[QUERY_COST] = "SELECT cost_micro,currency,price_source,price_date,end_ms,"
			       "(SELECT text FROM texts WHERE id=price_source) "
			       "FROM jobs WHERE arn=? AND cost_micro IS NOT NULL",
		[QUERY_DROP_ENTRIES] = "DELETE FROM entries WHERE job=?",
		[QUERY_PUT_ENTRY] = "INSERT INTO entries(job,rank,type,count,plan,grp) "
				    "VALUES(?,?,?,?,?,?)",
		[QUERY_DROP_TRANSITIONS] = "DELETE FROM transitions WHERE job=?",
		[QUERY_PUT_TRANSITION] = "INSERT INTO transitions(job,place,status,message,start,"
					 "end) VALUES(?,?,?,?,?,?)",
		[QUERY_DROP_TAGS] = "DELETE FROM tags WHERE job=?",
		[QUERY_PUT_TAG] = "INSERT OR REPLACE INTO tags(job,name,value) VALUES(?,?,?)",
		[QUERY_ENTRIES] = "SELECT type,count,plan,grp FROM entries WHERE job=? "
				  "ORDER BY rank",
		[QUERY_TRANSITIONS] = "SELECT status,message,start,end FROM transitions "
				      "WHERE job=? ORDER BY place",
	};

	if (!db->queries[which])
		db->queries[which] = sql_query_new(db->sql, texts[which], err);
	if (db->queries[which])
		sql_reset(db->queries[which]);
	return db->queries[which];
}

/* --- opening --- */

void history_db_close(struct history_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < QUERY_COUNT; i++)
		sql_query_free(db->queries[i]);
	sql_close(db->sql);
	free(db->path);
	free(db);
}

bool history_db_is_read_only(const struct history_db *db)
{
	return db->read_only;
}

bool history_db_is_damaged(const struct history_db *db)
{
	return sql_fault(db->sql) == SQL_DAMAGED;
}

/* Reads a part of each table: what is no database, or not this one, is found out now. */
static bool probe(struct history_db *db, struct err *err)
{
	static const char text[] = "SELECT (SELECT count(*) FROM sqlite_schema),"
				   "(SELECT max(id) FROM jobs),(SELECT max(id) FROM texts)";
	struct sql_query *query = sql_query_new(db->sql, text, err);
	bool ok = query && sql_next(query, err);

	sql_query_free(query);
	return ok;
}

static enum sql_journal journal_for(const char *folder)
{
	struct statfs status;

	return statfs(folder, &status) == 0 ? sql_journal_for((uint32_t)status.f_type)
					    : SQL_JOURNAL_WAL;
}

static bool use_file_as(struct history_db *db, enum sql_mode mode, struct err *err)
{
	sql_close(db->sql);
	db->sql = sql_open(db->path, mode, db->lock_ms, err);
	return db->sql && migrate(db, err) && probe(db, err);
}

static bool use_file(struct history_db *db, const char *folder, struct err *err)
{
	struct err why = { 0 };

	if (!db->read_only) {
		db->sql = sql_open(db->path, SQL_WRITE, db->lock_ms, err);
		if (db->sql && sql_set_journal(db->sql, journal_for(folder), err) &&
		    migrate(db, err) && probe(db, err))
			return true;
		/* A journal that cannot be made beside it is no fault of the file. */
		if (!db->sql ||
		    (sql_fault(db->sql) != SQL_READ_ONLY && sql_fault(db->sql) != SQL_OTHER))
			return false;
		db->read_only = true;
	}
	bool ok = use_file_as(db, SQL_READ, &why);
	if (!ok) {
		err_clear(&why);
		ok = use_file_as(db, SQL_READ_STILL, &why);
	}
	if (err->code == ERR_NONE && !ok)
		err_move(err, &why);
	err_clear(&why);
	return ok;
}

static struct history_db *db_new(const char *folder, int lock_ms)
{
	struct history_db *db = mem_new(1, sizeof(*db));
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, HISTORY_DB_NAME);
	db->path = mem_copy_text(path);
	db->lock_ms = lock_ms;
	return db;
}

/* Under a name that is free; with its journals, so that somebody can look into it. */
static bool set_aside(const char *path, int folder, struct history_told *told)
{
	const struct clock clock = clock_system();
	char stamp[TIME_TEXT_SIZE], from[128], to[256];
	bool ok = true;

	time_format_stamp(clock_wall_ms(&clock), stamp);
	(void)snprintf(told->aside, sizeof(told->aside), "%s.damaged-%s-%ld", HISTORY_DB_NAME,
		       stamp, (long)getpid());
	for (size_t i = 0; i < ARRAY_LEN(companions) && ok; i++) {
		(void)snprintf(from, sizeof(from), "%s%s", HISTORY_DB_NAME, companions[i]);
		(void)snprintf(to, sizeof(to), "%s%s", told->aside, companions[i]);
		ok = renameat(folder, from, folder, to) == 0 || errno == ENOENT;
	}
	if (ok)
		return true;
	told->aside[0] = '\0';
	return fail(&told->err, path, "is damaged and cannot be set aside");
}

/* One try. *damaged: it is no usable database, and nobody has put another in its place. With a file
 * that can be read alone err says why. */
static struct history_db *open_once(const char *folder, int fd, int lock_ms, struct err *err,
				    bool *damaged)
{
	struct history_db *db = db_new(folder, lock_ms);
	struct err why = { 0 };

	*damaged = false;
	if (!check_file(db, fd, err)) {
		history_db_close(db);
		return NULL;
	}
	if (use_file(db, folder, &why)) {
		if (why.code != ERR_NONE)
			err_move(err, &why);
		return db;
	}
	*damaged = db->sql && sql_fault(db->sql) == SQL_DAMAGED && !db->read_only &&
		   !history_db_is_gone(db);
	if (why.code != ERR_NONE)
		err_move(err, &why);
	history_db_close(db);
	return NULL;
}

static struct history_db *open_in(const char *folder, int fd, int lock_ms,
				  struct history_told *told)
{
	struct err again = { 0 };
	bool damaged;
	struct history_db *db = open_once(folder, fd, lock_ms, &told->err, &damaged);

	if (db || !damaged || !set_aside(folder, fd, told))
		return db;
	db = open_once(folder, fd, lock_ms, &again, &damaged);
	if (!db)
		err_move(&told->err, &again);
	err_clear(&again);
	return db;
}

struct history_db *history_db_open(const char *folder, int lock_ms, struct history_told *told)
{
	struct history_db *db;
	int fd;

	*told = (struct history_told){ 0 };
	folder_make(folder);
	fd = folder_open(folder, &told->err);
	if (fd < 0)
		return NULL;
	db = open_in(folder, fd, lock_ms, told);
	close(fd);
	return db;
}

struct history_db *history_db_renew(const char *folder, int lock_ms, struct history_told *told)
{
	struct history_db *db = NULL;
	int fd;

	*told = (struct history_told){ 0 };
	fd = folder_open(folder, &told->err);
	if (fd < 0)
		return NULL;
	err_set(&told->err, ERR_IO, "is damaged");
	err_subject(&told->err, "%s/%s", folder, HISTORY_DB_NAME);
	if (set_aside(folder, fd, told))
		db = open_in(folder, fd, lock_ms, told);
	close(fd);
	return db;
}

/* --- facts --- */

bool history_db_set_fact(struct history_db *db, const char *name, const char *text, struct err *err)
{
	static const char put[] = "INSERT OR REPLACE INTO facts(name,value) VALUES(?1,?2)";
	static const char drop[] = "DELETE FROM facts WHERE name=?1";
	struct sql_query *query = sql_query_new(db->sql, text ? put : drop, err);
	bool ok = query != NULL;

	if (query) {
		sql_bind_text(query, 1, name);
		if (text)
			sql_bind_text(query, 2, text);
		ok = sql_finish(query, err);
	}
	sql_query_free(query);
	return ok;
}

char *history_db_fact(struct history_db *db, const char *name, struct err *err)
{
	struct sql_query *query =
		sql_query_new(db->sql, "SELECT value FROM facts WHERE name=?", err);
	char *value = NULL;

	if (!query)
		return NULL;
	sql_bind_text(query, 1, name);
	if (sql_next(query, err))
		value = mem_copy_text(sql_text(query, 0));
	sql_query_free(query);
	return value;
}

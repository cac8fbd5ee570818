#include "aws/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "model/base/buf.h"
#include "model/base/mem.h"

#define URI_MAX  16384u
#define TEXT_MAX (1 << 20) /* of one value, and of one statement */

struct sql {
	sqlite3 *handle;
	int failure; /* primary code of the last failure */
	char *path;  /* owned */
};

struct sql_query {
	struct sql *sql;
	sqlite3_stmt *statement;
};

/* linux/magic.h has some of them, and not on every system: files of another machine, or of a
 * program, which shares no memory between those that open them. */
static const uint32_t without_shared_memory[] = {
	0x00006969, /* NFS */
	0x0000517b, /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x65735546, /* FUSE */
	0x01021997, /* 9P */
	0x5346414f, /* AFS */
	0x00c36400, /* Ceph */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS */
};

enum sql_journal sql_journal_for(uint32_t file_system)
{
	for (size_t i = 0; i < ARRAY_LEN(without_shared_memory); i++) {
		if (without_shared_memory[i] == file_system)
			return SQL_JOURNAL_ROLLBACK;
	}
	return SQL_JOURNAL_WAL;
}

static enum sql_fault fault_of(int failure)
{
	switch (failure) {
	case SQLITE_OK:
		return SQL_FINE;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_FORMAT:
		return SQL_DAMAGED;
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return SQL_READ_ONLY;
	case SQLITE_FULL:
		return SQL_FULL;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return SQL_LOCKED;
	default:
		return SQL_OTHER;
	}
}

static const char *words_of(struct sql *sql)
{
	switch (fault_of(sql->failure)) {
	case SQL_DAMAGED:
		return "is damaged";
	case SQL_READ_ONLY:
		return "cannot be written";
	case SQL_FULL:
		return "cannot be written: the disk is full";
	case SQL_LOCKED:
		return "is locked by another program";
	default:
		return sqlite3_errmsg(sql->handle);
	}
}

static bool fail(struct sql *sql, int code, struct err *err)
{
	sql->failure = code & 0xff; /* without the extension */
	err_set(err, ERR_IO, "%s", words_of(sql));
	return err_subject(err, "%s", sql->path);
}

/* As a URI, since only there can be said that nobody changes the file. */
static char *uri_of(const char *path, enum sql_mode mode)
{
	static const char *const endings[] = { [SQL_WRITE] = "?mode=rw",
					       [SQL_READ] = "?mode=ro",
					       [SQL_READ_STILL] = "?mode=ro&immutable=1" };
	struct buf uri;

	buf_init(&uri, URI_MAX);
	buf_add_text(&uri, "file:");
	for (; *path; path++) {
		if (*path == '?' || *path == '#' || *path == '%')
			buf_addf(&uri, "%%%02X", (unsigned char)*path);
		else
			buf_add_char(&uri, *path);
	}
	buf_add_text(&uri, endings[mode]);
	return buf_take(&uri);
}

/* What is read here another program of the same user may have written: no function of the schema
 * is trusted, and no value is larger than it can be. */
static void confine(sqlite3 *handle)
{
	sqlite3_extended_result_codes(handle, 1);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, TEXT_MAX);
	sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

struct sql *sql_open(const char *path, enum sql_mode mode, int lock_ms, struct err *err)
{
	struct sql *sql = mem_new(1, sizeof(*sql));
	int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
		    (mode == SQL_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY);
	char *uri = uri_of(path, mode);
	int code = sqlite3_open_v2(uri, &sql->handle, flags, NULL);

	free(uri);
	sql->path = mem_copy_text(path);
	if (code == SQLITE_OK) {
		confine(sql->handle);
		sqlite3_busy_timeout(sql->handle, lock_ms);
		return sql;
	}
	fail(sql, code, err);
	sql_close(sql);
	return NULL;
}

void sql_close(struct sql *sql)
{
	if (!sql)
		return;
	sqlite3_close(sql->handle);
	free(sql->path);
	free(sql);
}

static bool try_journal(struct sql *sql, const char *mode, struct err *err)
{
	char text[48];
	struct sql_query *query;
	bool ok;

	(void)snprintf(text, sizeof(text), "PRAGMA journal_mode=%s", mode);
	query = sql_query_new(sql, text, err);
	ok = query && sql_next(query, err);
	if (ok && strcmp(sql_text(query, 0) ? sql_text(query, 0) : "", mode) != 0) {
		sql->failure = SQLITE_OK;
		err_set(err, ERR_IO, "cannot be kept with a journal of the kind '%s'", mode);
		ok = err_subject(err, "%s", sql->path);
	}
	sql_query_free(query);
	return ok;
}

bool sql_set_journal(struct sql *sql, enum sql_journal journal, struct err *err)
{
	static const char pragmas[] = "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; "
				      "PRAGMA foreign_keys=OFF;";

	if (journal == SQL_JOURNAL_WAL && try_journal(sql, "wal", err))
		return sql_run(sql, pragmas, err);
	if (journal == SQL_JOURNAL_WAL && sql_fault(sql) != SQL_FINE && sql_fault(sql) != SQL_OTHER)
		return false; /* the file is no better with the other one */
	err_clear(err);
	return try_journal(sql, "delete", err) && sql_run(sql, pragmas, err);
}

enum sql_fault sql_fault(const struct sql *sql)
{
	return fault_of(sql->failure);
}

bool sql_run(struct sql *sql, const char *text, struct err *err)
{
	int code = sqlite3_exec(sql->handle, text, NULL, NULL, NULL);

	return code == SQLITE_OK || fail(sql, code, err);
}

void sql_rollback(struct sql *sql)
{
	sqlite3_exec(sql->handle, "ROLLBACK", NULL, NULL, NULL);
}

struct sql_query *sql_query_new(struct sql *sql, const char *text, struct err *err)
{
	struct sql_query *query = mem_new(1, sizeof(*query));
	int code = sqlite3_prepare_v3(sql->handle, text, -1, SQLITE_PREPARE_PERSISTENT,
				      &query->statement, NULL);

	query->sql = sql;
	if (code == SQLITE_OK)
		return query;
	fail(sql, code, err);
	free(query);
	return NULL;
}

void sql_query_free(struct sql_query *query)
{
	if (!query)
		return;
	sqlite3_finalize(query->statement);
	free(query);
}

void sql_bind(struct sql_query *query, int at, int64_t value)
{
	sqlite3_bind_int64(query->statement, at, value);
}

void sql_bind_set(struct sql_query *query, int at, bool set, int64_t value)
{
	if (set)
		sqlite3_bind_int64(query->statement, at, value);
	else
		sqlite3_bind_null(query->statement, at);
}

void sql_bind_text(struct sql_query *query, int at, const char *text)
{
	sqlite3_bind_text(query->statement, at, text, -1, SQLITE_STATIC);
}

bool sql_next(struct sql_query *query, struct err *err)
{
	int code = sqlite3_step(query->statement);

	if (code == SQLITE_ROW)
		return true;
	return code == SQLITE_DONE ? false : fail(query->sql, code, err);
}

bool sql_finish(struct sql_query *query, struct err *err)
{
	int code = sqlite3_step(query->statement);

	while (code == SQLITE_ROW)
		code = sqlite3_step(query->statement);
	sqlite3_reset(query->statement);
	return code == SQLITE_DONE || fail(query->sql, code, err);
}

void sql_reset(struct sql_query *query)
{
	sqlite3_reset(query->statement);
}

int64_t sql_integer(struct sql_query *query, int column)
{
	return sqlite3_column_int64(query->statement, column);
}

bool sql_is_null(struct sql_query *query, int column)
{
	return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

const char *sql_text(struct sql_query *query, int column)
{
	return (const char *)sqlite3_column_text(query->statement, column);
}

int64_t sql_last_id(const struct sql *sql)
{
	return sqlite3_last_insert_rowid(sql->handle);
}

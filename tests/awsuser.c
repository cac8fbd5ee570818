#define _GNU_SOURCE /* memmem, FTW_ACTIONRETVAL */
#include "tests/awsuser.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "aws/auth/cache.h"
#include "model/base/mem.h"

#define PATH_SIZE  512
#define TEXT_MAX   (1u << 20)
#define PRINT_MAX  (64u << 20)
#define WORDS_MAX  16
#define STEP_MS    100
#define PIECE      16 /* characters of a secret that nobody prints by chance */
#define COLUMNS    140
#define LINES      44
#define CACHE_MODE 0600

/* --- files and environment --- */

static void path_of(const struct awsuser *user, const char *path, char out[PATH_SIZE])
{
	int len = snprintf(out, PATH_SIZE, "%s%s", user->root, path);
	assert_in_range(len, 1, PATH_SIZE - 1);
}

static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

/* As editors and the AWS CLI do: beside it, then in its place. */
static void put_file(const char *path, const char *text, size_t len)
{
	char beside[PATH_SIZE + 8], folders[PATH_SIZE];
	snprintf(folders, sizeof(folders), "%s", path);
	make_folders(folders);
	snprintf(beside, sizeof(beside), "%s.new", path);
	FILE *file = fopen(beside, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(beside, CACHE_MODE), 0);
	assert_int_equal(rename(beside, path), 0);
}

static bool is_given(const struct awsuser *user, const char *path)
{
	for (size_t i = 0; i < user->given_count; i++)
		if (strcmp(user->given[i], path) == 0)
			return true;
	return false;
}

void awsuser_write(struct awsuser *user, const char *path, const char *format, ...)
{
	char whole[PATH_SIZE];
	struct buf text;
	va_list args;
	buf_init(&text, TEXT_MAX);
	va_start(args, format);
	assert_true(buf_vaddf(&text, format, args));
	va_end(args);
	path_of(user, path, whole);
	put_file(whole, buf_text(&text), text.len);
	buf_release(&text);
	if (is_given(user, whole))
		return;
	assert_true(user->given_count < AWSUSER_FILES_MAX);
	user->given[user->given_count++] = mem_copy_text(whole);
}

static char *read_file(const char *path, size_t *len)
{
	struct buf text;
	char bytes[65536];
	size_t got;
	FILE *file = fopen(path, "re");
	if (!file)
		return NULL;
	buf_init(&text, PRINT_MAX);
	while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
		assert_true(buf_add(&text, bytes, got));
	fclose(file);
	*len = text.len;
	return buf_take(&text);
}

char *awsuser_read(const struct awsuser *user, const char *path)
{
	char whole[PATH_SIZE];
	size_t len;
	path_of(user, path, whole);
	return read_file(whole, &len);
}

void awsuser_chmod(const struct awsuser *user, const char *path, unsigned mode)
{
	char whole[PATH_SIZE];
	path_of(user, path, whole);
	assert_int_equal(chmod(whole, mode), 0);
}

void awsuser_remove(const struct awsuser *user, const char *path)
{
	char whole[PATH_SIZE];
	path_of(user, path, whole);
	assert_int_equal(unlink(whole), 0);
}

void awsuser_set(struct awsuser *user, const char *name, const char *format, ...)
{
	struct buf text;
	va_list args;
	size_t at = 0, len = strlen(name);
	while (at < user->env_count &&
	       (strncmp(user->env[at], name, len) != 0 || user->env[at][len] != '='))
		at++;
	if (at < user->env_count) {
		free(user->env[at]);
		user->env[at] = user->env[--user->env_count];
		user->env[user->env_count] = NULL;
	}
	if (!format)
		return;
	assert_true(user->env_count < AWSUSER_ENV_MAX);
	buf_init(&text, TEXT_MAX);
	buf_addf(&text, "%s=", name);
	va_start(args, format);
	assert_true(buf_vaddf(&text, format, args));
	va_end(args);
	user->env[user->env_count++] = buf_take(&text);
}

void awsuser_add_secret(struct awsuser *user, const char *secret)
{
	assert_true(user->secret_count < AWSUSER_SECRET_MAX);
	user->secrets[user->secret_count++] = mem_copy_text(secret);
}

/* --- beginning and end --- */

void awsuser_start(struct awsuser *user)
{
	static const char *const still[] = { "--scenario", "still",  "--seed", "3", "--jobs",
					     "4",          "--rate", "0",      NULL };
	memset(user, 0, sizeof(*user));
	snprintf(user->root, sizeof(user->root), "/tmp/gpuq-user-XXXXXX");
	assert_non_null(mkdtemp(user->root));
	user->refresh = "1";
	buf_init(&user->printed, PRINT_MAX);
	region_start(&user->region, still);
	region_control(&user->region, "credentials", "{\"mfa\":\"%s\"}", AWSUSER_MFA_CODE);
	awsuser_set(user, "HOME", "%s/home", user->root);
	awsuser_set(user, "XDG_STATE_HOME", "%s/home/state", user->root);
	awsuser_set(user, "XDG_CONFIG_HOME", "%s/home/.config", user->root);
	awsuser_set(user, "XDG_CACHE_HOME", "%s/home/cache", user->root);
	awsuser_set(user, "XDG_RUNTIME_DIR", "%s/run", user->root);
	awsuser_set(user, "PATH", "%s", getenv("PATH"));
	awsuser_set(user, "LANG", "C.UTF-8");
	awsuser_set(user, "TZ", "UTC");
	char folder[PATH_SIZE];
	path_of(user, "/home/", folder);
	make_folders(folder);
	path_of(user, "/run/", folder);
	make_folders(folder);
}

void awsuser_use_region(struct awsuser *user)
{
	awsuser_set(user, "AWS_ENDPOINT_URL", "%s", user->region.url);
	awsuser_set(user, "AWS_REGION", "us-east-1");
}

/* --- the search --- */

struct hunt {
	const struct awsuser *user;
	char **pieces;
	size_t count, capacity;
	char found[PATH_SIZE + 64]; /* "" = nothing */
};

/* nftw has no context of its own. */
static struct hunt *hunting;

/* The middle of it, and its end: what a message might have kept of it when it was cut. */
static void add_pieces(struct hunt *hunt, const char *secret)
{
	size_t len = strlen(secret);
	const size_t starts[] = { len < PIECE ? 0 : (len - PIECE) / 2,
				  len < PIECE ? 0 : len - PIECE };
	for (size_t i = 0; i < (len < PIECE ? 1 : ARRAY_LEN(starts)); i++) {
		hunt->pieces = mem_grow(hunt->pieces, &hunt->capacity, hunt->count + 1,
					sizeof(*hunt->pieces));
		hunt->pieces[hunt->count++] =
			mem_copy_bytes(secret + starts[i], len < PIECE ? len : PIECE);
	}
}

static void add_region_secrets(struct hunt *hunt)
{
	struct json_doc doc;
	struct err err = { 0 };
	int status = 0;
	char *text = region_get(&hunt->user->region, "/_sim/secrets", &status);
	assert_int_equal(status, 200);
	assert_true(json_doc_parse(&doc, text, strlen(text), &err));
	for (size_t at = json_doc_child(&doc, 0); at != JSON_NONE; at = json_doc_next(&doc, at)) {
		struct buf secret;
		buf_init(&secret, TEXT_MAX);
		assert_true(json_doc_string(&doc, at, &secret));
		add_pieces(hunt, buf_text(&secret));
		buf_release(&secret);
	}
	json_doc_release(&doc);
	free(text);
}

static void search(struct hunt *hunt, const char *where, const char *bytes, size_t len)
{
	for (size_t i = 0; i < hunt->count && !hunt->found[0]; i++) {
		const char *at = memmem(bytes, len, hunt->pieces[i], strlen(hunt->pieces[i]));
		if (at)
			snprintf(hunt->found, sizeof(hunt->found), "'%s' at byte %td of %s",
				 hunt->pieces[i], at - bytes, where);
	}
}

static int search_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	bool is_cache = strstr(path, "/.aws/") && strstr(path, "/cache/");
	size_t len;
	(void)walk;
	if (type != FTW_F)
		return 0;
	if (is_cache && (status->st_mode & 0777) != CACHE_MODE)
		snprintf(hunting->found, sizeof(hunting->found), "others may read %s", path);
	if (is_cache && !strstr(path + strlen(path) - 5, ".json"))
		snprintf(hunting->found, sizeof(hunting->found), "%s was left", path);
	if (is_cache || is_given(hunting->user, path) || !S_ISREG(status->st_mode))
		return 0;
	char *text = read_file(path, &len);
	assert_non_null(text);
	search(hunting, path, text, len);
	free(text);
	return 0;
}

static void search_all(const struct awsuser *user)
{
	struct hunt hunt = { .user = user };
	add_region_secrets(&hunt);
	for (size_t i = 0; i < user->secret_count; i++)
		add_pieces(&hunt, user->secrets[i]);
	search(&hunt, "what was printed", buf_text(&user->printed), user->printed.len);
	hunting = &hunt;
	assert_int_equal(nftw(user->root, search_file, 16, FTW_PHYS), 0);
	hunting = NULL;
	for (size_t i = 0; i < hunt.count; i++)
		free(hunt.pieces[i]);
	free(hunt.pieces);
	if (hunt.found[0])
		fail_msg("%s", hunt.found);
}

static void remove_folder(const char *path)
{
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/rm", "rm", "-rf", path, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

void awsuser_stop(struct awsuser *user)
{
	search_all(user);
	region_stop(&user->region);
	remove_folder(user->root);
	for (size_t i = 0; i < user->env_count; i++)
		free(user->env[i]);
	for (size_t i = 0; i < user->given_count; i++)
		free(user->given[i]);
	for (size_t i = 0; i < user->secret_count; i++)
		free(user->secrets[i]);
	buf_release(&user->printed);
}

/* --- logins --- */

/* What is secret in it and what the region does not know: the lines of the key. */
static void add_key_lines(struct awsuser *user, const char *file)
{
	const char *key = strstr(file, "-----BEGIN"), *end = key ? strstr(key, "-----END") : NULL;
	while (key && key < end) {
		const char *line_end = strstr(key, "\\n");
		char line[128];
		if (!line_end || line_end > end)
			break;
		snprintf(line, sizeof(line), "%.*s", (int)(line_end - key), key);
		if (strncmp(line, "-----", 5) != 0 && strlen(line) >= PIECE)
			awsuser_add_secret(user, line);
		key = line_end + 2;
	}
}

static void log_in(struct awsuser *user, const char *folder, const char *hash, const char *body)
{
	char path[PATH_SIZE], whole[PATH_SIZE];
	int status = 0;
	char *file = region_post(&user->region, "/_sim/login", body, &status);
	if (status != 200)
		fail_msg("/_sim/login %s: %s", body, file);
	snprintf(path, sizeof(path), "/home/%s/%s.json", folder, hash);
	path_of(user, path, whole);
	put_file(whole, file, strlen(file));
	add_key_lines(user, file);
	free(file);
}

void awsuser_login_sso(struct awsuser *user, const char *session, const char *body)
{
	char hash[HASH_TEXT_SIZE];
	assert_true(cache_sha1(session, hash));
	log_in(user, CACHE_SSO, hash, body);
}

void awsuser_login_console(struct awsuser *user, const char *arn, const char *body)
{
	char hash[HASH_TEXT_SIZE];
	assert_true(cache_sha256(arn, hash));
	log_in(user, CACHE_LOGIN, hash, body);
}

/* --- the program --- */

static void note_printed(struct awsuser *user, const char *bytes, size_t len)
{
	assert_true(buf_add(&user->printed, bytes, len));
	assert_true(buf_add_char(&user->printed, '\n'));
}

void awsuser_run(struct awsuser *user, struct process_result *result, const char *const *words)
{
	char log[PATH_SIZE];
	const char *argv[WORDS_MAX + 1] = { region_program("gpuq"), "-v", "--log", log };
	path_of(user, AWSUSER_LOG, log);
	for (size_t count = 4; *words; words++) {
		assert_true(count < WORDS_MAX);
		argv[count++] = *words;
	}
	process_run(result, argv, (const char *const *)user->env, NULL);
	note_printed(user, result->out, strlen(result->out));
	note_printed(user, result->err, strlen(result->err));
}

static size_t count_objects(const char *json)
{
	struct json_doc doc;
	struct err err = { 0 };
	size_t count = 0;
	if (!json_doc_parse(&doc, json, strlen(json), &err))
		fail_msg("no JSON: %s\n%s", err_text(&err), json);
	for (size_t at = json_doc_child(&doc, 0); at != JSON_NONE; at = json_doc_next(&doc, at))
		count++;
	json_doc_release(&doc);
	return count;
}

/* Quick: without a limit to its pace, which wants the option. Its URL is that of every service. */
static void run_as(struct awsuser *user, const char *profile, const char *command,
		   const char *format, struct process_result *result)
{
	AWSUSER_RUN(user, result, command, "-o", format, "--endpoint-url", user->region.url,
		    "--pace", "0", profile ? "--profile" : NULL, profile);
}

void awsuser_finds(struct awsuser *user, const char *profile, const char *place)
{
	struct process_result result;
	char line[PATH_SIZE];
	run_as(user, profile, "doctor", "table", &result);
	snprintf(line, sizeof(line), "\n✓  credentials   %s", place);
	if (result.status != 0 || !strstr(result.out, line))
		fail_msg("doctor: status %d, no '%s' in\n%s%s", result.status, line + 1, result.out,
			 result.err);
	process_release(&result);
}

void awsuser_lists(struct awsuser *user, const char *profile)
{
	struct region_state state;
	struct process_result result;
	size_t all = 0;
	run_as(user, profile, "jobs", "json", &result);
	if (result.status != 0 || result.err[0])
		fail_msg("jobs: status %d, '%s'", result.status, result.err);
	region_state(&user->region, &state);
	for (size_t at = json_doc_child(&state.doc, json_doc_member(&state.doc, 0, "jobs"));
	     at != JSON_NONE; at = json_doc_next(&state.doc, at))
		all++;
	assert_true(all > 0);
	assert_int_equal(count_objects(result.out), all);
	region_state_release(&state);
	process_release(&result);
}

void awsuser_fails(struct awsuser *user, const char *profile, int status, const char *text)
{
	struct process_result result;
	run_as(user, profile, "jobs", "json", &result);
	if (result.status != status || !strstr(result.err, text))
		fail_msg("jobs: status %d, '%s', but wanted status %d and '%s'", result.status,
			 result.err, status, text);
	assert_string_equal(result.out, "");
	process_release(&result);
}

struct pty *awsuser_watch(struct awsuser *user, const char *profile)
{
	char log[PATH_SIZE];
	const char *argv[] = { region_program("gpuq"),
			       "--refresh",
			       user->refresh,
			       "--pace",
			       "5",
			       "--endpoint-url",
			       user->region.url,
			       "-v",
			       "--log",
			       log,
			       profile ? "--profile" : NULL,
			       profile,
			       NULL };
	path_of(user, AWSUSER_LOG, log);
	return pty_start(&(struct pty_options){ .argv = argv,
						.env = (const char *const *)user->env,
						.columns = COLUMNS,
						.lines = LINES });
}

/* The whole screen: fail_msg would cut it. */
static void tell(struct pty *pty, const char *text, const char *what)
{
	fprintf(stderr, "'%s' %s:\n%s\n", text, what, pty_text(pty));
	fail();
}

void awsuser_want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, AWSUSER_SOON_MS))
		tell(pty, text, "never came");
}

void awsuser_want_gone(struct pty *pty, const char *text)
{
	if (!pty_wait_no_text(pty, text, AWSUSER_SOON_MS))
		tell(pty, text, "never went");
}

void awsuser_want_lists(const struct awsuser *user, struct pty *pty, long more)
{
	long before = awsuser_calls(user, "ListProcessingJobs");
	for (int waited_ms = 0; awsuser_calls(user, "ListProcessingJobs") < before + more;
	     waited_ms += STEP_MS) {
		if (waited_ms > AWSUSER_SOON_MS)
			tell(pty, "ListProcessingJobs", "was not asked");
		pty_run(pty, STEP_MS);
	}
}

void awsuser_leave(struct awsuser *user, struct pty *pty)
{
	int status = 0;
	pty_type(pty, "\x07Q"); /* out of a dialog, and out */
	if (!pty_wait_exit(pty, AWSUSER_SOON_MS, &status))
		tell(pty, "Q", "never ended it");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	note_printed(user, buf_text(pty_raw(pty)), pty_raw(pty)->len);
	note_printed(user, pty_text(pty), strlen(pty_text(pty)));
	pty_stop(pty);
}

/* --- what the region was asked --- */

static long count_calls(const struct awsuser *user, const char *operation)
{
	struct region_state state;
	char path[96];
	region_state(&user->region, &state);
	snprintf(path, sizeof(path), "calls.%s.ok", operation);
	long count = region_number(&state, path, -1);
	region_state_release(&state);
	assert_true(count >= 0);
	return count;
}

long awsuser_calls(const struct awsuser *user, const char *operation)
{
	return count_calls(user, operation);
}

void awsuser_want_calls(const struct awsuser *user, const char *calls)
{
	static const char *const all[] = {
		"AssumeRole",   "AssumeRoleWithWebIdentity", "GetRoleCredentials",
		"CreateToken",  "CreateOAuth2Token",         "MetadataToken",
		"MetadataRole", "MetadataCredentials",       "MetadataRegion",
		"MetadataZone", "ContainerCredentials",
	};
	struct buf got;
	buf_init(&got, TEXT_MAX);
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		long count = count_calls(user, all[i]);
		if (count > 0)
			buf_addf(&got, "%s%s=%ld", got.len > 0 ? " " : "", all[i], count);
	}
	if (strcmp(buf_text(&got), calls) != 0)
		fail_msg("asked '%s', not '%s'", buf_text(&got), calls);
	buf_release(&got);
}

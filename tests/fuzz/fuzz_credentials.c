/*
 * Any bytes as what credentials come from: the output of a credential_process, the caches of the
 * AWS CLI, the files of logins, and the answers of STS, SSO, OIDC, sign-in, a container and an
 * instance. The real providers run on a disk and a network of this file. A search ends once, within
 * so many requests, and gives keys that can be sent or says why not; nothing of a document stands
 * in a message; what is written down reads back as the same.
 *
 * The first byte of an input chooses the place ("0" = 48: 48 modulo 7 = 6, the process). Behind it,
 * parted by lines of '~' alone: the file, then the answers, each with its status in front ("200
 * {...}").
 */
#define _GNU_SOURCE /* memmem */
#include <stdlib.h>
#include <string.h>

#include "aws/auth/cache.h"
#include "aws/auth/chain.h"
#include "aws/auth/document.h"
#include "tests/fuzz/fuzz.h"

#define NOW_MS       INT64_C(1767225600000) /* 2026-01-01T00:00:00Z */
#define FLIGHTS_MAX  4
#define WRITES_MAX   4
#define REQUESTS_MAX 40
#define SECRET       "seldom-seen-secret" /* in the corpus; nobody may show it */

extern char **environ;

static const struct place {
	const char *config, *file; /* the file is what the input begins with; "" = none */
} places[] = {
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\nsource_profile = base\n"
	  "[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n",
	  "/home/.aws/cli/cache/2bb38c5db97ed7ea85d819b0a043df7bd7b4363a.json" },
	{ "[default]\nsso_session = my-sso\nsso_account_id = 123456789012\nsso_role_name = Admin\n"
	  "[sso-session my-sso]\nsso_region = us-east-1\nsso_start_url = u\n",
	  "/home/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json" },
	{ "[default]\nlogin_session = arn:aws:iam::123456789012:user/me\n",
	  "/home/.aws/login/cache/"
	  "286187707741fc2ccb93cf9e56dbd0ee0a16208feed5fbc8ae1baa86d44c283f.json" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "web_identity_token_file = /token\n",
	  "/token" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "credential_source = EcsContainer\n",
	  "/task" },
	{ "", "" }, /* an instance */
};

/* What waits to be told. */
struct disk_request {
	uint64_t id;
	disk_done_fn *done;
	void *ctx;
	bool is_there;
};
struct flight {
	uint64_t id;
	reply_fn *done;
	void *ctx;
};

struct scene {
	const struct place *place;
	struct fuzz_bytes input;
	char *file; /* owned */
	size_t file_len;
	struct clock clock;
	int64_t now_ms;
	struct waits waits;
	bool armed;
	int64_t due_ms;
	struct disk_request read;
	struct flight flights[FLIGHTS_MAX];
	size_t flight_count;
	uint64_t last_id;
	unsigned requests;
	bool refused;              /* an answer was an error: its message is AWS's own */
	char *written[WRITES_MAX]; /* owned */
	char *written_to[WRITES_MAX];
	size_t written_count;
	bool done;
	struct aws_credentials found;
	struct err err;
};

/* --- a disk with one file, in place of that of model/base --- */

struct disk {
	struct scene *scene;
};

uint64_t disk_read(struct disk *disk, const char *path, size_t max, disk_done_fn *done, void *ctx)
{
	struct scene *scene = disk->scene;
	(void)max;
	assert(!scene->read.done); /* one after the other */
	scene->read = (struct disk_request){ ++scene->last_id, done, ctx,
					     strcmp(path, scene->place->file) == 0 };
	return scene->read.id;
}

uint64_t disk_write(struct disk *disk, const char *path, const char *bytes, size_t len,
		    disk_done_fn *done, void *ctx)
{
	struct scene *scene = disk->scene;
	(void)ctx;
	assert(!done && scene->written_count < WRITES_MAX);
	scene->written_to[scene->written_count] = fuzz_copy(path, strlen(path));
	scene->written[scene->written_count++] = fuzz_copy(bytes, len);
	return ++scene->last_id;
}

void disk_forget(struct disk *disk, uint64_t id)
{
	if (disk->scene->read.id == id)
		disk->scene->read.done = NULL;
}

/* The rest of disk.h, so that the linker leaves the other one out: no provider comes here. */
struct disk *disk_new(void)
{
	abort();
}

void disk_free(struct disk *disk)
{
	(void)disk;
	abort();
}

int disk_fd(const struct disk *disk)
{
	(void)disk;
	abort();
}

void disk_ready(struct disk *disk)
{
	(void)disk;
	abort();
}

bool disk_stamp_equal(const struct disk_stamp *a, const struct disk_stamp *b)
{
	(void)a, (void)b;
	abort();
}

uint64_t disk_stat(struct disk *disk, const char *path, disk_done_fn *done, void *ctx)
{
	(void)disk, (void)path, (void)done, (void)ctx;
	abort();
}

uint64_t disk_append(struct disk *disk, const char *path, const char *bytes, size_t len,
		     disk_done_fn *done, void *ctx)
{
	(void)disk, (void)path, (void)bytes, (void)len, (void)done, (void)ctx;
	abort();
}

uint64_t disk_run(struct disk *disk, const struct disk_work *work, disk_done_fn *done, void *ctx)
{
	(void)disk, (void)work, (void)done, (void)ctx;
	abort();
}

bool disk_read_now(const char *path, size_t max, int wait_ms, struct buf *text,
		   struct disk_stamp *stamp, struct err *err)
{
	(void)path, (void)max, (void)wait_ms, (void)text, (void)stamp, (void)err;
	abort();
}

static void tell_disk(struct scene *scene)
{
	struct disk_request read = scene->read;
	struct err missing = { 0 };
	scene->read = (struct disk_request){ 0 };
	err_set(&missing, ERR_NOT_FOUND, "is not there");
	const struct disk_result result = {
		.err = read.is_there ? NULL : &missing,
		.bytes = read.is_there ? scene->file : "",
		.len = read.is_there ? scene->file_len : 0,
	};
	read.done(read.ctx, &result);
	err_clear(&missing);
}

/* --- the network --- */

/* Up to the next line of '~'; its length. Free it. */
static char *take_part(struct fuzz_bytes *input, size_t *len)
{
	static const char mark[] = "\n~\n";
	const uint8_t *end = memmem(input->at, input->left, mark, sizeof(mark) - 1);
	*len = end ? (size_t)(end - input->at) : input->left;
	char *part = fuzz_copy(input->at, *len);
	size_t used = *len + (end ? sizeof(mark) - 1 : 0);
	input->at += used;
	input->left -= used;
	return part;
}

static uint64_t send_it(void *self, const struct http_request *request, reply_fn *done, void *ctx)
{
	struct scene *scene = self;
	assert(++scene->requests < REQUESTS_MAX && scene->flight_count < FLIGHTS_MAX);
	for (size_t i = 0; i < request->header_count; i++)
		assert(!strpbrk(request->headers[i].value, "\r\n"));
	scene->flights[scene->flight_count++] = (struct flight){ ++scene->last_id, done, ctx };
	return scene->last_id;
}

static void cancel_it(void *self, uint64_t id)
{
	struct scene *scene = self;
	for (size_t i = 0; i < scene->flight_count; i++)
		if (scene->flights[i].id == id)
			scene->flights[i] = scene->flights[--scene->flight_count];
}

static void tell_network(struct scene *scene)
{
	struct flight flight = scene->flights[--scene->flight_count];
	size_t len;
	char *part = take_part(&scene->input, &len), *body = NULL;
	long status = strtol(part, &body, 10);
	struct err silence = { 0 };
	err_set(&silence, ERR_TIMEOUT, "no answer in time");
	body += *body == ' ';
	const struct http_reply reply = { .status = (int)status,
					  .body = body,
					  .body_len = len - (size_t)(body - part),
					  .request_id = "",
					  .error_type = "",
					  .retry_after_ms = -1 };
	bool came = status >= 100 && status <= 599;
	scene->refused = scene->refused || status < 200 || status > 299;
	flight.done(flight.ctx, came ? &reply : NULL, came ? NULL : &silence, true);
	err_clear(&silence);
	free(part);
}

/* --- the loop --- */

static int64_t mono_of(void *self)
{
	return ((struct scene *)self)->now_ms;
}

static int64_t wall_of(void *self)
{
	return NOW_MS + ((struct scene *)self)->now_ms;
}

static void watch(void *host, int fd, short events)
{
	(void)host, (void)fd, (void)events;
	abort();
}

static void wake_in(void *host, int64_t ms)
{
	struct scene *scene = host;
	scene->armed = ms >= 0;
	scene->due_ms = scene->now_ms + ms;
}

static void turn(struct scene *scene)
{
	if (scene->read.done) {
		tell_disk(scene);
	} else if (scene->flight_count > 0) {
		tell_network(scene);
	} else {
		assert(scene->armed); /* else it would hang */
		scene->armed = false;
		if (scene->due_ms > scene->now_ms)
			scene->now_ms = scene->due_ms;
		waits_wake(&scene->waits);
	}
}

static void on_result(void *ctx, const struct chain_result *result)
{
	struct scene *scene = ctx;
	assert(!scene->done);
	scene->done = true;
	assert(!result->credentials == (result->err != NULL));
	if (result->credentials)
		aws_credentials_copy(&scene->found, result->credentials);
	else
		err_copy(&scene->err, result->err);
}

static void ignore_file(void *ctx, const char *path)
{
	(void)ctx, (void)path;
}

/* --- promises --- */

static void check_key(const char *text)
{
	for (; *text; text++)
		assert((unsigned char)*text >= ' ' && (unsigned char)*text < 0x7F);
}

static void check_found(const struct aws_credentials *found)
{
	assert(found->access_key[0] && found->secret_key[0]);
	check_key(found->access_key);
	check_key(found->secret_key);
	if (found->session_token)
		check_key(found->session_token);
	assert(strlen(found->account) < ACCOUNT_ID_SIZE);
}

/* A message may quote what a service says in its errors, but no document. */
static void check_message(const struct err *err, bool is_quoted)
{
	assert(is_quoted || (!strstr(err_text(err), SECRET) && !strstr(err->subject, SECRET)));
}

/* Keys in a cache are those that were found, or those of a role on the way. */
static void check_written(const struct scene *scene, size_t i)
{
	const char *text = scene->written[i];
	struct aws_credentials again = { 0 };
	struct err err = { 0 };
	struct json_value *json = json_parse(text, strlen(text), &err);
	assert(json && err.code == ERR_NONE);
	bool is_cli = strstr(scene->written_to[i], "/cli/cache/") != NULL;
	if (is_cli && scene->found.access_key && scene->found.expires.set &&
	    cache_read_credentials(text, strlen(text), NOW_MS, 0, &again)) {
		assert(strcmp(again.access_key, scene->found.access_key) == 0);
		assert(strcmp(again.secret_key, scene->found.secret_key) == 0);
	}
	if (!is_cli)
		assert(json_member(json, "accessToken") != NULL);
	aws_credentials_release(&again);
	json_free(json);
}

/* --- one search --- */

static void clear_environment(void)
{
	static bool is_clear;
	static char *none[] = { NULL };
	if (is_clear)
		return;
	is_clear = true;
	environ = none;
	assert(setenv("HOME", "/home", 1) == 0 && setenv("AWS_REGION", "eu-west-1", 1) == 0);
	assert(setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/task", 1) == 0);
}

static void prepare(struct setup *setup, const struct place *place)
{
	static const char container[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
	struct err missing = { 0 }, err = { 0 };
	clear_environment();
	if (place->config[0])
		assert(setenv(container, "http://127.0.0.1/keys", 1) == 0);
	else
		assert(unsetenv(container) == 0);
	err_set(&missing, ERR_NOT_FOUND, "is not there");
	const struct profiles_text texts[PROFILES_FILES] = {
		[PROFILES_CONFIG] = { "config", place->config, strlen(place->config), NULL },
		[PROFILES_CREDENTIALS] = { "credentials", NULL, 0, &missing },
	};
	profiles_read(&setup->profiles, texts);
	bool ok = setup_decide(setup, &err);
	assert(ok);
	err_clear(&missing);
}

static void search(struct scene *scene)
{
	struct setup setup = { 0 };
	struct disk disk = { scene };
	const struct wait_hooks hooks = { watch, wake_in, scene };
	const struct transport transport = { send_it, cancel_it, scene };
	scene->clock = (struct clock){ mono_of, wall_of, scene };
	waits_init(&scene->waits, &hooks, &scene->clock);
	prepare(&setup, scene->place);
	const struct auth_world world = { .clock = &scene->clock,
					  .waits = &scene->waits,
					  .disk = &disk,
					  .http = &transport,
					  .setup = &setup,
					  .note_file = ignore_file };
	const struct chain_options options = { .world = &world,
					       .part = CHAIN_WHOLE,
					       .profile = setup.profile };
	struct chain *chain = chain_start(&options, on_result, scene);
	while (!scene->done)
		turn(scene);
	chain_free(chain);
	assert(!scene->read.done && scene->flight_count == 0 && !scene->waits.waiters);
	waits_release(&scene->waits);
	setup_release(&setup);
}

static void run_place(const struct place *place, struct fuzz_bytes input)
{
	struct scene scene = { .place = place, .input = input };
	scene.file = take_part(&scene.input, &scene.file_len);
	search(&scene);
	if (scene.found.access_key)
		check_found(&scene.found);
	else
		assert(scene.err.code != ERR_NONE && err_text(&scene.err)[0]);
	check_message(&scene.err, scene.refused);
	for (size_t i = 0; i < scene.written_count; i++) {
		check_written(&scene, i);
		free(scene.written[i]);
		free(scene.written_to[i]);
	}
	aws_credentials_release(&scene.found);
	err_clear(&scene.err);
	free(scene.file);
}

static void run_process(struct fuzz_bytes input)
{
	struct aws_credentials found = { 0 };
	struct err err = { 0 };
	char *text = fuzz_copy(input.at, input.left);
	if (document_of_process(text, input.left, &found, &err))
		check_found(&found);
	else
		assert(err.code == ERR_AUTH && err_text(&err)[0] && !found.access_key);
	check_message(&err, false);
	aws_credentials_release(&found);
	err_clear(&err);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes input = { data, size };
	unsigned which = fuzz_byte(&input) % (ARRAY_LEN(places) + 1);
	if (which < ARRAY_LEN(places))
		run_place(&places[which], input);
	else
		run_process(input);
	return 0;
}

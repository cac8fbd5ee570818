#include "tests/authbench.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/base/mem.h"

#define TURN_MS 10000 /* of one wait at most: more is a hang */

extern char **environ;

static int64_t real_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t mono_of(void *self)
{
	const struct authbench *bench = self;
	return real_ms() + bench->passed_ms;
}

static int64_t wall_of(void *self)
{
	const struct authbench *bench = self;
	return bench->start_wall_ms + mono_of(self) - bench->start_mono_ms;
}

void authbench_pass(struct authbench *bench, int64_t ms)
{
	bench->passed_ms += ms;
}

/* --- the loop --- */

static void watch(void *host, int fd, short events)
{
	struct authbench *bench = host;
	size_t at = 0;
	while (at < bench->watch_count && bench->watches[at].fd != fd)
		at++;
	if (events == 0) {
		if (at < bench->watch_count)
			bench->watches[at] = bench->watches[--bench->watch_count];
		return;
	}
	assert(at < AUTHBENCH_WATCHES_MAX);
	bench->watches[at] = (struct pollfd){ .fd = fd, .events = events };
	if (at == bench->watch_count)
		bench->watch_count++;
}

static void wake_in(void *host, int64_t ms)
{
	struct authbench *bench = host;
	bench->armed = ms >= 0;
	bench->due_ms = mono_of(bench) + ms;
}

/* The oldest request that waits gets the next answer. */
static void give_answer(struct authbench *bench)
{
	const struct authbench_answer *answer = &bench->answers[bench->answered];
	struct authbench_flight flight = bench->flights[0];
	struct err none = { 0 };
	bench->flight_count--;
	memmove(bench->flights, bench->flights + 1, bench->flight_count * sizeof(flight));
	if (bench->answered >= bench->answer_count || answer->status == 0) {
		bench->answered++;
		err_set(&none, ERR_NET, "nothing answers there");
		flight.reply(flight.ctx, NULL, &none, false);
		err_clear(&none);
		return;
	}
	bench->answered++;
	const struct http_reply http = {
		.status = answer->status,
		.body = answer->body ? answer->body : "",
		.body_len = answer->body ? strlen(answer->body) : 0,
		.request_id = "",
		.error_type = answer->error_type ? answer->error_type : "",
		.has_date = answer->date_ms != 0,
		.date_ms = answer->date_ms,
		.retry_after_ms = -1,
	};
	flight.reply(flight.ctx, &http, NULL, true);
}

void authbench_turn(struct authbench *bench)
{
	struct pollfd fds[AUTHBENCH_WATCHES_MAX];
	size_t count = bench->watch_count;
	int64_t wait_ms = TURN_MS;
	if (bench->flight_count > 0 && !bench->holds) {
		give_answer(bench);
		return;
	}
	if (bench->armed)
		wait_ms = bench->due_ms - mono_of(bench);
	memcpy(fds, bench->watches, sizeof(fds));
	int ready = poll(fds, count, wait_ms < 0 ? 0 : (int)wait_ms);
	assert(ready > 0 || bench->armed);
	for (size_t i = 0; i < count; i++)
		if (fds[i].revents)
			waits_ready(&bench->waits, fds[i].fd, fds[i].revents);
	if (bench->armed && bench->due_ms <= mono_of(bench)) {
		bench->armed = false;
		waits_wake(&bench->waits);
	}
}

/* --- the network --- */

static void take_header(char *out, size_t size, const struct http_request *request,
			const char *name)
{
	for (size_t i = 0; i < request->header_count; i++)
		if (strcasecmp(request->headers[i].name, name) == 0)
			snprintf(out, size, "%s", request->headers[i].value);
}

#define TAKE(asked, member, name) \
	take_header((asked)->member, sizeof((asked)->member), request, name)

static uint64_t send_it(void *self, const struct http_request *request, reply_fn *done, void *ctx)
{
	struct authbench *bench = self;
	assert(bench->asked_count < AUTHBENCH_ANSWERS_MAX);
	assert(bench->flight_count < AUTHBENCH_FLIGHTS_MAX);
	struct authbench_asked *asked = &bench->asked[bench->asked_count++];
	snprintf(asked->method, sizeof(asked->method), "%s", request->method);
	snprintf(asked->url, sizeof(asked->url), "%s", request->url);
	asked->body = mem_copy_bytes(request->body ? request->body : "", request->body_len);
	asked->no_proxy = request->no_proxy;
	TAKE(asked, authorization, "Authorization");
	TAKE(asked, token, "X-Amz-Security-Token");
	TAKE(asked, amz_date, "X-Amz-Date");
	TAKE(asked, bearer, "x-amz-sso_bearer_token");
	TAKE(asked, accept, "Accept");
	TAKE(asked, content_type, "Content-Type");
	TAKE(asked, proof, "DPoP");
	TAKE(asked, metadata_token, "x-aws-ec2-metadata-token");
	TAKE(asked, metadata_ttl, "x-aws-ec2-metadata-token-ttl-seconds");
	bench->flights[bench->flight_count++] =
		(struct authbench_flight){ done, ctx, ++bench->last_id };
	return bench->last_id;
}

static void cancel_it(void *self, uint64_t id)
{
	struct authbench *bench = self;
	for (size_t i = 0; i < bench->flight_count; i++) {
		if (bench->flights[i].id != id)
			continue;
		bench->flight_count--;
		memmove(bench->flights + i, bench->flights + i + 1,
			(bench->flight_count - i) * sizeof(bench->flights[0]));
	}
}

void authbench_answer_at(struct authbench *bench, int64_t date_ms, int status, const char *body)
{
	authbench_answer(bench, status, body, NULL);
	bench->answers[bench->answer_count - 1].date_ms = date_ms;
}

void authbench_answer(struct authbench *bench, int status, const char *body, const char *error_type)
{
	assert(bench->answer_count < AUTHBENCH_ANSWERS_MAX);
	bench->answers[bench->answer_count++] = (struct authbench_answer){
		.status = status,
		.body = mem_copy_text(body),
		.error_type = mem_copy_text(error_type),
	};
}

/* --- files --- */

static void path_below(const struct authbench *bench, const char *path, char out[512])
{
	int len = snprintf(out, 512, "%s%s", bench->root, path);
	assert(len > 0 && len < 512);
}

void authbench_write(struct authbench *bench, const char *path, const char *text)
{
	char whole[512];
	path_below(bench, path, whole);
	for (char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert(mkdir(whole, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
	FILE *file = fopen(whole, "w");
	assert(file);
	assert(fputs(text, file) >= 0 && fclose(file) == 0);
}

char *authbench_read(const struct authbench *bench, const char *path)
{
	char whole[512], bytes[65536];
	path_below(bench, path, whole);
	FILE *file = fopen(whole, "r");
	if (!file)
		return NULL;
	size_t len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	return mem_copy_bytes(bytes, len);
}

/* --- a search --- */

static void disk_is_ready(void *ctx, int fd, short events)
{
	struct authbench *bench = ctx;
	(void)fd, (void)events;
	disk_ready(bench->disk);
}

static void ignore_file(void *ctx, const char *path)
{
	(void)ctx, (void)path;
}

static void clear_environment(void)
{
	char *path = mem_copy_text(getenv("PATH"));
	static char *none[] = { NULL };
	environ = none;
	assert(setenv("PATH", path ? path : "/usr/bin:/bin", 1) == 0);
	free(path);
}

void authbench_init(struct authbench *bench, int64_t wall_ms)
{
	char home[128];
	memset(bench, 0, sizeof(*bench));
	snprintf(bench->root, sizeof(bench->root), "/tmp/gpuq-auth-XXXXXX");
	assert(mkdtemp(bench->root));
	clear_environment();
	snprintf(home, sizeof(home), "%s/home", bench->root);
	assert(mkdir(home, 0700) == 0 && setenv("HOME", home, 1) == 0);
	bench->clock = (struct clock){ mono_of, wall_of, bench };
	bench->start_mono_ms = real_ms();
	bench->start_wall_ms = wall_ms;
	struct wait_hooks hooks = { watch, wake_in, bench };
	waits_init(&bench->waits, &hooks, &bench->clock);
	bench->disk = disk_new();
	bench->disk_waiter = (struct waiter){ .ready = disk_is_ready, .ctx = bench };
	hooks = waits_add(&bench->waits, &bench->disk_waiter);
	hooks.watch(hooks.host, disk_fd(bench->disk), POLLIN);
	bench->transport = (struct transport){ send_it, cancel_it, bench };
	bench->world = (struct auth_world){
		.clock = &bench->clock,
		.waits = &bench->waits,
		.disk = bench->disk,
		.http = &bench->transport,
		.setup = &bench->setup,
		.note_file = ignore_file,
		.ctx = bench,
	};
}

void authbench_release(struct authbench *bench)
{
	setup_release(&bench->setup);
	config_files_release(&bench->files);
	waits_remove(&bench->disk_waiter);
	disk_free(bench->disk);
	waits_release(&bench->waits);
	for (size_t i = 0; i < bench->answer_count; i++) {
		free(bench->answers[i].body);
		free(bench->answers[i].error_type);
	}
	for (size_t i = 0; i < bench->asked_count; i++)
		free(bench->asked[i].body);
	aws_credentials_release(&bench->found);
	err_clear(&bench->err);
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/rm", "rm", "-rf", bench->root, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

bool authbench_set_up(struct authbench *bench, const char *profile)
{
	config_files_init(&bench->files);
	config_files_read_now(&bench->files);
	bench->setup.options.profile = profile;
	bench->setup.profiles = bench->files.profiles;
	bench->files.profiles = (struct profiles){ 0 };
	return setup_decide(&bench->setup, &bench->err);
}

static void on_result(void *ctx, const struct chain_result *result)
{
	struct authbench *bench = ctx;
	bench->done = true;
	snprintf(bench->provider, sizeof(bench->provider), "%s",
		 result->provider ? result->provider->name : "");
	snprintf(bench->origin, sizeof(bench->origin), "%s", result->origin);
	if (result->credentials)
		aws_credentials_copy(&bench->found, result->credentials);
	else
		err_copy(&bench->err, result->err);
}

void authbench_search(struct authbench *bench, enum chain_part part)
{
	const struct chain_options options = {
		.world = &bench->world,
		.part = part,
		.profile = bench->setup.profile,
		.profile_is_named = bench->setup.options.profile != NULL,
	};
	struct chain *chain = chain_start(&options, on_result, bench);
	while (!bench->done)
		authbench_turn(bench);
	chain_free(chain);
}

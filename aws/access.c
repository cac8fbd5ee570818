#include "aws/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/config_files.h"
#include "aws/file_watch.h"
#include "aws/http.h"
#include "model/base/mem.h"

#define REGION_OF_INSTANCE "the instance's metadata"

struct access {
	struct access_options options;
	struct config_files files;
	bool reading, again; /* the files; they changed meanwhile */
	struct file_watch *watch;
	struct setup setup;
	bool ready;
	struct http *http;
	struct transport transport;
	struct waiter http_waiter;
	struct auth *auth;
	struct auth_region *region_search;
	char region[REGION_SIZE]; /* of the instance; "" = not asked, or none */
};

static void http_is_ready(void *ctx, int fd, short events)
{
	struct access *access = ctx;
	http_ready(access->http, fd, events);
}

static void http_is_due(void *ctx)
{
	struct access *access = ctx;
	http_wake(access->http);
}

static struct auth_options auth_options_of(const struct access *access)
{
	const struct access_options *options = &access->options;
	return (struct auth_options){
		.clock = options->clock,
		.waits = options->waits,
		.disk = options->disk,
		.http = &access->transport,
		.setup = &access->setup,
		.log = options->log,
		.changed = options->credentials_changed,
		.ask_code = options->ask_code,
		.on_date = options->on_date,
		.ctx = options->ctx,
	};
}

/* --- becoming ready --- */

static void fail_without_region(struct access *access)
{
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, ERR_TEXT_MAX);
	buf_add_text(&text,
		     "no region is set; looked at --region, AWS_REGION, AWS_DEFAULT_REGION, ");
	profiles_add_tried(&access->setup.profiles, &text);
	err_set(&err, ERR_CONFIG, "%s", buf_text(&text));
	err.hint = HINT_SET_REGION;
	access->options.failed(access->options.ctx, &err);
	buf_release(&text);
	err_clear(&err);
}

static void become_ready(struct access *access)
{
	access->ready = true;
	access->options.ready(access->options.ctx);
}

static void on_region(void *ctx, const char *region)
{
	struct access *access = ctx;
	auth_region_free(access->region_search);
	access->region_search = NULL;
	if (region && endpoint_region_is_valid(region)) {
		snprintf(access->region, sizeof(access->region), "%s", region);
		become_ready(access);
	} else {
		fail_without_region(access);
	}
}

static void connect_first(struct access *access)
{
	if (!access->http) {
		access->http_waiter = (struct waiter){ .ready = http_is_ready,
						       .wake = http_is_due,
						       .ctx = access };
		struct wait_hooks hooks = waits_add(access->options.waits, &access->http_waiter);
		access->http =
			http_new(&hooks, access->options.clock, access->setup.ca_bundle.value);
		access->transport = http_transport(access->http);
	}
	const struct auth_options options = auth_options_of(access);
	if (!access->auth)
		access->auth = auth_new(&options);
	else
		auth_search(access->auth);
	if (access->setup.region.value[0])
		become_ready(access);
	else
		access->region_search = auth_region_start(&options, on_region, access);
}

/* --- the files --- */

static void read_files(struct access *access);

/* What was borrowed from the old setup ends here. */
static void swap_setup(struct access *access, struct setup *fresh)
{
	auth_region_free(access->region_search);
	access->region_search = NULL;
	if (access->auth)
		auth_stop(access->auth);
	setup_release(&access->setup);
	access->setup = *fresh;
}

static void on_files(void *ctx)
{
	struct access *access = ctx;
	struct setup fresh = { .options = access->options.setup,
			       .profiles = access->files.profiles };
	struct err err = { 0 };
	access->files.profiles = (struct profiles){ 0 };
	access->reading = false;
	if (setup_decide(&fresh, &err)) {
		swap_setup(access, &fresh);
		if (!access->ready) {
			connect_first(access);
		} else {
			auth_search(access->auth);
			access->options.ready(access->options.ctx);
		}
	} else {
		/* What the files say is shown all the same, unless something rests on the old. */
		if (access->auth)
			setup_release(&fresh);
		else
			swap_setup(access, &fresh);
		access->options.failed(access->options.ctx, &err);
	}
	err_clear(&err);
	if (access->again)
		read_files(access);
}

static void read_files(struct access *access)
{
	access->again = access->reading;
	if (access->reading)
		return;
	access->reading = true;
	config_files_read(&access->files, access->options.disk, on_files, access);
}

static void on_change(void *ctx)
{
	read_files(ctx);
}

struct access *access_new(const struct access_options *options)
{
	struct access *access = mem_new(1, sizeof(*access));
	access->options = *options;
	access->watch = file_watch_new(options->waits, options->disk, on_change, access);
	config_files_init(&access->files);
	for (size_t i = 0; i < PROFILES_FILES; i++)
		if (access->files.files[i].path)
			file_watch_add(access->watch, access->files.files[i].path);
	read_files(access);
	return access;
}

void access_free(struct access *access)
{
	if (!access)
		return;
	auth_region_free(access->region_search);
	auth_free(access->auth);
	http_free(access->http);
	waits_remove(&access->http_waiter);
	file_watch_free(access->watch);
	config_files_release(&access->files);
	setup_release(&access->setup);
	free(access);
}

const struct setup *access_setup(const struct access *access)
{
	return &access->setup;
}

const struct transport *access_transport(const struct access *access)
{
	return &access->transport;
}

struct credentials_source access_source(struct access *access)
{
	return auth_source(access->auth);
}

bool access_status(const struct access *access, struct auth_status *status)
{
	*status = (struct auth_status){ .provider = "", .origin = "", .account = "" };
	if (access->auth)
		auth_status(access->auth, status);
	return access->auth != NULL;
}

const char *access_region(const struct access *access)
{
	return access->region[0] ? access->region : access->setup.region.value;
}

const char *access_region_origin(const struct access *access)
{
	return access->region[0] ? REGION_OF_INSTANCE : access->setup.region.origin;
}

void access_retry(struct access *access)
{
	if (access->ready)
		auth_search(access->auth);
	else
		read_files(access);
}

void access_code(struct access *access, const char *code)
{
	if (access->auth)
		auth_code(access->auth, code);
}

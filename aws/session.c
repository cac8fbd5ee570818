#include "aws/session_state.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "aws/settings.h"
#include "aws/sts.h"
#include "aws/trace.h"
#include "model/base/mem.h"

static int64_t server_mono_ms(void *self)
{
	const struct server_clock *server = self;
	return clock_mono_ms(server->machine);
}

static int64_t server_wall_ms(void *self)
{
	const struct server_clock *server = self;
	return clock_wall_ms(server->machine) + server->ahead_ms;
}

static void client_ready(void *ctx, int fd, short events)
{
	struct session *session = ctx;
	aws_client_ready(session->client, fd, events);
}

static void client_wake(void *ctx)
{
	struct session *session = ctx;
	aws_client_wake(session->client);
}

static void side_ready(void *ctx, int fd, short events)
{
	struct session_side *side = ctx;
	aws_client_ready(side->client, fd, events);
}

static void side_wake(void *ctx)
{
	struct session_side *side = ctx;
	aws_client_wake(side->client);
}

static void disk_is_ready(void *ctx, int fd, short events)
{
	struct session *session = ctx;
	(void)fd, (void)events;
	disk_ready(session->disk);
}

struct session *session_new(const struct session_options *options)
{
	struct session *session = mem_new(1, sizeof(*session));
	session->options = *options;
	session->server_clock = (struct server_clock){
		.clock = { server_mono_ms, server_wall_ms, &session->server_clock },
		.machine = options->clock,
	};
	waits_init(&session->waits, &options->hooks, options->clock);
	return session;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	history_feed_free(session->history); /* it reads the store */
	session->history = NULL;
	session_end_feeds(session);
	for (size_t i = 0; i < SERVICE_COUNT; i++)
		aws_client_free(session->sides[i].client);
	aws_client_free(session->client);
	shared_pace_free(session->shared_pace);
	access_free(session->access);
	waits_remove(&session->disk_waiter);
	disk_free(session->disk);
	for (size_t i = 0; i < SERVICE_COUNT; i++)
		waits_remove(&session->sides[i].waiter);
	waits_remove(&session->sync_waiter);
	waits_remove(&session->plans_waiter);
	waits_remove(&session->tags_waiter);
	waits_remove(&session->logs_waiter);
	waits_remove(&session->quotas_waiter);
	waits_remove(&session->prices_waiter);
	waits_remove(&session->metrics_waiter);
	waits_remove(&session->history_waiter);
	waits_remove(&session->client_waiter);
	waits_remove(&session->demo_waiter);
	demo_stop(&session->demo);
	waits_release(&session->waits);
	free(session);
}

static void note_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	struct session *session = ctx;
	session->server_clock.ahead_ms = date_ms - clock_wall_ms(session->options.clock);
	session->server_clock.is_told = true;
	store_note_date(session->options.store, date_ms, mono_ms);
}

static void tell_skew(void *ctx, int64_t skew_ms)
{
	struct session *session = ctx;
	session->options.on_skew(session->options.ctx, skew_ms);
}

static void tell_act(void *ctx, const struct aws_op *op, const char *body,
		     const struct aws_reply *reply, const struct err *err)
{
	const struct session_options *options = &((struct session *)ctx)->options;
	options->acted(options->act_ctx, op, body, reply, err);
}

/* What every client of the session has in common. */
static struct aws_options client_options(struct session *session, struct waiter *waiter)
{
	const struct session_options *options = &session->options;
	return (struct aws_options){
		.region = session->region,
		.read_only = &options->read_only,
		.keep_clock = !options->demo && aws_keeps_clock(),
		.pace = options->pace,
		.at_once = options->lists_at_once,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, waiter),
		.on_date = note_date,
		.on_skew = tell_skew,
		.on_change = options->acted ? tell_act : NULL,
		.log = options->log,
		.ctx = session,
	};
}

static struct aws_client *start_demo_client(struct session *session, enum aws_service service,
					    struct waiter *waiter, struct err *err)
{
	struct aws_credentials keys = { .access_key = mem_copy_text(DEMO_ACCESS_KEY),
					.secret_key = mem_copy_text(DEMO_SECRET_KEY) };
	snprintf(session->region, sizeof(session->region), "%s", DEMO_REGION);
	snprintf(session->identity.profile, sizeof(session->identity.profile), "demo");
	struct aws_options options = client_options(session, waiter);
	options.service = service;
	options.endpoint_url = session->demo.url;
	struct aws_client *client = aws_client_new(&options, &keys, err);
	aws_credentials_release(&keys);
	return client;
}

/* --- AWS as the user has it --- */

static void on_identity(void *ctx, const struct sts_identity *identity, const struct err *err)
{
	struct session *session = ctx;
	session->identifying = false;
	session->identity.asked = true;
	if (err) { /* who it is stays unsaid; what it may do, other calls find out */
		session->options.on_change(session->options.ctx);
		return;
	}
	snprintf(session->identity.account, sizeof(session->identity.account), "%s",
		 identity->account);
	snprintf(session->identity.arn, sizeof(session->identity.arn), "%s", identity->arn);
	if (session->shared_pace)
		shared_pace_set_account(session->shared_pace, identity->account);
	session->options.on_change(session->options.ctx);
}

static void tell_pace_trouble(void *ctx, const struct err *err)
{
	struct session *session = ctx;
	session->options.on_pace_trouble(session->options.ctx, err);
}

/* Without a pace of its own the program keeps to nobody else's either. */
static struct shared_pace *start_shared_pace(struct session *session,
					     const struct endpoint *endpoint)
{
	const struct session_options *options = &session->options;
	const struct shared_pace_options shared = {
		.disk = session->disk,
		.clock = options->clock,
		.group = options->pace_dir,
		.region = endpoint->region,
		.own_host = session->identity.endpoint[0] ? endpoint->host : NULL,
		.source = access_source(session->access),
		.trouble = options->on_pace_trouble ? tell_pace_trouble : NULL,
		.ctx = session,
	};
	shared_pace_free(session->shared_pace); /* of a client that could not be made */
	session->shared_pace = options->pace > 0 ? shared_pace_new(&shared) : NULL;
	return session->shared_pace;
}

static struct aws_client *no_price_list(const struct session *session, struct err *err)
{
	err_set(err, ERR_CONFIG, "AWS has no price list that credentials of %s may ask",
		session->region);
	return NULL;
}

static struct aws_client *start_client(struct session *session, enum aws_service service,
				       struct waiter *waiter, struct err *err)
{
	const struct setup *setup = access_setup(session->access);
	struct credentials_source source = access_source(session->access);
	struct endpoint endpoint;
	const char *region = session->region[0] ? session->region : NULL;
	/* Few regions have the price list of all. */
	if (service == SERVICE_PRICING && region) {
		region = endpoint_pricing_region(region);
		if (!region)
			return no_price_list(session, err);
	}
	if (!setup_endpoint(setup, service, region, &endpoint, err))
		return NULL;
	struct aws_options options = client_options(session, waiter);
	options.service = service;
	options.endpoint = &endpoint;
	options.source = &source;
	options.transport = access_transport(session->access);
	options.max_tries = setup->retry.max_tries;
	if (service == SERVICE_SAGEMAKER)
		options.shared_pace = start_shared_pace(session, &endpoint);
	return aws_client_new(&options, NULL, err);
}

struct aws_client *session_client_for(struct session *session, enum aws_service service,
				      struct err *err)
{
	struct session_side *side = &session->sides[service];
	struct auth_status status;
	if (side->client)
		return side->client;
	side->waiter = (struct waiter){ .ready = side_ready, .wake = side_wake, .ctx = side };
	if (session->options.demo && session->demo.url[0])
		side->client = start_demo_client(session, service, &side->waiter, err);
	else if (session->access && access_status(session->access, &status))
		side->client = start_client(session, service, &side->waiter, err);
	else
		err_set(err, ERR_CONFIG, "there is nobody to ask yet");
	if (!side->client)
		waits_remove(&side->waiter);
	return side->client;
}

struct aws_client *session_sts(struct session *session, struct err *err)
{
	return session_client_for(session, SERVICE_STS, err);
}

static void ask_identity(struct session *session)
{
	struct err ignored = { 0 };
	if (session->options.wants_identity && !session->identifying && session->client &&
	    session_sts(session, &ignored)) {
		session->identifying = true;
		sts_get_caller_identity(session->sides[SERVICE_STS].client, on_identity, session);
	}
	err_clear(&ignored);
}

static void note_place(struct session *session)
{
	const struct setup *setup = access_setup(session->access);
	struct session_identity *identity = &session->identity;
	struct auth_status status;
	struct endpoint endpoint;
	struct err ignored = { 0 };
	access_status(session->access, &status);
	snprintf(session->region, sizeof(session->region), "%s", access_region(session->access));
	snprintf(identity->profile, sizeof(identity->profile), "%s",
		 setup->profile && !status.of_environment ? setup->profile->name : "");
	if (setup_endpoint(setup, SERVICE_SAGEMAKER, session->region, &endpoint, &ignored) &&
	    !endpoint_is_aws(endpoint.host))
		snprintf(identity->endpoint, sizeof(identity->endpoint), "%s", endpoint.host);
	err_clear(&ignored);
}

static void on_ready(void *ctx)
{
	struct session *session = ctx;
	struct err err = { 0 };
	if (session->client)
		return; /* where it stands it stays; the credentials are looked for anew */
	session->client_waiter = (struct waiter){ .wake = client_wake, .ctx = session };
	note_place(session);
	session->client = start_client(session, SERVICE_SAGEMAKER, &session->client_waiter, &err);
	if (!session->client) {
		waits_remove(&session->client_waiter);
		session->options.failed(session->options.ctx, &err);
		err_clear(&err);
		return;
	}
	session->options.connected(session->options.ctx);
	ask_identity(session);
}

static void on_failed(void *ctx, const struct err *err)
{
	struct session *session = ctx;
	session->options.failed(session->options.ctx, err);
}

/* What failed for want of credentials is asked again; and they may be another's. */
static void come_back(struct session *session)
{
	session_feeds_come_back(session);
	ask_identity(session);
}

static void on_credentials(void *ctx)
{
	struct session *session = ctx;
	struct auth_status status;
	access_status(session->access, &status);
	trace_credentials(session->options.log, &status);
	if (status.of_environment)
		session->identity.profile[0] = '\0';
	if (session->client)
		aws_client_credentials_changed(session->client);
	for (size_t i = 0; i < SERVICE_COUNT; i++) {
		if (session->sides[i].client)
			aws_client_credentials_changed(session->sides[i].client);
	}
	if (status.has_credentials && !status.err)
		come_back(session);
	if (session->options.credentials)
		session->options.credentials(session->options.ctx, status.err);
	session->options.on_change(session->options.ctx);
}

/* As the Date of any other answer, for what is signed and for every age. */
static void on_date(void *ctx, int64_t date_ms)
{
	struct session *session = ctx;
	note_date(session, date_ms, clock_mono_ms(session->options.clock));
}

static void on_code_wanted(void *ctx, const char *profile, const char *serial)
{
	struct session *session = ctx;
	session->options.ask_code(session->options.ctx, profile, serial);
}

static void start_access(struct session *session)
{
	const struct session_options *options = &session->options;
	const struct access_options access = {
		.setup = { .profile = options->profile,
			   .region = options->region,
			   .profile_origin = options->profile_origin,
			   .region_origin = options->region_origin,
			   .endpoint_url = options->endpoint_url,
			   .allow_http = options->allow_http },
		.clock = &session->server_clock.clock,
		.waits = &session->waits,
		.disk = session->disk,
		.log = options->log,
		.ready = on_ready,
		.failed = on_failed,
		.credentials_changed = on_credentials,
		.ask_code = options->ask_code ? on_code_wanted : NULL,
		.on_date = on_date,
		.ctx = session,
	};
	session->access = access_new(&access);
}

/* The region's ready line; later its end. */
static void read_demo(void *ctx, int fd, short events)
{
	(void)fd, (void)events;
	struct session *session = ctx;
	struct err err = { 0 };
	bool ok = demo_read(&session->demo, &err);
	bool is_ready = ok && session->demo.url[0] && !session->client;
	if (is_ready) {
		session->client_waiter = (struct waiter){ .ready = client_ready,
							  .wake = client_wake,
							  .ctx = session };
		session->client = start_demo_client(session, SERVICE_SAGEMAKER,
						    &session->client_waiter, &err);
		ok = session->client != NULL;
	}
	if (!ok) {
		waits_remove(&session->demo_waiter);
		session->options.failed(session->options.ctx, &err);
	} else if (is_ready) {
		session->options.connected(session->options.ctx);
	}
	err_clear(&err);
}

static void watch_demo(struct session *session)
{
	session->demo_waiter = (struct waiter){ .ready = read_demo, .ctx = session };
	struct wait_hooks hooks = waits_add(&session->waits, &session->demo_waiter);
	hooks.watch(hooks.host, session->demo.fd, POLLIN);
}

static void start_disk(struct session *session)
{
	session->disk = disk_new();
	session->disk_waiter = (struct waiter){ .ready = disk_is_ready, .ctx = session };
	struct wait_hooks hooks = waits_add(&session->waits, &session->disk_waiter);
	hooks.watch(hooks.host, disk_fd(session->disk), POLLIN);
}

void session_connect(struct session *session)
{
	struct err err = { 0 };
	start_disk(session);
	if (!session->options.demo)
		start_access(session);
	else if (demo_start(&session->demo, &err))
		watch_demo(session);
	else
		session->options.failed(session->options.ctx, &err);
	err_clear(&err);
}

const struct session_identity *session_identity(const struct session *session)
{
	return &session->identity;
}

const char *session_region(const struct session *session)
{
	return session->region;
}

struct disk *session_disk(struct session *session)
{
	return session->disk;
}

const char *session_state_home(const struct session *session)
{
	return session->options.demo ? session->demo.state_home : NULL;
}

struct access *session_access(struct session *session)
{
	return session->access;
}

void session_code(struct session *session, const char *code)
{
	if (session->access)
		access_code(session->access, code);
}

struct aws_client *session_client(struct session *session)
{
	return session->client;
}

int64_t session_wall_ms(const struct session *session)
{
	return clock_wall_ms(&session->server_clock.clock);
}

struct opt_ms session_skew(const struct session *session)
{
	const struct server_clock *clock = &session->server_clock;
	return (struct opt_ms){ clock->is_told, clock->ahead_ms };
}

void session_forbid_changes(struct session *session)
{
	session->options.read_only = true; /* which all its clients look at */
}

const struct session_options *session_options(const struct session *session)
{
	return &session->options;
}

struct wait_hooks session_hooks(struct session *session, struct waiter *waiter)
{
	return waits_add(&session->waits, waiter);
}

void session_ready(struct session *session, int fd, short events)
{
	waits_ready(&session->waits, fd, events);
}

void session_wake(struct session *session)
{
	waits_wake(&session->waits);
}

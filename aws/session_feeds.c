#include "aws/session_state.h"

#include "aws/price_cache.h"

/* What has changed in the store is told to the history, too. */
static void store_changed(void *ctx)
{
	struct session *session = ctx;
	if (session->history)
		history_feed_note(session->history);
	session->options.on_change(session->options.ctx);
}

static bool wants(void *ctx, const struct job *job)
{
	struct session *session = ctx;
	return session->options.want(session->options.ctx, job);
}

static void sync_due(void *ctx)
{
	struct session *session = ctx;
	sync_wake(session->sync);
}

static void plans_due(void *ctx)
{
	struct session *session = ctx;
	plans_feed_wake(session->plans);
}

static void tags_due(void *ctx)
{
	struct session *session = ctx;
	tags_feed_wake(session->tags);
}

static void logs_due(void *ctx)
{
	struct session *session = ctx;
	logs_feed_wake(session->logs);
}

static void quotas_due(void *ctx)
{
	struct session *session = ctx;
	quotas_feed_wake(session->quotas);
}

static void prices_due(void *ctx)
{
	struct session *session = ctx;
	prices_feed_wake(session->prices);
}

void session_end_feeds(struct session *session)
{
	sync_free(session->sync);
	plans_feed_free(session->plans);
	tags_feed_free(session->tags);
	logs_feed_free(session->logs);
	quotas_feed_free(session->quotas);
	prices_feed_free(session->prices);
	metrics_feed_free(session->metrics);
}

static bool has_failing_quota(const struct store *store)
{
	for (size_t i = 0; i < store->quota_count; i++) {
		if (store->quotas[i].fresh.failing)
			return true;
	}
	return false;
}

void session_feeds_come_back(struct session *session)
{
	const struct store *store = session->options.store;
	if (session->sync)
		sync_come_back(session->sync);
	if (store->sources[SOURCE_PLANS].failing)
		plans_feed_refresh(session->plans);
	if (store->tags.fresh.failing)
		tags_feed_refresh(session->tags);
	if (store->logs.fresh.failing)
		logs_feed_refresh(session->logs);
	if (has_failing_quota(store))
		quotas_feed_refresh(session->quotas);
	prices_feed_refresh(session->prices);
	if (store->metrics.fresh.failing || store->gpus.fresh.failing)
		metrics_feed_refresh(session->metrics);
}

static void start_sync(struct session *session, bool alone)
{
	const struct session_options *options = &session->options;
	session->sync_waiter = (struct waiter){ .wake = sync_due, .ctx = session };
	const struct sync_options sync = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->sync_waiter),
		.region = session->region,
		.refresh_ms = options->refresh_ms,
		.since_ms = options->since_ms,
		.alone = alone,
		.unpaced = options->pace == 0,
		.list_gap_ms = options->pace > 0 ? (int64_t)(1000 / options->pace) : 0,
		.want = options->want ? wants : NULL,
		.on_change = store_changed,
		.ctx = session,
	};
	session->sync = sync_new(&sync);
}

void session_start_jobs(struct session *session)
{
	start_sync(session, false);
}

void session_start_job(struct session *session)
{
	start_sync(session, true);
}

static void history_ready(void *ctx, int fd, short events)
{
	struct session *session = ctx;
	(void)fd, (void)events;
	history_feed_ready(session->history);
}

static void history_due(void *ctx)
{
	struct session *session = ctx;
	history_feed_wake(session->history);
}

void session_open_history(struct session *session, const char *folder)
{
	const struct session_options *options = &session->options;
	if (!options->keeps_history || session->history)
		return;
	session->history_waiter =
		(struct waiter){ .ready = history_ready, .wake = history_due, .ctx = session };
	const struct history_feed_options history = {
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->history_waiter),
		.since_ms = options->since_ms,
		.on_change = options->on_change,
		.said = options->history_said,
		.ctx = options->ctx,
	};
	session->history = history_feed_new(&history);
	history_feed_open(session->history, folder);
}

void session_flush_history(struct session *session)
{
	if (session->history)
		history_feed_flush(session->history);
}

void session_keep_note(struct session *session, enum job_kind kind, const char *name,
		       const char *text)
{
	if (session->history)
		history_feed_keep_note(session->history, kind, name, text);
}

bool session_keeps_history(const struct session *session)
{
	return session->history != NULL;
}

bool session_history_is_settled(const struct session *session)
{
	return session->history && history_feed_is_settled(session->history);
}

void session_start_plans(struct session *session)
{
	const struct session_options *options = &session->options;
	session->plans_waiter = (struct waiter){ .wake = plans_due, .ctx = session };
	const struct plans_feed_options plans = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->plans_waiter),
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->plans = plans_feed_new(&plans);
}

void session_start_tags(struct session *session)
{
	const struct session_options *options = &session->options;
	session->tags_waiter = (struct waiter){ .wake = tags_due, .ctx = session };
	const struct tags_feed_options tags = {
		.client = session->client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->tags_waiter),
		.on_change = store_changed,
		.ctx = session,
	};
	session->tags = tags_feed_new(&tags);
}

static bool start_logs(struct session *session, struct err *err)
{
	const struct session_options *options = &session->options;
	struct aws_client *client = session_client_for(session, SERVICE_LOGS, err);
	if (!client)
		return false;
	session->logs_waiter = (struct waiter){ .wake = logs_due, .ctx = session };
	const struct logs_feed_options logs = {
		.client = client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->logs_waiter),
		.gap_ms = options->pace > 0 ? LOGS_FEED_GAP_MS : 0,
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->logs = logs_feed_new(&logs);
	return true;
}

/* The feed begins with the first job whose logs are looked at. */
static void want_logs(struct session *session, const struct wants *wants)
{
	struct job_logs *logs = &session->options.store->logs;
	struct err err = { 0 };
	if (!session->client || (!session->logs && !wants->logs))
		return;
	if (session->logs || start_logs(session, &err)) {
		logs_feed_want(session->logs, wants->logs, wants->logs_held);
	} else if (!logs->fresh.failing) { /* its endpoint is set wrongly */
		job_logs_look_at(logs, wants->logs);
		job_logs_failed(logs, &err, INT64_MAX);
	}
	err_clear(&err);
}

static bool start_quotas(struct session *session, struct err *err)
{
	const struct session_options *options = &session->options;
	struct aws_client *client = session_client_for(session, SERVICE_QUOTAS, err);
	if (!client)
		return false;
	session->quotas_waiter = (struct waiter){ .wake = quotas_due, .ctx = session };
	const struct quotas_feed_options quotas = {
		.client = client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->quotas_waiter),
		.gap_ms = options->pace > 0 ? QUOTAS_FEED_GAP_MS : 0,
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->quotas = quotas_feed_new(&quotas);
	return true;
}

/* There is no client of Service Quotas: its endpoint is set wrongly. */
static void fail_quotas(struct session *session, const struct quota_key *keys, size_t count,
			const struct err *err)
{
	struct store *store = session->options.store;
	for (size_t i = 0; i < count; i++) {
		const struct quota *known =
			store_find_quota(store, keys[i].instance_type, keys[i].kind);
		if (!known || !known->fresh.failing)
			store_note_quota_failed(store, keys[i].instance_type, keys[i].kind, err,
						INT64_MAX);
	}
}

void session_want_quotas(struct session *session, const struct quota_key *keys, size_t count)
{
	struct err err = { 0 };
	if (!session->client || (!session->quotas && count == 0))
		return;
	if (session->quotas || start_quotas(session, &err))
		quotas_feed_want(session->quotas, keys, count);
	else
		fail_quotas(session, keys, count, &err);
	err_clear(&err);
}

void session_refresh_quotas(struct session *session)
{
	quotas_feed_refresh(session->quotas);
}

bool session_quotas_are_settled(const struct session *session)
{
	return !session->quotas || quotas_feed_is_settled(session->quotas);
}

void session_start_prices(struct session *session)
{
	const struct session_options *options = &session->options;
	struct err err = { 0 }, no_place = { 0 };
	struct buf path;
	if (session->prices)
		return;
	buf_init(&path, STATE_PATH_MAX + STATE_FOLDER_NAME_MAX);
	session->prices_waiter = (struct waiter){ .wake = prices_due, .ctx = session };
	struct aws_client *client = session_client_for(session, SERVICE_PRICING, &err);
	bool kept = price_cache_add_path(session, &path, &no_place);
	const struct prices_feed_options prices = {
		.client = client,
		.err = client ? NULL : &err,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->prices_waiter),
		.disk = session->disk,
		.path = kept ? buf_text(&path) : NULL,
		.gap_ms = options->pace > 0 ? PRICES_FEED_GAP_MS : 0,
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->prices = prices_feed_new(&prices);
	buf_release(&path);
	err_clear(&no_place);
	err_clear(&err);
}

bool session_prices_are_settled(const struct session *session)
{
	return !session->prices || prices_feed_is_settled(session->prices);
}

void session_select(struct session *session, const char *arn)
{
	if (session->sync)
		sync_select(session->sync, arn);
}

void session_refresh(struct session *session)
{
	struct auth_status status = { .has_credentials = !session->access };
	if (session->client && session->access)
		access_status(session->access, &status);
	if (!status.has_credentials && !status.searching)
		access_retry(session->access);
	if (session->sync)
		sync_refresh(session->sync);
	plans_feed_refresh(session->plans);
	tags_feed_refresh(session->tags);
	logs_feed_refresh(session->logs);
	quotas_feed_refresh(session->quotas);
	prices_feed_refresh(session->prices);
	metrics_feed_refresh(session->metrics);
}

void session_want_plans(struct session *session, bool wanted)
{
	plans_feed_want(session->plans, wanted);
}

static void metrics_due(void *ctx)
{
	struct session *session = ctx;
	metrics_feed_wake(session->metrics);
}

static bool start_metrics(struct session *session, struct err *err)
{
	const struct session_options *options = &session->options;
	struct aws_client *client = session_client_for(session, SERVICE_CLOUDWATCH, err);
	if (!client)
		return false;
	session->metrics_waiter = (struct waiter){ .wake = metrics_due, .ctx = session };
	const struct metrics_feed_options metrics = {
		.client = client,
		.store = options->store,
		.clock = options->clock,
		.hooks = waits_add(&session->waits, &session->metrics_waiter),
		.gap_ms = options->pace > 0 ? METRICS_FEED_GAP_MS : 0,
		.on_change = options->on_change,
		.ctx = options->ctx,
	};
	session->metrics = metrics_feed_new(&metrics);
	return true;
}

/* The feed begins with the first thing that is looked at. */
static void want_metrics(struct session *session, const struct wants *wants)
{
	struct store *store = session->options.store;
	struct err err = { 0 };
	if (!session->client || (!session->metrics && !wants->metrics && !wants->gpus))
		return;
	if (session->metrics || start_metrics(session, &err)) {
		metrics_feed_want(session->metrics, wants);
	} else if (wants->metrics && !store->metrics.fresh.failing) {
		metrics_look_at(&store->metrics, wants->metrics, wants->metric_span);
		metrics_fail(&store->metrics, &err, INT64_MAX);
	}
	err_clear(&err);
}

void session_want(struct session *session, const struct wants *wants)
{
	if (wants->plans && !session->plans && session->client)
		session_start_plans(session);
	plans_feed_want(session->plans, wants->plans);
	tags_feed_want(session->tags, wants->tags);
	want_logs(session, wants);
	session_want_quotas(session, wants->quotas, wants->quota_count);
	want_metrics(session, wants);
}

bool session_is_settled(const struct session *session)
{
	return session->sync && sync_is_settled(session->sync);
}

#include "aws/sim/region.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "aws/sim/control.h"
#include "aws/sim/emit.h"
#include "aws/sim/faults.h"
#include "aws/sim/ops.h"
#include "aws/sim/random.h"
#include "aws/sim/scenario.h"
#include "aws/sim/service.h"
#include "aws/sim/validate.h"
#include "model/base/text.h"

#define LEEWAY_MS     (5 * 60 * INT64_C(1000))
#define SECOND_MS     INT64_C(1000)
#define SEARCH_LAG_MS (3 * SECOND_MS)

void sim_region_init(struct sim_region *region, const struct sim_options *options,
		     const struct clock *clock)
{
	memset(region, 0, sizeof(*region));
	region->options = *options;
	region->clock = *clock;
	region->lag_ms = SEARCH_LAG_MS;
	region->start_wall_ms = clock_wall_ms(clock);
	region->start_mono_ms = clock_mono_ms(clock);
	region->random =
		sim_random_for(options->seed, "requests") ^ (uint64_t)region->start_wall_ms;
	sim_keyring_init(&region->keys, sim_random_for(options->seed, "keys") ^ region->random,
			 options->account);
	sim_metadata_init(&region->metadata);
	struct sim_world_options world = {
		.seed = options->seed,
		.start_ms = region->start_wall_ms,
		.region = options->region,
		.account = options->account,
		.ctx = region,
	};
	sim_scenario_prepare(region, &world);
	sim_world_init(&region->world, &world);
	sim_scenario_fill(region);
	sim_pools_start(&region->world);
}

void sim_region_release(struct sim_region *region)
{
	if (!region)
		return;
	sim_faults_release(region);
	sim_keyring_release(&region->keys);
	sim_scenario_free(region->scenario);
	region->scenario = NULL;
	sim_world_release(&region->world);
}

int64_t sim_region_catch_up(struct sim_region *region)
{
	double gone_ms = (double)(clock_mono_ms(&region->clock) - region->start_mono_ms);
	int64_t now_ms = region->start_wall_ms + region->advanced_ms +
			 (int64_t)(gone_ms * region->options.speed);
	sim_world_run_until(&region->world, now_ms);
	return region->world.now_ms;
}

void sim_region_date(struct sim_region *region, char out[SIM_DATE_SIZE])
{
	static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t seconds = (time_t)(sim_region_catch_up(region) / SECOND_MS);
	struct tm t;
	out[0] = '\0';
	if (!gmtime_r(&seconds, &t))
		return;
	int len = snprintf(out, SIM_DATE_SIZE, "%s, %02d %s %04d %02d:%02d:%02d GMT",
			   days[t.tm_wday], t.tm_mday, months[t.tm_mon], t.tm_year + 1900,
			   t.tm_hour, t.tm_min, t.tm_sec);
	if (len < 0 || len >= SIM_DATE_SIZE)
		out[0] = '\0';
}

static void make_request_id(struct sim_region *region, char out[SIM_REQUEST_ID_SIZE])
{
	uint64_t a = sim_random_next(&region->random), b = sim_random_next(&region->random);
	int len = snprintf(out, SIM_REQUEST_ID_SIZE, "%08x-%04x-4%03x-a%03x-%012llx",
			   (unsigned)(a >> 32), (unsigned)(a >> 16) & 0xFFFF, (unsigned)a & 0xFFF,
			   (unsigned)(b >> 52), (unsigned long long)(b & 0xFFFFFFFFFFFF));
	if (len < 0)
		out[0] = '\0';
}

void sim_region_signing_times(const struct sim_region *region, int64_t *from_ms, int64_t *until_ms)
{
	int64_t now_ms = region->world.now_ms;
	*from_ms = clock_wall_ms(&region->clock) - LEEWAY_MS;
	*until_ms = now_ms + LEEWAY_MS;
	if (region->skewed) {
		*from_ms = now_ms + region->skew_ms - LEEWAY_MS;
		*until_ms = now_ms + region->skew_ms + LEEWAY_MS;
	}
}

/* Finds out who asks. False with the service's refusal. */
static bool authorise(const struct sim_region *region, const struct sim_service_row *service,
		      const struct sim_request *request, const struct sim_keys **caller,
		      struct err *err)
{
	char access_key[SIM_AUTH_KEY_SIZE];
	const struct sim_keys *keys = sim_auth_access_key(request, access_key)
					      ? sim_keys_find(&region->keys, access_key)
					      : NULL;
	if (keys)
		*caller = keys;
	if (region->options.no_auth)
		return true;
	const struct sim_keys *signer = *caller;
	char scope[SIM_AUTH_REGION_SIZE];
	bool elsewhere = sim_auth_region(request, scope) &&
			 sim_prices_is_endpoint(service->signing_name, scope);
	struct sim_auth auth = {
		.access_key = signer->access_key,
		.secret_key = signer->secret_key,
		.session_token = signer->session_token[0] ? signer->session_token : NULL,
		.expired = signer->expires_ms <= region->world.now_ms,
		.region = elsewhere ? scope : region->options.region,
		.service = service->signing_name,
		.query = service->query,
	};
	sim_region_signing_times(region, &auth.from_ms, &auth.until_ms);
	return sim_auth_check(&auth, request, err);
}

/* A list operation may start so many times in any second; a refused start does not count. */
static bool within_rate(struct sim_region *region, const struct sim_op *op, struct err *err)
{
	struct sim_calls *calls = &region->calls[op - sim_ops];
	size_t rate = (size_t)region->options.rate;
	if (!op->list || rate == 0)
		return true;
	/* 0 stands for never; the clock may start there. */
	int64_t now_ms = clock_mono_ms(&region->clock) - region->start_mono_ms + SECOND_MS + 1;
	int64_t oldest_ms = calls->starts_ms[calls->next_start % rate];
	if (oldest_ms > 0 && now_ms - oldest_ms < SECOND_MS)
		return sim_refuse(err, 400, "ThrottlingException", "Rate exceeded");
	calls->starts_ms[calls->next_start % rate] = now_ms;
	calls->next_start++;
	return true;
}

/* Bytes that are not UTF-8 would come back in the answers. */
static bool is_utf8(const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		size_t used = text_decode(text + at, len - at, &code);
		if (code == TEXT_BAD && used == 1)
			return false;
		at += used;
	}
	return true;
}

/* The body as JSON, whole and by its shape. */
static bool read_json(const struct sim_op *op, const struct sim_request *request,
		      struct json_doc *doc, struct err *err)
{
	struct err trouble = { 0 };
	const char *word = sim_service_row(op->service)->not_json;
	bool fine;
	if (!is_utf8(request->body, request->body_len))
		fine = sim_refuse(err, 400, word, "The body is not UTF-8.");
	else if (!json_doc_parse(doc, request->body, request->body_len, &trouble))
		fine = sim_refuse(err, 400, word, "%s", err_text(&trouble));
	else
		fine = !op->input || sim_validate(doc, sim_shape_named(op->input), err);
	err_clear(&trouble);
	return fine;
}

static bool run_operation(struct sim_region *region, const struct sim_op *op,
			  const struct sim_call *call, struct err *err)
{
	struct json_doc doc = { 0 };
	struct sim_call whole = *call;
	bool is_json = sim_service_row(op->service)->not_json != NULL;
	whole.doc = is_json ? &doc : NULL;
	bool fine = (!is_json || read_json(op, call->request, &doc, err)) &&
		    op->run(region, &whole, err);
	json_doc_release(&doc);
	return fine;
}

/* The words that services have for "too often". */
static bool is_throttle(const char *code)
{
	static const char *const codes[] = { "ThrottlingException", "Throttling",
					     "TooManyRequestsException", "TooManyRequestsError",
					     "SlowDownException" };
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (strcmp(code, codes[i]) == 0)
			return true;
	}
	return false;
}

static bool fail_by_fault(const struct sim_fault *fault, struct err *err)
{
	const char *code = fault->code[0]         ? fault->code
			   : fault->status == 503 ? "ServiceUnavailable"
			   : fault->status >= 500 ? "InternalFailure"
						  : "ValidationException";
	return sim_refuse(err, fault->status, code, "%s",
			  fault->message      ? fault->message
			  : is_throttle(code) ? "Rate exceeded"
					      : "A fault was asked for.");
}

/* Runs the operation with the fault, if any, before or after it. */
static bool run_with_fault(struct sim_region *region, const struct sim_op *op,
			   struct sim_call *call, struct err *err)
{
	struct sim_answer *answer = call->answer;
	struct sim_fault *fault = sim_fault_take(region, op->name);
	if (!fault)
		return run_operation(region, op, call, err);
	bool refuses = fault->status > 0 && !fault->body;
	answer->delay_ms += fault->delay_ms;
	answer->stall_ms = fault->stall_ms;
	answer->drop = fault->drop;
	answer->has_cut = fault->has_cut;
	answer->cut = fault->cut;
	if ((fault->drop || refuses) && !fault->after)
		return refuses ? fail_by_fault(fault, err) : true;
	call->empty_page = fault->empty_page;
	if (!run_operation(region, op, call, err))
		return false;
	if (refuses)
		return fail_by_fault(fault, err);
	if (fault->body) {
		buf_clear(&answer->body);
		buf_add_text(&answer->body, fault->body);
		answer->status = fault->status > 0 ? fault->status : 200;
	}
	return true;
}

static void count_call(struct sim_region *region, const struct sim_op *op,
		       const struct sim_answer *answer, const struct err *err)
{
	struct sim_calls *calls = &region->calls[op - sim_ops];
	if (is_throttle(err->aws_code))
		calls->throttled++;
	else if (err->code != ERR_NONE || answer->drop)
		calls->failed++;
	else
		calls->ok++;
}

static void refuse(const struct sim_service_row *service, struct sim_answer *answer,
		   const struct err *err)
{
	buf_clear(&answer->body);
	answer->status = err->http_status;
	answer->header_count = 0;
	service->refuse(answer, err);
}

static void answer_api(struct sim_region *region, const struct sim_request *request,
		       struct sim_answer *answer)
{
	struct err err = { 0 };
	enum sim_service kind = sim_service_of(request);
	const struct sim_service_row *service = sim_service_row(kind);
	const struct sim_op *op = sim_service_operation(kind, request);
	struct sim_call call = { .request = request,
				 .caller = &region->keys.own,
				 .answer = answer,
				 .out = &answer->body };
	answer->content_type = service->content_type;
	answer->status = 200;
	answer->delay_ms = region->options.latency_ms;
	bool is_signed = service->signing_name && !(op && op->open);
	bool fine = !is_signed || authorise(region, service, request, &call.caller, &err);
	if (fine && !op) {
		fine = sim_service_unknown(kind, request, &err);
	} else if (fine) {
		fine = within_rate(region, op, &err) && run_with_fault(region, op, &call, &err);
		count_call(region, op, answer, &err);
	}
	if (!fine)
		refuse(service, answer, &err);
	err_clear(&err);
}

void sim_region_answer(struct sim_region *region, const struct sim_request *request,
		       struct sim_answer *answer)
{
	memset(answer, 0, sizeof(*answer));
	buf_init(&answer->body, SIM_ANSWER_MAX);
	make_request_id(region, answer->request_id);
	sim_region_catch_up(region);
	if (strncmp(request->target, SIM_CONTROL_PREFIX, strlen(SIM_CONTROL_PREFIX)) == 0)
		sim_control_answer(region, request, answer);
	else
		answer_api(region, request, answer);
	if (answer->body.failed) { /* more jobs than one answer can hold */
		buf_clear(&answer->body);
		buf_add_text(&answer->body, "{\"message\":\"The answer is too big.\"}");
		answer->status = 500;
	}
}

void sim_answer_release(struct sim_answer *answer)
{
	buf_release(&answer->body);
}

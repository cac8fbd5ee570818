#include "aws/sim/service.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "aws/sim/emit.h"
#include "aws/sim/form.h"
#include "aws/sim/ops.h"
#include "aws/sim/validate.h"

#define FORM_TYPE   "application/x-www-form-urlencoded"
#define ACTION_SIZE 64
#define ERROR_TYPE  "x-amzn-ErrorType"

void sim_answer_header(struct sim_answer *answer, const char *name, const char *value)
{
	if (answer->header_count == SIM_ANSWER_HEADERS_MAX)
		return;
	struct sim_answer_header *header = &answer->headers[answer->header_count++];
	header->name = name;
	snprintf(header->value, sizeof(header->value), "%s", value);
}

/* --- how they say no --- */

/* The errors of a service's own model say Message, the common ones message. */
static void say_json(struct sim_answer *answer, const struct err *err, bool modelled)
{
	buf_add_char(&answer->body, '{');
	sim_emit_text(&answer->body, "__type", err->aws_code);
	sim_emit_text(&answer->body, modelled ? "Message" : "message", err_text(err));
	buf_add_char(&answer->body, '}');
}

static void refuse_json(struct sim_answer *answer, const struct err *err)
{
	say_json(answer, err, strncmp(err->aws_code, "Resource", 8) == 0);
}

static void refuse_quotas(struct sim_answer *answer, const struct err *err)
{
	static const char *const codes[] = { "NoSuchResourceException",
					     "ResourceAlreadyExistsException",
					     "IllegalArgumentException", "QuotaExceededException",
					     "TooManyRequestsException" };
	bool modelled = false;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		modelled = modelled || strcmp(err->aws_code, codes[i]) == 0;
	say_json(answer, err, modelled);
}

static void refuse_prices(struct sim_answer *answer, const struct err *err)
{
	static const char *const codes[] = { "InvalidParameterException", "NotFoundException",
					     "InvalidNextTokenException",
					     "ExpiredNextTokenException" };
	bool modelled = false;
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		modelled = modelled || strcmp(err->aws_code, codes[i]) == 0;
	say_json(answer, err, modelled);
}

static void refuse_logs(struct sim_answer *answer, const struct err *err)
{
	say_json(answer, err, false);
}

/* It was a service of forms once: its codes stand in a header, too. */
static void refuse_metrics(struct sim_answer *answer, const struct err *err)
{
	char type[160], code[128];
	snprintf(type, sizeof(type), "com.amazonaws.cloudwatch.v2010_08_01#%s", err->aws_code);
	snprintf(code, sizeof(code), "%s;%s", err->aws_code,
		 err->http_status >= 500 ? "Receiver" : "Sender");
	buf_add_char(&answer->body, '{');
	sim_emit_text(&answer->body, "__type", type);
	sim_emit_text(&answer->body, "message", err_text(err));
	buf_add_char(&answer->body, '}');
	sim_answer_header(answer, "x-amzn-query-error", code);
}

static void refuse_xml(struct sim_answer *answer, const struct err *err)
{
	struct buf *out = &answer->body;
	buf_add_text(out, "<ErrorResponse xmlns=\"" SIM_STS_NAMESPACE "\">\n  <Error>\n    ");
	sim_emit_element(out, "Type", err->http_status >= 500 ? "Receiver" : "Sender");
	sim_emit_element(out, "Code", err->aws_code);
	sim_emit_element(out, "Message", err_text(err));
	buf_add_text(out, "\n  </Error>\n  ");
	sim_emit_element(out, "RequestId", answer->request_id);
	buf_add_text(out, "\n</ErrorResponse>\n");
}

static void refuse_portal(struct sim_answer *answer, const struct err *err)
{
	struct buf *out = &answer->body;
	char type[160];
	snprintf(type, sizeof(type), "com.amazonaws.switchboard.portal#%s", err->aws_code);
	buf_add_char(out, '{');
	sim_emit_text(out, "message", err_text(err));
	sim_emit_text(out, "__type", type);
	buf_add_char(out, '}');
	sim_answer_header(answer, ERROR_TYPE, err->aws_code);
}

/* InvalidGrantException is invalid_grant in the body, and so are the others. */
static void add_oauth_word(struct buf *word, const char *code)
{
	size_t len = strlen(code);
	static const char tail[] = "Exception";
	if (len > strlen(tail) && strcmp(code + len - strlen(tail), tail) == 0)
		len -= strlen(tail);
	for (size_t i = 0; i < len; i++) {
		bool upper = code[i] >= 'A' && code[i] <= 'Z';
		if (upper && i > 0)
			buf_add_char(word, '_');
		buf_add_char(word, (char)(upper ? code[i] - 'A' + 'a' : code[i]));
	}
}

static void refuse_oauth(struct sim_answer *answer, const struct err *err)
{
	struct buf *out = &answer->body, word;
	buf_init(&word, 2 * sizeof(err->aws_code));
	add_oauth_word(&word, err->aws_code);
	buf_add_char(out, '{');
	sim_emit_text(out, "error", buf_text(&word));
	sim_emit_text(out, "error_description", err_text(err));
	buf_add_char(out, '}');
	sim_answer_header(answer, ERROR_TYPE, err->aws_code);
	buf_release(&word);
}

/* The word in the body says more than the type: one type stands for several. */
static void refuse_signin(struct sim_answer *answer, const struct err *err)
{
	static const struct {
		const char *word, *type;
	} types[] = {
		{ "TOKEN_EXPIRED", "AccessDeniedException" },
		{ "AUTHCODE_EXPIRED", "AccessDeniedException" },
		{ "USER_CREDENTIALS_CHANGED", "AccessDeniedException" },
		{ "INSUFFICIENT_PERMISSIONS", "AccessDeniedException" },
		{ "INVALID_REQUEST", "ValidationException" },
		{ "server_error", "InternalServerException" },
	};
	struct buf *out = &answer->body;
	const char *word = err->http_status >= 500 ? "server_error" : "INVALID_REQUEST";
	const char *type = err->aws_code;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (strcmp(err->aws_code, types[i].word) == 0) {
			word = types[i].word;
			type = types[i].type;
		}
	}
	buf_add_char(out, '{');
	sim_emit_text(out, "error", word);
	sim_emit_text(out, "message", err_text(err));
	buf_add_char(out, '}');
	sim_answer_header(answer, ERROR_TYPE, type);
}

static void refuse_page(struct sim_answer *answer, const struct err *err)
{
	buf_addf(&answer->body,
		 "<html><head><title>%d - %s</title></head>\n<body><h1>%d - "
		 "%s</h1></body></html>\n",
		 err->http_status, err->aws_code, err->http_status, err->aws_code);
	answer->content_type = "text/html";
}

static void refuse_container(struct sim_answer *answer, const struct err *err)
{
	buf_add_char(&answer->body, '{');
	sim_emit_text(&answer->body, "code", err->aws_code);
	sim_emit_text(&answer->body, "message", err_text(err));
	buf_add_char(&answer->body, '}');
}

static const struct sim_service_row rows[SIM_SERVICES] = {
	[SIM_SAGEMAKER] = { .content_type = "application/x-amz-json-1.1",
			    .signing_name = "sagemaker",
			    .target = "SageMaker.",
			    .not_json = "SerializationException",
			    .refuse = refuse_json },
	[SIM_QUOTAS] = { .content_type = "application/x-amz-json-1.1",
			 .signing_name = "servicequotas",
			 .target = "ServiceQuotasV20190624.",
			 .not_json = "SerializationException",
			 .refuse = refuse_quotas },
	[SIM_PRICES] = { .content_type = "application/x-amz-json-1.1",
			 .signing_name = "pricing",
			 .target = "AWSPriceListService.",
			 .not_json = "SerializationException",
			 .refuse = refuse_prices },
	[SIM_LOGS] = { .content_type = "application/x-amz-json-1.1",
		       .signing_name = "logs",
		       .target = "Logs_20140328.",
		       .not_json = "SerializationException",
		       .refuse = refuse_logs },
	[SIM_METRICS] = { .content_type = "application/x-amz-json-1.0",
			  .signing_name = "monitoring",
			  .target = "GraniteServiceVersion20100801.",
			  .not_json = "SerializationException",
			  .refuse = refuse_metrics },
	[SIM_NO_SERVICE] = { .content_type = "application/x-amz-json-1.1", .refuse = refuse_json },
	[SIM_STS] = { .content_type = "text/xml",
		      .signing_name = "sts",
		      .query = true,
		      .refuse = refuse_xml },
	[SIM_SSO] = { .content_type = "application/json", .refuse = refuse_portal },
	[SIM_OIDC] = { .content_type = "application/json",
		       .not_json = "InvalidRequestException",
		       .refuse = refuse_oauth },
	[SIM_SIGNIN] = { .content_type = "application/json",
			 .not_json = "INVALID_REQUEST",
			 .refuse = refuse_signin },
	[SIM_METADATA] = { .content_type = "text/plain", .refuse = refuse_page },
	[SIM_CONTAINER] = { .content_type = "application/json", .refuse = refuse_container },
};

const struct sim_service_row *sim_service_row(enum sim_service service)
{
	return &rows[service];
}

/* --- whose a request is --- */

size_t sim_request_path_len(const struct sim_request *request)
{
	return strcspn(request->target, "?");
}

static bool is_at_root(const struct sim_request *request)
{
	return strcmp(request->method, "POST") == 0 && strcmp(request->target, "/") == 0;
}

static bool is_form(const struct sim_request *request)
{
	const char *type = sim_request_header(request, "Content-Type");
	return type && strncasecmp(type, FORM_TYPE, strlen(FORM_TYPE)) == 0 &&
	       !sim_request_header(request, "X-Amz-Target");
}

/* The path of a row; one that ends with '*' has a name of its own there. A slash at the end
 * of what is asked for is passed over, as the metadata service does. */
static bool is_path(const char *path, const struct sim_request *request)
{
	const char *target = request->target;
	size_t len = strlen(path), target_len = sim_request_path_len(request);
	if (path[len - 1] == '*')
		return target_len >= len && strncmp(path, target, len - 1) == 0 &&
		       !memchr(target + len - 1, '/', target_len - (len - 1));
	if (path[len - 1] != '/' && target_len > 0 && target[target_len - 1] == '/')
		target_len--;
	return target_len == len && strncmp(path, target, len) == 0;
}

/* What stands behind the service's prefix in X-Amz-Target; NULL for another's. */
static const char *behind_prefix(enum sim_service service, const struct sim_request *request)
{
	const char *target = sim_request_header(request, "X-Amz-Target");
	size_t len = strlen(rows[service].target);
	return target && strncmp(target, rows[service].target, len) == 0 ? target + len : NULL;
}

static enum sim_service service_at_root(const struct sim_request *request)
{
	if (is_form(request))
		return SIM_STS;
	static const enum sim_service beside[] = { SIM_PRICES, SIM_QUOTAS, SIM_LOGS, SIM_METRICS };
	for (size_t i = 0; i < ARRAY_LEN(beside); i++) {
		if (behind_prefix(beside[i], request))
			return beside[i];
	}
	return SIM_SAGEMAKER;
}

enum sim_service sim_service_of(const struct sim_request *request)
{
	static const struct {
		const char *path;
		enum sim_service service;
	} paths[] = {
		{ "/federation/", SIM_SSO },      { "/token", SIM_OIDC },
		{ "/v1/token", SIM_SIGNIN },      { "/latest/", SIM_METADATA },
		{ "/container/", SIM_CONTAINER },
	};
	if (is_at_root(request))
		return service_at_root(request);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		if (strncmp(paths[i].path, request->target, strlen(paths[i].path)) == 0)
			return paths[i].service;
	}
	return SIM_NO_SERVICE;
}

static const struct sim_op *find_named(enum sim_service service, const char *name)
{
	for (size_t i = 0; i < sim_op_count; i++) {
		if (sim_ops[i].service == service && strcmp(sim_ops[i].name, name) == 0)
			return &sim_ops[i];
	}
	return NULL;
}

static void read_action(const struct sim_request *request, char action[ACTION_SIZE])
{
	struct buf text;
	buf_init(&text, ACTION_SIZE - 1);
	bool fine = sim_form_value(request->body, request->body_len, "Action", &text);
	snprintf(action, ACTION_SIZE, "%s", fine ? buf_text(&text) : "");
	buf_release(&text);
}

const struct sim_op *sim_service_operation(enum sim_service service,
					   const struct sim_request *request)
{
	char action[ACTION_SIZE];
	if (rows[service].target) {
		const char *name = behind_prefix(service, request);
		return name ? find_named(service, name) : NULL;
	}
	if (service == SIM_STS) {
		read_action(request, action);
		return find_named(service, action);
	}
	for (size_t i = 0; i < sim_op_count; i++) {
		const struct sim_op *op = &sim_ops[i];
		if (op->service == service && strcmp(op->method, request->method) == 0 &&
		    is_path(op->path, request))
			return op;
	}
	return NULL;
}

bool sim_service_unknown(enum sim_service service, const struct sim_request *request,
			 struct err *err)
{
	char action[ACTION_SIZE];
	if (service == SIM_STS) {
		read_action(request, action);
		return sim_refuse(err, 400, "InvalidAction",
				  "Could not find operation %s for version 2011-06-15", action);
	}
	if (service == SIM_METADATA)
		return sim_refuse(err, 404, "Not Found", "there is no such path");
	if (service == SIM_NO_SERVICE)
		return sim_refuse(
			err, 404, "UnknownOperationException",
			"The region has no such path: it answers POST /, what is under "
			"/_sim/, and the paths of the services that hand out credentials.");
	return sim_refuse(err, 404, "UnknownOperationException",
			  "The region does not know this operation.");
}

#include "aws/sim/faults.h"

#include <stdlib.h>
#include <string.h>

#include "aws/sim/fields.h"
#include "aws/sim/ops.h"
#include "aws/sim/random.h"
#include "aws/sim/validate.h"

#define COUNT_MAX 1000000

static bool is_operation(const char *name)
{
	for (size_t i = 0; i < sim_op_count; i++) {
		if (strcmp(sim_ops[i].name, name) == 0)
			return true;
	}
	return strcmp(name, "*") == 0;
}

static void free_row(struct sim_fault *fault)
{
	free(fault->message);
	free(fault->body);
	memset(fault, 0, sizeof(*fault));
}

static void clear(struct sim_region *region, const char *operation)
{
	for (size_t i = 0; i < SIM_FAULTS_MAX; i++) {
		if (strcmp(region->faults[i].operation, operation) == 0 ||
		    strcmp(operation, "*") == 0)
			free_row(&region->faults[i]);
	}
}

static bool read_numbers(const struct json_doc *doc, struct sim_fault *fault, struct err *err)
{
	int64_t percent = 100, seed = 1, status = 0, cut = 0;
	bool has_count = json_doc_member(doc, 0, "count") != JSON_NONE;
	bool has_percent = json_doc_member(doc, 0, "percent") != JSON_NONE;
	fault->count = has_count || !has_percent ? 1 : -1;
	if (!sim_field_integer(doc, "count", 0, COUNT_MAX, &fault->count, err) ||
	    !sim_field_integer(doc, "percent", 0, 100, &percent, err) ||
	    !sim_field_integer(doc, "seed", 0, INT64_MAX, &seed, err) ||
	    !sim_field_integer(doc, "status", 200, 599, &status, err) ||
	    !sim_field_integer(doc, "delay_ms", 0, SIM_DELAY_MAX_MS, &fault->delay_ms, err) ||
	    !sim_field_integer(doc, "stall_ms", 0, SIM_DELAY_MAX_MS, &fault->stall_ms, err) ||
	    !sim_field_integer(doc, "cut", 0, SIM_BODY_MAX, &cut, err))
		return false;
	fault->percent = (int)percent;
	fault->random = (uint64_t)seed;
	fault->status = (int)status;
	fault->cut = (size_t)cut;
	fault->has_cut = json_doc_member(doc, 0, "cut") != JSON_NONE;
	return true;
}

/* The text of a member, or NULL. */
static char *read_text(const struct json_doc *doc, const char *name)
{
	struct buf text;
	char *read = NULL;
	buf_init(&text, SIM_BODY_MAX);
	size_t node = json_doc_member(doc, 0, name);
	if (node != JSON_NONE && json_doc_string(doc, node, &text))
		read = buf_take(&text);
	buf_release(&text);
	return read;
}

bool sim_fault_add(struct sim_region *region, const struct json_doc *doc, struct err *err)
{
	struct sim_fault fault = { .operation = "*" };
	if (!sim_field_text(doc, "operation", fault.operation, sizeof(fault.operation), err) ||
	    !sim_field_text(doc, "code", fault.code, sizeof(fault.code), err) ||
	    !read_numbers(doc, &fault, err))
		return false;
	if (!is_operation(fault.operation))
		return sim_refuse(err, 400, "BadRequest", "no operation is named %s",
				  fault.operation);
	if (fault.count == 0) {
		clear(region, fault.operation);
		return true;
	}
	fault.drop = sim_field_true(doc, "drop");
	fault.after = sim_field_true(doc, "after");
	fault.empty_page = sim_field_true(doc, "empty_page");
	if (fault.code[0] && fault.status == 0)
		fault.status = 400;
	for (size_t i = 0; i < SIM_FAULTS_MAX; i++) {
		if (region->faults[i].operation[0])
			continue;
		fault.message = read_text(doc, "message");
		fault.body = read_text(doc, "body");
		region->faults[i] = fault;
		return true;
	}
	return sim_refuse(err, 400, "BadRequest", "there are %d faults already", SIM_FAULTS_MAX);
}

/* A fault that has been used up stays readable for this call: its row is freed at the next. */
struct sim_fault *sim_fault_take(struct sim_region *region, const char *operation)
{
	for (size_t i = 0; i < SIM_FAULTS_MAX; i++) {
		struct sim_fault *fault = &region->faults[i];
		if (fault->operation[0] && fault->count == 0)
			free_row(fault);
	}
	for (size_t i = 0; i < SIM_FAULTS_MAX; i++) {
		struct sim_fault *fault = &region->faults[i];
		if (!fault->operation[0] || (strcmp(fault->operation, "*") != 0 &&
					     strcmp(fault->operation, operation) != 0))
			continue;
		if (!sim_random_chance(&fault->random, fault->percent))
			continue;
		if (fault->count > 0)
			fault->count--;
		return fault;
	}
	return NULL;
}

void sim_faults_release(struct sim_region *region)
{
	clear(region, "*");
}

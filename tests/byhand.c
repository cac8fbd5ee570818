#include "tests/byhand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"

enum phase byhand_phase(const struct region_state *state, size_t node)
{
	struct job job = { 0 };
	char status[64], secondary[64], kind[32];
	size_t selected = json_doc_member(&state->doc, node, "selected");
	bool placed = selected != JSON_NONE && state->doc.nodes[selected].kind != JSON_NULL;

	snprintf(kind, sizeof(kind), "%.31s", region_text(state, node, "kind"));
	snprintf(status, sizeof(status), "%.63s", region_text(state, node, "status"));
	snprintf(secondary, sizeof(secondary), "%.63s",
		 region_text(state, node, "secondary_status"));
	if (strcmp(kind, "processing") == 0 && strcmp(status, "InProgress") == 0)
		return placed ? PHASE_RUNNING : PHASE_PENDING;
	job.kind = strcmp(kind, "processing") == 0 ? JOB_PROCESSING : JOB_TRAINING;
	job.described = true;
	job.status = status;
	job.secondary_status = secondary;
	return job_phase(&job);
}

/* interface.md, phase: the words of a job that waits. */
static bool is_waiting_word(const char *word)
{
	static const char *const words[] = { "Pending", "Starting", "LaunchingMLInstances",
					     "Interrupted", "Restarting" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(words[i], word) == 0)
			return true;
	}
	return false;
}

/* Seconds since the epoch, in whatever notation. */
static bool read_time(const struct region_state *reply, size_t node, const char *member,
		      int64_t *ms)
{
	size_t at = json_doc_member(&reply->doc, node, member);

	if (at == JSON_NONE || reply->doc.nodes[at].kind == JSON_NULL)
		return false;
	*ms = (int64_t)(strtod(reply->doc.text + reply->doc.nodes[at].start, NULL) * 1000 + 0.5);
	return true;
}

/* Adds the stretches of a training job; false if none of them is open. */
static bool add_stretches(const struct region_state *reply, int64_t created_ms,
			  struct byhand_wait *wait)
{
	size_t list = json_doc_member(&reply->doc, 0, "SecondaryStatusTransitions");
	bool first = true, open = false;

	for (size_t at = json_doc_child(&reply->doc, list); at != JSON_NONE;
	     at = json_doc_next(&reply->doc, at)) {
		int64_t start_ms = 0, end_ms = 0;

		assert_true(read_time(reply, at, "StartTime", &start_ms));
		if (first)
			wait->before_ms += start_ms - created_ms;
		first = false;
		if (!is_waiting_word(region_text(reply, at, "Status")))
			continue;
		open = !read_time(reply, at, "EndTime", &end_ms);
		if (open)
			wait->since_ms = start_ms;
		else
			wait->before_ms += end_ms - start_ms;
	}
	return open;
}

bool byhand_wait(const struct region *region, const char *kind, const char *name,
		 struct byhand_wait *wait)
{
	bool training = strcmp(kind, "training") == 0;
	struct region_state reply;
	struct err err = { 0 };
	char body[160];
	int64_t created_ms = 0, started_ms = 0;
	bool open;

	*wait = (struct byhand_wait){ 0 };
	snprintf(body, sizeof(body), "{\"%sJobName\":\"%.63s\"}",
		 training ? "Training" : "Processing", name);
	reply.text = region_call(region, training ? "DescribeTrainingJob" : "DescribeProcessingJob",
				 body);
	if (!json_doc_parse(&reply.doc, reply.text, strlen(reply.text), &err))
		fail_msg("%s: %s", name, err_text(&err));
	assert_true(read_time(&reply, 0, "CreationTime", &created_ms));
	wait->since_ms = created_ms;
	open = training ? add_stretches(&reply, created_ms, wait)
			: !read_time(&reply, 0, "ProcessingStartTime", &started_ms);
	region_state_release(&reply);
	return open;
}

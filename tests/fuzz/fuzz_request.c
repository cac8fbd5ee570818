/*
 * Any bytes as a request of the user: read, checked, edited and shown. What is refused leaves the
 * request that was there; what is read is the text as it came; what is edited and what is shown
 * parses again, says what was set, and keeps every other member byte for byte.
 */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/request.h"
#include "tests/fuzz/fuzz.h"

#define OUT_MAX (16u << 20)
#define ENTRIES "ml.p4d.24xlarge" /* a type that edits insert */

static const char *const no_members[] = { NULL };

static void parse(struct json_doc *doc, const char *text)
{
	struct err err = { 0 };
	bool ok = json_doc_parse(doc, text, strlen(text), &err);

	assert(ok && doc->nodes[0].kind == JSON_OBJECT);
	err_clear(&err);
}

/* reading */

static bool read_bytes(struct request *request, const char *text, size_t len,
		       const enum job_kind *kind)
{
	struct request before = { .kind = JOB_PROCESSING, .text = mem_copy_text("{\"A\":1}") };
	struct findings findings;
	struct err err = { 0 };
	bool ok = request_read(&before, text, len, "FILE", kind, &findings, &err);
	size_t mark = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

	if (ok) {
		assert(findings.count == 0 && strlen(before.text) == len - mark);
		assert(memcmp(before.text, text + mark, len - mark) == 0);
		assert(!kind || before.kind == *kind);
	} else {
		assert(strcmp(before.text, "{\"A\":1}") == 0 && before.kind == JOB_PROCESSING);
		assert(findings.count == 1 && findings.items[0].line > 0);
		assert(err.code == ERR_RULE && strcmp(err.subject, "FILE") == 0);
		request_release(&before);
	}
	err_clear(&err);
	*request = before;
	return ok;
}

/* members that an edit must leave */

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Every member of the one object is in the other too, with the same bytes, but for some. */
static void want_kept(const struct json_doc *before, size_t object, const struct json_doc *after,
		      size_t other, const char *const *but)
{
	struct buf key;

	buf_init(&key, OUT_MAX);
	for (size_t node = json_doc_child(before, object); node != JSON_NONE;
	     node = json_doc_next(before, node)) {
		const struct json_node *old = &before->nodes[node];

		buf_clear(&key);
		bool ok = json_doc_key(before, node, &key);
		assert(ok);
		if (is_one_of(buf_text(&key), but))
			continue;
		size_t found = json_doc_member(after, other, buf_text(&key));
		assert(found != JSON_NONE);
		const struct json_node *new = &after->nodes[found];
		assert(new->end - new->start == old->end - old->start);
		assert(memcmp(before->text + old->start, after->text + new->start,
			      old->end - old->start) == 0);
	}
	buf_release(&key);
}

static void want_object_kept(const struct json_doc *before, const struct json_doc *after,
			     const char *path, const char *const *but)
{
	size_t old = json_doc_path(before, path);

	if (old != JSON_NONE && before->nodes[old].kind == JSON_OBJECT)
		want_kept(before, old, after, json_doc_path(after, path), but);
}

static void check_kept(const char *before_text, const struct request *request)
{
	static const char *const top[] = { "ResourceConfig",    "ProcessingResources",
					   "TrainingJobName",   "ProcessingJobName",
					   "StoppingCondition", NULL };
	static const char *const cluster[] = { "InstanceType", "InstanceCount",
					       "InstancePreferences", "TrainingPlanArn", NULL };
	static const char *const limit[] = { "MaxPendingTimeInSeconds", NULL };
	static const char *const inner[] = { "ClusterConfig", NULL };
	struct json_doc before = { 0 }, after = { 0 };
	bool training = request->kind == JOB_TRAINING;

	parse(&before, before_text);
	parse(&after, request->text);
	want_kept(&before, 0, &after, 0, top);
	want_object_kept(&before, &after, "StoppingCondition", limit);
	want_object_kept(&before, &after, "ResourceConfig", training ? cluster : no_members);
	want_object_kept(&before, &after, "ProcessingResources", training ? no_members : inner);
	if (!training)
		want_object_kept(&before, &after, "ProcessingResources.ClusterConfig", cluster);
	json_doc_release(&before);
	json_doc_release(&after);
}

/* edits */

static void read_facts(const struct request *request, struct request_facts *facts)
{
	struct err err = { 0 };
	bool ok = request_facts(request, facts, &err);

	assert(ok);
	err_clear(&err);
}

static bool is_ascii(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++)
		for (const char *at = prefs->entries[i].instance_type; *at; at++)
			if ((unsigned char)*at >= 0x80)
				return false;
	return true;
}

/* What is set is what the document says after; groups are refused. */
static void set_list(struct request *request, const struct preferences *prefs)
{
	struct request_facts facts;
	struct err err = { 0 };
	char *before = mem_copy_text(request->text);
	int64_t count, wanted;

	if (!request_set_preferences(request, prefs, &err)) {
		assert(err.code != ERR_NONE);
	} else if (is_ascii(prefs)) { /* what is cut within a character is written as a mark */
		read_facts(request, &facts);
		assert(facts.prefs.length == prefs->length);
		for (size_t i = 0; i < prefs->length; i++) {
			assert(strcmp(facts.prefs.entries[i].instance_type,
				      prefs->entries[i].instance_type) == 0);
			bool has = prefs_count(prefs, i, &wanted);
			assert(prefs_count(&facts.prefs, i, &count) == has);
			assert(!has || count == wanted);
		}
	}
	check_kept(before, request);
	err_clear(&err);
	free(before);
}

static void check_same_list(struct request *request)
{
	struct request_facts facts;
	struct err err = { 0 };
	char *before = mem_copy_text(request->text);

	read_facts(request, &facts);
	bool plain =
		facts.list_length <= PREFS_KEEP_MAX && !(facts.has_list && facts.has_instance_type);
	bool ok = request_set_preferences(request, &facts.prefs, &err);
	assert(!plain || !ok || strcmp(before, request->text) == 0);
	check_kept(before, request);
	err_clear(&err);
	free(before);
}

static void check_list_edits(struct request *request, size_t salt)
{
	struct request_facts facts;

	for (size_t step = 0; step < 4; step++, salt /= 8) {
		read_facts(request, &facts);
		struct preferences prefs = facts.prefs;
		size_t at = prefs.length ? salt % prefs.length : 0;

		if (step == 0)
			(void)prefs_insert(&prefs, at, ENTRIES);
		else if (step == 1)
			(void)prefs_move(&prefs, at, 0);
		else if (step == 2)
			prefs_toggle_counts(&prefs);
		else
			(void)prefs_remove(&prefs, at);
		set_list(request, &prefs);
	}
}

static void check_limit(struct request *request)
{
	struct request_facts facts;
	struct err err = { 0 };
	char *before = mem_copy_text(request->text);

	if (request_set_max_pending(request, 7200, &err)) {
		read_facts(request, &facts);
		assert(facts.max_pending.set && facts.max_pending.ms == 7200000);
	} else {
		assert(err.code == ERR_RULE || err.code == ERR_USAGE);
		assert(strcmp(before, request->text) == 0);
	}
	check_kept(before, request);
	if (request_drop_max_pending(request, &err)) {
		read_facts(request, &facts);
		assert(!facts.max_pending.set);
	}
	check_kept(before, request);
	err_clear(&err);
	free(before);
}

static void check_name(struct request *request)
{
	struct request_facts facts;
	struct err err = { 0 };
	char *before = mem_copy_text(request->text);
	bool ok = request_set_name(request, "job-\"1\"", &err);

	assert(ok);
	read_facts(request, &facts);
	assert(strcmp(facts.name, "job-\"1\"") == 0);
	check_kept(before, request);
	err_clear(&err);
	free(before);
}

/* showing */

/* The same values in the same order, but for the blanks; a hidden one has become a string. */
static void want_shown(const char *text, const char *shown, bool reveal)
{
	struct json_doc before = { 0 }, after = { 0 };

	parse(&before, text);
	parse(&after, shown);
	for (size_t i = 0, j = 0; reveal && i < before.count; i++, j++) {
		const struct json_node *old = &before.nodes[i], *new = &after.nodes[j];
		size_t len = old->end - old->start;

		assert(old->kind == new->kind &&before.count == after.count);
		if (old->child == JSON_NONE && old->kind > JSON_ARRAY)
			assert(new->end - new->start ==
			       len &&memcmp(before.text + old->start, after.text + new->start,
					    len) == 0);
	}
	assert(json_doc_length(&before, 0) == json_doc_length(&after, 0));
	json_doc_release(&before);
	json_doc_release(&after);
}

static void check_shown(const struct request *request)
{
	struct buf out;

	buf_init(&out, OUT_MAX);
	for (int reveal = 0; reveal <= 1; reveal++) {
		buf_clear(&out);
		request_show(request, reveal, &out);
		if (!out.failed)
			want_shown(request->text, buf_text(&out), reveal);
	}
	buf_release(&out);
}

/* A fix leaves a request, or everything as it was. */
static void check_fix(const struct request *request, const struct finding *finding)
{
	struct request mended = { .kind = request->kind, .text = mem_copy_text(request->text) };
	struct json_doc doc = { 0 };
	struct err err = { 0 };

	if (!request_apply_fix(&mended, finding, &err))
		assert(strcmp(mended.text, request->text) == 0);
	parse(&doc, mended.text);
	assert(doc.nodes[0].kind == JSON_OBJECT);
	json_doc_release(&doc);
	request_release(&mended);
	err_clear(&err);
}

static void check_findings(const struct request *request)
{
	struct report_context context = { .format = REPORT_CSV, .region = "us-east-1" };
	struct findings findings;
	struct json_doc doc = { 0 };
	struct err err = { 0 };
	struct buf out;
	bool ok = request_check(request, NULL, &findings, &err);

	assert(ok);
	for (size_t i = 0; i < findings.count; i++) {
		assert(findings.items[i].message[0] && findings.items[i].line > 0);
		check_fix(request, &findings.items[i]);
	}
	buf_init(&out, OUT_MAX);
	report_findings(&out, &context, &request->kind, &findings);
	fuzz_want_report(&out, &context, findings.count);
	buf_clear(&out);
	context.format = REPORT_JSON;
	report_findings(&out, &context, &request->kind, &findings);
	fuzz_want_harmless(buf_text(&out), out.len, "\n");
	parse(&doc, buf_text(&out));
	assert(json_doc_length(&doc, json_doc_member(&doc, 0, "findings")) == findings.count);
	json_doc_release(&doc);
	buf_release(&out);
	err_clear(&err);
}

/* A copy has what a description and a request have in common, and nothing of the rest. */
static void want_copied(const char *text, const char *copy)
{
	static const char *const dropped[] = { "CreationTime", "LastModifiedTime", "FailureReason",
					       "Tags", "ResponseMetadata" };
	static const char *const kept[] = { "RoleArn", "Environment", "StoppingCondition",
					    "HyperParameters", "AppSpecification" };
	struct json_doc before = { 0 }, after = { 0 };

	parse(&before, text);
	parse(&after, copy);
	for (size_t i = 0; i < ARRAY_LEN(dropped); i++)
		assert(json_doc_member(&after, 0, dropped[i]) == JSON_NONE);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		size_t old = json_doc_member(&before, 0, kept[i]);
		bool stays = old != JSON_NONE && before.nodes[old].kind != JSON_NULL;

		assert(stays == (json_doc_member(&after, 0, kept[i]) != JSON_NONE));
	}
	json_doc_release(&before);
	json_doc_release(&after);
}

static void check_copy(enum job_kind kind, const char *text)
{
	struct request copy = { 0 };
	struct request_facts facts;
	struct err err = { 0 };

	if (request_from_describe(&copy, kind, text, "copy-1", &err)) {
		read_facts(&copy, &facts);
		assert(strcmp(facts.name, "copy-1") == 0 && !facts.has_selected_members);
		want_copied(text, copy.text);
	} else {
		assert(!copy.text && err.code != ERR_NONE);
	}
	request_release(&copy);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum job_kind kinds[] = { JOB_TRAINING, JOB_PROCESSING };
	char *text = fuzz_copy(data, size);

	for (size_t i = 0; i < 3; i++) {
		struct request request = { 0 };

		if (read_bytes(&request, (const char *)data, size, i < 2 ? &kinds[i] : NULL)) {
			check_findings(&request);
			check_shown(&request);
			check_same_list(&request);
			check_list_edits(&request, size);
			check_limit(&request);
			check_name(&request);
			check_shown(&request);
		}
		request_release(&request);
		check_copy(kinds[i % 2], text);
	}
	free(text);
	return 0;
}

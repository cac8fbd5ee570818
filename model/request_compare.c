#include "model/request_compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/check_rules.h"
#include "model/request_parts.h"

/* The two documents side by side. */
struct pair {
	enum job_kind kind;
	struct json_doc asked, told;
	struct buf *why;
};

/* Appends the string at a node; an absent member, null and "" are one. */
static void add_string(const struct json_doc *doc, size_t node, struct buf *out)
{
	(void)json_doc_string(doc, node, out);
}

static bool differ(struct buf *why, const char *what, const char *told, const char *asked)
{
	buf_addf(why, "%s: %s, asked for %s", what, told[0] ? told : "none",
		 asked[0] ? asked : "none");
	return false;
}

static bool same_string(const struct pair *pair, const char *path, size_t asked, size_t told)
{
	struct buf ours, theirs;
	buf_init(&ours, JSON_TEXT_MAX);
	buf_init(&theirs, JSON_TEXT_MAX);
	add_string(&pair->asked, asked, &ours);
	add_string(&pair->told, told, &theirs);
	bool same = strcmp(buf_text(&ours), buf_text(&theirs)) == 0 ||
		    differ(pair->why, path, buf_text(&theirs), buf_text(&ours));
	buf_release(&ours);
	buf_release(&theirs);
	return same;
}

static bool same_at(const struct pair *pair, const char *path)
{
	return same_string(pair, path, json_doc_path(&pair->asked, path),
			   json_doc_path(&pair->told, path));
}

/* Describe of a job by AlgorithmName may tell the image behind it too: only what was asked for is
 * compared. */
static bool same_where_asked(const struct pair *pair, const char *path)
{
	size_t node = json_doc_path(&pair->asked, path);
	return node == JSON_NONE || pair->asked.nodes[node].kind == JSON_NULL ||
	       same_at(pair, path);
}

static bool same_code(const struct pair *pair)
{
	if (pair->kind == JOB_PROCESSING)
		return same_at(pair, "AppSpecification.ImageUri");
	return same_where_asked(pair, "AlgorithmSpecification.TrainingImage") &&
	       same_where_asked(pair, "AlgorithmSpecification.AlgorithmName");
}

static bool same_outputs(const struct pair *pair)
{
	static const char list[] = "ProcessingOutputConfig.Outputs";
	if (pair->kind == JOB_TRAINING)
		return same_at(pair, "OutputDataConfig.S3OutputPath");
	size_t ours = json_doc_child(&pair->asked, json_doc_path(&pair->asked, list));
	size_t theirs = json_doc_child(&pair->told, json_doc_path(&pair->told, list));
	while (ours != JSON_NONE || theirs != JSON_NONE) {
		size_t asked = json_doc_member(&pair->asked, ours, "S3Output");
		size_t told = json_doc_member(&pair->told, theirs, "S3Output");
		if (!same_string(pair, list, json_doc_member(&pair->asked, asked, "S3Uri"),
				 json_doc_member(&pair->told, told, "S3Uri")))
			return false;
		ours = json_doc_next(&pair->asked, ours);
		theirs = json_doc_next(&pair->told, theirs);
	}
	return true;
}

static void add_entry(const struct preferences *prefs, size_t i, struct buf *out)
{
	const struct preference *entry = &prefs->entries[i];
	int64_t count;
	buf_addf(out, "%s%s", i > 0 ? ", " : "", entry->instance_type);
	if (prefs_count(prefs, i, &count))
		buf_addf(out, " x%" PRId64, count);
	if (prefs_plan(prefs, i)[0])
		buf_addf(out, " %s", prefs_plan(prefs, i));
	if (entry->group[0])
		buf_addf(out, " in %s", entry->group);
}

/* The list with the counts and plans in effect, whichever way they are written. */
static void add_list(const struct request_facts *facts, struct buf *out)
{
	const struct preferences *prefs = &facts->prefs;
	for (size_t i = 0; i < prefs->length; i++)
		add_entry(prefs, i, out);
	if (facts->list_length > prefs->length)
		buf_addf(out, " and %zu more", facts->list_length - prefs->length);
	if (prefs_has_unplaced_plan(prefs))
		buf_addf(out, " beside %s", prefs->job_plan_arn);
}

static bool same_list(const struct pair *pair)
{
	struct request_facts asked, told;
	struct buf ours, theirs;
	buf_init(&ours, JSON_TEXT_MAX);
	buf_init(&theirs, JSON_TEXT_MAX);
	request_read_facts(&pair->asked, pair->kind, &asked);
	request_read_facts(&pair->told, pair->kind, &told);
	add_list(&asked, &ours);
	add_list(&told, &theirs);
	bool same = strcmp(buf_text(&ours), buf_text(&theirs)) == 0 ||
		    differ(pair->why, check_cluster_path(pair->kind), buf_text(&theirs),
			   buf_text(&ours));
	buf_release(&ours);
	buf_release(&theirs);
	return same;
}

static bool same_documents(const struct pair *pair)
{
	return same_at(pair, check_name_member(pair->kind)) && same_at(pair, "RoleArn") &&
	       same_code(pair) && same_list(pair) && same_outputs(pair);
}

static bool is_early(const struct job *job, int64_t sent_ms, struct buf *why)
{
	char created[TIME_TEXT_SIZE], sent[TIME_TEXT_SIZE];
	if (job->created.ms >= sent_ms - REQUEST_COMPARE_SLACK_MS)
		return false;
	time_format_iso(job->created.ms, created);
	time_format_iso(sent_ms, sent);
	buf_addf(why, "created at %s, before it was first sent at %s", created, sent);
	return true;
}

static enum request_match untold(struct buf *why, const char *what)
{
	buf_add_text(why, what);
	return REQUEST_UNTOLD;
}

static enum request_match compare_texts(const struct request *asked, const struct job *job,
					struct buf *why)
{
	const struct request reply = { .kind = job->kind, .text = job->request_json };
	struct pair pair = { .kind = asked->kind, .why = why };
	struct err err = { 0 };
	enum request_match match = REQUEST_UNTOLD;
	if (!request_parse(asked, &pair.asked, &err) || !request_parse(&reply, &pair.told, &err))
		buf_add_text(why, err_text(&err));
	else
		match = same_documents(&pair) ? REQUEST_SAME : REQUEST_DIFFERENT;
	json_doc_release(&pair.asked);
	json_doc_release(&pair.told);
	err_clear(&err);
	return match;
}

enum request_match request_compare(const struct request *asked, const struct job *job,
				   int64_t sent_ms, struct buf *why)
{
	if (asked->kind != job->kind) {
		differ(why, "kind", job_kind_word(job->kind), job_kind_word(asked->kind));
		return REQUEST_DIFFERENT;
	}
	if (!job->request_json || job->indexed)
		return untold(why, "the job is not described yet");
	if (!job->created.set)
		return untold(why, "Describe tells no time of creation");
	if (is_early(job, sent_ms, why))
		return REQUEST_DIFFERENT;
	return compare_texts(asked, job, why);
}

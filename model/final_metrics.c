/* The metrics that a job ends with, from the text of its description. */
#include <stdlib.h>
#include <string.h>

#include "model/base/jsontext.h"
#include "model/metrics.h"

#define TEXTS_MAX  (64u << 10)
#define VALUE_MAX  64   /* bytes of a number that are shown */
#define TIME_LIMIT 1e11 /* seconds: beyond, milliseconds do not fit */

/* Seconds since the epoch, as a number. */
static struct opt_ms time_of(const struct json_doc *doc, size_t node)
{
	struct opt_ms at = { 0 };
	struct buf text;
	if (node == JSON_NONE || doc->nodes[node].kind != JSON_NUMBER)
		return at;
	buf_init(&text, VALUE_MAX);
	(void)buf_add(&text, doc->text + doc->nodes[node].start,
		      doc->nodes[node].end - doc->nodes[node].start);
	double seconds = strtod(buf_text(&text), NULL);
	at.set = seconds > 0 && seconds < TIME_LIMIT;
	at.ms = at.set ? (int64_t)(seconds * 1000.0) : 0;
	buf_release(&text);
	return at;
}

/* Where the texts of an item begin in the buffer, which moves while it grows. */
struct places {
	size_t name, value;
};

static bool add_item(const struct json_doc *doc, size_t node, struct buf *texts,
		     struct places *places)
{
	size_t name = json_doc_member(doc, node, "MetricName");
	size_t value = json_doc_member(doc, node, "Value");
	if (name == JSON_NONE || value == JSON_NONE)
		return false;
	size_t len = doc->nodes[value].end - doc->nodes[value].start;
	places->name = texts->len;
	bool ok = json_doc_string(doc, name, texts) && buf_add_char(texts, '\0');
	places->value = texts->len;
	if (doc->nodes[value].kind == JSON_STRING) /* "NaN" */
		ok = ok && json_doc_string(doc, value, texts);
	else
		ok = ok && len <= VALUE_MAX &&
		     buf_add(texts, doc->text + doc->nodes[value].start, len);
	return ok && buf_add_char(texts, '\0');
}

static void read_list(const struct json_doc *doc, struct final_metrics *out)
{
	struct places places[FINAL_METRICS_MAX] = { { 0 } };
	size_t list = json_doc_member(doc, 0, "FinalMetricDataList");
	for (size_t at = json_doc_child(doc, list);
	     at != JSON_NONE && out->count < FINAL_METRICS_MAX; at = json_doc_next(doc, at)) {
		if (!add_item(doc, at, &out->texts, &places[out->count]))
			continue;
		out->items[out->count].at = time_of(doc, json_doc_member(doc, at, "Timestamp"));
		out->count++;
	}
	for (size_t i = 0; i < out->count; i++) {
		out->items[i].name = out->texts.data + places[i].name;
		out->items[i].value = out->texts.data + places[i].value;
	}
}

void final_metrics_read(const struct job *job, struct final_metrics *out)
{
	struct json_doc doc = { 0 };
	struct err ignored = { 0 };
	*out = (struct final_metrics){ 0 };
	buf_init(&out->texts, TEXTS_MAX);
	if (job->request_json &&
	    json_doc_parse(&doc, job->request_json, strlen(job->request_json), &ignored))
		read_list(&doc, out);
	json_doc_release(&doc);
	err_clear(&ignored);
}

void final_metrics_release(struct final_metrics *metrics)
{
	buf_release(&metrics->texts);
	metrics->count = 0;
}

#include "views/text/foreign_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/wrapped.h"
#include "views/text/request_file.h"

typedef bool read_fn(struct loose *loose, const char *text, size_t len, struct err *err);

/* Into JSON, and that into a document. */
static bool read_by(read_fn *read, const char *text, size_t len, struct loose *loose,
		    struct json_doc *doc)
{
	struct err ignored = { 0 };
	loose_init(loose);
	bool ok = read(loose, text, len, &ignored) &&
		  json_doc_parse(doc, buf_text(&loose->json), loose->json.len, &ignored);
	err_clear(&ignored);
	if (!ok) {
		json_doc_release(doc);
		loose_release(loose);
	}
	return ok;
}

/* As JSON, as that with comments or Python, as YAML: the first that can be read. *form is how the
 * others are called; NULL for the first, whose *loose stays {0}. */
static bool read_any(const struct command_run *run, const char *text, size_t len,
		     struct loose *loose, struct json_doc *doc, const char **form)
{
	struct err ignored = { 0 };
	bool ok = json_doc_parse(doc, text, len, &ignored);
	err_clear(&ignored);
	if (ok)
		return true;
	json_doc_release(doc);
	if (read_by(loose_read_literal, text, len, loose, doc)) {
		*form = loose->is_python ? "a Python dict" : "JSON with comments or loose commas";
		return true;
	}
	*form = "YAML";
	return read_by(run->sources->read_yaml, text, len, loose, doc);
}

/* Where the request's own text has it, into where it stands in the document. False: it is about a
 * value that nobody knows yet. */
static bool move(const struct wrapped *wrapped, struct finding *finding)
{
	if (finding->line == 0)
		return true;
	size_t offset = finding->column - 1;
	const struct loose_place *place = loose_place_of(&wrapped->request, offset);
	if (!place)
		return true;
	finding->line = place->line;
	finding->column = place->column + (offset - place->at);
	return !place->is_unknown;
}

static void add(struct findings *findings, const struct wrapped *wrapped,
		const struct finding *told)
{
	char path[sizeof(told->path)];
	if (findings->count == FINDINGS_MAX) {
		findings->cut = true;
		return;
	}
	struct finding *finding = &findings->items[findings->count];
	*finding = *told;
	if (!move(wrapped, finding))
		return;
	findings->count++;
	int len = snprintf(path, sizeof(path), "%s%s%s", wrapped->path,
			   wrapped->path[0] && told->path[0] ? "." : "", told->path);
	if (len > 0 && (size_t)len < sizeof(path))
		memcpy(finding->path, path, (size_t)len + 1);
}

/* Which part is checked, and how it was read. */
static void add_head(struct findings *findings, const struct wrapped *wrapped, const char *word,
		     const char *form)
{
	struct finding *finding =
		findings_add(findings, word[0] ? "not-a-request" : "not-json", wrapped->path,
			     "%s%s%s the request of a %s job, which is checked here%s.",
			     word[0] ? "This " : "The text is ", word[0] ? word : form,
			     word[0] ? " has" : ":", job_kind_word(wrapped->kind),
			     wrapped->unknown > 0 ? " but for what is known only when it runs"
						  : "");
	if (!finding)
		return;
	finding->severity = SEVERITY_NOTE;
	finding->line = wrapped->line;
	finding->column = wrapped->column;
}

static void check_one(const struct command_run *run, const struct wrapped *wrapped,
		      const char *word, const char *form, struct findings *findings)
{
	struct findings *told = mem_new(1, sizeof(*told));
	struct err ignored = { 0 };
	const struct request request = { .kind = wrapped->kind,
					 .text = (char *)buf_text(&wrapped->request.json) };
	if (word[0] || form)
		add_head(findings, wrapped, word, form);
	if (request_file_check(run, &request, told, &ignored))
		for (size_t i = 0; i < told->count; i++)
			add(findings, wrapped, &told->items[i]);
	findings->cut = findings->cut || told->cut;
	err_clear(&ignored);
	free(told);
}

bool foreign_check(const struct command_run *run, const char *text, size_t len,
		   struct findings *findings, enum job_kind *kind)
{
	const struct options *options = run->options;
	struct wrapped_list list = { 0 };
	struct json_doc doc = { 0 };
	struct loose loose = { 0 };
	const char *form = NULL;
	if (!read_any(run, text, len, &loose, &doc, &form))
		return false;
	wrapped_find(&list, &doc, loose.count > 0 ? &loose : NULL);
	for (size_t i = 0; i < list.count; i++)
		if (!options->has_kind || options->kind == list.items[i].kind)
			check_one(run, &list.items[i], list.word, form, findings);
	findings->cut = findings->cut || list.cut;
	bool any = list.count > 0;
	*kind = any ? list.items[0].kind : JOB_TRAINING;
	wrapped_release(&list);
	json_doc_release(&doc);
	loose_release(&loose);
	return any;
}

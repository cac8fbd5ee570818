/* Reads a document of the user and says what it is, where it is no request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/request.h"

/* Documents that are met in the place of a request, told by two members at the top. */
struct stranger {
	const char *member, *and_member;
	const char *is;  /* "This is ..., not a Create request." */
	const char *fix; /* what to do with it */
};

static const struct stranger strangers[] = {
	{ "TrainingJobArn", "TrainingJobStatus", "a DescribeTrainingJob reply",
	  "Clone the job (K on its row), or remove what only a reply has." },
	{ "ProcessingJobArn", "ProcessingJobStatus", "a DescribeProcessingJob reply",
	  "Clone the job (K on its row), or remove what only a reply has." },
	{ "StartAt", "States", "a Step Functions state machine",
	  "Take the request out of the task's Parameters and fill in its \".$\" members." },
	{ "apiVersion", "kind", "a Kubernetes manifest",
	  "Write the members of its spec as the API names them, with a capital letter." },
	{ "TrainingJobSummaries", NULL, "a ListTrainingJobs reply",
	  "Choose one job and clone it." },
	{ "ProcessingJobSummaries", NULL, "a ListProcessingJobs reply",
	  "Choose one job and clone it." },
	{ "HyperParameterTuningJobName", NULL, "a CreateHyperParameterTuningJob request",
	  "gpuq submits training and processing jobs." },
	{ "Steps", "Version", "a SageMaker pipeline definition",
	  "Take the request out of the step's Arguments." },
	{ "Resources", "AWSTemplateFormatVersion", "a CloudFormation template",
	  "Write the request itself." },
	{ "InstancePreferences", NULL, "a ResourceConfig alone",
	  "Put it under \"ResourceConfig\" of a request." },
	{ "trainingJobName", NULL, "a document with members in camel case",
	  "Write the members as the API names them, with a capital letter." },
	{ "processingJobName", NULL, "a document with members in camel case",
	  "Write the members as the API names them, with a capital letter." },
};

/* Members by which a request without a name is still told. */
static const char *const training_members[] = { "AlgorithmSpecification", "ResourceConfig",
						"InputDataConfig", "OutputDataConfig",
						"HyperParameters" };
static const char *const processing_members[] = { "ProcessingResources", "AppSpecification",
						  "ProcessingInputs", "ProcessingOutputConfig" };

struct reading {
	const char *name;
	struct findings *findings;
	struct err *err;
};

/* Refuses the document: a finding for scripts, and the same as an error for people. */
static bool refuse(const struct reading *reading, const char *rule, size_t line, size_t column,
		   const char *message, const char *fix)
{
	struct finding *finding = findings_add(reading->findings, rule, "", "%s", message);
	if (finding) {
		finding->line = line;
		finding->column = column;
		(void)snprintf(finding->fix_text, sizeof(finding->fix_text), "%s", fix);
	}
	err_set(reading->err, ERR_RULE, "%s: %s%s%s", rule, message, fix[0] ? " " : "", fix);
	reading->err->hint = HINT_FIX_REQUEST;
	return err_subject(reading->err, "%s", reading->name);
}

static bool has_member(const struct json_doc *doc, const char *name)
{
	return json_doc_member(doc, 0, name) != JSON_NONE;
}

static bool refuse_stranger(const struct reading *reading, const struct json_doc *doc)
{
	char message[200];
	for (size_t i = 0; i < ARRAY_LEN(strangers); i++) {
		const struct stranger *row = &strangers[i];
		if (!has_member(doc, row->member) ||
		    (row->and_member && !has_member(doc, row->and_member)))
			continue;
		const struct json_node *at = &doc->nodes[json_doc_member(doc, 0, row->member)];
		(void)snprintf(message, sizeof(message), "This is %s, not a Create request.",
			       row->is);
		return refuse(reading, "not-a-request", at->line, at->column, message, row->fix);
	}
	return true;
}

static bool has_any(const struct json_doc *doc, const char *const *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (has_member(doc, members[i]))
			return true;
	}
	return false;
}

/* By the name's member first, then by the members that only one kind has. */
static bool guess_kind(const struct reading *reading, const struct json_doc *doc,
		       enum job_kind *kind)
{
	bool training = has_member(doc, "TrainingJobName");
	bool processing = has_member(doc, "ProcessingJobName");
	if (!training && !processing) {
		training = has_any(doc, training_members, ARRAY_LEN(training_members));
		processing = has_any(doc, processing_members, ARRAY_LEN(processing_members));
	}
	*kind = training ? JOB_TRAINING : JOB_PROCESSING;
	if (training && processing)
		return refuse(reading, "not-a-request", 1, 1,
			      "This has members of a training and of a processing job.",
			      "Keep those of one kind, or say which with --kind.");
	if (!training && !processing)
		return refuse(reading, "not-a-request", 1, 1,
			      "This has no TrainingJobName and no ProcessingJobName at the top.",
			      "Give the request itself, as --cli-input-json takes it.");
	return true;
}

/* A whole line that begins with key and a colon: YAML at its top level. */
static bool has_yaml_key(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			return true;
	}
	return false;
}

static bool refuse_text(const struct reading *reading, const char *text, struct json_doc *doc,
			const struct err *cause)
{
	if (has_yaml_key(text, "apiVersion") && has_yaml_key(text, "kind"))
		return refuse(reading, "not-a-request", 1, 1,
			      "This is a Kubernetes manifest in YAML, not a Create request.",
			      "Write the request in JSON, its members as the API names them.");
	if (strstr(text, "resource \"aws_") || strstr(text, "provider \"aws\""))
		return refuse(reading, "not-a-request", 1, 1,
			      "This is a Terraform configuration, not a Create request.",
			      "Write the request in JSON, its members as the API names them.");
	/* They often hold what JSON does not allow; the finer fault is of no use here. */
	if (strstr(text, "\"StartAt\"") && strstr(text, "\"States\""))
		return refuse(reading, "not-a-request", 1, 1,
			      "This is a Step Functions state machine, not a Create request.",
			      "Take the request out of the task's Parameters.");
	struct buf message;
	buf_init(&message, ERR_TEXT_MAX + 1);
	(void)buf_addf(&message, "%s.", err_text(cause)); /* "line 3, column 7: ..." */
	if (message.len > 0 && message.data[0] == 'l')
		message.data[0] = 'L';
	bool result = refuse(reading, "not-json", doc->bad_line, doc->bad_column,
			     buf_text(&message), "Correct the text there; nothing was sent.");
	buf_release(&message);
	return result;
}

static bool refuse_root(const struct reading *reading, const struct json_doc *doc)
{
	const struct json_node *root = &doc->nodes[0];
	const char *is = root->kind == JSON_ARRAY ? "This is a JSON array, not a Create request."
						  : "This is a single JSON value, not a Create "
						    "request.";
	return refuse(reading, "not-a-request", root->line, root->column, is,
		      "Give one request: a JSON object.");
}

static bool read_doc(const struct reading *reading, const struct json_doc *doc,
		     const enum job_kind *wanted, enum job_kind *kind)
{
	if (doc->nodes[0].kind != JSON_OBJECT)
		return refuse_root(reading, doc);
	if (!refuse_stranger(reading, doc))
		return false;
	if (!wanted)
		return guess_kind(reading, doc, kind);
	*kind = *wanted;
	const char *other = *wanted == JOB_TRAINING ? "ProcessingJobName" : "TrainingJobName";
	const char *own = *wanted == JOB_TRAINING ? "TrainingJobName" : "ProcessingJobName";
	if (has_member(doc, other) && !has_member(doc, own))
		return refuse(reading, "not-a-request", 1, 1,
			      *wanted == JOB_TRAINING
				      ? "This is a processing job's request, not a training job's."
				      : "This is a training job's request, not a processing job's.",
			      "Leave --kind out.");
	return true;
}

bool request_read(struct request *request, const char *text, size_t len, const char *name,
		  const enum job_kind *kind, struct findings *findings, struct err *err)
{
	const struct reading reading = { .name = name, .findings = findings, .err = err };
	struct json_doc doc = { 0 };
	struct err cause = { 0 };
	findings->count = 0;
	findings->cut = false;
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
		text += 3;
		len -= 3;
	}
	if (len > REQUEST_MAX)
		return refuse(&reading, "not-a-request", 1, 1,
			      "This is larger than SageMaker takes (1 MiB).", "Shorten it.");
	char *copy = mem_copy_bytes(text, len);
	struct request made = { .text = copy };
	bool ok = json_doc_parse(&doc, copy, len, &cause)
			  ? read_doc(&reading, &doc, kind, &made.kind)
			  : refuse_text(&reading, copy, &doc, &cause);
	json_doc_release(&doc);
	err_clear(&cause);
	if (!ok) {
		request_release(&made);
		return false;
	}
	request_release(request);
	*request = made;
	return true;
}

/* What runs in the job against the types it may get: the image's name, algorithms of SageMaker's
 * own, training recipes. Names tell no more than a doubt. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/base/text.h"
#include "model/catalog.h"
#include "model/check_rules.h"

#define IMAGE_MAX      255 /* service model, AlgorithmImage and ImageUri */
#define ACCOUNT_DIGITS 12

static const char *image_path(enum job_kind kind)
{
	return kind == JOB_TRAINING ? "AlgorithmSpecification.TrainingImage"
				    : "AppSpecification.ImageUri";
}

static const char *read_text(const struct check_input *input, const char *path, struct buf *out)
{
	buf_clear(out);
	if (input->doc)
		(void)json_doc_string(input->doc, json_doc_path(input->doc, path), out);
	return buf_text(out);
}

/* Behind the registry's host: "repository:tag". */
static const char *repository_of(const char *image)
{
	const char *slash = strchr(image, '/');
	return slash ? slash + 1 : image;
}

/* --- the image's name against the type --- */

static bool runs_gpu(const struct instance_type *type)
{
	return type->vendor && strcmp(type->vendor, "NVIDIA") == 0;
}

static bool runs_cpu(const struct instance_type *type)
{
	return type->accelerators == 0;
}

static bool runs_neuron(const struct instance_type *type)
{
	return type->vendor && strcmp(type->vendor, "AWS") == 0;
}

static bool runs_arm(const struct instance_type *type)
{
	return type->arm;
}

static bool runs_x86(const struct instance_type *type)
{
	return !type->arm;
}

struct image_word {
	const char *word; /* a whole word of the name, lower case */
	bool (*runs)(const struct instance_type *type);
	const char *lacks; /* "... has no NVIDIA GPU" */
};

static const struct image_word image_words[] = {
	{ "gpu", runs_gpu, "has no NVIDIA GPU" },
	{ "cpu", runs_cpu, "has accelerators that it would leave idle" },
	{ "neuron", runs_neuron, "is neither Trainium nor Inferentia" },
	{ "neuronx", runs_neuron, "is neither Trainium nor Inferentia" },
	{ "arm64", runs_arm, "has an x86-64 host" },
	{ "aarch64", runs_arm, "has an x86-64 host" },
	{ "graviton", runs_arm, "has an x86-64 host" },
	{ "amd64", runs_x86, "has an arm64 host" },
};

static bool has_word(const char *text, const char *word)
{
	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		const char *end = at + strlen(word);
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)*end))
			return true;
	}
	return false;
}

/* The first word of the name that the type does not fit. A name with both of cpu and gpu says
 * nothing of either. */
static const struct image_word *find_mismatch(const char *name, const struct instance_type *type)
{
	bool both = has_word(name, "cpu") && has_word(name, "gpu");
	for (size_t i = 0; i < ARRAY_LEN(image_words); i++) {
		const struct image_word *row = &image_words[i];
		if (both && (row->runs == runs_cpu || row->runs == runs_gpu))
			continue;
		if (has_word(name, row->word) && !row->runs(type))
			return row;
	}
	return NULL;
}

static void compare_image(const struct check_input *input, struct findings *findings,
			  const char *name)
{
	const struct preferences *prefs = input->prefs;
	for (size_t i = 0; i < prefs->length; i++) {
		const struct instance_type *type = catalog_find(prefs->entries[i].instance_type);
		const struct image_word *row = type ? find_mismatch(name, type) : NULL;
		const struct check_entry at = { i, "InstanceType" };
		if (row)
			check_fix_remove(input,
					 check_add_to_entry(input, findings, "image-mismatch", &at,
							    "the image's name says %s and %s %s.",
							    row->word, type->name, row->lacks),
					 "choose another type or image");
	}
}

void check_image_mismatch(const struct check_input *input, struct findings *findings)
{
	struct buf image;
	buf_init(&image, IMAGE_MAX); /* a longer one is refused anyway */
	char name[IMAGE_MAX + 1];
	const char *text = repository_of(read_text(input, image_path(input->kind), &image));
	size_t length = strcspn(text, "@"); /* a digest says nothing */
	for (size_t i = 0; i < length; i++)
		name[i] = (char)tolower((unsigned char)text[i]);
	name[length] = '\0';
	compare_image(input, findings, name);
	buf_release(&image);
}

/* --- algorithms and recipes, which take no list or not every type --- */

/* Repositories of SageMaker's own algorithms (developer guide, "Docker registry paths"). */
static const char *const algorithms[] = {
	"blazingtext",
	"factorization-machines",
	"forecasting-deepar",
	"image-classification",
	"ipinsights",
	"kmeans",
	"knn",
	"lda",
	"linear-learner",
	"ntm",
	"object-detection",
	"object2vec",
	"pca",
	"randomcutforest",
	"sagemaker-xgboost",
	"semantic-segmentation",
	"seq2seq",
	"xgboost",
};

static bool is_algorithm(const char *repository)
{
	size_t length = strcspn(repository, ":@");
	for (size_t i = 0; i < ARRAY_LEN(algorithms); i++) {
		if (strlen(algorithms[i]) == length &&
		    strncmp(algorithms[i], repository, length) == 0)
			return true;
	}
	return false;
}

/* An image of that name in the role's own account is somebody's own. */
static bool is_own_image(const struct check_input *input, const char *image)
{
	struct buf role;
	buf_init(&role, JSON_TEXT_MAX);
	const char *account = strstr(read_text(input, "RoleArn", &role), ":iam::");
	bool own = account && strspn(image, "0123456789") == ACCOUNT_DIGITS &&
		   strncmp(account + strlen(":iam::"), image, ACCOUNT_DIGITS) == 0;
	buf_release(&role);
	return own;
}

static void add_to_list(struct findings *findings, const char *rule, const char *path,
			const char *message)
{
	(void)findings_add(findings, rule, path, "%s", message);
}

void check_builtin_algorithm(const struct check_input *input, struct findings *findings)
{
	static const char message[] =
		"With an algorithm of SageMaker's own each listed type must be one that it "
		"supports; else the request is refused.";
	struct buf image;
	if (input->kind != JOB_TRAINING || !input->prefs->is_list)
		return;
	if (check_is_present(input, "AlgorithmSpecification.AlgorithmName")) {
		add_to_list(findings, "builtin-algorithm", "AlgorithmSpecification.AlgorithmName",
			    message);
		return;
	}
	buf_init(&image, JSON_TEXT_MAX);
	const char *text = read_text(input, image_path(input->kind), &image);
	if (is_algorithm(repository_of(text)) && !is_own_image(input, text))
		add_to_list(findings, "builtin-algorithm", image_path(input->kind), message);
	buf_release(&image);
}

/* What the SageMaker SDK sends for a recipe: sagemaker_recipe_local_path, or the two that name the
 * recipe's file. Other names that speak of recipes are as good a sign. */
static bool is_recipe(const struct check_input *input, const char *key)
{
	return text_contains(key, "recipe") ||
	       (strcmp(key, "config-name") == 0 &&
		check_is_present(input, "HyperParameters.config-path"));
}

void check_recipe_list(const struct check_input *input, struct findings *findings)
{
	struct buf key;
	if (input->kind != JOB_TRAINING || !input->prefs->is_list || !input->doc)
		return;
	size_t node = json_doc_child(input->doc, json_doc_path(input->doc, "HyperParameters"));
	buf_init(&key, JSON_TEXT_MAX);
	for (; node != JSON_NONE; node = json_doc_next(input->doc, node)) {
		buf_clear(&key);
		if (!json_doc_key(input->doc, node, &key) || !is_recipe(input, buf_text(&key)))
			continue;
		struct finding *finding = findings_add(
			findings, "recipe-list", "HyperParameters",
			"HyperParameters has %.64s: training recipes are not known to take a "
			"preference list.",
			buf_text(&key));
		check_point_at(finding, input->doc, node);
		break;
	}
	buf_release(&key);
}

#include "tests/verdicts.h"

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"

#define TOLD_MAX 12 /* written out; the rest is counted */

static const char *const rules[] = {
	"not-json",        "not-a-request",     "list-length",       "duplicate-type",
	"count-mixed",     "count-missing",     "exclusive-member",  "read-only-member",
	"plan-processing", "plan-level-mixed",  "plan-too-many",     "plan-type-mismatch",
	"name-invalid",    "name-taken",        "required-member",   "value-pattern",
	"value-range",     "type-not-for-kind", "spot-wait-missing", "quota-short",
};
_Static_assert(ARRAY_LEN(rules) == VERDICT_RULES, "a count for each rule");

/*
 * What the region's words mean, one constraint at a time: the first row whose texts are both in it
 * ("" is in all). Written from the region's messages, which are AWS's where one is published.
 */
static const struct {
	const char *rule, *at, *says;
	const char *also; /* what check calls it where the member is one of two sorts; or NULL */
} reasons[] = {
	{ "value-range", "NUMBER_VALUE", "can not be converted to an Integer", "value-pattern" },
	{ "value-range", "NUMBER_VALUE", "can not be converted to a Long", "value-pattern" },
	{ "name-invalid", "JobName'", "can not be converted", NULL },
	{ "value-pattern", "", "can not be converted", NULL },
	{ "not-json", "SerializationException", "", NULL },
	{ "name-taken", "ResourceInUse", "", NULL },
	{ "quota-short", "ResourceLimitExceeded", "", NULL },
	{ "required-member", "", "Member must not be null", NULL },
	{ "name-invalid", "JobName'", "failed", NULL },
	{ "list-length", "nstancePreferences'", "length", NULL },
	{ "plan-too-many", "trainingPlanArns'", "length less", NULL },
	{ "required-member", "'' at", "onfig.instanceType' failed", "exclusive-member" },
	{ "required-member", "'' at", "nstanceType' failed", NULL },
	/* beside a list or groups, where it may not stand at all */
	{ "type-not-for-kind", "onfig.instanceType'", "enum value set", "exclusive-member" },
	{ "type-not-for-kind", "nstanceType'", "enum value set", NULL },
	{ "value-pattern", "", "enum value set", NULL },
	{ "value-pattern", "", "regular expression", NULL },
	{ "value-range", "", "failed to satisfy constraint", NULL },
	{ "duplicate-type", "", "more than once", NULL },
	{ "count-missing", "", "must be specified either beside", NULL },
	{ "count-mixed", "", "InstanceCount cannot be specified both", NULL },
	{ "count-mixed", "", "InstanceCount must be specified on every entry", NULL },
	{ "plan-processing", "", "of a processing job", NULL },
	{ "plan-processing", "", "for a processing job", NULL },
	{ "plan-level-mixed", "", "TrainingPlanArn cannot be specified together with", NULL },
	{ "plan-type-mismatch", "", "cannot serve", NULL },
	{ "plan-type-mismatch", "", "has the instance type of", NULL },
	{ "read-only-member", "", "is read-only", NULL },
	{ "exclusive-member", "", "with InstancePreferences", NULL },
	{ "exclusive-member", "", "with InstanceGroups", NULL },
	{ "spot-wait-missing", "", "MaxWaitTimeInSeconds must be specified", NULL },
	{ "value-range", "", "MaxWaitTimeInSeconds must be greater", NULL },
	{ "required-member", "", "InstanceCount greater than 0 must be specified", NULL },
	{ "required-member", "", "while others not", NULL },
	{ "value-pattern", "", "aws: prefixed", NULL },
};

/* Doubts that leave it to AWS. */
static const char *const left_to_aws[] = { "max-pending-range", "unknown-type", "quota-" };

static size_t rule_index(const char *rule)
{
	size_t i = 0;
	while (i < VERDICT_RULES && strcmp(rules[i], rule) != 0)
		i++;
	return i;
}

static bool holds(const char *text, size_t len, const char *part)
{
	size_t part_len = strlen(part);
	for (size_t i = 0; i + part_len <= len; i++)
		if (strncmp(text + i, part, part_len) == 0)
			return true;
	return false;
}

/* Is one of the constraints that the answer names of that rule? */
static bool refuses_for(const char *body, const char *rule)
{
	static const char between[] = "; Value ";
	/* What is no request breaks some rule of the shape, or it is JSON of another sort. */
	if (strcmp(rule, "not-a-request") == 0)
		return true;
	while (body) {
		const char *next = strstr(body, between);
		size_t len = next ? (size_t)(next - body) : strlen(body);
		size_t row = 0;
		while (row < ARRAY_LEN(reasons) &&
		       !(holds(body, len, reasons[row].at) && holds(body, len, reasons[row].says)))
			row++;
		if (row < ARRAY_LEN(reasons) &&
		    (strcmp(reasons[row].rule, rule) == 0 ||
		     (reasons[row].also && strcmp(reasons[row].also, rule) == 0)))
			return true;
		body = next ? next + strlen(between) : NULL;
	}
	return false;
}

/* A doubt on which AWS decides, and the region with it. */
static bool is_left_to_aws(const struct finding *finding)
{
	if (finding->severity == SEVERITY_ERROR)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(left_to_aws); i++)
		if (strncmp(finding->rule, left_to_aws[i], strlen(left_to_aws[i])) == 0)
			return true;
	/* A plan that AWS did not list to us may be there all the same. */
	return strcmp(finding->rule, "plan-state") == 0 &&
	       strstr(finding->message, "not among the plans");
}

/* The error rules found, each once; doubtful where one of the rest leaves it to AWS. */
static size_t list_errors(const struct findings *findings, size_t found[VERDICT_RULES],
			  bool *doubtful)
{
	size_t count = 0;
	*doubtful = false;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		size_t rule = rule_index(finding->rule), k = 0;
		*doubtful = *doubtful || is_left_to_aws(finding);
		while (k < count && found[k] != rule)
			k++;
		if (finding->severity == SEVERITY_ERROR && k == count && rule < VERDICT_RULES)
			found[count++] = rule;
	}
	return count;
}

static void tell(struct verdicts *verdicts, const char *what, const struct findings *findings,
		 const char *body, const char *text, const char *from)
{
	if (verdicts->told++ >= TOLD_MAX)
		return;
	printf("%s, %s\n  request: %.3000s\n  region: %.700s\n", what, from, text, body);
	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].severity != SEVERITY_NOTE)
			printf("  %s %s at %s: %s\n", severity_word(findings->items[i].severity),
			       findings->items[i].rule, findings->items[i].path,
			       findings->items[i].message);
}

void verdicts_take(struct verdicts *verdicts, const struct findings *findings, int status,
		   const char *body, const char *text, const char *from)
{
	size_t found[VERDICT_RULES];
	bool doubtful, accepted = status == 200;
	size_t count = list_errors(findings, found, &doubtful);
	verdicts->compared++;
	for (size_t i = 0; i < count; i++)
		verdicts->named[found[i]]++;
	if (count == 0 && doubtful) {
		verdicts->doubtful++;
	} else if (count == 0) {
		verdicts->ok++;
		verdicts->ok_refused += !accepted;
		if (!accepted)
			tell(verdicts, "check says ok, the region refuses", findings, body, text,
			     from);
	} else if (accepted) {
		verdicts->error_accepted++;
		tell(verdicts, "check says error, the region accepts", findings, body, text, from);
	} else if (count == 1) {
		bool same = refuses_for(body, rules[found[0]]);
		verdicts->alone[found[0]]++;
		verdicts->refused[found[0]] += same;
		verdicts->other_reason += !same && !doubtful;
		if (!same && !doubtful)
			tell(verdicts, "each refuses for something else", findings, body, text,
			     from);
	}
}

void verdicts_print(const struct verdicts *verdicts)
{
	unsigned long errors = verdicts->compared - verdicts->ok - verdicts->doubtful;
	for (size_t i = 0; i < VERDICT_RULES; i++)
		printf("%-18s named by check %5lu, refused for it by the region %lu of %lu named "
		       "alone\n",
		       rules[i], verdicts->named[i], verdicts->refused[i], verdicts->alone[i]);
	printf("ok by check, refused by the region: %lu of %lu\n", verdicts->ok_refused,
	       verdicts->ok);
	printf("error by check, accepted by the region: %lu of %lu; refused for something else: "
	       "%lu\n",
	       verdicts->error_accepted, errors, verdicts->other_reason);
	printf("ok by check: %lu of %lu (%lu %%); %lu more are left to AWS\n", verdicts->ok,
	       verdicts->compared, verdicts->compared ? 100 * verdicts->ok / verdicts->compared : 0,
	       verdicts->doubtful);
}

const char *verdicts_rare(const struct verdicts *verdicts, unsigned long wanted)
{
	for (size_t i = 0; i < VERDICT_RULES; i++)
		if (verdicts->named[i] < wanted || verdicts->refused[i] < wanted)
			return rules[i];
	return NULL;
}

/* Rules that go by what AWS or the config says: quotas, the region, the name, limits of cost and
 * certified entries; and what is said where nobody knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/err.h"
#include "model/base/mem.h"
#include "model/quota.h"
#include "model/request.h"
#include "tests/prices.h"

#define HEAD                                                                                     \
	"{\"TrainingJobName\":\"llm-ft-0930\",\"RoleArn\":\"arn:aws:iam::111122223333:role/R\"," \
	"\"AlgorithmSpecification\":{\"TrainingImage\":\"i\",\"TrainingInputMode\":\"File\"},"   \
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://b/p\"},"
#define RUN      "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":36000},"
#define LISTS(c) HEAD RUN "\"ResourceConfig\":{\"VolumeSizeInGB\":9," c "}}"
#define TWO                                                               \
	"\"InstanceCount\":4,\"InstancePreferences\":[{\"InstanceType\":" \
	"\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.p5e.48xlarge\"}]"

/* A region without a row in the table. */
static const struct price_book milan = { .region = "eu-south-1" };

/* What is said of a request under the rules that begin so: "severity message fix". */
static void assert_said(const char *text, const struct check_known *known, const char *rules,
			const char *expected)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { .kind = strstr(text, "ProcessingJobName") ? JOB_PROCESSING
									     : JOB_TRAINING,
				   .text = mem_copy_text(text) };
	struct err err = { 0 };
	struct buf said;
	buf_init(&said, 16384);
	assert_true(request_check(&request, known, findings, &err));
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		if (strncmp(finding->rule, rules, strlen(rules)) == 0)
			buf_addf(&said, "%s %s %s\n", severity_word(finding->severity),
				 finding->message, finding->fix_text);
	}
	assert_string_equal(buf_text(&said), expected);
	buf_release(&said);
	request_release(&request);
	free(findings);
}

#define READ_MS INT64_C(1796133731000) /* 2026-12-01T14:02:11Z */

static const struct quota_fact two[] = {
	{ .instance_type = "ml.p5.48xlarge",
	  .kind = QUOTA_TRAINING,
	  .code = "L-45F58E7E",
	  .told = true,
	  .limit = 8,
	  .read_at_ms = READ_MS,
	  .used = 6,
	  .unread = 2 },
	{ .instance_type = "ml.p5e.48xlarge",
	  .kind = QUOTA_TRAINING,
	  .code = "L-1",
	  .told = true,
	  .read_at_ms = READ_MS },
};

/* Case 080: one weak entry sinks the list, and it is the one that is named. */
static void quota__is_compared__for_each_entry(void **state)
{
	const struct check_known known = { .quotas = two, .quota_count = 2 };
	(void)state;
	assert_said(LISTS(TWO), &known, "quota-",
		    "error #2: needs 4, 0 in use, limit 0 of 'ml.p5e.48xlarge for training job "
		    "usage' (read 2026-12-01T14:02:11Z). Remove the entry, or ask AWS for a raise "
		    "of this quota (L-1).\n"
		    "warning #1: needs 4, 6 in use and 2 jobs not described yet, limit 8 of "
		    "'ml.p5.48xlarge for training job usage' (read 2026-12-01T14:02:11Z). Ask for "
		    "2 instances.\n");
}

/* Cases 072 and 073: what stops is in use until it has ended. More than the limit may be; the
 * count alone is below it, so AWS decides, and no other count helps. */
static void case_072__use_above_the_limit__is_a_doubt_alone(void **state)
{
	static const struct {
		int64_t limit, used;
		const char *said;
	} rows[] = {
		{ 20, 21,
		  "warning Needs 1, 21 in use, limit 20 of 'ml.p5.48xlarge for training job usage' "
		  "(read 2026-12-01T14:02:11Z). Wait until jobs of this type have ended.\n" },
		/* Case 073: five run, three stop. */
		{ 8, 8,
		  "warning Needs 1, 8 in use, limit 8 of 'ml.p5.48xlarge for training job usage' "
		  "(read 2026-12-01T14:02:11Z). Wait until jobs of this type have ended.\n" },
		{ 8, 7, "" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct quota_fact fact = { .instance_type = "ml.p5.48xlarge",
						 .kind = QUOTA_TRAINING,
						 .told = true,
						 .limit = rows[i].limit,
						 .used = rows[i].used,
						 .read_at_ms = READ_MS };
		const struct check_known known = { .quotas = &fact, .quota_count = 1 };
		assert_said(LISTS("\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":1"),
			    &known, "quota-", rows[i].said);
	}
}

static void quota__is_not_checked__where_it_was_not_read(void **state)
{
	static const struct quota_fact unread[] = {
		{ .instance_type = "ml.p5.48xlarge", .kind = QUOTA_TRAINING, .code = "L-45F58E7E" },
		{ .instance_type = "ml.p5e.48xlarge", .kind = QUOTA_TRAINING },
	};
	const struct check_known silent = { 0 }, noted = { .note_unchecked = true };
	const struct check_known known = { .quotas = unread, .quota_count = 2 };
	(void)state;
	assert_said(LISTS(TWO), NULL, "quota-", "");
	assert_said(LISTS(TWO), &silent, "quota-", "");
	assert_said(LISTS(TWO), &noted, "quota-",
		    "note The quotas of the types are not checked: no limit was read. \n");
	assert_said(LISTS(TWO), &known, "quota-",
		    "warning #1: the limit of 'ml.p5.48xlarge for training job usage' is not "
		    "checked: not read yet; AWS gives a new account 0. See that the limit allows "
		    "it; AWS decides.\n"
		    "warning #2: the limit of 'ml.p5e.48xlarge for training job usage' is not "
		    "checked: no code of this quota is published. See that the limit allows it; "
		    "AWS decides.\n");
}

/* Groups of one type add up; those of a list never do. */
static void quota__counts_all_groups_of_a_type(void **state)
{
	const struct check_known known = { .quotas = two, .quota_count = 1 };
	(void)state;
	assert_said(LISTS("\"InstanceGroups\":[{\"InstanceGroupName\":\"a\",\"InstanceType\":"
			  "\"ml.p5.48xlarge\",\"InstanceCount\":1},{\"InstanceGroupName\":\"b\","
			  "\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":2}]"),
		    &known, "quota-",
		    "warning Needs 3, 6 in use and 2 jobs not described yet, limit 8 of "
		    "'ml.p5.48xlarge for training job usage' (read 2026-12-01T14:02:11Z). Wait "
		    "until jobs of this type have ended.\n");
}

/* Case 082: a pool quota of 0 is no refusal; keep-alive does nothing. */
static void pool__has_no_effect__with_a_quota_of_nought(void **state)
{
	static const struct quota_fact pools[] = {
		{ .instance_type = "ml.m5.large",
		  .kind = QUOTA_TRAINING,
		  .told = true,
		  .limit = 20,
		  .read_at_ms = READ_MS },
		{ .instance_type = "ml.m5.large",
		  .kind = QUOTA_WARM_POOL,
		  .told = true,
		  .read_at_ms = READ_MS },
	};
	const struct check_known known = { .quotas = pools, .quota_count = 2 };
	(void)state;
	assert_said(LISTS("\"InstanceType\":\"ml.m5.large\",\"InstanceCount\":1,"
			  "\"KeepAlivePeriodInSeconds\":600"),
		    &known, "quota-",
		    "warning Needs 1, 0 in use, limit 0 of 'ml.m5.large for training warm pool "
		    "usage' (read 2026-12-01T14:02:11Z): KeepAlivePeriodInSeconds has no effect. "
		    "Leave KeepAlivePeriodInSeconds out.\n");
	assert_said(LISTS("\"InstanceType\":\"ml.m5.large\",\"InstanceCount\":1"), &known, "quota-",
		    "");
}

/* Case 083: the kind of the quota is that of the request. */
static void kind__of_the_quota__is_that_of_the_request(void **state)
{
	static const struct quota_fact all[] = {
		{ .instance_type = "ml.g5.2xlarge",
		  .kind = QUOTA_TRAINING,
		  .told = true,
		  .limit = 1,
		  .read_at_ms = READ_MS },
		{ .instance_type = "ml.g5.2xlarge",
		  .kind = QUOTA_SPOT,
		  .told = true,
		  .limit = 2,
		  .read_at_ms = READ_MS },
		{ .instance_type = "ml.g5.2xlarge",
		  .kind = QUOTA_PROCESSING,
		  .told = true,
		  .limit = 3,
		  .read_at_ms = READ_MS },
	};
	static const struct {
		const char *text, *said;
	} rows[] = {
		{ LISTS("\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":9"),
		  "limit 1 of 'ml.g5.2xlarge for training job usage'" },
		{ HEAD "\"StoppingCondition\":{\"MaxRuntimeInSeconds\":60,\"MaxWaitTimeInSeconds\":"
		       "60},\"EnableManagedSpotTraining\":true,\"ResourceConfig\":{"
		       "\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":9}}",
		  "limit 2 of 'ml.g5.2xlarge for spot training job usage'" },
		{ "{\"ProcessingJobName\":\"n\",\"ProcessingResources\":{\"ClusterConfig\":{"
		  "\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":9}}}",
		  "limit 3 of 'ml.g5.2xlarge for processing job usage'" },
	};
	const struct check_known known = { .quotas = all, .quota_count = ARRAY_LEN(all) };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char said[300];
		int limit = rows[i].said[6] - '0';
		(void)snprintf(said, sizeof(said),
			       "error Needs 9, 0 in use, %s (read 2026-12-01T14:02:11Z). Ask for "
			       "%d instance%s.\n",
			       rows[i].said, limit, limit == 1 ? "" : "s");
		assert_said(rows[i].text, &known, "quota-", said);
	}
}

static void name__is_free_taken_or_not_checked(void **state)
{
	struct check_known known = { .name = NAME_TAKEN };
	(void)state;
	assert_said(LISTS(TWO), &known, "name-",
		    "error A training job llm-ft-0930 exists already; a name is never free again. "
		    "Name it llm-ft-0930-2, if that is free.\n");
	known = (struct check_known){ .name = NAME_FREE, .note_unchecked = true };
	assert_said(LISTS(TWO), &known, "name-", "");
	known.name = NAME_UNCHECKED;
	assert_said(LISTS(TWO), &known, "name-",
		    "note Whether the name is free is not checked. \n");
	known.note_unchecked = false;
	assert_said(LISTS(TWO), &known, "name-", "");
}

/* Service Quotas knows no such quota in the region: it has no such type, as far as one can tell. */
static void region__has_no_type__of_which_it_knows_no_quota(void **state)
{
	static const struct err gone = { .code = ERR_NOT_FOUND }, denied = { .code = ERR_DENIED };
	struct quota_fact facts[] = {
		{ .instance_type = "ml.p5.48xlarge",
		  .kind = QUOTA_TRAINING,
		  .code = "L-45F58E7E",
		  .error = &gone },
		{ .instance_type = "ml.p5e.48xlarge",
		  .kind = QUOTA_TRAINING,
		  .code = "L-1",
		  .error = &denied },
	};
	const struct check_known known = {
		.region = "eu-west-3", .quotas = facts, .quota_count = 2, .note_unchecked = true
	};
	(void)state;
	assert_said(LISTS(TWO), &known, "type-not-in-region",
		    "warning #1: ml.p5.48xlarge is not known to be offered in eu-west-3. Remove "
		    "the entry, or choose another type or region.\n"
		    "note Whether eu-west-3 has ml.p5e.48xlarge is not checked. \n");
	/* A limit that was read, or a price that was seen there, speaks for it. */
	facts[0].told = facts[1].told = true;
	assert_said(LISTS(TWO), &known, "type-not-in-region", "");
	const struct check_known in_virginia = { .region = "us-east-1",
						 .prices = &virginia,
						 .note_unchecked = true };
	assert_said(LISTS(TWO), &in_virginia, "type-not-in-region",
		    "note Whether us-east-1 has ml.p5e.48xlarge is not checked. \n");
}

static void region__names_three_types__and_says_that_there_are_more(void **state)
{
	const struct check_known known = { .region = "eu-south-1",
					   .prices = &milan,
					   .note_unchecked = true };
	(void)state;
	assert_said(LISTS("\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":"
			  "\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.p5e.48xlarge\"},"
			  "{\"InstanceType\":\"ml.p5en.48xlarge\"}]"),
		    &known, "type-not-in-region",
		    "note Whether eu-south-1 has ml.p5.48xlarge, ml.p5e.48xlarge, "
		    "ml.p5en.48xlarge is not checked. \n");
	assert_said(LISTS("\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":"
			  "\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.p5e.48xlarge\"},"
			  "{\"InstanceType\":\"ml.p5en.48xlarge\"},{\"InstanceType\":"
			  "\"ml.p4d.24xlarge\"}]"),
		    &known, "type-not-in-region",
		    "note Whether eu-south-1 has ml.p5.48xlarge, ml.p5e.48xlarge, "
		    "ml.p5en.48xlarge is not checked, nor its other types. \n");
}

/* The key goes with the entry that cannot have it, where another one has a volume to encrypt. */
static void key__is_spoken_of__for_the_types_with_disks(void **state)
{
	(void)state;
	assert_said(LISTS("\"VolumeKmsKeyId\":\"key\",\"InstanceCount\":1,"
			  "\"InstancePreferences\":[{\"InstanceType\":\"ml.p3.2xlarge\"},"
			  "{\"InstanceType\":\"ml.g5.2xlarge\"}]"),
		    NULL, "kms-",
		    "warning #2: ml.g5.2xlarge has local NVMe storage, which takes no "
		    "VolumeKmsKeyId; SageMaker refuses it. Remove the entry, or choose an EBS-only "
		    "type.\n");
}

/* Groups run side by side: none stands in for another. */
static void groups__are_not_compared(void **state)
{
	(void)state;
	assert_said(LISTS("\"InstanceGroups\":[{\"InstanceGroupName\":\"a\",\"InstanceType\":"
			  "\"ml.p5.48xlarge\",\"InstanceCount\":1},{\"InstanceGroupName\":\"b\","
			  "\"InstanceType\":\"ml.m5.large\",\"InstanceCount\":2}]"),
		    NULL, "", "");
}

/* 63.296 and 25.251 USD by the hour: data/prices.tsv. */
static void cost__is_that_of_the_dearest_entry(void **state)
{
	struct check_known known = { .region = "us-east-1",
				     .prices = &virginia,
				     .max_per_hour = { true, 100000000 } };
	static const char list[] =
		LISTS("\"InstancePreferences\":[{\"InstanceType\":\"ml.p4d.24xlarge\","
		      "\"InstanceCount\":3},{\"InstanceType\":\"ml.p5.48xlarge\","
		      "\"InstanceCount\":2}]");
	(void)state;
	assert_said(list, &known, "cost-",
		    "warning #2: up to 126.59 USD by the hour, over the limit of 100.00 USD "
		    "(max_per_hour). Remove the entry, or ask for fewer instances.\n");
	known.max_per_hour.micro = 126592000;
	assert_said(list, &known, "cost-", "");
	known.max_per_hour.micro = 30000000; /* the dearest is the first, and is not alone */
	assert_said(LISTS("\"InstanceCount\":1,\"InstancePreferences\":[{\"InstanceType\":"
			  "\"ml.p5.48xlarge\"},{\"InstanceType\":\"ml.p4d.24xlarge\"}]"),
		    &known, "cost-",
		    "warning #1: up to 63.30 USD by the hour, over the limit of 30.00 USD "
		    "(max_per_hour). Remove the entry, or ask for fewer instances.\n");
	assert_said(LISTS("\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":2"), &known,
		    "cost-",
		    "warning Up to 50.50 USD by the hour, over the limit of 30.00 USD "
		    "(max_per_hour). Ask for 1 instance.\n");
	/* Ten hours of it. */
	known = (struct check_known){ .region = "us-east-1",
				      .prices = &virginia,
				      .max_worst_case = { true, 1265919999 } };
	assert_said(list, &known, "cost-",
		    "warning #2: up to 1,265.92 USD in 10h00m, its run-time limit, over the limit "
		    "of 1,265.92 USD (max_worst_case). Remove the entry, or ask for fewer "
		    "instances.\n");
	known.max_worst_case.micro++;
	assert_said(list, &known, "cost-", "");
}

static void cost__is_not_checked__without_a_price_or_a_time(void **state)
{
	const struct check_known known = { .region = "eu-south-1",
					   .prices = &milan,
					   .max_per_hour = { true, 1 },
					   .max_worst_case = { true, 1 } };
	const struct check_known in_virginia = { .region = "us-east-1",
						 .prices = &virginia,
						 .max_worst_case = { true, 1000000 } };
	(void)state;
	assert_said(LISTS(TWO), &known, "cost-",
		    "note Whether the cost is below the limit is not checked: no price of "
		    "ml.p5e.48xlarge is known in eu-south-1. \n");
	assert_said("{\"ProcessingJobName\":\"n\",\"ProcessingResources\":{\"ClusterConfig\":{"
		    "\"InstanceType\":\"ml.g5.2xlarge\",\"InstanceCount\":1}}}",
		    &in_virginia, "cost-",
		    "note Whether the worst case is below max_worst_case is not checked: there is "
		    "no MaxRuntimeInSeconds. \n");
	/* A training job ends after a day where nothing is said. */
	assert_said(HEAD "\"ResourceConfig\":{\"InstanceType\":\"ml.g5.2xlarge\","
			 "\"InstanceCount\":1}}",
		    &in_virginia, "cost-",
		    "warning Up to 36.36 USD in 1d00h, its run-time limit, over the limit of 1.00 "
		    "USD (max_worst_case). Ask for fewer or cheaper instances.\n");
}

/* The groups of a cluster run together. */
static void cost__is_the_sum__of_groups(void **state)
{
	const struct check_known known = { .region = "us-east-1",
					   .prices = &virginia,
					   .max_per_hour = { true, 60000000 } };
	(void)state;
	assert_said(LISTS("\"InstanceGroups\":[{\"InstanceGroupName\":\"a\",\"InstanceType\":"
			  "\"ml.p4d.24xlarge\",\"InstanceCount\":2},{\"InstanceGroupName\":\"b\","
			  "\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":1}]"),
		    &known, "cost-",
		    "warning Up to 113.80 USD by the hour, over the limit of 60.00 USD "
		    "(max_per_hour). Ask for fewer or cheaper instances.\n");
}

static void certified__goes_by_the_stem__type_and_count(void **state)
{
	static const struct check_certified sections[] = {
		{ .name = "small", .stems = "x", .instance_type = "ml.p5e.48xlarge" },
		{ .name = "llm",
		  .stems = "y , llm-ft",
		  .instance_type = "ml.p5.48xlarge",
		  .has_count = true,
		  .count = 4 },
		{ .name = "llm-ft", .instance_type = "ml.trn1.32xlarge" },
		{ .name = "near",
		  .stems = "llm-f, llm-ft2,xlm-ft",
		  .instance_type = "ml.trn1.2xlarge" },
		{ .name = "other", .instance_type = "ml.trn1.2xlarge" },
	};
	struct check_known known = { .certified = sections, .certified_count = 3 };
	(void)state;
	assert_said(LISTS(TWO), &known, "not-",
		    "warning #2: ml.p5e.48xlarge x 4 is not certified for llm-ft; [certified llm] "
		    "has ml.p5.48xlarge x 4. Remove the entry, or certify it in the config.\n");
	known.certified_count = 1; /* none of the stem: nothing is asked of it */
	assert_said(LISTS(TWO), &known, "not-", "");
	known.certified = &sections[3]; /* names that begin alike, or another section's */
	assert_said(LISTS(TWO), &known, "not-", "");
	known.certified = &sections[4];
	assert_said(LISTS(TWO), &known, "not-", "");
	known.certified = &sections[2]; /* without stems, the section's name is one */
	assert_said(LISTS("\"InstanceType\":\"ml.trn1.32xlarge\",\"InstanceCount\":7"), &known,
		    "not-", "");
}

/* Placeholders stand where they are, and no value is told: it may be a secret. */
static void placeholder__is_pointed_at__and_not_repeated(void **state)
{
	struct findings *findings = mem_new(1, sizeof(*findings));
	struct request request = { .text = mem_copy_text("{\"Environment\":\n {\"A.B\":\"x\",\n"
							 "  \"TOKEN\":\"s3cret<token>\"}}") };
	struct err err = { 0 };
	(void)state;
	assert_true(request_check(&request, NULL, findings, &err));
	const struct finding *found = &findings->items[findings->count - 1];
	assert_string_equal(found->rule, "placeholder");
	assert_string_equal(found->message, "Environment.TOKEN holds a placeholder in <...>.");
	assert_int_equal(found->line, 3);
	assert_int_equal(found->column, 11);
	request_release(&request);
	free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quota__is_compared__for_each_entry),
		cmocka_unit_test(case_072__use_above_the_limit__is_a_doubt_alone),
		cmocka_unit_test(quota__is_not_checked__where_it_was_not_read),
		cmocka_unit_test(quota__counts_all_groups_of_a_type),
		cmocka_unit_test(pool__has_no_effect__with_a_quota_of_nought),
		cmocka_unit_test(kind__of_the_quota__is_that_of_the_request),
		cmocka_unit_test(name__is_free_taken_or_not_checked),
		cmocka_unit_test(region__has_no_type__of_which_it_knows_no_quota),
		cmocka_unit_test(region__names_three_types__and_says_that_there_are_more),
		cmocka_unit_test(key__is_spoken_of__for_the_types_with_disks),
		cmocka_unit_test(groups__are_not_compared),
		cmocka_unit_test(cost__is_that_of_the_dearest_entry),
		cmocka_unit_test(cost__is_not_checked__without_a_price_or_a_time),
		cmocka_unit_test(cost__is_the_sum__of_groups),
		cmocka_unit_test(certified__goes_by_the_stem__type_and_count),
		cmocka_unit_test(placeholder__is_pointed_at__and_not_repeated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * What is read before a submission: tags, lost plans, fixes, limits of the config, waiting, the
 * AWS CLI's command. Cases 033 (the odd entry), 068 (a plan lost), 058 is in test_views_first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/config.h"
#include "model/store_quotas.h"
#include "model/cli_line.h"
#include "tests/fakeui.h"
#include "tests/offscreen.h"
#include "views/submit_pane.h"

#define ARN  "arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft-0930"
#define PLAN "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

/* A whole request but for the cluster and what stands behind it. */
#define REPLY(cluster, more)                                                                  \
	"{\"TrainingJobName\":\"llm-ft-0930\",\"AlgorithmSpecification\":{\"TrainingImage\":" \
	"\"image\",\"TrainingInputMode\":\"File\"},\"RoleArn\":"                              \
	"\"arn:aws:iam::111122223333:role/gpu\",\"OutputDataConfig\":{\"S3OutputPath\":"      \
	"\"s3://bucket/out\"},\"ResourceConfig\":{\"VolumeSizeInGB\":500," cluster "},"       \
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600" more "}"

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();

	fakeui_start(fake, &preferences_pane);
	fake->env.confirm_above_micro = INT64_MAX;
	fake->env.profile = "ops";
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

static int stop(void **state)
{
	fakeui_stop(*state);
	free(*state);
	return 0;
}

static void pass(struct fakeui *fake, int64_t ms)
{
	fake->mono_ms += ms;
	fake->wall_ms += ms;
}

/* The store has changed: the pane looks again. */
static void changed(struct fakeui *fake)
{
	submit_pane.refresh((void *)(uintptr_t)fakeui_top_state(fake));
}

static bool shows(struct fakeui *fake, const char *text)
{
	struct offscreen *screen = offscreen_new(120, 90);
	int x, y;

	submit_pane.draw(fakeui_top_state(fake), offscreen_surface(screen),
			 (struct rect){ 0, 0, 120, 90 }, true);
	bool found = offscreen_find(screen, text, &x, &y);
	offscreen_free(screen);
	return found;
}

static void expect(struct fakeui *fake, const char *text)
{
	const struct submit *submit = fakeui_top_state(fake);

	if (!shows(fake, text))
		fail_msg("not shown: %s\n%s", text, submit->copy.page);
}

/* Selects a job like that with another description of itself. */
static void select_reply(struct fakeui *fake, struct job *job, const char *reply)
{
	mem_set_text(&job->request_json, reply);
	fakeui_select(fake, job);
	job_release(job);
}

static void yes(struct fakeui *fake)
{
	pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
}

/* --- the name --- */

/* What the app does with it: the answer comes later. */
static void look_at_name(void *host, enum job_kind kind, const char *name)
{
	struct fakeui *fake = host;

	assert_string_not_equal(fake->store.name.name, name); /* once for each */
	fake->store.name = (struct name_look){ .kind = kind, .is_open = true };
	memcpy(fake->store.name.name, name, strlen(name) + 1);
}

static void answer(struct fakeui *fake, enum name_state state, const char *why)
{
	fake->store.name.is_open = false;
	fake->store.name.state = state;
	text_copy_cut(fake->store.name.why, sizeof(fake->store.name.why), why);
	changed(fake);
}

/* AWS knows more jobs than the lists, which reach back some days: nothing is asked before it has
 * said that the name is free. */
static void name__is_asked_about__before_the_question(void **state)
{
	struct fakeui *fake = *state;

	fake->env.cloud.look_at_name = look_at_name;
	fakeui_keys(fake, "X");
	expect(fake, "Asking AWS whether the name is free ...");
	expect(fake, "Whether the name is free is not checked.");
	yes(fake);
	assert_int_equal(fake->submits, 0);
	answer(fake, NAME_FREE, NULL);
	assert_false(shows(fake, "Whether the name is free"));
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_string_equal(fake->sent_name, fake->store.name.name);
}

static void name__that_is_taken__is_mended_and_asked_about_anew(void **state)
{
	struct fakeui *fake = *state;
	char taken[JOB_NAME_SIZE];

	fake->env.cloud.look_at_name = look_at_name;
	fakeui_keys(fake, "+ X");
	memcpy(taken, fake->store.name.name, sizeof(taken));
	answer(fake, NAME_TAKEN, NULL);
	expect(fake, "exists already; a name is never free again.");
	expect(fake, "Nothing can be sent. f: name it ");
	fakeui_keys(fake, "f");
	changed(fake);
	assert_string_not_equal(fake->store.name.name, taken);
	answer(fake, NAME_FREE, NULL);
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_string_not_equal(fake->sent_name, taken);
}

static void name__without_an_answer__is_not_checked(void **state)
{
	struct fakeui *fake = *state;

	fake->env.cloud.look_at_name = look_at_name;
	fakeui_keys(fake, "X");
	pass(fake, 3000);
	expect(fake, "AWS does not say whether the name is free. Any key asks without that; Esc");
	fakeui_keys(fake, "y"); /* this asks, and sends nothing */
	assert_int_equal(fake->submits, 0);
	expect(fake, "Whether the name is free is not checked: no answer yet.");
	answer(fake, NAME_UNCHECKED, "denied sagemaker:DescribeTrainingJob");
	expect(fake, "name is free is not checked: denied sagemaker:DescribeTrainingJob.");
	yes(fake);
	assert_int_equal(fake->submits, 1);
}

/* It comes while the question stands: that is over then. */
static void name__found_taken_late__ends_the_question(void **state)
{
	struct fakeui *fake = *state;

	fake->env.cloud.look_at_name = look_at_name;
	fakeui_keys(fake, "X");
	pass(fake, 3000);
	fakeui_keys(fake, "y");
	answer(fake, NAME_TAKEN, NULL);
	yes(fake);
	assert_int_equal(fake->submits, 0);
	expect(fake, "exists already; a name is never free again.");
}

/* --- tags --- */

static void tags__go_with_the_copy__but_for_those_of_aws(void **state)
{
	static char team[] = "team", batch[] = "aws:createdBy", value[] = "ml ops";
	const struct tag tags[] = { { batch, value }, { team, value } };
	struct fakeui *fake = *state;

	fakeui_read_tags(fake, ARN, tags, ARRAY_LEN(tags));
	fakeui_keys(fake, "X");
	expect(fake, "Tags copied: team; 1 of AWS's own cannot be.");
	expect(fake, "Apart from the name, it says the same as llm-ft-0930.");
	yes(fake);
	assert_non_null(strstr(fake->sent_text, "\"Key\": \"team\""));
	assert_non_null(strstr(fake->sent_text, "\"Value\": \"ml ops\""));
	assert_null(strstr(fake->sent_text, "createdBy"));
}

/* Nothing is asked before they are there: a y typed early sends no copy without them. */
static void tags__are_waited_for(void **state)
{
	static char team[] = "team", value[] = "a";
	const struct tag tag = { team, value };
	struct wants wants = { 0 };
	struct fakeui *fake = *state;

	tags_look_at(&fake->store.tags, NULL);
	fakeui_keys(fake, "X");
	submit_pane.wants(fakeui_top_state(fake), &wants);
	assert_string_equal(wants.tags, ARN);
	expect(fake, "Reading the tags of the job");
	expect(fake, "Tags are not copied: they are not read yet.");
	assert_int_equal(fake->discards, 0);
	yes(fake);
	assert_int_equal(fake->submits, 0);
	fakeui_read_tags(fake, ARN, &tag, 1);
	changed(fake);
	assert_int_equal(fake->discards, 1); /* what was typed so far is no answer */
	expect(fake, "Tags copied: team.");
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 0);
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_non_null(strstr(fake->sent_text, "\"team\""));
}

static void tags__are_not_waited_for_for_ever(void **state)
{
	struct fakeui *fake = *state;

	tags_look_at(&fake->store.tags, NULL);
	fakeui_keys(fake, "X");
	assert_int_equal(fake->wake_ms, 3000);
	pass(fake, 3000);
	expect(fake, "The tags do not come. Any key asks without them; Esc closes.");
	fakeui_keys(fake, "y"); /* this asks, and sends nothing */
	assert_int_equal(fake->submits, 0);
	expect(fake, "Tags are not copied: they are not read yet.");
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_null(strstr(fake->sent_text, "Tags"));
}

static void tags__that_are_denied__are_said_and_left_out(void **state)
{
	struct fakeui *fake = *state;
	struct err err = { 0 };

	tags_look_at(&fake->store.tags, NULL);
	tags_look_at(&fake->store.tags, ARN);
	err_set(&err, ERR_DENIED, "no");
	tags_fail(&fake->store.tags, &err, 0);
	err_clear(&err);
	fakeui_keys(fake, "X");
	expect(fake, "Tags are not copied, since they could not be read: denied");
	yes(fake);
	assert_int_equal(fake->submits, 1);
}

/* --- what differs --- */

/* Case 068 */
static void plan__that_is_lost__is_shouted(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	*job_edit_prefs(&job) = (struct preferences){ .length = 1 };
	(void)snprintf(job_edit_prefs(&job)->entries[0].instance_type, TYPE_NAME_SIZE,
		       "ml.p5.48xlarge");
	(void)snprintf(job_edit_prefs(&job)->entries[0].plan_arn, PLAN_ARN_SIZE, "%s", PLAN);
	job_edit_prefs(&job)->entries[0].has_count = true;
	job_edit_prefs(&job)->entries[0].count = 2;
	job_edit_prefs(&job)->is_list = true;
	select_reply(fake, &job,
		     REPLY("\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\","
			   "\"InstanceCount\":2,\"TrainingPlanArns\":[\"" PLAN "\"]}]",
			   "}"));
	fakeui_keys(fake, "X");
	expect(fake, "#1 ml.p5.48xlarge ×2  plan p5-plan  prepaid");
	assert_false(shows(fake, "PLAN LOST"));
	pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "Esc");
	struct draft *draft = draft_edit(&fake->ui, ui_selected(&fake->ui));
	struct prefs_state edited = draft_state(draft);

	assert_true(prefs_set_plan(&edited.prefs, 0, ""));
	draft_set(draft, &edited);
	fakeui_keys(fake, "X");
	expect(fake, "! PLAN LOST: p5-plan was bound and is not any more.");
	expect(fake, "#1 ml.p5.48xlarge ×2  ~$127/h  was plan p5-plan");
	expect(fake, "plan: none (on-demand)");
	expect(fake, "lost ResourceConfig.InstancePreferences[ml.p5.48xlarge].TrainingPlanArns: ");
}

/* Spot excludes a list: f takes it away in the draft, shows that, and only then is it asked. */
static void fix__is_a_key__and_its_difference_is_shown(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	select_reply(fake, &job,
		     REPLY("\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\","
			   "\"InstanceCount\":2},{\"InstanceType\":\"ml.p4d.24xlarge\","
			   "\"InstanceCount\":4},{\"InstanceType\":\"ml.g5.48xlarge\","
			   "\"InstanceCount\":8}]",
			   ",\"MaxWaitTimeInSeconds\":7200},\"EnableManagedSpotTraining\":true"));
	fakeui_keys(fake, "X");
	expect(fake, "SageMaker would refuse this request:");
	expect(fake, "Nothing can be sent. f: turn managed spot off. Esc closes.");
	assert_int_equal(fake->discards, 0);
	fakeui_keys(fake, "y"); /* no answer: nothing is asked */
	assert_int_equal(fake->submits, 0);
	for (int i = 0; i < 3 && shows(fake, "Nothing can be sent. f: "); i++)
		fakeui_keys(fake, "f");
	expect(fake, "lost EnableManagedSpotTraining: true");
	assert_false(shows(fake, "SageMaker would refuse this request:"));
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_null(strstr(fake->sent_text, "EnableManagedSpotTraining"));
}

/* --- cost and waiting --- */

/* The list costs up to ~163 an hour; check would only warn. */
static void limit__of_the_config__is_a_refusal_that_names_it(void **state)
{
	static const char *const texts[] = { "max_per_hour = 162\n", "max_worst_case = 162\n",
					     "max_per_hour = 163 USD\n", "max_per_hour = 163\n" };
	static const char *const names[] = { "max_per_hour", "max_worst_case",
					     "Mend line 1 of config.", NULL };
	struct fakeui *fake = *state;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const char *options[SETTING_COUNT] = { 0 };
		const struct config_given nothing = { .options = options };
		struct config config = { 0 };
		struct err err = { 0 };

		assert_true(config_read(&config, "config", texts[i], strlen(texts[i]), &err));
		config_decide(&config, &nothing);
		fake->env.config = &config;
		fakeui_keys(fake, "X");
		assert_int_equal(shows(fake, "Your config refuses this request:"),
				 names[i] != NULL);
		if (names[i])
			expect(fake, names[i]);
		yes(fake);
		assert_int_equal(fake->submits, names[i] ? 0 : 1);
		fakeui_keys(fake, "Esc");
		fake->env.config = NULL;
		config_release(&config);
	}
}

/* More of a quota is asked for from the page that it blocks, after a question of its own. */
static void quota__is_raised__from_the_page_that_it_blocks(void **state)
{
	static const char g5[] = "ml.g5.48xlarge";
	struct fakeui *fake = *state;

	store_take_quota(&fake->store, g5, QUOTA_TRAINING, 7, false, fake->wall_ms, fake->mono_ms);
	fakeui_keys(fake, "X R");
	assert_ptr_equal(fakeui_top(fake), &raise_pane);
	fakeui_keys(fake, "Enter y");
	assert_int_equal(fake->raises, 0);
	pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "y");
	assert_int_equal(fake->raises, 1);
	assert_string_equal(fake->raised.instance_type, g5);
	assert_int_equal(fake->raised.desired, 8);
	expect(fake, "Nothing can be sent."); /* until it is granted */
	assert_int_equal(fake->submits, 0);
}

static void name__that_is_taken__is_mended_to_a_free_one(void **state)
{
	struct fakeui *fake = *state;
	struct draft *draft = draft_edit(&fake->ui, ui_selected(&fake->ui));

	memcpy(draft->name, "llm-ft-0930", sizeof("llm-ft-0930"));
	fakeui_keys(fake, "X");
	expect(fake, "! A training job llm-ft-0930 exists already");
	expect(fake, "Nothing can be sent. f: name it llm-ft-0930-2. Esc closes.");
	fakeui_keys(fake, "f");
	assert_string_equal(fake->said, "mended in the draft: name it llm-ft-0930-2");
	expect(fake, "New training job llm-ft-0930-2");
	yes(fake);
	assert_string_equal(fake->sent_name, "llm-ft-0930-2");
	assert_non_null(strstr(fake->sent_text, "\"TrainingJobName\": \"llm-ft-0930-2\""));
}

/* Case 072: a limit that the count alone breaks is a refusal; what is used beside it is a doubt. */
static void quota__stands_beside_each_entry__and_refuses_by_count_alone(void **state)
{
	static const char p4d[] = "ml.p4d.24xlarge", g5[] = "ml.g5.48xlarge";
	struct fakeui *fake = *state;
	struct store *store = &fake->store;

	store_take_quota(store, p4d, QUOTA_TRAINING, 16, true, fake->wall_ms, fake->mono_ms);
	fakeui_keys(fake, "X");
	expect(fake, "#2 ml.p4d.24xlarge ×4  ~$101/h  quota 4+0 of 16");
	expect(fake, "#3 ml.g5.48xlarge ×8   ~$163/h");
	assert_false(shows(fake, "SageMaker would refuse"));
	/* It is read under the question, whose way somebody has chosen: that is over. */
	pass(fake, QUESTION_DEAF_MS);
	fakeui_keys(fake, "Tab");
	store_take_quota(store, g5, QUOTA_TRAINING, 7, false, fake->wall_ms, fake->mono_ms);
	changed(fake);
	expect(fake, "#3 ml.g5.48xlarge ×8   ~$163/h  ! quota 8+0 of 7");
	expect(fake, "SageMaker would refuse this request:");
	expect(fake, "Nothing can be sent. f: set the count of #3 to 7. R: ask for a raise of "
		     "ml.g5.48xlarge. Esc closes.");
	yes(fake);
	assert_int_equal(fake->submits, 0);
}

static void processing__says_that_waiting_has_no_bound(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	job.kind = JOB_PROCESSING;
	mem_set_text(&job.arn,
		     "arn:aws:sagemaker:us-east-1:111122223333:processing-job/llm-ft-0930");
	select_reply(fake, &job,
		     "{\"ProcessingJobName\":\"llm-ft-0930\",\"RoleArn\":"
		     "\"arn:aws:iam::111122223333:role/gpu\",\"AppSpecification\":{\"ImageUri\":"
		     "\"image\"},\"ProcessingResources\":{\"ClusterConfig\":{\"VolumeSizeInGB\":5,"
		     "\"InstancePreferences\":[{\"InstanceType\":\"ml.p5.48xlarge\","
		     "\"InstanceCount\":2},{\"InstanceType\":\"ml.p4d.24xlarge\","
		     "\"InstanceCount\":4},{\"InstanceType\":\"ml.g5.48xlarge\","
		     "\"InstanceCount\":8}]}}}");
	fakeui_keys(fake, "X");
	expect(fake, "Waiting cannot be bounded by AWS: a processing job has no pending limit.");
	assert_false(shows(fake, "No pending limit"));
	expect(fake, "aws sagemaker create-processing-job --profile ops --region us-east-1 ");
}

/* --- elsewhere --- */

static void command__goes_where_the_submission_goes__without_secrets(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();

	fake->env.endpoint_url = "http://127.0.0.1:9";
	select_reply(fake, &job,
		     REPLY("\"InstanceCount\":1,\"InstanceType\":\"ml.g5.xlarge\"",
			   "},\"Environment\":{\"HF_TOKEN\":\"hunter2\"}"));
	fakeui_keys(fake, "X");
	expect(fake, "aws sagemaker create-training-job --profile ops --region us-east-1 "
		     "--endpoint-url http://127.0.0.1:9 ");
	assert_false(shows(fake, "hunter2"));
}

/* A shell hands no such argument on: the request goes by a file. */
static void command__reads_a_file__where_the_request_is_long(void **state)
{
	struct fakeui *fake = *state;
	struct job job = fakeui_job();
	struct buf reply;

	buf_init(&reply, 1u << 20);
	buf_add_text(&reply, REPLY("\"InstanceCount\":1,\"InstanceType\":\"ml.g5.xlarge\"",
				   "},\"HyperParameters\":{\"a\":\""));
	reply.len = (size_t)(strstr(reply.data, "{\"a\":\"") + strlen("{\"a\":\"") - reply.data);
	for (size_t i = 0; i <= CLI_ARGUMENT_MAX; i++)
		buf_add_char(&reply, 'a');
	buf_add_text(&reply, "\"}}");
	select_reply(fake, &job, buf_text(&reply));
	buf_release(&reply);
	fakeui_keys(fake, "X");
	const struct submit *submit = fakeui_top_state(fake);
	assert_non_null(
		strstr(submit->copy.page,
		       "from a file: as one argument of a command the request is too long "
		       "(over 128 KiB). E opens it in $EDITOR, to be saved as request.json:\n"
		       "aws sagemaker create-training-job "));
	assert_non_null(strstr(submit->copy.page, " --cli-input-json file://request.json\n"));
}

/* The job ends under the question. */
static void end_job(struct fakeui *fake)
{
	struct job job = fakeui_job();

	mem_set_text(&job.status, "Completed");
	store_take_described(&fake->store, &job);
	job_release(&job);
	pass(fake, QUESTION_DEAF_MS);
	changed(fake);
}

/* What is said of the job follows, what is asked stays. */
static void question__stays__while_the_job_moves_on(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "X");
	for (int i = 0; i < 2; i++) { /* past both orders of a requeue */
		pass(fake, QUESTION_DEAF_MS);
		fakeui_keys(fake, "Tab");
	}
	expect(fake, "llm-ft-0930 stays pending and is NOT stopped");
	unsigned asked = fake->discards;

	end_job(fake);
	expect(fake, "llm-ft-0930 has ended (completed) and stays as it is.");
	assert_int_equal(fake->discards, asked); /* no other question */
	fakeui_keys(fake, "y");
	assert_int_equal(fake->submits, 1);
	assert_int_equal(fake->requeues, 0);
}

/* There is nothing to replace any more: that is another question. */
static void question__is_asked_anew__where_what_it_does_changes(void **state)
{
	struct fakeui *fake = *state;

	fakeui_keys(fake, "X");
	expect(fake, "llm-ft-0930 is pending and is replaced:");
	end_job(fake);
	assert_int_equal(fake->discards, 2);
	fakeui_keys(fake, "y"); /* too early for it */
	assert_int_equal(fake->submits, 0);
	expect(fake, "llm-ft-0930 has ended (completed) and stays as it is.");
	yes(fake);
	assert_int_equal(fake->submits, 1);
	assert_int_equal(fake->requeues, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(name__is_asked_about__before_the_question, start,
						stop),
		cmocka_unit_test_setup_teardown(name__that_is_taken__is_mended_and_asked_about_anew,
						start, stop),
		cmocka_unit_test_setup_teardown(name__without_an_answer__is_not_checked, start,
						stop),
		cmocka_unit_test_setup_teardown(name__found_taken_late__ends_the_question, start,
						stop),
		cmocka_unit_test_setup_teardown(tags__go_with_the_copy__but_for_those_of_aws, start,
						stop),
		cmocka_unit_test_setup_teardown(tags__are_waited_for, start, stop),
		cmocka_unit_test_setup_teardown(tags__are_not_waited_for_for_ever, start, stop),
		cmocka_unit_test_setup_teardown(tags__that_are_denied__are_said_and_left_out, start,
						stop),
		cmocka_unit_test_setup_teardown(plan__that_is_lost__is_shouted, start, stop),
		cmocka_unit_test_setup_teardown(fix__is_a_key__and_its_difference_is_shown, start,
						stop),
		cmocka_unit_test_setup_teardown(limit__of_the_config__is_a_refusal_that_names_it,
						start, stop),
		cmocka_unit_test_setup_teardown(
			quota__stands_beside_each_entry__and_refuses_by_count_alone, start, stop),
		cmocka_unit_test_setup_teardown(quota__is_raised__from_the_page_that_it_blocks,
						start, stop),
		cmocka_unit_test_setup_teardown(name__that_is_taken__is_mended_to_a_free_one, start,
						stop),
		cmocka_unit_test_setup_teardown(processing__says_that_waiting_has_no_bound, start,
						stop),
		cmocka_unit_test_setup_teardown(
			command__goes_where_the_submission_goes__without_secrets, start, stop),
		cmocka_unit_test_setup_teardown(command__reads_a_file__where_the_request_is_long,
						start, stop),
		cmocka_unit_test_setup_teardown(question__is_asked_anew__where_what_it_does_changes,
						start, stop),
		cmocka_unit_test_setup_teardown(question__stays__while_the_job_moves_on, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

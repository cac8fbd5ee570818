#include "tests/fakeui.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/store_prices.h"
#include "views/requeue.h"
#include "views/stop.h"

static struct fakeui *fake_of(struct ui *ui)
{
	return ui->screen;
}

static void push(struct ui *ui, const struct pane_ops *ops, const void *argument)
{
	struct fakeui *fake = fake_of(ui);
	void *state = mem_new(1, ops->state_size);

	assert(fake->modal_count < FAKEUI_MODALS);
	fake->modals[fake->modal_count].ops = ops;
	fake->modals[fake->modal_count++].state = state;
	ops->open(state, ui, argument);
}

static void close_popped(struct fakeui *fake)
{
	while (fake->closing_count > 0) {
		size_t last = --fake->closing_count;

		if (fake->closing[last].ops->close)
			fake->closing[last].ops->close(fake->closing[last].state);
		free(fake->closing[last].state);
	}
}

static void pop(struct ui *ui)
{
	struct fakeui *fake = fake_of(ui);

	assert(fake->modal_count > 0);
	fake->closing[fake->closing_count++] = fake->modals[--fake->modal_count];
	if (!fake->handling)
		close_popped(fake);
}

static void say(struct ui *ui, enum style style, const char *text)
{
	struct fakeui *fake = fake_of(ui);

	fake->said_style = style;
	(void)snprintf(fake->said, sizeof(fake->said), "%s", text);
}

static void refresh(struct fakeui *fake)
{
	if (fake->home && fake->home->refresh)
		fake->home->refresh(fake->home_state);
	for (size_t i = 0; i < fake->modal_count; i++)
		if (fake->modals[i].ops->refresh)
			fake->modals[i].ops->refresh(fake->modals[i].state);
}

static void select_job(struct ui *ui, const char *arn)
{
	fake_of(ui)->selects++;
	mem_set_text(&ui->selected_arn, arn);
	refresh(fake_of(ui));
}

static void changed(struct ui *ui)
{
	fake_of(ui)->changes++;
	refresh(fake_of(ui));
}

static void intend_select(void *host, const char *arn)
{
	(void)host;
	(void)arn;
}

static void intend_nothing(void *host)
{
	(void)host;
}

static void intend_submit(void *host, const struct order *order)
{
	struct fakeui *fake = host;

	fake->submits++;
	fake->sent_kind = order->kind;
	fake->sent_tried = order->tried;
	(void)snprintf(fake->sent_name, sizeof(fake->sent_name), "%s", order->name);
	mem_set_text(&fake->sent_text, order->text);
}

static void intend_raise(void *host, const struct quota_raise *raise)
{
	struct fakeui *fake = host;

	fake->raises++;
	fake->raised = *raise;
}

static void intend_stop(void *host, const struct stop_wish *wishes, size_t count)
{
	(void)host;
	(void)wishes;
	(void)count;
}

/* As a submission: the request and its name are what tests look at. */
static void intend_requeue(void *host, const struct requeue_wish *wish)
{
	struct fakeui *fake = host;

	fake->submits++;
	fake->requeues++;
	fake->stop_first = wish->stop_first;
	fake->despite_owner = wish->despite_owner;
	fake->sent_kind = wish->kind;
	fake->sent_tried = (struct opt_ms){ 0 };
	(void)snprintf(fake->old_name, sizeof(fake->old_name), "%s", wish->old_name);
	(void)snprintf(fake->sent_name, sizeof(fake->sent_name), "%s", wish->new_name);
	mem_set_text(&fake->sent_text, wish->text);
}

static enum withdrawal intend_withdraw(void *host, enum job_kind kind, const char *old_name,
				       const char *name)
{
	struct fakeui *fake = host;

	(void)kind;
	fake->withdrawals++;
	(void)snprintf(fake->withdrawn_old, sizeof(fake->withdrawn_old), "%s",
		       old_name ? old_name : "");
	(void)snprintf(fake->withdrawn, sizeof(fake->withdrawn), "%s", name);
	return fake->withdrawal;
}

static void intend_keep_note(void *host, enum job_kind kind, const char *name, const char *text)
{
	struct fakeui *fake = host;

	(void)kind;
	(void)snprintf(fake->noted_name, sizeof(fake->noted_name), "%s", name);
	(void)snprintf(fake->noted, sizeof(fake->noted), "%s", text);
}

static void intend_discard(void *host)
{
	struct fakeui *fake = host;

	fake->discards++;
}

static void intend_wake(void *host, int64_t ms)
{
	struct fakeui *fake = host;

	fake->wake_ms = ms;
}

static int64_t read_mono(void *self)
{
	const struct fakeui *fake = self;

	return fake->mono_ms;
}

static int64_t read_wall(void *self)
{
	const struct fakeui *fake = self;

	return fake->wall_ms;
}

void fakeui_start(struct fakeui *fake, const struct pane_ops *home)
{
	*fake = (struct fakeui){ .home = home, .wake_ms = -1, .mono_ms = 1000000 };
	fake->wall_ms = INT64_C(1796072888000); /* 2026-11-30T21:08:08Z, by date -u */
	fake->clock = (struct clock){ read_mono, read_wall, fake };
	fake->env = (struct view_env){
		.store = &fake->store,
		.clock = &fake->clock,
		.region = "us-east-1",
		.account = "111122223333",
		.profile = "",
		.confirm_above_micro = INT64_C(1000000000),
		.cloud = { .select = intend_select,
			   .refresh = intend_nothing,
			   .submit = intend_submit,
			   .stop = intend_stop,
			   .raise_quota = intend_raise,
			   .requeue = intend_requeue,
			   .withdraw = intend_withdraw,
			   .keep_note = intend_keep_note,
			   .host = fake },
		.intents = { .quit = intend_nothing,
			     .discard_input = intend_discard,
			     .wake_in = intend_wake,
			     .host = fake },
	};
	store_set_region(&fake->store, fake->env.region);
	fake->ui = (struct ui){ .env = &fake->env,
				.push = push,
				.pop = pop,
				.say = say,
				.select = select_job,
				.changed = changed,
				.screen = fake };
	if (!home)
		return;
	fake->home_state = mem_new(1, home->state_size);
	home->open(fake->home_state, &fake->ui, NULL);
}

void fakeui_stop(struct fakeui *fake)
{
	while (fake->modal_count > 0)
		pop(&fake->ui);
	if (fake->home && fake->home->close)
		fake->home->close(fake->home_state);
	free(fake->home_state);
	drafts_release(&fake->ui);
	marks_clear(&fake->ui.marks);
	stop_forget(&fake->ui);
	requeue_forget(&fake->ui);
	filter_free(fake->ui.terms);
	past_release(&fake->ui.filters);
	past_release(&fake->ui.finds);
	free(fake->ui.selected_arn);
	free(fake->sent_text);
	store_release(&fake->store);
}

void fakeui_select(struct fakeui *fake, const struct job *job)
{
	struct job copy = { 0 };

	job_copy(&copy, job);
	if (job->described)
		store_take_described(&fake->store, &copy);
	else
		store_take_summary(&fake->store, &copy);
	job_release(&copy);
	fakeui_read_tags(fake, job->arn, NULL, 0);
	select_job(&fake->ui, job->arn);
}

int fakeui_setup(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	struct job job = fakeui_job();

	fakeui_start(fake, &preferences_pane);
	fake->env.confirm_above_micro = INT64_MAX;
	fakeui_select(fake, &job);
	job_release(&job);
	*state = fake;
	return 0;
}

int fakeui_teardown(void **state)
{
	fakeui_stop(*state);
	free(*state);
	return 0;
}

void fakeui_pass(struct fakeui *fake, int64_t ms)
{
	fake->mono_ms += ms;
	fake->wall_ms += ms;
}

void fakeui_read_tags(struct fakeui *fake, const char *arn, const struct tag *tags, size_t count)
{
	struct job_tags read = { 0 };

	tags_look_at(&fake->store.tags, arn);
	for (size_t i = 0; i < count; i++)
		tags_add(&read, tags[i].key, tags[i].value);
	tags_take(&fake->store.tags, &read, fake->mono_ms);
	tags_release(&read);
}

static void feed(struct fakeui *fake, struct key key, const char *paste)
{
	const struct pane_ops *ops = fake->home;
	void *state = fake->home_state;
	const struct key_binding *row;

	if (fake->modal_count > 0) {
		ops = fake->modals[fake->modal_count - 1].ops;
		state = fake->modals[fake->modal_count - 1].state;
	}
	if (!ops)
		return;
	fake->handling = true;
	if (!ops->feed || !ops->feed(state, key, paste)) {
		row = keys_find(ops->scope->bindings, key, fake->env.read_only);
		if (row && !paste)
			row->run(state);
	}
	fake->handling = false;
	close_popped(fake);
}

void fakeui_keys(struct fakeui *fake, const char *names)
{
	while (*names) {
		char name[KEY_NAME_SIZE];
		size_t len = strcspn(names, " ");
		struct key key;

		assert(len > 0 && len < sizeof(name));
		memcpy(name, names, len);
		name[len] = '\0';
		bool known = key_parse(name, &key);
		assert(known);
		if (known)
			feed(fake, key, NULL);
		names += len + strspn(names + len, " ");
	}
}

void fakeui_type(struct fakeui *fake, const char *text)
{
	for (; *text; text++)
		feed(fake, (struct key){ .code = (unsigned char)*text }, NULL);
}

void fakeui_paste(struct fakeui *fake, const char *text)
{
	feed(fake, (struct key){ .code = KEY_CODE_PASTE }, text);
}

const struct pane_ops *fakeui_top(const struct fakeui *fake)
{
	return fake->modal_count ? fake->modals[fake->modal_count - 1].ops : NULL;
}

const void *fakeui_top_state(const struct fakeui *fake)
{
	return fake->modal_count ? fake->modals[fake->modal_count - 1].state : NULL;
}

static const char describe[] =
	"{\"TrainingJobName\":\"llm-ft-0930\","
	"\"TrainingJobArn\":\"arn:aws:sagemaker:us-east-1:111122223333:training-job/llm-ft-0930\","
	"\"TrainingJobStatus\":\"InProgress\",\"SecondaryStatus\":\"Pending\","
	"\"HyperParameters\":{\"epochs\":\"3\",\"lr\":\"1.0e-5\"},"
	"\"AlgorithmSpecification\":{\"TrainingImage\":"
	"\"111122223333.dkr.ecr.us-east-1.amazonaws.com/llm:1\",\"TrainingInputMode\":\"File\"},"
	"\"RoleArn\":\"arn:aws:iam::111122223333:role/gpu\","
	"\"OutputDataConfig\":{\"S3OutputPath\":\"s3://bucket/out\"},"
	"\"ResourceConfig\":{\"VolumeSizeInGB\":500,\"InstancePreferences\":["
	"{\"InstanceType\":\"ml.p5.48xlarge\",\"InstanceCount\":2},"
	"{\"InstanceType\":\"ml.p4d.24xlarge\",\"InstanceCount\":4},"
	"{\"InstanceType\":\"ml.g5.48xlarge\",\"InstanceCount\":8}]},"
	"\"StoppingCondition\":{\"MaxRuntimeInSeconds\":3600},"
	"\"CreationTime\":1796060000.1,\"LastModifiedTime\":1796060001.2}";

struct job fakeui_job(void)
{
	struct job job = {
		.name = "llm-ft-0930",
		.kind = JOB_TRAINING,
		.described = true,
		.created = { true, INT64_C(1796060000100) },
		.max_runtime = { true, 3600000 },
	};

	*job_edit_prefs(&job) = (struct preferences){
		.length = 3,
		.is_list = true,
		.entries = {
			{ .instance_type = "ml.p5.48xlarge", .has_count = true, .count = 2 },
			{ .instance_type = "ml.p4d.24xlarge", .has_count = true, .count = 4 },
			{ .instance_type = "ml.g5.48xlarge", .has_count = true, .count = 8 },
		},
	};
	job.arn = mem_copy_text("arn:aws:sagemaker:us-east-1:111122223333:training-job/"
				"llm-ft-0930");
	job.status = mem_copy_text("InProgress");
	job.secondary_status = mem_copy_text("Pending");
	job.request_json = mem_copy_text(describe);
	return job;
}

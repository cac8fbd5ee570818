/* The queue pane's words for a wait with a plan, and for each way in which a job ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/mem.h"
#include "tests/fakeui.h"
#include "tests/jobs.h"
#include "tests/offscreen.h"

#define COLUMNS   80
#define LINES     20
#define MINUTE_MS INT64_C(60000)
#define PLAN      "arn:aws:sagemaker:us-east-1:111122223333:training-plan/p5-plan"

static int start(void **state)
{
	struct fakeui *fake = mem_new(1, sizeof(*fake));
	fakeui_start(fake, &queue_pane);
	*state = fake;
	return 0;
}

/* A job of two entries that was created so long ago, with those words of its state. */
static struct job job_of(const struct fakeui *fake, int64_t ago_ms, const char *status,
			 const char *secondary)
{
	struct job job = listed_job("llm", fake->wall_ms - ago_ms, status, secondary);
	job.described = true;
	job_edit_prefs(&job)->is_list = true;
	add_entry(&job, "ml.p5.48xlarge", 2);
	add_entry(&job, "ml.p4d.24xlarge", 4);
	return job;
}

/* Selects it, and paints the pane. */
static struct offscreen *paint(struct fakeui *fake, struct job *job)
{
	struct offscreen *screen = offscreen_new(COLUMNS, LINES);
	struct surface *out = offscreen_surface(screen);
	fakeui_select(fake, job);
	job_release(job);
	queue_pane.draw(fake->home_state, out, draw_bounds(out), true);
	return screen;
}

static void want(struct offscreen *screen, const char *text)
{
	int x, y;
	if (!offscreen_find(screen, text, &x, &y))
		fail_msg("no '%s' in\n%s", text, offscreen_text(screen));
}

static void lack(struct offscreen *screen, const char *text)
{
	int x, y;
	if (offscreen_find(screen, text, &x, &y))
		fail_msg("'%s' in\n%s", text, offscreen_text(screen));
}

/* Case 079: 45 minutes of a limit of 30. With a plan that is no alarm: what was waited stands
 * beside the limit, nothing is overdue, and no time is named at which it should have ended. */
static void case_079__wait_beyond_the_limit__is_no_alarm_with_a_plan(void **state)
{
	struct fakeui *fake = *state;
	struct job job = job_of(fake, 45 * MINUTE_MS, "InProgress", "Pending");
	job.max_pending = at(30 * MINUTE_MS);
	memcpy(job_edit_prefs(&job)->entries[1].plan_arn, PLAN, sizeof(PLAN));
	struct offscreen *screen = paint(fake, &job);
	want(screen, "Pending 45m of 30m");
	want(screen, "the limit does not run while its plan is not active");
	want(screen, "plan p5-plan");
	lack(screen, "until");
	lack(screen, "overdue");
	lack(screen, "-15m");
	offscreen_free(screen);
}

/* Case 079: one limit for the whole list; it does not begin again at the second entry. */
static void case_079__limit__is_one_for_the_whole_list(void **state)
{
	struct fakeui *fake = *state;
	struct job job = job_of(fake, 10 * MINUTE_MS, "InProgress", "Pending");
	job.max_pending = at(30 * MINUTE_MS);
	struct offscreen *screen = paint(fake, &job);
	want(screen, "Pending 10m of 30m");
	want(screen, "until"); /* in 20 minutes */
	lack(screen, "its plan is not active");
	offscreen_free(screen);
}

/* Case 068: an entry that no plan serves says so. */
static void case_068__plan_or_none__stands_in_each_entry(void **state)
{
	struct fakeui *fake = *state;
	struct job job = job_of(fake, MINUTE_MS, "InProgress", "Pending");
	memcpy(job_edit_prefs(&job)->entries[0].plan_arn, PLAN, sizeof(PLAN));
	struct offscreen *screen = paint(fake, &job);
	int x, y, plan, other;
	assert_true(offscreen_find(screen, "plan p5-plan", &x, &plan));
	assert_true(offscreen_find(screen, "on-demand", &x, &other));
	assert_non_null(strstr(offscreen_line(screen, plan), "#1 ml.p5.48xlarge"));
	assert_true(offscreen_find(screen, "#2 ml.p4d.24xlarge", &x, &y));
	assert_int_equal(y, other);
	offscreen_free(screen);
}

/* Case 064: Stopped is an end, and what stopped it is told; so is a word that nobody knows yet. */
static void case_064__stopped__says_why_from_its_secondary_status(void **state)
{
	static const struct {
		const char *secondary, *why;
	} rows[] = {
		{ "MaxRuntimeExceeded", "MaxRuntimeExceeded" },
		{ "MaxWaitTimeExceeded", "MaxWaitTimeExceeded" },
		{ "MaxPendingTimeExceeded", "MaxPendingTimeExceeded" },
		{ "NewReasonExceeded", "NewReasonExceeded" },
		{ "Stopped", NULL }, /* by a person */
	};
	struct fakeui *fake = *state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job job = job_of(fake, 90 * MINUTE_MS, "Stopped", rows[i].secondary);
		assert_true(job_has_ended(&job));
		job.started = at(fake->wall_ms - 60 * MINUTE_MS);
		job.ended = at(fake->wall_ms - MINUTE_MS);
		struct offscreen *screen = paint(fake, &job);
		want(screen, "Stopped at ");
		want(screen, " after running 59m");
		if (rows[i].why) {
			int x, y;
			assert_true(offscreen_find(screen, "ended as", &x, &y));
			assert_non_null(strstr(offscreen_line(screen, y), rows[i].why));
		} else {
			lack(screen, "ended as");
		}
		offscreen_free(screen);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, fakeui_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(case_079__wait_beyond_the_limit__is_no_alarm_with_a_plan),
		TEST(case_079__limit__is_one_for_the_whole_list),
		TEST(case_068__plan_or_none__stands_in_each_entry),
		TEST(case_064__stopped__says_why_from_its_secondary_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

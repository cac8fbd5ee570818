/* The stretches of a wait: each case by hand, and their sum against job_wait_ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/stretches.h"

#define NOW INT64_C(1000000)

static struct opt_ms at(int64_t ms)
{
	return (struct opt_ms){ ms >= 0, ms };
}

struct step {
	const char *status;
	int64_t start, end; /* -1 = not told */
};

static struct job make(const char *status, int64_t created, int64_t ended, const struct step *steps,
		       size_t count)
{
	struct job job = { .kind = JOB_TRAINING, .described = true };
	job.status = mem_copy_text(status);
	job.created = at(created);
	job.ended = at(ended);
	for (size_t i = 0; i < count; i++) {
		mem_set_text(&job.secondary_status, steps[i].status);
		job_add_transition(&job, steps[i].status, NULL, at(steps[i].start),
				   at(steps[i].end));
	}
	return job;
}

static void assert_stretch(struct stretch stretch, int64_t start, int64_t end, bool open)
{
	assert_int_equal(stretch.start_ms, start);
	assert_int_equal(stretch.end_ms, end);
	assert_int_equal(stretch.open, open);
}

/* facts of a spot job: it starts, is interrupted, starts again, and runs. */
static void stretches__are_one_a_wait__of_a_spot_job(void **state)
{
	static const struct step steps[] = {
		{ "Starting", 1000, 4000 },    { "Downloading", 4000, 5000 },
		{ "Training", 5000, 90000 },   { "Interrupted", 90000, 95000 },
		{ "Starting", 95000, 120000 }, { "Training", 120000, -1 },
	};
	struct job job = make("InProgress", 0, -1, steps, ARRAY_LEN(steps));
	struct stretch out[STRETCHES_MAX];
	(void)state;
	assert_int_equal(stretches_of(&job, NOW, out), 2);
	assert_stretch(out[0], 0, 4000, false); /* with the second before the first transition */
	assert_stretch(out[1], 90000, 120000, false); /* two transitions that touch are one wait */
	assert_int_equal(stretches_interruptions(&job), 1);
	assert_true(stretches_waits(&job, 3));
	assert_false(stretches_waits(&job, 2));
	job_release(&job);
}

static void stretch__is_open__while_the_job_is_pending(void **state)
{
	static const struct step steps[] = { { "Pending", 100, -1 } };
	struct stretch out[STRETCHES_MAX];
	struct job job = make("InProgress", 100, -1, steps, 1);
	(void)state;
	assert_int_equal(stretches_of(&job, 700, out), 1);
	assert_stretch(out[0], 100, 700, true);
	job_release(&job);
	job = make("Stopped", 100, 400, steps, 1); /* it ended in its queue, and ticks no more */
	assert_int_equal(stretches_of(&job, 700, out), 1);
	assert_stretch(out[0], 100, 400, false);
	job_release(&job);
}

static void stretch__is_creation_to_start__without_transitions(void **state)
{
	struct stretch out[STRETCHES_MAX];
	struct job job = make("InProgress", 100, -1, NULL, 0);
	(void)state;
	job.kind = JOB_PROCESSING;
	assert_int_equal(stretches_of(&job, 700, out), 1);
	assert_stretch(out[0], 100, 700, true);
	job.started = at(300);
	assert_int_equal(stretches_of(&job, 700, out), 1);
	assert_stretch(out[0], 100, 300, false);
	job.created = at(-1);
	assert_int_equal(stretches_of(&job, 700, out), 0);
	job_release(&job);
}

/* Whatever the times: what is shown one by one is the wait that is shown as a whole. */
static void stretches__sum_up_to_the_wait__of_any_job(void **state)
{
	static const char *const words[] = { "Starting",    "Pending",  "Downloading", "Training",
					     "Interrupted", "Stopping", "Completed" };
	static const char *const statuses[] = { "InProgress", "Stopping", "Completed", "Failed" };
	struct stretch out[STRETCHES_MAX];
	unsigned seed = 20261130;
	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct step steps[6];
		size_t count = (size_t)rand_r(&seed) % (ARRAY_LEN(steps) + 1);
		for (size_t i = 0; i < count; i++)
			steps[i] =
				(struct step){ words[(size_t)rand_r(&seed) % ARRAY_LEN(words)],
					       rand_r(&seed) % 100 - 5, rand_r(&seed) % 100 - 20 };
		struct job job =
			make(statuses[(size_t)rand_r(&seed) % ARRAY_LEN(statuses)],
			     rand_r(&seed) % 60 - 5, rand_r(&seed) % 120 - 20, steps, count);
		int64_t now = rand_r(&seed) % 130, wait = 0, sum = 0;
		bool final;
		size_t length = stretches_of(&job, now, out);
		for (size_t i = 0; i < length; i++) {
			assert_true(out[i].end_ms > out[i].start_ms);
			assert_true(i == 0 || out[i].start_ms > out[i - 1].end_ms);
			sum += out[i].end_ms - out[i].start_ms;
		}
		if (!job_wait_ms(&job, now, &wait, &final))
			assert_int_equal(length, 0);
		assert_int_equal(sum, wait);
		job_release(&job);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretches__are_one_a_wait__of_a_spot_job),
		cmocka_unit_test(stretch__is_open__while_the_job_is_pending),
		cmocka_unit_test(stretch__is_creation_to_start__without_transitions),
		cmocka_unit_test(stretches__sum_up_to_the_wait__of_any_job),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

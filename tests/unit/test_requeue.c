/*
 * The steps of a requeue: each row by hand, and every way that the world can go at each of them,
 * a crash at any moment included.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/requeue.h"

/* --- the table, from the issue by hand --- */

static void step__follows_from_each_fact__as_the_issue_has_it(void **state)
{
	static const struct {
		enum requeue_step step;
		enum requeue_fact fact;
		struct requeue_next next;
	} cases[] = {
		/* Describe right before each stop; one that is no longer pending is not stopped. */
		{ REQUEUE_STOP_OLD, FACT_AGREED, { REQUEUE_STOP_OLD, ACT_LOOK_OLD } },
		{ REQUEUE_STOP_OLD, FACT_OLD_PENDING, { REQUEUE_STOP_OLD, ACT_STOP_OLD } },
		{ REQUEUE_STOP_OLD, FACT_OLD_STARTED, { REQUEUE_OLD_STAYS, ACT_END } },
		/* Wait for the END state: Stopping is not enough (case 072). */
		{ REQUEUE_STOP_OLD, FACT_STOP_TAKEN, { REQUEUE_AWAIT_END, ACT_WAIT } },
		{ REQUEUE_AWAIT_END, FACT_OLD_STOPPING, { REQUEUE_AWAIT_END, ACT_WAIT } },
		{ REQUEUE_AWAIT_END, FACT_OLD_ENDED, { REQUEUE_CREATE, ACT_CREATE } },
		{ REQUEUE_CREATE, FACT_CREATED, { REQUEUE_DONE, ACT_END } },
		{ REQUEUE_CREATE, FACT_CREATE_REFUSED, { REQUEUE_NOT_CREATED, ACT_END } },
		{ REQUEUE_CREATE, FACT_CREATE_OPEN, { REQUEUE_CREATE, ACT_WAIT } },
		{ REQUEUE_STOP_OLD, FACT_STOP_REFUSED, { REQUEUE_UNSTOPPED, ACT_END } },
		/* The new one accepted, then the old one is stopped. */
		{ REQUEUE_LOOK_FIRST, FACT_AGREED, { REQUEUE_LOOK_FIRST, ACT_LOOK_OLD } },
		{ REQUEUE_LOOK_FIRST, FACT_OLD_PENDING, { REQUEUE_CREATE_FIRST, ACT_CREATE } },
		{ REQUEUE_LOOK_FIRST, FACT_OLD_STARTED, { REQUEUE_OLD_STAYS, ACT_END } },
		{ REQUEUE_CREATE_FIRST, FACT_CREATED, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
		{ REQUEUE_CREATE_FIRST, FACT_CREATED_BEFORE, { REQUEUE_REPLACE, ACT_LOOK_NEW } },
		{ REQUEUE_REPLACE, FACT_NEW_PENDING, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
		{ REQUEUE_REPLACE, FACT_NEW_STARTED, { REQUEUE_REPLACE, ACT_LOOK_OLD } },
		/* Not for one that is over: both would be lost. */
		{ REQUEUE_REPLACE, FACT_NEW_OVER, { REQUEUE_NEW_OVER, ACT_END } },
		{ REQUEUE_REPLACE, FACT_NEW_UNKNOWN, { REQUEUE_REPLACE, ACT_WAIT } },
		{ REQUEUE_CREATE_FIRST, FACT_CREATE_REFUSED, { REQUEUE_REFUSED, ACT_END } },
		{ REQUEUE_REPLACE, FACT_OLD_PENDING, { REQUEUE_REPLACE, ACT_STOP_OLD } },
		{ REQUEUE_REPLACE, FACT_STOP_TAKEN, { REQUEUE_DONE, ACT_END } },
		/* The old one has started: the new one is stopped, if still pending. */
		{ REQUEUE_REPLACE, FACT_OLD_STARTED, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
		{ REQUEUE_TAKE_BACK, FACT_NEW_PENDING, { REQUEUE_TAKE_BACK, ACT_STOP_NEW } },
		{ REQUEUE_TAKE_BACK, FACT_STOP_TAKEN, { REQUEUE_OLD_STAYS, ACT_END } },
		{ REQUEUE_TAKE_BACK, FACT_NEW_STARTED, { REQUEUE_CHOOSE, ACT_LOOK_OLD } },
		{ REQUEUE_CHOOSE, FACT_OLD_STARTED, { REQUEUE_BOTH, ACT_END } },
		/* No overlap longer than two refreshes. */
		{ REQUEUE_REPLACE, FACT_LATE, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
		/* A withdrawn requeue never creates. */
		{ REQUEUE_STOP_OLD, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_AWAIT_END, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_WITHDRAWN, FACT_OLD_ENDED, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_WITHDRAWN, FACT_RESUMED, { REQUEUE_WITHDRAWN, ACT_END } },
		/* On its way it is not withdrawn any more. */
		{ REQUEUE_CREATE, FACT_WITHDRAWN_UNSENT, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_CREATE_FIRST, FACT_WITHDRAWN_UNSENT, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_CREATE, FACT_WITHDRAWN, { REQUEUE_CREATE, ACT_WAIT } },
		{ REQUEUE_REPLACE, FACT_WITHDRAWN, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
		{ REQUEUE_LOOK_FIRST, FACT_WITHDRAWN, { REQUEUE_WITHDRAWN, ACT_END } },
		{ REQUEUE_CREATE_FIRST, FACT_WITHDRAWN, { REQUEUE_CREATE_FIRST, ACT_WAIT } },
		{ REQUEUE_LOOK_FIRST, FACT_STOP_REFUSED, { REQUEUE_UNSTOPPED, ACT_END } },
		{ REQUEUE_REPLACE, FACT_STOP_REFUSED, { REQUEUE_TAKE_BACK, ACT_LOOK_NEW } },
		{ REQUEUE_TAKE_BACK, FACT_STOP_REFUSED, { REQUEUE_BOTH, ACT_END } },
		{ REQUEUE_CHOOSE, FACT_STOP_REFUSED, { REQUEUE_BOTH, ACT_END } },
		{ REQUEUE_STOP_OLD, FACT_CREATE_STALE, { REQUEUE_STALE, ACT_END } },
		/* Without an answer the same is asked again. */
		{ REQUEUE_STOP_OLD, FACT_OLD_UNKNOWN, { REQUEUE_STOP_OLD, ACT_WAIT } },
		{ REQUEUE_STOP_OLD, FACT_STOP_OPEN, { REQUEUE_STOP_OLD, ACT_WAIT } },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct requeue_next next = requeue_next(cases[i].step, cases[i].fact);
		if (next.step != cases[i].next.step || next.act != cases[i].next.act)
			fail_msg("case %zu: %s, act %d", i, requeue_step_word(next.step),
				 (int)next.act);
	}
}

static void words__are_read_back__and_no_others(void **state)
{
	(void)state;
	for (int i = 0; i < REQUEUE_STEPS; i++) {
		enum requeue_step step;
		assert_true(requeue_step_parse(requeue_step_word((enum requeue_step)i), &step));
		assert_int_equal(step, i);
	}
	enum requeue_step step;
	assert_false(requeue_step_parse("", &step));
	assert_false(requeue_step_parse("stop", &step));
}

/* --- every way that the world can go --- */

enum life {
	LIFE_NONE,
	LIFE_PENDING,
	LIFE_RUNNING,
	LIFE_STOPPING,
	LIFE_STOPPED,
	LIFE_RAN,
	LIFE_GONE /* deleted */
};

/* The world, what the program is about to do, and what it has seen. */
struct world {
	unsigned char step, act;
	unsigned char old, new;
	bool old_was_stopped;  /* by a Stop that AWS took */
	bool saw_old, saw_new; /* the look right before has shown it pending */
	bool withdrawn;
	unsigned char creates; /* that had an effect */
	bool resumed;          /* the act is the first after a crash */
	bool stop_sent;        /* a stop of the old one may have arrived, as far as is known */
};

#define WORLDS_MAX 200000

struct search {
	struct world *found;
	size_t count;
	size_t ends[REQUEUE_STEPS];
	bool stop_first;
	bool name_is_dead; /* a job of the new name is over before it is created */
};

static bool is_alive(enum life life)
{
	return life == LIFE_PENDING || life == LIFE_RUNNING;
}

static void add(struct search *search, struct world world)
{
	for (size_t i = 0; i < search->count; i++)
		if (memcmp(&search->found[i], &world, sizeof(world)) == 0)
			return;
	assert_true(search->count < WORLDS_MAX);
	search->found[search->count++] = world;
}

/* The fact leads on; the step is on disk before the act. */
static void go(struct search *search, struct world world, enum requeue_fact fact)
{
	struct requeue_next next = requeue_next((enum requeue_step)world.step, fact);
	/* Nothing is to come that would lead on from an unanswered look but another one. */
	if (fact == FACT_OLD_UNKNOWN || fact == FACT_NEW_UNKNOWN)
		assert_true(next.act != ACT_WAIT || requeue_look(next.step) != ACT_WAIT);
	if (next.act == ACT_WAIT && requeue_look(next.step) != ACT_WAIT)
		next.act = requeue_look(next.step);
	world.step = (unsigned char)next.step;
	world.act = (unsigned char)next.act;
	world.resumed = false;
	world.saw_old = fact == FACT_OLD_PENDING;
	world.saw_new = fact == FACT_NEW_PENDING;
	add(search, world);
}

static enum requeue_fact fact_of_old(const struct world *world)
{
	struct job job = { .described = true };
	enum requeue_fact fact;
	if (world->old == LIFE_GONE)
		return FACT_OLD_GONE;
	mem_set_text(&job.status, world->old == LIFE_STOPPING  ? "Stopping"
				  : world->old == LIFE_STOPPED ? "Stopped"
				  : world->old == LIFE_RAN     ? "Completed"
							       : "InProgress");
	mem_set_text(&job.secondary_status, world->old == LIFE_PENDING ? "Pending" : "Training");
	bool begun = requeue_has_begun((enum requeue_step)world->step, world->stop_sent);
	fact = requeue_fact_of_old(&job, begun, world->stop_sent);
	job_release(&job);
	return fact;
}

static enum requeue_fact fact_of_new(const struct world *world)
{
	return world->new == LIFE_PENDING   ? FACT_NEW_PENDING
	       : world->new == LIFE_RUNNING ? FACT_NEW_STARTED
					    : FACT_NEW_OVER;
}

static void stop_old(struct search *search, struct world world)
{
	assert_true(world.saw_old); /* a look right before has shown it pending */
	world.stop_sent = true;
	go(search, world, FACT_STOP_REFUSED);
	go(search, world, FACT_STOP_OPEN);
	if (!is_alive(world.old)) {
		go(search, world, FACT_STOP_OVER);
		return;
	}
	world.old = LIFE_STOPPING;
	world.old_was_stopped = true;
	go(search, world, FACT_STOP_TAKEN);
	go(search, world, FACT_STOP_OPEN);
}

static void stop_new(struct search *search, struct world world)
{
	assert_true(world.saw_new);
	go(search, world, FACT_STOP_REFUSED);
	go(search, world, FACT_STOP_OPEN);
	if (!is_alive(world.new)) {
		go(search, world, FACT_STOP_OVER);
		return;
	}
	world.new = LIFE_STOPPING;
	go(search, world, FACT_STOP_TAKEN);
	go(search, world, FACT_STOP_OPEN);
}

/* The submitter's promise: once and only once under one name, whatever is lost. */
static void create(struct search *search, struct world world)
{
	assert_false(world.withdrawn);
	if (search->stop_first)
		assert_true(world.old == LIFE_STOPPED || world.old == LIFE_GONE);
	if (world.new != LIFE_NONE) {
		go(search, world, FACT_CREATED_BEFORE);
		return;
	}
	go(search, world, FACT_CREATE_REFUSED);
	if (world.resumed)
		go(search, world, FACT_CREATE_STALE);
	world.creates++;
	world.new = LIFE_PENDING;
	go(search, world, FACT_CREATED);
	/* Killed before the answer: the step is what it was. */
	world.resumed = false;
	go(search, world, FACT_RESUMED);
}

static void act(struct search *search, struct world world)
{
	switch ((enum requeue_act)world.act) {
	case ACT_LOOK_OLD:
		go(search, world, fact_of_old(&world));
		go(search, world, FACT_OLD_UNKNOWN);
		break;
	case ACT_LOOK_NEW:
		go(search, world, fact_of_new(&world));
		go(search, world, FACT_NEW_UNKNOWN);
		break;
	case ACT_STOP_OLD:
		stop_old(search, world);
		break;
	case ACT_STOP_NEW:
		stop_new(search, world);
		break;
	case ACT_CREATE:
		create(search, world);
		break;
	case ACT_WAIT:
	case ACT_END:
		break;
	}
}

/* What happens beside the program: a pending job starts, a stop comes to its end. */
static void live(struct search *search, struct world world)
{
	struct world other = world;
	if (world.old == LIFE_PENDING)
		other.old = LIFE_RUNNING;
	else if (world.old == LIFE_RUNNING)
		other.old = LIFE_RAN;
	else if (world.old == LIFE_STOPPING)
		other.old = LIFE_STOPPED;
	else
		other.old = LIFE_GONE;
	add(search, other);
	other = world;
	if (world.new == LIFE_PENDING)
		other.new = LIFE_RUNNING;
	else if (world.new == LIFE_STOPPING)
		other.new = LIFE_STOPPED;
	add(search, other);
}

/* The program ends, and another finds the step in the journal. */
static void crash(struct search *search, struct world world)
{
	struct requeue_next next = requeue_next((enum requeue_step)world.step, FACT_RESUMED);
	world.act = (unsigned char)next.act;
	world.saw_old = world.saw_new = false;
	world.resumed = world.stop_sent = true;
	assert_int_equal(next.step, world.step);
	add(search, world);
}

static void withdraw(struct search *search, struct world world)
{
	/* On disk and not begun: so it is between the answer that led to it and its act. */
	bool unsent = world.act == ACT_CREATE && !world.resumed && world.creates == 0;
	struct requeue_next next = requeue_next((enum requeue_step)world.step,
						unsent ? FACT_WITHDRAWN_UNSENT : FACT_WITHDRAWN);
	if (next.step == world.step)
		return; /* too late */
	if (world.step == REQUEUE_REPLACE && world.stop_sent)
		return; /* the old one may be stopping: the new one stays */
	world.withdrawn = next.step == REQUEUE_WITHDRAWN;
	world.step = (unsigned char)next.step;
	world.act = (unsigned char)next.act;
	world.saw_old = world.saw_new = false;
	add(search, world);
}

/* What must hold where it has ended. */
static void check_end(struct search *search, const struct world *world)
{
	search->ends[world->step]++;
	assert_true(world->creates <= 1);
	if (search->name_is_dead) {
		assert_false(world->old_was_stopped);
		return;
	}
	switch ((enum requeue_step)world->step) {
	case REQUEUE_DONE:
		assert_false(is_alive(world->old));
		assert_int_equal(world->creates, 1);
		break;
	case REQUEUE_OLD_STAYS:
		assert_false(is_alive(world->new));
		assert_false(world->old_was_stopped); /* else both would be lost */
		break;
	case REQUEUE_UNSTOPPED:
	case REQUEUE_REFUSED:
	case REQUEUE_WITHDRAWN:
		assert_int_equal(world->creates, 0);
		break;
	case REQUEUE_NOT_CREATED:
		assert_int_equal(world->creates, 0);
		assert_true(world->old == LIFE_STOPPED || world->old == LIFE_GONE);
		break;
	case REQUEUE_BOTH:
		assert_false(search->stop_first);
		break;
	case REQUEUE_NEW_OVER:
		assert_false(search->stop_first);
		assert_false(is_alive(world->new));
		break;
	default:
		break;
	}
}

/* Where AWS answers and nothing else happens but that a stop comes to its end, it ends. */
static void check_progress(const struct search *search, struct world world)
{
	struct search *path = mem_new(1, sizeof(*path));
	path->stop_first = search->stop_first;
	path->found = mem_new(64, sizeof(*path->found));
	for (int turns = 0; !requeue_has_ended((enum requeue_step)world.step); turns++) {
		if (turns == 20 || world.act == ACT_WAIT)
			fail_msg("it stands still at %s",
				 requeue_step_word((enum requeue_step)world.step));
		path->count = 0;
		if (world.old == LIFE_STOPPING)
			world.old = LIFE_STOPPED;
		act(path, world);
		/* Of a stop the third outcome is that it was taken; else the first one counts. */
		bool stops = world.act == ACT_STOP_OLD || world.act == ACT_STOP_NEW;
		bool creates = world.act == ACT_CREATE && world.new == LIFE_NONE;
		world = path->found[(stops || creates) && path->count > 2 ? path->count - 2 : 0];
	}
	free(path->found);
	free(path);
}

static void explore(struct search *search)
{
	for (size_t i = 0; i < search->count; i++) {
		struct world world = search->found[i];
		bool ended = requeue_has_ended((enum requeue_step)world.step);
		assert_true(ended == (world.act == ACT_END));
		if (search->stop_first && world.creates > 0)
			assert_false(is_alive(world.old)); /* never an overlap */
		if (ended) {
			check_end(search, &world);
			continue;
		}
		check_progress(search, world);
		live(search, world);
		crash(search, world);
		withdraw(search, world);
		act(search, world);
		if (world.step == REQUEUE_REPLACE && !world.stop_sent)
			go(search, world, FACT_LATE);
	}
}

static void world__goes_every_way__and_no_job_is_doubled_or_lost(void **state)
{
	(void)state;
	for (int stop_first = 0; stop_first < 2; stop_first++) {
		struct search search = { .stop_first = stop_first };
		struct world first = { .old = LIFE_PENDING, .new = LIFE_NONE };
		search.found = mem_new(WORLDS_MAX, sizeof(*search.found));
		first.step = (unsigned char)requeue_first_step(stop_first);
		first.act =
			(unsigned char)requeue_next((enum requeue_step)first.step, FACT_AGREED).act;
		add(&search, first);
		explore(&search);
		printf("%s first: %zu states\n", stop_first ? "stop" : "submit", search.count);
		assert_true(search.ends[REQUEUE_DONE] > 0);
		assert_true(search.ends[REQUEUE_OLD_STAYS] > 0);
		assert_true((search.ends[REQUEUE_BOTH] > 0) == !stop_first);
		assert_true((search.ends[REQUEUE_NOT_CREATED] > 0) == stop_first);
		assert_true(search.ends[REQUEUE_WITHDRAWN] > 0);
		free(search.found);
	}
}

/* What an earlier run created may be over since. */
static void old__is_never_stopped__for_a_dead_one_of_the_new_name(void **state)
{
	struct search search = { .name_is_dead = true };
	struct world first = { .old = LIFE_PENDING, .new = LIFE_STOPPED };
	(void)state;
	search.found = mem_new(WORLDS_MAX, sizeof(*search.found));
	first.step = (unsigned char)requeue_first_step(false);
	first.act = (unsigned char)requeue_next((enum requeue_step)first.step, FACT_AGREED).act;
	add(&search, first);
	explore(&search);
	assert_int_equal(search.ends[REQUEUE_DONE], 0);
	assert_true(search.ends[REQUEUE_NEW_OVER] > 0);
	free(search.found);
}

/* --- what a look says --- */

static void look__says_what_became_of_the_old_job__and_of_the_new(void **state)
{
	static const struct {
		const char *status, *secondary;
		bool started, stop_sent;
		enum requeue_fact fact;
	} cases[] = {
		{ "InProgress", "Pending", false, false, FACT_OLD_PENDING },
		{ "InProgress", "Starting", false, false, FACT_OLD_PENDING },
		{ "InProgress", "Downloading", true, false, FACT_OLD_STARTED },
		{ "InProgress", "Training", true, true, FACT_OLD_STARTED },
		/* A word that no list knows: it may be running. */
		{ "InProgress", "Quarantined", false, false, FACT_OLD_STARTED },
		{ "Stopping", "Stopping", false, true, FACT_OLD_STOPPING },
		{ "Stopped", "Stopped", false, true, FACT_OLD_ENDED },
		{ "Stopped", "Stopped", false, false, FACT_OLD_ENDED },
		{ "Failed", "Failed", false, false, FACT_OLD_ENDED },
		/* Started in the moment before the stop, which ended it; or stopped by others. */
		{ "Stopped", "Stopped", true, true, FACT_OLD_ENDED },
		{ "Stopped", "Stopped", true, false, FACT_OLD_RAN },
		{ "Completed", "Completed", true, true, FACT_OLD_RAN },
		{ "Failed", "Failed", true, true, FACT_OLD_RAN },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct job job = { .described = true, .started = { cases[i].started, 1000 } };
		mem_set_text(&job.status, cases[i].status);
		mem_set_text(&job.secondary_status, cases[i].secondary);
		if (requeue_fact_of_old(&job, true, cases[i].stop_sent) != cases[i].fact)
			fail_msg("case %zu", i);
		job_release(&job);
	}
	/* Before anything is begun only a job that waits is replaced. */
	struct job over = { .status = mem_copy_text("Stopping"), .described = true };
	assert_int_equal(requeue_fact_of_old(&over, false, false), FACT_OLD_RAN);
	mem_set_text(&over.status, "Stopped");
	assert_int_equal(requeue_fact_of_old(&over, false, false), FACT_OLD_RAN);
	job_release(&over);
	assert_int_equal(requeue_fact_of_old(NULL, true, true), FACT_OLD_GONE);
	assert_int_equal(requeue_fact_of_new(NULL), FACT_NEW_OVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step__follows_from_each_fact__as_the_issue_has_it),
		cmocka_unit_test(words__are_read_back__and_no_others),
		cmocka_unit_test(world__goes_every_way__and_no_job_is_doubled_or_lost),
		cmocka_unit_test(old__is_never_stopped__for_a_dead_one_of_the_new_name),
		cmocka_unit_test(look__says_what_became_of_the_old_job__and_of_the_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

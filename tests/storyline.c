#include "tests/storyline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "model/base/clock.h"
#include "tests/truth.h"

#define COLUMNS   140
#define LINES     44
#define STEP_MS   50
#define TRIES     8               /* how often X is pressed before it is given up */
#define INSERTED  "ml.p3.8xlarge" /* no other job of the scenario asks for it */
#define SECOND_MS 1000
#define MINUTE_MS 60000

struct entry {
	const char *instance_type;
	int count;
};

/* p5 x1, p4de x1, p4d x2 becomes this. */
static const struct entry edited[] = { { "ml.p4de.24xlarge", 1 },
				       { "ml.p5.48xlarge", 2 },
				       { INSERTED, 2 },
				       { "ml.p4d.24xlarge", 2 } };

/* --- waiting --- */

/* cmocka cuts its messages; a screen is longer. */
static void tell_screen(struct storyline *story, const char *text, const char *what)
{
	int status = 0;

	fprintf(stderr, "story: '%s' %s:\n%s\n", text, what, pty_text(story->pty));
	if (pty_wait_exit(story->pty, 0, &status))
		fprintf(stderr, "story: the program has ended, wait status %#x\n",
			(unsigned)status);
	fail();
}

void storyline_want(struct storyline *story, const char *text)
{
	if (!pty_wait_text(story->pty, text, story->patience_ms))
		tell_screen(story, text, "never came");
}

void storyline_want_gone(struct storyline *story, const char *text)
{
	if (!pty_wait_no_text(story->pty, text, story->patience_ms))
		tell_screen(story, text, "never went");
}

/* The index of the text that comes first, of those up to NULL. */
static size_t want_any(struct storyline *story, const char *const *texts)
{
	int found = pty_wait_any(story->pty, texts, story->patience_ms);

	if (found < 0)
		tell_screen(story, texts[0], "never came, nor another");
	return (size_t)found;
}

static void want_truth(struct storyline *story)
{
	struct buf difference;
	bool shown = false;

	buf_init(&difference, 1024);
	for (int waited = 0; !shown && waited < story->patience_ms; waited += STEP_MS) {
		pty_run(story->pty, STEP_MS);
		shown = truth_is_shown(story->pty, &story->region, &difference);
	}
	if (!shown)
		tell_screen(story, buf_text(&difference), "at last, against the region");
	buf_release(&difference);
}

/* --- the region's side --- */

static int64_t region_now_ms(const struct region *region)
{
	struct region_state state;
	int64_t now_ms = 0;

	region_state(region, &state);
	assert_true(time_parse_iso(region_text(&state, 0, "now"), &now_ms));
	region_state_release(&state);
	return now_ms;
}

static size_t count_jobs(const struct region *region)
{
	struct region_state state;

	region_state(region, &state);

	size_t count = json_doc_length(&state.doc, json_doc_member(&state.doc, 0, "jobs"));

	region_state_release(&state);
	return count;
}

static bool has_job(const struct region *region, const char *name)
{
	struct region_state state;

	region_state(region, &state);

	bool found = name[0] && region_state_job(&state, name) != JSON_NONE;

	region_state_release(&state);
	return found;
}

/* The oldest waiting job of the stem: the queue is oldest first. */
static void find_oldest(const struct region *region, char *name, size_t size)
{
	struct region_state state;
	struct buf text;

	region_state(region, &state);
	buf_init(&text, size - 1);

	size_t queue = json_doc_member(&state.doc, 0, "queue");

	for (size_t at = json_doc_child(&state.doc, queue); at != JSON_NONE;
	     at = json_doc_next(&state.doc, at)) {
		buf_clear(&text);
		assert_true(json_doc_string(&state.doc, at, &text));
		if (strncmp(buf_text(&text), STORYLINE_STEM, strlen(STORYLINE_STEM)) == 0)
			break;
	}
	assert_int_equal(strncmp(buf_text(&text), STORYLINE_STEM, strlen(STORYLINE_STEM)), 0);
	snprintf(name, size, "%s", buf_text(&text));
	buf_release(&text);
	region_state_release(&state);
}

/* However it was disturbed, one job came of it; undisturbed, one request. */
static void expect_one_job(const struct storyline *story)
{
	struct region_state state;

	assert_int_equal(count_jobs(&story->region), story->jobs_before + 1);
	region_state(&story->region, &state);
	if (story->undisturbed) {
		assert_int_equal(region_number(&state, "calls.CreateTrainingJob.ok", 0), 1);
		assert_int_equal(region_number(&state, "calls.CreateTrainingJob.failed", 0), 0);
	}
	region_state_release(&state);
}

static void expect_list(const struct storyline *story, const struct entry *entries, size_t count)
{
	struct region_state state;

	region_state(&story->region, &state);

	size_t job = region_state_job(&state, story->new_name);

	if (job == JSON_NONE)
		fail_msg("story: the region has no job %s", story->new_name);

	size_t request = json_doc_member(&state.doc, job, "request");
	size_t config = json_doc_member(&state.doc, request, "ResourceConfig");
	size_t list = json_doc_member(&state.doc, config, "InstancePreferences");
	size_t at = json_doc_child(&state.doc, list);

	assert_int_equal(json_doc_length(&state.doc, list), count);
	for (size_t i = 0; i < count; i++, at = json_doc_next(&state.doc, at)) {
		int64_t value = 0;

		assert_string_equal(region_text(&state, at, "InstanceType"),
				    entries[i].instance_type);
		assert_true(json_doc_integer(&state.doc,
					     json_doc_member(&state.doc, at, "InstanceCount"),
					     &value));
		assert_int_equal(value, entries[i].count);
	}
	assert_string_equal(region_text(&state, job, "secondary_status"), "Pending");
	region_state_release(&state);
	expect_one_job(story);
}

/* What a job got: "" and 0 while it waits. */
static void expect_selected(const struct region *region, const char *name, const char *type,
			    int64_t rank)
{
	struct region_state state;
	int64_t got = 0;

	region_state(region, &state);

	size_t job = region_state_job(&state, name);

	assert_true(job != JSON_NONE);

	size_t selected = json_doc_member(&state.doc, job, "selected");

	if (rank == 0) {
		assert_true(state.doc.nodes[selected].kind == JSON_NULL);
	} else {
		assert_string_equal(region_text(&state, selected, "instance_type"), type);
		assert_true(json_doc_integer(&state.doc,
					     json_doc_member(&state.doc, selected, "rank"), &got));
		assert_int_equal(got, rank);
	}
	region_state_release(&state);
}

/* --- the operator's side --- */

void storyline_start_region(struct storyline *story)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };

	region_start(&story->region, still);
	story->jobs_before = count_jobs(&story->region);
}

void storyline_start_program(struct storyline *story, const char *secret)
{
	char url[96], key[64];
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", "--pace", "2", NULL };
	const char *env[] = { url, key, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_REGION=us-east-1", NULL };

	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", story->region.url);
	snprintf(key, sizeof(key), "AWS_SECRET_ACCESS_KEY=%s", secret);
	story->pty = pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
}

static void filter_and_select(struct storyline *story)
{
	struct pty *pty = story->pty;
	char row[160];

	storyline_want(story, STORYLINE_PICTURE);
	storyline_want(story, "live");
	pty_type(pty, "f");
	pty_type(pty, STORYLINE_STEM);
	pty_type(pty, "\r");
	storyline_want_gone(story, "eval-nightly");
	pty_type(pty, "p");
	storyline_want_gone(story, "Completed");
	pty_type(pty, "g");
	snprintf(row, sizeof(row), "\u25b8 %s", story->old_name);
	storyline_want(story, row);
	storyline_want(story, "#1 ml.p5.48xlarge");
}

/* The entry is inserted above the cursor's. */
static void edit(struct storyline *story)
{
	struct pty *pty = story->pty;

	pty_type(pty, "P");
	storyline_want(story, "*Preferences");
	pty_type(pty, "J"); /* p5 goes down to #2 and the cursor with it */
	storyline_want(story, "#2 ml.p5.48xlarge");
	storyline_want(story, "#1 ml.p4de.24xlarge");
	pty_type(pty, "+");
	storyline_want(story, "draft");
	pty_type(pty, "i");
	storyline_want(story, "type");
	pty_type(pty, "p3.8");
	storyline_want(story, INSERTED);
	pty_type(pty, "\r");
	storyline_want(story, "#3 " INSERTED);
}

/* The word after a text on the screen. */
static void word_after(struct pty *pty, const char *before, char *word, size_t size)
{
	const char *at = strstr(pty_text(pty), before);

	assert_non_null(at);
	at += strlen(before);

	size_t len = strcspn(at, " \n");

	assert_true(len > 0 && len < size);
	memcpy(word, at, len);
	word[len] = '\0';
}

/* Past both orders of a requeue; each is asked for anew. */
static void choose_plain_copy(struct storyline *story)
{
	pty_type(story->pty, "\t");
	storyline_want(story, "first the old job is stopped");
	storyline_want(story, "name:");
	pty_type(story->pty, "\t");
	storyline_want(story, "NOT stopped");
	storyline_want(story, "name:");
}

/* X and the question: the name that it proposes. False if it does not ask yet. */
static bool press_submit(struct storyline *story, char *name, size_t size)
{
	static const char *const asked[] = { "name:", "not described yet", NULL };
	struct pty *pty = story->pty;

	pty_type(pty, "X");
	if (!story->undisturbed && want_any(story, asked) != 0) {
		/* Said of the X before, perhaps: then this one's question comes yet. */
		pty_run(pty, SECOND_MS);
		if (!strstr(pty_text(pty), asked[0]))
			return false;
	}
	storyline_want(story, "is pending and is replaced:");
	/* Where AWS is slow to tell the tags, they are not waited for without end. */
	if (story->undisturbed)
		storyline_want(story, "Tags copied: ");
	storyline_want(story, "name:"); /* the worst case is above 1,000 dollars: it is typed */
	if (!story->undisturbed)
		choose_plain_copy(story);
	word_after(pty, "Send ", name, size);
	assert_int_equal(strncmp(name, STORYLINE_STEM "-", strlen(STORYLINE_STEM) + 1), 0);
	return true;
}

/* Types the name; true once it is told that the job is submitted, false after a refusal. */
static bool answer(struct storyline *story, const char *name)
{
	const char *const ends[] = { "submitted", "Esc closes", NULL };
	struct pty *pty = story->pty;
	char done[160];

	snprintf(done, sizeof(done), "submitted %s", name);
	pty_type(pty, name);
	pty_type(pty, "\r");
	if (story->undisturbed)
		storyline_want(story, done);
	else if (want_any(story, (const char *const[]){ done, ends[1], NULL }) != 0) {
		pty_type(pty, "\x1b");
		storyline_want_gone(story, "Esc closes");
		return false;
	}
	return true;
}

/* As an operator would: again after a refusal. What may have arrived keeps its name. */
static void submit(struct storyline *story)
{
	char name[sizeof(story->new_name)] = "";

	unsigned sends = 0;

	story->unsent_ms = region_now_ms(&story->region);
	for (int i = 0; i < TRIES; i++) {
		char again[sizeof(name)];

		if (!press_submit(story, again, sizeof(again)))
			continue;
		if (has_job(&story->region, name))
			assert_string_equal(again, name);
		memcpy(name, again, sizeof(name));
		if (story->before_try)
			story->before_try(&story->region, sends++);
		if (!answer(story, name))
			continue;
		story->taken_ms = region_now_ms(&story->region);
		memcpy(story->new_name, name, sizeof(story->new_name));
		return;
	}
	tell_screen(story, "submitted", "never came");
}

/* The copy waits; the cursor is on it by itself. */
static void see_it_pending(struct storyline *story)
{
	char row[160];

	expect_list(story, edited, sizeof(edited) / sizeof(edited[0]));
	snprintf(row, sizeof(row), "\u25b8 %s", story->new_name);
	storyline_want(story, row);
	storyline_want(story, "Insufficient capacity");
	if (story->notice)
		storyline_want(story, story->notice);
}

/* "waited 10m": the region's clock says from when and until when, to the second. */
static void want_wait(struct storyline *story, int64_t before_ms, int64_t after_ms)
{
	char words[8][32];
	const char *texts[ARRAY_LEN(words) + 1] = { NULL };
	int64_t least = (before_ms - story->taken_ms - SECOND_MS) / MINUTE_MS;
	int64_t most = (after_ms - story->unsent_ms + SECOND_MS) / MINUTE_MS;

	assert_true(most - least < (int64_t)ARRAY_LEN(words));
	for (int64_t i = 0; i <= most - least; i++) {
		snprintf(words[i], sizeof(words[i]), "waited %dm", (int)(least + i));
		texts[i] = words[i];
	}
	want_any(story, texts);
}

static void free_capacity(struct storyline *story)
{
	const struct region *region = &story->region;

	/* One p5: too little for the copy's two; the old job gets it, unless it is replaced. */
	region_control(region, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":1}");
	expect_selected(region, story->old_name, "ml.p5.48xlarge", !story->undisturbed);
	expect_selected(region, story->new_name, "", 0);
	region_control(region, "advance", "{\"seconds\":600}");

	int64_t before_ms = region_now_ms(region);

	region_control(region, "capacity", "{\"instance_type\":\"" INSERTED "\",\"free\":2}");
	expect_selected(region, story->new_name, INSERTED, 3);

	int64_t after_ms = region_now_ms(region);

	storyline_want(story,
		       "\u2502#3 " INSERTED " \u00d72"); /* at the frame: the pane Selected */
	storyline_want(story, "\u2713#3 " INSERTED);     /* the entry that was taken, in Queue */
	storyline_want(story, "8\u00d7V100");            /* a p3.8xlarge has four */
	want_wait(story, before_ms, after_ms);
	storyline_want(story,
		       "$29.38"); /* by the hour: 2 x 14.688 dollars, of the list or the table */
}

static bool is_stopped(const struct storyline *story)
{
	struct region_state state;

	region_state(&story->region, &state);

	size_t job = region_state_job(&state, story->new_name);
	bool stopped = strncmp(region_text(&state, job, "status"), "Stopp", strlen("Stopp")) == 0;

	if (story->undisturbed)
		assert_int_equal(region_number(&state, "calls.StopTrainingJob.ok", 0),
				 1 + stopped); /* the old one's */
	region_state_release(&state);
	return stopped;
}

/* S and y; under faults again, until it is so. The row of the selected job is always in sight. */
static void stop(struct storyline *story)
{
	static const char *const asked[] = { "y = yes", "stopping already", "ended already", NULL };
	static const char *const ends[] = { "is being stopped", "stopping already", "Not stopped",
					    "Perhaps stopped", NULL };
	struct pty *pty = story->pty;

	assert_false(is_stopped(story));
	for (int i = 0; i < TRIES && !is_stopped(story); i++) {
		pty_type(pty, "S");
		if (want_any(story, asked) != 0)
			continue;
		pty_type(pty, "y");
		storyline_want_gone(story, asked[0]);

		size_t end = want_any(story, ends);

		if (end >= 2) { /* the refusal, which is read to its end */
			pty_type(pty, "\x1b");
			storyline_want_gone(story, ends[end]);
		}
		if (story->undisturbed)
			storyline_want(story, ends[0]);
	}
	assert_true(is_stopped(story));
	want_truth(story);
}

void storyline_tell(struct storyline *story)
{
	find_oldest(&story->region, story->old_name, sizeof(story->old_name));
	filter_and_select(story);
	edit(story);
	submit(story);
	see_it_pending(story);
	free_capacity(story);
	pty_type(story->pty, "a");
	want_truth(story);
	stop(story);
	expect_one_job(story);
}

void storyline_end(struct storyline *story)
{
	int status = 0;

	pty_type(story->pty, "Q");
	assert_true(pty_wait_exit(story->pty, story->patience_ms, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(story->pty);
	region_stop(&story->region);
}

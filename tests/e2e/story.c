/*
 * The story that gpuq exists for, on the real program and the real region: see the queue, filter,
 * select a pending job, reorder its list, change a count, insert a type, submit, see it pending,
 * free capacity, see the selected type, rank, wait and cost, quit. Asserted on the screen and on
 * the region's state. `make breaks` wants it red under each patch of tests/breaks/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/region.h"
#include "tests/screen.h"

#define SOON_MS  15000 /* generous: a sanitizer build on a busy machine */
#define COLUMNS  140
#define LINES    44
#define STEM     "llm-ft-7b"
#define INSERTED "ml.p3.8xlarge" /* no other job of the scenario asks for it */

static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };

static struct pty *start_gpuq(const struct region *region, const char *secret)
{
	char url[96], key[64];
	snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", region->url);
	snprintf(key, sizeof(key), "AWS_SECRET_ACCESS_KEY=%s", secret);
	const char *argv[] = { region_program("gpuq"), "--refresh", "1", NULL };
	const char *env[] = { url, key, "AWS_ACCESS_KEY_ID=AKIDSIM", "AWS_REGION=us-east-1", NULL };
	return pty_start(&(struct pty_options){
		.argv = argv, .env = env, .columns = COLUMNS, .lines = LINES });
}

/* cmocka cuts its messages; a screen is longer. */
static void tell(struct pty *pty, const char *text, const char *what)
{
	fprintf(stderr, "story: '%s' %s:\n%s\n", text, what, pty_text(pty));
	fail();
}

static void want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		tell(pty, text, "never came");
}

static void want_gone(struct pty *pty, const char *text)
{
	if (!pty_wait_no_text(pty, text, SOON_MS))
		tell(pty, text, "never went");
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
		if (strncmp(buf_text(&text), STEM, strlen(STEM)) == 0)
			break;
	}
	assert_int_equal(strncmp(buf_text(&text), STEM, strlen(STEM)), 0);
	snprintf(name, size, "%s", buf_text(&text));
	buf_release(&text);
	region_state_release(&state);
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

struct entry {
	const char *instance_type;
	int count;
};

static void expect_sent_once(const struct region *region)
{
	struct region_state state;
	region_state(region, &state);
	assert_int_equal(region_number(&state, "calls.CreateTrainingJob.ok", 0), 1);
	assert_int_equal(region_number(&state, "calls.CreateTrainingJob.failed", 0), 0);
	region_state_release(&state);
}

static void expect_list(const struct region *region, const char *name, const struct entry *entries,
			size_t count)
{
	struct region_state state;
	region_state(region, &state);
	size_t job = region_state_job(&state, name);
	if (job == JSON_NONE)
		fail_msg("story: the region has no job %s", name);
	size_t request = json_doc_member(&state.doc, job, "request");
	size_t config = json_doc_member(&state.doc, request, "ResourceConfig");
	size_t list = json_doc_member(&state.doc, config, "InstancePreferences");
	assert_int_equal(json_doc_length(&state.doc, list), count);
	size_t at = json_doc_child(&state.doc, list);
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
	expect_sent_once(region);
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

static void filter_and_select(struct pty *pty, const char *name)
{
	want(pty, "pending 12");
	want(pty, "live");
	pty_type(pty, "f");
	pty_type(pty, STEM);
	pty_type(pty, "\r");
	want_gone(pty, "eval-nightly");
	pty_type(pty, "p");
	want_gone(pty, "Completed");
	pty_type(pty, "g");
	char row[160];
	snprintf(row, sizeof(row), "\u25b8 %s", name);
	want(pty, row);
	want(pty, "#1 ml.p5.48xlarge");
}

/* p5 x1, p4de x1, p4d x2 becomes p4de x1, p5 x2, p3.8 x2 (as the entry above), p4d x2. */
static void edit(struct pty *pty)
{
	pty_type(pty, "P");
	want(pty, "*Preferences");
	pty_type(pty, "J"); /* p5 goes down to #2 and the cursor with it */
	want(pty, "#2 ml.p5.48xlarge");
	want(pty, "#1 ml.p4de.24xlarge");
	pty_type(pty, "+");
	want(pty, "draft");
	pty_type(pty, "i");
	want(pty, "type");
	pty_type(pty, "p3.8");
	want(pty, INSERTED);
	pty_type(pty, "\r");
	want(pty, "#3 " INSERTED);
}

static void submit(struct pty *pty, const struct region *region, char *new_name, size_t size)
{
	struct region_state state;
	pty_type(pty, "X");
	want(pty, "NOT stopped");
	want(pty, "Tags are not copied");
	want(pty, "name:"); /* the worst case is above 1,000 dollars: the name is typed */
	word_after(pty, "Send ", new_name, size);
	assert_int_equal(strncmp(new_name, STEM "-", strlen(STEM) + 1), 0);
	region_state(region, &state);
	assert_int_equal(region_number(&state, "calls.CreateTrainingJob.ok", 0), 0);
	region_state_release(&state);
	pty_type(pty, new_name);
	pty_type(pty, "\r");
	want(pty, "submitted");
}

static void operator__edits_and_submits_a_pending_job__and_watches_it(void **unused)
{
	(void)unused;
	struct region region;
	char old_name[128], new_name[128], row[160];
	static const struct entry sent[] = { { "ml.p4de.24xlarge", 1 },
					     { "ml.p5.48xlarge", 2 },
					     { INSERTED, 2 },
					     { "ml.p4d.24xlarge", 2 } };
	int status = 0;
	region_start(&region, still);
	find_oldest(&region, old_name, sizeof(old_name));
	struct pty *pty = start_gpuq(&region, "simsecret");
	filter_and_select(pty, old_name);
	edit(pty);
	submit(pty, &region, new_name, sizeof(new_name));
	expect_list(&region, new_name, sent, 4);
	snprintf(row, sizeof(row), "\u25b8 %s", new_name);
	want(pty, row);
	want(pty, "Insufficient capacity");

	/* One p5: too little for the copy's two; the oldest job that wants one gets it. */
	region_control(&region, "capacity", "{\"instance_type\":\"ml.p5.48xlarge\",\"free\":1}");
	expect_selected(&region, old_name, "ml.p5.48xlarge", 1);
	expect_selected(&region, new_name, "", 0);
	region_control(&region, "advance", "{\"seconds\":600}");
	region_control(&region, "capacity", "{\"instance_type\":\"" INSERTED "\",\"free\":2}");
	expect_selected(&region, new_name, INSERTED, 3);
	want(pty, "\u2502#3 " INSERTED " \u00d72"); /* at the frame: the pane Selected */
	want(pty, "\u2713#3 " INSERTED);            /* the entry that was taken, in Queue */
	want(pty, "8\u00d7V100");                   /* a p3.8xlarge has four */
	want(pty, "waited 10m");        /* 600 simulated seconds and the few that the test took */
	want(pty, "per hour  ~$29.38"); /* 2 x 14.688 dollars in the price table */

	expect_sent_once(&region);

	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(pty);
	region_stop(&region);
}

static void wrong_secret__is_refused__and_said(void **unused)
{
	(void)unused;
	struct region region;
	int status = 0;
	region_start(&region, still);
	struct pty *pty = start_gpuq(&region, "wrong");
	want(pty, "signature");
	assert_null(strstr(pty_text(pty), STEM));
	pty_type(pty, "Q");
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
	region_stop(&region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operator__edits_and_submits_a_pending_job__and_watches_it),
		cmocka_unit_test(wrong_secret__is_refused__and_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

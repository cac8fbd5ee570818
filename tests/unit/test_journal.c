/* The journal's records: what is written is read back, nothing else is, and what follows. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/journal.h"
#include "model/state_folder.h"

#define NOW_MS  INT64_C(1796071688000) /* 2026-11-30T20:48:08Z */
#define MINUTE  INT64_C(60000)
#define REQUEST "{\"TrainingJobName\": \"run-1\",\n\t\"Environment\": {\"A\": \"\\u00e9 \\\"é\"}}"

static struct journal_record sample(void)
{
	struct journal_record record = {
		.kind = JOB_TRAINING,
		.name = "run-1",
		.draft = "0f3a-7",
		.account = "111122223333",
		.region = "us-east-1",
		.endpoint = mem_copy_text("http://127.0.0.1:4567/"),
		.key = "0123456789abcdef",
		.first = { NOW_MS - 5, NOW_MS + 5, true },
		.agreed = { NOW_MS, NOW_MS + 10, true },
		.holder = { .host = "login-1",
			    .machine = "00ff",
			    .boot = "b-0-0-t",
			    .space = "pid:[4026531836]",
			    .pid = 4711,
			    .started = 99 },
		.replaces = { .set = true,
			      .despite_owner = true,
			      .carries_tags = true,
			      .stop_first = true,
			      .kind = JOB_TRAINING,
			      .name = "old-1",
			      .arn = mem_copy_text("arn:old-1"),
			      .step = "stopping" },
		.request = mem_copy_text(REQUEST),
	};

	return record;
}

static char *written(const struct journal_record *record)
{
	struct buf text;

	buf_init(&text, JOURNAL_RECORD_MAX);
	journal_write(record, &text);
	assert_false(text.failed);
	return buf_take(&text);
}

static enum journal_read read_text(const char *text, struct journal_record *record)
{
	struct err err = { 0 };
	enum journal_read read = journal_read(record, text, strlen(text), &err);

	assert_int_equal(read == JOURNAL_READ_DAMAGED, err.code == ERR_PARSE);
	err_clear(&err);
	return read;
}

static void record__comes_back__as_it_was_written(void **state)
{
	struct journal_record before = sample(), after = { 0 };
	char *text = written(&before), *again;

	(void)state;
	assert_int_equal(read_text(text, &after), JOURNAL_READ_OK);
	assert_string_equal(after.name, "run-1");
	assert_string_equal(after.draft, "0f3a-7");
	assert_string_equal(after.account, "111122223333");
	assert_string_equal(after.endpoint, "http://127.0.0.1:4567/");
	assert_string_equal(after.request, REQUEST);
	assert_true(process_equal(&after.holder, &before.holder));
	assert_true(after.first.aws_ms == NOW_MS - 5 && after.first.wall_ms == NOW_MS + 5);
	assert_true(after.agreed.measured);
	assert_true(after.replaces.set && after.replaces.stop_first);
	assert_true(after.replaces.despite_owner);
	assert_true(after.replaces.carries_tags);
	assert_string_equal(after.replaces.name, "old-1");
	assert_string_equal(after.replaces.step, "stopping");
	assert_null(after.arn);
	again = written(&after);
	assert_string_equal(text, again);
	free(text);
	free(again);
	journal_record_release(&before);
	journal_record_release(&after);
}

static void settled_record__keeps_the_arn__without_its_request(void **state)
{
	struct journal_record before = sample(), after = { 0 };
	char *text;

	(void)state;
	before.state = JOURNAL_SUBMITTED;
	before.settled = (struct opt_ms){ true, NOW_MS + 3 };
	mem_set_text(&before.arn, "arn:run-1");
	mem_set_text(&before.request, NULL);
	mem_set_text(&before.endpoint, NULL);
	text = written(&before);
	assert_int_equal(read_text(text, &after), JOURNAL_READ_OK);
	assert_int_equal(after.state, JOURNAL_SUBMITTED);
	assert_string_equal(after.arn, "arn:run-1");
	assert_null(after.request);
	assert_null(after.endpoint);
	assert_true(after.settled.set && after.settled.ms == NOW_MS + 3);
	free(text);
	journal_record_release(&before);
	journal_record_release(&after);
}

static void refused_record__keeps_why_and_by_what_code(void **state)
{
	struct journal_record before = sample(), after = { 0 };
	char *text = written(&before);

	(void)state;
	assert_null(strstr(text, "\"code\"")); /* programs from before it can read the others */
	free(text);
	before.state = JOURNAL_REFUSED;
	before.settled = (struct opt_ms){ true, NOW_MS + 3 };
	mem_set_text(&before.request, NULL);
	mem_set_text(&before.why, "no such member");
	snprintf(before.code, sizeof(before.code), "ValidationException");
	snprintf(before.request_id, sizeof(before.request_id), "id-1");
	before.no_lists = true;
	text = written(&before);
	assert_int_equal(read_text(text, &after), JOURNAL_READ_OK);
	assert_string_equal(after.why, "no such member");
	assert_string_equal(after.code, "ValidationException");
	assert_string_equal(after.request_id, "id-1");
	assert_true(after.no_lists);
	free(text);
	journal_record_release(&before);
	journal_record_release(&after);
}

/* Puts one text in the place of another. */
static char *altered(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct buf out;

	if (!at)
		fail_msg("no %s in it", from);
	buf_init(&out, JOURNAL_RECORD_MAX);
	buf_add(&out, text, (size_t)(at - text));
	buf_add_text(&out, to);
	buf_add_text(&out, at + strlen(from));
	return buf_take(&out);
}

static void record__is_damaged__by_anything_else(void **state)
{
	static const char *const changes[][2] = {
		{ "\"version\": 1", "\"version\": 0" },
		{ "\"version\": 1", "\"version\": \"1\"" },
		{ "\"state\": \"intended\"", "\"state\": \"sent\"" },
		{ "\"state\": \"intended\"", "\"state\": \"submitted\"" }, /* without an ARN */
		{ "\"kind\": \"training\",\n", "\"kind\": \"tuning\",\n" },
		{ "\"kind\": \"training\",\n", "\"kind\": \"processing\",\n" }, /* another member */
		{ "\"name\": \"run-1\"", "\"name\": \"run-2\"" }, /* the request says another */
		{ "\"name\": \"run-1\"", "\"name\": \"../run-1\"" },
		{ "\"name\": \"run-1\"", "\"name\": null" },
		{ "\"draft\": \"0f3a-7\"", "\"draft\": \"../x\"" },
		{ "\"draft\": \"0f3a-7\"", "\"draft\": \"\"" },
		{ "\"draft\": \"0f3a-7\",", "" },
		{ "\"draft\": \"0f3a-7\"", "\"draft\": null, \"more\": 1" },
		{ "\"account\": \"111122223333\"", "\"account\": \"1111222233334\"" },
		{ "\"settled_ms\": null", "\"settled_ms\": 1" },
		{ "\"settled_ms\": null", "\"settled_ms\": false" },
		{ "\"measured\": true", "\"measured\": 1" },
		{ "\"wall_ms\": ", "\"wall_ms\": -" },
		{ "\"pid\": 4711", "\"pid\": 4711.5" },
		{ "\"pid\": 4711", "\"pid\": 9223372036854775807" },
		{ "\"space\"", "\"spice\"" },
		{ "\"order\": \"stop-first\"", "\"order\": \"both\"" },
		{ "\"name\": \"old-1\"", "\"name\": \"old 1\"" },
		{ "\"arn\": null", "\"arn\": \"arn:x\"" }, /* of a job that is not known yet */
		{ "\"request\": \"{", "\"request\": \"[" },
		{ "\"request\": \"", "\"request\": null, \"other\": \"" },
		{ "\n}\n", "\n" },
		{ "\n}\n", "\n}\n}" },
	};
	struct journal_record record = sample(), read = { 0 };
	char *text = written(&record);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		char *bad = altered(text, changes[i][0], changes[i][1]);

		if (read_text(bad, &read) != JOURNAL_READ_DAMAGED)
			fail_msg("%s was read", changes[i][1]);
		assert_null(read.request);
		free(bad);
	}
	for (size_t len = 0; len + 1 < strlen(text); len++) {
		char *cut = mem_copy_bytes(text, len);

		assert_int_equal(read_text(cut, &read), JOURNAL_READ_DAMAGED);
		free(cut);
	}
	free(text);
	journal_record_release(&record);
}

static void record__of_a_later_version__is_left_alone(void **state)
{
	struct journal_record record = { 0 };

	(void)state;
	assert_int_equal(read_text("{\"version\": 2, \"what\": []}", &record), JOURNAL_READ_NEWER);
}

static void key__is_a_file_name__or_there_is_none(void **state)
{
	char key[JOURNAL_KEY_SIZE];

	(void)state;
	assert_true(journal_key(JOB_TRAINING, "run-1", "", key));
	assert_string_equal(key, "training-run-1");
	assert_true(journal_key(JOB_PROCESSING, "run-1", NULL, key));
	assert_string_equal(key, "processing-run-1");
	assert_true(journal_key(JOB_PROCESSING, "run-1", "ab-0", key));
	assert_string_equal(key, "draft-ab-0");
	assert_false(journal_key(JOB_TRAINING, "../run", "", key));
	assert_false(journal_key(JOB_TRAINING, "", "", key));
	assert_false(journal_key(JOB_TRAINING, "run-1", "a/b", key));
	assert_false(journal_key(JOB_TRAINING, "run-1", ".", key));
}

/* --- what follows --- */

#define AGE(minutes)                   \
	{                              \
		true, (minutes)*MINUTE \
	}
#define NO_AGE    \
	{         \
		0 \
	}

static void next__follows__from_what_was_seen(void **state)
{
	static const struct {
		struct journal_look look;
		enum journal_next next;
	} rows[] = {
		/* It is there: whatever else. */
		{ { SIGHT_OURS, AGE(0), 0, 0, false }, NEXT_SUBMITTED },
		{ { SIGHT_OURS, AGE(16), 0, 0, false }, NEXT_SUBMITTED },
		{ { SIGHT_OURS, NO_AGE, 0, 0, true }, NEXT_SUBMITTED },
		{ { SIGHT_OTHER, AGE(0), 0, 0, false }, NEXT_TAKEN },
		{ { SIGHT_OTHER, NO_AGE, 0, 0, true }, NEXT_TAKEN },
		/* Nobody knows: never sent, whatever the age. */
		{ { SIGHT_UNKNOWN, AGE(0), 0, 0, false }, NEXT_LOOK },
		{ { SIGHT_UNKNOWN, AGE(0), 5, 60000, false }, NEXT_LOOK },
		{ { SIGHT_UNKNOWN, AGE(16), 5, 60000, true }, NEXT_LOOK },
		/* Not there: looked at twice, and three seconds after the send. */
		{ { SIGHT_NONE, AGE(0), 1, 0, false }, NEXT_LOOK },
		{ { SIGHT_NONE, AGE(0), 1, 60000, false }, NEXT_LOOK },
		{ { SIGHT_NONE, AGE(0), 2, 2999, false }, NEXT_LOOK },
		{ { SIGHT_NONE, AGE(0), 2, 3000, false }, NEXT_SEND },
		{ { SIGHT_NONE, AGE(14), 9, 60000, false }, NEXT_SEND },
		{ { SIGHT_NONE, AGE(15), 2, 3000, false }, NEXT_SEND },
		{ { SIGHT_NONE, { true, 15 * MINUTE + 1 }, 2, 3000, false }, NEXT_ASK },
		{ { SIGHT_NONE, AGE(16), 1, 3000, false }, NEXT_LOOK },
		{ { SIGHT_NONE, NO_AGE, 2, 3000, false }, NEXT_ASK },
		/* Refused, after a try that may have arrived: the same looks. */
		{ { SIGHT_NONE, AGE(0), 1, 3000, true }, NEXT_LOOK },
		{ { SIGHT_NONE, AGE(0), 2, 3000, true }, NEXT_REFUSED },
		{ { SIGHT_NONE, AGE(16), 2, 3000, true }, NEXT_REFUSED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (journal_next(&rows[i].look) != rows[i].next)
			fail_msg("row %zu: %d", i, journal_next(&rows[i].look));
}

static void age__is_the_longer_one__of_two_clocks(void **state)
{
	struct journal_record record = { .agreed = { NOW_MS, NOW_MS, true } };
	struct journal_now now = { NOW_MS + 5 * MINUTE, NOW_MS + 5 * MINUTE, false };

	(void)state;
	assert_true(journal_age(&record, &now).ms == 5 * MINUTE);
	now.wall_ms += 20 * MINUTE; /* the machine's was set ahead: it is not younger for that */
	assert_true(journal_age(&record, &now).ms == 25 * MINUTE);
	now.wall_ms = NOW_MS - MINUTE; /* set back */
	assert_false(journal_age(&record, &now).set);
	/* AWS was an hour ahead when the yes was given, and has not answered this program yet. */
	record.agreed.aws_ms += 60 * MINUTE;
	now = (struct journal_now){ NOW_MS + MINUTE, NOW_MS + MINUTE, true };
	assert_true(journal_age(&record, &now).ms == MINUTE);
	now.blind = false;
	assert_false(journal_age(&record, &now).set);
	record.agreed.aws_ms = NOW_MS;
	now = (struct journal_now){ NOW_MS - 3000, NOW_MS, false }; /* Date has whole seconds */
	assert_true(journal_age(&record, &now).set && journal_age(&record, &now).ms == 0);
}

static void since__allows__for_two_clocks(void **state)
{
	struct journal_record record = { .first = { NOW_MS, NOW_MS - MINUTE, true } };
	struct journal_now now = { NOW_MS + 1000, NOW_MS - MINUTE + 1000, false };

	(void)state;
	assert_true(journal_is_since(&record, &now, (struct opt_ms){ true, NOW_MS }));
	assert_true(journal_is_since(&record, &now, (struct opt_ms){ true, NOW_MS - 5000 }));
	assert_false(journal_is_since(&record, &now, (struct opt_ms){ true, NOW_MS - 5001 }));
	assert_true(journal_is_since(&record, &now, (struct opt_ms){ 0 }));
	/* Written before AWS had said what time it is, by a machine that is a minute behind. */
	record.first = (struct journal_time){ NOW_MS - MINUTE, NOW_MS - MINUTE, false };
	assert_true(journal_is_since(&record, &now, (struct opt_ms){ true, NOW_MS - 5000 }));
	assert_false(journal_is_since(&record, &now, (struct opt_ms){ true, NOW_MS - 5001 }));
}

static void claim__is_free__unless_somebody_may_send_or_has_sent(void **state)
{
	static const struct {
		enum journal_state state;
		const char *draft;
		enum process_state holder;
		enum journal_claim claim;
	} rows[] = {
		{ JOURNAL_INTENDED, "d", PROCESS_SELF, CLAIM_OWN },
		{ JOURNAL_INTENDED, "d", PROCESS_LIVES, CLAIM_HELD },
		{ JOURNAL_INTENDED, "", PROCESS_LIVES, CLAIM_HELD },
		{ JOURNAL_INTENDED, "d", PROCESS_GONE, CLAIM_LEFT },
		{ JOURNAL_INTENDED, "d", PROCESS_ELSEWHERE, CLAIM_ELSEWHERE },
		{ JOURNAL_SUBMITTED, "d", PROCESS_GONE, CLAIM_SPENT },
		{ JOURNAL_SUBMITTED, "d", PROCESS_SELF, CLAIM_SPENT },
		{ JOURNAL_SUBMITTED, "", PROCESS_GONE, CLAIM_FREE }, /* AWS keeps the name */
		{ JOURNAL_REFUSED, "d", PROCESS_LIVES, CLAIM_FREE },
		{ JOURNAL_TAKEN, "d", PROCESS_ELSEWHERE, CLAIM_FREE },
		{ JOURNAL_WITHDRAWN, "d", PROCESS_GONE, CLAIM_FREE },
	};

	(void)state;
	assert_int_equal(journal_claim(NULL, PROCESS_SELF), CLAIM_FREE);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct journal_record record = { .state = rows[i].state };

		snprintf(record.draft, sizeof(record.draft), "%s", rows[i].draft);
		if (journal_claim(&record, rows[i].holder) != rows[i].claim)
			fail_msg("row %zu", i);
	}
}

/* --- who holds it --- */

static void process__is_gone__once_killed_though_nobody_waits(void **state)
{
	struct process self, child;
	int fds[2];
	pid_t pid;
	siginfo_t info;

	(void)state;
	process_self(&self);
	assert_int_equal(process_state(&self), PROCESS_SELF);
	assert_true(self.pid == getpid() && self.started > 0);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		process_self(&child);
		if (write(fds[1], &child, sizeof(child)) != (ssize_t)sizeof(child))
			_exit(1);
		pause();
		_exit(0);
	}
	assert_true(read(fds[0], &child, sizeof(child)) == (ssize_t)sizeof(child));
	assert_true(child.pid == pid);
	assert_int_equal(process_state(&child), PROCESS_LIVES);
	self = child;
	self.started++; /* its number, given to another one since */
	assert_int_equal(process_state(&self), PROCESS_GONE);
	kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(process_state(&child), PROCESS_GONE);
	waitpid(pid, NULL, 0);
	assert_int_equal(process_state(&child), PROCESS_GONE);
	close(fds[0]);
	close(fds[1]);
}

static void process__on_another_machine__is_never_gone(void **state)
{
	struct process self, other;

	(void)state;
	process_self(&self);
	other = self;
	other.pid = 1 << 30;
	assert_int_equal(process_state(&other), PROCESS_GONE);
	other.boot[0] ^= 1;
	assert_int_equal(process_state(&other), PROCESS_GONE);
	other.machine[0] ^= 1; /* two machines of one name */
	assert_int_equal(process_state(&other), PROCESS_ELSEWHERE);
	other = self;
	other.host[0] ^= 1;
	assert_int_equal(process_state(&other), PROCESS_ELSEWHERE);
	other = self;
	other.space[0] ^= 1; /* another container: its numbers mean nothing here */
	assert_int_equal(process_state(&other), PROCESS_ELSEWHERE);
}

/* --- where it lies --- */

static void assert_name(struct state_place place, const char *expected)
{
	struct buf name;

	buf_init(&name, STATE_FOLDER_NAME_MAX);
	state_folder_add_name(&name, &place);
	assert_string_equal(buf_text(&name), expected);
	buf_release(&name);
}

static void folder__is_named__by_account_region_and_endpoint(void **state)
{
	(void)state;
	assert_name((struct state_place){ "111122223333", "us-east-1", "" },
		    "111122223333-us-east-1-aws");
	assert_name((struct state_place){ "", "", "" }, "unknown-unknown-aws");
	assert_name((struct state_place){ "../../x", "a/b c\n", "" }, "------x-a-b-c--aws");
	/* FNV-1a of "http://127.0.0.1:4567", by a program of its own: its first twelve digits. */
	assert_name((struct state_place){ "1", "r", "http://127.0.0.1:4567" }, "1-r-1fd27d826f56");
	assert_name((struct state_place){ "1", "r", "HTTP://127.0.0.1:4567/base?x" },
		    "1-r-1fd27d826f56");
	assert_name((struct state_place){ "1", "r", "https://127.0.0.1:4567" }, "1-r-acff708ab702");
}

static void root__is_absolute__or_there_is_none(void **state)
{
	struct err err = { 0 };
	struct buf out;

	(void)state;
	buf_init(&out, STATE_PATH_MAX);
	assert_true(state_root("/x/state", "/home/u", &out, &err));
	assert_string_equal(buf_text(&out), "/x/state/gpuq");
	buf_clear(&out);
	assert_true(state_root("state", "/home/u", &out, &err));
	assert_string_equal(buf_text(&out), "/home/u/.local/state/gpuq");
	buf_clear(&out);
	assert_true(state_root("", "/home/u", &out, &err));
	assert_false(state_root(NULL, "", &out, &err));
	assert_int_equal(err.code, ERR_CONFIG);
	err_clear(&err);
	buf_release(&out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(record__comes_back__as_it_was_written),
		cmocka_unit_test(settled_record__keeps_the_arn__without_its_request),
		cmocka_unit_test(refused_record__keeps_why_and_by_what_code),
		cmocka_unit_test(record__is_damaged__by_anything_else),
		cmocka_unit_test(record__of_a_later_version__is_left_alone),
		cmocka_unit_test(key__is_a_file_name__or_there_is_none),
		cmocka_unit_test(next__follows__from_what_was_seen),
		cmocka_unit_test(age__is_the_longer_one__of_two_clocks),
		cmocka_unit_test(since__allows__for_two_clocks),
		cmocka_unit_test(claim__is_free__unless_somebody_may_send_or_has_sent),
		cmocka_unit_test(process__is_gone__once_killed_though_nobody_waits),
		cmocka_unit_test(process__on_another_machine__is_never_gone),
		cmocka_unit_test(folder__is_named__by_account_region_and_endpoint),
		cmocka_unit_test(root__is_absolute__or_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Drafts in the real program on the real region: kept through a kill, read from a file, edited in
 * $EDITOR, sent and refused, and told of where the disk refuses.
 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/clock.h"
#include "tests/process.h"
#include "tests/region.h"
#include "tests/screen.h"
#include "tests/shared.h"
#include "tests/statehome.h"

#define SOON_MS 30000 /* generous: a sanitizer build on a busy machine */
#define TRIES   20    /* until a shell has seen its file */
#define JOB     "llm-pretrain-1b"
#define FILE_TEXT                                                                            \
	"{\"TrainingJobName\": \"from-file\", \"RoleArn\": "                                 \
	"\"arn:aws:iam::111122223333:role/gpu\",\n \"AlgorithmSpecification\": "             \
	"{\"TrainingImage\": \"111122223333.dkr.ecr.us-east-1.amazonaws.com/llm:1\", "       \
	"\"TrainingInputMode\": \"File\"},\n \"OutputDataConfig\": {\"S3OutputPath\": "      \
	"\"s3://bucket/out\"},\n \"ResourceConfig\": {\"InstanceType\": \"ml.g5.2xlarge\", " \
	"\"InstanceCount\": 1, \"VolumeSizeInGB\": 50},\n \"StoppingCondition\": "           \
	"{\"MaxRuntimeInSeconds\": 3600}}\n"

struct scene {
	struct region region;
	char folder[STATEHOME_SIZE + 16]; /* of this test: state, files, scripts */
	const char *editor;
	bool full;  /* no byte more may be written to a file */
	bool alone; /* neither prices nor quotas have an answer */
};

static int start(void **state)
{
	static const char *const still[] = { "--scenario", "still", "--seed", "7", NULL };
	static struct scene scene;
	static unsigned number;
	scene = (struct scene){ 0 };
	(void)snprintf(scene.folder, sizeof(scene.folder), "%s/%u", statehome(), number++);
	assert_int_equal(mkdir(scene.folder, 0700), 0);
	region_start(&scene.region, still);
	*state = &scene;
	return 0;
}

static int stop(void **state)
{
	struct scene *scene = *state;
	region_stop(&scene->region);
	return 0;
}

/* A command, on the same region and in the same folder of state. */
static void run_command(const struct scene *scene, struct process_result *result,
			const char *const *words)
{
	char url[96], home[STATEHOME_SIZE + 48];
	const char *argv[16] = { region_program("gpuq"), "--pace", "5" };
	const char *env[] = { url,
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      home,
			      "AWS_REGION=us-east-1",
			      NULL };
	(void)snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", scene->region.url);
	(void)snprintf(home, sizeof(home), "XDG_STATE_HOME=%s/state", scene->folder);
	for (size_t i = 0; words[i]; i++)
		argv[3 + i] = words[i];
	process_run(result, argv, env, NULL);
}

static struct pty *run(const struct scene *scene)
{
	static char url[96], home[STATEHOME_SIZE + 48], editor[STATEHOME_SIZE + 96];
	static const char full[] = "ulimit -f 0; exec \"$0\" \"$@\"";
	const char *argv[] = { "sh",
			       "-c",
			       scene->full ? full : "exec \"$0\" \"$@\"",
			       region_program("gpuq"),
			       "--refresh",
			       "1",
			       "--pace",
			       "5",
			       NULL };
	const char *env[] = { url,
			      "AWS_SECRET_ACCESS_KEY=simsecret",
			      "AWS_ACCESS_KEY_ID=AKIDSIM",
			      home,
			      "AWS_REGION=us-east-1",
			      editor,
			      scene->alone ? "AWS_ENDPOINT_URL_PRICING=http://127.0.0.1:9" : NULL,
			      "AWS_ENDPOINT_URL_SERVICE_QUOTAS=http://127.0.0.1:9",
			      NULL };
	(void)snprintf(url, sizeof(url), "AWS_ENDPOINT_URL=%s", scene->region.url);
	(void)snprintf(home, sizeof(home), "XDG_STATE_HOME=%s/state", scene->folder);
	(void)snprintf(editor, sizeof(editor), "EDITOR=%s", scene->editor ? scene->editor : "");
	return pty_start(
		&(struct pty_options){ .argv = argv, .env = env, .columns = 140, .lines = 40 });
}

static void tell(struct pty *pty, const char *text)
{
	/* cmocka cuts its messages; a screen is longer. */
	fprintf(stderr, "drafts: '%s' never came or never went:\n%s\n", text, pty_text(pty));
	fail();
}

static void want(struct pty *pty, const char *text)
{
	if (!pty_wait_text(pty, text, SOON_MS))
		tell(pty, text);
}

static void want_gone(struct pty *pty, const char *text)
{
	if (!pty_wait_no_text(pty, text, SOON_MS))
		tell(pty, text);
}

static void want_end(struct pty *pty)
{
	int status = -1;
	if (!pty_wait_exit(pty, SOON_MS, &status))
		tell(pty, "the end");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	pty_stop(pty);
}

static void select_job(struct pty *pty)
{
	want(pty, "live");
	pty_type(pty, "f" JOB "\rg");
	want(pty, "\u25b8 " JOB);
	want(pty, "#1 ml.p5e.48xlarge");
}

/* Files below the folder whose names end so, or begin so where ending is NULL, and whose paths have
 * a part, where one is given. */
static unsigned count_files(const char *folder, const char *ending, const char *beginning,
			    const char *part)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;
	if (!dir)
		return 0;
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		char path[1024];
		size_t len = strlen(entry->d_name), end = ending ? strlen(ending) : 0;
		struct stat status;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		bool is = ending ? len > end && strcmp(entry->d_name + len - end, ending) == 0
				 : strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
		count += is && (!part || strstr(path, part));
		if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
			count += count_files(path, ending, beginning, part);
	}
	closedir(dir);
	return count;
}

/* Until so many drafts are on disk; says how long that took. */
static void want_files(struct pty *pty, const struct scene *scene, unsigned count, const char *what)
{
	struct clock clock = clock_system();
	int64_t begun = clock_mono_ms(&clock);
	char folder[256];
	(void)snprintf(folder, sizeof(folder), "%s/state", scene->folder);
	while (count_files(folder, ".json", NULL, "/drafts/") != count) {
		pty_run(pty, 20);
		if (clock_mono_ms(&clock) - begun > SOON_MS)
			tell(pty, what);
	}
	printf("%s after %lld ms\n", what, (long long)(clock_mono_ms(&clock) - begun));
}

static void put_file(const struct scene *scene, const char *name, const char *text, mode_t mode,
		     char path[256])
{
	(void)snprintf(path, 256, "%s/%s", scene->folder, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(chmod(path, mode), 0);
}

static void kill_it(struct pty *pty)
{
	int status;
	pty_signal(pty, SIGKILL);
	assert_true(pty_wait_exit(pty, SOON_MS, &status));
	pty_stop(pty);
}

/* Killed with a list edited, a clone and a note: the next start has all of it again, on the job and
 * as a row, and so has the one after that. */
static void drafts__are_there_again__after_a_kill(void **state)
{
	struct scene *scene = *state;
	struct pty *pty = run(scene);
	select_job(pty);
	pty_type(pty, "PJ");
	want(pty, "draft*");
	want_files(pty, scene, 1, "an edited list is on disk");
	pty_type(pty, "\x1b");
	want(pty, "*Jobs");
	pty_type(pty, "K");
	want(pty, "D Draft");
	pty_type(pty, "wquota of p5e is 0\r");
	want(pty, "note: quota of p5e is 0");
	want_files(pty, scene, 2, "a clone is on disk");
	pty_run(pty, 1000); /* what product.md promises: the note, too */
	kill_it(pty);
	for (int i = 0; i < 2; i++) {
		pty = run(scene);
		want(pty, "live");
		want(pty, "D Draft");
		want(pty, "1 local");
		pty_type(pty, "f" JOB "\rg");
		want(pty, "note: quota of p5e is 0");
		pty_type(pty, "j");
		want(pty, "draft*");
		want(pty, "#1 ml.p5.48xlarge");
		if (i == 0)
			kill_it(pty);
	}
	/* Undo leads to what the job has; nothing is asked at the end. */
	pty_type(pty, "Pu");
	want(pty, "#1 ml.p5e.48xlarge");
	pty_type(pty, "Q");
	want_end(pty);
}

/* A: a request's file, and what is none (case 020). The files stay as they are. */
static void file__is_a_draft__or_is_named_with_its_fault(void **state)
{
	struct scene *scene = *state;
	struct pty *pty = run(scene);
	char good[256], bad[256];
	size_t len = 0;
	char *text = shared_read("cases/020-json-with-hash-comments/input.json", &len);
	put_file(scene, "good.json", FILE_TEXT, 0400, good);
	put_file(scene, "bad.json", text ? text : "{\"A\": 1, # one\n}", 0400, bad);
	want(pty, "live");
	pty_type(pty, "A");
	want(pty, "request file:");
	pty_type(pty, bad);
	pty_type(pty, "\r");
	want(pty, "comments are not JSON");
	want(pty, "The file is as it was");
	want(pty, "bad.json");
	pty_type(pty, "qA\x15"); /* C-u: the path before is offered */
	pty_type(pty, good);
	pty_type(pty, "\r");
	want(pty, "is read from");
	want(pty, "\u25b8 from-file");
	want(pty, "#1 ml.g5.2xlarge");
	want_files(pty, scene, 1, "a file's draft is on disk");
	pty_type(pty, "Q");
	want_end(pty);
	free(text);
}

static long calls(const struct scene *scene)
{
	return region_calls(&scene->region, "ListTrainingJobs");
}

/* $EDITOR has the terminal, with the arguments that stand in the variable; the program goes on
 * meanwhile, and the screen is there again afterwards. The file is nobody else's, and goes. */
static void editor__changes_the_request__while_the_program_goes_on(void **state)
{
	static const char script[] =
		"#!/bin/sh\n"
		"stat -c '%a' \"$3\" >\"$0.mode\"\n"
		"stat -c '%a' \"$(dirname \"$3\")\" >>\"$0.mode\"\n"
		"printf '%s|%s' \"$1\" \"$2\" >>\"$0.mode\"\n"
		"printf 'in the editor\\n'\n"
		"read -r line\n"
		"cp \"$3\" \"$3~\"\n"
		"sed 's/\"MaxRuntimeInSeconds\": [0-9]*/\"MaxRuntimeInSeconds\": 7201/' \"$3~\" "
		">\"$3\"\n"
		"stty raw -echo; printf '\\033[?25l\\033[7m'\n"; /* leaves the terminal in disorder
								  */
	struct scene *scene = *state;
	char path[256], editor[300], mode[300], folder[256], line[128] = "";
	put_file(scene, "edit.sh", script, 0700, path);
	(void)snprintf(editor, sizeof(editor), "%s -f 'two words'", path);
	scene->editor = editor;
	struct pty *pty = run(scene);
	select_job(pty);
	pty_type(pty, "E");
	want(pty, "in the editor");
	assert_false(pty_is_alternate(pty));
	long before = calls(scene);
	for (int i = 0; i < 300 && calls(scene) < before + 2; i++)
		pty_run(pty, 100);
	assert_true(calls(scene) >= before + 2);
	pty_type(pty, "\n");
	want(pty, "the request is changed: u in its list undoes it");
	assert_true(pty_is_alternate(pty));
	want(pty, "draft*");
	pty_type(pty, "X");
	want(pty, "*Submit");
	pty_run(pty, 400); /* the question's deaf time */
	for (int i = 0; i < 4 && !pty_wait_text(pty, "\"MaxRuntimeInSeconds\": 7201", 500); i++)
		pty_type(pty, "\x1b[6~");
	want(pty, "\"MaxRuntimeInSeconds\": 7201");
	/* Asked anew when the job's tags have come: deaf again for a moment. */
	for (int i = 0; i < 10 && !pty_wait_no_text(pty, "*Submit", 1000); i++)
		pty_type(pty, "\x1b");
	want_gone(pty, "*Submit");
	(void)snprintf(mode, sizeof(mode), "%s.mode", path);
	FILE *file = fopen(mode, "re");
	assert_non_null(file);
	assert_string_equal(fgets(line, sizeof(line), file), "600\n");
	assert_string_equal(fgets(line, sizeof(line), file), "700\n");
	assert_string_equal(fgets(line, sizeof(line), file), "-f|two words");
	fclose(file);
	(void)snprintf(folder, sizeof(folder), "%s/state", scene->folder);
	assert_int_equal(count_files(folder, NULL, "edit-", NULL), 0);
	assert_int_equal(count_files(folder, NULL, "request.json", NULL), 0);
	pty_type(pty, "Q");
	want_end(pty);
}

static size_t count_scratch(const struct scene *scene)
{
	char folder[256];
	(void)snprintf(folder, sizeof(folder), "%s/state", scene->folder);
	return count_files(folder, NULL, "edit-", NULL);
}

/* What a killed one has left there holds secrets: the next start removes it, but not while its
 * editor is open, nor what a program that lives is at. */
static void editor__of_a_killed_program__leaves_nothing(void **state)
{
	static const char script[] = "#!/bin/sh\n"
				     "trap '' HUP\n"
				     "printf 'in the editor\\n'\n"
				     "while [ ! -e \"$0.end\" ]; do sleep 0.1; done\n";
	struct scene *scene = *state;
	char path[256], end[256];
	put_file(scene, "edit.sh", script, 0700, path);
	scene->editor = path;
	struct pty *first = run(scene), *second;
	select_job(first);
	pty_type(first, "E");
	want(first, "in the editor");
	assert_int_equal(count_scratch(scene), 1);
	second = run(scene); /* the first one lives */
	select_job(second);
	assert_int_equal(count_scratch(scene), 1);
	kill_it(second);
	kill_it(first);
	second = run(scene); /* its editor does */
	select_job(second);
	assert_int_equal(count_scratch(scene), 1);
	kill_it(second);
	put_file(scene, "edit.sh.end", "", 0600, end);
	for (int i = 0; i < TRIES && count_scratch(scene) > 0; i++) {
		second = run(scene);
		select_job(second);
		kill_it(second);
	}
	assert_int_equal(count_scratch(scene), 0);
}

/* An editor that fails, and one that leaves no request. */
static void editor__that_goes_wrong__loses_nothing(void **state)
{
	static const char script[] = "#!/bin/sh\n"
				     "[ -e \"$0.once\" ] || { : >\"$0.once\"; exit 3; }\n"
				     "echo 'not json' >\"$1\"\n";
	struct scene *scene = *state;
	char path[256];
	put_file(scene, "edit.sh", script, 0700, path);
	scene->editor = path;
	struct pty *pty = run(scene);
	select_job(pty);
	pty_type(pty, "E");
	want(pty, "the request is as it was: the editor ended with status 3");
	pty_type(pty, "E");
	want(pty, "What was edited is no request");
	pty_type(pty, "n");
	want(pty, "E goes on with the text that was edited");
	want_gone(pty, "draft*");
	pty_type(pty, "Q");
	want_end(pty);
	scene->editor = "/nonexistent/editor";
	pty = run(scene);
	select_job(pty);
	pty_type(pty, "E");
	want(pty, "/nonexistent/editor cannot be started: No such file or directory");
	want(pty, "\u25b8 " JOB);
	pty_type(pty, "Q");
	want_end(pty);
}

/* Cases 063 and 070: under way it is a row of its own, refused it is one, and never a job. */
static void submission__is_no_job__before_aws_says_so(void **state)
{
	struct scene *scene = *state;
	struct region_state region;
	struct pty *pty = run(scene);
	char path[256];
	put_file(scene, "good.json", FILE_TEXT, 0600, path);
	region_control(&scene->region, "fault",
		       "{\"operation\":\"CreateTrainingJob\",\"delay_ms\":3000,\"count\":1,"
		       "\"status\":400,\"code\":\"ResourceLimitExceeded\"}");
	want(pty, "live");
	pty_type(pty, "A");
	want(pty, "request file:");
	pty_type(pty, path);
	pty_type(pty, "\r");
	want(pty, "\u25b8 from-file");
	pty_type(pty, "X");
	want(pty, "Send from-file");
	want(pty, "y = yes");
	pty_type(pty, "y");
	want(pty, "Sending from-file");
	pty_type(pty, "\x1b");
	want(pty, "D Sending");
	want(pty, "D Refused");
	want(pty, "ResourceLimitExceeded");
	want(pty, "from-file is not a job. X tries again, D discards it.");
	pty_run(pty, 1000); /* product.md: it is on disk by now */
	region_state(&scene->region, &region);
	assert_int_equal(region_state_job(&region, "from-file"), JSON_NONE);
	region_state_release(&region);
	kill_it(pty);
	/* What the screen says of it the command says, from the draft that is kept. */
	struct process_result result;
	const char *const explain[] = { "explain", "from-file", "-o", "jsonl", NULL };
	run_command(scene, &result, explain);
	assert_int_equal(result.status, 0);
	if (!strstr(result.out, "\"class\":\"quota\"") ||
	    !strstr(result.out, "\"value\":\"ResourceLimitExceeded\""))
		fail_msg("%s", result.out);
	process_release(&result);
	/* The next start offers it again, with why; this time it is taken. */
	pty = run(scene);
	want(pty, "D Refused");
	pty_type(pty, "g");
	want(pty, "ResourceLimitExceeded");
	pty_type(pty, "x"); /* the second key since the start: its cause */
	want(pty, "ErrorCode: ResourceLimitExceeded");
	want(pty, "  quota");
	pty_type(pty, "q");
	pty_type(pty, "X");
	want(pty, "Send from-file");
	want(pty, "y = yes");
	pty_type(pty, "y");
	want(pty, "submitted from-file");
	want_gone(pty, "D Refused");
	want_files(pty, scene, 0, "a submitted draft is gone");
	region_state(&scene->region, &region);
	assert_int_not_equal(region_state_job(&region, "from-file"), JSON_NONE);
	region_state_release(&region);
	pty_type(pty, "Q");
	want_end(pty);
}

/* A disk that takes no byte more: said once, the drafts stay in memory, and leaving asks. */
static void full_disk__is_said__and_memory_goes_on(void **state)
{
	struct scene *scene = *state;
	scene->full = true;
	struct pty *pty = run(scene);
	select_job(pty);
	pty_type(pty, "PJ");
	want(pty, "draft*");
	want(pty, "drafts are not kept on disk");
	pty_type(pty, "J");
	want(pty, "#1 ml.p5.48xlarge");
	pty_type(pty, "Q");
	want(pty, "Quit all the same?");
	pty_type(pty, "n");
	want_gone(pty, "Quit all the same?");
	want(pty, "draft*");
	pty_type(pty, "Q");
	want(pty, "Quit all the same?");
	pty_type(pty, "y");
	want_end(pty);
}

/* Price list, quotas and disk pulled away at once: each is said to be unknown, with why, and
 * everything else goes on, to the submission's question. */
static void all_but_the_jobs__pulled_away__is_unknown_and_goes_on(void **state)
{
	static const char limit[] = "the limit of 'ml.p5.48xlarge for training job usage' is not "
				    "checked: no connection";
	struct scene *scene = *state;
	scene->full = scene->alone = true;
	struct pty *pty = run(scene);
	want(pty, "the history is kept in memory alone");
	select_job(pty);
	want(pty, "~$"); /* by the table in the program */
	pty_type(pty, "%");
	want(pty, "no connection");
	want(pty, "?    2    ? ");
	pty_type(pty, "\x1b");
	want(pty, "*Jobs");
	pty_type(pty, "PJ");
	want(pty, "draft*");
	want(pty, "drafts are not kept on disk");
	pty_type(pty, "X");
	want(pty, limit);
	want(pty, "anything else is No");
	for (int i = 0; i < 10 && !pty_wait_no_text(pty, "*Submit", 1000); i++)
		pty_type(pty, "\x1b");
	want(pty, "draft*");
	long before = calls(scene);
	while (calls(scene) < before + 2)
		pty_run(pty, 100);
	want(pty, "live");
	pty_type(pty, "Q");
	want(pty, "Quit all the same?");
	pty_type(pty, "y");
	want_end(pty);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(drafts__are_there_again__after_a_kill),
		TEST(file__is_a_draft__or_is_named_with_its_fault),
		TEST(editor__changes_the_request__while_the_program_goes_on),
		TEST(editor__of_a_killed_program__leaves_nothing),
		TEST(editor__that_goes_wrong__loses_nothing),
		TEST(submission__is_no_job__before_aws_says_so),
		TEST(full_disk__is_said__and_memory_goes_on),
		TEST(all_but_the_jobs__pulled_away__is_unknown_and_goes_on),
	};
	return cmocka_run_group_tests_name("drafts", tests, NULL, NULL);
}

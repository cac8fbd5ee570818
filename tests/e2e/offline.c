/*
 * What asks AWS nothing: the policy, the manual, the completions in the shells themselves, and what
 * an installation leaves behind. Shells and readers of manuals that are not there are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "tests/gpuq.h"
#include "tests/statehome.h"

#define SOON 20000

static const char *const still[] = { "--scenario", "still", "--seed", "3", "--rate", "0", NULL };

static int start(void **state)
{
	return gpuq_start_region(state, still);
}

/* A shell's script with this program first in PATH and a home of its own; "$1" is that home. */
static void run_script(struct process_result *result, const char *shell, const char *script)
{
	char path[512], home[256], zdot[256];
	snprintf(path, sizeof(path), "%s", region_program("gpuq"));
	*strrchr(path, '/') = '\0';
	char variable[600];
	snprintf(variable, sizeof(variable), "PATH=%s:/usr/bin:/bin", path);
	snprintf(home, sizeof(home), "HOME=%s", statehome());
	snprintf(zdot, sizeof(zdot), "XDG_CONFIG_HOME=%s/config", statehome());
	const char *argv[] = { shell, "-c", script, "x", statehome(), NULL };
	const char *env[] = {
		variable, home, zdot, "LANG=C.UTF-8", "AWS_REGION=us-east-1", statehome_variable(),
		NULL
	};
	process_run(result, argv, env, NULL);
}

static bool is_there(const char *program)
{
	if (access(program, X_OK) == 0)
		return true;
	print_message("skipped: no %s\n", program);
	return false;
}

static void want_script(const char *shell, const char *script, const char *expected)
{
	struct process_result result;
	run_script(&result, shell, script);
	if (result.status != 0 || strcmp(result.out, expected) != 0 || result.err[0])
		fail_msg("%s\n%s\nstatus %d:\n%s\nnot\n%s\n%s", shell, script, result.status,
			 result.out, expected, result.err);
	process_release(&result);
}

static void policy__is_told_in_each_format__without_a_region(void **state)
{
	struct process_result result;
	struct json_doc doc;
	struct err err = { 0 };
	const char *argv[] = { region_program("gpuq"), "iam-policy", "-o", "table", NULL, NULL };
	const char *env[] = { "LANG=C.UTF-8", NULL };
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		static const char *const formats[] = { "table", "json", "jsonl" };
		argv[3] = formats[i];
		process_run(&result, argv, env, NULL);
		assert_int_equal(result.status, 0);
		assert_true(json_doc_parse(&doc, result.out, strlen(result.out), &err));
		assert_int_equal(json_doc_length(&doc, json_doc_member(&doc, 0, "Statement")), 4);
		assert_int_equal(strchr(result.out, '\n')[1] == '\0', i == 2);
		gpuq_want_text(result.err, "put the role of your jobs");
		json_doc_release(&doc);
		process_release(&result);
	}
	argv[3] = "csv";
	argv[4] = "--read-only";
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 0);
	assert_string_equal(result.err, "");
	gpuq_want_text(result.out,
		       "statement,action,resource\nLook,sagemaker:ListTrainingJobs,*\n");
	gpuq_want_text(result.out, "LookAtLogs,logs:GetLogEvents,arn:aws:logs:*:*:log-group:"
				   "/aws/sagemaker/*\n");
	assert_null(strstr(result.out, "Create"));
	process_release(&result);
}

/* groff and mandoc, as far as they are there, take it without a word; and it says what it should.
 */
static void manual__renders_without_a_warning(void **state)
{
	struct process_result result;
	(void)state;
	if (is_there("/usr/bin/man"))
		want_script("/bin/sh",
			    "gpuq man >\"$1/gpuq.1\"; man -l --warnings -E UTF-8 "
			    "\"$1/gpuq.1\" 2>&1 >/dev/null",
			    "");
	if (is_there("/usr/bin/mandoc"))
		want_script("/bin/sh", "gpuq man | mandoc -T lint -W warning", "");
	if (!is_there("/usr/bin/man"))
		return;
	run_script(&result, "/bin/sh", "MANWIDTH=100 man -l -E UTF-8 \"$1/gpuq.1\" | col -b");
	gpuq_want_text(result.out, "gpuq - watch GPU queues on Amazon SageMaker");
	gpuq_want_text(result.out, "-p, --profile NAME");
	gpuq_want_text(result.out, "gpuq iam-policy --read-only");
	gpuq_want_text(result.out, "max_per_hour");
	process_release(&result);
}

/* A job of that status, which is looked at, and so kept. */
static void keep_one(const struct region *region, const char *status, char name[128])
{
	struct process_result result;
	struct region_state truth;
	region_state(region, &truth);
	size_t at = json_doc_child(&truth.doc, json_doc_member(&truth.doc, 0, "jobs"));
	while (strcmp(region_text(&truth, at, "status"), status) != 0)
		at = json_doc_next(&truth.doc, at);
	snprintf(name, 128, "%s", region_text(&truth, at, "name"));
	region_state_release(&truth);
	GPUQ_RUN(&result, region, "show", name);
	assert_int_equal(result.status, 0);
	process_release(&result);
}

static void want_jobs(const char *command, const char *region, const char *expected)
{
	const char *argv[] = {
		region_program("gpuq"), "__complete", "-r", region, command, "", NULL
	};
	const char *env[] = { "LANG=C.UTF-8", NULL };
	struct process_result result;
	process_run(&result, argv, env, NULL);
	assert_int_equal(result.status, 0);
	assert_string_equal(result.out, expected);
	process_release(&result);
}

/* Names of jobs are those of the history that an earlier command has kept; those that live first.
 */
static void job_names__come_from_what_was_kept(void **state)
{
	char ended[128], live[128], all[260];
	(void)state;
	keep_one(*state, "Completed", ended);
	keep_one(*state, "InProgress", live);
	long before = region_calls(*state, "");
	snprintf(all, sizeof(all), "%s\n%s\n", live, ended);
	want_jobs("show", "us-east-1", all);
	snprintf(all, sizeof(all), "%s\n", live);
	want_jobs("stop", "us-east-1", all);
	want_jobs("show", "eu-west-1", "");
	assert_int_equal(region_calls(*state, ""), before);
}

#define BASH(line, point)                                                                    \
	"eval \"$(gpuq completion bash)\"; set -f; COMP_WORDS=(" line "); COMP_CWORD=" point \
	"; compopt() { echo \"opt $*\"; }; _gpuq gpuq; printf '%s\\n' \"${COMPREPLY[@]}\""

/* As bash hands the words over: parted at ":" and "=". */
static void bash__completes(void **state)
{
	(void)state;
	if (!is_there("/bin/bash"))
		return;
	want_script("/bin/bash", BASH("gpuq sto", "1"), "stop\n");
	want_script("/bin/bash", BASH("gpuq jobs --kind = tr", "4"), "training\n");
	want_script("/bin/bash", BASH("gpuq jobs --kind =", "3"), "training\nprocessing\n");
	want_script("/bin/bash", BASH("gpuq forecast --prefs ml.p5.48xlarge : 2,ml.p4d", "5"),
		    "opt -o\nnospace\n2,ml.p4d.24xlarge\n2,ml.p4de.24xlarge\n");
	want_script("/bin/bash", BASH("gpuq check ''", "2"), "opt -o\ndefault\n\n");
	want_script("/bin/bash",
		    "mkdir -p \"$HOME/.aws\"; printf '[profile ops]\\n[profile \"my $x\"]\\n' "
		    ">\"$HOME/.aws/config\"; " BASH("gpuq -p ''", "2"),
		    "ops\nmy\\ \\$x\n");
}

/* A real line in a real shell. */
static void bash__completes__as_it_is_typed(void **state)
{
	char rc[256], path[512];
	(void)state;
	if (!is_there("/bin/bash"))
		return;
	snprintf(path, sizeof(path), "%s", region_program("gpuq"));
	*strrchr(path, '/') = '\0';
	snprintf(rc, sizeof(rc), "%s/rc", statehome());
	FILE *file = fopen(rc, "we");
	assert_non_null(file);
	fprintf(file,
		"PS1='> '; PATH=%s:$PATH; bind 'set enable-bracketed-paste off'\n"
		"eval \"$(gpuq completion bash)\"; echo ready\n",
		path);
	assert_int_equal(fclose(file), 0);
	static const char *const lines[][2] = {
		{ "gpuq prices ml.p5.48\t-o js\t", "> gpuq prices ml.p5.48xlarge -o json" },
		{ "gpuq submit --prefs ml.g5.2x\t:1,ml.p4de\t",
		  "> gpuq submit --prefs ml.g5.2xlarge:1,ml.p4de.24xlarge" },
	};
	const char *argv[] = { "bash", "--noprofile", "--rcfile", rc, "-i", NULL };
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct pty *pty = pty_start(&(struct pty_options){ .argv = argv });
		gpuq_want(pty, "ready\n>");
		pty_type(pty, lines[i][0]);
		gpuq_want(pty, lines[i][1]);
		pty_stop(pty);
	}
}

static void zsh__completes__as_it_is_typed(void **state)
{
	char rc[256], path[512];
	(void)state;
	if (!is_there("/usr/bin/zsh"))
		return;
	snprintf(path, sizeof(path), "%s", region_program("gpuq"));
	*strrchr(path, '/') = '\0';
	snprintf(rc, sizeof(rc), "%s/.zshrc", statehome());
	FILE *file = fopen(rc, "we");
	assert_non_null(file);
	fprintf(file,
		"PS1='> '; PATH=%s:$PATH; autoload -U compinit; compinit -D -u\n"
		"eval \"$(gpuq completion zsh)\"; echo ready\n",
		path);
	assert_int_equal(fclose(file), 0);
	char zdot[256];
	snprintf(zdot, sizeof(zdot), "ZDOTDIR=%s", statehome());
	const char *argv[] = { "/usr/bin/zsh", "-i", NULL };
	const char *env[] = { zdot, NULL };
	struct pty *pty = pty_start(&(struct pty_options){ .argv = argv, .env = env });
	gpuq_want(pty, "ready\n>");
	pty_type(pty, "gpuq prices ml.p5.48\t-o jsonl");
	gpuq_want(pty, "> gpuq prices ml.p5.48xlarge -o jsonl");
	assert_true(pty_wait_quiet(pty, 300, SOON));
	pty_type(pty, "\025gpuq submit --prefs ml.g5.2x\t:1,ml.p4de\t");
	gpuq_want(pty, "> gpuq submit --prefs ml.g5.2xlarge:1,ml.p4de.24xlarge");
	assert_true(pty_wait_quiet(pty, 300, SOON));
	pty_type(pty, "\025gpuq re\t");
	gpuq_want(pty, "> gpuq requeue");
	pty_stop(pty);
}

static void fish__completes(void **state)
{
	(void)state;
	if (!is_there("/usr/bin/fish"))
		return;
#define FISH(line) "gpuq completion fish | source; complete -C '" line "'"
	want_script("/usr/bin/fish", FISH("gpuq sto"),
		    "stop\tstop jobs, one after the other (asks first)\n");
	want_script("/usr/bin/fish", FISH("gpuq jobs --kind tr"), "training\n");
	want_script("/usr/bin/fish", FISH("gpuq forecast --prefs ml.p5.48xlarge:2,ml.p4de"),
		    "ml.p5.48xlarge:2,ml.p4de.24xlarge\t8 A100\n");
	want_script("/usr/bin/fish", FISH("gpuq check /etc/hostn"), "/etc/hostname\n");
}

/* All that is put there is taken away, and nothing else. */
static void installation__leaves_nothing_behind(void **state)
{
	char build[600], script[2048];
	(void)state;
	snprintf(build, sizeof(build), "%s", region_program("gpuq"));
	*strrchr(build, '/') = '\0';
	snprintf(script, sizeof(script),
		 "export BUILD='%s' DESTDIR=\"$1/root\" PREFIX=/usr; set -e; mkdir \"$1/root\"\n"
		 "sh .packaging/install put; cd \"$1/root\"; find . -type f | sort\n"
		 "usr/bin/gpuq --version; bash -n usr/share/bash-completion/completions/gpuq\n"
		 "cd \"$OLDPWD\"; mkdir \"$1/root/usr/share/mine\"; sh .packaging/install remove\n"
		 "find \"$1/root\" -mindepth 1 | sed \"s,^$1/root/,,\" | sort; rm -r \"$1/root\"",
		 build);
	want_script("/bin/sh", script,
		    "./usr/bin/gpuq\n./usr/libexec/gpuq/gpuq-sim\n"
		    "./usr/share/bash-completion/completions/gpuq\n"
		    "./usr/share/fish/vendor_completions.d/gpuq.fish\n"
		    "./usr/share/man/man1/gpuq.1\n./usr/share/zsh/site-functions/_gpuq\n"
		    "gpuq 0.1.0\nusr\nusr/share\nusr/share/mine\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy__is_told_in_each_format__without_a_region),
		cmocka_unit_test(manual__renders_without_a_warning),
		cmocka_unit_test(job_names__come_from_what_was_kept),
		cmocka_unit_test(bash__completes),
		cmocka_unit_test(bash__completes__as_it_is_typed),
		cmocka_unit_test(zsh__completes__as_it_is_typed),
		cmocka_unit_test(fish__completes),
		cmocka_unit_test(installation__leaves_nothing_behind),
	};
	return cmocka_run_group_tests(tests, start, gpuq_stop_region);
}

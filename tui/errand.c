#define _GNU_SOURCE /* pipe2 */
#include "tui/errand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/attr.h"

/* As they were when the user's shell started us. */
static void reset_signals(void)
{
	static const int signals[] = { SIGINT,  SIGQUIT, SIGTERM,  SIGHUP,  SIGPIPE,
				       SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD, SIGXFSZ };
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		(void)sigaction(signals[i], &action, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child; only a failed exec comes back, and says why. */
static void run(char *const argv[], int why)
{
	reset_signals();
	(void)execvp(argv[0], argv);
	ssize_t ignored = write(why, &errno, sizeof(errno));
	(void)ignored;
	_exit(127);
}

/* C-\ is meant for the program; C-c and C-z are looked at by the terminal's own handlers. */
static void ignore_quit(bool ignore)
{
	struct sigaction action = { .sa_handler = ignore ? SIG_IGN : SIG_DFL };

	(void)sigaction(SIGQUIT, &action, NULL);
}

static void come_back(struct errand *errand)
{
	errand->pid = 0;
	loop_on_signal(errand->loop, SIGCHLD, NULL, NULL);
	ignore_quit(false);
	term_take_back(errand->term);
}

static void on_child(int signo, void *ctx)
{
	struct errand *errand = ctx;
	int status = 0;

	(void)signo;
	if (errand->pid == 0 || waitpid(errand->pid, &status, WNOHANG) != errand->pid)
		return;
	come_back(errand);
	errand->ended(errand->ctx, status);
}

static bool fail(struct err *err, const char *program, int why)
{
	err_set(err, ERR_IO, "%s cannot be started: %s", program, strerror(why));
	return err_subject(err, "%s", program);
}

bool errand_start(struct errand *errand, char *const argv[], struct err *err)
{
	int why[2], failure = 0;

	if (errand->pid)
		return err_set(err, ERR_IO, "an editor is open already");
	if (pipe2(why, O_CLOEXEC) != 0)
		return fail(err, argv[0], errno);
	term_lend(errand->term);
	ignore_quit(true);
	loop_on_signal(errand->loop, SIGCHLD, on_child, errand);
	errand->pid = fork();
	if (errand->pid == 0)
		run(argv, why[1]);
	failure = errand->pid < 0 ? errno : 0;
	(void)close(why[1]);
	/* At once: either exec closes it, or the failure is there. */
	if (errand->pid > 0 && read(why[0], &failure, sizeof(failure)) != sizeof(failure))
		failure = 0;
	(void)close(why[0]);
	if (!failure)
		return true;
	if (errand->pid > 0)
		(void)waitpid(errand->pid, NULL, 0);
	come_back(errand);
	return fail(err, argv[0], failure);
}

void errand_leave(struct errand *errand)
{
	if (!errand->pid)
		return;
	errand->pid = 0;
	loop_on_signal(errand->loop, SIGCHLD, NULL, NULL);
}

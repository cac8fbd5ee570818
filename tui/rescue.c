#include "tui/rescue.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"

#define STACK_BYTES 65536 /* the fault may be that there is no stack left */

static const int fatal_signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT };
#define FATAL ARRAY_LEN(fatal_signals)

/* A signal handler is given nothing but the number, so what it needs has to be static. */
static struct {
	volatile sig_atomic_t armed;
	struct tty tty;
	char restore[RESCUE_BYTES];
	size_t len;
	void *stack; /* owned */
	stack_t old_stack;
	struct sigaction old[FATAL];
} rescue;

void rescue_now(void)
{
	size_t done;

	if (!rescue.armed)
		return;
	rescue.armed = 0;
	tty_start(&rescue.tty);
	if (tty_write(&rescue.tty, rescue.restore, rescue.len, &done) != TTY_SOME ||
	    done < rescue.len) {
		/* The reader has stopped: what it has not read yet is a picture anyway. */
		(void)tcflush(rescue.tty.out_fd, TCOFLUSH);
		(void)tty_write(&rescue.tty, rescue.restore, rescue.len, &done);
	}
	tty_restore(&rescue.tty);
}

static void die(int signo, siginfo_t *info, void *context)
{
	(void)context;
	rescue_now();
	for (size_t i = 0; i < FATAL; i++)
		if (fatal_signals[i] == signo)
			(void)sigaction(signo, &rescue.old[i], NULL);
	/* A fault comes again by itself, with all it has to tell; what was sent is sent again. */
	if (info->si_code <= 0 || signo == SIGQUIT)
		(void)raise(signo);
}

static void take_signals(void)
{
	struct sigaction action = { .sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t stack = { .ss_size = STACK_BYTES };

	rescue.stack = mem_new(1, STACK_BYTES);
	stack.ss_sp = rescue.stack;
	(void)sigaltstack(&stack, &rescue.old_stack);
	(void)sigfillset(&action.sa_mask);
	for (size_t i = 0; i < FATAL; i++)
		(void)sigaction(fatal_signals[i], &action, &rescue.old[i]);
}

void rescue_arm(const struct tty *tty, const char *restore, size_t len)
{
	rescue.armed = 0;
	if (!rescue.stack)
		take_signals();
	rescue.tty = *tty;
	rescue.len = len < RESCUE_BYTES ? len : RESCUE_BYTES;
	memcpy(rescue.restore, restore, rescue.len);
	rescue.armed = 1;
}

void rescue_disarm(void)
{
	rescue.armed = 0;
	if (!rescue.stack)
		return;
	for (size_t i = 0; i < FATAL; i++)
		(void)sigaction(fatal_signals[i], &rescue.old[i], NULL);
	(void)sigaltstack(&rescue.old_stack, NULL);
	free(rescue.stack);
	rescue.stack = NULL;
}

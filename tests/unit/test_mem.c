#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"

static void new__is_zeroed__when_fresh(void **state)
{
	unsigned char *memory = mem_new(1000, 3);
	size_t sum = 0;

	(void)state;
	for (size_t i = 0; i < 3000; i++)
		sum += memory[i];
	assert_int_equal(sum, 0);
	free(memory);
}

static void new__is_not_null__when_nothing_is_asked_for(void **state)
{
	void *none = mem_new(0, 8), *empty = mem_new(8, 0), *resized = mem_resize(NULL, 0, 0);

	(void)state;
	assert_non_null(none);
	assert_non_null(empty);
	assert_non_null(resized);
	free(none);
	free(empty);
	free(resized);
}

static void copy_text__is_null__when_given_null(void **state)
{
	char *copy = mem_copy_text("p5.48xlarge");

	(void)state;
	assert_null(mem_copy_text(NULL));
	assert_string_equal(copy, "p5.48xlarge");
	free(copy);
}

static void copy_bytes__ends_in_nul__when_cut_from_longer_text(void **state)
{
	char *copy = mem_copy_bytes("a\0bcd", 3), *empty = mem_copy_bytes(NULL, 0);

	(void)state;
	assert_memory_equal(copy, "a\0b", 4);
	assert_string_equal(empty, "");
	free(copy);
	free(empty);
}

static void set_text__keeps_the_tail__when_it_lies_in_the_old_text(void **state)
{
	char *slot = mem_copy_text("arn:aws:name");

	(void)state;
	mem_set_text(&slot, slot + 8);
	assert_string_equal(slot, "name");
	mem_set_text(&slot, NULL);
	assert_null(slot);
	mem_set_text(&slot, "again");
	assert_string_equal(slot, "again");
	free(slot);
}

static void grow__keeps_content_and_doubles__when_more_is_needed(void **state)
{
	size_t capacity = 0;
	int *numbers = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		numbers = mem_grow(numbers, &capacity, (size_t)i + 1, sizeof(*numbers));
		numbers[i] = i;
	}
	assert_int_equal(capacity, 1024);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	free(numbers);
}

static void grow__does_not_move__when_it_holds_enough(void **state)
{
	size_t capacity = 0;
	char *first = mem_grow(NULL, &capacity, 5, 1);

	(void)state;
	assert_ptr_equal(mem_grow(first, &capacity, capacity, 1), first);
	free(first);
}

static int hook_pipe;

static void tell_hook_ran(void)
{
	if (write(hook_pipe, "h", 1) != 1)
		_exit(3);
}

/* Reenters: a hook that runs out of memory itself must still end in abort, not in a loop. */
static void hook_that_allocates(void)
{
	tell_hook_ran();
	free(mem_new(SIZE_MAX, 2));
}

/* Runs mem_new(count, size) in a child; returns its wait status and how often the hook ran. */
static int run_out(void (*hook)(void), size_t count, size_t size, size_t *hooks)
{
	char marks[8];
	int ends[2], status;
	ssize_t got;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit no_core = { 0 };

		setrlimit(RLIMIT_CORE, &no_core);
		if (close(STDERR_FILENO) != 0)
			_exit(4);
		signal(SIGABRT, SIG_DFL);
		hook_pipe = ends[1];
		mem_on_exhausted(hook);
		free(mem_new(count, size));
		_exit(0);
	}
	assert_int_equal(close(ends[1]), 0);
	got = read(ends[0], marks, sizeof(marks));
	assert_true(got >= 0);
	*hooks = (size_t)got;
	assert_int_equal(close(ends[0]), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void new__runs_the_hook_and_aborts__when_the_product_overflows(void **state)
{
	size_t hooks;
	int status = run_out(tell_hook_ran, SIZE_MAX / 4, 8, &hooks);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_int_equal(hooks, 1);
}

static void new__aborts__when_there_is_no_hook(void **state)
{
	size_t hooks;
	int status = run_out(NULL, SIZE_MAX, SIZE_MAX, &hooks);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_int_equal(hooks, 0);
}

static void new__runs_the_hook_once__when_the_hook_runs_out_too(void **state)
{
	size_t hooks;
	int status = run_out(hook_that_allocates, SIZE_MAX, 2, &hooks);

	(void)state;
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_int_equal(hooks, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new__is_zeroed__when_fresh),
		cmocka_unit_test(new__is_not_null__when_nothing_is_asked_for),
		cmocka_unit_test(copy_text__is_null__when_given_null),
		cmocka_unit_test(copy_bytes__ends_in_nul__when_cut_from_longer_text),
		cmocka_unit_test(set_text__keeps_the_tail__when_it_lies_in_the_old_text),
		cmocka_unit_test(grow__keeps_content_and_doubles__when_more_is_needed),
		cmocka_unit_test(grow__does_not_move__when_it_holds_enough),
		cmocka_unit_test(new__runs_the_hook_and_aborts__when_the_product_overflows),
		cmocka_unit_test(new__aborts__when_there_is_no_hook),
		cmocka_unit_test(new__runs_the_hook_once__when_the_hook_runs_out_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

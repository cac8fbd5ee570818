/*
 * The story that gpuq exists for, undisturbed (tests/storyline.h), and its gate: the secret key.
 * `make breaks` wants it red under each patch of tests/breaks/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/storyline.h"

#define SOON_MS 30000 /* generous: a sanitizer build on a busy machine */

static void operator__edits_and_submits_a_pending_job__and_watches_it(void **unused)
{
	struct storyline story = { .patience_ms = SOON_MS, .undisturbed = true };

	(void)unused;
	storyline_start_region(&story);
	storyline_start_program(&story, "simsecret");
	storyline_tell(&story);
	storyline_end(&story);
}

static void wrong_secret__is_refused__and_said(void **unused)
{
	struct storyline story = { .patience_ms = SOON_MS };

	(void)unused;
	storyline_start_region(&story);
	storyline_start_program(&story, "wrong");
	storyline_want(&story, "signature");
	assert_null(strstr(pty_text(story.pty), STORYLINE_STEM));
	storyline_end(&story);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operator__edits_and_submits_a_pending_job__and_watches_it),
		cmocka_unit_test(wrong_secret__is_refused__and_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

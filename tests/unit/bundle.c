#include "tests/unit/bundle.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	for (const struct bundled *test = bundle; argc == 2 && test->name; test++)
		if (strcmp(test->name, argv[1]) == 0)
			return test->run();
	(void)fprintf(stderr, "usage: bundle TEST, such as test_err or e2e_story\n");
	return 2;
}

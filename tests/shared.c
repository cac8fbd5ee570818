#include "tests/shared.h"

#include <stdlib.h>
#include <string.h>

FILE *shared_open(const char *name)
{
	const char *folder = getenv("GPUQ_SHARED");
	char path[4096];
	int len = snprintf(path, sizeof(path), "%s/%s", folder ? folder : "../shared", name);
	FILE *file = len > 0 && (size_t)len < sizeof(path) ? fopen(path, "re") : NULL;
	if (!file)
		printf("skipped: %s is not present\n", name);
	return file;
}

size_t shared_row(FILE *file, char *line, size_t size, const char **fields, size_t max)
{
	if (!fgets(line, (int)size, file))
		return 0;
	line[strcspn(line, "\r\n")] = '\0';
	size_t count = 0;
	for (char *at = line; at && count < max; count++) {
		char *tab = strchr(at, '\t');
		if (tab)
			*tab = '\0';
		fields[count] = at;
		at = tab ? tab + 1 : NULL;
	}
	return count;
}

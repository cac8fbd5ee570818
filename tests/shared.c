#include "tests/shared.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"

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

char *shared_read(const char *name, size_t *len)
{
	FILE *file = shared_open(name);
	char bytes[65536];
	struct buf text;
	size_t got;
	if (!file)
		return NULL;
	buf_init(&text, 32u << 20);
	while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(&text, bytes, got);
	fclose(file);
	*len = text.len;
	return buf_take(&text);
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

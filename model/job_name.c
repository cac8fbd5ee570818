#include "model/job_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_MOST   (JOB_NAME_SIZE - 1)
#define NUMBER_MOST 3 /* digits: more are a time or a date */
#define TRIES       1000

static size_t without_hyphens(const char *text, size_t len)
{
	while (len > 0 && text[len - 1] == '-')
		len--;
	return len;
}

/* A run of what cannot stand in a name is one hyphen; none stands at either end. */
static void repair(const char *name, char out[JOB_NAME_SIZE])
{
	size_t len = 0;
	for (; *name && len < NAME_MOST; name++) {
		bool is_good = *name > 0 && isalnum((unsigned char)*name);
		if (is_good)
			out[len++] = *name;
		else if (len > 0 && (*name == '-' || out[len - 1] != '-'))
			out[len++] = '-';
	}
	len = without_hyphens(out, len);
	out[len] = '\0';
	if (len == 0)
		(void)snprintf(out, JOB_NAME_SIZE, "job");
}

/* Takes "-7" off the end and returns 7; 1 where there is no such number. */
static int split_number(char *name)
{
	size_t len = strlen(name), digits = 0;
	while (digits < len && name[len - 1 - digits] >= '0' && name[len - 1 - digits] <= '9')
		digits++;
	size_t at = len - digits;
	if (digits == 0 || digits > NUMBER_MOST || at < 2 || name[at - 1] != '-' || name[at] == '0')
		return 1;
	int number = 0;
	for (size_t i = at; i < len; i++)
		number = 10 * number + (name[i] - '0');
	name[at - 1] = '\0';
	return number;
}

bool job_name_propose(const char *name, bool (*is_taken)(const void *ctx, const char *name),
		      const void *ctx, char out[JOB_NAME_SIZE])
{
	char stem[JOB_NAME_SIZE];
	if (job_name_is_valid(name))
		(void)snprintf(out, JOB_NAME_SIZE, "%s", name);
	else
		repair(name, out);
	if (!is_taken || !is_taken(ctx, out))
		return true;
	memcpy(stem, out, sizeof(stem));
	int number = split_number(stem);
	for (int i = 1; i <= TRIES; i++) {
		char suffix[16];
		int size = snprintf(suffix, sizeof(suffix), "-%d", number + i);
		size_t room = NAME_MOST - (size_t)size, len = strlen(stem);
		len = without_hyphens(stem, len < room ? len : room);
		(void)snprintf(out, JOB_NAME_SIZE, "%.*s%s", (int)len, stem, suffix);
		if (!is_taken(ctx, out))
			return true;
	}
	return false;
}

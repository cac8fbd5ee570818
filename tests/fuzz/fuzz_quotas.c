/*
 * Any bytes as a reply of Service Quotas, and as a refusal for a short quota: no limit and no count
 * is negative, and what is said of a refusal names it.
 */
#include <stdlib.h>
#include <string.h>

#include "aws/quotas.h"
#include "model/base/mem.h"
#include "model/quota_refusal.h"
#include "tests/fuzz/fuzz.h"

#define CODE      "L-82E1C851"
#define OUT_MAX   4096
#define LIMIT_MAX INT64_C(10000000000)

static void decode(const char *text, size_t size)
{
	struct quota_raised raised;
	struct err err = { 0 };
	int64_t limit = -1;

	if (quotas_decode_limit(text, size, CODE, &limit, &err))
		assert(limit >= 0 && limit <= LIMIT_MAX);
	else
		assert(err.code != ERR_NONE && err_text(&err)[0]);
	err_clear(&err);
	if (quotas_decode_raised(text, size, CODE, &raised, &err))
		assert(strlen(raised.status) < sizeof(raised.status));
	else
		assert(err.code != ERR_NONE && err_text(&err)[0]);
	err_clear(&err);
}

static void parse(const char *text)
{
	struct quota_refusal refusal;
	struct preferences prefs = { .length = 1 };
	struct buf out;
	size_t entry = 7;

	if (!quota_refusal_parse(text, &refusal)) {
		assert(!refusal.name[0] && !refusal.has_kind);
		return;
	}
	assert(refusal.name[0] && refusal.limit >= 0 && refusal.used >= 0 && refusal.asked >= 0);
	assert(!refusal.instance_type[0] || strstr(refusal.name, refusal.instance_type));
	memcpy(prefs.entries[0].instance_type, refusal.instance_type, TYPE_NAME_SIZE);
	assert(quota_refusal_entry(&refusal, &prefs, &entry) == (refusal.instance_type[0] != '\0'));
	buf_init(&out, OUT_MAX);
	quota_refusal_say(&refusal, &out);
	assert(!out.failed && strstr(buf_text(&out), refusal.name));
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_copy_bytes((const char *)data, size);

	decode((const char *)data, size);
	parse(text);
	free(text);
	return 0;
}

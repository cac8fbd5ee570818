#include "aws/sim/token.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/emit.h"
#include "aws/sim/random.h"
#include "aws/sim/validate.h"

#define DIGITS     16 /* of one number */
#define TOKEN_SIZE ((SIM_TOKEN_NUMBERS + 1) * DIGITS)

uint64_t sim_token_fingerprint(const struct buf *query)
{
	return sim_random_for(0, buf_text(query));
}

static uint64_t check_of(uint64_t fingerprint, const uint64_t *numbers, size_t count)
{
	uint64_t state = fingerprint;
	/* Mixed once, or the numbers, which carry it already, would take it out again. */
	state = sim_random_next(&state);
	for (size_t i = 0; i < count; i++) {
		state ^= numbers[i];
		state = sim_random_next(&state);
	}
	return state;
}

void sim_token_emit(struct buf *out, uint64_t fingerprint, const uint64_t *numbers, size_t count)
{
	sim_emit_key(out, "NextToken");
	buf_add_char(out, '"');
	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%016" PRIx64, numbers[i] ^ fingerprint);
	buf_addf(out, "%016" PRIx64 "\"", check_of(fingerprint, numbers, count));
}

static uint64_t read_digits(const char *text)
{
	char digits[DIGITS + 1];
	memcpy(digits, text, DIGITS);
	digits[DIGITS] = '\0';
	return strtoull(digits, NULL, 16);
}

bool sim_token_read(const struct json_doc *doc, uint64_t fingerprint, uint64_t *numbers,
		    size_t count, bool *found, struct err *err)
{
	size_t node = json_doc_member(doc, 0, "NextToken");
	*found = node != JSON_NONE && doc->nodes[node].kind != JSON_NULL;
	if (!*found)
		return true;
	struct buf text;
	size_t len = (count + 1) * DIGITS;
	buf_init(&text, TOKEN_SIZE);
	bool fine = json_doc_string(doc, node, &text) && text.len == len &&
		    strspn(buf_text(&text), "0123456789abcdef") == len;
	for (size_t i = 0; fine && i < count; i++)
		numbers[i] = read_digits(text.data + i * DIGITS) ^ fingerprint;
	fine = fine &&
	       read_digits(text.data + count * DIGITS) == check_of(fingerprint, numbers, count);
	buf_release(&text);
	return fine || sim_refuse(err, 400, "ValidationException", "Invalid NextToken");
}

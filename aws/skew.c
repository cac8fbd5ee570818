#include "aws/skew.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"

#define ROUND_TRIP_MAX_MS 900000 /* a Date that took longer says nothing about the clock */
#define STAMP_LEN         16     /* 20261130T204808Z */
#define WORDS_MAX         64

bool skew_learn(struct skew *skew, const struct http_reply *reply, int64_t round_trip_ms,
		int64_t wall_ms)
{
	if (!reply->has_date || round_trip_ms > ROUND_TRIP_MAX_MS)
		return false;
	skew->known = true;
	skew->ms = reply->date_ms - wall_ms;
	return true;
}

int64_t skew_signing_ms(const struct skew *skew, int64_t wall_ms)
{
	return skew->unsettled ? wall_ms : wall_ms + skew->ms;
}

static bool may_be_clock(const char *code)
{
	static const char *const codes[] = {
		"RequestTimeTooSkewed",      "RequestExpired",        "RequestInTheFuture",
		"InvalidSignatureException", "SignatureDoesNotMatch", "AuthFailure",
		"AccessDeniedException",
	};

	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (strcmp(code, codes[i]) == 0)
			return true;
	}
	return false;
}

/*
 * "Signature expired: A is now earlier than B (...": B is the oldest stamp that is taken. Equal
 * stamps are those of a signature that was used again much later, by a clock that may be right.
 */
static bool has_equal_stamps(const char *text)
{
	static const char begin[] = "Signature expired: ", middle[] = " is now earlier than ";
	const char *first = strstr(text, begin);
	const char *second = first ? strstr(first, middle) : NULL;

	if (!second)
		return false;
	first += strlen(begin);
	second += strlen(middle);
	return strnlen(second, STAMP_LEN) == STAMP_LEN && strncmp(first, second, STAMP_LEN) == 0;
}

enum skew_doubt skew_doubt_of(const struct err *err, const struct http_reply *reply,
			      int64_t signed_ms)
{
	bool is_far = reply->has_date && llabs(reply->date_ms - signed_ms) >= SKEW_SEEN_MS;
	bool has_expired = strcmp(err->aws_code, "InvalidSignatureException") == 0 &&
			   strstr(err_text(err), "Signature expired");

	if (!has_expired && !(is_far && may_be_clock(err->aws_code)))
		return SKEW_NONE;
	return has_equal_stamps(err_text(err)) ? SKEW_STALE : SKEW_CLOCK;
}

void skew_add_words(struct buf *out, int64_t ms)
{
	long long s = llabs(ms / 1000);

	if (s < 60)
		buf_addf(out, "%lld s", s);
	else if (s < 3600)
		buf_addf(out, "%lld min %lld s", s / 60, s % 60);
	else if (s < 86400)
		buf_addf(out, "%lld h %lld min", s / 3600, s / 60 % 60);
	else
		buf_addf(out, "%lld d %lld h", s / 86400, s / 3600 % 24);
	buf_add_text(out, ms < 0 ? " ahead" : " behind");
}

void skew_explain(const struct skew *skew, struct err *err)
{
	struct err old = *err;
	struct buf words;

	if (err->hint != HINT_CHECK_CLOCK || !skew->known)
		return;
	if (llabs(skew->ms) < SKEW_SEEN_MS) {
		err->hint = HINT_RETRY_LATER;
		return;
	}
	buf_init(&words, WORDS_MAX);
	skew_add_words(&words, skew->ms);
	*err = (struct err){ .code = ERR_NONE };
	err_set(err, old.code, "this machine's clock is %s: %s", buf_text(&words), err_text(&old));
	free(old.text);
	old.text = err->text;
	*err = old;
	buf_release(&words);
}

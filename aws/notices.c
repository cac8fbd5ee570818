#include "aws/notices.h"

#include <string.h>

#include "aws/skew.h"

static void add_subject(struct buf *out, const struct err *err)
{
	if (err->subject[0])
		buf_addf(out, "%s: ", err->subject);
}

void notice_skew(struct buf *out, int64_t skew_ms)
{
	buf_add_text(out, "this machine's clock is ");
	skew_add_words(out, skew_ms);
	buf_add_text(out, "; gpuq goes by AWS's");
}

void notice_pace(struct buf *out, const struct err *err)
{
	add_subject(out, err);
	buf_add_text(out, err_text(err));
	if (err->code != ERR_PARSE)
		buf_add_text(out, "; lists are asked without regard to other gpuq programs");
}

void notice_settings(struct buf *out, const struct err *err)
{
	buf_add_text(out, "settings stay as they were: ");
	add_subject(out, err);
	buf_add_text(out, err_text(err));
}

void notice_code(struct buf *out, const struct err *err)
{
	if (!err) {
		buf_add_text(out, "the code is accepted");
		return;
	}
	add_subject(out, err);
	buf_add(out, err_text(err), strcspn(err_text(err), "\r\n"));
}

void notice_settled(struct buf *out, const struct submit_answer *answer)
{
	static const char *const words[] = {
		[SUBMIT_DONE] = "has been submitted",
		[SUBMIT_REFUSED] = "was not submitted",
		[SUBMIT_TAKEN] = "was not submitted",
		[SUBMIT_HELD] = "was not submitted",
		[SUBMIT_STALE] = "was not submitted",
		[SUBMIT_OPEN] = "is not known to be submitted",
	};
	char agreed[TIME_TEXT_SIZE];

	buf_addf(out, "%s %s", answer->name, words[answer->outcome]);
	if (answer->agreed_ms > 0) { /* else it was taken back */
		time_format_iso(answer->agreed_ms, agreed);
		buf_addf(out, " (agreed to at %s)", agreed);
	}
	buf_addf(out, ": %s", answer->err ? err_text(answer->err) : answer->arn);
}

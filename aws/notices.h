/* Sentences about the session that no job has: for a status line, or a command's messages. */
#ifndef GPUQ_NOTICES_H
#define GPUQ_NOTICES_H

#include <stdint.h>

#include "model/base/buf.h"
#include "aws/submitter.h"
#include "model/base/err.h"

/* This machine's clock is skew_ms from AWS's, which is used. */
void notice_skew(struct buf *out, int64_t skew_ms);
/* The pace that all gpuq programs share cannot be had. */
void notice_pace(struct buf *out, const struct err *err);
/* A file was edited badly while the program runs. */
void notice_settings(struct buf *out, const struct err *err);
/* What became of a submission that an earlier run left in the journal. */
void notice_settled(struct buf *out, const struct submit_answer *answer);
/* What came of a code of an MFA device; err NULL: it was taken. */
void notice_code(struct buf *out, const struct err *err);

#endif

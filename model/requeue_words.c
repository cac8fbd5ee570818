#include "model/requeue.h"

static void add_why(const struct requeue_told *told, struct buf *out)
{
	if (told->err)
		buf_addf(out, ": %s", err_text(told->err));
}

static void describe_step(const struct requeue_told *told, struct buf *out)
{
	const char *old = told->old_name, *new = told->new_name;
	switch (told->step) {
	case REQUEUE_AWAIT_END:
		buf_addf(out, "%s is being stopped; once it has ended (1-3 min) %s is submitted",
			 old, new);
		break;
	case REQUEUE_CREATE:
		buf_addf(out, "%s has ended: submitting %s", old, new);
		break;
	case REQUEUE_CREATE_FIRST:
		buf_addf(out, "submitting %s; %s waits until it is there", new, old);
		break;
	case REQUEUE_REPLACE:
		buf_addf(out, "%s is submitted: stopping %s, until then both are there", new, old);
		break;
	case REQUEUE_TAKE_BACK:
		buf_addf(out, "%s is not replaced: stopping %s again, until then both are there",
			 old, new);
		break;
	case REQUEUE_CHOOSE:
		buf_addf(out, "%s has started: stopping %s, if it still waits", new, old);
		break;
	default:
		buf_addf(out, "going on with the requeue of %s as %s", old, new);
		break;
	}
}

static void describe_end(const struct requeue_told *told, struct buf *out)
{
	const char *old = told->old_name, *new = told->new_name;
	switch (told->step) {
	case REQUEUE_DONE:
		buf_addf(out, "submitted %s in the place of %s", new, old);
		if (told->tags_err)
			buf_addf(out, ", without its tags: %s", err_text(told->tags_err));
		break;
	case REQUEUE_OLD_STAYS:
		if (told->taken_back && told->new_arn) {
			buf_addf(out, "the requeue of %s is taken back: %s is stopped again", old,
				 new);
			break;
		}
		buf_addf(out, "%s is not replaced, since it %s; %s is %s", old,
			 told->err ? "could not be stopped" : "does not wait any more", new,
			 told->new_arn ? "stopped again" : "not submitted");
		add_why(told, out);
		break;
	case REQUEUE_REFUSED:
		buf_addf(out, "%s was not submitted, and %s stays as it is", new, old);
		add_why(told, out);
		break;
	case REQUEUE_NOT_CREATED:
		buf_addf(out, "%s is stopped, but %s was not submitted", old, new);
		add_why(told, out);
		break;
	case REQUEUE_BOTH:
		buf_addf(out, "%s and %s are both there: one of them is to be stopped by you", old,
			 new);
		add_why(told, out);
		break;
	case REQUEUE_STALE:
		buf_addf(out, "the requeue of %s as %s is left", old, new);
		add_why(told, out);
		break;
	case REQUEUE_NEW_OVER:
		buf_addf(out, "%s has ended already, so %s is not stopped for it", new, old);
		add_why(told, out);
		break;
	case REQUEUE_WITHDRAWN:
		buf_addf(out, "the requeue of %s is taken back: %s%s%s is not submitted", old,
			 told->old_stopped ? old : "",
			 told->old_stopped ? " was told to stop, and " : "", new);
		break;
	default:
		buf_addf(out, "%s is not requeued, and %s not submitted", old, new);
		add_why(told, out);
		break;
	}
}

void requeue_describe(const struct requeue_told *told, struct buf *out)
{
	if (told->owner.kind != OWNER_NONE) {
		buf_addf(out, "%s is not requeued: it belongs to ", told->old_name);
		owner_describe(&told->owner, out);
		buf_add_text(out, ", which would fail");
	} else if (requeue_has_ended(told->step)) {
		describe_end(told, out);
	} else {
		describe_step(told, out);
	}
}

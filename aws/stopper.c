#include "aws/stopper.h"

#include <stdlib.h>
#include <string.h>

#include "aws/sagemaker_tags.h"
#include "model/base/mem.h"

#define TAG_PAGES_MAX 4 /* the service allows 50 tags on a resource, one page */

struct stopper {
	struct stopper_options options;
	struct stop_wish *wishes; /* owned; the first is under way while busy */
	size_t count, capacity;
	bool busy;
	uint64_t call;  /* of the one under way */
	char *arn;      /* owned; of the job under way, once it has been described */
	unsigned pages; /* of its tags */
	struct job_tags tags;
	int64_t due_ms; /* monotonic: the next may start */
};

struct stopper *stopper_new(const struct stopper_options *options)
{
	struct stopper *stopper = mem_new(1, sizeof(*stopper));

	stopper->options = *options;
	return stopper;
}

void stopper_free(struct stopper *stopper)
{
	if (!stopper)
		return;
	if (stopper->call)
		aws_client_cancel(stopper->options.client, stopper->call);
	stopper->options.hooks.wake_in(stopper->options.hooks.host, -1);
	tags_release(&stopper->tags);
	free(stopper->wishes);
	free(stopper->arn);
	free(stopper);
}

size_t stopper_left(const struct stopper *stopper)
{
	return stopper ? stopper->count : 0;
}

static void arm(const struct stopper *stopper)
{
	int64_t wait = stopper->due_ms - clock_mono_ms(stopper->options.clock);
	bool idle = stopper->busy || stopper->count == 0;

	stopper->options.hooks.wake_in(stopper->options.hooks.host, idle       ? -1
								    : wait > 0 ? wait
									       : 0);
}

void stopper_add(struct stopper *stopper, const struct stop_wish *wishes, size_t count)
{
	stopper->wishes = mem_grow(stopper->wishes, &stopper->capacity, stopper->count + count,
				   sizeof(*stopper->wishes));
	memcpy(stopper->wishes + stopper->count, wishes, count * sizeof(*wishes));
	stopper->count += count;
	arm(stopper);
}

/* The first is done with; whoever is told may add others. */
static void end(struct stopper *stopper, struct stop_result result)
{
	struct stop_wish wish = stopper->wishes[0];

	stopper->count--;
	memmove(stopper->wishes, stopper->wishes + 1, stopper->count * sizeof(*stopper->wishes));
	stopper->busy = false;
	mem_set_text(&stopper->arn, NULL);
	tags_release(&stopper->tags);
	result.kind = wish.kind;
	result.name = wish.name;
	result.left = stopper->count;
	arm(stopper);
	stopper->options.stopped(stopper->options.ctx, &result);
}

static void on_stopped(void *ctx, bool was_over, const struct err *err)
{
	struct stopper *stopper = ctx;

	stopper->call = 0;
	end(stopper, (struct stop_result){ .outcome = err        ? STOP_FAILED
						      : was_over ? STOP_OVER
								 : STOP_DONE,
					   .err = err });
}

static void send(struct stopper *stopper)
{
	const struct stop_wish *wish = &stopper->wishes[0];

	stopper->call =
		jobs_stop(stopper->options.client, wish->kind, wish->name, on_stopped, stopper);
}

static void ask_tags(struct stopper *stopper, const char *token);

static void on_tags(void *ctx, struct tag_page *page, const struct err *err)
{
	struct stopper *stopper = ctx;
	struct owner owner;

	(void)err; /* many may not read tags: then the name and the description have to do */
	stopper->call = 0;
	for (size_t i = 0; page && i < page->tags.count; i++)
		tags_add(&stopper->tags, page->tags.items[i].key, page->tags.items[i].value);
	if (page && page->next_token && ++stopper->pages < TAG_PAGES_MAX)
		ask_tags(stopper, page->next_token);
	else if (owner_of_tags(stopper->tags.items, stopper->tags.count, &owner))
		end(stopper, (struct stop_result){ .outcome = STOP_OWNED, .owner = owner });
	else
		send(stopper);
}

static void ask_tags(struct stopper *stopper, const char *token)
{
	stopper->call = tags_list(stopper->options.client, stopper->arn, token, on_tags, stopper);
}

/* What there is to do about a job as it stands now. */
static void decide(struct stopper *stopper, const struct job *job)
{
	const struct stop_wish *wish = &stopper->wishes[0];
	struct owner owner = { 0 };

	if (job_has_ended(job) || job_phase(job) == PHASE_STOPPING ||
	    (wish->only_pending && job_phase(job) != PHASE_PENDING)) {
		end(stopper, (struct stop_result){ .outcome = STOP_OVER });
	} else if (wish->despite_owner) {
		send(stopper);
	} else if (owner_of_job(job, &owner)) {
		end(stopper, (struct stop_result){ .outcome = STOP_OWNED, .owner = owner });
	} else {
		mem_set_text(&stopper->arn, job->arn);
		stopper->pages = 0;
		ask_tags(stopper, NULL);
	}
}

static void tell_seen(struct stopper *stopper, const struct job *job)
{
	const struct stop_wish *wish = &stopper->wishes[0];
	struct job copy = { 0 };

	if (!stopper->options.seen)
		return;
	if (job)
		job_copy(&copy, job);
	stopper->options.seen(stopper->options.ctx, wish->kind, wish->name, job ? &copy : NULL);
	job_release(&copy);
}

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct stopper *stopper = ctx;

	stopper->call = 0;
	if (job || err->code == ERR_NOT_FOUND)
		tell_seen(stopper, job);
	if (job)
		decide(stopper, job);
	else if (err->code == ERR_NOT_FOUND)
		end(stopper, (struct stop_result){ .outcome = STOP_GONE });
	else if (stopper->wishes[0].only_pending)
		end(stopper, (struct stop_result){ .outcome = STOP_FAILED, .err = err });
	else
		send(stopper);
}

void stopper_wake(struct stopper *stopper)
{
	int64_t now_ms = clock_mono_ms(stopper->options.clock);

	if (!stopper->busy && stopper->count > 0 && now_ms >= stopper->due_ms) {
		stopper->busy = true;
		stopper->due_ms = now_ms + STOPPER_PACE_MS;
		stopper->call = jobs_describe(stopper->options.client, stopper->wishes[0].kind,
					      stopper->wishes[0].name, on_described, stopper);
	}
	arm(stopper);
}

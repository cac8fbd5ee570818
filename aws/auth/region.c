/* The region of an instance: where it was placed, without the letter of a zone. */
#include <stdlib.h>
#include <string.h>

#include "aws/auth/auth.h"
#include "aws/auth/imds.h"
#include "model/base/mem.h"

#define REGION_PATH "latest/meta-data/placement/region"

struct auth_region {
	struct auth_world world;
	struct imds_call *call;
	struct waiter waiter; /* tells at the next turn that there is nobody to ask */
	void (*done)(void *ctx, const char *region);
	void *ctx;
};

static void on_document(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct auth_region *search = ctx;
	char region[REGION_SIZE] = "";
	(void)err;
	if (reply && reply->status == 200 && reply->body_len < sizeof(region))
		memcpy(region, reply->body, strcspn(reply->body, "\r\n"));
	search->done(search->ctx, region[0] ? region : NULL);
}

static void on_wake(void *ctx)
{
	struct auth_region *search = ctx;
	search->done(search->ctx, NULL);
}

struct auth_region *auth_region_start(const struct auth_options *options,
				      void (*done)(void *ctx, const char *region), void *ctx)
{
	struct auth_region *search = mem_new(1, sizeof(*search));
	struct err err = { 0 };
	search->world = (struct auth_world){ .clock = options->clock,
					     .waits = options->waits,
					     .disk = options->disk,
					     .http = options->http,
					     .setup = options->setup,
					     .log = options->log };
	search->done = done;
	search->ctx = ctx;
	search->waiter = (struct waiter){ .wake = on_wake, .ctx = search };
	struct wait_hooks hooks = waits_add(options->waits, &search->waiter);
	if (!imds_is_disabled())
		search->call = imds_start(&search->world, options->setup->profile, REGION_PATH,
					  on_document, search, &err);
	if (!search->call)
		hooks.wake_in(hooks.host, 0);
	err_clear(&err);
	return search;
}

void auth_region_free(struct auth_region *search)
{
	if (!search)
		return;
	imds_free(search->call);
	waits_remove(&search->waiter);
	free(search);
}

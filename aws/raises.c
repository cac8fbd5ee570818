#include "aws/raises.h"

#include <stdlib.h>

#include "model/base/mem.h"
#include "model/store_quotas.h"

/* What was asked for travels with the call. */
struct sent {
	struct raises *raises;
	struct session *session;
	struct quota_raise raise;
};

/* That one is open already is as good as an answer: it is known to be open. */
static void on_raised(void *ctx, const struct quota_raised *raised, const struct err *err)
{
	struct sent *sent = ctx;
	struct raises *raises = sent->raises;
	const struct quota_raise *raise = &sent->raise;
	struct store *store = session_options(sent->session)->store;
	raises->under_way--;
	if (!err || err->code == ERR_CONFLICT)
		store_note_quota_raise(store, raise->instance_type, raise->kind,
				       err ? 0 : raise->desired);
	raises->raised(raises->ctx, raise, raised, err);
	session_refresh_quotas(sent->session);
	free(sent);
}

void raises_ask(struct raises *raises, struct session *session, const struct quota_raise *raise)
{
	struct err err = { 0 };
	struct aws_client *client = session_client_for(session, SERVICE_QUOTAS, &err);
	if (client) {
		struct sent *sent = mem_new(1, sizeof(*sent));
		*sent = (struct sent){ raises, session, *raise };
		raises->under_way++;
		quotas_request_increase(client, raise, on_raised, sent);
	} else {
		raises->raised(raises->ctx, raise, NULL, &err);
	}
	err_clear(&err);
}

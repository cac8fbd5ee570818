#include "aws/names.h"

#include <string.h>

#include "aws/sagemaker_jobs.h"

static struct name_look *look_of(const struct names *names)
{
	return &session_options(names->session)->store->name;
}

static void on_described(void *ctx, struct job *job, const struct err *err)
{
	struct names *names = ctx;
	const struct session_options *options = session_options(names->session);
	struct name_look *look = look_of(names);
	names->call = 0;
	look->is_open = false;
	if (job)
		look->state = NAME_TAKEN;
	else if (err->code == ERR_NOT_FOUND)
		look->state = NAME_FREE;
	else
		need_say_why(err, look->why);
	options->on_change(options->ctx);
}

void names_look(struct names *names, struct session *session, enum job_kind kind, const char *name)
{
	struct aws_client *client = session_client(session);
	names_leave(names);
	if (!client || !job_name_is_valid(name))
		return;
	names->session = session;
	*look_of(names) = (struct name_look){ .kind = kind, .is_open = true };
	memcpy(look_of(names)->name, name, strlen(name) + 1);
	names->call = jobs_describe(client, kind, name, on_described, names);
}

void names_leave(struct names *names)
{
	if (!names->call)
		return;
	aws_client_cancel(session_client(names->session), names->call);
	*look_of(names) = (struct name_look){ 0 };
	names->call = 0;
}

#include "aws/state_home.h"

#include <stdio.h>

#include "aws/access.h"
#include "aws/setup.h"
#include "model/state_folder.h"

static void find_endpoint(struct session *session, struct state_home *home)
{
	const struct setup *setup = access_setup(session_access(session));
	struct endpoint endpoint;
	struct err ignored = { 0 };

	if (setup_endpoint(setup, SERVICE_SAGEMAKER, home->region, &endpoint, &ignored) &&
	    !endpoint_is_aws(endpoint.host))
		snprintf(home->endpoint, sizeof(home->endpoint), "%s", endpoint.url);
	err_clear(&ignored);
}

/* Without asking anybody; false where it does not say. */
static bool find_account(struct session *session, struct state_home *home)
{
	struct credentials_source source = access_source(session_access(session));
	const struct aws_credentials *credentials;
	struct err ignored = { 0 };

	credentials = source.get(source.self, &ignored);
	err_clear(&ignored);
	if (!credentials)
		return false;
	snprintf(home->access_key, sizeof(home->access_key), "%s", credentials->access_key);
	snprintf(home->account, sizeof(home->account), "%s", credentials->account);
	home->is_told = home->account[0] != '\0';
	return home->is_told || credentials_key_account(credentials->access_key, home->account);
}

bool state_home_find(struct session *session, struct state_home *home)
{
	const struct session_identity *identity = session_identity(session);

	*home = (struct state_home){ 0 };
	if (!session_client(session))
		return false;
	snprintf(home->region, sizeof(home->region), "%s", session_region(session));
	if (!session_access(session))
		return true;
	find_endpoint(session, home);
	if (find_account(session, home))
		return true;
	snprintf(home->account, sizeof(home->account), "%s", identity->account);
	home->is_told = home->account[0] != '\0';
	return home->is_told || identity->asked;
}

bool state_home_expect(struct session *session, struct state_home *home)
{
	const struct access *access = session_access(session);
	struct auth_status status;

	if (!access || !access_status(access, &status) || status.searching ||
	    status.has_credentials || !status.err || status.of_environment)
		return false;
	home->is_told = setup_account(access_setup(access), home->account);
	return home->is_told;
}

bool state_home_add_folder(struct session *session, const struct state_home *home, struct buf *out,
			   struct err *err)
{
	const struct state_place place = { home->account, home->region, home->endpoint };
	const char *of_demo = session_state_home(session);
	bool ok = of_demo ? state_root(of_demo, NULL, out, err)
			  : state_root(setup_env("XDG_STATE_HOME"), setup_env("HOME"), out, err);

	if (!ok)
		return false;
	buf_add_char(out, '/');
	state_folder_add_name(out, &place);
	return true;
}

/* The manager of credentials: when it looks for them, how often, and what serves meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "aws/auth/auth.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define MINUTE_MS        INT64_C(60000)
#define TURNS_MAX        100000

struct scene {
	struct authbench bench;
	struct auth *auth;
	unsigned changes;
	char asked_profile[64], asked_serial[64]; /* for a code; "" = nobody asks */
	unsigned questions;
	int64_t before_ms; /* the newest search ended after it, by the monotonic clock */
};

static void on_change(void *ctx)
{
	struct scene *scene = ctx;
	scene->changes++;
}

static void on_question(void *ctx, const char *profile, const char *serial)
{
	struct scene *scene = ctx;
	scene->questions += profile != NULL;
	snprintf(scene->asked_profile, sizeof(scene->asked_profile), "%s", profile ? profile : "");
	snprintf(scene->asked_serial, sizeof(scene->asked_serial), "%s", serial ? serial : "");
}

static struct scene *scene_new(void)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
	return scene;
}

static void scene_free(struct scene *scene)
{
	auth_free(scene->auth);
	authbench_release(&scene->bench);
	free(scene);
}

/* Begins the first search. */
static void begin(struct scene *scene, const char *profile)
{
	assert_true(authbench_set_up(&scene->bench, profile));
	const struct auth_options options = {
		.clock = &scene->bench.clock,
		.waits = &scene->bench.waits,
		.disk = scene->bench.disk,
		.http = &scene->bench.transport,
		.setup = &scene->bench.setup,
		.changed = on_change,
		.ask_code = on_question,
		.ctx = scene,
	};
	scene->auth = auth_new(&options);
	assert_int_equal(scene->changes, 0); /* from the loop alone */
}

static struct auth_status status_of(const struct scene *scene)
{
	struct auth_status status;
	auth_status(scene->auth, &status);
	return status;
}

/* Turns until as many searches have ended. */
static void end_searches(struct scene *scene, unsigned changes)
{
	for (int i = 0; i < TURNS_MAX && scene->changes < changes; i++) {
		scene->before_ms = clock_mono_ms(&scene->bench.clock);
		authbench_turn(&scene->bench);
	}
	assert_int_equal(scene->changes, changes);
	assert_false(status_of(scene).searching);
}

/* The loop is to be woken that much later than the newest search ended. */
static void assert_due_in(const struct scene *scene, int64_t ms)
{
	int64_t now_ms = clock_mono_ms(&scene->bench.clock);
	assert_true(scene->bench.armed);
	assert_in_range(scene->bench.due_ms, scene->before_ms + ms, now_ms + ms);
}

static const struct aws_credentials *get(struct scene *scene, struct err *err)
{
	struct credentials_source source = auth_source(scene->auth);
	return source.get(source.self, err);
}

static bool refuse(struct scene *scene, const char *access_key)
{
	struct credentials_source source = auth_source(scene->auth);
	return source.refused(source.self, access_key);
}

static void assert_serves(struct scene *scene, const char *access_key)
{
	struct err err = { 0 };
	const struct aws_credentials *keys = get(scene, &err);
	assert_non_null(keys);
	assert_string_equal(keys->access_key, access_key);
	assert_int_equal(err.code, ERR_NONE);
	assert_true(status_of(scene).has_credentials);
}

/* There are none, and why. */
static void assert_fails(struct scene *scene, enum err_code code, const char *text)
{
	struct err err = { 0 };
	assert_null(get(scene, &err));
	assert_int_equal(err.code, code);
	if (!strstr(err_text(&err), text))
		fail_msg("'%s', not '%s'", err_text(&err), text);
	assert_false(status_of(scene).has_credentials);
	err_clear(&err);
}

/* --- a container's endpoint: one request a search --- */

static void answer_keys(struct scene *scene, const char *access_key, int64_t life_ms)
{
	char expires[TIME_TEXT_SIZE], body[512];
	time_format_iso(clock_wall_ms(&scene->bench.clock) + life_ms, expires);
	snprintf(body, sizeof(body),
		 "{\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"s\",\"Token\":\"t\","
		 "\"Expiration\":\"%s\"}",
		 access_key, expires);
	authbench_answer(&scene->bench, 200, body, NULL);
}

static void answer_nothing(struct scene *scene)
{
	authbench_answer(&scene->bench, 0, NULL, NULL);
}

static struct scene *container_scene(void)
{
	struct scene *scene = scene_new();
	assert_int_equal(setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/keys", 1),
			 0);
	return scene;
}

static void search__begins_at_once__and_all_calls_wait_for_it(void **state)
{
	struct scene *scene = container_scene();
	struct err err = { 0 };
	(void)state;
	begin(scene, NULL);
	answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	for (int i = 0; i < 20; i++) {
		assert_null(get(scene, &err));
		assert_int_equal(err.code, ERR_NONE);
	}
	assert_true(status_of(scene).searching);
	end_searches(scene, 1);
	assert_serves(scene, "AKID1");
	assert_int_equal(scene->bench.asked_count, 1);
	assert_string_equal(status_of(scene).provider, "container endpoint");
	assert_string_equal(status_of(scene).origin, "http://127.0.0.1/keys");
	assert_null(status_of(scene).err);
	scene_free(scene);
}

static void keys__are_renewed__a_quarter_of_an_hour_ahead(void **state)
{
	struct scene *scene = container_scene();
	(void)state;
	begin(scene, NULL);
	answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	end_searches(scene, 1);
	assert_int_equal(scene->bench.armed, true);
	/* Whole seconds in the answer; the caches of the AWS CLI count until a second before. */
	assert_in_range(scene->bench.due_ms - scene->before_ms, 45 * MINUTE_MS,
			45 * MINUTE_MS + 1000 + clock_mono_ms(&scene->bench.clock) -
				scene->before_ms);
	authbench_pass(&scene->bench, 45 * MINUTE_MS + 1000);
	scene->bench.holds = true;
	authbench_turn(&scene->bench);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_true(status_of(scene).searching);
	assert_serves(scene, "AKID1"); /* meanwhile */
	scene->bench.holds = false;
	answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	end_searches(scene, 2);
	assert_serves(scene, "AKID2");
	scene_free(scene);
}

static void short_lives__are_renewed__halfway(void **state)
{
	static const struct {
		int64_t life_s, renew_s;
	} lives[] = {
		{ 30, 15 }, { 300, 150 }, { 900, 450 },  { 958, 479 },
		{ 8, 5 },   { 6, 5 },     { 1200, 301 }, { 43200, 42301 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lives); i++) {
		struct scene *scene = container_scene();
		begin(scene, NULL);
		answer_keys(scene, "AKID1", lives[i].life_s * 1000);
		end_searches(scene, 1);
		int64_t in_ms = scene->bench.due_ms - scene->before_ms;
		int64_t turn_ms = clock_mono_ms(&scene->bench.clock) - scene->before_ms;
		/* Up to a second of the life was cut from its answer, and some has passed. */
		assert_in_range(in_ms, lives[i].renew_s * 1000 - 1500,
				lives[i].renew_s * 1000 + turn_ms);
		scene_free(scene);
	}
}

static void lasting_keys__are_never__looked_for_again(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "s", 1), 0);
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_serves(scene, "AKIDENV");
	assert_false(scene->bench.armed);
	assert_false(status_of(scene).expires.set);
	scene_free(scene);
}

/* The lid was closed over night: what is at hand is not used, and not complained about. */
static void suspend__is_noticed__by_the_first_call(void **state)
{
	struct scene *scene = container_scene();
	struct err err = { 0 };
	(void)state;
	begin(scene, NULL);
	answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	end_searches(scene, 1);
	scene->bench.start_wall_ms += 9 * 60 * MINUTE_MS;
	answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	for (int i = 0; i < 5; i++)
		assert_null(get(scene, &err));
	assert_int_equal(err.code, ERR_NONE);
	assert_true(status_of(scene).searching);
	end_searches(scene, 2);
	assert_serves(scene, "AKID2");
	assert_int_equal(scene->bench.asked_count, 2);
	scene_free(scene);
}

/* --- what fails --- */

#define STS_ANSWER(access_key, expires)                                               \
	"<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>" access_key \
	"</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t"           \
	"</SessionToken><Expiration>" expires "</Expiration></Credentials>"           \
	"</AssumeRoleResult></AssumeRoleResponse>"

/* A role of STS, which is asked once a search. */
static struct scene *role_scene(void)
{
	struct scene *scene = scene_new();
	assert_int_equal(setenv("AWS_MAX_ATTEMPTS", "1", 1), 0);
	authbench_write(&scene->bench, "/home/.aws/config",
			"[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n"
			"[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
			"source_profile = base\n");
	return scene;
}

static void renewal__that_fails__leaves_the_old_keys(void **state)
{
	struct scene *scene = role_scene();
	(void)state;
	begin(scene, NULL);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	end_searches(scene, 1);
	answer_nothing(scene);
	authbench_pass(&scene->bench, 46 * MINUTE_MS);
	end_searches(scene, 2);
	assert_serves(scene, "AKID1");
	assert_non_null(status_of(scene).err);
	assert_true(status_of(scene).retry.set);
	assert_due_in(scene, MINUTE_MS);
	answer_nothing(scene);
	authbench_pass(&scene->bench, MINUTE_MS);
	end_searches(scene, 3);
	assert_serves(scene, "AKID1");
	/* Then they end, and it is said at once. */
	authbench_pass(&scene->bench, 14 * MINUTE_MS);
	assert_fails(scene, ERR_NET, "nothing answers there");
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID2", "2026-01-01T03:00:00Z"), NULL);
	end_searches(scene, 4);
	assert_serves(scene, "AKID2");
	assert_null(status_of(scene).err);
	assert_false(status_of(scene).retry.set);
	scene_free(scene);
}

static void network__that_is_away__is_tried_less_and_less(void **state)
{
	static const int64_t pauses_s[] = { 5, 10, 20, 40, 60, 60, 60 };
	struct scene *scene = role_scene();
	(void)state;
	begin(scene, NULL);
	for (unsigned i = 0; i < ARRAY_LEN(pauses_s); i++) {
		answer_nothing(scene);
		end_searches(scene, i + 1);
		assert_due_in(scene, pauses_s[i] * 1000);
		assert_int_equal(status_of(scene).retry.ms, scene->bench.due_ms);
		assert_fails(scene, ERR_NET, "nothing answers there");
		assert_string_equal(status_of(scene).provider, "assume role");
		authbench_pass(&scene->bench, pauses_s[i] * 1000);
	}
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	end_searches(scene, ARRAY_LEN(pauses_s) + 1);
	assert_serves(scene, "AKID1");
	scene_free(scene);
}

static void settings__that_are_wrong__are_tried_each_five_minutes(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_fails(scene, ERR_AUTH, "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not");
	assert_due_in(scene, 5 * MINUTE_MS);
	authbench_pass(&scene->bench, 5 * MINUTE_MS);
	end_searches(scene, 2);
	assert_due_in(scene, 5 * MINUTE_MS);
	scene_free(scene);
}

static void nothing__is_set_up__and_nobody_is_blamed(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_fails(scene, ERR_AUTH, "no credentials are set up");
	assert_string_equal(status_of(scene).provider, "");
	scene_free(scene);
}

static void keys__that_have_expired__are_not_given(void **state)
{
	struct scene *scene = container_scene();
	(void)state;
	begin(scene, NULL);
	answer_keys(scene, "AKID1", -1000);
	end_searches(scene, 1);
	assert_fails(scene, ERR_AUTH, "container endpoint: it gave credentials that have expired");
	scene_free(scene);
}

/* --- what AWS refuses --- */

static void lasting_keys__that_are_refused__have_one_more_try(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "AKIDENV", 1), 0);
	assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "s", 1), 0);
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_true(refuse(scene, "AKIDENV"));
	assert_true(refuse(scene, "AKIDENV")); /* of another call, at the same time */
	end_searches(scene, 2);
	assert_serves(scene, "AKIDENV");
	/* The same once more: nothing is looked for, and the call fails. */
	for (int i = 0; i < 10; i++)
		assert_false(refuse(scene, "AKIDENV"));
	assert_serves(scene, "AKIDENV");
	assert_false(status_of(scene).searching);
	authbench_pass(&scene->bench, 30000);
	assert_true(refuse(scene, "AKIDENV"));
	end_searches(scene, 3);
	assert_int_equal(scene->changes, 3);
	scene_free(scene);
}

static void keys__that_were_replaced__are_refused_in_vain(void **state)
{
	struct scene *scene = container_scene();
	(void)state;
	begin(scene, NULL);
	answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	end_searches(scene, 1);
	assert_true(refuse(scene, "AKID0"));
	assert_serves(scene, "AKID1");
	assert_int_equal(scene->bench.asked_count, 1);
	scene_free(scene);
}

/* Revoked ones serve no more, even if nothing better is found. */
static void keys__that_are_refused__do_not_serve_again(void **state)
{
	struct scene *scene = role_scene();
	struct err err = { 0 };
	(void)state;
	begin(scene, NULL);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID1", "2026-01-01T01:00:00Z"), NULL);
	end_searches(scene, 1);
	assert_true(refuse(scene, "AKID1"));
	assert_null(get(scene, &err));
	assert_int_equal(err.code, ERR_NONE);
	answer_nothing(scene);
	end_searches(scene, 2);
	assert_fails(scene, ERR_NET, "nothing answers there");
	assert_due_in(scene, 5000);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKID2", "2026-01-01T03:00:00Z"), NULL);
	authbench_pass(&scene->bench, 5000);
	end_searches(scene, 3);
	assert_serves(scene, "AKID2");
	scene_free(scene);
}

/* --- files --- */

#define SSO_CONFIG                                                              \
	"[default]\nsso_session = my-sso\nsso_account_id = 123456789012\n"      \
	"sso_role_name = Admin\n[sso-session my-sso]\nsso_region = us-east-1\n" \
	"sso_start_url = https://d-1234567890.awsapps.com/start\n"
#define SSO_TOKEN "/home/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json"
#define SSO_ROLE  "/home/.aws/cli/cache/c30b99aca80d8f5b3178e353f05b2abcc9a4ccd3.json"

static void write_token(struct scene *scene, const char *token, const char *expires)
{
	char text[512];
	snprintf(text, sizeof(text), "{\"accessToken\":\"%s\",\"expiresAt\":\"%s\"}", token,
		 expires);
	authbench_write(&scene->bench, SSO_TOKEN, text);
}

static void answer_role(struct scene *scene, const char *access_key, int64_t life_ms)
{
	int64_t expires_ms = clock_wall_ms(&scene->bench.clock) + life_ms;
	char body[512];
	snprintf(body, sizeof(body),
		 "{\"roleCredentials\":{\"accessKeyId\":\"%s\",\"secretAccessKey\":\"s\","
		 "\"sessionToken\":\"t\",\"expiration\":%lld}}",
		 access_key, (long long)expires_ms);
	authbench_answer(&scene->bench, 200, body, NULL);
}

static void login_in_another_window__heals__what_failed(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_fails(scene, ERR_AUTH, "there is no login: run aws sso login");
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	answer_role(scene, "AKIDROLE", 60 * MINUTE_MS);
	authbench_pass(&scene->bench, 2000);
	end_searches(scene, 2); /* long before the five minutes are over */
	assert_in_range(clock_mono_ms(&scene->bench.clock) - scene->bench.start_mono_ms, 0,
			MINUTE_MS);
	assert_serves(scene, "AKIDROLE");
	assert_string_equal(scene->bench.asked[0].bearer, "first");
	scene_free(scene);
}

/* A login that this program refreshes, or another, is a file that changes: no reason to ask. */
static void file__that_changes__is_no_news_while_all_is_well(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	begin(scene, NULL);
	answer_role(scene, "AKID1", 60 * MINUTE_MS);
	end_searches(scene, 1);
	write_token(scene, "second", "2026-01-01T09:00:00Z");
	for (int i = 0; i < 12; i++) { /* rounds of looking at the file */
		authbench_pass(&scene->bench, 2000);
		authbench_turn(&scene->bench);
	}
	assert_false(status_of(scene).searching);
	assert_int_equal(scene->bench.asked_count, 1);
	/* At the renewal it counts. */
	answer_role(scene, "AKID2", 60 * MINUTE_MS);
	authbench_pass(&scene->bench, 46 * MINUTE_MS);
	end_searches(scene, 2);
	assert_string_equal(scene->bench.asked[1].bearer, "second");
	scene_free(scene);
}

/* The role's keys are in the cache, but AWS has refused them. */
static void cache__is_passed_over__after_a_refusal(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, "/home/.aws/config", SSO_CONFIG);
	authbench_write(&scene->bench, SSO_ROLE,
			"{\"Credentials\":{\"AccessKeyId\":\"AKIDCACHED\",\"SecretAccessKey\":"
			"\"s\",\"SessionToken\":\"t\",\"Expiration\":\"2026-01-01T01:00:00Z\"}}");
	write_token(scene, "first", "2026-01-01T08:00:00Z");
	begin(scene, NULL);
	end_searches(scene, 1);
	assert_serves(scene, "AKIDCACHED");
	assert_int_equal(scene->bench.asked_count, 0);
	assert_true(refuse(scene, "AKIDCACHED"));
	answer_role(scene, "AKIDNEW", 60 * MINUTE_MS);
	end_searches(scene, 2);
	assert_serves(scene, "AKIDNEW");
	scene_free(scene);
}

/* --- the code of a device --- */

#define MFA_CONFIG                                                                  \
	"[profile base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = s\n" \
	"[profile ops]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"            \
	"source_profile = base\nmfa_serial = arn:aws:iam::123456789012:mfa/me\n"
static struct scene *ask_for_code(void)
{
	struct scene *scene = scene_new();
	authbench_write(&scene->bench, "/home/.aws/config", MFA_CONFIG);
	begin(scene, "ops");
	for (int i = 0; i < TURNS_MAX && scene->questions == 0; i++)
		authbench_turn(&scene->bench);
	assert_string_equal(scene->asked_profile, "ops");
	assert_string_equal(scene->asked_serial, "arn:aws:iam::123456789012:mfa/me");
	return scene;
}

static void code__that_is_given__opens_the_role(void **state)
{
	struct scene *scene = ask_for_code();
	struct err err = { 0 };
	(void)state;
	assert_null(get(scene, &err)); /* calls wait for the person */
	assert_int_equal(err.code, ERR_NONE);
	authbench_answer(&scene->bench, 200, STS_ANSWER("AKIDROLE", "2026-01-01T01:00:00Z"), NULL);
	auth_code(scene->auth, "123456");
	end_searches(scene, 1);
	assert_serves(scene, "AKIDROLE");
	assert_non_null(strstr(scene->bench.asked[0].body, "TokenCode=123456"));
	assert_int_equal(scene->questions, 1);
	auth_code(scene->auth, "654321"); /* nobody has asked */
	assert_int_equal(scene->bench.asked_count, 1);
	scene_free(scene);
}

static void code__that_is_not_given__is_said(void **state)
{
	static const struct {
		const char *code, *text;
	} wrong[] = { { NULL, "no code was given" },
		      { "12345", "a code has six digits" },
		      { "1234567", "a code has six digits" },
		      { "12345a", "a code has six digits" },
		      { "", "a code has six digits" } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct scene *scene = ask_for_code();
		auth_code(scene->auth, wrong[i].code);
		end_searches(scene, 1);
		assert_fails(scene, ERR_AUTH, wrong[i].text);
		assert_int_equal(scene->bench.asked_count, 0);
		scene_free(scene);
	}
}

static void question__is_taken_back__with_its_search(void **state)
{
	struct scene *scene = ask_for_code();
	(void)state;
	auth_stop(scene->auth);
	assert_string_equal(scene->asked_profile, "");
	auth_code(scene->auth, "123456"); /* too late */
	assert_int_equal(scene->bench.asked_count, 0);
	auth_search(scene->auth);
	for (int i = 0; i < TURNS_MAX && scene->questions == 1; i++)
		authbench_turn(&scene->bench);
	assert_string_equal(scene->asked_profile, "ops");
	scene_free(scene);
}

/* --- searches that are cut off --- */

static void search__can_begin_anew__in_the_middle_of_one(void **state)
{
	struct scene *scene = container_scene();
	(void)state;
	begin(scene, NULL);
	assert_int_equal(scene->bench.flight_count, 1);
	auth_search(scene->auth);
	assert_int_equal(scene->bench.asked_count, 2);
	assert_int_equal(scene->bench.flight_count, 1); /* the first was taken back */
	answer_keys(scene, "AKID1", 60 * MINUTE_MS);
	end_searches(scene, 1);
	assert_serves(scene, "AKID1");
	auth_search(scene->auth); /* and forgets what it had */
	assert_false(status_of(scene).has_credentials);
	assert_string_equal(status_of(scene).provider, "");
	answer_keys(scene, "AKID2", 60 * MINUTE_MS);
	end_searches(scene, 2);
	assert_serves(scene, "AKID2");
	scene_free(scene);
}

/* Each kind of place, in the middle of whatever it waits for: disk, network, pause, process,
 * person. Nobody is called back afterwards; ASan sees to what is left. */
static const struct {
	const char *config, *token, *variable, *value;
} places[] = {
	{ "[default]\ncredential_process = sh -c 'sleep 1000'\n", NULL, NULL, NULL },
	{ SSO_CONFIG,
	  "{\"accessToken\":\"a\",\"expiresAt\":\"2026-01-01T00:10:00Z\","
	  "\"refreshToken\":\"r\",\"clientId\":\"c\",\"clientSecret\":\"s\","
	  "\"registrationExpiresAt\":\"2026-02-01T00:00:00Z\"}",
	  NULL, NULL },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\nsource_profile = base\n"
	  "[profile base]\naws_access_key_id = a\naws_secret_access_key = b\n",
	  NULL, NULL, NULL },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "credential_source = Ec2InstanceMetadata\n",
	  NULL, "AWS_EC2_METADATA_DISABLED", "no" },
	{ "[default]\nrole_arn = arn:aws:iam::123456789012:role/Dev\n"
	  "web_identity_token_file = ~/token\n",
	  NULL, NULL, NULL },
	{ "[default]\nlogin_session = arn:aws:iam::123456789012:user/me\n", NULL, NULL, NULL },
	{ "", NULL, "AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/keys" },
	{ "", NULL, "AWS_EC2_METADATA_DISABLED", "no" },
	{ MFA_CONFIG "[default]\nrole_arn = arn:aws:iam::123456789012:role/x\n"
		     "source_profile = base\nmfa_serial = 123456789\n",
	  NULL, NULL, NULL },
};

static void search__may_be_freed__at_any_turn_of_any_place(void **state)
{
	(void)state;
	for (size_t place = 0; place < ARRAY_LEN(places); place++) {
		for (int turns = 0; turns < 6; turns++) {
			struct scene *scene = scene_new();
			if (places[place].variable)
				assert_int_equal(setenv(places[place].variable, places[place].value,
							1),
						 0);
			authbench_write(&scene->bench, "/home/.aws/config", places[place].config);
			authbench_write(&scene->bench, "/home/token", "jwt");
			if (places[place].token)
				authbench_write(&scene->bench, SSO_TOKEN, places[place].token);
			authbench_answer(&scene->bench, 500, "", NULL);
			begin(scene, NULL);
			for (int i = 0; i < turns && scene->questions == 0; i++) {
				unsigned before = scene->changes;
				authbench_pass(&scene->bench, 1000); /* no pause is waited for */
				authbench_turn(&scene->bench);
				if (scene->changes > before)
					break;
			}
			unsigned changes = scene->changes;
			auth_free(scene->auth);
			scene->auth = NULL;
			assert_int_equal(scene->bench.flight_count, 0);
			assert_string_equal(scene->asked_profile, "");
			assert_null(scene->bench.waits.waiters->next); /* the disk's alone */
			assert_int_equal(scene->changes, changes);
			scene_free(scene);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search__begins_at_once__and_all_calls_wait_for_it),
		cmocka_unit_test(keys__are_renewed__a_quarter_of_an_hour_ahead),
		cmocka_unit_test(short_lives__are_renewed__halfway),
		cmocka_unit_test(lasting_keys__are_never__looked_for_again),
		cmocka_unit_test(suspend__is_noticed__by_the_first_call),
		cmocka_unit_test(renewal__that_fails__leaves_the_old_keys),
		cmocka_unit_test(network__that_is_away__is_tried_less_and_less),
		cmocka_unit_test(settings__that_are_wrong__are_tried_each_five_minutes),
		cmocka_unit_test(nothing__is_set_up__and_nobody_is_blamed),
		cmocka_unit_test(keys__that_have_expired__are_not_given),
		cmocka_unit_test(lasting_keys__that_are_refused__have_one_more_try),
		cmocka_unit_test(keys__that_were_replaced__are_refused_in_vain),
		cmocka_unit_test(keys__that_are_refused__do_not_serve_again),
		cmocka_unit_test(login_in_another_window__heals__what_failed),
		cmocka_unit_test(file__that_changes__is_no_news_while_all_is_well),
		cmocka_unit_test(cache__is_passed_over__after_a_refusal),
		cmocka_unit_test(code__that_is_given__opens_the_role),
		cmocka_unit_test(code__that_is_not_given__is_said),
		cmocka_unit_test(question__is_taken_back__with_its_search),
		cmocka_unit_test(search__can_begin_anew__in_the_middle_of_one),
		cmocka_unit_test(search__may_be_freed__at_any_turn_of_any_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

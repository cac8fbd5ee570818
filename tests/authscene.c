#include "tests/authscene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"

static void on_change(void *ctx)
{
	struct authscene *scene = ctx;
	scene->changes++;
}

static void on_question(void *ctx, const char *profile, const char *serial)
{
	struct authscene *scene = ctx;
	scene->questions += profile != NULL;
	snprintf(scene->asked_profile, sizeof(scene->asked_profile), "%s", profile ? profile : "");
	snprintf(scene->asked_serial, sizeof(scene->asked_serial), "%s", serial ? serial : "");
}

struct authscene *authscene_new(void)
{
	struct authscene *scene = mem_new(1, sizeof(*scene));
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_REGION", "eu-west-1", 1), 0);
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
	return scene;
}

struct authscene *authscene_container(void)
{
	struct authscene *scene = authscene_new();
	assert_int_equal(setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1/keys", 1),
			 0);
	return scene;
}

void authscene_answer_keys(struct authscene *scene, const char *access_key, int64_t life_ms)
{
	char expires[TIME_TEXT_SIZE], body[512];
	time_format_iso(clock_wall_ms(&scene->bench.clock) + life_ms, expires);
	snprintf(body, sizeof(body),
		 "{\"AccessKeyId\":\"%s\",\"SecretAccessKey\":\"s\",\"Token\":\"t\","
		 "\"Expiration\":\"%s\"}",
		 access_key, expires);
	authbench_answer(&scene->bench, 200, body, NULL);
}

void authscene_free(struct authscene *scene)
{
	auth_free(scene->auth);
	authbench_release(&scene->bench);
	free(scene);
}

void authscene_begin(struct authscene *scene, const char *profile)
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

struct auth_status authscene_status(const struct authscene *scene)
{
	struct auth_status status;
	auth_status(scene->auth, &status);
	return status;
}

void authscene_end_searches(struct authscene *scene, unsigned changes)
{
	for (int i = 0; i < TURNS_MAX && scene->changes < changes; i++) {
		scene->before_ms = clock_mono_ms(&scene->bench.clock);
		authbench_turn(&scene->bench);
	}
	assert_int_equal(scene->changes, changes);
	assert_false(authscene_status(scene).searching);
}

void authscene_is_due_in(const struct authscene *scene, int64_t ms)
{
	int64_t now_ms = clock_mono_ms(&scene->bench.clock);
	assert_true(scene->bench.armed);
	assert_in_range(scene->bench.due_ms, scene->before_ms + ms, now_ms + ms);
}

const struct aws_credentials *authscene_get(struct authscene *scene, struct err *err)
{
	struct credentials_source source = auth_source(scene->auth);
	return source.get(source.self, err);
}

bool authscene_refuse(struct authscene *scene, const char *access_key)
{
	struct credentials_source source = auth_source(scene->auth);
	return source.refused(source.self, access_key);
}

void authscene_serves(struct authscene *scene, const char *access_key)
{
	struct err err = { 0 };
	const struct aws_credentials *keys = authscene_get(scene, &err);
	assert_non_null(keys);
	assert_string_equal(keys->access_key, access_key);
	assert_int_equal(err.code, ERR_NONE);
	assert_true(authscene_status(scene).has_credentials);
}

void authscene_fails(struct authscene *scene, enum err_code code, const char *text)
{
	struct err err = { 0 };
	assert_null(authscene_get(scene, &err));
	assert_int_equal(err.code, code);
	if (!strstr(err_text(&err), text))
		fail_msg("'%s', not '%s'", err_text(&err), text);
	assert_false(authscene_status(scene).has_credentials);
	err_clear(&err);
}

/* One document of a metadata service: its tries, its pauses, its end. And the region of an
 * instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "aws/auth/auth.h"
#include "aws/auth/fetch.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define PAUSE_MS         INT64_C(600000) /* that no test waits for by itself */

struct scene {
	struct authbench bench;
	struct fetch *fetch;
	unsigned done;
	int status; /* 0: there was no answer */
	enum err_code code;
	bool frees; /* the fetch, from inside */
};

static struct scene *scene_new(void)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	return scene;
}

static void scene_free(struct scene *scene)
{
	fetch_free(scene->fetch);
	authbench_release(&scene->bench);
	free(scene);
}

static void on_done(void *ctx, const struct http_reply *reply, const struct err *err)
{
	struct scene *scene = ctx;
	scene->done++;
	scene->status = reply ? reply->status : 0;
	scene->code = err ? err->code : ERR_NONE;
	assert_true(!reply == (err != NULL));
	if (!scene->frees)
		return;
	fetch_free(scene->fetch);
	scene->fetch = NULL;
}

static bool is_busy(const struct http_reply *reply)
{
	return reply->status == 503;
}

static void begin(struct scene *scene, unsigned tries, bool (*again)(const struct http_reply *))
{
	char url[] = "http://169.254.170.2/v2/keys", value[] = "secret token";
	const struct fetch_options options = {
		.method = "GET",
		.url = url,
		.headers = { { "Authorization", value }, { "Accept", "application/json" } },
		.header_count = 2,
		.timeout_ms = 2000,
		.pause_ms = PAUSE_MS,
		.tries = tries,
		.again = again,
	};
	scene->fetch = fetch_start(&scene->bench.world, &options, on_done, scene);
	memset(url, 'x', sizeof(url) - 1); /* they were copied */
	memset(value, 'x', sizeof(value) - 1);
}

/* Each answer in a turn, each pause passed at once; the number of requests. */
static size_t finish(struct scene *scene)
{
	for (int i = 0; i < 100 && scene->done == 0; i++) {
		if (scene->bench.flight_count == 0)
			authbench_pass(&scene->bench, PAUSE_MS);
		authbench_turn(&scene->bench);
	}
	assert_int_equal(scene->done, 1);
	return scene->bench.asked_count;
}

static void document__is_asked_for__directly(void **state)
{
	struct scene *scene = scene_new();
	const struct authbench_asked *asked = &scene->bench.asked[0];
	(void)state;
	authbench_answer(&scene->bench, 200, "{}", NULL);
	begin(scene, 3, NULL);
	assert_int_equal(scene->done, 0);
	assert_int_equal(finish(scene), 1);
	assert_int_equal(scene->status, 200);
	assert_string_equal(asked->method, "GET");
	assert_string_equal(asked->url, "http://169.254.170.2/v2/keys");
	assert_string_equal(asked->authorization, "secret token");
	assert_string_equal(asked->accept, "application/json");
	assert_true(asked->no_proxy);
	scene_free(scene);
}

static void document__is_tried_again__until_it_comes_or_never(void **state)
{
	static const struct {
		int statuses[4];
		bool (*again)(const struct http_reply *);
		size_t asked;
		int status;
		enum err_code code;
	} runs[] = {
		{ { 500, 0, 200 }, NULL, 3, 200, ERR_NONE },
		{ { 404, 403, 400, 200 }, NULL, 3, 400, ERR_NONE },
		{ { 0, 0, 0, 200 }, NULL, 3, 0, ERR_NET },
		{ { 503, 404, 200 }, is_busy, 2, 404, ERR_NONE },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
		for (int frees = 0; frees < 2; frees++) {
			struct scene *scene = scene_new();
			scene->frees = frees;
			for (size_t j = 0; j < ARRAY_LEN(runs[i].statuses); j++)
				authbench_answer(&scene->bench, runs[i].statuses[j], "text", NULL);
			begin(scene, 3, runs[i].again);
			assert_int_equal(finish(scene), runs[i].asked);
			assert_int_equal(scene->status, runs[i].status);
			assert_int_equal(scene->code, runs[i].code);
			scene_free(scene);
		}
	}
}

static void empty_document__is_none(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_answer(&scene->bench, 200, "", NULL);
	authbench_answer(&scene->bench, 200, "role", NULL);
	begin(scene, 2, NULL);
	assert_int_equal(finish(scene), 2);
	scene_free(scene);
}

static void fetch__may_be_freed__in_flight_and_in_a_pause(void **state)
{
	(void)state;
	for (int turns = 0; turns < 2; turns++) {
		struct scene *scene = scene_new();
		authbench_answer(&scene->bench, 500, "", NULL);
		begin(scene, 3, NULL);
		for (int i = 0; i < turns; i++)
			authbench_turn(&scene->bench);
		fetch_free(scene->fetch);
		scene->fetch = NULL;
		assert_int_equal(scene->bench.flight_count, 0);
		assert_int_equal(scene->done, 0);
		scene_free(scene);
	}
}

/* --- the region of an instance --- */

struct region_scene {
	struct authbench bench;
	struct auth_region *search;
	unsigned done;
	char region[64]; /* "none": there is none */
};

static void on_region(void *ctx, const char *region)
{
	struct region_scene *scene = ctx;
	scene->done++;
	snprintf(scene->region, sizeof(scene->region), "%s", region ? region : "none");
	auth_region_free(scene->search);
	scene->search = NULL;
}

static void region__is_that__of_the_instance_or_none(void **state)
{
	static const struct {
		const char *disabled;
		int token_status;
		const char *token;
		int status;
		const char *body, *region;
		size_t asked;
	} instances[] = {
		{ "no", 200, "token", 200, "eu-west-3", "eu-west-3", 2 },
		{ "no", 200, "token", 200, "eu-west-3\n<html>", "eu-west-3", 2 },
		{ "no", 200, "token", 200, "", "none", 2 },
		{ "no", 200, "token", 404, "<html>", "none", 2 },
		{ "no", 403, "", 200, "eu-west-3", "eu-west-3", 2 }, /* it knows no tokens */
		{ "no", 400, "", 200, "eu-west-3", "none", 1 },
		{ "no", 200, "", 200, "eu-west-3", "none", 1 },
		{ "no", 200, "eu-west-1\nX: 1", 200, "eu-west-3", "none", 1 },
		{ "no", 0, NULL, 200, "eu-west-3", "none", 1 },
		{ "no", 200, "token", 200,
		  "a-name-that-is-much-longer-than-any-region-has-ever-been-anywhere-on-earth",
		  "none", 2 },
		{ "TRUE", 200, "token", 200, "eu-west-3", "none", 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(instances); i++) {
		struct region_scene *scene = mem_new(1, sizeof(*scene));
		authbench_init(&scene->bench, NEW_YEAR_2026_MS);
		assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", instances[i].disabled, 1), 0);
		assert_true(authbench_set_up(&scene->bench, NULL));
		const struct auth_options options = { .clock = &scene->bench.clock,
						      .waits = &scene->bench.waits,
						      .disk = scene->bench.disk,
						      .http = &scene->bench.transport,
						      .setup = &scene->bench.setup };
		authbench_answer(&scene->bench, instances[i].token_status, instances[i].token,
				 NULL);
		authbench_answer(&scene->bench, instances[i].status, instances[i].body, NULL);
		scene->search = auth_region_start(&options, on_region, scene);
		assert_int_equal(scene->done, 0);
		for (int turn = 0; turn < 10 && scene->done == 0; turn++)
			authbench_turn(&scene->bench);
		assert_int_equal(scene->done, 1);
		assert_string_equal(scene->region, instances[i].region);
		assert_int_equal(scene->bench.asked_count, instances[i].asked);
		if (instances[i].asked == 2 && instances[i].token_status == 200)
			assert_string_equal(scene->bench.asked[1].metadata_token, "token");
		authbench_release(&scene->bench);
		free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(document__is_asked_for__directly),
		cmocka_unit_test(document__is_tried_again__until_it_comes_or_never),
		cmocka_unit_test(empty_document__is_none),
		cmocka_unit_test(fetch__may_be_freed__in_flight_and_in_a_pause),
		cmocka_unit_test(region__is_that__of_the_instance_or_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

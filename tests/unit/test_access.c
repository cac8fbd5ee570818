/* How AWS is reached, as the two files say it now: settings, region, and what becomes of them when
 * the files change. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <microhttpd.h>

#include <cmocka.h>

#include "aws/access.h"
#include "model/base/mem.h"
#include "tests/authbench.h"

#define NEW_YEAR_2026_MS INT64_C(1767225600000)
#define TURNS_MAX        2000
#define KEYS             "aws_access_key_id = AKIDFILE\naws_secret_access_key = filesecret\n"
#define CONFIG           "/home/.aws/config"

struct scene {
	struct authbench bench;
	struct access *access;
	const char *profile, *region; /* options */
	unsigned ready, failed, changes;
	struct err err;              /* of the newest failure */
	struct MHD_Daemon *metadata; /* of an instance; NULL: this machine is none */
	const char *answer;          /* its region; NULL: it has no such document */
};

static void on_ready(void *ctx)
{
	struct scene *scene = ctx;
	scene->ready++;
}

static void on_failed(void *ctx, const struct err *err)
{
	struct scene *scene = ctx;
	scene->failed++;
	err_copy(&scene->err, err);
}

static void on_credentials(void *ctx)
{
	struct scene *scene = ctx;
	scene->changes++;
}

static struct scene *scene_new(void)
{
	struct scene *scene = mem_new(1, sizeof(*scene));
	authbench_init(&scene->bench, NEW_YEAR_2026_MS);
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "true", 1), 0);
	return scene;
}

static void scene_free(struct scene *scene)
{
	access_free(scene->access);
	if (scene->metadata)
		MHD_stop_daemon(scene->metadata);
	err_clear(&scene->err);
	authbench_release(&scene->bench);
	free(scene);
}

static void begin(struct scene *scene)
{
	const struct access_options options = {
		.setup = { .profile = scene->profile, .region = scene->region },
		.clock = &scene->bench.clock,
		.waits = &scene->bench.waits,
		.disk = scene->bench.disk,
		.ready = on_ready,
		.failed = on_failed,
		.credentials_changed = on_credentials,
		.ctx = scene,
	};
	scene->access = access_new(&options);
	assert_int_equal(scene->ready + scene->failed, 0); /* from the loop alone */
}

/* Turns until it has been ready, or has failed, so often. */
static void wait_for(struct scene *scene, unsigned ready, unsigned failed)
{
	for (int i = 0; i < TURNS_MAX && (scene->ready < ready || scene->failed < failed); i++)
		authbench_turn(&scene->bench);
	if (scene->ready != ready || scene->failed != failed)
		fail_msg("%u times ready, %u failed: %s", scene->ready, scene->failed,
			 err_text(&scene->err));
}

/* Long enough for a look at the files. */
static void edit(struct scene *scene, const char *text)
{
	authbench_write(&scene->bench, CONFIG, text);
	authbench_pass(&scene->bench, 2000);
}

static void want(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

/* --- the beginning --- */

static void settings__stand__with_the_place_that_says_them(void **state)
{
	struct scene *scene = scene_new();
	struct auth_status status;
	(void)state;
	authbench_write(&scene->bench, CONFIG, "[default]\nregion = eu-west-3\n" KEYS);
	begin(scene);
	wait_for(scene, 1, 0);
	assert_string_equal(access_region(scene->access), "eu-west-3");
	want(access_region_origin(scene->access), "profile default in ");
	want(access_region_origin(scene->access), "/home/.aws/config line 2");
	while (scene->changes == 0)
		authbench_turn(&scene->bench);
	assert_true(access_status(scene->access, &status));
	assert_true(status.has_credentials);
	assert_string_equal(status.provider, "config file");
	scene_free(scene);
}

static void region__is_the_options__then_the_environments(void **state)
{
	static const struct {
		const char *option, *first, *second, *region, *origin;
	} places[] = {
		{ "us-east-2", "us-west-1", "us-west-2", "us-east-2", "--region" },
		{ NULL, "us-west-1", "us-west-2", "us-west-1", "AWS_REGION" },
		{ NULL, NULL, "us-west-2", "us-west-2", "AWS_DEFAULT_REGION" },
		{ NULL, "", "us-west-2", "us-west-2", "AWS_DEFAULT_REGION" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct scene *scene = scene_new();
		scene->region = places[i].option;
		if (places[i].first)
			assert_int_equal(setenv("AWS_REGION", places[i].first, 1), 0);
		assert_int_equal(setenv("AWS_DEFAULT_REGION", places[i].second, 1), 0);
		authbench_write(&scene->bench, CONFIG, "[default]\nregion = eu-west-3\n");
		begin(scene);
		wait_for(scene, 1, 0);
		assert_string_equal(access_region(scene->access), places[i].region);
		assert_string_equal(access_region_origin(scene->access), places[i].origin);
		scene_free(scene);
	}
}

static void paths__with_blanks_links_and_homes__are_found(void **state)
{
	struct scene *scene = scene_new();
	char home[256], link[256];
	(void)state;
	snprintf(home, sizeof(home), "%s/my home", scene->bench.root);
	snprintf(link, sizeof(link), "%s/my home/a link", scene->bench.root);
	authbench_write(&scene->bench, "/my home/the files/c", "[default]\nregion = eu-west-3\n");
	assert_int_equal(symlink("the files/c", link), 0);
	assert_int_equal(setenv("HOME", home, 1), 0);
	assert_int_equal(setenv("AWS_CONFIG_FILE", "~/a link", 1), 0);
	begin(scene);
	wait_for(scene, 1, 0);
	assert_string_equal(access_region(scene->access), "eu-west-3");
	want(access_region_origin(scene->access), "/my home/a link line 2");
	scene_free(scene);
}

/* --- no region --- */

static void no_region__names__what_was_looked_at_and_is_mended(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, CONFIG, "[default]\n" KEYS);
	begin(scene);
	wait_for(scene, 0, 1);
	assert_int_equal(scene->err.code, ERR_CONFIG);
	assert_int_equal(scene->err.hint, HINT_SET_REGION);
	want(err_text(&scene->err), "no region is set; looked at --region, AWS_REGION, "
				    "AWS_DEFAULT_REGION, ");
	want(err_text(&scene->err), "/home/.aws/config (read)");
	want(err_text(&scene->err), "/home/.aws/credentials (there is no such file)");
	edit(scene, "[default]\nregion = eu-west-3\n" KEYS);
	wait_for(scene, 1, 1);
	assert_string_equal(access_region(scene->access), "eu-west-3");
	scene_free(scene);
}

static void region__that_is_no_name__is_refused(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, CONFIG, "[default]\nregion = eu/west\n");
	begin(scene);
	wait_for(scene, 0, 1);
	want(err_text(&scene->err), "eu/west is not the name of a region");
	want(scene->err.subject, "config line 2");
	scene_free(scene);
}

/* --- an instance's region --- */

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
			      const char *method, const char *version, const char *upload,
			      size_t *upload_size, void **seen)
{
	struct scene *scene = ctx;
	static int mark;
	(void)version, (void)upload;
	if (!*seen) {
		*seen = &mark;
		return MHD_YES;
	}
	*upload_size = 0;
	bool is_token = strcmp(method, "PUT") == 0;
	bool is_region = strcmp(url, "/latest/meta-data/placement/region") == 0;
	const char *body = is_token ? "token" : is_region && scene->answer ? scene->answer : "";
	struct MHD_Response *response =
		MHD_create_response_from_buffer(strlen(body), (void *)body, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result queued = MHD_queue_response(connection, body[0] ? 200 : 404, response);
	MHD_destroy_response(response);
	return queued;
}

static void start_metadata(struct scene *scene)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char url[64];
	scene->metadata =
		MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, scene,
				 MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_END);
	assert_non_null(scene->metadata);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/",
		 MHD_get_daemon_info(scene->metadata, MHD_DAEMON_INFO_BIND_PORT)->port);
	assert_int_equal(setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", url, 1), 0);
	assert_int_equal(setenv("AWS_EC2_METADATA_DISABLED", "no", 1), 0);
	assert_int_equal(setenv("AWS_METADATA_SERVICE_TIMEOUT", "30", 1), 0);
}

static void region__is_the_instances__where_nobody_says_one(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	scene->answer = "eu-north-1";
	start_metadata(scene);
	begin(scene);
	wait_for(scene, 1, 0);
	assert_string_equal(access_region(scene->access), "eu-north-1");
	assert_string_equal(access_region_origin(scene->access), "the instance's metadata");
	scene_free(scene);
}

static void region__is_asked_for_again__when_somebody_wants_it(void **state)
{
	static const char *const none[] = { NULL, "a b", "-x" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		struct scene *scene = scene_new();
		scene->answer = none[i];
		start_metadata(scene);
		begin(scene);
		wait_for(scene, 0, 1);
		want(err_text(&scene->err), "no region is set");
		scene->answer = "eu-north-1";
		access_retry(scene->access);
		wait_for(scene, 1, 1);
		assert_string_equal(access_region(scene->access), "eu-north-1");
		scene_free(scene);
	}
}

/* --- files that change --- */

static void profile__that_is_missing__is_taken_up_when_it_comes(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	scene->profile = "ops";
	authbench_write(&scene->bench, CONFIG, "[profile dev]\nregion = eu-west-3\n");
	begin(scene);
	wait_for(scene, 0, 1);
	assert_string_equal(scene->err.subject, "profile ops");
	want(err_text(&scene->err), "dev");
	edit(scene, "[profile dev]\nregion = eu-west-3\n[profile ops]\nregion = eu-west-2\n");
	wait_for(scene, 1, 1);
	assert_string_equal(access_region(scene->access), "eu-west-2");
	assert_string_equal(access_setup(scene->access)->profile->name, "ops");
	scene_free(scene);
}

static void bad_edit__leaves__what_was_there(void **state)
{
	struct scene *scene = scene_new();
	struct auth_status status;
	(void)state;
	scene->profile = "ops";
	authbench_write(&scene->bench, CONFIG, "[profile ops]\nregion = eu-west-3\n" KEYS);
	begin(scene);
	while (scene->changes == 0)
		authbench_turn(&scene->bench);
	wait_for(scene, 1, 0);
	edit(scene, "[profile other]\nregion = us-east-1\n");
	wait_for(scene, 1, 1);
	assert_string_equal(scene->err.subject, "profile ops");
	assert_string_equal(access_setup(scene->access)->profile->name, "ops");
	assert_string_equal(access_region(scene->access), "eu-west-3");
	assert_true(access_status(scene->access, &status));
	assert_true(status.has_credentials); /* those that it had serve on */
	assert_int_equal(scene->changes, 1);
	edit(scene, "[profile ops]\nregion = eu-west-3\naws_access_key_id = AKIDNEW\n"
		    "aws_secret_access_key = newsecret\n");
	wait_for(scene, 2, 1);
	while (scene->changes == 1)
		authbench_turn(&scene->bench);
	struct err none = { 0 };
	struct credentials_source source = access_source(scene->access);
	assert_string_equal(source.get(source.self, &none)->access_key, "AKIDNEW");
	scene_free(scene);
}

/* Whatever was read in the middle of it, half a file perhaps, the last text counts in the end. */
static void files__that_change_while_they_are_read__are_read_again(void **state)
{
	struct scene *scene = scene_new();
	char text[64];
	(void)state;
	authbench_write(&scene->bench, CONFIG, "[default]\nregion = eu-west-1\n");
	begin(scene);
	for (int i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "%s[default]\nregion = eu-west-%d\n",
			 i % 3 == 1 ? "# longer\n" : "", 100 + i);
		edit(scene, text);
		authbench_turn(&scene->bench);
	}
	for (int i = 0; i < TURNS_MAX && strcmp(access_region(scene->access), "eu-west-139") != 0;
	     i++) {
		authbench_pass(&scene->bench, 2000);
		authbench_turn(&scene->bench);
	}
	assert_string_equal(access_region(scene->access), "eu-west-139");
	scene_free(scene);
}

/* What was asked for in the middle of a reading is another one: the first may have the old text. */
static void files__are_read_once_more__when_asked_for_meanwhile(void **state)
{
	struct scene *scene = scene_new();
	(void)state;
	authbench_write(&scene->bench, CONFIG, "[default]\nregion = eu/west\n");
	begin(scene);
	access_retry(scene->access);
	access_retry(scene->access);
	wait_for(scene, 0, 2);
	scene_free(scene);
}

static void pipe__in_place_of_a_file__holds_nobody_up(void **state)
{
	struct scene *scene = scene_new();
	char path[256];
	(void)state;
	snprintf(path, sizeof(path), "%s/pipe", scene->bench.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(setenv("AWS_CONFIG_FILE", path, 1), 0);
	assert_int_equal(setenv("AWS_REGION", "eu-west-3", 1), 0);
	begin(scene);
	wait_for(scene, 1, 0);
	scene_free(scene);
}

static void access__may_be_freed__at_any_turn(void **state)
{
	(void)state;
	for (int turns = 0; turns < 8; turns++) {
		struct scene *scene = scene_new();
		scene->answer = "eu-north-1";
		start_metadata(scene);
		authbench_write(&scene->bench, CONFIG, "[default]\n" KEYS);
		begin(scene);
		for (int i = 0; i < turns; i++) {
			authbench_pass(&scene->bench, 1000); /* no look at a file is waited for */
			authbench_turn(&scene->bench);
		}
		access_free(scene->access);
		scene->access = NULL;
		assert_null(scene->bench.waits.waiters->next); /* the disk's alone */
		assert_int_equal(scene->bench.watch_count, 1);
		scene_free(scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings__stand__with_the_place_that_says_them),
		cmocka_unit_test(region__is_the_options__then_the_environments),
		cmocka_unit_test(paths__with_blanks_links_and_homes__are_found),
		cmocka_unit_test(no_region__names__what_was_looked_at_and_is_mended),
		cmocka_unit_test(region__that_is_no_name__is_refused),
		cmocka_unit_test(region__is_the_instances__where_nobody_says_one),
		cmocka_unit_test(region__is_asked_for_again__when_somebody_wants_it),
		cmocka_unit_test(profile__that_is_missing__is_taken_up_when_it_comes),
		cmocka_unit_test(bad_edit__leaves__what_was_there),
		cmocka_unit_test(files__that_change_while_they_are_read__are_read_again),
		cmocka_unit_test(files__are_read_once_more__when_asked_for_meanwhile),
		cmocka_unit_test(pipe__in_place_of_a_file__holds_nobody_up),
		cmocka_unit_test(access__may_be_freed__at_any_turn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

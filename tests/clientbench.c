#include "tests/clientbench.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "aws/sagemaker_jobs.h"
#include "model/base/mem.h"

static void serve(void *ctx, const struct fake_sent *sent, struct fake_answer *answer)
{
	struct bench *bench = ctx;

	answer->body = mem_copy_text("{\"ok\":1}");
	if (bench->answer)
		bench->answer(bench, bench->world->sent_count - 1, sent, answer);
}

static void wake(void *target)
{
	aws_client_wake(((struct bench *)target)->client);
}

static void on_date(void *ctx, int64_t date_ms, int64_t mono_ms)
{
	struct bench *bench = ctx;

	assert_int_equal(mono_ms, bench->world->mono_ms);
	bench->dates = date_ms;
}

void bench_start(struct bench *bench, struct aws_options options)
{
	char access[] = "AKIDEXAMPLE", secret[] = BENCH_SECRET, token[] = BENCH_TOKEN;
	struct aws_credentials keys = {
		.access_key = access,
		.secret_key = secret,
		.session_token = options.ctx ? NULL : token,
	};
	struct err err = { 0 };

	bench->world = fake_world_new(serve, bench);
	options.region = options.region ? options.region : "us-east-1";
	options.seed = 7;
	options.clock = &bench->world->clock;
	options.hooks = fake_hooks(bench->world, wake, bench);
	options.transport = &bench->world->transport;
	options.on_date = on_date;
	options.ctx = bench;
	bench->client = aws_client_new(&options, &keys, &err);
	assert_non_null(bench->client);
}

void bench_stop(struct bench *bench)
{
	aws_client_free(bench->client);
	fake_world_free(bench->world);
	err_clear(&bench->err);
}

uint64_t bench_call(struct bench *bench, const struct aws_op *op)
{
	bench->inside = true;

	uint64_t id = aws_client_call(bench->client, op, "{}", bench_ended, bench);

	bench->inside = false;
	assert_true(id != 0);
	return id;
}

void bench_ended(void *ctx, const struct aws_reply *reply, const struct err *err)
{
	struct bench *bench = ctx;

	assert_false(bench->inside);
	bench->done++;
	bench->tries = reply->tries;
	bench->open = reply->outcome_open;
	bench->body_len = reply->body_len;
	if (err) {
		bench->failed++;
		err_copy(&bench->err, err);
		assert_null(reply->json);
	} else {
		assert_int_equal(json_type(reply->json), JSON_TYPE_OBJECT);
	}
	if (bench->chain) {
		bench->chain = false;
		aws_client_cancel(bench->client, bench->victim);
		bench_call(bench, &op_describe_training_job);
	}
}

void bench_dropped(void *ctx)
{
	((struct bench *)ctx)->dropped++;
}

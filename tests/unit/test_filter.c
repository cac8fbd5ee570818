#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/attr.h"
#include "model/filter.h"
#include "model/pattern.h"

static char in_progress[] = "InProgress", pending[] = "Pending", failed[] = "Failed";
static char message[] = "Insufficient capacity error from EC2";
static char reason[] = "CapacityError: Unable to provision";

static struct job pending_job(void)
{
	struct job job = { .name = "llm-ft-0930",
			   .kind = JOB_TRAINING,
			   .status = in_progress,
			   .secondary_status = pending,
			   .status_message = message };
	job_edit_prefs(&job)->length = 2;
	memcpy(job_edit_prefs(&job)->entries[0].instance_type, "ml.p5.48xlarge", 15);
	memcpy(job_edit_prefs(&job)->entries[1].instance_type, "ml.p4d.24xlarge", 16);
	return job;
}

#define HOUR INT64_C(3600000)
#define NOW  (100 * HOUR)

static bool matches(const char *text, const struct job *job)
{
	const struct price_book none = { 0 };
	struct filter *filter = filter_new(text);
	bool found =
		filter_matches(filter, job, &(struct filter_ask){ .now_ms = NOW, .prices = &none });

	filter_free(filter);
	return found;
}

static void filter__finds_words_anywhere__when_they_stand_in_the_job(void **state)
{
	static const struct {
		const char *filter;
		bool matches;
	} rows[] = {
		{ "", true },
		{ "  \t ", true },
		{ "ft-09", true },    /* name */
		{ "LLM", true },      /* any case */
		{ "training", true }, /* kind */
		{ "processing", false },
		{ "pending", true },      /* phase and status */
		{ "inprogress", true },   /* primary status */
		{ "p4d", true },          /* second type of the list */
		{ "insufficient", true }, /* message */
		{ "p4d llm", true },
		{ "p4d  llm ", true },
		{ "p4d eval", false }, /* every word must stand */
		{ "!eval", true },
		{ "!p4d", false },
		{ "p5 !eval !g5", true },
		{ "p5 !P4D", false },
		{ "!", true }, /* nothing to exclude */
		{ "! p4d", true },
		{ "running", false },
		{ "p4d\nllm\r", true },
	};
	struct job job = pending_job();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool found = matches(rows[i].filter, &job);
		if (found != rows[i].matches)
			print_error("filter \"%s\"\n", rows[i].filter);
		assert_int_equal(found, rows[i].matches);
	}
	free(job.prefs);
}

static void filter__looks_at_reason_and_selection__when_there_are_any(void **state)
{
	struct job job = pending_job();

	(void)state;
	assert_false(matches("capacityerror", &job));
	assert_false(matches("g5.12", &job));
	job.status = failed;
	job.failure_reason = reason;
	job.selected = (struct selected){ true, "ml.g5.12xlarge", 1, 0 };
	assert_true(matches("capacityerror failed", &job));
	assert_true(matches("g5.12", &job));
	job.selected.set = false;
	assert_false(matches("g5.12", &job));
	free(job.prefs);
}

static void filter__takes_any_job__when_nothing_is_known_of_it(void **state)
{
	struct job job = { .kind = JOB_PROCESSING };

	(void)state;
	assert_true(matches("processing unknown", &job));
	assert_false(matches("x", &job));
	assert_true(matches("!x", &job));
}

static void filter__cuts_a_word__when_it_is_longer_than_any_filter(void **state)
{
	char filter[3 * FILTER_SIZE];
	struct job job = pending_job();

	(void)state;
	memset(filter, 'x', sizeof(filter) - 1);
	filter[sizeof(filter) - 1] = '\0';
	assert_false(matches(filter, &job));
	filter[0] = '!';
	assert_true(matches(filter, &job));
	free(job.prefs);
}

/* A job that runs since two hours after three of waiting, on the second choice. */
static struct job running_job(void)
{
	static char training[] = "Training", arn[] = "arn:aws:iam::111122223333:role/ops";
	static char image[] = "registry/pytorch:2.1";
	struct job job = pending_job();

	job.secondary_status = training;
	job.role_arn = arn;
	job.image = image;
	job.described = true;
	job.created = (struct opt_ms){ true, NOW - 5 * HOUR };
	job.started = (struct opt_ms){ true, NOW - 2 * HOUR };
	job.max_pending = (struct opt_ms){ true, 6 * HOUR };
	job.selected = (struct selected){ true, "ml.p4d.24xlarge", 4, 2 };
	return job;
}

/* Worked out by hand: it waited 3 h, runs for 2 h, is 5 h old, and runs on #2 with 4 instances; of
 * its cost nothing is known, for there is no price. */
static void filter__compares_fields__as_product_md_has_it(void **state)
{
	static const struct {
		const char *filter;
		bool found;
	} rows[] = {
		{ "wait>2h", true },
		{ "wait>3h", false },
		{ "wait>=3h", true },
		{ "wait<=180m", true },
		{ "wait<3h", false },
		{ "wait:3h", true },
		{ "wait=3h", true },
		{ "wait!=3h", false },
		{ "!wait>2h", false },
		{ "run>1h", true },
		{ "run>=2h run<3h", true },
		{ "age>5h", false },
		{ "age:5h", true },
		{ "limit<1d", true },
		{ "rank>1", true },
		{ "rank:1", false },
		{ "count>=4 count<5", true },
		{ "type~p5", true }, /* it could have had it */
		{ "type:ml.p4d.24xlarge", true },
		{ "type:p4d", false }, /* is, not holds */
		{ "type!=ml.g5.2xlarge", true },
		{ "TYPE~P5", true },
		{ "status:InProgress", true },
		{ "status:running", true }, /* the phase */
		{ "status:training", true },
		{ "status:Failed", false },
		{ "phase:running kind:training", true },
		{ "phase:pending", false },
		{ "name~ft", true },
		{ "role~ops image~pytorch", true },
		{ "message~\"capacity error\"", true },
		{ "reason~CUDA", false },
		{ "reason!=x", true }, /* it has none */
		/* Not known: neither above nor below. */
		{ "cost>0", false },
		{ "cost<100", false },
		{ "!cost>0", true },
		{ "hour>=0", false },
		/* Words that look like more. */
		{ "\"llm-ft\"", true },
		{ "\"insufficient capacity\"", true },
		{ "\"capacity insufficient\"", false },
		{ "s3://bucket", false },
		{ "arn:aws", false },
		/* Expressions. */
		{ "/^llm-.*-0930$/", true },
		{ "/^ft/", false },
		{ "!/^ft/", true },
		{ "/insufficient (capacity|space)/", true },
		{ "/P[45]d?\\./", true },
		{ "/llm/ rank>1 !eval", true },
		{ "/", true },    /* nothing is asked for yet */
		{ "/llm", true }, /* its end is not typed yet */
	};
	struct job job = running_job();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (matches(rows[i].filter, &job) != rows[i].found)
			fail_msg("filter %s", rows[i].filter);
	free(job.prefs);
}

static void filter__finds_tags__by_key_or_with_value(void **state)
{
	static char team[] = "team", nlp[] = "nlp";
	const struct tag tag = { team, nlp };
	struct job job = pending_job();

	(void)state;
	assert_false(matches("tag:team", &job));
	job.tags = tag_list_new(&tag, 1);
	assert_true(matches("tag:team", &job));
	assert_true(matches("tag:team=NLP", &job));
	assert_false(matches("tag:team=vision", &job));
	assert_false(matches("tag:tea", &job));
	assert_true(matches("tag~nl", &job));
	assert_true(matches("tag!=owner", &job));
	free(job.tags);
	free(job.prefs);
}

/* Expected by the grammar of pattern.h. The third is what the C library needs minutes for. */
static void pattern__stands__or_does_not(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool stands;
	} rows[] = {
		{ "", "", true },
		{ "a", "bab", true },
		{ "^a(b||||||||||||||||||||||||||||||||||||||||||||c)+++$", "abbbbbbbbbbbbbbbbd",
		  false },
		{ "A.c", "xaBC", true },
		{ "a.c", "ac", false },
		{ "^ab*c$", "ac", true },
		{ "^ab*c$", "abbbc", true },
		{ "^ab+c$", "ac", false },
		{ "^ab?c$", "abbc", false },
		{ "^(ab)+$", "ababab", true },
		{ "^(ab)+$", "aba", false },
		{ "^(a|bc|)d$", "bcd", true },
		{ "^(a|bc|)d$", "d", true },
		{ "^(a|bc|)d$", "abcd", false },
		{ "^(a*)*$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false },
		{ "[0-9]+-[a-f]", "x12-C", true },
		{ "[^0-9]", "123", false },
		{ "[]a]", "]", true },
		{ "[a-]", "-", true },
		{ "\\.x", "a.x", true },
		{ "\\.x", "abx", false },
		{ "\\d\\d \\w\\S\\D", "42 a-b", true },
		{ "\\s", "ab", false },
		{ "^.$", "\u8bad", true }, /* one character, three bytes */
		{ "[\u00e0-\u00ff]", "\u00e9", true },
		{ "$^", "", true },
		{ "a$b", "a", false },
		{ "ab|cd", "xcdx", true },
	};
	size_t at;
	const char *why;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pattern *pattern = pattern_new(rows[i].pattern, &at, &why);
		if (!pattern)
			fail_msg("%s: %s", rows[i].pattern, why);
		for (int again = 0; again < 2; again++)
			if (pattern_stands(pattern, rows[i].text) != rows[i].stands)
				fail_msg("%s in %s", rows[i].pattern, rows[i].text);
		pattern_free(pattern);
	}
}

static void pattern__is_none__with_place_and_reason(void **state)
{
	static const struct {
		const char *pattern;
		size_t at;
		const char *why;
	} rows[] = {
		{ "a(b", 3, "a ) is missing" },    { "a)b", 1, "a ( is missing" },
		{ "[a", 2, "a ] is missing" },     { "a{2}", 1, "no {counts}" },
		{ "*a", 0, "nothing to repeat" },  { "a|+", 2, "nothing to repeat" },
		{ "x\\", 2, "nothing behind \\" }, { "[z-a]", 4, "a range goes upwards" },
	};
	char deep[80];
	size_t at = 0;
	const char *why = "";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_null(pattern_new(rows[i].pattern, &at, &why));
		assert_string_equal(why, rows[i].why);
		assert_int_equal(at, rows[i].at);
	}
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_null(pattern_new(deep, &at, &why));
	assert_string_equal(why, "too deep");
}

/* The first place that is wrong, and why; what is right beside it still holds. */
static void filter__says_what_is_wrong__and_where(void **state)
{
	static const struct {
		const char *filter;
		size_t at, len;
		const char *why;
	} rows[] = {
		{ "llm wat>2h", 4, 3, "no field wat; wait?" },
		{ "colour:red", 0, 6, "no field colour" },
		{ "wait>", 5, 1, "a value is missing, as in wait>2h" },
		{ "wait>soon", 5, 4, "wait takes a duration, as in wait>2h" },
		{ "llm cost>much", 9, 4, "cost takes an amount, as in cost>100" },
		{ "rank>x", 5, 1, "rank takes a number, as in rank>1" },
		{ "wait~2h", 4, 1, "wait is used as in wait>2h" },
		{ "name>a", 4, 1, "name is used as in name~llm" },
		{ "!name<a", 5, 1, "name is used as in name~llm" },
		{ "x /a{3}/", 4, 1, "no {counts}" },
		{ "/(a)\\1/", 5, 1, "only \\d \\w \\s \\D \\W \\S" },
		{ "llm /(a|b", 9, 1, "a ) is missing" },
		{ "wat>1 wait>x", 0, 3, "no field wat; wait?" },
	};
	struct job job = running_job();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct filter *filter = filter_new(rows[i].filter);
		const struct filter_wrong *wrong = filter_wrong(filter);
		if (!wrong)
			fail_msg("%s: nothing is wrong", rows[i].filter);
		assert_string_equal(wrong->text, rows[i].why);
		assert_int_equal(wrong->at, rows[i].at);
		assert_int_equal(wrong->len, rows[i].len);
		filter_free(filter);
	}
	assert_true(matches("llm wat>2h", &job));
	assert_false(matches("eval wat>2h", &job));
	assert_null(filter_wrong(NULL));
	assert_true(filter_matches(NULL, &job, NULL));
	free(job.prefs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filter__compares_fields__as_product_md_has_it),
		cmocka_unit_test(pattern__stands__or_does_not),
		cmocka_unit_test(pattern__is_none__with_place_and_reason),
		cmocka_unit_test(filter__finds_tags__by_key_or_with_value),
		cmocka_unit_test(filter__says_what_is_wrong__and_where),
		cmocka_unit_test(filter__finds_words_anywhere__when_they_stand_in_the_job),
		cmocka_unit_test(filter__looks_at_reason_and_selection__when_there_are_any),
		cmocka_unit_test(filter__takes_any_job__when_nothing_is_known_of_it),
		cmocka_unit_test(filter__cuts_a_word__when_it_is_longer_than_any_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

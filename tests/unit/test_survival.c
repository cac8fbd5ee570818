/*
 * The curve of starts: a published example, R's survival package over 200 random sets
 * (tests/survival), and by hand what R leaves open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/survival.h"

#define LINE_SIZE 8192
#define SET_MAX   64
#define SETS      200

static void assert_near(double actual, double expected, double within)
{
	if (fabs(actual - expected) > within)
		fail_msg("%.12g is not %.12g", actual, expected);
}

/* The 6-MP arm of Freireich et al. 1963 (weeks of remission), as worked in Cox and Oakes 1984 and
 * in most textbooks since: the estimate and its standard error to three and four places. */
static void the_published_example__of_6_mp__comes_out(void **state)
{
	static const int64_t starts[] = { 6, 6, 6, 7, 10, 13, 16, 22, 23 };
	static const int64_t censored[] = { 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35 };
	static const struct {
		int64_t week;
		uint32_t at_risk;
		double surviving, error;
	} rows[] = {
		{ 6, 21, 0.857, 0.0764 },  { 7, 17, 0.807, 0.0869 },  { 10, 15, 0.753, 0.0963 },
		{ 13, 12, 0.690, 0.1068 }, { 16, 11, 0.627, 0.1141 }, { 22, 7, 0.538, 0.1282 },
		{ 23, 6, 0.448, 0.1346 },
	};
	struct survival curve = { 0 };
	int64_t median;
	(void)state;
	survival_build(&curve, starts, ARRAY_LEN(starts), censored, ARRAY_LEN(censored));
	assert_int_equal(curve.count, ARRAY_LEN(rows));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct survival_step *step = &curve.steps[i];
		assert_int_equal(step->ms, rows[i].week);
		assert_int_equal(step->at_risk, rows[i].at_risk);
		assert_near(step->waiting, rows[i].surviving, 0.0005);
		assert_near(step->waiting * sqrt(step->variance), rows[i].error, 0.00005);
	}
	assert_true(survival_quantile(&curve, 0.5, &median));
	assert_int_equal(median, 23);
	assert_false(survival_quantile(&curve, 0.9, &median));
	survival_release(&curve);
}

/* One set of sets.tsv; times in ms. */
struct set {
	int64_t starts[SET_MAX], censored[SET_MAX];
	size_t start_count, censored_count;
};

static int ascending(const void *a, const void *b)
{
	const int64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

static void read_waits(const char *text, struct set *set)
{
	char *end;
	for (set->start_count = set->censored_count = 0; *text; text = end + (*end == ',')) {
		int64_t ms = strtoll(text, &end, 10) * 1000;
		if (*end == '+')
			set->censored[set->censored_count++] = ms, end++;
		else
			set->starts[set->start_count++] = ms;
	}
	qsort(set->starts, set->start_count, sizeof(int64_t), ascending);
	qsort(set->censored, set->censored_count, sizeof(int64_t), ascending);
}

/* A number of R's, or NAN for NA; text moves behind it and one mark. */
static double read_number(const char **text)
{
	char *end;
	double number = NAN;
	if (strncmp(*text, "NA", 2) == 0)
		end = (char *)*text + 2;
	else
		number = strtod(*text, &end);
	*text = end + (*end == ':' || *end == ',');
	return number;
}

static size_t compare_steps(const struct survival *curve, const char *text)
{
	size_t i = 0;
	for (; *text && *text != '-'; i++) {
		double field[7];
		for (size_t k = 0; k < ARRAY_LEN(field); k++)
			field[k] = read_number(&text);
		assert_true(i < curve->count);
		const struct survival_step *step = &curve->steps[i];
		struct survival_band band = survival_band(step->waiting, step->variance);
		assert_int_equal(step->ms, (int64_t)field[0] * 1000);
		assert_int_equal(step->at_risk, (uint32_t)field[1]);
		assert_int_equal(step->starts, (uint32_t)field[2]);
		assert_near(step->waiting, field[3], 1e-10);
		assert_true(isnan(field[4]) == isinf(step->variance));
		if (isnan(field[4]))
			continue;
		assert_near(sqrt(step->variance), field[4], 1e-10);
		assert_near(band.low, field[5], 1e-10);
		assert_near(band.high, field[6], 1e-10);
	}
	assert_int_equal(i, curve->count);
	return i;
}

static void compare_quantiles(const struct survival *curve, const char *text)
{
	static const double shares[] = { 0.1, 0.25, 0.5, 0.75, 0.9 };
	for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
		double expected = read_number(&text);
		int64_t ms = -1;
		assert_int_equal(survival_quantile(curve, shares[i], &ms), !isnan(expected));
		if (!isnan(expected))
			assert_near((double)ms, expected * 1000, 0.5);
	}
}

static void curve_band_and_quantiles__of_200_sets__are_those_of_r(void **state)
{
	char line[LINE_SIZE];
	struct survival curve = { 0 };
	struct set set;
	size_t sets = 0, steps = 0;
	FILE *file = fopen("tests/survival/sets.tsv", "r");
	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *field[4], *rest = line;
		for (size_t i = 0; i < ARRAY_LEN(field); i++) {
			field[i] = rest;
			rest += strcspn(rest, "\t\n");
			assert_true(*rest);
			*rest++ = 0;
		}
		read_waits(field[1], &set);
		survival_build(&curve, set.starts, set.start_count, set.censored,
			       set.censored_count);
		steps += compare_steps(&curve, field[2]);
		compare_quantiles(&curve, field[3]);
		sets++;
	}
	fclose(file);
	survival_release(&curve);
	assert_int_equal(sets, SETS);
	printf("%zu sets, %zu steps\n", sets, steps);
}

/* Ten waits: four start at once, one after 10 and one after 20, four are still waiting at 30. */
static const int64_t few_starts[] = { 0, 0, 0, 0, 10, 20 };
static const int64_t few_censored[] = { 30, 30, 30, 30 };

static void a_start_at_once__is_a_chance_of_its_own(void **state)
{
	struct survival curve = { 0 };
	int64_t ms;
	(void)state;
	survival_build(&curve, few_starts, ARRAY_LEN(few_starts), few_censored,
		       ARRAY_LEN(few_censored));
	assert_near(survival_waiting(&curve, -1), 1, 0);
	assert_near(survival_waiting(&curve, 0), 0.6, 1e-12);
	assert_near(survival_waiting(&curve, 9), 0.6, 1e-12);
	assert_near(survival_waiting(&curve, 10), 0.5, 1e-12);
	assert_near(survival_waiting(&curve, 99), 0.4, 1e-12);
	assert_true(survival_quantile(&curve, 0.3, &ms));
	assert_int_equal(ms, 0);
	assert_true(survival_quantile(&curve, 0.5, &ms)); /* level from 10 to 20 */
	assert_int_equal(ms, 15);
	survival_release(&curve);
}

static void a_wait_so_far__leaves_those_who_waited_longer(void **state)
{
	struct survival curve = { 0 };
	(void)state;
	survival_build(&curve, few_starts, ARRAY_LEN(few_starts), few_censored,
		       ARRAY_LEN(few_censored));
	assert_int_equal(survival_at_risk_after(&curve, 0), 6);
	assert_int_equal(survival_at_risk_after(&curve, 10), 5);
	assert_int_equal(survival_starts_after(&curve, -1), 6);
	assert_int_equal(survival_starts_after(&curve, 0), 2);
	assert_int_equal(survival_starts_after(&curve, 20), 0);
	survival_release(&curve);
}

static void the_band__where_r_has_none__is_the_exact_one(void **state)
{
	static const int64_t once[] = { 0, 0, 0 }, later[] = { 10, 20 };
	struct survival curve = { 0 };
	(void)state;
	assert_near(survival_started_band(&curve, 5).high, 1, 0); /* nothing is known */
	survival_build(&curve, once, 3, NULL, 0);                 /* 0.025^(1/3) = 0.29240 */
	assert_near(survival_started_band(&curve, 0).low, 0.29240, 0.00001);
	assert_near(survival_started_band(&curve, 0).high, 1, 0);
	survival_build(&curve, later, 2, NULL, 0); /* 0.025^(1/2) = 0.15811 */
	assert_near(survival_started_band(&curve, 9).low, 0, 0);
	assert_near(survival_started_band(&curve, 9).high, 1 - 0.15811, 0.00001);
	struct survival_band before = survival_started_band(&curve, 10);
	assert_near(survival_started_band(&curve, 20).low, 1 - (1 - before.low) * 0.975, 1e-12);
	assert_near(survival_started_band(&curve, 20).high, 1, 0);
	survival_release(&curve);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_published_example__of_6_mp__comes_out),
		cmocka_unit_test(curve_band_and_quantiles__of_200_sets__are_those_of_r),
		cmocka_unit_test(a_start_at_once__is_a_chance_of_its_own),
		cmocka_unit_test(a_wait_so_far__leaves_those_who_waited_longer),
		cmocka_unit_test(the_band__where_r_has_none__is_the_exact_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

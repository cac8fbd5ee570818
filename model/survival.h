/*
 * Waits that are not all over: the Kaplan-Meier curve of starts with right censoring, its variance
 * by Greenwood and its confidence band. Times are int64 milliseconds, chances 0 to 1.
 *
 * What is censored at the time of a start was at risk of it (the usual convention). The band is
 * the log-log one: unlike R's default ("log") and "plain" it never leaves 0 to 1 and it keeps its
 * 95 % better where few have started (Borgan and Liestøl 1990). Quantiles are those of
 * quantile.survfit. tests/survival compares all of it with R's survival package.
 */
#ifndef GPUQ_SURVIVAL_H
#define GPUQ_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One time at which somebody started. */
struct survival_step {
	int64_t ms;
	uint32_t at_risk, starts; /* starts / at_risk is the hazard of the step */
	double waiting;           /* the chance to wait longer than ms */
	/* Greenwood's sum of starts / (at_risk (at_risk - starts)) up to here, the variance of the
	 * logarithm of waiting; infinite once nobody is left. */
	double variance;
};

/* {0} is valid: nobody was seen. */
struct survival {
	struct survival_step *steps; /* owned; ascending */
	size_t count, capacity;
	size_t seen;     /* observations, censored ones included */
	size_t starts;   /* of them */
	int64_t last_ms; /* the longest that anybody was followed */
};

struct survival_band {
	double low, high;
};

void survival_release(struct survival *curve);

/* Room for so many steps, so that none is made while somebody waits for the curve. */
void survival_reserve(struct survival *curve, size_t steps);

/* Makes the curve from waits that ended in a start and waits of which no more is known, both
 * ascending and not below 0. */
void survival_build(struct survival *curve, const int64_t *starts, size_t start_count,
		    const int64_t *censored, size_t censored_count);

/* The chance to wait longer than ms; 1 before the first start, and the last value for ever behind
 * the longest wait seen, where the truth may be less. */
double survival_waiting(const struct survival *curve, int64_t ms);

/* Of how many observations and starts more is known than that they waited waited_ms. */
size_t survival_at_risk_after(const struct survival *curve, int64_t waited_ms);
size_t survival_starts_after(const struct survival *curve, int64_t waited_ms);

/*
 * The time by which the share (more than 0, less than 1) has started; false where the curve does
 * not come so far. Where it is level at exactly that share, the middle of the level.
 */
bool survival_quantile(const struct survival *curve, double share, int64_t *ms);

/* 95 %: of a chance to wait and its variance. low and high are that chance where it is 0 or 1. */
struct survival_band survival_band(double waiting, double variance);

/*
 * The band of the chance to have started by ms. Where nobody of n has started it is the exact
 * binomial one, 0 to 1 - 0.025^(1/n). Where all have, the upper end is 1, and the lower one joins
 * the band before the last step with the exact one of the m who were at risk in it: a chance to go
 * on waiting of 1 - 0.025^(1/m) at most.
 */
struct survival_band survival_started_band(const struct survival *curve, int64_t ms);

/* The curve of those who have waited waited_ms already, from then on; out is reused. */
void survival_after(struct survival *out, const struct survival *curve, int64_t waited_ms);

#define SURVIVAL_JOIN_MAX 5

/*
 * The first of several waits that know nothing of each other, of a job that has waited waited_ms
 * already (negative: not yet for any time): out (reused) becomes the curve of the time from then
 * on. won[i] is the chance that curve i is the first by limit_ms from then on; at one time the
 * earlier of the list goes first. out has no starts in its steps, and
 * at_risk is that of a curve which started there (one that ended, if one did); its seen is the
 * least one of those at risk, its starts the least one of starts.
 */
void survival_join(struct survival *out, const struct survival *const *curves, size_t count,
		   int64_t waited_ms, int64_t limit_ms, double *won);

#endif

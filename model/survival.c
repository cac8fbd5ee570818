#include "model/survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

#define Z_95 1.959963984540054 /* the normal quantile of 0.975 */
#define TAIL 0.025
/* That of quantile.survfit, the root of the double's epsilon. */
#define TOLERANCE 1.4901161193847656e-08

void survival_release(struct survival *curve)
{
	free(curve->steps);
	*curve = (struct survival){ 0 };
}

void survival_reserve(struct survival *curve, size_t steps)
{
	if (steps <= curve->capacity)
		return;
	curve->steps = mem_resize(curve->steps, steps, sizeof(*curve->steps));
	/* The kernel gives the pages when they are first written. */
	memset(curve->steps + curve->capacity, 0,
	       (steps - curve->capacity) * sizeof(*curve->steps));
	curve->capacity = steps;
}

static struct survival_step *add_step(struct survival *curve)
{
	if (curve->count == curve->capacity)
		curve->steps = mem_grow(curve->steps, &curve->capacity, curve->count + 1,
					sizeof(*curve->steps));
	return &curve->steps[curve->count++];
}

static double greenwood(uint32_t at_risk, uint32_t starts)
{
	if (starts == at_risk)
		return INFINITY;
	return (double)starts / ((double)at_risk * (double)(at_risk - starts));
}

void survival_build(struct survival *curve, const int64_t *starts, size_t start_count,
		    const int64_t *censored, size_t censored_count)
{
	double waiting = 1, variance = 0;
	size_t left = 0; /* censored before this step */
	curve->count = 0;
	curve->seen = start_count + censored_count;
	curve->starts = start_count;
	curve->last_ms = start_count ? starts[start_count - 1] : 0;
	if (censored_count && censored[censored_count - 1] > curve->last_ms)
		curve->last_ms = censored[censored_count - 1];
	for (size_t i = 0, next; i < start_count; i = next) {
		for (next = i + 1; next < start_count && starts[next] == starts[i];)
			next++;
		while (left < censored_count && censored[left] < starts[i])
			left++;
		uint32_t at_risk = (uint32_t)(curve->seen - i - left);
		uint32_t here = (uint32_t)(next - i);
		waiting *= 1 - (double)here / at_risk;
		variance += greenwood(at_risk, here);
		*add_step(curve) =
			(struct survival_step){ starts[i], at_risk, here, waiting, variance };
	}
}

/* How many steps are not later than ms. */
static size_t steps_until(const struct survival *curve, int64_t ms)
{
	size_t low = 0, high = curve->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (curve->steps[middle].ms <= ms)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double survival_waiting(const struct survival *curve, int64_t ms)
{
	size_t i = steps_until(curve, ms);
	return i ? curve->steps[i - 1].waiting : 1;
}

size_t survival_at_risk_after(const struct survival *curve, int64_t waited_ms)
{
	size_t i = steps_until(curve, waited_ms);
	return i < curve->count ? curve->steps[i].at_risk : 0;
}

size_t survival_starts_after(const struct survival *curve, int64_t waited_ms)
{
	size_t starts = curve->starts;
	for (size_t i = steps_until(curve, waited_ms); i--;)
		starts -= curve->steps[i].starts;
	return starts;
}

bool survival_quantile(const struct survival *curve, double share, int64_t *ms)
{
	size_t low = 0, high = curve->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (1 - curve->steps[middle].waiting + TOLERANCE > share)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == curve->count)
		return false;
	int64_t first = curve->steps[low].ms, last = first;
	if (fabs(1 - curve->steps[low].waiting - share) < TOLERANCE)
		last = low + 1 < curve->count ? curve->steps[low + 1].ms : curve->last_ms;
	*ms = first + (last - first) / 2;
	return true;
}

struct survival_band survival_band(double waiting, double variance)
{
	if (waiting <= 0 || waiting >= 1 || !isfinite(variance))
		return (struct survival_band){ waiting, waiting };
	double spread = Z_95 * sqrt(variance) / -log(waiting);
	return (struct survival_band){ pow(waiting, exp(spread)), pow(waiting, exp(-spread)) };
}

struct survival_band survival_started_band(const struct survival *curve, int64_t ms)
{
	size_t i = steps_until(curve, ms);
	if (curve->seen == 0)
		return (struct survival_band){ 0, 1 };
	if (i == 0)
		return (struct survival_band){ 0, 1 - pow(TAIL, 1 / (double)curve->seen) };
	const struct survival_step *step = &curve->steps[i - 1];
	if (isfinite(step->variance)) {
		struct survival_band band = survival_band(step->waiting, step->variance);
		return (struct survival_band){ 1 - band.high, 1 - band.low };
	}
	while (--i && !isfinite(curve->steps[i - 1].variance))
		step = &curve->steps[i - 1];
	double before = 1;
	if (i)
		before = survival_band(curve->steps[i - 1].waiting, curve->steps[i - 1].variance)
				 .high;
	return (struct survival_band){ 1 - before * (1 - pow(TAIL, 1.0 / step->at_risk)), 1 };
}

void survival_after(struct survival *out, const struct survival *curve, int64_t waited_ms)
{
	size_t first = steps_until(curve, waited_ms);
	double waiting = first ? curve->steps[first - 1].waiting : 1;
	double variance = first ? curve->steps[first - 1].variance : 0;
	out->count = 0;
	out->seen = survival_at_risk_after(curve, waited_ms);
	out->starts = survival_starts_after(curve, waited_ms);
	out->last_ms = curve->last_ms > waited_ms ? curve->last_ms - waited_ms : 0;
	for (size_t i = first; i < curve->count; i++) {
		struct survival_step step = curve->steps[i];
		step.ms -= waited_ms;
		step.waiting = step.waiting / waiting;
		step.variance = step.variance - variance;
		*add_step(out) = step;
	}
}

void survival_join(struct survival *out, const struct survival *const *curves, size_t count,
		   int64_t waited_ms, int64_t limit_ms, double *won)
{
	size_t at[SURVIVAL_JOIN_MAX];
	int64_t zero_ms = waited_ms < 0 ? 0 : waited_ms;
	size_t steps = 0;
	double waiting = 1, variance = 0;
	out->count = 0;
	out->seen = out->starts = SIZE_MAX;
	out->last_ms = INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		size_t seen = survival_at_risk_after(curves[i], waited_ms);
		size_t starts = survival_starts_after(curves[i], waited_ms);
		at[i] = steps_until(curves[i], waited_ms);
		steps += curves[i]->count - at[i];
		won[i] = 0;
		out->seen = seen < out->seen ? seen : out->seen;
		out->starts = starts < out->starts ? starts : out->starts;
		if (curves[i]->last_ms - zero_ms < out->last_ms)
			out->last_ms = curves[i]->last_ms - zero_ms;
	}
	survival_reserve(out, steps);
	for (;;) {
		int64_t ms = INT64_MAX;
		uint32_t at_risk = 0;
		for (size_t i = 0; i < count; i++)
			if (at[i] < curves[i]->count && curves[i]->steps[at[i]].ms < ms)
				ms = curves[i]->steps[at[i]].ms;
		if (ms == INT64_MAX)
			break;
		for (size_t i = 0; i < count; i++) {
			if (at[i] == curves[i]->count || curves[i]->steps[at[i]].ms != ms)
				continue;
			const struct survival_step *step = &curves[i]->steps[at[i]++];
			double hazard = (double)step->starts / step->at_risk;
			at_risk = hazard < 1 && at_risk ? at_risk : step->at_risk;
			if (ms - zero_ms <= limit_ms)
				won[i] += waiting * hazard;
			waiting *= 1 - hazard;
			variance += greenwood(step->at_risk, step->starts);
		}
		*add_step(out) = (struct survival_step){ .ms = ms - zero_ms,
							 .at_risk = at_risk,
							 .waiting = waiting,
							 .variance = variance };
	}
	if (out->count && out->last_ms < out->steps[out->count - 1].ms)
		out->last_ms = out->steps[out->count - 1].ms;
}

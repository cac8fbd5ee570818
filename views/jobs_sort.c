/* The order of the job list: that of model/order, or by a column. What is not known of a job stands
 * behind what is, whichever way round; equal ones keep the order of the list. */
#include <string.h>

#include "views/jobs_parts.h"

static bool figure_of(const struct jobs_column *by, const struct job *job,
		      const struct filter_ask *ask, int64_t *figure)
{
	filter_figure_fn *field = by->field ? filter_figure(by->field) : NULL;
	if (by->figure)
		return by->figure(job, figure);
	return field && field(job, ask, figure);
}

void jobs_sort_key(const struct jobs_look *look, const struct job *job,
		   const struct filter_ask *ask, struct row *row)
{
	const struct jobs_column *by = look->sort > 0 ? &jobs_columns[look->sort - 1] : NULL;
	if (!by)
		return;
	row->is_text = by->text != NULL;
	row->falls = by->greatest_first != look->reverse;
	if (row->is_text) {
		row->key.text = by->text(job);
		row->known = row->key.text != NULL;
	} else {
		row->known = figure_of(by, job, ask, &row->key.figure);
	}
}

static int compare_keys(const struct row *x, const struct row *y)
{
	if (x->known != y->known)
		return x->known ? -1 : 1;
	if (!x->known)
		return 0;
	int order = x->is_text ? strcmp(x->key.text, y->key.text)
			       : (x->key.figure > y->key.figure) - (x->key.figure < y->key.figure);
	return x->falls ? -order : order;
}

/* Ties keep the store's order, so that equal rows never change places. */
static int compare_places(const struct row *x, const struct row *y)
{
	int order = order_compare(&x->place, &y->place);
	if (order != 0)
		return order;
	return x->at < y->at ? -1 : 1;
}

static int compare_pins(const struct row *x, const struct row *y)
{
	return (y->pinned ? 1 : 0) - (x->pinned ? 1 : 0);
}

int jobs_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare_pins(x, y);
	if (order == 0)
		order = compare_keys(x, y);
	return order != 0 ? order : compare_places(x, y);
}

int jobs_order_back(const void *a, const void *b)
{
	int order = compare_pins(a, b);
	return order != 0 ? order : compare_places(b, a);
}

#include "views/home.h"

/* Shares in percent, and the fewest lines in which a framed pane still says something. */
#define LEFT_SHARE        58
#define RIGHT_LEAST       55 /* columns for an entry of the Queue with its plan, whole */
#define PREFERENCES_SHARE 36
#define LOWER_SHARE       25 /* Selected and Wait, and Cost */
#define DETAIL_SHARE      42
#define PANE_LEAST_LINES  6
#define PANE_MOST_LINES   16
#define FRAME_LEAST_LINES 10

static int share(int length, int percent, int least, int most)
{
	int part = length * percent / 100;
	part = part < least ? least : part;
	return part > most ? most : part;
}

static struct rect cut_bottom(struct rect *from, int lines)
{
	struct rect part = { from->x, from->y + from->h - lines, from->w, lines };
	from->h -= lines;
	return part;
}

static struct rect cut_right(struct rect *from, int columns)
{
	struct rect part = { from->x + from->w - columns, from->y, columns, from->h };
	from->w -= columns;
	return part;
}

static void arrange_full(struct home_layout *layout)
{
	struct rect left = layout->body;
	struct rect right = cut_right(&left, share(left.w, 100 - LEFT_SHARE, RIGHT_LEAST, left.w));
	int lower = share(right.h, LOWER_SHARE, PANE_LEAST_LINES, PANE_MOST_LINES);
	layout->panes[HOME_PREFERENCES] =
		cut_bottom(&left,
			   share(left.h, PREFERENCES_SHARE, PANE_LEAST_LINES, PANE_MOST_LINES));
	layout->panes[HOME_JOBS] = left;
	layout->panes[HOME_COST] = cut_bottom(&right, lower);
	struct rect middle = cut_bottom(&right, lower);
	layout->panes[HOME_WAIT] = cut_right(&middle, middle.w / 2);
	layout->panes[HOME_SELECTED] = middle;
	layout->panes[HOME_QUEUE] = right;
}

static void arrange_stacked(struct home_layout *layout, enum home_pane detail)
{
	struct rect jobs = layout->body;
	layout->panes[detail] =
		cut_bottom(&jobs, share(jobs.h, DETAIL_SHARE, PANE_LEAST_LINES, PANE_MOST_LINES));
	layout->panes[HOME_JOBS] = jobs;
}

static enum home_shape shape_of(int columns, int lines)
{
	if (columns < HOME_LEAST_COLUMNS || lines < HOME_LEAST_LINES)
		return HOME_TOO_SMALL;
	if (columns < HOME_STACKED_COLUMNS || lines < HOME_STACKED_LINES)
		return HOME_ALONE;
	if (columns < HOME_FULL_COLUMNS || lines < HOME_FULL_LINES)
		return HOME_STACKED;
	return HOME_FULL;
}

struct home_layout home_arrange(const struct home_wish *wish)
{
	int w = wish->columns, h = wish->lines;
	struct home_layout layout = { .shape = shape_of(w, h) };
	if (layout.shape == HOME_TOO_SMALL)
		return layout;
	int under = layout.shape == HOME_FULL ? 2 : 1;
	layout.header = (struct rect){ 0, 0, w, 1 };
	layout.body = (struct rect){ 0, 1, w, h - 1 - under };
	layout.status = (struct rect){ 0, h - under, w, under - 1 };
	layout.footer = (struct rect){ 0, h - 1, w, 1 };
	layout.framed = layout.body.h >= FRAME_LEAST_LINES;
	if (wish->zoomed)
		layout.shape = HOME_ALONE;
	if (layout.shape == HOME_ALONE)
		layout.panes[wish->zoomed ? wish->focus : HOME_JOBS] = layout.body;
	else if (layout.shape == HOME_STACKED)
		arrange_stacked(&layout, wish->detail);
	else
		arrange_full(&layout);
	return layout;
}

enum home_pane home_focus(const struct home_layout *layout, enum home_pane focus)
{
	return layout->panes[focus].w > 0 ? focus : HOME_JOBS;
}

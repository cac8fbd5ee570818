/* The mouse: a click puts the focus and the cursor where it points, a second one on the spot is
 * Enter, the wheel is the arrow keys. It never answers a question and changes nothing at AWS. */
#include <stdio.h>

#include "views/screen_state.h"

#define TWICE_MS   400
#define WHEEL_ROWS 3

bool screen_wants_mouse(const struct screen *screen)
{
	return screen->ui.mouse;
}

void screen_refuse_mouse(struct screen *screen, const char *terminal)
{
	char text[NOTICE_SIZE];

	screen->ui.mouse = false;
	if (snprintf(text, sizeof(text), "the terminal %s tells of no mouse", terminal) > 0)
		screen_say(screen, STYLE_WARNING, text);
}

/* What the mouse points at: the modal on top, wherever it points, else a pane. */
struct target {
	const struct pane_ops *ops; /* NULL: nothing */
	void *state;
	struct rect at; /* where it was drawn */
	enum home_pane pane;
	bool is_modal;
};

static bool points_into(const struct mouse *mouse, struct rect at)
{
	return layout_contains(at, (struct rect){ mouse->x, mouse->y, 1, 1 });
}

static struct target home_target(const struct screen *screen, enum home_pane pane)
{
	struct home_layout layout = screen_layout(screen);
	struct rect at = layout.panes[pane];

	return (struct target){ .ops = screen_home[pane],
				.state = screen->panes[pane],
				.at = layout.framed ? layout_inset(at, 1) : at,
				.pane = pane };
}

static struct target find_target(const struct screen *screen, const struct mouse *mouse)
{
	struct home_layout layout = screen_layout(screen);
	const struct modal *top = screen->top;

	if (top)
		return (struct target){ .ops = top->ops,
					.state = top->state,
					.at = screen_modal_place(&layout, top->ops),
					.is_modal = true };
	for (int pane = 0; pane < HOME_PANES; pane++)
		if (points_into(mouse, layout.panes[pane]))
			return home_target(screen, (enum home_pane)pane);
	return (struct target){ 0 };
}

/* The key's row in the target's own scopes; rows that change AWS are no mouse's. */
static void press_key(struct screen *screen, const struct target *target, uint32_t code)
{
	const struct key key = { .code = code };
	const struct key_binding *row = NULL;

	for (const struct key_scope *scope = target->ops->scope; scope && !row;
	     scope = target->is_modal ? scope->parent : NULL)
		row = keys_find(scope->bindings, key, true);
	screen->key = key;
	if (row)
		row->run(target->state);
}

static void wheel(struct screen *screen, const struct target *target, const struct mouse *mouse)
{
	uint32_t code = mouse->act == MOUSE_WHEEL_UP ? KEY_CODE_UP : KEY_CODE_DOWN;
	const struct modal *top = screen->top;

	for (int i = 0; i < WHEEL_ROWS && screen->top == top; i++)
		press_key(screen, target, code);
}

/* The same cell again, soon enough, and nothing opened or closed in between. */
static bool is_second_press(struct screen *screen, const struct mouse *mouse)
{
	int64_t now_ms = clock_mono_ms(screen->env.clock);
	const struct press press = {
		.x = mouse->x, .y = mouse->y, .top = screen->top, .at_ms = now_ms
	};
	bool second = !screen->press.second && screen->press.at_ms > 0 &&
		      press.x == screen->press.x && press.y == screen->press.y &&
		      press.top == screen->press.top && now_ms - screen->press.at_ms <= TWICE_MS;

	screen->press = press;
	screen->press.second = second;
	return second;
}

static void press(struct screen *screen, const struct target *target, const struct mouse *mouse)
{
	bool second = is_second_press(screen, mouse), taken = false;

	screen->press.opens = false;
	if (!target->is_modal)
		screen_go_to(screen, target->pane);
	screen->held = target->is_modal ? HOME_PANES : target->pane;
	if (target->ops->mouse && points_into(mouse, target->at))
		taken = target->ops->mouse(target->state, target->at, mouse);
	screen->press.opens = second && taken;
}

/* Let go where it was pressed: a second click is one by now, and no drag. */
static void click(struct screen *screen, const struct target *target, const struct mouse *mouse)
{
	const struct press *last = &screen->press;

	if (mouse->act == MOUSE_RELEASE && last->opens && last->top == screen->top &&
	    last->x == mouse->x && last->y == mouse->y && target->ops)
		press_key(screen, target, KEY_CODE_ENTER);
	screen->press.opens = false;
}

/* To the pane that was pressed in, wherever the mouse is now. */
static void drag(struct screen *screen, const struct mouse *mouse)
{
	struct target target;

	if (screen->held == HOME_PANES || screen->top)
		return;
	target = home_target(screen, screen->held);
	if (target.ops->mouse)
		(void)target.ops->mouse(target.state, target.at, mouse);
	if (mouse->act == MOUSE_RELEASE)
		screen->held = HOME_PANES;
}

void screen_mouse(struct screen *screen, const struct mouse *mouse)
{
	struct target target = find_target(screen, mouse);

	if (screen_layout(screen).shape == HOME_TOO_SMALL)
		return;
	screen->interrupted = false;
	screen->ui.touched = true;
	if (mouse->act == MOUSE_DRAG || mouse->act == MOUSE_RELEASE) {
		drag(screen, mouse);
		click(screen, &target, mouse);
	} else if (target.ops && mouse->act == MOUSE_PRESS) {
		press(screen, &target, mouse);
	} else if (target.ops) {
		wheel(screen, &target, mouse);
	}
	screen_after_input(screen);
}

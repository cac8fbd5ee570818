#include "tui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/text.h"

#define KEYS_MAX 512 /* bytes of a row's names */
#define WHY_MAX  512
#define NEAR_MAX 2 /* slips of an action's name */

struct making {
	struct keymap *map;
	const struct key_scope *const *scopes;
	const struct keymap_line *lines;
	size_t count;
	bool *refused; /* by line */
	keymap_told *told;
	void *ctx;
};

/* --- names --- */

/* Takes the next of blank-separated names; false at the end. One that is too long is cut, and then
 * no key's. */
static bool next_name(const char **names, char name[KEY_NAME_SIZE])
{
	const char *from = *names + strspn(*names, " ");
	size_t len = strcspn(from, " ");

	*names = from + len;
	if (len == 0)
		return false;
	if (len >= KEY_NAME_SIZE)
		len = KEY_NAME_SIZE - 1;
	memcpy(name, from, len);
	name[len] = '\0';
	return true;
}

/* The place of the key among the names, from 0; -1: it is none of them. */
static int place_of(const char *names, struct key key)
{
	char name[KEY_NAME_SIZE];
	struct key other;

	for (int place = 0; next_name(&names, name); place++)
		if (key_parse(name, &other) && key_equal(other, key))
			return place;
	return -1;
}

/* The key at that place, or the first one. */
static struct key key_at(const char *names, int place)
{
	char name[KEY_NAME_SIZE];
	struct key key = { .code = KEY_CODE_BAD }, first = { .code = KEY_CODE_BAD };

	for (int i = 0; i <= place && next_name(&names, name); i++) {
		if (!key_parse(name, &key))
			break;
		if (i == 0)
			first = key;
		if (i == place)
			return key;
	}
	return first;
}

static bool is_character(struct key key)
{
	return key.code < KEY_CODE_FIRST;
}

/* C-c and C-g leave whatever is open. */
static bool is_way_out(struct key key)
{
	return key.mods == KEY_CTRL && (key.code == 'c' || key.code == 'g');
}

/* --- rows --- */

static struct keymap_row *row_of(const struct keymap *map, const char *action)
{
	for (size_t i = 0; map && action && i < map->count; i++)
		if (strcmp(map->rows[i].action, action) == 0)
			return &map->rows[i];
	return NULL;
}

const char *keymap_keys(const struct keymap *map, const struct key_binding *binding)
{
	const struct keymap_row *row = row_of(map, binding->action);

	return row ? row->keys : binding->keys;
}

struct key keymap_translate(const struct keymap *map, const struct key_binding *table,
			    struct key key)
{
	bool is_gone = false;

	for (; map && map->count > 0 && table && table->keys; table++) {
		const struct keymap_row *row = row_of(map, table->action);
		if (!row)
			continue;
		int place = place_of(row->keys, key);
		if (place >= 0)
			return keys_has(table, key) ? key : key_at(table->keys, place);
		is_gone |= keys_has(table, key);
	}
	if (is_gone)
		return (struct key){ .code = KEY_CODE_BAD };
	return key;
}

void keymap_release(struct keymap *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->rows[i].keys);
	free(map->rows);
	*map = (struct keymap){ 0 };
}

static void add_name(char keys[KEYS_MAX], const char *name)
{
	size_t len = strlen(keys);

	/* What does not fit is not there: no line of the file is near that long. */
	if (len + strlen(name) + 2 <= KEYS_MAX)
		(void)snprintf(keys + len, KEYS_MAX - len, "%s%s", len > 0 ? " " : "", name);
}

static void set_row(struct keymap *map, const struct key_binding *binding, const char *keys,
		    size_t line)
{
	struct keymap_row *row = row_of(map, binding->action);

	if (!row) {
		map->rows = mem_grow(map->rows, &map->capacity, map->count + 1, sizeof(*map->rows));
		row = &map->rows[map->count++];
		*row = (struct keymap_row){ .action = binding->action };
	}
	free(row->keys);
	row->keys = mem_copy_text(keys);
	row->line = line;
}

/* --- lines by themselves --- */

static const struct key_binding *find_action(const struct making *making, const char *action,
					     const struct key_scope **scope)
{
	for (size_t i = 0; making->scopes[i]; i++)
		for (const struct key_binding *row = making->scopes[i]->bindings; row->keys; row++)
			if (strcmp(row->action, action) == 0) {
				*scope = making->scopes[i];
				return row;
			}
	return NULL;
}

static void refuse(struct making *making, size_t index, const char *why)
{
	making->refused[index] = true;
	making->told(making->ctx, index, why);
}

static void refuse_unknown(struct making *making, size_t index)
{
	const char *action = making->lines[index].action;
	struct buf why;

	buf_init(&why, WHY_MAX);
	(void)buf_add_text(&why, "there is no such action");
	for (size_t i = 0, found = 0; making->scopes[i] && found < 3; i++)
		for (const struct key_binding *row = making->scopes[i]->bindings; row->keys; row++)
			if (text_distance(action, row->action, NEAR_MAX) <= NEAR_MAX)
				(void)buf_addf(&why, "%s%s",
					       found++ == 0 ? "; did you mean " : " or ",
					       row->action);
	(void)buf_addf(&why, "%s", strstr(buf_text(&why), "mean") ? "?" : "");
	refuse(making, index, buf_text(&why));
	buf_release(&why);
}

/* product.md, Keys: what tmux, flow control and signals take. */
static bool is_taken(struct key key)
{
	return key.mods == KEY_CTRL && key.code < 0x80 && strchr("abszq\\", (int)key.code);
}

static bool may_change_cloud(struct key key)
{
	bool is_letter = key.mods == 0 && key.code >= 'A' && key.code <= 'Z';

	return is_letter || (key.code >= KEY_CODE_F1 && key.code <= KEY_CODE_F12);
}

/* NULL: the key may be given to the row. */
static const char *wrong_with(const char *name, const struct key_scope *scope,
			      const struct key_binding *row)
{
	struct key key;

	if (!key_parse(name, &key))
		return "is no key; they are named as in the help: x, X, C-x, A-x, F5, PgDn, Space";
	if (key.code >= KEY_CODE_PASTE)
		return "is no key of a keyboard";
	if (is_taken(key))
		return "is tmux's or the terminal's own (C-a C-b C-s C-q C-z C-\\)";
	if (is_way_out(key) && !keys_has(row, key))
		return "leaves whatever is open";
	if ((row->flags & KEY_CHANGES_CLOUD) && !may_change_cloud(key))
		return "changes nothing at AWS: that takes an upper-case letter or a function key";
	if (is_character(key) && key.mods == 0 && keys_typed_in(scope))
		return "is typed as text there";
	return NULL;
}

static void check_line(struct making *making, size_t index)
{
	const struct keymap_line *line = &making->lines[index];
	const struct key_scope *scope = NULL;
	const struct key_binding *row = find_action(making, line->action, &scope);
	const char *names = line->keys;
	char name[KEY_NAME_SIZE], why[WHY_MAX];
	size_t count = 0;

	if (!row) {
		refuse_unknown(making, index);
		return;
	}
	if (scope->answers || (row->flags & KEY_FIXED)) {
		refuse(making, index, "its keys are the same for everybody");
		return;
	}
	for (; next_name(&names, name); count++) {
		const char *wrong = wrong_with(name, scope, row);
		if (!wrong)
			continue;
		(void)snprintf(why, sizeof(why), "%s %s", name, wrong);
		refuse(making, index, why);
		return;
	}
	if (count == 0 || strlen(line->keys) >= KEYS_MAX / 2)
		refuse(making, index, "takes names of keys, parted by blanks");
}

/* --- all lines together --- */

/* What the line says, and the twins that stay. */
static void take_line(struct making *making, size_t index)
{
	const struct keymap_line *line = &making->lines[index];
	const struct key_scope *scope;
	const struct key_binding *row = find_action(making, line->action, &scope);
	const char *names = line->keys;
	char keys[KEYS_MAX] = "", name[KEY_NAME_SIZE];
	struct key key;

	while (next_name(&names, name))
		add_name(keys, name);
	names = row->keys;
	while (next_name(&names, name))
		if (key_parse(name, &key) && (!is_character(key) || is_way_out(key)) &&
		    place_of(keys, key) < 0)
			add_name(keys, name);
	set_row(making->map, row, keys, line->line);
}

static bool is_above(const struct key_scope *above, const struct key_scope *scope)
{
	for (scope = scope->parent; scope; scope = scope->parent)
		if (scope == above)
			return true;
	return false;
}

/* A key of both would be one too many. */
static bool share_keys(const struct key_scope *one, const struct key_binding *row,
		       const struct key_scope *other, const struct key_binding *other_row)
{
	if (one == other)
		return row != other_row;
	if (is_above(other, one))
		return !(row->flags & KEY_SHADOWS);
	return is_above(one, other) && !(other_row->flags & KEY_SHADOWS);
}

/* The line gives the action this key itself, other than by a twin. */
static bool is_given(const struct making *making, const struct key_binding *row, struct key key)
{
	for (size_t i = 0; i < making->count; i++)
		if (!making->refused[i] && strcmp(making->lines[i].action, row->action) == 0 &&
		    place_of(making->lines[i].keys, key) >= 0)
			return true;
	return false;
}

/* Takes the key out of a row that has it as a further one of its table's. */
static void cede(struct making *making, const struct key_binding *row, struct key key)
{
	const struct keymap_row *old = row_of(making->map, row->action);
	const char *names = old ? old->keys : row->keys;
	char keys[KEYS_MAX] = "", name[KEY_NAME_SIZE];
	struct key other;

	while (next_name(&names, name))
		if (key_parse(name, &other) && !key_equal(other, key))
			add_name(keys, name);
	set_row(making->map, row, keys, old ? old->line : 0);
}

typedef bool visit(struct making *making, const struct key_binding *row, struct key key,
		   const struct key_scope *scope, const struct key_binding *other);

/* Calls for each key of a row that another has too, until it returns true. */
static bool each_clash(struct making *making, const struct key_scope *scope,
		       const struct key_binding *row, visit *found)
{
	char own[KEYS_MAX], name[KEY_NAME_SIZE];
	const char *names = own;
	struct key key;

	(void)snprintf(own, sizeof(own), "%s", keymap_keys(making->map, row));
	while (next_name(&names, name)) {
		if (!key_parse(name, &key))
			continue;
		for (size_t i = 0; making->scopes[i]; i++)
			for (const struct key_binding *other = making->scopes[i]->bindings;
			     other->keys; other++)
				if (share_keys(scope, row, making->scopes[i], other) &&
				    place_of(keymap_keys(making->map, other), key) >= 0 &&
				    found(making, row, key, making->scopes[i], other))
					return true;
	}
	return false;
}

static bool cede_to(struct making *making, const struct key_binding *row, struct key key,
		    const struct key_scope *scope, const struct key_binding *other)
{
	(void)scope;
	if (is_given(making, row, key) && !is_given(making, other, key) &&
	    place_of(other->keys, key) > 0 && !is_way_out(key))
		cede(making, other, key);
	return false;
}

static size_t line_of(const struct making *making, const struct key_binding *row)
{
	size_t index = 0;

	while (index < making->count &&
	       (making->refused[index] || strcmp(making->lines[index].action, row->action) != 0))
		index++;
	return index;
}

/* Refuses the later of the two lines. */
static bool refuse_clash(struct making *making, const struct key_binding *row, struct key key,
			 const struct key_scope *scope, const struct key_binding *other)
{
	size_t own = line_of(making, row), others = line_of(making, other);
	char name[KEY_NAME_SIZE], why[WHY_MAX], place[64] = "the program's own table";

	if (others < making->count && making->lines[others].line > making->lines[own].line)
		return false; /* that one will be */
	if (others < making->count)
		(void)snprintf(place, sizeof(place), "line %zu", making->lines[others].line);
	key_format(key, name);
	(void)snprintf(why, sizeof(why), "%s is the key of %s (%s), by %s", name, other->action,
		       scope->name, place);
	refuse(making, own, why);
	return true;
}

static bool for_each_line(struct making *making, visit *found)
{
	for (size_t i = 0; i < making->count; i++) {
		const struct key_scope *scope;
		const struct key_binding *row =
			making->refused[i] ? NULL
					   : find_action(making, making->lines[i].action, &scope);
		if (row && each_clash(making, scope, row, found))
			return true;
	}
	return false;
}

void keymap_make(struct keymap *map, const struct key_scope *const *scopes,
		 const struct keymap_line *lines, size_t count, keymap_told *told, void *ctx)
{
	struct making making = { .map = map,
				 .scopes = scopes,
				 .lines = lines,
				 .count = count,
				 .refused = mem_new(count + 1, sizeof(bool)),
				 .told = told,
				 .ctx = ctx };
	bool clashed = true;

	*map = (struct keymap){ 0 };
	for (size_t i = 0; i < count; i++)
		check_line(&making, i);
	/* What is refused gives its action the table's keys back, which may clash in turn. */
	while (clashed) {
		keymap_release(map);
		for (size_t i = 0; i < count; i++)
			if (!making.refused[i])
				take_line(&making, i);
		(void)for_each_line(&making, cede_to);
		clashed = for_each_line(&making, refuse_clash);
	}
	free(making.refused);
}

#include "views/footer.h"

#include <string.h>

#include "model/base/text.h"

#define GAP 2

struct footer {
	struct surface *out;
	struct rect left; /* what is still free */
	const struct keymap *keys;
	bool read_only, begun;
};

static void put(struct footer *footer, enum style style, const char *text)
{
	int columns = text_width(text);
	struct rect part = footer->left;
	if (columns < part.w)
		part.w = columns;
	if (part.w <= 0)
		return;
	draw_text(footer->out, part, style, text);
	footer->left.x += part.w;
	footer->left.w -= part.w;
}

static const char *brief_of(const struct key_binding *row)
{
	return row->brief ? row->brief : row->action;
}

/* Its first key; false where it has none. */
static bool first_key(const struct footer *footer, const struct key_binding *row,
		      char name[KEY_NAME_SIZE])
{
	const char *keys = keymap_keys(footer->keys, row);
	size_t len = strcspn(keys, " ");
	if (len == 0 || len >= KEY_NAME_SIZE)
		return false;
	memcpy(name, keys, len);
	name[len] = '\0';
	return true;
}

/* Without the gap before it. */
static int row_columns(const struct footer *footer, const struct key_binding *row)
{
	char name[KEY_NAME_SIZE];
	return first_key(footer, row, name) ? text_width(name) + 1 + text_width(brief_of(row)) : 0;
}

/* One row, whole or not at all; false when there is no room. */
static bool put_key(struct footer *footer, const struct key_binding *row)
{
	const char *brief = brief_of(row);
	int gap = footer->begun ? GAP : 0;
	char name[KEY_NAME_SIZE];
	if (gap + row_columns(footer, row) > footer->left.w || !first_key(footer, row, name))
		return false;
	footer->left.x += gap;
	footer->left.w -= gap;
	footer->begun = true;
	put(footer, STYLE_FOOTER_KEY, name);
	put(footer, STYLE_FOOTER, " ");
	put(footer, STYLE_FOOTER, brief);
	return true;
}

static bool is_named(const struct footer *footer, const struct key_binding *row)
{
	char name[KEY_NAME_SIZE];
	return (row->flags & KEY_FOOTER) != 0 && first_key(footer, row, name) &&
	       !(footer->read_only && (row->flags & KEY_CHANGES_CLOUD));
}

/* A key that the focused scope uses otherwise. */
static bool is_shadowed(const struct footer *footer, const struct key_scope *scope,
			const struct key_binding *row)
{
	struct key key;
	char name[KEY_NAME_SIZE];
	if (!scope || !first_key(footer, row, name) || !key_parse(name, &key))
		return false;
	key = keymap_translate(footer->keys, scope->bindings, key);
	return keys_find(scope->bindings, key, false) != NULL;
}

static void put_rows(struct footer *footer, const struct key_binding *rows,
		     const struct key_scope *shadowing)
{
	for (const struct key_binding *row = rows; row->keys; row++)
		if (is_named(footer, row) && !is_shadowed(footer, shadowing, row) &&
		    !put_key(footer, row))
			return;
}

/* What it has from its parents comes first: the way out stays in sight. */
static void put_scope(struct footer *footer, const struct key_scope *scope)
{
	if (!scope)
		return;
	put_scope(footer, scope->parent);
	put_rows(footer, scope->bindings, NULL);
}

int footer_columns(const struct key_scope *scope, const struct keymap *keys, bool read_only)
{
	const struct footer footer = { .keys = keys, .read_only = read_only };
	int columns = 1;
	for (const struct key_binding *row = scope->bindings; row->keys; row++)
		if (is_named(&footer, row))
			columns += (columns > 1 ? GAP : 0) + row_columns(&footer, row);
	return columns > 1 ? columns : 0;
}

void footer_draw(struct surface *out, struct rect at, const struct footer_scopes *scopes,
		 bool read_only)
{
	const struct key_scope *scope = scopes->focused, *root = scopes->root;
	struct footer footer = { .out = out,
				 .left = { at.x + 1, at.y, at.w - 1, at.h },
				 .keys = scopes->keys,
				 .read_only = read_only };
	draw_clear(out, at);
	int urgent = scopes->urgent ? footer_columns(scopes->urgent, scopes->keys, read_only) : 0;
	if (urgent && root && at.w < urgent + GAP + row_columns(&footer, root->bindings)) {
		put_rows(&footer, scopes->urgent->bindings, NULL);
		return;
	}
	/* The first row of the screen's table is help: the way to all the others stays in sight. */
	bool has_room = root && put_key(&footer, root->bindings);
	if (has_room && scopes->urgent)
		put_rows(&footer, scopes->urgent->bindings, NULL);
	if (has_room && scope && scope != root)
		put_rows(&footer, scope->bindings, NULL);
	if (root)
		put_rows(&footer, root->bindings + 1, scope != root ? scope : NULL);
	else
		put_scope(&footer, scope);
}

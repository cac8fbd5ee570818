#include "tui/keys.h"

#include <stdio.h>
#include <string.h>

/* Walks the blank-separated names of a row; false at the end. */
static bool next_name(const char **names, char name[KEY_NAME_SIZE])
{
	const char *from = *names + strspn(*names, " ");
	size_t len = strcspn(from, " ");

	*names = from + len;
	if (len == 0)
		return false;
	/* A name that is too long is none: the cut one is not either. */
	if (len >= KEY_NAME_SIZE)
		len = KEY_NAME_SIZE - 1;
	memcpy(name, from, len);
	name[len] = '\0';
	return true;
}

bool keys_has(const struct key_binding *binding, struct key key)
{
	const char *names = binding->keys;
	char name[KEY_NAME_SIZE];
	struct key other;

	while (next_name(&names, name))
		if (key_parse(name, &other) && key_equal(other, key))
			return true;
	return false;
}

const struct key_binding *keys_find(const struct key_binding *table, struct key key, bool read_only)
{
	for (; table && table->keys; table++) {
		if (read_only && (table->flags & KEY_CHANGES_CLOUD))
			continue;
		if (keys_has(table, key))
			return table;
	}
	return NULL;
}

bool keys_typed_in(const struct key_scope *scope)
{
	char name[KEY_NAME_SIZE];
	struct key key;

	for (const struct key_binding *row = scope->bindings; row && row->keys; row++) {
		const char *names = row->keys;
		while (next_name(&names, name))
			if (key_parse(name, &key) && key.code < KEY_CODE_FIRST && key.mods == 0)
				return false;
	}
	return true;
}

static bool report(char *what, size_t size, const char *scope, const char *name, const char *action,
		   const char *other)
{
	if (snprintf(what, size, "%s: %s: %s, %s", scope, name, action, other) < 0 && size > 0)
		what[0] = '\0';
	return true;
}

static bool name_clashes(const struct key_scope *scope, const struct key_binding *row,
			 const char *name, char *what, size_t size)
{
	const struct key_binding *other;
	struct key key;

	if (!key_parse(name, &key))
		return report(what, size, scope->name, name, row->action, "no such key");
	for (other = row + 1; other->keys; other++)
		if (keys_has(other, key))
			return report(what, size, scope->name, name, row->action, other->action);
	if (row->flags & KEY_SHADOWS)
		return false;
	for (const struct key_scope *up = scope->parent; up; up = up->parent) {
		other = keys_find(up->bindings, key, false);
		if (other)
			return report(what, size, scope->name, name, row->action, other->action);
	}
	return false;
}

bool keys_clash(const struct key_scope *scope, char *what, size_t size)
{
	char name[KEY_NAME_SIZE];

	for (const struct key_binding *row = scope->bindings; row && row->keys; row++) {
		const char *names = row->keys;
		while (next_name(&names, name))
			if (name_clashes(scope, row, name, what, size))
				return true;
	}
	return false;
}

/*
 * Any bytes through the ini parser. What it finds lies in its own copy and comes in the order of
 * the lines; a sound table that is written out plainly reads back as the same table. The first byte
 * chooses whether keys may stand above the first header.
 */
#include <string.h>

#include "model/base/ini.h"
#include "tests/fuzz/fuzz.h"

static void check_text(const struct ini *ini, const char *text)
{
	assert(text >= ini->bytes && text < ini->bytes + ini->used);
	assert(strlen(text) < (size_t)(ini->bytes + ini->used - text));
}

static void check_key(const struct ini *ini, const struct ini_key *key)
{
	check_text(ini, key->name);
	check_text(ini, key->value);
	assert(key->line >= 1 && key->nested_count <= ini->nested_count);
	assert(key->nested_count == 0 || !key->value[0]);
	for (size_t i = 0; i < key->nested_count; i++) {
		const struct ini_key *nested = &ini->nested[key->nested + i];
		check_text(ini, nested->name);
		check_text(ini, nested->value);
		assert(nested->line > key->line && ini_find_nested(ini, key, nested->name));
	}
}

static void check_table(const struct ini *ini)
{
	for (size_t i = 0; i < ini->count; i++) {
		const struct ini_section *section = &ini->sections[i];
		check_text(ini, section->name);
		assert(i == 0 || section->line > ini->sections[i - 1].line);
		assert(section->last_line >= section->line && section->count <= INI_KEYS_MAX);
		assert(ini_find_section(ini, section->name) == section);
		for (size_t k = 0; k < section->count; k++) {
			check_key(ini, &section->keys[k]);
			assert(!strpbrk(section->keys[k].name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ=:"));
			assert(ini_find_key(section, section->keys[k].name) == &section->keys[k]);
		}
	}
}

static void check_problems(const struct ini *ini)
{
	size_t found = ini->found[INI_NOTE] + ini->found[INI_DAMAGE];
	assert(ini->problem_count <= found && (found == 0) == (ini->problem_count == 0));
	for (size_t i = 0; i < ini->problem_count; i++) {
		struct buf text;
		buf_init(&text, 4096);
		ini_describe_problem(ini, &ini->problems[i], &text);
		assert(!text.failed && ini->problems[i].line >= 1);
		buf_release(&text);
	}
}

/* A value that goes on has its further lines indented. */
static void check_strays(const struct ini *ini, unsigned flags)
{
	assert((flags & INI_KEYS_FIRST) || ini->stray_count == 0);
	for (size_t i = 0; i < ini->stray_count; i++) {
		assert(ini->strays[i].section < ini->count);
		assert(i == 0 || ini->strays[i].line > ini->strays[i - 1].line);
		assert(ini_shown_key(ini->strays[i].word)[0]);
	}
}

static void write_value(struct buf *out, const char *value)
{
	for (; *value; value++) {
		buf_add_char(out, *value);
		if (*value == '\n' && value[1] != '\n')
			buf_add_text(out, "  ");
	}
	buf_add_char(out, '\n');
}

static void write_table(struct buf *out, const struct ini *ini)
{
	/* A key that begins with a byte order mark is one only where it does not begin the text. */
	buf_add_char(out, '\n');
	for (size_t i = 0; i < ini->count; i++) {
		const struct ini_section *section = &ini->sections[i];
		if (section->name[0])
			buf_addf(out, "[%s]\n", section->name);
		for (size_t k = 0; k < section->count; k++) {
			const struct ini_key *key = &section->keys[k];
			buf_addf(out, "%s = ", key->name);
			write_value(out, key->value);
			for (size_t n = key->nested; n < key->nested + key->nested_count; n++)
				buf_addf(out, "  %s = %s\n", ini->nested[n].name,
					 ini->nested[n].value);
		}
	}
}

static void compare_keys(const struct ini *a, const struct ini_key *x, const struct ini *b,
			 const struct ini_key *y)
{
	assert(strcmp(x->name, y->name) == 0 && strcmp(x->value, y->value) == 0);
	assert(x->nested_count == y->nested_count);
	for (size_t i = 0; i < x->nested_count; i++)
		compare_keys(a, &a->nested[x->nested + i], b, &b->nested[y->nested + i]);
}

static void compare_tables(const struct ini *a, const struct ini *b)
{
	assert(a->count == b->count && b->found[INI_DAMAGE] == 0);
	for (size_t i = 0; i < a->count; i++) {
		const struct ini_section *x = &a->sections[i], *y = &b->sections[i];
		assert(strcmp(x->name, y->name) == 0 && x->count == y->count);
		for (size_t k = 0; k < x->count; k++)
			compare_keys(a, &x->keys[k], b, &y->keys[k]);
	}
}

static void check_again(const struct ini *ini, unsigned flags)
{
	struct ini again;
	struct err err = { 0 };
	struct buf text;
	buf_init(&text, INI_TEXT_MAX);
	write_table(&text, ini);
	if (!text.failed) {
		bool ok = ini_parse(&again, "again", buf_text(&text), text.len, flags, &err);
		assert(ok);
		compare_tables(ini, &again);
		ini_release(&again);
	}
	buf_release(&text);
	err_clear(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct ini ini;
	struct fuzz_bytes bytes = { data, size };
	unsigned flags = fuzz_byte(&bytes) & 1 ? INI_KEYS_FIRST : 0;

	if (ini_parse(&ini, "fuzz", (const char *)bytes.at, bytes.left, flags, &err)) {
		check_table(&ini);
		check_problems(&ini);
		check_strays(&ini, flags);
		if (ini.found[INI_DAMAGE] == 0)
			check_again(&ini, flags);
	} else {
		assert(ini.count == 0 && err.code == ERR_CONFIG && err.subject[0]);
	}
	err_clear(&err);
	ini_release(&ini);
	return 0;
}

#include "model/base/ini.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

#define NONE      SIZE_MAX
#define BOM       "\xEF\xBB\xBF"
#define SHOW_MAX  120 /* bytes of a section's name in a problem */
#define KEY_CHARS "abcdefghijklmnopqrstuvwxyz0123456789_-"

/* A part of the text without the blanks around it. */
struct span {
	const char *text;
	size_t len;
	size_t indent; /* characters before it */
	bool is_bad;   /* not UTF-8 */
};

struct reader {
	struct ini *ini;
	unsigned flags;
	size_t line;    /* number of the one being read */
	size_t indent;  /* of the header, key or bad line that what follows may go on with */
	size_t section; /* index, or NONE before the first */
	size_t key;     /* index in the section, or NONE */
	bool is_nested; /* the key's own line had no value */
	bool skipping;  /* below a bad line: what is indented deeper belongs to it */
	size_t blanks;  /* empty lines since the value's last; part of it if it goes on */
};

/* What Python's str.strip takes away, and so the CLI: NO-BREAK SPACE comes with pasted text. */
static bool is_blank(uint32_t code)
{
	return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20) || code == 0x85 ||
	       code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
	       code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
	       code == 0x3000;
}

static struct span trim(const char *text, size_t len)
{
	struct span span = { .text = text };
	uint32_t code;
	for (size_t at = 0, used; at < len; at += used) {
		used = text_decode(text + at, len - at, &code);
		span.is_bad = span.is_bad || (code == TEXT_BAD && used == 1);
		if (!is_blank(code)) {
			if (span.len == 0)
				span.text = text + at;
			span.len = (size_t)(text + at + used - span.text);
		} else if (span.len == 0) {
			span.indent++;
		}
	}
	return span;
}

/* Every string is a part of the text with a NUL where the text has at least one byte more. */
static char *keep(struct ini *ini, const char *text, size_t len)
{
	char *kept = ini->bytes + ini->used;
	assert(len < ini->size - ini->used);
	memcpy(kept, text, len);
	kept[len] = '\0';
	ini->used += len + 1;
	return kept;
}

static struct ini_section *current(const struct reader *reader)
{
	return reader->section == NONE ? NULL : &reader->ini->sections[reader->section];
}

const char *ini_shown_key(const char *name)
{
	size_t len = strspn(name, KEY_CHARS);
	return name[len] || len > INI_WORD_MAX ? "" : name;
}

void ini_add_problem(struct ini *ini, enum ini_severity severity, struct ini_section *section,
		     size_t line, const char *key, const char *text)
{
	const struct ini_problem problem = { severity, line, section ? section->name : "",
					     ini_shown_key(key), text };
	if (severity == INI_DAMAGE && section && section->damage.line == 0)
		section->damage = problem;
	if (ini->found[severity]++ < INI_PROBLEMS_MAX)
		ini->problems[ini->problem_count++] = problem;
}

static void add_problem(const struct reader *reader, enum ini_severity severity, const char *key,
			const char *text)
{
	ini_add_problem(reader->ini, severity, current(reader), reader->line, key, text);
}

/* What other tools make of it matters for the files that are theirs too. */
static void add_note(const struct reader *reader, const char *key, const char *text,
		     const char *text_of_aws)
{
	add_problem(reader, INI_NOTE, key, reader->flags & INI_KEYS_FIRST ? text : text_of_aws);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Words that may be no key's name are left out. */
static void note_stray(const struct reader *reader, struct span line)
{
	struct ini *ini = reader->ini;
	struct ini_stray stray = { .section = reader->section, .line = reader->line };
	if (!(reader->flags & INI_KEYS_FIRST))
		return;
	for (size_t i = 0; i < line.len && i < INI_WORD_MAX; i++) {
		char c = lower(line.text[i]);
		if (!c || !strchr(KEY_CHARS, c))
			break;
		stray.word[i] = c;
	}
	if (!stray.word[0])
		return;
	ini->strays = mem_grow(ini->strays, &ini->stray_capacity, ini->stray_count + 1,
			       sizeof(*ini->strays));
	ini->strays[ini->stray_count++] = stray;
}

/* A bad line takes what is indented under it along, and ends the key above. */
static void skip_line(struct reader *reader, struct span line, const char *text)
{
	note_stray(reader, line);
	add_problem(reader, INI_DAMAGE, "", text);
	reader->key = NONE;
	reader->skipping = true;
}

static void note_value(const struct reader *reader, const char *key, const char *value)
{
	size_t len = strlen(value);
	for (const char *at = value; *at; at++) {
		if ((*at == ' ' || *at == '\t') && (at[1] == '#' || at[1] == ';')) {
			add_note(reader, key, "a # or ; behind a value is part of it",
				 "a # or ; behind a value is part of it, as in the AWS CLI; other "
				 "AWS tools cut the value there");
			break;
		}
	}
	if (len >= 2 && (value[0] == '"' || value[0] == '\'') && value[len - 1] == value[0])
		add_problem(reader, INI_NOTE, key, "quotes around a value are part of it");
}

/* --- sections and keys --- */

static void begin_section(struct reader *reader, const char *name, size_t len)
{
	struct ini *ini = reader->ini;
	const char *kept = keep(ini, name, len);
	struct ini_section *section = ini_find_section(ini, kept);
	reader->key = NONE;
	reader->skipping = false;
	if (section) {
		reader->section = (size_t)(section - ini->sections);
		section->last_line = reader->line;
		add_note(reader, "", "this section stood above already; both are read as one",
			 "this section stood above already; both are read as one, but the AWS "
			 "CLI refuses such a file");
		return;
	}
	ini->sections = mem_grow(ini->sections, &ini->capacity, ini->count + 1, sizeof(*section));
	ini->sections[ini->count] = (struct ini_section){ .name = kept,
							  .line = reader->line,
							  .last_line = reader->line };
	reader->section = ini->count++;
}

/* From '[' to the last ']'; the rest of the line has no meaning. */
static void take_header(struct reader *reader, struct span line)
{
	size_t end = line.len;
	while (end > 1 && line.text[end - 1] != ']')
		end--;
	bool is_whole = end > 1;
	begin_section(reader, line.text + 1, is_whole ? end - 2 : line.len - 1);
	/* The keys below are not the section above's: this one is there, but nobody may use it. */
	if (!is_whole)
		add_problem(reader, INI_DAMAGE, "", "this header has no ]");
	else if (end == 2)
		add_problem(reader, INI_DAMAGE, "", "this header holds no name");
}

static const char *keep_lower(struct ini *ini, struct span name)
{
	char *kept = keep(ini, name.text, name.len);
	for (char *at = kept; *at; at++)
		*at = lower(*at);
	return kept;
}

/* Room for the key's value, new or once more; NULL at the ceiling. */
static struct ini_key *place_key(struct reader *reader, struct span line, const char *name)
{
	struct ini_section *section = current(reader);
	const struct ini_key *old = ini_find_key(section, name);
	if (old) {
		add_note(reader, name, "is set twice in this section; this one holds",
			 "is set twice in this section; this one holds, but the AWS CLI refuses "
			 "such a file");
		reader->key = (size_t)(old - section->keys);
	} else if (section->count == INI_KEYS_MAX) {
		skip_line(reader, line, "this section has too many keys");
		return NULL;
	} else {
		section->keys = mem_grow(section->keys, &section->capacity, section->count + 1,
					 sizeof(*section->keys));
		reader->key = section->count++;
	}
	return &section->keys[reader->key];
}

static void take_key(struct reader *reader, struct span line)
{
	size_t mark = 0;
	while (mark < line.len && line.text[mark] != '=' && line.text[mark] != ':')
		mark++;
	if (mark == line.len) {
		skip_line(reader, line, "this line is no `key = value`");
		return;
	}
	struct span name = trim(line.text, mark);
	struct span value = trim(line.text + mark + 1, line.len - mark - 1);
	if (name.len == 0) {
		skip_line(reader, line, "this line has no key");
		return;
	}
	const char *kept = keep_lower(reader->ini, name);
	struct ini_key *key = place_key(reader, line, kept);
	if (!key)
		return;
	*key = (struct ini_key){ .name = kept,
				 .value = keep(reader->ini, value.text, value.len),
				 .line = reader->line,
				 .nested = reader->ini->nested_count };
	reader->is_nested = value.len == 0;
	note_value(reader, key->name, key->value);
}

/* --- lines that go on with a key --- */

static void take_nested(struct reader *reader, struct span line)
{
	struct ini *ini = reader->ini;
	struct ini_key *key = &current(reader)->keys[reader->key];
	const char *mark = memchr(line.text, '=', line.len);
	if (!mark) {
		add_problem(reader, INI_DAMAGE, key->name,
			    "this line under it is no `name = value`");
		return;
	}
	struct span name = trim(line.text, (size_t)(mark - line.text));
	struct span value = trim(mark + 1, (size_t)(line.text + line.len - mark - 1));
	ini->nested = mem_grow(ini->nested, &ini->nested_capacity, ini->nested_count + 1,
			       sizeof(*ini->nested));
	struct ini_key *nested = &ini->nested[ini->nested_count++];
	*nested = (struct ini_key){ .name = keep(ini, name.text, name.len),
				    .value = keep(ini, value.text, value.len),
				    .line = reader->line };
	key->nested_count++;
	note_value(reader, nested->name, nested->value);
}

/* A header or another key, indented by mistake, disappears in the value above. */
static bool looks_lost(struct span line)
{
	size_t word = 0;
	while (word < line.len && (line.text[word] == '_' || line.text[word] == '-' ||
				   (line.text[word] >= 'a' && line.text[word] <= 'z')))
		word++;
	size_t mark = word;
	while (mark < line.len && line.text[mark] == ' ')
		mark++;
	bool is_key = word > 0 && mark < line.len && line.text[mark] == '=';
	return is_key || (line.text[0] == '[' && line.text[line.len - 1] == ']');
}

/* The value is the last string that was kept. */
static void continue_value(struct reader *reader, struct span line)
{
	struct ini *ini = reader->ini;
	ini->used--;
	for (; reader->blanks > 0; reader->blanks--)
		ini->bytes[ini->used++] = '\n';
	ini->bytes[ini->used++] = '\n';
	keep(ini, line.text, line.len);
	if (looks_lost(line))
		add_problem(reader, INI_NOTE, current(reader)->keys[reader->key].name,
			    "this indented line is part of the value above it");
}

static bool goes_on(const struct reader *reader, struct span line)
{
	return line.indent > reader->indent && (reader->key != NONE || reader->skipping);
}

static void go_on(struct reader *reader, struct span line)
{
	note_stray(reader, line);
	if (reader->skipping)
		return;
	if (reader->is_nested)
		take_nested(reader, line);
	else
		continue_value(reader, line);
	reader->blanks = 0;
}

/* --- the whole --- */

static void begin_line(struct reader *reader, struct span line)
{
	reader->indent = line.indent;
	reader->blanks = 0;
	reader->skipping = false;
	if (line.text[0] == '[') {
		take_header(reader, line);
		return;
	}
	if (reader->section == NONE && !(reader->flags & INI_KEYS_FIRST)) {
		skip_line(reader, line, "this line stands before the first [section]");
		return;
	}
	if (reader->section == NONE)
		begin_section(reader, "", 0);
	take_key(reader, line);
}

static void read_line(struct reader *reader, const char *text, size_t len)
{
	struct span line = trim(text, len);
	if (line.len == 0) {
		reader->blanks++;
		return;
	}
	/* A comment may be in any encoding. */
	if (line.text[0] == '#' || line.text[0] == ';')
		return;
	if (goes_on(reader, line))
		go_on(reader, line);
	else
		begin_line(reader, line);
	if (line.is_bad)
		add_problem(reader, INI_DAMAGE, "", "this line is not UTF-8 text");
}

/* A line ends with LF, CR LF or CR. */
static bool read_lines(struct reader *reader, const char *text, size_t len, struct err *err)
{
	for (size_t at = 0; at < len;) {
		size_t end = at;
		while (end < len && text[end] != '\n' && text[end] != '\r')
			end++;
		if (++reader->line > INI_LINES_MAX)
			return err_set(err, ERR_CONFIG, "has more than %d lines", INI_LINES_MAX);
		read_line(reader, text + at, end - at);
		if (reader->ini->count > INI_SECTIONS_MAX)
			return err_set(err, ERR_CONFIG, "has more than %d sections",
				       INI_SECTIONS_MAX);
		at = end + (end + 1 < len && text[end] == '\r' && text[end + 1] == '\n' ? 2 : 1);
	}
	return true;
}

/* With its byte order mark, or told by the zero half of the first two characters. */
static bool is_utf16(const char *text, size_t len)
{
	if (len < 2)
		return false;
	if (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)
		return true;
	return len >= 4 && ((text[0] && !text[1] && text[2] && !text[3]) ||
			    (!text[0] && text[1] && !text[2] && text[3]));
}

static bool is_text(const char *text, size_t len, struct err *err)
{
	if (len > INI_TEXT_MAX)
		return err_set(err, ERR_CONFIG, "has more than %u bytes", INI_TEXT_MAX);
	if (is_utf16(text, len))
		return err_set(err, ERR_CONFIG, "is saved as UTF-16; save it as UTF-8");
	if (len && memchr(text, '\0', len))
		return err_set(err, ERR_CONFIG, "is no config file: it holds a NUL byte");
	return true;
}

static void drop_content(struct ini *ini)
{
	if (ini->bytes)
		explicit_bzero(ini->bytes, ini->size);
	for (size_t i = 0; i < ini->count; i++)
		free(ini->sections[i].keys);
	free(ini->sections);
	free(ini->nested);
	free(ini->strays);
	free(ini->bytes);
}

bool ini_parse(struct ini *ini, const char *name, const char *text, size_t len, unsigned flags,
	       struct err *err)
{
	size_t mark = len >= strlen(BOM) && memcmp(text, BOM, strlen(BOM)) == 0 ? strlen(BOM) : 0;
	struct reader reader = { .ini = ini, .flags = flags, .section = NONE, .key = NONE };
	*ini = (struct ini){ .name = mem_copy_text(name) };
	bool ok = is_text(text, len, err);
	if (ok) {
		/* The last line may lack its end, and "" may be a section. */
		ini->size = len + 3;
		ini->bytes = mem_new(ini->size, 1);
		ok = read_lines(&reader, text + mark, len - mark, err);
	}
	if (ok)
		return true;
	drop_content(ini);
	*ini = (struct ini){ .name = ini->name };
	return err_subject(err, "%s", name);
}

void ini_release(struct ini *ini)
{
	if (!ini)
		return;
	drop_content(ini);
	free(ini->name);
	*ini = (struct ini){ 0 };
}

struct ini_section *ini_find_section(const struct ini *ini, const char *name)
{
	for (size_t i = 0; i < ini->count; i++)
		if (strcmp(ini->sections[i].name, name) == 0)
			return &ini->sections[i];
	return NULL;
}

const struct ini_key *ini_find_key(const struct ini_section *section, const char *name)
{
	for (size_t i = 0; section && i < section->count; i++)
		if (strcmp(section->keys[i].name, name) == 0)
			return &section->keys[i];
	return NULL;
}

const struct ini_key *ini_find_nested(const struct ini *ini, const struct ini_key *key,
				      const char *name)
{
	for (size_t i = key ? key->nested_count : 0; i > 0; i--) {
		const struct ini_key *nested = &ini->nested[key->nested + i - 1];
		if (strcmp(nested->name, name) == 0)
			return nested;
	}
	return NULL;
}

void ini_describe_problem(const struct ini *ini, const struct ini_problem *problem, struct buf *out)
{
	buf_addf(out, "%s, line %zu", ini->name, problem->line);
	if (problem->section[0])
		buf_addf(out, ", [%.*s]", SHOW_MAX, problem->section);
	if (problem->key[0])
		buf_addf(out, "%s %s", problem->section[0] ? "" : ",", problem->key);
	buf_addf(out, ": %s", problem->text);
}

/* Compiled to a small program, and run for all of its ways at once, a character after the other
 * (Ken Thompson, Regular Expression Search Algorithm, 1968): a way that comes to an instruction
 * where another one is already ends there. */
#include "model/pattern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/text.h"

#define CODE_MAX   (3 * (PATTERN_MAX + 2)) /* an atom, its repeat, and what parts alternatives */
#define RANGES_MAX (4 * PATTERN_MAX)
#define DEPTH_MAX  32

enum operation { CHARACTER, ANY, SET, NOT_SET, BEGIN, END, SPLIT, JUMP, MATCH };

/* Places are told by their distance, so that code can be moved. */
struct instruction {
	enum operation operation;
	uint32_t code;   /* CHARACTER */
	int first, last; /* SET: its ranges */
	int to, other;   /* SPLIT: both; JUMP: to */
};

struct range {
	uint32_t from, to;
};

/* Ways at one place of the text. */
struct ways {
	int at[CODE_MAX];
	int count;
};

struct pattern {
	struct instruction code[CODE_MAX];
	int length;
	struct range ranges[RANGES_MAX];
	int range_count;
	/* While it is looked for: */
	struct ways now, next;
	int stack[2 * CODE_MAX];
	uint32_t seen[CODE_MAX], turn; /* in which turn an instruction was come to */
};

struct compiler {
	struct pattern *out;
	const char *text, *at;
	int depth;
	const char *why; /* NULL: all is well */
};

static uint32_t lower(uint32_t code)
{
	return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
}

static bool fail(struct compiler *compiler, const char *why)
{
	if (!compiler->why)
		compiler->why = why;
	return false;
}

static uint32_t take_code(struct compiler *compiler)
{
	uint32_t code;
	compiler->at += text_decode(compiler->at, strlen(compiler->at), &code);
	return code;
}

/* --- code --- */

static bool emit(struct compiler *compiler, struct instruction instruction)
{
	struct pattern *out = compiler->out;
	if (out->length == CODE_MAX)
		return fail(compiler, "too long");
	out->code[out->length++] = instruction;
	return true;
}

/* Puts an instruction before the code from `at` on. */
static bool insert(struct compiler *compiler, int at, struct instruction instruction)
{
	struct pattern *out = compiler->out;
	if (!emit(compiler, instruction))
		return false;
	memmove(&out->code[at + 1], &out->code[at],
		(size_t)(out->length - 1 - at) * sizeof(out->code[0]));
	out->code[at] = instruction;
	return true;
}

static bool repeat(struct compiler *compiler, int from, char how)
{
	int length = compiler->out->length - from;
	if (how == '+')
		return emit(compiler,
			    (struct instruction){ .operation = SPLIT, .to = -length, .other = 1 });
	int behind = length + (how == '*' ? 2 : 1);
	return insert(compiler, from,
		      (struct instruction){ .operation = SPLIT, .to = 1, .other = behind }) &&
	       (how == '?' ||
		emit(compiler, (struct instruction){ .operation = JUMP, .to = -length - 1 }));
}

/* --- sets --- */

static bool add_range(struct compiler *compiler, uint32_t from, uint32_t to)
{
	struct pattern *out = compiler->out;
	if (from > to)
		return fail(compiler, "a range goes upwards");
	if (out->range_count == RANGES_MAX)
		return fail(compiler, "too long");
	out->ranges[out->range_count++] = (struct range){ from, to };
	return true;
}

static bool add_class(struct compiler *compiler, char letter)
{
	switch (letter) {
	case 'd':
		return add_range(compiler, '0', '9');
	case 'w':
		return add_range(compiler, '0', '9') && add_range(compiler, 'a', 'z') &&
		       add_range(compiler, '_', '_');
	default: /* s */
		return add_range(compiler, '\t', '\r') && add_range(compiler, ' ', ' ');
	}
}

static bool emit_set(struct compiler *compiler, bool negated, int first)
{
	return emit(compiler, (struct instruction){ .operation = negated ? NOT_SET : SET,
						    .first = first,
						    .last = compiler->out->range_count });
}

/* Within brackets; a ']' that comes first is a member. */
static bool compile_set(struct compiler *compiler)
{
	int first = compiler->out->range_count;
	bool negated = *compiler->at == '^';
	compiler->at += negated ? 1 : 0;
	for (bool begins = true; begins || *compiler->at != ']'; begins = false) {
		if (!*compiler->at)
			return fail(compiler, "a ] is missing");
		if (*compiler->at == '\\' && compiler->at[1])
			compiler->at++;
		uint32_t from = lower(take_code(compiler)), to = from;
		if (compiler->at[0] == '-' && compiler->at[1] && compiler->at[1] != ']') {
			compiler->at++;
			to = lower(take_code(compiler));
		}
		if (!add_range(compiler, from, to))
			return false;
	}
	compiler->at++;
	return emit_set(compiler, negated, first);
}

/* Behind a backslash. */
static bool compile_escape(struct compiler *compiler)
{
	char letter = *compiler->at;
	int first = compiler->out->range_count;
	if (!letter)
		return fail(compiler, "nothing behind \\");
	if (strchr("dwsDWS", letter)) {
		compiler->at++;
		return add_class(compiler, (char)lower((unsigned char)letter)) &&
		       emit_set(compiler, letter >= 'A' && letter <= 'Z', first);
	}
	if ((letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
	    (letter >= 'A' && letter <= 'Z'))
		return fail(compiler, "only \\d \\w \\s \\D \\W \\S");
	return emit(compiler,
		    (struct instruction){ .operation = CHARACTER, .code = take_code(compiler) });
}

/* --- the grammar --- */

static bool compile_alternatives(struct compiler *compiler);

static bool compile_group(struct compiler *compiler)
{
	if (++compiler->depth > DEPTH_MAX)
		return fail(compiler, "too deep");
	if (!compile_alternatives(compiler))
		return false;
	if (*compiler->at != ')')
		return fail(compiler, "a ) is missing");
	compiler->at++;
	compiler->depth--;
	return true;
}

static bool compile_atom(struct compiler *compiler)
{
	switch (*compiler->at) {
	case '(':
		compiler->at++;
		return compile_group(compiler);
	case '[':
		compiler->at++;
		return compile_set(compiler);
	case '\\':
		compiler->at++;
		return compile_escape(compiler);
	case '.':
		compiler->at++;
		return emit(compiler, (struct instruction){ .operation = ANY });
	case '^':
		compiler->at++;
		return emit(compiler, (struct instruction){ .operation = BEGIN });
	case '$':
		compiler->at++;
		return emit(compiler, (struct instruction){ .operation = END });
	case '*':
	case '+':
	case '?':
		return fail(compiler, "nothing to repeat");
	case '{':
		return fail(compiler, "no {counts}");
	default:
		return emit(compiler, (struct instruction){ .operation = CHARACTER,
							    .code = lower(take_code(compiler)) });
	}
}

static bool compile_sequence(struct compiler *compiler)
{
	while (*compiler->at && *compiler->at != '|' && *compiler->at != ')') {
		int from = compiler->out->length;
		if (!compile_atom(compiler))
			return false;
		while (*compiler->at && strchr("*+?", *compiler->at))
			if (!repeat(compiler, from, *compiler->at++))
				return false;
	}
	return true;
}

/* Each alternative but the last one jumps to the end of all. */
static bool compile_alternatives(struct compiler *compiler)
{
	struct pattern *out = compiler->out;
	int jumps[PATTERN_MAX], count = 0;
	for (;;) {
		int from = out->length;
		if (!compile_sequence(compiler))
			return false;
		if (*compiler->at != '|')
			break;
		compiler->at++;
		int behind = out->length - from + 2;
		if (!insert(compiler, from,
			    (struct instruction){ .operation = SPLIT, .to = 1, .other = behind }) ||
		    !emit(compiler, (struct instruction){ .operation = JUMP }))
			return false;
		jumps[count++] = out->length - 1;
	}
	for (int i = 0; i < count; i++)
		out->code[jumps[i]].to = out->length - jumps[i];
	return true;
}

struct pattern *pattern_new(const char *text, size_t *at, const char **why)
{
	struct pattern *pattern = mem_new(1, sizeof(*pattern));
	struct compiler compiler = { .out = pattern, .text = text, .at = text };
	if (strlen(text) > PATTERN_MAX)
		(void)fail(&compiler, "too long");
	else if (compile_alternatives(&compiler) && *compiler.at)
		(void)fail(&compiler, "a ( is missing");
	if (!compiler.why)
		(void)emit(&compiler, (struct instruction){ .operation = MATCH });
	if (!compiler.why)
		return pattern;
	*at = (size_t)(compiler.at - text);
	*why = compiler.why;
	free(pattern);
	return NULL;
}

void pattern_free(struct pattern *pattern)
{
	free(pattern);
}

/* --- matching --- */

/* Adds the ways that begin at an instruction, as far as the next character; true: one has come to
 * the end. */
static bool add_ways(struct pattern *pattern, struct ways *ways, int from, bool begins, bool ends)
{
	int count = 0;
	pattern->stack[count++] = from;
	while (count > 0) {
		int at = pattern->stack[--count];
		const struct instruction *here = &pattern->code[at];
		if (pattern->seen[at] == pattern->turn)
			continue;
		pattern->seen[at] = pattern->turn;
		if (here->operation == MATCH)
			return true;
		if (here->operation == SPLIT || here->operation == JUMP)
			pattern->stack[count++] = at + here->to;
		if (here->operation == SPLIT)
			pattern->stack[count++] = at + here->other;
		if ((here->operation == BEGIN && begins) || (here->operation == END && ends))
			pattern->stack[count++] = at + 1;
		if (here->operation <= NOT_SET)
			ways->at[ways->count++] = at;
	}
	return false;
}

static bool is_in(const struct pattern *pattern, const struct instruction *set, uint32_t code)
{
	for (int i = set->first; i < set->last; i++)
		if (code >= pattern->ranges[i].from && code <= pattern->ranges[i].to)
			return true;
	return false;
}

static bool takes(const struct pattern *pattern, const struct instruction *here, uint32_t code)
{
	switch (here->operation) {
	case CHARACTER:
		return here->code == code;
	case SET:
		return is_in(pattern, here, code);
	case NOT_SET:
		return !is_in(pattern, here, code);
	default:
		return true;
	}
}

bool pattern_stands(const struct pattern *pattern, const char *text)
{
	struct pattern *run = (struct pattern *)pattern; /* its scratch is no part of its value */
	size_t left = strlen(text);
	struct ways *now = &run->now, *next = &run->next;
	now->count = 0;
	memset(run->seen, 0, sizeof(run->seen));
	run->turn = 1;
	for (bool begins = true;; begins = false) {
		uint32_t code;
		/* The ways that go on were added in this turn already. */
		if (add_ways(run, now, 0, begins, left == 0))
			return true;
		if (left == 0)
			return false;
		size_t used = text_decode(text, left, &code);
		text += used;
		left -= used;
		code = lower(code);
		next->count = 0;
		run->turn++;
		for (int i = 0; i < now->count; i++)
			if (takes(run, &run->code[now->at[i]], code) &&
			    add_ways(run, next, now->at[i] + 1, false, left == 0))
				return true;
		struct ways *other = now;
		now = next;
		next = other;
	}
}

#include "model/preferences.h"

#include <string.h>

#include "model/base/hash.h"
#include "model/base/mem.h"

bool prefs_count(const struct preferences *prefs, size_t i, int64_t *count)
{
	if (i >= prefs->length)
		return false;
	if (prefs->entries[i].has_count)
		*count = prefs->entries[i].count;
	else if (prefs->has_shared_count)
		*count = prefs->shared_count;
	else
		return false;
	return true;
}

const char *prefs_plan(const struct preferences *prefs, size_t i)
{
	if (i >= prefs->length)
		return "";
	if (prefs->entries[i].plan_arn[0])
		return prefs->entries[i].plan_arn;
	return prefs->length == 1 ? prefs->job_plan_arn : "";
}

bool prefs_has_unplaced_plan(const struct preferences *prefs)
{
	return prefs->job_plan_arn[0] && prefs->length > 1;
}

static bool entry_equal(const struct preference *a, const struct preference *b)
{
	return strcmp(a->instance_type, b->instance_type) == 0 && a->has_count == b->has_count &&
	       (!a->has_count || a->count == b->count) && strcmp(a->plan_arn, b->plan_arn) == 0 &&
	       strcmp(a->group, b->group) == 0;
}

bool prefs_equal(const struct preferences *a, const struct preferences *b)
{
	if (a->length != b->length || a->has_shared_count != b->has_shared_count ||
	    (a->has_shared_count && a->shared_count != b->shared_count) ||
	    a->is_list != b->is_list || strcmp(a->job_plan_arn, b->job_plan_arn) != 0)
		return false;
	for (size_t i = 0; i < a->length; i++) {
		if (!entry_equal(&a->entries[i], &b->entries[i]))
			return false;
	}
	return true;
}

uint64_t prefs_hash(const struct preferences *prefs)
{
	uint64_t hash = hash_more_text(HASH_BEGIN, prefs->job_plan_arn);
	hash = hash_more(hash, prefs->has_shared_count ? (uint64_t)prefs->shared_count : 0);
	for (size_t i = 0; i < prefs->length; i++) {
		const struct preference *entry = &prefs->entries[i];
		hash = hash_more_text(hash, entry->instance_type);
		hash = hash_more(hash, entry->has_count ? (uint64_t)entry->count : 0);
		hash = hash_more_text(hash, entry->plan_arn);
	}
	return hash;
}

struct preferences *prefs_copy(const struct preferences *prefs)
{
	struct preferences *copy;
	if (!prefs)
		return NULL;
	copy = mem_new(1, sizeof(*copy));
	*copy = *prefs;
	return copy;
}

/* Groups of a heterogeneous cluster stand side by side: they have no ranks to edit. */
static bool is_editable(const struct preferences *prefs)
{
	for (size_t i = 0; i < prefs->length; i++) {
		if (prefs->entries[i].group[0])
			return false;
	}
	return true;
}

static bool type_fits(const char *instance_type)
{
	size_t len = strlen(instance_type);
	return len > 0 && len < TYPE_NAME_SIZE;
}

bool prefs_move(struct preferences *prefs, size_t from, size_t to)
{
	if (from >= prefs->length || to >= prefs->length || from == to || !is_editable(prefs))
		return false;
	struct preference moved = prefs->entries[from];
	struct preference *entries = prefs->entries;
	if (from < to)
		memmove(&entries[from], &entries[from + 1], (to - from) * sizeof(*entries));
	else
		memmove(&entries[to + 1], &entries[to], (from - to) * sizeof(*entries));
	entries[to] = moved;
	return true;
}

/* The count that a new entry at a position starts with. */
static int64_t neighbour_count(const struct preferences *prefs, size_t at)
{
	int64_t count;
	if (at > 0 && prefs_count(prefs, at - 1, &count))
		return count;
	if (prefs_count(prefs, at, &count))
		return count;
	return 1;
}

bool prefs_insert(struct preferences *prefs, size_t at, const char *instance_type)
{
	if (at > prefs->length || prefs->length >= PREFS_MAX || !is_editable(prefs) ||
	    !type_fits(instance_type))
		return false;
	struct preference new = { 0 };
	memcpy(new.instance_type, instance_type, strlen(instance_type));
	if (!prefs->has_shared_count) {
		new.has_count = true;
		new.count = neighbour_count(prefs, at);
	}
	memmove(&prefs->entries[at + 1], &prefs->entries[at],
		(prefs->length - at) * sizeof(prefs->entries[0]));
	prefs->entries[at] = new;
	prefs->length++;
	prefs->is_list = true;
	return true;
}

void prefs_keep_first(struct preferences *prefs)
{
	struct preference *first = &prefs->entries[0];
	bool has_count = prefs_count(prefs, 0, &first->count);
	first->has_count = has_count;
	prefs->has_shared_count = false;
	prefs->length = prefs->length > 0;
	prefs->is_list = false;
}

bool prefs_remove(struct preferences *prefs, size_t at)
{
	if (at >= prefs->length || !is_editable(prefs))
		return false;
	prefs->length--;
	memmove(&prefs->entries[at], &prefs->entries[at + 1],
		(prefs->length - at) * sizeof(prefs->entries[0]));
	prefs->entries[prefs->length] = (struct preference){ 0 };
	return true;
}

bool prefs_set_type(struct preferences *prefs, size_t at, const char *instance_type)
{
	if (at >= prefs->length || !is_editable(prefs) || !type_fits(instance_type))
		return false;
	size_t len = strlen(instance_type);
	memset(prefs->entries[at].instance_type, 0, TYPE_NAME_SIZE);
	memcpy(prefs->entries[at].instance_type, instance_type, len);
	return true;
}

bool prefs_set_plan(struct preferences *prefs, size_t at, const char *plan_arn)
{
	bool on_job;
	size_t len = strlen(plan_arn);
	if (at >= prefs->length || !is_editable(prefs) || len >= PLAN_ARN_SIZE)
		return false;
	/* Without a list there is one place for it: the job's. */
	on_job = !prefs->is_list && prefs->length == 1;
	if (prefs->length == 1)
		memset(prefs->job_plan_arn, 0, PLAN_ARN_SIZE);
	memset(prefs->entries[at].plan_arn, 0, PLAN_ARN_SIZE);
	memcpy(on_job ? prefs->job_plan_arn : prefs->entries[at].plan_arn, plan_arn, len);
	return true;
}

bool prefs_add_count(struct preferences *prefs, size_t at, int64_t delta)
{
	int64_t count = 0, sum;
	if (at >= prefs->length)
		return false;
	(void)prefs_count(prefs, at, &count); /* stays 0 where there is none */
	if (__builtin_add_overflow(count, delta, &sum))
		sum = delta > 0 ? PREFS_COUNT_MAX : 1;
	if (sum < 1)
		sum = 1;
	if (sum > PREFS_COUNT_MAX)
		sum = PREFS_COUNT_MAX;
	struct preference *entry = &prefs->entries[at];
	if (prefs->has_shared_count && !entry->has_count) {
		prefs->shared_count = sum;
	} else {
		entry->has_count = true;
		entry->count = sum;
	}
	return sum != count;
}

bool prefs_set_count(struct preferences *prefs, size_t at, int64_t count)
{
	if (at >= prefs->length || count < 1 || count > PREFS_COUNT_MAX || !is_editable(prefs))
		return false;
	if (prefs->has_shared_count && prefs->length > 1)
		prefs_toggle_counts(prefs);
	struct preference *entry = &prefs->entries[at];
	if (prefs->has_shared_count && !entry->has_count) {
		prefs->shared_count = count;
	} else {
		entry->has_count = true;
		entry->count = count;
	}
	return true;
}

void prefs_toggle_counts(struct preferences *prefs)
{
	if (prefs->has_shared_count) {
		for (size_t i = 0; i < prefs->length; i++) {
			if (!prefs->entries[i].has_count)
				prefs->entries[i].count = prefs->shared_count;
			prefs->entries[i].has_count = true;
		}
		prefs->has_shared_count = prefs->length == 0;
		return;
	}
	int64_t shared = 1;
	for (size_t i = prefs->length; i-- > 0;)
		(void)prefs_count(prefs, i, &shared); /* the first entry's is the last word */
	for (size_t i = 0; i < prefs->length; i++) {
		prefs->entries[i].has_count = false;
		prefs->entries[i].count = 0;
	}
	prefs->has_shared_count = true;
	prefs->shared_count = shared;
}

/* A part of the list's text, not terminated. */
struct piece {
	const char *text;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct piece trim(struct piece piece)
{
	while (piece.len > 0 && is_blank(piece.text[0])) {
		piece.text++;
		piece.len--;
	}
	while (piece.len > 0 && is_blank(piece.text[piece.len - 1]))
		piece.len--;
	return piece;
}

/* Cuts *rest at the first mark: what stands before it is returned, *rest keeps what follows. */
static struct piece cut(struct piece *rest, char mark, bool *found)
{
	struct piece head = *rest;
	const char *at = memchr(rest->text, mark, rest->len);
	*found = at != NULL;
	if (at)
		head.len = (size_t)(at - rest->text);
	size_t used = head.len + (at ? 1 : 0);
	rest->text += used;
	rest->len -= used;
	return trim(head);
}

static int shown(struct piece piece)
{
	return piece.len > 80 ? 80 : (int)piece.len;
}

static bool read_type(struct preference *entry, struct piece type, size_t rank, struct err *err)
{
	if (type.len == 0)
		return err_set(err, ERR_USAGE,
			       "entry %zu has no instance type; write type:count, such as "
			       "ml.p4d.24xlarge:2",
			       rank);
	for (size_t i = 0; i < type.len; i++) {
		char c = type.text[i];
		bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
		if (!fits)
			return err_set(err, ERR_USAGE,
				       "entry %zu: \"%.*s\" is no instance type; use letters, "
				       "digits, '.' and '-', such as ml.p4d.24xlarge, and a comma "
				       "between entries",
				       rank, shown(type), type.text);
	}
	if (type.len >= TYPE_NAME_SIZE)
		return err_set(err, ERR_USAGE,
			       "entry %zu: the instance type \"%.*s\" has %zu characters; the "
			       "longest has %d",
			       rank, shown(type), type.text, type.len, TYPE_NAME_SIZE - 1);
	memcpy(entry->instance_type, type.text, type.len);
	return true;
}

static bool read_count(struct preference *entry, struct piece count, size_t rank, struct err *err)
{
	int64_t value = 0;
	bool fits = count.len > 0;
	for (size_t i = 0; fits && i < count.len; i++) {
		char c = count.text[i];
		fits = c >= '0' && c <= '9';
		value = value * 10 + (fits ? c - '0' : 0);
		fits = fits && value <= PREFS_COUNT_MAX;
	}
	if (!fits)
		return err_set(err, ERR_USAGE,
			       "entry %zu (%s): the count \"%.*s\" is no whole number up to %d; "
			       "write %s:2",
			       rank, entry->instance_type, shown(count), count.text,
			       PREFS_COUNT_MAX, entry->instance_type);
	entry->has_count = true;
	entry->count = value;
	return true;
}

static bool read_plan(struct preference *entry, struct piece plan, size_t rank, struct err *err)
{
	if (plan.len < 4 || memcmp(plan.text, "arn:", 4) != 0)
		return err_set(err, ERR_USAGE,
			       "entry %zu (%s): \"%.*s\" after '@' is no training plan; write its "
			       "ARN, arn:aws:sagemaker:...:training-plan/NAME",
			       rank, entry->instance_type, shown(plan), plan.text);
	for (size_t i = 0; i < plan.len; i++) {
		if ((unsigned char)plan.text[i] <= ' ' || plan.text[i] == 0x7f)
			return err_set(err, ERR_USAGE,
				       "entry %zu (%s): the training plan's ARN holds a blank or a "
				       "control character; remove it",
				       rank, entry->instance_type);
	}
	if (plan.len >= PLAN_ARN_SIZE)
		return err_set(err, ERR_USAGE,
			       "entry %zu (%s): the training plan's ARN has %zu characters; that "
			       "of a plan has at most %d",
			       rank, entry->instance_type, plan.len, PLAN_ARN_SIZE - 1);
	memcpy(entry->plan_arn, plan.text, plan.len);
	return true;
}

/* type[:count][@plan-arn]: an ARN holds colons, so the plan is cut off first. */
static bool read_entry(struct preference *entry, struct piece text, size_t rank, int64_t shared,
		       struct err *err)
{
	bool has_plan, has_count;
	struct piece plan = text;
	struct piece count = cut(&plan, '@', &has_plan);
	struct piece type = cut(&count, ':', &has_count);
	if (!read_type(entry, type, rank, err))
		return false;
	if (has_count && shared > 0)
		return err_set(err, ERR_USAGE,
			       "entry %zu (%s) has a count of its own beside --count %lld; remove "
			       "one of the two",
			       rank, entry->instance_type, (long long)shared);
	if (has_count && !read_count(entry, trim(count), rank, err))
		return false;
	return !has_plan || read_plan(entry, trim(plan), rank, err);
}

bool prefs_parse(struct preferences *prefs, const char *list, int64_t shared, struct err *err)
{
	struct preferences read = { .is_list = true };
	struct piece rest = { list, strlen(list) };
	bool more = true;
	if (trim(rest).len == 0)
		return err_set(err, ERR_USAGE,
			       "the list is empty; write type:count,... in rank order, such as "
			       "ml.p5.48xlarge:2,ml.p4d.24xlarge:4");
	if (shared > PREFS_COUNT_MAX)
		return err_set(err, ERR_USAGE, "the count %lld is above %d", (long long)shared,
			       PREFS_COUNT_MAX);
	while (more) {
		struct piece text = cut(&rest, ',', &more);
		if (read.length >= PREFS_KEEP_MAX)
			return err_set(err, ERR_USAGE,
				       "the list has more than %d entries; SageMaker takes at most "
				       "%d",
				       PREFS_KEEP_MAX, PREFS_MAX);
		struct preference *entry = &read.entries[read.length++];
		if (!read_entry(entry, text, read.length, shared, err))
			return false;
	}
	if (shared > 0) {
		read.has_shared_count = true;
		read.shared_count = shared;
	}
	*prefs = read;
	return true;
}

bool prefs_state_equal(const struct prefs_state *a, const struct prefs_state *b)
{
	return prefs_equal(&a->prefs, &b->prefs) && a->max_pending.set == b->max_pending.set &&
	       (!a->max_pending.set || a->max_pending.ms == b->max_pending.ms);
}

#include "model/requeue_order.h"

#include <string.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"

#define URI_MAX 2048

/* CheckpointConfig.S3Uri without slashes at its end; nothing where there is none. */
static void read_checkpoint(const char *text, struct buf *uri)
{
	struct json_doc doc = { 0 };
	struct err ignored = { 0 };
	if (text && json_doc_parse(&doc, text, strlen(text), &ignored))
		(void)json_doc_string(&doc, json_doc_path(&doc, "CheckpointConfig.S3Uri"), uri);
	while (uri->len > 0 && uri->data[uri->len - 1] == '/')
		uri->data[--uri->len] = '\0';
	json_doc_release(&doc);
	err_clear(&ignored);
}

static bool has_one_checkpoint(const struct requeue_sides *sides)
{
	struct buf one, other;
	buf_init(&one, URI_MAX);
	buf_init(&other, URI_MAX);
	read_checkpoint(sides->old_text, &one);
	read_checkpoint(sides->new_text, &other);
	bool same = one.len > 0 && strcmp(buf_text(&one), buf_text(&other)) == 0;
	buf_release(&one);
	buf_release(&other);
	return same;
}

static const struct quota_fact *find_quota(const struct requeue_sides *sides, const char *type)
{
	for (size_t i = 0; i < sides->quota_count; i++)
		if (strcmp(sides->quotas[i].instance_type, type) == 0 &&
		    sides->quotas[i].kind == quota_kind_of(sides->kind, false))
			return &sides->quotas[i];
	return NULL;
}

static int64_t count_of(const struct preferences *prefs, size_t i)
{
	int64_t count = 0;
	return prefs_count(prefs, i, &count) ? count : 0;
}

/* What the old job may hold of a type while it waits: whether it does is not published. */
static int64_t held_by_old(const struct requeue_sides *sides, const char *type)
{
	for (size_t i = 0; i < sides->old_prefs->length; i++)
		if (strcmp(sides->old_prefs->entries[i].instance_type, type) == 0)
			return count_of(sides->old_prefs, i);
	return 0;
}

/* Every entry is checked for itself, one that would never be chosen too (case 080). */
static void weigh_quotas(const struct requeue_sides *sides, struct requeue_order *order)
{
	for (size_t i = 0; i < sides->new_prefs->length; i++) {
		const char *type = sides->new_prefs->entries[i].instance_type;
		const struct quota_fact *fact = find_quota(sides, type);
		int64_t need = count_of(sides->new_prefs, i) + held_by_old(sides, type);
		if (!fact || !fact->told) {
			order->why = REQUEUE_WHY_UNTOLD;
		} else if (quota_left(fact) < need) {
			order->stop_first = true;
			order->why = REQUEUE_WHY_QUOTA;
			memcpy(order->instance_type, sides->new_prefs->entries[i].instance_type,
			       sizeof(order->instance_type));
			return;
		}
	}
}

/* The dearest entry by the hour; unset where a price is not known. */
static struct money dearest(const struct requeue_sides *sides, const struct preferences *prefs)
{
	struct money most = { .set = prefs->length > 0 };
	for (size_t i = 0; i < prefs->length && most.set; i++) {
		struct money one = price_entry_per_hour(prefs, i, sides->prices, sides->kind);
		most.set = one.set;
		most.micro = one.micro > most.micro ? one.micro : most.micro;
	}
	return most;
}

static bool is_over_budget(const struct requeue_sides *sides)
{
	struct money one = dearest(sides, sides->old_prefs);
	struct money other = dearest(sides, sides->new_prefs);
	return sides->max_per_hour.set &&
	       (!one.set || !other.set || one.micro > sides->max_per_hour.micro - other.micro);
}

struct requeue_order requeue_order(const struct requeue_sides *sides)
{
	struct requeue_order order = { .why = REQUEUE_WHY_ROOM };
	if (has_one_checkpoint(sides))
		return (struct requeue_order){ .stop_first = true,
					       .is_forced = true,
					       .why = REQUEUE_WHY_CHECKPOINT };
	weigh_quotas(sides, &order);
	if (!order.stop_first && is_over_budget(sides))
		order = (struct requeue_order){ .stop_first = true, .why = REQUEUE_WHY_BUDGET };
	return order;
}

void requeue_order_describe(const struct requeue_order *order, struct buf *out)
{
	requeue_order_describe_chosen(order->stop_first, out);
	switch (order->why) {
	case REQUEUE_WHY_ROOM:
		buf_add_text(out, ": the quotas have room for both");
		break;
	case REQUEUE_WHY_UNTOLD:
		buf_add_text(out, ": a quota is not known, and if the new job is refused the old "
				  "one still waits");
		break;
	case REQUEUE_WHY_QUOTA:
		buf_addf(out, ": for both, the quota of %s has no room", order->instance_type);
		break;
	case REQUEUE_WHY_BUDGET:
		buf_add_text(out, ": both together may cost more than max_per_hour");
		break;
	case REQUEUE_WHY_CHECKPOINT:
		buf_add_text(out, ": both write to one checkpoint, so they never overlap");
		break;
	}
}

void requeue_order_describe_chosen(bool stop_first, struct buf *out)
{
	buf_add_text(out, stop_first ? "first the old job is stopped, and once it has ended (1-3 "
				       "min) the new one is submitted"
				     : "first the new job is submitted, then the old one is "
				       "stopped");
}

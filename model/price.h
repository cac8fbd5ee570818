/*
 * Prices and cost. Money is integer micro units of the price's currency; unknown is a flag.
 * First source: AWS's price list of the region (model/price_book.h). Until it has been read the
 * dated table made from public observations and estimates (price_table.c, generated) stands in;
 * every figure from that is marked `~`.
 */
#ifndef GPUQ_PRICE_H
#define GPUQ_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/price_book.h"

struct money {
	bool set;
	int64_t micro;
};

/* The surest first. */
enum price_source { PRICE_NONE, PRICE_LIST, PRICE_TABLE, PRICE_ESTIMATE };

struct price {
	enum price_source source;
	int64_t per_hour_micro; /* one instance, one hour */
	const char *currency;   /* "USD" */
	/* Of the observation: YYYY, YYYY-MM or YYYY-MM-DD; of a price list the day on which it was
	 * read; "" for an estimate. */
	const char *date;
};

/*
 * The price of one instance hour; source PRICE_NONE when there is no row. A price list that has
 * been read decides alone: what it does not have is not sold by the hour in that region, whatever
 * the table says. Borrows from the book until its next change, as what is made of it below.
 */
struct price price_find(const struct price_book *book, enum job_kind kind,
			const char *instance_type);

/* price-list, table, estimate or NULL for none. */
const char *price_source_word(enum price_source source);
/* The source of a word that was kept; one that is not known counts as an estimate. */
enum price_source price_source_of(const char *word);
/*
 * Whether a recorded cost gives way to one that is worked out now; PRICE_NONE where either is
 * unknown. One that is final, of a job that had ended when it was recorded, gives way only to a
 * source that is at least as sure: a session without the price list does not undo what another
 * knew. A cost so far grows, and what is newer replaces it.
 */
bool price_replaces(bool is_final, enum price_source recorded, enum price_source found);
/* Not what AWS says now: the figure is marked. */
bool price_is_approximate(enum price_source source);

struct cost {
	const char *currency;     /* "USD"; NULL when no price is known */
	struct money per_hour;    /* of the selection; unset while pending or without a price */
	struct money so_far;      /* 0 while pending; the final cost of an ended job */
	struct money worst_case;  /* to the run-time limit; the dearest entry while pending */
	struct money likely;      /* expected; unset = unknown */
	struct money retained;    /* of its warm pool, beside so_far; grows while it is held */
	enum price_source source; /* the least certain source among those used */
	const char *date;         /* the oldest date of that source, "" for estimates; or NULL */
	bool plan; /* the selection runs on prepaid capacity: nothing more by the hour */
};

/* Price by the hour of entry i: price x count, 0 on a plan; unset without a price or count. Beside
 * an unplaced plan (prefs_has_unplaced_plan) it is the price on demand. */
struct money price_entry_per_hour(const struct preferences *prefs, size_t i,
				  const struct price_book *book, enum job_kind kind);

/* What per_hour comes to in a time, to the nearest millionth; unset when too large to say. */
struct money price_in_time(struct money per_hour, int64_t ms);

/*
 * Cost of a job at now_ms. Rules: product.md Money, interface.md JSON. so_far goes by the billable
 * time; without it by the training time of an ended job, or by the time since the start (never for
 * spot, whose billable time is less). It is unset where AWS might bill something else: no
 * selection known, or a plan that may or may not serve it.
 */
struct cost price_job_cost(const struct job *job, const struct price_book *book, int64_t now_ms);

/*
 * What all of a job is likely to cost where it runs for run_time: on what it has been given, or on
 * the one choice that it has. Never less than what it has cost. 0 on a plan. Unset without a time
 * or a price, for a list that still waits, since which entry it runs on is open, and for spot, of
 * which AWS bills an unknown part.
 */
struct money price_job_likely(const struct job *job, const struct price_book *book,
			      struct opt_ms run_time, int64_t now_ms);

/* What an ended job's instances cost by the hour while they stand ready for the next one: a warm
 * pool is billed as training. Unset where it holds none, or its time is over. */
struct money price_pool_per_hour(const struct job *job, const struct price_book *book,
				 int64_t now_ms);

/* What a list can cost, from its first to its worst entry. */
struct price_stakes {
	size_t unpriced;          /* 1 = the first entry without price or count is #1; 0 = none */
	struct money least, most; /* by the hour, over the entries that have a price; of a group
				   * cluster both are the sum; unset = none has one */
	size_t dearest;           /* index of the entry of most */
	/* Where an entry has a plan: the most by the hour of those that have none, since a plan
	 * that is busy is not waited for. Unset: no entry has a plan, or every one has. */
	struct money on_demand;
	struct money worst_case;  /* as price_draft_worst */
	const char *currency;     /* NULL = no price is known */
	enum price_source source; /* the least certain one; PRICE_NONE = no price */
	const char *date;         /* the oldest of that source; NULL or "" = none */
};
struct price_stakes price_list_stakes(const struct preferences *prefs,
				      const struct price_book *book, enum job_kind kind,
				      struct opt_ms max_runtime);

/* Worst case of a draft: the dearest entry (groups: all of them) x the run-time limit; unset if
 * one price or count, or the limit, is missing. */
struct money price_draft_worst(const struct preferences *prefs, const struct price_book *book,
			       enum job_kind kind, struct opt_ms max_runtime);

#endif

/*
 * The recurring runs of a believable account: for each its names, what it runs on, how long it
 * usually waits and works, and its Create request as text.
 */
#ifndef GPUQ_SIM_RECIPES_H
#define GPUQ_SIM_RECIPES_H

#include "aws/sim/world.h"
#include "model/base/buf.h"

enum sim_naming { SIM_NAME_STAMP, SIM_NAME_DAY, SIM_NAME_HEX, SIM_NAME_LONG, SIM_NAME_TRIAL };

struct sim_recipe {
	const char *stem;
	enum sim_job_kind kind;
	enum sim_naming naming;
	/* type:count, comma between entries; one without a count takes the shared one. '@' after an
	 * entry binds it to the plan p5-plan. Without a comma and with '!' at the end: no list. */
	const char *entries;
	int shared_count; /* 0 = each entry has its own */
	const char *image, *script;
	int past; /* its part of what has ended in a crowded region: enough starts of each type for
		   * a forecast */
	int wait_minutes, run_minutes; /* usually */
	int max_run_hours;
	int max_pending_hours; /* 0 = none */
	bool spot;
	bool groups;            /* the entries are the groups of one cluster */
	bool serverless;        /* no entries */
	int keep_alive_minutes; /* 0 = no warm pool */
	int idle_after_minutes; /* it hangs then, and its GPUs with it; 0 = it does not */
	bool metrics;           /* it defines some of its own */
};

extern const struct sim_recipe sim_recipes[];
extern const size_t sim_recipe_count;
#define SIM_RECIPES_USUAL 17 /* the first ones; the rest only in a crowded region */

/* Index of the recipe with that stem; the stem is one of the table. */
size_t sim_recipe_named(const char *stem);

/* How many entries its list has; 1 without a list. */
int sim_recipe_length(const struct sim_recipe *recipe);

/* How much of a trial's name is that of its tuning job; 0 for all other runs. */
size_t sim_recipe_tuning_len(const struct sim_recipe *recipe);

/* A valid name for a run created then; luck tells two of the same minute apart. */
void sim_recipe_name(const struct sim_recipe *recipe, int64_t created_ms, uint64_t luck,
		     char out[SIM_NAME_SIZE]);

/* The Create request. */
void sim_recipe_request(const struct sim_recipe *recipe, const struct sim_world *world,
			const char *name, struct buf *out);

#endif

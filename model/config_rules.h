/*
 * The rules of the operator's own config: [rule NAME] with on, do, quiet and jobs. A rule in which
 * something is wrong does nothing; what that is is said with its line.
 */
#ifndef GPUQ_CONFIG_RULES_H
#define GPUQ_CONFIG_RULES_H

#include "model/config.h"
#include "model/rule.h"

/* What is wrong with a rule, about its key (NULL: about the section). Takes text. */
typedef void rule_wrong_fn(void *ctx, const struct ini_key *key, struct buf *text);

/* Reads one; release it either way. False: something is wrong. wrong may be NULL. */
bool config_read_rule(struct rule *rule, const char *name, const struct ini_section *section,
		      rule_wrong_fn *wrong, void *ctx) MUST_CHECK;

/* {0} has none; release it. */
struct rules {
	struct rule *items; /* owned, in the order of the file */
	size_t count;
};

/* All that are right. Of a file that others could have written (config->distrust) without what
 * runs or stops anything. The config outlives them. */
void config_rules(const struct config *config, struct rules *rules);
void rules_release(struct rules *rules);

/* The events of all of them, as a sum of bits. */
unsigned rules_events(const struct rules *rules);

#endif

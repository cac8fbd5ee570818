/*
 * The rules of `check`: one table row each (id, severity, test, message, fix). Used by the editor
 * and by submit. A finding is one sentence with one fix.
 */
#ifndef GPUQ_CHECK_H
#define GPUQ_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "model/job.h"
#include "model/preferences.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* What a key can do about a finding. */
enum fix_kind {
	FIX_NONE,
	FIX_REMOVE_ENTRY,
	FIX_SPREAD_COUNT,
	FIX_SHARE_COUNT,
	FIX_DROP_PLAN,
	FIX_SET_NAME
};

#define CHECK_NO_ENTRY ((size_t)-1)
#define FINDINGS_MAX   64

struct finding {
	const char *rule; /* id of interface.md */
	enum severity severity;
	size_t entry;       /* index in the list, or CHECK_NO_ENTRY */
	char path[160];     /* "ResourceConfig.InstancePreferences[1].InstanceType" */
	char message[320];  /* one sentence */
	char fix_text[200]; /* one sentence, or "" */
	enum fix_kind fix;
	size_t line, column; /* in the request's text; 0 = no text */
};

struct findings {
	struct finding items[FINDINGS_MAX];
	size_t count;
	bool cut; /* there were more */
};

/* What is checked: a list with what stands beside it. */
struct check_input {
	enum job_kind kind;
	const char *name; /* job name, or NULL = not checked */
	const struct preferences *prefs;
	bool has_instance_type, has_instance_groups, has_placement, has_spot; /* beside the list */
	bool has_selected_members;    /* SelectedInstanceType or -Count in the request */
	bool has_plan_on_entry_twice; /* more than one ARN on an entry; entry index below */
	size_t plan_twice_entry;
	bool processing_has_plan; /* any plan member in a processing request */
};

/* Every finding in the order of the rules table; errors first. findings is overwritten. */
void check_preferences(const struct check_input *input, struct findings *findings);

bool findings_have_error(const struct findings *findings);
const char *severity_word(enum severity severity);

#endif

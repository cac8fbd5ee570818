/*
 * The rules of `check`: one table row each (id, severity, test, message, fix). Used by the editor
 * and by submit. A finding is one sentence with one fix.
 */
#ifndef GPUQ_CHECK_H
#define GPUQ_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/attr.h"
#include "model/base/jsontext.h"
#include "model/job.h"
#include "model/plan.h"
#include "model/preferences.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* What a key can do about a finding; finding_apply does it for those that are of the list. */
enum fix_kind {
	FIX_NONE,
	FIX_REMOVE_ENTRY, /* the entry */
	FIX_CUT_LIST,     /* the entries behind the fifth */
	FIX_KEEP_FIRST,   /* the first entry alone, as one type without a list */
	FIX_SPREAD_COUNT, /* a count on each entry, none beside the list */
	FIX_SHARE_COUNT,  /* one count beside the list */
	FIX_DROP_PLAN,    /* of the entry; CHECK_NO_ENTRY: the one of the job */
	FIX_SET_COUNT,    /* of the entry, which gets its own; CHECK_NO_ENTRY: the shared one */
	FIX_SET_TYPE,     /* of the entry, to fix_value */
	/* Of the request, not of its list: request_apply_fix makes these too. */
	FIX_SET_NAME,    /* to fix_value */
	FIX_DROP_MEMBER, /* the member at path */
	FIX_SET_MEMBER,  /* the member at path, to the JSON text of fix_value */
	FIX_DROP_SPOT    /* EnableManagedSpotTraining and the MaxWaitTimeInSeconds of it */
};

#define CHECK_NO_ENTRY ((size_t)-1)
#define FINDINGS_MAX   256
#define FIX_VALUE_SIZE 64 /* a type, a number or a job's name */

struct finding {
	const char *rule; /* id of interface.md */
	enum severity severity;
	size_t entry;       /* index in the list, or CHECK_NO_ENTRY */
	char path[160];     /* "ResourceConfig.InstancePreferences[1].InstanceType" */
	char message[320];  /* one sentence */
	char fix_text[200]; /* one sentence, or "" */
	enum fix_kind fix;
	char fix_value[FIX_VALUE_SIZE]; /* the type, count or value to set, or "" */
	size_t line, column;            /* in the request's text; 0 = no text */
};

struct findings {
	struct finding items[FINDINGS_MAX];
	size_t count;
	bool cut; /* there were more */
};

enum name_state {
	NAME_UNCHECKED,
	NAME_FREE, /* AWS knows no job of that name */
	NAME_TAKEN
};

/* One [certified NAME] of the config. Texts are borrowed. */
struct check_certified {
	const char *name;
	const char *stems; /* parted by commas; NULL or "": the section's name is the stem */
	const char *instance_type;
	bool has_count; /* else any count */
	int64_t count;
	struct opt_ms run; /* measured; a duration */
};

/* Whether it is certified for jobs of that stem. */
bool check_certified_is_of(const struct check_certified *certified, const char *stem);

struct quota_fact; /* model/quota.h */
struct price_book; /* model/price_book.h */

/*
 * What is known beyond the request, for the rules that need AWS or the config. {0} = nothing.
 * Everything is borrowed.
 */
struct check_known {
	const char *region;              /* NULL = not known */
	const struct price_book *prices; /* NULL = no price is known */
	const struct plan_fact *plans;   /* NULL = no list of plans was read */
	size_t plan_count;
	const struct quota_fact *quotas; /* NULL = none was asked for */
	size_t quota_count;
	enum name_state name;
	/* Whether a job of that name is known, for the name that is proposed; NULL = nobody tells.
	 */
	bool (*knows_name)(const void *names, const char *name);
	const void *names;
	/* Why the plans and the name are not known, as the end of "... is not checked: "; NULL =
	 * nobody has asked. */
	const char *plans_why, *name_why;
	const struct check_certified *certified; /* NULL = no section */
	size_t certified_count;
	struct money max_per_hour, max_worst_case; /* of the config; not set = no limit */
	/* A limit is written there that cannot be read: what of it, and how to mend it. NULL =
	 * none. */
	const char *unread_limit, *unread_limit_fix;
	/* Say of each rule that needs AWS and has no answer that it is not checked. Whoever shows
	 * the findings of a request as its verdict wants this; an editor that is still waiting for
	 * its first answers may leave it out. */
	bool note_unchecked;
};

/* What is checked: a list with what stands beside it. {0} but for kind and prefs is valid. */
struct check_input {
	enum job_kind kind;
	const char *name; /* job name, or NULL = not checked */
	const struct preferences *prefs;
	bool has_instance_type, has_instance_groups, has_placement, has_spot; /* beside the list */
	bool has_selected_members;    /* SelectedInstanceType or -Count in the request */
	bool has_plan_on_entry_twice; /* more than one ARN on an entry; entry index below */
	size_t plan_twice_entry;
	bool processing_has_plan; /* any plan member in a processing request */
	size_t list_length;       /* where the list has more entries than prefs can hold; else 0 */
	bool has_max_pending;
	int64_t max_pending_seconds;
	struct opt_ms max_runtime;       /* a duration, for the worst case */
	const struct check_known *known; /* NULL = nothing */
	/* The whole request, for the rules that look at all of it and for line and column; NULL =
	 * the list alone. */
	const struct json_doc *doc;
};

/* Every finding in the order of the rules table: errors, warnings, notes. findings is overwritten.
 */
void check_preferences(const struct check_input *input, struct findings *findings);

/* Makes the fix in the list. False, and nothing changed, where the fix is not one of the list.
 * request_apply_fix (model/request.h) makes every fix in the request. */
bool finding_apply(const struct finding *finding, struct preferences *prefs);

bool findings_have_error(const struct findings *findings);
const char *severity_word(enum severity severity);

/*
 * For the modules that hold rules: takes the next free place with the rule's id and severity (of
 * the table), the path and the message set. NULL when full (then cut is set) or for no such rule.
 */
struct finding *findings_add(struct findings *findings, const char *rule, const char *path,
			     const char *format, ...) PRINTF_LIKE(4, 5);

/* The ids of the rules, in the order of the table. */
size_t check_rule_count(void);
const char *check_rule_id(size_t i);

#endif

/*
 * The request document as text: a Create request read from a file or made from a Describe reply.
 * Only what the list needs is edited; every other byte stays. The only module that knows the
 * members of the request document.
 */
#ifndef GPUQ_REQUEST_H
#define GPUQ_REQUEST_H

#include "model/base/err.h"
#include "model/base/jsontext.h"
#include "model/check.h"
#include "model/job.h"
#include "model/tags.h"

#define REQUEST_MAX (1u << 20)

struct request {
	enum job_kind kind;
	char *text; /* owned: a JSON object, NUL-terminated */
};

/* A request on its way to AWS: exactly that text, under that name. Borrowed. */
struct order {
	enum job_kind kind;
	const char *name, *text;
	/* Of the draft that it is: it is sent once, whatever its name. NULL = it is of none. */
	const char *draft;
	/* The first try under this name may have arrived: when it was sent, by the monotonic clock.
	 * Not set: this is the first. */
	struct opt_ms tried;
};

/*
 * Reads a document of the user: kind is guessed (TrainingJobName or ProcessingJobName) unless
 * given. Errors: ERR_RULE with subject `name` and the finding not-json or not-a-request in
 * findings (with line and column).
 */
bool request_read(struct request *request, const char *text, size_t len, const char *name,
		  const enum job_kind *kind, struct findings *findings, struct err *err) MUST_CHECK;

/*
 * Describe's reply turned into a Create request under a new name: what only Describe has is
 * dropped, and so are nulls, lists without items where Create wants one, and objects that this
 * leaves empty. Everything else is kept byte for byte, members that neither knows too (the rule
 * unknown-member names them). Tags are not in Describe: see request_set_tags.
 */
bool request_from_describe(struct request *request, enum job_kind kind, const char *describe,
			   const char *new_name, struct err *err) MUST_CHECK;

/* Writes Tags anew: those of another job but for the service's own (`aws:`), which cannot be
 * written. None are left: no Tags. */
bool request_set_tags(struct request *request, const struct tag *tags, size_t count,
		      struct err *err) MUST_CHECK;
/* There is a member Tags, whatever it holds. */
bool request_has_tags(const struct request *request);
/* Whether a copy carries a tag of that key. */
bool request_tag_is_kept(const char *key);

/*
 * Replaces the list (and InstanceCount, InstanceType, plans beside it) by prefs. Entries that stay
 * keep their bytes, also when moved; one type without a list stays without one. Nothing changes
 * where the document says the same. ERR_USAGE: prefs made of instance groups, or empty.
 */
bool request_set_preferences(struct request *request, const struct preferences *prefs,
			     struct err *err) MUST_CHECK;

bool request_set_name(struct request *request, const char *name, struct err *err) MUST_CHECK;
/* MaxPendingTimeInSeconds; ERR_USAGE for a processing job, which has none. */
bool request_set_max_pending(struct request *request, int64_t seconds, struct err *err) MUST_CHECK;
/* Takes MaxPendingTimeInSeconds out, where it is. */
bool request_drop_max_pending(struct request *request, struct err *err) MUST_CHECK;

/* What the document says, for checking and for showing. name is cut to JOB_NAME_SIZE. */
struct request_facts {
	char name[JOB_NAME_SIZE * 2];
	struct preferences prefs;
	bool has_list;
	bool has_instance_type, has_instance_groups, has_placement, has_spot;
	bool has_selected_members;
	size_t list_length; /* of the document; prefs holds PREFS_KEEP_MAX at most */
	bool has_plan_on_entry_twice;
	size_t plan_twice_entry;
	bool processing_has_plan;
	struct opt_ms max_runtime, max_pending; /* durations */
};
bool request_facts(const struct request *request, struct request_facts *facts,
		   struct err *err) MUST_CHECK;

/* What the rules need of it: the name, the list and what stands beside. Both stay borrowed. */
void request_check_input(const struct request *request, const struct request_facts *facts,
			 struct check_input *input);

/* All rules, with line and column; known: what AWS and the config say, NULL = nothing. */
bool request_check(const struct request *request, const struct check_known *known,
		   struct findings *findings, struct err *err) MUST_CHECK;

/*
 * Makes the fix of a finding of this request, in its list or elsewhere; every other byte stays.
 * False, and nothing changed: ERR_USAGE where the finding has no fix or no longer fits.
 */
bool request_apply_fix(struct request *request, const struct finding *finding,
		       struct err *err) MUST_CHECK;

/* Appends the document with two-space indents for showing; secrets (Environment and
 * HyperParameters values that look like secrets) are masked unless reveal. */
void request_show(const struct request *request, bool reveal, struct buf *out);
/* The same on one line, without blanks between its parts and no line break behind. */
void request_show_line(const struct request *request, bool reveal, struct buf *out);

void request_release(struct request *request);

#endif

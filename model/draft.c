#include "model/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/request_tags.h"

void draft_make_id(int64_t wall_ms, unsigned number, char out[DRAFT_ID_SIZE])
{
	char stamp[TIME_TEXT_SIZE];
	int ms = (int)(((wall_ms % 1000) + 1000) % 1000);
	time_format_stamp(wall_ms, stamp);
	(void)snprintf(out, DRAFT_ID_SIZE, "%.13s-%03d-%u", stamp, ms, number);
}

bool draft_id_is_valid(const char *id)
{
	static const char allowed[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-";
	size_t len = strlen(id);
	return len > 0 && len < DRAFT_ID_SIZE && id[0] != '-' && strspn(id, allowed) == len;
}

struct prefs_state draft_state(const struct draft *draft)
{
	return (struct prefs_state){ draft->prefs, draft->max_pending };
}

struct prefs_state draft_state_of_job(const struct job *job)
{
	return (struct prefs_state){ *job_prefs(job), job->max_pending };
}

/* --- undo --- */

static const char *text_of(const struct draft *draft, size_t text)
{
	return text < draft->text_count ? draft->texts[text].text : NULL;
}

static size_t state_bytes(const struct draft_state *state)
{
	return sizeof(*state) + (state->note ? strlen(state->note) + 1 : 0);
}

/* A job's own row is named after the job, the others by what they will be called. */
static void name_row(struct draft *draft)
{
	if (draft->origin != DRAFT_OF_JOB && draft->name[0])
		memcpy(draft->job.name, draft->name, sizeof(draft->job.name));
}

/* What the document says beside the list, for those who look at a job. */
static void read_document(struct draft *draft, size_t text)
{
	const struct request request = { .kind = draft->kind, .text = draft->texts[text].text };
	struct request_facts *facts;
	struct err err = { 0 };
	if (!request.text)
		return;
	facts = mem_new(1, sizeof(*facts));
	if (request_facts(&request, facts, &err)) {
		draft->job.max_runtime = facts->max_runtime;
		draft->job.spot = facts->has_spot;
		draft->job.has_groups = facts->has_instance_groups;
	}
	*job_edit_prefs(&draft->job) = draft->texts[text].list.prefs;
	draft->job.max_pending = draft->texts[text].list.max_pending;
	err_clear(&err);
	free(facts);
}

static void show_state(struct draft *draft)
{
	const struct draft_state *state = &draft->states[draft->at - 1];
	draft->prefs = state->list.prefs;
	draft->max_pending = state->list.max_pending;
	memcpy(draft->name, state->name, sizeof(draft->name));
	draft->note = state->note ? state->note : "";
	draft->edition++;
	read_document(draft, state->text);
	name_row(draft);
}

static void free_states(struct draft *draft, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++) {
		draft->bytes -= state_bytes(&draft->states[i]);
		free(draft->states[i].note);
	}
}

static bool text_is_used(const struct draft *draft, size_t text)
{
	for (size_t i = 0; i < draft->state_count; i++)
		if (draft->states[i].text == text)
			return true;
	return false;
}

/* Documents hold secrets: what no state needs any more does not linger. */
static void drop_text(struct draft *draft, size_t at)
{
	struct draft_text *text = &draft->texts[at];
	size_t len = text->text ? strlen(text->text) : 0;
	struct buf gone = { .data = text->text, .len = len, .capacity = len + 1, .max = len };
	if (!text->text)
		return;
	draft->bytes -= len;
	buf_wipe(&gone);
	buf_release(&gone);
	text->text = NULL;
}

/* [0] stays: what the draft began as. */
static void drop_unused_texts(struct draft *draft)
{
	for (size_t i = 1; i < draft->text_count; i++)
		if (draft->texts[i].text && !text_is_used(draft, i))
			drop_text(draft, i);
}

/* The current state always stays, however large its document. */
static void keep_within_memory(struct draft *draft)
{
	size_t drop = 0, bytes = draft->bytes;
	while (bytes > DRAFT_MEMORY_MAX && drop + 1 < draft->at)
		bytes -= state_bytes(&draft->states[drop++]);
	if (drop == 0)
		return;
	drop += (draft->at - 1 - drop) / 8; /* not at each edit from now on */
	free_states(draft, 0, drop);
	draft->state_count -= drop;
	draft->at -= drop;
	memmove(draft->states, draft->states + drop, draft->state_count * sizeof(*draft->states));
	drop_unused_texts(draft);
}

/* Takes the note. */
static void push_state(struct draft *draft, const struct draft_state *state)
{
	bool cut = draft->at < draft->state_count;
	free_states(draft, draft->at, draft->state_count - draft->at);
	draft->state_count = draft->at;
	draft->states = mem_grow(draft->states, &draft->state_capacity, draft->at + 1,
				 sizeof(*draft->states));
	draft->states[draft->at++] = *state;
	draft->state_count = draft->at;
	draft->bytes += state_bytes(state);
	if (cut)
		drop_unused_texts(draft);
	keep_within_memory(draft);
	show_state(draft);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_state(const struct draft_state *a, const struct draft_state *b)
{
	return a->text == b->text && strcmp(a->name, b->name) == 0 && same_text(a->note, b->note) &&
	       prefs_state_equal(&a->list, &b->list);
}

/* A copy of the current state to change; its note is the caller's. */
static struct draft_state copy_state(const struct draft *draft)
{
	struct draft_state state = draft->states[draft->at - 1];
	state.note = mem_copy_text(state.note);
	return state;
}

/* Makes it the current one, where it differs. Takes the note. */
static void edit(struct draft *draft, struct draft_state *state)
{
	if (same_state(&draft->states[draft->at - 1], state))
		free(state->note);
	else
		push_state(draft, state);
}

void draft_set(struct draft *draft, const struct prefs_state *list)
{
	struct draft_state state = copy_state(draft);
	state.list = *list;
	edit(draft, &state);
}

void draft_set_note(struct draft *draft, const char *note)
{
	struct draft_state state = copy_state(draft);
	mem_set_text(&state.note, note && note[0] ? note : NULL);
	edit(draft, &state);
}

bool draft_undo(struct draft *draft)
{
	if (draft->at < 2)
		return false;
	draft->at--;
	show_state(draft);
	return true;
}

bool draft_redo(struct draft *draft)
{
	if (draft->at >= draft->state_count)
		return false;
	draft->at++;
	show_state(draft);
	return true;
}

/* --- documents --- */

/* Each text is kept once. */
static size_t add_text(struct draft *draft, const char *text, const struct prefs_state *list)
{
	size_t at = 0;
	while (at < draft->text_count &&
	       !(draft->texts[at].text && text && strcmp(draft->texts[at].text, text) == 0))
		at++;
	if (at < draft->text_count)
		return at;
	draft->texts = mem_grow(draft->texts, &draft->text_capacity, at + 1, sizeof(*draft->texts));
	draft->texts[at] = (struct draft_text){ mem_copy_text(text), *list };
	draft->text_count++;
	draft->bytes += text ? strlen(text) : 0;
	return at;
}

/* The list as a job has it: one type without a list has its count itself. */
static struct prefs_state list_of_facts(const struct request_facts *facts)
{
	struct prefs_state list = { facts->prefs, facts->max_pending };
	struct preferences *prefs = &list.prefs;
	if (!prefs->is_list && prefs->length == 1 && !prefs->entries[0].has_count &&
	    prefs->has_shared_count) {
		prefs->entries[0].has_count = true;
		prefs->entries[0].count = prefs->shared_count;
		prefs->has_shared_count = false;
		prefs->shared_count = 0;
	}
	return list;
}

static void take_name(char name[JOB_NAME_SIZE], const char *from)
{
	name[0] = '\0';
	if (strlen(from) < JOB_NAME_SIZE) /* a longer one is refused by the rules, not cut by us */
		(void)snprintf(name, JOB_NAME_SIZE, "%s", from);
}

bool draft_has_text(const struct draft *draft)
{
	return text_of(draft, draft->states[draft->at - 1].text) != NULL;
}

/* Its index; its list is what it says. */
static size_t add_edited(struct draft *draft, const struct request *request)
{
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	struct err err = { 0 };
	size_t at = 0;
	if (request_facts(request, facts, &err)) {
		const struct prefs_state list = list_of_facts(facts);
		at = add_text(draft, request->text, &list);
	}
	err_clear(&err);
	free(facts);
	return at;
}

bool draft_set_text(struct draft *draft, const struct request *request, const char *written_name,
		    struct err *err)
{
	struct request_facts *facts;
	if (request->kind != draft->kind)
		return err_set(err, ERR_RULE, "this is a %s job's request; the draft is a %s job's",
			       job_kind_word(request->kind), job_kind_word(draft->kind));
	facts = mem_new(1, sizeof(*facts));
	bool ok = request_facts(request, facts, err);
	if (ok) {
		struct draft_state state = copy_state(draft);
		state.list = list_of_facts(facts);
		state.text = add_edited(draft, request);
		if (!written_name || strcmp(written_name, facts->name) != 0)
			take_name(state.name, facts->name);
		edit(draft, &state);
	}
	free(facts);
	return ok;
}

/* --- beginning and end --- */

void draft_set_id(struct draft *draft, const char *id)
{
	struct buf key;
	buf_init(&key, sizeof(DRAFT_KEY) + DRAFT_ID_SIZE);
	(void)snprintf(draft->id, sizeof(draft->id), "%s", id);
	buf_addf(&key, "%s%s", DRAFT_KEY, draft->id);
	mem_set_text(&draft->job.arn, buf_text(&key));
	buf_release(&key);
}

static struct draft *new_draft(const char *id, enum job_kind kind, enum draft_origin origin)
{
	struct draft *draft = mem_new(1, sizeof(*draft));
	draft->origin = origin;
	draft->kind = kind;
	draft->note = "";
	draft->job = (struct job){ .kind = kind, .described = true };
	draft_set_id(draft, id);
	return draft;
}

/* The first state: the document as it is. */
static void begin(struct draft *draft, const char *text, const struct prefs_state *list,
		  const char *name)
{
	struct draft_state state = { .list = *list };
	draft->original = *list;
	*job_edit_prefs(&draft->job) = list->prefs;
	draft->job.max_pending = list->max_pending;
	state.text = add_text(draft, text, list);
	take_name(state.name, name);
	push_state(draft, &state);
	draft->edition = 0;
}

struct draft *draft_of_job(const char *id, const struct job *job)
{
	struct draft *draft = new_draft(id, job->kind, DRAFT_OF_JOB);
	const struct prefs_state list = draft_state_of_job(job);
	draft->arn = mem_copy_text(job->arn);
	draft->source = mem_copy_text(job->arn);
	take_name(draft->job.name, job->name);
	take_name(draft->source_name, job->name);
	begin(draft, NULL, &list, "");
	(void)draft_take_text(draft, job);
	draft->job.spot = job->spot;
	draft->job.has_groups = job->has_groups;
	draft->job.max_runtime = job->max_runtime;
	*job_edit_prefs(&draft->job) = *job_prefs(job);
	draft->job.max_pending = job->max_pending;
	return draft;
}

bool draft_take_text(struct draft *draft, const struct job *job)
{
	struct draft_text *base = &draft->texts[0];
	struct request request = { 0 };
	struct err err = { 0 };
	if (!base->text && job->request_json && draft->origin == DRAFT_OF_JOB &&
	    request_from_describe(&request, job->kind, job->request_json, job->name, &err)) {
		base->text = mem_copy_text(request.text);
		draft->bytes += strlen(request.text);
		draft->edition++;
	}
	request_release(&request);
	err_clear(&err);
	return base->text != NULL;
}

static struct draft *begin_request(struct draft *draft, const struct request *request,
				   const char *source, struct err *err)
{
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	bool ok = request_facts(request, facts, err);
	if (ok) {
		const struct prefs_state list = list_of_facts(facts);
		draft->source = mem_copy_text(source);
		begin(draft, request->text, &list, facts->name);
		draft->edition = 1; /* to be kept as it is */
	}
	free(facts);
	if (ok)
		return draft;
	draft_free(draft);
	return NULL;
}

struct draft *draft_clone(const char *id, const struct job *job, const char *name, struct err *err)
{
	struct draft *draft = NULL;
	struct request request = { 0 };
	if (!job->request_json)
		err_set(err, ERR_NOT_FOUND, "%s is not described yet: try again in a moment",
			job->name);
	else if (request_from_describe(&request, job->kind, job->request_json, name, err))
		draft = begin_request(new_draft(id, job->kind, DRAFT_CLONE), &request, job->arn,
				      err);
	if (draft)
		take_name(draft->source_name, job->name);
	request_release(&request);
	return draft;
}

struct draft *draft_of_request(const char *id, const struct request *request, const char *path,
			       struct err *err)
{
	return begin_request(new_draft(id, request->kind, DRAFT_FILE), request, path, err);
}

static void note_content(struct draft *draft, const struct prefs_state *list)
{
	draft->sent = *list;
	draft->sent_text = draft->states[draft->at - 1].text;
	mem_set_text(&draft->sent_note, draft->note);
}

/* What it began as, or NULL. */
static struct draft *restore_base(const struct draft_parts *parts, struct err *err)
{
	struct draft *draft = new_draft(parts->id, parts->kind, parts->origin);
	const struct request request = { parts->kind, parts->document };
	if (parts->origin != DRAFT_OF_JOB)
		return begin_request(draft, &request, parts->source, err);
	draft->arn = mem_copy_text(parts->arn);
	draft->source = mem_copy_text(parts->source);
	take_name(draft->job.name, parts->source_name);
	begin(draft, parts->document, &parts->original, "");
	return draft;
}

/* A document of its kind that can be read. */
static bool is_document(const struct draft_parts *parts, const char *text, struct err *err)
{
	const struct request request = { parts->kind, (char *)text };
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	bool ok = !text || request_facts(&request, facts, err);
	free(facts);
	return ok;
}

struct draft *draft_restore(const struct draft_parts *parts, struct err *err)
{
	struct draft *draft;
	if (!is_document(parts, parts->document, err) || !is_document(parts, parts->edited, err))
		return NULL;
	draft = restore_base(parts, err);
	if (!draft)
		return NULL;
	struct draft_state state = { .list = parts->list, .note = mem_copy_text(parts->note) };
	memcpy(state.name, parts->name, sizeof(state.name));
	if (parts->edited) {
		const struct request request = { parts->kind, parts->edited };
		state.text = add_edited(draft, &request);
	}
	edit(draft, &state);
	memcpy(draft->source_name, parts->source_name, sizeof(draft->source_name));
	memcpy(draft->resumed_as, parts->sent_as, sizeof(draft->resumed_as));
	memcpy(draft->refused_as, parts->refused_as, sizeof(draft->refused_as));
	note_content(draft, parts->sent_as[0] ? &parts->sent : &parts->list);
	err_copy(&draft->refusal, &parts->refusal);
	draft->edition = 0;
	return draft;
}

void draft_free(struct draft *draft)
{
	if (!draft)
		return;
	for (size_t i = 0; i < draft->text_count; i++)
		drop_text(draft, i);
	free_states(draft, 0, draft->state_count);
	free(draft->texts);
	free(draft->states);
	err_clear(&draft->refusal);
	job_release(&draft->job);
	free(draft->arn);
	free(draft->source);
	free(draft->sent_note);
	free(draft);
}

/* --- what would be sent --- */

static bool write_name(struct request *request, const char *name, struct err *err)
{
	struct request_facts *facts = mem_new(1, sizeof(*facts));
	bool ok = request_facts(request, facts, err) &&
		  (strcmp(facts->name, name) == 0 || request_set_name(request, name, err));
	free(facts);
	return ok;
}

static bool same_limit(const struct opt_ms *a, const struct opt_ms *b)
{
	return a->set == b->set && (!a->set || a->ms == b->ms);
}

static bool write_list(struct request *request, const struct draft *draft,
		       const struct prefs_state *standing, struct err *err)
{
	if (!prefs_equal(&draft->prefs, &standing->prefs) &&
	    !request_set_preferences(request, &draft->prefs, err))
		return false;
	if (same_limit(&draft->max_pending, &standing->max_pending))
		return true;
	if (!draft->max_pending.set)
		return request_drop_max_pending(request, err);
	return request_set_max_pending(request, draft->max_pending.ms / 1000, err);
}

bool draft_tag_note(const struct draft *draft, struct request *request, struct err *err)
{
	char value[REQUEST_TAG_SIZE];
	request_tag_value(draft->note, value);
	return !value[0] || request_set_tag(request, DRAFT_NOTE_TAG, value, err);
}

bool draft_request(const struct draft *draft, const char *name, bool tag_note,
		   struct request *request, struct err *err)
{
	const struct draft_text *base = &draft->texts[draft->states[draft->at - 1].text];
	const char *wanted = name && name[0] ? name : draft->name;
	if (!base->text)
		return err_set(err, ERR_NOT_FOUND, "%s is not described yet", draft->job.name);
	struct request made = { .kind = draft->kind, .text = mem_copy_text(base->text) };
	if (!write_list(&made, draft, &base->list, err) ||
	    (wanted[0] && !write_name(&made, wanted, err)) ||
	    (tag_note && !draft_tag_note(draft, &made, err))) {
		request_release(&made);
		return false;
	}
	request_release(request);
	*request = made;
	return true;
}

/* --- on its way --- */

void draft_note_sent(struct draft *draft, const char *name, const struct prefs_state *list)
{
	take_name(draft->sent_as, name);
	draft->resumed_as[0] = draft->refused_as[0] = '\0';
	err_clear(&draft->refusal);
	note_content(draft, list);
	draft->edition++;
}

bool draft_is_as_sent(const struct draft *draft)
{
	const struct prefs_state state = draft_state(draft);
	return prefs_state_equal(&state, &draft->sent) &&
	       draft->states[draft->at - 1].text == draft->sent_text &&
	       same_text(draft->note, draft->sent_note);
}

void draft_note_answer(struct draft *draft, const char *name, const struct err *refusal)
{
	draft->sent_as[0] = draft->resumed_as[0] = draft->refused_as[0] = '\0';
	err_clear(&draft->refusal);
	if (refusal) {
		take_name(draft->refused_as, name);
		err_copy(&draft->refusal, refusal);
	}
	draft->edition++;
}

bool draft_changed(const struct draft *draft)
{
	struct prefs_state state;
	if (!draft)
		return false;
	state = draft_state(draft);
	return !prefs_state_equal(&state, &draft->original) || draft->note[0] ||
	       draft->states[draft->at - 1].text != 0 ||
	       (draft->origin == DRAFT_OF_JOB && draft->name[0]);
}

bool draft_is_kept(const struct draft *draft)
{
	return draft->origin != DRAFT_OF_JOB || draft_changed(draft) || draft->sent_as[0] ||
	       draft->resumed_as[0] || draft->refused_as[0];
}

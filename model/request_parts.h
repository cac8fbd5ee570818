/* Shared by the files of model/request only. */
#ifndef GPUQ_REQUEST_PARTS_H
#define GPUQ_REQUEST_PARTS_H

#include "model/jsonedit.h"
#include "model/request.h"

/* Parses the request's text; the root is an object. Release doc either way. */
bool request_parse(const struct request *request, struct json_doc *doc, struct err *err) MUST_CHECK;

/* Replaces the request's text by the edited one; doc stands over the old text, which is gone. */
bool request_apply(struct request *request, const struct json_doc *doc,
		   const struct json_edit *edit, struct err *err) MUST_CHECK;

/* Sets or removes (value NULL) one member of the object at path; "" = the root. */
bool request_change_member(struct request *request, const char *path,
			   const struct json_change *change, struct err *err) MUST_CHECK;

/* Makes sure of an object at a path of one or two members; ERR_RULE if something else is there. */
bool request_need_object(struct request *request, const char *path, struct err *err) MUST_CHECK;

/* One member of the object at path (of the root for ""), which is there. */
bool request_change_member(struct request *request, const char *path,
			   const struct json_change *change, struct err *err) MUST_CHECK;

/* request_facts over a document that is parsed already. */
void request_read_facts(const struct json_doc *doc, enum job_kind kind,
			struct request_facts *facts);

/* Whether only the reply of Describe has the member, or copies drop it for another reason. */
bool request_is_reply_member(enum job_kind kind, const char *name);

/* Appends a value on one line as it is shown: secrets masked. key is its name ("" = an item);
 * is_private: it stands among the user's own names and values (below request_holds_secrets). */
void request_show_value(const struct json_doc *doc, size_t node, const char *key, bool is_private,
			struct buf *out);
/* A member whose own members are a user's names and values: Environment, HyperParameters. */
bool request_holds_secrets(const char *key);

#endif

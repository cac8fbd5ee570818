/*
 * The profiles of the AWS config file and the AWS credentials file, as the AWS CLI reads them
 * (facts/aws.md section 5). Pure: texts in, a table out.
 *
 * In the config file [default], [profile NAME], [sso-session NAME] and [services NAME] have a
 * meaning; in the credentials file every header is a profile's bare name. A profile's keys are
 * those of both files; where both have one, the credentials file's holds.
 */
#ifndef GPUQ_PROFILES_H
#define GPUQ_PROFILES_H

#include "model/base/ini.h"

enum profiles_file { PROFILES_CONFIG, PROFILES_CREDENTIALS };
#define PROFILES_FILES 2

struct profile {
	char *name; /* owned */
	/* Its section of each file; NULL = it has none there. */
	const struct ini_section *parts[PROFILES_FILES];
};

struct profile_list {
	struct profile *items; /* in the order of the files, the config file first */
	size_t count, capacity;
};

struct profiles {
	struct ini files[PROFILES_FILES]; /* with the problems found; their names are the paths */
	/*
	 * Why there is nothing of a file. ERR_NONE: it was read. ERR_NOT_FOUND: there is none.
	 * ERR_IO: it cannot be opened, which the AWS CLI takes for none. Else it was refused as a
	 * whole, and no profile can be chosen.
	 */
	struct err errors[PROFILES_FILES];
	struct profile_list profiles;
	struct profile_list sso_sessions, services; /* sections of the config file alone */
};

/* A file's bytes, or why there are none. */
struct profiles_text {
	const char *path; /* what messages call the file */
	const char *text; /* NULL: there is none, and err says why */
	size_t len;
	const struct err *err;
};

/* Copies what it needs. Never fails as a whole: see errors. {0} is valid and releasable. */
void profiles_read(struct profiles *profiles, const struct profiles_text texts[PROFILES_FILES]);
/* Wipes: the files hold secrets. NULL is accepted. */
void profiles_release(struct profiles *profiles);

/* The profile, sso-session or services section of that name (exact case), or NULL. */
const struct profile *profile_list_find(const struct profile_list *list, const char *name);

/* Where a value stands. */
struct profile_value {
	const char *text; /* borrowed; NULL = the key is not there */
	enum profiles_file file;
	size_t line;
};
/* A key's value (its name in lower case): of both files, or of one of them alone. A NULL profile
 * has none. */
struct profile_value profile_value(const struct profile *profile, const char *key);
struct profile_value profile_value_in(const struct profile *profile, enum profiles_file file,
				      const char *key);

/* Which profile is in use, and who said so: "--profile", "AWS_PROFILE", ...; "" = nobody. */
struct profile_choice {
	const char *name, *source; /* borrowed */
};

/*
 * The chosen profile; *profile is NULL where nobody named one and there is no default. False with
 * err (ERR_AUTH) where a file was refused, the profile is not there (those that are get listed), or
 * a line of it could not be read.
 */
bool profiles_choose(const struct profiles *profiles, const struct profile_choice *choice,
		     const struct profile **profile, struct err *err) MUST_CHECK;

/* The profile that another one's source_profile names; as above. It must have that key. */
bool profiles_source(const struct profiles *profiles, const struct profile *from,
		     const struct profile **profile, struct err *err) MUST_CHECK;

/*
 * The [sso-session] that the profile's sso_session names; *session is NULL where it names none.
 * False with err (ERR_AUTH): no such section, a damaged one, or a key that both have with different
 * values (facts/aws.md 4.4).
 */
bool profiles_sso_session(const struct profiles *profiles, const struct profile *profile,
			  const struct profile **session, struct err *err) MUST_CHECK;

/*
 * A nested value of the [services] section that the profile's `services` names, such as
 * ("sagemaker", "endpoint_url"); its text is NULL where there is none. False with err (ERR_CONFIG)
 * where the section is missing or damaged: the request would go to the real endpoint.
 */
bool profiles_service_value(const struct profiles *profiles, const struct profile *profile,
			    const char *service, const char *key, struct profile_value *value,
			    struct err *err) MUST_CHECK;

/* Appends "PATH (read) and PATH (there is none)": for messages about what is in neither. */
void profiles_add_tried(const struct profiles *profiles, struct buf *out);

#endif

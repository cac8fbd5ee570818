#include "model/state_folder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "model/base/hash.h"

#define HASH_DIGITS 12 /* of sixteen: enough for the few endpoints of one user */

static const char *absolute(const char *path)
{
	return path && path[0] == '/' ? path : NULL;
}

bool state_root(const char *xdg_state_home, const char *home, struct buf *out, struct err *err)
{
	const char *state = absolute(xdg_state_home);

	if (!state && !absolute(home)) {
		err_set(err, ERR_CONFIG,
			"there is no place for state: neither XDG_STATE_HOME nor HOME is an "
			"absolute path");
		return err_subject(err, "XDG_STATE_HOME");
	}
	buf_addf(out, "%s%s/gpuq", state ? state : home, state ? "" : "/.local/state");
	if (!out->failed && out->len <= STATE_PATH_MAX - STATE_FOLDER_NAME_MAX)
		return true;
	err_set(err, ERR_CONFIG, "is too long a path for state");
	return err_subject(err, "%s", state ? "XDG_STATE_HOME" : "HOME");
}

static void add_safe(struct buf *out, const char *text, size_t most)
{
	size_t start = out->len;

	for (; *text && out->len - start < most; text++) {
		bool is_safe = isalnum((unsigned char)*text) && (unsigned char)*text < 0x80;

		buf_add_char(out, is_safe ? *text : '-');
	}
	if (out->len == start)
		buf_add_text(out, STATE_FOLDER_UNKNOWN);
}

/* Scheme and host in lower case; a path behind them is no other place. */
static void add_endpoint(struct buf *out, const char *url)
{
	const char *host = strstr(url, "://");
	size_t len = host ? (size_t)(host - url) + 3 : 0;
	struct buf whole;

	len += strcspn(url + len, "/?#");
	buf_init(&whole, STATE_PATH_MAX);
	for (size_t i = 0; i < len; i++)
		buf_add_char(&whole, (char)tolower((unsigned char)url[i]));
	buf_addf(out, "%0*" PRIx64, HASH_DIGITS,
		 hash_text(buf_text(&whole)) >> (64 - 4 * HASH_DIGITS));
	buf_release(&whole);
}

void state_folder_add_name(struct buf *out, const struct state_place *place)
{
	add_safe(out, place->account, 12);
	buf_add_char(out, '-');
	add_safe(out, place->region, 64);
	buf_add_char(out, '-');
	if (place->endpoint[0])
		add_endpoint(out, place->endpoint);
	else
		buf_add_text(out, "aws");
}

/* What the screen is told about drafts and files by whoever has a disk and a terminal. */
#include <stdio.h>

#include "model/base/mem.h"
#include "views/drafting.h"
#include "views/screen_state.h"
#include "views/writing.h"

bool screen_has_draft(const struct screen *screen)
{
	for (const struct draft *draft = screen->ui.drafts; draft; draft = draft->next)
		if (draft_changed(draft))
			return true;
	return false;
}

void screen_take_draft(struct screen *screen, struct draft *draft)
{
	char key[DRAFT_ID_SIZE + sizeof(DRAFT_KEY)];
	(void)snprintf(key, sizeof(key), "%s", draft->job.arn);
	draft_add(&screen->ui, draft);
	drafts_settle_found(&screen->ui, draft);
	draft = draft_find(&screen->ui, key);
	/* Undone to what it was: there is nothing to offer. */
	if (draft && !draft_is_kept(draft))
		draft_drop(&screen->ui, key);
	screen_refresh(screen);
}

void screen_draft_settled(struct screen *screen, const char *id, const char *name,
			  const struct err *err)
{
	drafts_settle_one(&screen->ui, id, name, err);
	screen_refresh(screen);
}

void screen_drafts_settled(struct screen *screen)
{
	drafts_settle_rest(&screen->ui);
	screen_refresh(screen);
}

void screen_rename_draft(struct screen *screen, struct draft *draft, const char *id)
{
	draft_rename(&screen->ui, draft, id);
	screen_refresh(screen);
}

void screen_drafts_trouble(struct screen *screen, const char *why)
{
	mem_set_text(&screen->ui.drafts_trouble, why);
	screen_say(screen, why ? STYLE_ERROR : STYLE_GOOD,
		   why ? why : "drafts are kept on disk again");
}

/* As after a key: what has been opened has them from now on. */
static void end_answer(struct screen *screen)
{
	drafts_tell(&screen->ui);
	screen_refresh(screen);
}

void screen_file_read(struct screen *screen, const char *path, const char *text, size_t len,
		      const struct err *err)
{
	drafting_file_read(&screen->ui, path, text, len, err);
	end_answer(screen);
}

void screen_file_written(struct screen *screen, const char *path, const struct err *err)
{
	writing_told(&screen->ui, path, err);
	end_answer(screen);
}

void screen_edited(struct screen *screen, const char *text, size_t len, const struct err *err)
{
	drafting_edited(&screen->ui, text, len, err);
	end_answer(screen);
}

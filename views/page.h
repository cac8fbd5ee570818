/*
 * A modal of long text: help, the description, raw JSON, what AWS answered. They have one state
 * and one key table; each only says what its text is.
 */
#ifndef GPUQ_PAGE_H
#define GPUQ_PAGE_H

#include "model/base/buf.h"
#include "tui/pager.h"
#include "views/pane.h"

#define PAGE_TEXT_MAX (4u << 20) /* a request is under 1 MiB */

/* What a page tells of: its job stays when the selection moves. */
enum page_about { PAGE_ABOUT_NOTHING, PAGE_ABOUT_JOB, PAGE_ABOUT_PLANS };

struct page {
	struct ui *ui;
	enum page_about about;
	struct pager *pager; /* owned; drawing may write it through a const state */
	char *title;         /* owned */
	char *arn;           /* owned; the job it is about, or NULL */
	bool whole;          /* it shows the reply itself: what a list or Search tells is not it */
	struct buf text;
};

/* Readies a page; one about a job is about the selected one. */
void page_start(struct page *page, struct ui *ui, const char *title, enum page_about about);
/* Of a page about a job: about that one, whichever is selected. */
void page_set_job(struct page *page, const char *arn);

/* Of search_pane, the line in which one types what to search for. */
struct search_argument {
	struct page *page; /* the modal below the line */
};

/* The close of every page. */
void page_close(void *state);
/* The job of the page, or NULL if it is not listed any more. Borrowed. */
const struct job *page_job(const struct page *page);
/* Frame and text, and in the last lines how fresh it is; text is borrowed during the call. */
void page_paint(const struct page *page, struct surface *out, struct rect at, const char *text);
/* The draw of a page whose text is kept. */
void page_draw(const void *state, struct surface *out, struct rect at, bool focused);

#endif

/*
 * The page of one job, section by section: lines of "  label   text" under a title. The page is
 * made anew for each frame, since its waits tick.
 */
#ifndef GPUQ_SECTIONS_H
#define GPUQ_SECTIONS_H

#include "views/page.h"

struct writer {
	const struct ui *ui;
	const struct job *job;
	struct buf *out;
	int64_t now_ms;
	int columns;                   /* of the page */
	const struct surface *surface; /* that it is drawn on; NULL: not known yet */
};

/* An empty line before it, where it is not the first. */
void section_begin(const struct writer *writer, const char *title);
void section_label(const struct writer *writer, const char *label);
/* The first line of text from outside; "–" for none. What is too long to stand behind its label
 * goes below it. */
void section_pair(const struct writer *writer, const char *label, const char *text);

/* timeline.c: the transitions with their durations, those that wait marked; and how long it waited
 * in all, stretch by stretch. */
void section_timeline(const struct writer *writer);
void section_wait(const struct writer *writer);
/* job_tags.c: what ListTags told, or why it did not. */
void section_tags(const struct writer *writer);

/* The text of such a page alone, under the job's name; nothing once it is not listed any more. */
#define SECTIONS_COLUMNS 100 /* of a page that is not on a screen */
void sections_add(const struct page *page, struct buf *out,
		  void (*write)(const struct writer *writer));

/* A page of a job (PAGE_ABOUT_JOB) whose text is written for each frame. */
void sections_draw(const struct page *page, struct surface *out, struct rect at,
		   void (*write)(const struct writer *writer));

#endif

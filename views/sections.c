#include "views/sections.h"

#include "model/base/text.h"
#include "views/words.h"

#define LABEL_COLUMNS 18

void section_begin(const struct writer *writer, const char *title)
{
	buf_addf(writer->out, "%s%s\n", writer->out->len > 0 ? "\n" : "", title);
}

void section_label(const struct writer *writer, const char *label)
{
	buf_addf(writer->out, "  %-*s", LABEL_COLUMNS, label);
}

void section_pair(const struct writer *writer, const char *label, const char *text)
{
	struct buf line;
	buf_init(&line, WORDS_MAX);
	words_first_line(&line, text && text[0] ? text : "–");
	section_label(writer, label);
	if (2 + LABEL_COLUMNS + text_width(buf_text(&line)) > writer->columns)
		buf_add_text(writer->out, "\n    ");
	buf_addf(writer->out, "%s\n", buf_text(&line));
	buf_release(&line);
}

void sections_add(const struct page *page, struct buf *out,
		  void (*write)(const struct writer *writer))
{
	const struct job *job = page_job(page);
	const struct writer writer = { page->ui,         job, out, ui_now_ms(page->ui),
				       SECTIONS_COLUMNS, NULL };
	if (!job)
		return;
	buf_addf(out, "%s\n", job->name);
	write(&writer);
}

void sections_draw(const struct page *page, struct surface *out, struct rect at,
		   void (*write)(const struct writer *writer))
{
	const struct job *job = page_job(page);
	struct buf text;
	buf_init(&text, PAGE_TEXT_MAX);
	const struct writer writer = { page->ui, job, &text, ui_now_ms(page->ui), at.w - 2, out };
	if (job)
		write(&writer);
	else
		buf_add_text(&text, "This job is not listed any more.");
	page_paint(page, out, at, buf_text(&text));
	buf_release(&text);
}

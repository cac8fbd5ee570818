#include "tests/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/attr.h"
#include "model/base/mem.h"

#define CELLS_MAX 8   /* words of a row */
#define CELL_SIZE 128 /* bytes of one */
#define PANE_RULE "\u2502"
#define MARK      "\u25b8"
#define CUT       "\u2026"
#define NONE      "\u2013"

/* A row of the list, by its blank-separated words. Wait and limit have none to compare with. */
enum cell { CELL_NAME, CELL_KIND, CELL_PHASE, CELL_WAIT, CELL_LIMIT, CELL_SELECTED, CELL_TYPE };

struct row {
	char cells[CELLS_MAX][CELL_SIZE];
	size_t count;
};

/* interface.md, "phase" */
static const struct {
	const char *words, *phase;
} training_phases[] = {
	{ " Pending Starting LaunchingMLInstances Interrupted Restarting ", "Pending" },
	{ " PreparingTrainingStack Downloading DownloadingTrainingImage ", "Starting" },
	{ " Training Updating Uploading ", "Running" },
};

static const char *phase_of(const struct region_state *state, size_t job)
{
	char status[32], secondary[64];
	size_t selected = json_doc_member(&state->doc, job, "selected");

	snprintf(status, sizeof(status), "%s", region_text(state, job, "status"));
	snprintf(secondary, sizeof(secondary), " %s ", region_text(state, job, "secondary_status"));
	if (strcmp(status, "InProgress") != 0)
		return strcmp(status, "Stopping") == 0    ? "Stopping"
		       : strcmp(status, "Completed") == 0 ? "Completed"
		       : strcmp(status, "Failed") == 0    ? "Failed"
							  : "Stopped";
	if (strcmp(region_text(state, job, "kind"), "processing") == 0)
		return state->doc.nodes[selected].kind == JSON_NULL ? "Pending" : "Running";
	for (size_t i = 0; i < ARRAY_LEN(training_phases); i++)
		if (strstr(training_phases[i].words, secondary))
			return training_phases[i].phase;
	return "Unknown";
}

/* The words of a line of the pane at the left edge. */
/* "Idle GPUs" is gpuq's word for a phase of the region's: Running. */
static void join_idle(struct row *row)
{
	if (row->count == CELL_PHASE + 2 && strcmp(row->cells[CELL_PHASE], "Idle") == 0 &&
	    strcmp(row->cells[CELL_PHASE + 1], "GPUs") == 0)
		snprintf(row->cells[--row->count - 1], CELL_SIZE, "Running");
}

static struct row read_row(const char *line)
{
	struct row row = { .count = 0 };
	const char *at = line + strlen(PANE_RULE);
	size_t left = strcspn(at, "\n"), len;
	const char *rule = strstr(at, PANE_RULE);

	if (rule)
		left = (size_t)(rule - at);
	if (strncmp(at, MARK, strlen(MARK)) == 0) {
		at += strlen(MARK);
		left -= strlen(MARK);
	}
	for (const char *end = at + left; row.count < CELLS_MAX; at += len) {
		at += strspn(at, " ");
		if (at >= end)
			break;
		len = strcspn(at, " ");
		len = at + len < end ? len : (size_t)(end - at);
		snprintf(row.cells[row.count++], CELL_SIZE, "%.*s", (int)len, at);
		join_idle(&row);
	}
	return row;
}

/* A cell that may have been cut. */
static bool is_cell(const char *cell, const char *text)
{
	const char *cut = strstr(cell, CUT);

	return cut ? strncmp(cell, text, (size_t)(cut - cell)) == 0 : strcmp(cell, text) == 0;
}

static bool differs(struct buf *difference, const struct row *row, const char *what,
		    const char *wanted)
{
	buf_clear(difference);
	buf_addf(difference, "row of %s: %s is not %s", row->cells[CELL_NAME], what, wanted);
	return false;
}

/* What it waits for or got. A heterogeneous cluster has no one type. */
static bool same_instances(const struct region_state *state, size_t job, const struct row *row,
			   struct buf *difference)
{
	size_t request = json_doc_member(&state->doc, job, "request");
	size_t config = json_doc_member(&state->doc, request, "ResourceConfig");
	size_t selected = json_doc_member(&state->doc, job, "selected");
	char rank[32] = NONE;
	int64_t number = 0;

	if (json_doc_member(&state->doc, config, "InstanceGroups") != JSON_NONE)
		return true;
	if (json_doc_integer(&state->doc, json_doc_member(&state->doc, selected, "rank"), &number))
		snprintf(rank, sizeof(rank), "#%d", (int)number);
	if (strcmp(row->cells[CELL_SELECTED], rank) != 0)
		return differs(difference, row, row->cells[CELL_SELECTED], rank);
	if (number == 0)
		return true;

	const char *type = region_text(state, selected, "instance_type");

	return is_cell(row->cells[CELL_TYPE], type) ||
	       differs(difference, row, row->cells[CELL_TYPE], type);
}

static bool same_job(const struct region_state *state, size_t job, const struct row *row,
		     struct buf *difference)
{
	const char *phase = phase_of(state, job);
	bool training = strcmp(region_text(state, job, "kind"), "training") == 0;

	if (strcmp(row->cells[CELL_PHASE], phase) != 0)
		return differs(difference, row, row->cells[CELL_PHASE], phase);
	if ((row->cells[CELL_KIND][0] == 'T') != training)
		return differs(difference, row, "its kind", training ? "T" : "P");
	return same_instances(state, job, row, difference);
}

/* A name that has been cut can be that of several: one of them must fit. */
static bool same_row(const struct region_state *state, const struct row *row,
		     struct buf *difference)
{
	size_t jobs = json_doc_member(&state->doc, 0, "jobs");

	differs(difference, row, "its name", "known to the region");
	for (size_t job = json_doc_child(&state->doc, jobs); job != JSON_NONE;
	     job = json_doc_next(&state->doc, job))
		if (is_cell(row->cells[CELL_NAME], region_text(state, job, "name")) &&
		    same_job(state, job, row, difference))
			return true;
	return false;
}

static bool same_counts(struct pty *pty, const struct region_state *state, struct buf *difference)
{
	size_t pending = 0, running = 0;
	size_t jobs = json_doc_member(&state->doc, 0, "jobs");
	char words[2][64];
	const char *header = pty_line(pty, 0);

	for (size_t job = json_doc_child(&state->doc, jobs); job != JSON_NONE;
	     job = json_doc_next(&state->doc, job)) {
		const char *phase = phase_of(state, job);

		pending += strcmp(phase, "Pending") == 0;
		running += strcmp(phase, "Running") == 0;
	}
	snprintf(words[0], sizeof(words[0]), "  pending %zu ", pending);
	snprintf(words[1], sizeof(words[1]), "  running %zu ", running);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strstr(header, words[i]))
			continue;
		buf_clear(difference);
		buf_addf(difference, "the header has no '%s'", words[i]);
		return false;
	}
	return true;
}

/* The rows between the list's titles and the lower rule of its pane. */
static bool same_rows(char *lines, const struct region_state *state, struct buf *difference)
{
	size_t rows = 0;
	char *line = strsep(&lines, "\n");

	while (line && !strstr(line, " NAME "))
		line = strsep(&lines, "\n");
	while ((line = strsep(&lines, "\n")) && strncmp(line, PANE_RULE, strlen(PANE_RULE)) == 0) {
		struct row row = read_row(line);

		if (row.count == 0)
			continue;
		if (row.count != CELL_TYPE + 1)
			return differs(difference, &row, "its words", "seven");
		if (!same_row(state, &row, difference))
			return false;
		rows++;
	}
	if (rows == 0)
		buf_addf(difference, "no job has a row");
	return rows > 0;
}

bool truth_is_shown(struct pty *pty, const struct region *region, struct buf *difference)
{
	struct region_state state;
	char *lines = mem_copy_text(pty_text(pty));

	region_state(region, &state);

	bool same = same_counts(pty, &state, difference) && same_rows(lines, &state, difference);

	region_state_release(&state);
	free(lines);
	return same;
}

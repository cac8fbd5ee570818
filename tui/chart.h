/*
 * Small pictures of numbers: bars, sparklines and line plots, each with an ASCII twin (draw.h). A
 * value is permille of the scale; CHART_HOLE is one that is not known, and stays blank.
 */
#ifndef GPUQ_CHART_H
#define GPUQ_CHART_H

#include <stdint.h>

#include "tui/draw.h"

#define CHART_HOLE (-1)

/* A bar of permille/1000 filled: ▓▓▓░░ or ###--. Rounded down: it is full only at its end. */
void chart_bar(struct surface *surface, struct rect at, int permille);

/*
 * One column a value, from the left: ▁▂▃▄▅▆▇█ or .:-=+*#@, the lowest of them for 0. More values
 * than columns are drawn as means over as many of them.
 */
void chart_sparkline(struct surface *surface, struct rect at, const int16_t *permille, int count);

/*
 * A line over all of the rectangle in dots of Braille, two by four in a cell; ASCII has one by two:
 * ' above, . below, : both. Where several values share a column of dots, it reaches from the least
 * to the most of them; known neighbours are joined, and a hole parts the line.
 */
void chart_plot(struct surface *surface, struct rect at, enum style style, const int16_t *permille,
		int count);

#endif

/*
 * A regular expression that can be typed at any time over any text: matching takes at most the
 * pattern's length times the text's, and no memory. (The C library's own takes minutes for a few
 * dozen bytes such as (a|||||||)+++.)
 *
 * Characters, . [set] [^set] ( ) | * + ? ^ $ and \d \w \s \D \W \S; \ before anything else that is
 * no letter or digit stands for it. ASCII case is ignored. No counts and no references back.
 */
#ifndef GPUQ_PATTERN_H
#define GPUQ_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define PATTERN_MAX 255 /* bytes */

struct pattern;

/* NULL: it is none; *at (bytes) and *why (static) say where and why. */
struct pattern *pattern_new(const char *text, size_t *at, const char **why);
void pattern_free(struct pattern *pattern);
/* It stands somewhere in the text. Not by two threads at once. */
bool pattern_stands(const struct pattern *pattern, const char *text);

#endif

/*
 * A refusal of Create, read for what it says of the list: which entry it is about, in one sentence
 * that fits a line, and what a key can do about it. The forms of AWS's texts: cases 037, 043 and
 * 044. Pure.
 */
#ifndef GPUQ_REFUSAL_H
#define GPUQ_REFUSAL_H

#include "model/check.h"

#define REFUSAL_RULE "refused" /* the finding's; no rule of check, which never saw it */

/*
 * Writes the finding: an error with the entry that the text names by its place
 * ("instancePreferences.2.member...") or by its type, else of no entry. A set of allowed values is
 * folded into its number and those nearest to the refused one; a type that is not in the list is
 * pointed out. The fix: the nearest allowed type, the count that a quota allows, or to drop the
 * entry.
 */
void refusal_finding(const char *text, const struct preferences *prefs, struct finding *finding);

#endif

/* Folders of the program's own: nobody else may look into them, and no link leads elsewhere. */
#ifndef GPUQ_BASE_FOLDER_H
#define GPUQ_BASE_FOLDER_H

#include <stdbool.h>

#include "model/base/attr.h"
#include "model/base/err.h"

/* The folder and those above it, as far as they are missing, with mode 0700. Whether it worked,
 * opening it finds out. */
void folder_make(const char *path);

/* A descriptor of a folder of this user, closed to others, that is no link; -1 with err
 * (ERR_NOT_FOUND: there is none). */
int folder_open(const char *path, struct err *err) MUST_CHECK;

/* The lock of that name in an open folder, for programs that take turns; close it to let go. Waits
 * for two seconds at most, so on a thread that may: -1 with err. path: of the folder. */
int folder_lock(int folder, const char *name, const char *path, struct err *err) MUST_CHECK;

#endif

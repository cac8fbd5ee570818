/* The version and its day: --version, the user agent, the manual and the packages have them from
 * here. */
#ifndef GPUQ_BASE_VERSION_H
#define GPUQ_BASE_VERSION_H

#define GPUQ_VERSION  "0.1.0"
#define GPUQ_RELEASED "2026-12-01"

#endif

/* The version: --version, the user agent and the Makefile's packages take it from here. */
#ifndef GPUQ_BASE_VERSION_H
#define GPUQ_BASE_VERSION_H

#define GPUQ_VERSION "0.1.0"

#endif

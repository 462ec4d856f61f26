/* SPDX-License-Identifier: MIT */
/* Version of this library. Generated from the project's one version number. */
#ifndef LANEWISE_VERSION_H
#define LANEWISE_VERSION_H

#include <lanewise/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LW_VERSION_MAJOR 0
#define LW_VERSION_MINOR 2
#define LW_VERSION_PATCH 0
#define LW_VERSION_STRING "0.2.0"

/*
 * Grows with every release in which a public struct or function changed incompatibly. Before 1.0 that may happen in
 * any minor version, never in a patch; the shared library's SONAME is therefore liblanewise.so.0.MINOR, from 1.0 on
 * liblanewise.so.MAJOR.
 */
#define LW_ABI_VERSION 2

/* The version and ABI version of the library that is linked, to compare with the macros above. */
LW_API const char *lw_version(void);
LW_API int lw_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif

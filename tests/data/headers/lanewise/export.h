/* SPDX-License-Identifier: MIT */
/* LW_API marks what the shared library exports. */
#ifndef LANEWISE_EXPORT_H
#define LANEWISE_EXPORT_H

#if defined(LW_BUILDING_SHARED) && defined(__GNUC__)
#define LW_API __attribute__((visibility("default")))
#else
#define LW_API
#endif

#endif

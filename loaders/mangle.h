/* SPDX-License-Identifier: MIT */
/* The name a C++ kernel has in its source, from its Itanium-mangled one. */
#ifndef LW_LOADERS_MANGLE_H
#define LW_LOADERS_MANGLE_H

#include <stdbool.h>

/*
 * Whether `name` is what the source calls the function `mangled`: its last component ("scale"), or its
 * components from some namespace on ("lib::scale"), template arguments and parameters left out. False for a
 * name that is not mangled, and for the few manglings (lambdas, operators, expressions in template arguments)
 * that are not parsed here. Rules: Itanium C++ ABI, "External Names (a.k.a. Mangling)".
 */
bool lw_mangled_has_name(const char *mangled, const char *name);

#endif

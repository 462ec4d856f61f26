/* SPDX-License-Identifier: MIT */
#include <lanewise/version.h>

const char *lw_version(void)
{
    return LW_VERSION_STRING;
}

int lw_abi_version(void)
{
    return LW_ABI_VERSION;
}

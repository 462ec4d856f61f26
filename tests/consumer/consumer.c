/* SPDX-License-Identifier: MIT */
/* A program of somebody else: builds against the installed library only. */
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

int main(void)
{
    lw_arch arch;
    if (lw_arch_find("gfx950", &arch) != LW_OK || strcmp(lw_arch_get(arch)->name, "gfx950") != 0)
        return 1;
    if (strcmp(lw_version(), LW_VERSION_STRING) != 0 || lw_abi_version() != LW_ABI_VERSION)
        return 1;
    printf("lanewise %s\n", lw_version());
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* Parses PTX files: "FILE: ok FUNCTIONS INSTRUCTIONS UNKNOWN" or "FILE: STATUS: why", one line each. */
#include <stdio.h>
#include <stdlib.h>

#include "loaders/ptx/module.h"

static void show(const char *path, const lw_ptx_module *m)
{
    size_t unknown = 0;
    for (size_t i = 0; i < m->insns.count; i++)
        unknown += !lw_ptx_insn_at(m, i)->op;
    printf("%s: ok %zu %zu %zu\n", path, m->functions.count, m->insns.count, unknown);
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        uint8_t *data;
        size_t size;
        lw_error error = { "" };
        lw_ptx_module *module = NULL;
        lw_status status = lw_file_read(argv[i], UINT64_C(1) << 30, &data, &size, &error);
        if (status == LW_OK) {
            status = lw_ptx_parse((lw_bytes){ data, size }, UINT64_C(1) << 31, &module, &error);
            free(data);
        }
        if (status == LW_OK)
            show(argv[i], module);
        else
            printf("%s: %s: %s\n", argv[i], lw_status_text(status), error.text);
        failed += status != LW_OK;
        lw_ptx_module_free(module);
    }
    return failed ? 1 : 0;
}

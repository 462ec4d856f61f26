/* SPDX-License-Identifier: MIT */
/* What observers see of wmma.load and wmma.store: the bytes that each lane's registers have. */
#include <stdlib.h>

#include "emu/device/log.h"
#include "emu/mma/move_runs.h"
#include "emu/ptx/matrix.h"

void lw_ptx_wmma_note(lw_ptx_warp *w, const lw_insn *insn, const lw_mods *mods, const lw_move_args *args,
                      bool shared, bool stores)
{
    const uint64_t base = shared ? lw_ptx_in_rank(args->address[0], 0) : args->address[0];
    lw_access_log *log = w->head.log;
    lw_move_run *runs = malloc(LW_MOVE_RUNS * sizeof(*runs));
    const size_t count =
        runs ? lw_move_runs(w->head.group->session->module->arch, insn, mods, args->stride, runs) : 0;
    log->failed = log->failed || !count;
    for (size_t i = 0; i < count; i++) {
        lw_memory_access *entry = lw_log_next(log);
        if (!entry)
            break;
        entry->lane = runs[i].lane;
        entry->space = shared ? LW_SPACE_LDS : LW_SPACE_GLOBAL;
        entry->load = !stores;
        entry->store = stores;
        entry->address = base + runs[i].offset;
        entry->size = runs[i].size;
    }
    free(runs);
}

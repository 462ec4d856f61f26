/* SPDX-License-Identifier: MIT */
/* The panel kernels for AVX2 and FMA. */
#include "emu/fast/panel_isa.h"

#include <stddef.h>

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx2.h"

#include "emu/fast/panel_kernels.h"

lw_panel_fn lw_avx2_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

/* Where chunks are no runs, word by word: gathers and shuffles of many halves are slower. */
void lw_avx2_move(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    for (unsigned n = 0; n < move->chunks; n++, out += LW_PANEL) {
        const lw_move_chunk *chunk = &move->chunk[n];
        if (chunk->kind == LW_MOVE_RUN) {
            const uint32_t *from = in + chunk->from[0];
            vi_store(out, vi_load(from));
            vi_store(out + VEC_LANES, vi_load(from + VEC_LANES));
            continue;
        }
        for (int t = 0; t < LW_PANEL; t++)
            out[t] = in[chunk->from[t]];
    }
}

#endif

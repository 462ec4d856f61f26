/* SPDX-License-Identifier: MIT */
/* The panel kernels with the compiler's vectors, for any host. */
#include "emu/fast/panel_isa.h"

#include <stddef.h>
#include <string.h>

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"
#include "emu/fast/vec_portable_wide.h"

#include "emu/fast/panel_kernels.h"
#include "emu/fast/panel_look.h"

const lw_look *lw_portable_look(void)
{
    return &looks;
}

lw_panel_fn lw_portable_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

void lw_portable_move(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    for (unsigned n = 0; n < move->chunks; n++, out += LW_PANEL) {
        const lw_move_chunk *chunk = &move->chunk[n];
        if (chunk->kind == LW_MOVE_RUN)
            memcpy(out, in + chunk->from[0], LW_PANEL * sizeof(*out));
        else
            for (int t = 0; t < LW_PANEL; t++)
                out[t] = in[chunk->from[t]];
    }
}

#endif

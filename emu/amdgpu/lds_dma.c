/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/lds_dma.h"

void lw_lds_dma_put(lw_wave *w, const lw_element *e, uint32_t base, unsigned lane, const uint8_t *bytes)
{
    static const uint8_t zeros[LW_MAX_ACCESS];
    const uint32_t slot = e->bytes > 4 ? 16 : 4;
    const uint32_t size = e->bytes < 4 ? 4 : e->bytes;
    uint8_t *to = lw_access_lds(w, (int)lane, base + lane * slot, size, LW_ACCESS_STORE);
    if (!to)
        return;
    if (!bytes)
        bytes = zeros;
    if (e->bytes >= 4) {
        memcpy(to, bytes, e->bytes);
        return;
    }
    const lw_element plain = { e->bytes, e->is_signed, false, false };
    uint32_t v;
    lw_element_put(&plain, &v, bytes);
    memcpy(to, &v, 4);
}

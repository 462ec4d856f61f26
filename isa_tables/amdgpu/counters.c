/* SPDX-License-Identifier: MIT */
#include "isa_tables/amdgpu/counters.h"

/* clang-format off */
#define NOTHING(...)
#define COUNTER_ROW(counter, most_, bits0, low0, bits1, low1) \
    .most[LW_COUNTER_##counter] = most_, .field[LW_COUNTER_##counter] = { { bits0, bits1 }, { low0, low1 } },
#define RAISE_ROW(traffic, vm, lgkm, exp, vs) \
    .raises[LW_TRAFFIC_##traffic] = { [LW_COUNTER_VM] = vm, [LW_COUNTER_LGKM] = lgkm, [LW_COUNTER_EXP] = exp, [LW_COUNTER_VS] = vs },
#define RAISE_12(traffic, load, ds, exp, store, km) \
    .raises[LW_TRAFFIC_##traffic] = { [LW_COUNTER_VM] = load, [LW_COUNTER_LGKM] = ds, [LW_COUNTER_EXP] = exp, \
                                      [LW_COUNTER_VS] = store, [LW_COUNTER_KM] = km },
#define RAISE_1250(traffic, load, store, async, tensor) \
    .raises[LW_TRAFFIC_##traffic] = { [LW_COUNTER_VM] = load, [LW_COUNTER_VS] = store, [LW_COUNTER_ASYNC] = async, \
                                      [LW_COUNTER_TENSOR] = tensor },
#define TRANSLATE_ROW(traffic) .raises[LW_TRAFFIC_##traffic][LW_COUNTER_X] = 1,
#define SCOPE_ROW(access, s0, s1, s2, s3) \
    .scopes.access = { LW_SCOPE_##s0, LW_SCOPE_##s1, LW_SCOPE_##s2, LW_SCOPE_##s3 },
#define COUNTER(generations, ...) COUNTER_##generations(__VA_ARGS__)
#define RAISE(generations, ...) RAISE_##generations(__VA_ARGS__)
#define SCOPE(generations, ...) SCOPE_##generations(__VA_ARGS__)
#define TRANSLATE(generations, ...) TRANSLATE_##generations(__VA_ARGS__)
/* clang-format on */

#define COUNTER_GFX9 COUNTER_ROW
#define RAISE_GFX9 RAISE_ROW
#define SCOPE_GFX9 SCOPE_ROW
#define COUNTER_GFX11 NOTHING
#define RAISE_GFX11 NOTHING
#define SCOPE_GFX11 NOTHING
#define COUNTER_GFX12 NOTHING
#define RAISE_GFX12 NOTHING
#define SCOPE_GFX12 NOTHING
#define COUNTER_GFX1250 NOTHING
#define RAISE_GFX1250 NOTHING
#define SCOPE_GFX1250 NOTHING
#define TRANSLATE_GFX1250 NOTHING
const lw_counters lw_counters_gfx9 = {
#include "isa_tables/amdgpu/counters.inc"
};

#undef COUNTER_GFX9
#undef RAISE_GFX9
#undef SCOPE_GFX9
#undef COUNTER_GFX11
#undef RAISE_GFX11
#undef SCOPE_GFX11
#define COUNTER_GFX9 NOTHING
#define RAISE_GFX9 NOTHING
#define SCOPE_GFX9 NOTHING
#define COUNTER_GFX11 COUNTER_ROW
#define RAISE_GFX11 RAISE_ROW
#define SCOPE_GFX11 SCOPE_ROW
const lw_counters lw_counters_gfx11 = {
#include "isa_tables/amdgpu/counters.inc"
};

#undef COUNTER_GFX11
#undef RAISE_GFX11
#undef SCOPE_GFX11
#undef COUNTER_GFX12
#undef RAISE_GFX12
#undef SCOPE_GFX12
#define COUNTER_GFX11 NOTHING
#define RAISE_GFX11 NOTHING
#define SCOPE_GFX11 NOTHING
#define COUNTER_GFX12 COUNTER_ROW
#define RAISE_GFX12 RAISE_12
#define SCOPE_GFX12 SCOPE_ROW
const lw_counters lw_counters_gfx12 = {
#include "isa_tables/amdgpu/counters.inc"
};

/* gfx1250 has all of gfx12's, and one more. */
#undef COUNTER_GFX1250
#undef RAISE_GFX1250
#undef SCOPE_GFX12
#undef SCOPE_GFX1250
#define SCOPE_GFX12 NOTHING
#define SCOPE_GFX1250 SCOPE_ROW
#undef TRANSLATE_GFX1250
#define TRANSLATE_GFX1250 TRANSLATE_ROW
#define COUNTER_GFX1250 COUNTER_ROW
#define RAISE_GFX1250 RAISE_1250
const lw_counters lw_counters_gfx1250 = {
#include "isa_tables/amdgpu/counters.inc"
};

int lw_counters_left(const lw_counters *c, lw_counter counter, unsigned immediate)
{
    const lw_counter_field *f = &c->field[counter];
    unsigned left = 0, shift = 0;
    for (unsigned i = 0; i < 2; i++) {
        left |= (immediate >> f->low[i] & ((1u << f->bits[i]) - 1)) << shift;
        shift += f->bits[i];
    }
    return shift && left < c->most[counter] ? (int)left : -1;
}

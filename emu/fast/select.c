/* SPDX-License-Identifier: MIT */
/* Which function computes a shape on this host. */
#include "emu/fast/avx2.h"

#include <stddef.h>

void lw_fast_places(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned row, uint8_t *k_of)
{
    for (unsigned j = 0; j < shape->a_k; j++) {
        const unsigned nibble = tile->index ? tile->index[row * (shape->k / 4u) + j / 2] : 0;
        k_of[j] = (uint8_t)(tile->index ? 4 * (j / 2) + (nibble >> 2 * (j % 2) & 3) : j);
    }
}

#ifdef LW_FAST_AVX2

enum { MXCSR_DEFAULT = 0x1f80 };

/* Runs `fn` with the default control word and restores the caller's. Apart, so that no floating-point
 * operation can move across the changes of the control word. */
LW_APART static bool run_exactly(lw_fast_fn fn, const lw_fast_shape *shape, const lw_fast_tile *tile)
{
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(MXCSR_DEFAULT);
    const bool done = fn(shape, tile);
    _mm_setcsr(saved);
    return done;
}

static bool run_aligned(const lw_fast_shape *shape, const lw_fast_tile *tile)
{
    return run_exactly(lw_avx2_aligned, shape, tile);
}

static bool run_fp4(const lw_fast_shape *shape, const lw_fast_tile *tile)
{
    return run_exactly(lw_avx2_fp4, shape, tile) || run_exactly(lw_avx2_aligned, shape, tile);
}

static bool run_fma32(const lw_fast_shape *shape, const lw_fast_tile *tile)
{
    return run_exactly(lw_avx2_fma32, shape, tile);
}

static bool run_fma64(const lw_fast_shape *shape, const lw_fast_tile *tile)
{
    return run_exactly(lw_avx2_fma64, shape, tile);
}

static bool is_fp4(const lw_fast_shape *s)
{
    const lw_format *fp4 = &lw_formats[LW_FORMAT_FP4];
    return s->a == fp4 && s->b == fp4 && s->recipe->unit.group == 32;
}

lw_fast_fn lw_fast_find(const lw_fast_shape *shape)
{
    const lw_recipe *recipe = shape->recipe;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return NULL;
    switch ((lw_dot_kind)recipe->unit.kind) {
    case LW_KIND_FMA:
        return shape->a->bits == 64 ? run_fma64 : run_fma32;
    case LW_KIND_ALIGNED:
        if (recipe->fused || recipe->parity_k)
            return NULL;
        return is_fp4(shape) ? run_fp4 : run_aligned;
    case LW_KIND_INT:
        return lw_avx2_int;
    default:
        return NULL;
    }
}

#else

lw_fast_fn lw_fast_find(const lw_fast_shape *shape)
{
    (void)shape;
    return NULL;
}

#endif

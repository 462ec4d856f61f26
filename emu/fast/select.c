/* SPDX-License-Identifier: MIT */
/* Which function computes a shape on this host. */
#include "emu/fast/avx2.h"
#include "emu/fast/panel_isa.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/error.h"

void lw_fast_places(const lw_fast_shape *shape, const lw_fast_tile *tile, unsigned row, uint8_t *k_of)
{
    for (unsigned j = 0; j < shape->a_k; j++) {
        const unsigned nibble = tile->index ? tile->index[row * (shape->k / 4u) + j / 2] : 0;
        k_of[j] = (uint8_t)(tile->index ? 4 * (j / 2) + (nibble >> 2 * (j % 2) & 3) : j);
    }
}

static lw_fast_isa host_isa(void)
{
#ifdef LW_FAST_X86
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
        return LW_FAST_PORTABLE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni"))
        return LW_FAST_AVX512;
    return LW_FAST_AVX2;
#else
    return LW_FAST_PORTABLE;
#endif
}

lw_status lw_fast_isa_choose(lw_fast_isa *isa, lw_error *error)
{
    static const char *const names[] = { "portable", "avx2", "avx512" };
    const lw_fast_isa host = host_isa();
    const char *asked = getenv("LANEWISE_CPU");
    if (!asked || !*asked) {
        *isa = host;
        return LW_OK;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(asked, names[i]) == 0) {
            if (i > (int)host)
                return lw_error_fail(error, LW_E_UNSUPPORTED,
                                     "LANEWISE_CPU=%s: this processor offers no more than %s", asked,
                                     names[host]);
            *isa = (lw_fast_isa)i;
            return LW_OK;
        }
    return lw_error_fail(error, LW_E_ARGUMENT, "LANEWISE_CPU=%.40s: there are portable, avx2, avx512", asked);
}

/* Round to nearest, nothing flushed, nothing trapped: the default of x86's MXCSR and of AArch64's FPCR, which
 * one word holds. */
#if defined(LW_FAST_X86)
enum { CONTROL_DEFAULT = 0x1f80 };

static uint64_t read_control(void)
{
    return _mm_getcsr();
}

static void write_control(uint64_t word)
{
    _mm_setcsr((unsigned)word);
}
#elif defined(__aarch64__) && defined(__GNUC__)
enum { CONTROL_DEFAULT = 0 };

static uint64_t read_control(void)
{
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
}

static void write_control(uint64_t word)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(word));
}
#else
/* WebAssembly has no such word; other hosts are taken to be in their default state. */
enum { CONTROL_DEFAULT = 0 };

static uint64_t read_control(void)
{
    return CONTROL_DEFAULT;
}

static void write_control(uint64_t word)
{
    (void)word;
}
#endif

/* Apart, so that no floating-point operation can move across the changes of the control word. */
LW_APART lw_panel_result lw_panel_run(lw_panel_fn fn, const lw_panel_shape *shape, const lw_panels *panels)
{
    const uint64_t saved = read_control();
    if (saved != CONTROL_DEFAULT)
        write_control(CONTROL_DEFAULT);
    const lw_panel_result result = fn(shape, panels);
    write_control(saved);
    return result;
}

lw_panel_fn lw_panel_find(const lw_panel_shape *shape, lw_fast_isa isa)
{
    (void)shape;
    switch (isa) {
#ifdef LW_FAST_X86
    case LW_FAST_AVX512:
        return lw_avx512_panels(shape);
    case LW_FAST_AVX2:
        return lw_avx2_panels(shape);
#endif
#ifdef LW_FAST_VECTORS
    case LW_FAST_PORTABLE:
        return lw_portable_panels(shape);
#endif
    default:
        return NULL;
    }
}

const lw_look *lw_look_find(lw_fast_isa isa)
{
    switch (isa) {
#ifdef LW_FAST_X86
    case LW_FAST_AVX512:
        return lw_avx512_look();
    case LW_FAST_AVX2:
        return lw_avx2_look();
#endif
#ifdef LW_FAST_VECTORS
    case LW_FAST_PORTABLE:
        return lw_portable_look();
#endif
    default:
        return NULL;
    }
}

lw_move_fn lw_move_find(lw_fast_isa isa)
{
    switch (isa) {
#ifdef LW_FAST_X86
    case LW_FAST_AVX512:
        return lw_avx512_move;
    case LW_FAST_AVX2:
        return lw_avx2_move;
#endif
#ifdef LW_FAST_VECTORS
    case LW_FAST_PORTABLE:
        return lw_portable_move;
#endif
    default:
        return NULL;
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

/* What the functions here were written for: the shapes of gfx942 and gfx950. */
static bool is_usual(const lw_fast_shape *s)
{
    const lw_recipe_shape *r = &s->recipe->shape;
    const bool plain = r->split == LW_SPLIT_NONE && !r->c_last && !r->wide && s->c == s->d && s->acc == 0;
    const bool signed8 =
        s->a->bits == 8 && s->a->top == LW_TOP_INT && s->b->bits == 8 && s->b->top == LW_TOP_INT;
    const bool ints = s->recipe->unit.kind != LW_KIND_INT || (signed8 && !s->saturate);
    const bool scales = !s->scale_span || (s->scale_span == 32 && s->scale_a->top == LW_TOP_SCALE &&
                                           s->scale_b->top == LW_TOP_SCALE);
    return plain && ints && !s->recipe->clamp_bits && scales && (s->chunk == 0 || s->chunk == 2) &&
           s->round == 0 && s->recipe->unit.nan == LW_NAN_QUIET &&
           (s->recipe->unit.kind != LW_KIND_FMA || s->a->bits >= 32);
}

static bool is_fp4(const lw_fast_shape *s)
{
    const lw_format *fp4 = &lw_formats[LW_FORMAT_FP4];
    return s->a == fp4 && s->b == fp4 && s->recipe->unit.group == 32;
}

lw_fast_fn lw_fast_find(const lw_fast_shape *shape, lw_fast_isa isa)
{
    const lw_recipe *recipe = shape->recipe;
    if (isa == LW_FAST_PORTABLE || !is_usual(shape))
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

lw_fast_fn lw_fast_find(const lw_fast_shape *shape, lw_fast_isa isa)
{
    (void)shape;
    (void)isa;
    return NULL;
}

#endif

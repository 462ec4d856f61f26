/* SPDX-License-Identifier: MIT */
/* What this host supports, and which kernel computes a shape on it. */
#include "emu/fast/fp16.h"
#include "emu/fast/panel_isa.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "isa_tables/error.h"

static lw_fast_isa host_isa(void)
{
#ifdef LW_FAST_X86
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
        return LW_FAST_PORTABLE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vnni")) {
#ifdef LW_FAST_FP16
        if (__builtin_cpu_supports("avx512fp16"))
            return (lw_fast_isa)LW_FAST_AVX512FP16;
#endif
        return LW_FAST_AVX512;
    }
    return LW_FAST_AVX2;
#else
    return LW_FAST_PORTABLE;
#endif
}

lw_status lw_fast_isa_choose(lw_fast_isa *isa, lw_error *error)
{
    static const char *const names[] = { "portable", "avx2", "avx512", "avx512fp16" };
    const lw_fast_isa host = host_isa();
    const char *asked = getenv("LANEWISE_CPU");
    if (!asked || !*asked) {
        *isa = host;
        return LW_OK;
    }
    for (int i = 0; i <= LW_FAST_AVX512FP16; i++)
        if (strcmp(asked, names[i]) == 0) {
            if (i > (int)host)
                return lw_error_fail(error, LW_E_UNSUPPORTED,
                                     "LANEWISE_CPU=%s: this processor offers no more than %s", asked,
                                     names[host]);
            *isa = (lw_fast_isa)i;
            return LW_OK;
        }
    return lw_error_fail(error, LW_E_ARGUMENT,
                         "LANEWISE_CPU=%.40s: there are portable, avx2, avx512, avx512fp16", asked);
}

/* Round to nearest, no flushing, no traps: the default of x86's MXCSR and of AArch64's FPCR, in one word. The
 * same with rounding towards zero, where LW_FAST_CUTS. */
#if defined(LW_FAST_X86)
enum { CONTROL_DEFAULT = 0x1f80, CONTROL_CUT = CONTROL_DEFAULT | _MM_ROUND_TOWARD_ZERO };
enum { FLAG_SUBNORMAL = _MM_EXCEPT_DENORM, FLAG_INEXACT = _MM_EXCEPT_INEXACT };

static uint64_t read_control(void)
{
    return _mm_getcsr();
}

static void write_control(uint64_t word)
{
    _mm_setcsr((unsigned)word);
}
#elif defined(__aarch64__) && defined(__GNUC__)
enum { CONTROL_DEFAULT = 0, CONTROL_CUT = CONTROL_DEFAULT, FLAG_SUBNORMAL = 0, FLAG_INEXACT = 0 };

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
/* WebAssembly has no such word; other hosts are assumed to be in their default state. */
enum { CONTROL_DEFAULT = 0, CONTROL_CUT = CONTROL_DEFAULT, FLAG_SUBNORMAL = 0, FLAG_INEXACT = 0 };

static uint64_t read_control(void)
{
    return CONTROL_DEFAULT;
}

static void write_control(uint64_t word)
{
    (void)word;
}
#endif

/* A separate function, so that no floating-point operation can move across the changes of the control
 * word. Where the flag for inexact results is already set, processors of Intel need not raise it, which takes
 * them as long as dozens of instructions. */
LW_APART void lw_panel_default(void (*work)(void *context), void *context)
{
    const uint64_t saved = read_control(), wanted = CONTROL_DEFAULT | FLAG_INEXACT;
    if (saved != wanted)
        write_control(wanted);
    work(context);
    write_control(saved);
}

/* Adds C to the results, with one rounding. Infinities and NaNs are left for the reference. */
LW_APART static lw_panel_result add_after(const lw_panel_shape *shape, const lw_panels *p,
                                          lw_panel_result result)
{
    enum { INFINITE = 0x7f800000 };
    const unsigned runs = (unsigned)shape->blocks * shape->s_count * shape->v_count / LW_PANEL;
    bool redo = result == LW_PANELS_REDO;
    for (unsigned run = 0; run < runs; run++) {
        uint32_t *d = p->d + p->d_at[run];
        const uint32_t *c = p->c_after + run * LW_PANEL;
        unsigned odd = 0;
        for (unsigned t = 0; t < LW_PANEL; t++) {
            float sum, old;
            memcpy(&sum, d + t, sizeof(sum));
            memcpy(&old, c + t, sizeof(old));
            sum += old;
            memcpy(d + t, &sum, sizeof(sum));
            odd |= (unsigned)((d[t] & INFINITE) == INFINITE) << t;
        }
        p->redo[run] = (uint16_t)(p->redo[run] | odd);
        redo |= odd != 0;
    }
    return redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

LW_APART lw_panel_result lw_panel_run(lw_panel_fn fn, const lw_panel_shape *shape, const lw_panels *panels)
{
    const uint64_t saved = read_control(),
                   wanted = (shape->cuts ? CONTROL_CUT : CONTROL_DEFAULT) | FLAG_INEXACT;
    if (saved != wanted)
        write_control(wanted);
    lw_panel_result result = fn(shape, panels);
    if (panels->quiet && panels->quiet->by_flag && (read_control() & FLAG_SUBNORMAL))
        panels->quiet->c = panels->quiet->sides = false;
    if (shape->c_after && result != LW_PANELS_NONE)
        result = add_after(shape, panels, result);
    write_control(saved);
    return result;
}

#if defined(LW_FAST_X86)

/* Is the flag set by a * b + c? */
LW_APART __attribute__((target("fma"))) static bool flagged(float a, double b, float c)
{
    const volatile __m128 x = _mm_set_ss(a), y = _mm_set_ss(0), z = _mm_set_ss(c);
    const volatile __m128d wide = _mm_set_sd(b), none = _mm_set_sd(0);
    volatile __m128 sum = _mm_fmadd_ss(x, y, z);
    volatile __m128d wide_sum = _mm_fmadd_sd(none, wide, none);
    (void)sum, (void)wide_sum;
    return read_control() & FLAG_SUBNORMAL;
}

/* Emulators of x86 need not have the flag: each operand and both formats are tried. */
static bool has_flag(void)
{
    const uint64_t saved = read_control();
    bool has = true;
    for (int n = 0; n < 4; n++) {
        write_control(CONTROL_DEFAULT);
        has &= flagged(n == 1 ? 0x1p-127f : 1, n == 2 ? 0x1p-1023 : 1, n == 3 ? -0x1p-149f : 1) == (n != 0);
    }
    write_control(saved);
    return has;
}

#else

static bool has_flag(void)
{
    return false;
}

#endif

lw_panel_fn lw_panel_find(lw_panel_shape *shape, lw_fast_isa isa)
{
    shape->flags = shape->unit.kind == LW_KIND_FMA && lw_fast_isa_base(isa) != LW_FAST_PORTABLE && has_flag();
    shape->cuts = lw_panel_cuts(shape) && lw_fast_isa_base(isa) != LW_FAST_AVX512;
    switch (lw_fast_isa_base(isa)) {
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
    switch (lw_fast_isa_base(isa)) {
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

const lw_words *lw_words_find(lw_fast_isa isa)
{
    switch (lw_fast_isa_base(isa)) {
#ifdef LW_FAST_X86
    case LW_FAST_AVX512:
        return lw_avx512_words();
    case LW_FAST_AVX2:
        return lw_avx2_words();
#endif
#ifdef LW_FAST_VECTORS
    case LW_FAST_PORTABLE:
        return lw_portable_words();
#endif
    default:
        return NULL;
    }
}

/* SPDX-License-Identifier: MIT */
#include "emu/device/fpenv.h"

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>

/* Intel SDM, MXCSR after reset: all exceptions masked, round to nearest, no FTZ, no DAZ. */
enum { MXCSR_DEFAULT = 0x1f80 };

uint64_t lw_fpenv_enter(void)
{
    const uint64_t saved = _mm_getcsr();
    _mm_setcsr(MXCSR_DEFAULT);
    return saved;
}

void lw_fpenv_leave(uint64_t saved)
{
    _mm_setcsr((unsigned)saved);
}
#elif defined(__aarch64__) && defined(__GNUC__)
/* Arm ARM, FPCR: zero is round to nearest, no flushing, no default NaN, no traps. */
uint64_t lw_fpenv_enter(void)
{
    uint64_t saved;
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return saved;
}

void lw_fpenv_leave(uint64_t saved)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(saved));
}
#elif defined(__wasm__)
/* WebAssembly has only one mode: round to nearest, no flushing, no traps. */
uint64_t lw_fpenv_enter(void)
{
    return 0;
}

void lw_fpenv_leave(uint64_t saved)
{
    (void)saved;
}
#else
#error "Lanewise does not know how to set this host's floating-point mode"
#endif

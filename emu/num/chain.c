/* SPDX-License-Identifier: MIT */
/* Units that round after every product, and the integer unit. */
#include "emu/num/dot.h"
#include "emu/num/fp.h"

static void tell(const lw_dot_log *log, int k, uint64_t bits)
{
    const lw_dot_event event = { .step = LW_DOT_FMA, .index = k, .bits = bits };
    if (log)
        log->event(log->context, &event);
}

static bool is_inf32(uint32_t x)
{
    return (x & 0x7fffffff) == 0x7f800000;
}

uint32_t lw_dot_fma32(const uint32_t *a, const uint32_t *b, int count, uint32_t c, lw_dot_mode mode,
                      const lw_dot_log *log)
{
    const lw_fp_env env = { .round = LW_FP_RNE, .keep_in = !mode.flush_in, .keep_out = !mode.flush_out };
    uint32_t acc = c;
    for (int k = 0; k < count; k++) {
        uint32_t next = (uint32_t)lw_fp_fma(&lw_fp_f32, &env, a[k], b[k], acc);
        if ((next & 0x7fffffff) > 0x7f800000)
            next = LW_DOT_NAN32;
        else if (mode.clamp && is_inf32(next) && !is_inf32(a[k]) && !is_inf32(b[k]) && !is_inf32(acc))
            next--;
        acc = next;
        tell(log, k, acc);
    }
    return acc;
}

uint64_t lw_dot_fma64(const uint64_t *a, const uint64_t *b, int count, uint64_t c, const lw_dot_log *log)
{
    const lw_fp_env env = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };
    uint64_t acc = c;
    for (int k = 0; k < count; k++) {
        acc = lw_fp_fma(&lw_fp_f64, &env, a[k], b[k], acc);
        if ((acc & (UINT64_MAX >> 1)) > UINT64_C(0x7ff0000000000000))
            acc = LW_DOT_NAN64;
        tell(log, k, acc);
    }
    return acc;
}

uint32_t lw_dot_int(const int8_t *a, const int8_t *b, int count, uint32_t c, bool clamp,
                    const lw_dot_log *log)
{
    int64_t total = (int64_t)c - ((int64_t)(c >> 31) << 32);
    for (int k = 0; k < count; k++) {
        total += (int64_t)a[k] * b[k];
        tell(log, k, (uint64_t)total);
    }
    if (clamp && total > INT32_MAX)
        return INT32_MAX;
    if (clamp && total < INT32_MIN)
        return UINT32_C(0x80000000);
    return (uint32_t)total;
}

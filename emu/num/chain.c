/* SPDX-License-Identifier: MIT */
/* Units that round after every product, and the integer unit. */
#include "emu/num/dot.h"
#include "emu/num/fp.h"

static const uint32_t F32_ONE = UINT32_C(0x3f800000);

static bool is_inf32(uint32_t x)
{
    return (x & 0x7fffffff) == 0x7f800000;
}

static uint32_t fma_once(uint32_t a, uint32_t b, uint32_t c, uint8_t nan, const lw_dot_env *mode)
{
    const lw_fp_env env = {
        .round = LW_FP_RNE, .keep_in = !mode->flush_in, .keep_out = !mode->flush_out, .nan = nan
    };
    const uint32_t next = (uint32_t)lw_fp_fma(&lw_fp_f32, &env, a, b, c);
    if (mode->clamp && is_inf32(next) && !is_inf32(a) && !is_inf32(b) && !is_inf32(c))
        return next - 1;
    return next;
}

static void tell_fma(const lw_dot_log *log, int k, uint64_t bits)
{
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_FMA, .index = k, .bits = bits });
}

/* An operand's value as a binary32 code; exact for parts of at most 24 bits in binary32's range. */
static uint32_t f32_of_part(const lw_part *p, int frac)
{
    static const lw_fp_env keep = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };
    if (p->kind == LW_PART_NAN)
        return LW_DOT_NAN32;
    if (p->kind == LW_PART_INF)
        return (uint32_t)p->neg << 31 | 0x7f800000;
    if (!p->sig)
        return (uint32_t)p->neg << 31;
    const lw_fp_num v = lw_fp_from_int(p->neg, p->sig, p->exp - frac);
    return (uint32_t)lw_fp_pack(&lw_fp_f32, &keep, &v);
}

uint32_t lw_dot_step_fma(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                         uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)format; /* f32 accumulators only */
    for (int g = 0; g < count; g++)
        for (int k = 0; k < groups[g].count; k++) {
            const lw_dot_group *group = &groups[g];
            acc = fma_once(f32_of_part(&group->a[k], group->a_frac),
                           f32_of_part(&group->b[k], group->frac - group->a_frac), acc, unit->nan, env);
            tell_fma(log, k, acc);
        }
    return acc;
}

uint64_t lw_dot_fma64(const uint64_t *a, const uint64_t *b, int count, uint64_t c, int round,
                      const lw_dot_log *log)
{
    const lw_fp_env env = { .round = (uint8_t)round, .keep_in = true, .keep_out = true, .nan = LW_NAN_QUIET };
    uint64_t acc = c;
    for (int k = 0; k < count; k++) {
        acc = lw_fp_fma(&lw_fp_f64, &env, a[k], b[k], acc);
        tell_fma(log, k, acc);
    }
    return acc;
}

uint32_t lw_dot_int(lw_dot_int_op op, const int16_t *a, const int16_t *b, int count, uint32_t c, bool clamp,
                    const lw_dot_log *log)
{
    int64_t total = (int64_t)c - ((int64_t)(c >> 31) << 32);
    for (int k = 0; k < count; k++) {
        total += op == LW_INT_XOR ? (int64_t)(a[k] ^ b[k]) : (int64_t)a[k] * b[k];
        tell_fma(log, k, (uint64_t)total);
    }
    if (total >= INT32_MIN && total <= INT32_MAX)
        return (uint32_t)total;
    const uint32_t limit = total > 0 ? INT32_MAX : UINT32_C(0x80000000);
    const uint32_t left = clamp ? limit : (uint32_t)total;
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = left, .cut = !clamp });
    return left;
}

uint32_t lw_dot_step_fma_pairs(const lw_dot_unit *unit, const lw_dot_group *groups, int count,
                               lw_dot_acc format, uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)format;
    for (int g = 0; g < count; g++) {
        const lw_dot_group *group = &groups[g];
        uint32_t pair = 0;
        for (int k = 0; k < group->count; k++) {
            const uint32_t a = f32_of_part(&group->a[k], group->a_frac);
            const uint32_t b = f32_of_part(&group->b[k], group->frac - group->a_frac);
            /* Starting from -0 keeps the sign of the first product. */
            pair = fma_once(a, b, k ? pair : UINT32_C(0x80000000), unit->nan, env);
            tell_fma(log, k, pair);
        }
        acc = fma_once(F32_ONE, pair, acc, unit->nan, env);
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ADD, .index = g, .bits = acc });
    }
    return acc;
}

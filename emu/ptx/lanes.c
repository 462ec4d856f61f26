/* SPDX-License-Identifier: MIT */
/* Integer and bit operations of one lane. PTX ISA 9.1, sections 9.7.1, 9.7.2, 9.7.8 and 9.7.9. */
#include "emu/num/u128.h"
#include "emu/ptx/handlers.h"

/* For packed types: computes the two halves one after the other. A predicate operand keeps its value. */
static uint64_t compute_parts(const lw_ptx_record *r, const uint64_t *whole)
{
    const unsigned out = r->dst_bits, bits = r->src_bits;
    uint64_t v = 0;
    for (unsigned part = 0; part < 2; part++) {
        uint64_t in[LW_PTX_MOST_SOURCES];
        for (unsigned i = 0; i < LW_PTX_MOST_SOURCES; i++)
            in[i] = lw_ptx_extend(whole[i] >> part * bits, bits, r->src_signed);
        v |= (r->handler->lane(r, in) & lw_ptx_mask(out)) << part * out;
    }
    return v;
}

/* A source in all lanes, as lw_ptx_get gives it in each. */
static void take_row(const lw_ptx_warp *w, const lw_ptx_source *s, uint64_t out[LW_PTX_LANES])
{
    const uint32_t *row = &w->rows[(size_t)s->slot * LW_PTX_LANES];
    const bool same = s->kind == LW_PTX_SOURCE_CONSTANT, is_register = s->kind == LW_PTX_SOURCE_REGISTER;
    const bool word = is_register && s->bits == 32 && (s->want == 32 || !s->want);
    if (word && s->want && s->is_signed) {
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            out[lane] = (uint64_t)(int64_t)(int32_t)row[lane];
    } else if (word) {
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            out[lane] = row[lane];
    } else if (is_register && s->bits == 64 && (s->want == 64 || !s->want)) {
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            out[lane] = row[lane] | (uint64_t)row[LW_PTX_LANES + lane] << 32;
    } else {
        const uint64_t first = lw_ptx_get(w, s, 0);
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            out[lane] = same ? first : lw_ptx_get(w, s, lane);
    }
}

static void put_row(lw_ptx_warp *w, const lw_ptx_source *d, const uint64_t v[LW_PTX_LANES])
{
    uint32_t *row = &w->rows[(size_t)d->slot * LW_PTX_LANES];
    if (d->kind != LW_PTX_SOURCE_REGISTER || d->bits < 32) {
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            lw_ptx_put(w, d, lane, v[lane]);
        return;
    }
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        row[lane] = (uint32_t)v[lane];
    for (unsigned lane = 0; d->bits == 64 && lane < LW_PTX_LANES; lane++)
        row[LW_PTX_LANES + lane] = (uint32_t)(v[lane] >> 32);
}

/* All lanes: operands are taken and results put a row at a time. */
static lw_ptx_step compute_rows(lw_ptx_warp *w, const lw_ptx_record *r)
{
    uint64_t in[LW_PTX_MOST_SOURCES][LW_PTX_LANES], out[LW_PTX_LANES];
    for (unsigned i = 0; i < r->src_count; i++)
        take_row(w, &r->src[i], in[i]);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t of[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        for (unsigned i = 0; i < r->src_count; i++)
            of[i] = in[i][lane];
        out[lane] = lw_ptx_extend(r->handler->lane(r, of), r->dst_whole, r->dst_signed);
    }
    put_row(w, &r->dst[0], out);
    return LW_PTX_STEP_NEXT;
}

lw_ptx_step lw_ptx_compute(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    if (lanes == UINT32_MAX && r->parts <= 1 && r->src_count <= LW_PTX_MOST_SOURCES)
        return compute_rows(w, r);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count; i++)
            in[i] = lw_ptx_get(w, &r->src[i], lane);
        const uint64_t v = r->parts > 1 ? compute_parts(r, in)
                                        : lw_ptx_extend(r->handler->lane(r, in), r->dst_whole, r->dst_signed);
        lw_ptx_put(w, &r->dst[0], lane, v);
    }
    return LW_PTX_STEP_NEXT;
}

static bool less(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return r->src_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* .relu of signed integers. */
static uint64_t not_negative(const lw_ptx_record *r, uint64_t v)
{
    return lw_ptx_extend(v, r->dst_bits, true) >> 63 ? 0 : v;
}

/* Only 32-bit signed sums saturate. */
static uint64_t saturate(const lw_ptx_record *r, uint64_t v)
{
    if (!r->sat)
        return v;
    const int64_t s = (int64_t)v;
    return (uint64_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
}

/* The upper half of a product. */
static uint64_t high(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    if (r->src_bits < 64)
        return a * b >> r->src_bits;
    uint64_t top = lw_u128_mul(a, b).hi;
    if (r->src_signed)
        top -= (a >> 63 ? b : 0) + (b >> 63 ? a : 0);
    return top;
}

static uint64_t product(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return r->word == LW_PTX_WORD_HI ? high(r, a, b) : a * b;
}

/* The product of the low 24 bits of both; .hi gives the upper 32 of its 48 bits. */
static uint64_t product24(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    const uint64_t p = lw_ptx_extend(a, 24, r->src_signed) * lw_ptx_extend(b, 24, r->src_signed);
    return r->word == LW_PTX_WORD_HI ? p >> 16 : p;
}

/* The upper half of the product plus c, limited to 32 bits (mad.hi.sat.s32). */
static uint64_t saturated_mad(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    return saturate(r, lw_ptx_extend(product(r, a, b), 32, true) + c);
}

/* Division by zero gives all ones, with the dividend as the remainder. PTX leaves this open, as well as
 * INT_MIN / -1. */
static uint64_t quotient(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    if (!b)
        return UINT64_MAX;
    if (!r->src_signed)
        return a / b;
    const uint64_t x = (int64_t)a < 0 ? 0 - a : a, y = (int64_t)b < 0 ? 0 - b : b;
    return (int64_t)(a ^ b) < 0 ? 0 - x / y : x / y;
}

static uint64_t remainder_of(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return b ? a - quotient(r, a, b) * b : a;
}

static uint64_t shift_left(const lw_ptx_record *r, uint64_t a, uint64_t by)
{
    return by >= r->src_bits ? 0 : a << by;
}

/* `a` has been extended according to its type. */
static uint64_t shift_right(const lw_ptx_record *r, uint64_t a, uint64_t by)
{
    const uint64_t fill = r->src_signed && (int64_t)a < 0 ? UINT64_MAX : 0;
    return by >= r->src_bits ? fill : a >> by | (by && fill ? fill << (64 - by) : 0);
}

/* hi:lo shifted by c, which .wrap takes modulo 32 and .clamp limits to 32. */
static uint64_t funnel(const lw_ptx_record *r, uint64_t lo, uint64_t hi, uint64_t c)
{
    const uint64_t by = r->word == LW_PTX_WORD_WRAP ? c & 31 : c < 32 ? c : 32, pair = hi << 32 | lo;
    const bool left = lw_ptx_opcode_word(&r->insn->opcode, LW_PTX_GROUP_SIDE) == LW_PTX_WORD_LEFT;
    return left ? pair << by >> 32 : pair >> by;
}

static uint64_t reverse(uint64_t a, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bits; i++)
        v |= (a >> i & 1) << (bits - 1 - i);
    return v;
}

static uint64_t leading_zeros(uint64_t a, unsigned bits)
{
    return lw_clz64(a) - (64 - bits);
}

static uint64_t ones(uint64_t a)
{
    uint64_t n = 0;
    for (; a; a &= a - 1)
        n++;
    return n;
}

/* The position of the highest bit that differs from the sign; .shiftamt: its distance from the top. All ones
 * if there is none. */
static uint64_t find_top(const lw_ptx_record *r, uint64_t a)
{
    const uint64_t v = (r->src_signed && (int64_t)a < 0 ? ~a : a) & lw_ptx_mask(r->src_bits);
    const uint64_t zeros = leading_zeros(v, r->src_bits);
    if (!v)
        return UINT64_MAX;
    return lw_ptx_has(r, LW_PTX_GROUP_SHIFTAMT) ? zeros : r->src_bits - 1 - zeros;
}

/* The bit field whose position and length are the low 8 bits of `at` and `length`; beyond the top the sign is
 * repeated. */
static uint64_t extract(const lw_ptx_record *r, uint64_t a, uint64_t at, uint64_t length)
{
    const unsigned msb = r->src_bits - 1u, pos = (unsigned)at & 255, len = (unsigned)length & 255;
    const unsigned last = pos + len - 1 < msb ? pos + len - 1 : msb;
    const bool sign = r->src_signed && len && (a >> last & 1);
    uint64_t v = 0;
    for (unsigned i = 0; i <= msb; i++) {
        const bool inside = i < len && pos + i <= msb;
        v |= (uint64_t)(inside ? a >> (pos + i) & 1 : sign) << i;
    }
    return v;
}

static uint64_t insert(const lw_ptx_record *r, const uint64_t *in)
{
    const unsigned pos = (unsigned)in[2] & 255, len = (unsigned)in[3] & 255;
    uint64_t v = in[1];
    for (unsigned i = 0; i < len && pos + i < r->src_bits; i++)
        v = (v & ~(UINT64_C(1) << (pos + i))) | (in[0] >> i & 1) << (pos + i);
    return v;
}

/* `len` ones, starting at bit `at`. */
static uint64_t bit_mask(const lw_ptx_record *r, uint64_t at, uint64_t len)
{
    const bool wrap = r->word == LW_PTX_WORD_WRAP;
    const uint64_t from = wrap ? at & 31 : at < 32 ? at : 32, n = wrap ? len & 31 : len < 32 ? len : 32;
    return ((UINT64_C(1) << n) - 1) << from;
}

/* The low n bits, sign-extended for signed types. */
static uint64_t sign_or_zero(const lw_ptx_record *r, uint64_t a, uint64_t n)
{
    const uint64_t len = r->word == LW_PTX_WORD_WRAP ? n & 31 : n < 32 ? n : 32;
    return len ? lw_ptx_extend(a, (unsigned)len, r->src_signed) : 0;
}

/* The n-th set bit from `base` upwards (downwards if n is negative); for n = 0, `base` itself if that bit is
 * set. */
static uint64_t find_nth(uint64_t mask, uint64_t base, uint64_t offset)
{
    const int32_t n = (int32_t)(uint32_t)offset, step = n < 0 ? -1 : 1;
    int32_t left = n < 0 ? -n : n;
    if (base > 31 || (n == 0 && !(mask >> base & 1)))
        return UINT32_MAX;
    if (n == 0)
        return base;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) && --left == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}

/* ---- prmt: nibbles select bytes of b:a; bit 3 replicates the byte's sign. Modes define the nibbles. ---- */

static uint32_t selectors(uint8_t word, uint64_t c)
{
    static const uint16_t modes[LW_PTX_WORD_COUNT][4] = {
        [LW_PTX_WORD_F4E] = { 0x3210, 0x4321, 0x5432, 0x6543 },
        [LW_PTX_WORD_B4E] = { 0x5670, 0x6701, 0x7012, 0x0123 },
        [LW_PTX_WORD_RC8] = { 0x0000, 0x1111, 0x2222, 0x3333 },
        [LW_PTX_WORD_ECL] = { 0x3210, 0x3211, 0x3222, 0x3333 },
        [LW_PTX_WORD_ECR] = { 0x0000, 0x1110, 0x2210, 0x3210 },
        [LW_PTX_WORD_RC16] = { 0x1010, 0x3232, 0x1010, 0x3232 },
    };
    return word ? modes[word][c & 3] : (uint32_t)c;
}

static uint64_t permute(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t bytes = b << 32 | a;
    const uint32_t nibbles = selectors(r->word, c);
    uint64_t v = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned nibble = nibbles >> 4 * i & 15;
        uint64_t byte = bytes >> 8 * (nibble & 7) & 255;
        if (nibble & 8)
            byte = byte >> 7 ? 255 : 0;
        v |= byte << 8 * i;
    }
    return v;
}

/* Any function of three bits: bit number a*4 + b*2 + c of its table. */
static uint64_t table(uint64_t a, uint64_t b, uint64_t c, uint64_t lut)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 32; i++)
        v |= (lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return v;
}

/* The sum of c and four products of bytes, or two products of a half of a with a byte of b. */
static uint64_t dot4(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    for (unsigned i = 0; i < 4; i++)
        c += lw_ptx_extend(a >> 8 * i, 8, r->dst_signed) * lw_ptx_extend(b >> 8 * i, 8, r->src_signed);
    return c;
}

static uint64_t dot2(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    b >>= r->word == LW_PTX_WORD_HI ? 16 : 0;
    for (unsigned i = 0; i < 2; i++)
        c += lw_ptx_extend(a >> 16 * i, 16, r->dst_signed) * lw_ptx_extend(b >> 8 * i, 8, r->src_signed);
    return c;
}

/* cvt.sat: the closest value of the result's type. */
static uint64_t narrow(const lw_ptx_record *r, uint64_t a)
{
    const uint64_t most = lw_ptx_mask(r->dst_bits) >> r->dst_signed;
    if (!r->sat)
        return a;
    if (r->src_signed && (int64_t)a < 0) {
        const int64_t least = r->dst_signed ? -(int64_t)most - 1 : 0;
        return (int64_t)a < least ? (uint64_t)least : a;
    }
    return a > most ? most : a;
}

/* A signed number, limited to a type's range. */
static uint64_t limited(const lw_ptx_type_info *to, uint64_t a)
{
    const bool is_signed = to->format == LW_FORMAT_I4 || to->kind == LW_PTX_CLASS_SIGNED;
    const int64_t most = (int64_t)(lw_ptx_mask(to->bits) >> is_signed), least = is_signed ? -most - 1 : 0;
    const int64_t v = (int64_t)a;
    return (uint64_t)(v > most ? most : v < least ? least : v) & lw_ptx_mask(to->bits);
}

/* cvt.pack: a above b; above both, the bits of c. */
static uint64_t packed(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    const lw_ptx_type_info *to = &lw_ptx_types[r->type];
    const uint64_t two = limited(to, a) << to->bits | limited(to, b);
    return r->src_count > 2 ? c << 2 * to->bits | two : two;
}

LW_PTX_LANE(abs_int, (int64_t)a < 0 ? 0 - a : a)
LW_PTX_LANE(add_int, saturate(r, a + b))
LW_PTX_LANE(sub_int, saturate(r, a - b))
LW_PTX_LANE(mul_int, product(r, a, b))
LW_PTX_LANE(mad_int, product(r, a, b) + c)
LW_PTX_LANE(mad_sat, saturated_mad(r, a, b, c))
LW_PTX_LANE(mul24, product24(r, a, b))
LW_PTX_LANE(mad24, product24(r, a, b) + c)
LW_PTX_LANE(mad24_sat, saturate(r, lw_ptx_extend(product24(r, a, b), 32, true) + c))
LW_PTX_LANE(div_int, quotient(r, a, b))
LW_PTX_LANE(rem, remainder_of(r, a, b))
LW_PTX_LANE(sad, (less(r, a, b) ? b - a : a - b) + c)
LW_PTX_LANE(min_int, less(r, b, a) ? b : a)
LW_PTX_LANE(max_int, less(r, a, b) ? b : a)
LW_PTX_LANE(min_relu, not_negative(r, less(r, b, a) ? b : a))
LW_PTX_LANE(max_relu, not_negative(r, less(r, a, b) ? b : a))
LW_PTX_LANE(neg_int, 0 - a)
LW_PTX_LANE(and, a &b)
LW_PTX_LANE(or, a | b)
LW_PTX_LANE(xor, a ^ b)
LW_PTX_LANE(not, ~a)
LW_PTX_LANE(cnot, a == 0)
LW_PTX_LANE(shl, shift_left(r, a, b))
LW_PTX_LANE(shr, shift_right(r, a, b))
LW_PTX_LANE(shf, funnel(r, a, b, c))
LW_PTX_LANE(brev, reverse(a, r->src_bits))
LW_PTX_LANE(clz, leading_zeros(a, r->src_bits))
LW_PTX_LANE(popc, ones(a))
LW_PTX_LANE(bfind, find_top(r, a))
LW_PTX_LANE(bfe, extract(r, a, b, c))
LW_PTX_LANE(bfi, insert(r, in))
LW_PTX_LANE(bmsk, bit_mask(r, a, b))
LW_PTX_LANE(szext, sign_or_zero(r, a, b))
LW_PTX_LANE(fns, find_nth(a, b, c))
LW_PTX_LANE(prmt, permute(r, a, b, c))
LW_PTX_LANE(lop3, table(a, b, c, d))
LW_PTX_LANE(dp4a, dot4(r, a, b, c))
LW_PTX_LANE(dp2a, dot2(r, a, b, c))
LW_PTX_LANE(cvt_int, narrow(r, a))
LW_PTX_LANE(cvt_pack, packed(r, a, b, c))
LW_PTX_LANE(createpolicy, 0)
LW_PTX_LANE(selp, c & 1 ? a : b)

/* The result; for p, the row's operation on "the result is not zero" and the last source. */
static lw_ptx_step lop3_with(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[5];
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < 5; i++)
            in[i] = lw_ptx_get(w, &r->src[i], lane);
        const uint64_t v = table(in[0], in[1], in[2], in[3]);
        const bool some = v != 0, with = in[4] & 1;
        lw_ptx_put(w, &r->dst[0], lane, v);
        if (r->dst_count > 1)
            lw_ptx_put(w, &r->dst[1], lane, r->boolean == LW_PTX_WORD_AND ? some && with : some || with);
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_lop3_with = { .exec = lop3_with };

/* ---- The carry flag: one bit per lane, set by the instructions with .cc ---- */

/* a + b or, with `borrow`, a - b; `in`: the mnemonic uses the flag. */
static lw_ptx_step chain(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, bool in, bool borrow)
{
    const uint64_t mask = lw_ptx_mask(r->dst_bits);
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        uint64_t v[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        for (unsigned i = 0; i < r->src_count; i++)
            v[i] = lw_ptx_get(w, &r->src[i], lane);
        const bool three = r->src_count == 3;
        const uint64_t x = (three ? product(r, v[0], v[1]) : v[0]) & mask, y = v[three ? 2 : 1] & mask;
        const uint64_t carry = in && (w->carry >> lane & 1);
        const uint64_t sum = (borrow ? x - y - carry : x + y + carry) & mask;
        const bool out = borrow ? x < y || (carry && x == y) : sum < x || (carry && sum == x);
        lw_ptx_put(w, &r->dst[0], lane, lw_ptx_extend(sum, r->dst_bits, r->dst_signed));
        if (lw_ptx_has(r, LW_PTX_GROUP_CARRY))
            w->carry = (w->carry & ~(UINT32_C(1) << lane)) | (uint32_t)out << lane;
    }
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step begin_sum(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return chain(w, r, lanes, false, false);
}

static lw_ptx_step go_on_sum(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return chain(w, r, lanes, true, false);
}

static lw_ptx_step begin_difference(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return chain(w, r, lanes, false, true);
}

static lw_ptx_step go_on_difference(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return chain(w, r, lanes, true, true);
}

const lw_ptx_handler lw_ptx_sem_add_cc = { .exec = begin_sum };
const lw_ptx_handler lw_ptx_sem_addc = { .exec = go_on_sum };
const lw_ptx_handler lw_ptx_sem_sub_cc = { .exec = begin_difference };
const lw_ptx_handler lw_ptx_sem_subc = { .exec = go_on_difference };
const lw_ptx_handler lw_ptx_sem_mad_cc = { .exec = begin_sum };
const lw_ptx_handler lw_ptx_sem_madc = { .exec = go_on_sum };

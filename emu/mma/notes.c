/* SPDX-License-Identifier: MIT */
/*
 * Execution that records which aspects are touched, for callers who accumulate them over many executions.
 * lw_mma_touched finds the aspects in a tile, number by number; here they are found in the kernel's operands,
 * a vector at a time, and only while there may be new ones.
 */
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/panels.h"
#include "emu/mma/prepared.h"

enum {
    SUBNORMAL = 1 << LW_MMA_SUBNORMAL,
    ZERO_SIGN = 1 << LW_MMA_ZERO_SIGN,
    OVERFLOW = 1 << LW_MMA_OVERFLOW,
    NAN_BITS = 1 << LW_MMA_NAN,
};
enum { INFINITE = 0x7f800000, INFINITE64 = 0x7ff00000 };

static bool is_int(const lw_mma *mma)
{
    return mma->recipe.unit.kind == LW_KIND_INT;
}

bool lw_mma_note_c(const lw_mma *mma, const lw_panels *panels, const lw_mma_notes *notes)
{
    const lw_mma_panels *p = mma->panels;
    const uint32_t open = ~notes->known;
    /* The sum of all products is less than 2^30 in magnitude: with such a C, the result stays in range. */
    if (is_int(mma))
        return !(open & OVERFLOW) || p->look->near_zero(panels->c, panels->c_at, p->runs);
    return !(open & (SUBNORMAL | ZERO_SIGN | OVERFLOW | NAN_BITS)) ||
           !p->look->odd(panels->c, panels->c_at, p->runs, p->planes == 2);
}

/* d = c + s with |s| < 2^30: did a sum leave the range, whether it wrapped or was clamped? */
static bool sums_left(const lw_mma *mma, const lw_panels *panels)
{
    const lw_mma_panels *p = mma->panels;
    if (!mma->saturate)
        return p->look->wrapped(panels, p->runs);
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const uint32_t d = panels->d[panels->d_at[run] + t];
            if (d == INT32_MAX || d == UINT32_C(0x80000000))
                return true;
        }
    return false;
}

/* Does a side have an infinity? For 64 bits, low and high words of a string alternate. */
static bool side_infinite(const lw_format *f, const uint32_t *image, unsigned words, unsigned stride)
{
    if (f->top != LW_TOP_IEEE)
        return false;
    if (f->bits == 64) {
        for (unsigned w = 0; w < words; w += 2)
            for (unsigned i = w * stride; i < (w + 1) * stride; i++)
                if (!image[i] && (image[i + stride] & INT32_MAX) == INFINITE64)
                    return true;
        return false;
    }
    const uint32_t infinity = ((UINT32_C(1) << f->exp_bits) - 1) << f->frac_bits;
    for (unsigned i = 0; i < words * stride; i++)
        for (unsigned at = 0; at < 32; at += f->bits)
            if ((image[i] >> at & UINT32_MAX >> (33 - f->bits)) == infinity)
                return true;
    return false;
}

typedef struct tops {
    bool infinity, nan;
} tops;

static tops tops_of(const uint32_t *words, const uint16_t *at, unsigned runs, unsigned planes)
{
    const uint32_t infinity = planes == 2 ? INFINITE64 : INFINITE;
    tops found = { false, false };
    for (unsigned run = 0; run < runs; run += planes)
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const uint32_t low = planes == 2 ? words[at[run] + t] : 0,
                           size = words[at[run + planes - 1] + t] & INT32_MAX;
            found.infinity |= size == infinity && !low;
            found.nan |= size > infinity || (size == infinity && low);
        }
    return found;
}

static bool any_infinite(const lw_mma *mma, const lw_panels *panels, unsigned c_runs,
                         const lw_mma_notes *notes)
{
    const lw_mma_panels *p = mma->panels;
    const lw_panel_shape *s = &p->shape;
    return side_infinite(s->s, panels->s, (unsigned)s->blocks * s->s_words, s->s_stride) ||
           side_infinite(s->v, panels->v, (unsigned)s->blocks * s->v_words, s->v_count) ||
           (!notes->c_is_gone && tops_of(panels->c, panels->c_at, c_runs, p->planes).infinity);
}

/* D has infinities or NaNs. */
static uint32_t top_aspects(const lw_mma *mma, const lw_panels *panels, unsigned c_runs,
                            const lw_mma_notes *notes)
{
    const tops d = tops_of(panels->d, panels->d_at, mma->panels->runs, mma->panels->planes);
    const bool over = d.infinity && !(notes->known & OVERFLOW) && !any_infinite(mma, panels, c_runs, notes);
    return (d.nan ? NAN_BITS : 0u) | (over ? OVERFLOW : 0u);
}

/* Which kinds D's zeros, subnormal numbers, infinities and NaNs are: bits of LW_SEEN_. */
static unsigned odd_results(const lw_mma *mma, const lw_panels *panels, const lw_mma_notes *notes)
{
    static const uint32_t no_zero[LW_PANEL] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint16_t there[LW_PANEL_RUNS] = { 0 };
    lw_panels p = *panels;
    if (notes->c_is_gone) {
        p.c = no_zero;
        p.c_at = there;
    }
    return mma->panels->look->zeros(&mma->panels->shape, &p);
}

bool lw_mma_note_quiet(const lw_mma *mma, const lw_mma_notes *notes, uint32_t *kept, lw_panel_quiet *quiet)
{
    const bool known = notes->known & SUBNORMAL;
    quiet->padded = notes->c_is_gone ? LW_PADDED_NOT : (lw_panel_padded)notes->expects_zeros;
    quiet->kept = kept;
    quiet->c = known || notes->c_is_gone;
    quiet->sides = known || notes->sides_normal;
    quiet->d = quiet->by_flag = false;
    return !is_int(mma) && (~notes->known & (SUBNORMAL | ZERO_SIGN | OVERFLOW | NAN_BITS)) != 0;
}

/* What remains to be looked for: bits of LW_SEEN_. */
static unsigned wanted_of(const lw_mma_notes *notes, const lw_panel_quiet *quiet)
{
    const uint32_t open = ~notes->known;
    return (open & SUBNORMAL && !notes->sides_normal && !quiet->sides ? LW_SEEN_SIDES : 0u) |
           (open & SUBNORMAL && !notes->c_is_gone && !quiet->c ? LW_SEEN_C : 0u) |
           (open & (SUBNORMAL | ZERO_SIGN) && !quiet->d ? LW_SEEN_LOW : 0u) |
           (open & (OVERFLOW | NAN_BITS) && !quiet->d ? LW_SEEN_TOP : 0u);
}

/* Tiles with zeros, such as padded ones, tend to follow each other. */
static unsigned seen_of(const lw_mma *mma, const lw_panels *panels, unsigned c_runs, unsigned wanted,
                        lw_mma_notes *notes)
{
    enum { RESULTS = LW_SEEN_LOW | LW_SEEN_TOP };
    const lw_mma_panels *p = mma->panels;
    const bool zeros = notes->expects_zeros && !notes->c_is_gone && (wanted & LW_SEEN_LOW);
    const unsigned first = zeros ? wanted & ~(unsigned)RESULTS : wanted;
    const unsigned seen = first ? p->look->first(&p->shape, panels, p->runs, c_runs, first) : 0;
    notes->expects_zeros = LW_PADDED_NOT;
    if (!zeros && !(seen & LW_SEEN_LOW))
        return seen;
    const unsigned odd = odd_results(mma, panels, notes);
    notes->expects_zeros = odd & LW_SEEN_LOW ? LW_PADDED_LANES : LW_PADDED_NOT;
    return (seen & ~(unsigned)RESULTS) | (odd & ~(unsigned)LW_SEEN_LOW);
}

static void note_int(const lw_mma *mma, const lw_panels *panels, unsigned c_runs, lw_mma_notes *notes)
{
    if (!(notes->known & OVERFLOW) && !notes->c_is_gone &&
        !mma->panels->look->near_zero(panels->c, panels->c_at, c_runs) && sums_left(mma, panels))
        notes->touched |= OVERFLOW;
}

void lw_mma_note_d(const lw_mma *mma, const lw_panels *panels, unsigned c_runs, lw_mma_notes *notes)
{
    const lw_mma_panels *p = mma->panels;
    notes->touched |= 1u << LW_MMA_FINITE;
    if (is_int(mma)) {
        note_int(mma, panels, c_runs, notes);
        return;
    }
    if (!panels->quiet)
        return;
    const unsigned wanted = wanted_of(notes, panels->quiet);
    const unsigned seen = wanted ? seen_of(mma, panels, c_runs, wanted, notes) : 0;
    if (panels->quiet->d)
        notes->expects_zeros = (uint8_t)panels->quiet->padded;
    if (seen & (LW_SEEN_SIDES | LW_SEEN_C | LW_SEEN_SUBNORMAL))
        notes->touched |= SUBNORMAL;
    if (seen & LW_SEEN_ODD_ZERO)
        notes->touched |= ZERO_SIGN;
    if (seen & LW_SEEN_TOP)
        notes->touched |= top_aspects(mma, panels, c_runs, notes);
    /* Whether units that may ignore C ignore an infinite one is open; it makes D an infinity or a NaN. */
    if (mma->recipe.unit.drop && (seen & LW_SEEN_TOP) && !notes->c_is_gone &&
        tops_of(panels->c, panels->c_at, c_runs, p->planes).infinity)
        notes->touched |= NAN_BITS;
}

/* ---- PTX: fused floats and integers, whose aspects D alone tells, or C and D, where nothing is odd ---- */

enum { MOST_WORDS = 512 }; /* of C and D */

static bool is_fused(const lw_mma *mma)
{
    return mma->recipe.unit.kind == LW_KIND_FUSED || mma->recipe.unit.kind == LW_KIND_FUSED_SCALED;
}

/* Whether C and D are registers that their elements fill completely, separate from A and B. */
static bool tells_quickly(const lw_mma *mma, const lw_mma_registers *r)
{
    const lw_mma_panels *p = mma->panels;
    if (!p || !lw_mma_is_ptx(mma) || !(is_fused(mma) || is_int(mma)) || !r->a || !r->b || !r->c || !r->d)
        return false;
    const unsigned words = lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_D, &mma->mods) * mma->wave;
    return p->d_words == words && words <= MOST_WORDS && mma->c->bits == mma->d->bits && mma->d->bits <= 32 &&
           lw_mma_apart(r->a, p->a_words, r->d, words) && lw_mma_apart(r->b, p->b_words, r->d, words) &&
           (!r->index || lw_mma_apart(r->index, p->index_words, r->d, words)) &&
           (!r->scale_a || lw_mma_apart(r->scale_a, p->scale_a_words, r->d, words)) &&
           (!r->scale_b || lw_mma_apart(r->scale_b, p->scale_b_words, r->d, words));
}

/* Whether D contains a zero, a subnormal number, an infinity or a NaN. These have a magnitude below the least
 * normal number, or at least that of infinity. */
static bool odd_words(const uint32_t *d, unsigned words)
{
    uint32_t odd = 0;
    for (unsigned i = 0; i < words; i++)
        odd |= (uint32_t)((d[i] & INT32_MAX) - 0x00800000u >= INFINITE - 0x00800000u);
    return odd != 0;
}

static bool odd_halves(const uint32_t *d, unsigned words)
{
    enum { LEAST = 0x400, TOP = 0x7c00, MAGNITUDE = 0x7fff };
    uint32_t odd = 0;
    for (unsigned i = 0; i < words; i++) {
        const uint16_t low = (uint16_t)((d[i] & MAGNITUDE) - LEAST),
                       high = (uint16_t)((d[i] >> 16 & MAGNITUDE) - LEAST);
        odd |= (uint32_t)(low >= TOP - LEAST) | (uint32_t)(high >= TOP - LEAST);
    }
    return odd != 0;
}

/* Sums of integers: whether a C is close enough to the ends of the range to overflow. At most 256 products of
 * 8 bits are added.
 */
static bool odd_sums(const uint32_t *c, unsigned words)
{
    enum { MOST = 256 * 255 * 255 };
    uint32_t odd = 0;
    for (unsigned i = 0; i < words; i++)
        odd |= (uint32_t)(c[i] + (UINT32_C(1) << 31) - MOST >= UINT32_MAX - 2u * MOST);
    return odd != 0;
}

static bool is_odd(const lw_mma *mma, const uint32_t *c, const uint32_t *d)
{
    const unsigned words = mma->panels->d_words;
    return is_int(mma) ? odd_sums(c, words) : mma->d->bits == 16 ? odd_halves(d, words) : odd_words(d, words);
}

/* Adds what these operands and this D touch, looked at one by one. */
static void add_touched(const lw_mma *mma, const lw_mma_registers *r, uint32_t *touched)
{
    lw_mma_tile tile;
    uint32_t d[LW_TILE_CD_WORDS];
    if (lw_mma_tile_from_registers(mma, r, &tile) != LW_OK)
        return;
    lw_mma_port_read(&mma->port[LW_OPERAND_D], r->d, d);
    *touched |= lw_mma_touched(mma, &tile, d);
}

static lw_status execute_quickly(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched)
{
    enum { ALL = SUBNORMAL | ZERO_SIGN | OVERFLOW | NAN_BITS };
    const bool known = (*touched & (is_int(mma) ? OVERFLOW : ALL)) == (is_int(mma) ? OVERFLOW : ALL);
    lw_mma_registers before = *regs;
    uint32_t c[MOST_WORDS];
    if (!known)
        memcpy(c, regs->c, mma->panels->d_words * sizeof(*c));
    before.c = c;
    const lw_status status = lw_mma_execute_registers(mma, regs, NULL);
    if (status != LW_OK)
        return status;
    *touched |= 1u << LW_MMA_FINITE;
    if (!known && is_odd(mma, c, regs->d))
        add_touched(mma, &before, touched);
    return LW_OK;
}

static lw_status execute_watched(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_notes *notes,
                                 uint32_t *touched)
{
    if (regs->a && regs->b && regs->d && mma->panels && mma->panels->look && !(regs->mode & mma->mode_mask) &&
        lw_mma_panels_run(mma, regs, notes)) {
        *touched |= notes->touched;
        return LW_OK;
    }
    if (tells_quickly(mma, regs))
        return execute_quickly(mma, regs, touched);
    uint32_t set = 0;
    const lw_status status = lw_mma_execute_registers(mma, regs, &set);
    if (status == LW_OK)
        *touched |= set;
    return status;
}

lw_status lw_mma_execute_noting(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_use *use)
{
    uint32_t open = 0; /* before D overwrites C */
    const bool looks = lw_mma_looks_deep(mma, use->open),
               deep = looks && lw_mma_may_be_open(mma, regs, use->open);
    if (deep && lw_mma_open_registers(mma, regs, &open) == LW_OK)
        use->open |= open;
    lw_mma_notes notes = { .known = use->touched,
                           .sides_normal = looks && !deep,
                           .expects_zeros = use->expects_zeros };
    const lw_status status = execute_watched(mma, regs, &notes, &use->touched);
    use->expects_zeros = notes.expects_zeros;
    return status;
}

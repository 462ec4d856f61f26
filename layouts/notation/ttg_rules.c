/* SPDX-License-Identifier: MIT */
/* What Triton's attributes mean: the linear layout of each for a tensor of a given shape. A layout is built
 * by assigning the next bit of register, lane or warp to the next bit of a coordinate, again and again. */
#include <string.h>

#include "layouts/notation/linear.h"

enum { REGISTER = LW_LINEAR_REGISTER, LANE = LW_LINEAR_LANE, WARP = LW_LINEAR_WARP };

/* A layout under construction. */
typedef struct build {
    lw_reader *r;
    const lw_ttg *a;
    lw_linear *l;
    uint32_t reach[LW_TV_MOST_AXES]; /* extent of each coordinate so far: the vector of its next bit */
} build;

static bool is_power(uint32_t n)
{
    return n && !(n & (n - 1));
}

static bool fail(build *b, const char *what)
{
    b->r->at = b->a->at;
    return lw_reader_fail(b->r, "%s", what);
}

/* `n` more places of an input, along a coordinate. */
static bool grow(build *b, unsigned input, unsigned axis, uint32_t n)
{
    if (!is_power(n))
        return fail(b, "the sizes of this attribute are not all powers of two");
    for (; n > 1; n /= 2) {
        if (b->l->bits[input] == LW_LINEAR_BITS || b->reach[axis] > LW_MOST_NUMBER)
            return fail(b, "the layout of this attribute is too large");
        b->l->vector[input][b->l->bits[input]++][axis] = b->reach[axis];
        b->reach[axis] *= 2;
    }
    return true;
}

/* `n` places of an input that hold copies. */
static bool repeat(build *b, unsigned input, uint32_t n)
{
    if (!is_power(n))
        return fail(b, "the sizes of this attribute are not all powers of two");
    for (; n > 1; n /= 2)
        if (b->l->bits[input] == LW_LINEAR_BITS)
            return fail(b, "the layout of this attribute is too large");
        else
            b->l->bits[input]++;
    return true;
}

/* Bits beyond the shape become copies; missing ones are added as registers. */
static bool fit_shape(build *b, const uint32_t *shape, const uint32_t *order)
{
    lw_linear *l = b->l;
    for (unsigned input = 0; input < LW_LINEAR_INPUTS; input++)
        for (unsigned bit = 0; bit < l->bits[input]; bit++)
            for (unsigned d = 0; d < l->axes; d++)
                if (l->vector[input][bit][d] >= shape[d])
                    l->vector[input][bit][d] = 0;
    for (unsigned i = 0; i < l->axes; i++) {
        const unsigned d = order[i];
        if (b->reach[d] < shape[d] && !grow(b, REGISTER, d, shape[d] / b->reach[d]))
            return false;
    }
    return true;
}

static bool is_order(const lw_ttg_list *order)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < order->count; i++)
        seen |= order->n[i] < order->count ? 1u << order->n[i] : 0;
    return seen == (1u << order->count) - 1;
}

static bool check_blocked(build *b, const lw_ttg *a)
{
    const unsigned rank = b->l->axes;
    if (a->size.count != rank || a->threads.count != rank || a->warps.count != rank || a->order.count != rank)
        return fail(b, "the attribute has another number of dimensions than the tensor");
    return is_order(&a->order) ||
           fail(b, "the order of this attribute is not a permutation of the dimensions");
}

static bool make_blocked(build *b, const lw_ttg *a, const uint32_t *shape)
{
    const lw_ttg_list *const sizes[] = { &a->size, &a->threads, &a->warps };
    if (!check_blocked(b, a))
        return false;
    for (unsigned input = REGISTER; input <= WARP; input++)
        for (unsigned i = 0; i < b->l->axes; i++)
            if (!grow(b, input, a->order.n[i], sizes[input]->n[a->order.n[i]]))
                return false;
    return fit_shape(b, shape, a->order.n);
}

/* An operand of a product without matrix instructions: each thread has all of k. */
static bool make_blocked_operand(build *b, const lw_ttg *blocked, unsigned k, const uint32_t *shape)
{
    if (!check_blocked(b, blocked))
        return false;
    for (unsigned input = REGISTER; input <= WARP; input++) {
        const lw_ttg_list *n = input == REGISTER ? &blocked->size
                               : input == LANE   ? &blocked->threads
                                                 : &blocked->warps;
        for (unsigned i = 0; i < b->l->axes; i++) {
            const unsigned d = blocked->order.n[i];
            const bool done = d != k              ? grow(b, input, d, n->n[d])
                              : input == REGISTER ? grow(b, input, d, shape[d])
                                                  : repeat(b, input, n->n[d]);
            if (!done)
                return false;
        }
    }
    return fit_shape(b, shape, blocked->order.n);
}

/* ---- Matrix instructions ---- */

static const uint32_t rows_first[2] = { 0, 1 }, columns_first[2] = { 1, 0 };

/* The warps of the workgroup; those along dimension `k` hold copies (2: a result, which has none). */
static bool spread_warps(build *b, const lw_ttg_list *warps, const uint32_t *order, unsigned k)
{
    if (warps->count != 2)
        return fail(b, "warpsPerCTA of this attribute is not of two dimensions");
    for (unsigned i = 0; i < 2; i++) {
        const unsigned d = order[i];
        if (!(d == k ? repeat(b, WARP, warps->n[d]) : grow(b, WARP, d, warps->n[d])))
            return false;
    }
    return true;
}

/* NVIDIA's 8 rows of 4 lanes: `inner` is the dimension along which a lane has `width` adjacent elements. */
static bool nvidia_tile(build *b, unsigned inner, uint32_t width, uint32_t inner_size, uint32_t outer_size)
{
    if (!width || inner_size % (4 * width) || outer_size % 8)
        return fail(b, "instrShape or kWidth of this attribute is of no instruction");
    return grow(b, REGISTER, inner, width) && grow(b, LANE, inner, 4) && grow(b, LANE, 1 - inner, 8) &&
           grow(b, REGISTER, 1 - inner, outer_size / 8) && grow(b, REGISTER, inner, inner_size / (4 * width));
}

static bool is_nvidia(build *b, const lw_ttg *mma)
{
    return ((mma->version == 2 || mma->version == 3) && mma->instruction.count >= 2) ||
           fail(b, "of nvidia_mma, versions 2 and 3 are read");
}

static bool make_nvidia(build *b, const lw_ttg *mma, const uint32_t *shape)
{
    const uint32_t *n = mma->instruction.n;
    return is_nvidia(b, mma) && nvidia_tile(b, 1, 2, n[1], n[0]) &&
           spread_warps(b, &mma->warps, mma->version == 3 ? rows_first : columns_first, 2) &&
           fit_shape(b, shape, columns_first);
}

static bool make_nvidia_operand(build *b, const lw_ttg *mma, unsigned k, const uint32_t *shape)
{
    const uint32_t width = b->a->k_width, *order = k ? columns_first : rows_first;
    return is_nvidia(b, mma) && nvidia_tile(b, k, width, 8 * width, k ? 16 : 8) &&
           spread_warps(b, &mma->warps, mma->version == 3 ? rows_first : columns_first, k) &&
           fit_shape(b, shape, order);
}

static bool is_amd(build *b, const lw_ttg *mma, unsigned most)
{
    return (mma->version >= 1 && mma->version <= most) ||
           fail(b, "this version of the attribute is not known");
}

/* Adjacent tiles of one warp. */
static bool add_tiles(build *b, const lw_ttg *mma, unsigned axis)
{
    return mma->tiles.count == 0 || (mma->tiles.count == 2 && grow(b, REGISTER, axis, mma->tiles.n[axis])) ||
           fail(b, "tilesPerWarp of this attribute is not of two powers of two");
}

static bool is_mfma(build *b, const lw_ttg *mma)
{
    const uint32_t m = mma->instruction.n[0], n = mma->instruction.n[1];
    return is_amd(b, mma, 4) && ((mma->instruction.count >= 2 && m * n >= 256 &&
                                  ((m == n && (m == 16 || m == 32)) || m * n == 256)) ||
                                 fail(b, "instrShape of this attribute is of no MFMA that Triton uses"));
}

static bool make_mfma(build *b, const lw_ttg *mma, const uint32_t *shape)
{
    if (!is_mfma(b, mma))
        return false;
    if (mma->instruction.n[0] == 64 && !mma->transposed)
        return fail(b, "Triton's MFMA of 64 x 4 is transposed, this one is not");
    const unsigned m = mma->transposed ? 1 : 0, n = 1 - m;
    const uint32_t rows = mma->instruction.n[m], cols = mma->instruction.n[n];
    const uint32_t run = mma->element_bits == 64 ? 1 : 4;
    const uint32_t deep = 64 / cols; /* groups of lanes along m */
    if (!grow(b, REGISTER, m, run) || !grow(b, LANE, n, cols) || !grow(b, LANE, m, deep) ||
        !grow(b, REGISTER, m, rows / (run * deep)))
        return false;
    if (mma->warps.count != 2)
        return fail(b, "warpsPerCTA of this attribute is not of two dimensions");
    for (unsigned i = 0; i < 2; i++) {
        const unsigned d = columns_first[i];
        if (!add_tiles(b, mma, d) || !grow(b, WARP, d, mma->warps.n[d]) ||
            (b->reach[d] < shape[d] && !grow(b, REGISTER, d, shape[d] / b->reach[d])))
            return false;
    }
    return fit_shape(b, shape, columns_first);
}

static bool make_mfma_operand(build *b, const lw_ttg *mma, unsigned k, const uint32_t *shape)
{
    if (!is_mfma(b, mma))
        return false;
    const unsigned other = 1 - k;
    const uint32_t size = mma->instruction.n[other], width = b->a->k_width;
    const uint32_t least = size < mma->instruction.n[k] ? size : mma->instruction.n[k];
    const uint32_t groups = 64 / least, depth = groups * width; /* along k, in lanes or registers */
    return width && grow(b, REGISTER, k, width) && grow(b, LANE, other, size) &&
           grow(b, LANE, k, 64 / size) && grow(b, REGISTER, k, groups / (64 / size)) &&
           (shape[k] <= depth || grow(b, REGISTER, k, shape[k] / depth)) && add_tiles(b, mma, other) &&
           spread_warps(b, &mma->warps, columns_first, k) &&
           fit_shape(b, shape, k ? columns_first : rows_first);
}

/* ctaLayout counts tiles of the instruction; it does not extend along `k` (2: a result, which has no k). */
static bool spread_tiles(build *b, const lw_ttg *mma, unsigned k)
{
    const lw_linear *tiles = &mma->linear;
    uint32_t size[2] = { b->reach[0], b->reach[1] };
    for (unsigned input = REGISTER; input <= WARP; input += WARP - REGISTER)
        for (unsigned bit = 0; bit < tiles->bits[input]; bit++) {
            const uint32_t *v = tiles->vector[input][bit];
            for (unsigned d = 0; d < 2; d++)
                if ((v[d] && !is_power(v[d])) || v[d] > 4096)
                    return fail(b, "ctaLayout of this attribute has a number that is not a power of two");
            if (k < 2 && v[k] && !v[1 - k] && input == REGISTER)
                continue;
            if (b->l->bits[input] == LW_LINEAR_BITS)
                return fail(b, "the layout of this attribute is too large");
            uint32_t *to = b->l->vector[input][b->l->bits[input]++];
            for (unsigned d = 0; d < 2; d++) {
                to[d] = d == k ? 0 : v[d] * size[d];
                b->reach[d] = 2 * to[d] > b->reach[d] ? 2 * to[d] : b->reach[d];
            }
        }
    return true;
}

static bool is_wmma(build *b, const lw_ttg *mma)
{
    const lw_ttg_list *shape = &mma->instruction;
    return is_amd(b, mma, 3) &&
           (shape->count == 0 ||
            (shape->count == 3 && (shape->n[0] == 16 || (shape->n[0] == 32 && mma->version == 3)) &&
             shape->n[1] == 16) ||
            fail(b, "of amd_wmma, instructions of 16 x 16 are read, and in version 3 of 32 x 16"));
}

/* How many blocks of 16 rows the instruction has. */
static uint32_t halves(const lw_ttg *mma)
{
    return mma->instruction.count == 3 ? mma->instruction.n[0] / 16 : 1;
}

static bool make_wmma(build *b, const lw_ttg *mma, const uint32_t *shape)
{
    const unsigned m = mma->transposed ? 1 : 0, n = 1 - m;
    if (!is_wmma(b, mma))
        return false;
    const bool tile = mma->version == 1
                          ? grow(b, LANE, n, 16) && grow(b, LANE, m, 2) && grow(b, REGISTER, m, 8)
                          : grow(b, REGISTER, m, 8) && grow(b, LANE, n, 16) && grow(b, LANE, m, 2);
    return tile && grow(b, REGISTER, m, halves(mma)) && spread_tiles(b, mma, 2) &&
           fit_shape(b, shape, columns_first);
}

static bool make_wmma_operand(build *b, const lw_ttg *mma, unsigned k, const uint32_t *shape)
{
    const uint32_t width = b->a->k_width, groups = mma->version == 1 ? 1 : 2;
    const uint32_t deep = mma->instruction.count == 3 ? mma->instruction.n[2] : 16;
    if (!is_wmma(b, mma))
        return false;
    if (deep > 256 || (deep > groups * width && deep % (groups * width)))
        return fail(b, "instrShape of this attribute is of no WMMA that Triton uses");
    return grow(b, REGISTER, k, width) && grow(b, LANE, 1 - k, 16) &&
           (groups == 1 ? repeat(b, LANE, 2) : grow(b, LANE, k, 2)) &&
           (deep <= groups * width || grow(b, REGISTER, k, deep / (groups * width))) &&
           (b->a->operand != mma->transposed || grow(b, REGISTER, 1 - k, halves(mma))) &&
           spread_tiles(b, mma, k) && fit_shape(b, shape, k ? columns_first : rows_first);
}

static bool make_operand(build *b, const lw_ttg *a, const uint32_t *shape)
{
    const lw_ttg *parent = a->parent;
    typedef bool operand_rule(build * b, const lw_ttg *mma, unsigned k, const uint32_t *shape);
    static operand_rule *const operands[] = { [LW_TTG_BLOCKED] = make_blocked_operand,
                                              [LW_TTG_NVIDIA_MMA] = make_nvidia_operand,
                                              [LW_TTG_AMD_MFMA] = make_mfma_operand,
                                              [LW_TTG_AMD_WMMA] = make_wmma_operand,
                                              [LW_TTG_LINEAR] = NULL };
    if (b->l->axes != 2)
        return fail(b, "an operand of a product is read for tensors of two dimensions only");
    if (a->operand > 1)
        return fail(b, "opIdx of this attribute is neither 0 nor 1");
    if (!operands[parent->kind])
        return fail(b, "the parent of this attribute is not the layout of a matrix product");
    if (parent->kind != LW_TTG_BLOCKED && (!a->has_k_width || !is_power(a->k_width)))
        return fail(b, "kWidth of this attribute is missing or no power of two");
    return operands[parent->kind](b, parent, a->operand == 0 ? 1 : 0, shape);
}

/* The parent's layout, of a tensor of size 1 along `dim`; registers that hold the same element are merged. */
static bool make_slice(build *b, const lw_ttg *a, const uint32_t *shape)
{
    const unsigned rank = b->l->axes;
    uint32_t wider[LW_TV_MOST_AXES];
    if (rank + 1 > LW_TV_MOST_AXES || a->dim > rank)
        return fail(b, "dim of this attribute is not a dimension of its parent, or there are too many");
    for (unsigned d = 0; d <= rank; d++)
        wider[d] = d < a->dim ? shape[d] : d == a->dim ? 1 : shape[d - 1];
    lw_linear whole = { .axes = rank + 1 };
    if (!lw_linear_from_attribute(b->r, a->parent, wider, &whole))
        return false;
    for (unsigned input = 0; input < LW_LINEAR_INPUTS; input++)
        for (unsigned bit = 0; bit < whole.bits[input]; bit++) {
            uint32_t kept[LW_TV_MOST_AXES] = { 0 }, any = 0;
            for (unsigned d = 0; d < rank; d++)
                any |= kept[d] = whole.vector[input][bit][d < a->dim ? d : d + 1];
            if (any || input != REGISTER)
                memcpy(b->l->vector[input][b->l->bits[input]++], kept, sizeof(kept));
        }
    return true;
}

/* The dimensions in the order in which registers move them, then the others from the last to the first. */
static void register_order(const lw_linear *l, uint32_t *order)
{
    unsigned seen = 0, count = 0;
    for (unsigned bit = 0; bit < l->bits[REGISTER]; bit++)
        for (unsigned d = 0; d < l->axes; d++)
            if (l->vector[REGISTER][bit][d] && !(seen >> d & 1)) {
                seen |= 1u << d;
                order[count++] = d;
            }
    for (unsigned d = l->axes; d-- > 0;)
        if (!(seen >> d & 1))
            order[count++] = d;
}

/* Whether the vector moves something, but nothing inside the shape. */
static bool is_outside(const uint32_t *v, const uint32_t *shape, unsigned rank)
{
    bool moves = false, inside = false;
    for (unsigned d = 0; d < rank; d++) {
        moves = moves || v[d];
        inside = inside || (v[d] && v[d] < shape[d]);
    }
    return moves && !inside;
}

/* Leaves out registers beyond the shape, which for other attributes hold copies. */
static void drop_registers(lw_linear *l, const uint32_t *shape)
{
    unsigned kept = 0;
    for (unsigned bit = 0; bit < l->bits[REGISTER]; bit++)
        if (!is_outside(l->vector[REGISTER][bit], shape, l->axes))
            memmove(l->vector[REGISTER][kept++], l->vector[REGISTER][bit], sizeof(l->vector[REGISTER][bit]));
    for (unsigned bit = kept; bit < l->bits[REGISTER]; bit++)
        memset(l->vector[REGISTER][bit], 0, sizeof(l->vector[REGISTER][bit]));
    l->bits[REGISTER] = kept;
}

static bool make_linear(build *b, const lw_ttg *a, const uint32_t *shape)
{
    const lw_linear *from = &a->linear;
    const unsigned rank = b->l->axes;
    uint32_t order[LW_TV_MOST_AXES];
    if (from->axes != rank)
        return fail(b, "the attribute has another number of dimensions than the tensor");
    *b->l = *from;
    register_order(from, order);
    for (unsigned d = 0; d < rank; d++)
        for (unsigned input = 0; input < LW_LINEAR_INPUTS; input++)
            for (unsigned bit = 0; bit < from->bits[input]; bit++)
                while (b->reach[d] <= from->vector[input][bit][d])
                    b->reach[d] *= 2;
    drop_registers(b->l, shape);
    return fit_shape(b, shape, order);
}

typedef bool rule(build *b, const lw_ttg *a, const uint32_t *shape);
static rule *const rules[] = {
    [LW_TTG_BLOCKED] = make_blocked,   [LW_TTG_SLICE] = make_slice,   [LW_TTG_DOT_OP] = make_operand,
    [LW_TTG_NVIDIA_MMA] = make_nvidia, [LW_TTG_AMD_MFMA] = make_mfma, [LW_TTG_AMD_WMMA] = make_wmma,
    [LW_TTG_LINEAR] = make_linear,
};

/* Whether every element has a place: the vectors, as numbers, must have as many independent ones as there are
 * bits. */
static bool reaches_all(const lw_linear *l, const uint32_t *shape)
{
    uint64_t kept[64] = { 0 };
    unsigned count = 0, wanted = 0;
    for (unsigned d = 0; d < l->axes; d++)
        for (uint32_t n = shape[d]; n > 1; n /= 2)
            wanted++;
    for (unsigned input = 0; input < LW_LINEAR_INPUTS; input++)
        for (unsigned bit = 0; bit < l->bits[input]; bit++) {
            uint64_t v = 0;
            for (unsigned d = 0; d < l->axes; d++)
                v = v * shape[d] + l->vector[input][bit][d];
            for (unsigned p = 64; v && p-- > 0;)
                if (v >> p & 1) {
                    count += !kept[p];
                    kept[p] = kept[p] ? kept[p] : v;
                    v ^= kept[p];
                }
        }
    return count == wanted;
}

bool lw_linear_from_attribute(lw_reader *r, const lw_ttg *a, const uint32_t *shape, lw_linear *l)
{
    build b = { .r = r, .a = a, .l = l };
    const unsigned axes = l->axes;
    *l = (lw_linear){ .axes = axes };
    for (unsigned d = 0; d < axes; d++) {
        b.reach[d] = 1;
        if (!is_power(shape[d]))
            return fail(&b, "Triton's tensors have powers of two along each dimension; the shape has not");
    }
    if (a->kind >= LW_TTG_NVIDIA_MMA && a->kind <= LW_TTG_AMD_WMMA && axes != 2)
        return fail(&b, "the result of a product is read for tensors of two dimensions only");
    return rules[a->kind](&b, a, shape) &&
           (reaches_all(l, shape) || fail(&b, "the layout of this attribute leaves out elements"));
}

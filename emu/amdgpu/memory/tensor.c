/* SPDX-License-Identifier: MIT */
/*
 * Copies of tiles of tensors between memory and LDS (gfx1250). The descriptor's fields: AMD's HIP header for
 * the tensor data mover, Triton's and LLVM's lowerings, HipKittens. What they do: AMD CDNA5 ISA manual 10.11
 * as public texts quote it (addresses, bounds, padding, gathering), one of which compared it with an MI450;
 * how repetitions move the bounds: AMD's emulator. What these leave open is refused.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/memory/lds_dma.h"

enum { GROUPS = 4, WORDS = 20, RANK = 5, CHUNK = 16, IMAGE = 2 };

/* The lane of whose accesses observers are told: a copy has none. */
enum { AS_LANE = 0 };

typedef struct tensor {
    lw_wave *w;
    lw_copy *copy;
    lw_copy_way way;
    uint64_t base;
    uint64_t lds;                   /* address of the tile */
    unsigned size;                  /* bytes of an element */
    uint32_t dim[RANK], tile[RANK]; /* what is left of the tensor from the tile on; the tile */
    uint64_t stride[RANK];          /* of a step in each dimension but the first, in elements; [0] is 1 */
    unsigned rank;
    uint32_t pad_every, pad; /* bytes; 0: no padding */
    unsigned gathered, index_bits;
    unsigned repeats;
    uint64_t step_global, step_lds;
    uint32_t cell;
    bool arrives;
    uint32_t index[16];
    uint64_t linear; /* bytes of the tile so far */
    const char *why; /* why it is refused */
} tensor;

/* `count` bits of the descriptor from bit `low` on; at most 57. */
static uint64_t field(const uint32_t *words, unsigned low, unsigned count)
{
    uint64_t v = 0;
    for (unsigned got = 0; got < count;) {
        const unsigned bit = (low + got) % 32, take = 32 - bit < count - got ? 32 - bit : count - got;
        const uint64_t part = words[(low + got) / 32] >> bit & ((UINT64_C(1) << take) - 1);
        v |= part << got;
        got += take;
    }
    return v;
}

/* The four groups one after the other; absent ones are zero. */
static void take_groups(const lw_wave *w, const lw_decoded *in, uint32_t words[WORDS])
{
    static const unsigned at[GROUPS] = { 0, 4, 12, 16 }, count[GROUPS] = { 4, 8, 4, 4 };
    memset(words, 0, WORDS * sizeof(*words));
    for (unsigned i = 0; i < GROUPS; i++)
        if (in->src[i].kind == LW_OPND_SGPR)
            memcpy(words + at[i], &w->sgpr[in->src[i].reg], count[i] * sizeof(*words));
}

static void take_shape(tensor *t, const uint32_t *g1, const uint32_t *g2, const uint32_t *g3)
{
    t->dim[0] = (uint32_t)field(g1, 48, 32);
    t->dim[1] = (uint32_t)field(g1, 80, 32);
    t->tile[0] = (uint32_t)field(g1, 112, 16);
    t->tile[1] = (uint32_t)field(g1, 128, 16);
    t->tile[2] = (uint32_t)field(g1, 144, 16);
    t->stride[0] = 1;
    t->stride[1] = field(g1, 160, 48);
    t->stride[2] = field(g1, 208, 48);
    t->dim[2] = (uint32_t)field(g2, 0, 32);
    t->dim[3] = (uint32_t)field(g2, 32, 32);
    t->stride[3] = field(g2, 64, 48);
    t->tile[3] = (uint32_t)field(g2, 112, 16);
    t->stride[4] = field(g3, 0, 48);
    t->dim[4] = (uint32_t)field(g3, 48, 32);
    t->tile[4] = (uint32_t)field(g3, 80, 16);
}

/* Groups 2 and 3 hold row numbers instead: two dimensions, and the second of the tile is their number. */
static void take_indices(tensor *t, const uint32_t *g2)
{
    const unsigned most = 256 / t->index_bits;
    t->gathered = t->tile[1];
    t->rank = 2;
    if (t->gathered == 0 || t->gathered > most)
        t->why = "it gathers no rows, or more than its indices have room for";
    for (unsigned i = 0; i < most && i < t->gathered; i++)
        t->index[i] = (uint32_t)field(g2, i * t->index_bits, t->index_bits);
}

static void take_repeats(tensor *t, const uint32_t *g2)
{
    t->repeats = (unsigned)field(g2, 112, 16) + 1;
    t->step_global = field(g2, 64, 48);
    t->step_lds = field(g2, 32, 32);
    t->tile[3] = t->tile[4] = 0;
    if (t->tile[2] > 1 || t->pad_every || !t->stride[1])
        t->why =
            "it repeats with three dimensions, padding or a stride of 0, and no source says what that does";
}

/* The highest dimension that the tile has; those below must be there, too. */
static void find_rank(tensor *t)
{
    for (unsigned d = 0; d < RANK; d++)
        t->rank = t->tile[d] ? d + 1 : t->rank;
    for (unsigned d = 0; d < t->rank; d++)
        if (!t->tile[d])
            t->why = "a dimension of its tile is 0, and a higher one is not";
}

static void take_padding(tensor *t, const uint32_t *g1)
{
    const unsigned interval = (unsigned)field(g1, 22, 3), amount = (unsigned)field(g1, 25, 7);
    if (!field(g1, 20, 1) || t->way == LW_COPY_FROM_LDS)
        return;
    t->pad_every = 8u << interval;
    t->pad = 4 * (amount + 1);
    if (!interval != !amount)
        t->why = "of its fields for padding one is 0 and the other is not, which AMD's manual leaves open";
    if (t->tile[0] * t->size % 4)
        t->why = "padding needs rows of whole dwords";
}

/* What user code must leave zero, and what no source defines. */
static const char *refused_fields(const lw_wave *w, const uint32_t *g0, const uint32_t *g1)
{
    if (field(g0, 2, 2))
        return "it has bits set that only the context switch uses";
    if (field(g0, 0, 2) > 1)
        return "its count is neither 0 nor 1";
    if (field(g0, 126, 2) != IMAGE)
        return "its type is not 2";
    if (field(g1, 0, 16) && lw_group_ranks(w->head.group) == 1)
        return "it names workgroups of a cluster, and there is none";
    return NULL;
}

static void take_descriptor(tensor *t, const uint32_t words[WORDS])
{
    const uint32_t *g0 = words, *g1 = words + 4, *g2 = words + 12, *g3 = words + 16;
    t->why = refused_fields(t->w, g0, g1);
    t->size = 1u << field(g1, 16, 2);
    t->base = field(g0, 64, 57);
    t->lds = g0[1];
    t->arrives = field(g1, 18, 1);
    t->cell = (uint32_t)field(g1, 32, 16) << 3;
    t->repeats = 1;
    take_shape(t, g1, g2, g3);
    take_padding(t, g1);
    t->index_bits = field(g0, 30, 1) ? 32 : 16;
    const bool gathers = field(g0, 31, 1), repeats = field(g1, 19, 1);
    if (gathers) {
        take_indices(t, g2);
        t->why = repeats ? "it gathers and repeats, and no source says what that does" : t->why;
        return;
    }
    if (repeats)
        take_repeats(t, g2);
    find_rank(t);
}

/* Bytes that the tile takes in LDS without padding; limited to what is certainly too much. */
static uint64_t tile_bytes(const tensor *t)
{
    uint64_t bytes = (uint64_t)t->size * t->repeats;
    for (unsigned d = 0; d < t->rank; d++)
        bytes = bytes > UINT32_MAX ? bytes : bytes * t->tile[d];
    return bytes;
}

static uint64_t padded(const tensor *t, uint64_t linear)
{
    return t->pad_every ? linear + linear / t->pad_every * t->pad : linear;
}

/* The next `bytes` of the tile, which lie at a global address or are outside the tensor. */
static bool add_run(tensor *t, uint64_t address, uint64_t bytes, bool outside)
{
    const lw_copy_way way = outside ? LW_COPY_ZEROS : t->way;
    while (bytes) {
        uint64_t n = bytes < CHUNK ? bytes : CHUNK;
        if (t->pad_every && n > t->pad_every - t->linear % t->pad_every)
            n = t->pad_every - t->linear % t->pad_every;
        const uint64_t at = t->lds + padded(t, t->linear);
        if (at + n > t->w->head.group->lds_size) {
            t->why = "its tile reaches beyond the workgroup's LDS";
            return false;
        }
        const bool skipped = outside && t->way == LW_COPY_FROM_LDS;
        if (!skipped && !lw_lds_dma_add_at(t->w, t->copy, AS_LANE, (uint32_t)at, (unsigned)n, address, way))
            return false;
        t->linear += n;
        address += n;
        bytes -= n;
    }
    return true;
}

/* A row: `first` is the coordinate of its first element; `good`: the other coordinates are in the tensor. */
static bool add_row(tensor *t, uint64_t element, uint64_t first, bool good)
{
    const uint64_t inside = !good || first >= t->dim[0] ? 0 : t->dim[0] - first;
    const uint64_t n = inside < t->tile[0] ? inside : t->tile[0];
    return add_run(t, t->base + element * t->size, n * t->size, false) &&
           add_run(t, 0, (t->tile[0] - n) * t->size, true);
}

/* Rows in the order of a list. Whether the bounds are checked is only certain if the list is sorted. */
static bool add_gathered(tensor *t)
{
    for (unsigned i = 0; i < t->gathered; i++) {
        const bool good = t->index[i] < t->dim[1];
        for (unsigned k = 1; k < t->gathered && !good; k++)
            if (t->index[k] < t->index[k - 1]) {
                t->why = "a row that it gathers is outside the tensor, and its indices are not in ascending "
                         "order: AMD's manual does not define that";
                return false;
            }
        if (!add_row(t, t->index[i] * t->stride[1], 0, good))
            return false;
    }
    return true;
}

/* One repetition, whose first element has the coordinates `from`. */
static bool add_tile(tensor *t, const uint64_t from[2])
{
    uint32_t at[RANK] = { 0 };
    for (;;) {
        uint64_t element = from[0] + from[1] * t->stride[1];
        bool good = true;
        for (unsigned d = 1; d < t->rank; d++) {
            element += at[d] * t->stride[d];
            good = good && at[d] + (d == 1 ? from[1] : 0) < t->dim[d];
        }
        if (!add_row(t, element, from[0], good))
            return false;
        unsigned d = 1;
        while (d < t->rank && ++at[d] == t->tile[d])
            at[d++] = 0;
        if (d >= t->rank)
            return true;
    }
}

static bool add_all(tensor *t)
{
    if (t->gathered)
        return add_gathered(t);
    const uint64_t lds = t->lds;
    for (unsigned i = 0; i < t->repeats; i++) {
        const uint64_t step = i * t->step_global, stride = t->stride[1] ? t->stride[1] : 1;
        const uint64_t from[2] = { t->repeats > 1 ? step % stride : 0, t->repeats > 1 ? step / stride : 0 };
        t->lds = lds + i * t->step_lds * t->size;
        t->linear = 0;
        if (!add_tile(t, from))
            return false;
    }
    return true;
}

static lw_step arrive(tensor *t)
{
    lw_copy *copy = lw_lds_dma_begin(t->w);
    if (!copy || !lw_lds_dma_add_arrival(t->w, copy, AS_LANE, t->cell))
        return lw_lds_dma_abandon(t->w, copy);
    return lw_lds_dma_arrive_later(t->w, copy);
}

static lw_step refuse(const tensor *t)
{
    if (t->copy)
        lw_lds_dma_abandon(t->w, t->copy);
    return lw_wave_fault(t->w, -1, "the descriptor cannot be followed: %s", t->why);
}

static lw_step copy_tile(lw_wave *w, const lw_decoded *in, lw_copy_way way)
{
    uint32_t words[WORDS];
    tensor t = { .w = w, .way = way };
    take_groups(w, in, words);
    if (!field(words, 0, 2)) /* a null tensor: nothing is copied, nothing arrives */
        return LW_STEP_NEXT;
    take_descriptor(&t, words);
    if (!t.why && !t.tile[0] && t.arrives)
        t.why = "its tile is empty, and no source says whether it arrives at its barrier";
    if (!t.why && tile_bytes(&t) > w->head.group->lds_size)
        t.why = "its tile is larger than the workgroup's LDS";
    if (t.why)
        return refuse(&t);
    if (!t.tile[0])
        return LW_STEP_NEXT;
    t.copy = lw_lds_dma_begin(w);
    if (t.copy)
        t.copy->kind = LW_COPY_TENSOR;
    if (!t.copy || !add_all(&t))
        return t.why ? refuse(&t) : lw_lds_dma_abandon(w, t.copy);
    const lw_step step = lw_lds_dma_issue(w, t.copy);
    return step == LW_STEP_NEXT && t.arrives ? arrive(&t) : step;
}

lw_step lw_sem_tensor_load(lw_wave *w, const lw_decoded *in)
{
    return copy_tile(w, in, LW_COPY_TO_LDS);
}

lw_step lw_sem_tensor_store(lw_wave *w, const lw_decoded *in)
{
    return copy_tile(w, in, LW_COPY_FROM_LDS);
}

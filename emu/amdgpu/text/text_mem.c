/* SPDX-License-Identifier: MIT */
/* Vector memory instructions as text. */
#include "emu/amdgpu/text/text.h"
#include "isa_tables/amdgpu/buffer_formats.h"

enum { QUAD_PERM = 0x8000, ROTATE = 0xc000, FFT = 0xe000, LANE_BITS = 5, ALL_LANES = 31 };

static bool is_power_of_2(unsigned v)
{
    return v && !(v & (v - 1));
}

/* What happens to each bit of the lane number, from the highest: forced to 0 or 1, kept or inverted. */
static void put_bitmask(lw_text *t, unsigned and, unsigned or, unsigned xor)
{
    const unsigned zero = or ^xor, ones = (and | or) ^ xor;
    lw_text_add(t, "swizzle(BITMASK_PERM,\"");
    for (int i = LANE_BITS - 1; i >= 0; i--) {
        const unsigned from0 = zero >> i & 1, from1 = ones >> i & 1;
        lw_text_put(t, "%c", from0 == from1 ? (from0 ? '1' : '0') : (from0 ? 'i' : 'p'));
    }
    lw_text_add(t, "\")");
}

static void put_masks(lw_text *t, unsigned v)
{
    const unsigned and = v & 31, or = v >> 5 & 31, xor = v >> 10 & 31, group = ALL_LANES - and+1;
    if (and == ALL_LANES && ! or &&is_power_of_2(xor))
        lw_text_put(t, "swizzle(SWAP,%u)", xor);
    else if (and == ALL_LANES && ! or &&xor&&is_power_of_2(xor+1))
        lw_text_put(t, "swizzle(REVERSE,%u)", xor+1);
    else if (group > 1 && is_power_of_2(group) && or < group && !xor)
        lw_text_put(t, "swizzle(BROADCAST,%u,%u)", group, or);
    else
        put_bitmask(t, and, or, xor);
}

static void put_swizzle(lw_text *t, unsigned v)
{
    if (!v)
        return;
    lw_text_add(t, " offset:");
    if (v >= FFT)
        lw_text_put(t, "swizzle(FFT,%u)", v & 31);
    else if (v >= ROTATE)
        lw_text_put(t, "swizzle(ROTATE,%u,%u)", v >> 10 & 1, v >> 5 & 31);
    else if ((v & 0xff00) == QUAD_PERM)
        lw_text_put(t, "swizzle(QUAD_PERM,%u,%u,%u,%u)", v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3);
    else if (v < QUAD_PERM)
        put_masks(t, v);
    else
        lw_text_decimal(t, v);
}

static void put_offset(lw_text *t, const char *name, int offset)
{
    if (!offset)
        return;
    lw_text_add(t, name);
    lw_text_integer(t, offset);
}

void lw_text_ds(lw_text *t, const lw_decoded *in)
{
    const unsigned offset = (unsigned)in->offset, low = offset & 0xff, high = offset >> 8;
    lw_text_next(t, &in->dst);
    for (unsigned i = 0; i < 3; i++)
        lw_text_next(t, &in->src[i]);
    if (in->row->flags & LW_OPF_SWIZZLE) {
        put_swizzle(t, offset);
    } else if (in->row->flags & LW_OPF_OFF2) {
        put_offset(t, " offset0:", (int)low);
        put_offset(t, " offset1:", (int)high);
    } else {
        put_offset(t, " offset:", (int)offset);
    }
    if (in->row->flags & LW_OPF_GWS || (in->gds && t->traits->gds))
        lw_text_add(t, " gds");
}

/* The name of the hint; NULL: it is printed as a number. */
static const char *hint_name(const lw_decoded *in)
{
    static const char *const loads[8] = { NULL,         "LOAD_NT",    "LOAD_HT",   "LOAD_LU",
                                          "LOAD_NT_RT", "LOAD_RT_NT", "LOAD_NT_HT" };
    static const char *const stores[8] = { NULL,          "STORE_NT",    "STORE_HT",    "STORE_WB",
                                           "STORE_NT_RT", "STORE_RT_NT", "STORE_NT_HT", "STORE_NT_WB" };
    static const char *const atomics[8] = { NULL, "ATOMIC_RETURN", "ATOMIC_NT", "ATOMIC_NT_RETURN" };
    static const char *const cascades[4] = { "ATOMIC_CASCADE_RT", "ATOMIC_CASCADE_RT", "ATOMIC_CASCADE_NT",
                                             "ATOMIC_CASCADE_NT" };
    enum { SYSTEM = 3, DEVICE = 2, BYPASS = 3, CASCADE = 4 };
    const bool store = in->row->flags & LW_OPF_STORE;
    if (in->row->flags & LW_OPF_ATOMIC)
        return in->th >= CASCADE && in->scope >= DEVICE ? cascades[in->th & 3] : atomics[in->th & 7];
    if (in->th == BYPASS && in->scope == SYSTEM)
        return store ? "STORE_BYPASS" : "LOAD_BYPASS";
    return store ? stores[in->th & 7] : loads[in->th & 7];
}

void lw_text_hints(lw_text *t, const lw_decoded *in)
{
    static const char *const scopes[4] = { "", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS" };
    const char *name = hint_name(in);
    if (in->th && name)
        lw_text_put(t, " th:TH_%s", name);
    else if (in->th)
        lw_text_put(t, in->row->flags & LW_OPF_ATOMIC ? " th:TH_ATOMIC_0x%x" : " th:0x%x", in->th);
    lw_text_if(t, in->scope & 3, scopes[in->scope & 3]);
    lw_text_if(t, in->nv, " nv");
}

void lw_text_cache_bits(lw_text *t, const lw_decoded *in)
{
    if (in->has_scope) {
        lw_text_hints(t, in);
        return;
    }
    const char *const *words = t->traits->cache_words;
    lw_text_if(t, in->glc, words[0]);
    lw_text_if(t, in->slc, words[1]);
    lw_text_if(t, in->nv, words[2]);
    lw_text_if(t, in->dlc, " dlc");
}

void lw_text_flat(lw_text *t, const lw_decoded *in)
{
    lw_text_next(t, &in->dst);
    lw_text_next(t, &in->src[3]); /* an address in LDS */
    if (!(in->row->flags & LW_OPF_NOADDR))
        lw_text_next(t, &in->src[0]);
    lw_text_next(t, &in->src[1]);
    if (in->seg != LW_SEG_FLAT || in->src[2].kind == LW_OPND_SGPR)
        lw_text_next(t, &in->src[2]);
    /* LLVM prints all 13 bits of a flat_ offset, although the hardware uses 12 */
    const int offset = in->seg == LW_SEG_FLAT && !in->has_scope ? (int)(in->bits[0] & 0x1fff) : in->offset;
    put_offset(t, " offset:", offset);
    if (in->row->kind & LW_SEG_NULL && !in->row->bytes && (in->scale_offset || in->th || in->scope || in->nv))
        lw_text_add(t, " ");
    lw_text_if(t, in->scale_offset, " scale_offset");
    lw_text_cache_bits(t, in);
    if (in->lds && t->traits->flat_lds_bit)
        lw_text_add(t, " lds");
}

static void put_format(lw_text *t, const lw_decoded *in)
{
    enum { DEFAULT_DATA = 1, DEFAULT_NUM = 0 };
    if (t->traits->formats) { /* one number for both formats */
        if (in->dfmt != DEFAULT_DATA && in->dfmt < t->traits->format_count)
            lw_text_put(t, " format:[BUF_FMT_%s]", t->traits->formats[in->dfmt]);
        else if (in->dfmt != DEFAULT_DATA)
            lw_text_put(t, " format:%u", in->dfmt);
        return;
    }
    const bool d = in->dfmt != DEFAULT_DATA, n = in->nfmt != DEFAULT_NUM;
    if (!d && !n)
        return;
    lw_text_add(t, " format:[");
    if (d)
        lw_text_put(t, "BUF_DATA_FORMAT_%s%s", lw_buffer_data_rows[in->dfmt & 15].name, n ? "," : "");
    if (n)
        lw_text_put(t, "BUF_NUM_FORMAT_%s", lw_channel_number_names[in->nfmt & 7]);
    lw_text_add(t, "]");
}

void lw_text_buffer(lw_text *t, const lw_decoded *in)
{
    if (!(in->row->flags & LW_OPF_NOADDR)) {
        /* stores and atomics name their data register, which also receives what an atomic returns */
        lw_text_next(t, in->src[3].kind != LW_OPND_NONE ? &in->src[3] : &in->dst);
        if (!(in->lds && in->row->flags & LW_OPF_STORE)) /* a store from LDS has no address register */
            lw_text_next(t, &in->src[0]);
        lw_text_next(t, &in->src[1]);
        lw_text_next(t, &in->src[2]);
    }
    if (in->enc == LW_ENC_MTBUF)
        put_format(t, in);
    lw_text_if(t, in->idxen, " idxen");
    lw_text_if(t, in->offen, " offen");
    put_offset(t, " offset:", in->offset);
    const bool from_lds = in->lds && in->row->flags & LW_OPF_STORE;
    lw_text_if(t, from_lds, " lds");
    lw_text_cache_bits(t, in);
    lw_text_if(t, in->image.tfe, " tfe");
    lw_text_if(t, in->lds && !from_lds, " lds");
}

/* The last two groups are printed if one of them is there. */
void lw_text_tensor(lw_text *t, const lw_decoded *in)
{
    const bool two = in->src[2].kind != LW_OPND_SGPR && in->src[3].kind != LW_OPND_SGPR;
    for (unsigned i = 0; i < (two ? 2 : LW_MAX_SRC); i++)
        lw_text_next(t, &in->src[i]);
    if (in->r128)
        lw_text_add(t, " r128");
    lw_text_hints(t, in);
}

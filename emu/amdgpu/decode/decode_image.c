/* SPDX-License-Identifier: MIT */
/* Image instructions. No compute target runs them; they are decoded to be printed and refused by name. */
#include "emu/amdgpu/decode/decode.h"

enum { VGPRS = 256, SEPARATE = 5 };

/* What a resource's dimension (the field dim) asks of an address: coordinates, and gradients of each. */
static const struct {
    uint8_t coords, gradients;
} dims[8] = { { 1, 2 }, { 2, 4 }, { 3, 6 }, { 3, 4 }, { 2, 2 }, { 3, 4 }, { 3, 4 }, { 4, 4 } };

/* The operands of a ray's intersection, by lw_op_row.bytes: registers of data and of each part of the
 * address; a16: the last of four is then absent, and three hold both directions. */
static const struct {
    uint8_t data, parts[SEPARATE];
} rays[4] = {
    { 4, { 1, 1, 3, 3, 3 } }, { 4, { 2, 1, 3, 3, 3 } }, { 10, { 2, 2, 3, 3, 2 } }, { 10, { 2, 2, 3, 3, 1 } }
};

static unsigned bits_set(unsigned v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static unsigned data_dwords(const lw_decoder *d)
{
    const lw_decoded_image *image = &d->in.image;
    const unsigned bits = bits_set(image->dmask);
    unsigned n = d->in.row->kind & LW_IMAGE_GATHER ? 4 : bits ? bits : 1;
    if (image->d16)
        n = (n + 1) / 2;
    return n + image->tfe;
}

static unsigned address_dwords(const lw_decoder *d)
{
    const unsigned kind = d->in.row->kind, dim = d->in.image.dim;
    const unsigned parts =
        (kind & LW_IMAGE_NO_COORDS ? 0u : dims[dim].coords) + (kind & LW_IMAGE_LOD ? 1u : 0u);
    unsigned n = d->in.row->bytes + (d->in.image.a16 ? (parts + 1) / 2 : parts);
    if (kind & LW_IMAGE_G16)
        n += (dims[dim].gradients / 2u + 1) / 2 * 2;
    else if (kind & LW_IMAGE_GRADIENTS)
        n += dims[dim].gradients;
    return n;
}

/*
 * The fewest and the most dwords that an address of the instruction may have. LLVM 22 knows no multisampled
 * images where there is a sampler.
 */
static unsigned fewest(const lw_op_row *row)
{
    return row->kind & LW_IMAGE_SAMPLER ? row->bytes + (row->kind & LW_IMAGE_GRADIENTS ? 2u : 1u) : 1u;
}

static unsigned most(const lw_op_row *row)
{
    const unsigned lod = row->kind & LW_IMAGE_LOD ? 1 : 0;
    if (!(row->kind & LW_IMAGE_SAMPLER))
        return 4;
    return row->bytes + lod + (row->kind & LW_IMAGE_G16 ? 7u : row->kind & LW_IMAGE_GRADIENTS ? 9u : 3u);
}

static bool in_range(unsigned n, unsigned low, unsigned high)
{
    return n >= low && n <= high;
}

/* Does LLVM have the instruction with an address of n dwords in consecutive registers? It has none of 13
 * to 15. */
static bool has_address(const lw_op_row *row, unsigned n, bool consecutive)
{
    const unsigned low = fewest(row), high = most(row);
    if (consecutive && row->kind & LW_IMAGE_SAMPLER && (n == 4 || n == 8))
        return high >= (n == 4 ? 3u : 5u) && low <= n;
    return in_range(n, low, high);
}

static bool has_data(const lw_op_row *row, unsigned n)
{
    if (row->kind & LW_IMAGE_GATHER)
        return n == 2 || n == 4 || n == 5 || (n == 3 && !(row->kind & LW_IMAGE_SAMPLER));
    if (row->flags & LW_OPF_ATOMIC)
        return row->kind & LW_IMAGE_PAIR ? in_range(n, 2, 5) : in_range(n, 1, 3);
    return in_range(n, 1, 5);
}

static bool vreg_fits(const lw_decoder *d, unsigned reg, unsigned dwords)
{
    return reg + dwords <= VGPRS && (dwords < 2 || reg % d->traits->vgpr_align == 0);
}

/* The address of `dwords` in `count` operands: one register each, the rest in the last one. */
static void set_address(lw_decoder *d, unsigned count, unsigned dwords)
{
    lw_decoded_image *image = &d->in.image;
    static const lw_field fields[SEPARATE] = { LW_FIELD_ADDR, LW_FIELD_ADDR1, LW_FIELD_ADDR2, LW_FIELD_ADDR3,
                                               LW_FIELD_ADDR4 };
    image->addresses = (uint8_t)(dwords < count ? dwords : count);
    for (unsigned i = 0; i < image->addresses; i++) {
        const bool last = i + 1u == image->addresses;
        image->address[i].reg = lw_decode_small(d, fields[i]);
        image->address[i].dwords = (uint8_t)(last ? dwords - i : 1u);
    }
}

static bool address_fits(const lw_decoder *d)
{
    const lw_decoded_image *image = &d->in.image;
    for (unsigned i = 0; i < image->addresses; i++)
        if (image->address[i].reg + image->address[i].dwords > VGPRS)
            return false;
    return true;
}

/*
 * Data and address as dmask, dim and the like say. LLVM's disassembler knows some numbers of registers only;
 * where a number is none of them, or runs past the last register, it prints those of the first form in its
 * table.
 */
static unsigned set_sizes(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const bool nsa = d->in.enc != LW_ENC_MIMG || lw_decode_field(d, LW_FIELD_NSA);
    const unsigned separate = !nsa                                                       ? 1
                              : d->in.enc == LW_ENC_MIMG && row->kind & LW_IMAGE_SAMPLER ? SEPARATE
                                                                                         : SEPARATE - 1;
    const unsigned data = data_dwords(d), reg = lw_decode_field(d, LW_FIELD_DATA0);
    const unsigned two = row->kind & (LW_IMAGE_GATHER | LW_IMAGE_PAIR) ? 2 : 1;
    const unsigned usual = row->kind & LW_IMAGE_GATHER && !(row->kind & LW_IMAGE_SAMPLER) ? 4 : two;
    const bool by_dim = d->encoding->field[LW_FIELD_DIM].count;
    unsigned address = by_dim ? address_dwords(d) : fewest(row);
    if (!nsa && address > 12)
        address = 16;
    lw_decode_require(d, d->in.enc != LW_ENC_VIMAGE || !lw_decode_field(d, LW_FIELD_ADDR4));
    lw_decode_require(d, d->in.enc != LW_ENC_VSAMPLE || most(row) >= separate ||
                             !lw_decode_field(d, LW_FIELD_ADDR3));
    set_address(d, separate, address);
    const bool one = d->in.enc == LW_ENC_MIMG && nsa && address < 2;
    if (has_data(row, data) && has_address(row, address, !nsa) && !one && address_fits(d) &&
        vreg_fits(d, reg, data))
        return data;
    set_address(d, separate,
                !nsa                                                   ? fewest(row)
                : row->kind & LW_IMAGE_SAMPLER && most(row) < separate ? most(row)
                                                                       : separate);
    lw_decode_require(d, address_fits(d));
    return usual;
}

static void set_ray(lw_decoder *d)
{
    const unsigned layout = d->in.row->bytes, a16 = d->in.image.a16;
    lw_decoded_image *image = &d->in.image;
    const bool apart = d->in.enc != LW_ENC_MIMG || lw_decode_field(d, LW_FIELD_NSA);
    unsigned total = 0;
    set_address(d, SEPARATE, SEPARATE);
    image->addresses = (uint8_t)(SEPARATE - (a16 ? 1u : 0u));
    for (unsigned i = 0; i < image->addresses; i++) {
        image->address[i].dwords = rays[layout].parts[i];
        total += rays[layout].parts[i];
    }
    if (!apart) {
        image->addresses = 1;
        image->address[0].dwords = (uint8_t)total;
    }
    lw_decode_require(d, address_fits(d));
    lw_decode_require(d, image->dmask == 15 && !image->dim && !image->tfe && !image->lwe && !image->d16 &&
                             d->in.r128);
    lw_decode_require(d, !(d->in.glc | d->in.slc | d->in.dlc | d->in.th | d->in.scope | d->in.nv));
    lw_decode_require(d, d->in.enc != LW_ENC_MIMG || image->unorm);
    lw_decode_require(d, layout < 2 || !a16);
    lw_decode_require(d, d->in.enc != LW_ENC_VIMAGE || !a16 || !lw_decode_field(d, LW_FIELD_ADDR4));
}

/* Four or eight scalar registers, or NULL: no image. */
static void decode_descriptor(lw_decoder *d, lw_opnd *o, unsigned dwords, lw_field field, lw_field low)
{
    const lw_op_operand spec = { LW_TYPE_WIDE, (uint8_t)dwords, 0 };
    const unsigned code = lw_decode_field(d, field) * 4;
    if (lw_scalar_register(d->traits->encodings, code) == LW_SGPR_NULL)
        *o = (lw_opnd){ .kind = LW_OPND_SGPR, .type = LW_TYPE_WIDE, .dwords = 1, .reg = LW_SGPR_NULL };
    else
        lw_decode_sreg(d, o, spec, code);
    lw_decode_require(d, o->reg != LW_SGPR_NULL || !lw_decode_field(d, low)); /* M0 */
}

static void decode_resource(lw_decoder *d)
{
    const unsigned kind = d->in.row->kind;
    lw_decode_require(d, !lw_decode_field(d, LW_FIELD_RSRC_HIGH) && !lw_decode_field(d, LW_FIELD_SSAMP_HIGH));
    decode_descriptor(d, &d->in.src[0], kind & LW_IMAGE_BVH ? 4 : 8, LW_FIELD_RSRC, LW_FIELD_RSRC_LOW);
    if (kind & LW_IMAGE_SAMPLER)
        decode_descriptor(d, &d->in.src[1], 4, LW_FIELD_SSAMP, LW_FIELD_SSAMP_LOW);
    else
        lw_decode_require(d, !lw_decode_field(d, LW_FIELD_SSAMP) && !lw_decode_field(d, LW_FIELD_SSAMP_LOW));
}

void lw_decode_image(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    if (lw_decode_field(d, LW_FIELD_NSA)) {
        d->used = 3;
        if (d->count < d->used) {
            lw_decode_refuse(d, LW_E_TRUNCATED);
            return;
        }
    }
    d->in.image = (lw_decoded_image){
        .dmask = lw_decode_small(d, LW_FIELD_DMASK),
        .dim = lw_decode_small(d, LW_FIELD_DIM),
        .unorm = lw_decode_small(d, LW_FIELD_UNORM),
        .a16 = lw_decode_small(d, LW_FIELD_A16),
        .d16 = lw_decode_small(d, LW_FIELD_D16),
        .tfe = lw_decode_small(d, LW_FIELD_TFE),
        .lwe = lw_decode_small(d, LW_FIELD_LWE),
        .array = lw_decode_small(d, LW_FIELD_DA),
    };
    d->in.r128 = lw_decode_small(d, LW_FIELD_R128);
    lw_decode_cache_bits(d);
    lw_decode_require(d, !(row->kind & LW_IMAGE_NO_D16 && d->in.image.d16));
    decode_resource(d);
    unsigned data = 0;
    if (row->kind & LW_IMAGE_BVH) {
        set_ray(d);
        data = rays[row->bytes].data;
    } else {
        data = set_sizes(d);
    }
    const lw_op_operand to = { (uint8_t)(data > 1 ? LW_TYPE_WIDE : LW_TYPE_B32), (uint8_t)data, 0 };
    lw_decode_vreg(d, row->flags & LW_OPF_STORE ? &d->in.src[3] : &d->in.dst, to,
                   lw_decode_field(d, LW_FIELD_DATA0), lw_decode_field(d, LW_FIELD_ACC));
}

/* SPDX-License-Identifier: MIT */
/* Images, exports and parameters of pixel shaders as text. */
#include "emu/amdgpu/text/text.h"

static void put_address(lw_text *t, const lw_decoded *in)
{
    const lw_decoded_image *image = &in->image;
    const bool list = image->addresses > 1;
    lw_text_comma(t);
    lw_text_put(t, list ? "[" : "");
    for (unsigned i = 0; i < image->addresses; i++) {
        const lw_opnd o = { .kind = LW_OPND_VGPR,
                            .reg = image->address[i].reg,
                            .dwords = image->address[i].dwords };
        lw_text_put(t, i ? ", " : "");
        lw_text_operand(t, &o);
    }
    lw_text_put(t, list ? "]" : "");
}

static void put_flag(lw_text *t, bool on, const char *word)
{
    if (on)
        lw_text_put(t, " %s", word);
}

static void put_dim(lw_text *t, const lw_decoded_image *image)
{
    static const char *const names[8] = { "1D",       "2D",       "3D",      "CUBE",
                                          "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY" };
    lw_text_put(t, " dim:SQ_RSRC_IMG_%s", names[image->dim & 7]);
}

void lw_text_image(lw_text *t, const lw_decoded *in)
{
    const lw_decoded_image *image = &in->image;
    const bool by_dim = lw_encoding_of(t->traits->encodings, in->enc)->field[LW_FIELD_DIM].count;
    if (in->enc == LW_ENC_MIMG && by_dim && image->addresses > 1 && in->row->kind & LW_IMAGE_SAMPLER)
        lw_text_add(t, " "); /* a second one, as LLVM 22 has it */
    lw_text_next(t, &in->dst);
    lw_text_next(t, &in->src[3]);
    put_address(t, in);
    lw_text_next(t, &in->src[0]);
    lw_text_next(t, &in->src[1]);
    if (in->row->kind & LW_IMAGE_BVH) {
        put_flag(t, image->a16, "a16");
        return;
    }
    if (image->dmask)
        lw_text_put(t, " dmask:0x%x", image->dmask);
    if (by_dim)
        put_dim(t, image);
    put_flag(t, image->unorm, "unorm");
    lw_text_cache_bits(t, in);
    put_flag(t, in->r128, "r128");
    put_flag(t, image->a16, "a16");
    put_flag(t, image->tfe, "tfe");
    put_flag(t, image->lwe, "lwe");
    put_flag(t, image->array, "da");
    put_flag(t, image->d16, "d16");
}

void lw_text_export(lw_text *t, const lw_decoded *in)
{
    const lw_encoding *e = lw_encoding_of(t->traits->encodings, in->enc);
    lw_text_put(t, " %s", t->traits->exports[in->imm]);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        lw_text_next(t, &in->src[i]);
    put_flag(t, lw_encoding_get(e, in->bits, LW_FIELD_DONE), "done");
    put_flag(t, lw_encoding_get(e, in->bits, LW_FIELD_COMPR), "compr");
    put_flag(t, lw_encoding_get(e, in->bits, LW_FIELD_VM), "vm");
    put_flag(t, lw_encoding_get(e, in->bits, LW_FIELD_ROW_EN), "row_en");
}

static void put_source(lw_text *t, const lw_opnd *o)
{
    if (o->kind == LW_OPND_NONE)
        return;
    lw_text_comma(t);
    lw_text_if(t, o->neg, "-");
    lw_text_if(t, o->abs, "|");
    lw_text_operand(t, o);
    lw_text_if(t, o->abs, "|");
}

static void put_corner(lw_text *t, unsigned corner)
{
    static const char *const names[3] = { "p10", "p20", "p0" };
    lw_text_comma(t);
    lw_text_put(t, "%s", names[corner < 3 ? corner : 0]);
}

static void put_waits(lw_text *t, const lw_decoded *in, const lw_encoding *e)
{
    const bool two = e->field[LW_FIELD_WAIT_VM].count;
    if (in->enc == LW_ENC_VINTERP) {
        lw_text_put(t, " wait_exp:%u", in->imm);
        return;
    }
    lw_text_put(t, two ? " wait_va_vdst:%u" : " wait_vdst:%u", in->imm);
    if (two)
        lw_text_put(t, " wait_vm_vsrc:%u", lw_encoding_get(e, in->bits, LW_FIELD_WAIT_VM));
}

void lw_text_interp(lw_text *t, const lw_decoded *in)
{
    static const char *const omods[4] = { "", " mul:2", " mul:4", " div:2" };
    const lw_encoding *e = lw_encoding_of(t->traits->encodings, in->enc);
    lw_text_next(t, &in->dst);
    if (in->row->kind & LW_INTERP_CORNER)
        put_corner(t, (unsigned)in->src[0].value);
    else
        put_source(t, &in->src[0]);
    put_source(t, &in->src[1]);
    if (in->row->kind & LW_INTERP_ATTR) {
        lw_text_comma(t);
        lw_text_put(t, "attr%u.%c", lw_encoding_get(e, in->bits, LW_FIELD_ATTR),
                    "xyzw"[lw_encoding_get(e, in->bits, LW_FIELD_CHANNEL)]);
    }
    put_source(t, &in->src[2]);
    put_flag(t, lw_encoding_get(e, in->bits, LW_FIELD_HIGH), "high");
    put_flag(t, in->clamp, "clamp");
    lw_text_add(t, omods[in->omod & 3]);
    const unsigned halves = in->row->kind & LW_INTERP_ATTR ? in->op_sel & ~2u : in->op_sel;
    if (halves && in->row->kind & LW_INTERP_OPSEL)
        lw_text_bits(t, "op_sel", halves, 4);
    if (in->enc == LW_ENC_LDSDIR || in->row->kind & LW_INTERP_WAIT)
        put_waits(t, in, e);
}

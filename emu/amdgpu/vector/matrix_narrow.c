/* SPDX-License-Identifier: MIT */
/* Conversion between the registers of a wave of 32 lanes and register images. */
#include "emu/amdgpu/vector/matrix_narrow.h"

#include "emu/amdgpu/memory/access.h"
#include "emu/amdgpu/vector/vlane.h"
#include "isa_tables/amdgpu/rows.h"

static void take(lw_wave *w, const lw_opnd *o, uint32_t *image)
{
    const uint32_t *row = lw_access_row(w, o);
    for (unsigned r = 0; r < o->dwords; r++)
        memcpy(image + (size_t)r * LW_NARROW_LANES, row + (size_t)r * LW_LANES,
               LW_NARROW_LANES * sizeof(*image));
}

/* A scale in a scalar register, or a constant, is that of all lanes. */
static void take_scale(lw_wave *w, const lw_opnd *o, uint32_t *image)
{
    if (o->kind == LW_OPND_VGPR) {
        take(w, o, image);
        return;
    }
    const uint64_t value = lw_vscalar(w, o);
    for (unsigned lane = 0; lane < LW_NARROW_LANES; lane++) {
        image[lane] = (uint32_t)value;
        image[LW_NARROW_LANES + lane] = (uint32_t)(value >> 32);
    }
}

/* AMD RDNA3 ISA manual, WMMA: EXEC must be all ones. */
static lw_step check(lw_wave *w, const lw_decoded *in)
{
    const lw_opnd *c = &in->src[2];
    if ((uint32_t)lw_wave_exec(w) != UINT32_MAX)
        return lw_wave_fault(w, -1, "a matrix instruction needs EXEC to be all ones here; it is 0x%08x",
                             (unsigned)lw_wave_exec(w));
    for (unsigned i = 0; i < 3; i++)
        if (in->src[i].dwords > LW_NARROW_REGISTERS)
            return lw_wave_fault(w, -1, "source %u has more registers than this version reads", i);
    const bool half = c->type == LW_TYPE_F16 || c->type == LW_TYPE_BF16;
    if (half && c->kind == LW_OPND_INLINE && c->value)
        return lw_wave_fault(w, -1,
                             "what an inline constant other than 0 is as a 16-bit C is not documented");
    return LW_STEP_NEXT;
}

lw_step lw_matrix_gather(lw_wave *w, const lw_decoded *in, lw_matrix_images *images)
{
    const bool sparse = in->row->mods & LW_MOD_SPARSE;
    const lw_step step = check(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    take(w, &in->src[0], images->a);
    take(w, &in->src[1], images->b);
    take(w, &in->dst, images->d); /* bits of D that no element covers are kept */
    images->has_c = sparse || in->src[2].kind == LW_OPND_VGPR;
    if (images->has_c)
        take(w, sparse ? &in->dst : &in->src[2], images->c);
    if (sparse)
        take(w, &in->src[2], images->index);
    for (unsigned i = 0; i < 2 && in->row->mods & LW_MOD_SCALED; i++)
        take_scale(w, &in->scale[i], images->scale[i]);
    return LW_STEP_NEXT;
}

void lw_matrix_scatter(lw_wave *w, const lw_decoded *in, const lw_matrix_images *images)
{
    uint32_t *row = lw_access_row(w, &in->dst);
    for (unsigned r = 0; r < in->dst.dwords; r++)
        memcpy(row + (size_t)r * LW_LANES, images->d + (size_t)r * LW_NARROW_LANES,
               LW_NARROW_LANES * sizeof(*row));
}

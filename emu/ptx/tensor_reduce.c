/* SPDX-License-Identifier: MIT */
/*
 * cp.reduce.async.bulk.tensor: a box of shared memory is combined with the elements of a tensor in global
 * memory, whose type the tensor map says. Which operation has which types: PTX ISA 9.1,
 * "cp.reduce.async.bulk"; f16 and bf16 keep subnormal numbers, as its .noftz does, and f32 too.
 */
#include "emu/num/fp.h"
#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"
#include "emu/ptx/reductions.h"
#include "emu/ptx/tensor.h"

enum { ADD = 1, SELECT = 2, WRAP = 4, BITS = 8 };

/* By the code of the elements; a type of LW_PTX_TYPE_NONE is not reduced. */
static const struct {
    uint8_t type, can;
} elements[] = {
    [2] = { LW_PTX_TYPE_U32, ADD | SELECT | WRAP | BITS },
    [3] = { LW_PTX_TYPE_S32, ADD | SELECT | BITS },
    [4] = { LW_PTX_TYPE_U64, ADD | SELECT | BITS },
    [5] = { LW_PTX_TYPE_S64, SELECT | BITS },
    [6] = { LW_PTX_TYPE_F16, ADD | SELECT },
    [7] = { LW_PTX_TYPE_F32, ADD },
    [10] = { LW_PTX_TYPE_BF16, ADD | SELECT },
};
enum { CODES = sizeof(elements) / sizeof(elements[0]) };

static unsigned operation(const lw_ptx_record *r)
{
    return lw_ptx_has(r, LW_PTX_GROUP_ATOM_BITS)     ? BITS
           : lw_ptx_has(r, LW_PTX_GROUP_ATOM_WRAP)   ? WRAP
           : lw_ptx_has(r, LW_PTX_GROUP_ATOM_SELECT) ? SELECT
                                                     : ADD;
}

bool lw_ptx_tensor_reduces(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint32_t code)
{
    static const char *const names[] = { "u8",  "u16", "u32",     "s32", "u64", "s64",
                                         "f16", "f32", "f32.ftz", "f64", "bf16" };
    if (!r->handler->lane || (code < CODES && (elements[code].can & operation(r))))
        return true;
    lw_fault_say(&w->head, (int)lane,
                 "the tensor has elements of type %s, which this reduction does not take",
                 code < CODES ? names[code] : "unknown");
    return false;
}

lw_ptx_record lw_ptx_tensor_typed(const lw_ptx_record *r, uint32_t code)
{
    lw_ptx_record typed = *r;
    const lw_ptx_type_info *type = &lw_ptx_types[elements[code].type];
    typed.type = elements[code].type;
    typed.dst_bits = type->bits;
    typed.dst_signed = type->kind == LW_PTX_CLASS_SIGNED;
    typed.fmt = type->kind == LW_PTX_CLASS_FLOAT ? &lw_formats[type->format] : NULL;
    return typed;
}

static uint64_t combined(const lw_ptx_record *r, const uint64_t *in)
{
    const unsigned op = operation(r);
    const bool real = r->fmt != NULL;
    return op == BITS     ? lw_ptx_joined(r, in[0], in[1])
           : op == WRAP   ? lw_ptx_wrapped(r, in[0], in[1])
           : op == SELECT ? (real ? lw_ptx_selected_float : lw_ptx_selected)(r, in[0], in[1])
           : real         ? lw_ptx_added(r, in[0], in[1])
                          : in[0] + in[1];
}

const lw_ptx_handler lw_ptx_sem_cp_tensor_reduce = { .exec = lw_ptx_tensor_out, .lane = combined };

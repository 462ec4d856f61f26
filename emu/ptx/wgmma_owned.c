/* SPDX-License-Identifier: MIT */
/*
 * The registers of D and A of a wgmma belong to it until a wgmma.wait_group covers its group: to access them
 * earlier is undefined (PTX ISA 9.1, "wgmma.mma_async"), unless another wgmma does. Launches with late copies
 * compute D at the wait, so an earlier reader would get what was there before; here it is a fault. Those with
 * early copies compute it at once, and know no owners: ptxas serialises the wgmmas of such code, as its
 * message C7515 says.
 */
#include "emu/ptx/decode.h"
#include "emu/ptx/matrix.h"

/* Two words for each row of registers: 1 + the group that owns it, and 1 + the number of its instruction. */
enum { WORDS = 2 };

static size_t owner_words(const lw_ptx_launch *l)
{
    return l->owns ? (size_t)l->rows * WORDS : 0;
}

size_t lw_ptx_row_words(const lw_ptx_launch *l)
{
    return (size_t)l->rows * LW_PTX_LANES + l->predicates + owner_words(l);
}

void lw_ptx_own(lw_ptx_warp *w, uint32_t slot)
{
    const lw_ptx_launch *l = w->head.group->session->own;
    if (!l->owns)
        return;
    if (!w->wgmma_last)
        memset(w->owners, 0, owner_words(l) * sizeof(*w->owners));
    w->wgmma_last = (uint32_t)w->wgmma_count + 1;
    w->owners[(size_t)slot * WORDS] = w->wgmma_last;
    w->owners[(size_t)slot * WORDS + 1] = (uint32_t)(w->head.pc - w->head.group->session->module->code.base);
    w->owned = true;
}

void lw_ptx_disown(lw_ptx_warp *w, uint64_t left)
{
    const uint32_t done = left < w->wgmma_count ? (uint32_t)(w->wgmma_count - left) : 0;
    w->wgmma_done = done > w->wgmma_done ? done : w->wgmma_done;
    w->owned = w->wgmma_last > w->wgmma_done;
}

static bool row_is_free(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t row)
{
    const lw_session *s = w->head.group->session;
    const lw_ptx_launch *l = s->own;
    char name[64];
    if (row >= l->rows || w->owners[(size_t)row * WORDS] <= w->wgmma_done)
        return true;
    const lw_ptx_insn *owner =
        lw_ptx_insn_of(s->module, s->module->code.base + w->owners[(size_t)row * WORDS + 1]);
    (void)lw_ptx_register_name(s->module, r->function, LW_FILE_VGPR, row, name, sizeof(name));
    lw_fault_say(&w->head, -1,
                 "accesses %s, which belongs to the wgmma of line %u until a wgmma.wait_group covers that: "
                 "undefined (with early copies it runs as if it waited)",
                 name, owner ? owner->line : 0);
    return false;
}

static bool is_free(lw_ptx_warp *w, const lw_ptx_record *r, const lw_ptx_source *s)
{
    enum { ROW_BITS = 32 };
    const unsigned rows = s->kind == LW_PTX_SOURCE_REGISTER ? (s->bits + ROW_BITS - 1u) / ROW_BITS : 0;
    for (unsigned i = 0; i < rows; i++)
        if (!row_is_free(w, r, s->slot + i))
            return false;
    return true;
}

/* The fragments of other matrix instructions. */
static bool fragments_are_free(lw_ptx_warp *w, const lw_ptx_record *r)
{
    lw_matrix_event m;
    if (r->insn->op->operands[0] != 'n' || !lw_ptx_matrix_event(r, &m))
        return true;
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        for (unsigned i = 0; i < m.operand[o].count && m.operand[o].is_register; i++)
            if (!row_is_free(w, r, lw_ptx_matrix_register(r, (lw_operand)o, i)))
                return false;
    return true;
}

bool lw_ptx_registers_are_free(lw_ptx_warp *w, const lw_ptx_record *r)
{
    if (r->insn->op->id == LW_PTX_OP_wgmma)
        return true;
    for (unsigned i = 0; i < r->dst_count; i++)
        if (!is_free(w, r, &r->dst[i]))
            return false;
    for (unsigned i = 0; i < r->src_count; i++)
        if (!is_free(w, r, &r->src[i]))
            return false;
    return is_free(w, r, &r->address) && is_free(w, r, &r->from) && is_free(w, r, &r->third) &&
           fragments_are_free(w, r);
}

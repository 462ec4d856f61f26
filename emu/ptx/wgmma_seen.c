/* SPDX-License-Identifier: MIT */
/* What observers see of a wgmma: the operands as they are when it is issued (C is still being computed), and
 * where they are. */
#include "emu/ptx/wgmma.h"

lw_async_step lw_ptx_wgmma_step(const lw_ptx_record *r, uint64_t *left)
{
    static const lw_async_step steps[] = {
        [LW_PTX_WGMMA_PRODUCT] = LW_ASYNC_ISSUES, [LW_PTX_WGMMA_FENCE] = LW_ASYNC_OTHER,
        [LW_PTX_WGMMA_COMMIT] = LW_ASYNC_COMMITS, [LW_PTX_WGMMA_WAIT] = LW_ASYNC_WAITS,
        [LW_PTX_WGMMA_NONE] = LW_ASYNC_OTHER,
    };
    const lw_ptx_wgmma *g = r->extra;
    *left = g->left;
    return steps[g->verb];
}

/* Registers that follow each other are one operand; D counts as written when the wgmma is issued. */
void lw_ptx_wgmma_operands(const lw_ptx_record *r, lw_facts *f, lw_fact_operand *operands)
{
    const lw_ptx_wgmma *g = r->extra;
    const unsigned a_count = g->a_in_registers ? LW_WGMMA_A_WORDS : 0,
                   count = g->verb == LW_PTX_WGMMA_PRODUCT ? g->d_count + a_count : 0;
    const bool adds = g->scale_d.kind != LW_PTX_SOURCE_CONSTANT || (g->scale_d.value & 1);
    lw_fact_operand *last = NULL;
    for (unsigned i = 0; i < count && f->operand_count < LW_MAX_OPERANDS; i++) {
        const bool is_d = i < g->d_count;
        const uint32_t slot = is_d ? g->d[i].slot : g->a[i - g->d_count].slot;
        if (last && last->written == is_d && last->first + (uint32_t)last->count == slot) {
            last->count++;
            continue;
        }
        last = &operands[f->operand_count++];
        *last = (lw_fact_operand){ .role = is_d ? LW_ROLE_RESULT : LW_ROLE_SOURCE,
                                   .is_register = true,
                                   .file = LW_FILE_VGPR,
                                   .first = (uint16_t)slot,
                                   .count = 1,
                                   .lanes = LW_LANES_ALL,
                                   .read = !is_d || adds,
                                   .written = is_d,
                                   .bytes_read = !is_d || adds ? LW_BYTES_ALL : 0,
                                   .bytes_written = is_d ? LW_BYTES_ALL : 0 };
    }
}

static unsigned parts(const lw_ptx_wgmma *g)
{
    return (unsigned)g->columns / LW_WGMMA_COLUMNS;
}

bool lw_ptx_wgmma_event(const lw_ptx_record *r, lw_matrix_event *event)
{
    const lw_ptx_wgmma *g = r->extra;
    if (g->verb != LW_PTX_WGMMA_PRODUCT)
        return false;
    const unsigned bytes = g->sparse ? LW_WGMMA_MOST_BYTES : LW_WGMMA_A_BYTES,
                   b_words = bytes / LW_WGMMA_CHUNK * parts(g);
    const uint16_t counts[LW_OPERAND_COUNT] = { [LW_OPERAND_A] = LW_WGMMA_A_WORDS,
                                                [LW_OPERAND_B] = (uint16_t)b_words,
                                                [LW_OPERAND_D] = g->d_count,
                                                [LW_OPERAND_INDEX] = g->sparse };
    *event = (lw_matrix_event){ .insn = g->part, .mods = g->mods };
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        event->operand[o] = (lw_matrix_operand){ .is_register = counts[o] > 0,
                                                 .file = LW_FILE_VGPR,
                                                 .first = (uint16_t)(o == LW_OPERAND_D ? g->d[0].slot : 0),
                                                 .count = counts[o] };
    return true;
}

/* ---- Where operands are ---- */

/* The halves of each lane's word of A or B. */
static bool place_shared(const lw_ptx_warp *w, const lw_ptx_wgmma *g, uint64_t descriptor, bool is_a,
                         unsigned word, lw_product_place *place)
{
    const unsigned bytes = is_a || !g->sparse ? LW_WGMMA_A_BYTES : LW_WGMMA_MOST_BYTES,
                   words = bytes / LW_WGMMA_CHUNK, early = is_a ? 2 : 1;
    const unsigned first =
        is_a ? w->head.place % LW_WGMMA_GROUP_WARPS * LW_WGMMA_ROWS : word / words * LW_WGMMA_COLUMNS;
    const unsigned chunk = is_a ? word / early : word % words,
                   more = is_a ? word % early * LW_WGMMA_COLUMNS : 0;
    place->shared = true;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        for (unsigned half = 0; half < 2; half++)
            if (!lw_ptx_tile_address(
                    descriptor, is_a ? g->a_turned : g->b_turned, bytes, first + lane / 4 + more,
                    chunk * LW_WGMMA_CHUNK + lane % 4 * 4 + half * 2, &place->address[half][lane]))
                return false;
    return true;
}

bool lw_ptx_wgmma_place(const lw_ptx_warp *w, const lw_ptx_record *r, const lw_copy *copy, lw_operand operand,
                        unsigned word, lw_product_place *place)
{
    const lw_ptx_wgmma *g = r->extra;
    lw_matrix_event event;
    const bool is_a = operand == LW_OPERAND_A;
    const bool adds = copy ? copy->pieces[0].bytes != 0 : lw_ptx_get(w, &g->scale_d, 0) & 1;
    const lw_operand as = operand == LW_OPERAND_C ? LW_OPERAND_D : operand;
    *place = (lw_product_place){ .file = LW_FILE_VGPR };
    if (!lw_ptx_wgmma_event(r, &event) || word >= event.operand[as].count ||
        (operand == LW_OPERAND_C && !adds))
        return false;
    if (operand == LW_OPERAND_B || (is_a && !g->a_in_registers))
        return place_shared(
            w, g, copy ? copy->pieces[!is_a].from : lw_ptx_get(w, is_a ? &g->a_desc : &g->b_desc, 0), is_a,
            word, place);
    place->reg = is_a ? g->a[word].slot : operand == LW_OPERAND_INDEX ? g->meta.slot : g->d[word].slot;
    return true;
}

/* ---- Their words ---- */

/* A word of A or B from shared memory, as the registers of a part hold it; zeros where none are. */
static void told_shared(const lw_ptx_warp *w, const lw_ptx_wgmma *g, bool is_a, unsigned word,
                        uint32_t *image)
{
    const lw_ptx_view shared = lw_ptx_view_of(w);
    lw_product_place place = { .shared = true };
    if (!place_shared(w, g, lw_ptx_get(w, is_a ? &g->a_desc : &g->b_desc, 0), is_a, word, &place))
        return;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        for (unsigned half = 0; half < 2; half++) {
            const uint32_t at = place.address[half][lane];
            uint16_t bits = 0;
            if (at < shared.size && shared.size - at >= sizeof(bits))
                memcpy(&bits, shared.shared + at, sizeof(bits));
            image[lane] |= (uint32_t)bits << half * 16;
        }
}

void lw_ptx_wgmma_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                       uint32_t *values, size_t count)
{
    const lw_ptx_wgmma *g = r->extra;
    uint32_t image[LW_PTX_LANES] = { 0 };
    lw_matrix_event event;
    if (!lw_ptx_wgmma_event(r, &event) || word >= event.operand[operand].count)
        ;
    else if (operand == LW_OPERAND_B || (operand == LW_OPERAND_A && !g->a_in_registers))
        told_shared(w, g, operand == LW_OPERAND_A, word, image);
    else
        memcpy(image,
               lw_ptx_wgmma_row(w, operand == LW_OPERAND_A       ? &g->a[word]
                                   : operand == LW_OPERAND_INDEX ? &g->meta
                                                                 : &g->d[word]),
               sizeof(image));
    for (size_t lane = 0; lane < count; lane++)
        values[lane] = lane < LW_PTX_LANES ? image[lane] : 0;
}

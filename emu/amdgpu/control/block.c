/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/control/block.h"

#include <stdlib.h>

#include "emu/amdgpu/control/handlers.h"
#include "isa_tables/amdgpu/rows.h"

enum {
    MOST = 64,       /* most instructions of a block; when a slice has fewer left, they run one by one */
    FEW = 8,         /* a shorter block that ends at code not yet reached may be made again later */
    PATIENCE = 64,   /* arrivals after which such a block is made in any case */
    COMES_AGAIN = 2, /* arrivals at a place before a block is worthwhile */
};

/* ---- Which instructions ---- */

static bool waits_for_copies(const lw_decoded *in)
{
    return in->exec == lw_sem_s_waitcnt || in->exec == lw_sem_s_wait_asynccnt ||
           in->exec == lw_sem_s_wait_tensorcnt;
}

static bool is_left_out(const lw_decoded *in)
{
    return in->exec == lw_sem_nothing || waits_for_copies(in);
}

/* Does it branch, use its own address or the count of instructions, change the meaning of operands, or issue
 * copies? */
static bool ends_block(const lw_decoded *in)
{
    static const lw_exec_fn ending[] = {
        lw_sem_s_getpc_b64, lw_sem_s_setreg_b32, lw_sem_s_setreg_imm32_b32,     lw_sem_s_set_gpr_idx_on,
        lw_sem_s_setvskip,  lw_sem_s_time,       lw_sem_ds_async_barrier_arrive
    };
    if (in->row->enc == LW_ENC_SOPP || in->lds || in->row->flags & (LW_OPF_BRANCH | LW_OPF_GWS))
        return true;
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
        if (in->exec == ending[i])
            return true;
    return false;
}

static const lw_record *record_at(const lw_code_page *page, size_t place)
{
    return atomic_load_explicit(&page->record[place], memory_order_acquire);
}

/* ---- Making ---- */

typedef struct plan {
    uint16_t place[MOST];
    unsigned count;
    bool ends;
    bool cut; /* the code that follows has not been executed yet */
} plan;

static plan plan_from(const lw_code_cursor *at, size_t place)
{
    const lw_blocks *blocks = at->counts->blocks;
    plan p = { .count = 0 };
    while (p.count < MOST && place < LW_CODE_PAGE && !(blocks && blocks->place[place].total)) {
        if (!at->counts->executed[place]) {
            p.cut = true;
            break;
        }
        const lw_decoded *in = &record_at(at->page, place)->in;
        p.place[p.count++] = (uint16_t)place;
        p.ends = !is_left_out(in) && ends_block(in);
        if (p.ends)
            break;
        place += in->words;
    }
    return p;
}

/* NULL: no host memory. */
static lw_blocks *blocks_of(lw_count_page *page)
{
    lw_blocks *made = page->blocks;
    if (made || !(made = aligned_alloc(_Alignof(lw_blocks), sizeof(*made))))
        return made;
    memset(made->place, 0, sizeof(made->place));
    made->used = 0;
    page->blocks = made;
    return made;
}

/* Fills records from the first place on, and what is left at each place from the last one backwards. */
static void fill(lw_blocks *blocks, const lw_code_cursor *at, const plan *p)
{
    lw_block left = { .ends = p->ends };
    lw_hot *hot = &blocks->hot[blocks->used];
    for (unsigned i = 0; i < p->count; i++) {
        const lw_record *record = record_at(at->page, p->place[i]);
        blocks->place[p->place[i]].hot = hot;
        if (!is_left_out(&record->in))
            *hot++ = record->hot;
    }
    blocks->used = (size_t)(hot - blocks->hot);
    for (unsigned i = p->count; i-- > 0;) {
        const lw_record *record = record_at(at->page, p->place[i]);
        const lw_decoded *in = &record->in;
        left.heeds = left.heeds || record->counted || waits_for_copies(in);
        left.hot = blocks->place[p->place[i]].hot;
        left.total++;
        left.bytes = (uint16_t)(left.bytes + 4 * in->words);
        left.hots = (uint16_t)(hot - left.hot);
        left.first = i == 0;
        blocks->place[p->place[i]] = left;
    }
}

lw_block *lw_block_make(const lw_code_cursor *at, size_t place)
{
    const uint64_t times = at->counts->executed[place];
    if (times < COMES_AGAIN)
        return NULL;
    const plan p = plan_from(at, place);
    if (!p.count || (p.cut && p.count < FEW && times < PATIENCE))
        return NULL;
    lw_blocks *blocks = blocks_of(at->counts);
    if (!blocks)
        return NULL;
    fill(blocks, at, &p);
    return &blocks->place[place];
}

/* ---- Running ---- */

/*
 * A block ends early at an instruction: the wave has executed the instructions up to it; the others have been
 * counted too many and are subtracted.
 */
static void halt(lw_worker *worker, lw_wave *w, lw_block *block, const lw_decoded *in)
{
    const lw_code_cursor *at = &worker->cursor;
    lw_blocks *blocks = at->counts->blocks;
    size_t place = (size_t)(block - blocks->place);
    uint64_t executed = 1;
    for (; &record_at(at->page, place)->in != in; executed++)
        place += record_at(at->page, place)->in.words;
    if (executed < block->total)
        blocks->place[place + in->words].entered--;
    worker->executed += executed;
    w->head.executed += executed;
    w->head.pc = in->pc;
}

lw_step lw_block_run(lw_worker *worker, lw_wave *w, lw_block *block, const lw_decoded **stopped)
{
    const lw_hot *hot = block->hot, *last = hot + block->hots - block->ends;
    const uint64_t total = block->total, start = w->head.pc;
    block->entered++;
    for (; hot < last; hot++) {
        const lw_step step = hot->fn(w, hot);
        if (step != LW_STEP_NEXT) {
            *stopped = hot->in;
            halt(worker, w, block, hot->in);
            return step;
        }
    }
    worker->executed += total;
    w->head.executed += total;
    w->head.pc = start + block->bytes;
    if (!block->ends)
        return LW_STEP_NEXT;
    w->head.executed--;
    w->head.pc -= last->bytes;
    const lw_step step = last->fn(w, last);
    w->head.executed++;
    if (step == LW_STEP_NEXT)
        w->head.pc += last->bytes;
    *stopped = last->in;
    return step;
}

/* ---- Counts ---- */

static void settle_block(lw_count_page *page, const lw_code_page *code, size_t place)
{
    const lw_blocks *blocks = page->blocks;
    uint64_t times = 0;
    for (unsigned left = blocks->place[place].total; left; left--) {
        times += blocks->place[place].entered;
        page->executed[place] += times;
        place += record_at(code, place)->in.words;
    }
}

void lw_blocks_settle(lw_worker *worker)
{
    const lw_code *code = &worker->session->module->code;
    for (lw_count_page *page = worker->counts.first; page; page = page->next) {
        lw_blocks *blocks = page->blocks;
        const lw_code_page *records = atomic_load_explicit(&code->pages[page->number], memory_order_acquire);
        if (!blocks)
            continue;
        for (size_t place = 0; place < LW_CODE_PAGE; place++)
            if (blocks->place[place].first)
                settle_block(page, records, place);
        memset(blocks->place, 0, sizeof(blocks->place));
        blocks->used = 0;
    }
}

/* SPDX-License-Identifier: MIT */
/* The facts that observers get once per instruction, and that only the requested hooks are called. */
#include <stddef.h>

#include "emu/amdgpu/decode/facts.h"
#include "machine/fixture.h"
#include "observers/notes.h"

enum { STEPS = 28, BASE = 0x1000 };

typedef struct known {
    lw_decoded in;
    lw_facts facts;
    lw_fact_operand operands[LW_MAX_OPERANDS];
} known;

/* The instructions of the block `facts`, one after the other. */
static void learn(known k[STEPS])
{
    const code_block *block = code_find("facts");
    size_t at = 0;
    for (unsigned i = 0; i < STEPS; at += k[i++].in.words) {
        ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, block->words + at, block->count - at, &k[i].in),
                         LW_OK);
        k[i].facts = lw_decoded_facts(LW_ARCH_GFX950, &k[i].in, BASE + 4 * at, k[i].operands);
        ck_assert_uint_eq(k[i].facts.struct_size, sizeof(lw_facts));
    }
    ck_assert_uint_eq(at, block->count);
}

/* In the order of the block. Passes: AMD's matrix instruction calculator and LLVM 22; counters: LLVM 22. */
static const struct {
    lw_class kind;
    uint8_t vm, lgkm, exp;
    unsigned passes;
} expected[STEPS] = {
    { LW_CLASS_WAIT, 0, 0, 0, 0 },          { LW_CLASS_WAIT, 0, 0, 0, 0 },
    { LW_CLASS_BARRIER, 0, 0, 0, 0 },       { LW_CLASS_BRANCH, 0, 0, 0, 0 },
    { LW_CLASS_BRANCH, 0, 0, 0, 0 },        { LW_CLASS_GLOBAL, 1, 0, 0, 0 },
    { LW_CLASS_GLOBAL, 1, 0, 0, 0 },        { LW_CLASS_GENERIC, 1, 1, 0, 0 },
    { LW_CLASS_SCRATCH, 1, 0, 0, 0 },       { LW_CLASS_LDS, 0, 1, 0, 0 },
    { LW_CLASS_LDS, 0, 1, 0, 0 },           { LW_CLASS_LDS, 0, 1, 0, 0 },
    { LW_CLASS_SCALAR_MEMORY, 0, 2, 0, 0 }, { LW_CLASS_SCALAR_MEMORY, 0, 1, 0, 0 },
    { LW_CLASS_CACHE, 1, 0, 0, 0 },         { LW_CLASS_CACHE, 1, 0, 0, 0 },
    { LW_CLASS_MATRIX, 0, 0, 0, 8 },        { LW_CLASS_MATRIX, 0, 0, 0, 4 },
    { LW_CLASS_MATRIX, 0, 0, 0, 4 },        { LW_CLASS_VECTOR, 0, 0, 0, 0 },
    { LW_CLASS_VECTOR, 0, 0, 0, 0 },        { LW_CLASS_VECTOR, 0, 0, 0, 0 },
    { LW_CLASS_VECTOR, 0, 0, 0, 0 },        { LW_CLASS_SCALAR, 0, 0, 0, 0 },
    { LW_CLASS_SCALAR, 0, 0, 0, 0 },        { LW_CLASS_MESSAGE, 0, 1, 0, 0 },
    { LW_CLASS_BRANCH, 0, 0, 0, 0 },        { LW_CLASS_END, 0, 0, 0, 0 },
};

enum {
    WAIT,
    WAIT_EXP,
    BARRIER,
    BRANCH,
    BRANCH_VCCZ,
    GLOBAL_LOAD,
    BUFFER_TO_LDS,
    FLAT_ATOMIC,
    SCRATCH_LOAD,
    DS_READ2,
    DS_TRANSPOSING,
    DS_BPERMUTE,
    S_LOAD4,
    S_LOAD,
    WRITE_BACK,
    INVALIDATE,
    MFMA8,
    MFMA4,
    SMFMAC,
    READLANE,
    ADDC,
    SDWA,
    LITERAL,
    TO_M0,
    MOVK,
    MESSAGE,
    CALL,
    END
};

START_TEST(classes_and_counters)
{
    static known k[STEPS];
    learn(k);
    for (unsigned i = 0; i < STEPS; i++) {
        const lw_facts *f = &k[i].facts;
        ck_assert_msg(f->kind == expected[i].kind && f->raises[LW_COUNTER_VM] == expected[i].vm &&
                          f->raises[LW_COUNTER_LGKM] == expected[i].lgkm &&
                          f->raises[LW_COUNTER_EXP] == expected[i].exp && f->passes == expected[i].passes,
                      "instruction %u: class %u, counters %u %u %u, passes %u", i, f->kind,
                      f->raises[LW_COUNTER_VM], f->raises[LW_COUNTER_LGKM], f->raises[LW_COUNTER_EXP],
                      f->passes);
        ck_assert_int_eq(f->barrier, i == BARRIER ? 0 : -1);
        ck_assert_int_eq(f->awaits[LW_COUNTER_VM], i == WAIT ? 5 : -1);
        ck_assert_int_eq(f->awaits[LW_COUNTER_LGKM], i == WAIT ? 2 : -1);
        ck_assert_int_eq(f->awaits[LW_COUNTER_EXP], i == WAIT_EXP ? 1 : -1);
        ck_assert(f->has_target == (i == BRANCH || i == BRANCH_VCCZ || i == CALL));
        ck_assert(f->conditional == (i == BRANCH_VCCZ));
    }
    ck_assert_uint_eq(k[BRANCH].facts.target, BASE + 4 * (3 + 1 + 2));
    ck_assert_uint_eq(k[BRANCH_VCCZ].facts.target, BASE + 4 * (4 + 1 - 3));
    ck_assert(k[MOVK].facts.has_immediate && k[MOVK].facts.immediate == 0x7fff);
}
END_TEST

START_TEST(memory)
{
    static known k[STEPS];
    learn(k);
    const lw_fact_memory *m = &k[GLOBAL_LOAD].facts.memory;
    ck_assert(m->load && !m->store && !m->returns && !m->to_lds && !m->buffer && m->requests == 1);
    ck_assert(m->bytes == 16 && m->offset == -16 && m->scope == LW_SCOPE_WORKGROUP && !m->nontemporal);
    m = &k[BUFFER_TO_LDS].facts.memory;
    ck_assert(m->load && m->to_lds && m->buffer && m->bytes == 4 && m->scope == LW_SCOPE_SYSTEM);
    ck_assert(m->nontemporal && m->order == LW_ORDER_NONE);
    m = &k[FLAT_ATOMIC].facts.memory;
    ck_assert(m->load && m->store && m->returns && m->bytes == 4 && m->scope == LW_SCOPE_SYSTEM);
    m = &k[SCRATCH_LOAD].facts.memory;
    ck_assert(m->load && m->bytes == 4 && m->offset == 8 && m->scope == LW_SCOPE_WAVE);
    m = &k[DS_READ2].facts.memory;
    ck_assert(m->load && m->requests == 2 && m->bytes == 8 && m->scope == LW_SCOPE_WORKGROUP &&
              !m->transposes);
    m = &k[DS_TRANSPOSING].facts.memory;
    ck_assert(m->load && m->transposes && m->exchange == 16 && m->requests == 1 && m->bytes == 8);
    m = &k[DS_BPERMUTE].facts.memory;
    ck_assert(!m->load && !m->store && m->requests == 0 && m->bytes == 0);
    m = &k[S_LOAD4].facts.memory;
    ck_assert(m->load && m->bytes == 16 && m->offset == 16);
    m = &k[WRITE_BACK].facts.memory;
    ck_assert(m->order == LW_ORDER_RELEASE && m->scope == LW_SCOPE_DEVICE && !m->buffer);
    m = &k[INVALIDATE].facts.memory;
    ck_assert(m->order == LW_ORDER_ACQUIRE && m->scope == LW_SCOPE_SYSTEM);
}
END_TEST

/* The lanes among which a transposing read moves elements (turned.h). Those of 6 bits may begin at an odd
 * register. */
START_TEST(lanes_that_exchange)
{
    static const struct {
        lw_arch arch;
        uint32_t words[3], lanes;
    } reads[] = {
        { LW_ARCH_GFX1250, { 0xdbe80000, 0x02000001 }, 32 },             /* ds_load_tr4_b64 */
        { LW_ARCH_GFX1250, { 0xdbec0000, 0x03000001 }, 32 },             /* ds_load_tr6_b96 */
        { LW_ARCH_GFX1250, { 0xdbf40000, 0x02000001 }, 16 },             /* ds_load_tr8_b64 */
        { LW_ARCH_GFX1250, { 0xdbf00000, 0x02000001 }, 8 },              /* ds_load_tr16_b128 */
        { LW_ARCH_GFX1250, { 0xee1cc000, 0x00000002, 0x00000001 }, 32 }, /* global_load_tr4_b64 */
        { LW_ARCH_GFX1250, { 0xee1d0000, 0x00000002, 0x00000001 }, 32 }, /* global_load_tr6_b96 */
        { LW_ARCH_GFX1250, { 0xee160000, 0x00000002, 0x00000001 }, 16 }, /* global_load_tr8_b64 */
        { LW_ARCH_GFX1201, { 0xee15c000, 0x00000002, 0x00000001 }, 8 },  /* global_load_tr_b128 */
        { LW_ARCH_GFX950, { 0xd9c20000, 0x03000001 }, 16 },              /* ds_read_b96_tr_b6 */
        { LW_ARCH_GFX1250, { 0xd8d80000, 0x02000001 }, 0 },              /* ds_load_b32 */
    };
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        lw_decoded in;
        lw_fact_operand operands[LW_MAX_OPERANDS];
        ck_assert_int_eq(lw_amdgpu_decode(reads[i].arch, reads[i].words, 3, &in), LW_OK);
        const lw_facts facts = lw_decoded_facts(reads[i].arch, &in, 0, operands);
        ck_assert_uint_eq(facts.memory.exchange, reads[i].lanes);
        ck_assert_int_eq(facts.memory.transposes, reads[i].lanes != 0);
    }
}
END_TEST

static const lw_fact_operand *find(const known *k, lw_role role, lw_reg_file file, unsigned first)
{
    for (size_t i = 0; i < k->facts.operand_count; i++) {
        const lw_fact_operand *o = &k->operands[i];
        if (o->role == role && o->is_register && o->file == file && o->first == first)
            return o;
    }
    ck_abort_msg("no operand with role %u in file %u at %u", role, file, first);
    return NULL;
}

START_TEST(operands)
{
    static known k[STEPS];
    learn(k);
    ck_assert_uint_eq(find(&k[GLOBAL_LOAD], LW_ROLE_RESULT, LW_FILE_VGPR, 4)->count, 4);
    ck_assert(find(&k[GLOBAL_LOAD], LW_ROLE_ADDRESS, LW_FILE_VGPR, 0)->lanes == LW_LANES_ACTIVE);
    ck_assert_uint_eq(find(&k[BUFFER_TO_LDS], LW_ROLE_ADDRESS, LW_FILE_SGPR, 0)->count, 4);
    ck_assert(find(&k[BUFFER_TO_LDS], LW_ROLE_IMPLIED, LW_FILE_NAMED, LW_NAMED_M0)->read);
    ck_assert(find(&k[FLAT_ATOMIC], LW_ROLE_DATA, LW_FILE_VGPR, 2)->read);
    ck_assert(find(&k[FLAT_ATOMIC], LW_ROLE_RESULT, LW_FILE_VGPR, 3)->written);
    ck_assert(find(&k[BRANCH_VCCZ], LW_ROLE_IMPLIED, LW_FILE_NAMED, LW_NAMED_VCC_LO)->count == 2);
    ck_assert(find(&k[MFMA8], LW_ROLE_SOURCE, LW_FILE_VGPR, 8)->lanes == LW_LANES_ALL);
    ck_assert_uint_eq(find(&k[MFMA4], LW_ROLE_SOURCE, LW_FILE_VGPR, 8)->count, 4);
    ck_assert(find(&k[SMFMAC], LW_ROLE_RESULT, LW_FILE_VGPR, 8)->read);
    ck_assert(find(&k[SMFMAC], LW_ROLE_INDEX, LW_FILE_VGPR, 2)->read);
    ck_assert(find(&k[READLANE], LW_ROLE_SOURCE, LW_FILE_VGPR, 5)->lanes == LW_LANES_ONE);
    ck_assert(find(&k[READLANE], LW_ROLE_RESULT, LW_FILE_SGPR, 4)->lanes == LW_LANES_SCALAR);
    ck_assert(find(&k[ADDC], LW_ROLE_MASK, LW_FILE_NAMED, LW_NAMED_VCC_LO)->read);
    ck_assert(find(&k[TO_M0], LW_ROLE_RESULT, LW_FILE_NAMED, LW_NAMED_M0)->written);
    ck_assert(find(&k[TO_M0], LW_ROLE_SOURCE, LW_FILE_TRAP, 3)->read);
    const lw_fact_operand *half = find(&k[SDWA], LW_ROLE_RESULT, LW_FILE_VGPR, 15);
    ck_assert(!half->read && half->written && half->bytes_written == 0xc && half->bytes_read == 0);
    half = find(&k[SDWA], LW_ROLE_KEPT, LW_FILE_VGPR, 15);
    ck_assert(half->read && !half->written && half->bytes_read == 0x3);
    ck_assert(!k[LITERAL].operands[1].is_register && k[LITERAL].operands[1].constant == 0x40490fdb);
}
END_TEST

/* ---- Which hooks are called when ---- */

typedef struct seen {
    unsigned told, before, after, accesses, wrong;
    uint32_t next; /* the next new place */
    uint32_t answer;
    lw_class only; /* answers for this class only; LW_CLASS_END + 1: for all */
} seen;

static uint32_t tell(void *context, const lw_event *event)
{
    seen *s = context;
    s->told++;
    s->wrong += event->place != s->next || !event->facts || event->lanes != 64 || event->moved;
    s->next++;
    return (int)s->only > LW_CLASS_END || event->facts->kind == s->only ? s->answer : LW_SEE_NOTHING;
}

static bool declines; /* the observers' `before` */

static void before(void *context, const lw_event *event)
{
    if (declines)
        lw_event_decline(event);
    seen *s = context;
    s->before++;
    s->wrong += event->place >= s->next || event->access_count != 0;
}

static void after(void *context, const lw_event *event)
{
    seen *s = context;
    s->after++;
    s->accesses += (unsigned)event->access_count;
}

static lw_observer observer_of(seen *s)
{
    return (lw_observer){
        .struct_size = sizeof(lw_observer), .context = s, .decoded = tell, .before = before, .after = after
    };
}

/* The loop counts in s0: its three instructions are executed repeatedly, but `decoded` is called once for
 * each. */
START_TEST(told_once)
{
    static fixture f;
    fixture_init(&f, 1);
    seen all = { .answer = LW_SEE_ALL, .only = (lw_class)(LW_CLASS_END + 1) };
    seen some = { .answer = LW_SEE_BEFORE, .only = LW_CLASS_BRANCH }, none = { .only = LW_CLASS_END };
    const lw_observer o[] = { observer_of(&all), observer_of(&some), observer_of(&none) };
    const lw_observer *const list[] = { &o[0], &o[1], &o[2] };
    f.options.observers = list;
    f.options.observer_count = 3;
    fixture_ok(&f, "loop");
    const unsigned places = all.told;
    ck_assert_uint_gt(f.result->instructions, places);
    ck_assert_uint_eq(all.before, f.result->instructions);
    ck_assert_uint_eq(all.after, f.result->instructions);
    ck_assert_uint_eq(some.told, places);
    ck_assert(some.before > 1 && some.before < all.before && some.after == 0);
    ck_assert_uint_eq(none.told, places);
    ck_assert_uint_eq(none.before + none.after, 0);
    ck_assert_uint_eq(all.wrong + some.wrong + none.wrong, 0);
    all.next = some.next = none.next = 0; /* a second launch counts from 0 again */
    fixture_ok(&f, "loop");
    ck_assert_uint_eq(all.told, 2 * places);
    ck_assert_uint_eq(all.wrong, 0);
    fixture_free(&f);
}
END_TEST

START_TEST(accesses_for_those_who_ask)
{
    static fixture f;
    fixture_init(&f, 1);
    seen lds = { .answer = LW_SEE_AFTER | LW_SEE_ACCESSES, .only = LW_CLASS_LDS };
    seen blind = { .answer = LW_SEE_AFTER, .only = LW_CLASS_LDS };
    lw_observer o = observer_of(&lds);
    const lw_observer *const list[] = { &o };
    f.options.observers = list;
    f.options.observer_count = 1;
    fixture_ok(&f, "ds_read2_b32");
    ck_assert_uint_eq(lds.after, 1);
    ck_assert_uint_eq(lds.accesses, 128);
    o = observer_of(&blind);
    fixture_ok(&f, "ds_read2_b32");
    ck_assert_uint_eq(blind.after, 1);
    ck_assert_uint_eq(blind.accesses, 0);
    fixture_free(&f);
}
END_TEST

/* What all observers decline is not done; what one of them still wants is done for all. */
START_TEST(accesses_that_are_declined)
{
    static fixture f;
    fixture_init(&f, 1);
    seen first = { .answer = LW_SEE_ALL, .only = LW_CLASS_LDS };
    seen second = { .answer = LW_SEE_AFTER | LW_SEE_ACCESSES, .only = LW_CLASS_LDS };
    lw_observer o[] = { observer_of(&first), observer_of(&second) };
    const lw_observer *const list[] = { &o[0], &o[1] };
    f.options.observers = list;
    declines = true;
    f.options.observer_count = 1;
    fixture_ok(&f, "ds_read2_b32");
    ck_assert(first.before == 1 && first.after == 0 && first.accesses == 0);
    first = (seen){ .answer = LW_SEE_ALL, .only = LW_CLASS_LDS };
    f.options.observer_count = 2;
    fixture_ok(&f, "ds_read2_b32");
    declines = false;
    ck_assert(second.before == 0 && second.after == 1 && second.accesses == 128);
    ck_assert(first.before == 1 && first.after == 1 && first.accesses == 128);
    fixture_free(&f);
}
END_TEST

/* An observer from before `decoded` sees everything; a smaller one is refused. */
START_TEST(smaller_observers)
{
    static fixture f;
    fixture_init(&f, 1);
    seen s = { .next = UINT32_MAX };
    lw_observer o = observer_of(&s);
    o.struct_size = offsetof(lw_observer, decoded);
    const lw_observer *const list[] = { &o };
    f.options.observers = list;
    f.options.observer_count = 1;
    fixture_ok(&f, "ds_read2_b32");
    ck_assert_uint_eq(s.told, 0);
    ck_assert_uint_eq(s.before, f.result->instructions);
    ck_assert_uint_eq(s.accesses, 128);
    o.struct_size--;
    ck_assert_int_eq(fixture_run(&f, "ds_read2_b32", 1), LW_E_ARGUMENT);
    fixture_free(&f);
}
END_TEST

/* Registers addressed through an index: the facts of the execution are not those of the place. */
static void count_moved(void *context, const lw_event *event)
{
    *(unsigned *)context += event->moved;
}

START_TEST(moved_registers)
{
    static fixture f;
    fixture_init(&f, 1);
    unsigned moved = 0;
    const lw_observer o = { .struct_size = sizeof(o), .context = &moved, .before = count_moved };
    const lw_observer *const list[] = { &o };
    f.wave[0].sgpr[0] = f.wave[0].sgpr[1] = 1;
    f.options.observers = list;
    f.options.observer_count = 1;
    fixture_ok(&f, "gpr_idx");
    ck_assert_uint_ge(moved, 3);
    fixture_free(&f);
}
END_TEST

/* ---- The example of docs/adding-a-check.md ---- */

typedef struct lanes_place {
    uint64_t executed, lanes;
} lanes_place;

static uint32_t example_decoded(void *context, const lw_event *event)
{
    lw_note_list *places = context;
    lanes_place *place = lw_note_of(places, event->place);
    const bool wanted = place && event->facts->kind == LW_CLASS_GLOBAL && event->facts->memory.load;
    if (wanted)
        *place = (lanes_place){ .executed = 0 };
    return wanted ? LW_SEE_BEFORE : LW_SEE_NOTHING;
}

static void example_before(void *context, const lw_event *event)
{
    lanes_place *place = lw_note_of(context, event->place);
    place->executed++;
    for (uint64_t left = event->exec; left; left &= left - 1)
        place->lanes++;
}

START_TEST(example_of_the_document)
{
    static fixture f;
    fixture_init(&f, 1);
    lw_note_list places = { .item_size = sizeof(lanes_place) };
    const lw_observer o = {
        .struct_size = sizeof(o), .context = &places, .decoded = example_decoded, .before = example_before
    };
    const lw_observer *const list[] = { &o };
    for (unsigned lane = 0; lane < 64; lane++)
        set_pair(&f, 0, lane, f.address + 64);
    set_exec(&f, 0x8000000000000101);
    f.options.observers = list;
    f.options.observer_count = 1;
    fixture_ok(&f, "global_load_dword");
    const lanes_place *load = lw_note_of(&places, 0);
    ck_assert(load && load->executed == 1 && load->lanes == 3);
    const lanes_place *end = lw_note_of(&places, 1);
    ck_assert(end && end->executed == 0);
    lw_note_free(&places);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("facts");
    tcase_add_test(tc, classes_and_counters);
    tcase_add_test(tc, memory);
    tcase_add_test(tc, operands);
    tcase_add_test(tc, told_once);
    tcase_add_test(tc, accesses_for_those_who_ask);
    tcase_add_test(tc, accesses_that_are_declined);
    tcase_add_test(tc, smaller_observers);
    tcase_add_test(tc, moved_registers);
    tcase_add_test(tc, example_of_the_document);
    tcase_add_test(tc, lanes_that_exchange);
    return run_suite("observers_facts", tc);
}

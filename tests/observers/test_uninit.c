/* SPDX-License-Identifier: MIT */
/* The observer of uninitialised reads, called with instructions and LDS accesses made by hand: which lanes of
 * which registers count as read and written, what is reset, what is not followed. */
#include "emu/amdgpu/control/machine.h"
#include "emu/device/module.h"
#include "emu/amdgpu/decode/facts.h"
#include "machine/fixture.h"

typedef struct watched {
    lw_session session;
    lw_amd_launch launch;
    lw_group group;
    lw_wave wave;
    struct lw_event_state state;
    uint32_t poison;
    lw_event event;
    lw_uninit *check;
    const lw_observer *observer;
} watched;

static void watch(watched *w)
{
    memset(w, 0, sizeof(*w));
    w->poison = 0x7fc0dead;
    w->group.lds_size = 64;
    static lw_module nothing; /* no program, and no source lines */
    w->session.machine = &lw_amd_machine;
    w->session.module = &nothing;
    w->session.own = &w->launch;
    w->group.session = &w->session;
    w->wave.head.group = &w->group;
    w->state.wave = &w->wave.head;
    w->wave.lanes = 64;
    w->event = (lw_event){ .kernel = "k",
                           .arch = LW_ARCH_GFX950,
                           .exec = UINT64_MAX,
                           .mnemonic = "ds_read_b32",
                           .poison = &w->poison,
                           .state = &w->state,
                           .lanes = 64 };
    ck_assert_int_eq(lw_uninit_create(&w->check), LW_OK);
    w->observer = lw_uninit_observer(w->check);
}

/* Workgroup `group` begins, on its one wave. */
static void begin(watched *w, uint32_t group)
{
    w->event.workgroup[0] = group;
    w->observer->wave_begin(w->observer->context, &w->event);
}

static void access_lds(watched *w, uint32_t group, bool store, uint64_t address)
{
    const lw_memory_access access = {
        .space = LW_SPACE_LDS, .load = !store, .store = store, .address = address, .size = 4
    };
    w->event.workgroup[0] = group;
    w->event.accesses = &access;
    w->event.access_count = 1;
    w->observer->after(w->observer->context, &w->event);
}

static uint64_t times(const watched *w)
{
    const lw_uninit_report *report = lw_uninit_at(w->check, 0);
    return report ? report->times : 0;
}

START_TEST(a_second_launch_begins_anew)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    access_lds(&w, 0, true, 0);
    access_lds(&w, 0, false, 0);
    ck_assert_uint_eq(times(&w), 0);
    begin(&w, 0); /* the same workgroup of another launch */
    access_lds(&w, 0, false, 0);
    ck_assert_uint_eq(times(&w), 1);
    ck_assert_str_eq(lw_uninit_at(w.check, 0)->what, "LDS byte 0x0");
    lw_uninit_free(w.check);
}
END_TEST

START_TEST(an_interrupted_workgroup_is_left_alone)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    access_lds(&w, 0, true, 8);
    begin(&w, 1);
    access_lds(&w, 0, false, 8); /* written, but its shadow was discarded */
    access_lds(&w, 0, true, 16); /* must not count for workgroup 1 */
    ck_assert_uint_eq(times(&w), 0);
    access_lds(&w, 1, false, 16);
    ck_assert_uint_eq(times(&w), 1);
    lw_uninit_free(w.check);
}
END_TEST

/* A copy to LDS in flight has written nothing. */
START_TEST(copies_write_when_they_arrive)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    lw_memory_access access = { .space = LW_SPACE_LDS, .store = true, .late = true, .address = 4, .size = 4 };
    w.event.accesses = &access;
    w.event.access_count = 1;
    w.observer->after(w.observer->context, &w.event);
    access_lds(&w, 0, false, 4);
    ck_assert_uint_eq(times(&w), 1);
    access.late = false;
    w.event.accesses = &access;
    w.observer->arrived(w.observer->context, &w.event);
    access_lds(&w, 0, false, 4);
    ck_assert_uint_eq(times(&w), 1);
    lw_uninit_free(w.check);
}
END_TEST

START_TEST(register_names)
{
    static const struct {
        lw_reg_file file;
        unsigned reg;
        const char *name;
    } rows[] = { { LW_FILE_VGPR, 17, "v17" },
                 { LW_FILE_AGPR, 0, "a0" },
                 { LW_FILE_SGPR, 4, "s4" },
                 { LW_FILE_NAMED, LW_NAMED_VCC_HI, "vcc_hi" },
                 { LW_FILE_NAMED, LW_NAMED_M0, "m0" },
                 { LW_FILE_TRAP, 3, "ttmp3" },
                 { LW_FILE_NAMED, LW_NAMED_EXEC_LO, "exec_lo" },
                 { LW_FILE_NAMED, LW_NAMED_SCC, "scc" },
                 { LW_FILE_NAMED, LW_NAMED_MODE, "mode" },
                 { LW_FILE_NAMED, LW_NAMED_COUNT, "" } };
    watched w;
    watch(&w);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[16];
        ck_assert_uint_eq(lw_event_register_name(&w.event, rows[i].file, rows[i].reg, text, sizeof(text)),
                          strlen(rows[i].name));
        ck_assert_str_eq(text, rows[i].name);
    }
    lw_uninit_free(w.check);
}
END_TEST

/* ---- Lanes: the instructions of the block `uninit_steps`, in any order ---- */

enum {
    MOV0,
    MOV1,
    FMAC,
    CVT_PK,
    MFMA,
    READLANE,
    WRITELANE,
    S_MOV64,
    S_MOV,
    CNDMASK,
    CSELECT,
    S_CMP,
    ACC_READ,
    ACC_WRITE,
    MOV_DPP,
    MOVRELS,
    READ_V13,
    DS_READ,
    S_AND,
    ADD_CO,
    MOV_SDWA,
    DOT2C,
    SWAP,
    STEPS
};

typedef struct lanes {
    watched w;
    uint32_t vgpr[32 * 64], agpr[16 * 64];
    lw_record record[STEPS + 1]; /* the last one: any other instruction */
} lanes;

/* Every register holds the poison pattern, except lane 9 of v13. */
static void begin_lanes(lanes *l)
{
    const code_block *block = code_find("uninit_steps");
    size_t at = 0;
    watch(&l->w);
    for (unsigned i = 0; i < 32 * 64; i++)
        l->vgpr[i] = i == 13 * 64 + 9 ? 1 : l->w.poison;
    for (unsigned i = 0; i < 16 * 64; i++)
        l->agpr[i] = l->w.poison;
    l->w.wave.vgpr = l->vgpr;
    l->w.wave.agpr = l->agpr;
    l->w.wave.vgprs = 32;
    l->w.wave.agprs = 16;
    l->w.wave.accum = 32;
    for (unsigned i = 0; i < LW_SGPR_COUNT; i++)
        l->w.wave.sgpr[i] = l->w.poison;
    for (unsigned i = 0; i < STEPS; at += l->record[i++].in.words)
        ck_assert_int_eq(
            lw_amdgpu_decode(LW_ARCH_GFX950, block->words + at, block->count - at, &l->record[i].in), LW_OK);
    begin(&l->w, 0);
}

/* The register that the step is reported to read uninitialised, "" if none; and the lane. */
static const char *step(lanes *l, unsigned n, uint64_t exec, int *lane)
{
    lw_event *e = &l->w.event;
    *lane = -2;
    l->w.state.record = &l->record[n];
    e->mnemonic = lw_decoded_name(LW_ARCH_GFX950, &l->record[n].in);
    e->exec = exec;
    e->code_offset++; /* a place of its own for each step */
    e->accesses = NULL;
    e->access_count = 0;
    const size_t before = lw_uninit_count(l->w.check);
    lw_fact_operand operands[LW_MAX_OPERANDS];
    const lw_facts facts = lw_decoded_facts(LW_ARCH_GFX950, &l->record[n].in, e->pc, operands);
    e->facts = &facts;
    e->place = n;
    const uint32_t sees = l->w.observer->decoded(l->w.observer->context, e);
    if (sees & LW_SEE_BEFORE)
        l->w.observer->before(l->w.observer->context, e);
    if (sees & LW_SEE_AFTER)
        l->w.observer->after(l->w.observer->context, e);
    if (lw_uninit_count(l->w.check) == before)
        return "";
    const lw_uninit_report *r = lw_uninit_at(l->w.check, before);
    ck_assert(r && r->code_offset == e->code_offset && r->times == 1 && r->wave == 0);
    *lane = r->lane;
    return r->what;
}

static void says(lanes *l, unsigned n, uint64_t exec, const char *expected, int expected_lane)
{
    int lane;
    const char *what = step(l, n, exec, &lane);
    if (strcmp(what, expected) != 0 || lane != expected_lane)
        ck_abort_msg("step %u: '%s', lane %d; not '%s', lane %d", n, what, lane, expected, expected_lane);
}

enum { NONE = -2, SCALAR = -1 };
static const uint64_t ALL = UINT64_MAX;

START_TEST(lanes_of_vector_registers)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, MOV0, 0x00ff, "", NONE);
    says(&l, MOV1, 0x00f0, "", NONE);
    says(&l, MOV1, 0x0fff, "v0", 8);
    says(&l, MFMA, 0x00ff, "v0", 8); /* regardless of EXEC */
    says(&l, MOV0, UINT64_C(0xffffffff00000000), "", NONE);
    says(&l, MOV1, UINT64_C(0xffffffff000000ff), "", NONE);
    says(&l, MOV1, UINT64_C(0x8000000080000000), "v0", 31);
    says(&l, MOV0, ALL, "", NONE);
    says(&l, MFMA, 0x1, "", NONE);
    says(&l, MOV1, ALL, "", NONE);
    says(&l, READ_V13, 1u << 9, "", NONE); /* not the poison: counts as given */
    says(&l, READ_V13, 3u << 9, "v13", 10);
    lw_uninit_free(l.w.check);
}
END_TEST

/* The tied result of an addition is a source; what an instruction keeps of its result is not. */
START_TEST(results_that_are_read)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, MOV0, ALL, "", NONE);
    says(&l, CVT_PK, 0xf0, "", NONE); /* the high half is kept */
    says(&l, MOV_SDWA, ALL, "", NONE);
    says(&l, MOV_DPP, ALL, "", NONE); /* rows 0 and 2 are written */
    says(&l, FMAC, 0xf0, "v2", 4);
    says(&l, DOT2C, 0x10, "v16", 4);
    says(&l, FMAC, 0xf0, "", NONE); /* written by now, whatever it held */
    says(&l, SWAP, 0x3, "v17", 0);
    lw_uninit_free(l.w.check);
}
END_TEST

/* Parts of registers: words are llvm-mc's. */
static const struct {
    uint32_t words[2];
    uint64_t exec;
    const char *says;
    int lane;
} parts[] = {
    { { 0x7e1e02f9, 0x00061400 },
      UINT64_MAX,
      "",
      -2 },                                         /* v_mov_b32_sdwa v15, v0 dst_sel:WORD_0, the rest kept */
    { { 0x7e02170f }, UINT64_MAX, "", -2 },         /* v_cvt_f32_f16 v1, v15 */
    { { 0x7e0216f9, 0x0005160f }, 0xf0, "v15", 4 }, /* ... src0_sel:WORD_1 */
    { { 0x7e02030f }, UINT64_MAX, "v15", 0 },       /* v_mov_b32 v1, v15 */
    { { 0xd8b60000, 0x10000000 }, UINT64_MAX, "", -2 }, /* ds_read_u16_d16_hi v16, v0 */
    { { 0xd3905801, 0x18022110 }, UINT64_MAX, "", -2 }, /* v_pk_mul_f16 v1, v16, v16 op_sel:[1,1] */
    { { 0xd3904001, 0x18022110 },
      UINT64_MAX,
      "",
      -2 }, /* v_pk_mul_f16 v1, v16, v16: the load cleared the low half */
    { { 0xd2034011, 0x04020100 }, UINT64_MAX, "", -2 },   /* v_mad_f16 v17, v0, v0, v0 op_sel:[0,0,0,1] */
    { { 0xd8aa0000, 0x00001100 }, UINT64_MAX, "", -2 },   /* ds_write_b16_d16_hi v0, v17 */
    { { 0xd83e0000, 0x00001100 }, UINT64_MAX, "v17", 0 }, /* ds_write_b16 v0, v17 */
    { { 0xd3a10011, 0x04020100 }, UINT64_MAX, "", -2 },   /* v_fma_mixlo_f16 v17, v0, v0, v0 */
    { { 0x7e020311 }, UINT64_MAX, "", -2 },               /* v_mov_b32 v1, v17: both halves are there */
    { { 0xd2a42012, 0x00020100 }, UINT64_MAX, "", -2 },   /* v_cvt_sr_fp8_f32 v18, v0, v0 op_sel:[0,0,1,0] */
    { { 0x7e02a8f9, 0x00010612 }, UINT64_MAX, "", -2 },   /* v_cvt_f32_fp8_sdwa v1, v18 src0_sel:BYTE_1 */
    { { 0x7e02a8f9, 0x00020612 }, UINT64_MAX, "v18", 0 }, /* ... src0_sel:BYTE_2 */
    { { 0x7e2602fa, 0xff011100 }, UINT64_MAX, "", -2 },   /* v_mov_b32_dpp v19, v0 row_shr:1 */
    { { 0x7e080513 }, 0x1fffe, "", -2 },                  /* v_readfirstlane_b32 s4, v19: lane 1 */
    { { 0x7e080513 }, UINT64_MAX, "v19", 0 },      /* the same for lane 0, to which nothing was shifted */
    { { 0x7e0202fa, 0xff011113 }, 0x6, "", -2 },   /* v_mov_b32_dpp v1, v19 row_shr:1: lane 2 takes lane 1 */
    { { 0x7e0202fa, 0xff011113 }, 0x3, "v19", 0 }, /* lane 1 takes lane 0 */
    { { 0x7e280300 }, UINT64_MAX, "", -2 },        /* v_mov_b32 v20, v0 */
    { { 0xd3b14002, 0x00022914 },
      UINT64_MAX,
      "",
      -2 }, /* v_pk_mul_f32 v[2:3], v[20:21], v[20:21] op_sel_hi:[0,0] */
    { { 0xd3b15802, 0x18022914 }, UINT64_MAX, "v21", 0 }, /* ... op_sel:[1,1] */
};

START_TEST(parts_of_registers)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, MOV0, ALL, "", NONE);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        ck_assert_int_eq(lw_amdgpu_decode(LW_ARCH_GFX950, parts[i].words, 2, &l.record[STEPS].in), LW_OK);
        says(&l, STEPS, parts[i].exec, parts[i].says, parts[i].lane);
    }
    lw_uninit_free(l.w.check);
}
END_TEST

START_TEST(one_lane_moves)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, READLANE, ALL, "", NONE);
    says(&l, WRITELANE, 0, "", NONE);
    says(&l, ACC_READ, 0x30, "a3", 4);
    says(&l, ACC_WRITE, 0x30, "", NONE);
    says(&l, ACC_READ, 0x30, "", NONE);
    says(&l, ACC_READ, 0x70, "a3", 6);
    lw_uninit_free(l.w.check);
}
END_TEST

START_TEST(scalars)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, CSELECT, 0, "scc", SCALAR);
    says(&l, S_CMP, 0, "", NONE);
    says(&l, CSELECT, 0, "", NONE);
    says(&l, S_AND, 0, "", NONE); /* EXEC and trap temporaries are given */
    says(&l, S_MOV64, 0, "s6", SCALAR);
    says(&l, S_MOV, 0, "", NONE);
    says(&l, S_MOV64, 0, "s7", SCALAR);
    says(&l, MOV0, ALL, "", NONE);
    says(&l, CNDMASK, 0x1, "vcc_lo", SCALAR);
    says(&l, ADD_CO, 0x1, "", NONE);
    says(&l, CNDMASK, 0x1, "", NONE);
    says(&l, MOVRELS, 0, "s20", SCALAR);
    l.w.wave.sgpr[20] = 1;
    begin(&l.w, 0);
    says(&l, MOVRELS, 0, "m0", SCALAR);
    lw_uninit_free(l.w.check);
}
END_TEST

/* A load from an address in v0 of lanes that were never written; waves beyond those that are followed. */
START_TEST(addresses_and_far_waves)
{
    static lanes l;
    begin_lanes(&l);
    says(&l, DS_READ, 0x2, "v0", 1);
    says(&l, MOV0, 0x2, "", NONE);
    says(&l, DS_READ, 0x2, "", NONE);
    l.w.event.wave = 31;
    l.w.observer->wave_begin(l.w.observer->context, &l.w.event);
    l.w.event.wave = 32;
    l.w.observer->wave_begin(l.w.observer->context, &l.w.event);
    says(&l, DS_READ, 0x1, "", NONE);
    lw_uninit_free(l.w.check);
}
END_TEST

/* Bytes one by one; atomics read; bytes past the end are reported as such. */
START_TEST(bytes_of_lds)
{
    watched w;
    watch(&w);
    begin(&w, 0);
    access_lds(&w, 0, true, 0);
    access_lds(&w, 0, true, 8);
    w.event.code_offset = 1;
    access_lds(&w, 0, false, 2);
    ck_assert_uint_eq(lw_uninit_count(w.check), 1);
    ck_assert_str_eq(lw_uninit_at(w.check, 0)->what, "LDS byte 0x4");
    w.event.code_offset = 2;
    access_lds(&w, 0, true, 4);
    access_lds(&w, 0, false, 2);
    access_lds(&w, 0, false, 6);
    ck_assert_uint_eq(lw_uninit_count(w.check), 1);
    const lw_memory_access atomic = {
        .lane = 7, .space = LW_SPACE_LDS, .load = true, .store = true, .address = 32, .size = 8
    };
    w.event.accesses = &atomic;
    for (w.event.code_offset = 3; w.event.code_offset < 5; w.event.code_offset++)
        w.observer->after(w.observer->context, &w.event);
    ck_assert_uint_eq(lw_uninit_count(w.check), 2); /* once: it has stored */
    ck_assert_str_eq(lw_uninit_at(w.check, 1)->what, "LDS byte 0x20");
    ck_assert_int_eq(lw_uninit_at(w.check, 1)->lane, 7);
    const lw_memory_access past[] = {
        { .lane = 1, .space = LW_SPACE_LDS, .store = true, .dropped = true, .address = 61, .size = 4 },
        { .lane = 2, .space = LW_SPACE_GLOBAL, .load = true, .address = 60, .size = 4 },
        { .lane = 3, .space = LW_SPACE_LDS, .load = true, .dropped = true, .address = 80, .size = 4 },
    };
    w.event.accesses = past;
    w.event.access_count = 3;
    w.observer->after(w.observer->context, &w.event);
    ck_assert_uint_eq(lw_uninit_count(w.check), 3);
    ck_assert_int_eq(lw_uninit_at(w.check, 2)->lane, 3);
    ck_assert_ptr_nonnull(strstr(lw_uninit_at(w.check, 2)->what, "LDS byte 0x50"));
    ck_assert_ptr_nonnull(strstr(lw_uninit_at(w.check, 2)->what, "64 bytes"));
    w.event.code_offset++;
    access_lds(&w, 0, true, 57);
    access_lds(&w, 0, false, 60); /* the dropped store has written nothing */
    ck_assert_uint_eq(lw_uninit_count(w.check), 4);
    ck_assert_str_eq(lw_uninit_at(w.check, 3)->what, "LDS byte 0x3d");
    lw_uninit_free(w.check);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("uninit");
    tcase_add_test(tc, a_second_launch_begins_anew);
    tcase_add_test(tc, an_interrupted_workgroup_is_left_alone);
    tcase_add_test(tc, copies_write_when_they_arrive);
    tcase_add_test(tc, register_names);
    tcase_add_test(tc, lanes_of_vector_registers);
    tcase_add_test(tc, results_that_are_read);
    tcase_add_test(tc, parts_of_registers);
    tcase_add_test(tc, one_lane_moves);
    tcase_add_test(tc, scalars);
    tcase_add_test(tc, addresses_and_far_waves);
    tcase_add_test(tc, bytes_of_lds);
    return run_suite("observers_uninit", tc);
}

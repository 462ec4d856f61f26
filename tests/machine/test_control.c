/* SPDX-License-Identifier: MIT */
/* Branches, calls, hardware registers, indexed registers, skipping. */
#include "emu/amdgpu/control/machine.h"
#include "machine/fixture.h"

static uint32_t scalar(const fixture *f, unsigned r)
{
    return f->wave[0].sgpr[r];
}

START_TEST(loop)
{
    fixture f;
    fixture_init(&f, 1);
    fixture_ok(&f, "loop");
    ck_assert_uint_eq(scalar(&f, 0), 64);
    ck_assert_uint_eq(scalar(&f, 1), 2016);
    ck_assert_uint_eq(f.result->instructions, 2 + 4 * 64 + 1);
    fixture_free(&f);
}
END_TEST

/* getpc gives the next instruction's address, call and swappc save it, setpc returns. */
START_TEST(calls)
{
    fixture f;
    fixture_init(&f, 2);
    fixture_ok(&f, "calls");
    ck_assert_uint_eq(scalar(&f, 0), 0x00000004);
    ck_assert_uint_eq(scalar(&f, 1), 0x8);
    ck_assert_uint_eq(scalar(&f, 2), 8);
    ck_assert_uint_eq(scalar(&f, 8), 24);
    ck_assert_uint_eq(scalar(&f, 20), 7);
    ck_assert_uint_eq(scalar(&f, 21), 9);
    ck_assert_uint_eq(scalar(&f, 22), 11);
    fixture_free(&f);
}
END_TEST

/* Each branch skips the move after it when taken. */
START_TEST(branches)
{
    for (unsigned state = 0; state < 8; state++) {
        const bool vcc = state & 1, exec = state & 2, scc = state & 4;
        fixture f;
        fixture_init(&f, 3);
        for (unsigned i = 0; i < 8; i++)
            f.wave[0].sgpr[i] = 0;
        set_scalar64(&f, 106, vcc ? UINT64_C(1) << 40 : 0);
        set_exec(&f, exec ? UINT64_C(1) << 63 : 0);
        f.wave[0].scc = scc;
        fixture_ok(&f, "branches");
        const bool skipped[] = { !vcc, vcc, !exec, exec, !scc, scc, false };
        for (unsigned i = 0; i < 7; i++)
            ck_assert_uint_eq(scalar(&f, i), skipped[i] ? 0 : 1);
        fixture_free(&f);
    }
}
END_TEST

START_TEST(hardware_registers)
{
    fixture f;
    fixture_init(&f, 4);
    f.wave[0].mode = 0x3f0;
    f.wave[0].scc = 1;
    fixture_ok(&f, "hwregs");
    ck_assert_uint_eq(scalar(&f, 0), 0x3f0);
    ck_assert_uint_eq(scalar(&f, 1), 0x3a0);
    ck_assert_uint_eq(scalar(&f, 3), 0x3a3);
    ck_assert_uint_eq(f.wave[0].mode, 0x3a3);
    ck_assert_uint_eq(scalar(&f, 4), 0x00010002);
    ck_assert_uint_eq(scalar(&f, 5) & 0x601, 0x401); /* SCC, VCCZ; not EXECZ */
    fixture_free(&f);
}
END_TEST

START_TEST(indexed_registers)
{
    fixture f;
    fixture_init(&f, 5);
    f.wave[0].sgpr[1] = 2;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        s.vgpr[1 * 64 + lane] = f.vgpr[0][7 * 64 + lane];  /* v4 + 3 */
        s.vgpr[11 * 64 + lane] = f.vgpr[0][4 * 64 + lane]; /* v8 + 3 */
        s.vgpr[10 * 64 + lane] = f.vgpr[0][6 * 64 + lane] + f.vgpr[0][7 * 64 + lane];
        s.vgpr[2 * 64 + lane] = f.vgpr[0][4 * 64 + lane];
    }
    fixture_ok(&f, "gpr_idx");
    same_as(&f, &s, "gpr_idx");
    f.wave[0].sgpr[1] = 200;
    ck_assert_int_eq(fixture_run(&f, "gpr_idx", 1), LW_E_FAULT);
    ck_assert_str_eq(f.result->fault.reason,
                     "register index 200 in M0 leaves the 16 vector registers of the wave");
    fixture_free(&f);
}
END_TEST

START_TEST(skipped_vector_instructions)
{
    fixture f;
    fixture_init(&f, 6);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        s.vgpr[3 * 64 + lane] = 2;
    fixture_ok(&f, "vskip");
    same_as(&f, &s, "vskip");
    ck_assert_uint_eq(scalar(&f, 0), 5);
    fixture_free(&f);
}
END_TEST

/* Faults, each with its whole sentence. */
START_TEST(faults)
{
    static const struct {
        const char *block, *sentence;
    } F[] = {
        { "trap_two",
          "code, workgroup (0,0,0), wave 0, pc +0x0 \"s_trap 2\": the kernel aborts itself (trap 2)" },
        { "halt",
          "code, workgroup (0,0,0), wave 0, pc +0x0 \"s_sethalt 1\": the wave halts itself and nothing can "
          "resume it" },
        { "undecodable",
          "code, workgroup (0,0,0), wave 0, pc +0x0: the words 0xffffffff 0xbf810000 are not an instruction "
          "of gfx950" },
        { "too_high",
          "code, workgroup (0,0,0), wave 0, pc +0x0 \"v_mov_b32_e32 v200, v0\": register v200 is not among "
          "the 16 that the wave has allocated" },
        { "not_implemented",
          "code, workgroup (0,0,0), wave 0, pc +0x0 \"s_rfe_b64 s[0:1]\": the instruction s_rfe_b64 "
          "cannot run: only trap handlers may run it" },
        { "data_share", "code, workgroup (0,0,0), wave 0, pc +0x0 \"ds_write_b32 v0, v2\": the "
                        "global data share, which the gds bit asks for, is not emulated" },
    };
    for (size_t i = 0; i < sizeof(F) / sizeof(F[0]); i++) {
        fixture f;
        fixture_init(&f, 7);
        ck_assert_int_eq(fixture_run(&f, F[i].block, 1), LW_E_FAULT);
        ck_assert_str_eq(f.result->fault.sentence, F[i].sentence);
        ck_assert_str_eq(f.error.text, F[i].sentence);
        ck_assert_int_eq(f.result->fault.lane, -1);
        fixture_free(&f);
    }
    fixture f;
    fixture_init(&f, 8);
    fixture_ok(&f, "trap_three");
    fixture_free(&f);
}
END_TEST

/* Code that ends without s_endpgm, inside an instruction, or jumps out of it. */
START_TEST(leaving_the_code)
{
    static const uint32_t nop[] = { 0xbf800000 }, half[] = { 0xd1cb0000 }, away[] = { 0xbf827fff };
    static const struct {
        const uint32_t *words;
        const char *reason;
    } L[] = {
        { nop, "the program counter is outside the program's code" },
        { half, "the words 0xd1cb0000 0x00000000 are not an instruction of gfx950" },
        { away, "the program counter is outside the program's code" },
    };
    for (size_t i = 0; i < 3; i++) {
        fixture f;
        fixture_init(&f, 9);
        f.options.code = L[i].words;
        f.options.words = 1;
        ck_assert_int_eq(lw_code_run(&f.options, f.wave, 1, &f.result, NULL), LW_E_FAULT);
        ck_assert_str_eq(f.result->fault.reason, L[i].reason);
        fixture_free(&f);
    }
}
END_TEST

/* Memory faults name lane, address and the nearest allocation. */
START_TEST(memory_faults)
{
    fixture f;
    fixture_init(&f, 10);
    set_exec(&f, UINT64_C(1) << 17);
    set_pair(&f, 0, 17, f.address + BUFFER - 3 + 7);
    ck_assert_int_eq(fixture_run(&f, "global_load_dword", 1), LW_E_FAULT);
    ck_assert_str_eq(
        f.result->fault.sentence,
        "code, workgroup (0,0,0), wave 0, lane 17, pc +0x0 \"global_load_dword v4, v[0:1], off offset:-7\": "
        "loads from 4 bytes at address 0x1000000ffd, which is 3 bytes before the end of \"buffer\"");
    set_pair(&f, 0, 17, f.address + BUFFER + 7);
    ck_assert_int_eq(fixture_run(&f, "global_load_ubyte", 1), LW_E_FAULT);
    ck_assert_str_eq(f.result->fault.reason,
                     "loads from address 0x1000001000 in no allocation (0 bytes past the end of "
                     "\"buffer\", 4096 bytes at 0x1000000000)");
    set_pair(&f, 0, 17, f.address + BUFFER + 6);
    fixture_ok(&f, "global_load_ubyte");

    uint64_t fixed;
    ck_assert_int_eq(lw_memory_allocate(f.memory, "fixed", 64, LW_ACCESS_READ, &fixed, NULL), LW_OK);
    set_scalar64(&f, 4, fixed);
    reg(&f, 2)[17] = 0;
    ck_assert_int_eq(fixture_run(&f, "global_store_byte", 1), LW_E_FAULT);
    ck_assert_str_eq(f.result->fault.reason,
                     "stores to address 0x100002000b in read-only allocation \"fixed\"");
    fixture_free(&f);
}
END_TEST

/* The reason why the order of workgroups may be visible to this code. */
static const char *why_visible(lw_arch arch, const uint32_t *words, size_t count, bool *reachable_only)
{
    lw_memory *memory;
    lw_module *module;
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_module_load_code(memory, arch, words, count, &module, NULL), LW_OK);
    const lw_session s = {
        .machine = &lw_amd_machine, .module = module, .arch = arch, .entry = module->base
    };
    const char *why = lw_amd_order(&s, reachable_only);
    lw_module_unload(module);
    lw_memory_free(memory);
    return why;
}

/* Code in which the order of workgroups may be visible. */
START_TEST(visible_order)
{
    static const struct {
        const char *block;
        bool visible, reachable_only;
    } V[] = {
        { "loop", false, true },
        { "global_load_dword", false, true },
        { "ds_add_u32", false, true },
        { "global_atomic_add", true, true },
        { "buffer_atomic_add", true, true },
        { "s_atomic_add", true, true },
        { "s_stores", true, true },
        { "calls", false, false },
    };
    for (size_t i = 0; i < sizeof(V) / sizeof(V[0]); i++) {
        const code_block *b = code_find(V[i].block);
        const lw_arch arch = strncmp(b->name, "s_", 2) ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
        bool reachable_only;
        const char *why = why_visible(arch, b->words, b->count, &reachable_only);
        ck_assert_msg((why != NULL) == V[i].visible, "%s: %s", b->name, why ? why : "invisible");
        ck_assert_msg(reachable_only == V[i].reachable_only, "%s", b->name);
    }
    /* past the end of the code, and never reached */
    static const uint32_t words[] = { 0xbf820002, 0xddbd0000, 0x00000400, 0xbf810000 };
    bool reachable_only;
    ck_assert_ptr_null(why_visible(LW_ARCH_GFX950, words, sizeof(words) / sizeof(words[0]), &reachable_only));
}
END_TEST

/* Sources to which no document assigns a value stop the wave; they do not read as zero. */
START_TEST(sources_without_value)
{
    static const char *const blocks[] = { "no_value_offset", "no_value_skip", "no_value_index",
                                          "no_value_index_idx" };
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        fixture f;
        fixture_init(&f, 40 + i);
        ck_assert_int_eq(fixture_run(&f, blocks[i], 1), LW_E_FAULT);
        ck_assert_ptr_nonnull(strstr(f.result->fault.reason, "has no documented value here"));
        fixture_free(&f);
    }
}
END_TEST

/*
 * v_fma_mix_* with an inline constant as f16 source: constant * 1 + 0, or 0 * 1 + constant. Codes are f16's:
 * 1/(2 pi) is 0x3118 = 0.1591796875, the integer 64 the subnormal 64 * 2^-24 = 2^-18.
 */
START_TEST(constants_of_mixed_operations)
{
    static const struct {
        unsigned reg;
        uint32_t bits;
    } rows[] = {
        { 4, 0x3f000000 }, { 5, 0xbf800000 },  { 6, 0x40800000 },  { 7, 0x3e230000 },  { 8, 0x36800000 },
        { 9, 0xc0000000 }, { 10, 0x3f000000 }, { 11, 0xc0000000 }, { 12, 0xc4003c00 }, { 13, 0x3f000000 },
    };
    fixture f;
    fixture_init(&f, 12);
    for (unsigned lane = 0; lane < 64; lane++) {
        reg(&f, 2)[lane] = 0x3f800000;
        reg(&f, 3)[lane] = 0;
    }
    fixture_ok(&f, "mix_constants");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_msg(reg(&f, rows[i].reg)[lane] == rows[i].bits, "v%u is %08x, not %08x", rows[i].reg,
                          reg(&f, rows[i].reg)[lane], rows[i].bits);
    ck_assert_int_eq(fixture_run(&f, "mix_constant_high", 1), LW_E_FAULT);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("control");
    tcase_add_test(tc, loop);
    tcase_add_test(tc, calls);
    tcase_add_test(tc, branches);
    tcase_add_test(tc, hardware_registers);
    tcase_add_test(tc, indexed_registers);
    tcase_add_test(tc, skipped_vector_instructions);
    tcase_add_test(tc, faults);
    tcase_add_test(tc, sources_without_value);
    tcase_add_test(tc, leaving_the_code);
    tcase_add_test(tc, memory_faults);
    tcase_add_test(tc, visible_order);
    tcase_add_test(tc, constants_of_mixed_operations);
    return run_suite("machine_control", tc);
}

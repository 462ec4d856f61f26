/* SPDX-License-Identifier: MIT */
/*
 * The bytes and lanes in facts, compared with what handlers do: changing bytes of registers that no operand
 * reads must not affect the result; bytes that no operand writes stay.
 */
#include <check.h>

#include "emu/amdgpu/decode/facts.h"
#include "tests/valu/forms_kit.h"

enum { TRIES = 12, REGS = FORMS_REGS + 8 /* an operand has at most eight */ };

typedef struct touched {
    uint8_t read[2][REGS][LW_LANES], written[2][REGS][LW_LANES]; /* VGPRs, AGPRs: one bit per byte */
} touched;

static void note(touched *t, const forms_case *c, const lw_fact_operand *o, uint64_t exec)
{
    if (!o->is_register || (o->file != LW_FILE_VGPR && o->file != LW_FILE_AGPR))
        return;
    const uint64_t lanes = lw_decoded_lanes(&c->in, o, exec);
    for (unsigned reg = o->first; reg < (unsigned)o->first + o->count && reg < REGS; reg++)
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            if (!(lanes >> lane & 1))
                continue;
            t->read[o->file == LW_FILE_AGPR][reg][lane] |= o->bytes_read;
            t->written[o->file == LW_FILE_AGPR][reg][lane] |= o->bytes_written;
        }
}

static uint32_t mask_of(unsigned bytes)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= bytes >> i & 1 ? 0xffu << 8 * i : 0;
    return mask;
}

static uint32_t *word(kit *k, unsigned file, unsigned reg, unsigned lane)
{
    return file ? &k->agpr[reg][lane] : &k->vgpr[reg][lane];
}

/* Another wave that differs only in what is not read. */
static void scramble(kit *k, const touched *t)
{
    for (unsigned file = 0; file < 2; file++)
        for (unsigned reg = 0; reg < REGS; reg++)
            for (unsigned lane = 0; lane < LW_LANES; lane++)
                *word(k, file, reg, lane) ^= (uint32_t)kit_random(k) & ~mask_of(t->read[file][reg][lane]);
}

static void compare(kit *before, kit *after, const touched *t, kit *other, const char *text)
{
    for (unsigned file = 0; file < 2; file++)
        for (unsigned reg = 0; reg < REGS; reg++)
            for (unsigned lane = 0; lane < LW_LANES; lane++) {
                const uint32_t changed = *word(before, file, reg, lane) ^ *word(after, file, reg, lane);
                const uint32_t differ = *word(other, file, reg, lane) ^ *word(after, file, reg, lane);
                const uint32_t written = mask_of(t->written[file][reg][lane]);
                if (changed & ~written)
                    ck_abort_msg("%s: %c%u lane %u: 0x%08x changes, 0x%08x is written", text,
                                 file ? 'a' : 'v', reg, lane, changed, written);
                if (differ & written)
                    ck_abort_msg("%s: %c%u lane %u: 0x%08x depends on bytes that are not read", text,
                                 file ? 'a' : 'v', reg, lane, differ);
            }
}

static kit before, one, two;

static void relocate(kit *k)
{
    k->w.vgpr = k->vgpr[0];
    k->w.agpr = k->agpr[0];
    k->w.head.fault = &k->fault;
}

static void try_case(const forms_case *c)
{
    static touched t;
    lw_fact_operand operands[LW_MAX_OPERANDS];
    char text[128];
    lw_amdgpu_text(c->arch, &c->in, text, sizeof(text));
    forms_fill(&before, c->arch);
    const lw_facts f = lw_decoded_facts(c->arch, &c->in, 0, operands);
    memset(&t, 0, sizeof(t));
    for (size_t i = 0; i < f.operand_count; i++)
        note(&t, c, &operands[i], lw_wave_exec(&before.w));
    one = two = before;
    relocate(&one);
    relocate(&two);
    scramble(&two, &t);
    const lw_step step = c->in.exec(&one.w, &c->in);
    if (step != c->in.exec(&two.w, &c->in) || step != LW_STEP_NEXT)
        return; /* refused because of its operands, not of values */
    compare(&before, &one, &t, &two, text);
    ck_assert_msg(one.w.scc == two.w.scc && memcmp(one.w.sgpr, two.w.sgpr, sizeof(one.w.sgpr)) == 0,
                  "%s: scalars depend on bytes that are not read", text);
}

/* Registers that M0 selects are known only when the instruction executes. */
static bool is_vector(const lw_op_row *row)
{
    return !row->insn && !(row->flags & LW_OPF_R_M0) && strcmp(row->sem, "none") != 0 &&
           row->enc >= LW_ENC_VOP1 && row->enc <= LW_ENC_VOP3P;
}

START_TEST(bytes)
{
    static const lw_arch arches[] = { LW_ARCH_GFX942, LW_ARCH_GFX950, LW_ARCH_GFX1100 };
    const lw_op_row *row = &lw_op_rows[_i];
    if (!is_vector(row))
        return;
    before.seed = 0x9e3779b97f4a7c15u + (uint64_t)_i;
    for (size_t a = 0; a < sizeof(arches) / sizeof(arches[0]); a++) {
        forms_case c;
        kit_reset(&before, arches[a]);
        for (unsigned n = 0; n < TRIES && forms_random(&before, arches[a], row, &c); n++)
            try_case(&c);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("valu_bytes");
    TCase *tc = tcase_create("bytes");
    tcase_add_loop_test(tc, bytes, 0, LW_OP_COUNT);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * A program that finds an instruction's layouts on the hardware: the experiments of program.c.in, the layouts
 * claimed here as tables, and a kernel around the instruction.
 */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/formats.h"
#include "isa_tables/ptx/row.h"
#include "validate/layout_probe/probe.h"
#include "layouts/verdict.h"

static const char *const program[] = {
#include "validate/layout_probe/program.inc"
};

const char *lw_probe_variable(unsigned operand)
{
    static const char *const names[LW_OPERAND_COUNT] = { "a", "b", "c", "d", "index", "scale_a", "scale_b" };
    return names[operand];
}

/* The codes of 0 and 1; of 1 and 2 for scales; of the pairs 0 1 and 2 3 for indices. */
static void codes_of(const lw_probe *p, unsigned operand, uint64_t *zero, uint64_t *one)
{
    const lw_format *f = lw_format_of((lw_elem)p->layout[operand].elem, p->arch);
    const bool scale = operand == LW_OPERAND_SCALE_A || operand == LW_OPERAND_SCALE_B;
    *zero = 0;
    *one = 1;
    if (operand == LW_OPERAND_INDEX) {
        *zero = 0x4;
        *one = 0xe;
    } else if (f && f->exp_bits) {
        *one = (uint64_t)f->bias << f->frac_bits;
        if (scale) {
            *zero = *one;
            *one = ((uint64_t)f->bias + 1) << f->frac_bits;
        }
    }
}

static void put_digit(const lw_probe *p, const lw_digit *d)
{
    lw_writer_put(p->w, "{ %u, %u, %u, %u, %u, %u, %u }", d->radix, d->lane, d->bit, d->row, d->col, d->k,
                  d->block);
}

/* Distance from one element of a lane to the next: each of PTX's narrow formats may take a whole byte. */
static unsigned slot_of(const lw_layout *l)
{
    unsigned least = 64;
    for (unsigned i = 0; i < l->relation.digits; i++)
        if (l->relation.digit[i].bit && l->relation.digit[i].bit < least)
            least = l->relation.digit[i].bit;
    return l->insn->ptx && l->relation.width < 8 && least == 8 ? 8 : l->relation.width;
}

static void put_operand(const lw_probe *p, unsigned operand)
{
    const lw_layout *l = &p->layout[operand];
    uint64_t zero, one;
    if (!p->has[operand]) {
        lw_writer_put(p->w,
                      "    { \"%s\", 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0 }, { { 0, 0, "
                      "0, 0, 0, 0, 0 } } },\n",
                      lw_operand_name((lw_operand)operand));
        return;
    }
    codes_of(p, operand, &zero, &one);
    const unsigned step = slot_of(l);
    lw_writer_put(p->w, "    { \"%s\", %u, %u, %u, %u, %u, %u, %u, %u, %u, 0x%llxull, 0x%llxull, %u,\n      ",
                  lw_operand_name((lw_operand)operand), l->registers, l->relation.width, step,
                  l->relation.origin.bit % (step < 32 ? step : 32), l->relation.rows, l->relation.cols,
                  l->relation.ks, l->relation.blocks, p->at[operand], (unsigned long long)zero,
                  (unsigned long long)one, l->relation.digits);
    const lw_vector origin = lw_pair_vector(&l->relation.origin);
    const lw_digit constants = lw_vector_digit(0, &origin);
    put_digit(p, &constants);
    lw_writer_put(p->w, ",\n      {");
    for (unsigned i = 0; i < l->relation.digits; i++) {
        lw_writer_put(p->w, "%s", i ? ", " : " ");
        put_digit(p, &l->relation.digit[i]);
    }
    lw_writer_put(p->w, " } },\n");
}

static void put_tables(const lw_probe *p)
{
    const unsigned groups = p->has[LW_OPERAND_INDEX] ? p->layout[LW_OPERAND_INDEX].relation.ks : 1;
    const unsigned ks = p->has[LW_OPERAND_SCALE_A] ? p->layout[LW_OPERAND_SCALE_A].relation.ks : 1;
    lw_writer_put(p->w, "\n#define ARCH \"%s\"\n#define INSTRUCTION \"%s\"\n#define MODIFIERS \"%s\"\n",
                  lw_arch_get(p->arch)->name, p->instruction, p->modifiers);
    lw_writer_put(p->w,
                  "enum {\n    WAVE = %u,\n    SPARSE = %d,\n    TIED = %d,\n    GROUP = %u, /* k that an "
                  "index is for */\n"
                  "    SCALE_BLOCK = %u,\n    IN_REGISTERS = %u,\n"
                  "    D_REGISTERS = %u\n};\n",
                  p->mods.wave, p->has[LW_OPERAND_INDEX], p->tied, p->insn->k / groups, p->insn->k / ks,
                  p->in_registers, p->layout[LW_OPERAND_D].registers);
    lw_writer_put(p->w, "\nstatic const operand operands[OPERANDS] = {\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        put_operand(p, o);
    lw_writer_put(p->w, "};\n");
}

static const char runners[] =
    "#ifdef PROBE_DEVICE_ONLY\n"
    "static int run(const uint32_t *in, uint32_t *out, int count)\n"
    "{\n"
    "    (void)in, (void)out, (void)count;\n"
    "    return 2;\n"
    "}\n"
    "#else\n"
    "static int run(const uint32_t *in, uint32_t *out, int count)\n"
    "{\n"
    "    static uint32_t *device_in, *device_out;\n"
    "    const size_t in_bytes = sizeof(uint32_t) * IN_WORDS * (size_t)count;\n"
    "    const size_t out_bytes = sizeof(uint32_t) * OUT_WORDS * (size_t)count;\n"
    "    if (!device_in && (GPU(Malloc)((void **)&device_in, sizeof(uint32_t) * IN_WORDS * MAX_RUNS) != 0 "
    "||\n"
    "                       GPU(Malloc)((void **)&device_out, sizeof(uint32_t) * OUT_WORDS * MAX_RUNS) != "
    "0))\n"
    "        return 2;\n"
    "    if (GPU(Memcpy)(device_in, in, in_bytes, GPU(MemcpyHostToDevice)) != 0)\n"
    "        return 2;\n"
    "    probe_kernel<<<count, WAVE>>>(device_in, device_out);\n"
    "    return GPU(Memcpy)(out, device_out, out_bytes, GPU(MemcpyDeviceToHost)) == 0 ? 0 : 2;\n"
    "}\n"
    "#endif\n";

static const char emulated[] =
    "#else\n"
    "/* Without a GPU compiler: something else executes, for instance an emulator. */\n"
    "int probe_run(const char *arch, const char *instruction, const char *modifiers, int wave, const "
    "uint32_t *in,\n"
    "              uint32_t *out, int count);\n"
    "static int run(const uint32_t *in, uint32_t *out, int count)\n"
    "{\n"
    "    return probe_run(ARCH, INSTRUCTION, MODIFIERS, WAVE, in, out, count);\n"
    "}\n"
    "#endif\n";

static void put_lines(lw_writer *w, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        lw_writer_put(w, "%.*s\n", (int)length, text);
        text += length + 1;
    }
}

static void put_head(const lw_probe *p)
{
    const char *arch = lw_arch_get(p->arch)->name;
    const bool wide = p->mods.wave == 64 && p->arch >= LW_ARCH_GFX1100 && p->arch <= LW_ARCH_GFX1201;
    lw_writer_put(p->w,
                  "/*\n * Where %s on %s keeps its matrices, asked of the hardware. Made by lanewise.\n *\n",
                  p->instruction, arch);
    if (p->insn->ptx)
        lw_writer_put(p->w, " *     nvcc -O2 -arch=%s probe.cu -o probe", arch);
    else
        lw_writer_put(p->w, " *     hipcc -O2 --offload-arch=%s%s probe.hip -o probe", arch,
                      wide ? " -mwavefrontsize64" : "");
    lw_writer_put(
        p->w,
        " && ./probe        (-v: every relation)\n *\n"
        " * One place of A gets a one. Each place of B gets a one in those runs whose bit is set in the\n"
        " * place's number; the runs in which a place of D is not zero spell the number of the place of B\n"
        " * that meets the lit place of A there. Nothing about layouts is assumed but how many registers\n"
        " * an operand has, how wide its elements are, and which places hold copies; the outcome is\n"
        " * compared with what lanewise claims. Rows, columns and k have no names on the hardware: which\n"
        " * place of A meets which place of B, in which place of D, is all that can be seen. C, indices\n"
        " * and scales are found in the same way. Exit status: 0 all as claimed, 1 differences, 2 it did\n"
        " * not run.\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_layout_info info;
        if (!p->has[o] || lw_layout_get_info(&p->layout[o], &info) != LW_OK)
            continue;
        lw_writer_put(p->w, " *\n * %s (%s): %s\n", lw_operand_name((lw_operand)o),
                      lw_label_name(info.evidence), info.note);
        if (info.open)
            lw_writer_put(p->w, " * Open: %s\n", info.open);
    }
    lw_writer_put(p->w, " */\n");
}

static void put_program(const lw_probe *p)
{
    put_head(p);
    for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++) {
        if (strcmp(program[i], "/* TABLES */\n") == 0) {
            put_tables(p);
        } else if (strcmp(program[i], "/* KERNEL */\n") == 0) {
            if (p->insn->ptx)
                lw_probe_put_cuda(p);
            else
                lw_probe_put_hip(p);
            put_lines(p->w, runners);
            put_lines(p->w, emulated);
        } else {
            lw_writer_put(p->w, "%s", program[i]);
        }
    }
}

/* The instruction and its modifiers as texts. Separate operands of PTX instructions count as modifiers
 * here. */
static lw_status name_parts(lw_probe *p)
{
    const lw_ptx_mods *ptx = &p->mods.ptx;
    if (!p->insn->ptx) {
        snprintf(p->instruction, sizeof(p->instruction), "%s", lw_insn_name(p->arch, p->insn));
        return lw_mods_print(p->arch, p->insn, &p->mods, p->modifiers, sizeof(p->modifiers), NULL);
    }
    lw_ptx_spell(p->insn, ptx, p->instruction);
    size_t used = 0;
    if (p->has[LW_OPERAND_INDEX])
        used = (size_t)snprintf(p->modifiers, sizeof(p->modifiers), "selector:%u ", ptx->selector);
    if (p->has[LW_OPERAND_SCALE_A])
        snprintf(p->modifiers + used, sizeof(p->modifiers) - used,
                 "byte-id-a:%u thread-id-a:%u byte-id-b:%u thread-id-b:%u", ptx->byte_a, ptx->thread_a,
                 ptx->byte_b, ptx->thread_b);
    return LW_OK;
}

static lw_status prepare(lw_probe *p, unsigned wave, const lw_mods *mods, lw_error *error)
{
    lw_insn_info info;
    lw_status st = lw_insn_require(p->arch, p->insn, error);
    if (st != LW_OK || (st = lw_insn_get_info(p->arch, p->insn, &info)) != LW_OK)
        return st;
    if (lw_ptx_is_move(p->insn))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s moves elements; what multiplies them has a program that finds their places",
                             p->insn->mnemonic);
    if (p->insn->ptx && p->insn->ptx->binary && (!mods || !mods->ptx.op))
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "%s: with .xor.popc no place can be lit alone; the .and.popc form has the same layouts",
            p->insn->mnemonic);
    p->tied = !info.operand[LW_OPERAND_C].present;
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_layout *l = &p->layout[o];
        p->has[o] = info.operand[o].present || o == LW_OPERAND_C;
        if (!p->has[o])
            continue;
        st = o == LW_OPERAND_C ? lw_layout_build_c(p->arch, p->insn, wave, mods, l, error)
                               : lw_layout_build(p->arch, p->insn, (lw_operand)o, wave, mods, l, error);
        if (st != LW_OK)
            return st;
        p->at[o] = p->in_registers;
        p->in_registers += o == LW_OPERAND_D ? 0 : l->registers;
    }
    p->mods = p->layout[LW_OPERAND_D].mods;
    return LW_OK;
}

lw_status lw_layout_probe(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods, lw_sink sink,
                          void *context, lw_error *error)
{
    lw_writer w;
    lw_probe p = { .arch = arch, .insn = insn, .w = &w };
    if (!sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_probe needs a sink");
    lw_status st = prepare(&p, wave, mods, error);
    if (st == LW_OK)
        st = name_parts(&p);
    if (st != LW_OK)
        return st;
    lw_writer_start(&w, sink, context);
    put_program(&p);
    return lw_writer_finish(&w);
}

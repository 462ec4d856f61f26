/* SPDX-License-Identifier: MIT */
/*
 * A program that finds an instruction's layouts on the hardware: the experiments of program.c.in with the
 * layouts claimed here as tables and a kernel around the instruction.
 */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/formats.h"
#include "layouts/verdict.h"
#include "layouts/writer.h"

static const char *const program[] = {
#include "layouts/probe/program.inc"
};

enum { TEXT = 160 };

typedef struct probe {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    bool has[LW_OPERAND_COUNT];
    lw_layout layout[LW_OPERAND_COUNT];
    unsigned at[LW_OPERAND_COUNT]; /* first register in the image of inputs */
    unsigned in_registers;
    char modifiers[TEXT]; /* as lw_mods_parse reads them */
    char assembly[TEXT];  /* as the assembler does */
    lw_writer *w;
} probe;

static bool is_tied(const probe *p)
{
    return lw_insn_is_sparse(p->insn);
}

static const char *array_name(unsigned operand)
{
    static const char *const names[LW_OPERAND_COUNT] = { "a", "b", "c", "d", "index", "scale_a", "scale_b" };
    return names[operand];
}

/* The codes of 0 and 1; of 1 and 2 for scales; of the pairs 0 1 and 2 3 for indices. */
static void codes_of(const probe *p, unsigned operand, uint64_t *zero, uint64_t *one)
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

static void put_digit(const probe *p, const lw_digit *d)
{
    lw_writer_put(p->w, "{ %u, %u, %u, %u, %u, %u, %u }", d->radix, d->lane, d->bit, d->row, d->col, d->k,
                  d->block);
}

static void put_operand(const probe *p, unsigned operand)
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
    const bool index = operand == LW_OPERAND_INDEX;
    const unsigned first = l->base.bit % l->width;
    lw_writer_put(p->w, "    { \"%s\", %u, %u, %u, %u, %u, %u, %u, %u, %u, 0x%llxull, 0x%llxull, %u,\n      ",
                  lw_operand_name((lw_operand)operand), l->registers, l->width, l->width, index ? 0 : first,
                  l->rows, l->cols, l->ks, l->blocks, p->at[operand], (unsigned long long)zero,
                  (unsigned long long)one, l->digits);
    put_digit(p, &l->base);
    lw_writer_put(p->w, ",\n      {");
    for (unsigned i = 0; i < l->digits; i++) {
        lw_writer_put(p->w, "%s", i ? ", " : " ");
        put_digit(p, &l->digit[i]);
    }
    lw_writer_put(p->w, " } },\n");
}

static void put_tables(const probe *p)
{
    const unsigned ks = p->has[LW_OPERAND_SCALE_A] ? p->layout[LW_OPERAND_SCALE_A].ks : 1;
    lw_writer_put(p->w, "\n#define ARCH \"%s\"\n#define INSTRUCTION \"%s\"\n#define MODIFIERS \"%s\"\n",
                  lw_arch_get(p->arch)->name, lw_insn_name(p->arch, p->insn), p->modifiers);
    lw_writer_put(p->w,
                  "enum {\n    WAVE = %u,\n    SPARSE = %d,\n    SCALE_BLOCK = %u,\n    IN_REGISTERS = %u,\n"
                  "    D_REGISTERS = %u\n};\n",
                  p->mods.wave, lw_insn_is_sparse(p->insn), p->insn->k / ks, p->in_registers,
                  p->layout[LW_OPERAND_D].registers);
    lw_writer_put(p->w, "\nstatic const operand operands[OPERANDS] = {\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        put_operand(p, o);
    lw_writer_put(p->w, "};\n");
}

/* "words8 b; b[0] = in[16 * WAVE] ...": an operand's registers as one vector variable. */
static void put_load(const probe *p, unsigned operand)
{
    const unsigned count = p->layout[operand].registers;
    const char *name = array_name(operand);
    lw_writer_put(p->w, "    words%u %s;\n", count, name);
    for (unsigned r = 0; r < count; r++)
        lw_writer_put(p->w, count == 1 ? "    %s = in[%u * WAVE];\n" : "    %s[%u] = in[%u * WAVE];\n", name,
                      count == 1 ? p->at[operand] + r : r, p->at[operand] + r);
}

/* D is an input too: bits that the instruction does not write are then known. C is read from D where tied. */
static void put_d(const probe *p)
{
    const unsigned count = p->layout[LW_OPERAND_D].registers;
    lw_writer_put(p->w, "    words%u d;\n", count);
    for (unsigned r = 0; r < count; r++) {
        char value[TEXT] = "0";
        if (is_tied(p))
            snprintf(value, sizeof(value), "in[%u * WAVE]", p->at[LW_OPERAND_C] + r);
        if (count == 1)
            lw_writer_put(p->w, "    d = %s;\n", value);
        else
            lw_writer_put(p->w, "    d[%u] = %s;\n", r, value);
    }
}

static void put_asm(const probe *p)
{
    const bool cdna = p->insn->layout != LW_FAMILY_WMMA && p->insn->layout != LW_FAMILY_SWMMAC;
    const char *file = p->arch == LW_ARCH_GFX908 ? "a" : "v";
    const char *wait =
        cdna ? "s_nop 15\\n s_nop 15\\n" : "v_nop\\n v_nop\\n v_nop\\n v_nop\\n v_nop\\n v_nop\\n";
    lw_writer_put(p->w,
                  "    /* the waits around it keep it clear of its neighbours, whose hazards the compiler "
                  "cannot see */\n");
    lw_writer_put(p->w, "    asm volatile(\"%s %s %%0, %%1, %%2, ", wait, lw_insn_name(p->arch, p->insn));
    const unsigned more[] = { LW_OPERAND_C, LW_OPERAND_INDEX, LW_OPERAND_SCALE_A, LW_OPERAND_SCALE_B };
    char inputs[TEXT] = "\"v\"(a), \"v\"(b)";
    unsigned number = 3;
    for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        if (!p->has[more[i]] || (more[i] == LW_OPERAND_C && is_tied(p)))
            continue;
        const size_t used = strlen(inputs);
        lw_writer_put(p->w, "%s%%%u", number > 3 ? ", " : "", number);
        snprintf(inputs + used, sizeof(inputs) - used, ", \"%s\"(%s)", more[i] == LW_OPERAND_C ? file : "v",
                 array_name(more[i]));
        number++;
    }
    lw_writer_put(p->w, "%s%s\\n %s\"\n                 : \"+&%s\"(d) : %s);\n", p->assembly[0] ? " " : "",
                  p->assembly, wait, file, inputs);
}

static void put_results(const probe *p)
{
    const unsigned count = p->layout[LW_OPERAND_D].registers;
    for (unsigned r = 0; r < count; r++)
        if (count == 1)
            lw_writer_put(p->w, "    out[0] = d;\n");
        else
            lw_writer_put(p->w, "    out[%u * WAVE] = d[%u];\n", r, r);
}

static void put_vector_types(const probe *p)
{
    unsigned long long sizes = 0;
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        if (p->has[o])
            sizes |= 1ull << p->layout[o].registers;
    for (unsigned n = 1; n < 64; n++)
        if (sizes >> n & 1 && n == 1)
            lw_writer_put(p->w, "typedef uint32_t words1;\n");
        else if (sizes >> n & 1)
            lw_writer_put(p->w, "typedef uint32_t words%u __attribute__((ext_vector_type(%u)));\n", n, n);
}

static void put_kernel(const probe *p)
{
    lw_writer_put(p->w, "\n#if defined(__HIP__)\n");
    lw_writer_put(p->w,
                  "#if __has_include(<hip/hip_runtime.h>)\n#include <hip/hip_runtime.h>\n"
                  "#else\n#define PROBE_DEVICE_ONLY 1\n#define __global__ __attribute__((global))\n#endif\n");
    put_vector_types(p);
    lw_writer_put(
        p->w, "\n/* One workgroup of one wave for each experiment. */\n"
              "extern \"C\" __global__ void probe_kernel(const uint32_t *in, uint32_t *out)\n{\n"
              "    in += __builtin_amdgcn_workgroup_id_x() * IN_WORDS + __builtin_amdgcn_workitem_id_x();\n"
              "    out += __builtin_amdgcn_workgroup_id_x() * OUT_WORDS + "
              "__builtin_amdgcn_workitem_id_x();\n");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++)
        if (p->has[o] && o != LW_OPERAND_D && !(o == LW_OPERAND_C && is_tied(p)))
            put_load(p, o);
    put_d(p);
    put_asm(p);
    put_results(p);
    lw_writer_put(p->w, "}\n\n");
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
    "    if (!device_in && (hipMalloc((void **)&device_in, sizeof(uint32_t) * IN_WORDS * MAX_RUNS) != "
    "hipSuccess ||\n"
    "                       hipMalloc((void **)&device_out, sizeof(uint32_t) * OUT_WORDS * MAX_RUNS) != "
    "hipSuccess))\n"
    "        return 2;\n"
    "    if (hipMemcpy(device_in, in, in_bytes, hipMemcpyHostToDevice) != hipSuccess)\n"
    "        return 2;\n"
    "    probe_kernel<<<count, WAVE>>>(device_in, device_out);\n"
    "    return hipMemcpy(out, device_out, out_bytes, hipMemcpyDeviceToHost) == hipSuccess ? 0 : 2;\n"
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

static void put_head(const probe *p)
{
    const char *arch = lw_arch_get(p->arch)->name;
    const bool wide = p->mods.wave == 64 && (p->arch == LW_ARCH_GFX1100 || p->arch == LW_ARCH_GFX1201);
    lw_writer_put(
        p->w,
        "/*\n * Where %s on %s keeps its matrices, asked of the hardware. Made by lanewise.\n *\n"
        " *     hipcc -O2 --offload-arch=%s%s probe.hip -o probe && ./probe        (-v: every relation)\n"
        " *\n"
        " * One place of A gets a one. Each place of B gets a one in those runs whose bit is set in the\n"
        " * place's number; the runs in which a place of D is not zero spell the number of the place of B\n"
        " * that meets the lit place of A there. Nothing about layouts is assumed but how many registers\n"
        " * an operand has, how wide its elements are, and which lanes hold copies; the outcome is compared\n"
        " * with what lanewise claims. Rows, columns and k have no names on the hardware: which place of A\n"
        " * meets which place of B, in which place of D, is all that can be seen. C, indices and scales are\n"
        " * found in the same way. Exit status: 0 all as claimed, 1 differences, 2 it did not run.\n",
        lw_insn_name(p->arch, p->insn), arch, arch, wide ? " -mwavefrontsize64" : "");
    for (unsigned o = 0; o < LW_OPERAND_COUNT; o++) {
        lw_layout_info info;
        if (!p->has[o] || lw_layout_get_info(&p->layout[o], &info) != LW_OK)
            continue;
        lw_writer_put(p->w, " *\n * %s (%s): %s\n", lw_operand_name((lw_operand)o),
                      lw_layout_evidence_name(info.evidence), info.note);
        if (info.open)
            lw_writer_put(p->w, " * Open: %s\n", info.open);
    }
    lw_writer_put(p->w, " */\n");
}

static void put_program(const probe *p)
{
    put_head(p);
    for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++) {
        if (strcmp(program[i], "/* TABLES */\n") == 0) {
            put_tables(p);
        } else if (strcmp(program[i], "/* KERNEL */\n") == 0) {
            put_kernel(p);
            put_lines(p->w, runners);
            put_lines(p->w, emulated);
        } else {
            lw_writer_put(p->w, "%s", program[i]);
        }
    }
}

/* What the assembler reads: without what only lw_mods_parse understands. */
static void write_assembly(probe *p)
{
    const char *word = p->modifiers;
    size_t used = 0;
    while (*word) {
        const size_t length = strcspn(word, " ");
        const bool ours = strncmp(word, "assume:", 7) == 0 || strncmp(word, "wave:", 5) == 0;
        if (!ours && length)
            used += (size_t)snprintf(p->assembly + used, sizeof(p->assembly) - used, "%s%.*s",
                                     used ? " " : "", (int)length, word);
        word += length + (word[length] == ' ');
    }
}

static lw_status prepare(probe *p, unsigned wave, const lw_mods *mods, lw_error *error)
{
    lw_insn_info info;
    lw_status st = lw_insn_require(p->arch, p->insn, error);
    if (st != LW_OK || (st = lw_insn_get_info(p->arch, p->insn, &info)) != LW_OK)
        return st;
    if (p->insn->ptx)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "programs that probe a layout are for AMD's instructions; %s is NVIDIA's",
                             lw_insn_name(p->arch, p->insn));
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
    probe p = { .arch = arch, .insn = insn, .w = &w };
    if (!sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_layout_probe needs a sink");
    lw_status st = prepare(&p, wave, mods, error);
    if (st == LW_OK)
        st = lw_mods_print(arch, insn, &p.mods, p.modifiers, sizeof(p.modifiers), NULL);
    if (st != LW_OK)
        return st;
    write_assembly(&p);
    lw_writer_start(&w, sink, context);
    put_program(&p);
    return lw_writer_finish(&w);
}

/* SPDX-License-Identifier: MIT */
/*
 * The GPU's side of the probes: a kernel for each instruction, which it contains as inline assembly. The
 * program around the kernels is validate/gpu/probe.cu; it defines KERNEL, the accessors IN32, IN64, OUT32 and
 * OUT64 (operand, number of the register) and, for AMD, the types words_N.
 */
#include <string.h>

#include "cli/probe.h"

/* Operands in the assembler's order: D, then the sources. */
static const struct {
    lw_operand operand;
    const char *name;
} sources[] = {
    { LW_OPERAND_A, "a" },     { LW_OPERAND_B, "b" },        { LW_OPERAND_C, "c" },
    { LW_OPERAND_INDEX, "e" }, { LW_OPERAND_SCALE_A, "sa" }, { LW_OPERAND_SCALE_B, "sb" },
};

static bool is_wide(const wave_operand *o)
{
    return !strcmp(o->info.format, "f64");
}

static unsigned registers(const wave_operand *o)
{
    return is_wide(o) ? o->info.registers / 2u : o->info.registers;
}

/* The number after "NAME:" in the kernel's modifiers, otherwise 0. */
static unsigned modifier(const char *kernel, const char *name)
{
    const char *at = strstr(kernel, name);
    unsigned value = 0;
    return at && sscanf(at + strlen(name), ":%u", &value) == 1 ? value : 0;
}

/* "{%4, %5}", with consecutive numbers. */
static void write_ptx_operand(FILE *out, const wave_operand *o, unsigned *number)
{
    for (unsigned i = 0; i < registers(o); i++)
        fprintf(out, "%s%%%u", i ? ", " : "{", (*number)++);
    fputc('}', out);
}

/* The instruction with its operands; the part of `kernel` after the mnemonic holds operands that are
 * numbers. */
static void write_ptx(FILE *out, const char *kernel, const wave_operand *o)
{
    unsigned at = 0;
    fprintf(out, "\"%.*s ", (int)strcspn(kernel, " "), kernel);
    write_ptx_operand(out, &o[LW_OPERAND_D], &at);
    for (lw_operand n = LW_OPERAND_A; n <= LW_OPERAND_C; n++) {
        fputs(", ", out);
        write_ptx_operand(out, &o[n], &at);
    }
    if (o[LW_OPERAND_INDEX].image)
        fprintf(out, ", %%%u, 0x%x", at++, modifier(kernel, "selector"));
    if (o[LW_OPERAND_SCALE_A].image)
        fprintf(out, ", {%%%u}, {%u, %u}, {%%%u}, {%u, %u}", at, modifier(kernel, "byte-id-a"),
                modifier(kernel, "thread-id-a"), at + 1, modifier(kernel, "byte-id-b"),
                modifier(kernel, "thread-id-b"));
    fputs(";\"", out);
}

static void write_cuda(FILE *out, const char *kernel, const cli_wave *wave)
{
    const wave_operand *o = wave->operand, *d = &o[LW_OPERAND_D];
    const char *comma = "";
    for (unsigned i = 0; i < registers(d); i++)
        fprintf(out, "    uint%d_t d%u;\n", is_wide(d) ? 64 : 32, i);
    fputs("    asm volatile(", out);
    write_ptx(out, kernel, o);
    fputs("\n                 : ", out);
    for (unsigned i = 0; i < registers(d); i++)
        fprintf(out, "%s\"=%c\"(d%u)", i ? ", " : "", is_wide(d) ? 'l' : 'r', i);
    fputs("\n                 : ", out);
    for (size_t n = 0; n < CLI_COUNT(sources); n++) {
        const wave_operand *s = &o[sources[n].operand];
        for (unsigned i = 0; s->image && i < registers(s); i++, comma = ", ")
            fprintf(out, "%s\"%c\"(IN%d(%s, %u))", comma, is_wide(s) ? 'l' : 'r', is_wide(s) ? 64 : 32,
                    sources[n].name, i);
    }
    fputs(");\n", out);
    for (unsigned i = 0; i < registers(d); i++)
        fprintf(out, "    OUT%d(%u, d%u);\n", is_wide(d) ? 64 : 32, i, i);
}

static void load_words(FILE *out, const wave_operand *o, const char *name)
{
    if (o->info.registers == 1) {
        fprintf(out, "    uint32_t v%s = IN32(%s, 0);\n", name, name);
        return;
    }
    fprintf(out, "    words_%u v%s;\n", o->info.registers, name);
    for (unsigned i = 0; i < o->info.registers; i++)
        fprintf(out, "    v%s[%u] = IN32(%s, %u);\n", name, i, name, i);
}

/*
 * The compiler does not look into assembly: waits before and after cover the hazards that it would avoid (at
 * most 19 wait states between a matrix instruction and a use of its result).
 */
static void write_hip(FILE *out, const char *kernel, const cli_wave *wave)
{
    const wave_operand *o = wave->operand;
    const bool tied = wave_c(wave) == LW_OPERAND_D;
    const size_t mnemonic = strcspn(kernel, " ");
    for (size_t n = 0; n < CLI_COUNT(sources); n++) {
        const bool is_c = sources[n].operand == LW_OPERAND_C;
        const wave_operand *s = &o[is_c ? wave_c(wave) : sources[n].operand];
        if (s->image)
            load_words(out, s, sources[n].name);
    }
    fprintf(out, "    %s vd%s;\n", o[LW_OPERAND_D].info.registers == 1 ? "uint32_t" : "decltype(vc)",
            tied ? " = vc" : "");
    fprintf(out, "    asm volatile(\"s_nop 15\\n\\t%.*s %%0", (int)mnemonic, kernel);
    unsigned at = 1;
    for (size_t n = 0; n < CLI_COUNT(sources); n++)
        if (o[sources[n].operand].image)
            fprintf(out, ", %%%u", at++);
    fprintf(out, "%s\\n\\ts_nop 15\\n\\ts_nop 15\"\n                 : \"%s\"(vd)\n                 : ",
            kernel + mnemonic, tied ? "+v" : "=&v");
    const char *comma = "";
    for (size_t n = 0; n < CLI_COUNT(sources); n++)
        if (o[sources[n].operand].image) {
            fprintf(out, "%s\"v\"(v%s)", comma, sources[n].name);
            comma = ", ";
        }
    fputs(");\n", out);
    for (unsigned i = 0; i < o[LW_OPERAND_D].info.registers; i++)
        fprintf(out, o[LW_OPERAND_D].info.registers == 1 ? "    OUT32(0, vd);\n" : "    OUT32(%u, vd[%u]);\n",
                i, i);
}

/* Whether an earlier probe has the same kernel as probe number `index`. */
static bool is_repeated(size_t index, lw_arch arch)
{
    for (size_t i = 0; i < index; i++)
        if (probe_concerns(probe_at(i), arch) &&
            !strcmp(probe_kernel(probe_at(i)), probe_kernel(probe_at(index))))
            return true;
    return false;
}

/* A kernel whose spelling is newer than PTX 9.0, the version of nvcc 13.0, is left out for that compiler;
 * later versions of both increase in step. */
enum { OLDEST_PTX = 90, NVCC_MINUS_PTX = 130 - OLDEST_PTX };

static void open_guard(FILE *out, unsigned ptx_isa)
{
    if (ptx_isa > OLDEST_PTX)
        fprintf(out, "#if __CUDACC_VER_MAJOR__ * 10 + __CUDACC_VER_MINOR__ >= %u\n",
                ptx_isa + NVCC_MINUS_PTX);
}

static void close_guard(FILE *out, unsigned ptx_isa, size_t index)
{
    if (ptx_isa > OLDEST_PTX)
        fprintf(out, "#else\nstatic void (*const k%zu)(images) = NULL;\n#endif\n", index);
}

static int write_kernel(const cli_call *call, size_t index, lw_arch arch, FILE *out)
{
    cli_wave wave;
    lw_error error = { "" };
    const probe *p = probe_at(index);
    const bool amd = !strcmp(lw_arch_get(arch)->vendor, "AMD");
    const lw_status st = probe_open(p, arch, 0, &wave, &error);
    if (st == LW_OK) {
        open_guard(out, wave.info.ptx_isa);
        fprintf(out, "KERNEL(k%zu)\n{\n", index);
        (wave.info.moves ? probe_write_move : amd ? write_hip : write_cuda)(out, probe_kernel(p), &wave);
        fputs("}\n", out);
        close_guard(out, wave.info.ptx_isa, index);
        fputc('\n', out);
    }
    wave_close(&wave);
    return st == LW_OK ? CLI_FINE : cli_fail_status(call, p->name, st, &error);
}

int probe_write_kernels(const cli_call *call, lw_arch arch, FILE *out)
{
    int exit = CLI_FINE;
    fprintf(out, "/* Kernels of the probes for %s, written by lanewise validate --kernels. */\n\n",
            lw_arch_get(arch)->name);
    for (size_t i = 0; i < probe_count() && exit == CLI_FINE; i++)
        if (probe_concerns(probe_at(i), arch) && !is_repeated(i, arch))
            exit = write_kernel(call, i, arch, out);
    fputs("static const struct kernel_row kernel_rows[] = {\n", out);
    for (size_t i = 0; i < probe_count() && exit == CLI_FINE; i++)
        if (probe_concerns(probe_at(i), arch) && !is_repeated(i, arch))
            fprintf(out, "    { \"%s\", k%zu },\n", probe_kernel(probe_at(i)), i);
    fputs("};\n", out);
    return exit;
}

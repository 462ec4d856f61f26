/* SPDX-License-Identifier: MIT */
/*
 * Runs probe programs (compiled as shared objects) on the emulator: probe_emulator STEP PROBE.so ...
 * probe_emulator names ARCH lists the instructions that multiply. probe_emulator print ARCH INSTRUCTION
 * prints the program.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

typedef int probe_main(int argc, char **argv);

static lw_mma *mma;
static lw_operand_info shape[LW_OPERAND_COUNT];

static int complain(const char *what, const lw_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    return 2;
}

static int prepare(const char *arch_name, const char *instruction, const char *modifiers, int wave)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "" };
    char text[512];
    snprintf(text, sizeof(text), "%s %s", instruction, modifiers);
    if (lw_arch_find(arch_name, &arch) != LW_OK || lw_insn_parse(arch, text, &insn, &mods, &error) != LW_OK)
        return complain(instruction, &error);
    mods.wave = (uint8_t)wave;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options),
                                     .mods = &mods,
                                     .wave = (unsigned)wave };
    if (lw_mma_create(arch, insn, &options, &mma, &error) != LW_OK)
        return complain(instruction, &error);
    for (int o = 0; o < LW_OPERAND_COUNT; o++) {
        shape[o] = (lw_operand_info){ 0 };
        lw_insn_operand(arch, insn, (lw_operand)o, &mods, &shape[o], NULL);
    }
    return 0;
}

/* The function that the probe programs call. */
int probe_run(const char *arch, const char *instruction, const char *modifiers, int wave, const uint32_t *in,
              uint32_t *out, int count);

int probe_run(const char *arch, const char *instruction, const char *modifiers, int wave, const uint32_t *in,
              uint32_t *out, int count)
{
    if (!mma && prepare(arch, instruction, modifiers, wave) != 0)
        return 2;
    const unsigned lanes = (unsigned)wave, d = shape[LW_OPERAND_D].registers;
    const bool tied = !shape[LW_OPERAND_C].present;
    const unsigned order[] = { LW_OPERAND_A,     LW_OPERAND_B,       LW_OPERAND_C,
                               LW_OPERAND_INDEX, LW_OPERAND_SCALE_A, LW_OPERAND_SCALE_B };
    for (int e = 0; e < count; e++) {
        const uint32_t *at[LW_OPERAND_COUNT] = { NULL };
        for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
            const unsigned o = order[i];
            const unsigned registers = o == LW_OPERAND_C && tied ? d : shape[o].registers;
            at[o] = registers ? in : NULL;
            in += (size_t)registers * lanes;
        }
        memset(out, 0, (size_t)d * lanes * sizeof(*out));
        if (tied)
            memcpy(out, at[LW_OPERAND_C], (size_t)d * lanes * sizeof(*out));
        const lw_mma_registers regs = { .a = at[LW_OPERAND_A],
                                        .b = at[LW_OPERAND_B],
                                        .c = tied ? out : at[LW_OPERAND_C],
                                        .d = out,
                                        .index = at[LW_OPERAND_INDEX],
                                        .scale_a = at[LW_OPERAND_SCALE_A],
                                        .scale_b = at[LW_OPERAND_SCALE_B] };
        if (lw_mma_execute_registers(mma, &regs, NULL) != LW_OK)
            return 2;
        out += (size_t)d * lanes;
    }
    return 0;
}

static int run_probe(char *path, char *step)
{
    void *object = dlopen(path, RTLD_NOW);
    char *arguments[] = { path, step, NULL };
    if (!object) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    probe_main *run;
    void *symbol = dlsym(object, "main");
    memcpy(&run, &symbol, sizeof(run)); /* ISO C has no conversion from objects to functions */
    const int status = symbol ? run(2, arguments) : 2;
    lw_mma_free(mma);
    mma = NULL;
    dlclose(object);
    return status;
}

static lw_status write_text(void *file, const char *text, size_t size)
{
    return fwrite(text, 1, size, file) == size ? LW_OK : LW_E_IO;
}

static int print_names(const char *arch_name)
{
    lw_arch arch;
    lw_insn_info info;
    if (lw_arch_find(arch_name, &arch) != LW_OK)
        return EXIT_FAILURE;
    for (size_t i = 0; lw_insn_at(arch, i); i++)
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) == LW_OK &&
            info.operand[LW_OPERAND_A].present && info.operand[LW_OPERAND_B].present)
            puts(info.mnemonic);
    return EXIT_SUCCESS;
}

static int print_program(const char *arch_name, const char *text)
{
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    lw_error error = { "no such architecture" };
    if (lw_arch_find(arch_name, &arch) == LW_OK && lw_insn_parse(arch, text, &insn, &mods, &error) == LW_OK &&
        lw_layout_probe(arch, insn, 0, &mods, write_text, stdout, &error) == LW_OK)
        return EXIT_SUCCESS;
    return complain(text, &error);
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc == 3 && strcmp(argv[1], "names") == 0)
        return print_names(argv[2]);
    if (argc == 4 && strcmp(argv[1], "print") == 0)
        return print_program(argv[2], argv[3]);
    for (int i = 2; i < argc; i++) {
        const int status = run_probe(argv[i], argv[1]);
        if (status != 0)
            printf("%s: exit status %d\n", argv[i], status);
        fflush(stdout);
        failed += status != 0;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

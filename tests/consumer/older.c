/* SPDX-License-Identifier: MIT */
/*
 * A program built with earlier headers, run with this library: every struct that may grow goes in or comes
 * out, between guard bytes that must not change.
 */
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

#define MUST(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                          \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

enum { GUARD = 0x5a, GUARD_SIZE = 64 };

/* A struct of this program's size, followed by guard bytes. */
#define GUARDED(type)                                                                                        \
    struct {                                                                                                 \
        type it;                                                                                             \
        unsigned char after[GUARD_SIZE];                                                                     \
    }

static int is_whole(const unsigned char *guard)
{
    for (int i = 0; i < GUARD_SIZE; i++)
        if (guard[i] != GUARD)
            return 0;
    return 1;
}

static lw_status count(void *context, const char *text, size_t size)
{
    (void)text;
    *(size_t *)context += size;
    return LW_OK;
}

static int matrices(void)
{
    const lw_insn *insn;
    lw_mma *mma;
    lw_layout *layout;
    GUARDED(lw_insn_info) info;
    GUARDED(lw_layout_info) shown;
    GUARDED(lw_mma_shape) shape;
    GUARDED(lw_layout_print_options) print;
    size_t written = 0;
    memset(&info, GUARD, sizeof(info));
    memset(&shown, GUARD, sizeof(shown));
    memset(&shape, GUARD, sizeof(shape));
    memset(&print, GUARD, sizeof(print));
    MUST(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL) == LW_OK);
    MUST(lw_insn_get_info(LW_ARCH_GFX942, insn, &info.it) == LW_OK);
    MUST(info.it.m == 16 && info.it.operand[LW_OPERAND_D].registers == 4 && is_whole(info.after));
    MUST(lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_A, 0, NULL, &layout, NULL) == LW_OK);
    MUST(lw_layout_get_info(layout, &shown.it) == LW_OK);
    MUST(shown.it.wave == 64 && shown.it.note[0] && is_whole(shown.after));
    print.it = lw_layout_print_options_default();
    MUST(is_whole(print.after) && print.it.lane == -1);
    print.it.lane = 3;
    MUST(lw_layout_print(layout, LW_LAYOUT_LISTING, &print.it, count, &written, NULL) == LW_OK && written);
    lw_layout_free(layout);
    const char *readings[] = { "cbsz:ignored" };
    const lw_mma_options options = { .struct_size = sizeof(options),
                                     .readings = readings,
                                     .reading_count = 1 };
    MUST(lw_mma_create(LW_ARCH_GFX942, insn, &options, &mma, NULL) == LW_OK);
    MUST(lw_mma_get_shape(mma, &shape.it) == LW_OK);
    MUST(shape.it.wave == 64 && strcmp(shape.it.d_format, "f32") == 0 && is_whole(shape.after));
    lw_mma_free(mma);
    return 0;
}

static int code(void)
{
    static const uint32_t words[] = { 0xbf810000 }; /* s_endpgm */
    GUARDED(lw_disasm) disasm;
    memset(&disasm, GUARD, sizeof(disasm));
    MUST(lw_disasm_decode(LW_ARCH_GFX950, words, sizeof(words), 0, &disasm.it) == LW_OK);
    MUST(strcmp(disasm.it.text, "s_endpgm") == 0 && is_whole(disasm.after));
    lw_wave_state wave = { .mode = 0x3f0 };
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX950, .code = words, .words = 1
    };
    lw_launch_result *result = NULL;
    MUST(lw_code_run(&options, &wave, 1, &result, NULL) == LW_OK && result->instructions == 1);
    lw_launch_result_free(result);
    return 0;
}

static int kernels(const char *path)
{
    GUARDED(lw_load_options) load;
    GUARDED(lw_launch_options) launch;
    lw_program *program;
    lw_memory *memory;
    lw_launch_result *result = NULL;
    lw_error error;
    memset(&load, GUARD, sizeof(load));
    memset(&launch, GUARD, sizeof(launch));
    load.it = lw_load_options_default();
    launch.it = lw_launch_options_default();
    MUST(is_whole(load.after) && is_whole(launch.after));
    MUST(load.it.member == LW_MEMBER_ANY && launch.it.budget == LW_BUDGET_DEFAULT);
    MUST(lw_program_load_file(path, &load.it, &program, &error) == LW_OK);
    MUST(lw_memory_create(&memory) == LW_OK);
    launch.it.program = program;
    launch.it.memory = memory;
    launch.it.block[0] = 64;
    launch.it.grid[0] = 1;
    /* without its arguments the kernel is refused: the message is about them, not about the options */
    MUST(lw_launch(&launch.it, &result, &error) == LW_E_ARGUMENT && strstr(error.text, "argument") != NULL);
    lw_memory_free(memory);
    lw_program_free(program);
    return 0;
}

int main(int argc, char **argv)
{
    MUST(argc == 2);
    return matrices() || code() || kernels(argv[1]);
}

/* SPDX-License-Identifier: MIT */
/* lanewise list: the architectures, the instructions of one, or the kernels of a file. */
#include <stdio.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/arg.h"
#include "cli/info.h"
#include "cli/list.h"
#include "cli/list_evidence.h"
#include "cli/target.h"

/* The longest mnemonic of the architecture, but at least the forty columns of AMD's. */
static int name_width(lw_arch arch)
{
    int width = 40;
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        lw_insn_info info;
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) == LW_OK && (int)strlen(info.mnemonic) > width)
            width = (int)strlen(info.mnemonic);
    }
    return width;
}

/* The widest name of a format of A or B; for f8f6f4, a modifier names the format. */
static int format_width(lw_arch arch)
{
    int width = 8;
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        lw_insn_info info;
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) != LW_OK)
            continue;
        for (int o = LW_OPERAND_A; o <= LW_OPERAND_B; o++)
            if (info.operand[o].format && (int)strlen(info.operand[o].format) > width)
                width = (int)strlen(info.operand[o].format);
    }
    return width;
}

static void print_row(const lw_insn_info *info, const char *tail)
{
    char shape[32];
    if (info->k)
        snprintf(shape, sizeof(shape), "%ux%ux%u%s%.0u", info->m, info->n, info->k,
                 info->blocks > 1 ? "x" : "", info->blocks > 1 ? info->blocks : 0);
    else
        snprintf(shape, sizeof(shape), "%ux%u", info->m, info->n);
    const int width = format_width(info->arch);
    printf("%-*s %-12s %-*s %-*s %-5s  %s\n", name_width(info->arch), info->mnemonic, shape, width,
           info->operand[LW_OPERAND_A].format, width, info->operand[LW_OPERAND_B].format,
           info->operand[LW_OPERAND_D].format, tail);
}

static void write_labels(const evidence_row *row, cli_json *json)
{
    json_string(json, "evidence_finite", lw_label_name((lw_label)row->label[LW_MMA_FINITE]));
    json_string(json, "evidence_weakest", lw_label_name((lw_label)row->weakest));
    json_open(json, "evidence", '{');
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        json_string(json, lw_mma_aspect_name((lw_mma_aspect)a), lw_label_name((lw_label)row->label[a]));
    json_close(json, '}');
}

/* `row` is NULL if evidence was not requested. */
static void list_row(const lw_insn_info *info, const evidence_row *row, cli_json *json)
{
    char tail[64] = "";
    if (row && info->moves)
        snprintf(tail, sizeof(tail), "moves only");
    else if (row && row->computes)
        snprintf(tail, sizeof(tail), "%-10s %s", lw_label_name((lw_label)row->label[LW_MMA_FINITE]),
                 lw_label_name((lw_label)row->weakest));
    if (!json) {
        print_row(info, row ? tail : info->modifiers);
        return;
    }
    json_open(json, NULL, '{');
    info_write_head(json, info);
    if (row && row->computes)
        write_labels(row, json);
    json_close(json, '}');
}

/* Prints each row of an architecture that passes the filter, and returns how many there were. */
static size_t list_rows(lw_arch arch, const char *family, const evidence_table *evidence, cli_json *json)
{
    size_t shown = 0;
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        lw_insn_info info;
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) != LW_OK)
            continue;
        if (family && strcmp(family, info.family) != 0)
            continue;
        list_row(&info, evidence ? &evidence->row[shown] : NULL, json);
        shown++;
    }
    return shown;
}

/* "mfma, mfma_scale, smfmac": the families of an architecture, each once. */
static void name_families(lw_arch arch, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        lw_insn_info info;
        char word[64];
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) != LW_OK)
            continue;
        snprintf(word, sizeof(word), "%s,", info.family);
        if (!strstr(text, word) && strlen(text) + strlen(word) + 2 < size) {
            strcat(text, text[0] ? " " : "");
            strcat(text, word);
        }
    }
    if (text[0])
        text[strlen(text) - 1] = '\0';
}

static bool has_family(lw_arch arch, const char *family)
{
    for (size_t i = 0; i < lw_insn_count(arch); i++) {
        lw_insn_info info;
        if (lw_insn_get_info(arch, lw_insn_at(arch, i), &info) == LW_OK && strcmp(info.family, family) == 0)
            return true;
    }
    return false;
}

static void write_instructions(lw_arch arch, const char *family, const evidence_table *evidence)
{
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "arch", lw_arch_get(arch)->name);
    json_open(&json, "instructions", '[');
    list_rows(arch, family, evidence, &json);
    json_close(&json, ']');
    if (evidence)
        evidence_write(evidence, &json);
    json_close(&json, '}');
}

static void print_instructions(lw_arch arch, const char *family, const evidence_table *evidence)
{
    const int width = format_width(arch);
    printf("%-*s %-12s %-*s %-*s %-5s  %s\n", name_width(arch), "instruction", "m x n x k", width, "A", width,
           "B", "D", evidence ? "finite     weakest aspect" : "modifiers");
    const size_t shown = list_rows(arch, family, evidence, NULL);
    printf("%zu instructions of %s\n", shown, lw_arch_get(arch)->name);
    if (evidence)
        evidence_print(evidence);
}

static int list_instructions(const cli_call *call, lw_arch arch)
{
    const char *family = cli_value(call, "family");
    char families[256];
    if (family && !has_family(arch, family)) {
        name_families(arch, families, sizeof(families));
        return cli_fail(call, CLI_USAGE, "--family %s: %s has the families %s", family,
                        lw_arch_get(arch)->name, families);
    }
    const bool sure = cli_has(call, "evidence");
    evidence_table table = { .arch = arch };
    if (sure)
        table = evidence_read(arch, family);
    if (cli_has(call, "json"))
        write_instructions(arch, family, sure ? &table : NULL);
    else
        print_instructions(arch, family, sure ? &table : NULL);
    evidence_free(&table);
    return CLI_FINE;
}

static int list_archs(const cli_call *call)
{
    cli_json json = { .out = stdout };
    const bool as_json = cli_has(call, "json");
    if (as_json) {
        json_open(&json, NULL, '{');
        json_open(&json, "archs", '[');
    }
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        const lw_arch_info *info = lw_arch_get((lw_arch)a);
        if (!info->has_matrix)
            continue;
        if (!as_json) {
            printf("%-8s %-30s %3zu matrix instructions%s\n", info->name, info->marketing,
                   lw_insn_count((lw_arch)a), info->runs_kernels ? ", runs kernels" : "");
            continue;
        }
        json_open(&json, NULL, '{');
        json_string(&json, "arch", info->name);
        json_string(&json, "name", info->marketing);
        json_uint(&json, "matrix_instructions", lw_insn_count((lw_arch)a));
        json_bool(&json, "runs_kernels", info->runs_kernels);
        json_close(&json, '}');
    }
    if (as_json) {
        json_close(&json, ']');
        json_close(&json, '}');
    }
    return CLI_FINE;
}

static int list_evidence(const cli_call *call)
{
    cli_json json = { .out = stdout };
    if (!cli_has(call, "json")) {
        evidence_print_all();
        return CLI_FINE;
    }
    json_open(&json, NULL, '{');
    evidence_write_all(&json);
    json_close(&json, '}');
    return CLI_FINE;
}

static int run_list(const cli_call *call)
{
    lw_arch arch;
    const int exit = target_arch(call, false, &arch);
    if (exit != CLI_FINE)
        return exit;
    if (call->operand_count > 1)
        return cli_fail(call, CLI_USAGE, "takes at most one file, not %zu: lanewise list %s",
                        call->operand_count, call->verb->usage);
    if (call->operand_count == 1 && (cli_has(call, "family") || cli_has(call, "evidence")))
        return cli_fail(call, CLI_USAGE,
                        "--family and --evidence are about instructions, not about the file %s",
                        call->operands[0]);
    if (call->operand_count == 1)
        return list_file(call, call->operands[0], arch);
    if (arch == LW_ARCH_NONE && cli_has(call, "family"))
        return cli_fail(call, CLI_USAGE, "--family needs --arch ARCH");
    if (arch != LW_ARCH_NONE)
        return list_instructions(call, arch);
    return cli_has(call, "evidence") ? list_evidence(call) : list_archs(call);
}

static const cli_option options[] = {
    CLI_OPTION_ARCH,
    { .name = "family",
      .value = "NAME",
      .help = "only these: mfma, smfmac, mfma_scale, wmma, swmmac, wmma_scale;\nmma, mma.sp, wmma.mma, "
              "wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix" },
    { .name = "evidence",
      .help = "how well the arithmetic is supported, by aspect: exact, recorded,\nmeasured, vendor, "
              "inferred, unknown" },
    CLI_OPTION_MEMORY_LIMIT,
};

static const cli_example examples[] = {
    { .command = "lanewise list", .says = "the GPU generations that this version knows" },
    { .command = "lanewise list --arch gfx942", .says = "every matrix instruction of one GPU" },
    { .command = "lanewise list --arch gfx950 --evidence",
      .says = "how well is the arithmetic of each supported?" },
    { .command = "lanewise list --evidence", .says = "what rests on chips, on documents, on inference?" },
    { .command = "lanewise list vector_add_gfx950.co", .says = "the kernels of a file and their arguments" },
    { .command = "lanewise list --arch gfx950 --family mfma_scale --json",
      .says = "the scaled ones, for programs" },
};

const cli_verb cli_verb_list = {
    .name = "list",
    .usage = "[--arch ARCH [--family NAME]] [--evidence] | FILE [--arch ARCH]",
    .summary = "the instructions of a GPU, or the kernels of a file",
    .text = "Without --arch: the GPU generations that this version knows. With it: the matrix instructions "
            "of that GPU,\none per line, with shape, formats and the modifiers they take. With a FILE (code "
            "object, offload bundle,\nhost program with kernels, or PTX): its kernels, their resources and "
            "the arguments they take. Captured launches (capture) and parts of "
            "launches\n(run --part) are listed too.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_list,
};

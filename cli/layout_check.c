/* SPDX-License-Identifier: MIT */
#include "cli/layout_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "cli/file.h"
#include "cli/target.h"

/* Prints the picture after a layout that differs, unless it is too wide for a screen. */
static void print_wrong(const lw_layout *layout, const char *text, size_t size)
{
    enum { MOST_COLUMNS = 128 };
    lw_layout_info info;
    if (lw_layout_get_info(layout, &info) != LW_OK || info.y_count > MOST_COLUMNS)
        return;
    printf("%s by %s, X where yours is wrong:\n", info.x_name, info.y_name);
    (void)lw_layout_print_wrong(layout, text, size, target_sink, stdout, NULL);
}

static int judge(const cli_call *call, const char *option, const lw_layout *layout, lw_layout_judgement *j)
{
    const char *text = cli_value(call, option);
    uint8_t *file = NULL;
    size_t size = strlen(text);
    lw_error error = { "" };
    if (text[0] == '@') {
        const int exit = file_read(call, text + 1, &file, &size);
        if (exit != CLI_FINE)
            return exit;
    }
    const char *said = file ? (const char *)file : text;
    const lw_status status = lw_layout_judge(layout, said, size, j, &error);
    if (status == LW_OK) {
        lw_layout_info info;
        lw_layout_get_info(layout, &info);
        printf("%s: %s: %s", lw_operand_name(info.operand), lw_notation_name(j->notation), j->text);
        if (j->verdict == LW_VERDICT_DIFFERENT)
            print_wrong(layout, said, size);
    }
    free(file);
    if (status == LW_OK)
        return CLI_FINE;
    return cli_fail(call, status == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--%s: %s", option, error.text);
}

int layout_check(const cli_call *call, const lw_layout *layout)
{
    lw_layout_judgement j;
    const int exit = judge(call, "check", layout, &j);
    if (exit != CLI_FINE)
        return exit;
    return j.verdict == LW_VERDICT_EQUAL ? CLI_FINE : CLI_NO;
}

static int judge_operand(const cli_call *call, const char *option, lw_arch arch, const lw_insn *insn,
                         lw_operand operand, const lw_mods *mods, lw_layout_judgement *j)
{
    lw_layout *layout = NULL;
    lw_error error = { "" };
    const lw_status status = lw_layout_create(arch, insn, operand, 0, mods, &layout, &error);
    if (status != LW_OK)
        return cli_fail_status(call, NULL, status, &error);
    const int exit = judge(call, option, layout, j);
    lw_layout_free(layout);
    return exit;
}

/* Whether both are equal, or rename k alike. */
static bool fit(const lw_layout_judgement *a, const lw_layout_judgement *b)
{
    return a->verdict == LW_VERDICT_K_RENAMED && b->verdict == LW_VERDICT_K_RENAMED && a->ks == b->ks &&
           memcmp(a->k_of, b->k_of, a->ks * sizeof(a->k_of[0])) == 0;
}

int layout_check_both(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    lw_layout_judgement a, b;
    if (!cli_has(call, "check-a") || !cli_has(call, "check-b"))
        return cli_fail(call, CLI_USAGE, "--check-a and --check-b go together");
    int exit = judge_operand(call, "check-a", arch, insn, LW_OPERAND_A, mods, &a);
    if (exit == CLI_FINE)
        exit = judge_operand(call, "check-b", arch, insn, LW_OPERAND_B, mods, &b);
    if (exit != CLI_FINE)
        return exit;
    if (a.verdict == LW_VERDICT_EQUAL && b.verdict == LW_VERDICT_EQUAL)
        return CLI_FINE;
    if (fit(&a, &b)) {
        puts("A and B rename k alike: the product is the same");
        return CLI_FINE;
    }
    puts("A and B have different k in the same places: the product is different");
    return CLI_NO;
}

static const char *verdict_name(lw_layout_verdict verdict)
{
    return verdict == LW_VERDICT_EQUAL       ? "equal"
           : verdict == LW_VERDICT_K_RENAMED ? "k renamed"
           : verdict == LW_VERDICT_REORDERED ? "other order"
                                             : "transposed";
}

/* One line for each verdict, architecture and operand, with the instructions. */
static void print_guesses(const lw_layout_guess *g, size_t count, lw_layout_verdict verdict)
{
    for (size_t i = 0; i < count; i++) {
        bool first = g[i].verdict == verdict;
        for (size_t n = 0; n < i && first; n++)
            first = g[n].verdict != verdict || g[n].arch != g[i].arch || g[n].operand != g[i].operand ||
                    g[n].wave != g[i].wave;
        if (!first)
            continue;
        printf("%-11s  %s, waves of %u, %s of", verdict_name(verdict), lw_arch_get(g[i].arch)->name,
               g[i].wave, lw_operand_name(g[i].operand));
        for (size_t n = i; n < count; n++) {
            lw_insn_info info;
            if (g[n].verdict == verdict && g[n].arch == g[i].arch && g[n].operand == g[i].operand &&
                g[n].wave == g[i].wave && lw_insn_get_info(g[n].arch, g[n].insn, &info) == LW_OK)
                printf(" %s", info.mnemonic);
        }
        putchar('\n');
    }
}

int layout_guess(const cli_call *call)
{
    const char *text = cli_value(call, "guess");
    uint8_t *file = NULL;
    size_t size = strlen(text), count = 0, room = 8192;
    lw_arch arch = LW_ARCH_NONE;
    lw_error error = { "" };
    if (call->operand_count)
        return cli_fail(call, CLI_USAGE, "--guess takes no instruction");
    int exit = target_arch(call, false, &arch);
    if (exit == CLI_FINE && text[0] == '@')
        exit = file_read(call, text + 1, &file, &size);
    if (exit != CLI_FINE)
        return exit;
    lw_layout_guess *guesses = cli_alloc(room * sizeof(*guesses));
    const lw_status st =
        lw_layout_guesses(file ? (const char *)file : text, size, arch, guesses, room, &count, &error);
    free(file);
    count = count < room ? count : room;
    for (int v = LW_VERDICT_EQUAL; st == LW_OK && v <= LW_VERDICT_TRANSPOSED; v++)
        print_guesses(guesses, count, (lw_layout_verdict)v);
    free(guesses);
    if (st != LW_OK)
        return cli_fail(call, st == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--guess: %s", error.text);
    if (count)
        return CLI_FINE;
    puts("it fits no operand");
    return CLI_NO;
}

/* SPDX-License-Identifier: MIT */
#include "cli/layout_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "cli/file.h"
#include "cli/json.h"
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

static const char *verdict_name(lw_layout_verdict verdict)
{
    switch (verdict) {
    case LW_VERDICT_EQUAL:
        return "equal";
    case LW_VERDICT_K_RENAMED:
        return "k renamed";
    case LW_VERDICT_REORDERED:
        return "other order";
    case LW_VERDICT_TRANSPOSED:
        return "transposed";
    case LW_VERDICT_COPIES:
        return "copies";
    case LW_VERDICT_DIFFERENT:
        break;
    }
    return "different";
}

/* A text that arrives in pieces. */
typedef struct joined {
    char *text;
    size_t size;
} joined;

static lw_status join(void *context, const char *text, size_t size)
{
    joined *all = context;
    all->text = cli_grow(all->text, all->size + size + 1);
    memcpy(all->text + all->size, text, size);
    all->size += size;
    all->text[all->size] = '\0';
    return LW_OK;
}

/* The lines of lw_layout_print_wrong: a line per X, block after block. */
static void write_wrong(cli_json *json, const lw_layout *layout, const char *text, size_t size)
{
    joined picture = { NULL, 0 };
    json_open(json, "picture", '[');
    if (lw_layout_print_wrong(layout, text, size, join, &picture, NULL) == LW_OK)
        for (char *line = picture.text, *end; line && *line; line = end) {
            end = line + strcspn(line, "\n");
            if (*end)
                *end++ = '\0';
            if (*line)
                json_string(json, NULL, line);
        }
    json_close(json, ']');
    free(picture.text);
}

static void write_judgement(cli_json *json, const lw_layout *layout, const lw_layout_judgement *j,
                            const char *text, size_t size)
{
    lw_layout_info info;
    lw_layout_get_info(layout, &info);
    json_open(json, NULL, '{');
    json_string(json, "operand", lw_operand_name(info.operand));
    json_string(json, "notation", lw_notation_name(j->notation));
    json_string(json, "verdict", verdict_name(j->verdict));
    json_uint(json, "places", j->places);
    json_uint(json, "wrong", j->wrong);
    json_string(json, "text", j->text);
    json_open(json, "k_of", '[');
    for (unsigned k = 0; k < j->ks; k++)
        json_uint(json, NULL, j->k_of[k]);
    json_close(json, ']');
    write_wrong(json, layout, text, size);
    json_close(json, '}');
}

static void print_judgement(const lw_layout *layout, const lw_layout_judgement *j, const char *text,
                            size_t size)
{
    lw_layout_info info;
    lw_layout_get_info(layout, &info);
    printf("%s: %s: %s", lw_operand_name(info.operand), lw_notation_name(j->notation), j->text);
    if (j->verdict == LW_VERDICT_DIFFERENT)
        print_wrong(layout, text, size);
}

/* `json` may be NULL. */
static int judge(const cli_call *call, const char *option, const lw_layout *layout, lw_layout_judgement *j,
                 cli_json *json)
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
    if (status == LW_OK && json)
        write_judgement(json, layout, j, said, size);
    else if (status == LW_OK)
        print_judgement(layout, j, said, size);
    free(file);
    if (status == LW_OK)
        return CLI_FINE;
    return cli_fail(call, status == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--%s: %s", option, error.text);
}

int layout_check(const cli_call *call, const lw_layout *layout)
{
    lw_layout_judgement j;
    cli_json json = { .out = stdout };
    const int exit = judge(call, "check", layout, &j, call->wants_json ? &json : NULL);
    if (exit != CLI_FINE)
        return exit;
    return j.verdict == LW_VERDICT_EQUAL ? CLI_FINE : CLI_NO;
}

static int judge_operand(const cli_call *call, const char *option, lw_arch arch, const lw_insn *insn,
                         lw_operand operand, const lw_mods *mods, lw_layout_judgement *j, cli_json *json)
{
    lw_layout *layout = NULL;
    lw_error error = { "" };
    const lw_status status = lw_layout_create(arch, insn, operand, 0, mods, &layout, &error);
    if (status != LW_OK)
        return cli_fail_status(call, NULL, status, &error);
    const int exit = judge(call, option, layout, j, json);
    lw_layout_free(layout);
    return exit;
}

/* Whether both are equal, or rename k alike. */
static bool fit(const lw_layout_judgement *a, const lw_layout_judgement *b)
{
    return a->verdict == LW_VERDICT_K_RENAMED && b->verdict == LW_VERDICT_K_RENAMED && a->ks == b->ks &&
           memcmp(a->k_of, b->k_of, a->ks * sizeof(a->k_of[0])) == 0;
}

static int report_both(const lw_layout_judgement *a, const lw_layout_judgement *b, cli_json *json)
{
    const bool equal = a->verdict == LW_VERDICT_EQUAL && b->verdict == LW_VERDICT_EQUAL, same = fit(a, b);
    if (json) {
        json_close(json, ']');
        json_bool(json, "same_product", equal || same);
        json_close(json, '}');
    } else if (!equal) {
        puts(same ? "A and B rename k alike: the product is the same"
                  : "A and B have different k in the same places: the product is different");
    }
    return equal || same ? CLI_FINE : CLI_NO;
}

/* Judges both; with `json`, into an object that the caller has opened. */
static int judge_both(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                      cli_json *json)
{
    lw_layout_judgement a, b;
    int exit = judge_operand(call, "check-a", arch, insn, LW_OPERAND_A, mods, &a, json);
    if (exit == CLI_FINE)
        exit = judge_operand(call, "check-b", arch, insn, LW_OPERAND_B, mods, &b, json);
    return exit == CLI_FINE ? report_both(&a, &b, json) : exit;
}

int layout_check_both(const cli_call *call, lw_arch arch, const lw_insn *insn, const lw_mods *mods)
{
    char *text = NULL;
    size_t size = 0;
    if (!cli_has(call, "check-a") || !cli_has(call, "check-b"))
        return cli_fail(call, CLI_USAGE, "--check-a and --check-b go together");
    if (!call->wants_json)
        return judge_both(call, arch, insn, mods, NULL);

    /* Held back: if the second cannot be read, the answer is an error and nothing else. */
    cli_json json = { .out = open_memstream(&text, &size) };
    if (!json.out)
        return cli_fail_status(call, NULL, LW_E_NO_MEMORY, NULL);
    json_open(&json, NULL, '{');
    json_open(&json, "operands", '[');
    const int exit = judge_both(call, arch, insn, mods, &json);
    fclose(json.out);
    if (exit <= CLI_NO)
        fputs(text, stdout);
    free(text);
    return exit;
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

static void write_guesses(const lw_layout_guess *g, size_t count)
{
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_open(&json, "fits", '[');
    for (int v = LW_VERDICT_EQUAL; v <= LW_VERDICT_TRANSPOSED; v++)
        for (size_t i = 0; i < count; i++) {
            lw_insn_info info;
            if ((int)g[i].verdict != v || lw_insn_get_info(g[i].arch, g[i].insn, &info) != LW_OK)
                continue;
            json_open(&json, NULL, '{');
            json_string(&json, "verdict", verdict_name(g[i].verdict));
            json_string(&json, "arch", lw_arch_get(g[i].arch)->name);
            json_string(&json, "instruction", info.mnemonic);
            json_string(&json, "operand", lw_operand_name(g[i].operand));
            json_uint(&json, "wave", g[i].wave);
            json_close(&json, '}');
        }
    json_close(&json, ']');
    json_close(&json, '}');
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
    for (int v = LW_VERDICT_EQUAL; st == LW_OK && !call->wants_json && v <= LW_VERDICT_TRANSPOSED; v++)
        print_guesses(guesses, count, (lw_layout_verdict)v);
    if (st == LW_OK && call->wants_json)
        write_guesses(guesses, count);
    free(guesses);
    if (st != LW_OK)
        return cli_fail(call, st == LW_E_NO_MEMORY ? CLI_FAULT : CLI_USAGE, "--guess: %s", error.text);
    if (count)
        return CLI_FINE;
    if (!call->wants_json)
        puts("it fits no operand");
    return CLI_NO;
}

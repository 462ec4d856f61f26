/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/list_evidence.h"

enum { LABELS = LW_LABEL_COUNT };

/* Adds the labels for one spelling of the instruction: the weakest label of each aspect is kept. */
static void add_labels(lw_arch arch, const lw_insn *insn, const lw_mods *mods, evidence_row *row)
{
    lw_mma *mma;
    const lw_mma_options options = { .struct_size = sizeof(lw_mma_options), .mods = mods };
    if (lw_mma_create(arch, insn, &options, &mma, NULL) != LW_OK)
        return;
    row->computes = true;
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        lw_mma_evidence e = { LW_LABEL_UNKNOWN, "" };
        lw_mma_get_evidence(mma, (lw_mma_aspect)a, &e);
        if (row->source[a] && e.label <= row->label[a])
            continue;
        row->label[a] = (uint8_t)e.label;
        free(row->source[a]);
        row->source[a] = cli_copy(e.source, strlen(e.source));
    }
    const lw_label weakest = lw_mma_weakest(mma, (1u << LW_MMA_OPERANDS) - 1);
    row->weakest = weakest > row->weakest ? (uint8_t)weakest : row->weakest;
    lw_mma_free(mma);
}

/* Less may be known of a PTX instruction for some types, or with .satfinite: those spellings are tried
 * too. */
static void read_labels(lw_arch arch, const lw_insn *insn, evidence_row *row)
{
    static const struct {
        const char *from, *to; /* of equal length */
    } other[] = {
        { "e2m1", "e5m2" }, { "e2m1", "e4m3" }, { "e2m1", "e3m2" }, { "e2m1", "e2m3" }, { ".e4m3", ".e5m2" }
    };
    const lw_mods clamped = { .ptx.satfinite = 1 };
    char text[256];
    add_labels(arch, insn, NULL, row);
    if (!row->computes)
        return;
    if (lw_mods_check(arch, insn, &clamped, NULL) == LW_OK)
        add_labels(arch, insn, &clamped, row);
    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
        const lw_insn *same;
        lw_mods mods;
        if (lw_insn_print(arch, insn, NULL, text, sizeof(text), NULL) != LW_OK)
            return;
        char *type = strstr(text, other[i].from);
        if (!type)
            continue;
        memcpy(type, other[i].to, strlen(other[i].to));
        if (lw_insn_parse(arch, text, &same, &mods, NULL) == LW_OK && same == insn)
            add_labels(arch, insn, &mods, row);
    }
}

evidence_table evidence_read(lw_arch arch, const char *family)
{
    const size_t all = lw_insn_count(arch);
    evidence_table table = { .arch = arch, .row = cli_alloc((all + 1) * sizeof(*table.row)) };
    for (size_t i = 0; i < all; i++) {
        const lw_insn *insn = lw_insn_at(arch, i);
        lw_insn_info info;
        if (lw_insn_get_info(arch, insn, &info) != LW_OK || (family && strcmp(family, info.family) != 0))
            continue;
        evidence_row *row = &table.row[table.count++];
        *row = (evidence_row){ .mnemonic = info.mnemonic };
        read_labels(arch, insn, row);
    }
    return table;
}

void evidence_free(evidence_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++)
            free(table->row[i].source[a]);
    free(table->row);
    table->row = NULL;
}

static size_t count_label(const evidence_table *table, int aspect, int label)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        count += table->row[i].computes && table->row[i].label[aspect] == label;
    return count;
}

static size_t count_silent(const evidence_table *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        count += !table->row[i].computes;
    return count;
}

void evidence_print(const evidence_table *table)
{
    printf("%-20s", "rests on");
    for (int l = 0; l < LABELS; l++)
        printf(" %9s", lw_label_name((lw_label)l));
    putchar('\n');
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        printf("  %-18s", lw_mma_aspect_name((lw_mma_aspect)a));
        for (int l = 0; l < LABELS; l++)
            printf(" %9zu", count_label(table, a, l));
        putchar('\n');
    }
    const size_t silent = count_silent(table);
    if (silent)
        printf("%zu instructions only move elements\n", silent);
}

static void write_names(const evidence_table *table, int aspect, int label, cli_json *json)
{
    json_open(json, lw_label_name((lw_label)label), '[');
    for (size_t i = 0; i < table->count; i++)
        if (table->row[i].computes && table->row[i].label[aspect] == label)
            json_string(json, NULL, table->row[i].mnemonic);
    json_close(json, ']');
}

/* Whether an instruction before number `i` has the same label from the same source. */
static bool is_told(const evidence_table *table, int aspect, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (table->row[j].computes && table->row[j].label[aspect] == table->row[i].label[aspect] &&
            strcmp(table->row[j].source[aspect], table->row[i].source[aspect]) == 0)
            return true;
    return false;
}

/* Each source once, with the number of instructions whose label rests on it. */
static void write_sources(const evidence_table *table, int aspect, cli_json *json)
{
    json_open(json, "sources", '[');
    for (size_t i = 0; i < table->count; i++) {
        const evidence_row *row = &table->row[i];
        size_t count = 0;
        if (!row->computes || is_told(table, aspect, i))
            continue;
        for (size_t j = i; j < table->count; j++)
            count += table->row[j].computes && table->row[j].label[aspect] == row->label[aspect] &&
                     strcmp(table->row[j].source[aspect], row->source[aspect]) == 0;
        json_open(json, NULL, '{');
        json_string(json, "label", lw_label_name((lw_label)row->label[aspect]));
        json_uint(json, "instructions", count);
        json_string(json, "source", row->source[aspect]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void evidence_write(const evidence_table *table, cli_json *json)
{
    json_open(json, "rests_on", '[');
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++) {
        json_open(json, NULL, '{');
        json_string(json, "aspect", lw_mma_aspect_name((lw_mma_aspect)a));
        for (int l = 0; l < LABELS; l++)
            write_names(table, a, l, json);
        write_sources(table, a, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void evidence_print_all(void)
{
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        const lw_arch_info *info = lw_arch_get((lw_arch)a);
        if (!info->has_matrix)
            continue;
        evidence_table table = evidence_read((lw_arch)a, NULL);
        printf("%s, %s: %zu instructions\n", info->name, info->marketing, table.count);
        evidence_print(&table);
        evidence_free(&table);
    }
    puts("exact: the definition leaves no freedom; recorded: results of the chip replay here, bit for bit; "
         "measured:\n"
         "a published comparison with the chip names the instruction; vendor: the manufacturer's documents "
         "or\n"
         "software; inferred: follows from related facts; unknown: nothing public, a default was "
         "chosen.\n`list --arch ARCH --evidence` shows the labels of each instruction, `info` the source of "
         "each label, --json\nlists the names and the sources.");
}

void evidence_write_all(cli_json *json)
{
    json_open(json, "archs", '[');
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        if (!lw_arch_get((lw_arch)a)->has_matrix)
            continue;
        evidence_table table = evidence_read((lw_arch)a, NULL);
        json_open(json, NULL, '{');
        json_string(json, "arch", lw_arch_get((lw_arch)a)->name);
        evidence_write(&table, json);
        json_close(json, '}');
        evidence_free(&table);
    }
    json_close(json, ']');
}

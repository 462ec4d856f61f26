/* SPDX-License-Identifier: MIT */
/* Prints the table of docs/numerics.md that says what was compared with a chip, from isa_tables/evidence.inc.
 */
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "isa_tables/evidence.h"

/* PTX spellings without the words that all of them have. */
static void print_name(const char *name)
{
    static const char *const same[] = { ".sync.aligned", ".row.col" };
    for (const char *at = name; *at;) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
            if (strncmp(at, same[i], strlen(same[i])) == 0)
                skip = strlen(same[i]);
        if (skip)
            at += skip;
        else
            putchar(*at++);
    }
}

static void print_aspects(unsigned aspects)
{
    const char *sep = "";
    if (!aspects)
        fputs("a part of finite results: earns no label", stdout);
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        if (aspects >> a & 1) {
            printf("%s%s", sep, lw_mma_aspect_name((lw_mma_aspect)a));
            sep = ", ";
        }
    if (aspects >> LW_ASPECT_PLACES & 1)
        printf("%splaces", sep);
}

static bool alike(const lw_evidence_line *a, const lw_evidence_line *b)
{
    return a->source == b->source && a->aspects == b->aspects && a->waves == b->waves;
}

static void print_archs(const lw_evidence_line *line)
{
    const char *sep = "";
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_evidence_line_count; i++)
            if (alike(&lw_evidence_lines[i], line) && lw_evidence_lines[i].arch == a) {
                printf("%s%s", sep, lw_arch_get((lw_arch)a)->name);
                sep = ", ";
                break;
            }
}

static void print_row(size_t first)
{
    const lw_evidence_line *line = &lw_evidence_lines[first];
    const char *sep = "";
    printf("| %s | ", lw_label_name(lw_evidence_sources[line->source].label));
    print_archs(line);
    printf("%s | ", line->waves == 1 ? ", waves of 32" : "");
    for (size_t i = first; i < lw_evidence_line_count; i++) {
        bool told = false;
        for (size_t before = first; before < i; before++)
            told = told || (alike(&lw_evidence_lines[before], line) &&
                            strcmp(lw_evidence_lines[before].insn, lw_evidence_lines[i].insn) == 0);
        if (told || !alike(&lw_evidence_lines[i], line))
            continue;
        printf("%s`", sep);
        print_name(lw_evidence_lines[i].insn);
        putchar('`');
        sep = " ";
    }
    fputs(" | ", stdout);
    print_aspects(line->aspects);
    printf(" | %s |\n", lw_evidence_sources[line->source].text);
}

int main(void)
{
    puts("| label | targets | instructions | aspects | data |\n|---|---|---|---|---|");
    for (size_t i = 0; i < lw_evidence_line_count; i++) {
        bool told = false;
        for (size_t before = 0; before < i; before++)
            told = told || alike(&lw_evidence_lines[before], &lw_evidence_lines[i]);
        if (!told)
            print_row(i);
    }
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "isa_tables/evidence.h"

#include <stdio.h>
#include <string.h>

#include "isa_tables/ptx/parts.h"

const lw_evidence_source lw_evidence_sources[LW_SOURCE_COUNT] = {
#define SOURCE(id_, label_, text_) [LW_SOURCE_##id_] = { LW_LABEL_##label_, text_ },
#define LINE(source_, arch_, waves_, aspects_, insn_)
#include "isa_tables/evidence.inc"
#undef LINE
#undef SOURCE
};

enum {
    WAVE32 = 1,
    ANY = 3,
    FINITE = 1u << LW_MMA_FINITE,
    OVERFLOW = 1u << LW_MMA_OVERFLOW,
    NAN_BITS = 1u << LW_MMA_NAN,
    MODE = 1u << LW_MMA_MODE,
    PLACES = 1u << LW_ASPECT_PLACES,
    PART = 0,
    SUMS = FINITE | 1u << LW_MMA_SUBNORMAL | OVERFLOW,
    IEEE = SUMS | 1u << LW_MMA_ZERO_SIGN,
    FUSED = FINITE | OVERFLOW | NAN_BITS,
};

const lw_evidence_line lw_evidence_lines[] = {
#define SOURCE(id_, label_, text_)
#define LINE(source_, arch_, waves_, aspects_, insn_)                                                        \
    { LW_SOURCE_##source_, LW_ARCH_##arch_, waves_, aspects_, insn_ },
#include "isa_tables/evidence.inc"
#undef LINE
#undef SOURCE
};
const size_t lw_evidence_line_count = sizeof(lw_evidence_lines) / sizeof(lw_evidence_lines[0]);

static const struct {
    uint32_t archs;
    const char *insn;
} documented[] = {
#define ON(arch_) (1u << LW_ARCH_##arch_)
#define DOCUMENTED(archs_, insn_) { archs_, insn_ },
#include "isa_tables/documented.inc"
#undef DOCUMENTED
#undef ON
};

/* A part's name; where it stands for several types, with those that are meant. */
static void part_key(const lw_insn *part, const lw_ptx_mods *mods, char key[LW_EVIDENCE_KEY_MAX])
{
    char types[32];
    const char *class = lw_ptx_class_name((lw_ptx_class)part->ptx->data);
    snprintf(types, sizeof(types), ".%s.%s", class, class);
    const char *tail = part->ptx->data == LW_PTX_FLOAT8 ? strstr(part->mnemonic, types) : NULL;
    if (!tail) {
        snprintf(key, LW_EVIDENCE_KEY_MAX, "%s", part->mnemonic);
        return;
    }
    snprintf(key, LW_EVIDENCE_KEY_MAX, "%.*s.%s.%s", (int)(tail - part->mnemonic), part->mnemonic,
             lw_elem_rows[lw_ptx_elem(part, LW_OPERAND_A, mods)].name,
             lw_elem_rows[lw_ptx_elem(part, LW_OPERAND_B, mods)].name);
}

void lw_evidence_key(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char key[LW_EVIDENCE_KEY_MAX])
{
    lw_mods plain = *mods;
    insn = lw_ptx_has_parts(insn) ? lw_ptx_part_of(insn) : insn;
    if (insn->ptx && insn->ptx->part) {
        part_key(insn, &mods->ptx, key);
        return;
    }
    plain.ptx.a_col = plain.ptx.b_row = 0;
    const lw_mods *used = insn->ptx ? &plain : NULL;
    if (lw_insn_print(arch, insn, used, key, LW_EVIDENCE_KEY_MAX, NULL) != LW_OK)
        key[0] = '\0';
    key[strcspn(key, " ")] = '\0';
}

static bool is_about(const lw_evidence_line *line, lw_arch arch, const char *key, unsigned wave)
{
    return line->arch == arch && (line->waves & (wave == 32 ? 1 : 2)) && strcmp(line->insn, key) == 0;
}

const lw_evidence_line *lw_evidence_find(lw_arch arch, const char *key, unsigned wave, unsigned aspect)
{
    const lw_evidence_line *best = NULL;
    for (size_t i = 0; i < lw_evidence_line_count; i++) {
        const lw_evidence_line *line = &lw_evidence_lines[i];
        if (!(line->aspects >> aspect & 1) || !is_about(line, arch, key, wave))
            continue;
        if (!best || lw_evidence_sources[line->source].label < lw_evidence_sources[best->source].label)
            best = line;
    }
    return best;
}

const lw_evidence_line *lw_evidence_partial(lw_arch arch, const char *key, unsigned wave)
{
    for (size_t i = 0; i < lw_evidence_line_count; i++)
        if (lw_evidence_lines[i].aspects == PART && is_about(&lw_evidence_lines[i], arch, key, wave))
            return &lw_evidence_lines[i];
    return NULL;
}

bool lw_evidence_documented(lw_arch arch, const lw_insn *insn)
{
    insn = lw_ptx_has_parts(insn) ? lw_ptx_part_of(insn) : insn;
    for (size_t i = 0; i < sizeof(documented) / sizeof(documented[0]); i++)
        if ((documented[i].archs >> arch & 1) && strcmp(documented[i].insn, insn->mnemonic) == 0)
            return true;
    return false;
}

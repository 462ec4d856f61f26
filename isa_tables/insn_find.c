/* SPDX-License-Identifier: MIT */
/* Finding a matrix instruction by name, and explaining helpfully why there is none. */
#include <ctype.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/near.h"
#include "isa_tables/ptx/row.h"

enum { NAME_MAX_LENGTH = LW_NEAR_WORD };

#define SCALE_HALF "it is the first half of a scaled WMMA; ask for v_wmma_scale_..."

/* Names that assemblers or documents list among the matrix instructions, but for which there are no rows. */
static const struct {
    const char *name, *reason;
} companions[] = {
    { "v_accvgpr_read_b32",
      "is no matrix instruction: it copies one accumulation register to a vector register" },
    { "v_accvgpr_read",
      "is no matrix instruction: it copies one accumulation register to a vector register" },
    { "v_accvgpr_write_b32",
      "is no matrix instruction: it copies a vector register or constant to an accumulation register" },
    { "v_accvgpr_write",
      "is no matrix instruction: it copies a vector register or constant to an accumulation register" },
    { "v_accvgpr_mov_b32", "is no matrix instruction: it copies one accumulation register to another" },
    { "v_mfma_ld_scale_b32",
      "is no matrix instruction: it is the first half of a scaled MFMA; ask for v_mfma_scale_..." },
    { "v_wmma_ld_scale_paired_b32", "is no matrix instruction: " SCALE_HALF },
    { "v_wmma_ld_scale16_paired_b64", "is no matrix instruction: " SCALE_HALF },
    { "v_wmma_f64_16x16x4_f64",
      "is an instruction of gfx1251 only, gfx1250 does not have it; LLVM 22 does not know it, nothing public "
      "says how it rounds, and this version leaves it out" },
};

static bool name_lower(const char *name, char lower[NAME_MAX_LENGTH + 1])
{
    size_t length = 0;
    for (; name[length]; length++) {
        if (length == NAME_MAX_LENGTH)
            return false;
        lower[length] = (char)tolower((unsigned char)name[length]);
    }
    lower[length] = '\0';
    return true;
}

static bool row_has_name(lw_arch arch, const lw_insn *insn, const char *name)
{
    const char *const *aliases = lw_insn_aliases(arch, insn);
    if (strcmp(lw_insn_name(arch, insn), name) == 0)
        return true;
    for (int i = 0; i < LW_INSN_MAX_ALIASES && aliases[i]; i++)
        if (strcmp(aliases[i], name) == 0)
            return true;
    return false;
}

/* Appends the instructions of `arch` with the nearest mnemonics, each once, best first. */
static void suggest(lw_arch arch, const char *name, lw_error *error)
{
    lw_near near = { .count = 0 };
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_insn_on(&lw_insn_rows[i], arch) && !lw_insn_rows[i].ptx)
            lw_near_add(&near, i, lw_near_distance(name, lw_insn_name(arch, &lw_insn_rows[i])));
    for (size_t i = 0; i < near.count; i++)
        lw_error_append(error, "%s%s", i == 0 ? "; the nearest names are " : ", ",
                        lw_insn_name(arch, &lw_insn_rows[near.index[i]]));
}

/* The architectures on which an instruction has that name. */
static unsigned archs_with_name(const char *name)
{
    unsigned archs = 0;
    for (unsigned a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++)
        for (size_t i = 0; i < lw_insn_row_count; i++)
            if (lw_insn_on(&lw_insn_rows[i], (lw_arch)a) && row_has_name((lw_arch)a, &lw_insn_rows[i], name))
                archs |= 1u << a;
    return archs;
}

/* What `arch` calls the instruction that has the name on another architecture, or NULL. */
static const char *own_name(lw_arch arch, unsigned archs, const char *name)
{
    for (size_t i = 0; i < lw_insn_row_count; i++)
        for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
            if ((archs >> a & 1) && lw_insn_on(&lw_insn_rows[i], arch) &&
                lw_insn_on(&lw_insn_rows[i], (lw_arch)a) && row_has_name((lw_arch)a, &lw_insn_rows[i], name))
                return lw_insn_name(arch, &lw_insn_rows[i]);
    return NULL;
}

static lw_status fail_elsewhere(lw_arch arch, unsigned archs, const char *name, lw_error *error)
{
    lw_error_fail(error, LW_E_ARCH, "%s has no %s", lw_arch_get(arch)->name, name);
    const char *sep = "; it is an instruction of ";
    for (unsigned a = 0; a < LW_ARCH_COUNT; a++)
        if (archs >> a & 1) {
            lw_error_append(error, "%s%s", sep, lw_arch_get((lw_arch)a)->name);
            sep = " and ";
        }
    const char *own = own_name(arch, archs, name);
    if (own)
        lw_error_append(error, "; %s calls it %s", lw_arch_get(arch)->name, own);
    return LW_E_ARCH;
}

static lw_status fail_spelling(lw_arch arch, const char *name, lw_error *error)
{
    return lw_error_fail(
        error, LW_E_UNSUPPORTED,
        "%s: LLVM's assembler takes this spelling of an RDNA4 instruction for %s, but its compiler "
        "never emits it there and AMD's public documents list no such instruction of %s",
        name, lw_arch_get(arch)->name, lw_arch_get(arch)->name);
}

static lw_status fail_unknown(lw_arch arch, const char *name, lw_error *error)
{
    for (size_t i = 0; i < sizeof(companions) / sizeof(companions[0]); i++)
        if (strcmp(name, companions[i].name) == 0)
            return lw_error_fail(error, LW_E_UNSUPPORTED, "%s %s", name, companions[i].reason);
    if (lw_ptx_is_name(name))
        return lw_error_fail(error, LW_E_NOT_FOUND,
                             "%s is named like an instruction of NVIDIA, but %s is AMD's", name,
                             lw_arch_get(arch)->name);
    lw_error_fail(error, LW_E_NOT_FOUND, "%s has no matrix instruction \"%s\"", lw_arch_get(arch)->name,
                  name);
    suggest(arch, name, error);
    return LW_E_NOT_FOUND;
}

lw_status lw_insn_find(lw_arch arch, const char *name, const lw_insn **insn, lw_error *error)
{
    if (!name || !insn || !lw_arch_get(arch))
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_insn_find needs an architecture, a name and a result");

    if (lw_arch_is_nvidia(arch)) {
        lw_mods mods;
        return lw_ptx_find(arch, name, insn, &mods, error);
    }
    char lower[NAME_MAX_LENGTH + 1];
    if (!name_lower(name, lower))
        return lw_error_fail(error, LW_E_NOT_FOUND,
                             "no matrix instruction has a name of more than %d characters", NAME_MAX_LENGTH);
    if (lw_insn_count(arch) == 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "this version has no matrix instructions of %s",
                             lw_arch_get(arch)->name);

    for (size_t i = 0; i < lw_insn_row_count; i++) {
        const lw_insn *row = &lw_insn_rows[i];
        if (!row_has_name(arch, row, lower))
            continue;
        if (row->op[arch] == LW_OP_ASSEMBLER_ONLY)
            return fail_spelling(arch, lower, error);
        if (lw_insn_on(row, arch)) {
            *insn = row;
            return LW_OK;
        }
    }
    const unsigned elsewhere = archs_with_name(lower);
    return elsewhere ? fail_elsewhere(arch, elsewhere, lower, error) : fail_unknown(arch, lower, error);
}

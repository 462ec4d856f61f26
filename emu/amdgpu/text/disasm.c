/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <lanewise/disasm.h>

#include "emu/amdgpu/decode/decoded.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/options.h"

enum { MAX_WORDS = 4 };

lw_status lw_disasm_fill(lw_arch arch, const void *bytes, size_t size, uint64_t address, lw_disasm *disasm)
{
    uint32_t words[MAX_WORDS] = { 0 };
    const lw_arch_info *info = lw_arch_get(arch);
    lw_decoded in;
    if (!bytes || !lw_options_known(disasm, sizeof(*disasm), sizeof(*disasm)))
        return LW_E_ARGUMENT;
    if (!info || !info->reads_code || !info->elf_mach) /* PTX is text */
        return LW_E_ARCH;
    const size_t count = size / 4 < MAX_WORDS ? size / 4 : MAX_WORDS;
    if (count == 0)
        return LW_E_TRUNCATED;
    memcpy(words, bytes, count * sizeof(words[0]));
    const lw_status status = lw_amdgpu_decode(arch, words, count, &in);
    if (status != LW_OK)
        return status;

    lw_disasm d = { .size = in.words * sizeof(words[0]) };
    lw_amdgpu_text(arch, &in, d.text, sizeof(d.text));
    d.branches = in.row->enc == LW_ENC_SOPP && in.row->imm == LW_IMM_LABEL;
    if (in.row->imm == LW_IMM_LABEL)
        d.target = address + d.size + (uint64_t)(int64_t)(int16_t)in.imm * 4; /* simm16 counts dwords */
    lw_options_give(disasm, &d, sizeof(d), sizeof(d));
    return LW_OK;
}

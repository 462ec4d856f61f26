/* SPDX-License-Identifier: MIT */
#include <string.h>

#include <lanewise/disasm.h>

#include "emu/amdgpu/decode/decode.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/options.h"
#include "loaders/program.h"

enum { MAX_WORDS = 4 };

static lw_status fill(lw_arch arch, const lw_amdgpu_traits *traits, const void *bytes, size_t size,
                      uint64_t address, lw_disasm *disasm)
{
    uint32_t words[MAX_WORDS] = { 0 };
    const lw_arch_info *info = lw_arch_get(arch);
    lw_decoder d;
    if (!bytes || !lw_options_known(disasm, sizeof(*disasm), sizeof(*disasm)))
        return LW_E_ARGUMENT;
    if (!info || !info->reads_code || !info->elf_mach) /* PTX is text */
        return LW_E_ARCH;
    const size_t count = size / 4 < MAX_WORDS ? size / 4 : MAX_WORDS;
    if (count == 0)
        return LW_E_TRUNCATED;
    if (count == MAX_WORDS)
        memcpy(words, bytes, sizeof(words));
    else
        memcpy(words, bytes, count * sizeof(words[0]));
    const lw_status status = lw_decode_start(&d, arch, traits, traits->wave, words, count);
    if (status != LW_OK)
        return status;

    const lw_decoded *in = &d.in;
    const bool label = in->row->imm == LW_IMM_LABEL;
    lw_amdgpu_text(arch, in, disasm->text, sizeof(disasm->text));
    disasm->size = in->words * sizeof(words[0]);
    disasm->branches = label && in->row->enc == LW_ENC_SOPP;
    disasm->target = 0;
    if (label)
        disasm->target =
            address + disasm->size + (uint64_t)(int64_t)(int16_t)in->imm * 4; /* simm16 counts dwords */
    return LW_OK;
}

lw_status lw_disasm_fill(lw_arch arch, const void *bytes, size_t size, uint64_t address, lw_disasm *disasm)
{
    return fill(arch, lw_amdgpu_traits_of(arch), bytes, size, address, disasm);
}

lw_status lw_disasm_fill_program(const lw_program *program, const void *bytes, size_t size, uint64_t address,
                                 lw_disasm *disasm)
{
    if (!program)
        return LW_E_ARGUMENT;
    const lw_arch arch = program->arch;
    return fill(arch, lw_amdgpu_traits_named(arch, program->processor), bytes, size, address, disasm);
}

/* SPDX-License-Identifier: MIT */
/* Sources: LLVM AMDGPUUsage, "Target Properties" and "compute_pgm_rsrc1" (registers of a descriptor); AMD
 * CDNA3, CDNA4, RDNA3 and RDNA4 ISA manuals. */
#include "isa_tables/amdgpu/traits.h"

#include <string.h>

#include "isa_tables/amdgpu/rows.h"

#define NONE(...)
#define NAME(id, name) [id] = name,
#define ALL NAME
#define TO11 NAME
#define GFX9 NAME
#define GFX94 NAME
#define GFX11 NONE
#define GFX12 NONE
#define GFX125 NONE
static const char *const hwregs_gfx9[64] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef GFX94
#define GFX94 NONE
static const char *const hwregs_gfx908[64] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef GFX9
#undef GFX11
#define GFX9 NONE
#define GFX11 NAME
static const char *const hwregs_gfx11[64] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef TO11
#undef GFX11
#undef GFX12
#define TO11 NONE
#define GFX11 NONE
#define GFX12 NAME
static const char *const hwregs_gfx12[64] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef GFX125
#define GFX125 NAME
static const char *const hwregs_gfx1250[64] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef ALL
#define MESSAGE11 NAME
#define ONLY11 NAME
#define MESSAGE12 NONE
#define MESSAGE125 NONE
static const char *const messages_gfx11[256] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef ONLY11
#undef MESSAGE12
#define ONLY11 NONE
#define MESSAGE12 NAME
static const char *const messages_gfx12[256] = {
#include "isa_tables/amdgpu/hwregs.inc"
};
#undef MESSAGE125
#define MESSAGE125 NAME
static const char *const messages_gfx1250[256] = {
#include "isa_tables/amdgpu/hwregs.inc"
};

/* clang-format off */
/* Formats of buffers (LLVM 22's assembler, "BUF_FMT_"). */
static const char *const formats_gfx11[] = {
    "INVALID",
#define UNIFIED(code, data, number) [code] = #data "_" #number,
#include "isa_tables/amdgpu/buffer_formats.inc"
#undef UNIFIED
};

/* Targets of exports (LLVM 22's assembler). */
#define COLOURS "mrt0", "mrt1", "mrt2", "mrt3", "mrt4", "mrt5", "mrt6", "mrt7", "mrtz"
static const char *const exports_gfx9[64] = { COLOURS, "null", [12] = "pos0", "pos1", "pos2", "pos3", [32] =
    "param0", "param1", "param2", "param3", "param4", "param5", "param6", "param7", 
    "param8", "param9", "param10", "param11", "param12", "param13", "param14", "param15", 
    "param16", "param17", "param18", "param19", "param20", "param21", "param22", "param23", 
    "param24", "param25", "param26", "param27", "param28", "param29", "param30", "param31" };
static const char *const exports_gfx11[64] = { COLOURS, [12] = "pos0", "pos1", "pos2", "pos3", "pos4",
    [20] = "prim", "dual_src_blend0", "dual_src_blend1" };

#define GFX9_TRAITS \
    .preload_in_code = true, .wave = 64, .sgprs = 102, .no_saddr = 127, .vop3_vop1 = 0x140, .vop3_own = 0x1c0, .counters = &lw_counters_gfx9
#define ONE_FILE .encodings = &lw_encodings_gfx9, .vgpr_granule_64 = 8, .accum = true, .vgpr_align = 2

#define GFX11_TRAITS \
    .preload_in_code = true, .wgp_mode = true, \
    .encodings = &lw_encodings_gfx11, .cache_words = { " glc", " slc", "" }, .wave = 32, .vgpr_granule_32 = 8, .vgpr_granule_64 = 4, .sgprs_always = 128, .sgprs = 106, .vgpr_align = 1, .no_saddr = 124, .flat_saddr = 124, \
    .mods_lacking = LW_MOD_SDWA, .dpp_all = true, .gds = true, .buffer_oob = true, .formats = formats_gfx11, .format_count = sizeof(formats_gfx11) / sizeof(formats_gfx11[0]), \
    .vop3_vop1 = 0x180, .vop3_own = 0x200, .counters = &lw_counters_gfx11, \
    .permutes_in_halves = true, .message_dealloc = 3, .exports = exports_gfx11, .hwregs = hwregs_gfx11, .messages = messages_gfx11, .vop3_literal = true, \
    .literal64_unsigned = true, .smem_always_offset = true, .cmpx_exec_only = true, .true16 = true, \
    .dot2_f16 = &lw_dot_units[LW_UNIT_ONES2], .dot2_bf16 = &lw_dot_units[LW_UNIT_ONES2F], \
    .lds_granule = 512

#define GFX12_TRAITS \
    .cache_words = { "", "", "" }, .temporal_hints = true, .wave = 32, .sgprs_always = 128, .sgprs = 106, .no_saddr = 124, .flat_saddr = 124, \
    .mods_lacking = LW_MOD_SDWA, .dpp_all = true, .buffer_oob = true,  \
    .vop3_vop1 = 0x180, .vop3_own = 0x200, .ids_in_ttmp = true, .mode_fixed = true, .omod_always = true,  \
    .message_dealloc = 3, .vop3_literal = true, \
    .literal64_unsigned = true, .smem_always_offset = true, .cmpx_exec_only = true, .true16 = true

/* LLVM 22 (AMDGPUUsage, "Target Properties"; its assembler); nothing of this generation was measured */
#define GFX1250_TRAITS \
    GFX12_TRAITS, .encodings = &lw_encodings_gfx1250, .counters = &lw_counters_gfx1250, .vgpr_granule_32 = 16, .vgpr_align = 2, .vgprs = 1024, .user_sgprs = 32, \
    .hwregs = hwregs_gfx1250, .messages = messages_gfx1250, .literal64 = true, .flat_takes_saddr = true, .async_counter = true, .resource_57 = true, .clusters = true, .beside = true, .named_barriers = 16, .scratch_in_flat = true, .matrix_from = LW_ARCH_GFX1201, .opsel_hi_ones = true, .vgpr_msb = true, \
    .lds_granule = 2048

static const lw_amdgpu_traits traits[LW_ARCH_COUNT] = {
    [LW_ARCH_GFX908] = { GFX9_TRAITS, .encodings = &lw_encodings_gfx908, .gds = true, .dpp_no_newbcast = true, .vgpr_granule_64 = 4, .agprs_beside = true, .vgpr_align = 1, .cache_words = { " glc", " slc", "" }, .flat_lds_bit = true, .scratch_buffer = true,
                         .ids_apart = true, .exports = exports_gfx9, .hwregs = hwregs_gfx908, .mods_lacking = LW_MOD_NEG_BLGP,
                         .lds_granule = 512, .lds_dma_m0 = 0xffff },
    [LW_ARCH_GFX90A] = { GFX9_TRAITS, ONE_FILE, .cache_words = { " glc", " slc", " scc" }, .flat_lds_bit = true, .scratch_buffer = true, .hwregs = hwregs_gfx908,
                         .mods_lacking = LW_MOD_NEG_BLGP,
                         .lds_granule = 512, .lds_dma_m0 = 0xffff },
    [LW_ARCH_GFX942] = { GFX9_TRAITS, ONE_FILE, .cache_words = { " sc0", " nt", " sc1" }, .labelled = true, .hwregs = hwregs_gfx9, .fp8_fnuz = true, .dot2_flushes = true,
                         .lds_granule = 512, .lds_dma_m0 = 0xffff },
    [LW_ARCH_GFX950] = { GFX9_TRAITS, ONE_FILE, .cache_words = { " sc0", " nt", " sc1" }, .labelled = true, .hwregs = hwregs_gfx9, .lds_dma_wide = true,
                         .lds_granule = 1280, .lds_dma_m0 = 0x3ffff },
    [LW_ARCH_GFX1100] = { GFX11_TRAITS },
    [LW_ARCH_GFX1150] = { GFX11_TRAITS },
    [LW_ARCH_GFX1201] = { GFX12_TRAITS, .preload_in_code = true, .wgp_mode = true, .encodings = &lw_encodings_gfx12, .counters = &lw_counters_gfx12, .vgpr_granule_32 = 8, .vgpr_granule_64 = 4, .vgpr_align = 1, .vgprs = 256, .user_sgprs = 16,
                          .exports = exports_gfx11, .hwregs = hwregs_gfx12, .messages = messages_gfx12, .opsel_hi_ones = true, .formats = formats_gfx11, .format_count = sizeof(formats_gfx11) / sizeof(formats_gfx11[0]),
                          .dot2_f16 = &lw_dot_units[LW_UNIT_PAIRS4], .dot2_bf16 = &lw_dot_units[LW_UNIT_PAIRS4],
                          .lds_granule = 512 },
    [LW_ARCH_GFX1250] = { GFX1250_TRAITS },
};

/* Siblings that decode more than the generation whose rows they use. LLVM 22: dpp-64bit. */
static const struct {
    const char *processor;
    lw_arch arch;
    lw_amdgpu_traits traits;
} siblings[] = {
    { "gfx1251", LW_ARCH_GFX1250, { GFX1250_TRAITS, .dpp_share = true } },
};
/* clang-format on */

const lw_amdgpu_traits *lw_amdgpu_traits_of(lw_arch arch)
{
    return &traits[(unsigned)arch < LW_ARCH_COUNT ? arch : LW_ARCH_NONE];
}

const lw_amdgpu_traits *lw_amdgpu_traits_named(lw_arch arch, const char *processor)
{
    for (size_t i = 0; processor && i < sizeof(siblings) / sizeof(siblings[0]); i++)
        if (siblings[i].arch == arch && strcmp(siblings[i].processor, processor) == 0)
            return &siblings[i].traits;
    return lw_amdgpu_traits_of(arch);
}

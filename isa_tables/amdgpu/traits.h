/* SPDX-License-Identifier: MIT */
/* Differences between AMD's generations that no row states. */
#ifndef LW_ISA_AMDGPU_TRAITS_H
#define LW_ISA_AMDGPU_TRAITS_H

#include <stdbool.h>

#include "isa_tables/amdgpu/counters.h"
#include "isa_tables/amdgpu/encodings.h"
#include "isa_tables/dot_units.h"

typedef struct lw_amdgpu_traits {
    const lw_encodings
        *encodings; /* NULL: only descriptors of this generation are known, not its machine code */
    uint8_t wave;   /* lanes of a wave by default */
    uint8_t vgpr_granule_32,
        vgpr_granule_64;          /* of a descriptor, for waves of 32 and of 64 lanes; 0: no such waves */
    bool labelled;                /* the rows' labels apply to this generation */
    bool accum;                   /* a descriptor says where accumulation registers begin */
    bool agprs_beside;            /* a separate file of as many accumulation registers */
    uint8_t sgprs_always;         /* scalar registers of every wave; 0: as the descriptor says */
    uint8_t sgprs;                /* numbered scalar registers */
    uint16_t vgprs;               /* vector registers that a wave may have; 0: 256 */
    uint8_t user_sgprs;           /* user SGPRs that a kernel may have; 0: 16 */
    uint8_t vgpr_align;           /* tuples of vector registers begin at a multiple of this */
    uint32_t mods_lacking;        /* LW_MOD_* of rows that do not apply here */
    uint8_t no_saddr;             /* global and scratch: the code that means no scalar address */
    uint8_t flat_saddr;           /* flat: the value of that field */
    uint16_t vop3_vop1, vop3_own; /* VOP3: first opcodes of VOP1's and of its own instructions */
    const lw_counters *counters;  /* counters that waits refer to; set where `encodings` is */
    uint8_t message_dealloc;      /* s_sendmsg that releases the vector registers early; 0: none */
    const char *cache_words[3];   /* names of the cache policy bits, except dlc of gfx11 */
    bool scratch_buffer;          /* a buffer in the first user SGPRs reaches scratch, too */
    bool ids_apart;        /* v0, v1 and v2 hold a work-item's three ids; elsewhere v0 has all of them */
    bool flat_lds_bit;     /* bit 13 of FLAT: data go to LDS; elsewhere: a scratch access has an address */
    bool temporal_hints;   /* accesses have a temporal hint and a scope instead of cache policy bits */
    bool ids_in_ttmp;      /* TTMP9 and TTMP7 hold the workgroup's ids */
    bool wgp_mode;         /* a descriptor says whether a workgroup may run on both units of a WGP */
    bool mode_fixed;       /* MODE has no bits for DX10_CLAMP and IEEE: both are on */
    bool opsel_hi_ones;    /* matrix instructions have all bits of op_sel_hi set */
    bool omod_always;      /* OMOD applies whatever MODE says */
    bool vop3_literal;     /* instructions of 8 bytes may be followed by a literal */
    lw_arch matrix_from;   /* whose matrix instructions the assembler reads beside the generation's own */
    bool flat_takes_saddr; /* flat instructions, too, may have a scalar address */
    bool async_counter; /* copies to LDS have a counter of their own; elsewhere vmcnt counts all vector memory
                         */
    bool clusters;      /* workgroups may run in clusters */
    bool beside;        /* matrix instructions run beside others, which software keeps at a distance */
    uint8_t named_barriers; /* of a workgroup, at most */
    bool resource_57;       /* buffer resources have bases of 57 bits and sizes of 45 */
    bool scratch_in_flat;   /* flat addresses reach the scratch of all lanes */
    bool preload_in_code; /* code before the entry does what preloading arguments does, for older firmware */
    bool literal64;       /* a source may be a literal of 64 bits, code 254 */
    bool vgpr_msb;        /* s_set_vgpr_msb extends the numbers of vector registers */
    bool literal64_unsigned; /* a literal of an integer pair is zero-extended whatever its type */
    bool smem_always_offset; /* scalar loads always have an immediate and a register */
    bool buffer_oob;         /* a buffer's resource selects the bounds check and has two swizzle bits */
    bool gds;                /* there is a global data share; elsewhere its bit is not printed */
    bool dpp_no_newbcast;    /* DPP does not broadcast a lane within each row */
    bool dpp_share;      /* DPP of row_share for what lw_op_on.dpp_share marks, 64-bit values among them */
    bool dpp_all;        /* DPP for every 32-bit vector instruction, within rows of lanes; also DPP8 */
    bool cmpx_exec_only; /* v_cmpx writes EXEC and nothing else */
    bool permutes_in_halves; /* ds_permute_b32 and ds_bpermute_b32 stay within 32 lanes */
    bool true16;             /* 16-bit operands are halves of registers; results keep the other half */
    bool lds_dma_wide;       /* buffer loads of 3 and 4 dwords may go to LDS */
    bool fp8_fnuz;           /* 8-bit floats have no negative zero and no infinity */
    bool dot2_flushes;       /* v_dot2_f32_* flush subnormals */
    const lw_dot_unit *dot2_f16,
        *dot2_bf16; /* the dot unit that v_dot2_f32_f16 and _bf16 perform one step of; NULL: unknown */
    const char *const *formats; /* names of unified buffer formats; NULL: data and number format are two */
    unsigned format_count;
    const char *const *hwregs;   /* names of 64 hardware registers; NULL: no such register */
    const char *const *exports;  /* names of 64 targets of exports; NULL: no such target */
    const char *const *messages; /* names of 256 messages without further parts; NULL: as on gfx9 */
    uint32_t lds_granule;        /* the unit of allocation, bytes */
    uint32_t lds_dma_m0;         /* bits of M0 that hold the base of loads to LDS */
} lw_amdgpu_traits;

/* The traits of an architecture. All zeros if it is not AMD's or not known; never NULL. */
const lw_amdgpu_traits *lw_amdgpu_traits_of(lw_arch arch);

/* Those of a processor: a sibling ("gfx1251") that decodes more than the architecture whose rows it uses has
 * traits of its own. Other names, and NULL: the architecture's. */
const lw_amdgpu_traits *lw_amdgpu_traits_named(lw_arch arch, const char *processor);

#endif

/* SPDX-License-Identifier: MIT */
/* How the machines of AMD's generations differ where no row says it. */
#ifndef LW_ISA_AMDGPU_TRAITS_H
#define LW_ISA_AMDGPU_TRAITS_H

#include <stdbool.h>

#include "isa_tables/amdgpu/counters.h"
#include "isa_tables/amdgpu/encodings.h"
#include "isa_tables/dot_units.h"

typedef struct lw_amdgpu_traits {
    const lw_encodings
        *encodings; /* NULL: machine code of this generation is not known here, only its descriptors */
    uint8_t wave;   /* lanes of a wave that says nothing else */
    uint8_t vgpr_granule_32,
        vgpr_granule_64;   /* of a descriptor, in waves of 32 and 64 lanes; 0: no such waves */
    bool labelled;         /* the rows' labels were given for this generation */
    bool accum;            /* a descriptor says where accumulation registers begin */
    bool agprs_beside;     /* there are as many accumulation registers as others, in a file of their own */
    uint8_t sgprs_always;  /* scalar registers of every wave, whatever a descriptor says; 0: it says */
    uint8_t sgprs;         /* numbered scalar registers */
    uint8_t vgpr_align;    /* tuples of vector registers begin at a multiple of this */
    uint32_t mods_lacking; /* LW_MOD_* of rows that no instruction has here */
    uint8_t no_saddr;      /* global and scratch: the code of no scalar address */
    uint8_t flat_saddr;    /* flat: what stands in its place */
    uint16_t vop3_vop1, vop3_own; /* first opcodes of one-source and of further instructions within VOP3 */
    const lw_counters *counters;  /* of waits; with `encodings` */
    uint8_t message_dealloc;      /* s_sendmsg that gives vector registers back before the end; 0: none */
    const char *cache_words[3];   /* what the bits of cache policy are called, the dlc of gfx11 apart */
    bool scratch_buffer;          /* scratch is reached through a buffer in the first user SGPRs, too */
    bool flat_lds_bit;       /* bit 13 of FLAT: data go to LDS; otherwise a scratch access has an address */
    bool temporal_hints;     /* accesses have a temporal hint and a scope instead of bits of cache policy */
    bool ids_in_ttmp;        /* TTMP9 and TTMP7 hold the numbers of the workgroup */
    bool mode_fixed;         /* MODE has no bits for CLAMP of NaNs and for IEEE: both are on */
    bool opsel_hi_ones;      /* matrix instructions have all bits of op_sel_hi set */
    bool omod_always;        /* OMOD works whatever MODE says */
    bool vop3_literal;       /* instructions of 8 bytes may be followed by a literal */
    bool literal64_unsigned; /* a literal of an integer pair is zero-extended whatever its type */
    bool smem_always_offset; /* scalar loads have an immediate and a register always */
    bool buffer_oob;         /* a buffer's resource says how it is checked; two bits say how it is swizzled */
    bool gds;                /* there is a global data share; elsewhere its bit is not printed */
    bool dpp_all;            /* DPP in every vector instruction of 32 bits, within rows of lanes; also DPP8 */
    bool cmpx_exec_only;     /* v_cmpx writes EXEC and nothing else */
    bool permutes_in_halves; /* ds_permute_b32 and ds_bpermute_b32 stay within 32 lanes */
    bool true16;             /* 16-bit operands are halves of registers, results keep the other half */
    bool lds_dma_wide;       /* buffer loads of 3 and 4 dwords may go to LDS */
    bool fp8_fnuz;           /* 8-bit floats without negative zero and infinity */
    bool dot2_flushes;       /* v_dot2_f32_* flush subnormals */
    const lw_dot_unit *dot2_f16,
        *dot2_bf16; /* the dot unit that v_dot2_f32_f16 and _bf16 are a step of; NULL: not known */
    const char *const *formats; /* names of unified buffer formats; NULL: data and number formats are apart */
    unsigned format_count;
    const char *const *hwregs;      /* names of 64 hardware registers, NULL where there is none */
    const char *const *messages;    /* names of 256 messages without further parts; NULL: as gfx9 has them */
    uint32_t lds_size, lds_granule; /* bytes of a workgroup at most, and by which they are handed out */
    uint32_t lds_dma_m0;            /* bits of M0 that hold the base of loads to LDS */
} lw_amdgpu_traits;

/* The traits of an architecture; all zeros where it is none of AMD's or not known. Never NULL. */
const lw_amdgpu_traits *lw_amdgpu_traits_of(lw_arch arch);

#endif

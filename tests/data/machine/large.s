// SPDX-License-Identifier: MIT
// A kernel of 12 instructions in 64 MiB of code.
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.p2align 8
.globl small
.type small,@function
small:
    s_load_dwordx2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v2, 5, v0
    v_mul_u32_u24_e32 v2, 3, v2
    v_xor_b32_e32 v2, 1, v2
    v_add_u32_e32 v2, v2, v0
    s_nop 0
    s_nop 0
    s_nop 0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[0:1]
    s_endpgm
.size small, .-small
.fill 16777216, 4, 0xbf800000
.rodata
.p2align 6
.amdhsa_kernel small
    .amdhsa_kernarg_size 8
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_accum_offset 4
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: small
    .symbol: small.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 4
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - .name: out
        .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
...
.end_amdgpu_metadata

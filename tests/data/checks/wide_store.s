; SPDX-License-Identifier: MIT
; Two stores to LDS on gfx1100; no rule says how stores of 128 bits use the banks. Built by
;   llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 -filetype=obj -o w.o wide_store.s && ld.lld-22 -shared -o wide_store.co w.o
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl wide_store
.p2align 8
.type wide_store,@function
wide_store:
v_and_b32 v0, 0x3ff, v0
v_lshlrev_b32 v0, 4, v0
v_mov_b32 v2, 0
v_mov_b32 v3, 0
v_mov_b32 v4, 0
v_mov_b32 v5, 0
ds_store_b128 v0, v[2:5]
s_cmp_eq_u32 s2, 0
s_cbranch_scc1 .Lend
ds_store_b64 v0, v[2:3]
.Lend:
s_endpgm
.size wide_store, .-wide_store
.rodata
.p2align 6
.amdhsa_kernel wide_store
    .amdhsa_kernarg_size 0
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_group_segment_fixed_size 512
    .amdhsa_wavefront_size32 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: wide_store
    .symbol: wide_store.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args: []
...
.end_amdgpu_metadata

// SPDX-License-Identifier: MIT
// Kernels that read hidden arguments, and one that the metadata do not mention.
// clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx942 -c hidden.s -o hidden.o && ld.lld-22 -shared -s hidden.o -o hidden.co
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl count
.p2align 8
.type count,@function
// p[0] = block count x, p[1] = group sizes x and y
count:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_load_dword s7, s[0:1], 0x14
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v2, s6
  v_mov_b32_e32 v3, s7
  global_store_dwordx2 v0, v[2:3], s[4:5]
  s_endpgm
.size count, .-count

.globl say
.p2align 8
.type say,@function
// p[0] = the word at byte 24 of the memory that the hostcall buffer points to
say:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx2 s[6:7], s[0:1], 0x58
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[6:7] offset:24
  s_waitcnt vmcnt(0)
  global_store_dword v0, v1, s[4:5]
  s_endpgm
.size say, .-say

.globl bare
.p2align 8
.type bare,@function
// *(the address at 0) = the word at 8
bare:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v1, s6
  global_store_dword v0, v1, s[4:5]
  s_endpgm
.size bare, .-bare

.rodata
.p2align 6
.macro descriptor name, bytes
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size \bytes
.end_amdhsa_kernel
.endm
descriptor count, 24
descriptor say, 96
descriptor bare, 16

.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: count
    .symbol: count.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 64
    .args:
      - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 4, .offset: 8, .value_kind: hidden_block_count_x }
      - { .size: 2, .offset: 20, .value_kind: hidden_group_size_x }
      - { .size: 2, .offset: 22, .value_kind: hidden_group_size_y }
  - .name: say
    .symbol: say.kd
    .kernarg_segment_size: 96
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 64
    .args:
      - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .size: 8, .offset: 88, .value_kind: hidden_hostcall_buffer }
...
.end_amdgpu_metadata

// SPDX-License-Identifier: MIT
// Kernels whose metadata contain what HIP's do not: source types of arguments, partial workgroups allowed. The last
// one names neither its argument nor the LDS that it uses, as HIP does where LDS is dynamic.
// clang-22 -target amdgcn-amd-amdhsa -mcpu=gfx950 -c words.s -o words.o && ld.lld-22 -shared -s words.o -o words.co
.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.globl fill
.p2align 8
.type fill,@function
// p[i] = x for i < n, in workgroups of 64
fill:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshl_add_u32 v0, s2, 6, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_i32_e32 vcc, s6, v0
  s_and_saveexec_b64 s[8:9], vcc
  s_cbranch_execz done
  v_mov_b32_e32 v2, s7
  v_lshlrev_b32_e32 v1, 2, v0
  global_store_dword v1, v2, s[4:5]
done:
  s_endpgm
.size fill, .-fill

.globl unset
.p2align 8
.type unset,@function
// p[0] = a register and a word of LDS that were never written
unset:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  ds_read_b32 v3, v1 offset:16
  s_waitcnt lgkmcnt(0)
  v_add_u32_e32 v2, v5, v3
  global_store_dword v1, v2, s[4:5]
  s_endpgm
.size unset, .-unset

.globl dynamic
.p2align 8
.type dynamic,@function
// p[0] = the first word of dynamic LDS, written before
dynamic:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 7
  ds_write_b32 v1, v2
  ds_read_b32 v3, v1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[4:5]
  s_endpgm
.size dynamic, .-dynamic

.rodata
.p2align 6
.amdhsa_kernel fill
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 16
.end_amdhsa_kernel
.amdhsa_kernel unset
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_group_segment_fixed_size 64
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel
.amdhsa_kernel dynamic
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 8
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx950
amdhsa.kernels:
  - .name: fill
    .symbol: fill.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 64
    .args:
      - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .type_name: 'float*' }
      - { .name: n, .size: 4, .offset: 8, .value_kind: by_value, .type_name: 'int' }
      - { .name: x, .size: 4, .offset: 12, .value_kind: by_value, .type_name: 'float' }
  - .name: unset
    .symbol: unset.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 64
    .args:
      - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .type_name: 'uint*' }
  - .name: dynamic
    .symbol: dynamic.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 8
    .agpr_count: 0
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
...
.end_amdgpu_metadata

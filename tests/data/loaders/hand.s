// SPDX-License-Identifier: MIT
// What compilers do not write: metadata with padding, LDS pointers and a fixed workgroup, a kernel without
// metadata, and a symbol of default visibility that is reached through the global offset table.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
.text
.p2align 8
.globl padded
.type padded,@function
padded:
    s_getpc_b64 s[4:5]
    s_add_u32 s4, s4, table@gotpcrel32@lo+4
    s_addc_u32 s5, s5, table@gotpcrel32@hi+12
    s_load_dwordx2 s[4:5], s[4:5], 0x0
    s_endpgm
.Lpadded_end:
.size padded, .Lpadded_end-padded
.p2align 8
.globl bare
.type bare,@function
bare:
    s_endpgm
.size bare, 4
.data
.p2align 3
.globl table
.type table,@object
.size table, 8
table:
    .quad 0x1122334455667788
.rodata
.p2align 6
.amdhsa_kernel padded
    .amdhsa_group_segment_fixed_size 1000
    .amdhsa_private_segment_fixed_size 16
    .amdhsa_kernarg_size 64
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_kernarg_preload_length 3
    .amdhsa_user_sgpr_kernarg_preload_offset 5
    .amdhsa_accum_offset 20
    .amdhsa_next_free_vgpr 45
    .amdhsa_next_free_sgpr 33
    .amdhsa_float_denorm_mode_32 0
    .amdhsa_dx10_clamp 0
    .amdhsa_ieee_mode 0
.end_amdhsa_kernel
.amdhsa_kernel bare
    .amdhsa_accum_offset 4
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-
amdhsa.kernels:
  - .name: padded
    .symbol: padded.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 16
    .group_segment_fixed_size: 1000
    .private_segment_fixed_size: 16
    .wavefront_size: 64
    .sgpr_count: 33
    .vgpr_count: 25
    .agpr_count: 25
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [ 64, 4, 1 ]
    .args:
      - { .name: ptr_D, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .actual_access: write_only }
      - { .name: pad, .size: 8, .offset: 8, .value_kind: by_value }
      - { .name: ptr_A, .size: 8, .offset: 16, .value_kind: global_buffer, .address_space: global, .is_const: true }
      - { .name: pad, .size: 8, .offset: 24, .value_kind: by_value }
      - { .name: strips, .size: 4, .offset: 32, .value_kind: dynamic_shared_pointer, .address_space: local, .pointee_align: 64 }
      - { .name: rows, .size: 4, .offset: 36, .value_kind: by_value, .type_name: int }
      - { .size: 8, .offset: 40, .value_kind: hidden_global_offset_x }
      - { .name: scale, .size: 4, .offset: 48, .value_kind: by_value, .type_name: float }
...
.end_amdgpu_metadata

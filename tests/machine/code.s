# SPDX-License-Identifier: MIT
# Small pieces of machine code for the tests of this folder; code.py makes code.inc of them.
# name: global_load_ubyte
global_load_ubyte v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_ubyte
buffer_load_ubyte v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_ubyte
scratch_load_ubyte v4, v2, s8 offset:3
s_endpgm

# name: flat_load_ubyte
flat_load_ubyte v4, v[0:1] offset:9
s_endpgm

# name: global_load_sbyte
global_load_sbyte v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_sbyte
buffer_load_sbyte v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_sbyte
scratch_load_sbyte v4, v2, s8 offset:3
s_endpgm

# name: flat_load_sbyte
flat_load_sbyte v4, v[0:1] offset:9
s_endpgm

# name: global_load_ushort
global_load_ushort v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_ushort
buffer_load_ushort v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_ushort
scratch_load_ushort v4, v2, s8 offset:3
s_endpgm

# name: flat_load_ushort
flat_load_ushort v4, v[0:1] offset:9
s_endpgm

# name: global_load_sshort
global_load_sshort v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_sshort
buffer_load_sshort v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_sshort
scratch_load_sshort v4, v2, s8 offset:3
s_endpgm

# name: flat_load_sshort
flat_load_sshort v4, v[0:1] offset:9
s_endpgm

# name: global_load_dword
global_load_dword v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_dword
buffer_load_dword v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_dword
scratch_load_dword v4, v2, s8 offset:3
s_endpgm

# name: flat_load_dword
flat_load_dword v4, v[0:1] offset:9
s_endpgm

# name: global_load_dwordx2
global_load_dwordx2 v[4:5], v[0:1], off offset:-7
s_endpgm

# name: buffer_load_dwordx2
buffer_load_dwordx2 v[4:5], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_dwordx2
scratch_load_dwordx2 v[4:5], v2, s8 offset:3
s_endpgm

# name: flat_load_dwordx2
flat_load_dwordx2 v[4:5], v[0:1] offset:9
s_endpgm

# name: global_load_dwordx3
global_load_dwordx3 v[4:6], v[0:1], off offset:-7
s_endpgm

# name: buffer_load_dwordx3
buffer_load_dwordx3 v[4:6], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_dwordx3
scratch_load_dwordx3 v[4:6], v2, s8 offset:3
s_endpgm

# name: flat_load_dwordx3
flat_load_dwordx3 v[4:6], v[0:1] offset:9
s_endpgm

# name: global_load_dwordx4
global_load_dwordx4 v[4:7], v[0:1], off offset:-7
s_endpgm

# name: buffer_load_dwordx4
buffer_load_dwordx4 v[4:7], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_dwordx4
scratch_load_dwordx4 v[4:7], v2, s8 offset:3
s_endpgm

# name: flat_load_dwordx4
flat_load_dwordx4 v[4:7], v[0:1] offset:9
s_endpgm

# name: global_load_ubyte_d16
global_load_ubyte_d16 v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_ubyte_d16
buffer_load_ubyte_d16 v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_ubyte_d16
scratch_load_ubyte_d16 v4, v2, s8 offset:3
s_endpgm

# name: flat_load_ubyte_d16
flat_load_ubyte_d16 v4, v[0:1] offset:9
s_endpgm

# name: global_load_ubyte_d16_hi
global_load_ubyte_d16_hi v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_ubyte_d16_hi
buffer_load_ubyte_d16_hi v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_ubyte_d16_hi
scratch_load_ubyte_d16_hi v4, v2, s8 offset:3
s_endpgm

# name: flat_load_ubyte_d16_hi
flat_load_ubyte_d16_hi v4, v[0:1] offset:9
s_endpgm

# name: global_load_sbyte_d16
global_load_sbyte_d16 v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_sbyte_d16
buffer_load_sbyte_d16 v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_sbyte_d16
scratch_load_sbyte_d16 v4, v2, s8 offset:3
s_endpgm

# name: flat_load_sbyte_d16
flat_load_sbyte_d16 v4, v[0:1] offset:9
s_endpgm

# name: global_load_sbyte_d16_hi
global_load_sbyte_d16_hi v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_sbyte_d16_hi
buffer_load_sbyte_d16_hi v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_sbyte_d16_hi
scratch_load_sbyte_d16_hi v4, v2, s8 offset:3
s_endpgm

# name: flat_load_sbyte_d16_hi
flat_load_sbyte_d16_hi v4, v[0:1] offset:9
s_endpgm

# name: global_load_short_d16
global_load_short_d16 v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_short_d16
buffer_load_short_d16 v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_short_d16
scratch_load_short_d16 v4, v2, s8 offset:3
s_endpgm

# name: flat_load_short_d16
flat_load_short_d16 v4, v[0:1] offset:9
s_endpgm

# name: global_load_short_d16_hi
global_load_short_d16_hi v4, v[0:1], off offset:-7
s_endpgm

# name: buffer_load_short_d16_hi
buffer_load_short_d16_hi v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_load_short_d16_hi
scratch_load_short_d16_hi v4, v2, s8 offset:3
s_endpgm

# name: flat_load_short_d16_hi
flat_load_short_d16_hi v4, v[0:1] offset:9
s_endpgm

# name: global_store_byte
global_store_byte v2, v4, s[4:5] offset:11
s_endpgm

# name: buffer_store_byte
buffer_store_byte v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_byte
scratch_store_byte v2, v4, s8 offset:3
s_endpgm

# name: global_store_short
global_store_short v2, v4, s[4:5] offset:11
s_endpgm

# name: buffer_store_short
buffer_store_short v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_short
scratch_store_short v2, v4, s8 offset:3
s_endpgm

# name: global_store_dword
global_store_dword v2, v4, s[4:5] offset:11
s_endpgm

# name: buffer_store_dword
buffer_store_dword v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_dword
scratch_store_dword v2, v4, s8 offset:3
s_endpgm

# name: global_store_dwordx2
global_store_dwordx2 v2, v[4:5], s[4:5] offset:11
s_endpgm

# name: buffer_store_dwordx2
buffer_store_dwordx2 v[4:5], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_dwordx2
scratch_store_dwordx2 v2, v[4:5], s8 offset:3
s_endpgm

# name: global_store_dwordx3
global_store_dwordx3 v2, v[4:6], s[4:5] offset:11
s_endpgm

# name: buffer_store_dwordx3
buffer_store_dwordx3 v[4:6], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_dwordx3
scratch_store_dwordx3 v2, v[4:6], s8 offset:3
s_endpgm

# name: global_store_dwordx4
global_store_dwordx4 v2, v[4:7], s[4:5] offset:11
s_endpgm

# name: buffer_store_dwordx4
buffer_store_dwordx4 v[4:7], v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_dwordx4
scratch_store_dwordx4 v2, v[4:7], s8 offset:3
s_endpgm

# name: global_store_byte_d16_hi
global_store_byte_d16_hi v2, v4, s[4:5] offset:11
s_endpgm

# name: buffer_store_byte_d16_hi
buffer_store_byte_d16_hi v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_byte_d16_hi
scratch_store_byte_d16_hi v2, v4, s8 offset:3
s_endpgm

# name: global_store_short_d16_hi
global_store_short_d16_hi v2, v4, s[4:5] offset:11
s_endpgm

# name: buffer_store_short_d16_hi
buffer_store_short_d16_hi v4, v2, s[0:3], s8 offen offset:5
s_endpgm

# name: scratch_store_short_d16_hi
scratch_store_short_d16_hi v2, v4, s8 offset:3
s_endpgm

# name: global_atomic_swap
global_atomic_swap v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_swap_x2
global_atomic_swap_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_swap
buffer_atomic_swap v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_swap gfx942
s_atomic_swap s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_cmpswap
global_atomic_cmpswap v8, v[0:1], v[4:5], off sc0
s_endpgm

# name: global_atomic_cmpswap_x2
global_atomic_cmpswap_x2 v[8:9], v[0:1], v[4:7], off sc0
s_endpgm

# name: buffer_atomic_cmpswap
buffer_atomic_cmpswap v[4:5], v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_cmpswap gfx942
s_atomic_cmpswap s[10:11], s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_add
global_atomic_add v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_add_x2
global_atomic_add_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_add
buffer_atomic_add v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_add gfx942
s_atomic_add s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_sub
global_atomic_sub v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_sub_x2
global_atomic_sub_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_sub
buffer_atomic_sub v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_sub gfx942
s_atomic_sub s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_smin
global_atomic_smin v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_smin_x2
global_atomic_smin_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_smin
buffer_atomic_smin v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_smin gfx942
s_atomic_smin s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_umin
global_atomic_umin v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_umin_x2
global_atomic_umin_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_umin
buffer_atomic_umin v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_umin gfx942
s_atomic_umin s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_smax
global_atomic_smax v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_smax_x2
global_atomic_smax_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_smax
buffer_atomic_smax v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_smax gfx942
s_atomic_smax s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_umax
global_atomic_umax v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_umax_x2
global_atomic_umax_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_umax
buffer_atomic_umax v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_umax gfx942
s_atomic_umax s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_and
global_atomic_and v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_and_x2
global_atomic_and_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_and
buffer_atomic_and v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_and gfx942
s_atomic_and s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_or
global_atomic_or v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_or_x2
global_atomic_or_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_or
buffer_atomic_or v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_or gfx942
s_atomic_or s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_xor
global_atomic_xor v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_xor_x2
global_atomic_xor_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_xor
buffer_atomic_xor v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_xor gfx942
s_atomic_xor s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_inc
global_atomic_inc v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_inc_x2
global_atomic_inc_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_inc
buffer_atomic_inc v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_inc gfx942
s_atomic_inc s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_dec
global_atomic_dec v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_dec_x2
global_atomic_dec_x2 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: buffer_atomic_dec
buffer_atomic_dec v4, v2, s[0:3], s8 offen sc0
s_endpgm

# name: s_atomic_dec gfx942
s_atomic_dec s10, s[4:5], 0x10 glc
s_endpgm

# name: global_atomic_add_f32
global_atomic_add_f32 v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_pk_add_f16
global_atomic_pk_add_f16 v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_pk_add_bf16
global_atomic_pk_add_bf16 v8, v[0:1], v4, off sc0
s_endpgm

# name: global_atomic_add_f64
global_atomic_add_f64 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: global_atomic_min_f64
global_atomic_min_f64 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: global_atomic_max_f64
global_atomic_max_f64 v[8:9], v[0:1], v[4:5], off sc0
s_endpgm

# name: ds_read_u8
ds_read_u8 v4, v2 offset:3
s_endpgm

# name: ds_read_i8
ds_read_i8 v4, v2 offset:3
s_endpgm

# name: ds_read_u16
ds_read_u16 v4, v2 offset:3
s_endpgm

# name: ds_read_i16
ds_read_i16 v4, v2 offset:3
s_endpgm

# name: ds_read_u8_d16
ds_read_u8_d16 v4, v2 offset:3
s_endpgm

# name: ds_read_u8_d16_hi
ds_read_u8_d16_hi v4, v2 offset:3
s_endpgm

# name: ds_read_i8_d16
ds_read_i8_d16 v4, v2 offset:3
s_endpgm

# name: ds_read_i8_d16_hi
ds_read_i8_d16_hi v4, v2 offset:3
s_endpgm

# name: ds_read_u16_d16
ds_read_u16_d16 v4, v2 offset:3
s_endpgm

# name: ds_read_u16_d16_hi
ds_read_u16_d16_hi v4, v2 offset:3
s_endpgm

# name: ds_read_b32
ds_read_b32 v4, v2 offset:3
s_endpgm

# name: ds_read_b64
ds_read_b64 v[4:5], v2 offset:3
s_endpgm

# name: ds_read_b96
ds_read_b96 v[4:6], v2 offset:3
s_endpgm

# name: ds_read_b128
ds_read_b128 v[4:7], v2 offset:3
s_endpgm

# name: ds_write_b8
ds_write_b8 v2, v4 offset:3
s_endpgm

# name: ds_write_b16
ds_write_b16 v2, v4 offset:3
s_endpgm

# name: ds_write_b8_d16_hi
ds_write_b8_d16_hi v2, v4 offset:3
s_endpgm

# name: ds_write_b16_d16_hi
ds_write_b16_d16_hi v2, v4 offset:3
s_endpgm

# name: ds_write_b32
ds_write_b32 v2, v4 offset:3
s_endpgm

# name: ds_write_b64
ds_write_b64 v2, v[4:5] offset:3
s_endpgm

# name: ds_write_b96
ds_write_b96 v2, v[4:6] offset:3
s_endpgm

# name: ds_write_b128
ds_write_b128 v2, v[4:7] offset:3
s_endpgm

# name: ds_read2_b32
ds_read2_b32 v[4:5], v2 offset0:1 offset1:9
s_endpgm

# name: ds_read2_b64
ds_read2_b64 v[4:7], v2 offset0:1 offset1:9
s_endpgm

# name: ds_read2st64_b32
ds_read2st64_b32 v[4:5], v2 offset0:1 offset1:2
s_endpgm

# name: ds_write2_b32
ds_write2_b32 v2, v4, v5 offset0:1 offset1:9
s_endpgm

# name: ds_write2st64_b64
ds_write2st64_b64 v2, v[4:5], v[6:7] offset0:1 offset1:2
s_endpgm

# name: ds_add_u32
ds_add_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_add_u64
ds_add_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_sub_u32
ds_sub_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_sub_u64
ds_sub_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_rsub_u32
ds_rsub_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_rsub_u64
ds_rsub_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_inc_u32
ds_inc_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_inc_u64
ds_inc_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_dec_u32
ds_dec_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_dec_u64
ds_dec_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_min_i32
ds_min_rtn_i32 v8, v2, v4 offset:4
s_endpgm

# name: ds_min_i64
ds_min_rtn_i64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_max_i32
ds_max_rtn_i32 v8, v2, v4 offset:4
s_endpgm

# name: ds_max_i64
ds_max_rtn_i64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_min_u32
ds_min_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_min_u64
ds_min_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_max_u32
ds_max_rtn_u32 v8, v2, v4 offset:4
s_endpgm

# name: ds_max_u64
ds_max_rtn_u64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_and_b32
ds_and_rtn_b32 v8, v2, v4 offset:4
s_endpgm

# name: ds_and_b64
ds_and_rtn_b64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_or_b32
ds_or_rtn_b32 v8, v2, v4 offset:4
s_endpgm

# name: ds_or_b64
ds_or_rtn_b64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_xor_b32
ds_xor_rtn_b32 v8, v2, v4 offset:4
s_endpgm

# name: ds_xor_b64
ds_xor_rtn_b64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_wrxchg_b32
ds_wrxchg_rtn_b32 v8, v2, v4 offset:4
s_endpgm

# name: ds_wrxchg_b64
ds_wrxchg_rtn_b64 v[8:9], v2, v[4:5] offset:8
s_endpgm

# name: ds_mskor_b32
ds_mskor_rtn_b32 v8, v2, v4, v5 offset:4
s_endpgm

# name: ds_cmpst_b32
ds_cmpst_rtn_b32 v8, v2, v4, v5 offset:4
s_endpgm

# name: ds_wrap_b32
ds_wrap_rtn_b32 v8, v2, v4, v5 offset:4
s_endpgm

# name: ds_add_f32
ds_add_rtn_f32 v8, v2, v4 offset:4
s_endpgm

# name: ds_wrxchg2_b32
ds_wrxchg2_rtn_b32 v[8:9], v2, v4, v5 offset0:1 offset1:3
s_endpgm

# name: ds_bpermute
ds_bpermute_b32 v8, v2, v4 offset:12
s_endpgm

# name: ds_permute
ds_permute_b32 v8, v2, v4
s_endpgm

# name: ds_swizzle_0
ds_swizzle_b32 v8, v4 offset:0x41f
s_endpgm

# name: ds_swizzle_1
ds_swizzle_b32 v8, v4 offset:0x801b
s_endpgm

# name: ds_swizzle_2
ds_swizzle_b32 v8, v4 offset:0xe010
s_endpgm

# name: ds_swizzle_3
ds_swizzle_b32 v8, v4 offset:0xc460
s_endpgm

# name: ds_swizzle_4
ds_swizzle_b32 v8, v4 offset:0xc0a2
s_endpgm

# name: ds_swizzle_5
ds_swizzle_b32 v8, v4 offset:0x7c1f
s_endpgm

# name: ds_swizzle_6
ds_swizzle_b32 v8, v4 offset:0xc03
s_endpgm

# name: ds_read_b64_tr_b16
ds_read_b64_tr_b16 v[4:5], v2 offset:16
s_endpgm

# name: ds_read_b64_tr_b8
ds_read_b64_tr_b8 v[4:5], v2 offset:16
s_endpgm

# name: ds_read_b64_tr_b4
ds_read_b64_tr_b4 v[4:5], v2 offset:16
s_endpgm

# name: ds_read_b96_tr_b6
ds_read_b96_tr_b6 v[4:6], v2 offset:16
s_endpgm

# name: buffer_struct
buffer_load_dword v4, v2, s[0:3], s8 idxen offset:4
s_endpgm

# name: buffer_both
buffer_load_dwordx2 v[4:5], v[2:3], s[0:3], 0 idxen offen offset:8
s_endpgm

# name: buffer_none
buffer_load_dword v4, off, s[0:3], s8 offset:12
s_endpgm

# name: buffer_lds
s_mov_b32 m0, 0x40
s_nop 0
buffer_load_dword v2, s[0:3], s8 offen offset:4 lds
s_endpgm

# name: buffer_lds_x4
s_mov_b32 m0, 0x40
s_nop 0
buffer_load_dwordx4 v2, s[0:3], s8 offen offset:16 lds
s_endpgm

# name: buffer_lds_x3
s_mov_b32 m0, 0x40
s_nop 0
buffer_load_dwordx3 v2, s[0:3], s8 offen offset:16 lds
s_endpgm

# name: buffer_lds_ubyte
s_mov_b32 m0, 0x40
s_nop 0
buffer_load_ubyte v2, s[0:3], s8 offen offset:4 lds
s_endpgm

# name: global_lds
s_mov_b32 m0, 0x42
s_nop 0
global_load_lds_dword v[0:1], off offset:8
s_endpgm

# name: global_lds_x4
s_mov_b32 m0, 0x40
s_nop 0
global_load_lds_dwordx4 v[0:1], off offset:32
s_endpgm

# name: s_loads
s_load_dword s10, s[4:5], 0x4
s_load_dwordx2 s[12:13], s[4:5], s8
s_load_dwordx4 s[16:19], s[4:5], s8 offset:0x8
s_load_dwordx8 s[24:31], s[4:5], 0x0
s_load_dwordx16 s[32:47], s[4:5], -0x10
s_endpgm

# name: s_buffer_loads
s_buffer_load_dwordx4 s[12:15], s[0:3], 0x8
s_buffer_load_dword s16, s[0:3], s8
s_endpgm

# name: s_stores gfx942
s_store_dword s10, s[4:5], 0x8
s_store_dwordx2 s[12:13], s[4:5], s8
s_store_dwordx4 s[16:19], s[4:5], 0x20
s_dcache_wb
s_endpgm

# name: loop
s_mov_b32 s0, 0
s_mov_b32 s1, 0
s_add_u32 s1, s1, s0
s_add_u32 s0, s0, 1
s_cmp_lt_u32 s0, 64
s_cbranch_scc1 -4
s_endpgm

# name: calls
s_getpc_b64 s[0:1]
s_call_b64 s[2:3], 5
s_mov_b32 s20, 7
s_add_u32 s6, s0, 36
s_addc_u32 s7, s1, 0
s_swappc_b64 s[8:9], s[6:7]
s_endpgm
s_mov_b32 s21, 9
s_setpc_b64 s[2:3]
s_endpgm
s_mov_b32 s22, 11
s_setpc_b64 s[8:9]
s_endpgm

# name: branches
s_cbranch_vccz 1
s_mov_b32 s0, 1
s_cbranch_vccnz 1
s_mov_b32 s1, 1
s_cbranch_execz 1
s_mov_b32 s2, 1
s_cbranch_execnz 1
s_mov_b32 s3, 1
s_cbranch_scc0 1
s_mov_b32 s4, 1
s_cbranch_scc1 1
s_mov_b32 s5, 1
s_cbranch_cdbgsys 1
s_mov_b32 s6, 1
s_endpgm

# name: hwregs
s_getreg_b32 s0, hwreg(HW_REG_MODE)
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xa
s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 12)
s_mov_b32 s2, 3
s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s2
s_getreg_b32 s3, hwreg(HW_REG_MODE)
s_getreg_b32 s4, hwreg(HW_REG_SH_MEM_BASES)
s_getreg_b32 s5, hwreg(HW_REG_STATUS)
s_endpgm

# name: gpr_idx
s_mov_b32 s0, 3
s_set_gpr_idx_on s0, gpr_idx(SRC0)
v_mov_b32 v1, v4
s_set_gpr_idx_mode gpr_idx(DST)
v_mov_b32 v8, v4
s_set_gpr_idx_idx s1
s_set_gpr_idx_mode gpr_idx(SRC0,SRC1,DST)
v_add_u32 v8, v4, v5
s_set_gpr_idx_off
v_mov_b32 v2, v4
s_endpgm

# name: vskip
s_setvskip 1, 0
v_mov_b32 v0, 1
s_mov_b32 s0, 5
ds_write_b32 v1, v2
s_setvskip 0, 0
v_mov_b32 v3, 2
s_endpgm

# name: barrier
ds_write_b32 v2, v4
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
s_endpgm

# name: barrier_some_end
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 3
s_mov_b32 s1, 1
s_barrier
s_mov_b32 s2, 2
s_nop 0
s_endpgm

# name: spin
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 8
s_sleep 1
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -7
s_endpgm
ds_write_b32 v3, v4
s_endpgm

# name: busy_spin
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 8
s_nop 0
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -7
s_endpgm
ds_write_b32 v3, v4
s_endpgm

# name: forever
s_branch -1
s_endpgm

# name: trap_two
s_trap 2
s_endpgm

# name: trap_three
s_trap 3
s_endpgm

# name: halt
s_sethalt 1
s_endpgm

# name: undecodable
.long 0xffffffff
s_endpgm

# name: ends_inside
.long 0xd1cb0000
s_endpgm

# name: too_high
v_mov_b32 v200, v0
s_endpgm

# name: not_implemented
s_rfe_b64 s[0:1]
s_endpgm

# name: dim
ds_add_u32 v0, v1
v_add_f32 v2, v3, v4
v_fma_f32 v5, v3, v4, v2
v_mul_f32 v6, v3, v3
s_endpgm

# name: mfma_f64
v_mfma_f64_4x4x4_4b_f64 v[4:5], v[0:1], v[2:3], 1.0
s_endpgm

# name: mfma_acc
v_mfma_f32_16x16x16_f16 a[4:7], v[0:1], a[0:1], a[4:7]
s_nop 7
v_accvgpr_read_b32 v4, a4
s_endpgm

# name: mfma_alias
v_mfma_f32_16x16x16_f16 v[0:3], v[0:1], v[2:3], 2.0
s_endpgm

# name: mfma_undefined gfx942
v_mfma_f32_16x16x16_f16 v[0:3], v[0:1], v[2:3], v[0:3] cbsz:1
s_endpgm

# name: many
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_add_u32 s0, s0, 1
s_sub_u32 s1, s1, 1
s_cmp_lg_u32 s1, 0
s_cbranch_scc1 -35
s_endpgm

# name: barrier_late
s_cmp_eq_u32 s0, 3
s_cbranch_scc0 3
s_sleep 1
s_sleep 1
s_sleep 1
ds_write_b32 v2, v4
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
s_endpgm

# name: scratch_both
scratch_store_dwordx3 v2, v[4:6], s8 offset:3
scratch_store_byte off, v7, s9 offset:1
scratch_load_dwordx4 v[8:11], v2, s8 offset:2
scratch_load_sshort v12, off, s9
s_endpgm

# name: no_value_offset
buffer_load_dword v4, v2, s[0:3], src_shared_base offen
s_endpgm

# name: no_value_skip
s_setvskip src_private_base, 3
s_endpgm

# name: no_value_index
s_set_gpr_idx_on src_shared_limit, gpr_idx(SRC0)
s_endpgm

# name: no_value_index_idx
s_set_gpr_idx_idx src_private_limit
s_endpgm

# name: data_share
.long 0xd81b0000
.long 0x00000200
s_endpgm

# name: flat_atomic_add_f32
flat_atomic_add_f32 v8, v[0:1], v4 sc0
s_endpgm

# name: flat_atomic_pk_add_f16
flat_atomic_pk_add_f16 v8, v[0:1], v4 sc0
s_endpgm

# name: flat_atomic_pk_add_bf16
flat_atomic_pk_add_bf16 v8, v[0:1], v4 sc0
s_endpgm

# name: buffer_lds_m0
buffer_load_dword v2, s[0:3], s8 offen offset:4 lds
s_endpgm

# name: ds_min_f32
ds_min_rtn_f32 v8, v2, v4 offset:4
s_endpgm

# name: ds_max_f32
ds_max_rtn_f32 v8, v2, v4 offset:4
s_endpgm

# name: ds_min_f64
ds_min_rtn_f64 v[8:9], v2, v[4:5] offset:4
s_endpgm

# name: ds_max_f64
ds_max_rtn_f64 v[8:9], v2, v[4:5] offset:4
s_endpgm

# name: async_refill
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 8
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
s_waitcnt vmcnt(0)
ds_read_b32 v5, v2
s_endpgm
ds_read_b32 v5, v2
v_add_u32 v7, 1, v7
s_sleep 1
v_add_u32 v7, 1, v7
s_sleep 1
ds_read_b32 v6, v2
s_endpgm

# name: async_refill_63
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 135
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
.rept 62
global_load_dword v8, v[0:1], off
.endr
ds_read_b32 v6, v2
global_load_dword v8, v[0:1], off
ds_read_b32 v5, v2
s_endpgm
ds_read_b32 v5, v2
v_add_u32 v7, 1, v7
s_sleep 1
v_add_u32 v7, 1, v7
s_sleep 1
ds_read_b32 v6, v2
s_endpgm

# name: async_refill_64
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 136
s_mov_b32 m0, 0
s_nop 0
.rept 63
global_load_lds_dword v[0:1], off
.endr
ds_read_b32 v6, v2
global_load_lds_dword v[0:1], off
s_waitcnt vmcnt(0)
ds_read_b32 v5, v2
s_endpgm
ds_read_b32 v5, v2
v_add_u32 v7, 1, v7
s_sleep 1
v_add_u32 v7, 1, v7
s_sleep 1
ds_read_b32 v6, v2
s_endpgm

# name: async_count
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
global_load_dword v8, v[0:1], off
s_mov_b32 m0, 0x100
s_nop 0
buffer_load_dword v11, s[4:7], 0 offen lds
global_store_dword v[12:13], v9, off
s_waitcnt vmcnt(3)
ds_read_b32 v5, v2
ds_read_b32 v6, v2 offset:256
s_waitcnt vmcnt(2)
ds_read_b32 v7, v2 offset:256
s_waitcnt vmcnt(1)
ds_read_b32 v10, v2 offset:256
s_endpgm

# name: async_count_20
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
.rept 20
global_load_dword v8, v[0:1], off
.endr
s_waitcnt vmcnt(21)
s_waitcnt lgkmcnt(0)
ds_read_b32 v5, v2
s_waitcnt vmcnt(20)
ds_read_b32 v6, v2
s_endpgm

# name: async_issue
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
v_mov_b32 v0, 0
v_mov_b32 v1, 0
s_mov_b32 m0, 0x200
s_mov_b64 exec, 1
global_store_dword v[12:13], v9, off
s_waitcnt vmcnt(1)
s_mov_b64 exec, -1
ds_read_b32 v5, v2
s_endpgm

# name: async_barrier
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 6
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
s_barrier
s_endpgm
s_barrier
ds_read_b32 v5, v2
s_endpgm

# name: async_barrier_right
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 7
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
s_waitcnt vmcnt(0)
s_barrier
s_endpgm
s_barrier
ds_read_b32 v5, v2
s_endpgm

# name: async_flag
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 8
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
s_waitcnt vmcnt(0)
ds_write_b32 v3, v4
s_endpgm
s_sleep 1
ds_read_b32 v6, v3
v_readfirstlane_b32 s1, v6
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -6
ds_read_b32 v5, v2
s_endpgm

# name: async_flag_busy
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 8
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
s_waitcnt vmcnt(0)
ds_write_b32 v3, v4
s_endpgm
s_nop 0
ds_read_b32 v6, v3
v_readfirstlane_b32 s1, v6
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -6
ds_read_b32 v5, v2
s_endpgm

# name: async_fault
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
ds_read_b32 v5, v2
s_waitcnt vmcnt(0)
s_endpgm

# name: async_end
s_mov_b32 m0, 0
s_nop 0
global_load_lds_dword v[0:1], off
ds_read_b32 v5, v2
s_endpgm

# name: wait_each_other
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -6
ds_write_b32 v2, v4
s_endpgm

# name: lock_taken
s_nop 0
ds_cmpst_rtn_b32 v5, v3, v6, v4
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, s2
s_cbranch_scc0 -7
s_endpgm

# name: global_lock_taken
s_sleep 1
global_atomic_cmpswap v5, v3, v[6:7], s[4:5] sc0
s_waitcnt vmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, s2
s_cbranch_scc0 -7
s_endpgm

# name: barrier_forever
s_barrier
s_branch -2
s_endpgm

# name: barrier_or_spin
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 2
s_barrier
s_endpgm
s_branch -1
s_endpgm

# name: count_forever
s_add_u32 s1, s1, 1
s_branch -2
s_endpgm

# name: store_same
ds_write_b32 v3, v4
s_branch -3
s_endpgm

# name: store_toggled
ds_xor_b32 v3, v4
s_branch -3
s_endpgm

# name: scratch_toggled
v_mov_b32 v5, 0
scratch_store_dword off, v5, off offset:8
scratch_load_dword v5, off, off offset:8
s_waitcnt vmcnt(0)
v_xor_b32 v5, v5, v4
scratch_store_dword off, v5, off offset:8
v_mov_b32 v5, 0
s_branch -8
s_endpgm

# name: scratch_count
v_mov_b32 v5, 0
scratch_store_dword off, v5, off offset:8
scratch_load_dword v5, off, off offset:8
s_waitcnt vmcnt(0)
v_add_u32 v5, v5, v4
scratch_store_dword off, v5, off offset:8
v_readfirstlane_b32 s1, v5
s_cmp_lt_u32 s1, s4
v_mov_b32 v5, 0
s_mov_b32 s1, 0
s_cbranch_scc1 -11
s_endpgm

# name: clock_wait
s_memtime s[2:3]
s_waitcnt lgkmcnt(0)
s_cmp_lt_u32 s2, s4
s_mov_b32 s2, 0
s_cbranch_scc1 -6
s_endpgm

# name: barrier_count
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 8
s_barrier
s_sub_u32 s4, s4, 1
s_cmp_eq_u32 s4, 0
s_cbranch_scc0 -4
ds_write_b32 v3, v4
s_barrier
s_endpgm
s_barrier
ds_read_b32 v5, v3
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s1, v5
s_cmp_eq_u32 s1, 1
s_cbranch_scc0 -7
s_endpgm

# name: mix_constants
v_fma_mix_f32 v4, 0.5, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v5, -1.0, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v6, 4.0, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v7, 0.15915494, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v8, 64, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v9, v3, v2, -2.0 op_sel_hi:[1,0,1]
v_fma_mix_f32 v10, v3, v2, |-0.5| op_sel_hi:[1,0,1]
v_fma_mix_f32 v11, v3, v2, neg(2.0) op_sel_hi:[1,0,1]
v_fma_mixlo_f16 v12, 1.0, v2, v3 op_sel_hi:[1,0,0]
v_fma_mixhi_f16 v12, -4.0, v2, v3 op_sel_hi:[1,0,0]
v_fma_mix_f32 v13, 0.5, v2, v3 op_sel_hi:[0,0,0]
s_endpgm

# name: mix_constant_high
v_fma_mix_f32 v4, 1.0, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0]
s_endpgm

# name: beyond_accum
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 0x3ff, v0
v_lshlrev_b32 v0, 2, v0
v_add_u32 v1, 5, v0
v_accvgpr_write_b32 a3, v1
s_waitcnt lgkmcnt(0)
global_store_dword v0, v7, s[4:5]
s_endpgm

# name: beyond_total
v_mov_b32 v8, v0

# name: uninit_steps
v_mov_b32 v0, 1
v_mov_b32 v1, v0
v_fmac_f32 v2, v0, v0
v_cvt_pk_fp8_f32 v3, v0, v0
v_mfma_f32_16x16x4_f32 v[8:11], v0, v0, 0
v_readlane_b32 s4, v5, 3
v_writelane_b32 v5, 1, 3
s_mov_b64 s[10:11], s[6:7]
s_mov_b32 s6, 1
v_cndmask_b32 v6, v0, v0, vcc
s_cselect_b32 s12, 1, 2
s_cmp_eq_u32 1, 2
v_accvgpr_read_b32 v7, a3
v_accvgpr_write_b32 a3, 1
v_mov_b32_dpp v12, v0 quad_perm:[0,1,2,3] row_mask:0x5 bank_mask:0xf
s_movrels_b32 s13, s20
v_mov_b32 v1, v13
ds_read_b32 v4, v0
s_and_b64 s[14:15], exec, ttmp[2:3]
v_add_co_u32 v14, vcc, 1, 2
v_mov_b32_sdwa v15, 1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
v_dot2c_f32_f16 v16, v0, v0
v_swap_b32 v0, v17
s_endpgm

# name: s_buffer_widths
s_buffer_load_dword s16, s[0:3], s8
s_buffer_load_dwordx2 s[18:19], s[0:3], s8
s_buffer_load_dwordx4 s[20:23], s[0:3], s8
s_buffer_load_dwordx8 s[24:31], s[0:3], s8
s_buffer_load_dwordx16 s[32:47], s[0:3], s8 offset:0x4
s_endpgm

# name: s_buffer_stores gfx942
s_buffer_store_dword s16, s[0:3], s8
s_buffer_store_dwordx2 s[18:19], s[0:3], s9
s_buffer_store_dwordx4 s[20:23], s[0:3], s10
s_endpgm

# name: s_buffer_atomics gfx942
s_buffer_atomic_add s16, s[0:3], s8 glc
s_buffer_atomic_add_x2 s[18:19], s[0:3], s9 glc
s_buffer_atomic_swap s20, s[0:3], s10
s_endpgm

# name: race_store
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
v_mov_b32 v1, s2
s_and_b32 s6, s2, 7
s_lshl_b32 s6, s6, 6
s_add_u32 s6, s6, 1
s_sub_u32 s6, s6, 1
s_cmp_lg_u32 s6, 0
s_cbranch_scc1 -3
s_waitcnt lgkmcnt(0)
global_store_dword v0, v1, s[4:5]
s_endpgm

# name: race_add
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
s_waitcnt lgkmcnt(0)
global_load_dword v1, v0, s[4:5]
s_waitcnt vmcnt(0)
v_add_u32 v1, s2, v1
global_store_dword v0, v1, s[4:5]
s_endpgm

# name: race_neighbour
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
s_lshl_b32 s6, s2, 8
s_sub_i32 s7, s6, 0x100
s_max_i32 s7, s7, 0
v_add_u32 v1, s6, v0
v_add_u32 v2, s7, v0
s_waitcnt lgkmcnt(0)
global_load_dword v3, v2, s[4:5]
s_waitcnt vmcnt(0)
v_add_u32 v3, 1, v3
global_store_dword v1, v3, s[4:5]
s_endpgm

# name: parallel_plain
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
s_lshl_b32 s6, s2, 8
v_add_u32 v1, s6, v0
v_mov_b32 v2, 7
s_waitcnt lgkmcnt(0)
global_store_dword v1, v2, s[4:5]
s_endpgm

# name: part_atomics
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
v_mov_b32 v1, 1
s_waitcnt lgkmcnt(0)
global_atomic_add v0, v1, s[4:5]
s_endpgm

# name: part_own_atomics
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
s_lshl_b32 s6, s2, 8
v_add_u32 v1, s6, v0
v_mov_b32 v2, 7
s_waitcnt lgkmcnt(0)
global_atomic_add v3, v1, v2, s[4:5] sc0
s_waitcnt vmcnt(0)
global_store_byte v1, v3, s[4:5] offset:3
s_endpgm

# name: part_columns
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_mul_u32_u24 v0, 24, v0
v_add_u32 v0, s2, v0
v_lshlrev_b32 v0, 2, v0
s_waitcnt lgkmcnt(0)
global_load_ubyte v1, v0, s[4:5] offset:1
s_waitcnt vmcnt(0)
global_store_short v0, v1, s[4:5] offset:2
s_endpgm

# name: parallel_fault_middle
s_load_dwordx2 s[4:5], s[0:1], 0x0
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 2, v0
s_lshl_b32 s6, s2, 8
v_add_u32 v1, s6, v0
v_mov_b32 v2, 7
s_waitcnt lgkmcnt(0)
s_cmp_eq_u32 s2, 0x200
s_cselect_b32 s5, 0, s5
global_store_dword v1, v2, s[4:5]
s_endpgm

# name: uninit_kept
v_mov_b32_sdwa v1, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0
v_fma_mixlo_f16 v2, v0, v0, v0
v_fma_mixhi_f16 v2, v0, v0, v0
v_mov_b32_dpp v3, v0 row_shr:1 row_mask:0xf bank_mask:0xf
v_mov_b32_dpp v4, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_mov_b32 v5, v4
v_mov_b32 v5, v3
v_cvt_pk_fp8_f32 v6, v0, v0
v_fmac_f32 v7, v0, v0
s_endpgm

# name: lds_beyond
v_and_b32 v0, 63, v0
v_lshlrev_b32 v0, 4, v0
ds_write_b32 v0, v0
ds_read_b32 v1, v0 offset:8
s_endpgm

# name: facts
s_waitcnt vmcnt(5) lgkmcnt(2)
s_waitcnt expcnt(1)
s_barrier
s_branch 2
s_cbranch_vccz -3
global_load_dwordx4 v[4:7], v[0:1], off offset:-16 sc0
buffer_load_dword v2, s[0:3], s8 offen offset:4 nt sc0 sc1 lds
flat_atomic_add v3, v[0:1], v2 sc0 sc1
scratch_load_dword v4, v2, off offset:8
ds_read2_b64 v[4:7], v2 offset0:1 offset1:8
ds_read_b64_tr_b16 v[4:5], v2
ds_bpermute_b32 v4, v2, v3
s_load_dwordx4 s[16:19], s[4:5], 0x10
s_load_dword s16, s[4:5], s8
buffer_wbl2 sc1
buffer_inv sc0 sc1
v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[0:7], v[8:15], a[0:3]
v_mfma_f32_16x16x128_f8f6f4 a[0:3], v[0:3], v[8:11], a[0:3] cbsz:4 blgp:4
v_smfmac_f32_16x16x32_f16 v[8:11], v[0:1], v[4:7], v2
v_readlane_b32 s4, v5, 3
v_addc_co_u32 v8, vcc, v4, v6, vcc
v_mov_b32_sdwa v15, 1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
v_add_f32 v1, 0x40490fdb, v2
s_mov_b32 m0, ttmp3
s_movk_i32 s3, 0x7fff
s_sendmsg sendmsg(MSG_INTERRUPT)
s_call_b64 s[6:7], 1
s_endpgm

# name: through_blocks
s_add_u32 s4, s4, s0
v_add_u32 v4, v4, v5
s_nop 3
ds_read_b32 v6, v2
s_waitcnt lgkmcnt(0)
v_xor_b32 v7, v6, v4
ds_write_b32 v2, v7
s_setprio 1
s_memtime s[6:7]
s_waitcnt lgkmcnt(0)
s_add_u32 s8, s8, s6
s_bitcmp1_b32 s0, 0
s_cbranch_scc1 2
v_add_u32 v8, v8, v6
s_nop 1
v_mul_lo_u32 v8, v8, v5
global_store_dword v3, v8, s[10:11]
v_add_u32 v3, v3, v9
v_add_u32 v2, v2, v10
s_sub_u32 s0, s0, 1
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 65509
s_nop 0
s_endpgm

# s0 rounds; the end of a round and the beginning of the next one are too close
# name: hazard_loop
v_mov_b32_dpp v1, v0 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf
s_sub_u32 s0, s0, 1
s_cmp_lg_u32 s0, 0
v_mov_b32 v0, 0
s_cbranch_scc1 -6
s_endpgm

# name: gfx908_product gfx908
v_accvgpr_write_b32 a4, v2
v_accvgpr_write_b32 a5, v3
v_accvgpr_write_b32 a6, 1.0
v_accvgpr_write_b32 a7, 0
s_nop 4
v_mfma_f32_4x4x1f32 a[8:11], v0, v1, a[4:7]
s_nop 8
v_accvgpr_read_b32 v4, a8
v_accvgpr_read_b32 v5, a9
v_accvgpr_read_b32 v6, a10
v_accvgpr_read_b32 v7, a11
s_endpgm

# name: gfx908_to_lds gfx908
s_mov_b32 m0, 64
s_nop 0
global_load_dword v[0:1], off offset:8 lds
s_waitcnt vmcnt(0)
s_endpgm

# name: gfx908_legacy gfx908
v_mul_legacy_f32 v2, v0, v1
v_mul_legacy_f32_dpp v3, v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf
v_mad_f32 v4, v0, v1, v2
s_endpgm

# name: gfx908_gds gfx908
ds_add_u32 v0, v1 gds
s_endpgm

# name: gfx1201_dot4 gfx1201
v_dot4_f32_fp8_fp8 v4, v0, v1, v2
v_dot4_f32_fp8_bf8 v5, v0, v1, v2
v_dot4_f32_bf8_fp8 v6, v0, v1, v2
v_dot4_f32_bf8_bf8 v7, v0, v1, v2
v_dot4_f32_bf8_bf8 v8, v0, v1, v2 neg_lo:[0,0,1]
v_dot4_f32_bf8_bf8 v9, v0, v1, v2 neg_hi:[0,0,1]
s_endpgm

# name: append gfx950
ds_append v4 offset:8
s_endpgm

# name: consume gfx950
ds_consume v4 offset:8
s_endpgm

# name: append_gfx1100 gfx1100
ds_append v4 offset:8
s_endpgm

# name: consume_gfx1201 gfx1201
ds_consume v4 offset:8
s_endpgm

# name: condxchg gfx950
ds_condxchg32_rtn_b64 v[8:9], v2, v[4:5] offset:12
s_endpgm

# name: condxchg_gfx1100 gfx1100
ds_condxchg32_rtn_b64 v[8:9], v2, v[4:5] offset:12
s_endpgm

# name: condxchg_gfx1201 gfx1201
ds_condxchg32_rtn_b64 v[8:9], v2, v[4:5] offset:12
s_endpgm

# name: src2_add_u32 gfx908
ds_add_src2_u32 v2 offset:16
s_endpgm

# name: src2_add_u64 gfx908
ds_add_src2_u64 v2 offset:32750
s_endpgm

# name: src2_sub_u32 gfx908
ds_sub_src2_u32 v2 offset:16
s_endpgm

# name: src2_sub_u64 gfx908
ds_sub_src2_u64 v2 offset:32750
s_endpgm

# name: src2_rsub_u32 gfx908
ds_rsub_src2_u32 v2 offset:16
s_endpgm

# name: src2_rsub_u64 gfx908
ds_rsub_src2_u64 v2 offset:32750
s_endpgm

# name: src2_inc_u32 gfx908
ds_inc_src2_u32 v2 offset:16
s_endpgm

# name: src2_inc_u64 gfx908
ds_inc_src2_u64 v2 offset:32750
s_endpgm

# name: src2_dec_u32 gfx908
ds_dec_src2_u32 v2 offset:16
s_endpgm

# name: src2_dec_u64 gfx908
ds_dec_src2_u64 v2 offset:32750
s_endpgm

# name: src2_min_i32 gfx908
ds_min_src2_i32 v2 offset:16
s_endpgm

# name: src2_min_i64 gfx908
ds_min_src2_i64 v2 offset:32750
s_endpgm

# name: src2_max_i32 gfx908
ds_max_src2_i32 v2 offset:16
s_endpgm

# name: src2_max_i64 gfx908
ds_max_src2_i64 v2 offset:32750
s_endpgm

# name: src2_min_u32 gfx908
ds_min_src2_u32 v2 offset:16
s_endpgm

# name: src2_min_u64 gfx908
ds_min_src2_u64 v2 offset:32750
s_endpgm

# name: src2_max_u32 gfx908
ds_max_src2_u32 v2 offset:16
s_endpgm

# name: src2_max_u64 gfx908
ds_max_src2_u64 v2 offset:32750
s_endpgm

# name: src2_and_b32 gfx908
ds_and_src2_b32 v2 offset:16
s_endpgm

# name: src2_and_b64 gfx908
ds_and_src2_b64 v2 offset:32750
s_endpgm

# name: src2_or_b32 gfx908
ds_or_src2_b32 v2 offset:16
s_endpgm

# name: src2_or_b64 gfx908
ds_or_src2_b64 v2 offset:32750
s_endpgm

# name: src2_xor_b32 gfx908
ds_xor_src2_b32 v2 offset:16
s_endpgm

# name: src2_xor_b64 gfx908
ds_xor_src2_b64 v2 offset:32750
s_endpgm

# name: src2_write_b32 gfx908
ds_write_src2_b32 v2 offset:16
s_endpgm

# name: src2_write_b64 gfx908
ds_write_src2_b64 v2 offset:32750
s_endpgm

# name: src2_min_f32 gfx908
ds_min_src2_f32 v2 offset:16
s_endpgm

# name: src2_min_f64 gfx908
ds_min_src2_f64 v2 offset:32750
s_endpgm

# name: src2_max_f32 gfx908
ds_max_src2_f32 v2 offset:16
s_endpgm

# name: src2_max_f64 gfx908
ds_max_src2_f64 v2 offset:32750
s_endpgm

# name: src2_add_f32 gfx908
ds_add_src2_f32 v2 offset:16
s_endpgm

# name: src2_by_address gfx908
ds_add_src2_u32 v2 offset:32768
s_endpgm

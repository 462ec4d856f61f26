#!/bin/sh
# SPDX-License-Identifier: MIT
# Each example contains the instructions that it demonstrates.
# usage: instructions.sh SOURCE_DIR
set -eu

objects=$1/examples/objects
objdump=${OBJDUMP:-llvm-objdump-22}
command -v "$objdump" >/dev/null || { echo "skipped: no $objdump"; exit 77; }
status=0

# holds OBJECT TEXT...: the disassembly has each of the texts
holds() {
    object=$1
    shift
    listing=$("$objdump" -d "$objects/$object.co")
    for text in "$@"; do
        case $listing in
        *"$text"*) ;;
        *) echo "$object: no $text"; status=1 ;;
        esac
    done
}

quantizes="v_pk_maximum3_f16 v_max_f16_sdwa v_cvt_scalef32_pk_fp4_bf16 v_mfma_scale_f32_16x16x128_f8f6f4 v_cvt_pk_bf16_f32"
# shellcheck disable=SC2086 # lists of words
{
    holds vector_add_gfx942 global_load_dword global_store_dword
    holds vector_add_gfx950 global_load_dword global_store_dword
    holds gemm_f16 v_mfma_f32_32x32x16_f16 ds_read_b128 ds_write_b128 s_barrier
    holds mxfp4_basic $quantizes global_load_dwordx4 s_and_saveexec_b64 global_store_short
    for stage in direct half swizzled double preload blocked splitk transposed; do
        holds mxfp4_$stage $quantizes buffer_load_dwordx4 "offen lds" ds_read_b128
    done
    for stage in double preload transposed; do
        holds mxfp4_$stage s_setprio "vmcnt(8)" "vmcnt(6)" "vmcnt(2)" "vmcnt(0)" "buffer_load_dword v"
    done
    holds mxfp4_blocked v_perm_b32 s_barrier ds_write_b128 "op_sel:[0,1,0]"
    holds mxfp4_splitk s_barrier v_add_f32
    holds mxfp4_transposed ds_read_b64_tr_b16 ds_write_b64 global_store_dwordx2
    holds skinny_vdmfma v_smfmac_f32_16x16x32_f16 v_add_f32
    holds skinny_dense v_mfma_f32_16x16x16_f16
}
exit $status

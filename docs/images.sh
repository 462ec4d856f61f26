#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws the pictures of docs/layouts.md and docs/worked: docs/images.sh LANEWISE [FOLDER]. A test compares docs/images with them.
set -eu
lanewise=${1:?usage: images.sh LANEWISE [FOLDER]}
folder=${2:-docs/images}
draw() { # NAME INSTRUCTION options
    "$lanewise" layout "$2" "${@:3}" --format svg >"$folder/$1.svg"
}
draw mfma-a v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A
draw mfma-b v_mfma_f32_16x16x16_f16 --arch gfx942 --operand B
draw mfma-d v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D
draw mfma-lane-17 v_mfma_f32_16x16x16_f16 --arch gfx942 --operand D --lane 17
draw mfma-broadcast v_mfma_f32_4x4x4_16b_f16 --arch gfx942 --operand A --mod 'cbsz:2 abid:1'
draw smfmac-index v_smfmac_f32_16x16x32_f16 --arch gfx942 --operand index --mod abid:1
draw mfma-scale v_mfma_scale_f32_16x16x128_f8f6f4 --arch gfx950 --operand scale_a
draw gfx11-a v_wmma_f32_16x16x16_f16 --arch gfx1100 --operand A
draw gfx12-a v_wmma_f32_16x16x16_f16 --arch gfx1201 --operand A
draw gfx12-d-wave64 v_wmma_f32_16x16x16_f16 --arch gfx1201 --operand D --wave 64
draw gfx12-d-wave32 v_wmma_f32_16x16x16_f16 --arch gfx1201 --operand D
draw mma-a mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --operand A
"$lanewise" layout --convert 'outer = {1, 1} thread = {4, 16} tstrides = {16, 1} element = {2, 1}' --shape 8x16 --to svg >"$folder/vdmfma-c.svg"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program that `layout --probe` prints compiles for the GPU (device code only, so ROCm is not needed) and contains the
# instruction.
# Usage: probe_hip.sh LANEWISE
set -u
lanewise=$1
clang=$(command -v clang-22) || { echo "skipped: no clang-22"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 count=0

# What a program takes from HIP, so that headers of other versions, if they are installed, play no part.
mkdir "$work/hip"
printf '#define PROBE_DEVICE_ONLY 1\n#define __global__ __attribute__((global))\n' >"$work/hip/hip_runtime.h"

# ARCH WAVE INSTRUCTION MODIFIERS...
while read -r arch wave name mods; do
    options=()
    for mod in $mods; do options+=(--mod "$mod"); done
    flags=()
    case "$arch $wave" in "gfx1100 64" | "gfx1201 64") flags=(-mwavefrontsize64) ;; esac
    count=$((count + 1))
    "$lanewise" layout "$name" --arch "$arch" --wave "$wave" "${options[@]}" --probe >"$work/probe.hip" &&
        "$clang" -x hip --offload-arch="$arch" "${flags[@]}" -nogpulib -nogpuinc -I "$work" --offload-device-only -O2 -S \
            "$work/probe.hip" -o "$work/probe.s" 2>"$work/log" &&
        grep -q "^[[:space:]]*$name" "$work/probe.s" && continue
    echo "failed: $arch $wave $name $mods"
    head -3 "$work/log"
    failed=1
done <<'LIST'
gfx908 64 v_mfma_f32_32x32x1f32
gfx908 64 v_mfma_f32_16x16x2bf16 cbsz:1 blgp:2
gfx90a 64 v_mfma_f64_16x16x4f64
gfx90a 64 v_mfma_f32_32x32x4bf16_1k
gfx942 64 v_mfma_f32_16x16x16_f16
gfx942 64 v_mfma_f32_4x4x4_16b_f16 cbsz:2 abid:1
gfx942 64 v_smfmac_f32_16x16x32_f16 abid:2
gfx942 64 v_mfma_f64_4x4x4_4b_f64
gfx950 64 v_mfma_f32_32x32x64_f8f6f4 cbsz:2 blgp:4
gfx950 64 v_mfma_scale_f32_16x16x128_f8f6f4 cbsz:4 op_sel:[1,0] op_sel_hi:[0,1]
gfx950 64 v_smfmac_f32_16x16x128_fp8_fp8
gfx1100 32 v_wmma_f32_16x16x16_f16
gfx1100 64 v_wmma_f16_16x16x16_f16 op_sel:[0,0,1]
gfx1100 32 v_wmma_i32_16x16x16_iu4
gfx1201 32 v_swmmac_f32_16x16x32_f16 index_key:1
gfx1201 64 v_wmma_i32_16x16x32_iu4
gfx1250 32 v_wmma_f32_16x16x4_f32
gfx1250 32 v_wmma_f32_16x16x128_f8f6f4 matrix_a_fmt:MATRIX_FMT_FP6 matrix_b_fmt:MATRIX_FMT_FP4
gfx1250 32 v_wmma_scale_f32_16x16x128_f8f6f4 matrix_b_scale:MATRIX_SCALE_ROW1
gfx1250 32 v_wmma_scale16_f32_32x16x128_f4
gfx1250 32 v_swmmac_i32_16x16x128_iu8
LIST
echo "$count probes compiled"
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The warp GEMM of examples/ptx: written by hand and compiled by nvcc, both give the results of gemm_reference.
# If CUDA is installed, ptxas accepts the hand-written file and nvcc regenerates the other one.
# Usage: warp_gemm.sh ROOT LANEWISE GEMM_REFERENCE
set -eu
ptx=$1/examples/ptx
lanewise=$(realpath "$2")
reference=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$reference" gemm-data . 64 128 192
for file in warp_gemm warp_gemm_nvcc; do
    block=$([ $file = warp_gemm ] || echo --block 32)
    # shellcheck disable=SC2086 # none, or two words
    "$lanewise" run "$ptx/$file.ptx" --grid 16,4 $block "out:$file.npy=f32[64,128]" a.npy b.npy 128 192 \
        --expect expected.npy >"$file.txt"
done
cmp warp_gemm.npy warp_gemm_nvcc.npy
cuda=${CUDA_HOME:-/usr/local/cuda}/bin
if [ -x "$cuda/nvcc" ] && [ -x "$cuda/ptxas" ]; then
    "$cuda/ptxas" -arch=sm_80 -o /dev/null "$ptx/warp_gemm.ptx"
    "$cuda/nvcc" -arch=sm_80 -ptx -o again.ptx "$ptx/warp_gemm.cu"
    if grep -q 'release 13.0,' again.ptx; then
        sed -i '/^\/\/ \(Cuda compilation tools\|Based on\|Compiler Build ID\)/d' again.ptx
        cmp again.ptx "$ptx/warp_gemm_nvcc.ptx"
    fi
else
    echo "no CUDA: ptxas and nvcc are not asked"
fi

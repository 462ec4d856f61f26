#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build.sh: regenerates the PTX files of this folder with nvcc 13.0 and clang 22, which uses CUDA's headers.
set -eu
cd "$(dirname "$0")"
cuda=${CUDA_HOME:-/usr/local/cuda}
with_nvcc() { # SOURCE TARGET
    "$cuda/bin/nvcc" -arch="$2" -ptx -o "$1_nvcc.ptx" "$1.cu"
    sed -i '/^\/\/ \(Cuda compilation tools\|Based on\|Compiler Build ID\)/d' "$1_nvcc.ptx"
}
with_clang() {
    clang-22 -x cuda --cuda-path="$cuda" --offload-arch="$2" --cuda-device-only -S -O3 -Wno-unknown-cuda-version \
        -o "$1_clang.ptx" "$1.cu"
}
with_nvcc kernels sm_80
with_nvcc simt sm_80
with_nvcc async sm_90
with_nvcc cluster sm_90
with_nvcc grid sm_80
with_nvcc more sm_80
with_nvcc narrow sm_120a
with_nvcc scaled sm_120a
with_nvcc wgmma sm_90a
with_nvcc wmma sm_80
with_nvcc blackwell sm_100a
with_clang kernels sm_80
with_clang more sm_80
with_clang simt sm_80
with_clang wmma sm_80

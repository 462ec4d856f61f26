#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles vector_add.cu again, with nvcc 13.0 for sm_80 and sm_90 and clang 22 for sm_80, and mistakes.cu with nvcc. Tests read the results only.
# The compilers write the folder they ran in into .file and comments; it is removed.
set -eu
cd "$(dirname "$0")"
here=$(pwd)
strip() { sed -i "s|$here/||g; s|\"$here\"|\".\"|g" "$1"; }
for arch in sm_80 sm_90; do
    nvcc -arch=$arch -lineinfo -ptx vector_add.cu -o "vector_add_nvcc_$arch.ptx"
    strip "vector_add_nvcc_$arch.ptx"
done
clang-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O2 -gline-tables-only -S \
    vector_add.cu -o vector_add_clang_sm_80.ptx
strip vector_add_clang_sm_80.ptx
nvcc -arch=sm_90 -lineinfo -ptx mistakes.cu -o mistakes.ptx
sed -i '/^\/\/ \(Cuda compilation tools\|Based on\|Compiler Build ID\)/d' mistakes.ptx
strip mistakes.ptx

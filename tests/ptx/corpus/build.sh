#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# build.sh: writes the PTX files of this folder anew with nvcc 13.0 and clang 22.
set -eu
cd "$(dirname "$0")"
nvcc -arch=sm_80 -ptx -o kernels_nvcc.ptx kernels.cu
sed -i '/^\/\/ \(Cuda compilation tools\|Based on\|Compiler Build ID\)/d' kernels_nvcc.ptx
nvcc -arch=sm_120a -ptx -o scaled_nvcc.ptx scaled.cu
sed -i '/^\/\/ \(Cuda compilation tools\|Based on\|Compiler Build ID\)/d' scaled_nvcc.ptx

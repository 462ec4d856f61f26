#!/bin/sh
# SPDX-License-Identifier: MIT
# Rebuilds threads.co from threads.hip. Needs clang-22 and lld-22.
set -eu
cd "$(dirname "$0")"
"${CLANG:-clang-22}" -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none \
    --offload-arch=gfx950 -std=c++17 -O3 -Wall -Wextra -Werror -Wno-unused-function -I../../examples/kernels -fhip-kernel-arg-name \
    threads.hip -o threads.co
chmod 644 threads.co

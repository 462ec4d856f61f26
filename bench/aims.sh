#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the kernels of aims.c with clang 22 and runs them: aims.sh build/bench/lanewise-bench [TEXT]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile() { # FILE TARGET
    "${CLANG:-clang-22}" -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none --offload-arch="$2" -std=c++17 \
        -O3 "$1" -o "$work/$(basename "$1" .hip)_$2.co"
}
for target in gfx950 gfx1201 gfx1100; do
    compile "$here/aims/nbody.hip" "$target"
done
compile "$here/../tests/corpus/kernels/mfma.hip" gfx950
compile "$here/../tests/corpus/kernels/wmma_rdna4.hip" gfx1201
compile "$here/../tests/corpus/kernels/wmma.hip" gfx1100
LANEWISE_AIMS=$work "$1" aims ${2:+--only "$2"}

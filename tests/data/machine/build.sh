#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rebuilds the objects of this folder from their sources. Needs clang-22, lld-22 and LLVM 22's tools.
# Usage: build.sh [FOLDER] (default: this one).
set -eu
src=$(cd "$(dirname "$0")" && pwd)
out=${1:-$src}
cd "$src"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

clang-22 -x hip -O2 -nogpulib -nogpuinc -cuid=0 --offload-device-only --no-gpu-bundle-output --offload-arch=gfx950 \
    -gline-tables-only -fdebug-compilation-dir=/src module.hip -o "$out/module.co"

clang-22 -x hip -O0 -nogpulib -nogpuinc -cuid=0 --offload-device-only --no-gpu-bundle-output --offload-arch=gfx950 \
    locks.hip -o "$out/locks.co"

llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx950 -filetype=obj large.s -o "$tmp/large.o"
ld.lld-22 -shared "$tmp/large.o" -o "$tmp/large.co"
: >"$tmp/empty"
clang-offload-bundler-22 -type=o -bundle-align=4096 -compress -compression-level=19 \
    -targets=host-x86_64-unknown-linux-gnu-,hipv4-amdgcn-amd-amdhsa--gfx950 \
    -input="$tmp/empty" -input="$tmp/large.co" -output="$out/large.hipfb"

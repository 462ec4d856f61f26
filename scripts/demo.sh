#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One command: installs what is missing, builds Lanewise, runs the MXFP4 GEMM kernels of examples/ on the CPU
# and compares every byte with an independent computation. Extra arguments go to examples/demo.sh.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/common.sh"
cd "$here"

need "the build" gcc libc6-dev cmake make || die "without a compiler, cmake and make nothing can be built"
need "reading compressed code objects (optional)" zlib1g-dev libzstd-dev || say "going on without compressed bundles"

say "building in build/ (release)"
log=$(mktemp)
cmake --preset release >"$log" 2>&1 || { cat "$log"; die "cmake could not configure the build"; }
grep -E 'not found' "$log" | sed 's/^-- /    /' || true
cmake --build --preset release -j "$(jobs)" >"$log" 2>&1 || { tail -40 "$log"; die "the build failed"; }
rm -f "$log"

say "running the demo"
exec examples/demo.sh "$here/build/cli/lanewise" "$here/build/examples/gemm_reference" "$@"

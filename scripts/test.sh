#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One command: installs what the tests need, builds with warnings as errors and passes the tests.
# Usage: scripts/test.sh [--full] [--cpus] [--sampled] [--again] [ctest arguments]
#   --full     adds the long sweeps (see docs/testing.md)
#   --cpus     runs the tests once for each instruction set that this processor has
#   --sampled  leaves out what tests/unsanitized.txt lists
#   --again    leaves out what tests/once.txt lists: after the tests have passed with another compiler
# CC=clang-22 or PRESET=asan-ubsan choose another compiler or preset.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/scripts/common.sh"
cd "$here"

cpus= list=
while :; do
    case ${1:-} in
    --full) export LW_FULL=1 ;;
    --cpus) cpus="portable avx2 avx512 avx512fp16" ;;
    --sampled) list=tests/unsanitized.txt ;;
    --again) list=tests/once.txt ;;
    *) break ;;
    esac
    shift
done
preset=${PRESET:-dev}

need "the build" gcc g++ libc6-dev cmake make pkg-config || die "without a compiler, cmake and make nothing can be built"
need "the tests" check universal-ctags python3 python3-numpy zlib1g-dev libzstd-dev zstd || die "the tests need Check"
need "comparing with LLVM (tests that need it are skipped otherwise)" clang-22 clang-tools-22 lld-22 llvm-22 libclang-rt-22-dev ||
    say "going on without LLVM 22: its tests will be skipped and counted as skipped"
need "wasm32 (its test is skipped otherwise)" wasi-libc libclang-rt-22-dev-wasm32 nodejs ||
    say "going on without wasm32: its test will be skipped and counted as skipped"
need "the page in a browser (its test is skipped otherwise)" chromium ||
    say "going on without Chromium: its test will be skipped and counted as skipped"

build=build-$preset${CC:+-$CC}
say "building in $build/ (preset $preset, ${CC:-default compiler}, warnings are errors)"
log=$(mktemp)
cmake --preset "$preset" -B "$build" ${CC:+-DCMAKE_C_COMPILER="$CC"} >"$log" 2>&1 || { cat "$log"; die "cmake could not configure the build"; }
cmake --build "$build" -j "$(jobs)" >"$log" 2>&1 || { grep -E 'error|warning|Error' "$log" | head -40; tail -20 "$log"; die "the build failed"; }
rm -f "$log"

# has_cpu NAME: has this processor what the library asks for (emu/fast/select.c)?
has_cpu() {
    local flag flags=
    case $1 in
    avx2) flags="avx2 fma f16c" ;;
    avx512) flags="avx2 fma f16c avx512f avx512bw avx512dq avx512vl avx512_vnni" ;;
    avx512fp16) flags="avx2 fma f16c avx512f avx512bw avx512dq avx512vl avx512_vnni avx512_fp16" ;;
    esac
    for flag in $flags; do
        grep -qw "$flag" /proc/cpuinfo 2>/dev/null || return 1
    done
}

if [ -n "$cpus" ]; then
    failed=
    for cpu in $cpus; do
        has_cpu "$cpu" || { say "this processor has no $cpu"; continue; }
        say "running the tests with LANEWISE_CPU=$cpu"
        LANEWISE_CPU=$cpu ctest --test-dir "$build" --output-on-failure -j "$(jobs)" "$@" || failed="$failed $cpu"
    done
    [ -z "$failed" ] || die "tests failed with:$failed"
    exit 0
fi
if [ -n "$list" ]; then
    left_out=
    while read -r names _; do
        ctest --test-dir "$build" -N -R "^($names)\$" | grep -q '^Total Tests: [1-9]' || die "$list: no test is called $names"
        left_out=$left_out${left_out:+|}$names
    done < <(grep -v '^#' "$list")
    say "leaving out what $list lists"
    set -- -E "^($left_out)\$" "$@"
fi
say "running the tests"
exec ctest --test-dir "$build" --output-on-failure -j "$(jobs)" "$@"

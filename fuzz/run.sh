#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds every fuzz target and runs each for SECONDS (default 30). Usage: fuzz/run.sh [SECONDS [TARGET...]].
# New inputs go to build-fuzz/corpus/TARGET and are kept between runs; the input of a crash is saved with them.
# The seeds are fuzz/seeds/TARGET for `load` the code objects of tests/data/loaders, for `ptx` tests/data/ptx.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
seconds=${1:-30}
[ $# -gt 0 ] && shift
cd "$root"
command -v clang-22 >/dev/null 2>&1 || { echo "clang-22 is not installed"; exit 77; }
build=${LW_FUZZ_BUILD:-build-fuzz}
cmake --preset fuzz -B "$build" -DLW_BUILD_CLI=OFF -DLW_BUILD_EXAMPLES=OFF >/dev/null
targets=("$@")
[ ${#targets[@]} -gt 0 ] || for f in fuzz/fuzz_*.c; do
    name=${f##*/fuzz_}
    targets+=("${name%.c}")
done
for name in "${targets[@]}"; do
    cmake --build "$build" --target "fuzz_$name"
    corpus=$build/corpus/$name
    mkdir -p "$corpus"
    seeds=()
    [ -d "fuzz/seeds/$name" ] && seeds+=("fuzz/seeds/$name")
    [ "$name" = load ] && seeds+=(tests/data/loaders)
    [ "$name" = ptx ] && seeds+=(tests/data/ptx)
    echo "fuzz_$name: $seconds seconds"
    "$build/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -len_control=0 -timeout=60 -rss_limit_mb=3072 \
        -print_final_stats=1 -artifact_prefix="$corpus/../$name-" "$corpus" "${seeds[@]}"
done

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
cmake --build "$build" -j "$(nproc)" --target "${targets[@]/#/fuzz_}"

# fuzz NAME: its output, as a whole, when it has ended.
fuzz() {
    local name=$1 corpus=$build/corpus/$1 seeds=() status=0
    mkdir -p "$corpus"
    [ -d "fuzz/seeds/$name" ] && seeds+=("fuzz/seeds/$name")
    [ "$name" = load ] && seeds+=(tests/data/loaders)
    [ "$name" = ptx ] && seeds+=(tests/data/ptx)
    "$build/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -len_control=0 -timeout=60 -rss_limit_mb=3072 \
        -print_final_stats=1 -artifact_prefix="$corpus/../$name-" "$corpus" "${seeds[@]}" >"$corpus.log" 2>&1 || status=$?
    echo "fuzz_$name: $seconds seconds, exit status $status"
    cat "$corpus.log"
    return $status
}

# One target for each processor at a time; all of them run, whatever the others find.
mkdir -p "$build/corpus"
bad=0
running=0
for name in "${targets[@]}"; do
    if [ "$running" -ge "$(nproc)" ]; then
        wait -n || bad=1
        running=$((running - 1))
    fi
    fuzz "$name" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || bad=1
    running=$((running - 1))
done
exit $bad

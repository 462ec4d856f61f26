#!/usr/bin/env bash
# Mutation check: each line of mutations.txt breaks one rule in a copy of the sources; the named test must then fail.
# Usage: run.sh [PATTERN]   (only mutations whose line matches). Slow: one small rebuild each. Part of --full.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
git ls-files | tar cf - -T - | tar xf - -C "$work" || exit 1
cd "$work" || exit 1
cmake --preset dev -B build >/dev/null || { echo "cannot configure"; exit 1; }
cmake --build build -j "$(nproc)" >/dev/null 2>&1 || { echo "the unchanged sources do not build"; exit 1; }

caught=0 missed=0
# FILE | TEST | what is broken | sed script
while IFS='|' read -r file test what script; do
    case $file in '' | '#'*) continue ;; esac
    file=$(echo $file) test=$(echo $test) what=$(echo $what)
    script=${script# }
    case "$file $test $what" in *"${1:-}"*) ;; *) continue ;; esac
    cp "$file" "$work/saved"
    sed -i "$script" "$file"
    if cmp -s "$file" "$work/saved"; then
        echo "STALE   $what: the pattern no longer matches $file"
        missed=$((missed + 1))
        continue
    fi
    if ! cmake --build build -j "$(nproc)" >"$work/log" 2>&1; then
        echo "BROKEN  $what: does not compile"
        grep -m1 error "$work/log"
        missed=$((missed + 1))
    elif ctest --test-dir build -R "^$test\$" >/dev/null 2>&1; then
        echo "MISSED  $what ($file): $test still passes"
        missed=$((missed + 1))
    else
        echo "caught  $what, by $test"
        caught=$((caught + 1))
    fi
    cp "$work/saved" "$file"
    touch "$file"
done <"$root/tests/mutations/mutations.txt"
echo "$caught mutations caught, $missed not"
[ $missed = 0 ] && [ $caught != 0 ]

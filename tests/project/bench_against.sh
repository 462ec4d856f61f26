#!/usr/bin/env bash
# The benchmark compared with itself: figures are found in its tables, paired, and their ratios printed. The speed
# of this host does not matter: status 1 (a ratio above 1.3) is as good as 0.
# Usage: bench_against.sh [BENCH]; without it, the benchmark has not been built
set -u
unset LANEWISE_CPU # one instruction set has fewer figures
bench=${1:-}
[ -n "$bench" ] || { echo "skipped: this build has no benchmark (LW_BUILD_BENCH)"; exit 77; }
out=$("$bench" create matrix --only "gfx942 v_mfma_f32_16x16x16" --against "$bench" 2>&1)
status=$?
[ $status -le 1 ] || { echo "status $status: $out"; exit 1; }
for line in 'create gfx942 v_mfma_f32_16x16x16_f16' 'create, the slowest of 2' 'portable gfx942 v_mfma_f32_16x16x16_f16'; do
    grep -Eq "^ +[0-9.]+ +[0-9.]+ +[0-9]+\.[0-9][0-9]( slower)?  $line\$" <<<"$out" || { echo "no figure for $line:"; echo "$out"; exit 1; }
done
grep -Eq '^([5-9]|[1-9][0-9]) figures compared, [0-9]+ slower by more than 1\.3$' <<<"$out" || { echo "$out"; exit 1; }
# Status 1 says that a figure misses its aim: it is compared nevertheless. A program that ends otherwise has failed.
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
printf '#!/bin/sh\n"%s" "$@"\nexit 1\n' "$bench" >"$temp/late"
printf '#!/bin/sh\n"%s" "$@"\nkill -9 $$\n' "$bench" >"$temp/killed"
chmod +x "$temp/late" "$temp/killed"
out=$(LANEWISE_CPU=portable "$bench" rows --only "gfx942 v_mfma_f32_16x16x4_f32" --against "$temp/late" 2>&1)
[ $? -le 1 ] && grep -q '^the other ended with status 1 in 5 of 5 rounds' <<<"$out" && grep -q '^1 figures compared' <<<"$out" ||
    { echo "a program with status 1: $out"; exit 1; }
"$bench" rows --only "gfx942 v_mfma_f32_16x16x4_f32" --against "$temp/killed" 2>&1 | grep -q 'one of the two programs failed' ||
    { echo "a program that was killed has figures"; exit 1; }
# LANEWISE_CPU limits every row, not only the first: the last two columns are then the same thing, measured twice.
LANEWISE_CPU=portable "$bench" rows --only "gfx942 v_mfma_i32_" | awk '$8 == "gfx942" { rows++; fast += $6 > 3 * $7 } END { exit rows < 4 || fast }' ||
    { echo "LANEWISE_CPU does not limit all rows"; exit 1; }
"$bench" create --only "gfx942 v_mfma_f32_16x16x16" --against /nonexistent >/dev/null 2>&1 && { echo "a program that is not there"; exit 1; }
"$bench" nothing >/dev/null 2>&1
[ $? = 2 ] || { echo "an unknown part is accepted"; exit 1; }

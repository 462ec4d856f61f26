#!/usr/bin/env bash
# The benchmark compared with itself: figures are found in its tables, paired, and their ratios printed. The speed
# of this host does not matter: status 1 (a ratio above 1.3) is as good as 0.
# Usage: bench_against.sh BENCH
set -u
unset LANEWISE_CPU # one instruction set has fewer figures
bench=${1:?usage: bench_against.sh BENCH}
out=$("$bench" create matrix --only "gfx942 v_mfma_f32_16x16x16" --against "$bench" 2>&1)
status=$?
[ $status -le 1 ] || { echo "status $status: $out"; exit 1; }
for line in 'create gfx942 v_mfma_f32_16x16x16_f16' 'create, the slowest of 2' 'portable gfx942 v_mfma_f32_16x16x16_f16'; do
    grep -Eq "^ +[0-9.]+ +[0-9.]+ +[0-9]+\.[0-9][0-9]( slower)?  $line\$" <<<"$out" || { echo "no figure for $line:"; echo "$out"; exit 1; }
done
grep -Eq '^([5-9]|[1-9][0-9]) figures compared, [0-9]+ slower by more than 1\.3$' <<<"$out" || { echo "$out"; exit 1; }
"$bench" create --only "gfx942 v_mfma_f32_16x16x16" --against /nonexistent >/dev/null 2>&1 && { echo "a program that is not there"; exit 1; }
"$bench" nothing >/dev/null 2>&1
[ $? = 2 ] || { echo "an unknown part is accepted"; exit 1; }

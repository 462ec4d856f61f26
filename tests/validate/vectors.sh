#!/usr/bin/env bash
# All files of recorded results through whole instructions; a wrong result must be noticed.
# Usage: vectors.sh LANEWISE
set -u
lanewise=$1
data=$LW_SOURCE_DIR/tests/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}

out=$("$lanewise" validate "$data/nvidia-mma-rows.csv") || fail "$out"
case $out in *": 8800 rows, 8800 results as here, 0 different, 0 of other instructions") ;; *) fail "$out" ;; esac
out=$("$lanewise" validate "$data/amd_rdna34_dot2_wmma_hw_vectors.csv") || fail "$out"
case $out in *": 248 rows, 48 results as here, 0 different, 224 of other instructions") ;; *) fail "$out" ;; esac
out=$("$lanewise" validate "$data/gfx1201_wmma_swmmac_digests.csv") || fail "$out"
case $out in *": 1280 rows, 1280 results as here, 0 different, 0 of other instructions") ;; *) fail "$out" ;; esac
sed '1i generator,instruction,modifiers,sample,fnv1a64_prefix' "$data/gfx1201_wmma_swmmac_digests.csv" >"$work/head.csv"
"$lanewise" validate "$work/head.csv" >"$work/out" || fail "the names of columns are not passed over"

# the last digit of one row changed in each
awk -F, '/^H100,bf16/ && !done { sub(/.$/, substr($0, length($0)) == "0" ? "1" : "0"); done = 1 } { print }' \
    "$data/nvidia-mma-rows.csv" >"$work/nvidia.csv"
"$lanewise" validate "$work/nvidia.csv" >"$work/out"
[ $? = 1 ] || fail "a wrong result went unnoticed"
grep -q 'on sm_90 in waves of 32: ' "$work/out" || fail "the wrong row is not shown"
grep -q ', 8799 results as here, 1 different,' "$work/out" || fail "$(tail -1 "$work/out")"
sed 's/^\(wmma,.*\),[0-9a-f]*$/\1,00000000/' "$data/amd_rdna34_dot2_wmma_hw_vectors.csv" >"$work/amd.csv"
"$lanewise" validate "$work/amd.csv" >"$work/out"
[ $? = 1 ] || fail "wrong results went unnoticed"
grep -q ', 24 different,' "$work/out" || fail "$(tail -1 "$work/out")"

awk -F, '/^f8/ && !done { sub(/.$/, substr($0, length($0)) == "0" ? "1" : "0"); done = 1 } { print }' \
    "$data/gfx1201_wmma_swmmac_digests.csv" >"$work/digests.csv"
"$lanewise" validate "$work/digests.csv" >"$work/out"
[ $? = 1 ] || fail "a wrong digest went unnoticed"
grep -q 'v_swmmac_f32_16x16x32_fp8_fp8 on gfx1201 in waves of 32: ' "$work/out" || fail "the wrong digest is not shown"
grep -q ', 1279 results as here, 1 different,' "$work/out" || fail "$(tail -1 "$work/out")"

"$lanewise" validate --json "$work/amd.csv" >"$work/out"
[ $? = 1 ] && python3 -c 'import json, sys; f = json.load(sys.stdin)["files"][0]; sys.exit(f["different"] != 24)' <"$work/out" ||
    fail "$(cat "$work/out")"

# files of other kinds
: >"$work/empty"
"$lanewise" validate "$work/empty" >/dev/null 2>"$work/err"
[ $? = 2 ] || fail "an empty file was taken"
echo 'T4,f16,f32,1,3c00,3c00,0,3f800000' >"$work/unknown.csv"
"$lanewise" validate "$work/unknown.csv" >/dev/null 2>"$work/err"
[ $? = 2 ] || fail "an unknown GPU was taken"
echo 'A100,f16,f32,2,3c00,3c00,0,3f800000' >"$work/short.csv"
"$lanewise" validate "$work/short.csv" >/dev/null 2>"$work/err"
[ $? = 2 ] || fail "a row with too few codes was taken"
grep -q 'k = ' "$work/err" || fail "$(cat "$work/err")"
echo 'int,v_wmma_i32_16x16x16_iu8,,0,c22g' >"$work/digit.csv"
"$lanewise" validate "$work/digit.csv" >/dev/null 2>"$work/err"
[ $? = 2 ] || fail "a digest that is no number was taken"
grep -q 'needs a generator' "$work/err" || fail "$(cat "$work/err")"
echo 'int,v_wmma_i32_17x16x16_iu8,,0,c22a' >"$work/insn.csv"
"$lanewise" validate "$work/insn.csv" >/dev/null 2>"$work/err"
[ $? = 2 ] || fail "a digest of an unknown instruction was taken"
echo "8800 and 48 results and 1280 digests, and their faults are noticed"

#!/usr/bin/env bash
# The probe kit end to end, with the emulator in place of a GPU that follows the default or another reading.
# Usage: kit.sh LANEWISE
set -u
lanewise=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}

for arch in sm_70 sm_75 sm_80 sm_89 sm_90 sm_100a sm_120a gfx942 gfx950 gfx1201; do
    "$lanewise" validate --cases $arch --random 2 >"$work/cases" || fail "$arch: no cases"
    "$lanewise" validate --answer "$work/cases" >"$work/results" || fail "$arch: no answers"
    "$lanewise" validate "$work/results" >"$work/out" || fail "$arch: $(tail -1 "$work/out")"
    grep -q ', 0 by another reading, 0 unexplained' "$work/out" || fail "$arch: $(tail -1 "$work/out")"
    [ "$(grep -c ^case "$work/cases")" -ge 6 ] || fail "$arch: too few cases"
done

# worked examples of docs/numerics.md, by value
value() { # ARCH PROBE CODE
    "$lanewise" validate --cases "$1" --random 0 >"$work/cases"
    "$lanewise" validate --answer "$work/cases" >"$work/results"
    "$lanewise" validate "$work/results" | grep -q "^$2 on $1: D(0,0) is $3\$" || fail "$2 on $1 is not $3"
}
value sm_90 f64-chain 3ff0000000000003
value sm_90 fp8-passes 42fe31ab
value sm_89 fp8-passes 42fe3400
value sm_120a fp8-passes 42fe31aa
value sm_80 group-many-small 37000000
value sm_90 wmma-double-rounding 6400
value sm_75 quads-f32 00000000
value sm_80 quads-f32 3f800000
value gfx950 doubled-k-0-1-15 bf800000

# a GPU that follows another reading is distinguished, and the reading is named
other() { # ARCH TOPIC:NAME PROBE
    "$lanewise" validate --cases "$1" --random 1 >"$work/cases"
    "$lanewise" validate --answer "$work/cases" --numerics "$2" >"$work/results"
    "$lanewise" validate "$work/results" >"$work/out"
    [ $? = 1 ] || fail "$2 on $1 passes for the default"
    sed -n "/^$3 on $1/,/^[^ ]/p" "$work/out" | grep -q "survives .*  $2\$" || fail "$2 on $1 is not recognised by $3"
    sed -n "/^$3 on $1/,/^[^ ]/p" "$work/out" | grep -q 'refuted .*(default)$' || fail "$3 does not refute the default"
}
other sm_90 tiny-sums:zero-operands f32-floor-158
other sm_90 underflow-sign:plus underflow-f32
other sm_80 sparse-group:doubled group-sparse-f16-k32-8
other sm_80 satfinite:per-step satfinite-up-then-down
other sm_90 satfinite:per-step satfinite-sparse-s8
other sm_120a tiny-sums:none mx8-floor
other gfx950 doubled-k:gtr16 doubled-k-0-2-9

# one wrong bit in a map cannot be explained
"$lanewise" validate --cases sm_80 --random 1 >"$work/cases"
"$lanewise" validate --answer "$work/cases" | sed '/^result map-f16-k16#0/{n;s/^d \([0-9a-f]*\) \([0-9a-f]*\)/d \2 1/}' >"$work/results"
"$lanewise" validate "$work/results" >"$work/out"
[ $? = 1 ] || fail "a wrong image passes"
grep -q '1 unexplained' "$work/out" || fail "$(tail -1 "$work/out")"

# results recorded in the sources: the first line of each file says how its comparison ends
for file in "$LW_SOURCE_DIR"/validate/results/*.txt; do
    [ -e "$file" ] || continue
    "$lanewise" validate "$file" >"$work/out"
    last=$(tail -1 "$work/out")
    want=$(sed -n 's/^# expected: //p' "$file")
    [ "${last#*: }" = "$want" ] || fail "$(basename "$file"): '${last#*: }', not '$want'"
done

echo 'result no-such-probe#0 sm_80' >"$work/unknown"
echo 'd 0' >>"$work/unknown"
"$lanewise" validate "$work/unknown" >/dev/null 2>&1
[ $? = 2 ] || fail "an unknown probe was taken"
echo "the kit tells readings apart"

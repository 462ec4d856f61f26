#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The probes end to end, with a stand-in in place of a GPU that follows the default or another reading: asked by
# validate --device, recorded, and judged again from the recording.
# Usage: kit.sh LANEWISE STANDINS FAULTY_CUDA
set -u
lanewise=$1 standins=$2 faulty=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}
# ask STATUS ARCH READING OPTION...: the table in out, the answers in answers.txt, the verdicts of these in again
ask() {
    status=$1 arch=$2 reading=$3 api=cuda
    shift 3
    case $arch in gfx*) api=hip ;; esac
    LD_LIBRARY_PATH=$standins LANEWISE_ARCH=$arch LANEWISE_READING=$reading "$lanewise" validate --device $api --only probe \
        --record "$work/answers.txt" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got = "$status" ] || fail "$arch, $reading: status $got: $(cat "$work/err"; tail -5 "$work/out")"
    "$lanewise" validate "$work/answers.txt" >"$work/again"
    got=$?
    [ $got = "$status" ] || fail "$arch, $reading: status $got of the recording: $(tail -3 "$work/again")"
    [ "$(grep '^probes: ' "$work/out")" = "$(grep '^probes: ' "$work/again")" ] || fail "$arch: the recording says otherwise: $(grep '^probes' "$work/again")"
}

for arch in sm_70 sm_75 sm_80 sm_89 sm_90 sm_100a sm_120a gfx942 gfx950 gfx1100 gfx1201; do
    ask 0 $arch '' --cases 3
    grep -q '^probes: \([0-9]*\) results, \1 as the default, 0 by another reading, 0 unexplained$' "$work/out" || fail "$arch: $(grep ^probes: "$work/out")"
    asked=$(grep -c ^subject "$work/answers.txt")
    listed=$("$lanewise" validate --list --arch $arch | grep -c '^[a-z]')
    left=$(sed -n 's/^left out: \([0-9]*\),.*/\1/p' "$work/out" | awk '{ sum += $1 } END { print sum + 0 }')
    # undefined by documents: a selector that is too large on two shapes, metadata that is reversed or equal
    [ $((asked + left)) = "$listed" ] && [ "$left" -le 4 ] || fail "$arch: of $listed probes $asked are asked, $left left out"
done
grep -q '^subject probe 1 128 stmatrix' <(ask 0 sm_90 '' && cat "$work/answers.txt") || fail "moves are not asked"

# worked examples of docs/numerics.md, by value
value() { # ARCH PROBE CODE
    ask 0 "$1" '' --cases 1
    grep -q "^$2 on $1: D(0,0) is $3\$" "$work/out" || fail "$2 on $1 is not $3"
    grep -q "^$2 on $1: D(0,0) is $3\$" "$work/again" || fail "$2 on $1 is not $3 in the recording"
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
    ask 1 "$1" "$2" --cases 2
    for text in out again; do
        sed -n "/^$3 on $1/,/^[^ ]/p" "$work/$text" | grep -q "survives .*  $2\$" || fail "$2 on $1 is not recognised by $3: $text"
        sed -n "/^$3 on $1/,/^[^ ]/p" "$work/$text" | grep -q 'refuted .*(default)$' || fail "$3 does not refute the default: $text"
    done
    grep -q '^probes: .*, [1-9][0-9]* by another reading' "$work/again" || fail "$2 on $1: $(grep ^probes: "$work/again")"
}
other sm_90 tiny-sums:zero-operands f32-floor-158
other sm_90 underflow-sign:plus underflow-f32
other sm_80 sparse-group:doubled group-sparse-f16-k32-8
other sm_80 satfinite:per-step satfinite-up-then-down
other sm_90 satfinite:per-step satfinite-sparse-s8
other sm_120a tiny-sums:none mx8-floor
other gfx950 doubled-k:gtr16 doubled-k-0-2-9

# by exec, too; a name that does not exist offers no device
"$lanewise" exec --arch sm_90 --standins "$standins" --reading tiny-sums:zero-operands -- "$lanewise" validate --device cuda --only f32-floor-158 >"$work/out" 2>&1
[ $? = 1 ] && grep -q 'survives .*  tiny-sums:zero-operands$' "$work/out" || fail "exec --reading: $(cat "$work/out")"
"$lanewise" exec --arch sm_90 --standins "$standins" --reading tiny-sums:nothing -- true 2>"$work/err"
[ $? = 2 ] && grep -q 'tiny-sums' "$work/err" || fail "exec takes an unknown reading: $(cat "$work/err")"
LD_LIBRARY_PATH=$standins LANEWISE_ARCH=sm_90 LANEWISE_READING=tiny-sums:nothing "$lanewise" validate --device cuda --only probe >"$work/out" 2>&1
[ $? = 3 ] && grep -q 'LANEWISE_READING' "$work/out" || fail "a stand-in takes an unknown reading: $(cat "$work/out")"

# one wrong bit in a map cannot be explained; a random answer that differs is recorded in full and mentioned
for fault in map-f16-k16=flip:0 random-f16=flip:0+1540; do # the second in case 3
    name=${fault%%=*}
    export LW_FAULT=${fault#*=}
    LD_LIBRARY_PATH=$standins LANEWISE_ARCH=sm_80 "$lanewise" validate --device cuda --library "$faulty" --only $name --record "$work/answers.txt" >"$work/out" 2>&1
    [ $? = 1 ] || fail "a wrong bit passes: $(cat "$work/out")"
    "$lanewise" validate "$work/answers.txt" >"$work/again"
    [ $? = 1 ] || fail "a wrong bit passes in the recording: $(cat "$work/again")"
    for text in out again; do
        grep -q '1 unexplained$' "$work/$text" && grep -q "^$name\(#3\)\? on sm_80: D(0,0)" "$work/$text" || fail "$name: $(cat "$work/$text")"
    done
done
unset LW_FAULT

# seal FILE: the end of a changed file, by the rules of cli/gpu/recording.h
seal() {
    python3 - "$1" <<'P'
import sys
body = b"".join(l for l in open(sys.argv[1], "rb").readlines() if not l.startswith(b"end "))
h = 14695981039346656037
for b in body:
    h = (h ^ b) * 1099511628211 % 2**64
open(sys.argv[1], "wb").write(body + b"end %016x\n" % h)
P
}
# what documents leave undefined has no default: another reading explains a GPU's answer, or none does
undefined() { # WORDS STATEMENT
    LD_LIBRARY_PATH=$standins LANEWISE_ARCH=sm_80 "$lanewise" validate --device cuda --only map-f16-k16 --record "$work/answers.txt" >/dev/null
    sed -i '/ map-f16-k16$/{n;q}' "$work/answers.txt"
    sed -i "s/^source: .*/source: gpu/; s/^subject .*/subject probe 1 128 metadata-reversed/; s/^full 0 .*/full 0 $1/" "$work/answers.txt"
    seal "$work/answers.txt"
    "$lanewise" validate "$work/answers.txt" >"$work/again"
    [ $? = 0 ] && grep -q "$2" "$work/again" || fail "an undefined answer: $(cat "$work/again")"
}
undefined "$(printf '%01024d' 7)" '^probes: 1 results, 0 as the default, 0 by another reading, 1 unexplained$'
grep -q 'answers.txt: 1 results, 0 as here, 0 different, 1 counted' "$work/again" || fail "an undefined answer counts: $(cat "$work/again")"
grep -q '^ *undefined  *as computed here (default)$' "$work/again" || fail "an undefined default: $(cat "$work/again")"

# recordings of GPUs in the sources: FILE.expected is what their comparison prints last, its lines "probes: ..."
# and "FILE: ..." without the name
replay() { # FOLDER
    for file in "$1"/*.txt; do
        [ -e "$file" ] || continue
        "$lanewise" validate "$file" >"$work/out"
        sed -n "s|^$file: ||p; /^probes: /p" "$work/out" >"$work/last"
        diff "$work/last" "${file%.txt}.expected" || return 1
    done
}
replay "$LW_SOURCE_DIR/validate/results" || fail "a recording in the sources"
mkdir "$work/results"
ask 0 sm_80 '' --cases 2
cp "$work/answers.txt" "$work/results/a.txt"
count=$(sed -n 's/^probes: \([0-9]*\) .*/\1/p' "$work/out")
printf 'probes: %s results, %s as the default, 0 by another reading, 0 unexplained\n%s results, %s as here, 0 different, 0 counted as evidence\n' \
    "$count" "$count" "$count" "$count" >"$work/results/a.expected"
replay "$work/results" || fail "a recording with its expected lines"
sed -i 's/0 different/1 different/' "$work/results/a.expected"
! replay "$work/results" >/dev/null || fail "another expectation is not noticed"

sed -i 's/^subject probe \(.*\) map-f16-k16$/subject probe \1 no-such-probe/' "$work/answers.txt"
seal "$work/answers.txt"
"$lanewise" validate "$work/answers.txt" >/dev/null 2>"$work/err"
[ $? = 2 ] && grep -q 'no-such-probe: there is no such probe' "$work/err" || fail "an unknown probe was taken"
echo "the probes tell readings apart"

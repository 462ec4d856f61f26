#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# validate --device, end to end on the stand-ins: everything agrees, planted faults are found, recordings are kept
# and replayed, and what cannot be asked is refused.
# Usage: device.sh LANEWISE STANDINS FAULTY_CUDA FAULTY_HIP
set -u
lanewise=$1 standins=$2 faulty_cuda=$3 faulty_hip=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$standins${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fail() {
    echo "$*"
    exit 1
}
api() {
    case $1 in gfx*) echo hip ;; *) echo cuda ;; esac
}
faulty() {
    case $1 in gfx*) echo "$faulty_hip" ;; *) echo "$faulty_cuda" ;; esac
}

# agrees ARCH ROWS: at least that many subjects, none of which differs
agrees() {
    LANEWISE_ARCH=$1 "$lanewise" validate --device "$(api "$1")" --cases 7 --seed 3 --json >"$work/$1.json" 2>"$work/err" ||
        fail "$1: status $?: $(cat "$work/err"; head -c 2000 "$work/$1.json")"
    python3 - "$work/$1.json" "$1" "$2" <<'P' || fail "$1"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["arch"] == sys.argv[2] and r["source"] == "emulator" and r["evidence"] is False and r["status"] == 0, r
assert r["subjects"] >= int(sys.argv[3]) and r["subjects_that_differ"] == 0, (r["subjects"], r["subjects_that_differ"])
assert all(row["cases"] and row["words"] and not row["different"] for row in r["rows"])
assert not any(n["refused"] for n in r["not_compared"]), r["not_compared"]
groups = {row["group"] for row in r["rows"]}
assert {"matrix", "lanes", "inputs"} <= groups, groups
assert r["arch"] != "sm_90" or {"warpgroup", "moves", "probe"} <= groups
names = [(row["group"], row["name"]) for row in r["rows"]]
assert len(names) == len(set(names))
P
}
agrees sm_90 1250
agrees sm_120a 1300
agrees gfx908 300
agrees gfx950 600
agrees gfx1201 320
[ "${LW_FULL:-0}" = 0 ] || for arch in sm_80 sm_86 sm_89 sm_100 sm_100a gfx90a gfx942 gfx1100 gfx1150; do agrees $arch 230; done

# finds ARCH ONLY FAULT TEXT: status 1, and the report explains the first difference with TEXT
finds() {
    LANEWISE_ARCH=$1 LW_FAULT=$3 "$lanewise" validate --device "$(api "$1")" --library "$(faulty "$1")" --only "$2" --cases 14 \
        --report "$work/report.json" >"$work/out" 2>"$work/err"
    [ $? = 1 ] || fail "$1: $3 is not found in $2: $(tail -3 "$work/out"; cat "$work/err")"
    grep -q "$4" "$work/out" || fail "$1: $3: no '$4' in: $(cat "$work/out")"
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["status"] == 1 and r["subjects_that_differ"] >= 1, r
first = [row for row in r["rows"] if row["different"]][0]
assert first["there"] != first["here"] and first["explained"]' "$work/report.json" || fail "$1: $3: the report"
}
# one bit of one copy is one word of one row
finds sm_90 m16n8k16.row.col.f32.f16 flip:0 'word 1: '
[ "$(grep -c ' 1$' "$work/out")" = 1 ] || fail "one bit is not one difference: $(cat "$work/out")"
finds gfx950 v_mfma_f32_16x16x32_f16 flip:0 'D\[0,1\] of block 0 (register 0, lane 1): .* there, .* here, because'
grep -q '    *D(0,1)\|products\|accumulator' "$work/out" || fail "nothing is explained: $(cat "$work/out")"
# k of B in another order; a rounding; a scale; a sign; a comparison
finds sm_80 m16n8k16.row.col.f32.f16 'replace:{%r4, %r5}={%r5, %r4}' 'there, .* here, because'
finds sm_90 m16n8k16.row.col.f32.bf16 'replace:.bf16.bf16=.f16.f16' because
finds sm_90 wgmma.mma_async.sync.aligned.m64n8k16.f32.f16 'replace:, 1, 1, 0=, -1, 1, 0' because
finds sm_90 fma.rn.f32 'replace:fma.rn.f32=fma.rz.f32' 'gives .* there'
finds sm_90 cvt.rn.f16.f32 'replace:cvt.rn.f16=cvt.rz.f16' 'gives .* there'
finds sm_90 setp.lt.f32 'replace:setp.lt=setp.ltu' 'gives .* there'
finds sm_90 ldmatrix 'replace:ldmatrix.sync.aligned.m8n8.x1.b16=ldmatrix.sync.aligned.m8n8.x1.trans.b16' 'before, .* there'
# v_mfma_f32_16x16x16_f16 becomes _bf16 (opcodes 4d and 61 of VOP3P-MAI); v_sqrt_f32 becomes v_rsq_f32
finds gfx942 v_mfma_f32_16x16x16_f16 replace:d3cd0048=d3e10048 because
finds gfx1201 v_sqrt_f32 replace:d5b30048=d5ae0048 'gives .* there'

# whole kernels, and a fault in one
list=$LW_SOURCE_DIR/examples/launches.list
for arch in gfx942 gfx950 gfx1201 sm_90; do
    LANEWISE_ARCH=$arch "$lanewise" validate --device "$(api $arch)" --launches "$list" --only launches >"$work/out" 2>"$work/err" ||
        fail "$arch: $(cat "$work/out" "$work/err")"
    [ "$(grep -c ' 1 .* 0$' "$work/out")" -ge 1 ] || fail "$arch: no kernel: $(cat "$work/out")"
    ! grep -q '^left out' "$work/out" || fail "$arch: $(cat "$work/out")"
done
LANEWISE_ARCH=sm_90 LW_FAULT=flip:0 "$lanewise" validate --device cuda --library "$faulty_cuda" --launches "$list" \
    --only warp_gemm >"$work/out" 2>&1
[ $? = 1 ] && grep -q 'argument 0, byte 4: ' "$work/out" || fail "a fault in a whole kernel: $(cat "$work/out")"

# recordings: kept, replayed, no evidence; another seed gives other operands
record() { # FILE OPTION...
    file=$1
    shift
    LANEWISE_ARCH=sm_90 "$lanewise" validate --device cuda --only m16n8k16 --cases 30 --record "$file" "$@" >/dev/null 2>"$work/err"
}
record "$work/a.txt" || fail "$(cat "$work/err")"
record "$work/b.txt" --seed 2 || fail "$(cat "$work/err")"
"$lanewise" validate "$work/a.txt" >"$work/out" || fail "a recording is not reproduced: $(cat "$work/out")"
grep -q 'a.txt: \([0-9]*\) results, \1 as here, 0 different, 0 counted as evidence$' "$work/out" || fail "$(cat "$work/out")"
grep -q 'stand-in' "$work/out" || fail "the replay does not say where it was made"
[ "$(grep -c '^full' "$work/a.txt")" -ge 20 ] && [ "$(grep -c '^digest' "$work/a.txt")" -ge 20 ] || fail "$(head "$work/a.txt")"
[ "$(stat -c %s "$work/a.txt")" -lt 400000 ] || fail "a recording of $(stat -c %s "$work/a.txt") bytes"
! diff <(grep -E '^(full|digest)' "$work/a.txt") <(grep -E '^(full|digest)' "$work/b.txt") >/dev/null || fail "the seed changes nothing"
"$lanewise" validate --json "$work/a.txt" | python3 -c 'import json, sys
f = json.load(sys.stdin)["files"][0]
assert f["source"] == "emulator" and not f["evidence"] and f["results"] == f["as here"] >= 600 and f["counted as evidence"] == 0' || fail "JSON"

# seal FILE: the digest of a changed file, written by the rules of recording.h
seal() {
    python3 - "$1" <<'P'
import sys
lines = open(sys.argv[1], "rb").read().split(b"\n")
body = b"\n".join(l for l in lines if l and not l.startswith(b"end ")) + b"\n"
h = 14695981039346656037
for b in body:
    h = (h ^ b) * 1099511628211 % 2**64
open(sys.argv[1], "wb").write(body + b"end %016x\n" % h)
P
}
cp "$work/a.txt" "$work/same.txt"
seal "$work/same.txt"
cmp "$work/a.txt" "$work/same.txt" || fail "the digest at the end is not FNV-1a"
sed 's/^source: emulator$/source: gpu/' "$work/a.txt" >"$work/gpu.txt"
"$lanewise" validate "$work/gpu.txt" >/dev/null 2>"$work/err"
[ $? = 2 ] && grep -q 'damaged' "$work/err" || fail "a changed source is taken: $(cat "$work/err")"
seal "$work/gpu.txt"
"$lanewise" validate "$work/gpu.txt" >"$work/out" || fail "$(cat "$work/out")"
grep -q ' \([0-9]*\) results, .* \1 counted as evidence$' "$work/out" || fail "evidence of a GPU is not counted: $(cat "$work/out")"

# a device's fault is found again in its recording, in full results and in digests
fault_in() { # FAULT TEXT
    LANEWISE_ARCH=sm_90 LW_FAULT=$1 "$lanewise" validate --device cuda --library "$faulty_cuda" --only m16n8k16.row.col.f32.f16 \
        --cases 600 --record "$work/fault.txt" >/dev/null 2>"$work/err"
    [ $? = 1 ] || fail "$1: $(cat "$work/err")"
    "$lanewise" validate "$work/fault.txt" >"$work/out"
    [ $? = 1 ] && grep -q "$2" "$work/out" || fail "$1 is lost in the recording: $(cat "$work/out")"
}
fault_in flip:0 'case 0 .*word 1: '
fault_in flip:1 'cases 256 to 511: another digest'

# in parts: the table, report and recording are those of the whole, but for the date; also with differences
in_parts() { # STATUS PARTS LIBRARY OPTION...
    status=$1 parts=$2 library=$3
    shift 3
    rm -f "$work"/part.*
    LANEWISE_ARCH=sm_90 "$lanewise" validate --device cuda --library "$library" --report "$work/one.json" --record "$work/one.rec" "$@" \
        >"$work/one.txt" 2>"$work/err"
    [ $? = "$status" ] || fail "whole: $*: $(cat "$work/err" "$work/one.txt")"
    for i in $(seq "$parts"); do
        LANEWISE_ARCH=sm_90 "$lanewise" validate --device cuda --library "$library" --report "$work/all.json" --record "$work/all.rec" "$@" \
            --part "$i/$parts" --part-file "$work/part.$i" >>"$work/part.txt" 2>"$work/err"
        [ $? -le 1 ] || fail "part $i: $*: $(cat "$work/err")"
        ! [ -e "$work/all.json" ] || fail "a part has written the report"
    done
    "$lanewise" merge "$work"/part.[1-9] >"$work/all.txt" 2>"$work/err"
    [ $? = "$status" ] || fail "merge: $*: $(cat "$work/err")"
    cmp "$work/one.txt" "$work/all.txt" || fail "$*: $(diff "$work/one.txt" "$work/all.txt" | head)"
    diff <(sed '/"date"/d' "$work/one.json") <(sed '/"date"/d' "$work/all.json") || fail "$*: the report"
    diff <(sed '/^date: /d; /^end /d' "$work/one.rec") <(sed '/^date: /d; /^end /d' "$work/all.rec") || fail "$*: the recording"
    ! grep -q '^subject' "$work/all.rec" || "$lanewise" validate "$work/all.rec" >/dev/null || [ "$status" = 1 ] || fail "$*: the joined recording"
    rm "$work/all.json" "$work/all.rec"
}
cuda=$standins/libcuda.so.1
in_parts 0 3 "$cuda" --only m16n8k16 --cases 600 --seed 5
in_parts 0 2 "$cuda" --only probe
in_parts 0 2 "$cuda" --only launches --launches "$list"
LW_FAULT='replace:{%r4, %r5}={%r5, %r4}' in_parts 1 3 "$faulty_cuda" --only m16n8k16.row.col.f32.f16 --cases 1500
LW_FAULT=replace:ex2.approx.f32=rcp.approx.f32 in_parts 1 4 "$faulty_cuda" --only ex2.approx.f32
[ "$(grep -c '^ex2.approx.f32 .* 0$' "$work/part.txt")" = 0 ] && [ "$(grep -c '^ex2.approx.f32 ' "$work/part.txt")" -ge 4 ] ||
    fail "batches of one function are not dealt to all parts: $(cat "$work/part.txt")"
"$lanewise" list "$work/part.1" >"$work/out" || fail "list of a part"
grep -q '^  head seed: 1$' "$work/out" && ! grep -q '^  row' "$work/out" || fail "list: $(cat "$work/out")"
joins() { # SENTENCE PART...
    sentence=$1
    shift
    "$lanewise" merge "$@" >"$work/out" 2>"$work/err"
    [ $? = 2 ] && grep -q "$sentence" "$work/err" && [ ! -s "$work/out" ] || fail "merge of $*: $(cat "$work/err")"
}
joins 'part 4' "$work"/part.[123]
LANEWISE_ARCH=sm_90 "$lanewise" validate --device cuda --only ex2.approx.f32 --seed 2 --part 4/4 --report "$work/all.json" \
    --record "$work/all.rec" --part-file "$work/other" >/dev/null ||
    fail "part of another seed"
joins 'different launches' "$work"/part.[123] "$work/other"
LANEWISE_ARCH=sm_90 "$lanewise" validate --device cuda --only m16n8k16 --cases 8 --part 1/1 --part-file "$work/rows" >/dev/null || fail "one part"
"$lanewise" merge "$work/rows" --memory-limit $(($(stat -c %s "$work/rows") + 15000)) >"$work/out" 2>"$work/err"
[ $? = 3 ] && grep -q 'memory limit' "$work/err" || fail "rows are not charged to the memory limit: $(cat "$work/err")"
"$lanewise" merge "$work/rows" --memory-limit 4M >"$work/out" 2>"$work/err" || fail "rows exceed 4 MiB: $(cat "$work/err")"

# refused FILE SENTENCE
refused() {
    "$lanewise" validate "$1" >/dev/null 2>"$work/err"
    [ $? = 2 ] && grep -q "$2" "$work/err" || fail "$(basename "$1"): $(cat "$work/err")"
}
for size in 30 200 5000; do
    head -c $size "$work/a.txt" >"$work/cut.txt"
    refused "$work/cut.txt" 'truncated'
done
sed '40s/[0-9a-f]$/x/' "$work/a.txt" >"$work/bad.txt"
refused "$work/bad.txt" 'damaged'
change() { # SED SENTENCE
    sed "$1" "$work/a.txt" >"$work/bad.txt"
    seal "$work/bad.txt"
    refused "$work/bad.txt" "$2"
}
change 's/^generator: .*/generator: 99/' 'generator 99, this version has'
change 's/^arch: .*/arch: sm_12/' 'does not know that architecture'
change 's/^source: .*/source: memory/' 'neither gpu nor emulator'
change 's/^seed: .*/seed: x/' 'the seed'
change '/^device: /d' "needs 'device: TEXT'"
change 's/^full 1 /full 2 /' 'do not follow'
change '/^digest /d' 'not complete'
change 's/^full 0 \(.\)./full 0 \1g/' 'eight digits'
change 's/^subject matrix \([0-9]*\) [0-9]* /subject matrix \1 99999999 /' 'needs .subject'
change 's/^subject matrix /subject nothing /' 'no such kind'
change 's/m16n8k16/m16n8k17/' 'm16n8k17'
# what nobody records: more cases than there are, long digests of few cases, a subject twice
sed -n '1,/^subject/p' "$work/a.txt" >"$work/bad.txt"
sed -i 's/^subject \([a-z]*\) [0-9]* /subject \1 100000001 /; $a digest 0 100000001 0000000000000000' "$work/bad.txt"
seal "$work/bad.txt"
refused "$work/bad.txt" 'does not have so many cases'
sed -n '1,/^subject/p' "$work/a.txt" | sed 's/^subject \([a-z]*\) [0-9]* /subject \1 300 /; $a digest 0 300 0000000000000000' >"$work/bad.txt"
seal "$work/bad.txt"
refused "$work/bad.txt" 'a digest of more cases than one has'
{ sed '/^end/d' "$work/a.txt"; sed '1,/^subject/!d' "$work/a.txt" | tail -1; sed -n '/^subject/,$p' "$work/a.txt" | sed -n '2,/^subject/p' | sed '/^subject/d'; } >"$work/bad.txt"
seal "$work/bad.txt"
refused "$work/bad.txt" 'stands there twice'
sed -n '1,/^subject/p' "$work/a.txt" | sed 's/^subject \([a-z]*\) [0-9]* /subject \1 90000000 /' >"$work/bad.txt"
for i in $(seq 0 1372); do echo "digest $((i * 65536)) 65536 0000000000000000"; done >>"$work/bad.txt"
echo "digest 89980928 19072 0000000000000000" >>"$work/bad.txt"
seal "$work/bad.txt"
timeout 60 "$lanewise" validate --time-limit 1 "$work/bad.txt" >"$work/out" 2>"$work/err"
[ $? = 3 ] && grep -q 'stopped by --time-limit in ' "$work/err" || fail "a limit of time: $(cat "$work/err")"

# what cannot be asked
asks() { # STATUS SENTENCE OPTION...
    status=$1 sentence=$2
    shift 2
    "$lanewise" validate "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got = "$status" ] && grep -q "$sentence" "$work/err" || fail "validate $*: $got: $(cat "$work/err")"
}
asks 3 'needs hip or cuda' --device metal
asks 3 "CUDA's driver cannot be loaded: .*nowhere" --device cuda --library /nowhere/libcuda.so.1
asks 3 'has no function hipInit' --device hip --library "$standins/libcuda.so.1"
asks 2 'needs a number' --device hip --cases 0
asks 2 'needs a number of seconds' --device hip --time-limit 0
asks 2 'needs --device' --seed 4 --list
asks 2 'one thing to do' --device hip --list
LANEWISE_ARCH=gfx942 asks 2 'arch MI210: the device is gfx942' --device hip --only v_mfma_f32_4x4x4_16b_f16 --arch MI210
LANEWISE_ARCH=gfx942 "$lanewise" validate --device hip --only v_mfma_f32_4x4x4_16b_f16 --arch MI300X >"$work/out" 2>"$work/err" ||
    fail "the device's own architecture is refused: $(cat "$work/err")"
LANEWISE_ARCH=gfx942 asks 2 'nothing is compared' --device hip --only no_such_thing
LANEWISE_ARCH=gfx942 LANEWISE_DEVICES=0 asks 3 'offers no device\|no ROCm-capable device' --device hip
LANEWISE_ARCH=sm_90 LW_FAULT=capability:3 asks 3 'sm_30.* this version does not know' --device cuda --library "$faulty_cuda"
LANEWISE_ARCH=sm_90 LW_FAULT=refuse "$lanewise" validate --device cuda --library "$faulty_cuda" --only fma >"$work/out" 2>"$work/err"
[ $? = 3 ] && grep -q '^refused: .* the driver refuses the code: .*218.*: ptxas: no such instruction$' "$work/out" || fail "$(cat "$work/out" "$work/err")"
echo "$LW_SOURCE_DIR/examples/ptx/warp_gemm.ptx warp_gemm 1 32 0 x:3" >"$work/bad.list"
LANEWISE_ARCH=sm_90 asks 2 'line 1: no argument like' --device cuda --only launches --launches "$work/bad.list"
echo "devices agree, faults are found, recordings hold"

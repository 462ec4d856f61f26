#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# lanewise capture saves launches, and lanewise run --capture repeats them: on the stand-ins, and on mock_cuda.c, a driver
# whose kernel the host computes. Usage: capture.sh LANEWISE STANDINS CC
set -u
lanewise=${1:?} standins=${2:?} cc=${3:?}
here=${LW_SOURCE_DIR:?}/tests/runtime
if ldd "$standins/liblanewise-capture.so" | grep -qE 'lib(asan|tsan|ubsan)'; then
    echo "skipped: programs without a sanitizer cannot load a library that was built with one"
    exit 77
fi
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
wrong() { echo "wrong: $*"; sed 's/^/    /' "$tmp/out" "$tmp/err"; bad=1; }
say() { "$@" >"$tmp/out" 2>"$tmp/err"; }
expect() { # STATUS COMMAND...
    local want=$1
    shift
    say "$@"
    local got=$?
    [ $got = "$want" ] || wrong "exit status $got, not $want: $*"
}
says() { grep -qF -- "$1" "$tmp/$2" || wrong "no '$1' in $2"; }
holds() { # FILE LINE: what the description's reader finds in a file
    python3 "$here/capture.py" read "$1" >"$tmp/holds" || wrong "$1 cannot be read"
    grep -qE -- "$2" "$tmp/holds" || { wrong "no '$2' in $1"; cat "$tmp/holds"; }
}
edit() { python3 "$here/capture.py" edit "$@" || wrong "edit $*"; }

# ---- the driver that is not ours: machine code, arguments that only the driver knows, memory known by attributes
"$cc" -shared -fPIC -ffp-contract=off -w "$here/programs/mock_cuda.c" -Wl,-soname,libcuda.so.1,-Bsymbolic -o "$tmp/libcuda.so.1" &&
    "$cc" -w "$here/programs/cubin.c" -ldl -o "$tmp/cubin" || { echo "the programs do not compile"; exit 1; }
mock() { MOCK=$1 LD_LIBRARY_PATH=$tmp "$lanewise" capture --output "$tmp/$1" --standins "$standins" "${@:2}" -- "$tmp/cubin"; }
expect 0 mock none
says "y[7] = 121" out
says "1 launch saved in $tmp/none" err
says "1 launch not saved: launched by cuGraphLaunch" err
file=$tmp/none/000001-saxpy.lwcap
[ "$(ls -A "$tmp/none")" = 000001-saxpy.lwcap ] || wrong "other files: $(ls -A "$tmp/none")"
holds "$file" '^launch 1 1 1 0 0 0 64 1 1 0 0 0 0$'
holds "$file" '^target sm_90$'
holds "$file" '^about device Mock; CUDA 12040; program cubin; time 20.*Z; lanewise '
holds "$file" '^code 0 $'
holds "$file" '^args 20 [0-9a-f]{32}00004040$'
holds "$file" '^piece - 512 changed 000000000000803f 000000000000803f$'
expect 2 "$lanewise" run --capture "$file"
says "it holds no code (the program launched machine code of NVIDIA); give a PTX file that has saxpy" err
expect 0 "$lanewise" run --capture "$file" "$here/programs/saxpy.ptx" --check races
says "capture: all 512 bytes that the launch could reach are as on the GPU" out
expect 0 mock wrong
expect 1 "$lanewise" run --capture "$tmp/wrong/000001-saxpy.lwcap" "$here/programs/saxpy.ptx"
says "capture: argument 1 (x): 2 of 512 bytes differ; at byte 276: 0x42e60000, on the GPU 0x3f800000" out
expect 1 "$lanewise" run --json --junit "$tmp/j.xml" --capture "$tmp/wrong/000001-saxpy.lwcap" "$here/programs/saxpy.ptx"
python3 - "$tmp/out" <<'PY' || wrong "the JSON object"
import json, sys
o = json.load(open(sys.argv[1]))
c = o["capture"]
assert o["status"] == 1 and c["compared"] and not c["equal"] and c["target"] == "sm_90" and c["bytes"] == 512, o
assert c["pieces"][0]["differ"] == 2 and c["pieces"][0]["first"] == 276 and c["pieces"][0]["expected"] == "0x3f800000", c
assert len(o["inputs"]) == 2, o["inputs"]
PY
grep -q 'name="capture"' "$tmp/j.xml" && grep -q "1 of 1 pieces of memory differ" "$tmp/j.xml" || wrong "JUnit's XML"
expect 1 mock refuse
says "1 launch not saved: the launch was refused" err
[ -z "$(ls -A "$tmp/refuse")" ] || wrong "a refused launch left a file"
expect 1 mock old
says "machine code, and the driver does not tell the sizes of its arguments" err
expect 1 mock graph
says "1 launch not saved: it was recorded into a graph" err
expect 0 mock crash
holds "$tmp/crash/000001-saxpy.lwcap" '^outcome error 719 \(CUDA_ERROR_LAUNCH_FAILED\)$'
holds "$tmp/crash/000001-saxpy.lwcap" '^piece - 512 unknown 000000000000803f $'
expect 0 "$lanewise" run --capture "$tmp/crash/000001-saxpy.lwcap" "$here/programs/saxpy.ptx"
says "not compared: on the GPU, error 719 (CUDA_ERROR_LAUNCH_FAILED)" out
expect 134 mock abort # the file was there before the launch
holds "$tmp/abort/000001-saxpy.lwcap" '^outcome the program ended during the launch'
expect 1 mock limit --limit 511
says "it can reach more memory than --limit allows" err
expect 1 mock name --kernel sgemm
expect 1 mock skip --skip 1

# ---- the stand-in for CUDA: PTX, a table of pointers in memory, a variable
"$cc" -w "$here/programs/tables.c" -ldl -o "$tmp/tables" || exit 1
expect 0 timeout 60 "$lanewise" exec --arch sm_90 --standins "$standins" -- "$lanewise" capture --standins "$standins" --output "$tmp/t" \
    -- "$tmp/tables"
says "sum 1076" out
says "2 launches saved" err
one=$tmp/t/000001-gather.lwcap two=$tmp/t/000002-gather.lwcap
holds "$one" '^piece bias 4 changed 05000000 06000000$'
holds "$two" '^piece bias 4 changed 06000000 07000000$'
holds "$two" '^piece - 4 changed 33040000 34040000$'
[ "$(grep -c '^piece - 4096 same' "$tmp/holds")" = 3 ] || wrong "the tables that the table points to"
for file in "$one" "$two"; do
    expect 0 "$lanewise" run --capture "$file" --check all
    says "capture: all 12320 bytes that the launch could reach are as on the GPU" out
done
edit "$two" "$tmp/e" after 0 1 16
expect 1 "$lanewise" run --capture "$tmp/e"
says "capture: variable bias: 1 of 4 bytes differ; at byte 0: 0x00000007, on the GPU 0x00001007" out
edit "$two" "$tmp/e" drop 0 # without the variable it has its first value: the sum is one less
expect 1 "$lanewise" run --capture "$tmp/e"
says "at byte 0: 0x00000433, on the GPU 0x00000434" out
edit "$two" "$tmp/e" drop 4
expect 3 "$lanewise" run --capture "$tmp/e"
says "in no allocation" err
edit "$two" "$tmp/e" text 5 "error 700 (X)"
expect 2 "$lanewise" run --capture "$tmp/e"
says "piece 0: it has contents after a launch that did not end" err
edit "$two" "$tmp/e" text 3 sm_33
expect 2 "$lanewise" run --capture "$tmp/e"
says "no processor is called \"sm_33\"" err
edit "$two" "$tmp/e" text 3 gfx942
expect 2 "$lanewise" run --capture "$tmp/e"
edit "$two" "$tmp/e" text 2 other
expect 2 "$lanewise" run --capture "$tmp/e"
says "other" err
edit "$two" "$tmp/e" move 1 0x800000000
expect 2 "$lanewise" run --capture "$tmp/e"
says "not between 0x1000000000 and 0x800000000000" err
edit "$two" "$tmp/e" cut 20
expect 2 "$lanewise" run --capture "$tmp/e"
says "argument 3 of gather is bytes 20 to 23, but the capture has 20" err
head -c 1000 "$two" >"$tmp/e"
expect 2 "$lanewise" run --capture "$tmp/e"
says "its hash is wrong: it is damaged or incomplete" err
expect 0 "$lanewise" list "$two"
says "gather" out
says "sm_90" out

# ---- a file that the description's writer made, with sums that it made too
for arch in gfx942 gfx950; do
    python3 "$here/capture.py" make "$tmp/v" "$LW_SOURCE_DIR/examples/objects/vector_add_$arch.co" $arch || wrong "make"
    expect 0 "$lanewise" run --capture "$tmp/v" --check all
    says "capture: all 12000 bytes that the launch could reach are as on the GPU" out
done

# ---- words
expect 2 "$lanewise" run --capture "$two" --grid 1
says "--grid: the capture says it" err
expect 2 "$lanewise" run --capture "$two" --expect x.npy
expect 2 "$lanewise" run --capture "$two" a.ptx b.npy
says "the arguments come from the capture" err
expect 2 "$lanewise" run --capture "$tmp/absent"
expect 0 "$lanewise" run --capture "$two" --workgroup 0
says "capture: not compared: only some workgroups ran" out
expect 2 "$lanewise" capture
says "needs a program" err
expect 2 "$lanewise" capture --output "$tmp/cubin" -- true
expect 2 "$lanewise" capture --most 0 -- true
expect 2 "$lanewise" capture --limit many -- true
expect 2 "$lanewise" capture --standins "$tmp" -- true
expect 2 "$lanewise" capture --standins "$standins" --output "$tmp/none" -- "$tmp/absent"
says "cannot start" err
expect 1 "$lanewise" capture --standins "$standins" --output "$tmp/none" -- true
says "no launch was seen" err
expect 7 "$lanewise" capture --standins "$standins" --output "$tmp/none" -- sh -c 'exit 7'

# ---- the stand-in for HIP: a fat binary, constant, device and managed variables, dynamic LDS
clang=$(command -v clang++-22) || { echo "not tried: HIP, as there is no clang++-22"; exit $bad; }
"$clang" -x hip -nogpuinc -nogpulib -I "$here/programs" --offload-arch=gfx942 --offload-arch=gfx1201 -O2 \
    "$here/programs/saxpy.hip" -L "$standins" -lamdhip64 -o "$tmp/saxpy" || exit 1
for arch in gfx942 gfx1201; do
    expect 0 "$lanewise" exec --arch $arch --standins "$standins" -- "$lanewise" capture --standins "$standins" \
        --output "$tmp/$arch" -- "$tmp/saxpy"
    says fine out
    says "2 launches saved" err
    holds "$tmp/$arch/000001-_Z5saxpyPfPKfj.lwcap" '^launch 4 1 1 0 0 0 256 1 1 0 0 0 0$'
    holds "$tmp/$arch/000001-_Z5saxpyPfPKfj.lwcap" '^piece factor 4 same 00000040 00000040$'
    holds "$tmp/$arch/000001-_Z5saxpyPfPKfj.lwcap" '^piece counter 4 changed 04000000 10000000$'
    holds "$tmp/$arch/000001-_Z5saxpyPfPKfj.lwcap" '^piece - 4 changed 05000000 0c000000$'
    holds "$tmp/$arch/000001-_Z5saxpyPfPKfj.lwcap" '^piece - 4000 changed 0000803f0000803f 0000803f00004040$'
    holds "$tmp/$arch/000002-_Z5totalPfPKfi.lwcap" '^launch 1 1 1 0 0 0 128 1 1 0 0 0 512$'
    for file in "$tmp/$arch"/*; do
        expect 0 "$lanewise" run --capture "$file" --check all
        says "capture: all 8020 bytes that the launch could reach are as on the GPU" out
    done
done
expect 1 "$lanewise" exec --arch gfx942 --standins "$standins" -- "$lanewise" capture --standins "$standins" \
    --output "$tmp/far" -- "$tmp/saxpy" far
holds "$tmp/far/000001-_Z5saxpyPfPKfj.lwcap" '^outcome error 700 \(hipErrorIllegalAddress\)$'
expect 3 "$lanewise" run --capture "$tmp/far/000001-_Z5saxpyPfPKfj.lwcap" # the same fault, where it can be looked at
says 'in no allocation (0 bytes past the end of "argument 1", 4000 bytes at 0x' err
says "on the GPU: error 700 (hipErrorIllegalAddress)" err
expect 0 "$lanewise" exec --arch gfx942 --standins "$standins" -- "$lanewise" capture --standins "$standins" \
    --output "$tmp/gfx942" --kernel total --most 1 --json -- "$tmp/saxpy"
sed -n '/^{/,$p' "$tmp/out" >"$tmp/json"
python3 - "$tmp/json" <<'PY' || wrong "the JSON object"
import json, sys
o = json.load(open(sys.argv[1]))
assert o["status"] == 0 and len(o["saved"]) == 1 and o["saved"][0].endswith("000001-_Z5totalPfPKfi.lwcap"), o
PY
exit $bad

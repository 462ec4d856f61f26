#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# lanewise exec: HIP programs that clang-22 compiles run as they are, and the report and exit status say what happened.
# Usage: exec.sh LANEWISE STANDINS
set -u
lanewise=${1:?} standins=${2:?}
source=${LW_SOURCE_DIR:?}/tests/runtime/programs
clang=$(command -v clang++-22) || { echo "skipped: there is no clang++-22"; exit 77; }
if ldd "$standins/libamdhip64.so" | grep -qE 'lib(asan|tsan|ubsan)'; then
    echo "skipped: programs without a sanitizer cannot load a stand-in that was built with one"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
wrong() { echo "wrong: $*"; sed 's/^/    /' "$tmp/out" "$tmp/err"; bad=1; }

compile() { # OUTPUT OPTION...
    local out=$1
    shift
    "$clang" -x hip -nogpuinc -nogpulib -I "$source" "$@" "$source/saxpy.hip" -L "$standins" -lamdhip64 -o "$tmp/$out" ||
        { echo "clang++-22 does not compile the program"; exit 1; }
}

# run STATUS OPTION... -- PROGRAM...
run() {
    local want=$1
    shift
    "$lanewise" exec "$@" >"$tmp/out" 2>"$tmp/err"
    local got=$?
    [ $got = "$want" ] || wrong "exit status $got, not $want: exec $*"
}
says() { grep -qF -- "$1" "$tmp/$2" || wrong "no '$1' in $2"; }

compile three --offload-arch=gfx942 --offload-arch=gfx950 --offload-arch=gfx1201 -O2
compile plain --offload-arch=gfx90a:xnack+ --offload-arch=gfx90a:xnack- --offload-arch=gfx1100 -O0
compile on --offload-arch=gfx90a:xnack+
compile own --offload-arch=gfx942 -fgpu-default-stream=per-thread # calls hipLaunchKernel_spt; the program's own calls are not renamed
compile tight --offload-compress --offload-arch=gfx942 -O3

for arch in gfx942 gfx950 gfx1201; do
    run 0 --arch $arch --check all -- "$tmp/three"
    says fine out
    says "2 launches of 2 kernels on $arch" err
done
for arch in gfx90a gfx1100; do
    run 0 --arch $arch -- "$tmp/plain"
    says fine out
done
if grep -q "built without" <<<"$("$lanewise" exec --arch gfx942 -- "$tmp/tight" 2>&1)"; then
    echo "not tried: a compressed fat binary, which this build cannot read"
else
    run 0 --arch MI300X -- "$tmp/tight"
    says fine out
fi

run 0 --arch gfx942 -- "$tmp/own"
says fine out

# nothing for the device: the program starts, and its first use of the device fails
run 1 --arch gfx1100 -- "$tmp/three"
says hipErrorNoBinaryForGpu out
says "no code object in it is for gfx1100" err
run 1 --arch gfx90a -- "$tmp/on" # the device has xnack off
says hipErrorNoBinaryForGpu out
run 1 --arch gfx942 --devices 0 -- "$tmp/three"
says hipErrorNoDevice out

# a fault, and a check that finds an error although the program is content
run 1 --arch gfx942 -- "$tmp/three" far
says hipErrorIllegalAddress out
says 'loads from address 0x1000000fa0 in no allocation' err
run 1 --arch gfx942 --check races -- "$tmp/three" race
says fine out
says "races error: LDS byte" err
run 0 --arch gfx942 -- "$tmp/three" race
sed 's/return argc > 1.*/return 0;/' "$source/saxpy.hip" >"$tmp/calm.hip"
"$clang" -x hip -nogpuinc -nogpulib -I "$source" --offload-arch=gfx942 "$tmp/calm.hip" -L "$standins" -lamdhip64 -o "$tmp/calm"
run 3 --arch gfx942 -- "$tmp/calm" far # the program hides the failure; exec does not

# programs that do not end in an orderly way: what ran is told, and a child that only ends is no second program
sed 's/return argc > 1.*/__builtin_trap();/' "$source/saxpy.hip" >"$tmp/dies.hip"
"$clang" -x hip -nogpuinc -nogpulib -I "$source" --offload-arch=gfx942 -Wno-everything "$tmp/dies.hip" -L "$standins" -lamdhip64 -o "$tmp/dies"
run 132 --arch gfx942 -- "$tmp/dies"
says "2 launches of 2 kernels on gfx942" err
says "as after signal 4" err
(printf '#include <unistd.h>\n#include <cstdlib>\n#include <sys/wait.h>\n'
    sed 's/return argc > 1.*/const int pid = fork(); if (!pid) exit(0); waitpid(pid, nullptr, 0); return 0;/' "$source/saxpy.hip") >"$tmp/forks.hip"
"$clang" -x hip -nogpuinc -nogpulib -I "$source" --offload-arch=gfx942 -Wno-everything "$tmp/forks.hip" -L "$standins" -lamdhip64 -o "$tmp/forks"
run 0 --arch gfx942 -- "$tmp/forks"
says "2 launches of 2 kernels on gfx942" err

run 0 --arch gfx942 --json -- "$tmp/three"
sed -n '/^{/,$p' "$tmp/out" >"$tmp/json"
if command -v python3 >/dev/null; then
    python3 - "$tmp/json" "$tmp/three" <<'PY' || wrong "the JSON object"
import hashlib, json, sys
o = json.load(open(sys.argv[1]))
assert o["arch"] == "gfx942" and o["program_status"] == 0 and o["status"] == 0, o
assert [k["launches"] for k in o["kernels"]] == [1, 1] and not o["not_served"], o
assert all(k["instructions"] > 100 and k["failed"] == 0 for k in o["kernels"]), o
program = open(sys.argv[2], "rb").read()  # the offload bundle inside it is what was loaded
bundle = program[program.index(b"__CLANG_OFFLOAD_BUNDLE__"):]
(code,) = o["code"]
assert code["loads"] == 1 and code["bytes"] > 10000, code
assert code["sha256"] == hashlib.sha256(bundle[:code["bytes"]]).hexdigest(), code
PY
    cat >"$tmp/load.py" <<'PY'
import ctypes, sys
cuda, context, module = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_void_p()
assert not cuda.cuInit(0) and not cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0)
text = open(sys.argv[1], "rb").read()
assert not cuda.cuModuleLoad(ctypes.byref(module), sys.argv[1].encode())
assert not cuda.cuModuleLoadData(ctypes.byref(module), text)
assert cuda.cuModuleLoadData(ctypes.byref(module), b"no PTX")
PY
    run 0 --arch sm_80 --json -- python3 "$tmp/load.py" "$source/saxpy.ptx"
    sed -n '/^{/,$p' "$tmp/out" | python3 -c '
import json, sys
o = json.load(sys.stdin)
(code,), (file,) = o["code"], [i for i in o["inputs"] if i["path"].endswith(".ptx")]
assert (code["sha256"], code["loads"]) == (file["sha256"], 2), o' || wrong "the hash of PTX"
fi

# JUnit's XML: a fault, an error of a check, and a program that failed
run 3 --arch gfx942 --junit "$tmp/far.xml" -- "$tmp/calm" far
run 1 --arch gfx942 --check races --junit "$tmp/race.xml" -- "$tmp/three" race
run 7 --arch gfx942 --junit "$tmp/seven.xml" -- sh -c 'exit 7'
grep -q 'tests="2" failures="0" errors="1"' "$tmp/far.xml" || wrong "the case of a fault"
grep -q '<failure message="checks found [0-9]* errors"/>' "$tmp/race.xml" || wrong "the case of a check"
grep -q '<failure message="exit status 7"/>' "$tmp/seven.xml" || wrong "the case of a program"
run 2 --arch gfx942 --junit "$tmp/absent/x.xml" -- true
says "cannot write $tmp/absent/x.xml" err

# words
run 2 --arch gfx942 -- "$tmp/absent"
says "cannot start $tmp/absent: No such file" err
run 2 --arch gfx942
says "needs a program" err
run 1 --arch sm_90 -- "$tmp/three" # a HIP program sees no device
says hipErrorNoDevice out
run 2 --arch gfx942 --check nothing -- true
says "no check 'nothing'" err
run 2 --arch gfx942 --devices 65 -- true
says "from 0 to 64" err
run 2 --arch gfx942 --standins "$tmp" -- true
says "there is no libamdhip64.so $tmp" err
run 0 --arch gfx942 -- true
says "no kernel was launched" err
run 7 --arch gfx942 -- sh -c 'exit 7'
run 143 --arch gfx942 -- sh -c 'kill -TERM $$'
exit $bad
